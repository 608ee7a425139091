package sample

import (
	"strings"
	"time"
)

// taskFaults are in the tasks of 2025-11-25, and in those of the extension since.
func taskFaults() []Fault {
	offering := func(plant func(b *behaviour)) func(b *behaviour) {
		return func(b *behaviour) {
			offerTasks(b)
			plant(b)
		}
	}
	result := func(method string, edit func(x *exchange, r object)) func(b *behaviour) {
		return offering(func(b *behaviour) { editResult(b, method, edit) })
	}
	instead := func(method string, answer func(x *exchange) (object, *failure)) func(b *behaviour) {
		return offering(func(b *behaviour) {
			takeOver(b, func(x *exchange) bool {
				if x.method != method {
					return false
				}
				r, f := answer(x)
				if r == nil && f == nil {
					return false
				}
				x.answer(r, f)
				return true
			})
		})
	}
	faults := append(coreTaskFaults(offering, result, instead), extensionTaskFaults(offering, result, instead)...)
	for i := range faults {
		faults[i].Collateral = append(faults[i].Collateral, "tasks/*", "messages/*", "clients/*", "host-*")
	}
	return faults
}

// planting makes a fault's plant of what it turns; see taskFaults.
type planting[F any] = func(F) func(b *behaviour)

func coreTaskFaults(offering planting[func(b *behaviour)], result func(string, func(*exchange, object)) func(*behaviour), instead func(string, func(*exchange) (object, *failure)) func(*behaviour)) []Fault {
	hook := func(set func(t *taskBehaviour)) func(b *behaviour) {
		return offering(func(b *behaviour) { set(&b.tasks) })
	}
	faults := []Fault{
		{
			Name: "tasks-create", What: "A new task is completed at once.",
			Checks: ids("tasks/create"), plant: hook(func(t *taskBehaviour) { t.first = "completed" }),
		},
		{
			Name: "tasks-create-id", What: "All tasks have one id.",
			Checks: ids("tasks/create"),
			plant:  hook(func(t *taskBehaviour) { t.newID = func(*Server) string { return "0123456789abcdef-the-task" } }),
		},
		{
			Name: "tasks-transitions", What: "A task that has ended is working again, every second time one looks.",
			Checks: ids("tasks/transitions"),
			plant: result("tasks/get", func(x *exchange, r object) {
				if final(asString(r["status"])) && x.srv.tally("looks at "+asString(r["taskId"]))%2 == 0 {
					r["status"] = "working"
				}
			}),
		},
		{
			Name: "tasks-result", What: "tasks/result does not wait for the end of the task.",
			Checks: ids("tasks/result"), plant: hook(func(t *taskBehaviour) { t.early = true }),
		},
		{
			Name: "tasks-result-related", What: "tasks/result does not name the task.",
			Checks: ids("tasks/result"), plant: result("tasks/result", func(_ *exchange, r object) { delete(r, "_meta") }),
		},
		{
			Name: "tasks-unknown-id", What: "A task that does not exist ends in an internal error.",
			Checks: ids("tasks/unknown-id"),
			plant: offering(func(b *behaviour) {
				editFailure(b, codeInvalidParams, func(x *exchange, f *failure) {
					if strings.HasPrefix(x.method, "tasks/") && f.message == "Task not found" {
						f.code = codeInternal
					}
				})
			}),
		},
		{
			Name: "tasks-cancel", What: "tasks/cancel answers with a task that is still working.",
			Checks: ids("tasks/cancel"), plant: result("tasks/cancel", func(_ *exchange, r object) { r["status"] = "working" }),
		},
		{
			Name: "tasks-list", What: "tasks/list leaves all tasks out.",
			Checks: ids("tasks/list"), Transports: only(Stdio), plant: result("tasks/list", func(_ *exchange, r object) { r["tasks"] = list{} }),
		},
		{
			Name: "tasks-forbidden-tool", What: "A tool that cannot be a task is served as if it were none.",
			Checks: ids("tasks/forbidden-tool"),
			plant: offering(func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method == "tools/call" && taskSupport(asString(x.params["name"])) == "" {
						delete(x.params, "task")
					}
					return false
				})
			}),
		},
		{
			Name: "tasks-required-tool", What: "A plain call of a tool that runs as a task alone ends in isError.",
			Checks: ids("tasks/required-tool"), Collateral: ids("thrown-error/*", "input-examples/*"),
			plant: instead("tools/call", func(x *exchange) (object, *failure) {
				if x.params["name"] != "report_write" || x.params["task"] != nil {
					return nil, nil
				}
				return errorText("report_write runs as a task alone"), nil
			}),
		},
		{
			Name: "tasks-failed-on-error", What: "A task whose tool failed is completed.",
			Checks: ids("tasks/failed-on-error"), plant: hook(func(t *taskBehaviour) { t.ends = func(bool) string { return "completed" } }),
		},
		{
			Name: "tasks-related-on-messages", What: "What a task asks and tells does not name the task.",
			Checks: ids("tasks/related-on-messages"), plant: hook(func(t *taskBehaviour) { t.relate = func(*task, object) {} }),
		},
		{
			Name: "tasks-input-required", What: "A task that has a question says that it is working.",
			Checks: ids("tasks/input-required"), plant: hook(func(t *taskBehaviour) { t.waiting = "working" }),
		},
		{
			Name: "tasks-related-left-out", What: "tasks/get names the task in _meta as well.",
			Checks: ids("tasks/related-left-out"),
			plant: result("tasks/get", func(_ *exchange, r object) {
				meta := asObject(r["_meta"])
				if meta == nil {
					meta = object{}
				}
				meta[keyTask] = object{"taskId": r["taskId"]}
				r["_meta"] = meta
			}),
		},
		{
			Name: "tasks-id-entropy", What: "Ids of tasks are counted.",
			Checks: ids("tasks/id-entropy"),
			plant: hook(func(t *taskBehaviour) {
				t.newID = func(s *Server) string { return "task-" + string(num(s.tally("tasks"))) }
			}),
		},
		{
			Name: "tasks-list-not-anonymous", What: "tasks/list is offered over HTTP, to anybody.",
			Checks: ids("tasks/list-not-anonymous"), Transports: only(HTTP),
			plant: hook(func(t *taskBehaviour) { t.lists = func(*exchange) bool { return true } }),
		},
		{
			Name: "tasks-progress-token-lives", What: "A task tells progress after it has ended.",
			Checks: ids("tasks/progress-token-lives"), Collateral: ids("progress/*", "framing/*"),
			plant: result("tasks/result", func(x *exchange, _ object) {
				t, f := taskNamed(x)
				if f != nil || t.call.token == nil {
					return
				}
				time.AfterFunc(1200*time.Millisecond, func() {
					t.call.notify("notifications/progress", object{"progressToken": t.call.token, "progress": 99})
				})
			}),
		},
		{
			Name: "tasks-cancelled-notification", What: "notifications/cancelled for the request that made a task ends the task.",
			Checks: ids("tasks/cancelled-notification"), plant: hook(func(t *taskBehaviour) { t.hears = true }),
		},
	}
	for i := range faults {
		faults[i].Eras = only(Legacy)
	}
	return faults
}

func extensionTaskFaults(offering planting[func(b *behaviour)], result func(string, func(*exchange, object)) func(*behaviour), instead func(string, func(*exchange) (object, *failure)) func(*behaviour)) []Fault {
	hook := func(set func(t *taskBehaviour)) func(b *behaviour) {
		return offering(func(b *behaviour) { set(&b.tasks) })
	}
	faults := []Fault{
		{
			Name: "tasks-opt-in", What: "Requests that do not declare the extension are answered with tasks.",
			Checks: ids("tasks/opt-in"), Collateral: ids("*"), plant: hook(func(t *taskBehaviour) { t.admits = func(*exchange) bool { return true } }),
		},
		{
			Name: "tasks-handle", What: "tasks/get finds a task only when it is asked for again.",
			Checks: ids("tasks/handle"),
			plant: instead("tasks/get", func(x *exchange) (object, *failure) {
				if x.srv.tally("looks at "+asString(x.params["taskId"])) == 1 {
					return nil, fail(codeInvalidParams, "Task not found")
				}
				return nil, nil
			}),
		},
		{
			Name: "tasks-extension-required", What: "A tool that runs as a task alone is an unknown one to clients without the extension.",
			Checks: ids("tasks/extension-required"), Collateral: ids("parity/texts-*"),
			plant: offering(func(b *behaviour) {
				editFailure(b, codeMissingCapability, func(_ *exchange, f *failure) { f.code, f.data = codeInvalidParams, nil })
			}),
		},
		{
			Name: "tasks-get", What: "A completed task has no result.",
			Checks: ids("tasks/get"), plant: result("tasks/get", func(_ *exchange, r object) { delete(r, "result") }),
		},
		{
			Name: "tasks-tool-error-completes", What: "A task whose tool ended in isError has failed.",
			Checks: ids("tasks/tool-error-completes"), plant: hook(func(t *taskBehaviour) { t.ends = func(bool) string { return "failed" } }),
		},
		{
			Name: "tasks-update", What: "tasks/update answers with the task.",
			Checks: ids("tasks/update"),
			plant:  result("tasks/update", func(x *exchange, r object) { r["taskId"], r["status"] = x.params["taskId"], "working" }),
		},
		{
			Name: "tasks-unknown-id-refused", What: "tasks/update takes answers for tasks that do not exist.",
			Checks: ids("tasks/unknown-id-refused"),
			plant: instead("tasks/update", func(x *exchange) (object, *failure) {
				if _, f := taskNamed(x); f != nil {
					return object{}, nil
				}
				return nil, nil
			}),
		},
		{
			Name: "tasks-cancel-acknowledged", What: "tasks/cancel answers with the task.",
			Checks: ids("tasks/cancel-acknowledged"),
			plant:  result("tasks/cancel", func(x *exchange, r object) { r["taskId"], r["status"] = x.params["taskId"], "cancelled" }),
		},
		{
			Name: "tasks-keys-once", What: "Every question of a task has the same key.",
			Checks: ids("tasks/keys-once"), plant: offering(func(b *behaviour) {
				b.tasks.key = func(q question, _ int) string { return q.key }
				judge := b.asking.judge
				b.asking.judge = func(c *call, q question, answer object) (reply, bool) {
					// The first answer is not taken, so that there is a second question.
					if t := taskOf(c.exchange); t != nil && c.srv.tally("answers to "+t.id) == 1 {
						return reply{}, false
					}
					return judge(c, q, answer)
				}
			}),
		},
		{
			Name: "tasks-listen-needs-extension", What: "Anybody may subscribe to tasks.",
			Checks: ids("tasks/listen-needs-extension"),
			plant: offering(func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method == "subscriptions/listen" {
						delete(asObject(x.params["notifications"]), "taskIds")
					}
					return false
				})
			}),
		},
		{
			Name: "tasks-no-progress-on-listen", What: "The progress of tasks goes to the subscriptions.",
			Checks: ids("tasks/no-progress-on-listen"), Collateral: ids("subscriptions/*", "progress/*", "framing/*", "http/*"),
			plant: result("tasks/get", func(x *exchange, _ object) {
				x.srv.tellAll("notifications/progress", object{"progressToken": "task", "progress": 1})
			}),
		},
	}
	for i := range faults {
		faults[i].Eras = only(Modern)
	}
	return faults
}
