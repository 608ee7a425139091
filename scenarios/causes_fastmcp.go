package scenarios

const fastMCP = "fastmcp (4.20.16 tried)"

// fastmcpCauses are what fastmcp, a framework on the TypeScript SDK, brings in.
func fastmcpCauses() []knownCause {
	row := func(id, text, remedy string, checks []string, says ...string) knownCause {
		if remedy == "" {
			remedy = "Your own code cannot change it: report it to fastmcp and waive the check."
		}
		return knownCause{Cause: Cause{ID: "fastmcp-" + id, SDK: fastMCP, Text: text, Remedy: remedy}, By: []string{SDKFastMCP}, Checks: checks, Says: says}
	}
	anyone := func(c knownCause) knownCause { c.By = nil; return c }
	return []knownCause{
		anyone(row("prints", "its debug lines go to stdout, among the messages", "Give FastMCP a logger of your own that writes to stderr.",
			[]string{"framing/stdout-clean", "clients/frames-valid"}, "[FastMCP debug]", "[FastMCP info]", "[FastMCP warning]", "[FastMCP error]")),
		anyone(row("validation-error", "arguments that do not fit are refused by a JSON-RPC error, which models rarely see, with their keys as they came",
			"Give FastMCP an open schema, check the arguments yourself and throw a UserError.",
			[]string{
				"bad-input/as-tool-error", "bad-input/values-escaped", "bad-input/hidden-characters", "bad-input/one-line-per-problem",
				"messages/one-error-sentence",
			}, "parameter validation failed:")),
		row("drops-keys", "a schema that lists additionalProperties: false drops further keys all the same", "Make the schema strict: z.strictObject, or what your library calls it.",
			[]string{"bad-input/unknown-key"}, "dropped in silence"),
		row("echoes-names", "unknown tools are refused with -32601, and the name comes back as it came", "",
			[]string{
				"unknown-tool/name-escaped", "unknown-tool/hidden-characters", "unknown-tool/bounded-echo", "unknown-tool/channel",
				"unknown-tool/wording", "messages/one-error-sentence",
			}, "Unknown tool: "),
		row("prompt-code", "prompts that do not exist are refused with -32603", "", []string{"completion/unknown-prompt", "prompts/unknown-name"}, "Unknown prompt"),
		row("ignores-cursor", "everything is listed on one page, and cursors are not looked at", "Harmless while there is one page: waive the check.", []string{"listing/cursor-rejected"}, "is answered by a page"),
		row("any-level", "messages are sent whatever level the client asked for", "", []string{"logging/level-respected"}, "a message of level"),
		row("old-version-text", "requests of 2026-07-28 are refused over HTTP with a long explanation", "", []string{"messages/one-error-sentence"}, "Unsupported protocol version"),
		row("zod-dump", "the message of a refusal is the whole list of issues that the SDK's validator found, as JSON", "", []string{"messages/one-error-sentence"}, "[\n  {"),
	}
}
