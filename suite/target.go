package suite

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// Names of transports in cells and reports.
const (
	overStdio   = "stdio"
	overHTTP    = "http"
	overProcess = "in-process"
)

// transports lists how the target can be reached.
func (t *Target) transports() []string {
	var out []string
	if len(t.Command) > 0 || t.Serve != nil && t.LikeStdio {
		out = append(out, overStdio)
	}
	if t.URL != "" {
		out = append(out, overHTTP)
	}
	if t.Serve != nil && !t.LikeStdio || t.Transport != nil {
		out = append(out, overProcess)
	}
	return out
}

// hub opens lines to the target and keeps every tape.
type hub struct {
	target Target
	limits wire.Limits
	budget *wire.Budget
	client *http.Client
	// alive caps the processes that live at the same time, besides shared sessions.
	alive chan struct{}

	mu    sync.Mutex
	tapes []*wire.Tape
	count int
	// once is set where one process of the server runs at a time.
	once *once
	// gently says that a process starts when the one before it has answered, for
	// starting is free then: one ended when several were started together.
	gently atomic.Bool
	free   chan struct{}
}

func newHub(c *Config) *hub {
	return &hub{
		target: c.Target, limits: wire.DefaultLimits(), budget: wire.NewBudget(c.Evidence),
		client: wire.NewHTTPClient(), alive: make(chan struct{}, c.Processes), free: make(chan struct{}, 1),
	}
}

// dial returns a Dial for one client and transport. Lines over stdio hold a
// place among the living processes until they are closed.
func (h *hub) dial(transport, client string) fakes.Dial {
	return func(ctx context.Context, purpose string, stdio fakes.Stdio) (wire.Line, error) {
		tape := h.tape(transport, client, purpose)
		switch transport {
		case overHTTP:
			return wire.OpenHTTP(h.target.URL, h.target.Header, h.client, tape, h.limits), nil
		case overStdio, overProcess:
			if h.target.Serve != nil {
				return wire.OpenPipe(h.target.Serve, tape, h.limits), nil
			}
		}
		if transport == overProcess {
			return wire.OpenTransport(ctx, h.target.Transport(), tape)
		}
		if h.once != nil {
			defer h.once.turn()()
		}
		place, err := h.place(ctx)
		if err != nil {
			return nil, err
		}
		started := h.gentle(ctx, tape)
		defer started()
		line, err := wire.StartStdio(wire.Command{Args: h.target.Command, Dir: h.target.Dir, Env: h.env(stdio)}, tape, h.limits)
		if err != nil {
			place()
			tape.Note("", "start", err.Error())
			return nil, err
		}
		l := &held{Line: line, release: place}
		if h.once != nil {
			h.once.last = l
		}
		return l, nil
	}
}

// gentle waits until nothing starts, and returns what is to be called when the
// process was tried: the next one may start when it answers, ends, or is slow.
func (h *hub) gentle(ctx context.Context, tape *wire.Tape) func() {
	if !h.gently.Load() {
		return func() {}
	}
	select {
	case h.free <- struct{}{}:
	case <-ctx.Done():
		return func() {}
	}
	done := sync.OnceFunc(func() { <-h.free })
	tape.Watch(func(ev *wire.Event) {
		if ev.Kind == wire.Recv || ev.Kind == wire.Exit {
			done()
		}
	})
	return func() { time.AfterFunc(slowStart, done) }
}

// slowStart is how long the next process waits for one that does not answer.
const slowStart = 5 * time.Second

// patience is how long a drive waits for a place before it starts a process
// over the cap: one that holds a place and waits for another must not wait for ever.
const patience = 3 * time.Second

// place takes a place among the living processes and returns how to give it back.
func (h *hub) place(ctx context.Context) (func(), error) {
	select {
	case h.alive <- struct{}{}:
		return sync.OnceFunc(func() { <-h.alive }), nil
	case <-time.After(patience):
		return func() {}, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("no free place for another server process: %w", ctx.Err())
	}
}

// held gives its place among the living processes back when it is closed.
type held struct {
	wire.Line
	release func()
	retired atomic.Bool
}

// Retired says that conform ended the process to make room for another.
func (l *held) Retired() bool { return l.retired.Load() }

func (l *held) Send(ctx context.Context, f wire.Frame) (wire.Sent, error) {
	sent, err := l.Line.Send(ctx, f)
	if l.Retired() {
		return nil, fakes.ErrRetired
	}
	return sent, err
}

func (l *held) Close(steps wire.Shutdown) wire.Ending {
	defer l.release()
	return l.Line.Close(steps)
}

func (h *hub) tape(transport, client, purpose string) *wire.Tape {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count++
	t := wire.NewTape(fmt.Sprintf("%03d", h.count), h.budget)
	t.Client, t.Transport, t.Purpose, t.SkipBOM = client, transport, purpose, client == fakes.Any
	h.tapes = append(h.tapes, t)
	return t
}

// forget takes tapes off the record: what is on them was done again.
func (h *hub) forget(is func(*wire.Tape) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tapes = slices.DeleteFunc(h.tapes, is)
}

func (h *hub) all() []*wire.Tape {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.tapes)
}

// env is what a client passes on to its child, and the target's own variables on top.
func (h *hub) env(s fakes.Stdio) []string {
	dir := h.target.Dir
	if dir == "" {
		dir, _ = os.Getwd()
	}
	return append(s.Environ(os.Environ(), dir), h.target.Env...)
}

var errNoTarget = errors.New("no target given: name a command, a URL or a server in this process")
