package readers

import (
	"bytes"
	"strconv"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/serde"
)

// rustCall is the tools/call result of the Rust SDK. One of its members must be
// there, no matter which.
func rustCall() serde.Type {
	fields := serde.Struct(
		serde.Opt("content", serde.Vec(rustBlock())), serde.Opt("structuredContent", serde.Any),
		serde.Opt("isError", serde.Bool), serde.Opt("_meta", serde.Map), serde.Opt("resultType", serde.Enum("complete")))
	return func(v js.Value, path string) string {
		if v.Kind != js.Object {
			return path + ": expected a map, found " + v.Type()
		}
		if bad := fields(v, path); bad != "" {
			return bad
		}
		if other := rustOther(v); other != "" {
			return path + ": it reads as " + other + ", which comes first"
		}
		for _, k := range []string{"content", "isError", "_meta"} {
			if v.Get(k).Kind > js.Null {
				return ""
			}
		}
		if v.Has("structuredContent") {
			return ""
		}
		return path + ": no member of a tool result is there"
	}
}

// rustOther names the kind of result that the Rust SDK takes a value for before
// it thinks of a tool result; "" when there is none.
func rustOther(v js.Value) string {
	str, some := serde.String, func(fields ...serde.Field) serde.Type { return serde.Vec(serde.Struct(fields...)) }
	kinds := []struct {
		name  string
		field serde.Field
	}{
		{"CompleteResult", serde.F("completion", serde.Struct(serde.F("values", serde.Vec(str))))},
		{"GetPromptResult", serde.F("messages", some(serde.F("role", serde.Enum("user", "assistant")), serde.F("content", serde.Any)))},
		{"ListPromptsResult", serde.F("prompts", some(serde.F("name", str)))},
		{"ListResourcesResult", serde.F("resources", some(serde.F("uri", str), serde.F("name", str)))},
		{"ListResourceTemplatesResult", serde.F("resourceTemplates", some(serde.F("uriTemplate", str), serde.F("name", str)))},
		{"ReadResourceResult", serde.F("contents", serde.Vec(rustContents()))},
	}
	for _, k := range kinds {
		if serde.Struct(k.field)(v, "") == "" {
			return k.name
		}
	}
	if rustList()(v, "") == "" {
		return "ListToolsResult"
	}
	return ""
}

// rustContents is the content of a resource.
func rustContents() serde.Type {
	uri, mime, meta := serde.F("uri", serde.String), serde.Opt("mimeType", serde.String), serde.Opt("_meta", serde.Map)
	return serde.Untagged(
		serde.Struct(uri, mime, serde.F("text", serde.String), meta),
		serde.Struct(uri, mime, serde.F("blob", serde.String), meta))
}

// rustBlock is one block. The type may be given by its number, as serde allows.
func rustBlock() serde.Type {
	str, meta := serde.String, serde.Opt("_meta", serde.Map)
	media := serde.Struct(serde.F("data", str), serde.F("mimeType", str), meta)
	kinds := rustKinds()
	types := map[string]serde.Type{
		"text":     serde.Struct(serde.F("text", str), meta),
		"image":    media,
		"audio":    media,
		"resource": serde.Struct(serde.F("resource", rustContents()), meta),
		"resource_link": serde.Struct(serde.F("uri", str), serde.F("name", str), serde.Opt("title", str), serde.Opt("description", str),
			serde.Opt("mimeType", str), serde.Opt("size", serde.Uint), serde.Opt("icons", serde.Vec(rustIcon())), meta),
	}
	annotations := serde.Struct(serde.Opt("annotations", serde.Struct(
		serde.Opt("audience", serde.Vec(serde.Enum("user", "assistant"))),
		serde.Opt("priority", serde.Number), serde.Opt("lastModified", str))))
	return func(v js.Value, path string) string {
		if v.Kind != js.Object {
			return path + ": expected a map, found " + v.Type()
		}
		kind := rustKind(kinds, v.Get("type"))
		if kind == "" || v.Twice("type") {
			return path + ".type: unknown variant"
		}
		if bad := types[kind](v, path); bad != "" {
			return bad
		}
		return annotations(v, path)
	}
}

// rustKinds are the block types in the order of the Rust SDK.
func rustKinds() []string { return []string{"text", "image", "resource", "audio", "resource_link"} }

// rustKind gives the name of a block type that is named or numbered, or "".
func rustKind(kinds []string, v js.Value) string {
	if v.Kind == js.Number {
		if n, err := strconv.ParseUint(v.Raw, 10, 64); err == nil && n < uint64(len(kinds)) {
			return kinds[n]
		}
	}
	for _, k := range kinds {
		if v.Kind == js.String && v.Str == k {
			return k
		}
	}
	return ""
}

// openRust reads one line as the Rust SDK does: a result, a JSON-RPC error, or
// nothing, because the line is dropped. exact is as in serde.Parse.
func openRust(response []byte, exact bool) (frame js.Value, drop string) {
	frame, err := serde.Parse(bytes.TrimPrefix(response, []byte("\ufeff")), exact)
	switch {
	case err != nil:
		return frame, "the line cannot be read (" + err.Error() + ")"
	case frame.Kind != js.Object || frame.Get("jsonrpc").Str != "2.0":
		return frame, `the message is no JSON-RPC 2.0 message`
	case !rustID(frame.Get("id"), exact):
		return frame, "the id of the answer matches no request"
	case frame.Twice("jsonrpc") || frame.Twice("id") || frame.Twice("result") || frame.Twice("error"):
		return frame, "a member of the message comes twice"
	case frame.Has("method"):
		return frame, "the message is a request or notification, no answer"
	case exact && frame.Has("result") && frame.Has("error"):
		return frame, "the message has a result and an error"
	case frame.Has("result"):
		return frame, ""
	}
	e := serde.Struct(serde.F("code", serde.Int32), serde.F("message", serde.String), serde.Opt("data", serde.Any))
	if frame.Get("error").Kind != js.Object {
		return frame, "the message has neither a result nor an error that can be read"
	}
	if bad := e(frame.Get("error"), "error"); bad != "" {
		return frame, bad
	}
	return frame, ""
}

// rustID says whether an id can be that of a request with a numeric id.
func rustID(id js.Value, exact bool) bool {
	if id.Kind == js.String {
		_, err := strconv.ParseInt(id.Str, 10, 64)
		return err == nil
	}
	return id.Kind == js.Number && (exact || serde.IsInteger(id))
}

// rustHides lists what of a result no reader in Rust shows.
func rustHides(result js.Value) []string {
	if result.Get("_meta").Kind > js.Null {
		return []string{"_meta"}
	}
	return nil
}

// hungCall is an answer that never comes, with the client's own text.
func hungCall(why, text string) fakes.Answer {
	a := *hang(why)
	a.Error, a.Text = text, text
	return a
}
