package suite

import (
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// Join makes one report of the reports of several servers: a section each.
// One report alone stays as it is.
func Join(all []report.Report) report.Report {
	if len(all) == 1 {
		return all[0]
	}
	out := report.Report{Schema: report.Schema, Outcomes: []scenarios.Outcome{}, Views: []scenarios.View{}, Clients: []report.Client{}, NotProven: []string{}, Servers: all}
	for i, r := range all {
		if i == 0 {
			out.Tool, out.Seed, out.Profile, out.Started, out.Command = r.Tool, r.Seed, r.Profile, r.Started, r.Command
			out.Target = report.Target{Name: "several servers", Transports: []string{}, Revisions: []string{}}
		}
		out.DurationMS += r.DurationMS
		out.Interrupted = out.Interrupted || r.Interrupted
		for _, o := range r.Outcomes {
			out.Summary.Add(o.Verdict)
		}
		out.Target.Tools += r.Target.Tools
	}
	out.Exit = report.Exit(out, report.FailOnFail)
	return out
}
