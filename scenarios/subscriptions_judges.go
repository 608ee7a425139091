package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

func judgeAcknowledged(e *Evidence) Ruling {
	var r Ruling
	for _, s := range e.mine("listen:") {
		fault := func(observed string, at int) {
			r.Faults = append(r.Faults, Fault{Subject: s.said(), Expected: methodAcknowledged + " with subscriptionId " + s.x.Request.ID, Observed: observed, Proof: s.shows(at)})
		}
		r.Seen++
		switch {
		case s.ack < 0 && s.x.Answered():
			fault("no acknowledgement, but "+sayListen(s.x), -1)
		case s.ack < 0 && (s.x.End == "unacknowledged" || s.x.Lost() != ""):
			fault("no acknowledgement: "+short(s.x.EndText, 120), -1)
		case s.ack < 0:
			r.Seen-- // the run ended before it could come
		case s.first != s.ack:
			fault("first "+s.event(s.first).Message().Method, s.first)
		default:
			tag := subscriptionOf(s.event(s.ack).Message())
			if !tag.Exists() {
				fault("an acknowledgement without subscriptionId", s.ack)
			} else if !sameID(tag.Raw, s.x.Request.ID) {
				fault("an acknowledgement with subscriptionId "+short(tag.Raw, 60), s.ack)
			} else if len(r.Proof) < 2 {
				r.Proof = append(r.Proof, s.shows(s.ack)...)
			}
		}
	}
	return r
}

func sayListen(x *Exchange) string {
	if x.Result().Exists() {
		return "a result at once"
	}
	return sayAnswer(x)
}

func judgeAcknowledgedSubset(e *Evidence) Ruling {
	var r Ruling
	for _, s := range slices.Concat(e.mine("listen:"), e.mine("empty"), e.mine("unknown-kind")) {
		if s.ack < 0 || !s.granted().IsObject() {
			continue
		}
		r.Seen++
		s.granted().ForEach(func(k, v gjson.Result) bool {
			if v.Type == gjson.False || v.Type == gjson.Null || v.IsArray() && len(v.Array()) == 0 {
				return true // nothing is promised
			}
			if why := s.overstep(e, k.Str, v); why != "" {
				r.Faults = append(r.Faults, Fault{Subject: short(k.Str, 60), Expected: "only what was asked for and declared", Observed: why, Proof: s.shows(s.ack)})
			}
			return true
		})
	}
	if r.Seen == 0 {
		return NotSeen("no subscription was acknowledged")
	}
	return r
}

// overstep says what is wrong with one granted kind, "" for nothing.
func (s *stream) overstep(e *Evidence, kind string, granted gjson.Result) string {
	known := slices.Contains([]string{"toolsListChanged", "promptsListChanged", "resourcesListChanged", "resourceSubscriptions"}, kind)
	switch {
	case !known && s.filter().Get(kind).Exists():
		return short(kind, 60) + ", a kind that the specification does not know, is granted"
	case !known:
		return "" // an extension may add kinds of its own
	case !s.asks(kind):
		return kind + " is granted and was not asked for"
	case !e.Facts.Capability(capabilityOf(kind)).Bool():
		return kind + " is granted, and capabilities do not declare " + capabilityOf(kind)
	}
	for _, uri := range granted.Array() {
		if granted.IsArray() && !slices.ContainsFunc(s.filter().Get(kind).Array(), func(a gjson.Result) bool { return a.Str == uri.Str }) {
			return "the resource " + short(uri.String(), 120) + " is granted and was not asked for"
		}
	}
	return ""
}

func judgeEmptyFilter(e *Evidence) Ruling {
	var r Ruling
	for _, s := range e.mine("empty") {
		var observed string
		switch {
		case s.ack < 0 && s.x.Answered():
			observed = sayListen(s.x)
		case s.ack < 0:
			observed = "no acknowledgement"
		case grantsAny(s.granted()):
			observed = "granted: " + short(s.granted().Raw, 120)
		}
		r.Seen++
		if observed != "" {
			r.Faults = append(r.Faults, Fault{Subject: "an empty filter", Expected: "an acknowledgement with an empty set", Observed: observed, Proof: s.shows(s.ack)})
		}
	}
	return r
}

func judgeFilterRequired(e *Evidence) Ruling {
	var r Ruling
	for _, s := range e.mine("no-filter") {
		if s.ack < 0 && s.x.Unusable() {
			continue // nobody waited for it to the end
		}
		r.Seen++
		if s.x.Code() == -32602 {
			r.Proof = append(r.Proof, s.x)
			continue
		}
		observed := "nothing"
		switch {
		case s.ack >= 0:
			observed = "an acknowledgement"
		case s.x.Answered():
			observed = sayListen(s.x)
		}
		r.Faults = append(r.Faults, Fault{Subject: "no notifications in params", Expected: "JSON-RPC error -32602", Observed: observed, Proof: s.shows(s.ack)})
	}
	return r
}

func judgeConcurrent(e *Evidence) Ruling {
	all := e.mine("listen:")
	if len(all) < 2 || all[0].ack < 0 {
		return NotSeen("the first subscription was not acknowledged, so there was none to stand beside")
	}
	r := Ruling{Seen: 1, Proof: all[0].shows(all[0].ack)}
	for _, s := range all[1:] {
		r.Seen++
		if s.ack < 0 && s.x.Answered() {
			r.Faults = append(r.Faults, Fault{Subject: s.said(), Expected: "a second subscription beside the first", Observed: sayListen(s.x), Proof: append(all[0].shows(all[0].ack), s.x)})
		}
		if x := all[0].x; x.Answered() && x.AnswerAt > s.x.At && x.AnswerAt < s.x.At+8 {
			r.Faults = append(r.Faults, Fault{Subject: all[0].said(), Expected: "the first subscription still open", Observed: "it ended when the next was opened", Proof: []*Exchange{x, s.x}})
			break
		}
	}
	return e.allHear(r, all)
}

// allHear looks at what was told when several subscriptions were open: a change
// of a list has to reach each of them that asked for it.
func (e *Evidence) allHear(r Ruling, all []*stream) Ruling {
	second := e.All("second:")
	if len(second) == 0 {
		return r
	}
	from := second[0].At
	heard := map[string]map[*stream]bool{}
	before := map[string]bool{}
	for _, n := range e.changes() {
		if n.tape != second[0].Tape || n.kind == "resourceSubscriptions" {
			continue
		}
		if n.at < from {
			before[n.kind] = true
			continue
		}
		for _, s := range all {
			if to := n.stream(); to != nil && to.x.At == s.x.At && !e.letGo(all[0], n.at) {
				if heard[n.kind] == nil {
					heard[n.kind] = map[*stream]bool{}
				}
				heard[n.kind][s] = true
			}
		}
	}
	for _, kind := range sortedKeys(before, nil) {
		for _, s := range all {
			if s.ack < 0 || !s.granted().Get(kind).Bool() || s.x.Answered() && s.x.AnswerAt < from {
				continue
			}
			r.Seen++
			if !heard[kind][s] {
				r.Faults = append(r.Faults, Fault{Subject: s.said(), Expected: "the change told to every subscription that asked for " + kind, Observed: "nothing, while several subscriptions were open", Proof: append(s.shows(s.ack), second[0])})
			}
		}
	}
	return r
}

func judgeStaysOpen(e *Evidence) Ruling {
	var r Ruling
	for _, s := range e.mine("listen:") {
		if s.ack < 0 || !grantsAny(s.granted()) {
			continue // what was granted nothing has nothing to wait for
		}
		ended, observed := s.x.AnswerAt, "answered"
		if ended < 0 && s.x.End == "http" {
			ended, observed = s.x.EndAt, "closed by the server"
		}
		switch {
		case ended >= 0 && s.since(ended) < staysOpen && !e.letGo(s, ended):
			r.Seen++
			r.Faults = append(r.Faults, Fault{Subject: s.said(), Expected: "a subscription that stays open", Observed: fmt.Sprintf("it was %s %s after its acknowledgement", observed, s.since(ended).Round(time.Millisecond)), Proof: s.shows(s.ack)})
		case e.watchedOpen(s):
			r.Seen++
			r.Proof = s.shows(s.ack)
		}
	}
	if r.Seen == 0 {
		return NotSeen(fmt.Sprintf("no subscription was watched for %s", staysOpen))
	}
	return r
}

// watchedOpen says that a subscription was watched for long enough before the client gave it up.
func (e *Evidence) watchedOpen(s *stream) bool {
	if e.notice("watched") == nil {
		return false
	}
	events := s.x.Tape.Events()
	for i := s.ack; i < len(events); i++ {
		if s.since(i) >= staysOpen {
			return !e.letGo(s, i)
		}
	}
	return false
}

// grantsAny says that an acknowledgement promises something.
func grantsAny(granted gjson.Result) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(granted.Map())), func(v gjson.Result) bool {
		return v.Type == gjson.True || v.IsArray() && len(v.Array()) > 0
	})
}

// letGo says that the client had given a subscription up, or closed the line, before an event.
func (e *Evidence) letGo(s *stream, at int) bool {
	events := s.x.Tape.Events()
	for i := s.x.At; i < at; i++ {
		ev := &events[i]
		m := ev.Message()
		if ev.Kind == wire.Send && m.Method == "notifications/cancelled" && sameID(m.Root.Get("params.requestId").Raw, s.x.Request.ID) || e.closing(ev) ||
			ev.Kind == wire.Notice && ev.Status == "dropped" && ev.Probe == s.x.Sent.Probe {
			return true
		}
	}
	return false
}

// closing says that an event is the note that the line is closed under its subscriptions.
func (e *Evidence) closing(ev *wire.Event) bool {
	return ev.Kind == wire.Notice && ev.Probe == LabelScope(e.Cell.Scenario, e.Cell.Attempt)+"closing"
}

// cancelGrace is how long a notification may be on its way when its subscription is cancelled.
const cancelGrace = 250 * time.Millisecond

func judgeCancelEnds(e *Evidence) Ruling {
	all := e.mine("listen:text")
	if len(all) == 0 || all[0].ack < 0 {
		return NotSeen("no subscription was acknowledged that could be cancelled")
	}
	s := all[0]
	if s.x.Answered() && !e.letGo(s, s.x.AnswerAt) {
		return NotSeen("the subscription ended by itself")
	}
	if e.Cell.Transport == "http" {
		return e.cancelHTTP(s)
	}
	cancel := e.Get("cancel")
	if cancel == nil || e.notice("watched") == nil {
		return NotSeen("the subscription was not cancelled and watched")
	}
	r := Ruling{Seen: 1, Proof: []*Exchange{s.x, cancel}}
	fault := func(observed string, more *Exchange) {
		r.Faults = append(r.Faults, Fault{Subject: s.said(), Expected: "nothing more for it after notifications/cancelled", Observed: observed, Proof: []*Exchange{s.x, cancel, more}})
	}
	events := s.x.Tape.Events()
	for i := cancel.At + 1; i < len(events); i++ {
		ev := &events[i]
		m := ev.Message()
		switch {
		case e.closing(ev):
			return r
		case ev.Kind != wire.Recv:
		case m.IsResponse() && sameID(m.ID, s.x.Request.ID):
			fault("an answer to the listen request", loneFrame(received{event: ev, tape: s.x.Tape}))
		case sameID(subscriptionOf(m).Raw, s.x.Request.ID) && ev.At-cancel.Sent.At > cancelGrace:
			fault(m.Method+" with its id", loneFrame(received{event: ev, tape: s.x.Tape}))
		}
	}
	return r
}

// cancelHTTP looks for messages of a subscription whose stream the client
// closed, on other streams. It takes a change to show that none come.
func (e *Evidence) cancelHTTP(s *stream) Ruling {
	events := s.x.Tape.Events()
	var r Ruling
	if slices.ContainsFunc(e.All("again:"), func(x *Exchange) bool { return x.Answered() }) {
		r = Ruling{Seen: 1, Proof: []*Exchange{s.x}}
	}
	for i := max(s.x.EndAt, s.ack) + 1; i < len(events); i++ {
		ev := &events[i]
		if ev.Kind == wire.Recv && ev.Post != s.x.Sent.Post && sameID(subscriptionOf(ev.Message()).Raw, s.x.Request.ID) {
			r.Seen++
			r.Faults = append(r.Faults, Fault{Subject: s.said(), Expected: "nothing more for it after its stream was closed", Observed: ev.Message().Method + " with its id on another stream", Proof: []*Exchange{s.x, loneFrame(received{event: ev, tape: s.x.Tape})}})
		}
	}
	if r.Seen == 0 {
		return NotSeen("nothing changed after the stream was closed; let a tool be called that changes a list or a resource (--allow, or calls in conform.yaml)")
	}
	return r
}

func judgeGracefulEnd(e *Evidence) Ruling {
	if e.Cell.Transport == "http" {
		return NotApplicable("an HTTP server is not ended by its clients")
	}
	all := e.mine("listen:number")
	if len(all) == 0 || all[0].ack < 0 {
		return NotSeen("no subscription was open when the line was closed")
	}
	s := all[0]
	events := s.x.Tape.Events()
	closed := slices.IndexFunc(events, func(ev wire.Event) bool { return e.closing(&ev) })
	if closed < 0 || s.x.Answered() && s.x.AnswerAt < closed {
		return NotSeen("no subscription was open when the line was closed")
	}
	for i := closed; i < len(events); i++ {
		m := events[i].Message()
		if events[i].Kind != wire.Recv {
			continue
		}
		if m.IsResponse() && sameID(m.ID, s.x.Request.ID) {
			if tag := m.Root.Get(`result._meta.io\.modelcontextprotocol/subscriptionId`); m.HasResult && !sameID(tag.Raw, s.x.Request.ID) {
				return Broken(Fault{Subject: s.said(), Expected: "a result with the subscriptionId in _meta", Observed: "subscriptionId: " + orNone(tag), Proof: s.shows(i)})
			}
			return Passed("the listen request was answered at the end", s.shows(i)...)
		}
		if m.Method == "notifications/cancelled" && sameID(m.Root.Get("params.requestId").Raw, s.x.Request.ID) {
			return Passed("the listen request was cancelled at the end", s.shows(i)...)
		}
	}
	return Broken(Fault{Subject: s.said(), Expected: "an answer, or notifications/cancelled, when the server ends", Observed: "nothing", Message: "the server ended without a word to its subscription " + strings.Trim(s.x.Request.ID, `"`), Proof: []*Exchange{s.x}})
}
