package scenarios

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// Exchange is one probe: what was sent and everything that answers it.
type Exchange struct {
	// Label is the probe's label without the scenario.
	Label string
	Tape  *wire.Tape
	// Sent is the send event, At its index on the tape.
	Sent *wire.Event
	At   int
	// Request is what was sent, looked at as a message.
	Request *wire.Message
	// Answer is the first response with the request's id, AnswerAt its index; nil and -1 when none came.
	Answer   *wire.Message
	AnswerAt int
	// Further are more responses with the same id.
	Further []*wire.Event
	// Head is the HTTP status and headers; Body an HTTP body that is no JSON-RPC response to the request.
	Head *wire.Event
	Body *wire.Event
	// End says how it ended: "answered", "silent", "stuck", "dead", "dropped", "unread",
	// "unsendable", "interrupted", "http" (the HTTP exchange ended without a response
	// frame), or "" for a notification over stdio. EndText says it in words.
	End, EndText string
	// EndAt is the index of the event that ended it.
	EndAt int
}

// Answered says that a response came.
func (x *Exchange) Answered() bool { return x != nil && x.Answer != nil }

// Result is the result member, which does not exist when there is none.
func (x *Exchange) Result() gjson.Result {
	if !x.Answered() {
		return gjson.Result{}
	}
	return x.Answer.Result
}

// RPCError is the error member, which does not exist when there is none.
func (x *Exchange) RPCError() gjson.Result {
	if !x.Answered() {
		return gjson.Result{}
	}
	return x.Answer.Root.Get("error")
}

// IsRPCError says that a JSON-RPC error came.
func (x *Exchange) IsRPCError() bool { return x.Answered() && x.Answer.HasError }

// Code is the JSON-RPC error code, 0 when there is none.
func (x *Exchange) Code() int64 { return x.RPCError().Get("code").Int() }

// IsToolError says that a tool result with isError came.
func (x *Exchange) IsToolError() bool { return x.Result().Get("isError").Type == gjson.True }

// Refused says that the answer is an error of either channel.
func (x *Exchange) Refused() bool { return x.IsRPCError() || x.IsToolError() }

// Succeeded says that a result came that is no tool error and asks for nothing.
func (x *Exchange) Succeeded() bool {
	return x.Answered() && x.Answer.HasResult && !x.IsToolError() && !x.AsksInput()
}

// AsksInput says that the result is input_required of the modern era.
func (x *Exchange) AsksInput() bool { return x.Result().Get("resultType").Str == "input_required" }

// Text is what the answer says to a reader: the error message, or all text blocks, a line feed between.
func (x *Exchange) Text() string {
	if x.IsRPCError() {
		return x.RPCError().Get("message").String()
	}
	return ContentText(x.Result())
}

// ContentText joins the text blocks of a tools/call result with line feeds.
func ContentText(result gjson.Result) string {
	var parts []string
	result.Get("content").ForEach(func(_, b gjson.Result) bool {
		if b.Get("type").Str == "text" {
			parts = append(parts, b.Get("text").String())
		}
		return true
	})
	return strings.Join(parts, "\n")
}

// Channel names the kind of answer: "isError", "error -32602", "result", "input_required", or how it ended.
func (x *Exchange) Channel() string {
	switch {
	case x == nil:
		return "not sent"
	case x.IsRPCError():
		return fmt.Sprintf("error %s", x.RPCError().Get("code").Raw)
	case x.IsToolError():
		return "isError"
	case x.AsksInput():
		return "input_required"
	case x.Answered():
		return "result"
	}
	return x.End
}

// Status is the HTTP status, 0 over other transports.
func (x *Exchange) Status() int {
	if x == nil || x.Head == nil {
		return 0
	}
	return x.Head.HTTP.Status
}

// Lost says in words that no answer came because of the target: it was silent,
// stuck or gone. It is "" when an answer came or when the target is not to blame.
func (x *Exchange) Lost() string {
	if x == nil || x.Answered() {
		return ""
	}
	switch x.End {
	case "silent":
		if strings.HasPrefix(x.EndText, "no answer within ") { // nothing else was asked on this line
			return x.EndText
		}
		return "no answer, while the server still answers other requests"
	case "stuck":
		return "no answer, and the server answers nothing else on this line any more"
	case "dead":
		return "no answer: the server process ended"
	case "unread":
		return "the server stopped reading its input"
	case "http":
		if st := x.Status(); st != 0 {
			return fmt.Sprintf("HTTP %d without a JSON-RPC response to the request", st)
		}
		return "the HTTP request failed: " + x.EndText
	}
	return ""
}

// Unusable says that the exchange proves nothing: it was never sent, or conform stopped.
func (x *Exchange) Unusable() bool {
	return x == nil || x.End == "interrupted" || x.End == "unsendable" || x.End == "unfinished"
}

// Notifications returns the notifications of one method that came between the
// send and the given index (the end of the tape when negative).
func (x *Exchange) Notifications(method string, until int) []*wire.Event {
	events := x.Tape.Events()
	if until < 0 || until > len(events) {
		until = len(events)
	}
	var out []*wire.Event
	for i := x.At + 1; i < until; i++ {
		e := &events[i]
		if e.Kind == wire.Recv && e.Message().IsNotification() && e.Message().Method == method {
			out = append(out, e)
		}
	}
	return out
}

// index pairs the sends of a tape with what answers them.
func index(t *wire.Tape) []*Exchange {
	events := t.Events()
	var out []*Exchange
	byID := map[string][]*Exchange{}
	byPost := map[int]*Exchange{}
	byProbe := map[string]*Exchange{}
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case wire.Send:
			x := &Exchange{Label: e.Probe, Tape: t, Sent: e, At: i, Request: e.Message(), AnswerAt: -1, EndAt: -1}
			out = append(out, x)
			if id := x.Request.ID; id != "" && x.Request.Method != "" {
				byID[id] = append(byID[id], x)
			}
			if e.Post > 0 {
				byPost[e.Post] = x
			}
			byProbe[e.Probe] = x
		case wire.Recv:
			settle(e, i, e.Message(), byID, byPost)
		case wire.Head:
			if x := byPost[e.Post]; x != nil {
				x.Head = e
			}
		case wire.Close:
			if x := byPost[e.Post]; x != nil && x.End == "" {
				x.End, x.EndText, x.EndAt = "http", string(e.Raw), i
				if e.Status == "dropped" {
					x.End = "dropped"
				}
			}
		case wire.Notice:
			x := byPost[e.Post]
			if x == nil {
				x = byProbe[e.Probe]
			}
			if x != nil && e.Probe == x.Label && x.Answer == nil && x.End == "" && e.Status != "" {
				x.End, x.EndText, x.EndAt = e.Status, string(e.Raw), i
			}
		}
	}
	over := t.Over()
	for _, x := range out {
		if over && x.Answer == nil && x.Head == nil && x.End != "dead" && x.End != "interrupted" {
			x.End = "unfinished" // the answer may be among what was not kept
		}
		if x.End == "" && x.Request.Method != "" && x.Request.ID != "" {
			x.End = "unfinished"
		}
	}
	return out
}

// again says that an event of a stream was sent once more, as when streams are
// taken up again: that is no other answer.
func again(first, e *wire.Event) bool {
	return first.HTTP != nil && e.HTTP != nil && e.HTTP.EventID != "" && e.HTTP.EventID == first.HTTP.EventID && bytes.Equal(first.Raw, e.Raw)
}

// settle gives a received frame to the exchange it answers.
func settle(e *wire.Event, i int, m *wire.Message, byID map[string][]*Exchange, byPost map[int]*Exchange) {
	if m.Valid && m.Root.IsArray() {
		m.Root.ForEach(func(_, v gjson.Result) bool {
			if v.IsObject() {
				settle(e, i, wire.ParseMessage([]byte(v.Raw)), byID, byPost)
			}
			return true
		})
		return
	}
	if m.IsResponse() {
		if q := byID[m.ID]; len(q) > 0 {
			x := q[0]
			if len(q) > 1 && x.Answer != nil {
				x, byID[m.ID] = q[1], q[1:]
			}
			if x.Answer != nil {
				if m.ID != "null" && !again(&x.Tape.Events()[x.AnswerAt], e) { // a null id names no request: it may answer any junk
					x.Further = append(x.Further, e)
				}
				return
			}
			x.Answer, x.AnswerAt = m, i
			x.End, x.EndText, x.EndAt = "answered", "", i
			return
		}
	}
	if x := byPost[e.Post]; x != nil && e.Post > 0 && !m.IsRequest() && !m.IsNotification() {
		x.Body = e
	}
}
