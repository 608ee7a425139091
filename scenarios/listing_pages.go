package scenarios

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// listingPageChecks are the checks on pages, cursors and order.
func listingPageChecks() []Check {
	return []Check{
		{
			ID: "listing/names-unique", Claim: "A name occurs once in its list, over all pages.", Level: Should,
			Why:    "Clients keep the first, the last, or none of two tools with one name; some model APIs refuse the whole request.",
			Remedy: "Give each entry its own name.",
			Basis:  []string{"server/tools#tool-names"}, Requirements: []string{"tool-names.unique", "resources.def.uri-unique", "prompts.def.names-unique"},
			Hosts: []string{"openai-agents", "goose"}, Judge: judgeUnique,
		},
		{
			ID: "listing/pages-end", Claim: "Walking a list page by page comes to an end, and no cursor or entry comes twice.", Level: Host, Breaks: true, Source: Observed,
			Why:    "A cursor that never advances keeps clients asking for ever: Codex, opencode and Copilot CLI end up with no tools.",
			Remedy: "Use the cursor to find the next page, and leave nextCursor out on the last.",
			Basis:  []string{"server/utilities/pagination"}, Requirements: []string{"pagination.finite", "pagination.no-repeats", "pagination.empty-cursor"},
			Hosts: []string{"codex", "copilot-cli", "opencode"}, Judge: judgePagesEnd,
		},
		{
			ID: "listing/cursor-usable", Claim: "Every cursor that the server gives is accepted.", Level: Should,
			Why:    "Whatever lies behind a refused cursor is never seen by any client.",
			Remedy: "Accept the cursors you hand out, on every connection.",
			Basis:  []string{"server/utilities/pagination"}, Requirements: []string{"pagination.cursor-usable"},
			Judge: judgeCursorUsable,
		},
		{
			ID: "listing/cursor-stable", Claim: "A cursor used twice gives the same page.", Level: Should,
			Why:    "Clients repeat requests after a lost connection.",
			Remedy: "Let a cursor stand for a place in the list, not for a position in a session.",
			Basis:  []string{"server/utilities/pagination#implementation-guidelines"}, Requirements: []string{"pagination.stable-cursors"},
			Judge: judgeCursorStable,
		},
		{
			ID: "listing/cursor-rejected", Claim: "A cursor that the server never gave is refused with -32602.", Level: Should,
			Why:    "Answering page one instead sends a client with a stale cursor round in circles.",
			Remedy: "Answer unknown cursors with JSON-RPC error -32602.",
			Basis:  []string{"server/utilities/pagination#error-handling"}, Requirements: []string{"pagination.invalid-cursor"},
			Judge: judgeCursorRejected,
		},
		{
			ID: "listing/odd-cursors-survived", Claim: "Odd cursors are answered, and the server lives on.", Level: Should,
			Why:    "Some clients send an empty or null cursor.",
			Remedy: "Check the cursor before use.",
			Basis:  []string{"server/utilities/pagination#implementation-guidelines"}, Requirements: []string{"pagination.invalid-cursor-survives"},
			Judge: judgeOddCursors,
		},
		{
			ID: "listing/deterministic", Claim: "An unchanged list comes in the same order every time.", Level: Should,
			Why:    "A changed order breaks the model's prompt cache on every turn.",
			Remedy: "List in a fixed order; do not walk a map or a set.",
			Basis:  []string{"server/tools#capabilities"}, Requirements: []string{"tools.list.order-stable"},
			Judge: judgeDeterministic,
		},
		{
			ID: "listing/same-everywhere", Claim: "Every connection sees the same lists, whatever was asked before.", Level: Must,
			Why:    "Under 2026-07-28 clients cache lists and share connections: a list that depends on the connection is wrong for somebody.",
			Remedy: "Compute lists from the caller's rights alone, never from what a connection did before.",
			Basis:  []string{"server/tools#capabilities"}, Requirements: []string{"tools.list.same-on-every-connection", "tools.list.no-side-effects", "resources.list.same-on-every-connection", "prompts.list.same-on-every-connection"},
			Judge: judgeSameEverywhere,
		},
	}
}

func judgeUnique(e *Evidence) Ruling {
	seen := map[string]bool{}
	return e.eachEntry("", func(n entry) []Fault {
		if n.raw.Get(n.kind.key).Type != gjson.String {
			return nil
		}
		key := n.kind.method + " " + n.name()
		again := seen[key]
		seen[key] = true
		return one(again, "one entry of this name", n.name()+" is listed twice in "+n.kind.method)
	})
}

func judgePagesEnd(e *Evidence) Ruling {
	var r Ruling
	for _, k := range lists() {
		pages := e.walk(k)
		cursors := map[string]bool{}
		names := map[string]int{}
		for i, x := range pages {
			if !x.Result().Exists() {
				continue
			}
			next := x.Result().Get("nextCursor")
			if len(next.Raw) > fakes.MaxCursor {
				return NotSeen(fmt.Sprintf("a cursor of %s has %d bytes; those over %d are not followed", k.method, len(next.Raw), fakes.MaxCursor))
			}
			r.Seen++
			if next.Type == gjson.String && cursors[next.Str] {
				r.Faults = append(r.Faults, Fault{Subject: k.method, Expected: "a last page without nextCursor", Observed: "nextCursor " + next.Raw + " came before", Message: k.method + " never ends: the cursor " + short(next.Raw, 60) + " leads back to itself", Proof: []*Exchange{x}})
				break
			}
			if next.Type == gjson.String {
				cursors[next.Str] = true
			}
			for _, v := range x.Result().Get(k.member).Array() {
				name := v.Get(k.key).String()
				if at, ok := names[name]; ok && at != i {
					r.Faults = append(r.Faults, Fault{Subject: name, Expected: "each entry on one page", Observed: fmt.Sprintf("%s is on pages %d and %d of %s", name, at+1, i+1, k.method), Proof: []*Exchange{pages[at], x}})
				}
				names[name] = i
			}
			if len(r.Faults) > 10 {
				return r
			}
		}
		if len(pages) >= 1000 {
			r.Faults = append(r.Faults, Fault{Subject: k.method, Expected: "an end", Observed: "1000 pages and still a nextCursor", Proof: []*Exchange{pages[len(pages)-1]}})
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server lists nothing")
	}
	return r
}

func judgeCursorUsable(e *Evidence) Ruling {
	var r Ruling
	for _, k := range lists() {
		pages := e.walk(k)
		for _, x := range pages[min(1, len(pages)):] {
			if !x.Request.Root.Get("params.cursor").Exists() {
				continue
			}
			var f *Fault
			if !x.Result().Exists() {
				f = &Fault{Subject: k.method, Expected: "the next page", Observed: sayAnswer(x), Proof: []*Exchange{x}}
			}
			r = r.add(x, f)
		}
	}
	if r.Seen == 0 {
		return NotApplicable("no list has a second page")
	}
	return r
}

// sameNames compares two pages by the names on them, in order.
func sameNames(k listKind, a, b gjson.Result) bool { return namesOf(k, a) == namesOf(k, b) }

func namesOf(k listKind, page gjson.Result) string {
	var out []string
	for _, v := range page.Get(k.member).Array() {
		out = append(out, v.Get(k.key).Raw)
	}
	return strings.Join(out, "\n")
}

func judgeCursorStable(e *Evidence) Ruling {
	var r Ruling
	for _, k := range lists() {
		x, pages := e.Get("cursor:"+k.method), e.walk(k)
		if x == nil || len(pages) < 2 || !x.Answered() {
			continue
		}
		var f *Fault
		if !sameNames(k, pages[1].Result(), x.Result()) {
			f = &Fault{Subject: k.method, Expected: "the same page again", Observed: short(sayPage(k, x), 200), Proof: []*Exchange{pages[1], x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotApplicable("no list has a second page")
	}
	return r
}

func sayPage(k listKind, x *Exchange) string {
	if !x.Result().Exists() {
		return sayAnswer(x)
	}
	return strings.ReplaceAll(namesOf(k, x.Result()), "\n", ", ")
}

func judgeCursorRejected(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("bogus:") {
		var f *Fault
		if !x.IsRPCError() || x.Code() != -32602 {
			f = &Fault{Subject: x.Request.Method, Expected: "JSON-RPC error -32602", Observed: servedPage(x), Message: fmt.Sprintf("%s with a cursor that was never given is answered by %s", x.Request.Method, servedPage(x)), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotApplicable("the server lists nothing")
	}
	return r
}

// servedPage says how a request for a page was answered.
func servedPage(x *Exchange) string {
	for _, k := range lists() {
		if k.method == x.Request.Method && x.Result().Exists() {
			return "a page with " + count(len(x.Result().Get(k.member).Array()), "entry")
		}
	}
	return sayAnswer(x)
}

func judgeOddCursors(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("odd:") {
		var f *Fault
		if x.End == "dead" || x.End == "stuck" {
			f = &Fault{Subject: "cursor " + short(x.Request.Root.Get("params.cursor").Raw, 40), Expected: "any answer", Observed: x.Lost(), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotApplicable("the server lists no tools")
	}
	return r
}

func judgeDeterministic(e *Evidence) Ruling {
	return e.compare(func(k listKind, a, b gjson.Result) string {
		if namesOf(k, a) != namesOf(k, b) && sortedNames(k, a) == sortedNames(k, b) {
			return "the same entries in another order"
		}
		return ""
	})
}

func judgeSameEverywhere(e *Evidence) Ruling {
	if !e.Facts.Modern() {
		return NotApplicable("handshake revisions let a list depend on the session")
	}
	return e.compare(func(k listKind, a, b gjson.Result) string {
		if sortedNames(k, a) != sortedNames(k, b) && !e.listChanges(k) {
			return "other entries: " + short(strings.ReplaceAll(namesOf(k, b), "\n", ", "), 200)
		}
		return ""
	})
}

// listChanges says that the server told anybody of a change of the list: then two
// of them may differ without depending on who asks.
func (e *Evidence) listChanges(k listKind) bool {
	notice := "notifications/" + k.capability + "/list_changed"
	return slices.ContainsFunc(e.Run.Select("", "", e.Cell.Transport), func(t *wire.Tape) bool {
		return slices.ContainsFunc(t.Events(), func(ev wire.Event) bool {
			return ev.Kind == wire.Recv && ev.Message().Method == notice
		})
	})
}

func sortedNames(k listKind, page gjson.Result) string {
	n := strings.Split(namesOf(k, page), "\n")
	sort.Strings(n)
	return strings.Join(n, "\n")
}

// compare holds the first page of each list against later ones of the same list.
func (e *Evidence) compare(differ func(k listKind, a, b gjson.Result) string) Ruling {
	var r Ruling
	for _, k := range lists() {
		walked := e.walk(k)
		if len(walked) == 0 || !walked[0].Result().Exists() {
			continue
		}
		first := walked[0]
		others := e.All("again:" + k.method)
		others = append(others, firstPages(e.All("fresh:"+k.method))...)
		for _, x := range others {
			if !x.Result().Exists() {
				continue
			}
			var f *Fault
			if d := differ(k, first.Result(), x.Result()); d != "" {
				f = &Fault{Subject: k.method, Expected: "the same list as before", Observed: d, Proof: []*Exchange{first, x}}
			}
			r = r.add(x, f)
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server lists nothing")
	}
	return r
}

// firstPages keeps the exchanges that ask for a first page.
func firstPages(all []*Exchange) []*Exchange {
	var out []*Exchange
	for _, x := range all {
		if !x.Request.Root.Get("params.cursor").Exists() {
			out = append(out, x)
		}
	}
	return out
}
