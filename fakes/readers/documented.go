package readers

import (
	"fmt"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// documented reads as documents and reports say that a product does. It was
// never run; what nobody reports is taken to be accepted.
type documented struct {
	server string
	rules  documentedRules
}

// documentedRules are what is known of one product. A nil rule is none.
type documentedRules struct {
	// name gives the name for the model.
	name func(server, tool string) string
	// loses says why one tool loses the whole list, drops why it is left out alone.
	loses, drops func(modelName string, tool js.Value) string
	maxTools     int // tools that a request may hold; more lose the list
	joined       int // characters that the names of server and tool may have together
	twiceLoses   bool
	structured   bool // structuredContent reaches the model beside the text
	enforces     bool // a missing structuredContent is an error
	label        func(tool js.Value) string
}

// bareName is the name as listed.
func bareName(_, tool string) string { return tool }

// documentedClients lists the products.
func documentedClients() map[string]documentedRules {
	claudeAI := documentedRules{name: bareName, loses: claudeAIFault, structured: true, label: firstTitle}
	return map[string]documentedRules{
		"claude-ai":      claudeAI,
		"claude-desktop": claudeAI,
		"vscode": {
			name:  func(_, tool string) string { return js.Slice(lowerName(tool), 0, 64) },
			drops: func(_ string, t js.Value) string { return arraysWithoutItems(t.Get("inputSchema")) }, maxTools: 128, label: firstTitle, structured: true,
		},
		"cursor":    {name: bareName, enforces: true, label: toolName, joined: maxCursorName},
		"windsurf":  {name: func(_, tool string) string { return "mcp0_" + tool }, loses: windsurfFault, label: toolName},
		"zed":       {name: bareName, label: toolName},
		"goose":     {name: func(server, tool string) string { return server + "__" + tool }, twiceLoses: true, label: toolName},
		"jetbrains": {name: bareName, enforces: true, label: toolName},
		"librechat": {name: func(server, tool string) string { return tool + "_mcp_" + server }, loses: func(name string, _ js.Value) string {
			if n := js.Length(name); n > 64 {
				return fmt.Sprintf("%s has %d characters; more than 64 are refused by model providers, for all tools at once", name, n)
			}
			return ""
		}, label: toolName},
	}
}

func toolName(tool js.Value) string { return tool.Get("name").Str }

// lowerName is a name in the characters that VS Code allows.
func lowerName(s string) string {
	return replaceUnits(strings.ToLower(s), func(r rune) bool { return isWordOrDash(r) && (r < 'A' || r > 'Z') }, "_")
}

// claudeAIFault is what the front end and the API behind it refuse.
func claudeAIFault(name string, tool js.Value) string {
	if n := len(name); n == 0 || n > 64 || strings.ContainsFunc(name, func(c rune) bool { return !isWordOrDash(c) }) {
		return "FrontendRemoteMcpToolDefinition.name: " + js.Quote(name) + " does not match ^[a-zA-Z0-9_-]{1,64}$"
	}
	in := tool.Get("inputSchema")
	for _, k := range rootCombinators() {
		if in.Has(k) {
			return "the API takes no " + k + " at the root of an input schema"
		}
	}
	for _, k := range in.Get("properties").Keys() {
		if !claudePropertyKey(k) {
			return "the API takes no property named " + js.Quote(k)
		}
	}
	return ""
}

// arraysWithoutItems names the first array schema without items.
func arraysWithoutItems(schema js.Value) string {
	fault := ""
	walkSchema(schema, "inputSchema", func(path string, s js.Value) bool {
		if s.Get("type").Kind == js.String && s.Get("type").Str == "array" && s.Get("items").Kind <= js.Null {
			fault = path + ": tool parameters array type must have items"
		}
		return fault == ""
	})
	return fault
}

// windsurfFault checks a schema against the metaschema and for arrays.
func windsurfFault(name string, tool js.Value) string {
	in := tool.Get("inputSchema")
	if in.Kind != js.Object {
		return "inputSchema is no object"
	}
	if bad := metaschemaFault(in); bad != "" {
		return "failed to validate tool input schema for tool: " + name + ": invalid JSON schema: " + bad
	}
	return arraysWithoutItems(in)
}

// Listing applies what is known to each tool.
func (r documented) Listing(_ string, pages [][]byte) fakes.Listing {
	lost := func(why string) fakes.Listing { return fakes.Listing{State: fakes.Lost, Why: fromDocuments + why} }
	var tools []fakes.ListedTool
	seen := map[string]bool{}
	for _, raw := range pages {
		page, err := js.Parse(raw)
		if err != nil {
			return lost("the list is not valid JSON")
		}
		for _, t := range page.Get("tools").Items {
			name := t.Get("name").Str
			tool := fakes.ListedTool{Name: name, Raw: []byte(t.Raw), State: fakes.Accepted, ModelName: r.rules.name(r.server, name), Label: r.rules.label(t)}
			if r.rules.loses != nil {
				if why := r.rules.loses(tool.ModelName, t); why != "" {
					return lost("tool " + js.Quote(name) + ": " + why)
				}
			}
			if seen[tool.ModelName] && r.rules.twiceLoses {
				return lost("two tools are called " + tool.ModelName + ", and the model provider refuses the whole session")
			}
			seen[tool.ModelName] = true
			tool.Hides = hidden(t, "_meta")
			if why := r.dropped(tool.ModelName, t); why != "" {
				tool.State, tool.Why = fakes.Dropped, fromDocuments+why
			}
			tools = append(tools, tool)
		}
	}
	if n := len(tools); r.rules.maxTools > 0 && n > r.rules.maxTools {
		return lost(fmt.Sprintf("%d tools are more than the %d that one request may hold", n, r.rules.maxTools))
	}
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

// maxCursorName bounds the names of server and tool together in Cursor.
const maxCursorName = 60

func (r documented) dropped(name string, tool js.Value) string {
	if n := js.Length(r.server + tool.Get("name").Str); r.rules.joined > 0 && n > r.rules.joined {
		return fmt.Sprintf("the names of server and tool have %d characters together; more than %d are filtered out", n, r.rules.joined)
	}
	if r.rules.drops == nil {
		return ""
	}
	return r.rules.drops(name, tool)
}

// Call gives the model the texts, and what else is known.
func (r documented) Call(_ string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	frame, err := js.Parse(response)
	if err != nil {
		return *hang(fromDocuments + "the answer is not valid JSON")
	}
	if e := frame.Get("error"); e.Kind == js.Object {
		return *serverError(e.Get("message").Str)
	}
	result := frame.Get("result")
	sc := result.Get("structuredContent")
	a := fakes.Answer{State: fakes.Accepted, Source: "text", IsError: result.Get("isError").IsTrue(), Hides: hidden(result, "_meta")}
	if r.rules.enforces && !a.IsError && outputSchema(tool).Kind == js.Object && sc.Kind <= js.Null {
		text := fmt.Sprintf("MCP error -32600: Tool %s has an output schema but did not return structured content", tool.Name)
		return *refused(text, fromDocuments+"the tool has an output schema and structuredContent is missing")
	}
	parts := []string{strings.Join(blockTexts(result.Get("content")), "\n")}
	switch {
	case sc.Kind <= js.Null:
	case r.rules.structured && !a.IsError:
		a.Source = sourceOf(result)
		parts = append(parts, sc.Stringify())
	default:
		a.Hides = append(a.Hides, "structuredContent")
	}
	a.Text = joinNonEmpty("\n", parts...)
	if a.Text == "" {
		a.Source = "none"
	}
	return a
}
