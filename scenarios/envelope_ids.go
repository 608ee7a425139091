package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

func judgeIDEcho(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.last("id:") {
		if f := e.idFault(x); f != nil || x.Answered() {
			r = r.add(x, f)
		}
	}
	return r
}

func judgeIDEmpty(e *Evidence) Ruling {
	x := e.lastOf("empty-id")
	if x.Unusable() {
		return NotSeen("the request was not sent")
	}
	f := e.idFault(x)
	if f == nil && !x.Answered() {
		return NotSeen("the request was refused for another reason")
	}
	return Ruling{}.add(x, f)
}

// lastOf returns the last exchange of one label, nil when it was not sent.
func (e *Evidence) lastOf(label string) *Exchange {
	for _, x := range e.last(label) {
		if x.Label == label {
			return x
		}
	}
	return nil
}

// idFault says how the id of a request came back, nil when it came back right
// or when the request failed for another reason.
func (e *Evidence) idFault(x *Exchange) *Fault {
	if x.Answered() {
		return nil
	}
	if m := e.misnamed(x); m != nil {
		return &Fault{
			Subject: "id " + short(x.Request.ID, 60), Expected: "an answer with id " + short(x.Request.ID, 60),
			Observed: "an answer with " + sayID(m), Proof: []*Exchange{x},
		}
	}
	if x.Body != nil || x.End == "http" {
		return nil // an HTTP refusal: how requests fail there is judged elsewhere
	}
	f := lostFault(x, "an answer with id "+short(x.Request.ID, 60))
	if f != nil {
		f.Subject = "id " + short(x.Request.ID, 60)
	}
	return f
}

func sayID(m *wire.Message) string {
	if m.ID == "" {
		return "no id"
	}
	return "id " + short(m.ID, 60)
}

// misnamed finds the answer that a request got under another id: the first
// response behind it that belongs to nobody and whose id is the same in other
// writing, or no usable id at all. Over HTTP it came to the request's own POST.
func (e *Evidence) misnamed(x *Exchange) *wire.Message {
	owned, surplus := map[string]bool{}, map[*wire.Event]bool{}
	for _, y := range e.Run.Exchanges(x.Tape) {
		owned[y.Request.ID] = true
		for _, ev := range y.Further {
			surplus[ev] = true
		}
	}
	events := x.Tape.Events()
	for i := x.At + 1; i < len(events); i++ {
		ev := &events[i]
		if ev.Kind != wire.Recv || x.Sent.Post > 0 && ev.Post != x.Sent.Post {
			continue
		}
		for _, m := range members(ev.Message()) {
			if m.IsResponse() && (!owned[m.ID] || surplus[ev]) && (x.Sent.Post > 0 || akin(x.Request.ID, m.ID)) {
				return m
			}
		}
	}
	return nil
}

// akin says that an id may be what a server made of another.
func akin(sent, got string) bool {
	switch got {
	case "", "null", "0", `""`:
		return true
	}
	a, b := idText(sent), idText(got)
	if a == b {
		return true
	}
	n, err := strconv.ParseFloat(a, 64)
	m, err2 := strconv.ParseFloat(b, 64)
	if err == nil && err2 == nil {
		return n == m || int32(int64(n)) == int32(int64(m)) || m == float64(int64(n))
	}
	// Garbled text keeps its plain letters.
	return ascii(a) != "" && ascii(a) == ascii(b)
}

func idText(id string) string {
	if v := gjson.Parse(id); v.Type == gjson.String {
		return v.Str
	}
	return id
}

func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x21 || r > 0x7e || r == '?' {
			return -1
		}
		return r
	}, s)
}

func judgeIDUnicode(e *Evidence) Ruling {
	return e.eachFrame(func(x *Exchange) *Fault {
		if x.Answered() || e.decodedEcho(x) || x.Status() >= 400 {
			return nil
		}
		observed := "no answer under this id"
		if how := e.survived(x); how != "" {
			observed = how
		} else if m := e.misnamed(x); m != nil {
			observed = "an answer with " + sayID(m)
		}
		return &Fault{Expected: "an answer with id " + short(x.Request.ID, 60), Observed: observed}
	}, "unicode:")
}

// decodedEcho says that a response came whose id is the same text in other escapes.
func (e *Evidence) decodedEcho(x *Exchange) bool {
	want := gjson.Parse(x.Request.ID)
	for _, ev := range x.Tape.Events()[x.At:] {
		if ev.Kind != wire.Recv || !ev.Message().IsResponse() {
			continue
		}
		if got := gjson.Parse(ev.Message().ID); got.Type == gjson.String && want.Type == gjson.String && got.Str == want.Str {
			return true
		}
	}
	return false
}

func judgeOneAnswer(e *Evidence) Ruling {
	var r Ruling
	for _, t := range e.Tapes() {
		lost := false
		for _, x := range e.Run.Exchanges(t) {
			lost = lost || x.End == "silent"
		}
		for _, x := range e.Run.Exchanges(t) {
			if !x.Answered() {
				continue
			}
			r.Seen++
			again := further(x)
			if again == nil || len(r.Faults) >= 20 || lost && again.Message().HasError {
				continue // an error under a wrong id belongs to a request that lacks its answer
			}
			r.Faults = append(r.Faults, Fault{
				Subject: x.Request.Method, Expected: "one answer to id " + short(x.Request.ID, 60),
				Observed: fmt.Sprintf("a further answer after %s", again.At-x.Tape.Events()[x.AnswerAt].At), Proof: []*Exchange{x},
			})
		}
	}
	return r
}

// further is a second answer to a request. A stream that was taken up again
// after a break may rightly repeat what it carried.
func further(x *Exchange) *wire.Event {
	for _, ev := range x.Further {
		if ev.Post == x.Tape.Events()[x.AnswerAt].Post {
			return ev
		}
	}
	return nil
}

func judgeErrorID(e *Evidence) Ruling {
	var r Ruling
	for _, x := range slices.Concat(e.last("params:"), e.last("method:"), e.last("missing:"), e.last("id:error")) {
		switch {
		case x.IsRPCError():
			r = r.add(x, nil)
		case x.Answered() || x.Unusable():
		default:
			m := e.misnamed(x)
			if m != nil && m.HasError {
				r = r.add(x, &Fault{Subject: x.Request.Method, Expected: "an error with id " + short(x.Request.ID, 60), Observed: "an error with " + sayID(m), Proof: []*Exchange{x}})
			}
		}
	}
	if r.Seen == 0 {
		return NotSeen("no request was refused with a JSON-RPC error")
	}
	return r
}

func judgeNoReply(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.last("notify:") {
		var f *Fault
		for _, m := range e.replies(x) {
			if x.Sent.Post > 0 && x.Status() >= 400 {
				continue // over HTTP a refusal may have an error as its body
			}
			f = &Fault{Subject: x.Request.Method, Expected: "no answer", Observed: short(string(m.event.Raw), 200), Proof: []*Exchange{x}}
		}
		if x.Sent.Post == 0 && e.behind(x) == nil {
			continue
		}
		r.Seen++
		if f == nil {
			r.Proof = append(r.Proof, x)
			continue
		}
		r.Faults = append(r.Faults, *f)
	}
	return r
}

func judgeIdless(e *Evidence) Ruling {
	all := e.last("idless:")
	if len(all) == 0 {
		return NotSeen("no tool may be called; allow one with --allow or a role in conform.yaml")
	}
	var r Ruling
	for _, x := range all {
		r.Seen++
		r.Proof = append(r.Proof, x)
		fault := func(observed string) {
			r.Faults = append(r.Faults, Fault{Subject: toolName(x), Expected: "no answer, and no call", Observed: observed, Proof: []*Exchange{x}})
		}
		for _, m := range e.replies(x) {
			if m.msg.HasResult {
				fault("a result: " + short(string(m.event.Raw), 200))
			}
		}
		for _, ev := range x.Tape.Events()[x.At:] {
			if m := ev.Message(); ev.Kind == wire.Recv && m.Method == "notifications/progress" && m.Root.Get("params.progressToken").Str == idlessToken+toolName(x) {
				fault("progress of the call: the tool ran")
				break
			}
		}
	}
	return r
}

func judgeNotificationID(e *Evidence) Ruling {
	var r Ruling
	for _, t := range e.Tapes() {
		events := t.Events()
		for i := range events {
			ev := &events[i]
			m := ev.Message()
			if ev.Kind != wire.Recv || m.Method == "" {
				continue
			}
			r.Seen++
			if strings.HasPrefix(m.Method, "notifications/") && m.ID != "" && len(r.Faults) < 10 {
				r.Faults = append(r.Faults, Fault{Subject: m.Method, Expected: "no id", Observed: "id " + short(m.ID, 60), Proof: []*Exchange{loneFrame(received{event: ev, tape: t})}})
			}
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server sent no notification")
	}
	return r
}

func judgeServerIDs(e *Evidence) Ruling {
	var r Ruling
	for _, t := range e.Tapes() {
		seen := map[string]bool{}
		events := t.Events()
		for i := range events {
			ev := &events[i]
			m := ev.Message()
			if ev.Kind != wire.Recv || !m.IsRequest() || strings.HasPrefix(m.Method, "notifications/") {
				continue
			}
			r.Seen++
			if seen[m.ID] && len(r.Faults) < 10 {
				r.Faults = append(r.Faults, Fault{Subject: m.Method, Expected: "an id that was not used before", Observed: "id " + short(m.ID, 60) + " again", Proof: []*Exchange{loneFrame(received{event: ev, tape: t})}})
			}
			seen[m.ID] = true
		}
	}
	if r.Seen == 0 {
		return NotSeen("the server sent no request of its own; give a tool the role asks in conform.yaml")
	}
	return r
}
