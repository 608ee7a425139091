package scenarios

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// outcomes are what the asking tool said to the answers of a person. Both eras
// use the same labels, so that the same judges serve both.
type outcomes struct {
	accept, again, second, decline, cancel *talk
	// without is what it said to a client that shows no forms.
	without string
}

func (e *Evidence) outcomes() outcomes {
	o := outcomes{accept: e.talk("accept"), again: e.talk("accept:again"), second: e.talk("accept:2"), decline: e.talk("decline"), cancel: e.talk("cancel")}
	if x := e.Get("without"); x.Answered() && !wantsInput(x.Result()) {
		o.without = saidBy(x)
	}
	return o
}

// yes says that a text is what the tool says after a yes.
func (o outcomes) yes(s string) bool {
	return s != "" && (o.accept.succeeded() && s == o.accept.saying() || o.second.succeeded() && s == o.second.saying())
}

// no says that a text is what the tool says after a refusal.
func (o outcomes) no(s string) bool {
	return s != "" && (s == o.decline.saying() || s == o.cancel.saying())
}

// steady says that the tool says the same to the same answer.
func (o outcomes) steady() bool {
	return o.accept.saying() != "" && o.accept.saying() == o.again.saying()
}

// countsAsYes says that a refusal led to what a yes leads to. other is the
// refusal of the other kind. What the tool also says to clients without forms
// may be a default that needs no answer; what it says to every answer tells nothing.
func (o outcomes) countsAsYes(refusal, other *talk) bool {
	s := refusal.saying()
	a, b := o.accept.saying(), o.second.saying()
	switch {
	case !o.yes(s) || s == o.without:
		return false
	case a == b || b == "" || o.second == nil:
		return s != other.saying() && !negative(s)
	case s == b && consent(o):
		return false // a no by the form's own box reads like a refusal
	}
	return true
}

// consent says that the form is nothing but boxes to tick.
func consent(o outcomes) bool {
	form := o.accept.form()
	for _, f := range form.Get("properties").Map() {
		if f.Get("type").Str != "boolean" {
			return false
		}
	}
	return true
}

// countsAsNo says that a fitting answer was taken for a refusal. That cannot be
// told of forms with free text, where the text may have been the wrong one.
func (o outcomes) countsAsNo() bool {
	a, b := o.accept.saying(), o.second.saying()
	d, c := o.decline.saying(), o.cancel.saying()
	return closed(o.accept.form()) && a != "" && a == b && d != c && (a == d || a == c) && negative(a)
}

// negative says that a text speaks of something that was not done.
func negative(s string) bool {
	return regexp.MustCompile(`(?i)\b(not|no|nothing|never|declin\w*|cancel\w*|refus\w*|abort\w*|skip\w*|reject\w*|dismiss\w*|denied|without)\b`).MatchString(s)
}

func judgeAccepted(e *Evidence) Ruling {
	o := e.outcomes()
	if !o.accept.asked() {
		return e.whyNothingAsked()
	}
	end := o.accept.end
	if o.accept.givenUp {
		return stillAsking(e, o.accept)
	}
	if wantsInput(end.Result()) {
		return NotSeen("the talk was not brought to its end")
	}
	f := properEnd(end, "an end of the call")
	if f == nil && o.countsAsNo() {
		f = &Fault{Subject: toolName(end), Expected: "the outcome of a yes", Observed: "what it also says to a refusal: " + short(end.Text(), 200), Proof: append(o.accept.proof(), o.decline.end)}
	}
	r := Ruling{}.add(end, f)
	if f == nil && end.Refused() {
		r.Note = "the call ended in an error after an answer that fits: " + short(end.Text(), 160)
	}
	return r
}

// stillAsking rules over a talk in which the client gave up. Where a free text
// has to be the right one, no script can find it.
func stillAsking(e *Evidence, t *talk) Ruling {
	if e.Facts.Modern() {
		return NotSeen("the server still asked after ten answers; input-required/ends tells of it")
	}
	if !closed(t.form()) {
		return NotSeen("the server asked again after each of ten answers that fit the form; it may want a text that only a person knows")
	}
	return Broken(Fault{Subject: toolName(t.call), Expected: "an end of the call", Observed: fmt.Sprintf("the server asks on after %d answers that fit the form", maxRounds), Proof: t.proof()})
}

func judgeDecline(e *Evidence) Ruling { return judgeRefusal(e, "decline", "cancel") }

func judgeCancel(e *Evidence) Ruling { return judgeRefusal(e, "cancel", "decline") }

func judgeRefusal(e *Evidence, action, other string) Ruling {
	o := e.outcomes()
	if !o.accept.asked() {
		return e.whyNothingAsked()
	}
	var r Ruling
	for _, label := range []string{action, action + ":again"} {
		t := e.talk(label)
		if !t.asked() {
			continue
		}
		f := properEnd(t.end, "an end of the call after "+action)
		switch {
		case f != nil:
		case t.givenUp || repeats(t) > 2:
			f = &Fault{Subject: toolName(t.call), Expected: "an end of the call after " + action, Observed: fmt.Sprintf("the same question %d times", repeats(t)), Proof: t.proof()}
		case wantsInput(t.end.Result()):
			continue
		case o.countsAsYes(t, e.talk(other)):
			f = &Fault{Subject: toolName(t.call), Expected: "another outcome than after a yes", Observed: "the outcome of a yes: " + short(t.end.Text(), 200), Proof: append(t.proof(), o.accept.end)}
		}
		r = r.add(t.end, f)
		if f != nil {
			break // once is enough
		}
	}
	return r
}

// repeats is how often the first question of a talk was asked.
func repeats(t *talk) int {
	n := 0
	for _, round := range t.rounds {
		if len(round) > 0 && sameQuestion(round[0], t.rounds[0][0]) {
			n++
		}
	}
	return n
}

// sameQuestion says that two questions have the same words and the same form.
func sameQuestion(a, b asked) bool {
	return a.method == b.method && a.params.Get("message").Raw == b.params.Get("message").Raw &&
		(a.params.Get("requestedSchema").Raw == b.params.Get("requestedSchema").Raw ||
			sameJSON(a.params.Get("requestedSchema").Raw, b.params.Get("requestedSchema").Raw))
}

func judgePrintMode(e *Evidence) Ruling {
	t := e.talk("cancel")
	if !t.asked() {
		return e.whyNothingAsked()
	}
	if n := repeats(t); n > 2 {
		return Broken(Fault{Subject: toolName(t.call), Expected: "no more than one further question after a cancel", Observed: fmt.Sprintf("the same question %d times", n), Proof: t.proof()})
	}
	if !t.end.Answered() {
		return NotSeen("the call was not answered after its question was cancelled; elicitation/cancel tells of it")
	}
	return Passed("", t.proof()...)
}

func judgeMisfit(e *Evidence) Ruling {
	o := e.outcomes()
	if !o.accept.asked() {
		return e.whyNothingAsked()
	}
	var r Ruling
	for _, x := range append(e.All("misfit:"), e.All("odd:")...) {
		t := e.talk(x.Label)
		if !t.asked() || strings.Contains(x.Label, "/") {
			continue
		}
		answer := short(t.rounds[0][0].answer.Raw, 120)
		if reply := e.Get(x.Label + "/2"); reply != nil && reply.Lost() != "" {
			r = r.add(reply, &Fault{Subject: answer, Expected: "the question again, or an error", Observed: reply.Lost(), Proof: []*Exchange{x, reply}})
			continue
		}
		if how := o.actedOn(t); how != "" {
			r = r.add(t.end, &Fault{Subject: answer, Expected: "the question again, or an error", Observed: how, Proof: t.proof()})
			continue
		}
		r = r.add(afterFirst(e, t), nil)
	}
	if r.Seen == 0 {
		return NotApplicable("the form takes every answer")
	}
	return r
}

// afterFirst is the exchange that shows what came after the first answer.
func afterFirst(e *Evidence, t *talk) *Exchange {
	if x := e.Get(t.call.Label + "/2"); x != nil {
		return x
	}
	return t.end
}

// actedOn says how an answer that does not fit was acted upon; "" when it was
// asked for again, refused, or taken for no answer.
func (o outcomes) actedOn(t *talk) string {
	if len(t.rounds) > 1 {
		if len(o.accept.rounds) > 1 && len(t.rounds[1]) > 0 && sameQuestion(t.rounds[1][0], o.accept.rounds[1][0]) && !sameQuestion(t.rounds[0][0], t.rounds[1][0]) {
			return "the next question, as after an answer that fits"
		}
		return ""
	}
	end := t.end
	switch {
	case end.Lost() != "":
		return end.Lost()
	case end.Code() == -32603:
		return sayAnswer(end)
	case !t.succeeded() || o.no(t.saying()):
		return ""
	case o.yes(t.saying()) || o.soundsLikeYes(t.saying()):
		return "the outcome of an answer that fits: " + short(end.Text(), 200)
	}
	return ""
}

// soundsLikeYes says that a text has at least half of its words from a yes, and
// fewer from either refusal.
func (o outcomes) soundsLikeYes(s string) bool {
	yes := alike(s, o.accept.saying())
	return yes >= 0.5 && yes > alike(s, o.decline.saying()) && yes > alike(s, o.cancel.saying())
}

// alike is the share of words that two texts have in common, from 0 to 1.
func alike(a, b string) float64 {
	count := map[string]int{}
	split := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	}
	x, y := split(a), split(b)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	for _, w := range x {
		count[w]++
	}
	common := 0
	for _, w := range y {
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(x)+len(y))
}

func judgeAsksAgain(e *Evidence) Ruling {
	o := e.outcomes()
	if !o.accept.asked() {
		return e.whyNothingAsked()
	}
	var r Ruling
	for _, x := range append(e.All("misfit:"), e.All("missing:")...) {
		if strings.Contains(x.Label, "/") {
			continue
		}
		t := e.talk(x.Label)
		after := afterFirst(e, t)
		if !t.asked() || !after.Answered() {
			continue
		}
		r.Seen++
		// What acts on the answer or breaks is told by misfit-asked-again.
		if len(t.rounds) < 2 && after.Code() != -32603 && o.actedOn(t) == "" {
			r.Faults = append(r.Faults, Fault{Subject: x.Label, Expected: "the same question again", Observed: sayAnswer(after), Proof: t.proof()})
		}
	}
	return r
}

func judgeExtra(e *Evidence) Ruling {
	o := e.outcomes()
	if !o.accept.asked() {
		return e.whyNothingAsked()
	}
	t := e.talk("extra")
	if t == nil {
		return NotApplicable("the form allows no keys but its own")
	}
	if !t.asked() || t.end.Unusable() {
		return NotSeen("the call with a further key was not made")
	}
	return Ruling{}.add(t.end, o.disturbed(t, "a key that was not asked for"))
}

// disturbed is the fault of a talk that did not come to the end that a fitting answer leads to.
func (o outcomes) disturbed(t *talk, by string) *Fault {
	if !o.accept.succeeded() {
		return nil
	}
	f := Fault{Subject: by, Expected: "the outcome of an answer that fits", Proof: t.proof()}
	switch {
	case t.end.Lost() != "":
		f.Observed = t.end.Lost()
	case repeats(t) > repeats(o.accept):
		f.Observed = "the question again"
	case t.refused():
		f.Observed = sayAnswer(t.end)
	default:
		return nil
	}
	return &f
}

func judgeAcceptEmpty(e *Evidence) Ruling {
	t := e.talk("empty")
	if !e.talk("accept").asked() {
		return e.whyNothingAsked()
	}
	if !t.asked() {
		return NotSeen("no answer without content was given")
	}
	x := afterFirst(e, t)
	return Ruling{}.add(x, properEnd(x, "the question again, or an error that says what is missing"))
}
