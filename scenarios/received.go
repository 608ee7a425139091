package scenarios

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios/message"
)

// received is one frame of the server with what it answers.
type received struct {
	event *wire.Event
	tape  *wire.Tape
	x     *Exchange // what it answers, nil for requests, notifications and answers to nothing known
	// revision is the one that the frame must follow, "" when that is open.
	revision string
	broken   bool // something unreadable was sent on this tape before
}

// frames lists every frame that came to the cell's client under its revision and transport.
func (e *Evidence) frames() []received {
	return onTapes(e, "frames", e.readFrames)
}

func (e *Evidence) readFrames() []received {
	var out []received
	for _, t := range e.Tapes() {
		answers := map[*wire.Event]*Exchange{}
		events := t.Events()
		for _, x := range e.Run.Exchanges(t) {
			if x.AnswerAt >= 0 {
				answers[&events[x.AnswerAt]] = x
			}
			for _, f := range x.Further {
				answers[f] = x
			}
			if x.Body != nil {
				answers[x.Body] = x
			}
		}
		handshake, broken := "", false
		for i := range events {
			ev := &events[i]
			switch ev.Kind {
			case wire.Send:
				broken = broken || brokenRequest(ev.Message())
			case wire.Recv:
				x := answers[ev]
				if x != nil && x.Request.Method == "initialize" && x.Answered() {
					if v := x.Result().Get("protocolVersion").Str; slices.Contains(fakes.Revisions(), v) && !fakes.Modern(v) {
						handshake = v
					}
				}
				out = append(out, received{event: ev, tape: t, x: x, revision: revisionOf(t, x, handshake), broken: broken})
			}
		}
	}
	return out
}

// revisionOf is the revision that a frame must follow: that of the request's
// own _meta, else that of the handshake.
func revisionOf(t *wire.Tape, x *Exchange, handshake string) string {
	if x != nil {
		meta := x.Request.Root.Get("params._meta." + strings.ReplaceAll(fakes.MetaVersion, ".", `\.`))
		if meta.Exists() {
			if slices.Contains(fakes.Revisions(), meta.Str) && fakes.Modern(meta.Str) {
				return meta.Str
			}
			return ""
		}
	}
	if handshake != "" {
		return handshake
	}
	if x == nil && fakes.Modern(t.Revision) {
		return t.Revision
	}
	return ""
}

// brokenRequest says whether a frame of ours was broken on purpose.
func brokenRequest(m *wire.Message) bool {
	if !m.Valid || !m.Root.IsObject() {
		return true
	}
	if m.Root.Get("jsonrpc").Str != "2.0" || m.ID == "null" {
		return true
	}
	if m.ID != "" && m.ID[0] != '"' && strings.ContainsAny(m.ID, ".eE{[tf") {
		return true
	}
	p := m.Root.Get("params")
	return m.Method == "" && !m.HasResult && !m.HasError || p.Exists() && !p.IsObject() || p.Get("_meta").Exists() && !p.Get("_meta").IsObject()
}

func (f received) context() message.Context {
	c := message.Context{Transport: f.tape.Transport, Malformed: f.broken}
	if f.x != nil {
		c.Method = f.x.Request.Method
		c.Status = f.x.Status()
		f.x.Request.Root.Get("params._meta." + strings.ReplaceAll(fakes.MetaCapabilities, ".", `\.`) + ".extensions").ForEach(func(k, _ gjson.Result) bool {
			c.Extensions = append(c.Extensions, k.Str)
			return true
		})
	}
	return c
}
