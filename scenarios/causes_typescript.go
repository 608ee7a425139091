package scenarios

const (
	waiveOrReport = "Your own code cannot change it: report it to the SDK and waive the check."
	bothLines     = "TypeScript SDK v1 and v2 (1.12.0 to 1.32.2 and 2.4.0 tried)"
	lineOne       = "TypeScript SDK v1 (1.32.2 tried)"
	lineTwo       = "TypeScript SDK v2 (2.4.0 tried)"
)

// typescriptCauses are what the TypeScript SDKs bring in.
func typescriptCauses() []knownCause {
	both := []string{SDKTypeScript}
	return []knownCause{
		{
			Cause: Cause{ID: "ts-sdk-drops-lines", SDK: bothLines, Text: "what is no strict JSON-RPC message goes to onerror and is never answered", Remedy: waiveOrReport},
			By:    both, Transport: "stdio",
			Checks: []string{
				"envelope/invalid-request-answered", "envelope/silent-on-malformed", "envelope/params-null",
				"envelope/extra-members-tolerated", "envelope/batch", "elicitation/unanswered-does-not-block",
			},
			Says: []string{"no answer, while", "nothing, and the server goes on"},
		},
		{
			Cause: Cause{ID: "ts-sdk-strict-frames", SDK: bothLines, Text: "what is no strict JSON-RPC message is refused: params null, members that it does not know", Remedy: waiveOrReport},
			By:    both, Transport: "http",
			Checks: []string{"envelope/params-null", "envelope/extra-members-tolerated"},
			Says:   []string{"HTTP 400", "error -32600"},
		},
		{
			Cause: Cause{ID: "ts-sdk-serves-batches", SDK: bothLines, Text: "the HTTP transport serves arrays in every handshake revision", Remedy: "Refuse arrays in front of the handler where it matters."},
			By:    both, Transport: "http",
			Checks: []string{"envelope/batch-refused"},
			Says:   []string{`{"result":`},
		},
		{
			Cause:  Cause{ID: "ts-sdk-v2-params-code", SDK: lineTwo, Text: "params of some methods that do not fit are refused with -32603", Remedy: waiveOrReport},
			By:     []string{SDKTypeScriptV2},
			Checks: []string{"envelope/params-absent", "logging/level-refused", "completion/missing-argument"},
			Says:   []string{"-32603"},
		},
		{
			Cause:  Cause{ID: "ts-sdk-raw-separators", SDK: bothLines, Text: "JSON.stringify leaves U+2028, U+2029 and U+0085 as they are", Remedy: "Harmless to readers that split at line feeds alone; escape them in a transport of your own where it matters."},
			By:     both,
			Checks: []string{"framing/line-separators-escaped"},
		},
		{
			Cause:  Cause{ID: "ts-sdk-zod-dump", SDK: bothLines, Text: "the message of a refusal is the whole list of issues that its validator found, as JSON", Remedy: waiveOrReport},
			By:     both,
			Checks: []string{"messages/one-error-sentence", "bad-input/no-dump", "bad-input/wrong-container"},
			Says:   []string{"[\n  {", "Invalid tools/call request: ["},
		},
		{
			Cause: Cause{
				ID: "ts-sdk-prototype-lookup", SDK: bothLines, Text: "McpServer looks names up on a plain object, finds what every object inherits and calls it disabled",
				Remedy: "Refuse names that you did not register before the SDK sees them: with the low-level Server and a Map, or a wrapper around the tools/call handler.",
			},
			By: both, Registers: true,
			Checks: []string{"unknown-tool/prototype-name", "unknown-tool/refused"},
			Says:   []string{"disabled"},
		},
		{
			Cause: Cause{ID: "ts-sdk-prototype-prompts", SDK: bothLines, Text: "McpServer looks prompts up on a plain object, finds what every object inherits and calls it disabled", Remedy: waiveOrReport},
			By:    both, Checks: []string{"prompts/unknown-name", "prompts/prototype-name"},
			Says: []string{"Prompt toString disabled", "Prompt constructor disabled", "Prompt __proto__ disabled", "Prompt hasOwnProperty disabled", "Prompt valueOf disabled"},
		},
		{
			Cause: Cause{
				ID: "ts-sdk-echoes-names", SDK: bothLines, Text: "McpServer puts the name into its refusal as it came",
				Remedy: "Refuse unknown names yourself, with the name through JSON.stringify: with the low-level Server, or a wrapper around the tools/call handler.",
			},
			By: both, Registers: true,
			Checks: []string{
				"unknown-tool/name-escaped", "unknown-tool/hidden-characters", "unknown-tool/bounded-echo", "unknown-tool/one-line", "unknown-tool/wording",
			},
			Says: []string{" not found", " disabled"},
		},
		{
			Cause: Cause{ID: "ts-sdk-echoes-requests", SDK: bothLines, Text: "McpServer puts the prompt's name or the resource's uri into its refusal as it came", Remedy: waiveOrReport},
			By:    both, Checks: []string{"prompts/name-escaped", "messages/one-error-sentence"},
			Says: []string{"Prompt zz", "Resource zz-conform:", "Resource not found: zz-conform:"},
		},
		{
			Cause: Cause{
				ID: "ts-sdk-speaks-all-revisions", SDK: bothLines, Text: "the SDK agrees to every revision since 2024-11-05, and sends what the author returns in each of them",
				Remedy: "Harmless to clients that keep up: waive the check, or return what the older revision lacks as text.",
			},
			By: both, Checks: []string{"messages/every-message-valid", "messages/only-negotiated-types"},
			Says: []string{"content block of type", `is "resource_link"`, `is "audio"`},
		},
		{
			Cause: Cause{
				ID: "ts-sdk-unlistable-schema", SDK: bothLines, Text: "one schema that JSON Schema cannot say breaks the whole list of tools",
				Remedy: "Use types that JSON Schema has: z.iso.datetime() in place of z.date().",
			},
			By: both, Checks: []string{"opening/declared-methods-answer"},
			Says: []string{"cannot be represented in JSON Schema"},
		},
		{
			Cause: Cause{
				ID: "ts-sdk-validation-text", SDK: bothLines, Text: "McpServer writes what its validator says into the answer, with values and keys as they came",
				Remedy: "Give McpServer an open schema and check the arguments yourself, or use the low-level Server.",
			},
			By: both, Registers: true,
			Checks: []string{
				"bad-input/values-escaped", "bad-input/hidden-characters", "bad-input/one-line-per-problem", "bad-input/no-dump", "bad-input/names-the-property",
			},
			Says: []string{"Input validation error: Invalid arguments for tool"},
		},
		{
			Cause: Cause{
				ID: "ts-sdk-ignores-cursor", SDK: bothLines, Text: "McpServer lists everything on one page and does not look at cursors",
				Remedy: "Harmless while there is one page: waive the check, or list with the low-level Server.",
			},
			By: both, Registers: true,
			Checks: []string{"listing/cursor-rejected"},
		},
		{
			Cause: Cause{ID: "ts-sdk-v2-pins-era", SDK: lineTwo, Text: "once a line speaks 2026-07-28 the version of later requests is not looked at", Remedy: waiveOrReport},
			By:    []string{SDKTypeScriptV2}, Transport: "stdio",
			Checks: []string{"opening/version-each-request", "opening/legacy-version-in-meta"},
		},
		{
			Cause: Cause{ID: "ts-sdk-v2-drops-in-flight", SDK: lineTwo, Text: "when the input ends, requests in flight are dropped and subscriptions end without a word", Remedy: "Wrap stdin so that its end is held back until the handlers are done."},
			By:    []string{SDKTypeScriptV2}, Transport: "stdio",
			Checks: []string{"shutdown/answers-in-flight", "subscriptions/graceful-end"},
		},
		{
			Cause: Cause{
				ID: "ts-sdk-no-origin-check", SDK: bothLines, Text: "the bare HTTP transport and handler check neither Origin nor Host",
				Remedy: "v1: pass enableDnsRebindingProtection with allowedHosts and allowedOrigins. v2: put the host and origin guards of its node, express or hono package in front.",
			},
			By: both, Checks: []string{"http/origin-refused", "http/host-checked"},
			Says: []string{"is served"},
		},
		{
			Cause: Cause{ID: "ts-sdk-id-null", SDK: bothLines, Text: "refusals of the HTTP layer carry id null", Remedy: waiveOrReport},
			By:    both, Checks: []string{"http/origin-refusal-shape", "messages/odd-json", "opening/answers-initialize"},
			Says: []string{"id null", "no id when none could be read"},
		},
		{
			Cause: Cause{ID: "ts-sdk-accept", SDK: bothLines, Text: "requests of handshake revisions that do not list both types, letter by letter, get 406", Remedy: "Rewrite Accept in front of the handler when you need such clients."},
			By:    both, Checks: []string{"http/accept"}, Says: []string{"406"},
		},
	}
}
