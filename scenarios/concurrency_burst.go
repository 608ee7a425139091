package scenarios

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/agntn/conform/fakes/wire"
)

// burst sends a hundred requests in one breath, past the window that a session
// keeps, and waits until nothing comes any more.
func burst(ctx context.Context, d *Drive, v *Voice) {
	open := &unanswered{labels: map[string]string{}}
	v.Tape().Watch(open.see)
	for i := range hundred {
		method, params := harmless(d.Facts)
		if i%5 == 4 && d.Facts.Listed {
			method = "tools/list"
		}
		id := fmt.Sprint(burstID + i)
		label := fmt.Sprintf("hundred:%d", i+1)
		open.add(id, label)
		raw := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"%s"%s}`, id, method, params)
		f := wire.Frame{Raw: []byte(raw), Probe: v.scope + label}
		if d.Cell.Transport == "http" {
			f.Header = v.headers(method, "")
		}
		send, cancel := context.WithTimeout(ctx, v.Limits.Answer)
		_, err := v.Line().Send(send, f)
		cancel()
		if err != nil {
			open.drop(id)
			break
		}
	}
	v.awaitBurst(ctx, open)
}

// awaitBurst waits until every request of the burst is answered or nothing has
// come for half the answer limit, longer where the server is behind with others,
// and notes what was lost.
func (v *Voice) awaitBurst(ctx context.Context, open *unanswered) {
	seen, last := -1, time.Now()
	for {
		left := open.left()
		switch {
		case len(left) == 0:
			return
		case len(left) != seen:
			seen, last = len(left), time.Now()
		}
		dead := false
		select {
		case <-v.Line().Dead():
			dead = true
		case <-ctx.Done():
			return
		case <-time.After(20 * time.Millisecond):
		}
		quiet := time.Since(last)
		if dead || quiet > v.Limits.Answer/2 && (quiet > 6*v.Limits.Answer || !v.Behind(v.Limits.Answer)) {
			for _, label := range left {
				if dead {
					v.Note(label, "dead", "the server ended before it answered")
				} else {
					v.Note(label, "silent", "no answer while nothing else came either")
				}
			}
			return
		}
	}
}

// unanswered are requests that have no answer yet. It sees what comes before any
// of it is left out of the evidence.
type unanswered struct {
	mu     sync.Mutex
	labels map[string]string // by id
	order  []string
}

func (u *unanswered) add(id, label string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.labels[id] = label
	u.order = append(u.order, id)
}

func (u *unanswered) see(ev *wire.Event) {
	if ev.Kind != wire.Recv {
		return
	}
	for _, m := range members(ev.Message()) {
		if m.IsResponse() {
			u.drop(m.ID)
		}
	}
}

func (u *unanswered) drop(id string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.labels, id)
}

// left lists the labels of the requests, in the order in which they were sent.
func (u *unanswered) left() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	var out []string
	for _, id := range u.order {
		if label, ok := u.labels[id]; ok {
			out = append(out, label)
		}
	}
	return out
}
