package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/scenarios"
)

func TestSummarise(t *testing.T) {
	t.Parallel()
	const pass, fail, warn = scenarios.Pass, scenarios.Fail, scenarios.Warn
	o := func(check, client string, v scenarios.Verdict, change ...func(*scenarios.Outcome)) scenarios.Outcome {
		out := scenarios.Outcome{ID: check + "@" + client, Check: check, Client: client, Verdict: v}
		for _, c := range change {
			c(&out)
		}
		return out
	}
	hosts := func(ids ...string) func(*scenarios.Outcome) {
		return func(o *scenarios.Outcome) { o.Hosts = ids }
	}
	says := func(s string) func(*scenarios.Outcome) { return func(o *scenarios.Outcome) { o.Message = s } }
	subjects := func(list ...string) func(*scenarios.Outcome) {
		return func(o *scenarios.Outcome) {
			for _, s := range list {
				o.Faults = append(o.Faults, scenarios.FaultLine{Subject: s})
			}
		}
	}
	for name, c := range map[string]struct {
		outcomes []scenarios.Outcome
		views    []scenarios.View
		verdict  scenarios.Verdict
		sum      Summary
		says     string
	}{
		"works": {
			outcomes: []scenarios.Outcome{o("a/b", "x", pass), o("a/c", "x", scenarios.NA)},
			verdict:  pass, sum: Summary{Pass: 1, NA: 1}, says: "works",
		},
		"a neutral fault that does not name it is not its own": {
			outcomes: []scenarios.Outcome{o("a/b", "x", pass), o("a/c", "any", fail), o("a/d", "y", fail)},
			verdict:  pass, sum: Summary{Pass: 1}, says: "works",
		},
		"a neutral fault that names it counts once": {
			outcomes: []scenarios.Outcome{o("a/b", "x", pass), o("a/c", "any", fail, hosts("y", "x", "x"), says("It breaks."))},
			verdict:  fail, sum: Summary{Pass: 1, Fail: 1}, says: "does not fully work; 1 check fails: It breaks",
		},
		"raw names": {
			outcomes: []scenarios.Outcome{o("a/b", "x", pass), o("presentation/label-shown", "x", warn, subjects("one", "two"))},
			verdict:  warn, sum: Summary{Pass: 1, Warn: 1}, says: "works; 2 tools show their raw names",
		},
		"many failures": {
			outcomes: []scenarios.Outcome{o("a/b", "x", fail), o("a/c", "x", fail), o("a/d", "x", fail), o("a/b", "x", fail), o("a/e", "x", scenarios.Unseen)},
			verdict:  fail, sum: Summary{Fail: 4, Unseen: 1},
			says: "does not fully work; 3 checks fail (a/b, a/c and 1 more); 1 check was not observed",
		},
		"a lost list": {
			outcomes: []scenarios.Outcome{o("listing/parses-in-sdk-v1", "x", fail)},
			views:    []scenarios.View{{Client: "x", Tool: "t", State: "lost"}, {Client: "y", Tool: "t", State: "ok"}},
			verdict:  fail, sum: Summary{Fail: 1},
			says: "loses the whole list of tools; 1 check fails (listing/parses-in-sdk-v1)",
		},
		"a lost list is told once": {
			outcomes: []scenarios.Outcome{o("clients/keeps-list", "x", warn), o("host-vscode/list-size", "x", warn)},
			views:    []scenarios.View{{Client: "x", Tool: "t", State: "lost"}},
			verdict:  warn, sum: Summary{Warn: 2},
			says: "loses the whole list of tools; the list has more tools than it takes well",
		},
		"a dropped tool": {
			outcomes: []scenarios.Outcome{o("a/b", "x", pass)},
			views:    []scenarios.View{{Client: "x", Tool: "t", State: "dropped"}, {Client: "x", Tool: "u", State: "ok"}},
			verdict:  pass, sum: Summary{Pass: 1}, says: "loses 1 tool of 2 (t)",
		},
		"not observed": {
			outcomes: []scenarios.Outcome{o("a/b", "x", scenarios.Unseen, says("needs a URL. More text.")), o("a/c", "x", scenarios.NA)},
			verdict:  scenarios.Unseen, sum: Summary{Unseen: 1, NA: 1}, says: "not observed: needs a URL",
		},
		"nothing applies": {
			outcomes: []scenarios.Outcome{o("a/c", "x", scenarios.NA)},
			verdict:  scenarios.NA, sum: Summary{NA: 1}, says: "nothing here applies to it",
		},
		"not tried": {verdict: scenarios.NA, says: "not tried"},
		"an error": {
			outcomes: []scenarios.Outcome{o("a/b", "x", scenarios.Error), o("a/c", "x", pass)},
			verdict:  scenarios.Error, sum: Summary{Error: 1, Pass: 1}, says: "works; 1 check could not be judged",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			given := []Client{{ID: "x", Product: "X"}}
			all, clients := Summarise(c.outcomes, given, c.views...)
			if all.Total() != len(c.outcomes) {
				t.Errorf("%d of %d outcomes are counted", all.Total(), len(c.outcomes))
			}
			want := []Client{{ID: "x", Product: "X", Verdict: c.verdict, Summary: c.sum, Says: c.says}}
			if diff := cmp.Diff(want, clients); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if given[0].Says != "" {
				t.Error("Summarise changed its argument")
			}
		})
	}
}
