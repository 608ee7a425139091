package suite

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// diedEarly says that a process ended before it answered anything. Where others
// ran beside it that may be why: a lock, a port, a file that both write.
func diedEarly(t *wire.Tape) bool {
	events, dead := t.Events(), false
	for i := range events {
		switch ev := &events[i]; {
		case ev.Kind == wire.Recv && ev.Message().IsResponse():
			return false
		case ev.Kind == wire.Notice && ev.Status == "dead":
			dead = true
		}
	}
	return dead
}

// endedFirst says that a session could not be opened because the server ended.
func endedFirst(err error) bool {
	var why *fakes.OpenError
	return errors.As(err, &why) && why.Kind == "dead"
}

// come opens the session of a visit. Where the server ends before it answers, the
// client comes again, by itself when all else was driven, and then with the
// whole environment. The first that works counts.
func (e *engine) come(ctx context.Context, p *fakes.Profile, w fakes.Want) (*fakes.Session, error) {
	s, tapes, err := e.watched(ctx, p, w)
	if !endedFirst(err) || w.Transport != overStdio || e.cfg.Target.Serve != nil {
		return s, err
	}
	e.hub.gently.Store(true)
	if e.untilDriven(ctx) != nil {
		return s, err
	}
	tries := []*fakes.Profile{p}
	if keepsBack(p) {
		tries = append(tries, withAll(p))
	}
	for i, q := range tries {
		again, more, failed := e.watched(ctx, q, w)
		if failed != nil {
			if again != nil {
				again.CloseWith(wire.Quick())
			}
			e.hub.forget(among(more))
			continue
		}
		e.closing.Go(func() { s.CloseWith(wire.Quick()) })
		e.hub.forget(among(tapes))
		e.mu.Lock()
		defer e.mu.Unlock()
		if i > 0 {
			e.given = append(e.given, p)
		} else {
			e.crowded++
		}
		return again, nil
	}
	return s, err
}

// among says which tapes are some of these.
func among(tapes []*wire.Tape) func(*wire.Tape) bool {
	return func(t *wire.Tape) bool { return slices.Contains(tapes, t) }
}

// watched opens a session as open does, and returns the tapes of all that was
// started for it.
func (e *engine) watched(ctx context.Context, p *fakes.Profile, w fakes.Want) (*fakes.Session, []*wire.Tape, error) {
	if w.Limits == (fakes.Limits{}) {
		w.Limits = e.cfg.limits()
	}
	var tapes []*wire.Tape
	dial := e.hub.dial(w.Transport, p.ID)
	begin := time.Now()
	s, err := fakes.Open(ctx, p, func(ctx context.Context, purpose string, stdio fakes.Stdio) (wire.Line, error) {
		line, err := dial(ctx, purpose, stdio)
		if line != nil {
			tapes = append(tapes, line.Tape())
		}
		return line, err
	}, w)
	e.mu.Lock()
	e.startup += time.Since(begin)
	e.mu.Unlock()
	return s, tapes, err
}

// tellCrowded notes that processes of the server did not bear each other.
func (e *engine) tellCrowded() {
	if e.crowded > 0 {
		e.notes = append(e.notes, "the server ended before it answered when several of its processes were started at the same time, and not by itself: look for a lock, a port or a file that they share")
	}
}
