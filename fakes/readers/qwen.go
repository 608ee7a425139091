package readers

import (
	"strconv"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/zod"
)

// qwen reads as Qwen Code 0.24.4 does. It comes from Gemini CLI, but stands on
// SDK v2, asks in the old handshake, and names tools otherwise.
type qwen struct {
	server string
	v2     *sdkV2
	list   zod.Shape
}

func newQwen(server string) *qwen {
	input := zod.Object(zod.RestOf(zod.Unknown()), zod.M("type", zod.Literal("object")),
		zod.Opt("properties", zod.Record(jsonValue())), zod.Opt("required", zod.Array(zod.String())))
	output := zod.Object(zod.Loose(), zod.Opt("$schema", zod.String()))
	list := zod.Object(zod.Loose(), requestMeta(), zod.Opt("nextCursor", zod.String()), zod.M("tools", zod.Array(tool2025(input, output))))
	return &qwen{server, newSDKV2(), list}
}

// Listing follows cursors. Two tools with one name lose the list, because the
// library in between refuses them.
func (r *qwen) Listing(_ string, pages [][]byte) fakes.Listing {
	var tools []fakes.ListedTool
	seen := map[string]bool{}
	for n, raw := range pages {
		sent, err := js.Parse(raw)
		if err != nil {
			return fakes.Listing{State: fakes.Hang, Why: "the line is not valid JSON, so it is dropped"}
		}
		opened, bad := r.v2.shapes.response.Parse(frameOf(sent))
		if len(bad) > 0 {
			return fakes.Listing{State: fakes.Hang, Why: "the result breaks the envelope (" + bad[0].Where() + "), so the message is dropped"}
		}
		kept, bad := r.list.Parse(dropProto(opened.Get("result")))
		if len(bad) > 0 {
			return fakes.Listing{State: fakes.Lost, Error: "Invalid result for tools/list: " + bad.Error(), Why: whyLost(n, bad)}
		}
		for i, t := range kept.Get("tools").Items {
			name := t.Get("name").Str
			if seen[name] {
				text := "Duplicate function name " + name + " found in MCP tools. Please ensure function names are unique."
				return fakes.Listing{State: fakes.Lost, Error: text, Why: "two tools are called " + js.Quote(name)}
			}
			seen[name] = true
			tools = append(tools, r.tool(sent.Get("tools").Items[i], t))
		}
		if kept.Get("nextCursor").Str == "" {
			break
		}
	}
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

func (r *qwen) tool(sent, kept js.Value) fakes.ListedTool {
	name := sent.Get("name").Str
	t := fakes.ListedTool{Name: name, Raw: []byte(sent.Raw), State: fakes.Accepted,
		ModelName: qwenName("mcp__" + r.server + "__" + name), Label: name + " (" + r.server + " MCP Server)"}
	t.Hides = hidden(sent, "title", "annotations", "icons", "outputSchema", "execution", "_meta")
	if name == "" {
		t.State, t.Why = fakes.Dropped, "a tool without a name is left out"
		return t
	}
	if !modelMaySee(kept.Get("_meta")) {
		t.State, t.Why = fakes.Dropped, "_meta.ui.visibility does not name the model"
		return t
	}
	schemaFor(&t, sent.Get("inputSchema"), kept.Get("inputSchema"))
	if t.ModelName != "mcp__"+r.server+"__"+name && t.State == fakes.Accepted {
		t.State, t.Why = fakes.Rewritten, "the model calls it "+t.ModelName
	}
	return t
}

// maxQwenName is the longest name, in UTF-16 units.
const maxQwenName = 63

// qwenName replaces other characters and ends every name that was changed in a
// hash of the whole.
func qwenName(name string) string {
	clean := replaceUnits(name, isWordOrDash, "_")
	if clean == name && len(name) <= maxQwenName {
		return name
	}
	hash := uint32(2166136261)
	for _, u := range js.Units(name) {
		hash = (hash ^ uint32(u)) * 16777619
	}
	suffix := strconv.FormatUint(uint64(hash), 36)
	suffix = "_" + strings.Repeat("0", max(0, 7-len(suffix))) + suffix
	return clean[:min(len(clean), maxQwenName-len(suffix))] + suffix
}

// Call gives the model structuredContent, then the blocks, in lines.
func (r *qwen) Call(_ string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	name, shown := "tool", "tool"
	if tool != nil {
		name, shown = tool.Name, tool.ModelName
	}
	result, a := openV2(r.v2.shapes.envelope, response)
	if a != nil {
		return *a
	}
	kept, c := r.v2.decode("2025-11-25", "tools/call", result)
	if c.why != "" {
		return *refused(c.text, c.why)
	}
	parts, pictures := qwenParts(name, kept)
	if kept.Get("isError").IsTrue() {
		out := fakes.Answer{State: fakes.Accepted, IsError: true, Source: sourceOf(kept), Text: strings.Join(parts, "\n")}
		if !pictures {
			wrapped := js.NewObject()
			wrapped.Set("error", kept)
			wrapped.Set("content", kept.Get("content"))
			out.Text = geminiError(name, wrapped)
		}
		return out
	}
	out := fakes.Answer{State: fakes.Accepted, Source: sourceOf(kept), Text: strings.Join(parts, "\n"), Hides: hidden(kept, "_meta")}
	if len(parts) == 0 {
		out.Source, out.Text = "none", "("+shown+" completed with no output)"
	}
	return out
}

// qwenParts gives the texts of a result and whether there is a picture in it.
func qwenParts(name string, result js.Value) (parts []string, pictures bool) {
	for _, b := range result.Get("content").Items {
		switch kind := b.Get("type").Str; kind {
		case "text":
			parts = append(parts, b.Get("text").Str)
		case "image", "audio":
			pictures = pictures || kind == "image"
			parts = append(parts, "[Tool '"+name+"' provided the following "+kind+" data with mime-type: "+b.Get("mimeType").Str+"]")
		case "resource_link":
			parts = append(parts, geminiLink(b))
		case "resource":
			if t := b.Get("resource").Get("text").Str; t != "" {
				parts = append(parts, t)
				continue
			}
			note, mime := geminiResource(name, b.Get("resource"))
			pictures = pictures || strings.HasPrefix(mime, "image/")
			parts = append(parts, note...)
		}
	}
	sc := result.Get("structuredContent")
	if sc.Kind == js.Undefined {
		return parts, pictures
	}
	whole := sc.Stringify()
	for _, p := range parts {
		if p == whole {
			return parts, pictures
		}
	}
	return append([]string{whole}, parts...), pictures
}
