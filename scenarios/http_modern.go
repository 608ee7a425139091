package scenarios

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// driveHTTPModern tries what belongs to 2026-07-28.
func driveHTTPModern(ctx context.Context, d *Drive, v *Voice) error {
	version := func(label, method string) fakes.Ask {
		a := versionAsk(label, method, "1900-01-01")
		return a
	}
	var listening sync.WaitGroup
	listening.Go(func() { listenFor(ctx, d, v) })
	list := listMethod(d.Facts)
	asks := []fakes.Ask{
		{Label: "status:unknown method", Method: "conform/no-such-method"},
		version("status:unsupported version", list),
		{Label: "old:Mcp-Session-Id", Method: "server/discover", Header: header("Mcp-Session-Id", "conform-0000-no-such-session")},
		{Label: "old:Last-Event-ID", Method: "server/discover", Header: header("Last-Event-Id", "1")},
		{Label: "mirror:version differs", Method: list, Header: header("Mcp-Protocol-Version", fakes.Rev20251125)},
		{Label: "mirror:version missing", Method: list, Header: header("Mcp-Protocol-Version", "")},
		{Label: "mirror:method missing", Method: list, Header: header("Mcp-Method", "")},
		{Label: "mirror:method differs", Method: list, Header: header("Mcp-Method", "tools/call")},
		{Label: "mirror:method in upper case", Method: list, Header: header("Mcp-Method", strings.ToUpper(list))},
	}
	asks = append(asks, nameAsks(d.Facts)...)
	asks = append(asks, readAsks(ctx, d, v)...)
	asks = append(asks, paramAsks(d.Facts)...)
	v.Each(ctx, asks)
	var wg sync.WaitGroup
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		h := http.Header{}
		h.Set("Accept", "text/event-stream")
		v.sessionHeaders(h)
		wg.Go(func() { v.peek(ctx, strings.ToLower(method), wire.Frame{Method: method, Header: h}, peekFor) })
	}
	wg.Go(func() {
		v.peek(ctx, "bare-get", wire.Frame{Method: http.MethodGet, Header: header("Accept", "text/event-stream")}, peekFor)
	})
	wg.Go(func() {
		_ = v.Send(ctx, "response", http.MethodPost, v.headers("", ""), []byte(`{"jsonrpc":"2.0","id":"conform-no-such-request","result":{}}`))
	})
	wg.Go(func() { progressStreams(ctx, d, v) })
	wg.Wait()
	listening.Wait()
	v.letStreamsEnd(ctx)
	return nil
}

// nameAsks call a tool with a Mcp-Name that is missing, another, or in base64 form.
func nameAsks(f *Facts) []fakes.Ask {
	t, args := firstCall(f)
	if t == nil {
		return nil
	}
	other := "zz_conform_other_tool"
	for _, o := range f.Tools {
		if o.Name != t.Name {
			other = o.Name
		}
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(t.Name))
	call := func(label, name string) fakes.Ask {
		return fakes.Ask{Label: label, Method: "tools/call", Params: fakes.Call(t.Name, args), Header: header("Mcp-Name", name), Limit: patience}
	}
	return []fakes.Ask{
		{Label: "call:plain", Method: "tools/call", Params: fakes.Call(t.Name, args), Limit: patience},
		call("mirror:name of tools/call missing", ""),
		call("mirror:name of tools/call differs", fakes.HeaderValue(other)),
		call("mirror:name of tools/call in other case", fakes.HeaderValue(otherCase(t.Name))),
		call("base64:right", "=?base64?"+encoded+"?="),
		call("base64:broken", "=?base64?!!?="),
		call("base64:upper case", "=?BASE64?"+encoded+"?="),
		{Label: "param:unknown", Method: "tools/call", Params: fakes.Call(t.Name, args), Header: header("Mcp-Param-Conform", "x"), Limit: patience},
	}
}

func otherCase(s string) string {
	if up := strings.ToUpper(s); up != s {
		return up
	}
	return strings.ToLower(s)
}

// readAsks read a listed resource without its name, and get a prompt that nobody has.
func readAsks(ctx context.Context, d *Drive, v *Voice) []fakes.Ask {
	var asks []fakes.Ask
	if d.Facts.Capability("resources").Exists() {
		_ = v.Do(ctx, fakes.Ask{Label: "resources", Method: "resources/list"})
		if m := v.Answer("resources"); m != nil {
			if uri := m.Result.Get("resources.0.uri"); uri.Type == gjson.String {
				params := json.RawMessage(`{"uri":` + uri.Raw + `}`)
				asks = append(asks, fakes.Ask{Label: "mirror:name of resources/read missing", Method: "resources/read", Params: params, Header: header("Mcp-Name", "")})
			}
		}
	}
	if d.Facts.Capability("prompts").Exists() {
		asks = append(asks, fakes.Ask{Label: "mirror:name of prompts/get missing", Method: "prompts/get", Params: json.RawMessage(`{"name":"zz_conform_no_such_prompt"}`), Header: header("Mcp-Name", "")})
	}
	return asks
}

// mirrored is a parameter of a callable tool that a header repeats.
type mirrored struct {
	tool       *Tool
	args       gjson.Result
	key, name  string
	kind       string
	required   bool
	schemaRoot gjson.Result
}

// mirroredParam finds the first parameter at the root of a callable tool's
// schema that a header repeats, of one of the kinds.
func mirroredParam(f *Facts, kinds ...string) (mirrored, bool) {
	for _, t := range f.CallableTools() {
		for _, set := range CallArguments(f, t) {
			var found mirrored
			t.Get("inputSchema.properties").ForEach(func(k, p gjson.Result) bool {
				if n := p.Get("x-mcp-header"); n.Type == gjson.String && n.Str != "" && oneOf(p.Get("type").Str, kinds...) {
					found = mirrored{tool: t, args: parsed(set.JSON), key: k.Str, name: n.Str, kind: p.Get("type").Str, schemaRoot: t.Get("inputSchema")}
					for _, r := range t.Get("inputSchema.required").Array() {
						found.required = found.required || r.Str == k.Str
					}
					return false
				}
				return true
			})
			if found.tool != nil {
				return found, true
			}
		}
	}
	return mirrored{}, false
}

// with returns the arguments with the parameter set to a raw value.
func (m mirrored) with(raw string) json.RawMessage { return withMember(m.args, m.key, raw) }

// without returns the arguments without the parameter.
func (m mirrored) without() json.RawMessage {
	var parts []string
	m.args.ForEach(func(k, v gjson.Result) bool {
		if k.Str != m.key {
			parts = append(parts, k.Raw+":"+v.Raw)
		}
		return true
	})
	return json.RawMessage("{" + strings.Join(parts, ",") + "}")
}

// valid is the first of some values that the parameter's schema takes, "" for none.
func (m mirrored) valid(values ...string) string {
	s := inputSchema(m.tool)
	for _, v := range values {
		if fits(s, m.with(v)) {
			return v
		}
	}
	return ""
}

// candidates are values for the parameter: the one at hand, the schema's own, and made ones.
func (m mirrored) candidates() []string {
	p := m.schemaRoot.Get("properties." + gjson.Escape(m.key))
	var out []string
	if v := m.args.Get(gjson.Escape(m.key)); v.Exists() {
		out = append(out, v.Raw)
	}
	for _, v := range p.Get("enum").Array() {
		out = append(out, v.Raw)
	}
	if d := p.Get("default"); d.Exists() {
		out = append(out, d.Raw)
	}
	return append(out, `"conform"`, `"x"`, `1`, `42`, `true`)
}

func paramAsks(f *Facts) []fakes.Ask {
	var asks []fakes.Ask
	call := func(m mirrored, label string, args json.RawMessage, value ...string) {
		a := fakes.Ask{Label: label, Method: "tools/call", Params: fakes.Call(m.tool.Name, args), Limit: patience}
		if len(value) > 0 {
			a.Header = header("Mcp-Param-"+m.name, value[0])
		}
		asks = append(asks, a)
	}
	if m, ok := mirroredParam(f, "string", "integer", "number", "boolean"); ok {
		if v := m.valid(m.candidates()...); v != "" {
			call(m, "param-plain", m.with(v))
			call(m, "param:another value", m.with(v), "zz-conform-other")
			call(m, "param:missing", m.with(v), "")
			call(m, "param:characters that no header has", m.with(v), "zz\xc3\xa9")
			if text := parsed(json.RawMessage(v)); text.Type == gjson.String {
				call(m, "param-served:in base64 form", m.with(v), "=?base64?"+base64.StdEncoding.EncodeToString([]byte(text.Str))+"?=")
			}
		}
		if !m.required && fits(inputSchema(m.tool), m.without()) {
			call(m, "param-served:the argument left out", m.without())
			if fits(inputSchema(m.tool), m.with("null")) {
				call(m, "param-served:the argument null", m.with("null"))
			}
		}
	}
	if m, ok := mirroredParam(f, "string"); ok {
		if v := m.valid(`"Grüße"`); v != "" {
			call(m, "param-served:letters beyond ASCII", m.with(v))
		}
	}
	if m, ok := mirroredParam(f, "integer", "number"); ok {
		if v := m.valid(m.candidates()...); v != "" && !strings.ContainsAny(v, ".eE") {
			call(m, "number:plain", m.with(v))
			call(m, "number:with a fraction of zero", m.with(v), v+".0")
		}
	}
	return asks
}

// openFor is how long a subscription is left alone.
const openFor = time.Second

// listenFor opens a subscription, leaves it open for a while and drops it.
func listenFor(ctx context.Context, d *Drive, v *Voice) {
	filter := ""
	for _, k := range []struct{ capability, key string }{{"tools", "toolsListChanged"}, {"prompts", "promptsListChanged"}, {"resources", "resourcesListChanged"}} {
		if d.Facts.Capability(k.capability + ".listChanged").Bool() {
			filter = `"` + k.key + `":true`
		}
	}
	if filter == "" {
		return
	}
	p := v.listen(ctx, "listen", "", `{`+filter+`}`)
	if p == nil {
		return
	}
	select {
	case <-p.Answered():
		return
	case <-time.After(openFor):
	case <-ctx.Done():
	}
	v.Note("listening", "waited", "the subscription was left open for "+openFor.String())
	p.Drop()
}
