package fakes_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// exchange is one recorded request of the client and what the server sent for
// it: questions, notifications and the response.
type exchange struct {
	request *wire.Message
	status  int
	kind    string // content type
	session string
	replies []string
	used    bool
}

// script is the recorded server, one per process.
type script struct {
	mu        sync.Mutex
	exchanges []*exchange
	streams   []fakes.Step // answers to GET, in order
	strange   []string     // requests that the recording does not know
}

// scripts cuts a recording into processes.
func scripts(r *fakes.Recording) []*script {
	var out []*script
	var last *script
	byPost := map[int]*exchange{}
	gets := map[int]bool{}
	for _, s := range r.Steps {
		if s.Event == "start" {
			last = &script{}
			out = append(out, last)
		}
		if s.Dir == "send" && s.Method == http.MethodGet {
			gets[s.Post] = true
		}
		if s.Dir == "recv" && gets[s.Post] && s.Raw == "" {
			last.streams = append(last.streams, s)
		}
		m := wire.ParseMessage([]byte(s.Raw))
		switch {
		case s.Dir == "send" && m.IsRequest():
			e := &exchange{request: m, status: http.StatusOK, kind: "application/json"}
			last.exchanges = append(last.exchanges, e)
			byPost[s.Post] = e
		case s.Dir == "recv":
			e := last.owner(m, byPost[s.Post], s.Post)
			if e == nil {
				continue
			}
			if s.Status != 0 {
				e.status = s.Status
			}
			if s.Type != "" {
				e.kind = s.Type
			}
			if s.Session != "" {
				e.session = s.Session
			}
			if s.Raw != "" {
				e.replies = append(e.replies, s.Raw)
			}
		}
	}
	return out
}

// owner finds the exchange that a message of the server belongs to.
func (s *script) owner(m *wire.Message, posted *exchange, post int) *exchange {
	if post != 0 {
		return posted
	}
	if m.IsResponse() {
		for _, e := range s.exchanges {
			if e.request.ID == m.ID {
				return e
			}
		}
		return nil
	}
	return s.exchanges[len(s.exchanges)-1] // asked while this one was open
}

// take finds the recorded exchange for a request: the first of its method that
// was not used, and asks for the same.
func (s *script) take(m *wire.Message) *exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	same := func(a, b *wire.Message, path string) bool {
		return a.Root.Get(path).Raw == b.Root.Get(path).Raw
	}
	for _, e := range s.exchanges {
		if !e.used && e.request.Method == m.Method && same(e.request, m, "params.cursor") &&
			same(e.request, m, "params.name") && same(e.request, m, "params.arguments") {
			e.used = true
			return e
		}
	}
	s.strange = append(s.strange, string(m.Root.Raw))
	return nil
}

// reply is a recorded frame under the id that the client used now.
func reply(raw string, m *wire.Message) []byte {
	r := wire.ParseMessage([]byte(raw))
	if !r.IsResponse() {
		return []byte(raw)
	}
	out, err := sjson.SetRawBytes([]byte(raw), "id", []byte(m.ID))
	if err != nil {
		panic(err)
	}
	return out
}

// serve plays the server over a pipe.
func (s *script) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	var held []string // what follows once the client has answered
	var holder *wire.Message
	send := func(m *wire.Message, replies []string) error {
		for i, raw := range replies {
			if _, err := fmt.Fprintf(out, "%s\n", reply(raw, m)); err != nil {
				return err
			}
			if wire.ParseMessage([]byte(raw)).IsRequest() {
				held, holder = replies[i+1:], m
				return nil
			}
		}
		return nil
	}
	for lines.Scan() && ctx.Err() == nil {
		m := wire.ParseMessage(lines.Bytes())
		var err error
		switch {
		case m.IsRequest():
			if e := s.take(m); e != nil {
				err = send(m, e.replies)
			} else {
				err = send(m, []string{`{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"not recorded"}}`})
			}
		case m.IsResponse() && holder != nil:
			rest, who := held, holder
			held, holder = nil, nil
			err = send(who, rest)
		}
		if err != nil {
			return err
		}
	}
	return lines.Err()
}

// handler plays the server over HTTP.
func (s *script) handler() http.Handler {
	answered := make(chan struct{}, 8)
	gets := 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet:
			s.mu.Lock()
			step := fakes.Step{Status: http.StatusMethodNotAllowed}
			if gets < len(s.streams) {
				step = s.streams[gets]
			}
			gets++
			s.mu.Unlock()
			w.Header().Set("Content-Type", step.Type)
			w.WriteHeader(step.Status)
			if step.Status == http.StatusOK {
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}
			return
		case http.MethodDelete:
			return
		}
		body, _ := io.ReadAll(r.Body)
		m := wire.ParseMessage(body)
		if !m.IsRequest() {
			if m.IsResponse() {
				answered <- struct{}{}
			}
			w.WriteHeader(http.StatusAccepted)
			return
		}
		e := s.take(m)
		if e == nil {
			http.Error(w, "not recorded", http.StatusTeapot)
			return
		}
		if e.session != "" {
			w.Header().Set("Mcp-Session-Id", e.session)
		}
		w.Header().Set("Content-Type", e.kind)
		w.WriteHeader(e.status)
		for _, raw := range e.replies {
			if e.kind != "text/event-stream" {
				_, _ = w.Write(reply(raw, m))
				continue
			}
			fmt.Fprintf(w, "data: %s\n\n", reply(raw, m))
			w.(http.Flusher).Flush()
			if wire.ParseMessage([]byte(raw)).IsRequest() {
				select {
				case <-answered:
				case <-r.Context().Done():
					return
				}
			}
		}
		if m.Method == "subscriptions/listen" {
			<-r.Context().Done()
		}
	})
}

// calls are the recorded requests that a fake does not send by itself: calls,
// and listings beyond the first.
func calls(r *fakes.Recording) []*wire.Message {
	var out []*wire.Message
	listed := false
	for _, s := range r.Steps {
		m := wire.ParseMessage([]byte(s.Raw))
		if s.Dir != "send" || !m.IsRequest() {
			continue
		}
		again := m.Method == "tools/list" && !m.Root.Get("params.cursor").Exists()
		if m.Method == "tools/call" || again && listed {
			out = append(out, m)
		}
		listed = listed || again
	}
	return out
}

// plain is the params of a recorded call as an application gives them.
func plain(m *wire.Message) []byte {
	params := m.Root.Get("params")
	var args []byte
	if a := params.Get("arguments"); a.Exists() {
		args = []byte(a.Raw)
	}
	return fakes.Call(params.Get("name").Str, args)
}

// kindOf says what a server's request asks for, in the words of App.Answers.
func kindOf(m gjson.Result) string {
	switch m.Get("method").Str {
	case "elicitation/create":
		if m.Get("params.mode").Str == "url" {
			return "url"
		}
		return "form"
	case "roots/list":
		return "roots"
	}
	return "sampling"
}
