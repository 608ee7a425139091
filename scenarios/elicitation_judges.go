package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// needsCapability names the capability that a request to the client needs.
func needsCapability(method string) string {
	return map[string]string{
		"elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots",
	}[method]
}

// toClient is a request of the server, with what the client had declared by then.
type toClient struct {
	tape     *wire.Tape
	event    *wire.Event
	at       int
	message  *wire.Message
	declared gjson.Result
}

// rootsChanged says that the client told of a change of its roots before.
func (q toClient) rootsChanged() bool {
	return slices.ContainsFunc(q.tape.Events()[:q.at], func(ev wire.Event) bool {
		return ev.Kind == wire.Send && ev.Message().Method == "notifications/roots/list_changed"
	})
}

// requestsToClient lists the requests that the server sent to anybody under
// the cell's revision and transport.
func (e *Evidence) requestsToClient() []toClient {
	return onTapes(e, "requests to the client", func() []toClient { return e.requestsUnder(e.Cell.Revision) })
}

// requestsUnder lists those of one revision, "" standing for all.
func (e *Evidence) requestsUnder(revision string) []toClient {
	var out []toClient
	for _, t := range e.Run.Select("", revision, e.Cell.Transport) {
		var declared gjson.Result
		events := t.Events()
		for i := range events {
			ev := &events[i]
			m := ev.Message()
			switch {
			case ev.Kind == wire.Send && m.Method == "initialize":
				declared = m.Root.Get("params.capabilities")
			case ev.Kind == wire.Recv && m.IsRequest() && needsCapability(m.Method) != "":
				out = append(out, toClient{t, ev, i, m, declared})
			}
		}
	}
	return out
}

// proof shows the request itself.
func (q toClient) proof() []*Exchange {
	return []*Exchange{{Label: "received", Tape: q.tape, Sent: q.event, At: q.at, Request: q.message, AnswerAt: -1, EndAt: q.at, End: "answered"}}
}

// undeclared are the faults of requests that the client had declared nothing
// for, "" standing for all three kinds. Sessions of all handshake revisions
// count, also of those that have no questions yet.
func (e *Evidence) undeclared(method string) []Fault {
	var out []Fault
	seen := map[string]bool{}
	for _, q := range e.requestsUnder("") {
		if fakes.Modern(q.tape.Revision) {
			continue // those may send no requests at all
		}
		if q.message.Method == "roots/list" && q.rootsChanged() {
			continue // a client that tells of its roots is taken to have some
		}
		need := needsCapability(q.message.Method)
		if method != "" && method != q.message.Method || q.declared.Get(need).IsObject() || seen[need] {
			continue
		}
		seen[need] = true
		out = append(out, Fault{
			Subject: q.message.Method, Expected: "no request that needs " + need + ", which the client did not declare",
			Observed: q.message.Method + " with id " + short(q.message.ID, 40), Proof: q.proof(),
		})
	}
	return out
}

func judgeOnlyIfDeclared(e *Evidence) Ruling {
	if f := e.undeclared(""); len(f) > 0 {
		return Broken(f...)
	}
	if !e.talk("accept").asked() {
		return e.whyNothingAsked()
	}
	if x := e.Get("without"); x.Answered() {
		return Passed("the tool that asks clients with forms asked nothing of one without", x)
	}
	return NotSeen("the asking tool was not called by a client without forms, or gave no answer")
}

func judgeCarriesOn(e *Evidence) Ruling {
	if !e.talk("accept").asked() {
		return e.whyNothingAsked()
	}
	x := e.Get("without")
	if x.Unusable() {
		return NotSeen("the asking tool was not called by a client without forms")
	}
	return Ruling{}.add(x, properEnd(x, "a result, or an error that says what is missing"))
}

// properEnd is the fault of a call that did not end, or ended in an error that
// speaks of a broken server or of a method that does not exist.
func properEnd(x *Exchange, expected string) *Fault {
	switch {
	case x.Lost() != "":
		return &Fault{Subject: toolName(x), Expected: expected, Observed: x.Lost(), Proof: []*Exchange{x}}
	case x.Code() == -32603, x.Code() == -32601:
		return &Fault{Subject: toolName(x), Expected: expected, Observed: sayAnswer(x), Proof: []*Exchange{x}}
	}
	return nil
}

func judgeModeSupported(e *Evidence) Ruling {
	t := e.talk("pages-only")
	if t == nil {
		if !e.talk("accept").asked() {
			return e.whyNothingAsked()
		}
		return NotApplicable("the revision knows forms alone")
	}
	for _, r := range t.rounds {
		if q := r[0]; q.method == "elicitation/create" && q.params.Get("mode").Str != "url" {
			return Broken(Fault{Subject: toolName(t.call), Expected: "no form for a client that declares url alone", Observed: "a form: " + short(q.params.Get("message").String(), 120), Proof: t.proof()})
		}
	}
	if !t.call.Answered() {
		return NotSeen("the call of a client that opens web pages alone was not answered")
	}
	return Passed("", t.call)
}

func judgeRelatedStream(e *Evidence) Ruling {
	if e.Cell.Transport != "http" {
		return NotApplicable("there is one stream alone")
	}
	t := e.talk("accept")
	if !t.asked() {
		return e.whyNothingAsked()
	}
	var r Ruling
	for _, round := range t.rounds {
		q := round[0]
		r.Seen++
		if q.event != nil && q.event.Post != t.call.Sent.Post {
			r.Faults = append(r.Faults, Fault{Subject: toolName(t.call), Expected: "the question on the stream of its call", Observed: "the question on another stream", Proof: t.proof()})
		}
	}
	return r
}

func judgeUnansweredBlocks(e *Evidence) Ruling {
	if !e.talk("accept").asked() {
		return e.whyNothingAsked()
	}
	var r Ruling
	for _, x := range e.All("open:") {
		const want = "an answer while a question is open"
		f := lostFault(x, want)
		if end := e.Get("cancel-call:id/cancel"); end != nil && x.AnswerAt > end.At {
			f = &Fault{Subject: x.Request.Method, Expected: want, Observed: "an answer once the call that asks was cancelled", Proof: []*Exchange{x}}
		}
		if f != nil {
			f.With = callBefore(e, x)
		}
		r = r.add(x, f)
	}
	return r
}

func judgeWithdraws(e *Evidence) Ruling {
	if !e.talk("accept").asked() {
		return e.whyNothingAsked()
	}
	var r Ruling
	for _, kind := range []struct{ label, what string }{{"cancel-call:id", "a call"}, {"cancel-call:zero", "a call with id 0"}} {
		t := e.talk(kind.label)
		if !t.asked() || !t.rounds[0][0].withdrawn && t.call.Unusable() {
			continue
		}
		r.Seen++
		if q := t.rounds[0][0]; !q.withdrawn {
			r.Faults = append(r.Faults, Fault{
				Subject: kind.what, Expected: "notifications/cancelled for the question, " + short(q.key, 40), Observed: "the question stays open after its call was cancelled",
				Proof: append(t.proof(), e.Get(kind.label+"/cancel")),
			})
			continue
		}
		r.Proof = append(r.Proof, t.call)
	}
	return r
}

func judgeClientError(e *Evidence) Ruling {
	if !e.talk("accept").asked() {
		return e.whyNothingAsked()
	}
	var r Ruling
	for _, x := range e.All("error:") {
		if t := e.talk(x.Label); t.asked() {
			r = r.add(x, properEnd(x, "an answer of the call, after the client answered its question with an error"))
		}
	}
	return r
}

func judgeLateAnswer(e *Evidence) Ruling {
	if !e.talk("accept").asked() {
		return e.whyNothingAsked()
	}
	var r Ruling
	for _, x := range e.All("alive:") {
		what := "an answer that came twice"
		if strings.HasSuffix(x.Label, "late") {
			what = "an answer to a question whose call was cancelled"
		}
		var f *Fault
		if x.Lost() != "" {
			f = &Fault{Subject: what, Expected: "a server that lives on", Observed: x.Lost(), Proof: append(e.All("stray:"+strings.TrimPrefix(x.Label, "alive:")), x)}
			f.With = callBefore(e, x)
		}
		r = r.add(x, f)
	}
	return r
}

// callBefore is the last call before an exchange, and what was notified since.
func callBefore(e *Evidence, x *Exchange) []*Exchange {
	var out []*Exchange
	for _, y := range e.Run.Exchanges(x.Tape) {
		switch {
		case y.At >= x.At:
		case y.Request.Method == "tools/call":
			out = []*Exchange{y}
		case len(out) > 0 && y.Request.ID == "":
			out = append(out, y)
		}
	}
	return out
}

func judgeSlowPerson(e *Evidence) Ruling {
	if !e.talk("accept").asked() {
		return e.whyNothingAsked()
	}
	t := e.talk("slow")
	if !t.asked() {
		return NotSeen("run with --patience 70s to let a person take longer than the 60 seconds that SDK v1 waits")
	}
	q := t.rounds[0][0]
	if q.withdrawn || t.refused() || !t.end.Answered() {
		return Broken(Fault{
			Subject: toolName(t.call), Expected: fmt.Sprintf("the answer of a person who took %d s", e.Facts.Run.PatienceMS/1000),
			Observed: sayAnswer(t.end), Message: "the call was given up before the person answered", Proof: t.proof(),
		})
	}
	return Passed("", t.proof()...)
}
