package scenarios

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// becameTask says that a request asked for a task, or was answered with one.
func becameTask(x *Exchange) bool {
	return x.Request.Root.Get("params.task").Exists() || x.Result().Get("resultType").Str == "task"
}

func judgeTaskRelated(e *Evidence) Ruling {
	var r Ruling
	var ids []string
	for _, x := range e.createdTasks() {
		ids = append(ids, taskID(x))
	}
	for _, label := range []string{"required", "plain:1", "plain:2", "forbidden"} {
		if x := e.Get(label); x != nil && !x.Answered() {
			return NotSeen("a plain call was still open, so what the server asked may have been its")
		}
	}
	e.taskMessages(func(ev *wire.Event, m *wire.Message, t *wire.Tape) {
		asks := m.IsRequest() && (m.Method == "elicitation/create" || m.Method == "sampling/createMessage")
		progress := m.Method == "notifications/progress" && strings.HasPrefix(m.Root.Get("params.progressToken").Str, taskToken)
		if !asks && !progress {
			return
		}
		r.Seen++
		if related := relatedTask(m.Root.Get("params._meta")); !slices.Contains(ids, related) && len(r.Faults) < 5 {
			r.Faults = append(r.Faults, Fault{Subject: m.Method, Expected: "_meta with io.modelcontextprotocol/related-task", Observed: "_meta: " + orNone(m.Root.Get("params._meta")), Proof: []*Exchange{loneFrame(received{event: ev, tape: t})}})
		}
	})
	if r.Seen == 0 {
		return NotSeen("no task asked anything or told its progress; give a tool that allows tasks the role asks in conform.yaml")
	}
	return r
}

// judgeTaskInput looks at the status of tasks while their questions were open, and at the end.
func judgeTaskInput(e *Evidence) Ruling {
	var r Ruling
	e.taskMessages(func(ev *wire.Event, m *wire.Message, t *wire.Tape) {
		if !m.IsRequest() || m.Method != "elicitation/create" {
			return
		}
		made := e.taskNamed(relatedTask(m.Root.Get("params._meta")))
		answered := replyTo(t, m.ID)
		if made == nil || answered == nil {
			return
		}
		asked, waited, after := false, 0, ""
		var last *Exchange
		for _, p := range e.polls(strings.TrimPrefix(made.Label, "create:")) {
			switch {
			case p.Sent.At > ev.At && t.Events()[p.AnswerAt].At < answered.At:
				if finalStatus(pollStatus(p)) {
					return // it was cancelled, and its question with it
				}
				waited++
				asked = asked || pollStatus(p) == "input_required"
				last = p
			case p.Sent.At > answered.At:
				after, last = pollStatus(p), p
			}
		}
		if waited == 0 && after != "input_required" {
			return
		}
		r.Seen++
		question := loneFrame(received{event: ev, tape: t})
		switch {
		case waited > 0 && !asked:
			r.Faults = append(r.Faults, Fault{Subject: toolName(made), Expected: "status input_required while the question is open", Observed: "status " + pollStatus(last), Proof: []*Exchange{question, last}})
		case after == "input_required":
			r.Faults = append(r.Faults, Fault{Subject: toolName(made), Expected: "another status after the answer", Observed: "status input_required to the end", Proof: []*Exchange{question, last}})
		}
	})
	if r.Seen == 0 {
		return NotSeen("no task asked anything that could be watched; give a tool that allows tasks the role asks in conform.yaml")
	}
	return r
}

// taskNamed is the call that made a task, nil for none.
func (e *Evidence) taskNamed(id string) *Exchange {
	for _, x := range e.createdTasks() {
		if id != "" && taskID(x) == id {
			return x
		}
	}
	return nil
}

// replyTo is our answer to a request of the server, nil when there was none.
func replyTo(t *wire.Tape, id string) *wire.Event {
	events := t.Events()
	for i := range events {
		if m := events[i].Message(); events[i].Kind == wire.Send && m.IsResponse() && m.ID == id {
			return &events[i]
		}
	}
	return nil
}

func judgeTaskLeftOut(e *Evidence) Ruling {
	var r Ruling
	look := func(what string, meta gjson.Result, x *Exchange) {
		r.Seen++
		if relatedTask(meta) != "" && len(r.Faults) < 5 {
			r.Faults = append(r.Faults, Fault{Subject: what, Expected: "no related-task", Observed: "related-task in _meta", Proof: []*Exchange{x}})
		}
	}
	for _, x := range e.All("") {
		switch x.Request.Method {
		case "tasks/get", "tasks/list", "tasks/cancel":
			if x.Result().Exists() {
				look(x.Request.Method, x.Result().Get("_meta"), x)
			}
		}
	}
	e.taskMessages(func(ev *wire.Event, m *wire.Message, t *wire.Tape) {
		if m.Method == "notifications/tasks/status" {
			look(m.Method, m.Root.Get("params._meta"), loneFrame(received{event: ev, tape: t}))
		}
	})
	if r.Seen == 0 {
		return NotSeen(helpTasks)
	}
	return r
}
