package readers

import (
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/serde"
)

// copilotNoImage stands for pictures that Copilot CLI cannot show.
const copilotNoImage = "[MCP image omitted because its data was invalid or its MIME type unsupported]"

// Call gives the model the texts without anything between them, notes on
// pictures, and structuredContent after a blank line.
func (r *copilot) Call(revision string, _ *fakes.ListedTool, response []byte) fakes.Answer {
	head := "MCP server '" + r.server + "': "
	frame, drop := openRust(response, false)
	if drop != "" {
		return hungCall(drop, head+"McpError: MCP error -32001: Request timed out")
	}
	if e := frame.Get("error"); !frame.Has("result") {
		return *serverError(head + "McpError: MCP error " + e.Get("code").Raw + ": " + e.Get("message").Str)
	}
	result := frame.Get("result")
	if result.Get("resultType").Str == "input_required" && (result.Get("inputRequests").Kind == js.Object || result.Get("requestState").Kind == js.String) {
		return *inputRequired()
	}
	if bad := r.call(result, "result"); bad != "" {
		return *refused(head+"MCP request failed: expected CallToolResult from tools/call, got "+copilotGot(result), bad+"; the whole result is refused")
	}
	a := copilotAnswer(result)
	if result.Get("isError").IsTrue() {
		a.IsError = true
		if a.Text == "" {
			a.Text = "Tool execution failed"
		}
		a.Text = head + a.Text
	}
	cutCopilot(&a)
	return a
}

func copilotAnswer(result js.Value) fakes.Answer {
	a := fakes.Answer{State: fakes.Accepted, Hides: rustHides(result)}
	var text strings.Builder
	note := ""
	kinds := rustKinds()
	for _, b := range result.Get("content").Items {
		switch kind := rustKind(kinds, b.Get("type")); {
		case kind == "text":
			text.WriteString(b.Get("text").Str)
		case kind == "image":
			if mime := strings.ToLower(b.Get("mimeType").Str); !shownImage(mime) || mime == "image/webp" || sniffImage(b.Get("data").Str) != mime {
				note = copilotNoImage
			}
		case kind == "resource" && b.Get("resource").Get("text").Kind == js.String:
			text.WriteString(b.Get("resource").Get("text").Str)
		case kind == "resource" && strings.HasPrefix(strings.ToLower(b.Get("resource").Get("mimeType").Str), "image/"):
			res := b.Get("resource")
			if mime := strings.ToLower(res.Get("mimeType").Str); !shownImage(mime) || mime == "image/webp" || sniffImage(res.Get("blob").Str) != mime {
				note = copilotNoImage
			}
		default:
			a.Hides = append(a.Hides, "content: "+kind)
		}
	}
	parts := []string{joinNonEmpty("\n", copilotVisible(text.String()), note)}
	a.Source = "none"
	if parts[0] != "" {
		a.Source = "text"
	}
	if sc := result.Get("structuredContent"); sc.Kind > js.Null {
		if strings.TrimSpace(parts[0]) == "" {
			parts[0] = ""
		}
		structured := rustText(eachText(sc, copilotVisible))
		if structured != parts[0] { // the same text is shown once
			parts = append(parts, structured)
		}
		a.Source = "structuredContent"
		if parts[0] != "" {
			a.Source = "both"
		}
	}
	a.Text = joinNonEmpty("\n\n", parts...)
	// A text that is JSON is written anew, without spaces.
	if v, err := serde.Parse([]byte(a.Text), false); err == nil && v.Kind >= js.Array && a.Source == "text" {
		a.Text = rustText(eachText(v, copilotVisible))
	}
	return a
}

// copilotGot names what the Rust SDK took a result for instead. Only the name
// of the kind is given where the members of another kind would follow.
func copilotGot(result js.Value) string {
	switch {
	case result.Kind == js.Array && len(result.Items) == 0, result.Kind == js.Object && len(result.Keys()) == 0:
		return "EmptyResult(EmptyObject)"
	case result.Kind == js.Object && len(result.Keys()) == 1 && result.Get("resultType").Str == "complete":
		return `TaskAckResult(TaskAckResult { result_type: ResultType("complete"), meta: None })`
	}
	if other := rustOther(result); other != "" {
		return other
	}
	return "CustomResult(CustomResult(" + rustDebug(result) + "))"
}
