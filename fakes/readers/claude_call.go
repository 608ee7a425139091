package readers

import (
	"fmt"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// Call gives the model structuredContent in the place of text blocks, where it
// is there; other blocks reach the model beside it. Paths of files that Claude
// Code writes are shown as <file>.
func (r *claude) Call(revision string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	name, wire := "tool", "tool"
	if tool != nil {
		name, wire = tool.ModelName, tool.Name
	}
	result, a := r.openCall(wire, response)
	if a != nil {
		return *a
	}
	malformed := fmt.Sprintf("MCP server %q returned a malformed result that failed schema validation: ", r.server)
	if modern(revision) && result.Has("resultType") {
		if c := resultType("tools/call", result); c.why != "" {
			if !strings.HasPrefix(c.text, "Unsupported") {
				c.text = malformed + c.text
			}
			return *claudeRefused(c.text, c.why)
		}
		if result.Get("resultType").Str == "input_required" {
			return *inputRequired()
		}
	}
	kept, bad := r.call[modern(revision)].Parse(result)
	if len(bad) > 0 {
		return *claudeRefused(malformed+"Invalid result for tools/call: "+bad.Error(), whyRefused(bad))
	}
	if modern(revision) {
		if bad := checkOutput(jsonschema.SDKv2, tool, kept, false); bad != nil {
			return *claudeRefused(bad.text, bad.text)
		}
	}
	return r.answer(name, kept)
}

// openCall takes an answer out of its envelope. An answer whose version or keys
// are wrong is not taken for one; one whose result is no object fails at once.
func (r *claude) openCall(tool string, response []byte) (js.Value, *fakes.Answer) {
	lost := func(why string) *fakes.Answer {
		a := hang(why)
		a.Error = fmt.Sprintf("MCP server %q tool %q timed out", r.server, tool)
		return a
	}
	frame, err := js.Parse(response)
	if err != nil {
		return frame, lost("the line is not one JSON value, so it is dropped")
	}
	for _, k := range frame.Keys() {
		if k != "jsonrpc" && k != "id" && k != "result" && k != "error" {
			return frame, lost("the message has the unknown member " + k + " and is dropped")
		}
	}
	if frame.Get("jsonrpc").Str != "2.0" {
		return frame, lost(`jsonrpc is not "2.0", so the message is dropped`)
	}
	if !idMatchesNumber(frame.Get("id")) {
		return frame, lost("the id of the answer matches no request")
	}
	if e := frame.Get("error"); !frame.Has("result") {
		switch {
		case e.Kind == js.String:
			return frame, claudeError(e.Str)
		case e.Get("message").Kind == js.String:
			return frame, claudeError(e.Get("message").Str)
		}
	}
	opened, bad := r.envelope.response.Parse(frame)
	if len(bad) > 0 {
		return frame, refused(claudeNoResponse, whyRefused(bad))
	}
	return opened.Get("result"), nil
}

// claudeError is a JSON-RPC error as the model reads it.
func claudeError(message string) *fakes.Answer {
	return serverError(claudeFailure(message))
}

// claudeRefused is a result that the client refuses, as the model reads it.
func claudeRefused(text, why string) *fakes.Answer { return refused(claudeFailure(text), why) }

// claudeFailure is the text of a failed call.
func claudeFailure(text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return "Command failed with no output"
	}
	return cutClaudeError(text)
}

func (r *claude) answer(name string, result js.Value) fakes.Answer {
	a := fakes.Answer{State: fakes.Accepted}
	if result.Has("_meta") {
		a.Hides = append(a.Hides, "_meta")
	}
	if result.Has("toolResult") {
		a.Source, a.Text = "text", result.Get("toolResult").ToText()
		a.Why = "the member toolResult, of the first revision, is read in the place of all others"
		if a.Text == "" {
			a.Source, a.Text = "none", "("+name+" completed with no output)"
		}
		return a
	}
	sc := result.Get("structuredContent")
	if result.Get("isError").IsTrue() {
		return claudeToolError(a, result)
	}
	var parts []string
	pictures := false
	for _, b := range result.Get("content").Items {
		pictures = pictures || b.Get("type").Str == "image"
		if sc.Kind != js.Undefined && b.Get("type").Str == "text" {
			if len(a.Hides) == 0 || a.Hides[len(a.Hides)-1] != "content" {
				a.Hides = append(a.Hides, "content")
			}
			continue
		}
		parts = append(parts, r.block(b)...)
	}
	switch {
	case sc.Kind != js.Undefined && len(parts) > 0:
		a.Source, parts = "both", append(parts, sc.Stringify())
	case sc.Kind != js.Undefined:
		a.Source, parts = "structuredContent", []string{sc.Stringify()}
	case len(result.Get("content").Items) == 0:
		a.Source = "none"
	default:
		a.Source = "text"
	}
	a.Text = strings.Join(parts, "\n")
	if strings.TrimSpace(a.Text) == "" {
		a.Text = "(" + name + " completed with no output)"
	}
	if !pictures {
		cutClaude(&a, parts, a.Source == "structuredContent")
	}
	return a
}

// claudeToolError is the answer with isError: texts and links only.
func claudeToolError(a fakes.Answer, result js.Value) fakes.Answer {
	a.IsError = true
	var parts []string
	lost := false
	for _, b := range result.Get("content").Items {
		switch b.Get("type").Str {
		case "text":
			parts = append(parts, b.Get("text").Str)
		case "resource_link":
			parts = append(parts, resourceLink(b))
		default:
			lost = true
		}
	}
	a.Source, a.Text = "text", claudeFailure(strings.Join(parts, "\n"))
	if len(parts) == 0 {
		a.Source, a.Text = "none", "Unknown error"
	}
	if result.Has("structuredContent") {
		a.Hides = append(a.Hides, "structuredContent")
	}
	if lost {
		a.Hides = append(a.Hides, "content")
	}
	return a
}

func resourceLink(b js.Value) string {
	s := fmt.Sprintf("[Resource link: %s] %s", b.Get("name").Str, b.Get("uri").Str)
	if d := b.Get("description").Str; d != "" {
		s += " (" + d + ")"
	}
	return s
}

// block gives the texts that stand for one block; a picture itself is no text.
func (r *claude) block(b js.Value) []string {
	switch b.Get("type").Str {
	case "text":
		return []string{b.Get("text").Str}
	case "image":
		return r.binary(fmt.Sprintf("[Image from %s] ", r.server), "", b.Get("mimeType").Str, b.Get("data").Str)
	case "audio":
		return []string{fmt.Sprintf("[Audio from %s] %s", r.server, saved(b.Get("mimeType").Str, b.Get("data").Str))}
	case "resource_link":
		return []string{resourceLink(b)}
	}
	res := b.Get("resource")
	head := fmt.Sprintf("[Resource from %s at %s] ", r.server, res.Get("uri").Str)
	if res.Has("text") {
		return []string{head + res.Get("text").Str}
	}
	return r.binary(head, head, res.Get("mimeType").Str, res.Get("blob").Str)
}

// binary stands for base64 data: a picture that Claude Code knows is shown,
// after head; all other data is saved, and the text begins with label.
func (r *claude) binary(label, head, mime, data string) []string {
	kind := strings.ToLower(mime)
	if !speaksForItself(kind) {
		kind = sniffImage(data)
	}
	if !shownImage(kind) && kind != "image/jpg" {
		return []string{label + saved(mime, data)}
	}
	var out []string
	if head != "" {
		out = append(out, head)
	}
	switch {
	case data == "":
		return append(out, "[Image could not be processed: Image file is empty (0 bytes)]", "[Image source: <file>]")
	case sniffImage(data) == "":
		return append(out, "[Image could not be processed: Unable to resize image — image processing is unavailable and dimensions could not be read from the file header. Please convert the image to PNG, JPEG, GIF, or WebP.]", "[Image source: <file>]")
	}
	if r.paths {
		out = append(out, "[Image: source: <file>]")
	}
	return out
}

// speaksForItself says whether a MIME type is one that Claude Code believes; of
// others it looks at the data.
func speaksForItself(mime string) bool {
	kind, _, _ := strings.Cut(mime, "/")
	switch kind {
	case "audio", "image", "text", "video":
		return true
	case "application":
		return mime != "application/octet-stream"
	}
	return false
}

// saved is the text for data that goes into a file.
func saved(mime, data string) string {
	if mime == "" {
		mime = "unknown type"
	}
	return fmt.Sprintf("Binary content (%s, %d bytes) saved to <file>", mime, len(decodeBase64(data)))
}
