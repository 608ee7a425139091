package scenarios

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/agntn/conform/fakes"
)

// envelopeOpens is how often the line of malformed frames may be opened: some
// servers end on each of them, and each start costs time.
const envelopeOpens = 4

func driveEnvelope(ctx context.Context, d *Drive) error {
	var wg sync.WaitGroup
	wg.Go(func() { envelopeBatch(ctx, d) })
	l := d.ownLine(fakes.Want{Purpose: "odd ids, unknown methods, notifications, malformed lines"}, envelopeOpens)
	l.each(ctx, rightRequests(d.Facts))
	var odd []malformed
	for _, id := range unicodeIDs() {
		odd = append(odd, malformed{id.label, rawRequest(d.Facts, id.raw)})
	}
	l.frames(ctx, odd)
	envelopeNotes(ctx, l)
	l.frames(ctx, malformedFrames(d.Facts))
	if d.Cell.Transport == "http" {
		if v := l.voice(ctx); v != nil {
			_ = v.Do(ctx, l.canary("after:all"))
		}
	}
	l.drop()
	wg.Wait()
	return nil
}

// rightRequests are well-formed: whatever a server makes of them, it answers.
func rightRequests(f *Facts) []fakes.Ask {
	alive, _ := harmless(f)
	// 1000007 stands for a plain number: lower ones are the session's own.
	var asks []fakes.Ask
	for _, id := range []string{`0`, `1000007`, `-3`, `9007199254740991`, `"a"`, `"1000007"`} {
		asks = append(asks, fakes.Ask{Label: "id:" + id, Method: alive, ID: id, Silence: true})
	}
	asks = append(asks,
		fakes.Ask{Label: `empty-id`, Method: alive, ID: `""`, Silence: true},
		fakes.Ask{Label: `id:error`, Method: "conform/no-such-method", ID: `"conform-error"`},
		fakes.Ask{Label: `id:list`, Method: "tools/list", ID: `"conform-list"`},
		fakes.Ask{Label: `method:conform/no-such-method`, Method: "conform/no-such-method"},
	)
	for _, m := range []string{"toString", "constructor", "__proto__", "hasOwnProperty", "valueOf"} {
		asks = append(asks, fakes.Ask{Label: "method:inherited:" + m, Method: m})
	}
	asks = append(asks, oddParams(f)...)
	asks = append(asks, extraMembers(f)...)
	asks = append(asks, missingThings(f)...)
	if f.Modern() {
		for _, m := range removedMethods() {
			asks = append(asks, fakes.Ask{Label: "removed:" + m.method, Method: m.method, Params: json.RawMessage(m.params)})
		}
		for _, k := range lists() {
			if !f.Capability(k.capability).Exists() {
				asks = append(asks, fakes.Ask{Label: "undeclared:" + k.method, Method: k.method})
			}
		}
		if !f.Capability("completions").Exists() {
			asks = append(asks, fakes.Ask{Label: "undeclared:completion/complete", Method: "completion/complete",
				Params: json.RawMessage(`{"ref":{"type":"ref/prompt","name":"zz_conform"},"argument":{"name":"zz","value":"z"}}`)})
		}
	}
	return asks
}

// unicodeIDs are ids that may come back in other escapes, so that no raw
// comparison finds their answers.
func unicodeIDs() []malformed {
	return []malformed{
		{"unicode:quotes", `"a\"b\\c/d"`},
		{"unicode:separators", "\"a\u2028b\u2029c\u0085d\""},
		{"unicode:letters", `"Grüße, Ελλάς, 世界, 🍵"`},
		{"unicode:escaped", `"\ud83c\udf75\u0001\u00e9"`},
		{"unicode:long", `"` + strings.Repeat("x", 200) + `"`},
	}
}

// rawRequest is a harmless request with the given raw id.
func rawRequest(f *Facts, id string) string {
	method, params := harmless(f)
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"` + params + `}`
}

// harmless is a method that every server has, and the params member that it needs, after a comma.
func harmless(f *Facts) (method, params string) {
	if !f.Modern() {
		return "ping", ""
	}
	return "server/discover", `,"params":{"_meta":{"` + fakes.MetaVersion + `":"` + f.Revision + `","` + fakes.MetaCapabilities + `":{}}}`
}

func removedMethods() []struct{ method, params string } {
	return []struct{ method, params string }{
		{"ping", `{}`}, {"logging/setLevel", `{"level":"info"}`}, {"resources/subscribe", `{"uri":"conform://no-such"}`},
		{"resources/unsubscribe", `{"uri":"conform://no-such"}`}, {"tasks/list", `{}`}, {"tasks/result", `{"taskId":"conform"}`},
	}
}

// oddParams are requests whose params are missing, of another kind, or empty.
func oddParams(f *Facts) []fakes.Ask {
	var asks []fakes.Ask
	if f.HasTools() {
		asks = append(asks,
			fakes.Ask{Label: "params:tools/call with a number as name", Method: "tools/call", Params: json.RawMessage(`{"name":7,"arguments":{}}`)},
			fakes.Ask{Label: "params:tools/call without name", Method: "tools/call", Params: json.RawMessage(`{"arguments":{}}`)},
		)
		if !f.Modern() { // there, params hold _meta and cannot be left out
			asks = append(asks, fakes.Ask{Label: "params:tools/call without params", Method: "tools/call"})
		}
	}
	if f.Capability("resources").Exists() {
		asks = append(asks, fakes.Ask{Label: "params:resources/read without uri", Method: "resources/read", Params: json.RawMessage(`{}`)})
	}
	if f.Capability("prompts").Exists() {
		asks = append(asks, fakes.Ask{Label: "params:prompts/get without name", Method: "prompts/get", Params: json.RawMessage(`{}`)})
	}
	if f.Modern() {
		return asks
	}
	for i, k := range lists() {
		if !offered(f, k) {
			continue
		}
		asks = append(asks,
			fakes.Ask{Label: "bare:" + k.method, Method: k.method},
			fakes.Ask{Label: "empty:" + k.method, Method: k.method, Params: json.RawMessage(`{}`)})
		if i == 0 {
			asks = append(asks, fakes.Ask{Label: "null:" + k.method, Method: k.method, Params: json.RawMessage(`null`), Silence: true})
		}
	}
	return asks
}

// missingThings are requests for what nobody has: their errors carry codes.
func missingThings(f *Facts) []fakes.Ask {
	var asks []fakes.Ask
	ask := func(capability, method, params string) {
		if f.Capability(capability).Exists() {
			asks = append(asks, fakes.Ask{Label: "missing:" + method, Method: method, Params: json.RawMessage(params)})
		}
	}
	ask("tools", "tools/list", `{"cursor":"zz-conform-no-such-cursor"}`)
	ask("tools", "tools/call", `{"name":"zz_conform_no_such_tool","arguments":{}}`)
	ask("resources", "resources/read", `{"uri":"conform://zz/no-such-resource"}`)
	ask("prompts", "prompts/get", `{"name":"zz_conform_no_such_prompt"}`)
	return asks
}

// extraMembers are requests with members that no schema names.
func extraMembers(f *Facts) []fakes.Ask {
	if !f.HasTools() {
		return nil
	}
	const vendor = `{"com.example/conform":{"nested":[1,{"a":null}]}}`
	asks := []fakes.Ask{
		{Label: "extra:plain", Method: "tools/list"},
		{Label: "extra:params", Method: "tools/list", Params: json.RawMessage(`{"conformExtra":{"a":1}}`)},
		{Label: "extra:_meta", Method: "tools/list", Meta: json.RawMessage(vendor)},
	}
	if !f.Modern() {
		const id = "1000008"
		asks = append(asks, fakes.Ask{Label: "extra:message", Method: "tools/list", ID: id, Silence: true,
			Raw: []byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/list","conformExtra":true}`)})
	}
	if t, args := firstCall(f); t != nil {
		params := withMember(parsed(fakes.Call(t.Name, args)), "conformExtra", `{"a":1}`)
		asks = append(asks, fakes.Ask{Label: "extra:call", Method: "tools/call", Params: params, Meta: json.RawMessage(vendor), Limit: patience},
			fakes.Ask{Label: "extra:call-plain", Method: "tools/call", Params: fakes.Call(t.Name, args), Limit: patience})
	}
	return asks
}

// firstCall is a valid call of the first tool that may be called, nil when there is none.
func firstCall(f *Facts) (*Tool, json.RawMessage) {
	for _, t := range f.CallableTools() {
		if sets := CallArguments(f, t); len(sets) > 0 {
			return t, sets[0].JSON
		}
	}
	return nil, nil
}

// envelopeNotes sends notifications one by one, each with a canary behind it.
func envelopeNotes(ctx context.Context, l *ownLine) {
	note := func(label, method, params string) {
		if v := l.voice(ctx); v != nil {
			l.send(ctx, fakes.Ask{Label: label, Method: method, Params: json.RawMessage(params), Bare: !v.Modern()})
		}
	}
	note("notify:unknown", "notifications/zz_conform", `{}`)
	if !l.d.Facts.Modern() || l.d.Cell.Transport != "http" { // 2026-07-28 knows no notification over HTTP
		note("notify:cancelled", "notifications/cancelled", `{"requestId":999999,"reason":"conform"}`)
	}
	for _, c := range idlessCalls(l.d.Facts) {
		meta := `{"progressToken":"` + idlessToken + c.tool + `"}`
		note("idless:"+c.label, "tools/call", string(withMember(parsed(fakes.Call(c.tool, c.args)), "_meta", meta)))
	}
}

// idlessToken begins the progress token by which a call without id shows that it is carried out.
const idlessToken = "conform-idless:"

// idlessCalls are valid calls to be sent without id. Nobody knows yet which
// tools tell their progress, so a few are tried.
func idlessCalls(f *Facts) []toolCall {
	all := validCalls(f, "", 1)
	if t, r := f.RoleTool(JobProgresses); t != nil && t.Callable {
		return append([]toolCall{{label: toolLabel(f, t), tool: t.Name, args: r.Arguments}}, all[:min(len(all), 1)]...)
	}
	return all[:min(len(all), 5)]
}

// fractionID is no id. Cut to an integer it is nobody's: an answer under that
// could be taken for an answer to another request.
const fractionID = "1000050.5"

// malformed is a frame that is no right request.
type malformed struct{ label, raw string }

// malformedFrames lists them in the order in which they are sent: those that
// servers survive first, text that is no JSON before JSON that is no message, so
// that a reply that comes late is not taken for one of another kind.
func malformedFrames(f *Facts) []malformed {
	method, params := harmless(f)
	out := []malformed{
		{"fraction:an id with a fraction", rawRequest(f, fractionID)},
		{"null-id:the id null", rawRequest(f, "null")},
		{"broken:an unclosed object", `{bad`},
		{"broken:a bare word", `nope`},
		{"broken:a truncated request", `{"jsonrpc":"2.0","id":1000020,"method":"` + method + `","params": `},
		{"broken:a byte order mark alone", "\ufeff"},
		{"invalid:a request without jsonrpc", `{"id":1000021,"method":"` + method + `"` + params + `}`},
		{"invalid:a request of jsonrpc 1.0", `{"jsonrpc":"1.0","id":1000022,"method":"` + method + `"` + params + `}`},
		{"invalid:a method that is a number", `{"jsonrpc":"2.0","id":1000023,"method":5` + params + `}`},
		{"invalid:a message without method", `{"jsonrpc":"2.0","id":1000024}`},
		{"invalid:an empty object", `{}`},
		{"invalid:an empty array", `[]`},
		{"invalid:a number", `7`},
		{"invalid:a string", `"x"`},
	}
	if f.Revision != fakes.Rev20250326 && f.Revision != fakes.Rev20241105 {
		// Before the lines that end some servers: it has a check of its own.
		batch := malformed{"batch-new:a batch", `[{"jsonrpc":"2.0","id":1000030,"method":"` + method + `"` + params + `}]`}
		out = slices.Insert(out, 2, batch)
	}
	return out
}
