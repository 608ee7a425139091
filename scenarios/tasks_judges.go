package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

const helpTasks = "no tool was called as a task; let one be called that says execution.taskSupport (--allow, or calls in conform.yaml)"

// taskID is the id of the task that an exchange made, "" when it made none.
func taskID(x *Exchange) string { return x.Result().Get("task.taskId").String() }

// createdTasks are the calls that made a task.
func (e *Evidence) createdTasks() []*Exchange {
	return slices.DeleteFunc(e.All("create:"), func(x *Exchange) bool { return taskID(x) == "" })
}

// relatedTask is the task that a message names in _meta, "" for none.
func relatedTask(meta gjson.Result) string {
	return meta.Get(`io\.modelcontextprotocol/related-task.taskId`).String()
}

func judgeTaskUndeclared(e *Evidence) Ruling {
	switch {
	case e.Facts.Modern():
		return NotApplicable("2026-07-28 has tasks as an extension")
	case takesTasks(e.Facts):
		return NotApplicable("the server declares tasks for calls of tools")
	}
	var r Ruling
	for _, x := range e.All("task:") {
		plain := e.Get("plain:" + strings.TrimPrefix(x.Label, "task:"))
		if !plain.Succeeded() {
			continue // nothing to compare with
		}
		observed := ""
		switch {
		case x.IsRPCError(), x.IsToolError() && strings.Contains(strings.ToLower(x.Text()), "task") && !strings.Contains(strings.ToLower(plain.Text()), "task"):
			observed = sayAnswer(x)
		case x.Result().Get("task").Exists() && !x.Result().Get("content").Exists():
			observed = "a task"
		case x.Lost() != "":
			observed = x.Lost()
		}
		var f *Fault
		if observed != "" {
			f = &Fault{Subject: toolName(x), Expected: "the result, as of a plain call", Observed: observed, Proof: []*Exchange{plain, x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotSeen("no plain call of a tool succeeded that could be compared with")
	}
	return r
}

func judgeTaskCreate(e *Evidence) Ruling {
	var r Ruling
	ids := map[string]*Exchange{}
	for _, x := range e.All("create:") {
		task := x.Result().Get("task")
		var f *Fault
		fault := func(expected, observed string, proof ...*Exchange) {
			f = &Fault{Subject: toolName(x), Expected: expected, Observed: observed, Proof: append(proof, x)}
		}
		id := task.Get("taskId")
		switch {
		case x.IsRPCError():
			continue // the arguments may be wrong; the tool says no
		case x.Lost() != "":
			fault("a task, at once", x.Lost())
		case !task.IsObject():
			fault("a task", "a result without a task")
		case id.Type != gjson.String || id.Str == "":
			fault("a taskId that is a string", "taskId: "+orNone(id))
		case ids[id.Str] != nil:
			fault("an id that no other task has", "the id "+short(id.Str, 60)+" for two tasks", ids[id.Str])
		case task.Get("status").Str != "working":
			fault(`status "working"`, "status: "+orNone(task.Get("status")))
		}
		if id.Str != "" && ids[id.Str] == nil {
			ids[id.Str] = x
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotSeen(helpTasks)
	}
	return r
}

// polls are the answered requests for the status of one task, in order.
func (e *Evidence) polls(n string) []*Exchange {
	return slices.DeleteFunc(e.All("get:"+n+"#"), func(x *Exchange) bool { return x.Result().Get("status").Type != gjson.String })
}

func pollStatus(x *Exchange) string { return x.Result().Get("status").Str }

func judgeTaskTransitions(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.createdTasks() {
		var ended *Exchange
		for _, p := range e.polls(strings.TrimPrefix(x.Label, "create:")) {
			s := pollStatus(p)
			var f *Fault
			switch {
			case ended != nil && s != pollStatus(ended):
				f = &Fault{Subject: toolName(x), Expected: "status " + pollStatus(ended) + " for good", Observed: "status " + short(s, 40) + " after it", Proof: []*Exchange{ended, p}}
			case !finalStatus(s) && s != "working" && s != "input_required":
				f = &Fault{Subject: toolName(x), Expected: "one of the five statuses", Observed: "status " + short(s, 40), Proof: []*Exchange{p}}
			}
			if finalStatus(s) && ended == nil {
				ended = p
			}
			r = r.add(p, f)
		}
	}
	if r.Seen == 0 {
		return NotSeen(helpTasks)
	}
	return r
}

func judgeTaskResult(e *Evidence) Ruling {
	var r Ruling
	for _, made := range e.createdTasks() {
		n := strings.TrimPrefix(made.Label, "create:")
		x, polls := e.Get("result:"+n), e.polls(n)
		if x == nil || len(polls) == 0 {
			continue
		}
		last := polls[len(polls)-1]
		fault := func(expected, observed string, proof ...*Exchange) {
			r.Faults = append(r.Faults, Fault{Subject: toolName(made), Expected: expected, Observed: observed, Proof: append([]*Exchange{x}, proof...)})
		}
		early := slices.IndexFunc(polls, func(p *Exchange) bool { return x.Answered() && p.At > x.AnswerAt && !finalStatus(pollStatus(p)) })
		switch {
		case early >= 0:
			fault("an answer when the task has ended", sayTaskResult(x)+" while the task was "+pollStatus(polls[early]), polls[early])
		case !finalStatus(pollStatus(last)) || pollStatus(last) == "cancelled":
			continue
		case x.End == "silent":
			fault("an answer when the task has ended", x.EndText, last)
		case x.Unusable() || !x.Answered():
			continue
		case x.Result().IsObject() && relatedTask(x.Result().Get("_meta")) != taskID(made):
			fault("_meta with io.modelcontextprotocol/related-task", "_meta: "+orNone(x.Result().Get("_meta")), made)
		default:
			if plain, observed := e.otherThanPlain(made, x); observed != "" {
				fault("the result of the plain call", observed, plain)
			}
		}
		r.Seen++
		if len(r.Faults) == 0 && len(r.Proof) < 3 {
			r.Proof = append(r.Proof, x)
		}
	}
	if r.Seen == 0 {
		return NotSeen("no task was followed to its end; " + helpTasks)
	}
	return r
}

func sayTaskResult(x *Exchange) string {
	if x.IsRPCError() {
		return sayAnswer(x)
	}
	return "a result"
}

// otherThanPlain compares the result of a task with two plain calls of the same
// tool and arguments, where those agree with each other.
func (e *Evidence) otherThanPlain(made, x *Exchange) (*Exchange, string) {
	a, b := e.Get("plain:1"), e.Get("plain:2")
	if !a.Result().Exists() || toolName(a) != toolName(made) || !sameJSON(arguments(a).Raw, arguments(made).Raw) {
		return nil, ""
	}
	for _, m := range []string{"content", "structuredContent", "isError"} {
		one, two, got := orNull(a.Result().Get(m)), orNull(b.Result().Get(m)), orNull(x.Result().Get(m))
		if m == "isError" {
			one, two, got = fmt.Sprint(one == "true"), fmt.Sprint(two == "true"), fmt.Sprint(got == "true")
		}
		if sameJSON(one, two) && !sameJSON(one, got) {
			return a, "another " + m + ": " + short(got, 160)
		}
	}
	return nil, ""
}

func judgeTaskUnknown(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("unknown:") {
		var f *Fault
		if x.Code() != -32602 {
			f = &Fault{Subject: x.Request.Method, Expected: "JSON-RPC error -32602", Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeTaskCancel(e *Evidence) Ruling {
	if !e.Facts.Capability("tasks.cancel").Exists() {
		return NotApplicable("the server does not declare tasks.cancel")
	}
	var r Ruling
	x := e.Get("cancel")
	polls := e.polls("stopped")
	ended := x.Code() == -32602 && len(polls) > 0 && finalStatus(pollStatus(polls[0]))
	if x != nil && !ended {
		var f *Fault
		switch i := slices.IndexFunc(polls, func(p *Exchange) bool { return pollStatus(p) != "cancelled" }); {
		case x.Result().Get("status").Str != "cancelled":
			f = &Fault{Subject: "tasks/cancel", Expected: `the task with status "cancelled"`, Observed: sayTask(x), Proof: []*Exchange{x}}
		case i >= 0:
			f = &Fault{Subject: "tasks/cancel", Expected: "a task that stays cancelled", Observed: "status " + short(pollStatus(polls[i]), 40) + " after it", Proof: []*Exchange{x, polls[i]}}
		}
		r = r.add(x, f)
	}
	again := e.All("cancel-final:")
	if x.Result().Exists() {
		again = append(again, e.All("cancel-again")...)
	}
	for _, y := range again {
		var f *Fault
		if y.Code() != -32602 {
			f = &Fault{Subject: "tasks/cancel of a task that has ended", Expected: "JSON-RPC error -32602", Observed: sayTask(y), Proof: []*Exchange{y}}
		}
		r = r.add(y, f)
	}
	if r.Seen == 0 {
		return NotSeen(helpTasks)
	}
	return r
}

// sayTask tells an answer that should hold a task in one line.
func sayTask(x *Exchange) string {
	if s := x.Result().Get("status"); s.Exists() {
		return "a result with status " + short(s.Raw, 40)
	}
	return sayAnswer(x)
}

func judgeTaskList(e *Evidence) Ruling {
	if !e.Facts.Capability("tasks.list").Exists() {
		return NotApplicable("the server does not declare tasks.list")
	}
	var r Ruling
	if x := e.Get("list-bogus"); x != nil {
		var f *Fault
		if x.Code() != -32602 {
			f = &Fault{Subject: "a cursor that was never given", Expected: "JSON-RPC error -32602", Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	pages := slices.DeleteFunc(e.All("list"), func(x *Exchange) bool { return x.Label != "list" })
	whole := len(pages) > 0 && !pages[len(pages)-1].Result().Get("nextCursor").Exists()
	for _, before := range e.All("listed-before:") {
		after := e.Get("listed-after:" + strings.TrimPrefix(before.Label, "listed-before:"))
		if !whole || !before.Result().Exists() || !after.Result().Exists() {
			continue
		}
		id := before.Request.Root.Get("params.taskId").Str
		listed := slices.ContainsFunc(pages, func(p *Exchange) bool {
			return slices.ContainsFunc(p.Result().Get("tasks").Array(), func(t gjson.Result) bool { return t.Get("taskId").Str == id })
		})
		var f *Fault
		if !listed {
			f = &Fault{Subject: "tasks/list", Expected: "the task " + short(id, 60) + ", which tasks/get shows before and after", Observed: fmt.Sprintf("%s without it", count(len(pages), "page")), Proof: []*Exchange{before, pages[0]}}
		}
		r = r.add(before, f)
	}
	return r
}

func judgeTaskForbidden(e *Evidence) Ruling {
	return e.refusedTask("forbidden", "every tool that may be called allows tasks, or none may be called", -32601)
}

func judgeTaskRequired(e *Evidence) Ruling {
	return e.refusedTask("required", "no tool that may be called requires a task", -32601, -32600)
}

func (e *Evidence) refusedTask(label, none string, codes ...int64) Ruling {
	x := e.Get(label)
	if x == nil {
		return NotApplicable(none)
	}
	var f *Fault
	if !slices.Contains(codes, x.Code()) {
		f = &Fault{Subject: toolName(x), Expected: fmt.Sprintf("JSON-RPC error %d", codes[0]), Observed: sayAnswer(x), Proof: []*Exchange{x}}
	}
	return Ruling{}.add(x, f)
}

func judgeTaskFailed(e *Evidence) Ruling {
	var r Ruling
	for _, made := range e.createdTasks() {
		n := strings.TrimPrefix(made.Label, "create:")
		x, polls := e.Get("result:"+n), e.polls(n)
		if !x.IsToolError() || len(polls) == 0 || !finalStatus(pollStatus(polls[len(polls)-1])) {
			continue
		}
		last := polls[len(polls)-1]
		var f *Fault
		if s := pollStatus(last); s != "failed" {
			f = &Fault{Subject: toolName(made), Expected: "status failed", Observed: "status " + s + ", and a result with isError", Proof: []*Exchange{last, x}}
		} else if last.Result().Get("statusMessage").Str == "" {
			f = &Fault{Subject: toolName(made), Expected: "a statusMessage", Observed: "status failed without one", Proof: []*Exchange{last, x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotSeen("no task ended with isError; give a tool that allows tasks a call in conform.yaml that fails")
	}
	return r
}

// taskGrace is how long progress may be on its way when its task is seen to have ended.
const taskGrace = 500 * time.Millisecond

func judgeTaskProgress(e *Evidence) Ruling {
	var r Ruling
	for _, made := range e.createdTasks() {
		n := strings.TrimPrefix(made.Label, "create:")
		var ended *Exchange
		for _, p := range e.polls(n) {
			if finalStatus(pollStatus(p)) {
				ended = p
				break
			}
		}
		for _, ev := range made.Notifications("notifications/progress", -1) {
			if ev.Message().Root.Get("params.progressToken").Str != taskToken+n {
				continue
			}
			r.Seen++
			if ended != nil && ev.At > ended.Tape.Events()[ended.AnswerAt].At+taskGrace {
				r.Faults = append(r.Faults, Fault{Subject: toolName(made), Expected: "no progress after the task has ended", Observed: "progress after status " + pollStatus(ended), Proof: []*Exchange{made, ended, loneFrame(received{event: ev, tape: made.Tape})}})
				break
			}
		}
	}
	switch {
	case len(e.createdTasks()) == 0:
		return NotSeen(helpTasks)
	case r.Seen == 0:
		return NotSeen("no task told its progress")
	}
	return r
}

func judgeTaskNotified(e *Evidence) Ruling {
	made := e.Get("create:noted")
	polls := e.polls("noted")
	if taskID(made) == "" || len(polls) == 0 {
		return NotSeen(helpTasks)
	}
	var f *Fault
	if pollStatus(polls[0]) == "cancelled" {
		f = &Fault{Subject: toolName(made), Expected: "a task that goes on", Observed: "status cancelled", Proof: []*Exchange{made, polls[0]}}
	}
	return Ruling{}.add(polls[0], f)
}

// taskMessages are what a server sends of itself on the tape of the tasks.
func (e *Evidence) taskMessages(look func(ev *wire.Event, m *wire.Message, t *wire.Tape)) {
	made := e.createdTasks()
	if len(made) == 0 {
		return
	}
	events := made[0].Tape.Events()
	for i := made[0].At; i < len(events); i++ {
		if m := events[i].Message(); events[i].Kind == wire.Recv && m.Method != "" {
			look(&events[i], m, made[0].Tape)
		}
	}
}
