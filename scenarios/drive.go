package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// Drive is what a scenario's probes are sent with.
type Drive struct {
	Cell  Cell
	Facts *Facts
	// Client is the fake client of a per-client cell, else the neutral profile.
	Client *fakes.Profile
	// Session is the session that all scenarios of this revision, transport and
	// client share. Nothing may be sent on it that could disturb another probe.
	Session *fakes.Session
	// Sessions are the shared sessions of all revisions of the transport, by
	// revision; scenarios that compare revisions speak on them.
	Sessions map[string]*fakes.Session
	// OpenSession opens a session of its own. It is closed after the drive.
	OpenSession func(ctx context.Context, w fakes.Want) (*fakes.Session, error)
	// OpenLine opens a line of its own on which nothing was sent yet.
	OpenLine func(ctx context.Context, purpose string) (*fakes.Session, error)
	// Ahead lets requests over HTTP go out at once, however many of other
	// scenarios are open: the drive consists of many that follow each other.
	Ahead bool
	// Others returns when everything that a heavy load could disturb was driven.
	Others func(ctx context.Context)

	mu    sync.Mutex
	alone *fakes.Session
}

// Voice speaks on a session under a scenario's labels.
type Voice struct {
	*fakes.Session
	d     *Drive
	scope string
	// reopen opens the session anew when the target died; nil on ordinary sessions.
	reopen func(context.Context) *fakes.Session
}

// Shared returns the session that is shared with other scenarios. When the
// cell is driven alone, because something went wrong on the shared session, it
// is a session of its own that is opened again after every death.
func (d *Drive) Shared(ctx context.Context) *Voice {
	v := &Voice{Session: d.Session, d: d, scope: LabelScope(d.Cell.Scenario, d.Cell.Attempt)}
	if d.Cell.Attempt > 1 {
		v.reopen = d.own
		if s := d.own(ctx); s != nil {
			v.Session = s
		}
	}
	return v
}

// On speaks on the shared session of one revision.
func (d *Drive) On(revision string) *Voice {
	return &Voice{Session: d.Sessions[revision], d: d, scope: LabelScope(d.Cell.Scenario, d.Cell.Attempt)}
}

// own returns the cell's own living session, opening one when there is none.
func (d *Drive) own(ctx context.Context) *fakes.Session {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.alone != nil {
		if !d.alone.Dead() {
			return d.alone
		}
		d.alone.CloseWith(wire.Quick())
		d.alone = nil
	}
	s, err := d.OpenSession(ctx, fakes.Want{Purpose: d.Cell.Scenario + ", driven alone", NoLists: true})
	if err != nil {
		return s
	}
	d.alone = s
	return s
}

// Fresh opens a session of the scenario's own.
func (d *Drive) Fresh(ctx context.Context, w fakes.Want) (*Voice, error) {
	if w.Purpose == "" {
		w.Purpose = d.Cell.Scenario
	}
	s, err := d.OpenSession(ctx, w)
	if s == nil {
		return nil, err
	}
	return &Voice{Session: s, d: d, scope: LabelScope(d.Cell.Scenario, d.Cell.Attempt)}, err
}

// Raw opens a line on which nothing was sent yet: a process of its own over stdio.
func (d *Drive) Raw(ctx context.Context, purpose string) (*Voice, error) {
	s, err := d.OpenLine(ctx, d.Cell.Scenario+": "+purpose)
	if s == nil {
		return nil, err
	}
	s.Revision = d.Facts.Revision
	if !d.Facts.Modern() {
		s.Revision = ""
	}
	return &Voice{Session: s, d: d, scope: LabelScope(d.Cell.Scenario, d.Cell.Attempt)}, err
}

// Start sends a request under the scenario's label and does not wait.
func (v *Voice) Start(ctx context.Context, a fakes.Ask) *fakes.Pending {
	v.revive(ctx)
	a.Label = v.scope + a.Label
	a.Ahead = v.d.Ahead
	return v.Session.Start(ctx, a)
}

// Do sends a request under the scenario's label and waits for its end.
func (v *Voice) Do(ctx context.Context, a fakes.Ask) error {
	return v.Start(ctx, a).Wait(ctx)
}

// Notify sends a notification under the scenario's label.
func (v *Voice) Notify(ctx context.Context, a fakes.Ask) error {
	v.revive(ctx)
	a.Label = v.scope + a.Label
	return v.Session.Notify(ctx, a)
}

// Done ends a session of the scenario's own as soon as nothing more is asked
// on it, in the background: its server makes room for another.
func (v *Voice) Done() { go v.Session.CloseWith(wire.Quick()) }

// Note leaves a note in the tape that judges can find by label and status.
func (v *Voice) Note(label, status, text string) { v.Tape().Note(v.scope+label, status, text) }

// List asks a list method page by page under the scenario's label.
func (v *Voice) List(ctx context.Context, label, method string, max int) error {
	_, err := v.Session.List(ctx, v.scope+label, method, max)
	return err
}

// Answer returns the last answer under a label of the scenario.
func (v *Voice) Answer(label string) *wire.Message { return v.Session.Answer(v.scope + label) }

// Send sends a bare HTTP request under the scenario's label and waits for its end.
func (v *Voice) Send(ctx context.Context, label, method string, h http.Header, body []byte) error {
	sent, err := v.Session.HTTP(ctx, wire.Frame{Probe: v.scope + label, Method: method, Header: h, Raw: body})
	if err != nil {
		return fmt.Errorf("%s: %w", label, err)
	}
	for begin := time.Now(); ; {
		select {
		case <-sent.Done():
			return nil
		case <-ctx.Done():
			v.Note(label, "interrupted", fakes.WaitedNoLonger)
		case <-time.After(v.Limits.Answer / 20):
			if !v.overdue(begin) {
				continue
			}
			v.Note(label, "silent", "the HTTP request was not answered in time")
		}
		sent.Drop()
		return nil
	}
}

// overdue says that what was sent at begin has waited longer than an answer may
// take, and that the server is not behind with the answers of others either.
func (v *Voice) overdue(begin time.Time) bool {
	waited := time.Since(begin)
	return waited > v.Limits.Answer && (waited > 6*v.Limits.Answer || !v.Behind(v.Limits.Answer))
}

// Call calls a tool with a pipelined request.
func (v *Voice) Call(ctx context.Context, label, tool string, args json.RawMessage) *fakes.Pending {
	return v.Start(ctx, fakes.Ask{Label: label, Method: "tools/call", Params: fakes.Call(tool, args)})
}

func (v *Voice) revive(ctx context.Context) {
	if v.reopen == nil {
		return
	}
	if v.Dead() {
		if s := v.reopen(ctx); s != nil {
			v.Session = s
		}
	}
}

// comes returns what says whether a frame of some kind has come since, kept as
// evidence or not.
func (v *Voice) comes(is func(*wire.Event) bool) func() bool {
	var came atomic.Bool
	v.Tape().Watch(func(ev *wire.Event) {
		if ev.Kind == wire.Recv && is(ev) {
			came.Store(true)
		}
	})
	return came.Load
}

// Alone says that the cell is driven by itself, one probe after the other.
func (v *Voice) Alone() bool { return v.d.Alone() }

// Alone says that the cell is driven by itself, one probe after the other.
func (d *Drive) Alone() bool { return d.Cell.Attempt > 1 }

// Do runs parts of the drive at the same time, or one after the other when the
// cell is driven alone.
func (d *Drive) Do(parts ...func()) {
	var wg sync.WaitGroup
	for _, part := range parts {
		if d.Alone() {
			part()
		} else {
			wg.Go(part)
		}
	}
	wg.Wait()
}

// Each runs the probes at the same time, or one after the other when the cell is driven alone.
func (v *Voice) Each(ctx context.Context, asks []fakes.Ask) {
	if v.Alone() {
		for _, a := range asks {
			_ = v.Do(ctx, a)
		}
		return
	}
	var wg sync.WaitGroup
	for _, a := range asks {
		p := v.Start(ctx, a)
		wg.Go(func() { _ = p.Wait(ctx) })
	}
	wg.Wait()
}
