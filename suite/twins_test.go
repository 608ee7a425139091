package suite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mattn/go-shellwords"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
	"github.com/agntn/conform/suite/fixtures"
)

// runTarget runs scenarios against a fixture, the whole catalogue when none are named.
func runTarget(t *testing.T, target fixtures.Target, config string, names ...string) report.Report {
	t.Helper()
	set, err := fakes.Load()
	if err != nil {
		t.Fatal(err)
	}
	cfg := suite.Config{Profile: scenarios.ProfileHosts, Scenarios: names, Start: time.Minute} // many servers start at once
	if target.HTTP != nil && target.URL != "" {
		cfg.Target.URL = fixtures.StartHTTP(t, target)
	} else {
		cfg.Target.Command, cfg.Target.Dir, cfg.Target.Env = target.Command, target.Dir, target.Env
	}
	if cfg.Clients, err = set.Select("claude-code,chatgpt,sdk-v1,sdk-v2"); err != nil {
		t.Fatal(err)
	}
	if config != "" {
		f, err := suite.ReadFile(config)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Apply(&cfg, filepath.Dir(config), shellwords.Parse, set); err != nil {
			t.Fatal(err)
		}
	}
	r, _, err := suite.Engine(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Outcomes) == 0 {
		t.Fatalf("nothing was judged: %s", strings.Join(r.Notes, "; "))
	}
	return r
}

// flagged lists the checks with a finding that is told: fail, warn or info.
func flagged(r report.Report, verdicts ...scenarios.Verdict) []string {
	var out []string
	for _, o := range r.Outcomes {
		if slices.Contains(verdicts, o.Verdict) && !slices.Contains(out, o.Check) {
			out = append(out, o.Check)
		}
	}
	return out
}

// TestTwins tells the halves of each pair apart: the bad one is flagged by the
// check that names its fault, the good one is not. Pairs with a configuration
// are run with it and without. The good half goes through the whole catalogue,
// the bad one through the scenarios of its checks; with CONFORM_LONG=1 both do
// the whole.
func TestTwins(t *testing.T) {
	t.Parallel()
	var alone sync.Mutex
	for _, w := range fixtures.Twins(t) {
		configs := map[string]string{"plain": ""}
		if w.Config != "" {
			configs["configured"] = w.Config
		}
		for name, config := range configs {
			t.Run(w.Name+"/"+name, func(t *testing.T) {
				t.Parallel()
				fixtures.HoldAlone(t, &alone, func() []string { return twinProblems(t, w, config) })
			})
		}
	}
}

// twinProblems runs both halves of a pair and says what does not hold.
func twinProblems(t *testing.T, w fixtures.Twin, config string) []string {
	t.Helper()
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	bad := flagged(runTarget(t, w.Bad(t), config, scenariosOf(w.Checks)...), scenarios.Fail, scenarios.Warn, scenarios.Info)
	good := runTarget(t, w.Good(t), config)
	if !slices.ContainsFunc(w.Checks, func(c string) bool { return slices.Contains(bad, c) }) {
		add("the bad half is not flagged by %v; findings: %v", w.Checks, bad)
	}
	for _, c := range w.Checks {
		if slices.Contains(flagged(good, scenarios.Fail, scenarios.Warn), c) {
			add("the good half is flagged by %s: %s", c, firstOf(good, c))
		}
	}
	for _, c := range flagged(good, scenarios.Fail, scenarios.Error) {
		add("the good half fails %s: %s", c, firstOf(good, c))
	}
	return out
}

// scenariosOf names the scenarios that checks belong to.
func scenariosOf(checks []string) []string {
	if os.Getenv("CONFORM_LONG") != "" {
		return nil
	}
	var out []string
	for _, s := range scenarios.All() {
		if slices.ContainsFunc(s.Checks, func(k scenarios.Check) bool { return slices.Contains(checks, k.ID) }) {
			out = append(out, s.ID)
		}
	}
	return out
}

func firstOf(r report.Report, check string) string {
	for _, o := range r.Outcomes {
		if o.Check == check && o.Verdict != scenarios.Pass && o.Verdict != scenarios.NA {
			return o.ID + ": " + report.Visible(report.Bound(o.Message, 300)) + " | " + report.Visible(report.Bound(o.Observed, 200))
		}
	}
	return ""
}
