package scenarios

import "fmt"

func hostAppCases() []hostCase {
	const entries, widget, template, status = "host-chatgpt/entry-points", "host-chatgpt/widget-resource", "host-chatgpt/output-template", "host-chatgpt/status-length"
	tool := func(schema, meta string) string {
		return fmt.Sprintf(`[{"name":"tool","inputSchema":%s,"_meta":%s}]`, schema, meta)
	}
	const free, bound, files = `{"type":"object"}`, `{"type":"object","required":["a"]}`, `{"type":"object","properties":{"file":{"type":"object","required":["name","resourceUri"]}},"required":["file"]}`
	opens := func(entry string) string {
		return `{"ui":{"resourceUri":"ui://a"},"openai/ui":{"entrypoints":[` + entry + `]}}`
	}
	page := func(meta, method, member, resource, want, name string) hostCase {
		return hostCase{check: widget, name: name, tools: tool(free, meta), want: want, more: []string{
			`> page {"jsonrpc":"2.0","id":90,"method":"` + method + `"}`, `< {"jsonrpc":"2.0","id":90,"result":{"` + member + `":[` + resource + `]}}`}}
	}
	asks := func(name, challenge, failed, want string) hostCase {
		return hostCase{check: "host-chatgpt/auth-challenge", name: name, tools: tool(free, `{}`), want: want,
			answers: map[string]string{"tool {}": `{"content":[],"isError":` + failed + `,"_meta":{"mcp/www_authenticate":` + challenge + `}}`}}
	}
	const bearer = `"Bearer error=\"invalid_token\", error_description=\"log in\""`
	const paged, older = `{"ui":{"resourceUri":"ui://a"}}`, `{"openai/outputTemplate":"ui://a"}`
	return []hostCase{
		{check: entries, name: "none", tools: tool(free, `{}`), want: "na"},
		{check: entries, name: "global", tools: tool(free, opens(`{"type":"global"}`)), want: "pass"},
		{check: entries, name: "thread needs an argument", tools: tool(bound, opens(`{"type":"thread"}`)), want: "a thread entry whose inputSchema refuses {}"},
		{check: entries, name: "file", tools: tool(files, opens(`{"type":"file","extensions":[".csv"]}`)), want: "pass"},
		{check: entries, name: "file without a dot", tools: tool(files, opens(`{"type":"file","extensions":["csv"]}`)), want: `the extension "csv"`},
		{check: entries, name: "file without extensions", tools: tool(files, opens(`{"type":"file"}`)), want: "extensions missing"},
		{check: entries, name: "file refused", tools: tool(bound, opens(`{"type":"file","extensions":[".csv"]}`)), want: "a file entry whose inputSchema refuses it"},
		{check: entries, name: "another type", tools: tool(free, opens(`{"type":"menu"}`)), want: `type "menu"`},
		{check: entries, name: "no page", tools: tool(free, `{"openai/ui":{"entrypoints":[{"type":"global"}]}}`), want: "_meta.ui.resourceUri is missing"},

		{check: widget, name: "none", tools: tool(free, `{}`), want: "na"},
		{check: widget, name: "not read", tools: tool(free, paged), want: "pass"},
		{check: widget, name: "of the web", tools: tool(free, `{"ui":{"resourceUri":"https://example.com"}}`), want: "https://example.com"},
		page(paged, "resources/read", "contents", `{"uri":"ui://a","mimeType":"text/html; profile=mcp-app","text":"<p>"}`, "pass", "read"),
		page(paged, "resources/list", "resources", `{"uri":"ui://a","name":"a"}`, "pass", "listed without a type"),
		page(paged, "resources/list", "resources", `{"uri":"ui://a","name":"a","mimeType":"text/html"}`, `the type "text/html"`, "listed as another type"),
		page(paged, "resources/read", "contents", `{"uri":"ui://a","text":"<p>"}`, "the type missing", "read without a type"),
		page(paged, "resources/read", "contents", `{"uri":"ui://a","mimeType":"text/html;profile=mcp-app","text":""}`, "is empty", "empty"),
		page(older, "resources/read", "contents", `{"uri":"ui://a","mimeType":"text/html+skybridge","text":"<p>"}`, "pass", "older template"),
		page(paged, "resources/read", "contents", `{"uri":"ui://a","mimeType":"text/html+skybridge","text":"<p>"}`, "skybridge", "older type of a newer page"),

		{check: "host-chatgpt/auth-challenge", name: "none", tools: tool(free, `{}`), want: "na"},
		asks("right", `[`+bearer+`]`, "true", "pass"),
		asks("a text", bearer, "true", "mcp/www_authenticate is"),
		asks("without error", `["Bearer"]`, "true", "a challenge without error"),
		asks("no failure", `[`+bearer+`]`, "false", "no error"),

		{check: template, name: "one", tools: tool(free, paged), want: "na"},
		{check: template, name: "the same", tools: tool(free, `{"ui":{"resourceUri":"ui://a"},"openai/outputTemplate":"ui://a"}`), want: "pass"},
		{check: template, name: "another", tools: tool(free, `{"ui":{"resourceUri":"ui://a"},"openai/outputTemplate":"ui://b"}`), want: `openai/outputTemplate "ui://b"`},

		{check: status, name: "none", tools: tool(free, `{}`), want: "na"},
		{check: status, name: "64", tools: tool(free, `{"openai/toolInvocation/invoking":"`+long64+`"}`), want: "pass"},
		{check: status, name: "65", tools: tool(free, `{"openai/toolInvocation/invoked":"`+long64+`5"}`), want: "65 characters"},
		{check: status, name: "a number", tools: tool(free, `{"openai/toolInvocation/invoked":5}`), want: "invoked: 5"},
	}
}

const long64 = "1234567890123456789012345678901234567890123456789012345678901234"
