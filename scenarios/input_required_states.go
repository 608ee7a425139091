package scenarios

import (
	"strings"

	"github.com/tidwall/gjson"
)

const noState = "the server keeps no requestState"

func judgeTampered(e *Evidence) Ruling {
	o := e.outcomes()
	if t := e.talk("accept"); t.asked() && t.call.Result().Get("requestState").Type != gjson.String {
		return NotApplicable(noState)
	}
	unnoticed := 0
	r := e.eachRetry("tamper:", func(t *talk, after *Exchange) *Fault {
		const expected = "an error, the question again, or what the unchanged state leads to"
		what := tamperedHow(t.call.Label)
		if f := lostAfter(t, after, what, expected); f != nil {
			return f
		}
		said := saidBy(after)
		switch {
		case !finished(after) || o.no(said):
			return nil
		case said == o.first(e):
			unnoticed++
			return nil
		case !o.steady():
			return nil // the tool never says the same twice, so nothing can be told
		}
		return &Fault{Subject: what, Expected: expected, Observed: "another outcome: " + short(after.Text(), 200), Proof: append(t.proof(), o.accept.end)}
	})
	if len(r.Faults) == 0 && unnoticed > 0 {
		r.Note = count(unnoticed, "change") + " went unnoticed and changed nothing"
	}
	return r
}

// first is what the tool says after the first round of fitting answers.
func (o outcomes) first(e *Evidence) string {
	if x := e.Get("accept/2"); x.Answered() {
		return saidBy(x)
	}
	return o.accept.saying()
}

func tamperedHow(label string) string {
	how := strings.TrimPrefix(label, "tamper:")
	switch {
	case strings.HasPrefix(how, "flip"):
		return "one character of the state changed"
	case how == "half", how == "cut":
		return "the end of the state cut off"
	case how == "other-call":
		return "the state of another call"
	}
	return "a value inside the state changed"
}

func judgeHostile(e *Evidence) Ruling {
	return e.eachRetry("hostile:", func(t *talk, after *Exchange) *Fault {
		return lostAfter(t, after, strings.TrimPrefix(t.call.Label, "hostile:"), "an error, or the question again")
	})
}

func judgeStateAlone(e *Evidence) Ruling {
	if t := e.talk("accept"); t.asked() && !t.call.Result().Get("requestState").Exists() {
		return NotApplicable(noState)
	}
	return e.eachRetry("alone", func(t *talk, after *Exchange) *Fault {
		if f := lostAfter(t, after, "a state without answers", "the question again, or an error"); f != nil {
			return f
		}
		return properEnd(after, "the question again, or an error that says what is missing")
	})
}

func judgeChangedQuestion(e *Evidence) Ruling {
	o := e.outcomes()
	if o.accept.asked() && !o.accept.call.Result().Get("requestState").Exists() {
		return NotApplicable(noState)
	}
	if o.accept.asked() && len(e.All("changed:")) == 0 {
		return NotSeen("both argument sets lead to the same question; give the role asks an alternative whose question differs")
	}
	wanted := e.talk("other-accept").saying()
	return e.eachRetry("changed:", func(t *talk, after *Exchange) *Fault {
		const expected = "the question again, or an error"
		what := "the answer to one question, sent with the arguments of another"
		if f := lostAfter(t, after, what, expected); f != nil {
			return f
		}
		said := saidBy(after)
		if !finished(after) || o.no(said) || said == o.without && said != wanted {
			return nil
		}
		if said == o.accept.saying() && said != wanted {
			return nil // it did what the person agreed to, whatever the arguments say
		}
		return &Fault{Subject: what, Expected: expected, Observed: "done without asking: " + short(after.Text(), 200), Proof: t.proof()}
	})
}

func judgeOtherTool(e *Evidence) Ruling {
	if t := e.talk("accept"); t.asked() && !t.call.Result().Get("requestState").Exists() {
		return NotApplicable(noState)
	}
	if e.talk("accept").asked() && !e.Get("second").Result().Get("requestState").Exists() {
		return NotApplicable("no second tool was seen that asks and keeps a state")
	}
	yes := e.talk("second-accept")
	return e.eachRetry("other-tool:", func(t *talk, after *Exchange) *Fault {
		const expected = "the question again, or an error"
		what := "the state of " + toolName(t.call) + " with " + toolName(after)
		if f := lostAfter(t, after, what, expected); f != nil {
			return f
		}
		if !finished(after) || !yes.succeeded() || alike(saidBy(after), yes.saying()) < 0.7 {
			return nil
		}
		return &Fault{Subject: what, Expected: expected, Observed: "done without asking: " + short(after.Text(), 200), Proof: t.proof()}
	})
}

func judgeReplay(e *Evidence) Ruling {
	if !e.talk("accept").asked() {
		return e.whyNothingAsked()
	}
	x := e.Get("replay")
	if x.Unusable() {
		return NotSeen("the finished call was not sent again")
	}
	if f := properEnd(x, "an answer"); f != nil {
		return Ruling{}.add(x, f)
	}
	note := "the finished call that was sent again was answered by " + x.Channel()
	if finished(x) {
		note = "the finished call that was sent again was served again: " + short(x.Text(), 160)
	}
	return Passed(note, x)
}

func judgeInputAsksAgain(e *Evidence) Ruling {
	r := judgeAsksAgain(e)
	if r.NA != "" || r.Unseen != "" {
		return r
	}
	for _, prefix := range []string{"tamper:", "changed:"} {
		more := e.eachRetry(prefix, func(t *talk, after *Exchange) *Fault {
			if !after.Refused() {
				return nil
			}
			return &Fault{Subject: t.call.Label, Expected: "the question again", Observed: sayAnswer(after), Proof: t.proof()}
		})
		r.Seen += more.Seen
		r.Faults = append(r.Faults, more.Faults...)
	}
	return r
}
