package sample

import (
	"context"
	"encoding/base64"
	"errors"
	"sync"
	"time"
)

// keyTask names the task that a message belongs to, in 2025-11-25.
const keyTask = "io.modelcontextprotocol/related-task"

// task is a call that goes on after its request was answered.
type task struct {
	id string
	// call is the call, away from the request that began it.
	call    *exchange
	created time.Time

	mu       sync.Mutex
	status   string
	says     string
	updated  time.Time
	result   object
	failed   *failure
	asked    int
	open     map[string]object
	answered chan object
	done     chan struct{}
}

// taskBehaviour is what a fault of tasks may turn.
type taskBehaviour struct {
	offered bool
	// first is the status of a new task, waiting that of one whose question is open.
	first, waiting string
	newID          func(s *Server) string
	// relate says in a message which task it belongs to.
	relate func(t *task, params object)
	// lists says whether tasks/list is offered, admits whether a request may be answered with a task.
	lists, admits func(x *exchange) bool
	// ends is the status of a task whose tool failed, key names its nth question.
	ends func(modern bool) string
	key  func(q question, n int) string
	// hears lets a cancellation of the request end the task.
	hears bool
	// early answers tasks/result before the task has ended.
	early bool
}

func rightTasks() taskBehaviour {
	return taskBehaviour{
		first: "working", waiting: "input_required", newID: taskID, relate: relateTask,
		lists:  func(x *exchange) bool { return x.ses.id == "" }, // over HTTP callers cannot be told apart
		admits: declaresTasks, ends: failedStatus, key: taskKey,
	}
}

// taskID is an id that cannot be guessed without the key of the server.
func taskID(s *Server) string {
	return base64.RawURLEncoding.EncodeToString(s.mac("task " + string(num(s.tally("tasks"))))[:24])
}

func relateTask(t *task, params object) {
	meta := asObject(params["_meta"])
	if meta == nil {
		meta = object{}
	}
	meta[keyTask] = object{"taskId": t.id}
	params["_meta"] = meta
}

func failedStatus(modern bool) string {
	if modern {
		return "completed" // the error is in the result
	}
	return "failed"
}

func final(status string) bool {
	return status == "completed" || status == "failed" || status == "cancelled"
}

// set changes the status, unless the task has ended.
func (t *task) set(status, says string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if final(t.status) {
		return
	}
	t.status, t.says, t.updated = status, says, t.call.srv.now()
	if final(status) {
		close(t.done)
	}
}

// finish keeps what the tool came to.
func (t *task) finish(result object, f *failure) {
	t.mu.Lock()
	t.result, t.failed = result, f
	t.mu.Unlock()
	switch {
	case f != nil:
		t.set("failed", f.message)
	case result["isError"] == true:
		t.set(t.call.srv.do.tasks.ends(t.call.modern), "The tool ended in an error.")
	default:
		t.set("completed", "The tool is done.")
	}
}

// begin answers a call with a task and lets the tool run after it.
func begin(x *exchange) (object, *failure) {
	do := &x.srv.do
	t := &task{
		id: do.tasks.newID(x.srv), created: x.srv.now(), updated: x.srv.now(), status: do.tasks.first,
		open: map[string]object{}, answered: make(chan object, 1), done: make(chan struct{}),
	}
	call := &exchange{
		srv: x.srv, ses: x.ses, id: x.id, method: x.method, params: clone(x.params), modern: x.modern, revision: x.revision,
		capabilities: x.capabilities, level: -1, arrival: x.arrival, answerable: !x.modern,
	}
	if !x.modern {
		call.level, call.token = x.level, x.token
	}
	delete(call.params, "task")
	call.ctx, call.stop = context.WithCancelCause(context.Background())
	call.out = taskOutlet{t}
	t.call = call
	x.srv.mu.Lock()
	x.srv.tasks = append(x.srv.tasks, t)
	x.srv.mu.Unlock()
	if do.tasks.hears {
		x.ses.enter(call)
		context.AfterFunc(call.ctx, func() { t.set("cancelled", "The request was cancelled.") })
	}
	seed := t.told(x)
	go func() {
		result, f := callTool(call)
		if do.tasks.hears && call.ctx.Err() != nil {
			return // the cancellation says how it ends
		}
		t.finish(result, f)
	}()
	if x.modern {
		seed["resultType"] = "task"
		return seed, nil
	}
	return object{"task": seed}, nil
}

// told is a task as a client of the revision sees it.
func (t *task) told(x *exchange) object {
	t.mu.Lock()
	defer t.mu.Unlock()
	ttl, poll := "ttl", "pollInterval"
	if x.modern {
		ttl, poll = "ttlMs", "pollIntervalMs"
	}
	o := object{
		"taskId": t.id, "status": t.status, ttl: num(600000), poll: num(100),
		"createdAt": t.created.UTC().Format(time.RFC3339Nano), "lastUpdatedAt": t.updated.UTC().Format(time.RFC3339Nano),
	}
	if t.says != "" {
		o["statusMessage"] = t.says
	}
	if !x.modern {
		return o
	}
	switch t.status {
	case "completed":
		o["result"] = clone(t.result)
	case "failed":
		if o["error"] = fail(codeInternal, "The tool failed").object(); t.failed != nil {
			o["error"] = t.failed.object()
		}
	case "input_required":
		requests := object{}
		for key, q := range t.open {
			requests[key] = q
		}
		o["inputRequests"] = requests
	}
	return o
}

// taskOutlet sends what a task has to say on the way that belongs to no request.
// Tasks of 2026-07-28 say nothing.
type taskOutlet struct{ t *task }

func (o taskOutlet) related(m object) {
	if o.t.call.modern {
		return
	}
	params := asObject(m["params"])
	o.t.call.srv.do.tasks.relate(o.t, params)
	o.t.call.ses.push(m)
}

func (taskOutlet) final(any, int) {}
func (taskOutlet) nothing()       {}

// taskOf is the task that an exchange runs in, nil for none.
func taskOf(x *exchange) *task {
	if o, ok := x.out.(taskOutlet); ok {
		return o.t
	}
	return nil
}

// taskNamed finds the task that a request names. In a handshake revision it belongs to its session.
func taskNamed(x *exchange) (*task, *failure) {
	id, _ := x.params["taskId"].(string)
	x.srv.mu.Lock()
	defer x.srv.mu.Unlock()
	for _, t := range x.srv.tasks {
		if t.id == id && t.call.modern == x.modern && (x.modern || t.call.ses == x.ses) {
			return t, nil
		}
	}
	return nil, fail(codeInvalidParams, "Task not found")
}

// taskMethods are the methods of tasks; those of 2026-07-28 want the extension.
func taskMethods() map[string]method {
	wants := func(run func(x *exchange, t *task) (object, *failure)) func(x *exchange) (object, *failure) {
		return func(x *exchange) (object, *failure) {
			if !x.modern && !x.knows("2025-11-25") {
				return nil, x.unknownMethod()
			}
			if x.modern && !declaresTasks(x) {
				return nil, wantsExtension()
			}
			t, f := taskNamed(x)
			if f != nil {
				return nil, f
			}
			return run(x, t)
		}
	}
	get := func(x *exchange, t *task) (object, *failure) { return t.told(x), nil }
	return map[string]method{
		"tools/call":           {run: callOrBegin, legacy: true, modern: true, needs: "tools", slow: callsSlowTool},
		"subscriptions/listen": {run: listenToTasks, modern: true, slow: always},
		"tasks/get":            {run: wants(get), legacy: true, modern: true},
		"tasks/result":         {run: wants(taskResult), legacy: true, slow: always},
		"tasks/cancel":         {run: wants(cancelTask), legacy: true, modern: true},
		"tasks/update":         {run: wants(updateTask), modern: true},
		"tasks/list":           {run: listTasks, legacy: true},
	}
}

// taskResult waits for the end of a task and gives what the call would have given.
func taskResult(x *exchange, t *task) (object, *failure) {
	if !x.srv.do.tasks.early {
		select {
		case <-t.done:
		case <-x.ctx.Done():
			return nil, fail(codeInternal, "Stopped")
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.failed != nil:
		return nil, t.failed
	case t.result == nil:
		return nil, fail(codeInternal, "The task has no result")
	}
	result := clone(t.result)
	relateTask(t, result)
	return result, nil
}

func cancelTask(x *exchange, t *task) (object, *failure) {
	t.mu.Lock()
	ended := final(t.status)
	t.mu.Unlock()
	if ended && !x.modern {
		return nil, fail(codeInvalidParams, "The task has ended")
	}
	t.set("cancelled", "The client cancelled the task.")
	t.call.stop(errCancelled)
	if x.modern {
		return object{}, nil
	}
	return t.told(x), nil
}

// updateTask hands answers to the questions that are open; others are left alone.
func updateTask(x *exchange, t *task) (object, *failure) {
	answers, ok := x.params["inputResponses"].(object)
	if !ok {
		return nil, fail(codeInvalidParams, "inputResponses must be an object")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for key := range t.open {
		if answer, given := answers[key].(object); given {
			delete(t.open, key)
			t.answered <- answer
		}
	}
	return object{}, nil
}

func listTasks(x *exchange) (object, *failure) {
	if !x.knows("2025-11-25") || !x.srv.do.tasks.lists(x) {
		return nil, x.unknownMethod()
	}
	x.srv.mu.Lock()
	all := x.srv.tasks
	x.srv.mu.Unlock()
	entries := list{}
	for _, t := range all {
		if t.call.ses == x.ses {
			entries = append(entries, t.told(x))
		}
	}
	return x.page("tasks", entries, 0)
}

// errTaskOver ends a question whose task was cancelled.
var errTaskOver = errors.New("the task was cancelled")
