package scenarios

import (
	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers"
)

// listingSDKChecks hold the list against the readers of the two TypeScript
// SDKs, which most clients are built on.
func listingSDKChecks() []Check {
	return []Check{
		{
			ID: "listing/parses-in-sdk-v1", Claim: "A client on TypeScript SDK v1 keeps the tool list.", Level: Host, Breaks: true, Source: Observed,
			Why:    "SDK v1 checks the whole list at once: one bad member and no tool is left.",
			Remedy: "Mend the member that the error names.",
			Basis:  []string{"observed: @modelcontextprotocol/sdk 1.32.2"},
			Hosts:  []string{"sdk-v1"}, Judge: parsesIn("sdk-v1"),
		},
		{
			ID: "listing/parses-in-sdk-v2", Claim: "A client on TypeScript SDK v2 keeps the tool list.", Level: Host, Breaks: true, Source: Observed,
			Why:    "SDK v2 checks the whole list at once: one bad member and no tool is left.",
			Remedy: "Mend the member that the error names.",
			Basis:  []string{"observed: @modelcontextprotocol/client 2.4.0"},
			Hosts:  []string{"sdk-v2"}, Judge: parsesIn("sdk-v2"),
		},
	}
}

// parsesIn judges whether a client of a TypeScript SDK keeps the list.
func parsesIn(client string) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		r, ok := readers.For(client)
		pages := e.walk(lists()[0])
		if !ok || len(pages) == 0 {
			return NotApplicable("the server lists no tools")
		}
		if client == "sdk-v1" && e.Facts.Modern() {
			return NotApplicable("SDK v1 does not speak 2026-07-28")
		}
		raw := ReaderPages(pages)
		if len(raw) == 0 {
			return NotSeen("tools/list was not answered with a result, or with more than is looked at")
		}
		l := r.Listing(e.Facts.Revision, raw)
		if l.State == fakes.Lost || l.State == fakes.Hang {
			return Broken(Fault{Subject: "tools/list", Expected: "a list that the client keeps", Observed: orText(l.Error, l.Why), Message: "the client loses the whole list: " + orText(l.Why, l.Error), Proof: []*Exchange{pages[0]}})
		}
		return Passed("", pages[0])
	}
}
