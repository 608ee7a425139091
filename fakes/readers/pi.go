package readers

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// pi reads as the Pi coding agent 1.6.0 does, by the published code of its MCP
// package: a client of its own with few checks.
type pi struct{ server string }

// maxPiName is the longest name for the model, in UTF-16 units.
const maxPiName = 64

// Listing follows cursors; each tool needs a name and an object as inputSchema,
// or the list is lost.
func (r pi) Listing(_ string, pages [][]byte) fakes.Listing {
	lost := func(text, why string) fakes.Listing { return fakes.Listing{State: fakes.Lost, Error: text, Why: why} }
	var tools []fakes.ListedTool
	cursors, taken := map[string]bool{}, map[string]bool{}
	for _, raw := range pages {
		page, err := js.Parse(raw)
		if err != nil {
			return fakes.Listing{State: fakes.Hang, Why: "the line is not valid JSON, so it is dropped"}
		}
		if page.Get("tools").Kind != js.Array {
			return lost("Invalid MCP tools/list result", "tools is no list")
		}
		for i, t := range page.Get("tools").Items {
			if t.Get("name").Kind != js.String || t.Get("inputSchema").Kind != js.Object {
				return lost("Invalid entry in MCP tools/list result", fmt.Sprintf("tools.%d has no name or no inputSchema that is an object", i))
			}
			tools = append(tools, r.tool(t, taken))
		}
		next := page.Get("nextCursor")
		if next.Kind <= js.Null || next.Kind == js.String && next.Str == "" {
			break
		}
		if next.Kind != js.String {
			return lost("Invalid MCP tools/list cursor", "nextCursor is no string")
		}
		if cursors[next.Str] {
			return lost("MCP tools/list returned duplicate cursor: "+next.Str, "a cursor came twice")
		}
		cursors[next.Str] = true
	}
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

func (r pi) tool(sent js.Value, taken map[string]bool) fakes.ListedTool {
	name := sent.Get("name").Str
	t := fakes.ListedTool{Name: name, Raw: []byte(sent.Raw), State: fakes.Accepted, Label: r.server + "/" + name}
	plain := replaceUnits("mcp__"+r.server+"__"+name, isWord, "_")
	t.ModelName = plain
	if len(plain) > maxPiName || taken[plain] {
		sum := sha256.Sum256([]byte(r.server + "\x00" + name))
		hash := hex.EncodeToString(sum[:])[:8]
		t.ModelName = plain[:min(len(plain), maxPiName-len(hash)-1)] + "_" + hash
	}
	if taken[t.ModelName] {
		t.State, t.Why = fakes.Dropped, "another tool has the same name; the first one is kept"
		return t
	}
	taken[t.ModelName] = true
	t.Hides = hidden(sent, "annotations", "icons", "execution", "_meta")
	in := sent.Get("inputSchema").Copy()
	if in.Get("type").Kind <= js.Null {
		in.Set("type", js.Str("object"))
	}
	if in.Get("properties").Kind == js.Undefined {
		in.Set("properties", js.NewObject())
	}
	schemaFor(&t, sent.Get("inputSchema"), in)
	if t.ModelName != "mcp__"+r.server+"__"+name && t.State == fakes.Accepted {
		t.State, t.Why = fakes.Rewritten, "the model calls it "+t.ModelName
	}
	return t
}

// Call gives the model the blocks, structuredContent only without any.
func (r pi) Call(_ string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	name := "tool"
	if tool != nil {
		name = tool.Name
	}
	result, a := openPlain(response)
	if a != nil {
		return *a
	}
	if c := result.Get("content"); result.Kind != js.Object || c.Kind != js.Undefined && c.Kind != js.Array {
		return *refused("Invalid MCP tools/call result", "the result is no object or its content no list")
	}
	out := fakes.Answer{State: fakes.Accepted, Source: "text", IsError: result.Get("isError").Truthy(), Hides: hidden(result, "_meta")}
	sc := result.Get("structuredContent")
	var parts []string
	for _, b := range result.Get("content").Items {
		if text, shown := r.block(b); shown {
			parts = append(parts, text)
		}
	}
	switch {
	case len(result.Get("content").Items) > 0:
		out.Hides = append(out.Hides, hidden(result, "structuredContent")...)
	case sc.Kind != js.Undefined:
		out.Source, parts = "structuredContent", []string{sc.Indent(2)}
	default:
		out.Source = "none"
	}
	out.Text = strings.Join(parts, "\n")
	if out.IsError && out.Text == "" {
		out.Text = "MCP tool " + r.server + "/" + name + " returned an error"
	}
	cutPi(&out)
	return out
}

// block gives the text for one block; a picture has none.
func (r pi) block(b js.Value) (string, bool) {
	res := b.Get("resource")
	switch kind := b.Get("type").Str; {
	case kind == "text":
		return b.Get("text").Str, true
	case kind == "image":
		return "", false
	case kind == "audio":
		return "[audio " + b.Get("mimeType").Str + " omitted]", true
	case kind == "resource_link":
		return r.link(b), true
	case kind == "resource" && res.Has("text"):
		return res.Get("text").Str, true
	case kind == "resource":
		mime := res.Get("mimeType").Str
		if strings.HasPrefix(mime, "image/") {
			return "", false
		}
		data := decodeBase64(res.Get("blob").Str)
		if base, _, _ := strings.Cut(strings.ToLower(mime), ";"); isTextType(strings.TrimSpace(base)) {
			return string(data), true
		}
		if mime == "" {
			mime = "unknown type"
		}
		return fmt.Sprintf("[Binary resource %s (%s, %d bytes) saved to <file>]", res.Get("uri").Str, mime, len(data)), true
	default:
		return "[unsupported MCP content " + b.Get("type").ToText() + "]", true
	}
}

func (r pi) link(b js.Value) string {
	name := b.Get("title").Str
	if name == "" {
		name = b.Get("name").Str
	}
	s := fmt.Sprintf("[Resource %s %q", b.Get("uri").Str, name)
	if m := b.Get("mimeType").Str; m != "" {
		s += " (" + m + ")"
	}
	if d := b.Get("description").Str; d != "" {
		s += ": " + d
	}
	return s + "]"
}

// isTextType says whether data of a MIME type is shown as text.
func isTextType(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "application/json" || strings.HasSuffix(mime, "+json") || strings.HasSuffix(mime, "+xml")
}

// openPlain takes an answer out of its envelope as Pi and OMP do: version, id,
// and one of result and error.
func openPlain(response []byte) (js.Value, *fakes.Answer) {
	frame, err := js.Parse(response)
	if err != nil {
		return frame, hang("the line is not one JSON value, so it is dropped")
	}
	id, e := frame.Get("id"), frame.Get("error")
	switch {
	case frame.Get("jsonrpc").Str != "2.0" || id.Kind != js.Number:
		return frame, hang("the message is no answer to a request with a numeric id")
	case frame.Has("method"):
		return frame, hang("the message is a request or notification, no answer")
	case frame.Has("result") == frame.Has("error"):
		return frame, hang("the message needs a result or an error, not both")
	case frame.Has("result"):
		return frame.Get("result"), nil
	case e.Get("code").Kind != js.Number || e.Get("message").Kind != js.String:
		return frame, hang("the error has no code that is a number or no message")
	}
	return frame, serverError(e.Get("message").Str)
}
