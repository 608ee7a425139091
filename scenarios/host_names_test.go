package scenarios

import "strings"

// oneTool lists one tool with a name and further members.
func oneTool(name, members string) string {
	if members != "" {
		members = "," + members
	}
	return `[{"name":"` + name + `","inputSchema":{"type":"object"}` + members + `}]`
}

func hostNameCases() []hostCase {
	long := strings.Repeat("a", 120)
	var out []hostCase
	for _, host := range []string{"claude-ai", "openai", "gemini", "vscode", "cursor", "cline"} {
		out = append(out, hostCase{check: "host-" + host + "/tool-name", name: "plain", tools: oneTool("get_user-2", ""), want: "pass"})
	}
	for _, host := range []string{"claude-ai", "openai", "vscode", "cursor"} {
		out = append(out,
			hostCase{check: "host-" + host + "/tool-name", name: "dot", tools: oneTool("users.get", ""), want: `"users.get"`},
			hostCase{check: "host-" + host + "/tool-name", name: "upper case", tools: oneTool("getUser", ""), want: "pass"})
	}
	return append(out, []hostCase{
		{check: "host-claude-ai/tool-name", name: "64", tools: oneTool(long[:64], ""), want: "pass"},
		{check: "host-claude-ai/tool-name", name: "65", tools: oneTool(long[:65], ""), want: "65 characters", hosts: []string{"claude-ai", "claude-desktop"}},
		{check: "host-openai/tool-name", name: "65", tools: oneTool(long[:65], ""), want: "65 characters"},
		{check: "host-openai/tool-name", name: "line break at the end", tools: oneTool(`get\n`, ""), want: `get\n`},
		{check: "host-gemini/tool-name", name: "dot", tools: oneTool("users.get", ""), want: "pass"},
		{check: "host-gemini/tool-name", name: "digit", tools: oneTool("2users", ""), want: `"2users"`},
		{check: "host-cline/tool-name", name: "63", tools: oneTool(long[:63], ""), want: "pass"},
		{check: "host-cline/tool-name", name: "64", tools: oneTool(long[:64], ""), want: "64 characters"},
		{check: "host-cline/tool-name", name: "no tools", want: "na"},

		{check: "host-any/names-collide", name: "apart", tools: `[{"name":"a_b"},{"name":"ab"}]`, want: "pass"},
		{check: "host-any/names-collide", name: "the same twice", tools: `[{"name":"a_b"},{"name":"a_b"}]`, want: "pass"},
		{check: "host-any/names-collide", name: "hyphen", tools: `[{"name":"a_b"},{"name":"a-b"}]`, want: "a_b and a-b become one name", hosts: []string{"codex", "omp", "pi"}},
		{check: "host-any/names-collide", name: "case", tools: `[{"name":"getUser"},{"name":"getuser"}]`, want: "become one name", hosts: []string{"omp"}},

		{check: "host-vscode/description-present", name: "there", tools: oneTool("a", `"description":"Says a."`), want: "pass"},
		{check: "host-vscode/description-present", name: "missing", tools: oneTool("a", ""), want: "no description"},
		{check: "host-vscode/description-present", name: "blank", tools: oneTool("a", `"description":" "`), want: "no description"},

		{check: "host-cursor/name-length-with-prefix", name: "53 and 6", tools: oneTool(long[:53], ""), want: "pass"},
		{check: "host-cursor/name-length-with-prefix", name: "54 and 6", tools: oneTool(long[:54], ""), want: "with the server called sample", hosts: []string{"cursor"}},
		{check: "host-librechat/name-length-with-prefix", name: "53, 5 and 6", tools: oneTool(long[:53], ""), want: "pass"},
		{check: "host-librechat/name-length-with-prefix", name: "54, 5 and 6", tools: oneTool(long[:54], ""), want: "65 of 64"},
		{check: "host-claude-code/name-length-with-prefix", name: "115", tools: oneTool(long[:115], ""), want: "pass"},
		{check: "host-claude-code/name-length-with-prefix", name: "116", tools: oneTool(long[:116], ""), want: "129 of 128"},
		{check: "host-any/name-length-with-prefix", name: "short", tools: oneTool("get", ""), want: "pass"},
		{check: "host-any/name-length-with-prefix", name: "long", tools: oneTool(long[:60], ""), want: "mcp_sample_aaa", hosts: []string{"gemini-cli", "copilot-cli", "vscode", "pi", "omp"}},
		{check: "host-any/name-length-with-prefix", name: "long server", tools: oneTool("get_the_name_of_the_user", ""), want: "of 63 in gemini-cli",
			opened: `{"serverInfo":{"name":"@somebody/a-server-for-names-of-users"}}`, hosts: []string{"gemini-cli"}},
		{check: "host-any/name-length-with-prefix", name: "server without a name", tools: oneTool("get", ""), opened: `{}`, want: "pass"},
		{check: "host-any/name-length-with-prefix", name: "named after the server", tools: oneTool("sample_"+long[:44], ""), want: "pass"},
	}...)
}
