package suite_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
	"github.com/agntn/conform/suite/fixtures"
)

// TestBehindFrameworks runs servers whose framework answers part of the
// protocol itself: what is the framework's is not asked of the author.
func TestBehindFrameworks(t *testing.T) {
	t.Parallel()
	var alone sync.Mutex
	tests := []struct {
		target, behind string
		// gates are the findings that gate, na checks that the switch sets aside.
		gates, na []string
	}{
		{target: "h3", behind: "h3", na: []string{"unknown-tool/wording", "progress/token-echoed", "elicitation/accept"}},
		// Without the switch the house asks for its own words.
		{target: "h3", gates: []string{"unknown-tool/wording"}},
		// What is left are the faults that its tools have on purpose.
		{
			target: "nuxt-toolkit", behind: "toolkit", na: []string{"unknown-tool/wording", "progress/token-echoed"},
			gates: []string{"thrown-error/escaped", "thrown-error/one-line"},
		},
		{
			target: "nuxt-toolkit-sessions", behind: "toolkit", na: []string{"unknown-tool/wording"},
			gates: []string{
				"elicitation/asks-again", "elicitation/call-cancel-withdraws", "elicitation/only-if-declared",
				"thrown-error/escaped", "thrown-error/one-line",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.target+" "+tt.behind, func(t *testing.T) {
			t.Parallel()
			target := fixtures.Require(t, tt.target)
			url := fixtures.StartHTTP(t, target)
			fixtures.HoldAlone(t, &alone, func() []string {
				r, _, err := suite.Engine(t.Context(), suite.Config{
					Target: suite.Target{URL: url}, Profile: scenarios.ProfileHouse, Behind: tt.behind,
					Scenarios: append(erasScenarios(), "unknown-tool", "thrown-error"), Clients: []*fakes.Profile{}, Allow: suite.AllowAll,
				})
				if err != nil {
					t.Fatal(err)
				}
				return behindProblems(r, tt.gates, tt.na)
			})
		})
	}
}

// behindProblems says where a report gates by other checks than those of gates,
// and which checks of na apply all the same.
func behindProblems(r report.Report, gates, na []string) []string {
	var problems, found []string
	verdicts := map[string]map[scenarios.Verdict]bool{}
	for _, o := range r.Outcomes {
		if verdicts[o.Check] == nil {
			verdicts[o.Check] = map[scenarios.Verdict]bool{}
		}
		verdicts[o.Check][o.Verdict] = true
		if o.Gate && (len(found) == 0 || found[len(found)-1] != o.Check) {
			found = append(found, o.Check)
			problems = append(problems, o.ID+": "+o.Message)
		}
	}
	diff := cmp.Diff(gates, found)
	if diff == "" {
		problems = nil
	} else {
		problems = append(problems, "findings that gate (-want +got):\n"+diff)
	}
	for _, check := range na {
		if v := verdicts[check]; !v[scenarios.NA] {
			problems = append(problems, fmt.Sprintf("%s is %v, which the framework answers for", check, v))
		}
	}
	return problems
}
