package readers_test

import "strings"

// outputLists put every odd property schema into an output schema. Schemas that
// name themselves are left out: a session remembers those from tool to tool.
func outputLists() []variant {
	var out []variant
	for _, s := range propertySchemas {
		if strings.Contains(s, `"$id"`) || strings.Contains(s, "nchor") {
			continue
		}
		schema := `{"type":"object","properties":{"a":` + s + `},"$defs":{"N":{"type":"string"}}}`
		out = append(out, variant{Kind: "list", name: "outputSchema " + s, Raw: put(goodList, "tools.1.outputSchema", schema)})
	}
	for _, s := range rootSchemas {
		if !strings.Contains(s, `"$id"`) {
			out = append(out, variant{Kind: "list", name: "outputSchema " + s, Raw: put(goodList, "tools.1.outputSchema", s)})
		}
	}
	return out
}

// outputCalls are answers of tools with an output schema.
func outputCalls() []variant {
	var out []variant
	for _, schema := range []string{
		`{"type":"object"}`,
		`{"type":"object","properties":{"n":{"type":"integer","minimum":1},"s":{"type":"string","format":"email"}},"required":["n","s"],"additionalProperties":false}`,
		`{"type":"object","properties":{"u":{"anyOf":[{"type":"string"},{"type":"null"}]},"l":{"type":"array","items":{"$ref":"#/$defs/I"},"uniqueItems":true}},"$defs":{"I":{"enum":["x","y"]}}}`,
		`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"t":{"prefixItems":[{"type":"string"},{"type":"number"}],"items":false}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"t":{"items":[{"type":"string"}],"additionalItems":false}},"dependencies":{"t":["q"]}}`,
		`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`,
	} {
		for _, result := range []string{
			`{"content":[]}`,
			`{"content":[],"isError":true}`,
			`{"content":[],"isError":false,"structuredContent":{}}`,
			`{"content":[],"structuredContent":{"n":1,"s":"a@example.com"}}`,
			`{"content":[],"structuredContent":{"n":0.5,"s":"no","x\ny":1}}`,
			`{"content":[],"structuredContent":{"n":3.0,"s":"a@example.com"}}`,
			`{"content":[],"isError":true,"structuredContent":{"n":"x"}}`,
			`{"content":[],"structuredContent":{"u":5,"l":["x","z","x"]}}`,
			`{"content":[],"structuredContent":{"u":null,"l":["x"]}}`,
			`{"content":[],"structuredContent":{"t":["a",1,2]}}`,
			`{"content":[],"structuredContent":{"t":[1]}}`,
			`{"content":[],"structuredContent":null}`,
		} {
			out = append(out, variant{Kind: "call", name: result + " for " + schema, Tool: `{"name":"t","inputSchema":{"type":"object"},"outputSchema":` + schema + `}`,
				Raw: `{"jsonrpc":"2.0","id":@ID@,"result":` + put(result, "resultType", `"complete"`) + `}`})
		}
	}
	return out
}
