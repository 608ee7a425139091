package suite_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
	"github.com/agntn/conform/suite/fixtures"
)

// TestBehindFrameworks runs servers whose framework answers part of the
// protocol itself: what is the framework's is not asked of the author.
func TestBehindFrameworks(t *testing.T) {
	t.Parallel()
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
			r, _, err := suite.Engine(t.Context(), suite.Config{
				Target: suite.Target{URL: fixtures.StartHTTP(t, target)}, Profile: scenarios.ProfileHouse, Behind: tt.behind,
				Scenarios: append(erasScenarios(), "unknown-tool", "thrown-error"), Clients: []*fakes.Profile{}, Allow: suite.AllowAll,
			})
			if err != nil {
				t.Fatal(err)
			}
			var gates []string
			verdicts := map[string]map[scenarios.Verdict]bool{}
			for _, o := range r.Outcomes {
				if verdicts[o.Check] == nil {
					verdicts[o.Check] = map[scenarios.Verdict]bool{}
				}
				verdicts[o.Check][o.Verdict] = true
				if o.Gate && (len(gates) == 0 || gates[len(gates)-1] != o.Check) {
					gates = append(gates, o.Check)
				}
			}
			if diff := cmp.Diff(tt.gates, gates); diff != "" {
				t.Errorf("findings that gate (-want +got):\n%s", diff)
			}
			for _, check := range tt.na {
				if v := verdicts[check]; !v[scenarios.NA] {
					t.Errorf("%s is %v, which the framework answers for", check, v)
				}
			}
		})
	}
}
