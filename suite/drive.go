package suite

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

// drive runs all jobs: at the same time where they share a session. Those that
// wait long begin first. Late ones come after all that they could disturb: over
// stdio what waits long has a process of its own and is not disturbed; over HTTP
// only the part of them that disturbs waits for the others. Cells in
// which something was lost on a shared session are driven again by themselves:
// another probe may have been to blame.
func (e *engine) drive(ctx context.Context, jobs []*job) {
	if e.hub.once != nil {
		e.driveOnce(ctx, jobs)
		return
	}
	var long, early, late, last []*job
	for _, j := range jobs {
		switch {
		case j.cell.Skip != "" || j.scenario.Drive == nil:
		case j.scenario.Late && j.cell.Transport == overStdio:
			late = append(late, j)
		case j.scenario.Late:
			last = append(last, j)
		case j.scenario.Waits:
			long = append(long, j)
		default:
			early = append(early, j)
		}
	}
	defer close(e.driven)
	var waiting, loading sync.WaitGroup
	others := make(chan struct{})
	e.others = func(ctx context.Context) {
		select {
		case <-others:
		case <-ctx.Done():
		}
	}
	waiting.Go(func() { e.together(ctx, long) })
	time.Sleep(headStart)
	loading.Go(func() { e.together(ctx, last) })
	e.together(ctx, early)
	e.together(ctx, e.lost(ctx, early))
	e.together(ctx, late)
	waiting.Wait()
	e.together(ctx, e.lost(ctx, long))
	close(others)
	loading.Wait()
}

// untilDriven waits until all but the visits of clients was driven.
func (e *engine) untilDriven(ctx context.Context) error {
	select {
	case <-e.driven:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lost are the cells that are to be driven again.
func (e *engine) lost(ctx context.Context, jobs []*job) []*job {
	var again []*job
	rec := &scenarios.Record{}
	for _, j := range jobs {
		if ctx.Err() == nil && j.scenario.Scope == scenarios.Neutral && (j.again || lostOnShared(rec, j)) {
			j.cell.Attempt++
			again = append(again, j)
		}
	}
	return again
}

// headStart is how much earlier those that wait long begin, so that places for
// processes go to them first.
const headStart = 2 * time.Millisecond

func (e *engine) together(ctx context.Context, jobs []*job) {
	slots := make(chan struct{}, e.cfg.Jobs)
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() != nil {
				j.cell.Trouble = "the run was stopped before this was driven"
				return
			}
			e.one(ctx, j)
			e.tick(j.scenario.ID)
		})
	}
	wg.Wait()
}

// one drives a cell. Sessions that it opens are closed when it is done.
func (e *engine) one(ctx context.Context, j *job) {
	var mu sync.Mutex
	var opened []*fakes.Session
	keep := func(s *fakes.Session) {
		if s != nil {
			s.Tape().Revision = j.cell.Revision
			if j.cell.Revision == allOf {
				s.Tape().Revision = s.Revision
			}
			mu.Lock()
			opened = append(opened, s)
			mu.Unlock()
		}
	}
	d := &scenarios.Drive{
		Cell: *j.cell, Facts: j.facts, Client: j.client, Session: j.found.session, Sessions: e.sessions(j.cell.Transport),
		Ahead: j.scenario.Waits || j.scenario.Late,
		Others: func(ctx context.Context) {
			if j.cell.Transport != overStdio {
				e.others(ctx)
			}
		},
	}
	d.OpenSession = func(ctx context.Context, w fakes.Want) (*fakes.Session, error) {
		if e.waitsForTurn(j) {
			return nil, scenarios.ErrAlone
		}
		w.Transport, w.Ahead = j.cell.Transport, d.Ahead
		if w.Revision == "" && j.client.ID == fakes.Any {
			w.Revision = j.cell.Revision
		}
		s, err := e.open(ctx, j.client, w)
		keep(s)
		if s != nil && err == nil && len(j.facts.Tools) > 0 {
			s.Learn(j.found.session.Pages("open/tools/list"))
		}
		return s, err
	}
	d.OpenLine = func(ctx context.Context, purpose string) (*fakes.Session, error) {
		if e.waitsForTurn(j) {
			return nil, scenarios.ErrAlone
		}
		line, err := e.hub.dial(j.cell.Transport, j.client.ID)(ctx, purpose, j.client.Stdio)
		if err != nil {
			return nil, err
		}
		s := fakes.NewSession(j.client, line, j.cell.Transport, e.cfg.limits())
		s.Ahead = d.Ahead
		keep(s)
		return s, nil
	}
	defer func() {
		if r := recover(); r != nil {
			j.cell.Trouble = fmt.Sprintf("conform failed while driving: %v", r)
			e.bug(fmt.Sprintf("%s: %v\n%s", j.cell.Scenario, r, debug.Stack()))
		}
		e.closeAll(opened)
	}()
	err := j.scenario.Drive(ctx, d)
	died := slices.ContainsFunc(opened, func(s *fakes.Session) bool { return diedEarly(s.Tape()) })
	if j.died && !died {
		e.mu.Lock()
		e.crowded++
		e.mu.Unlock()
	}
	var oe *fakes.OpenError
	switch {
	case ctx.Err() != nil:
	case j.cell.Attempt == 1 && (errors.Is(err, scenarios.ErrAlone) || died || j.scenario.Confirm && e.accuses(j, opened)):
		j.again, j.died = true, died
		if died {
			e.hub.gently.Store(true)
		}
	case j.again && errors.As(err, &oe):
		j.cell.Attempt = 1 // the server is gone: there is nothing better than what was seen side by side
	case err != nil && !errors.As(err, &oe) && !errors.Is(err, scenarios.ErrAlone):
		j.cell.Trouble = err.Error()
	}
}

// accuses says that a check of the cell finds something on the shared session
// or on those that were opened for the cell.
func (e *engine) accuses(j *job, opened []*fakes.Session) bool {
	rec := &scenarios.Record{Facts: e.facts, Targets: e.record.Targets, Tapes: []*wire.Tape{j.found.session.Tape()}}
	for _, s := range opened {
		rec.Tapes = append(rec.Tapes, s.Tape())
	}
	ev := evidence(&e.cfg, rec, *j.cell)
	return slices.ContainsFunc(j.scenario.Checks, func(k scenarios.Check) bool {
		v := judgeCheck(&e.cfg, ev, k).Verdict
		return v == scenarios.Fail || v == scenarios.Warn
	})
}

// sessions are the shared sessions of a transport by revision.
func (e *engine) sessions(transport string) map[string]*fakes.Session {
	out := map[string]*fakes.Session{}
	for _, f := range e.offered {
		if f.facts.Transport == transport {
			out[f.facts.Revision] = f.session
		}
	}
	return out
}

// closeAll ends sessions side by side, as fast as their servers let go.
func (e *engine) closeAll(all []*fakes.Session) {
	for _, s := range all {
		e.closing.Go(func() { s.CloseWith(wire.Quick()) })
	}
}

// lostOnShared says whether a probe of the cell on the shared session got no
// answer for a reason that another scenario's probe may have caused.
func lostOnShared(rec *scenarios.Record, j *job) bool {
	t := j.found.session.Tape()
	prefix := scenarios.LabelScope(j.scenario.ID, j.cell.Attempt)
	return slices.ContainsFunc(rec.Labelled([]*wire.Tape{t}, prefix), func(x *scenarios.Exchange) bool {
		return x.Lost() != "" && x.End != "http" || x.End == "http" && x.Head == nil
	})
}

// tick tells the progress.
func (e *engine) tick(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.done++
	if e.cfg.Progress != nil {
		e.cfg.Progress(e.done, e.total, what)
	}
}

// open opens a session with the run's limits.
func (e *engine) open(ctx context.Context, p *fakes.Profile, w fakes.Want) (*fakes.Session, error) {
	s, _, err := e.watched(ctx, e.as(p), w)
	return s, err
}
