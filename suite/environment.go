package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// openAnyway opens a session as the client does. A server that ends before it
// answers may miss variables that this client keeps back: in life they stand in
// the settings of the client. It is started again with the whole environment, and
// where that works the client goes on with it.
func (e *engine) openAnyway(ctx context.Context, p *fakes.Profile, w fakes.Want) (*fakes.Session, error) {
	if w.Transport != overStdio || e.cfg.Target.Serve != nil || !keepsBack(p) {
		return fakes.Open(ctx, p, e.hub.dial(w.Transport, p.ID), w)
	}
	if e.hasAll(p) {
		return fakes.Open(ctx, withAll(p), e.hub.dial(w.Transport, p.ID), w)
	}
	s, tapes, err := e.watched(ctx, p, w)
	var why *fakes.OpenError
	if !errors.As(err, &why) || why.Kind != "dead" || ctx.Err() != nil {
		return s, err
	}
	all, more, failed := e.watched(ctx, withAll(p), w)
	if failed != nil {
		if all != nil {
			all.Close()
		}
		e.hub.forget(more)
		return s, err
	}
	s.Close()
	e.hub.forget(tapes)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.given = append(e.given, p)
	return all, nil
}

// watched opens a session and returns the tapes of all that was started for it.
func (e *engine) watched(ctx context.Context, p *fakes.Profile, w fakes.Want) (*fakes.Session, []*wire.Tape, error) {
	var tapes []*wire.Tape
	dial := e.hub.dial(w.Transport, p.ID)
	s, err := fakes.Open(ctx, p, func(ctx context.Context, purpose string, stdio fakes.Stdio) (wire.Line, error) {
		line, err := dial(ctx, purpose, stdio)
		if line != nil {
			tapes = append(tapes, line.Tape())
		}
		return line, err
	}, w)
	return s, tapes, err
}

func (e *engine) hasAll(p *fakes.Profile) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(e.given, func(g *fakes.Profile) bool { return g.ID == p.ID })
}

// keepsBack says that a client does not pass on all of this environment.
func keepsBack(p *fakes.Profile) bool {
	kept := p.Stdio.Environ(os.Environ(), "")
	return slices.ContainsFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name != "" && !slices.ContainsFunc(kept, func(k string) bool { return strings.HasPrefix(k, name+"=") })
	})
}

// withAll is a client that passes on everything.
func withAll(p *fakes.Profile) *fakes.Profile {
	q := *p
	q.Stdio.Env, q.Stdio.Without = nil, nil
	return &q
}

// tellGiven notes who was given what it does not pass on in life.
func (e *engine) tellGiven() {
	var names []string
	for _, p := range e.given {
		names = append(names, p.Product)
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	e.notes = append(e.notes, fmt.Sprintf("the server ends at once with the variables that some clients pass on, and was given the whole environment under them: %s; in life name what it needs in their settings, and here with --env NAME=VALUE", strings.Join(names, ", ")))
}
