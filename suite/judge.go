package suite

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// judgePatience is how long judging may take at least, whatever is left of the
// time of the run.
const judgePatience = 8 * time.Second

// judge rules over every cell of a record. It talks to nobody: the same record
// gives the same outcomes. A check that is not judged when the limit is over is
// unseen; 0 is no limit.
func judge(cfg *Config, rec *scenarios.Record, limit time.Duration) []scenarios.Outcome {
	b := &bench{cfg: cfg, rec: rec}
	// Every outcome has its place before anybody judges: places that were made
	// meanwhile could take back what was already judged.
	places := make([]place, 0, len(rec.Cells))
	for _, c := range rec.Cells {
		s, ok := cfg.Catalogue.Scenario(c.Scenario)
		if !ok {
			continue
		}
		p := place{cell: c, at: len(b.out)}
		for _, k := range s.Checks {
			if wantedBy(cfg, s.ID, k.ID) {
				p.checks = append(p.checks, k)
				b.out = append(b.out, unjudged(c, k))
			}
		}
		places = append(places, p)
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.NumCPU())
	for _, p := range places {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			b.cell(p)
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	var late <-chan time.Time
	if limit > 0 {
		late = time.After(limit)
	}
	select {
	case <-done:
	case <-late:
	}
	out := b.close()
	slices.SortStableFunc(out, func(a, b scenarios.Outcome) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// bench collects outcomes until it is closed. Who still judges then is left
// alone: nobody waits for it.
type bench struct {
	cfg *Config
	rec *scenarios.Record

	mu     sync.Mutex
	out    []scenarios.Outcome
	closed bool
}

// place is a cell with the checks that are judged in it; their outcomes begin at
// an index of the bench.
type place struct {
	cell   scenarios.Cell
	checks []scenarios.Check
	at     int
}

// cell judges the checks of a cell.
func (b *bench) cell(p place) {
	ev := evidence(b.cfg, b.rec, p.cell)
	for i, k := range p.checks {
		o := judgeCheck(b.cfg, ev, k)
		b.mu.Lock()
		closed := b.closed
		if !closed {
			b.out[p.at+i] = o
		}
		b.mu.Unlock()
		if closed {
			return
		}
	}
}

func (b *bench) close() []scenarios.Outcome {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	return b.out
}

// unjudged is the outcome of a check that nobody has judged.
func unjudged(c scenarios.Cell, k scenarios.Check) scenarios.Outcome {
	return scenarios.Outcome{
		ID:    fmt.Sprintf("%s@%s@%s@%s", k.ID, c.Client, c.Revision, c.Transport),
		Check: k.ID, Scenario: k.Scenario(), Client: c.Client, Revision: c.Revision, Transport: c.Transport,
		Level: k.Level, Hosts: []string{}, Basis: k.Basis, Evidence: []scenarios.Frame{}, Source: k.Source,
		Verdict: scenarios.Unseen, Message: "the time for judging was over before this was judged: the server sent too much, or what is too hard to judge",
	}
}

// evidence gathers what the checks of a cell may look at.
func evidence(cfg *Config, rec *scenarios.Record, c scenarios.Cell) *scenarios.Evidence {
	ev := &scenarios.Evidence{Cell: c, Run: rec}
	for _, p := range cfg.Clients {
		if p.ID == c.Client {
			ev.Client = p
			ev.Reader, _ = readers.For(p.ReaderID())
		}
	}
	ev.Facts = rec.Target(c.Transport, c.Revision)
	if ev.Facts == nil {
		for _, f := range rec.Targets {
			if f.Transport == c.Transport && (ev.Facts == nil || c.Revision != allOf && f.Modern() == fakes.Modern(c.Revision) && ev.Facts.Modern() != f.Modern()) {
				ev.Facts = f
			}
		}
	}
	if ev.Facts == nil {
		ev.Facts = &scenarios.Facts{Revision: c.Revision, Transport: c.Transport}
	}
	if ev.Facts.Run == nil {
		ev.Facts.Run = rec.Facts
	}
	return ev
}

func judgeCheck(cfg *Config, ev *scenarios.Evidence, k scenarios.Check) (o scenarios.Outcome) {
	begin := time.Now()
	c := ev.Cell
	o = unjudged(c, k)
	o.Message = ""
	defer func() {
		if r := recover(); r != nil {
			o.Verdict = scenarios.Error
			o.Message = fmt.Sprintf("conform failed while judging this check: %v", r)
			o.Evidence = []scenarios.Frame{{Dir: "note", Text: bounded(string(debug.Stack()), 2000)}}
		}
		o.DurationMS = time.Since(begin).Milliseconds()
	}()
	switch {
	case c.Skip != "":
		o.Verdict, o.Message = scenarios.NA, c.Skip
		return o
	case c.Trouble != "":
		o.Verdict, o.Message = scenarios.Error, c.Trouble
		if strings.HasPrefix(c.Trouble, "the run was stopped") {
			o.Verdict = scenarios.Unseen
		}
		return o
	}
	r := k.Judge(ev)
	if r.Source != "" {
		k.Source = r.Source
		o.Source = r.Source
	}
	settle(cfg, ev, k, r, &o)
	return o
}

// settle turns a ruling into the verdict that the profile gives it.
func settle(cfg *Config, ev *scenarios.Evidence, k scenarios.Check, r scenarios.Ruling, o *scenarios.Outcome) {
	switch {
	case r.NA != "":
		o.Verdict, o.Message = scenarios.NA, r.NA
	case len(r.Faults) > 0:
		fault(cfg, ev, k, r, o)
	case r.Unseen != "" && r.Seen == 0:
		o.Verdict, o.Message = scenarios.Unseen, r.Unseen
	case r.Seen == 0:
		o.Verdict, o.Message = scenarios.Unseen, "nothing was observed that this check could rest on"
	default:
		o.Verdict, o.Message = scenarios.Pass, r.Note
		if o.Message == "" {
			o.Message = k.Claim
		}
		o.Evidence = frames(r.Proof, 3)
	}
}

// maxFaults bounds how many faults of one outcome are told apart.
const maxFaults = 400

func fault(cfg *Config, ev *scenarios.Evidence, k scenarios.Check, r scenarios.Ruling, o *scenarios.Outcome) {
	f := r.Faults[0]
	o.Cause = scenarios.FindCause(ev, k, r.Faults)
	sdk := o.Cause != nil && o.Cause.SDK != ""
	o.Verdict = scenarios.Grade(cfg.Profile, k, sdk)
	if sdk && ev.Facts.Run.Behind != "" && k.Scenario() == "unknown-tool" && o.Verdict == scenarios.Fail {
		o.Verdict = scenarios.Warn // the framework answers unknown names; the author cannot
	}
	o.Gate = o.Verdict == scenarios.Fail
	o.Subject, o.Expected, o.Observed = f.Subject, f.Expected, f.Observed
	o.Message = f.Message
	if o.Message == "" {
		o.Message = plainMessage(k, f)
	}
	if n := len(r.Faults); n > 1 {
		o.Message += fmt.Sprintf(" (and %d more like it)", n-1)
		o.MoreFaults = max(0, n-maxFaults)
		for _, g := range r.Faults[:min(n, maxFaults)] {
			o.Faults = append(o.Faults, scenarios.FaultLine{Subject: g.Subject, Expected: g.Expected, Observed: g.Observed})
		}
	}
	o.Remedy = k.Remedy
	if o.Cause != nil && o.Cause.Remedy != "" {
		o.Remedy = o.Cause.Remedy
	}
	hosts := slices.Clone(k.Hosts)
	proof := f.Proof
	for _, g := range r.Faults {
		hosts = append(hosts, g.Hosts...)
	}
	if len(proof) < 3 {
		for _, g := range r.Faults[1:] {
			if proof = append(slices.Clone(proof), g.Proof...); len(proof) >= 3 {
				break
			}
		}
	}
	slices.Sort(hosts)
	o.Hosts = append(o.Hosts, slices.Compact(hosts)...)
	o.Evidence = frames(proof, 6)
	o.Repro, o.NoRepro = repro(ev.Facts.Run, ev.Run, k, f)
}

// plainMessage says what is wrong in one sentence.
func plainMessage(k scenarios.Check, f scenarios.Fault) string {
	what := f.Observed
	if f.Subject != "" {
		return fmt.Sprintf("%s: %s", report.Bound(f.Subject, 120), report.Bound(what, 300))
	}
	return report.Bound(what, 300)
}

func wantedBy(cfg *Config, scenario, check string) bool {
	e := engine{cfg: *cfg}
	return e.wanted(scenario, check)
}

func bounded(s string, n int) string {
	if len(s) > n {
		return s[:n] + " …"
	}
	return s
}
