package scenarios

func badInputScenario() Scenario {
	return Scenario{
		ID: "bad-input", Title: "Bad arguments", Needs: NeedsTools,
		Summary: "Calls tools with arguments that break their schema: one, two and three problems, unknown keys, null, texts for numbers, no arguments, something else than an object.",
		Drive:   driveBadInput,
		Checks:  append(append(inputRefusedChecks(), inputTextChecks()...), inputOddChecks()...),
	}
}

// inputRefusedChecks are the checks on whether bad input is refused, and how.
func inputRefusedChecks() []Check {
	return []Check{
		{
			ID: "bad-input/refused", Claim: "Arguments that lack a required property or have a value of a wrong type are refused.", Level: Must,
			Why:    "A model that errs must learn it. A tool that runs on bad arguments does something nobody asked for and calls it success.",
			Remedy: "Validate arguments against the listed inputSchema before the tool runs.",
			Basis:  []string{"server/tools#security-considerations"}, Requirements: []string{"tools.call.validates-required", "tools.call.validates-types", "tools.call.input-error-either"},
			Judge: judgeInputRefused,
		},
		{
			ID: "bad-input/limits-hold", Claim: "Values outside of enum, const, pattern, length, range and item limits are refused.", Level: Should,
			Why:    "The schema promises the model that these limits hold; a tool that ignores them works with values it was not written for.",
			Remedy: "Check limits on the server as they are listed, or take them out of the schema.",
			Basis:  []string{"server/tools#security-considerations"}, Requirements: []string{"tools.call.validates-values"},
			Judge: judgeLimitsHold,
		},
		{
			ID: "bad-input/composition-holds", Claim: "What ties properties together holds: oneOf, anyOf, dependentRequired, if and then.", Level: Should,
			Why:    "A schema that says \"one of these two\" and a server that takes neither disagree; the model cannot know which is right.",
			Remedy: "Validate with a full JSON Schema validator, or leave such keywords out of the schema.",
			Basis:  []string{"basic/index#implementation-requirements"}, Requirements: []string{"tools.call.validates-composition"},
			Judge: judgeCompositionHolds,
		},
		{
			ID: "bad-input/2020-12-keywords", Claim: "Keywords of JSON Schema 2020-12 hold where a schema uses them.", Level: Must,
			Why:    "2020-12 is the dialect of schemas without $schema: a validator of an older draft skips such keywords in silence.",
			Remedy: "Validate with a 2020-12 validator, or name the dialect that you use in $schema.",
			Basis:  []string{"basic/index#json-schema-usage"}, Requirements: []string{"json-schema.2020-12-supported"},
			Judge: judge2020Holds,
		},
		{
			ID: "bad-input/as-tool-error", Claim: "Bad arguments are answered with a result that says isError.", Level: Should,
			Why:    "Many clients hide JSON-RPC errors from the model: it never reads what was wrong and repeats the call.",
			Remedy: `Answer {"content":[{"type":"text","text":...}],"isError":true} instead of error -32602.`,
			Basis:  []string{"server/tools#error-handling"}, Requirements: []string{"tools.call.input-error-in-result"},
			Judge: judgeInputChannel,
		},
		{
			ID: "bad-input/not-executed", Claim: "A tool does not start to work before its arguments are checked.", Level: Should,
			Why:    "Progress or a question for a call that is then refused: something was done, or a person was asked, for nothing.",
			Remedy: "Validate first, then run.",
			Basis:  []string{"server/tools#security-considerations"},
			Judge:  judgeNotExecuted,
		},
		{
			ID: "bad-input/valid-accepted", Claim: "Arguments that satisfy the listed schema are not refused as invalid.", Level: Should,
			Why:    "The model did what the schema says and is told that it erred; hosts that add keys of their own to an open schema break.",
			Remedy: "List the schema that the server really checks: what is required, and additionalProperties: false where other keys are refused.",
			Basis:  []string{"server/tools#calling-tools"}, Requirements: []string{"tools.call.accepts-valid"},
			Judge: judgeValidAccepted,
		},
	}
}

// inputTextChecks are the checks on the words of a refusal.
func inputTextChecks() []Check {
	return []Check{
		{
			ID: "bad-input/names-the-property", Claim: "The refusal names the property that is wrong.", Level: House,
			Why:    "A model that is told \"invalid input\" guesses; one that is told \"text is required\" mends the call.",
			Remedy: "Begin each problem with the name of the property.",
			Basis:  []string{"house contract"},
			Judge:  judgeNamesProperty,
		},
		{
			ID: "bad-input/one-line-per-problem", Claim: "Each problem stands on a line of its own.", Level: House,
			Why:    "Problems glued into one line are read as one; models mend the first and send the rest again.",
			Remedy: "Join problems with line feeds.",
			Basis:  []string{"house contract"},
			Judge:  judgeLinePerProblem,
		},
		{
			ID: "bad-input/all-problems-told", Claim: "All problems of the arguments are told at once.", Level: House,
			Why:    "Each problem that is held back costs the model a further call.",
			Remedy: "Collect all problems before you answer; do not stop at the first.",
			Basis:  []string{"house contract"},
			Judge:  judgeAllTold,
		},
		{
			ID: "bad-input/nested-path", Claim: "A problem inside of a property is told with the way to it.", Level: House,
			Why:    "\"city is required\" does not say in which of five stops.",
			Remedy: "Write the path, such as stops[0].city.",
			Basis:  []string{"house contract"},
			Judge:  judgeNestedPath,
		},
		{
			ID: "bad-input/values-escaped", Claim: "Control characters of keys and values do not come back raw in a refusal.", Level: House, Hardening: true,
			Why:    "The text reaches logs, terminals and the model: raw line feeds fake further problems, ESC codes change what a person sees.",
			Remedy: "Write keys and values through JSON.stringify (or %q) before you put them into a message.",
			Basis:  []string{"server/tools#security-considerations"}, Requirements: []string{"tools.call.output-sanitized"},
			Judge: judgeInputEscaped,
		},
		{
			ID: "bad-input/hidden-characters", Claim: "Bidi controls and zero-width characters of keys do not come back raw in a refusal.", Level: Note,
			Why:    "Such characters turn or hide what a person reads.",
			Remedy: "Escape U+200B to U+200F, U+202A to U+202E and U+2060 to U+2069 as well.",
			Basis:  []string{"server/tools#security-considerations"},
			Judge:  judgeInputHidden,
		},
		{
			ID: "bad-input/no-dump", Claim: "A refusal is in words: no validator's JSON, no stack trace, no link to its manual.", Level: House, Hardening: true,
			Why:    "A dump of ten lines of JSON for each problem costs the model's context and shows the insides of the server.",
			Remedy: "Turn the validator's issues into sentences; log the rest to stderr.",
			Basis:  []string{"house contract", "server/tools#security-considerations"},
			Judge:  judgeNoDump,
		},
	}
}

// inputOddChecks are the checks on single oddities that clients send.
func inputOddChecks() []Check {
	return []Check{
		{
			ID: "bad-input/missing-arguments", Claim: "A tool that requires nothing can be called without arguments.", Level: Must,
			Why:    "Clients leave the member out when there is nothing to say: the tool then works in one client and fails in the next.",
			Remedy: "Take absent arguments as {}.",
			Basis:  []string{"schema#calltoolrequestparams"}, Requirements: []string{"tools.call.arguments-optional"},
			Hosts: []string{"cline"}, Judge: judgeMissingArguments,
		},
		{
			ID: "bad-input/wrong-container", Claim: "arguments that are no object, and calls without the name of a tool, are refused.", Level: Should,
			Why:    "Such a request is no call at all. Silence leaves the client waiting; an answer that looks like success hides the fault.",
			Remedy: "Answer JSON-RPC error -32602.",
			Basis:  []string{"server/tools#error-handling"}, Requirements: []string{"tools.call.protocol-error-for-malformed"},
			Judge: judgeContainerRefused,
		},
		{
			ID: "bad-input/container-channel", Claim: "A request that is no tools/call at all is answered with a JSON-RPC error.", Level: Note,
			Why:    "The specification counts it among protocol errors; isError is read by models all the same.",
			Remedy: "Answer error -32602.",
			Basis:  []string{"server/tools#error-handling"}, Requirements: []string{"tools.call.protocol-error-for-malformed"},
			Judge: judgeContainerChannel,
		},
		{
			ID: "bad-input/null-optional", Claim: "null for an optional argument is refused in words, or counts as absent.", Level: Note,
			Why:    "Several frameworks write every optional argument as null: a server that takes it for a text works with \"null\" or \"<nil>\".",
			Remedy: "Take null for absent, or refuse it by name; never turn it into text.",
			Basis:  []string{"schema#calltoolrequestparams"}, Requirements: []string{"tools.call.null-optional"},
			Hosts: []string{"librechat", "openai-agents"}, Judge: judgeNullOptional,
		},
		{
			ID: "bad-input/unknown-key", Claim: "A key that additionalProperties: false excludes is refused.", Level: Must,
			Why:    "A misspelled argument that is dropped gives a wrong answer that looks right.",
			Remedy: "Refuse unknown keys by name (strict in zod, extra=forbid in Pydantic), or take additionalProperties: false out of the schema.",
			Basis:  []string{"server/tools#security-considerations"}, Requirements: []string{"tools.call.validates-additional"},
			Judge: judgeUnknownKey,
		},
		{
			ID: "bad-input/prototype-keys", Claim: "Keys such as __proto__ and constructor are answered like any unknown key, and change nothing for later calls.", Level: Should,
			Why:    "A key that reaches the prototype of all objects changes how the server treats everybody after.",
			Remedy: "Copy arguments with Object.create(null) or a Map, and never merge them into plain objects.",
			Basis:  []string{"server/tools#security-considerations"}, Requirements: []string{"tools.call.prototype-keys"},
			Judge: judgePrototypeKeys,
		},
		{
			ID: "bad-input/stringified-values", Claim: "Numbers, flags and objects that come as text are refused by name, or read only where the text is exactly such a value.", Level: House,
			Why:    "Models send \"5\" for 5. A clear line lets them mend it; a reader that takes \"5abc\" for 5 works with what nobody meant.",
			Remedy: "Refuse text for other types and name the property, or convert exact forms alone.",
			Basis:  []string{"house contract", "server/tools#error-handling"},
			Judge:  judgeStringified,
		},
	}
}
