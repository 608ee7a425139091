package readers

import (
	"crypto/sha1"
	"encoding/hex"
	"regexp"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// cline reads as Cline 3.0.65 does over stdio, with a client of its own that
// checks next to nothing and asks for one page.
type cline struct{ server string }

// clineJunk is the reason of a line that Cline cannot read: it ends the server.
const clineJunk = "the line is not one JSON value: the server is ended and all requests fail"

// Listing keeps each tool that has a name and a schema, and drops the others alone.
func (r cline) Listing(_ string, pages [][]byte) fakes.Listing {
	l := firstPage(pages, func(raw []byte) fakes.Listing {
		result, err := js.Parse(raw)
		if err != nil {
			return fakes.Listing{State: fakes.Lost, Error: "Invalid MCP response from \"" + r.server + "\"", Why: clineJunk}
		}
		list := result.Get("tools")
		if list.Kind > js.Null && list.Kind != js.Array {
			return fakes.Listing{State: fakes.Lost, Why: "tools is no list"}
		}
		var tools []fakes.ListedTool
		for _, t := range list.Items {
			tools = append(tools, r.tool(t))
		}
		lastWins(tools)
		return fakes.Listing{State: fakes.Accepted, Tools: tools}
	})
	return l
}

func (r cline) tool(sent js.Value) fakes.ListedTool {
	name := sent.Get("name")
	t := fakes.ListedTool{Name: name.Str, Raw: []byte(sent.Raw), State: fakes.Accepted}
	if in := sent.Get("inputSchema"); name.Kind != js.String || in.Kind != js.Object && in.Kind != js.Array {
		t.State, t.Why = fakes.Dropped, "a tool needs a name and an inputSchema; the others stay"
		return t
	}
	t.ModelName = clineName(r.server, name.Str)
	t.Label = t.ModelName
	t.Hides = hidden(sent, "title", "annotations", "icons", "outputSchema", "execution", "_meta")
	if t.ModelName != r.server+"__"+name.Str {
		t.State, t.Why = fakes.Rewritten, "the model calls it "+t.ModelName
	}
	return t
}

// maxClineName is the longest name, in characters.
const maxClineName = 64

// clineName replaces each run of other characters by one underscore and ends
// every name that was changed in a hash of the whole.
func clineName(server, tool string) string {
	whole := server + "__" + tool
	clean := regexp.MustCompile(`[^a-zA-Z0-9_-]+`).ReplaceAllString(whole, "_")
	if clean == whole && len(whole) <= maxClineName {
		return whole
	}
	sum := sha1.Sum([]byte(whole))
	hash := hex.EncodeToString(sum[:])[:8]
	head := clean[:min(len(clean), maxClineName-1-len(hash))]
	if head == "" {
		head = "mcp_tool"
	}
	return head + "_" + hash
}

// Call gives the model the whole result as JSON, unchecked.
func (r cline) Call(_ string, _ *fakes.ListedTool, response []byte) fakes.Answer {
	fail := func(message string) fakes.Answer {
		o := js.NewObject()
		o.Set("error", js.Str(message))
		a := *serverError(message)
		a.Text = o.Stringify()
		a.Error = a.Text
		return a
	}
	frame, err := js.Parse(response)
	if err != nil {
		a := fail("Invalid MCP response from \"" + r.server + "\"")
		a.Why = clineJunk
		return a
	}
	if frame.Get("id").Kind != js.Number {
		return *hang("the id of the answer is no number, so it is not looked at")
	}
	if e := frame.Get("error"); e.Truthy() {
		if m := e.Get("message"); m.Kind == js.String && m.Str != "" {
			return fail(m.Str)
		}
		code := "unknown"
		if c := e.Get("code"); c.Kind > js.Null {
			code = c.ToText()
		}
		return fail("MCP request failed with code " + code)
	}
	result := frame.Get("result")
	a := fakes.Answer{State: fakes.Accepted, Source: sourceOf(result), IsError: result.Get("isError").IsTrue()}
	if result.Kind != js.Undefined {
		a.Text = result.Stringify()
	}
	return a
}
