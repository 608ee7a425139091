package scenarios

import (
	"fmt"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// whyNotSampled says why no sampling request was seen.
func (e *Evidence) whyNotSampled() Ruling {
	if len(e.Facts.Tools) > 0 && len(e.Facts.CallableTools()) == 0 {
		return NotSeen("no tool may be called, so none could ask for sampling; allow one")
	}
	return NotApplicable("the server asked nobody for sampling")
}

// samplings lists the sampling requests that anybody got, in either era, with
// what the client had declared.
func (e *Evidence) samplings() []toClient {
	var out []toClient
	for _, q := range e.requestsToClient() {
		if q.message.Method == "sampling/createMessage" {
			out = append(out, q)
		}
	}
	for _, q := range e.questions() {
		if q.method == "sampling/createMessage" && q.x != nil {
			out = append(out, toClient{tape: q.tape, event: q.event, at: q.x.AnswerAt, message: &wire.Message{Valid: true, Method: q.method, Root: gjson.Parse(`{"params":` + q.params.Raw + `}`)}, declared: declaredBy(q.x)})
		}
	}
	return out
}

func (e *Evidence) eachSampling(look func(params, declared gjson.Result) *Fault) Ruling {
	var r Ruling
	for _, q := range e.samplings() {
		r.Seen++
		if f := look(q.message.Root.Get("params"), q.declared.Get("sampling")); f != nil {
			f.Proof = q.proof()
			r.Faults = append(r.Faults, *f)
		}
	}
	if r.Seen == 0 {
		return e.whyNotSampled()
	}
	return firstOfEach(r)
}

func judgeSamplingDeclared(e *Evidence) Ruling {
	if e.Facts.Modern() {
		return NotApplicable("input-required/only-if-declared tells of it")
	}
	if f := e.undeclared("sampling/createMessage"); len(f) > 0 {
		return Broken(f...)
	}
	if len(e.samplings()) == 0 {
		return e.whyNotSampled()
	}
	return Passed("sampling was asked for by clients that declared it alone")
}

func judgeSamplingTools(e *Evidence) Ruling {
	return e.eachSampling(func(params, declared gjson.Result) *Fault {
		for _, name := range []string{"tools", "toolChoice"} {
			if params.Get(name).Exists() && !declared.Get("tools").Exists() {
				return &Fault{Subject: name, Expected: "no " + name + ": the client did not declare sampling.tools", Observed: name + " " + short(params.Get(name).Raw, 120)}
			}
		}
		return nil
	})
}

func judgeIncludeContext(e *Evidence) Ruling {
	return e.eachSampling(func(params, declared gjson.Result) *Fault {
		c := params.Get("includeContext")
		if !c.Exists() || c.Str == "none" || declared.Get("context").Exists() {
			return nil
		}
		return &Fault{Subject: "includeContext", Expected: "none, or nothing: the client did not declare sampling.context", Observed: short(c.Raw, 60)}
	})
}

func judgeBalanced(e *Evidence) Ruling {
	used := false
	r := e.eachSampling(func(params, _ gjson.Result) *Fault {
		messages := params.Get("messages").Array()
		for i, m := range messages {
			uses, _ := blocksOf(m, "tool_use", "id")
			results, others := blocksOf(m, "tool_result", "toolUseId")
			used = used || len(uses)+len(results) > 0
			if m.Get("role").Str == "user" && len(results) > 0 && others > 0 {
				return &Fault{Subject: "a user message with tool results", Expected: "tool results alone", Observed: count(others, "other block") + " beside them"}
			}
			if len(uses) == 0 {
				continue
			}
			var next []string
			if i+1 < len(messages) {
				next, _ = blocksOf(messages[i+1], "tool_result", "toolUseId")
			}
			for _, id := range uses {
				if !slices.Contains(next, id) {
					return &Fault{Subject: "tool_use " + short(id, 60), Expected: "its tool_result in the next message", Observed: "none there"}
				}
			}
		}
		return nil
	})
	if r.Seen > 0 && !used && len(r.Faults) == 0 {
		return NotApplicable("the server's sampling uses no tools")
	}
	return r
}

// blocksOf returns the ids of a message's blocks of one kind, and how many blocks are of another.
func blocksOf(m gjson.Result, kind, id string) (ids []string, others int) {
	content := m.Get("content")
	all := []gjson.Result{content}
	if content.IsArray() {
		all = content.Array()
	}
	for _, b := range all {
		if b.Get("type").Str == kind {
			ids = append(ids, b.Get(id).Str)
		} else {
			others++
		}
	}
	return ids, others
}

func judgeIterationLimit(e *Evidence) Ruling {
	t := e.talk("loop")
	if !t.asked() {
		return e.whyNotSampled()
	}
	limit := maxLoop
	if e.Facts.Modern() {
		limit = maxRounds // clients end the call there
	}
	if len(t.rounds) > limit {
		if e.Facts.Modern() {
			return NotSeen("the client ends a call after ten rounds, before a limit of the server could show")
		}
		return Broken(Fault{Subject: toolName(t.call), Expected: fmt.Sprintf("an end within %d rounds", maxLoop), Observed: "the server goes on calling the model", Proof: t.proof()})
	}
	if !slices.ContainsFunc(t.rounds, func(round []asked) bool {
		return slices.ContainsFunc(round, func(q asked) bool { return q.params.Get("tools").Exists() })
	}) {
		return NotApplicable("the server's sampling uses no tools")
	}
	if !t.end.Answered() {
		return NotSeen("the call was not answered")
	}
	return Passed("the loop ended after "+count(len(t.rounds), "round"), t.proof()...)
}

func judgeSamplingRefused(e *Evidence) Ruling {
	if e.Facts.Modern() {
		return NotApplicable("a client of this revision refuses by not coming back")
	}
	var r Ruling
	for _, x := range e.All("refused:") {
		if t := e.talk(x.Label); slices.ContainsFunc(t.rounds, func(round []asked) bool { return round[0].method == "sampling/createMessage" }) {
			r = r.add(x, properEnd(x, "an answer of the call, after the client refused to sample"))
		}
	}
	if r.Seen == 0 {
		return e.whyNotSampled()
	}
	return r
}

func judgeIdle(e *Evidence) Ruling {
	if e.Facts.Modern() {
		return NotApplicable("servers send no requests under 2026-07-28")
	}
	begin := e.notice("idle")
	if begin == nil {
		return NotSeen("no session was left alone; no tool may be called")
	}
	idle := false
	for _, t := range e.Tapes() {
		events := t.Events()
		for i := range events {
			switch {
			case &events[i] == begin:
				idle = true
			case idle && events[i].Kind == wire.Notice && events[i].Status == "end":
				idle = false
			case idle && sampled(events[i:i+1]):
				q := toClient{tape: t, event: &events[i], at: i, message: events[i].Message()}
				return Broken(Fault{Subject: q.message.Method, Expected: "no sampling request while the client asks nothing", Observed: "sampling/createMessage on an idle connection", Proof: q.proof()})
			}
		}
	}
	return Passed(fmt.Sprintf("nothing was asked on a connection that was idle for %s", idleFor), e.Opening()[:1]...)
}

func judgeDeprecated(e *Evidence) Ruling {
	if !e.Facts.Modern() {
		return NotApplicable("belongs to 2026-07-28")
	}
	r := Ruling{Seen: 1}
	seen := map[string]bool{}
	for _, q := range e.questions() {
		if (q.method == "sampling/createMessage" || q.method == "roots/list") && !seen[q.method] {
			seen[q.method] = true
			r.Faults = append(r.Faults, Fault{Subject: q.method, Expected: "no use of what 2026-07-28 lets go", Observed: q.method + " in inputRequests", Proof: proofOf(q.received)})
		}
	}
	if e.Facts.Capability("logging").Exists() {
		r.Faults = append(r.Faults, Fault{Subject: "logging", Expected: "no use of what 2026-07-28 lets go", Observed: "the capability logging"})
	}
	return r
}
