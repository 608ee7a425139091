package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

const helpExtension = "no call was answered with a task; let a tool be called that makes one (--allow, or calls in conform.yaml)"

// declaresTasks says that a request declares the extension.
func declaresTasks(x *Exchange) bool {
	caps := x.Request.Root.Get(`params._meta.io\.modelcontextprotocol/clientCapabilities`)
	return caps.Get("extensions." + strings.ReplaceAll(extensionTasks, ".", `\.`)).Exists()
}

func judgeTaskOptIn(e *Evidence) Ruling {
	var r Ruling
	accused := map[string]bool{}
	for _, t := range e.stateless() {
		for _, x := range e.Run.Exchanges(t) {
			if x.Request.Method != "tools/call" || !x.Result().Exists() || declaresTasks(x) {
				continue
			}
			var f *Fault
			if name := toolName(x); x.Result().Get("resultType").Str == "task" && !accused[name] {
				accused[name] = true
				f = &Fault{Subject: name, Expected: "a result, or error -32021", Observed: "a task, for a request that does not declare " + extensionTasks, Proof: []*Exchange{x}}
			}
			r = r.add(x, f)
		}
	}
	switch {
	case len(r.Faults) == 0 && !hasTaskExtension(e.Facts):
		return NotApplicable("the server does not declare " + extensionTasks)
	case r.Seen == 0:
		return NotSeen("no tool was called without the extension")
	}
	return r
}

// handles are the answers with a task in place of a result.
func (e *Evidence) handles() []*Exchange {
	return slices.DeleteFunc(append(e.All("task:"), e.All("stop")...), func(x *Exchange) bool { return x.Result().Get("resultType").Str != "task" })
}

// handleLabel is what the labels of a handle's polls hold.
func handleLabel(x *Exchange) string { return strings.TrimPrefix(x.Label, "task:") }

func handlesRuling(r Ruling) Ruling {
	if r.Seen == 0 {
		return NotSeen(helpExtension)
	}
	return r
}

func judgeTaskHandle(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.handles() {
		id := x.Result().Get("taskId")
		var f *Fault
		fault := func(expected, observed string, proof ...*Exchange) {
			f = &Fault{Subject: toolName(x), Expected: expected, Observed: observed, Proof: append([]*Exchange{x}, proof...)}
		}
		first, other := e.Get("get:"+handleLabel(x)+"#0"), e.Get("elsewhere:"+handleLabel(x))
		switch {
		case id.Type != gjson.String || id.Str == "":
			fault("a taskId that is a string", "taskId: "+orNone(id))
		case first.IsRPCError():
			fault("the task, found at once", sayAnswer(first), first)
		case other.IsRPCError():
			fault("the task, found on another connection", sayAnswer(other), other)
		}
		r = r.add(x, f)
	}
	for _, x := range e.All("") {
		if x.Request.Method != "tools/call" && x.Result().Get("resultType").Str == "task" {
			r.Seen++
			r.Faults = append(r.Faults, Fault{Subject: x.Request.Method, Expected: `resultType "complete"`, Observed: `resultType "task" on what is no new task`, Proof: []*Exchange{x}})
			break
		}
	}
	return handlesRuling(r)
}

func judgeTaskExtensionRequired(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.handles() {
		plain := e.Get("without:" + handleLabel(x))
		if !plain.IsRPCError() {
			continue // it works without a task as well
		}
		var f *Fault
		named := plain.RPCError().Get("data.requiredCapabilities.extensions." + strings.ReplaceAll(extensionTasks, ".", `\.`))
		if plain.Code() != -32021 || !named.Exists() {
			f = &Fault{Subject: toolName(x), Expected: "error -32021 with data.requiredCapabilities.extensions that names " + extensionTasks, Observed: sayAnswer(plain) + ", data: " + orNone(plain.RPCError().Get("data")), Proof: []*Exchange{x, plain}}
		}
		r = r.add(plain, f)
	}
	switch {
	case r.Seen > 0:
		return r
	case len(e.handles()) > 0:
		return NotApplicable("every tool that makes tasks works without them as well")
	}
	return handlesRuling(r)
}

func judgeTaskGet(e *Evidence) Ruling {
	var r Ruling
	needs := map[string]string{"input_required": "inputRequests", "completed": "result", "failed": "error"}
	for _, x := range e.All("get:") {
		if !x.Result().Exists() {
			continue
		}
		res := x.Result()
		status := res.Get("status").Str
		var f *Fault
		switch need := needs[status]; {
		case res.Get("resultType").Str != "complete":
			f = &Fault{Subject: "tasks/get", Expected: `resultType "complete"`, Observed: "resultType: " + orNone(res.Get("resultType")), Proof: []*Exchange{x}}
		case need != "" && !res.Get(need).IsObject():
			f = &Fault{Subject: "tasks/get", Expected: need + ", an object, with status " + status, Observed: need + ": " + orNone(res.Get(need)), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return handlesRuling(r)
}

func judgeTaskErrorCompletes(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.handles() {
		plain := e.Get("without:" + handleLabel(x))
		for _, p := range e.polls(handleLabel(x)) {
			inside := p.Result().Get("result.isError").Bool()
			if !plain.IsToolError() && !inside || !finalStatus(pollStatus(p)) {
				continue
			}
			var f *Fault
			if pollStatus(p) == "failed" {
				f = &Fault{Subject: toolName(x), Expected: "status completed, and result with isError", Observed: "status failed, where the plain call ends in isError", Proof: []*Exchange{plain, p}}
			}
			r = r.add(p, f)
			break
		}
	}
	if r.Seen == 0 && len(e.handles()) > 0 {
		return NotSeen("no task ended with isError; give a tool that makes tasks a call in conform.yaml that fails")
	}
	return handlesRuling(r)
}

// acknowledgement says what is wrong with an answer that should be an empty complete result, "" for nothing.
func acknowledgement(x *Exchange) string {
	res := x.Result()
	switch {
	case !res.Exists():
		return sayAnswer(x)
	case res.Get("resultType").Str != "complete":
		return "resultType: " + orNone(res.Get("resultType"))
	case res.Get("taskId").Exists() || res.Get("status").Exists():
		return "a result with a task in it"
	}
	return ""
}

func (e *Evidence) acknowledged(label, none string) Ruling {
	var r Ruling
	for _, x := range e.All(label) {
		var f *Fault
		if observed := acknowledgement(x); observed != "" {
			f = &Fault{Subject: x.Request.Method, Expected: "an empty result with resultType complete", Observed: observed, Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 && len(e.handles()) > 0 {
		return NotSeen(none)
	}
	return handlesRuling(r)
}

func judgeTaskUpdate(e *Evidence) Ruling {
	return e.acknowledged("update:", "no task asked anything; give a tool that makes tasks the role asks in conform.yaml")
}

func judgeTaskCancelAcknowledged(e *Evidence) Ruling {
	return e.acknowledged("cancel", "no task was cancelled")
}

func judgeTaskUnknownRefused(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("unknown:") {
		var f *Fault
		if !x.IsRPCError() {
			f = &Fault{Subject: x.Request.Method, Expected: "a JSON-RPC error", Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeTaskKeys(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.handles() {
		asked := map[string]*Exchange{}
		for _, p := range e.polls(handleLabel(x)) {
			p.Result().Get("inputRequests").ForEach(func(key, q gjson.Result) bool {
				r.Seen++
				was := asked[key.Str]
				if was != nil && !sameJSON(member(was.Result().Get("inputRequests"), key.Str).Raw, q.Raw) {
					r.Faults = append(r.Faults, Fault{Subject: toolName(x), Expected: "a new key for another question", Observed: fmt.Sprintf("another question under the key %q", short(key.Str, 60)), Proof: []*Exchange{was, p}})
				}
				asked[key.Str] = p
				return len(r.Faults) < 5
			})
		}
	}
	if r.Seen == 0 && len(e.handles()) > 0 {
		return NotSeen("no task asked anything; give a tool that makes tasks the role asks in conform.yaml")
	}
	return handlesRuling(r)
}

func judgeTaskListen(e *Evidence) Ruling {
	if all := e.mine("undeclared:listen"); len(all) > 0 {
		s := all[0]
		if s.x.Code() == -32021 {
			return Passed("", s.x)
		}
		observed := "nothing"
		switch {
		case s.ack >= 0:
			observed = "an acknowledgement"
		case s.x.Answered():
			observed = sayAnswer(s.x)
		}
		return Broken(Fault{Subject: "subscriptions/listen with taskIds", Expected: "JSON-RPC error -32021", Observed: observed, Proof: s.shows(s.ack)})
	}
	return NotSeen("the subscription was not tried")
}

func judgeTaskListenQuiet(e *Evidence) Ruling {
	var r Ruling
	for _, s := range e.mine("listen:") {
		if s.ack < 0 {
			continue
		}
		r.Seen++
		events := s.x.Tape.Events()
		for i := s.x.At; i < len(events); i++ {
			m := events[i].Message()
			loud := events[i].Kind == wire.Recv && (m.Method == "notifications/progress" || m.Method == "notifications/message")
			if loud && (events[i].Post > 0 && events[i].Post == s.x.Sent.Post || sameID(subscriptionOf(m).Raw, s.x.Request.ID)) {
				r.Faults = append(r.Faults, Fault{Subject: m.Method, Expected: "status of tasks alone on the subscription", Observed: m.Method, Proof: s.shows(i)})
				break
			}
		}
	}
	if r.Seen == 0 && len(e.handles()) > 0 {
		return NotSeen("no subscription to a task was acknowledged")
	}
	return handlesRuling(r)
}
