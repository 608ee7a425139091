package scenarios

import "strings"

// withInput lists one tool with an input schema.
func withInput(schema string) string { return `[{"name":"tool","inputSchema":` + schema + `}]` }

// withProperty lists one tool with one parameter.
func withProperty(name, schema string) string {
	return withInput(`{"type":"object","properties":{"` + name + `":` + schema + `}}`)
}

func hostSchemaCases() []hostCase {
	out := []hostCase{
		{check: "host-anthropic/property-keys", name: "plain", tools: withProperty("a_b.c-d", `{}`), want: "pass"},
		{check: "host-anthropic/property-keys", name: "dollar", tools: withProperty("$top", `{}`), want: `"$top"`, hosts: []string{"claude-ai", "zed"}},
		{check: "host-anthropic/property-keys", name: "brackets", tools: withProperty("filter[id]", `{}`), want: `"filter[id]"`},
		{check: "host-anthropic/property-keys", name: "long", tools: withProperty(strings.Repeat("a", 65), `{}`), want: "the parameter"},
		{check: "host-anthropic/property-keys", name: "nested keys are free", tools: withProperty("a", `{"type":"object","properties":{"$b":{}}}`), want: "pass"},

		{check: "host-anthropic/root-combinators", name: "none", tools: withProperty("a", `{"anyOf":[{"type":"string"}]}`), want: "pass"},
		{check: "host-anthropic/root-combinators", name: "anyOf", tools: withInput(`{"type":"object","anyOf":[{"required":["a"]}],"oneOf":[{}]}`), want: "anyOf and oneOf at its root"},

		{check: "host-openai/tuple-items", name: "one schema", tools: withProperty("a", `{"type":"array","items":{"type":"string"}}`), want: "pass"},
		{check: "host-openai/tuple-items", name: "list", tools: withProperty("a", `{"type":"array","items":[{"type":"string"}]}`), want: "inputSchema/properties/a/items is a list"},

		{check: "host-openai/root-properties", name: "empty", tools: withInput(`{"type":"object","properties":{}}`), want: "pass"},
		{check: "host-openai/root-properties", name: "none", tools: withInput(`{"type":"object"}`), want: "no properties"},

		{check: "host-gemini/type-arrays", name: "one type", tools: withProperty("a", `{"type":["string"]}`), want: "pass"},
		{check: "host-gemini/type-arrays", name: "two types", tools: withProperty("a", `{"type":["string","null"]}`), want: `type is ["string","null"]`},
		{check: "host-gemini/ref-siblings", name: "alone", tools: withInput(`{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{}}}`), want: "pass"},
		{check: "host-gemini/ref-siblings", name: "described", tools: withProperty("a", `{"$ref":"#/$defs/b","description":"x"}`), want: "beside description"},
		{check: "host-gemini/boolean-subschemas", name: "additionalProperties", tools: withInput(`{"type":"object","additionalProperties":false}`), want: "pass"},
		{check: "host-gemini/boolean-subschemas", name: "property", tools: withProperty("a", `true`), want: "inputSchema/properties/a is true"},
	}
	for _, host := range []string{"vscode", "openai"} {
		check := "host-" + host + "/array-items"
		out = append(out,
			hostCase{check: check, name: "items", tools: withProperty("a", `{"type":"array","items":{}}`), want: "pass"},
			hostCase{check: check, name: "none", tools: withProperty("a", `{"type":"array"}`), want: "inputSchema/properties/a is an array without items"},
			hostCase{check: check, name: "deep", tools: withProperty("a", `{"type":"object","properties":{"b":{"type":["array","null"]}}}`), want: "a/properties/b"},
			hostCase{check: check, name: "tuple without the rest", tools: withProperty("a", `{"type":"array","prefixItems":[{}]}`), want: "without items"})
	}
	draft04 := `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"a":{"type":"integer","minimum":0,"exclusiveMinimum":true}}}`
	draft07 := `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"array","items":[{"type":"string"}]}}}`
	for _, host := range []string{"vscode", "windsurf"} {
		check := "host-" + host + "/schema-dialect"
		out = append(out,
			hostCase{check: check, name: "draft-04", tools: withInput(draft04), want: "exclusiveMinimum", hosts: []string{host}},
			hostCase{check: check, name: "plain draft-07", tools: withInput(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"string","pattern":"(?<x>a)"}},"required":["a"]}`), want: "pass"},
			hostCase{check: check, name: "2020-12", tools: withInput(`{"type":"object","$defs":{"a":{}},"properties":{"a":{"$ref":"#/$defs/a"},"b":{"prefixItems":[{}],"items":false}}}`), want: "pass"},
			hostCase{check: check, name: "wrong by any dialect is told elsewhere", tools: withProperty("a", `{"type":"strin"}`), want: "pass"},
			hostCase{check: check, name: "and here where the revision has no rule", revision: "2025-06-18", tools: withProperty("a", `{"type":"strin"}`), want: "type must be"})
	}
	return append(out,
		hostCase{check: "host-vscode/schema-dialect", name: "tuple", tools: withInput(draft07), want: "pass"},
		hostCase{check: "host-windsurf/schema-dialect", name: "tuple", tools: withInput(draft07), want: "items"})
}
