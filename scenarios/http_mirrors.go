package scenarios

import (
	"net/http"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes"
)

// wantMismatch is the fault of a request whose headers differ from its body.
func wantMismatch(x *Exchange) *Fault { return wantRefusal(x, http.StatusBadRequest, -32020) }

func judgeMirrors(e *Evidence) Ruling {
	offered := e.Run.Facts.Offered[e.Cell.Transport]
	old := slices.Contains(offered, fakes.Rev20250326) || slices.Contains(offered, fakes.Rev20241105)
	var r Ruling
	for _, x := range e.All("mirror:") {
		f := wantMismatch(x)
		refused := refusedAtDoor(x) && x.Head != nil
		switch {
		case f == nil:
		case refused && e.dualEra() && strings.HasPrefix(x.Label, "mirror:version"):
			f = nil // it went to the other era, which refused it in its own way
		case strings.HasSuffix(x.Label, "version missing") && old && !x.Result().Get("resultType").Exists() && x.Answered():
			f = nil // taken for a client from before that header
		case refused && strings.HasPrefix(x.Label, "mirror:name of prompts/get"):
			continue // the prompt does not exist: refused for that, or for the header
		}
		r = r.add(x, f)
	}
	return r
}

const wantCallable = "no tool may be called; allow one with --allow, or a call in conform.yaml"

// judgeNameServed wants a call to be served as the plain one.
func judgeNameServed(e *Evidence, label string) Ruling {
	plain, x := e.Get("call:plain"), e.Get(label)
	switch {
	case plain == nil:
		return NotSeen(wantCallable)
	case !plain.Result().Exists() || x.Unusable():
		return NotSeen("the plain call was not served either")
	}
	var f *Fault
	if !x.Result().Exists() {
		f = &Fault{Subject: toolName(x), Expected: "the answer of the plain call", Observed: sayHTTP(x), Proof: []*Exchange{plain, x}}
	}
	return Ruling{}.add(x, f)
}

// judgeNameRefused wants a call to be refused, in whatever way.
func judgeNameRefused(e *Evidence, label string) Ruling {
	plain, x := e.Get("call:plain"), e.Get(label)
	switch {
	case plain == nil:
		return NotSeen(wantCallable)
	case !plain.Result().Exists() || x.Unusable():
		return NotSeen("the plain call was not served either")
	}
	var f *Fault
	if x.Result().Exists() || x.Head == nil {
		f = &Fault{Subject: "Mcp-Name: " + x.Sent.HTTP.Header.Get("Mcp-Name"), Expected: "HTTP 400 with JSON-RPC error -32020", Observed: sayHTTP(x), Proof: []*Exchange{plain, x}}
	}
	return Ruling{}.add(x, f)
}

const wantMirrored = "no tool that may be called mirrors a parameter into a header"

func judgeParamHeaders(e *Evidence) Ruling {
	plain := e.Get("param-plain")
	if plain == nil && len(e.All("param-served:")) == 0 {
		return NotApplicable(wantMirrored)
	}
	if plain != nil && !plain.Result().Exists() {
		f := Fault{Subject: toolName(plain), Expected: "the answer: headers and arguments agree", Observed: sayHTTP(plain), Proof: []*Exchange{plain}}
		if errorOf(plain).Get("code").Int() == -32020 {
			return Broken(f)
		}
		return NotSeen("the call was not served with right headers either: " + sayHTTP(plain))
	}
	var r Ruling
	for _, x := range e.All("param:") {
		if x.Label == "param:unknown" {
			continue
		}
		f := wantMismatch(x)
		if strings.HasPrefix(x.Label, "param:characters") && x.Status() >= 400 && x.Status() < 500 {
			f = nil // HTTP libraries refuse such bytes in their own way
		}
		r = r.add(x, f)
	}
	for _, x := range e.All("param-served:") {
		var f *Fault
		if errorOf(x).Get("code").Int() == -32020 || !x.Answered() && x.Status() >= 400 {
			f = &Fault{Subject: labelOf(x), Expected: "no mismatch", Observed: sayHTTP(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeParamNumber(e *Evidence) Ruling {
	plain, x := e.Get("number:plain"), e.Get("number:with a fraction of zero")
	switch {
	case plain == nil || x == nil:
		return NotApplicable("no tool that may be called mirrors a number into a header")
	case !plain.Result().Exists() || x.Unusable():
		return NotSeen("the call was not served with the plain number either")
	}
	var f *Fault
	if !x.Result().Exists() {
		f = &Fault{Subject: toolName(x), Expected: "the answer: the numbers are equal", Observed: sayHTTP(x), Proof: []*Exchange{plain, x}}
	}
	return Ruling{}.add(x, f)
}
