package suite

import (
	"testing"

	"github.com/agntn/conform/scenarios"
)

// TestJudgeKeepsEveryOutcome judges many cells at once, most of them in no time:
// what was judged first must still be there in the end.
func TestJudgeKeepsEveryOutcome(t *testing.T) {
	t.Parallel()
	cfg := Config{Catalogue: scenarios.Catalogue{{ID: "quick", Checks: []scenarios.Check{
		{ID: "quick/one", Judge: func(*scenarios.Evidence) scenarios.Ruling { return scenarios.Ruling{Seen: 1} }},
		{ID: "quick/two", Judge: func(*scenarios.Evidence) scenarios.Ruling { return scenarios.Ruling{Seen: 1} }},
	}}}}
	rec := &scenarios.Record{Facts: &scenarios.RunFacts{}}
	for range 5000 {
		rec.Cells = append(rec.Cells, scenarios.Cell{Scenario: "quick", Client: "any"})
	}
	outcomes := judge(&cfg, rec, 0)
	if len(outcomes) != 10000 {
		t.Fatalf("%d outcomes, want 10000", len(outcomes))
	}
	lost := 0
	for _, o := range outcomes {
		if o.Verdict != scenarios.Pass {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%d outcomes were lost", lost)
	}
}
