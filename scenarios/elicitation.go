package scenarios

import (
	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/scenarios/message"
)

func elicitation(shapes *message.Shapes) Scenario {
	return Scenario{
		ID: "elicitation", Title: "Questions by elicitation", Era: LegacyEra, Since: fakes.Rev20250618, Needs: NeedsTools,
		Summary: "Calls a tool that asks, as clients with and without forms, and answers in every way a person or a client may: fitting, declined, dismissed, wrong, late, twice, never.",
		Drive:   driveElicitation,
		Checks:  append(append(elicitationAsking(), elicitationAnswers()...), elicitationForms(shapes)...),
	}
}

const (
	pageElicitation = "client/elicitation"
	pageActions     = "client/elicitation#response-actions"
)

// elicitationAsking are the checks on who is asked, and when.
func elicitationAsking() []Check {
	return []Check{
		{
			ID: "elicitation/only-if-declared", Claim: "Nothing is asked of a client that did not declare it: no form, no sampling, no roots.", Level: Must,
			Why:    "A client without forms answers with an error or not at all: the tool dies, or the model waits a minute for nothing.",
			Remedy: "Look at the capabilities of initialize before you ask, and go on without the answer where they are missing.",
			Basis:  []string{"basic/lifecycle#operation", "client/elicitation#capabilities"},
			Requirements: []string{
				"lifecycle.negotiated-capabilities-only", "elicitation.needs-capability", "elicitation.not-before-2025-06-18",
			},
			Judge: judgeOnlyIfDeclared,
		},
		{
			ID: "elicitation/carries-on-without", Claim: "A call that would ask comes to an end for a client that shows no forms.", Level: Should,
			Why:    "Half of the clients show no forms. There the tool has to do without, or say in words what it needs.",
			Remedy: "Take a default, or answer with isError and a sentence that says what could not be asked.",
			Basis:  []string{"basic/lifecycle#operation"},
			Judge:  judgeCarriesOn,
		},
		{
			ID: "elicitation/mode-supported", Claim: "A client that declares web pages alone gets no form.", Level: Must,
			Why:    "A client that cannot show a form refuses it, and the tool fails.",
			Remedy: "Look at elicitation.form and elicitation.url apart; an empty elicitation object means forms.",
			Basis:  []string{"client/elicitation#capabilities"}, Requirements: []string{"elicitation.mode-supported"},
			Judge: judgeModeSupported,
		},
		{
			ID: "elicitation/related-stream", Claim: "Over HTTP the question comes on the stream of the call that needs it.", Level: Should,
			Why:    "Clients that open no stream of their own never see a question that comes there, and the call hangs.",
			Remedy: "Send the question with the call as its related request.",
			Basis:  []string{"basic/transports#sending-messages-to-the-server"}, Requirements: []string{"elicitation.related-to-request"},
			Judge: judgeRelatedStream,
		},
		{
			ID: "elicitation/unanswered-does-not-block", Claim: "While a question is open the server answers other requests.", Level: Note,
			Why:    "People take their time. A server that waits with everything else looks dead.",
			Remedy: "Wait for the answer without holding what other requests need.",
			Basis:  []string{"basic/lifecycle#timeouts"}, Requirements: []string{"elicitation.no-answer-handled"},
			Judge: judgeUnansweredBlocks,
		},
		{
			ID: "elicitation/call-cancel-withdraws", Claim: "A cancelled call takes its open question back, also when the call has id 0.", Level: House,
			Why:    "Otherwise the form stays on the screen, and a person fills it in for nobody.",
			Remedy: "Send notifications/cancelled with the question's id when the call's signal is aborted.",
			Basis:  []string{"basic/utilities/cancellation"}, Requirements: []string{"cancellation.withdraws-question"},
			Judge: judgeWithdraws,
		},
	}
}

// elicitationAnswers are the checks on what the server makes of an answer.
func elicitationAnswers() []Check {
	return []Check{
		{
			ID: "elicitation/accept", Claim: "An answer that fits the form brings the call to an end and counts as a yes.", Level: Should,
			Why:    "A person who said yes reads that it was refused, or waits for ever.",
			Remedy: "Read action and content of the answer, and go on with the content when the action is accept.",
			Basis:  []string{pageActions},
			Judge:  judgeAccepted,
		},
		{
			ID: "elicitation/decline", Claim: "A declined question ends the call properly and is no yes.", Level: Should,
			Why:    "The person said no. A call that hangs, breaks or does it anyway is the worst answer to that.",
			Remedy: "Look at the action before the content; answer a decline with a result that says so.",
			Basis:  []string{pageActions}, Requirements: []string{"elicitation.decline-handled"},
			Judge: judgeDecline,
		},
		{
			ID: "elicitation/cancel", Claim: "A dismissed question ends the call properly and is no yes.", Level: Should,
			Why:    "Clients cancel when the form is closed, when the person leaves, and always when nobody is there.",
			Remedy: "Treat cancel as no answer: end the call, or do only what needs none.",
			Basis:  []string{pageActions}, Requirements: []string{"elicitation.cancel-handled"},
			Judge: judgeCancel,
		},
		{
			ID: "elicitation/print-mode-cancel", Claim: "A client that cancels every question at once is not asked the same again and again.", Level: Host, Breaks: true, Source: Observed, Hosts: []string{"claude-code-print"},
			Why:    "Claude Code in print mode has nobody to ask and cancels each question within milliseconds. A server that asks until it gets an answer never ends.",
			Remedy: "Ask again after an answer that does not fit, never after a cancel.",
			Basis:  []string{pageActions}, Requirements: []string{"elicitation.cancel-handled"},
			Judge: judgePrintMode,
		},
		{
			ID: "elicitation/misfit-asked-again", Claim: "An answer that does not fit the form is asked for again or refused, never acted upon.", Level: Should,
			Why:    "Clients do not check what a person or a hook fills in: SDK clients send it on as it is.",
			Remedy: "Check the content against the form you sent, and ask the same question again when it does not fit.",
			Basis:  []string{"client/elicitation#form-mode-security"}, Requirements: []string{"elicitation.answer-validated"},
			Judge: judgeMisfit,
		},
		{
			ID: "elicitation/asks-again", Claim: "An answer that does not fit the form gets the same question again.", Level: House, Contract: true,
			Why:    "One slip of the finger should not cost the whole call.",
			Remedy: "Ask again instead of ending the call with an error.",
			Basis:  []string{"house contract"},
			Judge:  judgeAsksAgain,
		},
		{
			ID: "elicitation/extra-ignored", Claim: "A further key in an answer that fits does no harm.", Level: Note,
			Why:    "A form filled in by a hook or a program may carry more than was asked.",
			Remedy: "Read the keys you asked for and leave the others alone.",
			Basis:  []string{pageElicitation},
			Judge:  judgeExtra,
		},
		{
			ID: "elicitation/accept-empty", Claim: "An accepted answer without content is no crash.", Level: Note,
			Why:    "Some clients leave content out when the form has nothing to fill in.",
			Remedy: "Treat missing content like an empty object, and check that.",
			Basis:  []string{pageActions}, Requirements: []string{"elicitation.accept-empty-content"},
			Judge: judgeAcceptEmpty,
		},
		{
			ID: "elicitation/client-error", Claim: "A client's error in place of an answer ends the call properly.", Level: Should,
			Why:    "Clients answer with an error when they cannot show this form. A call that breaks on it tells the model nothing.",
			Remedy: "Catch the error of the question; go on without the answer or say what could not be asked.",
			Basis:  []string{"client/elicitation#error-handling"}, Requirements: []string{"elicitation.client-error-handled"},
			Judge: judgeClientError,
		},
		{
			ID: "elicitation/late-answer", Claim: "An answer that comes late or twice does no harm.", Level: Should,
			Why:    "A person answers while the call is being cancelled, or a client repeats itself: the server must live through it.",
			Remedy: "Ignore answers to questions that are not open.",
			Basis:  []string{"basic/utilities/cancellation#timing-considerations"},
			Judge:  judgeLateAnswer,
		},
		{
			ID: "elicitation/slow-person", Claim: "A call lives as long as a person takes to answer.", Level: Note,
			Why:    "SDK v1 gives up every request after 60 seconds. Reading a form and thinking takes longer.",
			Remedy: "Pass a longer timeout with the question.",
			Basis:  []string{"basic/lifecycle#timeouts"}, Requirements: []string{"elicitation.timeout"},
			Judge: judgeSlowPerson,
		},
	}
}
