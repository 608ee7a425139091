package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

const (
	// maxTasks is how many tasks are followed to their end.
	maxTasks = 4
	// taskPatience is how long a task may take until its end is no longer waited for.
	taskPatience = 15 * time.Second
	// unknownTask is the id of no task.
	unknownTask = "zz-conform-no-such-task"
)

// taskAsk is a request about one task. Over HTTP the stateless revision wants its id in a header.
func (v *Voice) taskAsk(label, method, id string, more ...string) fakes.Ask {
	raw, _ := json.Marshal(id)
	params := `{"taskId":` + string(raw)
	for _, m := range more {
		params += "," + m
	}
	a := fakes.Ask{Label: label, Method: method, Params: json.RawMessage(params + "}")}
	if v.Modern() {
		a.Header = http.Header{"Mcp-Name": {fakes.HeaderValue(id)}}
		a.Capabilities = tasksDeclared()
	}
	return a
}

// taskCall is a call as a task.
func taskCall(c toolCall) fakes.Ask {
	params := string(fakes.Call(c.tool, c.args))
	return fakes.Ask{Label: c.label, Method: "tools/call", Params: json.RawMessage(params[:len(params)-1] + `,"task":{"ttl":60000}}`), Meta: c.meta}
}

// driveTasksUndeclared calls up to three tools plainly and as tasks.
func driveTasksUndeclared(ctx context.Context, d *Drive) {
	v := d.Shared(ctx)
	calls := validCalls(d.Facts, "plain:", 1)
	calls = calls[:min(len(calls), maxTasks)]
	all, cancel := v.patient(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for _, c := range calls {
		asTask := c
		asTask.label = "task:" + strings.TrimPrefix(c.label, "plain:")
		plain := fakes.Ask{Label: c.label, Method: "tools/call", Params: fakes.Call(c.tool, c.args)}
		wg.Go(func() { _ = v.Do(all, plain) })
		wg.Go(func() { _ = v.Do(all, taskCall(asTask)) })
	}
	wg.Wait()
}

// taskSubjects are calls of tools that may be tasks: first of those that the
// configuration gives a job, then of others, the first of them with two argument sets.
func taskSubjects(f *Facts) []toolCall {
	var out []toolCall
	add := func(t *Tool, sets []ArgumentSet) {
		for _, s := range sets {
			if len(out) < maxTasks {
				out = append(out, toolCall{label: fmt.Sprintf("create:%d", len(out)+1), tool: t.Name, args: s.JSON})
			}
		}
	}
	may := func(t *Tool) bool { return t != nil && t.Callable && taskSupport(t) != "forbidden" }
	had := map[string]bool{}
	for _, job := range []string{JobAsks, JobThrows, JobProgresses} {
		if t, role := f.RoleTool(job); may(t) && !had[t.Name] {
			had[t.Name] = true
			add(t, []ArgumentSet{{JSON: role.Arguments}})
		}
	}
	sets := 2
	for _, t := range f.CallableTools() {
		if all := CallArguments(f, t); may(t) && !had[t.Name] && len(all) > 0 {
			add(t, all[:min(len(all), sets)])
			sets = 1
		}
	}
	return out
}

// roleCalls are calls of the tools that ask and that throw, as the configuration has them.
func roleCalls(f *Facts, prefix string) []toolCall {
	var out []toolCall
	for _, job := range []string{JobAsks, JobThrows} {
		if t, role := f.RoleTool(job); t != nil && t.Callable {
			out = append(out, toolCall{label: prefix + job, tool: t.Name, args: role.Arguments})
		}
	}
	return out
}

// driveCoreTasks tries tasks of 2025-11-25. Plain calls come first, so that
// whatever the server asks later belongs to a task.
func driveCoreTasks(ctx context.Context, d *Drive) error {
	v, err := d.Fresh(ctx, fakes.Want{Capabilities: formsDeclared(), Purpose: "tasks", NoLists: true, Person: slowPerson(ctx)})
	if err != nil {
		return err
	}
	defer v.Done()
	subjects := taskSubjects(d.Facts)
	cancels, listsTasks := d.Facts.Capability("tasks.cancel").Exists(), d.Facts.Capability("tasks.list").Exists()
	v.plainTasks(ctx, d.Facts, subjects)
	v.Each(ctx, []fakes.Ask{v.taskAsk("unknown:get", "tasks/get", unknownTask), v.taskAsk("unknown:result", "tasks/result", unknownTask)})
	if cancels {
		_ = v.Do(ctx, v.taskAsk("unknown:cancel", "tasks/cancel", unknownTask))
	}
	if listsTasks {
		_ = v.Do(ctx, fakes.Ask{Label: "list-bogus", Method: "tasks/list", Params: json.RawMessage(`{"cursor":"conform-bogus"}`)})
	}
	if len(subjects) == 0 {
		return nil
	}
	var wg sync.WaitGroup
	for i, c := range subjects {
		c.meta = json.RawMessage(fmt.Sprintf(`{"progressToken":"%s%d"}`, taskToken, i+1))
		if id := v.createTask(ctx, c); id != "" {
			n := fmt.Sprint(i + 1)
			wg.Go(func() { v.followTask(ctx, n, id, cancels) })
		}
	}
	if listsTasks {
		v.listTasks(ctx, len(subjects))
	}
	stopped, noted := subjects[0], subjects[0]
	stopped.label, noted.label = "create:stopped", "create:noted"
	if id := v.createTask(ctx, stopped); id != "" && cancels {
		_ = v.Do(ctx, v.taskAsk("cancel", "tasks/cancel", id))
		for i := range 4 {
			_ = v.Do(ctx, v.taskAsk(fmt.Sprintf("get:stopped#%d", i), "tasks/get", id))
			pause(ctx, 400*time.Millisecond)
		}
		_ = v.Do(ctx, v.taskAsk("cancel-again", "tasks/cancel", id))
	}
	if id := v.createTask(ctx, noted); id != "" {
		v.cancel(ctx, "cancelled", v.requestID("create:noted"))
		pause(ctx, 300*time.Millisecond)
		_ = v.Do(ctx, v.taskAsk("get:noted#0", "tasks/get", id))
		if cancels {
			_ = v.Do(ctx, v.taskAsk("tidy", "tasks/cancel", id))
		}
	}
	wg.Wait()
	return nil
}

// taskToken is how the progress tokens of tasks begin; the number of the task follows.
const taskToken = "conform-task-"

// slowPerson answers forms as they want it, after a moment in which the status of the task can be seen.
func slowPerson(ctx context.Context) fakes.Person {
	return func(method string, params gjson.Result, _ string) (result, fault json.RawMessage) {
		if method == "ping" {
			return json.RawMessage(`{}`), nil
		}
		pause(ctx, 900*time.Millisecond)
		r := fit(0, method, params)
		return r.result, r.fault
	}
}

// plainTasks makes plain calls of tools that may be tasks, a plain call of one
// that must be one, and a call as a task of one that cannot be.
func (v *Voice) plainTasks(ctx context.Context, f *Facts, subjects []toolCall) {
	all, cancel := v.patient(ctx)
	defer cancel()
	plain := func(label string, c toolCall) {
		_ = v.Do(all, fakes.Ask{Label: label, Method: "tools/call", Params: fakes.Call(c.tool, c.args)})
	}
	for _, c := range subjects {
		if taskSupport(f.Tool(c.tool)) == "optional" {
			plain("plain:1", c)
			plain("plain:2", c)
			break
		}
	}
	for _, t := range f.CallableTools() {
		if sets := CallArguments(f, t); taskSupport(t) == "required" && len(sets) > 0 {
			plain("required", toolCall{tool: t.Name, args: sets[0].JSON})
			break
		}
	}
	for _, t := range f.CallableTools() {
		if sets := CallArguments(f, t); taskSupport(t) == "forbidden" && len(sets) > 0 {
			_ = v.Do(all, taskCall(toolCall{label: "forbidden", tool: t.Name, args: sets[0].JSON}))
			return
		}
	}
}

// createTask calls a tool as a task and returns the id of the task, "" when there is none.
func (v *Voice) createTask(ctx context.Context, c toolCall) string {
	_ = v.Do(ctx, taskCall(c))
	return answerResult(v.Answer(c.label)).Get("task.taskId").String()
}

// requestID is the raw id of the last request under a label.
func (v *Voice) requestID(label string) string {
	id := ""
	for _, ev := range v.Tape().Events() {
		if ev.Probe == v.scope+label && ev.Message().ID != "" {
			id = ev.Message().ID
		}
	}
	return id
}

// followTask waits for the result of a task and polls its status until it is
// final; then it tries to cancel it.
func (v *Voice) followTask(ctx context.Context, n, id string, cancels bool) {
	a := v.taskAsk("result:"+n, "tasks/result", id)
	a.Limit = 2 * taskPatience
	result := v.Start(ctx, a)
	final := false
	begin := time.Now()
	for i := 0; time.Since(begin) < taskPatience && ctx.Err() == nil && !v.Dead(); i++ {
		label := fmt.Sprintf("get:%s#%d", n, i)
		_ = v.Do(ctx, v.taskAsk(label, "tasks/get", id))
		got := answerResult(v.Answer(label))
		if final = finalStatus(got.Get("status").Str); final || !got.Exists() {
			break
		}
		wait := time.Duration(got.Get("pollInterval").Int()) * time.Millisecond
		pause(ctx, min(max(wait, 200*time.Millisecond), 500*time.Millisecond))
	}
	if final && cancels {
		_ = v.Do(ctx, v.taskAsk("cancel-final:"+n, "tasks/cancel", id))
	}
	select {
	case <-result.Answered():
	case <-time.After(2 * time.Second):
		if final {
			result.Abandon("silent", "no answer two seconds after the task had ended")
		} else {
			result.Abandon("patience", fmt.Sprintf("the task did not end within %s", taskPatience))
		}
	case <-ctx.Done():
		result.Abandon("interrupted", fakes.WaitedNoLonger)
	}
}

func finalStatus(s string) bool { return s == "completed" || s == "failed" || s == "cancelled" }

// listTasks asks for the list between two looks at each task.
func (v *Voice) listTasks(ctx context.Context, n int) {
	look := func(prefix string) {
		var asks []fakes.Ask
		for i := range n {
			if id := answerResult(v.Answer(fmt.Sprintf("create:%d", i+1))).Get("task.taskId"); id.Str != "" {
				asks = append(asks, v.taskAsk(fmt.Sprintf("%s:%d", prefix, i+1), "tasks/get", id.Str))
			}
		}
		v.Each(ctx, asks)
	}
	look("listed-before")
	_ = v.List(ctx, "list", "tasks/list", resourcePages)
	look("listed-after")
}
