package readers

import (
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// Call gives the model structuredContent alone where it is there, else the
// blocks; that a call failed is not said. The line with the time that Codex
// puts before every output is left out here.
func (r *codex) Call(_ string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	name := "tool"
	if tool != nil {
		name = tool.Name
	}
	head := "tool call error: tool call failed for `" + r.server + "/" + name + "`\n\nCaused by:\n    "
	frame, drop := openRust(response, true)
	if drop != "" {
		return hungCall(drop, head+"timed out awaiting tools/call")
	}
	if e := frame.Get("error"); !frame.Has("result") {
		text := "Mcp error: " + e.Get("code").Raw + ": " + e.Get("message").Str
		if data := e.Get("data"); data.Kind > js.Null {
			text += "(" + data.Verbatim() + ")"
		}
		a := *serverError(head + strings.ReplaceAll(text, "\n", "\n    "))
		why := a.Why
		cutCodex(&a, []string{a.Text}, false)
		a.Error, a.Why = a.Text, why
		return a
	}
	result := frame.Get("result")
	if bad := r.call(result, "result"); bad != "" {
		return *refused(head+"Unexpected response type", bad+"; the whole result is refused")
	}
	return codexAnswer(result)
}

func codexAnswer(result js.Value) fakes.Answer {
	a := fakes.Answer{State: fakes.Accepted, IsError: false, Hides: rustHides(result)}
	if result.Get("isError").IsTrue() {
		a.Why = "the model is not told that the tool reported an error"
		a.Hides = append(a.Hides, "isError")
	}
	if sc := result.Get("structuredContent"); sc.Kind > js.Null {
		a.Source, a.Text = "structuredContent", sc.Verbatim()
		if len(result.Get("content").Items) > 0 {
			a.Hides = append(a.Hides, "content")
		}
		cutCodex(&a, []string{a.Text}, true)
		return a
	}
	a.Source = "none"
	kinds := rustKinds()
	var parts []string
	for _, b := range result.Get("content").Items {
		a.Source = "text"
		switch kind := rustKind(kinds, b.Get("type")); kind {
		case "text":
			if b.Get("text").Str != "" {
				parts = append(parts, b.Get("text").Str)
			}
		case "image":
			if sniffImage(b.Get("data").Str) == "" {
				parts = append(parts, "image content omitted because it could not be processed")
			}
		case "audio":
			parts = append(parts, "<audio content omitted because you do not support audio input>")
		default:
			parts = append(parts, codexBlock(kind, b).Verbatim())
		}
	}
	a.Text = strings.Join(parts, "\n")
	cutCodex(&a, parts, false)
	return a
}

// codexBlock writes a block anew, with the members that the Rust SDK knows in
// its order.
func codexBlock(kind string, b js.Value) js.Value {
	out := js.NewPlain()
	out.Set("type", js.Str(kind))
	if kind == "resource" {
		second := "text"
		if b.Get("resource").Get("text").Kind != js.String {
			second = "blob"
		}
		out.Set("resource", inOrder(b.Get("resource"), "uri", "mimeType", second, "_meta"))
		copyMembers(out, b, "_meta")
	} else {
		copyMembers(out, b, "uri", "name", "title", "description", "mimeType", "size", "icons", "_meta")
		if icons := out.Get("icons"); icons.Kind == js.Array {
			list := js.List()
			for _, i := range icons.Items {
				list.Items = append(list.Items, inOrder(i, "src", "mimeType", "sizes", "theme"))
			}
			out.Set("icons", list)
		}
	}
	if an := b.Get("annotations"); an.Kind > js.Null {
		kept := inOrder(an, "audience", "priority", "lastModified")
		if p := kept.Get("priority"); p.Kind == js.Number {
			p.Raw = rustFloat32(p.Num)
			kept.Set("priority", p)
		}
		out.Set("annotations", kept)
	}
	return out
}

// inOrder copies the named members that are there and not null.
func inOrder(v js.Value, names ...string) js.Value {
	out := js.NewPlain()
	copyMembers(out, v, names...)
	return out
}

func copyMembers(to, from js.Value, names ...string) {
	for _, n := range names {
		if x := from.Get(n); x.Kind > js.Null {
			if n == "_meta" && x.Kind == js.Number {
				x = js.NewPlain()
				x.Set("$serde_json::private::Number", js.Str(from.Get(n).Raw))
			}
			to.Set(n, x)
		}
	}
}
