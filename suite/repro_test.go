package suite

import (
	"context"
	"strings"
	"time"

	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite/sample"
)

// lineLimit is how long a repro line may take.
const lineLimit = 45 * time.Second

// tooLate is after what time an answer is too late for any client.
const tooLate = 20 * time.Second

// shellsAtOnce is how many lines run at once; most of the time they sleep.
const shellsAtOnce = 40

// line is a repro line of one outcome, and the exchanges that it has to show.
type line struct {
	outcome scenarios.Outcome
	fault   scenarios.Fault
	out     string
	err     error
	took    time.Duration
}

// linesOf are the repro lines of the outcomes by which a fault is caught.
func (x *trial) linesOf(cfg *Config, rec *scenarios.Record, every bool) []line {
	var out []line
	for _, o := range x.report.Outcomes {
		if !isFinding(o.Verdict) || !sample.Names(x.fault.Checks, o.Check) {
			continue
		}
		out = append(out, line{outcome: o, fault: faultOf(cfg, rec, o)})
		if !every {
			break
		}
	}
	return out
}

// faultOf judges the outcome's cell again for the first fault.
func faultOf(cfg *Config, rec *scenarios.Record, o scenarios.Outcome) scenarios.Fault {
	k, ok := scenarios.All().Check(o.Check)
	if !ok {
		return scenarios.Fault{}
	}
	for _, c := range rec.Cells {
		if c.Scenario == o.Scenario && c.Client == o.Client && c.Revision == o.Revision && c.Transport == o.Transport {
			if r := k.Judge(evidence(cfg, rec, c)); len(r.Faults) > 0 {
				return r.Faults[0]
			}
		}
	}
	return scenarios.Fault{}
}

// tryLines runs the repro lines.
func (x *trial) tryLines(ctx context.Context, shells chan struct{}) {
	for i := range x.lines {
		if x.lines[i].outcome.Repro == "" {
			continue
		}
		shells <- struct{}{}
		if x.anew != nil && strings.HasPrefix(x.lines[i].outcome.Repro, startAnew) {
			x.anew()
		}
		x.lines[i].run(ctx)
		<-shells
	}
}
