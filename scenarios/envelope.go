package scenarios

import (
	"slices"
)

// envelope asks what JSON-RPC asks of every server: ids, unknown methods,
// notifications, and frames that are no requests at all.
func envelope() Scenario {
	return Scenario{
		ID: "envelope", Title: "Envelope",
		Summary: "Sends requests with every kind of id, unknown methods, odd params, notifications, and lines that are no JSON-RPC at all.",
		Drive:   driveEnvelope,
		Checks:  slices.Concat(envelopeIDChecks(), envelopeMethodChecks(), envelopeMalformedChecks(), envelopeCodeChecks()),
	}
}

func envelopeIDChecks() []Check {
	return []Check{
		{
			ID: "envelope/id-echo", Claim: "An answer has the id of its request: the same value of the same JSON type.", Level: Must,
			Why:    "A client finds its request by the id. One that comes back as another type or value is never matched, and the request waits for its limit.",
			Remedy: "Keep the id as the JSON value that came, and send it back untouched.",
			Basis:  []string{"basic/index#responses"}, Requirements: []string{"base.response-id-echo"},
			Hosts: []string{"claude-desktop", "opencode"}, Judge: judgeIDEcho,
		},
		{
			ID: "envelope/id-empty", Claim: "An empty string as id comes back as an empty string.", Level: Note,
			Why:    "It is legal and rare; servers that test an id for truth take such a request for a notification.",
			Remedy: "Test whether the id is there, not whether it is true.",
			Basis:  []string{"basic/index#responses"}, Requirements: []string{"base.response-id-echo"},
			Judge: judgeIDEmpty,
		},
		{
			ID: "envelope/id-unicode", Claim: "Ids that are strings survive whatever characters they hold.", Level: Should,
			Why:    "Gateways make ids of their own. A garbled one is never matched.",
			Remedy: "Read and write UTF-8, and let a JSON library do the escaping.",
			Basis:  []string{"basic/index#responses"}, Requirements: []string{"base.response-id-unicode"},
			Judge: judgeIDUnicode,
		},
		{
			ID: "envelope/one-answer", Claim: "Each request gets one answer.", Level: Must,
			Why:    "Strict clients treat a second answer as a fault of the line and close it.",
			Remedy: "Answer in one place only; do not answer again after an error was sent.",
			Basis:  []string{"jsonrpc#response_object"}, Requirements: []string{"base.one-response-per-request"},
			Judge: judgeOneAnswer,
		},
		{
			ID: "envelope/error-carries-id", Claim: "An error carries the id of the request that failed.", Level: Must,
			Why:    "With id null or 0 the error belongs to nobody: the caller waits for its limit.",
			Remedy: "Keep the id before you look at params, and put it into every error.",
			Basis:  []string{"basic/index#responses"}, Requirements: []string{"base.error-response-id"},
			Judge: judgeErrorID,
		},
		{
			ID: "envelope/no-reply-to-notification", Claim: "No notification is answered, known or unknown.", Level: Must,
			Why:    "Claude Code and Gemini CLI close the session over an answer that belongs to no request.",
			Remedy: "Return without writing when a message has no id, also when you do not know its method.",
			Basis:  []string{"basic/index#notifications"}, Requirements: []string{"base.no-response-to-notification"},
			Hosts: []string{"claude-code", "gemini-cli"}, Judge: judgeNoReply,
		},
		{
			ID: "envelope/idless-not-executed", Claim: "A tools/call without id is not answered, and not carried out.", Level: Should,
			Why:    "Without an id it is a notification that nobody defined. A tool that runs all the same runs unseen.",
			Remedy: "Serve methods of requests only when there is an id.",
			Basis:  []string{"basic/index#notifications"}, Requirements: []string{"base.no-response-to-notification"},
			Judge: judgeIdless,
		},
		{
			ID: "envelope/notification-has-no-id", Claim: "Notifications of the server have no id.", Level: Must,
			Why:    "With an id it is a request that clients answer with an error.",
			Remedy: "Leave id out of notifications.",
			Basis:  []string{"basic/index#notifications"}, Requirements: []string{"base.notification-has-no-id"},
			Judge: judgeNotificationID,
		},
		{
			ID: "envelope/server-ids-unique", Claim: "The server uses each id once for its own requests.", Level: Must,
			Why:    "A client that still has the first request open takes the second for a copy.",
			Remedy: "Count up, or make a random id for each request.",
			Basis:  []string{"basic/index#requests"}, Requirements: []string{"base.server-request-id-unique"},
			Judge: legacy(judgeServerIDs),
		},
	}
}

func envelopeMethodChecks() []Check {
	return []Check{
		{
			ID: "envelope/unknown-method", Claim: "A method that the server does not have is refused with -32601.", Level: Must,
			Why:    "Clients try new methods and go on when they hear -32601. Silence costs them their limit, another code looks like a broken server.",
			Remedy: "Answer unknown methods with JSON-RPC error -32601.",
			Basis:  []string{"schema#methodnotfounderror", "jsonrpc#error_object"}, Requirements: []string{"base.unknown-method"},
			Judge: func(e *Evidence) Ruling { return judgeMethodNotFound(e, "method:conform/") },
		},
		{
			ID: "envelope/inherited-method-names", Claim: "Names that every JavaScript object has are unknown methods like any other.", Level: Should,
			Why:    "A look-up on a plain object finds inherited functions: the request ends in an internal error, or calls one of them.",
			Remedy: "Keep handlers in a Map, or test with Object.hasOwn.",
			Basis:  []string{"schema#methodnotfounderror"}, Requirements: []string{"base.unknown-method-inherited-name"},
			Judge: func(e *Evidence) Ruling { return judgeMethodNotFound(e, "method:inherited:") },
		},
		{
			ID: "envelope/undeclared-feature", Claim: "Methods of a capability that was not declared are refused with -32601.", Level: Should,
			Why:    "A client that asks anyway learns from -32601 that there is nothing; an empty list says that there could be.",
			Remedy: "Serve only the methods of the capabilities that you declare.",
			Basis:  []string{"schema#methodnotfounderror"}, Requirements: []string{"base.undeclared-feature-method"},
			Judge: modern(judgeUndeclaredFeature),
		},
		{
			ID: "envelope/removed-methods", Claim: "Methods that 2026-07-28 removed are unknown to its requests.", Level: Note,
			Why:    "ping, logging/setLevel, resources/subscribe, tasks/list and tasks/result belong to handshake revisions.",
			Remedy: "Answer them with -32601 when the request is one of 2026-07-28.",
			Basis:  []string{"changelog"}, Requirements: []string{"ping.removed", "logging.set-level-removed", "subscriptions.old-methods-removed", "tasks-extension.old-methods-removed"},
			Judge: modern(func(e *Evidence) Ruling { return judgeMethodNotFound(e, "removed:") }),
		},
		{
			ID: "envelope/params-absent", Claim: "A known method whose params are missing or of the wrong shape is refused with -32602.", Level: Should,
			Why:    "The code tells a client whether its own message or the server is at fault.",
			Remedy: "Check params before you use them, and answer -32602.",
			Basis:  []string{"schema#invalidparamserror"}, Requirements: []string{"base.invalid-params-code"},
			Judge: judgeParamsAbsent,
		},
		{
			ID: "envelope/params-null", Claim: "A list with params null is served or refused, and the server lives on.", Level: Note,
			Why:    "Clients in Go and Rust that write nothing as null send it. Strictly it is not allowed; silence helps nobody.",
			Remedy: "Take null for absent.",
			Basis:  []string{"schema#paginatedrequest"},
			Judge:  judgeParamsNull,
		},
		{
			ID: "envelope/lists-without-params", Claim: "Lists are served without params, and with empty ones.", Level: Must,
			Why:    "params is optional there; most clients leave it out.",
			Remedy: "Do not demand params of list methods.",
			Basis:  []string{"schema#paginatedrequest"}, Requirements: []string{"pagination.params-optional"},
			Judge: legacy(judgeBareLists),
		},
		{
			ID: "envelope/extra-members-tolerated", Claim: "Members that the server does not know do not make a request fail.", Level: Note,
			Why:    "Newer clients send more than older schemas name. A server that refuses or drops it is lost with the next release of a client.",
			Remedy: "Ignore members that you do not know, in the message, in params and in _meta.",
			Basis:  []string{"schema"}, Requirements: []string{"base.extra-params-tolerated"},
			Judge: judgeExtraMembers,
		},
	}
}
