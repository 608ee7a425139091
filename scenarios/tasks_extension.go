package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

// extensionTasks is the name of the extension that holds tasks since 2026-07-28.
const extensionTasks = "io.modelcontextprotocol/tasks"

// tasksDeclared are the capabilities of a client that takes tasks and shows forms.
func tasksDeclared() json.RawMessage {
	return json.RawMessage(`{"elicitation":{"form":{}},"extensions":{"` + extensionTasks + `":{}}}`)
}

// hasTaskExtension says that the server declares the extension.
func hasTaskExtension(f *Facts) bool {
	return f.Capability("extensions." + strings.ReplaceAll(extensionTasks, ".", `\.`)).Exists()
}

// extended makes a judge for servers that declare the extension.
func extended(j func(*Evidence) Ruling) func(*Evidence) Ruling {
	return modern(func(e *Evidence) Ruling {
		if !hasTaskExtension(e.Facts) {
			return NotApplicable("the server does not declare " + extensionTasks)
		}
		return j(e)
	})
}

// taskExtensionChecks are the checks on the tasks of 2026-07-28.
func taskExtensionChecks() []Check {
	check := func(name, claim string, level Level, why, remedy string, j func(*Evidence) Ruling, requirements ...string) Check {
		return Check{ID: "tasks/" + name, Claim: claim, Level: level, Why: why, Remedy: remedy, Basis: []string{"extension " + extensionTasks}, Requirements: requirements, Judge: j}
	}
	return []Check{
		check("opt-in", "No task comes in place of a result unless the request declares the tasks extension.", Must,
			"A client without the extension takes the task for the result of the tool and shows nothing.", "Look at the extensions in the request's own _meta before you answer with a task.",
			modern(judgeTaskOptIn), "tasks-extension.opt-in"),
		check("handle", "A task in place of a result says resultType task, and tasks/get finds it at once.", Must,
			"Clients start to poll in the same moment; a task that is not there yet counts as lost.", "Store the task before you answer.",
			extended(judgeTaskHandle), "tasks-extension.result-type", "tasks-extension.durable"),
		check("extension-required", "A tool that works only as a task refuses requests without the extension with -32021, naming it.", Must,
			"Clients read data.requiredCapabilities to say what is missing.", "Answer -32021 with data.requiredCapabilities.extensions.",
			extended(judgeTaskExtensionRequired), "tasks-extension.required"),
		check("get", "tasks/get answers with resultType complete and what the status needs: inputRequests, result or error.", Must,
			"A client that sees completed and finds no result has nothing to show.", "Add inputRequests, result or error to the task as its status says.",
			extended(judgeTaskGet), "tasks-extension.get"),
		check("tool-error-completes", "A task whose tool returned isError is completed, not failed.", Must,
			"Clients drop what a failed task holds; the model never reads what went wrong.", "Use failed for JSON-RPC errors alone.",
			extended(judgeTaskErrorCompletes), "tasks-extension.failed-means-protocol-error"),
		check("update", "tasks/update is acknowledged with an empty complete result, whatever else it holds.", Must,
			"A client that gets an error asks the person again.", "Answer with {resultType: \"complete\"}, and ignore keys that are not open.",
			extended(judgeTaskUpdate), "tasks-extension.update"),
		check("unknown-id-refused", "tasks/update and tasks/cancel for a task that does not exist are refused.", Should,
			"A client that lost its task believes that it was heard.", "Answer with JSON-RPC error -32602.",
			extended(judgeTaskUnknownRefused), "tasks-extension.update-unknown-id"),
		check("cancel-acknowledged", "tasks/cancel is acknowledged with an empty complete result.", Must,
			"Clients wait for the acknowledgement alone; the status may follow.", "Answer with {resultType: \"complete\"}.",
			extended(judgeTaskCancelAcknowledged), "tasks-extension.cancel"),
		check("keys-once", "A key of inputRequests stands for one question in the whole life of a task.", Must,
			"Clients show each key once; a second question under it is never asked.", "Make a new key for each question.",
			extended(judgeTaskKeys), "tasks-extension.keys-once"),
		check("listen-needs-extension", "A subscription to tasks without the extension is refused with -32021.", Must,
			"A client waits for what it could not read.", "Check the extensions of the request when its filter has taskIds.",
			extended(judgeTaskListen), "tasks-extension.listen-needs-capability"),
		check("no-progress-on-listen", "Progress and log messages of a task never come on a subscription.", Must,
			"Clients read status alone there, and drop the subscription over anything else.", "Send no progress and no log messages for tasks.",
			extended(judgeTaskListenQuiet), "tasks-extension.no-progress-on-listen"),
	}
}

// maxTaskTools is how many tools are tried with the extension declared.
const maxTaskTools = 16

func driveTaskExtension(ctx context.Context, d *Drive) error {
	if !hasTaskExtension(d.Facts) {
		return nil
	}
	v, err := d.Fresh(ctx, fakes.Want{NoLists: true, Purpose: "tasks"})
	if err != nil {
		return err
	}
	defer v.Done()
	v.Each(ctx, []fakes.Ask{
		v.taskAsk("unknown:update", "tasks/update", unknownTask, `"inputResponses":{}`),
		v.taskAsk("unknown:cancel", "tasks/cancel", unknownTask),
	})
	if p := v.listen(ctx, "undeclared:listen", "", `{"taskIds":["`+unknownTask+`"]}`); p != nil {
		defer p.Drop()
	}
	calls := append(roleCalls(d.Facts, "task:"), validCalls(d.Facts, "task:", 1)...)
	calls = calls[:min(len(calls), maxTaskTools)]
	v.callWithTasks(ctx, calls)
	var wg sync.WaitGroup
	followed := 0
	for _, c := range calls {
		handle := answerResult(v.Answer(c.label))
		if handle.Get("resultType").Str != "task" || handle.Get("taskId").Str == "" || followed >= maxTasks {
			continue
		}
		followed++
		id := handle.Get("taskId").Str
		n := strings.TrimPrefix(c.label, "task:")
		if d.Cell.Transport == "http" {
			other := d.Shared(ctx)
			_ = other.Do(ctx, other.taskAsk("elsewhere:"+n, "tasks/get", id))
		}
		wg.Go(func() { v.followExtended(ctx, n, id) })
		if followed == 1 {
			again := fakes.Ask{Label: "stop", Method: "tools/call", Params: fakes.Call(c.tool, c.args), Capabilities: tasksDeclared()}
			if _ = v.Do(ctx, again); answerResult(v.Answer("stop")).Get("resultType").Str == "task" {
				_ = v.Do(ctx, v.taskAsk("cancel", "tasks/cancel", answerResult(v.Answer("stop")).Get("taskId").Str))
			}
		}
	}
	wg.Wait()
	return nil
}

// callWithTasks makes each call as a client that takes tasks, and as one that
// does not, labelled "without:".
func (v *Voice) callWithTasks(ctx context.Context, calls []toolCall) {
	all, cancel := v.patient(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for i, c := range calls {
		with := fakes.Ask{
			Label: c.label, Method: "tools/call", Params: fakes.Call(c.tool, c.args), Capabilities: tasksDeclared(),
			Meta: json.RawMessage(fmt.Sprintf(`{"progressToken":"conform-task-%d"}`, i+1)), Limit: 2 * patience,
		}
		without := fakes.Ask{
			Label: "without:" + strings.TrimPrefix(c.label, "task:"), Method: "tools/call", Params: fakes.Call(c.tool, c.args),
			Capabilities: formsDeclared(), Limit: 2 * patience,
		}
		for _, a := range []fakes.Ask{with, without} {
			p := v.Start(all, a)
			wg.Go(func() { _ = p.Wait(all) })
		}
	}
	wg.Wait()
}

// followExtended listens to a task and polls it until it is final, answering what it asks.
func (v *Voice) followExtended(ctx context.Context, n, id string) {
	_ = v.Do(ctx, v.taskAsk("get:"+n+"#0", "tasks/get", id))
	raw, _ := json.Marshal(id)
	listen := v.Start(ctx, fakes.Ask{Label: "listen:" + n, Method: "subscriptions/listen", Params: json.RawMessage(`{"notifications":{"taskIds":[` + string(raw) + `]}}`), Capabilities: tasksDeclared()})
	defer listen.Drop()
	answered := map[string]bool{}
	begin := time.Now()
	for i := 1; time.Since(begin) < taskPatience && ctx.Err() == nil && !v.Dead(); i++ {
		got := answerResult(v.Answer(fmt.Sprintf("get:%s#%d", n, i-1)))
		if finalStatus(got.Get("status").Str) || !got.Exists() {
			return
		}
		if got.Get("status").Str == "input_required" {
			if answers := taskAnswers(got.Get("inputRequests"), answered); answers != "" {
				_ = v.Do(ctx, v.taskAsk(fmt.Sprintf("update:%s#%d", n, i), "tasks/update", id, `"inputResponses":`+answers))
			}
		}
		wait := time.Duration(got.Get("pollIntervalMs").Int()) * time.Millisecond
		pause(ctx, min(max(wait, 200*time.Millisecond), 500*time.Millisecond))
		_ = v.Do(ctx, v.taskAsk(fmt.Sprintf("get:%s#%d", n, i), "tasks/get", id))
	}
}

// taskAnswers answers the questions that were not answered before, and one that nobody asked.
func taskAnswers(requests gjson.Result, answered map[string]bool) string {
	out := gjson.Parse(`{}`)
	fresh := false
	requests.ForEach(func(key, q gjson.Result) bool {
		if answered[key.Str] {
			return true
		}
		answered[key.Str] = true
		if r := fit(0, q.Get("method").Str, q.Get("params")); r.result != nil {
			out, fresh = gjson.ParseBytes(withMember(out, key.Str, string(r.result))), true
		}
		return true
	})
	if !fresh {
		return ""
	}
	return string(withMember(out, "zzConformNobodyAsked", `{"action":"decline"}`))
}
