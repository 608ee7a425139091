package scenarios

// handshakeChecks are the checks on initialize and what surrounds it.
func handshakeChecks() []Check {
	return []Check{
		{
			ID: "opening/answers-initialize", Claim: "initialize is answered, with a result where the server has a handshake revision.", Level: Must,
			Why:    "Without it no client of a handshake revision gets in.",
			Remedy: "Answer initialize with protocolVersion, capabilities and serverInfo.",
			Basis:  []string{"basic/lifecycle#initialization"}, Requirements: []string{"lifecycle.initialize-answered"},
			Judge: judgeInitialize,
		},
		{
			ID: "opening/negotiates-down", Claim: "For a version that the server does not know it offers one that it does.", Level: Must,
			Why:    "Every new revision of the protocol locks out servers that refuse instead: clients ask for their newest version first.",
			Remedy: "Answer initialize with your newest version when the requested one is unknown.",
			Basis:  []string{"basic/lifecycle#version-negotiation"}, Requirements: []string{"lifecycle.version-offer"},
			Judge: legacy(judgeNegotiatesDown),
		},
		{
			ID: "opening/no-version-echo", Claim: "A version that nobody knows never comes back as agreed.", Level: Must,
			Why:    "A client takes the answer as a promise: it speaks a version that the server does not.",
			Remedy: "Compare the requested version with a list of those you implement.",
			Basis:  []string{"basic/lifecycle#version-negotiation"}, Requirements: []string{"lifecycle.version-offer"},
			Judge: legacy(judgeNoEcho),
		},
		{
			ID: "opening/versions-echoed", Claim: "A version that the server speaks comes back unchanged.", Level: Must,
			Why:    "A client that asks for an older version gets one that it may not know.",
			Remedy: "Answer with the requested version whenever you implement it.",
			Basis:  []string{"basic/lifecycle#version-negotiation"}, Requirements: []string{"lifecycle.version-echo"},
			Judge: legacy(judgeVersionsEchoed),
		},
		{
			ID: "opening/offers-newest", Claim: "The version offered instead of an unknown one is the newest that the server speaks.", Level: Should,
			Why:    "Clients that know it would have to do without what is new.",
			Remedy: "Offer your newest handshake version.",
			Basis:  []string{"basic/lifecycle#version-negotiation"}, Requirements: []string{"lifecycle.version-offer-latest"},
			Judge: legacy(judgeOffersNewest),
		},
		{
			ID: "opening/offer-reachable", Claim: "The version offered instead of an unknown one is one that has a handshake.", Level: Note,
			Why:    "2026-07-28 cannot be reached through initialize: a client that is offered it there has nothing to go on with.",
			Remedy: "Offer your newest handshake version.",
			Basis:  []string{"basic/versioning#terminology"}, Requirements: []string{"lifecycle.version-offer-handshake-only"},
			Judge: legacy(judgeOfferReachable),
		},
		{
			ID: "opening/initialize-bad-params", Claim: "initialize without its required members is refused.", Level: Note,
			Why:    "A lenient server hides the mistake of a client from its author.",
			Remedy: "Answer with an error that names the missing member.",
			Basis:  []string{"schema#initializerequest"}, Requirements: []string{"lifecycle.initialize-bad-params"},
			Judge: legacy(judgeBadInitialize),
		},
		{
			ID: "opening/quiet-before-initialized", Claim: "Before notifications/initialized the server sends no request but ping.", Level: Should,
			Why:    "The client is not ready: it may drop the request and the server waits in vain.",
			Remedy: "Ask for roots and the like only after notifications/initialized.",
			Basis:  []string{"basic/lifecycle#initialization"}, Requirements: []string{"lifecycle.no-early-requests"},
			Judge: legacy(judgeQuiet),
		},
		{
			ID: "opening/before-initialize", Claim: "A request before the handshake is answered or refused, and the server lives on.", Level: Should,
			Why:    "Health checks and probing clients send requests early; a crash or silence costs them their time limit.",
			Remedy: "Answer early requests, or refuse them with a JSON-RPC error.",
			Basis:  []string{"basic/lifecycle#initialization"},
			Judge:  legacy(judgeEarly),
		},
		{
			ID: "opening/twice", History: true, Claim: "A second initialize is answered or refused, and the session goes on.", Level: Note,
			Why:    "Clients that restart their side of a session send it.",
			Remedy: "Answer it again, or refuse it with a JSON-RPC error.",
			Basis:  []string{"basic/lifecycle#initialization"},
			Judge:  legacy(judgeTwice),
		},
		{
			ID: "opening/dual-era-mixed", History: true, Claim: "A request of 2026-07-28 on a connection opened by a handshake is answered or refused.", Level: Note,
			Why:    "Gateways that serve clients of both eras over one connection wait for an answer.",
			Remedy: "Serve it by its own _meta, or refuse it with a JSON-RPC error.",
			Basis:  []string{"basic/versioning#compatibility-matrix"}, Requirements: []string{"lifecycle.dual-era-modern-after-handshake"},
			Judge: legacy(judgeMixedEras),
		},
		{
			ID: "opening/ping", Claim: "ping is answered with a result object, promptly.", Level: Must,
			Why:    "Clients take a server that does not answer for dead.",
			Remedy: "Answer ping with {}.",
			Basis:  []string{"basic/utilities/ping"}, Requirements: []string{"ping.answered"},
			Judge: legacy(judgePing),
		},
		{
			ID: "opening/ping-before-initialized", Claim: "ping is answered before the handshake is over.", Level: Note,
			Why:    "Both sides may ping at any time.",
			Remedy: "Answer ping in every state.",
			Basis:  []string{"basic/lifecycle#initialization"}, Requirements: []string{"ping.before-initialized", "ping.from-server"},
			Judge: legacy(judgeEarlyPing),
		},
		{
			ID: "opening/discover-first-survives", Claim: "server/discover before the handshake is answered with an error or a result, fast, and the handshake works after it.", Level: Host, Breaks: true, Source: Observed,
			Why:    "Claude Code, Copilot CLI, ChatGPT, AI SDK and the Go SDK ask server/discover first on the same connection. Silence costs 2.9 to 9.7 s each start; a dead server is lost to those that do not start it again.",
			Remedy: "Answer unknown methods with -32601 in every state, and go on reading.",
			Basis:  []string{"observed: Claude Code 2.1.332, Copilot CLI 1.0.102, @ai-sdk/mcp 2.0.99, Go SDK 1.8.0"},
			Hosts:  []string{"ai-sdk", "chatgpt", "claude-code", "claude-code-print", "copilot-cli", "go-sdk"},
			Judge:  legacy(judgeDiscoverFirst),
		},
		{
			ID: "opening/unknown-capability-tolerated", Claim: "Capabilities and extensions that the server has never heard of do no harm.", Level: Host, Breaks: true, Source: Observed,
			Why:    "Clients declare new capabilities all the time (extensions, tasks, ui): a server that refuses them is lost with each update.",
			Remedy: "Ignore members that you do not know.",
			Basis:  []string{"observed: ChatGPT, Qwen Code, Mastra declare extensions"},
			Hosts:  []string{"chatgpt", "claude-ai", "mastra", "qwen-code"},
			Judge:  judgeOddCapabilities,
		},
	}
}

// legacy makes a judge that only applies to handshake revisions.
// It is not inlined: each use would bring a copy.
//
//go:noinline
func legacy(j func(*Evidence) Ruling) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		if e.Facts.Modern() {
			return NotApplicable("2026-07-28 has no handshake")
		}
		return j(e)
	}
}

// modern makes a judge that only applies to the stateless revision.
// It is not inlined: each use would bring a copy.
//
//go:noinline
func modern(j func(*Evidence) Ruling) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		if !e.Facts.Modern() {
			return NotApplicable("belongs to 2026-07-28")
		}
		return j(e)
	}
}
