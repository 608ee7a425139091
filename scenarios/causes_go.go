package scenarios

const goSDK = "Go SDK (1.8.0 tried)"

// goCauses are what the Go SDK brings in.
func goCauses() []knownCause {
	by := []string{SDKGo}
	row := func(id, text, remedy string, checks []string, says ...string) knownCause {
		if remedy == "" {
			remedy = waiveOrReport
		}
		return knownCause{Cause: Cause{ID: "go-sdk-" + id, SDK: goSDK, Text: text, Remedy: remedy}, By: by, Checks: checks, Says: says}
	}
	overHTTP := func(c knownCause) knownCause { c.Transport = "http"; return c }
	return []knownCause{
		overHTTP(row("ends-cancelled-streams", "the stream of a cancelled call is closed before its question could be taken back on it", "",
			[]string{"elicitation/call-cancel-withdraws"}, "the question stays open")),
		row("ends-on-bad-line", "a line that cannot be decoded ends the session, and with it the process", "Wrap the stdio transport in a reader that skips lines which are no JSON object.",
			[]string{
				"envelope/malformed-line-survived", "envelope/wrong-jsonrpc", "envelope/invalid-request-answered", "envelope/silent-on-malformed",
				"envelope/batch-refused", "framing/bom-tolerated",
			}, "process ended", "answers nothing any more", "nothing, and the server goes on"),
		row("drops-noted-batches", "a batch with a notification in it is never answered over stdio", "", []string{"envelope/batch"}, "a batch with a notification"),
		row("cuts-ids", "ids are read as integers: a fraction is cut off", "", []string{"envelope/fractional-id"}),
		row("answers-batches", "an array is answered by an array in every revision", "",
			[]string{"envelope/batch-refused", "framing/one-line-a-message", "messages/every-message-valid", "clients/frames-valid"}, `[{"jsonrpc"`, "a batch, which", "is an array"),
		row("plain-text-refusals", "some refusals over HTTP are plain text without a JSON-RPC error", "",
			[]string{
				"http/status-codes", "opening/unsupported-version-error", "envelope/unknown-method", "envelope/inherited-method-names",
				"envelope/params-absent", "envelope/batch",
			}, "HTTP 400"),
		row("raw-next-line", "encoding/json escapes U+2028 and U+2029, and leaves U+0085", "Harmless to readers that split at line feeds alone.", []string{"framing/line-separators-escaped"}, "U+0085"),
		row("code-0", "faults of the session have error code 0", "",
			[]string{"http/session-id-required", "opening/unsupported-version-error", "opening/before-initialize", "opening/twice", "opening/discover-first-survives"}, "error 0:"),
		row("params-code", "missing params are refused with -32600", "", []string{"envelope/params-absent"}, "-32600"),
		row("names-headers-raw", "Mcp-Name is compared as it stands, never decoded, and both come back as they came", "",
			[]string{"http/name-header-base64", "unknown-tool/name-escaped", "unknown-tool/hidden-characters", "messages/one-error-sentence"}, "Mcp-Name header value '=?base64?"),
		row("headers-first", "params that it cannot read count as a header that differs", "", []string{"envelope/error-code-range"}, "failed to extract name from parameters"),
		row("last-event-id", "a POST with Last-Event-ID is refused", "Drop the header in front of the handler.", []string{"http/old-headers-ignored"}, "can't send Last-Event-ID for POST request"),
		row("no-buffering-header", "streams do not carry X-Accel-Buffering", "Set the header in a handler around the SDK's.", []string{"http/buffering-header"}, "missing"),
		row("takes-responses", "responses of the client are accepted in every revision", "", []string{"http/client-response-refused"}, "HTTP 202"),
		row("no-origin-check", "the streamable handler checks Host, but no Origin unless it is told to", "Pass http.NewCrossOriginProtection() as CrossOriginProtection of StreamableHTTPOptions.",
			[]string{"http/origin-refused"}, "is served"),
		row("accept", "a client that does not list both types is refused", "", []string{"http/accept"}, "Accept must contain both"),
		row("asks-anyone", "what a handler asks is sent without a look at the client's capabilities", "Look at the client's capabilities in the handler before you ask.",
			[]string{
				"meta/missing-capability-error", "input-required/only-if-declared", "elicitation/only-if-declared", "roots/only-if-declared", "sampling/only-if-declared",
			}, "input_required", " with id ", "elicitation/create: "),
		row("drops-in-flight", "when the input ends, requests in flight are dropped", "Wrap stdin so that its end is held back until the handlers are done.", []string{"shutdown/answers-in-flight"}, "process ended"),
		row("lists-undeclared", "lists of capabilities that were not declared are answered empty", "", []string{"envelope/undeclared-feature"}, "result"),
		row("any-level", "any text is taken for a log level", "", []string{"logging/level-refused"}, "result"),
		row("answers-cancelled", "a request that was cancelled is answered all the same", "",
			[]string{"cancellation/no-answer-after", "cancellation/silent-on-stdio", "subscriptions/cancel-ends"}, "context canceled", "an answer to the listen request"),
		row("cancels-unsent", "a question that was given up before it was sent is cancelled all the same", "", []string{"cancellation/own-requests-only"}, "an id that no request of the server has"),
		row("quotes-uris", "the uri that it does not have is quoted as Go text, which is no JSON for control characters: the answer is lost, and over stdio the process ends",
			"Refuse such uris in a middleware.", []string{"resources/odd-uris", "http/sse-answers"}, "the server process ended", "without a JSON-RPC response", "the stream ended without the response"),
		row("offers-old-only", "the handler with sessions answers server/discover, and offers handshake revisions alone",
			"Set Stateless in StreamableHTTPOptions, or refuse server/discover with -32601 in front of the handler.", []string{"clients/connects"}, "server/discover offers"),
		row("speaks-all-revisions", "the SDK agrees to every revision since 2024-11-05, and sends what the author returns in each of them",
			"Harmless to clients that keep up: waive the check, or return what the older revision lacks as text.",
			[]string{"messages/every-message-valid", "messages/only-negotiated-types"}, "content block of type", `is "resource_link"`, `is "audio"`),
		row("validation-text", "what the validator says goes into the answer, the first problem alone, with values as they came", "Take the arguments as json.RawMessage and check them yourself.",
			[]string{"bad-input/values-escaped", "bad-input/hidden-characters", "bad-input/all-problems-told", "bad-input/container-channel"}, `validating "arguments"`),
		row("lenient-initialize", "initialize is answered without its required members", "", []string{"opening/initialize-bad-params"}, "a result"),
		row("echoes-names", "the name of an unknown tool comes back whole", "", []string{"unknown-tool/bounded-echo", "unknown-tool/wording"}, `unknown tool "`, "a refusal of"),
		row("prompt-arguments", "required arguments of prompts are not checked", "Check them in the handler.", []string{"prompts/missing-argument"}, "a prompt of"),
		row("silent-end", "subscriptions end without a word when the input ends", "", []string{"subscriptions/graceful-end"}),
		row("untagged-changes", "some notices of changed tools carry no subscriptionId", "", []string{"subscriptions/notifications-tagged"}, "no subscriptionId"),
		row("ends-misfits", "an answer that does not fit the form ends the call; nothing is asked again", "Ask again yourself when the SDK refuses an answer.",
			[]string{"elicitation/asks-again", "elicitation/client-error"}, "elicitation result content does not match", "multi-round-trip: fulfilling input request"),
		row("output-error-code", "data that break the output schema are answered by error 0", "Check the data yourself before you return them.", []string{"output-schema/mismatch-lines"}, "validating tool output"),
		row("first-request", "over stdio the first request is taken for one of a handshake revision when its version is unknown", "",
			[]string{"opening/unsupported-version-error"}, "is invalid during session initialization", `method not found: "server/discover"`),
		row("version-of-requests", "over stdio the version of a request is not looked at", "", []string{"opening/version-each-request"}, "a result, for a request that names version"),
		row("unmarshal-text", "the message of a refusal repeats the whole params that could not be read", "", []string{"messages/one-error-sentence"}, "unmarshaling"),
	}
}
