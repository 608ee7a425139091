package suite

import (
	"context"
	"slices"
	"sync"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

// once lets one process of a server live at a time: it locks a file or takes a
// port, and a second one ends at once.
type once struct {
	mu   sync.Mutex
	last *held
}

// turn ends the process that lives and returns how to say that the next one was started.
func (o *once) turn() func() {
	o.mu.Lock()
	if o.last != nil {
		o.last.retired.Store(true)
		o.last.Tape().Deafen()
		o.last.Close(wire.Polite())
		o.last = nil
	}
	return o.mu.Unlock
}

// beside looks at revisions under which the server ended although it lived under
// another one. Where a second process ends under that one too, the server runs
// once at a time, and is looked at again like that. Else it is asked once more,
// with less going on.
func (e *engine) beside(ctx context.Context, out []*found, died []string) []*found {
	at := slices.IndexFunc(out, func(f *found) bool { return f.facts.Transport == overStdio })
	if at < 0 || len(died) == 0 || e.cfg.Target.Serve != nil || ctx.Err() != nil {
		return out
	}
	lives := out[at]
	twin, tapes, err := e.watched(ctx, fakes.Neutral(), fakes.Want{Transport: overStdio, Revision: lives.facts.Revision, NoLists: true, Purpose: "a second process"})
	if twin != nil {
		twin.CloseWith(wire.Quick())
	}
	e.hub.forget(among(tapes))
	if endedFirst(err) && !lives.session.Dead() {
		return e.onceOnly(ctx, out)
	}
	e.hub.gently.Store(true)
	for _, rev := range died {
		e.hub.forget(shared(rev))
		if f, err := e.find(ctx, overStdio, rev); err == nil {
			e.crowded++
			out = append(out, f)
		}
	}
	return out
}

// onceOnly discovers what is offered with one process after the other. The
// session of the newest revision stays alive.
func (e *engine) onceOnly(ctx context.Context, out []*found) []*found {
	e.hub.once = &once{}
	for _, f := range out {
		if f.facts.Transport == overStdio {
			f.session.CloseWith(wire.Polite())
		}
	}
	out = slices.DeleteFunc(out, func(f *found) bool { return f.facts.Transport == overStdio })
	for _, rev := range slices.Sorted(slices.Values(e.asked())) {
		e.hub.forget(shared(rev))
		if f, err := e.find(ctx, overStdio, rev); err == nil {
			out = append(out, f)
		}
	}
	if at := len(out) - 1; at >= 0 && out[at].session.Dead() { // another revision was asked for since
		rev := out[at].facts.Revision
		e.hub.forget(shared(rev))
		if f, err := e.find(ctx, overStdio, rev); err == nil {
			out[at] = f
		}
	}
	e.notes = append(e.notes, "the server does not start while another process of it runs: all was driven with one process after the other, and what needs two at the same time was not seen; two clients cannot use it at the same time either")
	return out
}

// shared are the tapes on which a revision was asked for before.
func shared(rev string) func(*wire.Tape) bool {
	return func(t *wire.Tape) bool { return t.Transport == overStdio && t.Purpose == sharedFor(rev) }
}

func sharedFor(rev string) string { return "shared session for " + rev }

// driveOnce drives what the session that lives is enough for, then all else by
// itself, on processes of its own, one after the other.
func (e *engine) driveOnce(ctx context.Context, jobs []*job) {
	defer close(e.driven)
	e.others = func(context.Context) {}
	var beside, own, late []*job
	for _, j := range jobs {
		switch {
		case j.cell.Skip != "" || j.scenario.Drive == nil:
		case j.cell.Transport == overStdio && j.scenario.Late:
			late = append(late, j)
		case j.cell.Transport != overStdio || !j.found.session.Dead():
			beside = append(beside, j)
		default:
			own = append(own, j)
		}
	}
	e.together(ctx, beside)
	again := e.lost(ctx, beside)
	for _, j := range slices.Concat(again, own, late) {
		j.cell.Attempt = 2
		e.together(ctx, []*job{j})
	}
}

// waitsForTurn says that a cell may start no process yet, and has it driven again.
func (e *engine) waitsForTurn(j *job) bool {
	if e.hub.once == nil || j.cell.Transport != overStdio || j.scenario.Scope == scenarios.PerClient || j.cell.Attempt > 1 {
		return false
	}
	j.again = true
	return true
}
