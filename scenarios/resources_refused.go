package scenarios

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

func judgeNotFound(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("missing:") {
		if x.AsksInput() || e.failsAlways(x) {
			continue
		}
		var f *Fault
		if observed := servedMissing(x); observed != "" {
			f = &Fault{Subject: readURI(x), Expected: "JSON-RPC error -32602", Observed: observed, Proof: []*Exchange{x}}
		} else if x.IsRPCError() && x.Code() != -32602 {
			f = &Fault{Subject: readURI(x), Expected: "JSON-RPC error -32602", Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return e.missingRuling(r)
}

// missingRuling says why no missing resource was asked for, when none was.
func (e *Evidence) missingRuling(r Ruling) Ruling {
	if r.Seen > 0 {
		return r
	}
	if len(e.All("missing:")) == 0 {
		return NotApplicable("the templates of the server stand for every uri, so none is missing")
	}
	return NotSeen("whether a resource is missing could not be told from other errors")
}

// servedMissing says how a resource that does not exist was served, "" when it
// was not. A uri of a scheme of the server's own may be one that it offers
// without listing it: real contents for it are no fault.
func servedMissing(x *Exchange) string {
	if lost := x.Lost(); lost != "" {
		return lost
	}
	if !x.Result().Exists() {
		return ""
	}
	contents := x.Result().Get("contents")
	text := contentsText(contents)
	switch {
	case len(contents.Array()) == 0:
		return "a result with empty contents"
	case saysMissing(text):
		return "contents that say it: " + short(text, 160)
	case x.Label == "missing:unknown-scheme":
		return "contents: " + short(text, 160)
	}
	return ""
}

func contentsText(contents gjson.Result) string {
	var parts []string
	for _, c := range contents.Array() {
		parts = append(parts, c.Get("text").String())
	}
	return strings.Join(parts, "\n")
}

// saysMissing says that a short text tells that something is not there.
func saysMissing(text string) bool {
	low := strings.ToLower(text)
	if len(low) > 600 {
		return false
	}
	for _, w := range []string{"not found", "no such", "does not exist", "doesn't exist", "unknown resource", "cannot find", "can't find", "enoent", "unsupported uri", "invalid uri", "not a valid"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// failsAlways says that an error is the one that every read of a listed
// resource ends in: then it says nothing of what was asked for.
func (e *Evidence) failsAlways(x *Exchange) bool {
	reads := e.All("read:")
	if !x.IsRPCError() || len(reads) == 0 {
		return false
	}
	for _, r := range reads {
		if r.Code() != x.Code() || !r.IsRPCError() {
			return false
		}
	}
	return true
}

func judgeNotFoundCode(e *Evidence) Ruling {
	var r Ruling
	codes := map[int64]bool{}
	for _, x := range e.All("missing:") {
		if e.failsAlways(x) {
			continue
		}
		var f *Fault
		observed := servedMissing(x)
		if observed == "" && x.IsRPCError() && x.Code() != -32002 && x.Code() != -32602 {
			observed = sayAnswer(x)
		}
		if observed != "" {
			f = &Fault{Subject: readURI(x), Expected: "JSON-RPC error -32002 (or -32602)", Observed: observed, Proof: []*Exchange{x}}
		}
		if x.IsRPCError() {
			codes[x.Code()] = true
		}
		r = r.add(x, f)
	}
	if codes[-32602] {
		r.Note = "missing resources are refused with -32602, the code of 2026-07-28"
	}
	return e.missingRuling(r)
}

func judgeNotFoundNames(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("missing:") {
		if !x.IsRPCError() {
			continue
		}
		var f *Fault
		if got := x.RPCError().Get("data.uri"); got.Str != readURI(x) {
			f = &Fault{Subject: readURI(x), Expected: "data.uri with the uri that was asked for", Observed: "data: " + orNone(x.RPCError().Get("data")), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotSeen("no error came for a missing resource")
	}
	return r
}

func judgeOddURIs(e *Evidence) Ruling {
	if sparesProcess(e.Facts) && len(e.All("odd:")) == 0 {
		return NotApplicable("tried under 2026-07-28 alone, which spares a process")
	}
	var r Ruling
	for _, x := range e.All("odd:") {
		var f *Fault
		what := map[string]string{"odd:empty": "an empty uri", "odd:words": `the uri "not a uri"`, "odd:long": "a uri of 10 kB", "odd:nul": "a uri with NUL", "odd:lines": "a uri with line breaks"}[x.Label]
		fault := func(observed string) {
			f = &Fault{Subject: what, Expected: "an error, and a server that lives on", Observed: observed, Proof: []*Exchange{x}}
		}
		contents := x.Result().Get("contents")
		switch lost := x.Lost(); {
		case x.Status() >= 400 && x.Status() < 500:
			// Refused on the way in, by the HTTP side.
		case lost != "":
			fault(lost)
		case len(contents.Array()) > 0 && x.Label != "odd:long" && !saysMissing(contentsText(contents)):
			// Empty contents, and contents that say so, are told by not-found.
			fault("contents: " + short(contentsText(contents), 160))
		}
		r = r.add(x, f)
	}
	return r
}

func judgeTraversal(e *Evidence) Ruling {
	control := e.Get("climb-control")
	if control == nil {
		return NotApplicable("the server lists no file: uri")
	}
	if hasContents(control) {
		return Ruling{Seen: 1, Note: "the server reads files of the whole machine by their plain uri, so there is nothing to climb out of", Proof: []*Exchange{control}}
	}
	if made := e.Get("missing:listed-scheme"); hasContents(made) {
		return NotSeen("the server has contents for every uri, so a file that climbed out cannot be told")
	}
	var r Ruling
	for _, x := range e.All("climb:") {
		var f *Fault
		if hasContents(x) {
			f = &Fault{
				Subject: readURI(x), Expected: "an error", Observed: "contents of " + fmt.Sprintf("%d characters", len(contentsText(x.Result().Get("contents")))),
				Message: "a uri with .. reads a file outside of what is listed", Proof: []*Exchange{control, x},
			}
		}
		r = r.add(x, f)
	}
	return r
}

// hasContents says that a read brought something that does not say that nothing is there.
func hasContents(x *Exchange) bool {
	contents := x.Result().Get("contents")
	for _, c := range contents.Array() {
		if c.Get("text").String() != "" || c.Get("blob").String() != "" {
			return !saysMissing(contentsText(contents))
		}
	}
	return false
}
