package fakes

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/agntn/conform/fakes/wire"
)

// Drop gives up the answer: over HTTP the stream is closed.
func (p *Pending) Drop() {
	if p.sent != nil {
		p.s.Tape().Note(p.ask.Label, "dropped", "the client closed the stream")
		p.sent.Drop()
	}
	p.end()
}

// Abandon stops waiting and leaves a note with the given status, such as
// "cancelled". An answer that comes all the same still belongs to the request.
// Over HTTP the stream stays open.
func (p *Pending) Abandon(status, text string) {
	p.s.note(p.ask.Label, p, status, text)
	p.end()
}

// Answered is closed when the answer is there, or when there can be none.
func (p *Pending) Answered() <-chan struct{} { return p.answered }

// Err says why no answer came; nil when one did.
func (p *Pending) Err() error {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	return p.err
}

func (p *Pending) end() {
	p.once.Do(func() { close(p.answered) })
	p.free()
}

func (p *Pending) free() { p.release.Do(func() { <-p.s.slots }) }

func (p *Pending) fail(err error) {
	p.s.mu.Lock()
	if p.err == nil {
		p.err = err
	}
	p.s.mu.Unlock()
	p.end()
}

// Ends of a wait other than an answer.
var (
	ErrSilent = errors.New("no answer, while the line still works")
	ErrStuck  = errors.New("no answer, and nothing else is answered either")
)

// Wait waits until the request is answered, the target is gone, or silence is
// certain: then a canary on the same line tells silence from a stuck server,
// and the tape gets a note of it.
func (p *Pending) Wait(ctx context.Context) error {
	s := p.s
	limit := s.limit(p.ask)
	hard := time.NewTimer(s.hard(p.ask))
	defer hard.Stop()
	var httpDone <-chan struct{}
	if p.sent != nil {
		httpDone = p.sent.Done()
	}
	wait := limit
	if p.ask.Silence {
		wait = s.quiet() / 4
	}
	for {
		t := time.NewTimer(wait)
		select {
		case <-p.answered:
			t.Stop()
			return p.Err()
		case <-httpDone:
			t.Stop()
			select {
			case <-p.answered:
				return p.Err()
			default:
			}
			p.end() // the HTTP exchange is over; the tape says how
			return nil
		case <-s.line.Dead():
			t.Stop()
			return p.afterDeath()
		case <-ctx.Done():
			t.Stop()
			s.note(p.ask.Label, p, "interrupted", WaitedNoLonger)
			p.fail(ctx.Err())
			return ctx.Err()
		case <-hard.C:
			t.Stop()
			return p.giveUp("silent", "not answered within the hard limit while the line was busy", ErrSilent)
		case <-t.C:
			idle := s.idle(p.at)
			if !p.ask.Silence && idle < limit {
				wait = limit - idle
				continue
			}
			if s.Behind(limit) {
				wait = limit / 2
				continue
			}
			p.endWith(httpDone)
			return p.tellSilence(ctx)
		}
	}
}

// endWith ends the wait when the HTTP exchange is over, also while silence is being
// told: the tape says how it ended.
func (p *Pending) endWith(exchange <-chan struct{}) {
	if exchange == nil {
		return
	}
	go func() {
		select {
		case <-exchange:
			p.end()
		case <-p.answered:
		}
	}()
}

// tellSilence tells silence from a stuck line with a canary.
func (p *Pending) tellSilence(ctx context.Context) error {
	s := p.s
	if p.ask.NoCanary || s.http && !p.ask.Silence {
		return p.giveUp("silent", fmt.Sprintf("no answer within %s", s.limit(p.ask)), ErrSilent)
	}
	if !s.canary(ctx, p) {
		select {
		case <-p.answered:
			return p.Err()
		case <-s.line.Dead():
			return p.afterDeath()
		default:
		}
		return p.giveUp("stuck", "no answer, and a canary request on the same line got none either", ErrStuck)
	}
	for waiting := true; waiting; waiting = s.Behind(s.limit(p.ask)) && time.Since(p.at) < s.hard(p.ask) {
		select {
		case <-p.answered:
			return p.Err()
		case <-s.line.Dead():
			return p.afterDeath()
		case <-ctx.Done():
			p.fail(ctx.Err())
			return ctx.Err()
		case <-time.After(s.quiet()):
		}
	}
	return p.giveUp("silent", fmt.Sprintf("no answer for %s after a canary request on the same line was answered", s.quiet().Round(time.Millisecond)), ErrSilent)
}

func (p *Pending) giveUp(status, text string, err error) error {
	select {
	case <-p.answered:
		return p.Err()
	default:
	}
	p.s.note(p.ask.Label, p, status, text)
	p.fail(err)
	return err
}

// WaitedNoLonger is what a note says of a request that conform gave up because the
// run, or a part of it, was over.
const WaitedNoLonger = "conform waited no longer"

// ErrRetired says that conform itself ended the process, because the server runs
// once at a time and another process was needed. Nothing can be told of what was
// under way.
var ErrRetired = fmt.Errorf("conform ended this process to start another: %w", context.Canceled)

func (p *Pending) afterDeath() error {
	// Answers that were already read are seen before the line is dead.
	select {
	case <-p.answered:
		return p.Err()
	default:
	}
	if r, ok := p.s.line.(interface{ Retired() bool }); ok && r.Retired() {
		p.s.note(p.ask.Label, p, "interrupted", ErrRetired.Error())
		p.fail(ErrRetired)
		return ErrRetired
	}
	p.s.note(p.ask.Label, p, "dead", "the server ended before it answered")
	p.fail(wire.ErrDead)
	return wire.ErrDead
}

// canary asks something harmless on the same line and says whether anything came back.
func (s *Session) canary(ctx context.Context, p *Pending) bool {
	c := s.startCanary(ctx, Ask{Label: "canary", Method: s.canaryFor(p.ask.Method), Capabilities: p.ask.Capabilities})
	if c == nil {
		return false
	}
	limit := s.limit(p.ask)
	if p.ask.Silence {
		limit = min(max(3*s.Limits.Quiet, s.quiet(), s.afterStart()), s.Limits.Answer)
	}
	for waiting := true; waiting; waiting = s.Behind(s.limit(p.ask)) && time.Since(p.at) < s.hard(p.ask) || s.crowded() && time.Since(p.at) < s.limit(p.ask) {
		select {
		case <-c.answered:
			return c.Err() == nil
		case <-p.answered:
			return true
		case <-s.line.Dead():
			return false
		case <-ctx.Done():
			return false
		case <-time.After(limit):
		}
	}
	return false
}

// canaryFor is a method that every server answers, with an error at worst, and
// that is not the one whose silence is in question.
func (s *Session) canaryFor(silent string) string {
	switch {
	case s.Modern() && silent != "server/discover" && !s.undiscovered:
		return "server/discover"
	case !s.Modern() && silent == "ping":
		return "tools/list"
	}
	return "ping"
}

// startCanary sends without taking a slot: a stuck line has none left.
func (s *Session) startCanary(ctx context.Context, a Ask) *Pending {
	p := &Pending{s: s, ask: a, answered: make(chan struct{})}
	p.release.Do(func() {})
	s.mu.Lock()
	p.ID = strconv.FormatInt(s.nextID, 10)
	s.nextID++
	s.waiting[p.ID] = append(s.waiting[p.ID], p)
	p.at = time.Now()
	s.mu.Unlock()
	wctx, cancel := context.WithTimeout(ctx, s.Limits.Quiet*2)
	defer cancel()
	sent, err := s.line.Send(wctx, wire.Frame{Raw: s.request(a, p.ID), Probe: a.Label, Header: s.header(a)})
	if err != nil {
		return nil
	}
	p.sent = sent
	if sent.Post() > 0 {
		s.mu.Lock()
		s.posts[sent.Post()] = p
		s.mu.Unlock()
	}
	return p
}

func (s *Session) note(label string, p *Pending, status, text string) {
	post := 0
	if p != nil && p.sent != nil {
		post = p.sent.Post()
	}
	s.Tape().Append(wire.Event{Kind: wire.Notice, Probe: label, Status: status, Post: post, Raw: []byte(text)})
}

func statusOf(err error) string {
	switch {
	case errors.Is(err, wire.ErrDead):
		return "dead"
	case errors.Is(err, context.DeadlineExceeded):
		return "unread"
	case errors.Is(err, context.Canceled):
		return "interrupted"
	}
	return "unsendable"
}

func (s *Session) limit(a Ask) time.Duration {
	if a.Limit > 0 {
		return a.Limit
	}
	return s.Limits.Answer
}

// hard bounds a wait in every case.
func (s *Session) hard(a Ask) time.Duration { return 6*s.limit(a) + 2*s.Limits.Quiet }

// Behind says that the endpoint, over HTTP, answered some request late within
// the time given. It may come to the others yet: on a busy machine a server that
// got a hundred requests at once answers the first of them last.
func (s *Session) Behind(within time.Duration) bool {
	_, late := s.backlog()
	return time.Since(late) < within
}

// crowded says that many requests wait at the endpoint, over HTTP.
func (s *Session) crowded() bool {
	waiting, _ := s.backlog()
	return waiting > 8
}

func (s *Session) backlog() (waiting int, late time.Time) {
	if l, ok := s.line.(interface{ Backlog() (int, time.Time) }); ok {
		return l.Backlog()
	}
	return 0, time.Time{}
}

// quiet is the silence limit, stretched for a server that was seen to be slow.
func (s *Session) quiet() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(s.Limits.Quiet, min(3*s.slowest, s.Limits.Answer))
}

// afterStart is how long a server may be given that was slow to start: on a
// busy machine it gets no time later either.
func (s *Session) afterStart() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return 3 * s.first
}

// idle is how long nothing has come since the request was sent.
func (s *Session) idle(sent time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.lastRecv
	if sent.After(last) {
		last = sent
	}
	return time.Since(last)
}
