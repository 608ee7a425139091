package readers

import (
	"fmt"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// chatGPT reads as documents and reports say that ChatGPT and the Responses API
// do. Neither was run; what is not reported is taken to be accepted.
type chatGPT struct{ product string }

const fromDocuments = "from documents and reports, not observed: "

// Listing applies the gate that creates a connector: the first refused schema
// aborts it as a whole.
func (r chatGPT) Listing(_ string, pages [][]byte) fakes.Listing {
	var tools []fakes.ListedTool
	for _, raw := range pages {
		result, err := js.Parse(raw)
		if err != nil {
			return fakes.Listing{State: fakes.Lost, Why: fromDocuments + "the list is not valid JSON"}
		}
		for _, t := range result.Get("tools").Items {
			name := t.Get("name").Str
			if fault := chatGPTGate(t.Get("inputSchema")); fault != "" {
				return fakes.Listing{State: fakes.Lost, Error: fmt.Sprintf("Invalid MCP tool schema for tool '%s'", name),
					Why: fromDocuments + fault + "; one refused schema aborts the connector of " + r.product}
			}
			tool := fakes.ListedTool{Name: name, Raw: []byte(t.Raw), State: fakes.Accepted, ModelName: name, Label: firstTitle(t)}
			for _, hidden := range []string{"_meta", "icons", "execution"} {
				if t.Has(hidden) {
					tool.Hides = append(tool.Hides, hidden)
				}
			}
			tools = append(tools, tool)
		}
	}
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

// chatGPTGate names the first fault for which connectors were refused.
func chatGPTGate(schema js.Value) string {
	if schema.Kind != js.Object || schema.Get("type").Str != "object" {
		return `inputSchema is not {"type":"object"} at its root`
	}
	fault := ""
	walkSchema(schema, "inputSchema", func(path string, s js.Value) bool {
		fault = chatGPTFault(path, s)
		return fault == ""
	})
	return fault
}

func chatGPTFault(path string, s js.Value) string {
	if s.Kind != js.Object {
		return ""
	}
	if items := s.Get("items"); items.Kind == js.Array {
		return path + "/items is a list (a draft-07 tuple)"
	} else if s.Has("prefixItems") && items.Kind == js.Undefined {
		return path + " has prefixItems without items"
	}
	for _, k := range []string{"exclusiveMinimum", "exclusiveMaximum"} {
		if s.Get(k).Kind == js.Bool {
			return path + "/" + k + " is a boolean (draft-04)"
		}
	}
	if v := s.Get("additionalProperties"); v.Kind != js.Undefined && v.Kind != js.Bool && v.Kind != js.Object {
		return path + "/additionalProperties is neither a boolean nor a schema"
	}
	if v := s.Get("required"); v.Kind != js.Undefined && v.Kind != js.Array {
		return path + "/required is no list"
	}
	if p := s.Get("pattern"); p.Kind == js.String && (strings.Contains(p.Str, `\p{`) || strings.Contains(p.Str, `\P{`) || !plainRegexCompiles(p.Str)) {
		return path + "/pattern is no plain ECMAScript pattern"
	}
	for _, t := range typeWords(s.Get("type")) {
		if !knownType(t) {
			return fmt.Sprintf("%s/type names the unknown type %q", path, t)
		}
	}
	return ""
}

// typeWords gives the words of a type keyword, one or several.
func typeWords(v js.Value) []string {
	if v.Kind == js.String {
		return []string{v.Str}
	}
	var out []string
	for _, x := range v.Items {
		if x.Kind == js.String {
			out = append(out, x.Str)
		}
	}
	return out
}

func knownType(word string) bool {
	switch word {
	case "array", "boolean", "integer", "null", "number", "object", "string":
		return true
	}
	return false
}

// Call gives the model text and structuredContent; _meta stays with the widget.
func (r chatGPT) Call(_ string, _ *fakes.ListedTool, response []byte) fakes.Answer {
	frame, err := js.Parse(response)
	if err != nil {
		return *hang(fromDocuments + "the answer is not valid JSON")
	}
	if e := frame.Get("error"); e.Kind == js.Object {
		return *serverError(e.Get("message").Str)
	}
	result := frame.Get("result")
	if result.Get("resultType").Str == "input_required" {
		msg := "MCP input requires an elicitation-capable caller"
		return *refused(msg, fromDocuments+"the client declares no elicitation and does not call again")
	}
	texts := blockTexts(result.Get("content"))
	a := fakes.Answer{State: fakes.Accepted, Source: sourceOf(result), IsError: result.Get("isError").IsTrue()}
	parts := []string{strings.Join(texts, "\n")}
	if sc := result.Get("structuredContent"); sc.Kind > js.Null && !a.IsError {
		parts = append(parts, sc.Stringify())
	}
	a.Text = joinNonEmpty("\n", parts...)
	if a.IsError {
		a.Source = "text"
	}
	if result.Has("_meta") {
		a.Hides = append(a.Hides, "_meta")
	}
	return a
}

// blockTexts gives the text of each text block.
func blockTexts(content js.Value) []string {
	var out []string
	for _, b := range content.Items {
		if b.Get("type").Str == "text" {
			out = append(out, b.Get("text").Str)
		}
	}
	return out
}
