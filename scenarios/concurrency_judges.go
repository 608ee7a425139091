package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

func judgeMixed(e *Evidence) Ruling {
	var r Ruling
	for _, prefix := range []string{"mixed:", "parallel:", "pair:"} {
		for _, x := range e.All(prefix) {
			if x.End == "http" && x.Status() >= 400 {
				r = r.add(x, nil) // refused, and so answered
				continue
			}
			f := lostFault(x, "an answer")
			if f != nil {
				f.With, f.Beside = e.meeting(x, prefix), twoAtOnce(prefix)
			}
			r = r.add(x, f)
		}
	}
	return r
}

// twoAtOnce says of the requests under a label that they went out on two sessions.
func twoAtOnce(label string) bool { return label == "pair:" }

// meeting are the calls that went out together with one; of those on two
// sessions, which carry the same ids, the next ones on either side.
func (e *Evidence) meeting(x *Exchange, prefix string) []*Exchange {
	all := e.All(prefix)
	if !twoAtOnce(prefix) {
		return all
	}
	near := func(y *Exchange) bool {
		a, _ := strconv.Atoi(x.Request.ID)
		b, _ := strconv.Atoi(y.Request.ID)
		return max(a-b, b-a) <= 2
	}
	return slices.DeleteFunc(all, func(y *Exchange) bool { return !near(y) })
}

func judgeHundred(e *Evidence) Ruling {
	all := e.All("hundred:")
	var r Ruling
	var lost []*Exchange
	for _, x := range all {
		if x.Unusable() {
			continue
		}
		r.Seen++
		if !x.Answered() {
			lost = append(lost, x)
		}
	}
	switch {
	case r.Seen < hundred:
		return NotSeen("the requests could not all be sent")
	case len(lost) > 0:
		return Broken(Fault{
			Subject: "a hundred requests", Expected: "a hundred answers", Observed: fmt.Sprintf("%d got no answer; the first: %s", len(lost), lost[0].Lost()),
			Message: fmt.Sprintf("%d of %d requests at once got no answer", len(lost), r.Seen), Proof: lost[:min(3, len(lost))], With: all,
		})
	}
	r.Proof = all[:1]
	return r
}

// callResult is what a call brought, for comparison.
func callResult(x *Exchange) string {
	return x.Channel() + " " + x.Text() + " " + structured(x).Raw
}

// steady returns, by label, the serial calls that brought the same twice.
func (e *Evidence) steady() map[string]*Exchange {
	out := map[string]*Exchange{}
	for _, x := range e.All("serial:") {
		label := strings.TrimPrefix(x.Label, "serial:")
		if again := e.Get("again:" + label); x.Answered() && again.Answered() && callResult(x) == callResult(again) {
			out[label] = x
		}
	}
	return out
}

func judgeCrossTalk(e *Evidence) Ruling {
	steady := e.steady()
	kinds := map[string]bool{}
	for _, x := range steady {
		kinds[callResult(x)] = true
	}
	switch {
	case len(steady) == 0:
		return NotSeen("no tool that may be called answers the same call the same way quickly; allow one with --allow or a call in conform.yaml")
	case len(kinds) < 2:
		return NotSeen("all calls that could be made bring the same result, so that a mix-up could not be seen; write down a call with other arguments in conform.yaml")
	}
	var r Ruling
	for _, prefix := range []string{"parallel:", "pair:"} {
		for _, x := range e.All(prefix) {
			label, _, _ := cutLast(strings.TrimPrefix(x.Label, prefix), "/")
			ref := steady[label]
			if ref == nil || !x.Answered() {
				continue // lost answers are judged by themselves
			}
			got := callResult(x)
			var f *Fault
			if got != callResult(ref) {
				f = &Fault{Subject: toolName(x), Expected: "as when called alone: " + short(callResult(ref), 200), Observed: short(got, 200), Proof: []*Exchange{ref, x}, With: e.meeting(x, prefix), Beside: twoAtOnce(prefix)}
				if kinds[got] {
					f.Message = toolName(x) + ": the answer is that of another call at the same time"
				}
			}
			r = r.add(x, f)
		}
	}
	return r
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// took is the time from a request to its answer.
func took(x *Exchange) time.Duration {
	return x.Tape.Events()[x.AnswerAt].At - x.Sent.At
}

const wantSlow = "no call took between 2 and 8 seconds; give a tool the role slow in conform.yaml"

func judgeSlowBlocks(e *Evidence) Ruling {
	slow, x, idle := e.Get("slow:call"), e.Get("beside:list"), e.Get("idle:list")
	if !slow.Answered() || x.Unusable() || !idle.Answered() {
		return NotSeen(wantSlow)
	}
	// A server that takes long for everything holds nothing up.
	limit := 2*took(idle) + 300*time.Millisecond
	if took(slow) < limit {
		return NotSeen(wantSlow)
	}
	if f := lostFault(x, "the list, while the call runs"); f != nil {
		return Broken(*f)
	}
	if x.AnswerAt > slow.AnswerAt && took(x) > limit {
		return Broken(Fault{
			Subject: "tools/list", Expected: "the list, while " + toolName(slow) + " runs", Observed: fmt.Sprintf("the list comes behind the answer of %s", toolName(slow)),
			Message: fmt.Sprintf("while %s runs, nothing else is answered", toolName(slow)), Proof: []*Exchange{slow, x},
		})
	}
	return Passed("", slow, x)
}

func judgePingDuringWork(e *Evidence) Ruling {
	slow, x, idle := e.Get("slow:call"), e.Get("beside:ping"), e.Get("idle:ping")
	if !slow.Answered() || x.Unusable() || !idle.Answered() {
		return NotSeen(wantSlow)
	}
	if f := lostFault(x, "an answer within 2 s, while the call runs"); f != nil {
		return Broken(*f)
	}
	if took(x) > 2*time.Second+took(idle) {
		return Broken(Fault{Subject: "ping", Expected: "an answer within 2 s, while " + toolName(slow) + " runs", Observed: "an answer after " + roughly(took(x).Milliseconds()), Proof: []*Exchange{slow, x}})
	}
	return Passed("", slow, x)
}

func judgeAffinity(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("elsewhere:") {
		ref := e.Get("serial:" + strings.TrimPrefix(x.Label, "elsewhere:"))
		if ref == nil || !ref.Succeeded() {
			continue
		}
		var f *Fault
		if !x.Succeeded() {
			f = &Fault{Subject: toolName(x), Expected: "the answer that it gives where it was listed", Observed: sayAnswer(x), Proof: []*Exchange{ref, x}}
		}
		r = r.add(x, f)
	}
	fails := func(x *Exchange) bool {
		return x != nil && (x.IsRPCError() || x.AsksInput() || !x.Answered() && x.Lost() != "")
	}
	if x := e.Get("retried"); x != nil && !fails(e.Get("retried-here")) {
		var f *Fault
		if fails(x) {
			f = &Fault{Subject: toolName(x), Expected: "a final result: the question was cancelled", Observed: sayAnswer(x), Message: toolName(x) + ": a question that was asked on one connection cannot be answered on another", Proof: []*Exchange{e.Get("asked"), x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotSeen("no tool could be called; allow one with --allow, or give one the role asks in conform.yaml")
	}
	return r
}

func judgeSameShape(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("serial:") {
		again := e.Get("again:" + strings.TrimPrefix(x.Label, "serial:"))
		if !x.Succeeded() || !again.Succeeded() {
			continue
		}
		var f *Fault
		if a, b := jsonShape(x.Result(), 0), jsonShape(again.Result(), 0); a != b {
			f = &Fault{Subject: toolName(x), Expected: short(a, 300), Observed: short(b, 300), Proof: []*Exchange{x, again}}
		}
		r = r.add(again, f)
	}
	if r.Seen == 0 {
		return NotSeen("no tool could be called twice; allow one with --allow or a call in conform.yaml")
	}
	return r
}

// jsonShape writes a value with its kinds in place of its values. Lists are
// told by the kinds of their members: their lengths may differ.
func jsonShape(v gjson.Result, depth int) string {
	switch {
	case depth > 12:
		return "…"
	case v.IsObject():
		var parts []string
		v.ForEach(func(k, m gjson.Result) bool {
			parts = append(parts, k.Str+": "+jsonShape(m, depth+1))
			return true
		})
		return "{" + strings.Join(slices.Sorted(slices.Values(parts)), ", ") + "}"
	case v.IsArray():
		kinds := map[string]bool{}
		var parts []string
		for _, m := range v.Array() {
			if s := jsonShape(m, depth+1); !kinds[s] {
				kinds[s] = true
				parts = append(parts, s)
			}
		}
		return "[" + strings.Join(slices.Sorted(slices.Values(parts)), ", ") + "]"
	case v.Type == gjson.True || v.Type == gjson.False:
		return "boolean"
	}
	return strings.ToLower(v.Type.String())
}
