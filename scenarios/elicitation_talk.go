package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// maxRounds is how often the clients that are known to have a limit answer one
// call: SDK v2, Claude Code and the Go SDK all give up after ten answers.
const maxRounds = 10

// spoken is what somebody says to a question: a result, or the error of a client
// that cannot ask. Neither is silence; in the modern era the answer is then missing.
type spoken struct{ result, fault json.RawMessage }

// script answers the questions of one call. Rounds count from 1: a question of
// a request of its own is a round, and so is one input_required result.
type script func(round int, method string, params gjson.Result) spoken

// asking is a tool that asks, with arguments that make it do so.
type asking struct {
	tool *Tool
	args json.RawMessage
	// other is a second argument set, whose question should differ; nil when there is none.
	other json.RawMessage
}

// hold speaks with the asking tool under a label until the call has ended, and
// says whether it did. Further calls of the modern era are labelled
// "<label>/2" and so on.
func (a asking) hold(ctx context.Context, v *Voice, label string, args json.RawMessage, s script) bool {
	if v.Modern() {
		return a.holdModern(ctx, v, label, args, formsDeclared(), s)
	}
	return a.holdLegacy(ctx, v, label, fakes.Ask{Method: "tools/call", Params: fakes.Call(a.tool.Name, args)}, s)
}

// formsDeclared is the capability of a client that shows forms.
func formsDeclared() json.RawMessage { return json.RawMessage(`{"elicitation":{"form":{}}}`) }

func (a asking) holdLegacy(ctx context.Context, v *Voice, label string, ask fakes.Ask, s script) bool {
	var (
		mu    sync.Mutex
		round int
		once  sync.Once
		many  = make(chan struct{})
	)
	v.SetPerson(func(method string, params gjson.Result, _ string) (result, fault json.RawMessage) {
		if method == "ping" {
			return json.RawMessage(`{}`), nil
		}
		mu.Lock()
		round++
		n := round
		mu.Unlock()
		if n > maxRounds {
			once.Do(func() { close(many) })
			return nil, nil
		}
		r := s(n, method, params)
		return r.result, r.fault
	})
	ask.Label = label
	p := v.Start(ctx, ask)
	done := make(chan error, 1)
	go func() { done <- p.Wait(ctx) }()
	select {
	case err := <-done:
		if err == nil {
			return true
		}
	case <-many:
		p.Abandon("rounds", fmt.Sprintf("the client gave up after it had answered %d questions of this call", maxRounds))
	}
	v.cancel(ctx, "clean-up", p.ID)
	return false
}

// cancel sends a cancellation of a request.
func (v *Voice) cancel(ctx context.Context, label, id string) {
	_ = v.Notify(ctx, fakes.Ask{Label: label, Method: "notifications/cancelled", Params: json.RawMessage(`{"requestId":` + id + `}`), Limit: v.Limits.Quiet * 2})
}

func (a asking) holdModern(ctx context.Context, v *Voice, label string, args, declared json.RawMessage, s script) bool {
	ask := fakes.Ask{Label: label, Method: "tools/call", Params: fakes.Call(a.tool.Name, args), Capabilities: declared}
	for round := 1; ; round++ {
		if v.Do(ctx, ask) != nil {
			return false
		}
		result := answerResult(v.Answer(ask.Label))
		if !wantsInput(result) {
			return true
		}
		if round > maxRounds {
			v.Note(ask.Label, "rounds", fmt.Sprintf("the client gave up after it had answered %d times", maxRounds))
			return true
		}
		requests, state := result.Get("inputRequests"), result.Get("requestState")
		if len(requests.Map()) == 0 && !state.Exists() {
			return true // nothing to go on with
		}
		ask.Label = fmt.Sprintf("%s/%d", label, round+1)
		ask.Params = retry(a.tool.Name, args, answerAll(round, requests, s), state.Raw)
	}
}

// answerResult is the result member of an answer, which does not exist without one.
func answerResult(m *wire.Message) gjson.Result {
	if m == nil {
		return gjson.Result{}
	}
	return m.Result
}

// wantsInput says that a result asks for something, even where it does not say
// so. A task that waits for input is no such result: it is answered by tasks/update.
func wantsInput(result gjson.Result) bool {
	return result.Get("resultType").Str == "input_required" ||
		result.Get("inputRequests").IsObject() && !result.Get("content").Exists() && !result.Get("taskId").Exists()
}

// answerAll gives the answers to all questions of a result; "" when there are no questions.
func answerAll(round int, requests gjson.Result, s script) string {
	if !requests.IsObject() || len(requests.Map()) == 0 {
		return ""
	}
	out := gjson.Parse(`{}`)
	requests.ForEach(func(key, q gjson.Result) bool {
		if r := s(round, q.Get("method").Str, q.Get("params")); r.result != nil {
			out = gjson.ParseBytes(withMember(out, key.Str, string(r.result)))
		}
		return true
	})
	return out.Raw
}

// retry writes the params of a call that brings answers; "" leaves a member out.
func retry(tool string, args json.RawMessage, answers, state string) json.RawMessage {
	p := string(fakes.Call(tool, args))
	if answers != "" {
		p = p[:len(p)-1] + `,"inputResponses":` + answers + `}`
	}
	if state != "" {
		p = p[:len(p)-1] + `,"requestState":` + state + `}`
	}
	return json.RawMessage(p)
}

// asked is one question that a server asked.
type asked struct {
	// key is its key in inputRequests, or the raw id of its request.
	key    string
	method string
	params gjson.Result
	// answer is what the client said, which does not exist when it said nothing.
	answer gjson.Result
	// withdrawn says that the server took it back.
	withdrawn bool
	// at is its place on the tape, answeredAt that of the answer, -1 when there is none.
	at, answeredAt int
	event          *wire.Event
}

// talk is a call with everything that was asked and answered on the way to its end.
type talk struct {
	call, end *Exchange
	rounds    [][]asked
	// givenUp says that the server was still asking when the client gave up.
	givenUp bool
}

// talk reads back what was said under a label; nil when the call was not made.
func (e *Evidence) talk(label string) *talk {
	call := e.Get(label)
	if call == nil {
		return nil
	}
	t := &talk{call: call, end: call}
	if !wantsInput(call.Result()) {
		t.rounds = questionsOf(call)
		t.givenUp = len(t.rounds) > maxRounds
		return t
	}
	for n := 2; ; n++ {
		next := e.Get(fmt.Sprintf("%s/%d", label, n))
		t.rounds = append(t.rounds, inputRequests(t.end, next))
		if next == nil {
			t.givenUp = n > maxRounds+1
			return t
		}
		t.end = next
		if !wantsInput(next.Result()) {
			return t
		}
	}
}

// inputRequests reads the questions of an input_required result, with what the next call answered.
func inputRequests(x, next *Exchange) []asked {
	var answers gjson.Result
	if next != nil {
		answers = next.Request.Root.Get("params.inputResponses")
	}
	var out []asked
	x.Result().Get("inputRequests").ForEach(func(k, q gjson.Result) bool {
		out = append(out, asked{key: k.Str, method: q.Get("method").Str, params: q.Get("params"), answer: member(answers, k.Str), at: x.AnswerAt, answeredAt: -1})
		return true
	})
	return out
}

// questionsOf reads the questions that came by requests of the server while a
// call was the last one sent. No other call may have been open.
func questionsOf(x *Exchange) [][]asked {
	var out [][]asked
	byID := map[string]int{}
	events := x.Tape.Events()
	for i := x.At + 1; i < len(events); i++ {
		ev := &events[i]
		m := ev.Message()
		switch {
		case ev.Kind == wire.Send && m.Method == "tools/call":
			return out
		case ev.Kind == wire.Send && m.IsResponse():
			if n, ok := byID[m.ID]; ok && !out[n][0].answer.Exists() {
				out[n][0].answer, out[n][0].answeredAt = m.Result, i
				if m.HasError {
					out[n][0].answer = m.Root.Get("error")
				}
			}
		case ev.Kind == wire.Recv && m.IsRequest() && m.Method != "ping":
			byID[m.ID] = len(out)
			out = append(out, []asked{{key: m.ID, method: m.Method, params: m.Root.Get("params"), at: i, answeredAt: -1, event: ev}})
		case ev.Kind == wire.Recv && m.IsNotification() && m.Method == "notifications/cancelled":
			if n, ok := byID[m.Root.Get("params.requestId").Raw]; ok {
				out[n][0].withdrawn = true
			}
		}
	}
	return out
}

// asked says whether anything was asked.
func (t *talk) asked() bool { return t != nil && len(t.rounds) > 0 && len(t.rounds[0]) > 0 }

// form is the first form that was asked, which does not exist when there was none.
func (t *talk) form() gjson.Result {
	if !t.asked() {
		return gjson.Result{}
	}
	return t.rounds[0][0].params.Get("requestedSchema")
}

// saying is the outcome of the talk as a reader sees it, "" when it has none.
func (t *talk) saying() string {
	if t == nil || !t.end.Answered() || wantsInput(t.end.Result()) {
		return ""
	}
	return saidBy(t.end)
}

// saidBy is an answer as text and structured content in one string.
func saidBy(x *Exchange) string {
	s := x.Text()
	if sc := x.Result().Get("structuredContent"); sc.Exists() {
		s += "\n" + sc.Raw
	}
	return s
}

// succeeded says that the call came to a result that is no error.
func (t *talk) succeeded() bool { return t != nil && finished(t.end) }

// finished says that a result came that is no error and asks for nothing, even
// where it does not say that it asks.
func finished(x *Exchange) bool { return x.Succeeded() && !wantsInput(x.Result()) }

// refused says that the call ended in an error of either channel.
func (t *talk) refused() bool { return t != nil && t.end.Refused() }

// proof are the exchanges worth showing.
func (t *talk) proof() []*Exchange {
	if t == nil {
		return nil
	}
	if t.end == t.call {
		return []*Exchange{t.call}
	}
	return []*Exchange{t.call, t.end}
}

// pause waits, unless the run ends first.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// notice finds the note that the drive left under a label; nil when there is none.
func (e *Evidence) notice(label string) *wire.Event {
	want := LabelScope(e.Cell.Scenario, e.Cell.Attempt) + label
	for _, t := range e.Tapes() {
		events := t.Events()
		for i := range events {
			if events[i].Kind == wire.Notice && events[i].Probe == want {
				return &events[i]
			}
		}
	}
	return nil
}
