package scenarios

import (
	"fmt"
	"testing"
)

func TestTasks(t *testing.T) {
	t.Parallel()
	const (
		declared = `{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}`
		id1      = "0123456789abcdef0123456789abcdef"
		id2      = "fedcba9876543210fedcba9876543210"
		bad      = `"error":{"code":-32602,"message":"no such task"}`
		related  = `"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"` + id1 + `"}}`
		fine     = `"result":{"content":[{"type":"text","text":"ok"}],` + related + `}`
	)
	n := 100
	step := func(label, method, params, answer string) []string {
		n++
		return exchanged(label, n, method, params, answer)
	}
	call := func(label, answer string) []string {
		return step(label, "tools/call", `{"name":"a","arguments":{}}`, answer)
	}
	made := func(label, id, status string) []string {
		return call(label, `"result":{"task":{"taskId":"`+id+`","status":"`+status+`"}}`)
	}
	about := func(label, method, id, answer string) []string {
		return step(label, method, `{"taskId":"`+id+`"}`, answer)
	}
	get := func(label, status string) []string {
		return about(label, "tasks/get", id1, `"result":{"taskId":"`+id1+`","status":"`+status+`","statusMessage":"m"}`)
	}
	begun := made("create:1", id1, "working")
	result := func(answer string) []string { return about("result:1", "tasks/result", id1, answer) }
	one := func(name string, judge func(*Evidence) Ruling, want string, lines ...[]string) judged {
		return judged{name: name, judge: core(judge), opened: declared, lines: joined(lines...), want: want}
	}
	asks := func(meta string) []string {
		return []string{`< {"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{"message":"m"` + meta + `}}`}
	}
	reply := []string{`> answer {"jsonrpc":"2.0","id":0,"result":{"action":"accept"}}`}
	at := func(ms int) []string { return []string{fmt.Sprintf("@ %d", ms)} }
	progress := []string{`< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"conform-task-1","progress":1}}`}
	plain := func(text string) []string {
		return joined(call("plain:1", `"result":{"content":[{"type":"text","text":"`+text+`"}]}`), call("plain:2", `"result":{"content":[{"type":"text","text":"`+text+`"}]}`))
	}
	undeclared := func(answer string) []string {
		return joined(call("plain:a#1", fine), call("task:a#1", answer))
	}
	runJudged(t, "tasks", []judged{
		{name: "ignored", judge: judgeTaskUndeclared, lines: undeclared(fine), want: "pass"},
		{name: "refused", judge: judgeTaskUndeclared, lines: undeclared(`"error":{"code":-32603,"message":"no tasks"}`), want: "fault"},
		{name: "a task all the same", judge: judgeTaskUndeclared, lines: undeclared(`"result":{"task":{"taskId":"x","status":"working"}}`), want: "fault"},
		{name: "fails plainly too", judge: judgeTaskUndeclared, lines: joined(call("plain:a#1", bad), call("task:a#1", bad)), want: "unseen"},
		{name: "declared", judge: judgeTaskUndeclared, opened: declared, want: "na"},
		{name: "not declared", judge: core(judgeTaskCreate), lines: begun, want: "na"},
		one("made", judgeTaskCreate, "pass", begun, made("create:2", id2, "working")),
		one("made twice", judgeTaskCreate, "fault", begun, made("create:2", id1, "working")),
		one("made and done", judgeTaskCreate, "fault", made("create:1", id1, "completed")),
		one("a result", judgeTaskCreate, "fault", call("create:1", fine)),
		one("the arguments are wrong", judgeTaskCreate, "unseen", call("create:1", bad)),
		one("ends once", judgeTaskTransitions, "pass", begun, get("get:1#0", "working"), get("get:1#1", "completed")),
		one("ends twice", judgeTaskTransitions, "fault", begun, get("get:1#0", "failed"), get("get:1#1", "completed")),
		one("goes on", judgeTaskTransitions, "fault", begun, get("get:1#0", "completed"), get("get:1#1", "working")),
		one("another word", judgeTaskTransitions, "fault", begun, get("get:1#0", "running")),
		one("waits", judgeTaskResult, "pass", begun, get("get:1#0", "working"), get("get:1#1", "completed"), result(fine)),
		one("does not wait", judgeTaskResult, "fault", begun, result(bad), get("get:1#0", "working"), get("get:1#1", "completed")),
		one("names no task", judgeTaskResult, "fault", begun, get("get:1#0", "completed"), result(`"result":{"content":[]}`)),
		one("never comes", judgeTaskResult, "fault", begun, get("get:1#0", "completed"), []string{`> result:1 {"jsonrpc":"2.0","id":55,"method":"tasks/result","params":{"taskId":"x"}}`, "! result:1 silent nothing came"}),
		one("like the plain call", judgeTaskResult, "pass", plain("ok"), begun, get("get:1#0", "completed"), result(fine)),
		one("unlike the plain call", judgeTaskResult, "fault", plain("other"), begun, get("get:1#0", "completed"), result(fine)),
		one("cancelled has none", judgeTaskResult, "unseen", begun, get("get:1#0", "cancelled"), result(`"error":{"code":-32603,"message":"none"}`)),
		one("unknown refused", judgeTaskUnknown, "pass", about("unknown:get", "tasks/get", "x", bad)),
		one("unknown shown", judgeTaskUnknown, "fault", about("unknown:get", "tasks/get", "x", `"result":{"taskId":"x","status":"working"}`)),
		one("cancelled", judgeTaskCancel, "pass", begun, about("cancel", "tasks/cancel", id1, `"result":{"taskId":"x","status":"cancelled"}`), get("get:stopped#0", "cancelled"), about("cancel-again", "tasks/cancel", id1, bad)),
		one("not cancelled", judgeTaskCancel, "fault", begun, about("cancel", "tasks/cancel", id1, `"result":{"taskId":"x","status":"working"}`)),
		one("not for long", judgeTaskCancel, "fault", begun, about("cancel", "tasks/cancel", id1, `"result":{"taskId":"x","status":"cancelled"}`), get("get:stopped#0", "completed")),
		one("cancelled again", judgeTaskCancel, "fault", begun, about("cancel", "tasks/cancel", id1, `"result":{"taskId":"x","status":"cancelled"}`), about("cancel-again", "tasks/cancel", id1, `"result":{"taskId":"x","status":"cancelled"}`)),
		one("was done already", judgeTaskCancel, "unseen", begun, about("cancel", "tasks/cancel", id1, bad), get("get:stopped#0", "completed")),
		one("ended and cancelled", judgeTaskCancel, "fault", begun, about("cancel-final:1", "tasks/cancel", id1, `"result":{"taskId":"x","status":"cancelled"}`)),
		one("bogus cursor refused", judgeTaskList, "pass", step("list-bogus", "tasks/list", `{"cursor":"x"}`, bad)),
		one("bogus cursor taken", judgeTaskList, "fault", step("list-bogus", "tasks/list", `{"cursor":"x"}`, `"result":{"tasks":[]}`)),
		one("listed", judgeTaskList, "pass", get("listed-before:1", "working"), step("list", "tasks/list", `{}`, `"result":{"tasks":[{"taskId":"`+id1+`"}]}`), get("listed-after:1", "working")),
		one("left out", judgeTaskList, "fault", get("listed-before:1", "working"), step("list", "tasks/list", `{}`, `"result":{"tasks":[]}`), get("listed-after:1", "working")),
		one("gone meanwhile", judgeTaskList, "unseen", get("listed-before:1", "working"), step("list", "tasks/list", `{}`, `"result":{"tasks":[]}`), about("listed-after:1", "tasks/get", id1, bad)),
		one("forbidden refused", judgeTaskForbidden, "pass", call("forbidden", `"error":{"code":-32601,"message":"no"}`)),
		one("forbidden served", judgeTaskForbidden, "fault", call("forbidden", fine)),
		one("none forbidden", judgeTaskForbidden, "na"),
		one("required refused", judgeTaskRequired, "pass", call("required", `"error":{"code":-32600,"message":"as a task"}`)),
		one("required as a tool error", judgeTaskRequired, "fault", call("required", `"result":{"isError":true,"content":[{"type":"text","text":"-32601"}]}`)),
		one("failed", judgeTaskFailed, "pass", begun, get("get:1#0", "failed"), result(`"result":{"isError":true,"content":[]}`)),
		one("completed with an error", judgeTaskFailed, "fault", begun, get("get:1#0", "completed"), result(`"result":{"isError":true,"content":[]}`)),
		one("no error", judgeTaskFailed, "unseen", begun, get("get:1#0", "completed"), result(fine)),
		one("question related", judgeTaskRelated, "pass", begun, asks(`,`+related)),
		one("question unrelated", judgeTaskRelated, "fault", begun, asks("")),
		one("no question", judgeTaskRelated, "unseen", begun),
		one("waits for input", judgeTaskInput, "pass", begun, asks(`,`+related), at(300), get("get:1#0", "input_required"), at(900), reply, at(1200), get("get:1#1", "working")),
		one("works while it waits", judgeTaskInput, "fault", begun, asks(`,`+related), at(300), get("get:1#0", "working"), at(900), reply, at(1200), get("get:1#1", "completed")),
		one("cancelled while it waits", judgeTaskInput, "unseen", begun, asks(`,`+related), at(300), get("get:1#0", "cancelled"), at(900), reply),
		one("stays input_required", judgeTaskInput, "fault", begun, asks(`,`+related), at(300), get("get:1#0", "input_required"), at(900), reply, at(5000), get("get:1#1", "input_required")),
		one("left out of get", judgeTaskLeftOut, "pass", begun, get("get:1#0", "working")),
		one("in get", judgeTaskLeftOut, "fault", begun, about("get:1#0", "tasks/get", id1, `"result":{"taskId":"x","status":"working",`+related+`}`)),
		one("random ids", judgeTaskEntropy, "pass", begun, made("create:2", id2, "working")),
		one("counted ids", judgeTaskEntropy, "fault", made("create:1", "task-0000000000000001", "working"), made("create:2", "task-0000000000000002", "working")),
		one("short ids", judgeTaskEntropy, "fault", made("create:1", "a8f3", "working"), made("create:2", "c71b", "working")),
		one("one process, one caller", judgeTaskAnonymous, "na", begun),
		{name: "anybody", judge: core(judgeTaskAnonymous), opened: declared, transport: "http", lines: exchanged("open/initialize", 1, "initialize", `{}`, `"result":{}`), want: "fault"},
		one("progress meanwhile", judgeTaskProgress, "pass", begun, progress, get("get:1#0", "completed")),
		one("progress after the end", judgeTaskProgress, "fault", begun, get("get:1#0", "completed"), at(2000), progress),
		one("no progress", judgeTaskProgress, "unseen", begun),
		one("lives on", judgeTaskNotified, "pass", made("create:noted", id1, "working"), get("get:noted#0", "working")),
		one("ended by a notification", judgeTaskNotified, "fault", made("create:noted", id1, "working"), get("get:noted#0", "cancelled")),
	})
}

func TestTaskExtension(t *testing.T) {
	t.Parallel()
	const (
		declared = `{"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
		with     = `{"name":"a","arguments":{},"_meta":{"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}`
		without  = `{"name":"a","arguments":{}}`
		handle   = `"result":{"resultType":"task","taskId":"t1","status":"working"}`
		done     = `"result":{"resultType":"complete","content":[]}`
		failing  = `"result":{"resultType":"complete","isError":true,"content":[]}`
		needs    = `"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}`
		ack      = `"result":{"resultType":"complete"}`
		refused  = `"error":{"code":-32602,"message":"no"}`
	)
	n := 100
	step := func(label, method, params, answer string) []string {
		n++
		return exchanged(label, n, method, params, answer)
	}
	task := step("task:a#1", "tools/call", with, handle)
	plain := func(answer string) []string { return step("without:a#1", "tools/call", without, answer) }
	get := func(k int, members string) []string {
		return step(fmt.Sprintf("get:a#1#%d", k), "tasks/get", `{"taskId":"t1"}`, `"result":{"taskId":"t1",`+members+`}`)
	}
	about := func(label, method, answer string) []string {
		return step(label, method, `{"taskId":"t1"}`, answer)
	}
	one := func(name string, judge func(*Evidence) Ruling, want string, lines ...[]string) judged {
		return judged{name: name, judge: extended(judge), revision: modernRevision, opened: declared, lines: joined(lines...), want: want}
	}
	optIn := func(name, want, opened string, lines ...[]string) judged {
		return judged{name: name, judge: modern(judgeTaskOptIn), revision: modernRevision, opened: opened, lines: joined(lines...), want: want}
	}
	asks := func(key, message string) string {
		return `"resultType":"complete","status":"input_required","inputRequests":{"` + key + `":{"method":"elicitation/create","params":{"message":"` + message + `"}}}`
	}
	listen := func(id string) []string { return listening("listen:a#1", id, `{"taskIds":["t1"]}`) }
	runJudged(t, "tasks", []judged{
		optIn("asked for", "pass", declared, task, plain(done)),
		optIn("not asked for", "fault", declared, plain(handle)),
		optIn("not asked for and undeclared", "fault", `{}`, plain(handle)),
		optIn("no extension", "na", `{}`, plain(done)),
		{name: "no extension, no handles", judge: extended(judgeTaskHandle), revision: modernRevision, want: "na"},
		one("found at once", judgeTaskHandle, "pass", task, get(0, `"resultType":"complete","status":"working"`)),
		one("not found at once", judgeTaskHandle, "fault", task, about("get:a#1#0", "tasks/get", refused)),
		one("not found elsewhere", judgeTaskHandle, "fault", task, about("elsewhere:a#1", "tasks/get", refused)),
		one("without an id", judgeTaskHandle, "fault", step("task:a#1", "tools/call", with, `"result":{"resultType":"task","status":"working"}`)),
		one("task where none is made", judgeTaskHandle, "fault", task, get(0, `"resultType":"task","status":"working"`)),
		one("no handle", judgeTaskHandle, "unseen", step("task:a#1", "tools/call", with, done)),
		one("needs the extension", judgeTaskExtensionRequired, "pass", task, plain(needs)),
		one("refuses with another code", judgeTaskExtensionRequired, "fault", task, plain(refused)),
		one("works without", judgeTaskExtensionRequired, "na", task, plain(done)),
		one("completed with a result", judgeTaskGet, "pass", task, get(0, `"resultType":"complete","status":"completed","result":{"content":[]}`)),
		one("completed without one", judgeTaskGet, "fault", task, get(0, `"resultType":"complete","status":"completed"`)),
		one("no resultType", judgeTaskGet, "fault", task, get(0, `"status":"working"`)),
		one("input without questions", judgeTaskGet, "fault", task, get(0, `"resultType":"complete","status":"input_required"`)),
		one("error completes", judgeTaskErrorCompletes, "pass", task, plain(failing), get(0, `"resultType":"complete","status":"completed","result":{"isError":true}`)),
		one("error fails", judgeTaskErrorCompletes, "fault", task, plain(failing), get(0, `"resultType":"complete","status":"failed","error":{"code":-32603,"message":"x"}`)),
		one("no error", judgeTaskErrorCompletes, "unseen", task, plain(done), get(0, `"resultType":"complete","status":"completed","result":{}`)),
		one("update acknowledged", judgeTaskUpdate, "pass", task, about("update:a#1#1", "tasks/update", ack)),
		one("update answered with the task", judgeTaskUpdate, "fault", task, about("update:a#1#1", "tasks/update", `"result":{"resultType":"complete","taskId":"t1","status":"working"}`)),
		one("update refused", judgeTaskUpdate, "fault", task, about("update:a#1#1", "tasks/update", refused)),
		one("nothing to update", judgeTaskUpdate, "unseen", task),
		one("cancel acknowledged", judgeTaskCancelAcknowledged, "pass", task, about("cancel", "tasks/cancel", ack)),
		one("cancel without resultType", judgeTaskCancelAcknowledged, "fault", task, about("cancel", "tasks/cancel", `"result":{}`)),
		one("unknown refused", judgeTaskUnknownRefused, "pass", about("unknown:update", "tasks/update", refused)),
		one("unknown acknowledged", judgeTaskUnknownRefused, "fault", about("unknown:update", "tasks/update", ack)),
		one("one key, one question", judgeTaskKeys, "pass", task, get(0, asks("a", "first")), get(1, asks("a", "first")), get(2, asks("b", "second"))),
		one("one key, two questions", judgeTaskKeys, "fault", task, get(0, asks("a", "first")), get(1, asks("a", "second"))),
		one("listening refused", judgeTaskListen, "pass", listening("undeclared:listen", "9", `{"taskIds":["x"]}`), answered("9", needs)),
		one("listening taken", judgeTaskListen, "fault", listening("undeclared:listen", "9", `{"taskIds":["x"]}`), acknowledged("9", `{}`)),
		one("quiet subscription", judgeTaskListenQuiet, "pass", task, listen("8"), acknowledged("8", `{"taskIds":["t1"]}`), notified("tasks", "8", `"taskId":"t1","status":"completed"`)),
		one("progress on it", judgeTaskListenQuiet, "fault", task, listen("8"), acknowledged("8", `{"taskIds":["t1"]}`), notified("progress", "8", `"progressToken":"x","progress":1`)),
	})
}
