package suite_test

import (
	"testing"

	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
)

// TestInGoTest is what an author writes; each outcome is a subtest of it.
func TestInGoTest(t *testing.T) {
	t.Parallel()
	r := suite.Test(t, suite.Config{
		Target: suite.Target{Name: "notes", Transport: connect}, Scenarios: []string{"unknown-tool", "opening"}, Revisions: []string{"2025-11-25"},
	})
	if r.Summary.Pass < 10 || r.Exit != 0 || r.Target.Name != "notes" {
		t.Errorf("%s: %+v, exit %d", r.Target.Name, r.Summary, r.Exit)
	}
	for _, o := range r.Outcomes {
		if o.Verdict == scenarios.Error {
			t.Errorf("%s: %s", o.ID, o.Message)
		}
	}
}
