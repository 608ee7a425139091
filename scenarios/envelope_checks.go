package scenarios

func envelopeMalformedChecks() []Check {
	return []Check{
		{
			ID: "envelope/malformed-line-survived", Claim: "Text that is no JSON does not end the server or make it deaf.", Level: Should,
			Why:    "One stray line of a proxy or a shell, and every later request is lost: the person sees a server that crashed.",
			Remedy: "Catch the error of the JSON reader for each line by itself, and go on reading.",
			Basis:  []string{"schema#parseerror", "jsonrpc#error_object"}, Requirements: []string{"base.parse-error"},
			Judge: judgeMalformedSurvived,
		},
		{
			ID: "envelope/parse-error-shape", Claim: "If text that is no JSON is answered, the answer is error -32700.", Level: Should,
			Why:    "The code tells the sender that its text was broken, not its request.",
			Remedy: "Answer -32700, over HTTP with status 400.",
			Basis:  []string{"schema#parseerror", "jsonrpc#error_object"}, Requirements: []string{"base.parse-error"},
			Judge: judgeParseError,
		},
		{
			ID: "envelope/silent-on-malformed", Claim: "Lines that are no request are answered with an error.", Level: Note,
			Why:    "A sender that hears nothing cannot tell a broken line from a slow server. Many servers skip such lines.",
			Remedy: "Answer -32700 or -32600 without id.",
			Basis:  []string{"jsonrpc#error_object"}, Requirements: []string{"base.parse-error", "base.invalid-request"},
			Judge: judgeSilentMalformed,
		},
		{
			ID: "envelope/wrong-jsonrpc", Claim: "JSON that is no JSON-RPC message is refused with -32600 or skipped, and the server lives on.", Level: Should,
			Why:    "A single odd message ends the session of everybody behind the same gateway.",
			Remedy: "Check jsonrpc, method and id of each message by itself; answer -32600 and go on.",
			Basis:  []string{"schema#invalidrequesterror", "jsonrpc#error_object"}, Requirements: []string{"base.invalid-request"},
			Judge: judgeWrongJSONRPC,
		},
		{
			ID: "envelope/invalid-request-answered", Claim: "A message that is no right request but has a readable id is answered under that id.", Level: Should,
			Why:    "Somebody waits for that id. Silence costs the caller its whole limit.",
			Remedy: "Answer -32600 with the id when it can be read.",
			Basis:  []string{"jsonrpc#error_object"}, Requirements: []string{"base.invalid-request"},
			Judge: judgeInvalidAnswered,
		},
		{
			ID: "envelope/null-id", Claim: "A request whose id is null is refused or skipped, not served.", Level: Note,
			Why:    "MCP forbids the id null. An answer under null belongs to nobody.",
			Remedy: "Answer -32600, or skip it.",
			Basis:  []string{"basic/index#requests"}, Requirements: []string{"base.null-request-id-refused"},
			Judge: judgeNullID,
		},
		{
			ID: "envelope/fractional-id", Claim: "A request whose id has a fraction is refused, skipped, or answered under that id.", Level: Note,
			Why:    "Under another id the answer reaches the wrong caller.",
			Remedy: "Do not force ids into an integer; refuse what is no string or integer.",
			Basis:  []string{"basic/index#requests"}, Requirements: []string{"base.fractional-request-id"},
			Judge: judgeFractionalID,
		},
		{
			ID: "envelope/batch", Claim: "Under 2025-03-26 a batch is served.", Level: Should,
			Why:    "That revision alone demands it. Few clients send one; a server that says it speaks 2025-03-26 owes it.",
			Remedy: "Serve each member of an array, or do not offer 2025-03-26.",
			Basis:  []string{"basic/index#batching"}, Requirements: []string{"base.batch-accepted"},
			Judge: legacy(judgeBatch),
		},
		{
			ID: "envelope/batch-answers", Claim: "Each request of a batch gets one answer, and notifications in it get none.", Level: Must,
			Why:    "A caller waits for each id of its batch.",
			Remedy: "Collect the answers of all requests of the batch, in one array or one by one.",
			Basis:  []string{"basic/index#batching", "jsonrpc#batch"}, Requirements: []string{"base.batch-answers"},
			Judge: legacy(judgeBatchAnswers),
		},
		{
			ID: "envelope/batch-refused", Claim: "From 2025-06-18 on an array is not served, and does no harm.", Level: Note,
			Why:    "Batches left the protocol: an array as an answer is no message, and half of a batch served is worse than none.",
			Remedy: "Refuse arrays with -32600, over HTTP with status 400.",
			Basis:  []string{"basic/transports", "changelog"}, Requirements: []string{"base.batch-refused", "http.post-body-single"},
			Judge: judgeBatchRefused,
		},
	}
}

func envelopeCodeChecks() []Check {
	return []Check{
		{
			ID: "envelope/error-code-range", Claim: "Error codes are integers, and those that 2026-07-28 reserves are used only for what they mean.", Level: Must,
			Why:    "Clients act on these codes: they send headers again, declare a capability, choose another version. A code that means something else sends them the wrong way.",
			Remedy: "Keep away from -32020 to -32099; use -32602 for a missing resource, and codes outside -32768 to -32000 for your own faults.",
			Basis:  []string{"basic/index#error-codes"},
			Requirements: []string{
				"base.reserved-codes-not-invented", "base.reserved-codes-meaning", "base.retired-code-32002", "base.retired-code-32042", "base.error-code-integer",
			},
			Judge: judgeCodeRange,
		},
		{
			ID: "envelope/legacy-code-range", Claim: "Codes of the server's own lie outside -32768 to -32000.", Level: Note,
			Why:    "That range is reserved; two servers that use one code of it for two faults confuse logs.",
			Remedy: "Choose codes outside the range.",
			Basis:  []string{"basic/index#error-codes"}, Requirements: []string{"base.legacy-code-range", "base.application-code-range"},
			Judge: modern(judgeLegacyRange),
		},
	}
}
