package readers

import (
	"slices"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// openaiAgents reads as the OpenAI Agents SDK for JavaScript 0.20.0 does, on
// SDK v2. It hides what went wrong from the model.
type openaiAgents struct{ v2 *sdkV2 }

func newOpenAIAgents() *openaiAgents { return &openaiAgents{newSDKV2()} }

// openaiAgentsError is all that the model reads of a call that failed.
const openaiAgentsError = "An error occurred while running the tool. Please try again."

// Listing loses the list for a bad page, for an empty name and for two tools
// with one name.
func (r *openaiAgents) Listing(revision string, pages [][]byte) fakes.Listing {
	lists, lost := r.v2.lists(revision, pages)
	if lost != nil {
		return *lost
	}
	var tools []fakes.ListedTool
	seen := map[string]bool{}
	var twice []string
	for _, p := range lists {
		for i, kept := range p.kept.Get("tools").Items {
			t := r.tool(p.sent.Get("tools").Items[i], kept)
			if t.ModelName == "" {
				return fakes.Listing{State: fakes.Lost, Error: "Tool name cannot be empty", Why: "a tool has an empty name"}
			}
			if seen[t.ModelName] && !slices.Contains(twice, t.ModelName) {
				twice = append(twice, t.ModelName)
			}
			seen[t.ModelName] = true
			tools = append(tools, t)
		}
	}
	if len(twice) > 0 {
		slices.Sort(twice)
		text := "Duplicate tool names found across MCP servers: " + strings.Join(twice, ", ")
		return fakes.Listing{State: fakes.Lost, Error: text, Why: "two tools are called " + twice[0]}
	}
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

func (r *openaiAgents) tool(sent, kept js.Value) fakes.ListedTool {
	name := sent.Get("name").Str
	t := fakes.ListedTool{Name: name, Raw: []byte(sent.Raw), State: fakes.Accepted, Label: name,
		ModelName: replaceUnits(name, func(c rune) bool { return isWord(c) && c != '_' }, "_")}
	t.Hides = hidden(sent, "title", "annotations", "icons", "outputSchema", "execution", "_meta")
	in := kept.Get("inputSchema").Copy()
	if in.Get("properties").Kind <= js.Null {
		in.Set("properties", js.NewObject())
	}
	if in.Get("required").Kind <= js.Null {
		in.Set("required", js.List())
	}
	in.Set("additionalProperties", js.Boolean(true))
	schemaFor(&t, sent.Get("inputSchema"), in)
	renamed(&t)
	return t
}

// Call gives the model the blocks, the texts of a failed call alike.
func (r *openaiAgents) Call(revision string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	result, a := r.v2.result(revision, tool, response)
	if a != nil {
		if a.State == fakes.Failed {
			a.Hides = append(a.Hides, "error")
		}
		if a.State != fakes.Accepted {
			a.Error, a.Text = openaiAgentsError, openaiAgentsError
		}
		return *a
	}
	out := fakes.Answer{State: fakes.Accepted, Source: "text", Hides: hidden(result, "structuredContent", "_meta", "isError")}
	blocks := result.Get("content").Items
	switch {
	case len(blocks) == 0:
		out.Source = "none"
	case len(blocks) == 1 && blocks[0].Get("type").Str == "text":
		out.Text = blocks[0].Get("text").Str
	default:
		var parts []string
		for _, b := range blocks {
			if b.Get("type").Str == "text" {
				parts = append(parts, b.Get("text").Str)
				continue
			}
			parts = append(parts, b.Stringify())
		}
		out.Text = strings.Join(parts, "\n")
	}
	if result.Get("isError").IsTrue() {
		out.Why = "the model is not told that the tool reported an error"
	}
	return out
}
