package fakes

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// lists asks the lists the client asks by itself, at the same time or in turn.
func (s *Session) lists(ctx context.Context) {
	caps := s.Opened.Get("capabilities")
	need := map[string]string{"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resources"}
	var waits []func()
	for _, method := range s.Profile.Opening.Lists {
		if c := need[method]; c != "" && !caps.Get(c).Exists() {
			continue
		}
		a := Ask{Label: "open/" + method, Method: method}
		if s.Profile.Opening.EmptyParams {
			a.Params = json.RawMessage(`{}`)
		}
		p := s.Start(ctx, a)
		wait := func() {
			if p.Wait(ctx) == nil && s.Profile.Opening.Pages {
				s.morePages(ctx, a, s.answerTo(a.Label), 64)
			}
		}
		if s.Profile.Opening.InTurn {
			wait()
		} else {
			waits = append(waits, wait)
		}
	}
	for _, w := range waits {
		w()
	}
	if pages := s.Pages("open/tools/list"); len(pages) > 0 {
		s.Learn(pages)
	}
}

// MaxCursor is how many bytes a cursor may have that is followed: it goes out
// again with every request for a page.
const MaxCursor = 64 << 10

// morePages follows nextCursor until it ends, repeats or is too large, or max pages were read.
func (s *Session) morePages(ctx context.Context, a Ask, m *wire.Message, max int) {
	seen := map[string]bool{}
	for n := 1; m != nil && m.HasResult && n < max; n++ {
		next := m.Result.Get("nextCursor")
		if next.Type != gjson.String || next.Str == "" && n > 1 || len(next.Raw) > MaxCursor || seen[next.Str] {
			return
		}
		seen[next.Str] = true
		again := a
		again.Params = json.RawMessage(`{"cursor":` + next.Raw + `}`)
		if s.Do(ctx, again) != nil {
			return
		}
		m = s.answerTo(a.Label)
	}
}

// List asks a list method page by page under one label and returns the raw results.
func (s *Session) List(ctx context.Context, label, method string, max int) ([]gjson.Result, error) {
	a := Ask{Label: label, Method: method}
	if err := s.Do(ctx, a); err != nil {
		return nil, err
	}
	s.morePages(ctx, a, s.answerTo(label), max)
	return s.Pages(label), nil
}

// Pages returns the results that the requests of one label got, in order.
func (s *Session) Pages(label string) []gjson.Result {
	var out []gjson.Result
	for _, m := range answersTo(s.Tape().Events(), label) {
		if m != nil && m.HasResult {
			out = append(out, m.Result)
		}
	}
	return out
}

// Learn remembers the listed tools that mirror parameters in headers.
func (s *Session) Learn(pages []gjson.Result) {
	tools := map[string]gjson.Result{}
	for _, p := range pages {
		if !strings.Contains(p.Raw, headerMark) {
			continue
		}
		p.Get("tools").ForEach(func(_, t gjson.Result) bool {
			if strings.Contains(t.Raw, headerMark) {
				tools[t.Get("name").Str] = t
			}
			return true
		})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listing = tools
}

// answerTo returns the last answer to the requests of one label.
func (s *Session) answerTo(label string) *wire.Message {
	all := answersTo(s.Tape().Events(), label)
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// Answer returns the last answer to the requests of one label, nil if none came.
func (s *Session) Answer(label string) *wire.Message { return s.answerTo(label) }

// answersTo pairs the sends of one label with their answers by id.
func answersTo(events []wire.Event, label string) []*wire.Message {
	var out []*wire.Message
	at := map[string][]int{}
	for i := range events {
		e := &events[i]
		switch e.Kind {
		case wire.Send:
			if e.Probe == label {
				id := e.Message().ID
				at[id] = append(at[id], len(out))
				out = append(out, nil)
			}
		case wire.Recv:
			m := e.Message()
			if q := at[m.ID]; len(q) > 0 && m.IsResponse() {
				out[q[0]] = m
				at[m.ID] = q[1:]
			}
		}
	}
	return out
}
