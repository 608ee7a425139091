package scenarios

const pageCancel = "basic/utilities/cancellation"

func cancellation() Scenario {
	return Scenario{
		ID: "cancellation", Title: "Cancellation", Waits: true,
		Summary: "Cancels a slow call by notification and by dropping its stream, and cancels what does not run: unknown, finished and malformed ids.",
		Drive:   driveCancellation,
		Checks: []Check{
			{
				ID: "cancellation/stops", Claim: "The progress of a cancelled call ends.", Level: Should,
				Why:    "The person pressed Esc. Work that goes on costs time and money, and its result reaches nobody.",
				Remedy: "Pass the request's signal on to what the tool does, and stop there.",
				Basis:  []string{pageCancel, "basic/transports/stdio#cancellation"}, Requirements: []string{"cancellation.stops-processing", "stdio.cancelled-stops-work"},
				Judge: judgeStops,
			},
			{
				ID: "cancellation/no-answer-after", Claim: "A cancelled call is not answered.", Level: Should,
				Why:    "Clients have forgotten the request by then, and report an answer to an unknown id.",
				Remedy: "Drop the answer of a request whose cancellation came first.",
				Basis:  []string{pageCancel}, Requirements: []string{"cancellation.no-response"},
				Judge: judgeNoAnswerAfter,
			},
			{
				ID: "cancellation/silent-on-stdio", Claim: "Under 2026-07-28 nothing more comes over stdio for a cancelled call: no answer, no progress.", Level: Must,
				Why:    "The client may use the id again at once, and takes the late answer for the new one's.",
				Remedy: "Write nothing for a request once its cancellation was read.",
				Basis:  []string{"basic/transports/stdio#cancellation"}, Requirements: []string{"stdio.cancelled-silent"},
				Judge: judgeSilentOnStdio,
			},
			{
				ID: "cancellation/unknown-id-ignored", History: true, Claim: "The cancellation of a request that does not exist is ignored.", Level: Should,
				Why:    "A cancellation may cross the answer on its way. A server that breaks on it dies at random.",
				Remedy: "Look the id up, and do nothing when it is not running.",
				Basis:  []string{pageCancel}, Requirements: []string{"cancellation.unknown-id"},
				Judge: func(e *Evidence) Ruling { return judgeIgnored(e, "unknown") },
			},
			{
				ID: "cancellation/id-usable-afterwards", History: true, Claim: "An id that was cancelled before it was used is served when it is used.", Level: Should,
				Why:    "A server that remembers cancelled ids drops requests at random, since clients number from 0 again.",
				Remedy: "Keep no list of cancelled ids; abort what runs and forget.",
				Basis:  []string{pageCancel}, Requirements: []string{"cancellation.unknown-id"},
				Judge: judgeUsable,
			},
			{
				ID: "cancellation/late-cancel-ignored", History: true, Claim: "The cancellation of a request that was answered is ignored.", Level: Should,
				Why:    "SDK v1 clients send it whenever a caller gives up after the answer came.",
				Remedy: "Forget a request when it is answered.",
				Basis:  []string{pageCancel}, Requirements: []string{"cancellation.finished-id"},
				Judge: func(e *Evidence) Ruling { return judgeIgnored(e, "late") },
			},
			{
				ID: "cancellation/malformed-ignored", History: true, Claim: "A cancellation that names no request is ignored.", Level: Should,
				Why:    "One careless client must not end the server for all that it does.",
				Remedy: "Check requestId before you use it.",
				Basis:  []string{pageCancel}, Requirements: []string{"cancellation.malformed"},
				Judge: func(e *Evidence) Ruling { return judgeIgnored(e, "malformed") },
			},
			{
				ID: "cancellation/race-harmless", History: true, Claim: "Requests and their cancellations back to back do no harm: at most one answer each, and the server lives.", Level: Must,
				Why:    "Answer and cancellation cross each other all the time; servers were seen to die of it.",
				Remedy: "Make answering and cancelling exclude each other.",
				Basis:  []string{"basic/utilities/cancellation#timing-considerations"}, Requirements: []string{"cancellation.race"},
				Judge: judgeRace,
			},
			{
				ID: "cancellation/id-zero", Claim: "A call with id 0 can be cancelled like any other.", Level: Note,
				Why:    "SDK clients number from 0: their first call would run to its end whatever the person does.",
				Remedy: "Compare requestId with undefined (or nil), not with zero. TypeScript SDK v1 does not; v2 does from 2.1.0 on.",
				Basis:  []string{pageCancel}, Requirements: []string{"cancellation.zero-id"},
				Judge: judgeIDZero,
			},
			{
				ID: "cancellation/own-requests-only", Claim: "A cancellation that the server sends names an open request of its own.", Level: Must,
				Why:    "The client cannot tell what is meant, and the form that was to go stays.",
				Remedy: "Send notifications/cancelled with the id of your own request, never with that of the client's.",
				Basis:  []string{pageCancel}, Requirements: []string{"cancellation.server-own-requests"},
				Judge: judgeOwnRequests,
			},
			{
				ID: "cancellation/only-for-listen", Claim: "Under 2026-07-28 the server cancels nothing but a subscription.", Level: Must,
				Why:    "There is nothing else that a server could cancel; clients take it for the end of their subscription.",
				Remedy: "Send notifications/cancelled only with the id of a subscriptions/listen request.",
				Basis:  []string{"basic/patterns/cancellation"}, Requirements: []string{"cancellation.server-only-for-listen", "cancellation.subscription-teardown"},
				Judge: judgeOnlyForListen,
			},
			{
				ID: "cancellation/stream-drop", Claim: "A dropped HTTP stream does the server no harm, and before 2026-07-28 it cancels nothing.", Level: Should,
				Why:    "Networks drop streams. Before 2026-07-28 a client comes back for the answer; since then dropping is how it cancels, which cannot be seen from outside.",
				Remedy: "Handshake revisions: let the call run on and keep its answer. 2026-07-28: abort it when the response stream is closed.",
				Basis:  []string{"basic/transports#sending-messages-to-the-server", "basic/transports/streamable-http#cancellation"}, Requirements: []string{"http.disconnect-is-not-cancel"},
				Judge: judgeStreamDrop,
			},
		},
	}
}
