package suite

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

// lookBack is how far before its answer a question is looked for, in events.
const lookBack = 2000

// scriptsOf works out what has to be sent so that the exchanges happen again.
// Of what was under way or came before when something was sent unasked it takes
// at most so many requests.
func scriptsOf(rec *scenarios.Record, f scenarios.Fault, history bool, most int) []*script {
	var out []*script
	for i, p := range slices.Concat(f.With, f.Proof) {
		if p == nil || p.Tape == nil {
			continue
		}
		at := slices.IndexFunc(out, func(s *script) bool { return s.tape == p.Tape })
		if at < 0 {
			at, out = len(out), append(out, &script{tape: p.Tape})
		}
		out[at].include(rec, p, most)
		for j := range out[at].steps {
			x := &out[at].steps[j]
			x.counts = x.counts || x.at == p.At
			x.together = x.together || x.at == p.At && i < len(f.With)
		}
	}
	out = slices.DeleteFunc(out, func(s *script) bool { return len(s.steps) == 0 })
	out = joined(rec, out)
	for _, s := range out {
		s.complete(rec, history)
	}
	return out
}

func (s *script) has(at int) bool {
	return slices.ContainsFunc(s.steps, func(x step) bool { return x.at == at })
}

func (s *script) add(x *scenarios.Exchange) {
	if x != nil && x.Sent.Kind == wire.Send && !s.has(x.At) {
		s.steps = append(s.steps, stepOf(x))
	}
}

func stepOf(x *scenarios.Exchange) step {
	end := max(x.EndAt, x.AnswerAt)
	open := end
	if events := x.Tape.Events(); end < 0 || x.AnswerAt >= 0 && len(textsOf(events[x.AnswerAt].Raw, "taskId")) > 0 && strings.HasPrefix(x.Request.Method, "tools/") {
		open = len(events)
	}
	return step{event: x.Sent, at: x.At, end: end, open: open, dropped: x.End == "dropped", rounds: x.End == "rounds"}
}

// include takes an exchange of the proof, or what was under way when a frame came unasked.
func (s *script) include(rec *scenarios.Record, p *scenarios.Exchange, most int) {
	events := s.tape.Events()
	last := max(p.At, p.AnswerAt)
	for _, f := range p.Further {
		s.until = max(s.until, f.At)
	}
	if last < len(events) {
		s.until = max(s.until, events[last].At)
	}
	if p.Sent.Kind == wire.Send {
		s.add(p)
		if p.AnswerAt >= 0 {
			s.stream(rec, events[p.AnswerAt].Post)
		}
		return
	}
	s.last = max(s.last, p.At)
	s.stream(rec, p.Sent.Post)
	if s.ownProgress(rec, p) {
		return
	}
	var under, before []*scenarios.Exchange
	for _, x := range rec.Exchanges(s.tape) {
		if x.At >= p.At || x.Sent.Kind != wire.Send || x.Request.Method == "" || x.Request.ID == "" {
			continue
		}
		before = append(before, x)
		if x.EndAt < 0 || x.EndAt >= p.At {
			under = append(under, x)
		}
	}
	for _, v := range textsOf(p.Sent.Raw, "taskId") {
		if x := s.source(rec, "taskId", v, p.At); x != nil {
			s.add(x)
			return
		}
	}
	s.unasked = append(s.unasked, p.Sent.Message().Method)
	s.after = append(s.after, s.elsewhere(rec, p)...)
	if s.tape.Transport == overHTTP { // there a request takes more room
		before = lastOfEach(before)
	}
	if s.onCall(rec, p) { // what came before has nothing to do with it
		before = nil
	}
	if len(s.after) > 0 {
		most = most * 2 / 3
	}
	for _, x := range slices.Concat(under[max(0, len(under)-most):], before[max(0, len(before)-most):]) {
		if s.levelBeside(rec, x) || spelled(x.Sent.Raw, maxCommand) > maxBeside {
			continue
		}
		s.add(x)
	}
}

// onCall says that a frame came over HTTP on the stream of a request that ends
// with its answer.
func (s *script) onCall(rec *scenarios.Record, p *scenarios.Exchange) bool {
	x := s.sender(rec, p.Sent.Post)
	return x != nil && x.Request.IsRequest() && x.Request.Method != "subscriptions/listen"
}

// ownProgress says that a frame is the progress of the call on whose stream it
// came, over HTTP: nothing else has to be under way for it.
func (s *script) ownProgress(rec *scenarios.Record, p *scenarios.Exchange) bool {
	const token = "progressToken"
	x, m := s.sender(rec, p.Sent.Post), p.Sent.Message()
	named := m.Root.Get("params." + token)
	return x != nil && m.Method == "notifications/progress" && named.Exists() && x.Request.Root.Get("params._meta."+token).Raw == named.Raw
}

// stream adds the HTTP request on whose stream something came.
func (s *script) stream(rec *scenarios.Record, post int) {
	if x := s.sender(rec, post); x != nil {
		s.add(x)
		s.steps[slices.IndexFunc(s.steps, func(y step) bool { return y.at == x.At })].counts = true
	}
}

// sender is the HTTP request of a number, nil where there is none.
func (s *script) sender(rec *scenarios.Record, post int) *scenarios.Exchange {
	for _, x := range rec.Exchanges(s.tape) {
		if post > 0 && x.Sent.Post == post {
			return x
		}
	}
	return nil
}

// source is the first exchange whose answer names a value.
func (s *script) source(rec *scenarios.Record, member, value string, before int) *scenarios.Exchange {
	for _, x := range rec.Exchanges(s.tape) {
		if x.AnswerAt >= 0 && x.AnswerAt < before && slices.Contains(textsOf(s.tape.Events()[x.AnswerAt].Raw, member), value) {
			return x
		}
	}
	return nil
}

// complete adds what the steps rest on: the opening, what sets the server's
// state, answers to its questions, and the requests whose answers name a value
// that a step sends back. Where history matters, or the session was opened for
// this alone, it adds all that was sent before. Then it puts all in order.
func (s *script) complete(rec *scenarios.Record, history bool) {
	all := rec.Exchanges(s.tape)
	last, scopes := 0, map[string]bool{}
	for _, x := range s.steps {
		last = max(last, x.at)
		scopes[scope(x.event.Probe)] = true
	}
	history = history || !s.http() && len(all) <= ownSession && !slices.ContainsFunc(all, func(x *scenarios.Exchange) bool {
		return x.Sent.Kind == wire.Send && x.Request.Method != "" && !strings.HasPrefix(x.Sent.Probe, "open/") && !scopes[scope(x.Sent.Probe)]
	})
	forEver, replies := slices.ContainsFunc(s.steps, func(x step) bool { return x.rounds }), 0
	for _, x := range all {
		if len(s.steps) > maxScript {
			break // more than a line can hold
		}
		kind := x.Request
		switch {
		case x.Sent.Kind != wire.Send || s.has(x.At):
		case opening(x.Sent) || s.http() && x.Request.Method == "initialize" && x.Head != nil && x.Head.HTTP.Header.Get("Mcp-Session-Id") != "":
			if x.At < last {
				s.add(x)
			}
		case kind.Method == "" && kind.ID != "":
			if s.answers(x) && !(forEver && replies >= enoughRounds) {
				replies++
				s.add(x)
				s.stream(rec, s.tape.Events()[s.question(kind.ID, x.At)].Post)
			}
		case x.At < last && setsState(x) && !s.levelBeside(rec, x) && (s.stateOf(x) || len(s.unasked) == 0 && scopes[scope(x.Sent.Probe)]):
			s.add(x)
		case !scopes[scope(x.Sent.Probe)]:
		case x.At < last && history || s.during(x.At) && kind.ID == "":
			s.add(x)
		}
	}
	for _, x := range s.after {
		s.depend(rec, x.event, len(s.tape.Events()))
	}
	for i := 0; i < len(s.steps) && i <= maxScript; i++ { // it grows
		s.depend(rec, s.steps[i].event, s.steps[i].at)
	}
	for _, c := range s.captured { // what was done to a task meanwhile
		for _, x := range all {
			if x.At < last && c.member == "taskId" && slices.Contains(textsOf(x.Sent.Raw, c.member), c.value) {
				s.add(x)
			}
		}
	}
	slices.SortFunc(s.steps, func(a, b step) int { return a.at - b.at })
	if len(s.steps) > maxScript {
		return
	}
	events := s.tape.Events()
	for i := range events {
		if e := &events[i]; e.Kind == wire.Recv && e.Message().IsRequest() && s.during(i) {
			s.questions = append(s.questions, i)
		}
	}
}

// opening says that a frame belongs to how conform opened the session. Lists and
// streams that it opened by the way do not.
func opening(e *wire.Event) bool {
	return strings.HasPrefix(e.Probe, "open/") && !strings.HasSuffix(e.Probe, "/list") && (e.HTTP == nil || e.HTTP.Method == http.MethodPost)
}

// during says that a request among the steps was under way.
func (s *script) during(at int) bool {
	return slices.ContainsFunc(s.steps, func(x step) bool {
		m := x.event.Message()
		return x.at < at && at <= x.open && m.ID != "" && m.Method != ""
	})
}

// answers says that a response of ours answers a question that came while a
// request among the steps was under way.
func (s *script) answers(x *scenarios.Exchange) bool {
	q := s.question(x.Request.ID, x.At)
	return q >= 0 && s.during(q)
}

// question is where the question of an id is on the tape, -1 when there is none.
func (s *script) question(id string, before int) int {
	events := s.tape.Events()
	for i := before - 1; i >= max(0, before-lookBack); i-- {
		if m := events[i].Message(); events[i].Kind == wire.Recv && m.ID == id && m.IsRequest() {
			return i
		}
	}
	return -1
}

func scope(label string) string {
	scope, _, _ := strings.Cut(label, "/")
	return scope
}

// stateOf says that what came unasked may depend on what a request sets: a log
// message on the level, a change on subscriptions, a question on none but that
// for roots, and what is not known on all.
func (s *script) stateOf(x *scenarios.Exchange) bool {
	return slices.ContainsFunc(s.unasked, func(method string) bool {
		switch {
		case method == "notifications/message":
			return setsLevel(x) || logLevel(x)
		case method == "notifications/resources/updated" || strings.HasSuffix(method, "/list_changed"):
			return strings.Contains(x.Request.Method, "subscri")
		case method == "roots/list":
			return x.Request.Method == "notifications/roots/list_changed"
		case method == "notifications/progress" || method == "elicitation/create" || method == "sampling/createMessage":
			return false
		}
		return true
	})
}

// logLevel says that a request sets the level of logs for itself.
func logLevel(x *scenarios.Exchange) bool {
	return bytes.Contains(x.Sent.Raw, []byte(`"io.modelcontextprotocol/logLevel"`))
}

// setsState says that a request changes what later ones get.
func setsState(x *scenarios.Exchange) bool {
	method := x.Request.Method
	return logLevel(x) || slices.Contains([]string{"logging/setLevel", "resources/subscribe", "resources/unsubscribe", "subscriptions/listen", "notifications/roots/list_changed"}, method)
}
