package suite

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// engine is one run: discover, plan, drive, judge.
type engine struct {
	cfg    Config
	hub    *hub
	facts  *scenarios.RunFacts
	record *scenarios.Record
	ran    []*fakes.Profile // clients that ran or were refused
	// offered is what discovery found; its sessions live until all is driven.
	offered []*found

	// others returns when all that a heavy load could disturb was driven.
	others func(context.Context)
	// driven is closed when all but the visits of clients was driven.
	driven chan struct{}

	closing sync.WaitGroup
	mu      sync.Mutex
	done    int
	total   int
	startup time.Duration
	cpu     time.Duration // used before this run began
	bugs    []string
	notes   []string
	// given are clients under which the server got the whole environment.
	given []*fakes.Profile
	// crowded is how often a process ended at once beside others and not by itself.
	crowded int
}

// Engine runs one target through the catalogue and returns the report, graded
// and ready to be written, and the record that the verdicts rest on. The error
// is a mistake in the configuration; all that a target does is in the report.
func Engine(ctx context.Context, cfg Config) (report.Report, *scenarios.Record, error) {
	cfg.defaults()
	if len(cfg.Target.transports()) == 0 {
		return report.Report{}, nil, errNoTarget
	}
	if cfg.Clients == nil {
		set, err := fakes.Load()
		if err != nil {
			return report.Report{}, nil, fmt.Errorf("the built-in client profiles: %w", err)
		}
		cfg.Clients = set.Defaults()
	}
	e := &engine{cfg: cfg, hub: newHub(&cfg), cpu: cpu(), driven: make(chan struct{})}
	e.facts = &scenarios.RunFacts{
		Seed: cfg.Seed, Profile: cfg.Profile, Command: cfg.Target.Command, URL: cfg.Target.URL,
		Offered: map[string][]string{}, Calls: cfg.Calls, Roles: cfg.Roles, Behind: cfg.Behind,
		Expect: cfg.Expect, AskedRevisions: cfg.Revisions, PatienceMS: cfg.Patience.Milliseconds(),
	}
	e.facts.PromptsCallable, e.facts.PromptsWhy = promptsCallable(cfg.Allow)
	e.record = &scenarios.Record{Facts: e.facts}
	begin := time.Now()
	run, cancel := context.WithTimeout(ctx, cfg.Timeout)
	defer cancel()

	offered, fails := e.discover(run)
	e.offered = offered
	for _, f := range offered {
		e.record.Targets = append(e.record.Targets, f.facts)
		e.facts.Offered[f.facts.Transport] = append(e.facts.Offered[f.facts.Transport], f.facts.Revision)
	}
	scenarios.ShareWork(e.record.Targets)
	discovered := time.Now()
	jobs := e.plan(offered)
	clients := e.planClients(offered)
	e.total = len(jobs) + len(clients)
	var wg sync.WaitGroup
	wg.Go(func() { e.driveClients(run, clients) })
	e.drive(run, jobs)
	wg.Wait()
	for _, f := range offered {
		e.closing.Go(func() { f.session.CloseWith(wire.Quick()) })
	}
	e.closing.Wait()
	driven := time.Now()

	e.record.Tapes = e.hub.all()
	all := append(jobs, e.clientJobs(clients)...)
	for _, j := range all {
		e.record.Cells = append(e.record.Cells, *j.cell)
	}
	outcomes := judge(&e.cfg, e.record, max(judgePatience, time.Until(begin.Add(cfg.Timeout))))
	for tr, err := range fails {
		e.notes = append(e.notes, fmt.Sprintf("over %s the server could not be opened: %v", tr, err))
	}
	judged := time.Now()

	r := e.report(begin, outcomes, offered)
	r.Interrupted = ctx.Err() != nil
	if errors.Is(run.Err(), context.DeadlineExceeded) {
		r.Interrupted = true
		r.Notes = append(r.Notes, fmt.Sprintf("the run was cut off at its time limit of %s (--timeout)", cfg.Timeout))
	}
	r.Stats = e.stats(begin, discovered, driven, judged, len(outcomes))
	return r, e.record, nil
}

// promptsCallable says whether prompts may be fetched with made values, and why.
// Prompts carry no hint that they only read, so nothing less than --allow all will do.
func promptsCallable(a Allow) (bool, string) {
	if a == AllowAll {
		return true, "every tool and prompt may be called (--allow all)"
	}
	return false, "prompts say nothing of what they do, so they are fetched with --allow all alone"
}

// bug notes a failure of conform itself.
func (e *engine) bug(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.bugs = append(e.bugs, text)
}
