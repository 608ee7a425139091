package scenarios

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
)

// hostSchemaChecks are the checks on input schemas that hosts and model
// interfaces refuse although they are right JSON Schema.
func hostSchemaChecks() []Check {
	const items = `Say what the items are: "items": {"type": "string"}, or "items": {} where anything will do.`
	return []Check{
		{
			ID: "host-anthropic/property-keys", Claim: "Names of parameters have 1 to 64 letters, digits, underscores, dots and hyphens, as Anthropic's interface asks.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "The interface refuses the whole request over one other name: no tool of any server works in that conversation. Claude Code leaves the tool out instead.",
			Remedy: "Rename the parameter: no $, brackets, spaces or accents, and at most 64 characters.",
			Basis:  []string{"anthropics/claude-code#79418", "ComposioHQ/composio#2330", "IBM-Cloud/ibm-cloud-cli-release#226"},
			Hosts:  rawToAnthropic(), Judge: judgePropertyKeys,
		},
		{
			ID: "host-anthropic/root-combinators", Claim: "An inputSchema has no anyOf, oneOf or allOf at its root, as Anthropic's interface asks.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "The interface refuses the whole request over it, and OpenAI's was reported to do the same. Claude Code flattens the schema, so that its model sends any mix of the branches.",
			Remedy: "Move the choice below a property, or say in the descriptions what goes with what and check it in the tool.",
			Basis:  []string{"anthropics/claude-code#45106", "makenotion/notion-mcp-server#340", "zereight/gitlab-mcp#550"},
			Hosts:  rawToAnthropic(), Judge: judgeRootCombinators,
		},
		{
			ID: "host-vscode/array-items", Claim: "Arrays in input schemas say what their items are, as VS Code asks.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "VS Code was reported to refuse the tool, and Windsurf too: \"array type must have items\".",
			Remedy: items,
			Basis:  []string{"microsoft/vscode#248810", "DaxianLee/cocos-mcp-server#14"},
			Hosts:  []string{"vscode", "windsurf"}, Judge: judgeArrayItems,
		},
		{
			ID: "host-openai/array-items", Claim: "Arrays in input schemas say what their items are, as OpenAI functions ask.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "The OpenAI interface refuses the whole request (\"array schema missing items\"), and Gemini's does too. Codex takes texts for granted.",
			Remedy: items,
			Basis:  []string{"ogx-ai/ogx#4416"},
			Hosts:  append(rawToGemini(), rawToOpenAI()...), Judge: judgeArrayItems,
		},
		{
			ID: "host-openai/tuple-items", Claim: "items is one schema, not a list of schemas, as OpenAI functions ask.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "The OpenAI interface refuses the whole request. Claude Code and Codex drop the tool; ChatGPT gives up the connector.",
			Remedy: `Write prefixItems for the places and items for the rest, or an object with named members.`,
			Basis:  []string{"ogx-ai/ogx#4416"},
			Hosts:  rawToOpenAI(), Judge: judgeTupleItems,
		},
		{
			ID: "host-openai/root-properties", Claim: "An inputSchema has properties, be they empty, as OpenAI functions ask.", Level: Note, Source: MultipleReports,
			Why:    "The OpenAI interface refuses an object schema without properties; most clients add them by themselves.",
			Remedy: `Write "properties": {} for a tool without parameters.`,
			Basis:  []string{"langchain-ai/langchain-mcp-adapters#137", "unclecode/crawl4ai#2207"},
			Hosts:  []string{"librechat"}, Judge: judgeRootProperties,
		},
		{
			ID: "host-vscode/schema-dialect", Claim: "Each inputSchema is valid by draft-07 too, by which VS Code reads it.", Level: Host, Breaks: true, Source: SourceCode,
			Why:    "VS Code leaves the tool out and shows a warning, whatever dialect $schema names.",
			Remedy: "Write keywords as draft-06 and later have them: exclusiveMinimum and exclusiveMaximum as numbers.",
			Basis:  []string{"microsoft/vscode: mcpServer.ts"},
			Hosts:  []string{"vscode"}, Judge: judgeReadAs(jsonschema.Draft07),
		},
		{
			ID: "host-windsurf/schema-dialect", Claim: "Each inputSchema is valid by 2020-12 too, by which Windsurf reads it.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "Windsurf was reported to refuse the tool, whatever dialect $schema names.",
			Remedy: "Write keywords as 2020-12 has them: items as one schema, exclusiveMinimum and exclusiveMaximum as numbers.",
			Basis:  []string{"SylphxAI/pdf-reader-mcp#107", "BetterThanTomorrow/calva-backseat-driver#2"},
			Hosts:  []string{"windsurf"}, Judge: judgeReadAs(jsonschema.Draft202012),
		},
	}
}

func judgePropertyKeys(e *Evidence) Ruling {
	allowed := regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)
	return e.eachTool(func(t gjson.Result) []Fault {
		var out []Fault
		t.Get("inputSchema.properties").ForEach(func(k, _ gjson.Result) bool {
			out = append(out, one(!allowed.MatchString(k.Str), "1 to 64 of A-Z a-z 0-9 _ . -", "the parameter "+short(k.Raw, 120))...)
			return true
		})
		return out
	})
}

// combinators are the keywords that model interfaces refuse at the root.
func combinators() []string { return []string{"anyOf", "oneOf", "allOf"} }

func judgeRootCombinators(e *Evidence) Ruling {
	return e.eachTool(func(t gjson.Result) []Fault {
		var found []string
		for _, k := range combinators() {
			if v := t.Get("inputSchema." + k); v.Exists() && v.Type != gjson.Null {
				found = append(found, k)
			}
		}
		return one(len(found) > 0, "properties alone at the root", "inputSchema has "+strings.Join(found, " and ")+" at its root")
	})
}

// isType says that a schema names a type, alone or among others.
func isType(s gjson.Result, word string) bool {
	t := s.Get("type")
	return t.Str == word || named(t, word)
}

func judgeArrayItems(e *Evidence) Ruling {
	return e.eachInput(func(p string, s gjson.Result) []Fault {
		return one(s.IsObject() && isType(s, "array") && !s.Get("items").Exists(), "items", p+" is an array without items")
	})
}

func judgeTupleItems(e *Evidence) Ruling {
	return e.eachInput(func(p string, s gjson.Result) []Fault {
		return one(s.IsObject() && s.Get("items").IsArray(), "one schema for all items", p+"/items is a list")
	})
}

func judgeRootProperties(e *Evidence) Ruling {
	return e.eachTool(func(t gjson.Result) []Fault {
		in := t.Get("inputSchema")
		return one(in.IsObject() && !in.Get("properties").Exists(), `"properties": {}`, "inputSchema has no properties")
	})
}

// judgeReadAs reads every input schema by one dialect, as some hosts do
// whatever $schema says. What is wrong by the schema's own dialect is told by
// listing/valid-json-schema where the revision has that rule.
func judgeReadAs(d jsonschema.Dialect) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		return e.eachTool(func(t gjson.Result) []Fault {
			in := t.Get("inputSchema")
			if !in.IsObject() {
				return nil
			}
			_, err := jsonschema.Compile([]byte(in.Raw), jsonschema.IgnoreUnknownDialect())
			if err != nil && e.Facts.Revision >= fakes.Rev20251125 {
				return nil
			}
			bad := shapeFault(withoutDialect(in), d)
			return one(bad != "", "a schema that is valid by "+string(d), fmt.Sprintf("by %s: %s", d, bad))
		})
	}
}

// withoutDialect is a schema without the $schema of its root.
func withoutDialect(s gjson.Result) []byte {
	out := []byte{'{'}
	s.ForEach(func(k, v gjson.Result) bool {
		if k.Str == "$schema" {
			return true
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, k.Raw...), ':'), v.Raw...)
		return true
	})
	return append(out, '}')
}

// shapeFault says what of a schema breaks the meta schema of a dialect; "" when
// nothing does. References and patterns are other checks' concern.
func shapeFault(raw []byte, d jsonschema.Dialect) string {
	_, err := jsonschema.Compile(raw, jsonschema.WithDefault(d), jsonschema.IgnoreUnknownDialect())
	var fault *jsonschema.SchemaError
	if !errors.As(err, &fault) || fault.Err != nil {
		return ""
	}
	if slices.ContainsFunc([]string{"regular expression", "$ref", "$id", "anchor"}, func(w string) bool { return strings.Contains(fault.Text, w) }) {
		return ""
	}
	return short(fault.Error(), 250)
}
