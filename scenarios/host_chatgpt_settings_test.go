package scenarios

import "fmt"

func hostSettingsCases() []hostCase {
	const named, output, answer, mention, kept = "host-chatgpt/settings-tools", "host-chatgpt/read-tool-output-schema", "host-chatgpt/settings-answer", "host-chatgpt/mention-search", "host-chatgpt/extensions-kept"
	extends := func(raw string) string { return `{"capabilities":{"extensions":{` + raw + `}}}` }
	settings := extends(`"openai/settings":{"readTool":"read","updateTool":"update"}`)
	update := `{"name":"update","inputSchema":{"type":"object","properties":{"set":{"type":"object"}},"required":["set"]}}`
	read := `{"name":"read","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}`
	both := "[" + read + "," + update + "]"
	answers := func(name, details, want string) hostCase {
		return hostCase{check: answer, name: name, tools: both, opened: settings, want: want, answers: map[string]string{"read {}": `{"content":[],"structuredContent":` + details + `}`}}
	}
	field := func(schema string) string {
		return `{"schema":{"type":"object","properties":{"units":` + schema + `}},"values":{"units":"mm"}}`
	}
	mentions := extends(`"openai/mentions":{"searchTool":"find"}`)
	finder := func(query, annotations, meta string) string {
		return fmt.Sprintf(`[{"name":"find","inputSchema":{"type":"object","properties":{"query":%s},"required":["query"]},"annotations":%s,"_meta":%s}]`, query, annotations, meta)
	}
	const anyText, reads, app = `{"type":"string"}`, `{"readOnlyHint":true}`, `{"ui":{"visibility":["app"]}}`
	finds := func(name, details, want string) hostCase {
		return hostCase{check: mention, name: name, tools: finder(anyText, reads, app), opened: mentions, want: want, answers: map[string]string{`find {"query":""}`: `{"content":[],"structuredContent":` + details + `}`}}
	}
	return []hostCase{
		{check: named, name: "not declared", tools: both, want: "na"},
		{check: named, name: "right", tools: both, opened: settings, want: "pass"},
		{check: named, name: "declared in the older way", tools: both, opened: `{"capabilities":{"experimental":{"openai/settings":{"readTool":"read","updateTool":"update"}}}}`, want: "pass"},
		{check: named, name: "no such tool", tools: "[" + read + "]", opened: settings, want: "no tool update is listed"},
		{check: named, name: "no name", tools: both, opened: extends(`"openai/settings":{"readTool":"read"}`), want: "updateTool is missing"},
		{check: named, name: "one for both", tools: both, opened: extends(`"openai/settings":{"readTool":"update","updateTool":"update"}`), want: "update needs"},
		{check: named, name: "reading needs an argument", tools: `[{"name":"read","inputSchema":{"type":"object","required":["a"]}},` + update + `]`, opened: settings, want: `read needs ["a"]`},
		{check: named, name: "reading writes", tools: `[{"name":"read","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false}},` + update + `]`, opened: settings, want: "readOnlyHint: false"},
		{check: named, name: "updating takes no set", tools: "[" + read + `,{"name":"update","inputSchema":{"type":"object","properties":{"units":{}}}}]`, opened: settings, want: "update has no parameter set"},

		{check: output, name: "declared", tools: both, opened: settings, want: "pass"},
		{check: output, name: "not declared", tools: `[{"name":"read","inputSchema":{"type":"object"}},` + update + `]`, opened: settings, want: "no outputSchema"},
		{check: output, name: "no settings", tools: both, want: "na"},

		answers("right", field(`{"type":"string","title":"Units"}`), "pass"),
		answers("no title", field(`{"type":"string"}`), "units has no title"),
		answers("another type", field(`{"type":"array","title":"Units"}`), `units has the type "array"`),
		answers("no value", `{"schema":{"type":"object","properties":{"a":{"type":"boolean","title":"A"}}},"values":{}}`, "a has no value"),
		answers("no schema", `{"values":{}}`, "schema is no object schema"),
		answers("no values", `{"schema":{"type":"object","properties":{}}}`, "no values"),
		{check: answer, name: "not called", tools: both, opened: settings, want: "unseen"},
		{check: answer, name: "no settings", tools: both, want: "na"},

		{check: mention, name: "none", tools: both, want: "na"},
		{check: mention, name: "right", tools: finder(anyText, reads, app), opened: mentions, want: "pass"},
		{check: mention, name: "marked in the older way", tools: finder(anyText, `{}`, `{"ui":{"visibility":["app"]},"openai/extensions":{"mentions/search":{}}}`), want: "readOnlyHint is missing"},
		{check: mention, name: "no such tool", tools: both, opened: mentions, want: `searchTool is "find"`},
		{check: mention, name: "not for the app", tools: finder(anyText, reads, `{"ui":{"visibility":["model"]}}`), opened: mentions, want: `visibility is ["model"]`},
		{check: mention, name: "no empty query", tools: finder(`{"type":"string","minLength":1}`, reads, app), opened: mentions, want: "refuses an empty query"},
		finds("links", `{"items":[{"type":"resource_link","uri":"a://b","name":"b"}]}`, "pass"),
		finds("other items", `{"items":[{"uri":"a://b"}]}`, "items[0] is no resource_link"),
		finds("links without names", `{"items":[{"type":"resource_link","uri":"a://b"}]}`, "items[0]: no text name"),
		finds("no items", `{"results":[]}`, "no list items"),

		{check: kept, name: "legacy", tools: both, opened: settings, want: "na"},
		{check: kept, name: "nothing declared", revision: "2026-07-28", tools: both, want: "na"},
		{check: kept, name: "in both", revision: "2026-07-28", tools: both, opened: settings, others: map[string]string{"2025-11-25": settings}, want: "pass"},
		{check: kept, name: "in initialize alone", revision: "2026-07-28", tools: both, others: map[string]string{"2025-11-25": settings}, want: "openai/settings stands in the answer to initialize alone"},
		{check: kept, name: "in the older member", revision: "2026-07-28", tools: both, opened: `{"capabilities":{"experimental":{"openai/mentions":{"searchTool":"find"}}}}`, want: "capabilities.experimental"},
	}
}
