package scenarios

import "github.com/agntn/conform/scenarios/message"

func inputRequired(shapes *message.Shapes) Scenario {
	return Scenario{
		ID: "input-required", Title: "Questions by input_required", Era: ModernEra, Needs: NeedsTools, Confirm: true,
		Summary: "Calls a tool that asks by its result, and brings back answers and states: right, wrong, missing, changed, of another call and of another tool.",
		Drive:   driveInputRequired,
		Checks:  append(append(inputAsking(shapes), inputAnswers()...), inputStates()...),
	}
}

const (
	pageMRTR     = "basic/patterns/mrtr"
	serverMRTR   = "basic/patterns/mrtr#server-requirements-basic-workflow"
	errorsMRTR   = "basic/patterns/mrtr#error-handling"
	errorsAnswer = "client/elicitation#error-handling"
)

// inputAsking are the checks on the questions and on who gets them.
func inputAsking(shapes *message.Shapes) []Check {
	return []Check{
		{
			ID: "input-required/shape", Claim: "A result that asks says so, and holds questions of known kinds, a state, or both.", Level: Must,
			Why:    "A client takes a result without resultType for the end of the call: the model gets nothing, and nobody is asked.",
			Remedy: "Send resultType input_required with inputRequests, requestState or both, and no caching hints.",
			Basis:  []string{serverMRTR}, Requirements: inputShape(),
			Judge: func(e *Evidence) Ruling { return judgeInputShape(e, shapes) },
		},
		{
			ID: "input-required/form-advice", Claim: "Forms require only fields they have, ask for no secrets and carry no links; pages are safe to open.", Level: Should,
			Why:    "Such a form cannot be filled in, or leads people to type a password where the model may read it.",
			Remedy: "Mend the form; send people to an https page (mode url) for secrets and links.",
			Basis:  []string{pageElicitation}, Requirements: []string{"elicitation.schema-required-known", "elicitation.no-secrets", "elicitation.no-links-in-form", "elicitation.url-https", "elicitation.url-no-user-data"},
			Judge: judgeFormAdvice,
		},
		{
			ID: "input-required/only-for-three", Claim: "Only tools/call, prompts/get and resources/read are answered with a question.", Level: Must,
			Why:    "Clients ask nobody on behalf of a list: the list is lost.",
			Remedy: "Answer other methods with a complete result or an error.",
			Basis:  []string{"basic/patterns/mrtr#supported-requests"}, Requirements: []string{"mrtr.methods"},
			Judge: judgeOnlyForThree,
		},
		{
			ID: "input-required/only-if-declared", History: true, Claim: "No question needs a capability that the request did not declare.", Level: Must,
			Why:    "A client without forms cannot answer; SDK clients throw, and the call is lost.",
			Remedy: "Look at the capabilities in _meta of this very request; carry on without, or answer -32021 with what is missing.",
			Basis:  []string{serverMRTR}, Requirements: []string{"mrtr.declared-capabilities", "elicitation.needs-capability", "elicitation.mode-supported", "sampling.needs-capability"},
			Judge: judgeInputDeclared,
		},
	}
}

// inputShape are the requirements on the shape of a result that asks.
func inputShape() []string {
	return append(append(append([]string{
		"mrtr.one-of-two", "mrtr.request-kinds", "mrtr.keys-unique", "mrtr.result-type", "mrtr.state-string", "caching.not-on-input-required",
	}, allowedFields()...), formShape()...), "elicitation.url-members", "elicitation.url-valid")
}

// inputAnswers are the checks on what the server makes of answers.
func inputAnswers() []Check {
	return []Check{
		{
			ID: "input-required/accept", Claim: "Answers that fit, sent with a new id and the exact state, bring the call to its end.", Level: Should,
			Why:    "A person who said yes reads that it was refused, or is asked for ever.",
			Remedy: "Take the answers from inputResponses by their keys, and go on when the action is accept.",
			Basis:  []string{"basic/patterns/mrtr#client-requirements-basic-workflow"}, Requirements: []string{"mrtr.new-id-accepted"},
			Judge: judgeAccepted,
		},
		{
			ID: "input-required/decline", Claim: "A declined question ends the call properly and is no yes.", Level: Must,
			Why:    "The person said no. A call that hangs, breaks or does it anyway is the worst answer to that.",
			Remedy: "Look at the action before the content; answer a decline with a result that says so.",
			Basis:  []string{errorsAnswer}, Requirements: []string{"mrtr.decline-handled"},
			Judge: judgeDecline,
		},
		{
			ID: "input-required/cancel", Claim: "A dismissed question ends the call properly and is no yes.", Level: Must,
			Why:    "Clients cancel when the form is closed, when the person leaves, and always when nobody is there.",
			Remedy: "Treat cancel as no answer: end the call, or do only what needs none.",
			Basis:  []string{errorsAnswer}, Requirements: []string{"mrtr.decline-handled"},
			Judge: judgeCancel,
		},
		{
			ID: "input-required/misfit-asked-again", Claim: "An answer that does not fit the form is asked for again or refused, never acted upon.", Level: Should,
			Why:    "Clients do not check what a person or a hook fills in: SDK clients send it on as it is.",
			Remedy: "Check action and content of each answer against the form you sent, and ask again when it does not fit.",
			Basis:  []string{errorsMRTR, "client/elicitation#form-mode-security"}, Requirements: []string{"mrtr.answers-validated", "elicitation.answer-validated"},
			Judge: judgeMisfit,
		},
		{
			ID: "input-required/missing-asked-again", Claim: "When an answer is missing the server asks again.", Level: Should,
			Why:    "A client may know some answers only. Failing loses what was answered already.",
			Remedy: "Answer with the questions that are still open.",
			Basis:  []string{errorsMRTR}, Requirements: []string{"mrtr.missing-answer-asked-again"},
			Judge: judgeMissing,
		},
		{
			ID: "input-required/asks-again", Claim: "An answer that does not fit or is missing, a state that was changed and a question that changed get the question again.", Level: House, Contract: true,
			Why:    "One slip of the finger, or one restart of the server, should not cost the whole call.",
			Remedy: "Ask again instead of ending the call with an error.",
			Basis:  []string{"house contract"},
			Judge:  judgeInputAsksAgain,
		},
		{
			ID: "input-required/extra-ignored", Claim: "Answers to questions that were not asked change nothing.", Level: Should,
			Why:    "Clients may keep answers of an earlier round and send them along.",
			Remedy: "Read the keys you asked for and leave the others alone.",
			Basis:  []string{errorsMRTR}, Requirements: []string{"mrtr.extra-answers-ignored"},
			Judge: judgeInputExtra,
		},
		{
			ID: "input-required/wrong-container", Claim: "Answers or a state of the wrong JSON type get an error or the question again.", Level: Should,
			Why:    "A client with a fault in it must learn that, and must not hang.",
			Remedy: "Answer -32602 when inputResponses is no object or requestState no string.",
			Basis:  []string{errorsMRTR}, Requirements: []string{"mrtr.malformed-is-error"},
			Judge: judgeWrongContainer,
		},
		{
			ID: "input-required/unanswered-harmless", Claim: "Questions that nobody comes back to do no harm.", Level: Must,
			Why:    "People walk away. A server that keeps something for each open question fills up.",
			Remedy: "Keep what a retry needs in requestState, not in memory.",
			Basis:  []string{serverMRTR}, Requirements: []string{"mrtr.no-retry-no-harm"},
			Judge: judgeUnanswered,
		},
		{
			ID: "input-required/ends", Claim: "With every answer given the call ends within ten rounds.", Level: Host, Breaks: true, Source: Observed, Hosts: []string{"claude-code", "sdk-v2"},
			Why:    "SDK v2 clients and Claude Code give a call up after ten answers: the tool cannot be used.",
			Remedy: "Take the answer that fits. Ask everything at once instead of one thing a round.",
			Basis:  []string{pageMRTR}, Requirements: []string{"mrtr.finishes", "mrtr.state-only-retry"},
			Judge: judgeEnds,
		},
	}
}

// inputStates are the checks on what the server makes of requestState.
func inputStates() []Check {
	return []Check{
		{
			ID: "input-required/tampered-state", Claim: "A requestState that was changed is refused, asked for again, or changes nothing.", Level: Must,
			Why:    "The state passes through the client: whoever can edit it decides what the tool does, without anybody having agreed to it.",
			Remedy: "Sign the state, or keep in it only what is checked again against the arguments.",
			Basis:  []string{serverMRTR}, Requirements: []string{"mrtr.state-tampered"},
			Judge: judgeTampered,
		},
		{
			ID: "input-required/hostile-state", Claim: "Any requestState is handled without harm.", Level: Must,
			Why:    "Anything may come back in it: nothing, noise, a megabyte, the state of another tool.",
			Remedy: "Bound its size and treat what you cannot read as no state at all.",
			Basis:  []string{serverMRTR}, Requirements: []string{"mrtr.state-hostile"},
			Judge: judgeHostile,
		},
		{
			ID: "input-required/state-without-answers", Claim: "A state that comes without answers is handled.", Level: Note,
			Why:    "A client may come back with the state alone.",
			Remedy: "Ask again for what is missing.",
			Basis:  []string{pageMRTR}, Requirements: []string{"mrtr.state-without-answers"},
			Judge: judgeStateAlone,
		},
		{
			ID: "input-required/changed-question", Claim: "A yes to one question is never taken for a yes to another.", Level: Should,
			Why:    "A person agreed to one thing. A call with other arguments that carries the same answer must not do the other thing.",
			Remedy: "Bind the state to the question: keep a digest of it there, and ask again when it differs.",
			Basis:  []string{serverMRTR}, Requirements: []string{"mrtr.state-bound-to-request"},
			Judge: judgeChangedQuestion,
		},
		{
			ID: "input-required/state-of-other-tool", Claim: "The state of one tool is not taken for the state of another.", Level: Should,
			Why:    "What was agreed for one tool must open no door in another.",
			Remedy: "Keep the tool's name in the state, and treat another tool's state as none.",
			Basis:  []string{serverMRTR}, Requirements: []string{"mrtr.state-bound-to-request"},
			Judge: judgeOtherTool,
		},
		{
			ID: "input-required/replay-noted", History: true, Claim: "A finished retry that is sent again gets a proper answer; whether it acts again is told.", Level: Note,
			Why:    "A retry may be sent twice by a client that lost the answer. For things done once only, the server has to see to it.",
			Remedy: "Where acting twice does harm, remember finished states, or let them expire.",
			Basis:  []string{serverMRTR}, Requirements: []string{"mrtr.single-use"},
			Judge: judgeReplay,
		},
	}
}
