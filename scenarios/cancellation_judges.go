package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agntn/conform/fakes/wire"
)

// onItsWay is how long after a cancellation something may still come that was
// sent before the server read it.
const onItsWay = 250 * time.Millisecond

// dropsOnly says why cancellation by notification does not apply, "" when it does.
func (e *Evidence) dropsOnly() string {
	if e.Cell.Transport == "http" && e.Facts.Modern() {
		return "over HTTP this revision cancels by dropping the stream, after which nothing can be seen"
	}
	return ""
}

// unreachable says why a slow call cannot be cancelled by notification, "" when it can.
func (e *Evidence) unreachable() string {
	if e.sessionless() {
		return "the server keeps no sessions over HTTP, so a cancellation finds no call"
	}
	return e.dropsOnly()
}

// whyNotSlow says why no slow call was cancelled.
func (e *Evidence) whyNotSlow() Ruling {
	const help = "give a tool the role slow in conform.yaml, with arguments that make it take half a second to five seconds"
	if len(e.Facts.Tools) == 0 {
		return NotApplicable("the server lists no tools")
	}
	if e.overtakes(e.Get("cancelled:id/cancel"), e.Get("cancelled:id")) {
		return NotSeen("the cancellation may have come before the call: over HTTP they go by different connections, and the stream of the call was opened later")
	}
	if x := e.Get("whole"); x.Refused() {
		return NotSeen(fmt.Sprintf("%s fails with the arguments that it was given, and when a failure comes says nothing about cancellation; %s", toolName(x), help))
	}
	if x := e.Get("whole"); x.Answered() && e.Facts.Role(JobSlow) != nil {
		return NotSeen(fmt.Sprintf("%s is too quick or too slow to be cancelled with the arguments of its role; %s", toolName(x), help))
	}
	return NotSeen("no slow tool was seen; " + help)
}

// took is the time from a request to its answer.
func (e *Evidence) took(x *Exchange) time.Duration {
	if !x.Answered() {
		return 0
	}
	return x.Tape.Events()[x.AnswerAt].At - x.Sent.At
}

// cancelled is a slow call that was cancelled.
type cancelled struct {
	x, by, whole *Exchange
	// answer is how long after the cancellation an answer came, -1 when none did.
	answer time.Duration
	// watched says that it was listened to for longer than the call takes.
	watched bool
	// read is when the server has surely read the cancellation: when a request
	// sent after it was answered. When that got no answer, two seconds after it.
	read time.Duration
}

func (e *Evidence) cancelled(label string) *cancelled {
	c := &cancelled{x: e.Get(label), by: e.Get(label + "/cancel"), whole: e.Get("whole"), answer: -1}
	if c.x.Unusable() || c.by == nil || e.overtakes(c.by, c.x) || !c.whole.Answered() || c.whole.Refused() || e.took(c.whole) < slowEnough || e.took(c.whole) > longestSlow {
		return nil
	}
	events := c.x.Tape.Events()
	c.read = c.by.Sent.At
	switch canary := e.Get("alive:read"); {
	case canary.Answered():
		c.read = events[canary.AnswerAt].At
	case canary != nil:
		c.read += 2 * time.Second
	}
	if c.x.Answered() {
		c.answer = events[c.x.AnswerAt].At - c.by.Sent.At
		c.watched = true
		return c
	}
	after := e.Get("alive:cancelled") // what was asked when the listening was over
	c.watched = after != nil && after.Sent.At-c.x.Sent.At > e.took(c.whole)+e.took(c.whole)/8
	return c
}

// crossed says that the answer was on its way when the cancellation was sent:
// it came first, or right after it and is that of a whole run.
func (c *cancelled) crossed() bool {
	if !c.x.Answered() {
		return false
	}
	return c.x.AnswerAt < c.by.At || c.answer < c.grace() && c.likeWhole()
}

// likeWhole says that the answer is that of a whole run: the same, or but for
// its numbers the same and not much earlier. Some answers count calls.
func (c *cancelled) likeWhole() bool {
	a, b := saidBy(c.x), saidBy(c.whole)
	if a == b {
		return true
	}
	early := 2*(c.x.Tape.Events()[c.x.AnswerAt].At-c.x.Sent.At) < c.whole.Tape.Events()[c.whole.AnswerAt].At-c.whole.Sent.At
	return !early && withoutDigits(a) == withoutDigits(b)
}

func withoutDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, s)
}

// grace is how long after the cancellation things may still have been on their way.
func (c *cancelled) grace() time.Duration { return c.read - c.by.Sent.At + onItsWay }

func (c *cancelled) proof() []*Exchange { return []*Exchange{c.x, c.by} }

func judgeNoAnswerAfter(e *Evidence) Ruling {
	if why := e.unreachable(); why != "" {
		return NotApplicable(why)
	}
	c := e.cancelled("cancelled:id")
	switch {
	case c == nil:
		return e.whyNotSlow()
	case c.crossed():
		return NotSeen("the answer crossed the cancellation")
	case c.x.Answered():
		return Broken(Fault{Subject: toolName(c.x), Expected: "no answer to a cancelled call", Observed: fmt.Sprintf("an answer %d ms after the cancellation: %s", c.answer.Milliseconds(), sayAnswer(c.x)), Proof: c.proof()})
	case !c.watched:
		return NotSeen("the call was not listened to for as long as it takes")
	}
	return Passed("", c.proof()...)
}

// progressAfter are the notifications of a cancelled call that came too late
// to have been on their way.
func (c *cancelled) progressAfter() []*wire.Event {
	return slices.DeleteFunc(progressOf(c.x), func(ev *wire.Event) bool { return ev.At < c.by.Sent.At+c.grace() })
}

// wouldReport says that the whole run reported progress at a time at which the
// cancelled one was to be silent.
func (e *Evidence) wouldReport(c *cancelled) bool {
	silent := c.by.Sent.At - c.x.Sent.At + c.grace()
	return slices.ContainsFunc(progressOf(c.whole), func(ev *wire.Event) bool { return ev.At-c.whole.Sent.At > silent+50*time.Millisecond })
}

func judgeStops(e *Evidence) Ruling {
	if why := e.unreachable(); why != "" {
		return NotApplicable(why)
	}
	c := e.cancelled("cancelled:id")
	if c == nil {
		return e.whyNotSlow()
	}
	if after := c.progressAfter(); len(after) > 0 && !c.crossed() {
		return Broken(Fault{
			Subject: toolName(c.x), Expected: "no progress of a cancelled call", Observed: fmt.Sprintf("%s more than %d ms after the cancellation", count(len(after), "notification"), c.grace().Milliseconds()),
			Proof: append(c.proof(), loneFrame(received{event: after[0], tape: c.x.Tape})),
		})
	}
	if !e.wouldReport(c) {
		return NotSeen("the slow tool reports no progress after the moment of cancellation, so its end cannot be seen; give the role slow to a tool that reports progress")
	}
	return Passed("", c.proof()...)
}

func judgeSilentOnStdio(e *Evidence) Ruling {
	switch {
	case e.Cell.Transport == "http":
		return NotApplicable("belongs to stdio")
	case !e.Facts.Modern():
		return NotApplicable("belongs to 2026-07-28")
	}
	c := e.cancelled("cancelled:id")
	switch {
	case c == nil:
		return e.whyNotSlow()
	case c.crossed():
		return NotSeen("the answer crossed the cancellation")
	case c.x.Answered():
		return Broken(Fault{Subject: toolName(c.x), Expected: "nothing more for a cancelled call", Observed: fmt.Sprintf("an answer %d ms after the cancellation: %s", c.answer.Milliseconds(), sayAnswer(c.x)), Proof: c.proof()})
	case len(c.progressAfter()) > 0:
		after := c.progressAfter()
		return Broken(Fault{Subject: toolName(c.x), Expected: "nothing more for a cancelled call", Observed: count(len(after), "progress notification"), Proof: append(c.proof(), loneFrame(received{event: after[0], tape: c.x.Tape}))})
	case !c.watched:
		return NotSeen("the call was not listened to for as long as it takes")
	}
	return Passed("", c.proof()...)
}

func judgeIDZero(e *Evidence) Ruling {
	if why := e.unreachable(); why != "" {
		return NotApplicable(why)
	}
	zero, other := e.cancelled("cancelled:zero"), e.cancelled("cancelled:id")
	switch {
	case zero == nil || other == nil:
		return e.whyNotSlow()
	case other.x.Answered():
		return NotSeen("calls with other ids are answered after their cancellation as well; cancellation/no-answer-after tells of it")
	case zero.crossed() || !zero.watched:
		return NotSeen("the answer crossed the cancellation")
	case zero.x.Answered():
		return Broken(Fault{Subject: "a call with id 0", Expected: "no answer, as for the call with id " + other.x.Request.ID, Observed: fmt.Sprintf("an answer %d ms after the cancellation: %s", zero.answer.Milliseconds(), sayAnswer(zero.x)), Proof: append(zero.proof(), other.x)})
	}
	return Passed("", zero.proof()...)
}

// judgeIgnored looks whether the server lives after cancellations of one kind,
// and whether anything came back for them.
func judgeIgnored(e *Evidence, kind string) Ruling {
	if why := e.dropsOnly(); why != "" {
		return NotApplicable(why)
	}
	var r Ruling
	for _, x := range e.All("alive:" + kind) {
		cancel := e.Get("nothing:" + strings.TrimPrefix(x.Label, "alive:"))
		if cancel == nil {
			continue
		}
		what := "requestId " + orNone(cancel.Request.Root.Get("params.requestId"))
		if x.Lost() != "" {
			r = r.add(x, &Fault{Subject: what, Expected: "a server that lives on", Observed: x.Lost(), Proof: []*Exchange{cancel, x}})
			continue
		}
		var f *Fault
		if back := cameBack(cancel, x); back != nil {
			f = &Fault{Subject: what, Expected: "nothing", Observed: short(string(back.Raw), 200), Proof: []*Exchange{cancel, loneFrame(received{event: back, tape: x.Tape})}}
		}
		r = r.add(x, f)
	}
	return r
}

// cameBack is a response that came after a cancellation and answers no request of ours.
func cameBack(cancel, alive *Exchange) *wire.Event {
	events, end := cancel.Tape.Events(), alive.EndAt
	if end < 0 { // the recording stops before
		end = len(events)
	}
	return unasked(events, cancel.At+1, end)
}

// unasked is a response among the events from one to another that answers no
// request of ours, and is no refusal of an HTTP request.
func unasked(events []wire.Event, from, to int) *wire.Event {
	open := map[string]bool{}
	for i := range events[:to] {
		m := events[i].Message()
		switch {
		case events[i].Kind == wire.Send && m.Method != "" && m.ID != "":
			open[m.ID] = true
		case events[i].Kind == wire.Recv && m.IsResponse():
			if i >= from && !open[m.ID] && (events[i].HTTP == nil || events[i].HTTP.Status < 400) {
				return &events[i]
			}
			delete(open, m.ID)
		}
	}
	return nil
}

func judgeUsable(e *Evidence) Ruling {
	if why := e.dropsOnly(); why != "" {
		return NotApplicable(why)
	}
	x := e.Get("usable")
	if x.Unusable() || e.Get("alive:unknown-number").Lost() != "" {
		return NotSeen("the id was not used afterwards")
	}
	return Ruling{}.add(x, lostFault(x, "an answer to a request whose id was cancelled before it was used"))
}

func judgeRace(e *Evidence) Ruling {
	if why := e.dropsOnly(); why != "" {
		return NotApplicable(why)
	}
	var r Ruling
	for _, x := range e.All("race") {
		if x.Label != "race" || x.Unusable() {
			continue
		}
		r.Seen++
		if len(x.Further) > 0 {
			r.Faults = append(r.Faults, Fault{Subject: "id " + x.Request.ID, Expected: "at most one answer", Observed: count(1+len(x.Further), "answer"), Proof: []*Exchange{x}})
		}
	}
	if r.Seen == 0 {
		return NotSeen("no requests were cancelled at once")
	}
	for _, alive := range e.All("alive:race-") {
		r = r.add(alive, lostFault(alive, "an answer after requests and their cancellations back to back"))
	}
	return r
}

// serverCancels lists the cancellations that the server sent to anybody.
func (e *Evidence) serverCancels() []received {
	return slices.DeleteFunc(slices.Clone(e.frames()), func(f received) bool { return f.event.Message().Method != "notifications/cancelled" })
}

func judgeOwnRequests(e *Evidence) Ruling {
	if e.Facts.Modern() {
		return NotApplicable("servers send no requests under 2026-07-28")
	}
	var r Ruling
	for _, f := range e.serverCancels() {
		r.Seen++
		id := f.event.Message().Root.Get("params.requestId")
		if why := ownRequest(f, id.Raw); why != "" {
			r.Faults = append(r.Faults, Fault{Subject: "requestId " + orNone(id), Expected: "the id of an open request of the server", Observed: why, Proof: proofOf(f)})
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server cancelled nothing")
	}
	return r
}

// ownRequest says why an id is none of an open request of the server; "" when it is one.
func ownRequest(f received, id string) string {
	sent := false
	for _, ev := range f.tape.Events() {
		m := ev.Message()
		switch {
		case ev.At == f.event.At && string(ev.Raw) == string(f.event.Raw):
			if sent {
				return ""
			}
			return "an id that no request of the server has"
		case ev.Kind == wire.Recv && m.IsRequest() && m.ID == id:
			sent = true
		case ev.Kind == wire.Send && m.IsResponse() && m.ID == id && ev.At+onItsWay < f.event.At:
			return "the id of a request that was answered before"
		}
	}
	return ""
}

func judgeOnlyForListen(e *Evidence) Ruling {
	if !e.Facts.Modern() {
		return NotApplicable("belongs to 2026-07-28")
	}
	var r Ruling
	for _, f := range e.serverCancels() {
		r.Seen++
		id := f.event.Message().Root.Get("params.requestId")
		if !slices.ContainsFunc(f.tape.Events(), func(ev wire.Event) bool {
			return ev.Kind == wire.Send && ev.Message().Method == "subscriptions/listen" && ev.Message().ID == id.Raw
		}) {
			r.Faults = append(r.Faults, Fault{Subject: "requestId " + orNone(id), Expected: "the id of a subscriptions/listen request", Observed: "the id of something else", Proof: proofOf(f)})
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server cancelled nothing")
	}
	return r
}

func judgeStreamDrop(e *Evidence) Ruling {
	if e.Cell.Transport != "http" {
		return NotApplicable("there is no stream to drop")
	}
	x, alive := e.Get("dropped"), e.Get("alive:dropped")
	if x == nil || alive == nil {
		return e.whyNotSlow()
	}
	if f := lostFault(alive, "an answer after the stream of a call was dropped"); f != nil {
		return Broken(*f)
	}
	resume := e.Get("resume")
	switch {
	case e.Facts.Modern():
		return Passed("the server lives on", alive)
	case resume == nil:
		return Passed("the server lives on; without event ids nobody can come back for the answer", alive)
	case x.Answered():
		return Passed("the answer was fetched after the stream was dropped", x, resume)
	case resume.Status() != 200 || !resume.Head.HTTP.SSE:
		return Passed("the server lives on; it did not take the stream up again", alive, resume)
	}
	return Broken(Fault{Subject: toolName(x), Expected: "the answer, for a client that comes back with Last-Event-ID", Observed: "none: the dropped stream took the call with it", Proof: []*Exchange{x, resume}})
}
