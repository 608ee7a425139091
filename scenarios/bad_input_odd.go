package scenarios

import (
	"regexp"
	"strings"
)

func judgeMissingArguments(e *Evidence) Ruling {
	empty := map[string]*Exchange{}
	for _, x := range e.All("empty:") {
		empty[toolName(x)] = x
	}
	r := e.overTools(e.All("absent:"), func(t *Tool, x *Exchange) (*Fault, bool) {
		with := empty[t.Name]
		switch {
		case x.Succeeded(), x.AsksInput():
			return nil, true
		case with == nil || !with.Succeeded() && !with.AsksInput():
			return nil, false // the tool fails with {} too
		case x.Refused() && (x.IsRPCError() || saysNoArguments(x.Text())), x.Lost() != "":
			return &Fault{Expected: "the same as with {}: " + sayAnswer(with), Observed: sayAnswer(x), Proof: []*Exchange{with, x}}, true
		}
		return nil, false
	})
	switch {
	case len(e.Facts.CallableTools()) == 0:
		r.Unseen = "no tool may be called; " + howToCall(e.Facts, anyTool)
	case len(empty) == 0:
		return NotApplicable("every tool that may be called requires arguments")
	default:
		r.Unseen = "no tool that requires nothing succeeded with {}"
	}
	return r
}

// saysNoArguments says that a refusal speaks of arguments that are not there:
// a tool may also fail for a reason of its own.
func saysNoArguments(text string) bool {
	return saysInvalid(text) || crashes().MatchString(text) || regexp.MustCompile(`(?i)\b(arguments?|params?|parameters?|inputs?|required|missing|undefined|null|nil|none)\b`).MatchString(text)
}

// containers are the calls that are no calls of a tool. null is left out: it may count as absent.
func (e *Evidence) containers() []*Exchange {
	var out []*Exchange
	for _, x := range append(e.All("container:"), e.All("malformed:")...) {
		if x.Label != "container:null" {
			out = append(out, x)
		}
	}
	return out
}

func sentParams(x *Exchange) string { return short(x.Request.Root.Get("params").Raw, 120) }

func judgeContainerRefused(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.containers() {
		var f *Fault
		if lost := x.Lost(); lost != "" || x.Succeeded() {
			f = &Fault{Subject: x.Label, Expected: "a refusal of " + sentParams(x), Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeContainerChannel(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.containers() {
		if !x.Refused() {
			continue
		}
		var f *Fault
		if x.IsToolError() {
			f = &Fault{Subject: x.Label, Expected: "a JSON-RPC error for " + sentParams(x), Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

// nothings are the ways in which programs print that there is no value.
func nothings() *regexp.Regexp {
	return regexp.MustCompile(`<nil>|\bnull\b|\bNone\b|\bundefined\b|\bnil\b|\(null\)`)
}

// crashes are the words of a program that ran into a value it did not expect.
func crashes() *regexp.Regexp {
	return regexp.MustCompile(`Cannot read propert|Cannot convert|is not a function|is not iterable|TypeError|AttributeError|NoneType|NullPointer|nil pointer|undefined is not|object has no attribute|unsupported operand|panic`)
}

func judgeNullOptional(e *Evidence) Ruling {
	nothing, crash := nothings(), crashes()
	list := e.attempts("null")
	if len(list) == 0 && len(e.Facts.CallableTools()) > 0 {
		return NotApplicable("no tool that may be called has an optional argument that must not be null")
	}
	served := 0
	r := e.ofAttempts(list, func(a attempt) (*Fault, bool) {
		expected := "a refusal in words, or the answer without the argument"
		switch text := a.x.Text(); {
		case a.x.Lost() == "" && !a.judgeable():
			return nil, false
		case a.x.Lost() != "", a.x.IsRPCError() && a.x.Code() == -32603, a.x.Refused() && crash.MatchString(text):
			return &Fault{Expected: expected, Observed: sayAnswer(a.x)}, true
		case a.x.Succeeded() && a.valid.Succeeded() && nothing.MatchString(text) && !nothing.MatchString(a.valid.Text()):
			return &Fault{Expected: expected, Observed: "null came back as text: " + short(text, 200)}, true
		case a.x.Succeeded():
			served++
			return nil, true
		}
		return nil, a.refused()
	})
	if r.Seen > 0 && served == 0 {
		r.Note = "null for an optional argument is refused, as the schema says; clients that write every optional argument as null meet this"
	} else if served > 0 {
		r.Note = "null for an optional argument counts as absent"
	}
	return r
}

func judgeUnknownKey(e *Evidence) Ruling {
	var closed []attempt
	for _, a := range e.attempts("extra") {
		if len(a.problems) > 0 {
			closed = append(closed, a)
		}
	}
	if len(closed) == 0 && len(e.Facts.CallableTools()) > 0 {
		return NotApplicable("the schemas of the tools that may be called leave room for other keys")
	}
	return e.ofAttempts(closed, func(a attempt) (*Fault, bool) {
		if a.x.Succeeded() {
			return &Fault{Expected: "a refusal: the schema excludes other keys", Observed: "the key conform_unknown was dropped in silence: " + sayAnswer(a.x)}, true
		}
		return nil, a.refused()
	})
}

func judgePrototypeKeys(e *Evidence) Ruling {
	plain := map[string]*Exchange{}
	for _, x := range e.All("extra:") {
		plain[toolName(x)] = x
	}
	r := e.ofAttempts(e.attempts("prototype", "constructor"), func(a attempt) (*Fault, bool) {
		other := plain[a.t.Name]
		switch {
		case a.x.Lost() != "":
			return &Fault{Expected: "an answer", Observed: a.x.Lost()}, true
		case !other.Answered():
			return nil, false
		case shape(other) == shape(a.x):
			return nil, true
		case a.x.IsRPCError() && (!other.IsRPCError() || other.Code() != a.x.Code()), a.x.Refused() && crashes().MatchString(a.x.Text()):
			return &Fault{Expected: "what any unknown key gets: " + sayAnswer(other), Observed: sayAnswer(a.x), Proof: []*Exchange{other, a.x}}, true
		}
		return nil, a.x.Answered()
	})
	for _, a := range e.attempts("after") {
		if a.valid.Succeeded() && a.x.Refused() {
			r = r.add(a.x, &Fault{Subject: a.t.Name, Expected: "after keys such as __proto__ the same answer as before: " + sayAnswer(a.valid), Observed: sayAnswer(a.x), Proof: []*Exchange{a.valid, a.x}})
		}
	}
	return r
}

func judgeStringified(e *Evidence) Ruling {
	list := e.attempts("text", "half")
	if len(list) == 0 && len(e.Facts.CallableTools()) > 0 {
		return NotApplicable("no tool that may be called takes numbers, flags or objects")
	}
	return e.ofAttempts(list, func(a attempt) (*Fault, bool) {
		half := strings.HasPrefix(a.x.Label, "half:")
		switch {
		case len(a.problems) == 0, a.x.Lost() == "" && !a.judgeable():
			return nil, false
		case half && a.x.Succeeded():
			return &Fault{Expected: `a refusal of "5abc" for a number: ` + a.sent(), Observed: "served: " + sayAnswer(a.x)}, true
		case a.x.Succeeded():
			return nil, true
		case a.x.Lost() != "", a.x.IsRPCError() && a.x.Code() == -32603, a.x.Refused() && crashes().MatchString(a.x.Text()):
			return &Fault{Expected: "a refusal that names the property: " + a.sent(), Observed: sayAnswer(a.x)}, true
		case !a.refused():
			return nil, false
		}
		for _, n := range a.names() {
			if mentions(a.words(), n) {
				return nil, true
			}
		}
		return &Fault{Expected: "a refusal that names the property: " + a.sent(), Observed: sayAnswer(a.x)}, true
	})
}
