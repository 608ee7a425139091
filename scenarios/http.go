package scenarios

import "slices"

// streamableHTTP tries the rules of Streamable HTTP in both eras, and judges
// every HTTP exchange of the run.
func streamableHTTP() Scenario {
	return Scenario{
		ID: "http", Title: "Streamable HTTP", Transport: "http", Waits: true,
		Summary: "Sends requests with missing, foreign and contradicting headers, opens and drops streams, ends sessions, and looks at the status, type and framing of every answer.",
		Drive:   driveHTTP,
		Checks:  slices.Concat(httpAnswerChecks(), httpStreamChecks(), httpDoorChecks(), httpSessionChecks(), httpHeaderChecks()),
	}
}

// httpAnswerChecks are on how messages are answered.
func httpAnswerChecks() []Check {
	return []Check{
		{
			ID: "http/endpoint", Claim: "One address takes POST for every message.", Level: Must,
			Why:    "Clients know one address; a method that lives elsewhere is never found.",
			Remedy: "Route POST of the endpoint by the method in the body, not by the path.",
			Basis:  []string{"basic/transports#streamable-http"}, Requirements: []string{"http.endpoint-post"},
			Judge: judgeEndpoint,
		},
		{
			ID: "http/content-type", Claim: "A request is answered as application/json or text/event-stream.", Level: Must,
			Why:    "Clients choose their reader by the type, and SDK clients refuse any other: they cannot connect.",
			Remedy: "Set Content-Type to application/json, or to text/event-stream for a stream.",
			Basis:  []string{"basic/transports#sending-messages-to-the-server"}, Requirements: []string{"http.request-content-type"},
			Hosts: []string{"sdk-v1", "sdk-v2"}, Judge: judgeContentType,
		},
		{
			ID: "http/json-and-sse", Claim: "A JSON answer is one object: the response to the request.", Level: Must,
			Why:    "A list or another message in its place is lost.",
			Remedy: "Write the response object itself as the body.",
			Basis:  []string{"basic/transports#sending-messages-to-the-server"}, Requirements: []string{"http.json-single-object"},
			Judge: judgeJSONBody,
		},
		{
			ID: "http/notification-202", Claim: "A notification is answered with 202 and no body, or refused with an error status.", Level: Must,
			Why:    "Clients take any other answer for a fault, and some never open their stream behind it.",
			Remedy: "Answer 202 without a body.",
			Basis:  []string{"basic/transports#sending-messages-to-the-server"}, Requirements: []string{"http.notification-202", "http.notification-202-empty", "http.notification-refused-status"},
			Hosts: []string{"sdk-v1"}, Judge: legacy(judgeNotified),
		},
		{
			ID: "http/response-202", Claim: "A response of the client is answered with 202 and no body, or refused with an error status.", Level: Must,
			Why:    "A client that answered a question takes anything else for a failure of its answer.",
			Remedy: "Answer 202 without a body.",
			Basis:  []string{"basic/transports#sending-messages-to-the-server"}, Requirements: []string{"http.response-202"},
			Judge: legacy(judgeResponded),
		},
		{
			ID: "http/client-response-refused", Claim: "Under 2026-07-28 a response of the client is refused.", Level: Note,
			Why:    "That revision has nothing that a client could respond to.",
			Remedy: "Answer 400.",
			Basis:  []string{"basic/transports/streamable-http#sending-messages"}, Requirements: []string{"http.client-response-refused"},
			Judge: modern(judgeResponseRefused),
		},
		{
			ID: "http/accept", Claim: "A client that accepts only JSON, or anything, or writes the types in other case, is served as well.", Level: Note,
			Why:    "The protocol wants both types listed; connectors that send one or */* meet a 406 they cannot explain.",
			Remedy: "Answer with what the client takes.",
			Basis:  []string{"basic/transports#sending-messages-to-the-server"}, Requirements: []string{"http.accept-header-both"},
			Hosts: []string{"openai-responses"}, Judge: judgeAcceptHeader,
		},
		{
			ID: "http/accept-forms", Claim: "A client that lists both types is served, in whatever order and spacing, with weights or further types.", Level: Should,
			Why:    "HTTP libraries reorder lists and add weights.",
			Remedy: "Read Accept as a list of media types; do not compare it with one text.",
			Basis:  []string{"basic/transports#sending-messages-to-the-server", "RFC 9110"},
			Judge:  judgeAcceptForms,
		},
		{
			ID: "http/error-status", Claim: "An ordinary JSON-RPC error does not come with a 5xx status.", Level: Note,
			Why:    "Which status carries an error is open, but gateways retry and alarm on 5xx.",
			Remedy: "Send errors that the caller made with 200 or 4xx.",
			Basis:  []string{"basic/transports#sending-messages-to-the-server"}, Requirements: []string{"http.jsonrpc-error-status"},
			Judge: judgeErrorStatus,
		},
		{
			ID: "http/status-codes", Claim: "Under 2026-07-28 an unknown method has status 404 with -32601, an unsupported version 400 with -32022.", Level: Must,
			Why:    "Clients and gateways tell by the status whether to ask again another way.",
			Remedy: "Map -32601 to 404 and -32022 to 400, and send the JSON-RPC error as the body.",
			Basis:  []string{"basic/transports/streamable-http#protocol-version-header"}, Requirements: []string{"http.unknown-method-404", "versioning.http-400"},
			Judge: modern(judgeStatusCodes),
		},
	}
}

// httpStreamChecks are on event streams.
func httpStreamChecks() []Check {
	return []Check{
		{
			ID: "http/sse-framing", Claim: "A stream keeps the format of server-sent events, and each event is one JSON-RPC message.", Level: Should,
			Why:    "Readers drop an event that is not ended by a blank line, has another name than message, or is no JSON: the answer is lost.",
			Remedy: "Write each message as one data line and a blank line.",
			Basis:  []string{"basic/transports#sending-messages-to-the-server"}, Requirements: []string{"http.sse-wellformed"},
			Judge: judgeSSEFraming,
		},
		{
			ID: "http/sse-one-line", Claim: "The data of an event is one line.", Level: Note,
			Why:    "Several data lines are legal; readers written by hand take the first.",
			Remedy: "Write the message without indentation.",
			Basis:  []string{"basic/transports#sending-messages-to-the-server"},
			Judge:  judgeSSEOneLine,
		},
		{
			ID: "http/sse-answers", Claim: "The stream of a request carries its response and ends soon after it.", Level: Should,
			Why:    "Open streams use up connections; one that ends without the response leaves the caller waiting.",
			Remedy: "Close the stream once the response is out, and not before; send retry when a client is to come back.",
			Basis:  []string{"basic/transports#sending-messages-to-the-server"},
			Requirements: []string{
				"http.sse-has-response", "http.sse-ends-after-response", "http.sse-not-closed-early", "http.sse-retry-before-close",
			},
			Judge: judgeSSEAnswers,
		},
		{
			ID: "http/sse-related", Claim: "What comes before the response on its stream belongs to that request.", Level: Should,
			Why:    "A client reads progress and questions on the stream of the call; on another one they are lost or given to the wrong caller.",
			Remedy: "Send what a request causes on its own stream, and only that.",
			Basis:  []string{"basic/transports#sending-messages-to-the-server"}, Requirements: []string{"http.sse-messages-related", "http.get-stream-unrelated", "http.sse-notifications-related"},
			Judge: judgeSSERelated,
		},
		{
			ID: "http/buffering-header", Claim: "Streams carry X-Accel-Buffering: no.", Level: Should,
			Why:    "Without it nginx and others hold events back until the stream ends: no progress, no questions.",
			Remedy: "Send the header with every text/event-stream answer.",
			Basis:  []string{"basic/transports/streamable-http#receiving-messages"}, Requirements: []string{"http.sse-buffering-header"},
			Judge: modern(judgeBuffering),
		},
		{
			ID: "http/sse-keepalive", Claim: "A subscription's stream stays open and carries nothing malformed while nothing happens.", Level: Note,
			Why:    "Proxies cut quiet streams; comments keep them alive.",
			Remedy: "Send a comment line now and then.",
			Basis:  []string{"basic/transports/streamable-http#receiving-messages"}, Requirements: []string{"http.sse-keepalive"},
			Judge: modern(judgeKeepAlive),
		},
		{
			ID: "http/get-or-405", Claim: "GET opens an event stream or is refused with 405.", Level: Must,
			Why:    "On any other answer clients reconnect for ever (Cursor) or give the server up (SDK v1).",
			Remedy: "Serve a stream, or answer 405 with Allow.",
			Basis:  []string{"basic/transports#listening-for-messages-from-the-server"}, Requirements: []string{"http.get-stream-or-405"},
			Hosts: []string{"cursor", "sdk-v1"}, Judge: legacy(judgeGet),
		},
		{
			ID: "http/get-stream-clean", Claim: "The GET stream carries no responses, and no message goes out on two streams.", Level: Must,
			Why:    "A client that reads both streams sees everything twice, or misses a response.",
			Remedy: "Send a response on the stream of its request, and each message once.",
			Basis:  []string{"basic/transports#listening-for-messages-from-the-server", "basic/transports#multiple-connections"}, Requirements: []string{"http.get-stream-no-responses", "http.no-broadcast"},
			Judge: legacy(judgeGetClean),
		},
		{
			ID: "http/event-ids", Claim: "Event ids do not repeat within a session.", Level: Must,
			Why:    "A client that comes back with such an id gets the events of another stream.",
			Remedy: "Make ids of the stream and a counter.",
			Basis:  []string{"basic/transports#resumability-and-redelivery"}, Requirements: []string{"http.sse-event-id-unique"},
			Judge: legacy(judgeEventIDs),
		},
		{
			ID: "http/reconnect", Claim: "A stream that is taken up again carries only messages of the stream that broke.", Level: Must,
			Why:    "Messages of another stream reach a caller that did not ask for them.",
			Remedy: "Keep events by stream, and find the stream by the event id.",
			Basis:  []string{"basic/transports#resumability-and-redelivery"}, Requirements: []string{"http.replay-same-stream-only"},
			Judge: legacy(judgeReconnect),
		},
		{
			ID: "http/event-id-names-stream", Claim: "An event id that the server gave lets a client take its stream up again.", Level: Should,
			Why:    "A client with the id comes back after a break; refused, it has lost the answer.",
			Remedy: "Accept Last-Event-ID on GET, or send no ids.",
			Basis:  []string{"basic/transports#resumability-and-redelivery"}, Requirements: []string{"http.sse-event-id-names-stream"},
			Judge: legacy(judgeResumes),
		},
		{
			ID: "http/missed-replayed", Claim: "What a client missed is sent when it comes back with the last event id.", Level: Note,
			Why:    "That is what the ids are for; replay is allowed, not demanded.",
			Remedy: "Keep the events of a stream until it is over and delivered.",
			Basis:  []string{"basic/transports#resumability-and-redelivery"},
			Judge:  legacy(judgeReplayed),
		},
		{
			ID: "http/priming-event", Claim: "A stream begins with an event that has an id and empty data.", Level: Note,
			Why:    "With it a client can come back even when the connection breaks before the first message.",
			Remedy: "Send it first on every stream that can be taken up again.",
			Basis:  []string{"basic/transports#sending-messages-to-the-server"}, Requirements: []string{"http.sse-priming-event"},
			Judge: legacy(judgePriming),
		},
		{
			ID: "http/old-sse-transport", Claim: "The server does not offer the transport of 2024-11-05 with two endpoints.", Level: Note,
			Why:    "It is deprecated; old clients need it, new servers do not.",
			Remedy: "Drop it when no client of yours needs it any more.",
			Basis:  []string{"basic/transports#backwards-compatibility"}, Requirements: []string{"http.sse-transport-deprecated"},
			Judge: judgeOldTransport,
		},
	}
}
