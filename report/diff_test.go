package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/scenarios"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	const pass, fail, warn, na, unseen = scenarios.Pass, scenarios.Fail, scenarios.Warn, scenarios.NA, scenarios.Unseen
	none := scenarios.Outcome{}
	one := func(v scenarios.Verdict, subjects ...string) scenarios.Outcome { return found("a/b", v, subjects...) }
	for name, c := range map[string]struct {
		before, after scenarios.Outcome
		list          string // new, fixed, changed, same or nothing
		why           string
		worse         bool
	}{
		"a new failure":                      {one(pass), one(fail, "x"), "new", "pass became fail", true},
		"a new cell that fails":              {none, one(fail, "x"), "new", "", true},
		"a new cell that passes":             {none, one(pass), "", "", false},
		"a failure where nothing was seen":   {one(unseen), one(fail, "x"), "new", "was not observed before", true},
		"an error":                           {one(pass), one(scenarios.Error), "new", "pass became error", true},
		"mended":                             {one(fail, "x"), one(pass), "fixed", "fail became pass", false},
		"does not apply any more":            {one(warn, "x"), one(na), "fixed", "warn became n/a", false},
		"a failure that nobody looked at":    {one(fail, "x"), one(unseen), "changed", "fail became unseen", false},
		"a failure whose cell did not run":   {one(fail, "x"), none, "changed", "did not run", false},
		"a pass whose cell did not run":      {one(pass), none, "changed", "did not run", false},
		"an unused check that did not run":   {one(na), none, "", "", false},
		"worse":                              {one(warn, "x"), one(fail, "x"), "changed", "warn became fail", true},
		"better":                             {one(fail, "x"), one(warn, "x"), "changed", "fail became warn", false},
		"one more subject":                   {one(fail, "x"), one(fail, "x", "y"), "changed", "now also “y”", true},
		"one subject less":                   {one(fail, "x", "y"), one(fail, "x"), "changed", "no longer “y”", false},
		"a pass that was not observed again": {one(pass), one(unseen), "changed", "pass became unseen", true},
		"the same":                           {one(fail, "x"), one(fail, "x"), "same", "", false},
		"passes in both":                     {one(pass), one(pass), "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := func(o scenarios.Outcome) Report {
				if o.ID == "" {
					return Report{}
				}
				return Report{Outcomes: []scenarios.Outcome{o}}
			}
			d := Diff(report(c.before), report(c.after))
			got := map[string][]Change{"new": d.New, "fixed": d.Fixed, "changed": d.Changed, "same": d.Same}
			for list, changes := range got {
				want := 0
				if list == c.list {
					want = 1
				}
				if len(changes) != want {
					t.Errorf("%s has %d changes, want %d: %+v", list, len(changes), want, changes)
				}
			}
			if list := got[c.list]; len(list) == 1 && (list[0].Why != c.why || list[0].ID != "a/b@any@2025-11-25@stdio") {
				t.Errorf("change %+v, want why %q", list[0], c.why)
			}
			if d.Worse() != c.worse {
				t.Errorf("worse is %v, want %v", d.Worse(), c.worse)
			}
		})
	}
}

func TestDiffTellsServersApart(t *testing.T) {
	t.Parallel()
	server := func(name string, v scenarios.Verdict) Report {
		return Report{Target: Target{Name: name}, Outcomes: []scenarios.Outcome{found("a/b", v, "x")}}
	}
	d := Diff(
		Report{Servers: []Report{server("one", scenarios.Pass), server("two", scenarios.Fail)}},
		Report{Servers: []Report{server("two", scenarios.Pass), server("one", scenarios.Fail)}},
	)
	if len(d.New) != 1 || d.New[0].Server != "one" || len(d.Fixed) != 1 || d.Fixed[0].Server != "two" {
		t.Errorf("new %+v, fixed %+v", d.New, d.Fixed)
	}
}

func exampleDiff() Difference {
	before, after := exampleReport(), exampleReport()
	after.Target.Version = "1.5.0"
	before.Outcomes[0].Verdict = scenarios.Pass
	after.Outcomes[3].Verdict = scenarios.Pass
	before.Outcomes[2].Verdict = scenarios.Fail
	before.Outcomes[5].Verdict = scenarios.NA
	after.Outcomes = slices.Delete(after.Outcomes, 20, 21)
	before.Summary, _ = Summarise(before.Outcomes, nil)
	after.Summary, _ = Summarise(after.Outcomes, nil)
	return Diff(before, after)
}

func TestWriteDiff(t *testing.T) {
	t.Parallel()
	var text, data bytes.Buffer
	if err := WriteDiffText(&text, exampleDiff()); err != nil {
		t.Fatal(err)
	}
	golden(t, "diff.txt", text.Bytes())
	checkPlainLines(t, text.String())
	if err := WriteDiffJSON(&data, exampleDiff()); err != nil {
		t.Fatal(err)
	}
	var back Difference
	if err := json.Unmarshal(data.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(len(exampleDiff().Same), len(back.Same)); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(data.String(), "null") || back.Schema != DiffSchema {
		t.Errorf("a null list or no schema in %s", data.String())
	}
}

// checkPlainLines fails when a line could move a cursor or command a build server.
func checkPlainLines(t *testing.T, text string) {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		for _, r := range line {
			if r < 0x20 || hidden(r) {
				t.Errorf("line %d holds %U: %q", i+1, r, line)
				break
			}
		}
		if strings.HasPrefix(strings.TrimSpace(line), "::") || marker.MatchString(line) {
			t.Errorf("line %d is a command to a build server: %q", i+1, line)
		}
	}
}
