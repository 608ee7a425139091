package scenarios

import (
	"fmt"
	"strings"
)

// judgeMethodNotFound wants -32601 for every request whose label begins with prefix.
func judgeMethodNotFound(e *Evidence, prefix string) Ruling {
	var r Ruling
	for _, x := range e.last(prefix) {
		var f *Fault
		if x.Code() != -32601 {
			f = &Fault{Subject: x.Request.Method, Expected: "JSON-RPC error -32601", Observed: sayHTTP(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeUndeclaredFeature(e *Evidence) Ruling {
	r := judgeMethodNotFound(e, "undeclared:")
	if len(e.All("undeclared:")) == 0 {
		return NotApplicable("every capability is declared")
	}
	return r
}

func judgeParamsAbsent(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.last("params:") {
		subject := strings.TrimPrefix(x.Label, "params:")
		var f *Fault
		switch {
		case !x.Refused():
			f = &Fault{Subject: subject, Expected: "JSON-RPC error -32602", Observed: sayHTTP(x), Proof: []*Exchange{x}}
		case x.IsRPCError() && x.Code() == -32020 && x.Sent.Post > 0:
			// Over HTTP a header repeats the name: one that is no text cannot be repeated.
		case x.Code() == -32601:
			continue // the method is not there at all, whatever its params
		case x.IsRPCError() && x.Code() != -32602:
			f = &Fault{
				Subject: subject, Expected: "JSON-RPC error -32602", Observed: sayAnswer(x), Proof: []*Exchange{x},
				Message: fmt.Sprintf("%s is refused with code %d instead of -32602", subject, x.Code()),
			}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 && len(e.All("params:")) == 0 {
		return NotApplicable("the server has no method with a required parameter")
	}
	return r
}

func judgeParamsNull(e *Evidence) Ruling {
	if e.Facts.Modern() {
		return NotApplicable("params hold _meta there and are required")
	}
	all := e.last("null:")
	if len(all) == 0 {
		return NotApplicable("the server offers no tools")
	}
	var r Ruling
	for _, x := range all {
		r = r.add(x, lostFault(x, "the list, or an error"))
		if x.Answered() {
			r.Note = "params null is answered by " + x.Channel()
		}
	}
	return r
}

func judgeBareLists(e *Evidence) Ruling {
	empty := map[string]*Exchange{}
	for _, x := range e.last("empty:") {
		empty[x.Request.Method] = x
	}
	var r Ruling
	for _, x := range e.last("bare:") {
		other := empty[x.Request.Method]
		var f *Fault
		switch {
		case x.Result().Exists():
		case other != nil && other.IsRPCError() && x.IsRPCError():
			continue // the list fails whatever the params are
		default:
			f = &Fault{Subject: x.Request.Method + " without params", Expected: "the list", Observed: sayAnswer(x), Proof: []*Exchange{other, x}}
		}
		r = r.add(x, f)
		if other != nil && x.Result().Exists() && !other.Result().Exists() {
			r = r.add(other, &Fault{Subject: x.Request.Method + " with empty params", Expected: "the list", Observed: sayAnswer(other), Proof: []*Exchange{x, other}})
		}
	}
	if r.Seen == 0 && len(e.All("bare:")) == 0 {
		return NotApplicable("the server offers no lists")
	}
	return r
}

func judgeExtraMembers(e *Evidence) Ruling {
	plain, call := e.lastOf("extra:plain"), e.lastOf("extra:call-plain")
	if plain == nil {
		return NotApplicable("the server offers no tools")
	}
	var r Ruling
	for _, x := range e.last("extra:") {
		ref, where := plain, strings.TrimPrefix(x.Label, "extra:")
		switch x.Label {
		case "extra:plain", "extra:call-plain":
			continue
		case "extra:call":
			ref, where = call, "params and _meta of a call"
		}
		if ref == nil || !ref.Result().Exists() || ref.IsToolError() {
			continue // it is not served without them either
		}
		var f *Fault
		if !x.Result().Exists() || x.IsToolError() {
			f = &Fault{Subject: "a member that no schema names, in " + where, Expected: "the answer as without it", Observed: sayAnswer(x), Proof: []*Exchange{ref, x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotSeen("the list was not served without them either")
	}
	return r
}
