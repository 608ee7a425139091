package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// findAsking returns the tool with the role asks, or the first callable tool
// that asks when it is called with valid arguments. What was found is noted in
// the tape under "asking": "role", "found" or "none".
func findAsking(ctx context.Context, d *Drive, v *Voice) (asking, bool) {
	a, _, ok := findAskers(ctx, d, v)
	return a, ok
}

// findAskers returns the asking tool, and in the modern era a call of another
// tool that asks, if any does.
func findAskers(ctx context.Context, d *Drive, v *Voice) (asking, *toolCall, bool) {
	t, r := d.Facts.RoleTool(JobAsks)
	named := t != nil && t.Callable
	if named {
		v.Note("asking", "role", t.Name)
		if !v.Modern() {
			return asking{tool: t, args: r.Arguments, other: r.Alternative}, nil, true
		}
	}
	calls := validCalls(d.Facts, "find:", 2)
	if named {
		calls = slices.DeleteFunc(calls, func(c toolCall) bool { return c.tool == t.Name })
	}
	find := findLegacy
	if v.Modern() {
		find = findModern
	}
	found := find(ctx, v, calls)
	if !named && len(found) == 0 {
		v.Note("asking", "none", fmt.Sprintf("%d valid calls of %d callable tools asked nothing", len(calls), len(d.Facts.CallableTools())))
		return asking{}, nil, false
	}
	a := asking{}
	if named {
		a = asking{tool: t, args: r.Arguments, other: r.Alternative}
	} else {
		v.Note("asking", "found", found[0].tool)
		a = asking{tool: d.Facts.Tool(found[0].tool), args: found[0].args}
	}
	for _, c := range found {
		if c.tool != a.tool.Name {
			return a, &c, true
		}
	}
	return a, nil, true
}

// findModern makes the calls and returns those that ask for input.
func findModern(ctx context.Context, v *Voice, calls []toolCall) []toolCall {
	all, cancel := v.patient(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for _, c := range calls {
		p := v.Start(all, fakes.Ask{Label: c.label, Method: "tools/call", Params: fakes.Call(c.tool, c.args), Capabilities: formsDeclared(), Limit: 2 * patience})
		wg.Go(func() { _ = p.Wait(all) })
	}
	wg.Wait()
	return slices.DeleteFunc(slices.Clone(calls), func(c toolCall) bool {
		return !wantsInput(answerResult(v.Answer(c.label))) || !asksForm(answerResult(v.Answer(c.label)))
	})
}

// asksForm says that one of the questions of a result is a form.
func asksForm(result gjson.Result) bool {
	for _, q := range result.Get("inputRequests").Map() {
		if q.Get("method").Str == "elicitation/create" && q.Get("params.mode").Str != "url" {
			return true
		}
	}
	return false
}

// findLegacy makes the calls side by side, and one after the other when
// anything was asked: a question does not say which call it belongs to.
func findLegacy(ctx context.Context, v *Voice, calls []toolCall) []toolCall {
	v.SetPerson(legacyPerson(always("cancel")))
	from := len(v.Tape().Events())
	v.callAll(ctx, calls)
	found := v.Tape().Events()[from:]
	if !formAsked(found) {
		return nil
	}
	for _, c := range askingFirst(found, v.scope, calls) {
		from := len(v.Tape().Events())
		c.label = "again:" + strings.TrimPrefix(c.label, "find:")
		v.callAll(ctx, []toolCall{c})
		if formAsked(v.Tape().Events()[from:]) {
			return []toolCall{c}
		}
	}
	return nil
}

// askingFirst puts the calls on whose streams a form came before the others: over
// HTTP most servers ask there. When one came elsewhere, all may have asked for it.
func askingFirst(events []wire.Event, scope string, calls []toolCall) []toolCall {
	label, asks := map[int]string{}, map[string]bool{}
	for i := range events {
		switch ev := &events[i]; {
		case ev.Kind == wire.Send:
			label[ev.Post] = ev.Probe
		case formAsked(events[i:i+1]) && ev.Post == 0:
			return calls // not over HTTP
		case formAsked(events[i : i+1]):
			asks[label[ev.Post]] = true
		}
	}
	asked := func(c toolCall) bool { return asks[scope+c.label] }
	quiet := slices.DeleteFunc(slices.Clone(calls), asked)
	if len(calls)-len(quiet) < len(asks) {
		return calls
	}
	asking := slices.DeleteFunc(slices.Clone(calls), func(c toolCall) bool { return !asked(c) })
	return append(asking, quiet...)
}

// legacyPerson plays a script to everything that is asked, whatever the call.
func legacyPerson(s script) fakes.Person {
	return func(method string, params gjson.Result, _ string) (result, fault json.RawMessage) {
		if method == "ping" {
			return json.RawMessage(`{}`), nil
		}
		r := s(1, method, params)
		return r.result, r.fault
	}
}

func formAsked(events []wire.Event) bool {
	return slices.ContainsFunc(events, func(ev wire.Event) bool {
		m := ev.Message()
		return ev.Kind == wire.Recv && m.IsRequest() && m.Method == "elicitation/create" && m.Root.Get("params.mode").Str != "url"
	})
}

// others are argument sets that differ from those given: the alternative of the
// role, those that are known for the tool, and ones with one value changed.
func (a asking) others(f *Facts) []json.RawMessage {
	var out []json.RawMessage
	add := func(raw json.RawMessage) {
		if len(raw) > 0 && !sameJSON(string(raw), string(a.args)) && len(out) < 6 {
			out = append(out, raw)
		}
	}
	add(a.other)
	if OnlyAsWritten(a.tool) || len(out) > 0 {
		return out
	}
	schema, args := inputSchema(a.tool), gjson.ParseBytes(a.args)
	args.ForEach(func(k, v gjson.Result) bool {
		for _, raw := range otherValues(member(a.tool.Get("inputSchema.properties"), k.Str), v) {
			if next := withMember(args, k.Str, raw); fits(schema, next) {
				add(next)
				break
			}
		}
		return true
	})
	for _, s := range CallArguments(f, a.tool) {
		add(s.JSON)
	}
	return out
}

// otherValues are raw values that may stand in place of v.
func otherValues(schema, v gjson.Result) []string {
	if c := choices(schema); len(c) > 0 {
		return slices.DeleteFunc(c, func(raw string) bool { return sameJSON(raw, v.Raw) })
	}
	switch v.Type {
	case gjson.String:
		raw, _ := json.Marshal(v.Str + "b")
		return append([]string{string(raw)}, slices.DeleteFunc(textsFor(schema), func(s string) bool { return s == v.Raw })...)
	case gjson.Number:
		return []string{fmt.Sprint(v.Int() + 1), fmt.Sprint(v.Int() - 1)}
	}
	return nil
}

// whyNothingAsked says why no question was seen, for a ruling. Without a reason
// that lies in the server it is the user who can help, by naming a tool.
func (e *Evidence) whyNothingAsked() Ruling {
	const help = "give a tool the role asks in conform.yaml, with arguments that make it ask"
	n := e.notice("asking")
	switch {
	case len(e.Facts.Tools) == 0:
		return NotApplicable("the server lists no tools")
	case len(e.Facts.CallableTools()) == 0:
		return NotSeen("no tool may be called, so none could ask; allow one, or " + help)
	case n == nil:
		return NotSeen("the asking tool was not called")
	case e.Facts.Run.Behind == "h3" && !e.Facts.Modern():
		return NotApplicable("behind h3 questions are asked in 2026-07-28 only")
	case e.sessionless():
		return NotApplicable("the server keeps no sessions over HTTP, so it cannot ask anything in this era")
	case n.Status == "role":
		return NotSeen(fmt.Sprintf("the tool %s has the role asks and asked nothing when it was called by a client that shows forms", n.Raw))
	case e.allTried():
		return NotApplicable("none of the server's tools asks anything when it is called")
	}
	return NotSeen("no tool was seen to ask; " + help)
}

// sessionless says that the server gave no session over HTTP in a handshake
// revision. Then no answer to a question finds its way back.
func (e *Evidence) sessionless() bool {
	if e.Cell.Transport != "http" || e.Facts.Modern() {
		return false
	}
	for _, x := range e.openings() {
		if x.Head != nil && x.Head.HTTP.Header.Get("Mcp-Session-Id") != "" {
			return false
		}
	}
	return true
}

// allTried says that every listed tool was called with valid arguments.
func (e *Evidence) allTried() bool {
	tried := map[string]bool{}
	for _, x := range e.All("find:") {
		if x.Answered() && e.validCall(x) {
			tried[toolName(x)] = true
		}
	}
	return !slices.ContainsFunc(e.Facts.Tools, func(t Tool) bool { return !tried[t.Name] })
}
