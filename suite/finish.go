package suite

import (
	"time"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// finish applies waivers, takes gates off what they excuse, masks secrets, cuts
// what is too long and sets the exit code.
func finish(r *report.Report, cfg *Config) {
	if len(cfg.Waive) > 0 {
		r.Notes = append(r.Notes, report.Waive(r.Outcomes, cfg.Waive, time.Now())...)
	}
	if r.Outcomes == nil {
		r.Outcomes = []scenarios.Outcome{}
	}
	r.Summary, r.Clients = report.Summarise(r.Outcomes, r.Clients, r.Views...)
	report.Mask(r, cfg.Secrets)
	report.Limit(r)
	r.Exit = report.Exit(*r, cfg.FailOn)
}
