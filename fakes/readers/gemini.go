package readers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/zod"
)

// gemini reads as Gemini CLI 0.61.0 does. It stands on an SDK 1.x from before
// task support and block annotations, with an older zod.
type gemini struct {
	server string
	v1     *sdkV1
}

func newGemini(server string) *gemini {
	str := zod.String()
	record := zod.RecordOld
	meta := zod.Opt("_meta", record(zod.Unknown()))
	schema := objectSchemaV1(record)
	icons := zod.Opt("icons", zod.Array(zod.Object(zod.Strip(), zod.M("src", str), zod.Opt("mimeType", str), zod.Opt("sizes", zod.Array(str)))))
	s := shapesV1{envelope: newEnvelope(meta)}
	s.list = zod.Object(zod.Loose(), meta, zod.Opt("nextCursor", str), zod.M("tools", zod.Array(zod.Object(zod.Strip(),
		zod.M("name", str), zod.Opt("title", str), icons, zod.Opt("description", str),
		zod.M("inputSchema", schema), zod.Opt("outputSchema", schema), toolAnnotations(), meta))))
	base64 := str.Refine(func(v js.Value) bool { return atobAccepts(v.Str) }, "Invalid Base64 string")
	media := func(kind string) zod.Shape {
		return zod.Object(zod.Strip(), zod.M("type", zod.Literal(kind)), zod.M("data", base64), zod.M("mimeType", str), meta)
	}
	uri, mime := zod.M("uri", str), zod.Opt("mimeType", str)
	s.call = callV1(meta, record, zod.UnionOld(
		zod.Object(zod.Strip(), zod.M("type", zod.Literal("text")), zod.M("text", str), meta),
		media("image"), media("audio"),
		zod.Object(zod.Strip(), zod.M("name", str), zod.Opt("title", str), icons, uri, zod.Opt("description", str), mime,
			zod.Opt("_meta", zod.Object(zod.Loose())), zod.M("type", zod.Literal("resource_link"))),
		zod.Object(zod.Strip(), zod.M("type", zod.Literal("resource")), zod.M("resource", zod.UnionOld(
			zod.Object(zod.Strip(), uri, mime, meta, zod.M("text", str)),
			zod.Object(zod.Strip(), uri, mime, meta, zod.M("blob", base64)),
		)), meta),
	))
	return &gemini{server, &sdkV1{s, 0}}
}

// Listing reads the first page only; no other is asked for.
func (r *gemini) Listing(_ string, pages [][]byte) fakes.Listing {
	var tools []fakes.ListedTool
	for n, raw := range pages {
		if n > 0 {
			tools = append(tools, unasked(raw)...)
			continue
		}
		l, lost := r.v1.readPage(n, raw, nil)
		if lost != nil {
			lost.Error = infinityIsNumber(lost.Error)
			return *lost
		}
		for i, t := range l.kept.Get("tools").Items {
			tools = append(tools, r.tool(l.sent.Get("tools").Items[i], t))
		}
	}
	lastWins(tools)
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

// unasked are the tools of a page that a client never asks for.
func unasked(raw []byte) []fakes.ListedTool {
	page, err := js.Parse(raw)
	if err != nil {
		return nil
	}
	var out []fakes.ListedTool
	for _, t := range page.Get("tools").Items {
		out = append(out, fakes.ListedTool{Name: t.Get("name").Str, Raw: []byte(t.Raw), State: fakes.Dropped,
			Why: "it is on a later page, and this client asks for the first page only"})
	}
	return out
}

// lastWins drops all but the last of the tools with one name for the model.
func lastWins(tools []fakes.ListedTool) {
	at := map[string]int{}
	for i, t := range tools {
		if t.State == fakes.Dropped {
			continue
		}
		if j, twice := at[t.ModelName]; twice {
			tools[j].State, tools[j].Why = fakes.Dropped, "a later tool is called "+t.ModelName+" too; the last one is kept"
		}
		at[t.ModelName] = i
	}
}

func (r *gemini) tool(sent, kept js.Value) fakes.ListedTool {
	name := sent.Get("name").Str
	t := fakes.ListedTool{Name: name, Raw: []byte(sent.Raw), State: fakes.Accepted,
		ModelName: geminiName(r.server + "_" + name), Label: fmt.Sprintf("%s (%s MCP Server)", name, r.server)}
	for _, k := range []string{"title", "annotations", "icons", "outputSchema", "execution", "_meta"} {
		if sent.Has(k) {
			t.Hides = append(t.Hides, k)
		}
	}
	if name == "" {
		t.State, t.Why = fakes.Dropped, "a tool without a name is left out"
		return t
	}
	if name == "ask_user" {
		t.State, t.Why = fakes.Dropped, "a tool of this name is not shown in headless mode; a built-in has the same name"
		return t
	}
	in := nullables(kept.Get("inputSchema"))
	if len(js.Changes(sent.Get("inputSchema"), in, 1)) > 0 {
		t.State, t.Why = fakes.Rewritten, "the input schema reaches the model changed"
	}
	t.Schema = []byte(withWaitParameter(in).Stringify())
	return t
}

// geminiName is the name for the model: other characters become an underscore,
// and more than 63 are cut in the middle.
func geminiName(s string) string {
	if !strings.HasPrefix(s, "mcp_") {
		s = "mcp_" + s
	}
	s = replaceUnits(s, func(r rune) bool { return isWordOrDash(r) || r == '.' || r == ':' }, "_")
	if len(s) > 63 {
		s = s[:30] + "..." + s[len(s)-30:]
	}
	return s
}

// nullables turns a type list of two words, one of them null, into the other
// word and nullable, everywhere in a schema.
func nullables(v js.Value) js.Value {
	switch v.Kind {
	case js.Array:
		out := js.List()
		for _, x := range v.Items {
			out.Items = append(out.Items, nullables(x))
		}
		return out
	case js.Object:
		out := v.Copy()
		if t := out.Get("type"); t.Kind == js.Array && len(t.Items) == 2 {
			for i, word := range t.Items {
				if other := t.Items[1-i]; word.Kind == js.String && word.Str == "null" && other.Kind == js.String {
					out.Set("type", other)
					out.Set("nullable", js.Boolean(true))
					break
				}
			}
		}
		for _, k := range out.Keys() {
			out.Set(k, nullables(out.Get(k)))
		}
		return out
	}
	return v
}

// withWaitParameter adds the parameter that Gemini CLI gives every tool.
func withWaitParameter(schema js.Value) js.Value {
	wait := js.NewObject()
	wait.Set("type", js.Str("boolean"))
	wait.Set("description", js.Str("Set to true to wait for all previously requested tools in this turn to complete before starting. Set to false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools."))
	props := js.NewObject()
	if p := schema.Get("properties"); p.Kind == js.Object {
		props = p.Copy()
	}
	props.Set("wait_for_previous", wait)
	out := schema.Copy()
	out.Set("properties", props)
	return out
}

// Call gives the model the blocks, texts wrapped as untrusted.
func (r *gemini) Call(_ string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	name := "tool"
	if tool != nil {
		name = tool.Name
	}
	result, a := r.v1.open(response)
	if a != nil {
		return r.failed(name, *a)
	}
	kept, bad := r.v1.shapes.call.Parse(guessStructured(result))
	if len(bad) > 0 {
		return r.failed(name, *refused(infinityIsNumber(bad.Error()), "the result is refused: "+bad.Short("; ")))
	}
	if fault := checkOutput(jsonschema.SDKv1, tool, kept, true); fault != nil {
		return r.failed(name, *refused(fmt.Sprintf("MCP error %d: %s", fault.code, fault.text), fault.text))
	}
	if kept.Get("isError").IsTrue() {
		return fakes.Answer{State: fakes.Accepted, IsError: true, Source: sourceOf(kept), Text: geminiError(name, kept)}
	}
	return r.answer(name, result, kept)
}

// guessStructured does what the transport of this client does: when the first
// block is text that reads as JSON, its value becomes structuredContent.
func guessStructured(result js.Value) js.Value {
	content := result.Get("content")
	if len(content.Items) == 0 || result.Get("structuredContent").Truthy() {
		return result
	}
	first := content.Items[0]
	if first.Get("type").Str != "text" || first.Get("text").Kind != js.String {
		return result
	}
	v, err := js.Parse([]byte(first.Get("text").Str))
	if err != nil {
		return result
	}
	out := result.Copy()
	out.Set("structuredContent", v)
	return out
}

// failed wraps an error as the model gets it.
func (r *gemini) failed(name string, a fakes.Answer) fakes.Answer {
	if a.State == fakes.Hang {
		return a
	}
	e, response := js.NewObject(), js.NewObject()
	e.Set("message", js.Str(a.Error))
	e.Set("isError", js.Boolean(true))
	response.Set("error", e)
	a.Text = geminiError(name, response)
	a.Error = a.Text
	return a
}

// geminiError is the text for the model of a call that failed. The arguments are
// not known here; they are shown as none.
func geminiError(name string, response js.Value) string {
	call, part, inner := js.NewObject(), js.NewObject(), js.NewObject()
	call.Set("name", js.Str(name))
	call.Set("args", js.NewObject())
	inner.Set("name", js.Str(name))
	inner.Set("response", response)
	part.Set("functionResponse", inner)
	return fmt.Sprintf("MCP tool '%s' reported tool error for function call: %s with response: %s", name, call.Stringify(), js.List(part).Stringify())
}

func (r *gemini) answer(name string, sent, kept js.Value) fakes.Answer {
	a := fakes.Answer{State: fakes.Accepted, Source: "text"}
	for _, k := range []string{"structuredContent", "_meta"} {
		if sent.Has(k) {
			a.Hides = append(a.Hides, k)
		}
	}
	var parts, data []string
	for _, b := range kept.Get("content").Items {
		switch kind := b.Get("type").Str; kind {
		case "text":
			parts = append(parts, untrusted(b.Get("text").Str))
		case "image", "audio":
			parts = append(parts, fmt.Sprintf("[Tool '%s' provided the following %s data with mime-type: %s]", name, kind, b.Get("mimeType").Str))
			data = append(data, b.Get("mimeType").Str)
		case "resource_link":
			parts = append(parts, geminiLink(b))
		case "resource":
			text, mime := geminiResource(name, b.Get("resource"))
			parts, data = append(parts, text...), append(data, mime)
		}
	}
	if len(parts) == 1 {
		if cut := cutGemini(parts[0]); cut != parts[0] {
			parts[0], a.Why = cut, cutNote
		}
	}
	a.Text = strings.Join(append(stripped(data), parts...), "\n")
	if len(parts) == 0 {
		a.Source, a.Text = "none", "{}"
	}
	return a
}

func geminiLink(b js.Value) string {
	title := b.Get("title").Str
	if title == "" {
		title = b.Get("name").Str
	}
	return "Resource Link: " + title + " at " + b.Get("uri").Str
}

// geminiResource gives the texts for an embedded resource and the type of its data.
func geminiResource(name string, res js.Value) ([]string, string) {
	if t := res.Get("text").Str; t != "" {
		return []string{untrusted(t)}, ""
	}
	if res.Get("blob").Str == "" {
		return nil, ""
	}
	mime := res.Get("mimeType").Str
	if mime == "" {
		mime = "application/octet-stream"
	}
	return []string{fmt.Sprintf("[Tool '%s' provided the following embedded resource with mime-type: %s]", name, mime)}, mime
}

// stripped is the note on sound and film, which do not reach the model.
func stripped(mimes []string) []string {
	var lost []string
	for _, m := range mimes {
		if (strings.HasPrefix(m, "audio/") || strings.HasPrefix(m, "video/")) && !slices.Contains(lost, m) {
			lost = append(lost, m)
		}
	}
	if len(lost) == 0 {
		return nil
	}
	return []string{"[SYSTEM: Binary content (" + strings.Join(lost, ", ") + ") stripped from response due to protocol limitations.]"}
}

func untrusted(text string) string {
	const end = "</untrusted_context>"
	return "<untrusted_context>\n" + strings.ReplaceAll(text, end, "&lt;/untrusted_context&gt;") + "\n" + end
}
