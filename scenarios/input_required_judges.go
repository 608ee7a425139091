package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/scenarios/message"
)

func judgeInputShape(e *Evidence, shapes *message.Shapes) Ruling {
	about := inputShape()
	var r Ruling
	seen := map[string]bool{}
	add := func(f received, path, expected, observed string) {
		if key := pattern(path) + expected; !seen[key] {
			seen[key] = true
			r.Faults = append(r.Faults, Fault{Subject: path, Expected: expected, Observed: observed, Message: fmt.Sprintf("%s should be %s, is %s", path, expected, observed), Proof: proofOf(f)})
		}
	}
	for _, f := range e.frames() {
		result := f.event.Message().Result
		if !wantsInput(result) || f.revision == "" || f.x == nil {
			continue
		}
		r.Seen++
		if kind := result.Get("resultType"); kind.Str != "input_required" {
			add(f, "result.resultType", "input_required", orNone(kind))
		}
		if len(result.Get("inputRequests").Map()) == 0 && !result.Get("requestState").Exists() {
			add(f, "result", "inputRequests, requestState or both", "neither")
		}
		for _, fault := range e.shapeFaults(f, f.revision, f.context(), shapes) {
			told := fault.Path == "result.resultType" || fault.Path == "result" // said above
			if !told && fault.Level != message.Note && slices.ContainsFunc(fault.Requirements, func(id string) bool { return slices.Contains(about, id) }) {
				add(f, fault.Path, fault.Expected, fault.Observed)
			}
		}
	}
	if r.Seen == 0 {
		return e.whyNothingAsked()
	}
	return r
}

func judgeFormAdvice(e *Evidence) Ruling {
	if len(e.questions()) == 0 {
		return e.whyNothingAsked()
	}
	r := Ruling{Seen: len(e.questions())}
	for _, look := range []func(gjson.Result) []Fault{unknownRequired, secretFields, linksInForm} {
		r.Faults = append(r.Faults, eachForm(e, look).Faults...)
	}
	r.Faults = append(r.Faults, eachURL(e, notHTTPS).Faults...)
	r.Faults = append(r.Faults, eachURL(e, userData).Faults...)
	return r
}

func judgeOnlyForThree(e *Evidence) Ruling {
	var r Ruling
	for _, f := range e.frames() {
		if f.x == nil || f.revision == "" || !f.event.Message().HasResult {
			continue
		}
		switch f.x.Request.Method {
		case "tools/call", "prompts/get", "resources/read":
			continue
		}
		r.Seen++
		if wantsInput(f.event.Message().Result) {
			r.Faults = append(r.Faults, Fault{Subject: f.x.Request.Method, Expected: "a complete result", Observed: "a result that asks for input", Proof: proofOf(f)})
		}
	}
	return r
}

// declaredBy are the client's capabilities in _meta of a request.
func declaredBy(x *Exchange) gjson.Result {
	return x.Request.Root.Get("params._meta." + strings.ReplaceAll(fakes.MetaCapabilities, ".", `\.`))
}

// lacks names the capability that a question needs and the client did not declare, "" when it did.
func lacks(declared gjson.Result, method string, params gjson.Result) string {
	need := needsCapability(method)
	c := declared.Get(need)
	switch {
	case need == "" || need == "elicitation" && c.IsObject() && len(c.Map()) == 0 && params.Get("mode").Str != "url":
		return "" // an empty object means forms
	case !c.IsObject():
		return need
	case need != "elicitation":
		return ""
	case params.Get("mode").Str == "url" && !c.Get("url").Exists():
		return "elicitation.url"
	case params.Get("mode").Str != "url" && !c.Get("form").Exists():
		return "elicitation.form"
	}
	return ""
}

func judgeInputDeclared(e *Evidence) Ruling {
	var r Ruling
	seen := map[string]bool{}
	// What answers the scenario's own probes comes first: less came before it, so it is shown more easily.
	own := LabelScope(e.Cell.Scenario, e.Cell.Attempt)
	frames := slices.Clone(e.frames())
	slices.SortStableFunc(frames, func(a, b received) int {
		return cmp.Compare(b.rank(own), a.rank(own))
	})
	for _, f := range frames {
		if f.x == nil || f.revision == "" {
			continue
		}
		f.event.Message().Result.Get("inputRequests").ForEach(func(_, q gjson.Result) bool {
			need := lacks(declaredBy(f.x), q.Get("method").Str, q.Get("params"))
			if need != "" && !seen[need] {
				seen[need] = true
				r.Faults = append(r.Faults, Fault{
					Subject: toolName(f.x), Expected: "no question that needs " + need + ", which the request did not declare",
					Observed: q.Get("method").Str + ": " + short(q.Get("params.message").String(), 120), Proof: proofOf(f), With: declaring(e, f.x, 2),
				})
			}
			return true
		})
	}
	if len(r.Faults) > 0 {
		r.Seen = len(r.Faults)
		return r
	}
	if !e.talk("accept").asked() {
		return e.whyNothingAsked()
	}
	for _, label := range []string{"without", "without:after", "pages-only", "sampling-only"} {
		if x := e.Get(label); x.Answered() {
			r.Seen++
			r.Proof = append(r.Proof, x)
		}
	}
	return r
}

// rank is 1 for what answers a probe with the given beginning of its label, else 0.
func (f received) rank(scope string) int {
	if f.x != nil && strings.HasPrefix(f.x.Label, scope) {
		return 1
	}
	return 0
}

// declaring are the last exchanges before x that declared forms: a server that
// remembers what was declared asks because of them.
func declaring(e *Evidence, x *Exchange, most int) []*Exchange {
	var out []*Exchange
	for _, y := range e.Run.Exchanges(x.Tape) {
		if y.At < x.At && y.Request.ID != "" && declaredBy(y).Get("elicitation").Exists() {
			out = append(out, y)
		}
	}
	return out[max(0, len(out)-most):]
}

// eachRetry looks at what came back for every talk under a prefix. The look
// gets the talk and its second call.
func (e *Evidence) eachRetry(prefix string, look func(t *talk, after *Exchange) *Fault) Ruling {
	if !e.talk("accept").asked() {
		return e.whyNothingAsked()
	}
	var r Ruling
	for _, x := range e.All(prefix) {
		after := e.Get(x.Label + "/2")
		if strings.Contains(x.Label, "/") || after == nil {
			continue
		}
		r = r.add(after, look(&talk{call: x, end: after, rounds: [][]asked{inputRequests(x, after)}}, after))
	}
	return r
}

func lostAfter(t *talk, after *Exchange, what, expected string) *Fault {
	if after.Lost() == "" {
		return nil
	}
	return &Fault{Subject: what, Expected: expected, Observed: after.Lost(), Proof: t.proof()}
}

func judgeMissing(e *Evidence) Ruling {
	o := e.outcomes()
	r := e.eachRetry("missing:", func(t *talk, after *Exchange) *Fault {
		const expected = "the question again"
		f := &Fault{Subject: "a missing answer", Expected: expected, Observed: sayAnswer(after), Proof: t.proof()}
		switch {
		case after.Lost() != "" || after.Refused():
			return f
		case finished(after) && o.yes(saidBy(after)) && !o.no(saidBy(after)) && saidBy(after) != o.without:
			f.Observed = "the outcome of a yes: " + short(after.Text(), 200)
			return f
		}
		return nil
	})
	return r
}

func judgeInputExtra(e *Evidence) Ruling {
	o := e.outcomes()
	if !o.accept.asked() {
		return e.whyNothingAsked()
	}
	var r Ruling
	for _, extra := range []struct{ label, what string }{
		{"extra:answer", "an answer to nothing that was asked"}, {"extra:content", "a key that the form does not have"},
	} {
		if t := e.talk(extra.label); t.asked() && !t.end.Unusable() {
			r = r.add(t.end, o.disturbed(t, extra.what))
		}
	}
	slices.SortFunc(r.Faults, func(a, b Fault) int { return strings.Compare(a.Subject, b.Subject) })
	return r
}

func judgeWrongContainer(e *Evidence) Ruling {
	o := e.outcomes()
	return e.eachRetry("wrong:", func(t *talk, after *Exchange) *Fault {
		const expected = "an error, or the question again"
		what := strings.TrimPrefix(t.call.Label, "wrong:")
		if f := lostAfter(t, after, what, expected); f != nil {
			return f
		}
		// A state of the wrong type may be no state at all to a tool that needs none.
		if strings.HasPrefix(what, "answers") && finished(after) && o.yes(saidBy(after)) && saidBy(after) != o.without {
			return &Fault{Subject: what, Expected: expected, Observed: "the outcome of a yes: " + short(after.Text(), 200), Proof: t.proof()}
		}
		return nil
	})
}

// judgeUnanswered looks at twenty calls that nobody came back to: each is asked
// as if it were alone, and the server lives.
func judgeUnanswered(e *Evidence) Ruling {
	if t := e.talk("accept"); !t.asked() {
		for _, x := range e.All("find:") {
			if t.refused() && wantsInput(x.Result()) && toolName(x) == toolName(t.call) {
				return Broken(Fault{Subject: toolName(x), Expected: "the question, as at the first call, which was left unanswered", Observed: sayAnswer(t.call), Proof: []*Exchange{x, t.call}})
			}
		}
		return e.whyNothingAsked()
	}
	var r Ruling
	for _, x := range append(e.All("unanswered"), e.All("alive:unanswered")...) {
		const expected = "the question, as ever, while others are left unanswered"
		f := lostFault(x, expected)
		if f == nil && x.Label == "unanswered" && x.Refused() {
			f = &Fault{Expected: expected, Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		if f != nil {
			f.Subject, f.With = "questions that nobody comes back to", e.All("unanswered")
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotSeen("no questions were left unanswered")
	}
	return firstOfEach(r)
}

func judgeEnds(e *Evidence) Ruling {
	t := e.talk("accept")
	if !t.asked() && !stateOnly(t) {
		return e.whyNothingAsked()
	}
	if !t.givenUp {
		if !t.end.Answered() || wantsInput(t.end.Result()) {
			return NotSeen("the talk was not brought to its end")
		}
		return Passed(fmt.Sprintf("the call ended after %s", count(len(t.rounds), "round")), t.proof()...)
	}
	for _, round := range t.rounds {
		for _, q := range round {
			if q.params.Get("mode").Str != "url" && !closed(q.params.Get("requestedSchema")) {
				return NotSeen("the server asked again after each of ten answers that fit the form; it may want a text that only a person knows")
			}
		}
	}
	return Broken(Fault{Subject: toolName(t.call), Expected: "an end within ten rounds", Observed: fmt.Sprintf("the server still asks after %d answers that fit", maxRounds), Proof: t.proof()})
}

// stateOnly says that a call was answered with a state and no question.
func stateOnly(t *talk) bool {
	return t != nil && wantsInput(t.call.Result()) && t.call.Result().Get("requestState").Exists()
}
