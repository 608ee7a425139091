package suite

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/sjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

// Floor is what a target needs by itself for all that a run sent to it.
type Floor struct {
	// Wall is the time from the first line that was opened to the last answer.
	Wall time.Duration
	// Lines, Processes and Requests count what was opened and sent, Lost the
	// answers that came in the run and did not come now.
	Lines, Processes, Requests, Lost int
}

// question is a request of the server.
type question struct {
	id, params string
	answered   bool
}

// floorPatience is how long an answer is waited for that came in the run.
const floorPatience = 5 * time.Second

// MeasureFloor sends the frames of recorded lines to a target again, over as
// many lines and as many processes at a time, each frame as soon as the answers
// are there that were there when the run sent it. Nothing is judged and nothing
// else is waited for, so that the time is the target's own.
func MeasureFloor(ctx context.Context, cfg Config, tapes []*wire.Tape) (Floor, error) {
	cfg.defaults()
	if len(cfg.Target.transports()) == 0 {
		return Floor{}, errNoTarget
	}
	h := newHub(&cfg)
	// The shared sessions of a run live beside those that the cap counts.
	h.alive = make(chan struct{}, cfg.Processes+len(fakes.Revisions()))
	var mu sync.Mutex
	var sum Floor
	var wg sync.WaitGroup
	begin := time.Now()
	for _, t := range tapes {
		wg.Go(func() {
			p := player{tape: t, hub: h}
			p.play(ctx)
			mu.Lock()
			defer mu.Unlock()
			sum.Requests += p.sent
			sum.Lost += p.lost
			if p.line != nil {
				sum.Lines++
				if t.Transport == overStdio {
					sum.Processes++
				}
			}
		})
	}
	wg.Wait()
	sum.Wall = time.Since(begin)
	return sum, ctx.Err()
}

// player plays one recorded line.
type player struct {
	tape *wire.Tape
	hub  *hub
	line wire.Line

	mu       sync.Mutex
	answered map[string]bool // ids that were answered now
	session  string          // the session id that the server gave now
	asked    []question      // the requests that the server made now
	wake     chan struct{}

	posts      map[int]wire.Sent // by the number of the request in the recording
	sent, lost int
}

func (p *player) play(ctx context.Context) {
	events := p.tape.Events()
	line, err := p.hub.dial(p.tape.Transport, p.tape.Client)(ctx, "floor", fakes.Neutral().Stdio)
	if err != nil {
		return
	}
	p.line, p.answered, p.posts, p.wake = line, map[string]bool{}, map[int]wire.Sent{}, make(chan struct{}, 1)
	line.Tape().Watch(p.see)
	defer line.Close(wire.Quick())
	asked, post := map[string]bool{}, map[string]int{}
	standing := map[int]bool{} // streams that end when the client or the server likes
	var ids []string           // answers that came before the next frame was sent
	var questions []question   // those of the run
	var posts []wire.Sent
	wait := func() {
		for _, id := range ids {
			p.await(ctx, func() bool { return p.answered[id] }, nil)
		}
		for _, s := range posts {
			p.await(ctx, func() bool { return false }, s.Done())
		}
		ids, posts = nil, nil
	}
	for i := range events {
		ev := &events[i]
		m := ev.Message()
		switch {
		case ev.Kind == wire.Send && ev.Cut == 0:
			raw := ev.Raw
			if m.IsResponse() {
				// It waits for its question alone: answers may depend on it.
				raw = p.reply(ctx, m, questions)
			} else {
				wait()
			}
			if !p.send(ctx, ev, raw) {
				return
			}
			standing[ev.Post] = ev.HTTP != nil && ev.HTTP.Method == http.MethodGet || m.Method == "subscriptions/listen"
			switch {
			case m.IsRequest():
				asked[m.ID], post[m.ID] = true, ev.Post
			case m.Method == "notifications/cancelled":
				// Whether the answer or the cancellation is first may differ now.
				gone := m.Root.Get("params.requestId").Raw
				delete(asked, gone)
				delete(p.posts, post[gone])
			}
		case ev.Kind == wire.Recv && m.IsRequest():
			questions = append(questions, question{id: m.ID, params: m.Root.Get("params").Raw})
		case ev.Kind == wire.Notice && ev.Status == "shutdown":
			wait()
			return // what comes now comes because the line is closed
		case ev.Kind == wire.Recv && ev.Post == 0 && m.IsResponse() && asked[m.ID]:
			ids = append(ids, m.ID)
		case ev.Kind == wire.Close && p.posts[ev.Post] != nil && ev.Status == "dropped":
			p.posts[ev.Post].Drop() // the client closed it
		case ev.Kind == wire.Close && p.posts[ev.Post] != nil && ev.Status == "end" && !standing[ev.Post]:
			posts = append(posts, p.posts[ev.Post])
		case ev.Kind == wire.Notice && ev.Status == "dropped" && ev.Post > 0 && p.posts[ev.Post] != nil:
			p.posts[ev.Post].Drop()
		}
	}
	wait()
}

// send sends a recorded frame, in the session that the server gave now.
func (p *player) send(ctx context.Context, ev *wire.Event, raw []byte) bool {
	f := wire.Frame{Raw: raw}
	if ev.HTTP != nil {
		f.Method, f.Header = ev.HTTP.Method, http.Header{}
		for name, values := range ev.HTTP.Header {
			if strings.HasPrefix(name, "Mcp-") || name == "Accept" || name == "Content-Type" || name == "Last-Event-Id" {
				f.Header[name] = values
			}
		}
		p.mu.Lock()
		if f.Header.Get("Mcp-Session-Id") != "" && p.session != "" {
			f.Header.Set("Mcp-Session-Id", p.session)
		}
		p.mu.Unlock()
	}
	if door, ok := p.line.(*wire.HTTP); ok && ev.Message().IsRequest() {
		f.Head, _ = door.Enter(ctx, false)
	}
	short, cancel := context.WithTimeout(ctx, floorPatience)
	defer cancel()
	sent, err := p.line.Send(short, f)
	if err != nil {
		return false
	}
	p.sent++
	if ev.Post > 0 {
		p.posts[ev.Post] = sent
	}
	return true
}

// reply is a recorded answer to a request of the server, with the id that the
// request has now. Several of them may come in another order than in the run.
func (p *player) reply(ctx context.Context, m *wire.Message, questions []question) []byte {
	raw := []byte(m.Root.Raw)
	n := slices.IndexFunc(questions, func(q question) bool { return q.id == m.ID })
	if n < 0 {
		return raw
	}
	same := func() int {
		return slices.IndexFunc(p.asked, func(q question) bool { return !q.answered && q.params == questions[n].params })
	}
	p.await(ctx, func() bool { return same() >= 0 || len(p.asked) >= len(questions) }, nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	now := same()
	if now < 0 {
		now = slices.IndexFunc(p.asked, func(q question) bool { return !q.answered })
	}
	if now < 0 {
		return raw
	}
	p.asked[now].answered = true
	if out, err := sjson.SetRawBytes(raw, "id", []byte(p.asked[now].id)); err == nil {
		return out
	}
	return raw
}

// see notes what came.
func (p *player) see(ev *wire.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch m := ev.Message(); {
	case ev.Kind == wire.Recv && m.IsRequest():
		p.asked = append(p.asked, question{id: m.ID, params: m.Root.Get("params").Raw})
	case ev.Kind == wire.Recv && m.IsResponse():
		p.answered[m.ID] = true
	case ev.Kind == wire.Head && ev.HTTP != nil && ev.HTTP.Header.Get("Mcp-Session-Id") != "":
		p.session = ev.HTTP.Header.Get("Mcp-Session-Id")
	default:
		return
	}
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// await waits until something holds or a channel is closed, and counts it as lost when neither comes.
func (p *player) await(ctx context.Context, holds func() bool, done <-chan struct{}) {
	limit := time.NewTimer(floorPatience)
	defer limit.Stop()
	for {
		p.mu.Lock()
		ok := holds()
		p.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-done:
			return
		case <-p.wake:
		case <-p.line.Dead():
			return
		case <-ctx.Done():
			return
		case <-limit.C:
			p.lost++
			return
		}
	}
}

// Tapes are the recorded lines on which something was sent.
func Tapes(rec *scenarios.Record) []*wire.Tape {
	var out []*wire.Tape
	for _, t := range rec.Tapes {
		for _, ev := range t.Events() {
			if ev.Kind == wire.Send {
				out = append(out, t)
				break
			}
		}
	}
	return out
}
