package scenarios

// httpDoorChecks are on who is let in.
func httpDoorChecks() []Check {
	return []Check{
		{
			ID: "http/origin-refused", Claim: "A request from a foreign web page is refused, from 2025-11-25 on with 403.", Level: Must,
			Why:    "Any page that a person opens can reach a server on their machine through DNS rebinding, and call its tools.",
			Remedy: "Compare Origin with a list of those you allow; let requests without Origin through.",
			Basis:  []string{"basic/transports#security-warning", "basic/transports/streamable-http#security--endpoint"}, Requirements: []string{"http.origin-validated", "http.origin-refused-403"},
			Judge: judgeOrigin,
		},
		{
			ID: "http/origin-refusal-shape", Claim: "The refusal of an origin, if it is JSON-RPC, is an error without id; a page of the server's own origin is served.", Level: Note,
			Why:    "Browser clients on the same origin work; readers choke on id null.",
			Remedy: "Leave the id out, or answer in plain text.",
			Basis:  []string{"basic/transports#security-warning"}, Requirements: []string{"http.origin-refused-body", "http.origin-absent-accepted"},
			Judge: judgeOriginShape,
		},
		{
			ID: "http/host-checked", Claim: "A local server refuses a request to a foreign host name.", Level: Note,
			Why:    "It is the other half of the guard against DNS rebinding: such a request carries the name of the attacker.",
			Remedy: "Allow localhost, addresses and your own names in Host, and nothing else.",
			Basis:  []string{"basic/transports#security-warning"}, Requirements: []string{"http.host-header"},
			Judge: judgeHost,
		},
		{
			ID: "http/bind-localhost", Claim: "A local server listens on the loopback address only.", Level: Note,
			Why:    "On other addresses the whole network can call its tools. In containers it has to.",
			Remedy: "Listen on 127.0.0.1.",
			Basis:  []string{"basic/transports#security-warning"}, Requirements: []string{"http.bind-localhost"},
			Judge: judgeLoopback,
		},
		{
			ID: "http/unauthenticated", Claim: "Requests without the credentials that were given for the server are refused.", Level: Note,
			Why:    "A token that nobody checks guards nothing.",
			Remedy: "Check Authorization on every request.",
			Basis:  []string{"basic/transports#security-warning"}, Requirements: []string{"http.authentication"},
			Judge: judgeUnauthenticated,
		},
	}
}

// httpSessionChecks are on sessions and on what replaced them.
func httpSessionChecks() []Check {
	return []Check{
		{
			ID: "http/session-id", Claim: "A session id holds visible ASCII characters only.", Level: Must,
			Why:    "Other characters do not survive HTTP headers; the session is lost with the next request.",
			Remedy: "Use a random UUID or the like.",
			Basis:  []string{"basic/transports#session-management"}, Requirements: []string{"sessions.id-visible-ascii"},
			Judge: legacy(judgeSessionID),
		},
		{
			ID: "http/session-id-secure", Claim: "Session ids are unique and hard to guess.", Level: Should,
			Why:    "Who guesses an id reads the answers of somebody else.",
			Remedy: "Make ids with a cryptographic random generator.",
			Basis:  []string{"basic/transports#session-management"}, Requirements: []string{"sessions.id-secure"},
			Judge: legacy(judgeSessionIDs),
		},
		{
			ID: "http/session-id-required", Claim: "A request without its session id is served or refused with 400.", Level: Should,
			Why:    "Clients read 400 as their own mistake; 404 would make them begin anew, 500 looks like a crash.",
			Remedy: "Answer 400 when the id is missing.",
			Basis:  []string{"basic/transports#session-management"}, Requirements: []string{"sessions.missing-id-400"},
			Judge: legacy(judgeSessionRequired),
		},
		{
			ID: "http/unknown-session-404", Claim: "A session id that the server never gave is refused with 404.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "On 404 clients initialize again, for instance after the server was restarted. On 400 they stay broken until a person reconnects.",
			Remedy: "Answer 404 for ids that you do not know.",
			Basis:  []string{"basic/transports#session-management"}, Requirements: []string{"sessions.unknown-id-404"},
			Hosts: []string{"claude-ai", "omp"}, Judge: legacy(judgeUnknownSession),
		},
		{
			ID: "http/delete", Claim: "A session that was ended is refused with 404.", Level: Must,
			Why:    "On 404 clients initialize again. A session that lives on after its end keeps what it held.",
			Remedy: "Forget the session on DELETE, and answer 404 for it.",
			Basis:  []string{"basic/transports#session-management"}, Requirements: []string{"sessions.ended-id-404"},
			Judge: legacy(judgeDelete),
		},
		{
			ID: "http/delete-status", Claim: "DELETE ends the session or is refused with 405.", Level: Note,
			Why:    "SDK clients report any other status as a failure to close.",
			Remedy: "Answer 200 or 204, or 405 where clients may not end sessions.",
			Basis:  []string{"basic/transports#session-management"}, Requirements: []string{"sessions.delete"},
			Judge: legacy(judgeDeleteStatus),
		},
		{
			ID: "http/no-session-minted", Claim: "Answers of 2026-07-28 give out no session id.", Level: Should,
			Why:    "That revision has no sessions; clients that store the id send it for nothing.",
			Remedy: "Send Mcp-Session-Id only with the answer to initialize.",
			Basis:  []string{"basic/transports/streamable-http#earlier-streamable-http-revisions"}, Requirements: []string{"sessions.not-minted"},
			Judge: modern(judgeNotMinted),
		},
		{
			ID: "http/old-headers-ignored", Claim: "Mcp-Session-Id and Last-Event-ID change nothing under 2026-07-28.", Level: Should,
			Why:    "Gateways and clients of both eras go on sending them.",
			Remedy: "Ignore both headers on requests of 2026-07-28.",
			Basis:  []string{"basic/transports/streamable-http#earlier-streamable-http-revisions"}, Requirements: []string{"sessions.header-ignored", "http.last-event-id-ignored"},
			Judge: modern(judgeOldHeaders),
		},
		{
			ID: "http/get-delete-405", Claim: "GET and DELETE of 2026-07-28 are refused with 405.", Level: Should,
			Why:    "Older clients learn from 405 that there is no stream and no session.",
			Remedy: "Answer 405 with Allow: POST.",
			Basis:  []string{"basic/transports/streamable-http#earlier-streamable-http-revisions"}, Requirements: []string{"http.get-405", "http.delete-405"},
			Judge: modern(judgeGetDelete405),
		},
	}
}

// httpHeaderChecks are on headers that repeat what the body says.
func httpHeaderChecks() []Check {
	return []Check{
		{
			ID: "http/version-header", Claim: "A MCP-Protocol-Version that is invalid or not supported is refused with 400.", Level: Must,
			Why:    "Served by guess, a client of another revision gets answers that it cannot read.",
			Remedy: "Compare the header with the versions that you speak.",
			Basis:  []string{"basic/transports#protocol-version-header"}, Requirements: []string{"http.version-header-bad-400"},
			Judge: legacy(judgeVersionHeader),
		},
		{
			ID: "http/version-header-absent", Claim: "A request without MCP-Protocol-Version is served.", Level: Should,
			Why:    "Clients from before that header never send it.",
			Remedy: "Use the version of the session, or 2025-03-26.",
			Basis:  []string{"basic/transports#protocol-version-header"}, Requirements: []string{"http.version-header-absent"},
			Judge: legacy(judgeVersionAbsent),
		},
		{
			ID: "http/method-headers", Claim: "A header that is missing or differs from the body is refused with 400 and -32020.", Level: Must,
			Why:    "Gateways route and allow by these headers: a server that does not compare them runs what the gateway never saw.",
			Remedy: "Compare MCP-Protocol-Version, Mcp-Method and Mcp-Name with the body before you serve a request.",
			Basis:  []string{"basic/transports/streamable-http#server-validation", "basic/transports/streamable-http#standard-request-headers"},
			Requirements: []string{
				"headers.version-mismatch", "headers.version-absent", "headers.method-absent", "headers.method-mismatch",
				"headers.name-absent-tools-call", "headers.name-absent-resources-read", "headers.name-absent-prompts-get", "headers.name-mismatch",
				"headers.values-case-sensitive", "headers.names-case-insensitive", "headers.mismatch-status", "headers.mismatch-body",
			},
			Judge: modern(judgeMirrors),
		},
		{
			ID: "http/name-header-base64", Claim: "A Mcp-Name in base64 form is decoded before it is compared.", Level: Must,
			Why:    "Clients write names in that form when a header cannot hold them; such tools could not be called.",
			Remedy: "Decode =?base64?...?= first.",
			Basis:  []string{"basic/transports/streamable-http#value-encoding"}, Requirements: []string{"headers.name-base64-decoded"},
			Judge: modern(func(e *Evidence) Ruling { return judgeNameServed(e, "base64:right") }),
		},
		{
			ID: "http/name-header-broken-base64", Claim: "A Mcp-Name with the marks of base64 around something else is refused.", Level: Should,
			Why:    "What cannot be decoded cannot have been compared.",
			Remedy: "Refuse it with 400 and -32020.",
			Basis:  []string{"basic/transports/streamable-http#server-validation"}, Requirements: []string{"headers.base64-broken"},
			Judge: modern(func(e *Evidence) Ruling { return judgeNameRefused(e, "base64:broken") }),
		},
		{
			ID: "http/base64-marker-exact", Claim: "The marks of base64 count in lower case only.", Level: Note,
			Why:    "Gateways that read them exactly see another name than the server.",
			Remedy: "Compare the marks with case.",
			Basis:  []string{"basic/transports/streamable-http#value-encoding"}, Requirements: []string{"headers.base64-marker-exact"},
			Judge: modern(func(e *Evidence) Ruling { return judgeNameRefused(e, "base64:upper case") }),
		},
		{
			ID: "http/param-headers", Claim: "Mcp-Param headers agree with the arguments that they repeat, or the call is refused with 400 and -32020.", Level: Must,
			Why:    "Gateways route by them: a call that says one thing in the header and another in the body slips past.",
			Remedy: "Compare each header that the tool's schema names with its argument; ask for none where the argument is missing or null.",
			Basis:  []string{"basic/transports/streamable-http#server-behavior-for-custom-headers", "basic/transports/streamable-http#value-encoding"},
			Requirements: []string{
				"headers.param-mismatch", "headers.param-absent", "headers.param-not-expected", "headers.param-invalid-characters", "headers.param-base64",
			},
			Judge: modern(judgeParamHeaders),
		},
		{
			ID: "http/param-integer-numeric", Claim: "A number in a Mcp-Param header is compared as a number.", Level: Should,
			Why:    "42 and 42.0 are one number in two languages.",
			Remedy: "Parse the header before you compare it.",
			Basis:  []string{"basic/transports/streamable-http#server-validation"}, Requirements: []string{"headers.param-integer-numeric"},
			Judge: modern(judgeParamNumber),
		},
		{
			ID: "http/param-unknown-ignored", Claim: "A Mcp-Param header that no tool defines does no harm.", Level: Note,
			Why:    "A client with an older listing may still send it.",
			Remedy: "Ignore headers that the schema does not name.",
			Basis:  []string{"basic/transports/streamable-http#server-behavior-for-custom-headers"}, Requirements: []string{"headers.param-unknown-ignored"},
			Judge: modern(func(e *Evidence) Ruling { return judgeNameServed(e, "param:unknown") }),
		},
	}
}
