package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite/sample"
)

// TestFoundTogetherConfirmedAlone holds that what is found while probes go out
// side by side is looked at again, one probe after the other, and that what is
// told rests on that. Where nothing is found one drive is enough.
func TestFoundTogetherConfirmedAlone(t *testing.T) {
	t.Parallel()
	tests := []struct {
		scenario, fault, finding string
		// gone says that over HTTP the fault ends the server: nothing can be confirmed there.
		gone bool
	}{
		{scenario: "input-required"},
		{scenario: "input-required", fault: "input-required-decline", finding: "input-required/decline"},
		{scenario: "input-required", fault: "input-required-hostile-state", finding: "input-required/hostile-state", gone: true},
		{scenario: "cancellation"},
		{scenario: "cancellation", fault: "cancellation-malformed-ignored", finding: "cancellation/malformed-ignored", gone: true},
		{scenario: "cancellation", fault: "cancellation-late-cancel-ignored", finding: "cancellation/late-cancel-ignored", gone: true},
	}
	for _, tt := range tests {
		for _, transport := range []string{overStdio, overHTTP} {
			t.Run(tt.scenario+" "+tt.fault+" "+transport, func(t *testing.T) {
				t.Parallel()
				var faults []string
				if tt.fault != "" {
					faults = []string{tt.fault}
				}
				cfg := sampleConfig(t)
				cfg.Scenarios = []string{tt.scenario}
				target(t, &cfg, transport, sample.Options{Faults: faults})
				r, rec, err := Engine(t.Context(), cfg)
				if err != nil {
					t.Fatal(err)
				}
				attempts := map[int]bool{}
				for _, c := range rec.Cells {
					if c.Scenario == tt.scenario && c.Skip == "" {
						attempts[c.Attempt] = true
					}
				}
				alone := tt.finding != "" && !(tt.gone && transport == overHTTP)
				if got := findings(r); attempts[2] != alone || (len(got) > 0) != (tt.finding != "") || alone && got[tt.finding] == "" {
					t.Errorf("findings %v, attempts %v, notes:%s", got, attempts, notes(rec))
				}
				if n := mostOpen(rec, scenarios.LabelScope(tt.scenario, 2)); alone && n != 1 {
					t.Errorf("driven alone there were up to %d requests at the same time", n)
				}
			})
		}
	}
}

// notes are what the drives noted, in a line each.
func notes(rec *scenarios.Record) string {
	var out strings.Builder
	for _, t := range rec.Tapes {
		for _, ev := range t.Events() {
			if ev.Kind == wire.Notice || ev.Kind == wire.Close && ev.Status != "end" {
				fmt.Fprintf(&out, "\n%s %d ms %s %s %s", t.ID, ev.At.Milliseconds(), ev.Probe, ev.Status, ev.Raw)
			}
		}
	}
	return out.String()
}

// mostOpen is how many calls of the steps under a label were unanswered at the
// same time on one tape. What is sent to be cancelled is meant to be open.
func mostOpen(rec *scenarios.Record, scope string) int {
	most := 0
	for _, t := range rec.Tapes {
		open := map[string]bool{}
		for _, ev := range t.Events() {
			m := ev.Message()
			label, ours := strings.CutPrefix(ev.Probe, scope)
			switch {
			case ev.Kind == wire.Send && ours && m.IsRequest() && !meantOpen(label):
				open[m.ID] = true
			case ev.Kind == wire.Recv && m.IsResponse():
				delete(open, m.ID)
			}
			most = max(most, len(open))
		}
	}
	return most
}

func meantOpen(label string) bool {
	return slices.ContainsFunc([]string{"race", "cancelled:", "dropped", "whole", "alive:read", "alive:dropped", "find:"}, func(p string) bool { return strings.HasPrefix(label, p) })
}
