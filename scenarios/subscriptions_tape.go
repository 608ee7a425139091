package scenarios

import (
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// subscriptionOf is the subscription id that a notification carries, which does
// not exist when it carries none.
func subscriptionOf(m *wire.Message) gjson.Result {
	return m.Root.Get(`params._meta.io\.modelcontextprotocol/subscriptionId`)
}

// stateless returns the tapes of the cell's revision and transport on which no
// handshake was made: a server of both eras may speak the older one after it.
func (e *Evidence) stateless() []*wire.Tape {
	return slices.DeleteFunc(e.Run.Select("", e.Cell.Revision, e.Cell.Transport), func(t *wire.Tape) bool {
		return slices.ContainsFunc(e.Run.Exchanges(t), func(x *Exchange) bool { return x.Request.Method == "initialize" && x.Result().Exists() })
	})
}

// stream is one subscription as it was seen.
type stream struct {
	x *Exchange
	// first is the first message of it, ack its acknowledgement; -1 for none.
	first, ack int
}

// streams are the subscriptions that a tape tells of, in the order in which they were opened.
func (e *Evidence) streams(t *wire.Tape) []*stream {
	var out []*stream
	for _, x := range e.Run.Exchanges(t) {
		if x.Request.Method == "subscriptions/listen" {
			out = append(out, &stream{x: x, first: -1, ack: -1})
		}
	}
	events := t.Events()
	for i := range events {
		ev := &events[i]
		m := ev.Message()
		if ev.Kind != wire.Recv || !m.IsNotification() || kindOf(m) == "" && m.Method != methodAcknowledged && !subscriptionOf(m).Exists() {
			continue
		}
		s := subscriptionFor(out, ev, i)
		if s == nil {
			continue
		}
		if s.first < 0 {
			s.first = i
		}
		if s.ack < 0 && m.Method == methodAcknowledged {
			s.ack = i
		}
	}
	return out
}

// subscriptionFor finds the subscription that a notification belongs to: that of its
// HTTP stream, that of its tag, or for an untagged or wrongly tagged
// acknowledgement the one that was opened last.
func subscriptionFor(all []*stream, ev *wire.Event, at int) *stream {
	tag := subscriptionOf(ev.Message())
	var last *stream
	for _, s := range all {
		switch {
		case s.x.At > at:
		case ev.Post > 0:
			if s.x.Sent.Post == ev.Post {
				return s
			}
		case tag.Exists() && sameID(tag.Raw, s.x.Request.ID):
			return s
		default:
			last = s
		}
	}
	if ev.Post == 0 && ev.Message().Method == methodAcknowledged && last != nil && last.ack < 0 {
		return last
	}
	return nil
}

// sameID compares two raw ids by value and type.
func sameID(a, b string) bool {
	if a == b {
		return true
	}
	x, y := gjson.Parse(a), gjson.Parse(b)
	return x.Type == y.Type && (x.Type == gjson.Number && x.Num == y.Num || x.Type == gjson.String && x.Str == y.Str)
}

// filter is what the subscription asked for.
func (s *stream) filter() gjson.Result { return s.x.Request.Root.Get("params.notifications") }

// asks says that the subscription asked for a kind of notification.
func (s *stream) asks(kind string) bool {
	v := s.filter().Get(kind)
	return v.Type == gjson.True || v.IsArray() && len(v.Array()) > 0
}

// granted is what the acknowledgement lists.
func (s *stream) granted() gjson.Result {
	if s.ack < 0 {
		return gjson.Result{}
	}
	return s.event(s.ack).Message().Root.Get("params.notifications")
}

func (s *stream) event(i int) *wire.Event { return &s.x.Tape.Events()[i] }

// since is the time from the acknowledgement to an event.
func (s *stream) since(i int) time.Duration { return s.event(i).At - s.event(s.ack).At }

// shows are the listen request and one of its messages.
func (s *stream) shows(i int) []*Exchange {
	if i < 0 {
		return []*Exchange{s.x}
	}
	return []*Exchange{s.x, loneFrame(received{event: s.event(i), tape: s.x.Tape})}
}

// said names a subscription for a message.
func (s *stream) said() string { return "subscriptions/listen with id " + short(s.x.Request.ID, 40) }

// mine are the subscriptions of this scenario whose label begins with a prefix.
func (e *Evidence) mine(prefix string) []*stream {
	var out []*stream
	for _, x := range e.All(prefix) {
		for _, s := range e.streams(x.Tape) {
			if s.x.At == x.At {
				out = append(out, s)
			}
		}
	}
	return out
}

// promises says that the server declares something that can be subscribed to.
func (e *Evidence) promises() bool {
	return slices.ContainsFunc([]string{"tools.listChanged", "prompts.listChanged", "resources.listChanged", "resources.subscribe"}, func(c string) bool {
		return e.Facts.Capability(c).Bool()
	})
}

// listens makes a judge for servers that take subscriptions. One that declares
// nothing to subscribe to may refuse them.
// It is not inlined: each use would bring a copy.
//
//go:noinline
func listens(j func(*Evidence) Ruling) func(*Evidence) Ruling {
	return modern(func(e *Evidence) Ruling {
		first := e.Get("listen:text")
		switch {
		case first.Unusable() && first.Lost() == "" && len(e.mine("listen:text")) == 0:
			return NotSeen("no subscription was tried")
		case first.IsRPCError() && !e.promises():
			return NotApplicable("the server declares nothing that can be subscribed to, and refuses subscriptions")
		}
		return j(e)
	})
}
