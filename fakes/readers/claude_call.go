package readers

import (
	"fmt"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// Call gives the model structuredContent alone where it is there, else the blocks.
func (r *claude) Call(revision string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	name, wire := "tool", "tool"
	if tool != nil {
		name, wire = tool.ModelName, tool.Name
	}
	frame, err := js.Parse(response)
	if err != nil {
		a := hang("the line is not one JSON value, so it is dropped")
		a.Error = fmt.Sprintf("MCP server %q tool %q timed out", r.server, wire)
		return *a
	}
	if e := frame.Get("error"); e.Kind != js.Undefined && !frame.Has("result") {
		if e.Kind == js.String {
			return *serverError(e.Str)
		}
		return *serverError(e.Get("message").Str)
	}
	kept, bad := r.envelope.message.Parse(frame)
	if len(bad) == 0 {
		kept, bad = r.call[modern(revision)].Parse(kept.Get("result"))
	} else {
		_, bad = r.envelope.response.Parse(frame)
	}
	if len(bad) > 0 {
		return *refused(fmt.Sprintf("MCP server %q returned a malformed result that failed schema validation: Invalid result for tools/call: %s", r.server, bad.Error()), whyRefused(bad))
	}
	if modern(revision) && kept.Get("resultType").Str == "input_required" {
		return *inputRequired()
	}
	if modern(revision) {
		if bad := checkOutput(jsonschema.SDKv2, tool, kept, false); bad != nil {
			return *refused(bad.text, bad.text)
		}
	}
	return r.answer(name, kept)
}

func (r *claude) answer(name string, result js.Value) fakes.Answer {
	a := fakes.Answer{State: fakes.Accepted, IsError: result.Get("isError").IsTrue()}
	if result.Has("_meta") {
		a.Hides = append(a.Hides, "_meta")
	}
	texts := blockTexts(result.Get("content"))
	sc := result.Get("structuredContent")
	switch {
	case a.IsError:
		a.Source, a.Text = "text", strings.Join(texts, "\n")
		if len(texts) == 0 {
			a.Source, a.Text = "none", "Unknown error"
		}
		if sc.Kind != js.Undefined {
			a.Hides = append(a.Hides, "structuredContent")
		}
		for _, b := range result.Get("content").Items {
			if b.Get("type").Str != "text" {
				a.Hides = append(a.Hides, "content")
				break
			}
		}
	case sc.Kind != js.Undefined:
		a.Source, a.Text = "structuredContent", sc.Stringify()
		if len(result.Get("content").Items) > 0 {
			a.Hides = append(a.Hides, "content")
		}
	case len(result.Get("content").Items) == 0:
		a.Source, a.Text = "none", "("+name+" completed with no output)"
	default:
		a.Source = "text"
		var parts []string
		for _, b := range result.Get("content").Items {
			parts = append(parts, r.block(b))
		}
		a.Text = strings.Join(parts, "\n")
	}
	return a
}

// block is the text that stands for one block.
func (r *claude) block(b js.Value) string {
	switch b.Get("type").Str {
	case "text":
		return b.Get("text").Str
	case "image":
		if b.Get("data").Str == "" {
			return "[Image could not be processed: Image file is empty (0 bytes)]"
		}
		return "[Image: source: <file>]"
	case "audio":
		return fmt.Sprintf("[Audio from %s] Binary content (%s, %d bytes) saved to <file>", r.server, b.Get("mimeType").Str, base64Size(b.Get("data").Str))
	case "resource_link":
		s := fmt.Sprintf("[Resource link: %s] %s", b.Get("name").Str, b.Get("uri").Str)
		if d := b.Get("description").Str; d != "" {
			s += " (" + d + ")"
		}
		return s
	}
	res := b.Get("resource")
	head := fmt.Sprintf("[Resource from %s at %s] ", r.server, res.Get("uri").Str)
	if res.Has("text") {
		return head + res.Get("text").Str
	}
	return head + fmt.Sprintf("Binary content (%s, %d bytes) saved to <file>", res.Get("mimeType").Str, base64Size(res.Get("blob").Str))
}

// base64Size gives how many bytes base64 text stands for.
func base64Size(s string) int {
	return len(strings.TrimRight(s, "=")) * 3 / 4
}
