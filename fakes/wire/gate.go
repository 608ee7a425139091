package wire

import (
	"context"
	"slices"
	"sync"
	"time"
)

// gate bounds how many requests of all lines to an endpoint are open at a time.
// More than keep the server busy make each of them late and help nobody: Node
// leaves new connections alone for half a second while old ones keep it busy. Fewer
// would leave a server far away idle. So the number grows while answers come about
// as fast as the quickest did, and shrinks when they do not.
type gate struct {
	mu    sync.Mutex
	limit int // 0 before the first answer
	open  map[*place]struct{}
	queue []chan *place
	least time.Duration            // the shortest time to the head of an answer
	times [gateTimes]time.Duration // the last ones, in a ring
	seen  int
}

const (
	gateFirst, gateLeast, gateMost = 16, 8, 256
	gateTimes                      = 16
	// gateSlack is how much later than the quickest an answer may be, at least,
	// and gateOld from when on a request without one has waited for too long.
	gateSlack, gateOld = 20 * time.Millisecond, 100 * time.Millisecond
	// gateFar makes the number grow by one more for each answer.
	gateFar = 40 * time.Millisecond
	// gateWait is how long a request waits at most. Where that is too short the
	// server is slow by itself, and they may as well wait there.
	gateWait = time.Second
	// gateHold is how long a request keeps its place, at least: those that get no
	// answer keep nobody out for long.
	gateHold = time.Second
)

// place is that of one request. It is given back by hand or by time.
type place struct {
	gate  *gate
	begun time.Time
	timer *time.Timer
}

// enter waits for a place, unless it may go ahead, but not for long. It returns
// what gives the place back, which may be called more than once; nil when ctx
// ended first.
func (g *gate) enter(ctx context.Context, ahead bool) func() {
	g.mu.Lock()
	if ahead || len(g.open) < g.allowed() {
		p := g.take()
		g.mu.Unlock()
		return p.leave
	}
	turn := make(chan *place, 1)
	g.queue = append(g.queue, turn)
	g.mu.Unlock()
	long := time.NewTimer(gateWait)
	defer long.Stop()
	select {
	case p := <-turn:
		return p.leave
	case <-long.C:
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.queue, turn)
	if i < 0 {
		return (<-turn).leave // its turn came at the same moment
	}
	g.queue = slices.Delete(g.queue, i, i+1)
	if ctx.Err() != nil {
		return nil
	}
	return g.take().leave
}

// take makes a place. The lock is held.
func (g *gate) take() *place {
	if g.open == nil {
		g.open = map[*place]struct{}{}
	}
	p := &place{gate: g, begun: time.Now()}
	p.timer = time.AfterFunc(max(gateHold, min(4*g.median(), 5*time.Second)), p.leave)
	g.open[p] = struct{}{}
	return p
}

// leave gives the place to those who wait.
func (p *place) leave() {
	p.timer.Stop()
	g := p.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.open, p)
	for len(g.queue) > 0 && len(g.open) < g.allowed() {
		g.queue[0] <- g.take()
		g.queue = g.queue[1:]
	}
}

func (g *gate) allowed() int {
	if g.limit == 0 {
		return gateFirst
	}
	return g.limit
}

// took notes how long the head of an answer took.
func (g *gate) took(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.least == 0 || d < g.least {
		g.least = d
	}
	g.times[g.seen%gateTimes] = d
	g.seen++
	if g.median() < g.least+max(gateSlack, g.least/2) && !g.starves() {
		g.limit = min(g.allowed()+1+int(g.least/gateFar), gateMost) // far away it takes more to see
	} else {
		g.limit = max(g.allowed()-1, gateLeast)
	}
}

// starves says that a quarter of the open requests has waited for long. Fewer may
// be slow by themselves. The lock is held.
func (g *gate) starves() bool {
	old, bound := 0, g.least+max(gateOld, g.least/2)
	for p := range g.open {
		if time.Since(p.begun) > bound {
			old++
		}
	}
	return 4*old > len(g.open)
}

// median is that of the last times, 0 when there are none. The lock is held.
func (g *gate) median() time.Duration {
	n := min(g.seen, gateTimes)
	if n == 0 {
		return 0
	}
	last := slices.Clone(g.times[:n])
	slices.Sort(last)
	return last[n/2]
}
