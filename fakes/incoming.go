package fakes

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// see is called for every event of the line, on the goroutine that read it.
func (s *Session) see(e *wire.Event) {
	switch e.Kind {
	case wire.Head:
		if id := e.HTTP.Header.Get("Mcp-Session-Id"); id != "" {
			s.mu.Lock()
			s.sessionID = id
			s.mu.Unlock()
		}
	case wire.Recv:
		s.mu.Lock()
		s.lastRecv = time.Now()
		s.mu.Unlock()
		s.frame(e.Message())
	}
}

func (s *Session) frame(m *wire.Message) {
	switch {
	case m.Valid && m.Root.IsArray():
		// A batch answer: each of its members may be awaited.
		m.Root.ForEach(func(_, v gjson.Result) bool {
			if v.IsObject() {
				s.frame(wire.ParseMessage([]byte(v.Raw)))
			}
			return true
		})
	case m.IsResponse():
		s.response(m)
	case m.IsRequest():
		if !s.mayAnswer() {
			return
		}
		go func() {
			s.answer(m)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.answering--
		}()
	}
}

const (
	// maxAnswering is how many questions are being answered at the same time on
	// one session, maxAnswers how many are answered in all: a server that asks
	// more than that floods its client.
	maxAnswering = 200
	maxAnswers   = 5000
)

// mayAnswer says whether one more question is answered.
func (s *Session) mayAnswer() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answering >= maxAnswering || s.answers >= maxAnswers {
		return false
	}
	s.answering++
	s.answers++
	return true
}

func (s *Session) response(m *wire.Message) {
	s.mu.Lock()
	queue := s.waiting[m.ID]
	var p *Pending
	if len(queue) > 0 {
		p = queue[0]
		if len(queue) == 1 {
			delete(s.waiting, m.ID)
		} else {
			s.waiting[m.ID] = queue[1:]
		}
		if s.warm { // the first answer waits for the process to start: that is no slowness
			s.slowest = max(s.slowest, time.Since(p.at))
		} else {
			s.first = time.Since(p.at)
		}
		s.warm = true
	}
	s.mu.Unlock()
	if p == nil {
		return
	}
	p.end()
	if s.Profile.Asking.CancelsFinished && p.ask.Method == "tools/call" {
		go func() {
			_ = s.Notify(context.Background(), Ask{Label: "after-call/cancelled", Method: "notifications/cancelled",
				Params: s.cancels(p.ID), Limit: s.Limits.Quiet})
		}()
	}
}

// cancels returns the params of a cancellation that the client sends by itself.
func (s *Session) cancels(id string) json.RawMessage {
	reason := ""
	if r := s.Profile.Asking.CancelReason; r != "" {
		reason = quote(r)
	}
	return object(member("requestId", id), member("reason", reason))
}

// answer answers a server's request as the person at the client would.
func (s *Session) answer(m *wire.Message) {
	if s.Modern() {
		return // a stateless server has nothing to ask; clients drop it
	}
	s.mu.Lock()
	person := s.person
	s.mu.Unlock()
	result, rpcError := person(m.Method, m.Root.Get("params"), m.ID)
	var raw []byte
	switch {
	case rpcError != nil:
		raw = s.order().response("error", rpcError, m.ID)
	case result != nil:
		raw = s.order().response("result", result, m.ID)
	default:
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.Limits.Answer)
	defer cancel()
	sent, err := s.reply(ctx, raw, "answer")
	if err != nil || sent.Done() == nil {
		return
	}
	// A server may answer an answer with a stream that never ends, and ask again on it.
	select {
	case <-sent.Done():
	case <-ctx.Done():
		sent.Drop()
	}
}

// Reply sends a response frame of ours as it is.
func (s *Session) Reply(raw []byte, label string) {
	ctx, cancel := context.WithTimeout(context.Background(), s.Limits.Answer)
	defer cancel()
	_, _ = s.reply(ctx, raw, label)
}

func (s *Session) reply(ctx context.Context, raw []byte, label string) (wire.Sent, error) {
	return s.line.Send(ctx, wire.Frame{Raw: raw, Probe: label, Header: s.header(Ask{})})
}

// notFound is the error every client has for what it does not know.
func notFound() json.RawMessage {
	return json.RawMessage(`{"code":-32601,"message":"Method not found"}`)
}

// alone answers as the client does with nobody at the keyboard.
func (s *Session) alone(method string, params gjson.Result, _ string) (result, rpcError json.RawMessage) {
	how := "unsupported"
	switch method {
	case "ping":
		return json.RawMessage(`{}`), nil
	case "elicitation/create":
		how = s.Profile.Answers.Form
		if params.Get("mode").Str == "url" {
			how = s.Profile.Answers.URL
		}
	case "roots/list":
		switch s.Profile.Answers.Roots {
		case "accept":
			return json.RawMessage(`{"roots":[{"uri":"file:///workspace","name":"workspace"}]}`), nil
		case "empty":
			return json.RawMessage(`{"roots":[]}`), nil
		}
		how = s.Profile.Answers.Roots
	case "sampling/createMessage":
		how = s.Profile.Answers.Sampling
	}
	switch how {
	case "cancel", "decline":
		return json.RawMessage(fmt.Sprintf(`{"action":%q}`, how)), nil
	case "refuse":
		return nil, json.RawMessage(`{"code":-32602,"message":"Client does not support this mode"}`)
	case "silent":
		return nil, nil
	}
	if code, err := strconv.Atoi(how); err == nil {
		return nil, json.RawMessage(fmt.Sprintf(`{"code":%d,"message":"the client does not support %s"}`, code, method))
	}
	return nil, notFound()
}
