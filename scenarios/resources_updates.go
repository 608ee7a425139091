package scenarios

import (
	"fmt"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// updateGrace is how long updates may still come after a client let go of a
// resource: they may have been on their way, for longer where the server takes
// long to answer.
const updateGrace = 500 * time.Millisecond

func judgeSubscribe(e *Evidence) Ruling {
	if !e.Facts.Capability("resources.subscribe").Bool() {
		return NotApplicable("the server does not declare resources.subscribe")
	}
	var r Ruling
	for _, x := range append(e.All("subscribe:"), e.All("unsubscribe:")...) {
		var f *Fault
		if !x.Result().IsObject() {
			f = &Fault{Subject: x.Request.Method, Expected: "an empty result", Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotSeen("the server lists no resource to subscribe to")
	}
	return r
}

func judgeSubscribeUndeclared(e *Evidence) Ruling {
	if e.Facts.Capability("resources.subscribe").Bool() {
		return NotApplicable("the server declares resources.subscribe")
	}
	x := e.Get("undeclared:subscribe")
	if x.Unusable() {
		return NotSeen("resources/subscribe was not asked")
	}
	var f *Fault
	if x.Code() != -32601 {
		f = &Fault{Subject: "resources/subscribe", Expected: "JSON-RPC error -32601", Observed: sayAnswer(x), Proof: []*Exchange{x}}
	}
	return Ruling{}.add(x, f)
}

// watched follows which uris a client of a handshake revision subscribed to.
type watched struct {
	since map[string]bool
	// until is when an unsubscribed uri stops to count.
	until map[string]time.Duration
}

func (w *watched) covers(uri string, at time.Duration) bool {
	for u := range w.since {
		if below(uri, u) {
			return true
		}
	}
	for u, end := range w.until {
		if below(uri, u) && at <= end {
			return true
		}
	}
	return false
}

// eachUpdate walks a tape and looks at each update of a resource with what the
// client watched at the time. Subscribing counts from the request on,
// unsubscribing from its answer on and some time after.
func (e *Evidence) eachUpdate(t *wire.Tape, look func(ev *wire.Event, uri string, w *watched)) {
	w := &watched{since: map[string]bool{}, until: map[string]time.Duration{}}
	events := t.Events()
	gone, sent := map[*wire.Event]string{}, map[*wire.Event]time.Duration{}
	for _, x := range e.Run.Exchanges(t) {
		if x.Request.Method == "resources/unsubscribe" && x.AnswerAt >= 0 {
			gone[&events[x.AnswerAt]], sent[&events[x.AnswerAt]] = readURI(x), x.Sent.At
		}
	}
	for i := range events {
		ev := &events[i]
		m := ev.Message()
		switch {
		case ev.Kind == wire.Send && m.Method == "resources/subscribe":
			uri := m.Root.Get("params.uri").String()
			w.since[uri] = true
			delete(w.until, uri)
		case ev.Kind == wire.Recv && m.Method == "notifications/resources/updated":
			look(ev, m.Root.Get("params.uri").String(), w)
		}
		if uri, ok := gone[ev]; ok {
			delete(w.since, uri)
			w.until[uri] = ev.At + max(updateGrace, 3*(ev.At-sent[ev]))
		}
	}
}

func judgeUpdatedWhenSubscribed(e *Evidence) Ruling {
	var r Ruling
	told := map[string]bool{}
	for _, t := range e.Run.Select("", e.Cell.Revision, e.Cell.Transport) {
		e.eachUpdate(t, func(ev *wire.Event, uri string, w *watched) {
			r.Seen++
			if w.covers(uri, ev.At) || told[uri] {
				return
			}
			told[uri] = true
			r.Faults = append(r.Faults, Fault{Subject: short(uri, 120), Expected: "updates of subscribed resources alone", Observed: "an update of a resource that this client did not subscribe to", Proof: []*Exchange{loneFrame(received{event: ev, tape: t})}})
		})
	}
	return e.updatesRuling(r)
}

// updatesRuling says why no update was seen, when none was.
func (e *Evidence) updatesRuling(r Ruling) Ruling {
	switch {
	case r.Seen > 0:
		return r
	case !e.Facts.Capability("resources.subscribe").Bool():
		return NotApplicable("the server does not declare resources.subscribe, and sent no update")
	}
	return NotSeen("no resource changed during the run; let a tool be called that changes one (--allow, or calls in conform.yaml)")
}

func judgeUnsubscribeStops(e *Evidence) Ruling {
	if !e.Facts.Capability("resources.subscribe").Bool() {
		return NotApplicable("the server does not declare resources.subscribe")
	}
	note := e.notice("after")
	unsubscribed := e.All("unsubscribe:")
	if note == nil || len(unsubscribed) == 0 {
		return e.updatesRuling(Ruling{})
	}
	var r Ruling
	for _, x := range unsubscribed {
		if !x.Result().Exists() {
			continue
		}
		var f *Fault
		uri := readURI(x)
		e.eachUpdate(x.Tape, func(ev *wire.Event, updated string, w *watched) {
			if f == nil && ev.At > x.Tape.Events()[x.AnswerAt].At && below(updated, uri) && !w.covers(updated, ev.At) {
				f = &Fault{Subject: short(uri, 120), Expected: "no update after resources/unsubscribe", Observed: fmt.Sprintf("an update %s after it", (ev.At - x.Tape.Events()[x.AnswerAt].At).Round(time.Millisecond)), Proof: []*Exchange{x, loneFrame(received{event: ev, tape: x.Tape})}}
			}
		})
		r = r.add(x, f)
	}
	return r
}

// judgeUpdatesInScope holds updates of subscriptions/listen against the uris
// that the subscription named. What counts as a part of a resource is the
// server's to say; a resource that is listed on its own is no part of another.
func judgeUpdatesInScope(e *Evidence) Ruling {
	var listed []string
	for _, n := range e.entries("resources/list") {
		listed = append(listed, n.name())
	}
	var r Ruling
	for _, t := range e.stateless() {
		asked := map[string]*Exchange{}
		for _, x := range e.Run.Exchanges(t) {
			if x.Request.Method == "subscriptions/listen" {
				asked[x.Request.ID] = x
			}
		}
		events := t.Events()
		for i := range events {
			ev := &events[i]
			m := ev.Message()
			if ev.Kind != wire.Recv || m.Method != "notifications/resources/updated" {
				continue
			}
			x := asked[subscriptionOf(m).Raw]
			if x == nil {
				continue // told by the checks on subscriptions
			}
			uri := m.Root.Get("params.uri").String()
			named := x.Request.Root.Get("params.notifications.resourceSubscriptions").Array()
			r.Seen++
			if !slices.ContainsFunc(named, func(n gjson.Result) bool { return below(uri, n.Str) }) && slices.Contains(listed, uri) {
				r.Faults = append(r.Faults, Fault{Subject: short(uri, 120), Expected: "updates of " + resourceNames(named), Observed: "an update of " + short(uri, 120), Proof: []*Exchange{x, loneFrame(received{event: ev, tape: t})}})
			}
		}
	}
	return e.updatesRuling(r)
}

func resourceNames(uris []gjson.Result) string {
	switch len(uris) {
	case 0:
		return "no resource"
	case 1:
		return short(uris[0].Str, 120)
	}
	return fmt.Sprintf("%s and %d more", short(uris[0].Str, 120), len(uris)-1)
}
