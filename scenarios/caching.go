package scenarios

import (
	"fmt"

	"github.com/tidwall/gjson"
)

func caching() Scenario {
	return Scenario{
		ID: "caching", Title: "Caching hints", Scope: Passive, Era: ModernEra,
		Summary: "Compares the caching hints of the pages of one list.",
		Checks: []Check{
			{
				ID: "caching/scope-per-walk", Claim: "All pages of a list have the same cacheScope.", Level: Must,
				Why:    "A cache between client and server keeps a public page for everybody and asks for a private one anew: the list it puts together is nobody's.",
				Remedy: "Decide on the scope once for the whole list, and repeat it on each page.",
				Basis:  []string{"server/utilities/caching#interaction-with-pagination"}, Requirements: []string{"caching.scope-per-walk"},
				Judge: judgeScopePerWalk,
			},
		},
	}
}

// judgeScopePerWalk compares each page that was asked for by a cursor with the
// page that gave the cursor, on every line.
func judgeScopePerWalk(e *Evidence) Ruling {
	var r Ruling
	accused := map[string]bool{}
	for _, t := range e.stateless() {
		gave := map[string]*Exchange{}
		for _, x := range e.Run.Exchanges(t) {
			if !x.Result().Exists() {
				continue
			}
			method := x.Request.Method
			if cursor := x.Request.Root.Get("params.cursor"); cursor.Type == gjson.String {
				first := gave[method+" "+cursor.Str]
				if a, b := first.Result().Get("cacheScope"), x.Result().Get("cacheScope"); a.Exists() && b.Exists() {
					r.Seen++
					if a.Raw != b.Raw && !accused[method] {
						accused[method] = true
						r.Faults = append(r.Faults, Fault{Subject: method, Expected: "cacheScope " + short(a.Raw, 40) + " on every page", Observed: fmt.Sprintf("cacheScope %s on a later page", short(b.Raw, 40)), Proof: []*Exchange{first, x}})
					}
				}
			}
			if next := x.Result().Get("nextCursor"); next.Type == gjson.String {
				gave[method+" "+next.Str] = x
			}
		}
	}
	if r.Seen == 0 {
		return NotApplicable("no list has a second page")
	}
	return r
}
