package scenarios

// concurrency puts many requests on one line and compares what comes back with
// what the same requests bring one by one.
func concurrency() Scenario {
	return Scenario{
		ID: "concurrency", Title: "Concurrency", Late: true,
		Summary: "Sends requests of all kinds at once, the same calls one by one and together, a hundred requests in one breath, and others behind a slow call.",
		Drive:   driveConcurrency,
		Checks: []Check{
			{
				ID: "concurrency/out-of-order-ok", Claim: "Requests of all kinds may be mixed on one connection, and each is answered.", Level: Should,
				Why:    "Hosts list, call and ask at the same time, for several conversations. A request that gets lost stalls one of them.",
				Remedy: "Keep nothing about a request outside of it; answer each by its own id, in any order.",
				Basis:  []string{"basic/index#statelessness", "basic/index#responses"}, Requirements: []string{"stateless.interleaving"},
				Judge: judgeMixed,
			},
			{
				ID: "concurrency/no-cross-talk", Claim: "Calls at the same time get the answers that they get one by one.", Level: Note,
				Why:    "State that calls share mixes up what they return: one conversation reads the data of another.",
				Remedy: "Keep arguments and results in the handler, and make a transport or server object for each session.",
				Basis:  []string{"server/tools"}, Requirements: []string{"tools.call.concurrent"},
				Judge: judgeCrossTalk,
			},
			{
				ID: "concurrency/hundred-at-once", Claim: "Of a hundred requests at once each is answered.", Level: Should,
				Why:    "Agents fan out. A request that is dropped under load costs its caller the whole limit; an error would do.",
				Remedy: "Queue what you cannot serve at once, or refuse it with an error.",
				Basis:  []string{"jsonrpc#response_object"}, Requirements: []string{"base.one-response-per-request"},
				Judge: judgeHundred,
			},
			{
				ID: "concurrency/slow-does-not-block", Claim: "A slow call does not hold up other requests.", Level: Note,
				Why:    "While one tool works, the host cannot list, cancel or ping.",
				Remedy: "Read on while tools run; do slow work outside of the loop that reads messages.",
				Basis:  []string{"basic/index"}, Requirements: []string{"stateless.concurrency"},
				Judge: judgeSlowBlocks,
			},
			{
				ID: "concurrency/ping-during-work", Claim: "ping is answered within 2 seconds while a call runs.", Level: Should,
				Why:    "Clients that ping to see whether a server lives end the session of one that does not answer.",
				Remedy: "Answer ping from the loop that reads messages.",
				Basis:  []string{"basic/utilities/ping"}, Requirements: []string{"ping.during-work"},
				Judge: legacy(judgePingDuringWork),
			},
			{
				ID: "concurrency/no-affinity", Claim: "What belongs together need not use one connection: a tool is called where it was not listed, and a question is answered elsewhere.", Level: Should,
				Why:    "Hosts spread requests over processes and servers; a retry may reach another one.",
				Remedy: "Put what a retry needs into requestState, and keep nothing else.",
				Basis:  []string{"basic/index#statelessness"}, Requirements: []string{"stateless.no-affinity", "mrtr.retry-elsewhere"},
				Judge: modern(judgeAffinity),
			},
			{
				ID: "concurrency/same-call-same-shape", Claim: "The same call gives results of the same shape.", Level: Note,
				Why:    "Prompts and code that read a result rely on its members.",
				Remedy: "Return the same members and types each time; use empty values rather than none.",
				Basis:  []string{"server/tools"}, Requirements: []string{"tools.call.deterministic-shape"},
				Judge: judgeSameShape,
			},
		},
	}
}
