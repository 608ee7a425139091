package report

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/scenarios"
)

// cell makes an outcome of the check for one client, told apart by its subject.
func cell(check, client string, v scenarios.Verdict, observed, subject string) scenarios.Outcome {
	c := scenarios.Check{ID: check}
	return scenarios.Outcome{
		ID: check + "@" + client + "@2025-11-25@stdio", Check: check, Scenario: c.Scenario(), Client: client,
		Revision: "2025-11-25", Transport: "stdio", Level: scenarios.Must, Verdict: v,
		Observed: observed, Subject: subject,
	}
}

func TestGroups(t *testing.T) {
	t.Parallel()
	sdk := &scenarios.Cause{ID: "sdk-lookup"}
	withCause := func(o scenarios.Outcome) scenarios.Outcome { o.Cause = sdk; return o }
	gating := func(o scenarios.Outcome) scenarios.Outcome { o.Gate = true; return o }
	leveled := func(o scenarios.Outcome, l scenarios.Level) scenarios.Outcome { o.Level = l; return o }

	r := Report{Outcomes: []scenarios.Outcome{
		cell("a/info", "any", scenarios.Info, "x", ""),
		cell("a/passed", "any", scenarios.Pass, "", ""),
		cell("a/na", "any", scenarios.NA, "", ""),
		cell("a/unseen", "any", scenarios.Unseen, "", ""),
		cell("a/warn", "any", scenarios.Warn, "x", ""),
		cell("a/fail", "any", scenarios.Fail, "x", ""),
		gating(cell("b/fail", "any", scenarios.Fail, "x", "")),
		gating(leveled(cell("a/fail-host", "any", scenarios.Fail, "x", ""), scenarios.Host)),
		cell("a/error", "any", scenarios.Error, "", ""),
		// One cause, two clients, two verdicts, two observed texts.
		withCause(cell("c/cause", "one", scenarios.Warn, "Tool a disabled", "a")),
		withCause(cell("c/cause", "two", scenarios.Fail, "Tool b is off", "b")),
		// One shape: quoted text, numbers and the subject differ.
		cell("d/shape", "one", scenarios.Fail, `tool alpha took 12 ms and said "yes"`, "alpha"),
		cell("d/shape", "two", scenarios.Fail, `tool beta took 7.5 ms  and said "no \" no"`, "beta"),
		// Another shape of the same check.
		cell("d/shape", "three", scenarios.Fail, "no answer", "alpha"),
		// The same check unseen elsewhere is a group of its own.
		cell("d/shape", "four", scenarios.Unseen, "", ""),
	}}

	type short struct {
		Check   string
		Verdict scenarios.Verdict
		Gate    bool
		Clients []string
	}
	shorten := func(gs []Group) []short {
		var out []short
		for _, g := range gs {
			out = append(out, short{g.Check, g.Verdict, g.Gate, g.Clients})
		}
		return out
	}
	any1 := []string{"any"}
	want := []short{
		{"a/error", scenarios.Error, false, any1},
		{"b/fail", scenarios.Fail, true, any1},
		{"a/fail-host", scenarios.Fail, true, any1},
		{"a/fail", scenarios.Fail, false, any1},
		{"c/cause", scenarios.Fail, false, []string{"one", "two"}},
		{"d/shape", scenarios.Fail, false, []string{"one", "two"}},
		{"d/shape", scenarios.Fail, false, []string{"three"}},
		{"a/warn", scenarios.Warn, false, any1},
		{"a/unseen", scenarios.Unseen, false, any1},
		{"d/shape", scenarios.Unseen, false, []string{"four"}},
		{"a/info", scenarios.Info, false, any1},
	}
	// d/shape@one sorts before d/shape@three, both fail and do not gate.
	if diff := cmp.Diff(want, shorten(Groups(r))); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}

	first := Groups(r)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		rng.Shuffle(len(r.Outcomes), func(i, j int) { r.Outcomes[i], r.Outcomes[j] = r.Outcomes[j], r.Outcomes[i] })
		if diff := cmp.Diff(first, Groups(r)); diff != "" {
			t.Fatalf("groups depend on the order of the outcomes:\n%s", diff)
		}
	}
}

func TestGroupNamesWhatItsCellsName(t *testing.T) {
	t.Parallel()
	one := cell("a/b", "x", scenarios.Warn, "same", "tool_b")
	one.Hosts = []string{"codex", "chatgpt"}
	two := cell("a/b", "y", scenarios.Fail, "same", "tool_a")
	two.Hosts, two.Revision = []string{"codex"}, "2026-07-28"

	gs := Groups(Report{Outcomes: []scenarios.Outcome{one, two}})
	if len(gs) != 1 {
		t.Fatalf("got %d groups, want 1", len(gs))
	}
	g := gs[0]
	if g.ID != two.ID || g.Lead.Client != "y" || len(g.Cells) != 2 {
		t.Errorf("the worst cell does not lead: %+v", g)
	}
	got := [][]string{g.Clients, g.Hosts, g.Revisions, g.Transports, g.Subjects}
	want := [][]string{{"x", "y"}, {"chatgpt", "codex"}, {"2025-11-25", "2026-07-28"}, {"stdio"}, {"tool_a", "tool_b"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
