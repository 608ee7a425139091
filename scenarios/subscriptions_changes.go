package scenarios

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

const helpChanges = "nothing changed during the run; let a tool be called that changes a list or a resource (--allow, or calls in conform.yaml)"

// announcement is a notification of a change with the place where it came.
type announcement struct {
	received
	at      int
	kind    string
	tag     gjson.Result
	streams []*stream
	// on is the request on whose HTTP stream it came; nil over stdio.
	on *Exchange
}

// changes are the notifications of changes on all stateless lines.
func (e *Evidence) changes() []announcement {
	var out []announcement
	for _, t := range e.stateless() {
		streams := e.streams(t)
		events := t.Events()
		for i := range events {
			ev := &events[i]
			kind := kindOf(ev.Message())
			if ev.Kind != wire.Recv || kind == "" {
				continue
			}
			if len(out) >= maxNotices {
				return out
			}
			n := announcement{received: received{event: ev, tape: t}, at: i, kind: kind, tag: subscriptionOf(ev.Message()), streams: streams}
			for _, x := range e.Run.Exchanges(t) {
				if ev.Post > 0 && x.Sent.Post == ev.Post {
					n.on = x
				}
			}
			out = append(out, n)
		}
	}
	return out
}

// stream is the subscription that a change is told to, nil when there is none.
func (n announcement) stream() *stream { return subscriptionFor(n.streams, n.event, n.at) }

// unsolicited says that no subscription was there that could have asked for it.
func (n announcement) unsolicited() bool {
	if n.on != nil {
		return n.on.Request.Method != "subscriptions/listen"
	}
	return !slices.ContainsFunc(n.streams, func(s *stream) bool { return s.x.At < n.at })
}

// changesRuling says why no change was told of, when none was.
func (e *Evidence) changesRuling(r Ruling) Ruling {
	switch {
	case r.Seen > 0:
		return r
	case !e.promises():
		return NotApplicable("the server declares no changes that it tells of, and told of none")
	}
	return NotSeen(helpChanges)
}

func judgeTagged(e *Evidence) Ruling {
	var r Ruling
	accused := map[string]bool{}
	for _, n := range e.changes() {
		if n.unsolicited() {
			continue // told by none-unsolicited
		}
		r.Seen++
		s := n.stream()
		observed := ""
		switch {
		case s == nil && !n.tag.Exists():
			observed = "no subscriptionId"
		case s == nil:
			observed = "the id " + short(n.tag.Raw, 60) + ", which no open subscription has"
		case !n.tag.Exists():
			observed = "no subscriptionId on the stream of " + s.said()
		case !sameID(n.tag.Raw, s.x.Request.ID):
			observed = "the id " + short(n.tag.Raw, 60) + " on the stream of " + s.said()
		case !s.asks(n.kind):
			observed = "a kind that " + s.said() + " did not ask for"
		}
		if method := n.event.Message().Method; observed != "" && !accused[method+observed] {
			accused[method+observed] = true
			r.Faults = append(r.Faults, Fault{Subject: method, Expected: "the id of a subscription that asked for it", Observed: observed, Proof: []*Exchange{loneFrame(n.received)}})
		}
	}
	return e.changesRuling(r)
}

func judgeUntaggedElsewhere(e *Evidence) Ruling {
	var r Ruling
	for _, t := range e.stateless() {
		events := t.Events()
		for i := range events {
			ev := &events[i]
			m := ev.Message()
			if ev.Kind != wire.Recv || m.Method != "notifications/progress" && m.Method != "notifications/message" {
				continue
			}
			r.Seen++
			if tag := subscriptionOf(m); tag.Exists() && len(r.Faults) < 5 {
				r.Faults = append(r.Faults, Fault{Subject: m.Method, Expected: "no subscriptionId", Observed: "subscriptionId " + short(tag.Raw, 60), Proof: []*Exchange{loneFrame(received{event: ev, tape: t})}})
			}
		}
	}
	if r.Seen == 0 {
		return NotApplicable("no request brought progress or log messages")
	}
	return r
}

func judgeNoneUnsolicited(e *Evidence) Ruling {
	var r Ruling
	accused := map[string]bool{}
	for _, n := range e.changes() {
		r.Seen++
		if method := n.event.Message().Method; n.unsolicited() && !accused[method] {
			accused[method] = true
			where := "on a line without a subscription"
			if n.on != nil {
				where = "on the stream of " + n.on.Request.Method
			}
			r.Faults = append(r.Faults, Fault{Subject: method, Expected: "changes told to subscriptions alone", Observed: method + " " + where, Proof: []*Exchange{loneFrame(n.received)}})
		}
	}
	return e.changesRuling(r)
}

func judgeElsewhere(e *Evidence) Ruling {
	all := slices.DeleteFunc(e.All("elsewhere:"), func(x *Exchange) bool { return !x.Answered() })
	if len(all) == 0 {
		return e.changesRuling(Ruling{})
	}
	r := Ruling{Seen: 1, Proof: all[:1]}
	for _, n := range e.changes() {
		if n.tape == all[0].Tape && n.at > all[0].At && n.unsolicited() {
			r.Faults = append(r.Faults, Fault{Subject: n.event.Message().Method, Expected: "nothing on a connection without subscriptions", Observed: n.event.Message().Method, Proof: []*Exchange{all[0], loneFrame(n.received)}})
			break
		}
	}
	return r
}

// announceGrace is how long an announcement may come after the list that shows the change.
const announceGrace = time.Second

func judgeChangesAnnounced(e *Evidence) Ruling {
	var r Ruling
	declared := false
	for _, k := range lists() {
		if !e.Facts.Capability(k.capability + ".listChanged").Bool() {
			continue
		}
		declared = true
		r = e.announced(r, k)
	}
	slices.SortStableFunc(r.Faults, func(a, b Fault) int { return cmp.Compare(doubt(a), doubt(b)) })
	switch {
	case !declared:
		return NotApplicable("the server does not declare listChanged")
	case r.Seen == 0:
		return NotSeen("no list changed between two looks at it; " + strings.TrimPrefix(helpChanges, "nothing changed during the run; "))
	}
	return r
}

// twoLooks are two whole answers for a list, one after the other on one line.
type twoLooks struct {
	first, second *Exchange
	changed       bool
}

// looks are the looks that a client had at a list: what another client is shown is no change.
func (e *Evidence) looks(t *wire.Tape, k listKind) []twoLooks {
	var out []twoLooks
	var last *Exchange
	var before string
	for _, x := range e.Run.Exchanges(t) {
		whole := x.Request.Method == k.method && x.Result().Get(k.member).IsArray() && !x.Result().Get("nextCursor").Exists() && !x.Request.Root.Get("params.cursor").Exists()
		if !whole || last != nil && clientName(last) != clientName(x) {
			continue
		}
		names := sortedNames(k, x.Result())
		if last != nil && x.AnswerAt > last.AnswerAt {
			out = append(out, twoLooks{last, x, names != before})
		}
		last, before = x, names
	}
	return out
}

// announced looks for changes of a list of which nobody was told. They count only
// where an announcement could have come.
func (e *Evidence) announced(r Ruling, k listKind) Ruling {
	var all, untold []twoLooks
	for _, t := range e.Tapes() {
		all = append(all, e.looks(t, k)...)
	}
	method := "notifications/" + k.capability + "/list_changed"
	for _, l := range all {
		t, events := l.first.Tape, l.first.Tape.Events()
		if !l.changed || !e.reachable(t, k, l.first.AnswerAt) {
			continue
		}
		r.Seen++
		until := events[l.second.AnswerAt].At + announceGrace
		if !slices.ContainsFunc(events[l.first.At:], func(ev wire.Event) bool {
			return ev.Kind == wire.Recv && ev.Message().Method == method && ev.At <= until
		}) {
			untold = append(untold, l)
		}
	}
	if len(untold) == 0 {
		return r
	}
	harmless := e.harmless(all)
	for _, l := range untold {
		with := slices.DeleteFunc(e.callsBetween(l.first, l.second), func(x *Exchange) bool { return harmless[toolName(x)] })
		events := l.first.Tape.Events()
		r.Faults = append(r.Faults, Fault{Subject: k.method, Expected: method, Observed: fmt.Sprintf("another list %s later, and no announcement", (events[l.second.AnswerAt].At - events[l.first.AnswerAt].At).Round(time.Millisecond)), Proof: []*Exchange{l.first, l.second}, With: with})
	}
	return r
}

// harmless are the tools of which a call between two looks changed nothing.
func (e *Evidence) harmless(all []twoLooks) map[string]bool {
	out := map[string]bool{}
	for _, l := range all {
		if l.changed {
			continue
		}
		for _, x := range e.callsBetween(l.first, l.second) {
			if x.At > l.first.AnswerAt && x.AnswerAt < l.second.At {
				out[toolName(x)] = true
			}
		}
	}
	return out
}

// callsBetween are the calls on a line between two exchanges, the last of each
// tool, and those that failed only where none went well.
func (e *Evidence) callsBetween(a, b *Exchange) []*Exchange {
	well, failed := map[string]*Exchange{}, map[string]*Exchange{}
	all := e.Run.Exchanges(a.Tape)
	from, _ := slices.BinarySearchFunc(all, a.At, func(x *Exchange, at int) int { return x.At - at })
	to, _ := slices.BinarySearchFunc(all, b.At, func(x *Exchange, at int) int { return x.At - at })
	for _, x := range all[from:to] {
		switch {
		case x.Request.Method != "tools/call":
		case x.Result().Exists() && !x.Result().Get("isError").Bool():
			well[toolName(x)] = x
		default:
			failed[toolName(x)] = x
		}
	}
	if len(well) == 0 {
		well = failed
	}
	return slices.SortedFunc(maps.Values(well), func(a, b *Exchange) int { return a.At - b.At })
}

// doubt orders changes by how well the calls between tell what made them. On a
// line of its own the fewest say the most. Over HTTP a call on another connection
// may have done it: there the most, as far as a person can still follow them.
func doubt(f Fault) int {
	const follow = 12
	n := len(f.With)
	switch {
	case n == 0:
		return math.MaxInt
	case f.Proof[0].Tape.Transport == "http" && n <= follow:
		return follow - n
	}
	return n
}

// clientName is who a request of 2026-07-28 says that it comes from.
func clientName(x *Exchange) string {
	return x.Request.Root.Get(`params._meta.io\.modelcontextprotocol/clientInfo.name`).String()
}

// reachable says that an announcement could have reached the client at a point
// of the tape: on an open subscription that asked for it, or before 2026-07-28
// over stdio, or on an open GET stream.
func (e *Evidence) reachable(t *wire.Tape, k listKind, at int) bool {
	switch {
	case e.Facts.Modern():
		return slices.ContainsFunc(e.streams(t), func(s *stream) bool {
			return s.ack >= 0 && s.ack < at && s.asks(k.capability+"ListChanged") && (s.x.EndAt < 0 || s.x.EndAt > at)
		})
	case t.Transport != "http":
		return true
	}
	return slices.ContainsFunc(e.Run.Exchanges(t), func(x *Exchange) bool {
		return x.Sent.HTTP != nil && x.Sent.HTTP.Method == "GET" && x.At < at && x.Status() == 200 && (x.EndAt < 0 || x.EndAt > at)
	})
}

func judgeUndeclaredChanges(e *Evidence) Ruling {
	var r Ruling
	accused := map[string]bool{}
	for _, f := range e.frames() {
		m := f.event.Message()
		capability, ok := strings.CutSuffix(strings.TrimPrefix(m.Method, "notifications/"), "/list_changed")
		if !ok {
			continue
		}
		r.Seen++
		if !e.Facts.Capability(capability+".listChanged").Bool() && !accused[capability] {
			accused[capability] = true
			r.Faults = append(r.Faults, Fault{Subject: m.Method, Expected: "capabilities." + capability + ".listChanged: true", Observed: m.Method + ", undeclared", Proof: []*Exchange{loneFrame(f)}})
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server announced no change of a list")
	}
	return r
}
