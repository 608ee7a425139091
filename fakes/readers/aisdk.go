package readers

import (
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/zod"
)

// aiSDK reads as @ai-sdk/mcp 2.0.99 does, with tools made by its tools() and
// results given to the model by its own output function.
type aiSDK struct{ message, response, list, call zod.Shape }

func newAISDK() *aiSDK {
	str, boolean := zod.String(), zod.Bool()
	openObject := zod.Object(zod.Loose())
	id := zod.Union(str, zod.Int())
	meta := zod.Opt("_meta", openObject)
	result := func(members ...zod.Member) zod.Shape {
		return zod.Object(zod.Loose(), append([]zod.Member{meta, zod.Opt("resultType", str)}, members...)...)
	}
	version, params := zod.M("jsonrpc", zod.Literal("2.0")), zod.Opt("params", zod.Object(zod.Loose(), meta))
	r := &aiSDK{response: zod.Object(zod.Strict(), version, zod.M("id", id), zod.M("result", result()))}
	r.message = zod.Union(
		zod.Object(zod.Strict(), version, zod.M("id", id), zod.M("method", str), params),
		zod.Object(zod.Strict(), version, zod.M("method", str), params),
		r.response,
		zod.Object(zod.Strict(), version, zod.Opt("id", id), zod.M("error", zod.Object(zod.Strip(),
			zod.M("code", zod.Int()), zod.M("message", str), zod.Opt("data", zod.Unknown())))),
	)
	r.list = result(zod.Opt("nextCursor", str), zod.M("tools", zod.Array(zod.Object(zod.Loose(),
		zod.M("name", str), zod.Opt("title", str), zod.Opt("description", str),
		zod.M("inputSchema", zod.Object(zod.Loose(), zod.M("type", zod.Unknown()), zod.Opt("properties", openObject))),
		zod.Opt("outputSchema", openObject),
		zod.Opt("annotations", zod.Object(zod.Loose(), zod.Opt("title", str), zod.Opt("readOnlyHint", boolean),
			zod.Opt("destructiveHint", boolean), zod.Opt("idempotentHint", boolean), zod.Opt("openWorldHint", boolean))),
		metaRecord()))))

	base64 := str.Refine(func(v js.Value) bool { return zodBase64(v.Str) }, "")
	optional := func(names ...string) []zod.Member {
		var out []zod.Member
		for _, n := range names {
			out = append(out, zod.Opt(n, str))
		}
		return out
	}
	contents := func(last zod.Member) zod.Shape {
		return zod.Object(zod.Loose(), append(append([]zod.Member{zod.M("uri", str)}, optional("name", "title", "mimeType")...), last)...)
	}
	block := zod.Union(
		zod.Object(zod.Loose(), zod.M("type", zod.Literal("text")), zod.M("text", str)),
		zod.Object(zod.Loose(), zod.M("type", zod.Literal("image")), zod.M("data", base64), zod.M("mimeType", str)),
		zod.Object(zod.Loose(), zod.M("type", zod.Literal("resource")),
			zod.M("resource", zod.Union(contents(zod.M("text", str)), contents(zod.M("blob", base64))))),
		zod.Object(zod.Loose(), append([]zod.Member{zod.M("type", zod.Literal("resource_link")), zod.M("uri", str), zod.M("name", str)},
			optional("description", "mimeType")...)...),
		zod.Object(zod.Loose(), zod.M("type", str)).Refine(func(v js.Value) bool { return !aiSDKKnown(v.Get("type").Str) }, ""),
	)
	isError := zod.Opt("isError", zod.Default(boolean, js.Boolean(false)))
	r.call = zod.Union(
		result(zod.M("content", zod.Array(block)), zod.M("structuredContent", zod.Unknown()), isError),
		result(zod.Opt("content", zod.Custom(func(js.Value) bool { return false })), zod.M("structuredContent", jsonValue()), isError),
		result(zod.M("toolResult", zod.Custom(func(v js.Value) bool { return v.Kind != js.Undefined }))),
	)
	return r
}

func aiSDKKnown(kind string) bool {
	return kind == "text" || kind == "image" || kind == "resource" || kind == "resource_link"
}

// zodBase64 is zod's own base64 test: padded, no white space.
func zodBase64(s string) bool {
	return len(s)%4 == 0 && !strings.ContainsAny(s, " \t\n\f\r") && atobAccepts(s)
}

// forbiddenKeys is what the AI SDK's JSON parser refuses at any depth: a member
// __proto__, or a member constructor whose value has a member prototype.
func forbiddenKeys(v js.Value) bool {
	for _, x := range v.Items {
		if forbiddenKeys(x) {
			return true
		}
	}
	if v.Kind != js.Object {
		return false
	}
	if v.Has("__proto__") || v.Get("constructor").Has("prototype") {
		return true
	}
	for _, k := range v.Keys() {
		if forbiddenKeys(v.Get(k)) {
			return true
		}
	}
	return false
}

const aiSDKParse = "Failed to parse server response"

// Listing reads pages as tools() does; of two tools with one name the last stays.
func (r *aiSDK) Listing(revision string, pages [][]byte) fakes.Listing {
	var tools []fakes.ListedTool
	at := map[string]int{}
	for n, raw := range pages {
		sent, err := js.Parse(raw)
		if err == nil && forbiddenKeys(sent) {
			return fakes.Listing{State: fakes.Hang, Why: "the parser refuses a member named __proto__ (or constructor with prototype), so the line is dropped and the list never comes"}
		}
		if err != nil {
			return fakes.Listing{State: fakes.Hang, Why: "the line is not valid JSON, so it is dropped and the list never comes"}
		}
		opened, bad := r.response.Parse(frameOf(sent))
		if len(bad) > 0 {
			return fakes.Listing{State: fakes.Hang, Why: "the message breaks the envelope (" + bad.Short("; ") + ") and is dropped; the list never comes"}
		}
		result := opened.Get("result")
		if msg := r.early(revision, "tools/list", result, false); msg != "" {
			return fakes.Listing{State: fakes.Lost, Error: msg, Why: msg}
		}
		kept, bad := r.list.Parse(result)
		if len(bad) > 0 {
			return fakes.Listing{State: fakes.Lost, Error: aiSDKParse, Why: whyLost(n, bad)}
		}
		for i, t := range kept.Get("tools").Items {
			tool := r.tool(sent.Get("tools").Items[i], t)
			if j, twice := at[tool.Name]; twice {
				tools[j].State, tools[j].Why = fakes.Dropped, "a later tool has the same name; the last one is kept"
			}
			at[tool.Name] = len(tools)
			tools = append(tools, tool)
		}
	}
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

// early is the check of resultType before the shape; allowInput says whether
// the request may be answered with a question.
func (r *aiSDK) early(revision, method string, result js.Value, allowInput bool) string {
	if modern(revision) && !result.Has("resultType") {
		return "Modern MCP result is missing resultType"
	}
	if result.Get("resultType").Str == "input_required" && !allowInput {
		if !modern(revision) {
			revision = "2025-11-25"
		}
		return "Input-required results are not supported for " + method + " on protocol " + revision
	}
	return ""
}

func (r *aiSDK) tool(sent, kept js.Value) fakes.ListedTool {
	t := fakes.ListedTool{Name: sent.Get("name").Str, Raw: []byte(sent.Raw), State: fakes.Accepted, ModelName: sent.Get("name").Str}
	for _, title := range []js.Value{kept.Get("title"), kept.Get("annotations").Get("title"), kept.Get("name")} {
		if title.Kind == js.String {
			t.Label = title.Str
			break
		}
	}
	in := kept.Get("inputSchema").Copy()
	if in.Get("properties").Kind == js.Undefined {
		in.Set("properties", js.NewObject())
	}
	in.Set("additionalProperties", js.Boolean(false))
	t.Schema = []byte(in.Stringify())
	if was := sent.Get("inputSchema"); was.Has("additionalProperties") || len(js.Changes(was, kept.Get("inputSchema"), 1)) > 0 {
		if len(js.Changes(was, in, 1)) > 0 && !onlyAdded(was, in) {
			t.State, t.Why = fakes.Rewritten, "the input schema reaches the model changed"
		}
	}
	for _, k := range []string{"icons", "outputSchema", "execution"} {
		if sent.Has(k) {
			t.Hides = append(t.Hides, k)
		}
	}
	return t
}

// onlyAdded says whether now differs from was in members of its root that are new.
func onlyAdded(was, now js.Value) bool {
	for _, c := range js.Changes(was, now, 100) {
		if c.Gone || strings.Contains(c.Path, ".") || was.Has(c.Path) {
			return false
		}
	}
	return true
}

// Call gives the model the blocks; structuredContent stays in the result object.
func (r *aiSDK) Call(revision string, _ *fakes.ListedTool, response []byte) fakes.Answer {
	frame, err := js.Parse(response)
	if err != nil || forbiddenKeys(frame) {
		return *hang("the parser refuses the line, so it is dropped")
	}
	kept, bad := r.message.Parse(frame)
	if len(bad) > 0 || kept.Has("method") || !idMatchesNumber(kept.Get("id")) {
		return *hang("the message breaks the envelope or answers no request, so it is dropped: " + bad.Short("; "))
	}
	if e := kept.Get("error"); e.Kind != js.Undefined {
		return *serverError(e.Get("message").Str)
	}
	result := kept.Get("result")
	if msg := r.early(revision, "tools/call", result, modern(revision)); msg != "" {
		return *refused(msg, msg)
	}
	if result.Get("resultType").Str == "input_required" {
		return aiSDKAsked(result)
	}
	out, bad := r.call.Parse(result)
	if len(bad) > 0 {
		msg := aiSDKParse
		if modern(revision) {
			msg = "Failed to process server response"
		}
		return *refused(msg, whyRefused(bad))
	}
	return aiSDKAnswer(out)
}

// aiSDKAsked is what becomes of a question when the application set no handler.
func aiSDKAsked(result js.Value) fakes.Answer {
	asks, state := result.Get("inputRequests"), result.Get("requestState")
	if asks.Kind != js.Undefined && asks.Kind != js.Object || state.Kind != js.Undefined && state.Kind != js.String ||
		asks.Kind == js.Undefined && state.Kind == js.Undefined {
		return *refused("Failed to process server response", "input_required is malformed")
	}
	if keys := asks.Keys(); len(keys) > 0 { // the first one decides
		k := keys[0]
		method, mode := asks.Get(k).Get("method"), asks.Get(k).Get("params").Get("mode")
		if method.Kind != js.String {
			return *refused("Failed to process server response", "inputRequests."+k+" is no request")
		}
		if method.Str != "elicitation/create" || mode.Kind > js.Null && mode.Str != "form" {
			return *refused("Unsupported input request: "+method.Str+". Only form elicitation is supported.", "the client answers forms only")
		}
		return *refused("Server requested input, but no handler is registered. Use onElicitationRequest to handle elicitation.", "the client has no handler for questions")
	}
	return *inputRequired()
}

// aiSDKAnswer is the output function that tools() puts on each tool.
func aiSDKAnswer(result js.Value) fakes.Answer {
	a := fakes.Answer{State: fakes.Accepted, Source: "text"}
	if result.Has("_meta") {
		a.Hides = append(a.Hides, "_meta")
	}
	if result.Get("isError").IsTrue() {
		a.Hides = append(a.Hides, "isError")
	}
	content := result.Get("content")
	sc := result.Get("structuredContent")
	switch {
	case content.Kind == js.Array:
		var parts []string
		for _, b := range content.Items {
			parts = append(parts, aiSDKBlock(b))
		}
		a.Text = strings.Join(parts, "\n")
		if len(parts) == 0 {
			a.Source = "none"
		}
		if sc.Kind != js.Undefined {
			a.Hides = append(a.Hides, "structuredContent")
		}
	case sc.Kind != js.Undefined:
		a.Source, a.Text = "structuredContent", sc.Stringify()
	default:
		a.Text = result.Stringify()
	}
	return a
}

func aiSDKBlock(b js.Value) string {
	switch {
	case b.Get("type").Str == "text" && b.Has("text"):
		return b.Get("text").Str
	case b.Get("type").Str == "image" && b.Has("data") && b.Has("mimeType"):
		return "[file " + b.Get("mimeType").Str + "]"
	}
	return b.Stringify()
}
