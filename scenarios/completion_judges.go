package scenarios

import (
	"fmt"
	"strings"
)

// completed says what a completion is for: the prompt or template, and the argument.
func completed(x *Exchange) string {
	p := x.Request.Root.Get("params")
	name := p.Get("ref.name").String() + p.Get("ref.uri").String()
	return short(name, 80) + " " + short(p.Get("argument.name").String(), 60)
}

func judgeAtMost100(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("") {
		values := x.Result().Get("completion.values")
		if !values.IsArray() {
			continue
		}
		var f *Fault
		if n := len(values.Array()); n > 100 {
			f = &Fault{Subject: completed(x), Expected: "at most 100 values", Observed: fmt.Sprintf("%d values", n), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return e.notCompleted("no completion was answered with values")
	}
	return r
}

// notCompleted says why there are no completions to look at.
func (e *Evidence) notCompleted(why string) Ruling {
	if len(e.All("all:")) == 0 {
		return NotApplicable("the server lists no prompt with arguments and no template")
	}
	return NotSeen(why)
}

func judgeCompletionUnsupported(e *Evidence) Ruling {
	if e.Facts.Capability("completions").Exists() {
		return NotApplicable("the server declares completions")
	}
	x := e.Get("unsupported")
	if x.Unusable() {
		return NotSeen("completion/complete was not asked")
	}
	var f *Fault
	if x.Code() != -32601 {
		f = &Fault{Subject: "completion/complete", Expected: "JSON-RPC error -32601", Observed: sayCompletion(x), Proof: []*Exchange{x}}
	}
	return Ruling{}.add(x, f)
}

// sayCompletion tells an answer of completion/complete in one line.
func sayCompletion(x *Exchange) string {
	if v := x.Result().Get("completion.values"); v.IsArray() {
		return "a result of " + count(len(v.Array()), "value")
	}
	return sayAnswer(x)
}

func judgeCompletionUnknown(e *Evidence) Ruling {
	x := e.Get("unknown")
	if x.Unusable() {
		return NotSeen("the completion was not asked for")
	}
	values := x.Result().Get("completion.values")
	if values.IsArray() && len(values.Array()) == 0 {
		return Passed("answered with no values; the specification advises error -32602", x)
	}
	var f *Fault
	if x.Code() != -32602 {
		f = &Fault{Subject: "a prompt that does not exist", Expected: "JSON-RPC error -32602", Observed: sayCompletion(x), Proof: []*Exchange{x}}
	}
	return Ruling{}.add(x, f)
}

func judgeCompletionMissing(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("missing:") {
		var f *Fault
		if x.Code() != -32602 {
			f = &Fault{Subject: strings.Replace(x.Label, "missing:", "no ", 1), Expected: "JSON-RPC error -32602", Observed: sayCompletion(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeCompletionOdd(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("odd:") {
		what := map[string]string{"odd:ref": "an unknown kind of ref", "odd:number": "a number for the value", "odd:long": "a value of 10 kB"}[x.Label]
		observed := ""
		switch lost := x.Lost(); {
		case x.Status() >= 400 && x.Status() < 500:
			// Refused on the way in, by the HTTP side.
		case lost != "":
			observed = lost
		case x.Label == "odd:ref" && len(x.Result().Get("completion.values").Array()) > 0:
			observed = sayCompletion(x) + " for something that does not exist"
		}
		var f *Fault
		if observed != "" {
			f = &Fault{Subject: what, Expected: "an error or no values", Observed: observed, Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeCompletionContext(e *Evidence) Ruling {
	x, plain := e.Get("context"), e.Get("all:1")
	switch {
	case e.Facts.Revision < "2025-06-18":
		return NotApplicable("context came with 2025-06-18")
	case x == nil || !plain.Result().Exists():
		return e.notCompleted("nothing was completed that could have a context")
	}
	var f *Fault
	if !x.Result().Exists() {
		f = &Fault{Subject: completed(x), Expected: "the values, as without context", Observed: sayCompletion(x), Proof: []*Exchange{plain, x}}
	}
	return Ruling{}.add(x, f)
}

func judgeCompletionRelevance(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("typed:") {
		typed := strings.ToLower(x.Request.Root.Get("params.argument.value").String())
		other, late := "", ""
		begins := false
		for _, v := range x.Result().Get("completion.values").Array() {
			switch {
			case !strings.HasPrefix(strings.ToLower(v.String()), typed):
				other = v.String()
			case other != "" && late == "":
				late = v.String()
				begins = true
			default:
				begins = true
			}
		}
		if !begins {
			continue // the server looks for the text elsewhere in the values
		}
		var f *Fault
		if late != "" {
			f = &Fault{Subject: completed(x), Expected: fmt.Sprintf("values that begin with %q first", typed), Observed: fmt.Sprintf("%q before %q", short(other, 60), short(late, 60)), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	switch {
	case r.Seen == 0 && len(e.All("typed:")) > 0:
		return NotApplicable("no value begins with what was typed: the server looks for it elsewhere")
	case r.Seen == 0:
		return NotApplicable("no argument was completed to several values, so they have no order")
	}
	return r
}
