package scenarios

import (
	"fmt"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// asExchange shows a notification by itself.
func (r reported) asExchange() *Exchange { return loneFrame(r.received) }

// proof is the request with the notification that shows the fault.
func (r reported) proof() []*Exchange {
	if r.of == nil {
		return []*Exchange{r.asExchange()}
	}
	return []*Exchange{r.of, r.asExchange()}
}

func (r reported) param(name string) gjson.Result {
	return r.event.Message().Root.Get("params." + name)
}

// eachReport looks at every notification; one fault of a kind is enough.
func (e *Evidence) eachReport(look func(reported) *Fault) Ruling {
	var r Ruling
	for _, p := range e.reports() {
		r.Seen++
		if f := look(p); f != nil {
			f.Proof = p.proof()
			r.Faults = append(r.Faults, *f)
		}
	}
	if r.Seen == 0 {
		return e.whyNoProgress()
	}
	return firstOfEach(r)
}

// firstOfEach keeps the first fault about each subject.
func firstOfEach(r Ruling) Ruling {
	seen := map[string]bool{}
	r.Faults = slices.DeleteFunc(r.Faults, func(f Fault) bool {
		was := seen[f.Subject]
		seen[f.Subject] = true
		return was
	})
	return r
}

// eachReporting looks at the notifications of every request that got any.
func (e *Evidence) eachReporting(look func(all []reported) *Fault) Ruling {
	var r Ruling
	for _, all := range byRequest(e.reports()) {
		r.Seen++
		if f := look(all); f != nil {
			f.Subject = toolName(all[0].of)
			if f.Proof == nil {
				f.Proof = []*Exchange{all[0].of}
			}
			r.Faults = append(r.Faults, *f)
			continue
		}
		if len(r.Proof) < 2 {
			r.Proof = append(r.Proof, all[0].of)
		}
	}
	if r.Seen == 0 {
		return e.whyNoProgress()
	}
	return firstOfEach(r)
}

func judgeProgressSent(e *Evidence) Ruling {
	all := byRequest(e.reports())
	if len(all) == 0 {
		x := e.Get("token:string")
		if !x.Answered() {
			return e.whyNoProgress()
		}
		if r := e.whyNoProgress(); r.NA != "" {
			return r
		}
		return Broken(Fault{Subject: toolName(x), Expected: "notifications/progress with the caller's token", Observed: "an answer without any progress", Proof: []*Exchange{x}})
	}
	messages := map[string]bool{}
	for _, r := range all[0] {
		messages[r.param("message").String()] = true
	}
	note := fmt.Sprintf("%s of %s, without messages", count(len(all[0]), "notification"), toolName(all[0][0].of))
	if !messages[""] {
		note = fmt.Sprintf("%s of %s, %s", count(len(all[0]), "notification"), toolName(all[0][0].of), count(len(messages), "different message"))
	}
	return Passed(note, all[0][0].of)
}

func judgeTokenKnown(e *Evidence) Ruling {
	return e.eachReport(func(r reported) *Fault {
		if r.of != nil {
			return nil
		}
		return &Fault{Subject: "progressToken", Expected: "a token of a request that is running", Observed: "the token " + orNone(r.param("progressToken")) + ", which no request carried"}
	})
}

func judgeTokenEchoed(e *Evidence) Ruling {
	return e.eachReport(func(r reported) *Fault {
		if !r.loose {
			return nil
		}
		sent := r.of.Request.Root.Get("params._meta.progressToken")
		return &Fault{Subject: "progressToken", Expected: sent.Raw, Observed: short(r.param("progressToken").Raw, 80)}
	})
}

func judgeFalsyToken(e *Evidence) Ruling {
	told := map[string]bool{}
	for _, all := range byRequest(e.reports()) {
		told[all[0].of.Label] = true
	}
	plain := LabelScope(e.Cell.Scenario, e.Cell.Attempt) + "token:"
	if !told[plain+"string"] || !told[plain+"integer"] {
		return e.whyNoProgress()
	}
	var r Ruling
	for _, name := range []string{"zero", "empty"} {
		x := e.Get("token:" + name)
		var f *Fault
		if x.Answered() && !told[plain+name] {
			f = &Fault{Subject: "the token " + x.Request.Root.Get("params._meta.progressToken").Raw, Expected: "progress, as with other tokens", Observed: "none", Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

// judgeIncreasing compares what comes on one line or one HTTP stream: a call that
// was taken up again on another stream may hear there what it had heard before.
func judgeIncreasing(e *Evidence) Ruling {
	return e.eachReporting(func(all []reported) *Fault {
		lasts := map[int]gjson.Result{}
		for _, r := range all {
			last := lasts[r.event.Post]
			v := r.param("progress")
			if v.Type != gjson.Number {
				return &Fault{Expected: "a number", Observed: "progress " + orNone(v), Proof: r.proof()}
			}
			if last.Exists() && v.Num <= last.Num {
				return &Fault{Expected: "more than " + last.Raw, Observed: "progress " + v.Raw + " after " + last.Raw, Proof: r.proof()}
			}
			lasts[r.event.Post] = v
		}
		return nil
	})
}

func judgeTotal(e *Evidence) Ruling {
	known := false
	r := e.eachReporting(func(all []reported) *Fault {
		var total gjson.Result
		for _, r := range all {
			t, p := r.param("total"), r.param("progress")
			switch {
			case total.Exists() && !t.Exists():
				return &Fault{Expected: "total " + total.Raw + ", as before", Observed: "no total", Proof: r.proof()}
			case t.Type == gjson.Number && p.Num > t.Num:
				return &Fault{Expected: "progress up to its total", Observed: "progress " + p.Raw + " of " + t.Raw, Proof: r.proof()}
			}
			total = t
			known = known || t.Exists()
		}
		return nil
	})
	if r.Seen > 0 && !known && len(r.Faults) == 0 {
		return NotApplicable("the tools that report progress tell no total")
	}
	return r
}

func judgeUnasked(e *Evidence) Ruling {
	x := e.Get("unasked")
	if x.Unusable() || !x.Answered() {
		return e.whyNoProgress()
	}
	all := e.reports()
	for _, r := range all {
		inside := r.tape == x.Tape && r.at > x.At
		if inside && (r.of == nil || r.of.AnswerAt >= 0 && r.of.AnswerAt < x.At) && !r.late {
			return Broken(Fault{Subject: toolName(x), Expected: "no progress for a call without a token", Observed: "progress with the token " + orNone(r.param("progressToken")), Proof: []*Exchange{x, r.asExchange()}})
		}
	}
	if len(all) == 0 {
		return e.whyNoProgress() // a tool that never reports shows nothing
	}
	return Passed("", x)
}

func judgeLateProgress(e *Evidence) Ruling {
	return e.eachReport(func(r reported) *Fault {
		if !r.late {
			return nil
		}
		after := r.event.At - r.tape.Events()[r.of.AnswerAt].At
		return &Fault{Subject: toolName(r.of), Expected: "no progress after the answer", Observed: fmt.Sprintf("progress %s, %d ms after the answer", orNone(r.param("progress")), after.Milliseconds())}
	})
}

func judgeBeforeAnswer(e *Evidence) Ruling {
	return e.eachReporting(func(all []reported) *Fault {
		if slices.ContainsFunc(all, func(r reported) bool { return !r.late }) {
			return nil
		}
		return &Fault{Expected: "progress before the answer", Observed: "progress only after the answer", Proof: all[0].proof()}
	})
}

// manyASecond is how many notifications of one call in a second are a flood.
const manyASecond = 100

func judgeRate(e *Evidence) Ruling {
	return e.eachReporting(func(all []reported) *Fault {
		for i := range all {
			if j := i + manyASecond; j < len(all) && all[j].event.At-all[i].event.At < time.Second {
				return &Fault{Expected: "at most 100 notifications a second", Observed: fmt.Sprintf("more than %d within %d ms", manyASecond, (all[j].event.At - all[i].event.At).Milliseconds())}
			}
		}
		return nil
	})
}

func judgeOwnStream(e *Evidence) Ruling {
	if e.Cell.Transport != "http" {
		return NotApplicable("there is one stream alone")
	}
	if !e.Facts.Modern() {
		return NotApplicable("belongs to 2026-07-28")
	}
	return e.eachReport(func(r reported) *Fault {
		if r.of == nil || r.late || r.event.Post == r.of.Sent.Post {
			return nil
		}
		return &Fault{Subject: toolName(r.of), Expected: "progress on the stream of its request", Observed: "progress on " + streamOf(r.tape, r.event.Post)}
	})
}

// streamOf names the request that an HTTP stream answers.
func streamOf(t *wire.Tape, post int) string {
	for _, ev := range t.Events() {
		if ev.Kind == wire.Send && ev.Post == post {
			return "the stream of " + ev.Message().Method
		}
	}
	return "another stream"
}

func judgeDeaf(e *Evidence) Ruling {
	if e.Cell.Transport != "http" {
		return NotApplicable("over this transport every client hears everything")
	}
	x := e.Get("deaf")
	if e.Facts.Modern() {
		x = e.Get("token:string") // nobody opens a stream of its own in this era
	}
	if x.Unusable() {
		return e.whyNoProgress()
	}
	return Ruling{}.add(x, lostFault(x, "the answer"))
}
