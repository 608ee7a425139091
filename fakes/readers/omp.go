package readers

import (
	"regexp"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// omp reads as the Oh My Pi coding agent 18.3.4 does, by its published code. It
// checks nothing of a list or a result.
type omp struct{ server string }

// maxOMPName is the longest name for the model, in characters.
const maxOMPName = 64

// Listing follows cursors until one is missing or empty.
func (r omp) Listing(_ string, pages [][]byte) fakes.Listing {
	var tools []fakes.ListedTool
	for _, raw := range pages {
		page, err := js.Parse(raw)
		if err != nil {
			return fakes.Listing{State: fakes.Hang, Why: "the line is not valid JSON, so it is dropped"}
		}
		if page.Get("tools").Kind != js.Array {
			return fakes.Listing{State: fakes.Lost, Why: "tools is no list"}
		}
		for _, t := range page.Get("tools").Items {
			if t.Get("name").Kind != js.String {
				return fakes.Listing{State: fakes.Lost, Why: "a tool has no name, and making one fails"}
			}
			tools = append(tools, r.tool(t))
		}
		if !page.Get("nextCursor").Truthy() {
			break
		}
	}
	lastWins(tools)
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

func (r omp) tool(sent js.Value) fakes.ListedTool {
	name := sent.Get("name").Str
	t := fakes.ListedTool{Name: name, Raw: []byte(sent.Raw), State: fakes.Accepted, Label: r.server + "/" + name}
	server, tool := ompPart(r.server, "server"), ompPart(name, "tool")
	t.ModelName = "mcp__" + server + "_" + strings.TrimPrefix(tool, server+"_")
	t.Hides = hidden(sent, "title", "annotations", "icons", "outputSchema", "execution", "_meta")
	t.State, t.Why = fakes.Rewritten, "the model calls it "+t.ModelName
	if len(t.ModelName) > maxOMPName {
		t.ModelName = t.ModelName[:maxOMPName-9] + "_"
		t.Why = "the name is cut at " + t.ModelName + " and ends in a hash"
	}
	return t
}

// ompPart is lower-cased, with runs of other characters as one underscore and
// none at its ends.
func ompPart(s, fallback string) string {
	s = regexp.MustCompile(`[^a-z0-9_]+`).ReplaceAllString(strings.ToLower(s), "_")
	s = strings.Trim(regexp.MustCompile(`_+`).ReplaceAllString(s, "_"), "_")
	if s == "" {
		return fallback
	}
	return s
}

// Call gives the model the texts and, unless a text says the same, fenced JSON.
func (r omp) Call(_ string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	name := "tool"
	if tool != nil {
		name = tool.Name
	}
	result, a := openPlain(response)
	if a != nil {
		if a.State == fakes.Failed {
			a.Text = "MCP failure\nserver: " + r.server + "\ntool: " + name + "\nmessage: " + a.Error
		}
		return *a
	}
	content := result.Get("content")
	if content.Kind != js.Array {
		return *refused("MCP failure", "content is no list, and reading it fails")
	}
	out := fakes.Answer{State: fakes.Accepted, Source: sourceOf(result), IsError: result.Get("isError").Truthy(), Hides: hidden(result, "_meta")}
	sc := result.Get("structuredContent")
	var parts []string
	said := false
	for _, b := range content.Items {
		res := b.Get("resource")
		switch b.Get("type").Str {
		case "text":
			parts = append(parts, b.Get("text").Str)
			v, err := js.Parse([]byte(strings.TrimSpace(b.Get("text").Str)))
			said = said || err == nil && js.Equal(v, sc)
		case "image":
		case "resource":
			parts = append(parts, joinNonEmpty("\n", "[Resource: "+res.Get("uri").Str+"]", res.Get("text").Str))
		default:
			out.Hides = append(out.Hides, "content: "+b.Get("type").Str)
		}
	}
	out.Text = joinNonEmpty("\n\n", parts...)
	if out.IsError {
		out.Text = "Error: " + out.Text
	}
	if sc.Kind != js.Undefined && !said {
		out.Text = joinNonEmpty("\n", out.Text, "```json\n"+sc.Indent(2)+"\n```")
	}
	return out
}
