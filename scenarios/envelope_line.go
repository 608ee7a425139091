package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// ownLine is a session of a scenario's own for probes that a server may not
// survive. It is opened again for what is left to ask, a few times: some
// servers end on every one of these probes.
type ownLine struct {
	d     *Drive
	want  fakes.Want
	opens int // how often it may still be opened
	v     *Voice
}

// A reply may come after the canary behind a probe was answered: for four times
// as long as that answer took, within these bounds.
const (
	lateReply   = 5 * time.Millisecond
	latestReply = 50 * time.Millisecond
)

func (d *Drive) ownLine(want fakes.Want, opens int) *ownLine {
	want.NoLists, want.NoStream = true, true
	return &ownLine{d: d, want: want, opens: opens}
}

// voice returns a living session, nil when none can be opened any more.
func (l *ownLine) voice(ctx context.Context) *Voice {
	if l.v != nil {
		if !l.v.Dead() {
			return l.v
		}
		l.drop()
	}
	if l.opens <= 0 || ctx.Err() != nil {
		return nil
	}
	l.opens--
	v, err := l.d.Fresh(ctx, l.want)
	if v == nil {
		return nil
	}
	if err != nil {
		v.Done()
		return nil
	}
	l.v = v
	return v
}

// drop ends the session; the next probe opens another.
func (l *ownLine) drop() {
	if l.v != nil {
		l.v.Done()
		l.v = nil
	}
}

// frame sends a frame that is no right request, and a canary behind it, labelled
// "after:<label>". It says whether the server was heard afterwards; a line that
// is silent then is given up.
func (l *ownLine) frame(ctx context.Context, label string, raw string) bool {
	method, _ := harmless(l.d.Facts) // for the header that repeats it over HTTP
	return l.send(ctx, fakes.Ask{Label: label, Method: method, Raw: []byte(raw)})
}

// frames sends frames one after the other. Of a kind that the server does not
// survive one shows it. Over HTTP, where each has an answer of its own, they go
// out at the same time.
func (l *ownLine) frames(ctx context.Context, all []malformed) {
	if l.d.Cell.Transport == "http" {
		v := l.voice(ctx)
		if v == nil {
			return
		}
		method, _ := harmless(l.d.Facts)
		var wg sync.WaitGroup
		for _, m := range all {
			wg.Go(func() {
				_ = v.Notify(ctx, fakes.Ask{Label: m.label, Method: method, Raw: []byte(m.raw), Limit: v.Limits.Answer})
			})
		}
		wg.Wait()
		return
	}
	gone := map[string]bool{}
	for _, m := range all {
		kind, _, _ := strings.Cut(m.label, ":")
		if !gone[kind] {
			gone[kind] = !l.frame(ctx, m.label, m.raw)
		}
	}
}

func (l *ownLine) send(ctx context.Context, a fakes.Ask) bool {
	v := l.voice(ctx)
	if v == nil {
		return false
	}
	if a.Limit == 0 {
		a.Limit = v.Limits.Answer
	}
	err := v.Notify(ctx, a)
	if l.d.Cell.Transport == "http" {
		return true // there the answer to the request itself tells
	}
	asked := time.Now()
	if err != nil || v.Do(ctx, l.canary("after:"+a.Label)) != nil {
		l.drop()
		return false
	}
	select {
	case <-time.After(min(max(lateReply, 4*time.Since(asked)), latestReply)):
	case <-ctx.Done():
	}
	return true
}

// canary is a request that every server answers.
func (l *ownLine) canary(label string) fakes.Ask {
	method, _ := harmless(l.d.Facts)
	return fakes.Ask{Label: label, Method: method, Limit: l.v.Limits.Answer / 3}
}

// each sends right requests at the same time. When the server ends or falls
// silent altogether, those that were not answered are asked again one by one, so
// that it can be told which of them does it.
func (l *ownLine) each(ctx context.Context, asks []fakes.Ask) {
	v := l.voice(ctx)
	if v == nil {
		return
	}
	errs := make([]error, len(asks))
	var wg sync.WaitGroup
	for i, a := range asks {
		p := v.Start(ctx, a)
		wg.Go(func() { errs[i] = p.Wait(ctx) })
	}
	wg.Wait()
	if l.d.Cell.Transport == "http" {
		return // each has a stream of its own
	}
	lost := 0
	for i, a := range asks {
		if errs[i] == nil || errors.Is(errs[i], fakes.ErrSilent) {
			continue
		}
		if lost++; lost > 6 {
			return // a server that loses everything has been seen enough
		}
		if v = l.voice(ctx); v == nil {
			return
		}
		a.Limit = v.Limits.Answer / 3
		if err := v.Do(ctx, a); err != nil && !errors.Is(err, fakes.ErrSilent) {
			l.drop()
		}
	}
}

// last returns the exchanges whose label begins with prefix, of several with
// one label the last.
func (e *Evidence) last(prefix string) []*Exchange {
	var out []*Exchange
	at := map[string]int{}
	for _, x := range e.All(prefix) {
		if i, ok := at[x.Label]; ok {
			out[i] = x
			continue
		}
		at[x.Label] = len(out)
		out = append(out, x)
	}
	return out
}

// strayReply is a response that came to a frame which is no right request.
type strayReply struct {
	event *wire.Event
	msg   *wire.Message
}

// replies returns the responses that a frame got that is no right request: over
// HTTP all in the answer to its POST, elsewhere all that came until the canary
// behind it was answered and the next probe was sent, but for the canary's own.
func (e *Evidence) replies(x *Exchange) []strayReply {
	var out []strayReply
	add := func(ev *wire.Event) {
		for _, m := range members(ev.Message()) {
			if m.IsResponse() {
				out = append(out, strayReply{ev, m})
			}
		}
	}
	events := x.Tape.Events()
	own := map[string]bool{}
	for i := range x.At {
		// An earlier request may be answered late, in other escapes.
		if m := events[i].Message(); events[i].Kind == wire.Send && m.IsRequest() && m.ID != "null" {
			own[idValue(m.ID)] = true
		}
	}
	sends := 0
	for i := x.At + 1; i < len(events); i++ {
		ev := &events[i]
		switch {
		case x.Sent.Post > 0:
			if ev.Kind == wire.Recv && ev.Post == x.Sent.Post {
				add(ev)
			}
		case ev.Kind == wire.Send && ev.Probe != "canary" && sends == 1:
			return out
		case ev.Kind == wire.Send:
			if ev.Probe != "canary" {
				sends++
			}
			own[idValue(ev.Message().ID)] = true
		case ev.Kind == wire.Recv && !own[idValue(ev.Message().ID)]:
			add(ev)
		}
	}
	return out
}

// idValue is an id without the choices of its writer: which characters of a
// text are escaped.
func idValue(raw string) string {
	if v := gjson.Parse(raw); v.Type == gjson.String {
		return "text " + v.Str
	}
	return raw
}

// members are the messages of a frame: those of a batch, or the frame itself.
func members(m *wire.Message) []*wire.Message {
	if !m.Valid || !m.Root.IsArray() {
		return []*wire.Message{m}
	}
	var out []*wire.Message
	m.Root.ForEach(func(_, v gjson.Result) bool {
		out = append(out, wire.ParseMessage([]byte(v.Raw)))
		return true
	})
	return out
}

func parsed(raw json.RawMessage) gjson.Result { return gjson.ParseBytes(raw) }

// survived says in words how a frame left the server: "" when the canary behind
// it was answered, or when there is none to tell by.
func (e *Evidence) survived(x *Exchange) string {
	if x.Sent.Post > 0 {
		if x.Head == nil && x.End == "http" {
			return "the HTTP request got no answer: " + x.EndText
		}
		return ""
	}
	if c := e.behind(x); c != nil {
		switch c.End {
		case "dead":
			return "the server process ended"
		case "silent", "stuck", "unread":
			return "the server answers nothing any more"
		}
		return ""
	}
	for _, ev := range x.Tape.Events()[x.At:] {
		switch {
		case ev.Kind == wire.Notice && ev.Status == "shutdown":
			return ""
		case ev.Kind == wire.Exit:
			return "the server process ended"
		}
	}
	return ""
}

// afterProbe is the label, with its scope, of the canary behind a frame.
func afterProbe(x *Exchange) string {
	scope := x.Sent.Probe[:len(x.Sent.Probe)-len(x.Label)]
	return scope + "after:" + x.Label
}

// behind is the canary behind a frame, for evidence; nil over HTTP.
func (e *Evidence) behind(x *Exchange) *Exchange {
	for _, c := range e.Run.Exchanges(x.Tape) {
		if c.Sent.Probe == afterProbe(x) && c.At > x.At {
			return c
		}
	}
	return nil
}
