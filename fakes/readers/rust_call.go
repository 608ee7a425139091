package readers

import (
	"bytes"
	"strconv"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/serde"
)

// rustCall is the tools/call result of the Rust SDK. content may be absent when
// structuredContent is there.
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
		if v.Get("content").Kind <= js.Null && v.Get("structuredContent").Kind <= js.Null {
			return path + ": neither content nor structuredContent is there"
		}
		return ""
	}
}

// rustBlock is one block. The type may be given by its number, as serde allows.
func rustBlock() serde.Type {
	str, meta := serde.String, serde.Opt("_meta", serde.Map)
	uri, mime := serde.F("uri", str), serde.Opt("mimeType", str)
	media := serde.Struct(serde.F("data", str), serde.F("mimeType", str), meta)
	kinds := rustKinds()
	types := map[string]serde.Type{
		"text":  serde.Struct(serde.F("text", str), meta),
		"image": media,
		"audio": media,
		"resource": serde.Struct(serde.F("resource", serde.Untagged(
			serde.Struct(uri, mime, serde.F("text", str), meta),
			serde.Struct(uri, mime, serde.F("blob", str), meta))), meta),
		"resource_link": serde.Struct(uri, serde.F("name", str), serde.Opt("title", str), serde.Opt("description", str), mime,
			serde.Opt("size", serde.Uint32), serde.Opt("icons", serde.Vec(rustIcon())), meta),
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
