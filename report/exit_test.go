package report

import (
	"testing"

	"github.com/agntn/conform/scenarios"
)

func outcomes(list ...scenarios.Verdict) []scenarios.Outcome {
	var all []scenarios.Outcome
	for i, v := range list {
		id := "a/" + string(rune('a'+i))
		all = append(all, scenarios.Outcome{
			ID: id + "@any@2025-11-25@stdio", Check: id, Scenario: "a", Client: Neutral,
			Revision: "2025-11-25", Transport: "stdio", Verdict: v, Gate: v == scenarios.Fail,
		})
	}
	return all
}

func TestExit(t *testing.T) {
	t.Parallel()
	const (
		pass, fail, warn, info = scenarios.Pass, scenarios.Fail, scenarios.Warn, scenarios.Info
		na, unseen, bad        = scenarios.NA, scenarios.Unseen, scenarios.Error
	)
	known := outcomes(pass, fail)
	known[1].Known, known[1].Gate = true, false
	knownWarn := outcomes(pass, warn)
	knownWarn[1].Waived = "accepted"
	for name, c := range map[string]struct {
		r                 Report
		fail, warn, never int
	}{
		"all right":            {Report{Outcomes: outcomes(pass, na, unseen)}, 0, 0, 0},
		"a failure":            {Report{Outcomes: outcomes(pass, fail)}, 1, 1, 0},
		"a warning":            {Report{Outcomes: outcomes(pass, warn)}, 0, 1, 0},
		"an info":              {Report{Outcomes: outcomes(info)}, 0, 0, 0},
		"a known failure":      {Report{Outcomes: known}, 0, 0, 0},
		"a waived warning":     {Report{Outcomes: knownWarn}, 0, 0, 0},
		"stale":                {Report{Outcomes: outcomes(pass), Stale: []string{"x"}}, 1, 1, 0},
		"nothing ran":          {Report{}, 3, 3, 3},
		"nothing seen":         {Report{Outcomes: outcomes(na, unseen)}, 3, 3, 3},
		"nothing seen, stale":  {Report{Outcomes: outcomes(unseen), Stale: []string{"x"}}, 3, 3, 3},
		"conform broke":        {Report{Outcomes: outcomes(pass, fail, bad)}, 4, 4, 4},
		"interrupted":          {Report{Outcomes: outcomes(fail, bad), Interrupted: true}, 130, 130, 130},
		"servers: one fails":   {Report{Servers: []Report{{Outcomes: outcomes(pass)}, {Outcomes: outcomes(fail)}, {}}}, 1, 1, 3},
		"servers: one unseen":  {Report{Servers: []Report{{Outcomes: outcomes(pass)}, {}}}, 3, 3, 3},
		"servers: all right":   {Report{Servers: []Report{{Outcomes: outcomes(pass)}, {Outcomes: outcomes(warn)}}}, 0, 1, 0},
		"servers: interrupted": {Report{Interrupted: true, Servers: []Report{{Outcomes: outcomes(pass)}}}, 130, 130, 130},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for failOn, want := range map[FailOn]int{FailOnFail: c.fail, FailOnWarn: c.warn, FailOnNever: c.never} {
				if got := Exit(c.r, failOn); got != want {
					t.Errorf("Exit(%s) = %d, want %d", failOn, got, want)
				}
			}
		})
	}
}

func TestParseFailOn(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]FailOn{"": FailOnFail, "fail": FailOnFail, "warn": FailOnWarn, "never": FailOnNever} {
		if got, err := ParseFailOn(in); err != nil || got != want {
			t.Errorf("ParseFailOn(%q) = %q, %v", in, got, err)
		}
	}
	if _, err := ParseFailOn("always"); err == nil {
		t.Error("ParseFailOn takes always")
	}
}
