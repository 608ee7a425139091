package scenarios

import (
	"fmt"
	"slices"
	"strings"
)

// promptOf is the name of the prompt that an exchange asked for.
func promptOf(x *Exchange) string { return x.Request.Root.Get("params.name").String() }

// unknownAsks are the requests for prompts that the server does not list. One
// that fell over its HTTP headers never came to the prompts.
func (e *Evidence) unknownAsks(prefix string) []*Exchange {
	return slices.DeleteFunc(e.All(prefix), func(x *Exchange) bool {
		return x.Code() == -32020 || slices.ContainsFunc(e.entries("prompts/list"), func(n entry) bool { return n.name() == promptOf(x) })
	})
}

func judgePromptUnknown(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.unknownAsks("unknown:") {
		var f *Fault
		if !x.IsRPCError() || x.Code() != -32602 {
			f = &Fault{Subject: fmt.Sprintf("%q", promptOf(x)), Expected: "JSON-RPC error -32602", Observed: sayPrompt(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

// sayPrompt tells an answer of prompts/get in one line.
func sayPrompt(x *Exchange) string {
	if m := x.Result().Get("messages"); m.IsArray() {
		return "a prompt of " + count(len(m.Array()), "message")
	}
	return sayAnswer(x)
}

func judgePromptPrototype(e *Evidence) Ruling {
	plain := e.Get("unknown:plain")
	if !plain.Answered() {
		return NotSeen("the request for a plain unknown name was not answered, so there is nothing to compare with")
	}
	var r Ruling
	for _, x := range e.unknownAsks("unknown:proto:") {
		var f *Fault
		if shape(x) != shape(plain) {
			f = &Fault{
				Subject: promptOf(x), Expected: "the same kind of answer as for " + promptOf(plain) + ": " + sayPrompt(plain), Observed: sayPrompt(x),
				Message: promptOf(x) + " is answered differently from other unknown prompts", Proof: []*Exchange{plain, x},
			}
		}
		r = r.add(x, f)
	}
	return r
}

func judgePromptEscaped(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.unknownAsks("unknown:escape:") {
		if !x.Answered() {
			continue
		}
		var f *Fault
		if raw := echoed(x.Text()+dataText(x), promptOf(x)); len(raw) > 0 {
			f = &Fault{Subject: fmt.Sprintf("%q", promptOf(x)), Expected: "the name without raw control characters", Observed: strings.Join(raw, ", ") + " in: " + short(x.Text(), 200), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

// fetched returns the exchanges of prompts that were fetched under a label, and
// a ruling for those who find none.
func (e *Evidence) fetched(prefix, none string) ([]*Exchange, Ruling) {
	all := e.All(prefix)
	switch {
	case len(all) > 0:
		return all, Ruling{}
	case len(e.entries("prompts/list")) == 0:
		return nil, NotApplicable("the server lists no prompts")
	case !e.Facts.Run.PromptsCallable:
		return nil, NotSeen("prompts say nothing of what they do, so they are fetched with --allow all alone")
	}
	return nil, NotApplicable(none)
}

func judgePromptMissing(e *Evidence) Ruling {
	all, r := e.fetched("missing:", "no prompt has a required argument")
	for _, x := range all {
		var f *Fault
		if !x.IsRPCError() || x.Code() != -32602 {
			f = &Fault{Subject: promptOf(x), Expected: "JSON-RPC error -32602", Observed: sayPrompt(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgePromptOdd(e *Evidence) Ruling {
	all, r := e.fetched("odd:", "no prompt was fetched")
	for _, x := range all {
		var f *Fault
		observed := ""
		switch {
		case x.Lost() != "":
			observed = x.Lost()
		case x.IsRPCError() && saysException(x.Text()):
			observed = "an exception of the handler: " + short(x.Text(), 200)
		case x.Code() == -32603 && !saysInvalid(x.Text()) && e.given(x):
			observed = "an internal error, as if the server were to blame: " + short(x.Text(), 200)
		case strings.Contains(x.Result().Get("messages").Raw, "[object Object]"):
			observed = "the words [object Object] in the prompt"
		}
		if observed != "" {
			f = &Fault{Subject: promptOf(x), Expected: "JSON-RPC error -32602, or the argument as it was given", Observed: observed, Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

// given says that the prompt of an exchange was given out with good arguments.
func (e *Evidence) given(x *Exchange) bool {
	n, _, _ := strings.Cut(strings.TrimPrefix(x.Label, "odd:"), ":")
	return e.Get("get:" + n).Result().Get("messages").IsArray()
}

// saysException says that an error is what a language makes of a value of the
// wrong type, not what a check says.
func saysException(text string) bool {
	for _, w := range []string{"is not a function", "Cannot read propert", "is not iterable", "TypeError", "AttributeError", "has no attribute", "NoneType", "NullPointerException", "ClassCastException", "nil pointer", "interface conversion"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

func judgePromptSanitized(e *Evidence) Ruling {
	all, r := e.fetched("hostile:", "no prompt has an argument")
	for _, x := range all {
		plain := e.Get("get:" + strings.TrimPrefix(x.Label, "hostile:"))
		if !plain.Result().Get("messages").IsArray() || !x.Answered() {
			continue
		}
		var f *Fault
		if want, got := roles(plain), roles(x); x.Result().Get("messages").IsArray() && got != want {
			f = &Fault{Subject: promptOf(x), Expected: "messages of " + want + ", as with a plain word", Observed: "messages of " + got, Proof: []*Exchange{plain, x}}
		}
		r = r.add(x, f)
	}
	if r.NA == "" && r.Unseen == "" && r.Seen == 0 {
		return NotSeen("no prompt was given out with plain words, so there is nothing to compare with")
	}
	return r
}

// roles are the roles of a prompt's messages, in order.
func roles(x *Exchange) string {
	var out []string
	for _, m := range x.Result().Get("messages").Array() {
		out = append(out, m.Get("role").String())
	}
	return strings.Join(out, ", ")
}
