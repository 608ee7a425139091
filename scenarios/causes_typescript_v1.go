package scenarios

// typescriptV1Causes are what the older line of the TypeScript SDK alone brings in.
func typescriptV1Causes() []knownCause {
	row := func(id, sdk, text, remedy string, checks []string, says ...string) knownCause {
		if remedy == "" {
			remedy = waiveOrReport
		}
		return knownCause{Cause: Cause{ID: "ts-sdk-v1-" + id, SDK: sdk, Text: text, Remedy: remedy}, By: []string{SDKTypeScriptV1}, Checks: checks, Says: says}
	}
	registered := func(c knownCause) knownCause { c.Registers = true; return c }
	return []knownCause{
		row("params-code", lineOne, "params of the wrong shape are refused with -32603", "",
			[]string{"envelope/params-absent", "completion/missing-argument", "logging/level-refused", "opening/initialize-bad-params"}, "-32603"),
		row("refuses-task", lineOne, "a call with a task member is refused although no task is declared", "", []string{"tasks/undeclared-ignored"}, "Server does not support task creation"),
		registered(row("task-required", lineOne, "McpServer answers a plain call of a tool that is a task by isError, where error -32601 is due",
			"Refuse it in a wrapper around the tools/call handler.", []string{"tasks/required-tool"}, "requires task augmentation")),
		registered(row("task-forbidden", lineOne, "McpServer does not look at taskSupport forbidden: the tool runs, and then its result is no task",
			"Refuse it in a wrapper around the tools/call handler.", []string{"tasks/forbidden-tool"}, "Invalid task creation result")),
		registered(row("drops-keys", "TypeScript SDK v1 with zod 3 (1.12.0 to 1.32.2 tried)", "McpServer lists additionalProperties: false and drops further keys all the same",
			"Upgrade to zod 4, or register a strict object.", []string{"bad-input/unknown-key"}, "dropped in silence")),
		registered(row("wants-arguments", "TypeScript SDK v1 (1.12.0 to 1.29.0 tried)", "a call without arguments is refused even where nothing is required",
			"Upgrade to 1.32.0 or newer.", []string{"bad-input/missing-arguments"}, "expected object, received undefined", `"received": "undefined"`)),
		row("id-zero", "TypeScript SDK v1 (1.25.0 to 1.32.2 tried)", "a cancellation of request 0 is taken for one without an id", "",
			[]string{"cancellation/id-zero", "elicitation/call-cancel-withdraws"}, "a call with id 0"),
		row("ends-misfits", lineOne, "an answer that does not fit the form ends the call; nothing is asked again", "Ask again yourself when the SDK refuses an answer.",
			[]string{"elicitation/asks-again"}, "Elicitation response content does not match requested schema"),
		registered(row("no-uri-in-data", lineOne, "McpServer names the uri that it does not have in the message alone", "", []string{"resources/not-found-names-uri"}, "data: missing")),
	}
}
