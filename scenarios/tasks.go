package scenarios

import (
	"context"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

func tasks() Scenario {
	return Scenario{
		ID: "tasks", Title: "Tasks", Since: fakes.Rev20251125, Needs: NeedsTools,
		Summary: "Calls tools as tasks where the server takes tasks: follows them to their end, asks for their results, cancels some, and asks for tasks that do not exist.",
		Drive:   driveTasks,
		Checks:  append(taskChecks(), taskExtensionChecks()...),
	}
}

func driveTasks(ctx context.Context, d *Drive) error {
	switch {
	case d.Facts.Modern():
		return driveTaskExtension(ctx, d)
	case takesTasks(d.Facts):
		return driveCoreTasks(ctx, d)
	}
	driveTasksUndeclared(ctx, d)
	return nil
}

// takesTasks says that the server declares tasks for calls of tools.
func takesTasks(f *Facts) bool { return f.Capability("tasks.requests.tools.call").Exists() }

// core makes a judge for servers of 2025-11-25 that declare tasks.
func core(j func(*Evidence) Ruling) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		switch {
		case e.Facts.Modern():
			return NotApplicable("2026-07-28 has tasks as an extension")
		case !takesTasks(e.Facts):
			return NotApplicable("the server does not declare tasks for calls of tools")
		}
		return j(e)
	}
}

// taskSupport is what a tool says of tasks: required, optional, or forbidden, which it is unless it says something.
func taskSupport(t *Tool) string {
	if s := t.Get("execution.taskSupport"); s.Type == gjson.String {
		return s.Str
	}
	return "forbidden"
}

// taskChecks are the checks on the tasks of 2025-11-25.
func taskChecks() []Check {
	const page = "basic/utilities/tasks"
	check := func(name, claim string, level Level, why, remedy, anchor string, j func(*Evidence) Ruling, requirements ...string) Check {
		return Check{ID: "tasks/" + name, Claim: claim, Level: level, Why: why, Remedy: remedy, Basis: []string{page + anchor}, Requirements: requirements, Judge: j}
	}
	return []Check{
		check("undeclared-ignored", "Without the tasks capability a call that asks for a task is served as usual.", Must,
			"A client that tries tasks everywhere loses the tools of servers that have none.", "Ignore params.task when you do not declare tasks.",
			"#behavior-requirements", judgeTaskUndeclared, "tasks.undeclared-ignored"),
		check("create", "A call as a task is answered with a new task: working, with an id that no other task has.", Must,
			"Clients poll the task by its id; with the result in place of the task, or one id for two tasks, they find nothing or the wrong thing.", "Answer with {task: {taskId, status: \"working\", ...}} at once, and run the tool after it.",
			"#behavior-requirements", core(judgeTaskCreate), "tasks.id", "tasks.starts-working"),
		check("transitions", "A task that has ended stays as it ended.", Must,
			"Clients stop polling at the first final status and act on it.", "Refuse every change of status once it is completed, failed or cancelled.",
			"#behavior-requirements", core(judgeTaskTransitions), "tasks.transitions"),
		check("result", "tasks/result waits for the end of the task, gives what the plain call would have given, and names the task in _meta.", Must,
			"A client that waits on it gets an error, or half a result, and takes it for the tool's.", "Hold tasks/result back until the task is final, return the tool's own result, and add io.modelcontextprotocol/related-task to _meta.",
			"#result-retrieval", core(judgeTaskResult), "tasks.result-blocks", "tasks.result-same", "tasks.result-related"),
		check("unknown-id", "A task that does not exist is refused with -32602.", Must,
			"A client that lost its task polls on until it gives up.", "Answer tasks/get, tasks/result and tasks/cancel for unknown ids with JSON-RPC error -32602.",
			"#error-handling", core(judgeTaskUnknown), "tasks.unknown-id"),
		check("cancel", "tasks/cancel answers with the cancelled task, which stays cancelled; a task that has ended cannot be cancelled.", Must,
			"A person who stopped something sees it finish all the same.", "Set the status before you answer, keep it, and answer -32602 for tasks that have ended.",
			"#task-cancellation", core(judgeTaskCancel), "tasks.cancel", "tasks.cancel-final-refused"),
		check("list", "tasks/list shows every task that tasks/get shows, and refuses cursors that it never gave with -32602.", Must,
			"A client that starts again looks for its tasks there.", "List from the same store that tasks/get reads, and check cursors.",
			"#task-listing", core(judgeTaskList), "tasks.list-complete", "tasks.list-cursor"),
		check("forbidden-tool", "A call as a task of a tool that does not allow it is refused with -32601.", Should,
			"The tool runs, and its result is lost behind another error.", "Look at the tool's taskSupport before it runs.",
			"#tool-level-negotiation", core(judgeTaskForbidden), "tasks.forbidden-tool"),
		check("required-tool", "A plain call of a tool that requires a task is refused with -32601 (or -32600).", Must,
			"As an isError result the refusal looks like a failure of the tool, and the model tries other arguments.", "Answer with a JSON-RPC error.",
			"#tool-level-negotiation", core(judgeTaskRequired), "tasks.required-tool"),
		check("failed-on-error", "A task whose tool returned isError has failed, and says why in statusMessage.", Should,
			"Clients that poll the status alone take it for a success.", "Set the status to failed when the result has isError, with a statusMessage.",
			"#task-execution-errors", core(judgeTaskFailed), "tasks.failed-on-error"),
		check("related-on-messages", "Questions and progress of a task name it in _meta.", Must,
			"A client with several tasks does not know which one asks.", "Add io.modelcontextprotocol/related-task to the _meta of all that belongs to a task.",
			"#associating-task-related-messages", core(judgeTaskRelated), "tasks.related-on-messages"),
		check("input-required", "A task that waits for an answer of the client says input_required, and goes on when it has it.", Should,
			"A person who is asked nothing waits for a task that waits for them.", "Set input_required while a question is open, and working after the answer.",
			"#input-required-status", core(judgeTaskInput), "tasks.input-required"),
		check("related-left-out", "Answers of tasks/get, tasks/list and tasks/cancel, and notifications/tasks/status, leave related-task out.", Note,
			"They name the task already; twice may come to mean two things.", "Leave io.modelcontextprotocol/related-task out of them.",
			"#associating-task-related-messages", core(judgeTaskLeftOut), "tasks.get-without-related", "tasks.status-notification"),
		check("id-entropy", "Ids of tasks cannot be guessed.", Should,
			"Who guesses an id reads what the tool returned to somebody else.", "Make ids of at least 16 random characters.",
			"#security-considerations", core(judgeTaskEntropy), "tasks.id-entropy"),
		check("list-not-anonymous", "A server that cannot tell its callers apart does not offer tasks/list.", Note,
			"Everybody sees everybody's tasks.", "Declare tasks.list only behind authorization.",
			"#security-considerations", core(judgeTaskAnonymous), "tasks.list-not-anonymous"),
		check("progress-token-lives", "Progress of a task comes under the token of its call, and ends with the task.", Must,
			"Clients drop the token when the task has ended; what comes later is an error in their log.", "Stop progress before the status becomes final.",
			"#task-progress-notifications", core(judgeTaskProgress), "tasks.progress-token-lives"),
		check("cancelled-notification", "notifications/cancelled for the call that made a task does not end the task.", Note,
			"Clients that tidy up finished requests end their own tasks.", "Cancel tasks by tasks/cancel alone.",
			"#task-cancellation", core(judgeTaskNotified), "cancellation.tasks-own-method"),
	}
}
