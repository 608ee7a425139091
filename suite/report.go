package suite

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// report puts the outcomes of a run into the report's form.
func (e *engine) report(begin time.Time, outcomes []scenarios.Outcome, offered []*found) report.Report {
	r := e.assemble(outcomes, e.target(offered), notCalled(offered), max(viewPatience, time.Until(begin.Add(e.cfg.Timeout))))
	r.Started = begin.UTC().Truncate(time.Second)
	r.DurationMS = time.Since(begin).Milliseconds()
	return r
}

// assemble puts together everything of a report that rests on a record. What
// clients make of the tools is left out when the limit is over; 0 is no limit.
func (e *engine) assemble(outcomes []scenarios.Outcome, target report.Target, skipped []report.NotCalled, limit time.Duration) report.Report {
	r := report.Report{
		Schema: report.Schema, Tool: report.Tool{Name: "conform", Version: e.cfg.Version},
		Seed: e.cfg.Seed, Profile: e.cfg.Profile, Target: target, Outcomes: outcomes,
		Command: e.cfg.CommandLine, Notes: slices.Clone(e.notes), NotCalled: skipped,
	}
	slices.Sort(r.Notes)
	r.Notes = slices.Compact(r.Notes)
	r.Clients = []report.Client{}
	for _, p := range e.ran {
		r.Clients = append(r.Clients, report.Client{ID: p.ID, Product: p.Product, Version: p.Version, Seen: p.Seen})
	}
	slices.SortFunc(r.Clients, func(a, b report.Client) int { return strings.Compare(a.ID, b.ID) })
	if e.mine(0) {
		var late string
		if r.Views, late = views(e.cfg.Clients, e.record, limit); late != "" {
			r.Notes = append(r.Notes, late)
		}
	}
	r.NotProven = append(notProven(outcomes, skipped), beyondEntries(e.record)...)
	for _, b := range e.bugs {
		r.Notes = append(r.Notes, "conform failed: "+b)
	}
	r.Summary, r.Clients = report.Summarise(r.Outcomes, r.Clients, r.Views...)
	return r
}

func (e *engine) target(offered []*found) report.Target {
	t := report.Target{Name: e.cfg.Target.Name, Transports: []string{}, Revisions: []string{}, Command: shellJoin(e.cfg.Target.Command)}
	if e.cfg.Target.URL != "" {
		u := e.cfg.Target.URL
		t.URL = &u
	}
	for _, f := range offered {
		if !slices.Contains(t.Transports, f.facts.Transport) {
			t.Transports = append(t.Transports, f.facts.Transport)
		}
		if !slices.Contains(t.Revisions, f.facts.Revision) {
			t.Revisions = append(t.Revisions, f.facts.Revision)
		}
		if info := f.facts.ServerInfo(); info.Get("name").String() != "" && (t.Version == "" || t.Name == "") {
			t.Name, t.Version, t.Title = info.Get("name").String(), info.Get("version").String(), info.Get("title").String()
		}
		t.Tools = max(t.Tools, len(f.facts.Tools)+f.facts.More)
	}
	slices.Sort(t.Revisions)
	slices.Reverse(t.Revisions)
	return t
}

func notCalled(offered []*found) []report.NotCalled {
	var out []report.NotCalled
	seen := map[string]bool{}
	for _, f := range offered {
		for _, t := range f.facts.Tools {
			if !t.Callable && !seen[t.Name] {
				seen[t.Name] = true
				out = append(out, report.NotCalled{Tool: t.Name, Reason: t.Why})
			}
		}
	}
	return out
}

// notProven says what the run could not show, and what would.
func notProven(outcomes []scenarios.Outcome, skipped []report.NotCalled) []string {
	return append(report.Unproven(outcomes, skipped),
		"that a tool really does what it says: conform judges the protocol, the texts and what clients make of them")
}

// beyondEntries says how much of a list was not looked at.
func beyondEntries(rec *scenarios.Record) []string {
	most := 0
	for _, f := range rec.Targets {
		most = max(most, f.More)
	}
	if most == 0 {
		return nil
	}
	return []string{fmt.Sprintf("what is wrong with %d more tools: of a list, the first %d entries are looked at, and those with names of at most %d bytes", most, scenarios.MaxEntries, scenarios.MaxName)}
}

// stats are the figures of the run itself.
func (e *engine) stats(begin, discovered, driven, judged time.Time, outcomes int) *report.Stats {
	s := &report.Stats{
		StartupMS: discovered.Sub(begin).Milliseconds(), DriveMS: driven.Sub(discovered).Milliseconds(),
		JudgeMS: judged.Sub(driven).Milliseconds(), Outcomes: outcomes,
	}
	for _, t := range e.record.Tapes {
		if t.Transport == overStdio {
			s.Processes++
		}
		for _, ev := range t.Events() {
			switch ev.Kind {
			case wire.Send:
				s.BytesSent += int64(len(ev.Raw))
				s.Requests++
			case wire.Recv:
				s.BytesRecv += int64(len(ev.Raw) + ev.Cut)
			}
		}
	}
	s.CPUMS, s.PeakMemory = (cpu() - e.cpu).Milliseconds(), peakMemory()
	return s
}
