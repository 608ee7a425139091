package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/scenarios"
)

// shards splits a report as n runs with --shard would: each has its own cells, and
// all know the target, the clients and the views.
func shards(r Report, n int) []Report {
	list := make([]Report, n)
	for i := range list {
		s := r
		s.Outcomes = nil
		for j, o := range r.Outcomes {
			if j%n == i {
				s.Outcomes = append(s.Outcomes, o)
			}
		}
		s.Command = fmt.Sprintf("%s --shard %d/%d", r.Command, i+1, n)
		s.NotProven = append(Unproven(s.Outcomes, s.NotCalled), beyond(r)...)
		s.Summary, s.Clients = Summarise(s.Outcomes, r.Clients, r.Views...)
		s.Exit = Exit(s, FailOnFail)
		s.Started = r.Started.Add(time.Duration(i) * time.Second)
		list[i] = s
	}
	return list
}

func withoutTimes(r Report) Report {
	r.Started, r.DurationMS, r.Stats = time.Time{}, 0, nil
	return r
}

func TestMergeGivesTheWholeRun(t *testing.T) {
	t.Parallel()
	want := exampleReport()
	for _, n := range []int{1, 2, 4, 7, 60} {
		parts := shards(want, n)
		for range 2 { // in any order
			got, err := Merge(parts...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(writeJSON(t, withoutTimes(want))), string(writeJSON(t, withoutTimes(got)))); diff != "" {
				t.Fatalf("%d shards (-whole +merged):\n%s", n, diff)
			}
			slices.Reverse(parts)
		}
	}
}

func TestMergeAddsTimesAndFigures(t *testing.T) {
	t.Parallel()
	r := exampleReport()
	got, err := Merge(shards(r, 3)...)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Started.Equal(r.Started) || got.DurationMS != r.DurationMS+2000 {
		t.Errorf("started %v, %d ms, want %v, %d ms", got.Started, got.DurationMS, r.Started, r.DurationMS+2000)
	}
	if got.Stats == nil || got.Stats.Processes != 3*r.Stats.Processes || got.Stats.Outcomes != len(r.Outcomes) {
		t.Errorf("stats %+v", got.Stats)
	}
}

func TestMergeServers(t *testing.T) {
	t.Parallel()
	other := exampleReport()
	other.Target.Name = "other"
	a, b := shards(exampleReport(), 2), shards(other, 2)
	whole := Report{Servers: []Report{exampleReport(), other}}
	got, err := Merge(Report{Servers: []Report{a[0], b[1]}}, Report{Servers: []Report{a[1], b[0]}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole.Servers {
		if diff := cmp.Diff(string(writeJSON(t, withoutTimes(whole.Servers[i]))), string(writeJSON(t, withoutTimes(got.Servers[i])))); diff != "" {
			t.Errorf("server %d:\n%s", i, diff)
		}
	}
}

func TestMergeRefusesOtherRuns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Report)
		want   string
	}{
		"seed":    {func(r *Report) { r.Seed = 2 }, "the seed differs (\"1\" and \"2\"); run every shard with the same --seed"},
		"profile": {func(r *Report) { r.Profile = scenarios.ProfileSpec }, "the profile differs"},
		"target":  {func(r *Report) { r.Target.Name = "other\x1b" }, "acme-notes 1.4.0"},
		"command": {func(r *Report) { r.Target.Command = "x" }, "the target command differs"},
		"url":     {func(r *Report) { u := "http://127.0.0.1/mcp"; r.Target.URL = &u }, "the target address differs"},
		"version": {func(r *Report) { r.Tool.Version = "9" }, "the conform version differs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parts := shards(exampleReport(), 2)
			c.change(&parts[1])
			_, err := Merge(parts...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	if _, err := Merge(); err == nil {
		t.Error("Merge of nothing gives a report")
	}
}

func TestMergeSaysWhatIsMissingAndWhatDiffers(t *testing.T) {
	t.Parallel()
	parts := shards(exampleReport(), 3)
	again := parts[0].Outcomes[0]
	again.Verdict = scenarios.Error
	parts[1].Outcomes = append(parts[1].Outcomes, again)
	got, err := Merge(parts[:2]...)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(got.NotProven, "only 2 of 3 shards were merged; the others may hold more findings") {
		t.Errorf("not proven: %q", got.NotProven)
	}
	if text := strings.Join(got.Notes, "\n"); !strings.Contains(text, "1 check was judged in several shards with different verdicts") {
		t.Errorf("notes: %s", text)
	}
	for _, o := range got.Outcomes {
		if o.ID == again.ID && o.Verdict != scenarios.Error {
			t.Errorf("of two verdicts %s stays, not the worse", o.Verdict)
		}
	}
}

func TestMergeExits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		codes []int
		want  int
	}{
		{[]int{0, 0}, 0}, {[]int{0, 3}, 0}, {[]int{3, 3}, 3}, {[]int{3, 1, 0}, 1}, {[]int{0, 4, 1}, 4}, {[]int{130, 4}, 130},
	} {
		var parts []Report
		for _, code := range c.codes {
			parts = append(parts, Report{Exit: code})
		}
		if got := mergeExits(parts); got != c.want {
			t.Errorf("%v give %d, want %d", c.codes, got, c.want)
		}
	}
}
