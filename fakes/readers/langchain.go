package readers

import (
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// langchain reads as @langchain/mcp-adapters 1.1.4 does, with its defaults, on
// top of the client of SDK v1.
type langchain struct {
	v1     *sdkV1
	server string
}

func newLangchain(server string) *langchain { return &langchain{newSDKV1(), server} }

// Listing keeps every tool that has a name and simplifies its schema.
func (r *langchain) Listing(_ string, pages [][]byte) fakes.Listing {
	lists, lost := r.v1.lists(pages)
	if lost != nil {
		return *lost
	}
	var tools []fakes.ListedTool
	for _, l := range lists {
		for i, t := range l.kept.Get("tools").Items {
			if text, why := langchainThrows(t.Get("inputSchema")); why != "" && t.Get("name").Str != "" {
				return fakes.Listing{State: fakes.Lost, Error: text, Why: "the schema simplifier fails on the tool " + t.Get("name").Str + ": " + why}
			}
			tools = append(tools, r.tool(l.sent.Get("tools").Items[i], t))
		}
	}
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

func (r *langchain) tool(sent, kept js.Value) fakes.ListedTool {
	name := sent.Get("name").Str
	t := fakes.ListedTool{Name: name, Raw: []byte(sent.Raw), State: fakes.Accepted, ModelName: name, Label: name}
	for _, k := range []string{"title", "icons", "outputSchema", "execution", "_meta"} {
		if sent.Has(k) {
			t.Hides = append(t.Hides, k)
		}
	}
	if name == "" {
		t.State, t.Why = fakes.Dropped, "a tool without a name is left out"
		return t
	}
	in := kept.Get("inputSchema").Copy()
	if !in.Get("properties").Truthy() {
		in.Set("properties", js.NewObject())
	}
	refs := inliner{defs: schemaDefs(in)}
	simple := simplifySchema(refs.refs(in, nil))
	t.Schema = []byte(simple.Stringify())
	if len(js.Changes(in, simple, 1)) > 0 || len(js.Changes(sent.Get("inputSchema"), kept.Get("inputSchema"), 1)) > 0 {
		t.State, t.Why = fakes.Rewritten, "the input schema is simplified: $ref inlined, combinators taken away"
	}
	return t
}

// Call gives the model the blocks; one lone text comes with structuredContent beside it.
func (r *langchain) Call(_ string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	name := "tool"
	if tool != nil {
		name = tool.Name
	}
	result, a := r.v1.result(tool, response)
	if a != nil {
		if a.State == fakes.Failed {
			kind := ""
			if strings.HasPrefix(a.Error, "MCP error ") {
				kind = "McpError: "
			}
			a.Error = "Error calling tool " + name + ": " + kind + a.Error
			a.Text = a.Error
		}
		return *a
	}
	content := result.Get("content").Items
	if result.Get("isError").Truthy() {
		var texts []string
		for _, b := range content {
			texts = append(texts, b.Get("text").Str)
		}
		msg := "MCP tool '" + name + "' on server '" + r.server + "' returned an error: " + strings.Join(texts, "\n")
		out := fakes.Answer{State: fakes.Failed, Error: msg, Text: msg, Source: "text", IsError: true, Why: "the tool reported an error, and the adapter throws it"}
		if result.Has("structuredContent") {
			out.Hides = append(out.Hides, "structuredContent")
		}
		return out
	}
	return r.answer(result, content)
}

func (r *langchain) answer(result js.Value, content []js.Value) fakes.Answer {
	out := fakes.Answer{State: fakes.Accepted, Source: "text"}
	blocks := js.List()
	for _, b := range content {
		if b.Get("type").Str == "resource" {
			out.Hides = append(out.Hides, "content: embedded resource, kept in the artifact")
			continue
		}
		blocks.Items = append(blocks.Items, langchainBlock(b))
	}
	sc, meta := result.Get("structuredContent"), result.Get("_meta")
	if len(blocks.Items) == 1 && blocks.Items[0].Get("type").Str == "text" {
		one := blocks.Items[0]
		if sc.Kind == js.Undefined && meta.Kind == js.Undefined {
			out.Text = one.Get("text").Str
			return out
		}
		if sc.Kind != js.Undefined {
			one.Set("structuredContent", sc)
			out.Source = "both"
		}
		if meta.Kind != js.Undefined {
			one.Set("meta", meta)
		}
		out.Text = one.Stringify()
		return out
	}
	out.Text = blocks.Stringify()
	if len(blocks.Items) == 0 {
		out.Source = "none"
	}
	if sc.Kind != js.Undefined {
		out.Hides = append(out.Hides, "structuredContent")
	}
	return out
}

func langchainBlock(b js.Value) js.Value {
	out := js.NewObject()
	switch b.Get("type").Str {
	case "text":
		out.Set("type", js.Str("text"))
		out.Set("text", b.Get("text"))
	case "image":
		url := js.NewObject()
		url.Set("url", js.Str("data:"+b.Get("mimeType").Str+";base64,"+b.Get("data").Str))
		out.Set("type", js.Str("image_url"))
		out.Set("image_url", url)
	case "audio":
		out.Set("type", js.Str("audio"))
		out.Set("source_type", js.Str("base64"))
		out.Set("data", b.Get("data"))
		out.Set("mime_type", b.Get("mimeType"))
	default:
		out.Set("type", js.Str("file"))
		out.Set("source_type", js.Str("url"))
		out.Set("url", b.Get("uri"))
		out.Set("mime_type", b.Get("mimeType"))
	}
	return out
}
