package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// openings returns the initialize exchanges of all neutral lines of the transport.
func (e *Evidence) openings() []*Exchange {
	var out []*Exchange
	for _, x := range e.Run.Labelled(e.Run.Select(fakes.Any, "", e.Cell.Transport), "open/") {
		if x.Label == "initialize" {
			out = append(out, x)
		}
	}
	return out
}

func judgeInitialize(e *Evidence) Ruling {
	if e.Facts.Modern() {
		return judgeInitializeModern(e)
	}
	for _, x := range e.Opening() {
		if x.Label == "initialize" && x.Result().IsObject() {
			return Passed("", x)
		}
	}
	return NotSeen("no session was opened by initialize")
}

// judgeInitializeModern is about servers that let nobody in by a handshake:
// they may refuse it, but neither pass over it in silence nor end.
func judgeInitializeModern(e *Evidence) Ruling {
	for _, rev := range e.Run.Facts.Offered[e.Cell.Transport] {
		if !fakes.Modern(rev) {
			return NotApplicable("told under the handshake revisions")
		}
	}
	var r Ruling
	for _, x := range e.openings() {
		if x.Unusable() {
			continue
		}
		var f *Fault
		if lost := x.Lost(); lost != "" && x.End != "http" {
			f = &Fault{Subject: "initialize", Expected: "a result, or an error", Observed: lost, Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotSeen("initialize was not tried (--revision left the handshake out)")
	}
	return r
}

func judgeNegotiatesDown(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.last("version:") {
		asked := x.Request.Root.Get("params.protocolVersion").Str
		var f *Fault
		switch {
		case x.Result().Exists():
		case x.IsRPCError() && x.RPCError().Get("data.supported").IsArray():
			// The page itself shows such an error; it tells the client what to ask for.
		case asked == "1900-01-01" && x.Lost() != "":
			continue // it came after an early request, which may be to blame
		default:
			f = &Fault{Subject: "initialize " + asked, Expected: "a result that names a version the server speaks", Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeNoEcho(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.last("version:") {
		got := x.Result().Get("protocolVersion")
		if !got.Exists() {
			continue
		}
		var f *Fault
		if !slices.Contains(append(fakes.Revisions(), "2024-10-07"), got.Str) {
			f = &Fault{Subject: "initialize", Expected: "a published version", Observed: "protocolVersion " + short(got.Raw, 60), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotSeen("initialize with an unknown version was not answered with a result")
	}
	return r
}

// spoken returns every version that the server ever answered initialize with.
func (e *Evidence) spoken() []string {
	var out []string
	for _, x := range append(e.openings(), e.All("version:")...) {
		if v := x.Result().Get("protocolVersion").Str; slices.Contains(fakes.Revisions(), v) && !fakes.Modern(v) && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

func judgeVersionsEchoed(e *Evidence) Ruling {
	var r Ruling
	spoken := e.spoken()
	for _, x := range e.openings() {
		asked, got := x.Request.Root.Get("params.protocolVersion").Str, x.Result().Get("protocolVersion").Str
		if got == "" || !slices.Contains(spoken, asked) {
			continue
		}
		var f *Fault
		if got != asked {
			f = &Fault{Subject: "initialize " + asked, Expected: asked, Observed: got, Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeOffersNewest(e *Evidence) Ruling {
	spoken := e.spoken()
	var r Ruling
	for _, x := range e.last("version:") {
		got := x.Result().Get("protocolVersion").Str
		if got == "" || fakes.Modern(got) || len(spoken) == 0 || !slices.Contains(fakes.Revisions(), got) {
			continue
		}
		var f *Fault
		if newest := spoken[len(spoken)-1]; got != newest {
			f = &Fault{Subject: "initialize", Expected: newest, Observed: got, Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotSeen("initialize with an unknown version was not answered with a known one")
	}
	return r
}

func judgeOfferReachable(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.last("version:") {
		got := x.Result().Get("protocolVersion").Str
		if got == "" {
			continue
		}
		var f *Fault
		if got == fakes.Rev20260728 {
			f = &Fault{Subject: "initialize", Expected: "a version before " + fakes.Rev20260728, Observed: got, Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotSeen("initialize with an unknown version was not answered with a version")
	}
	return r
}

func judgeBadInitialize(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("bad:") {
		var f *Fault
		if x.Result().Exists() {
			f = &Fault{Subject: "initialize without " + strings.TrimPrefix(x.Label, "bad:"), Expected: "an error", Observed: "a result", Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeQuiet(e *Evidence) Ruling {
	x := e.Get("odd-capabilities")
	if !x.Answered() {
		return NotSeen("the session was not opened")
	}
	events := x.Tape.Events()
	waited := false
	r := Ruling{Seen: 1, Proof: []*Exchange{x}}
	for i := x.At; i < len(events); i++ {
		ev := &events[i]
		if ev.Kind == wire.Notice && ev.Status == "waited" {
			waited = true
			break
		}
		if m := ev.Message(); ev.Kind == wire.Recv && m.IsRequest() && m.Method != "ping" {
			r.Faults = append(r.Faults, Fault{Subject: m.Method, Expected: "no request yet", Observed: m.Method + " before notifications/initialized", Proof: []*Exchange{x}})
		}
	}
	if !waited && len(r.Faults) == 0 {
		return NotSeen("the wait before notifications/initialized was cut short")
	}
	return r
}

func judgeEarly(e *Evidence) Ruling {
	x := e.Get("early")
	if x.Unusable() {
		return NotSeen("the request was not sent")
	}
	if lost := x.Lost(); lost != "" && !(x.End == "http" && x.Status() >= 400) {
		return Broken(Fault{Subject: "tools/list", Expected: "an answer or an error", Observed: lost, Proof: []*Exchange{x}})
	}
	if x.Answered() && x.Answer.HasResult {
		return Passed("it is answered", x)
	}
	return Passed("it is refused", x)
}

func judgeTwice(e *Evidence) Ruling {
	x, after := e.Get("twice"), e.Get("after-twice")
	if x.Unusable() {
		return NotSeen("the second initialize was not sent")
	}
	if after != nil && after.Lost() != "" {
		return Broken(Fault{Subject: "initialize", Expected: "a session that goes on", Observed: "after a second initialize: " + after.Lost(), Proof: []*Exchange{x, after}})
	}
	return Passed("a second initialize is answered by "+x.Channel(), x)
}

func judgeMixedEras(e *Evidence) Ruling {
	x := e.Get("mixed")
	if x.Unusable() {
		return NotSeen("the request was not sent")
	}
	if e.Get("after-twice").Lost() != "" {
		return NotSeen("the line was dead to everything before the request was sent")
	}
	if lost := x.Lost(); lost != "" && x.Status() < 400 {
		return Broken(Fault{Subject: "server/discover", Expected: "an answer or an error", Observed: lost, Proof: []*Exchange{x}})
	}
	return Passed("it is answered by "+x.Channel(), x)
}

func judgePing(e *Evidence) Ruling {
	x := e.Get("ping")
	if x.Unusable() {
		return NotSeen("ping was not sent")
	}
	if !x.Result().IsObject() {
		return Broken(Fault{Subject: "ping", Expected: "a result object", Observed: sayAnswer(x), Proof: []*Exchange{x}})
	}
	return Passed("", x)
}

func judgeEarlyPing(e *Evidence) Ruling {
	x := e.Get("early-ping")
	if x.Unusable() {
		return NotSeen("the session was not opened")
	}
	if !x.Result().IsObject() {
		return Broken(Fault{Subject: "ping", Expected: "a result object", Observed: sayAnswer(x), Proof: []*Exchange{x}})
	}
	return Passed("", x)
}

func judgeDiscoverFirst(e *Evidence) Ruling {
	x, after := e.Get("discover-first"), e.Get("after-discover")
	if x.Unusable() {
		return NotSeen("server/discover was not sent")
	}
	http := e.Cell.Transport == "http"
	switch {
	case x.End == "dead":
		return Broken(Fault{Subject: "server/discover", Expected: "an answer", Observed: "the server process ended", Message: "the server ends when a client asks server/discover first: clients that probe on the same connection lose it", Proof: []*Exchange{x}})
	case x.Lost() != "" && !(http && x.Status() >= 400):
		return Broken(Fault{Subject: "server/discover", Expected: "an answer", Observed: x.Lost(), Proof: []*Exchange{x}})
	case after.Unusable() || after.Answered() && after.Answer.HasResult:
		return Passed("server/discover is answered by "+x.Channel(), x)
	}
	// A server that showed itself modern needs no handshake any more.
	if offersRevision(x, fakes.Rev20260728) {
		return Passed("server/discover is answered, and pins the connection to 2026-07-28", x)
	}
	return Broken(Fault{Subject: "initialize", Expected: "a handshake that works after server/discover", Observed: sayAnswer(after), Proof: []*Exchange{x, after}})
}

func judgeOddCapabilities(e *Evidence) Ruling {
	x := e.Get("odd-capabilities")
	if x.Unusable() {
		return NotSeen("the request was not sent")
	}
	if !x.Result().Exists() && e.works(x.Request.Method) {
		return Broken(Fault{Subject: x.Request.Method, Expected: "a result as without them", Observed: sayAnswer(x), Proof: []*Exchange{x}})
	}
	if list := e.Get("odd-list"); list != nil && list.Lost() != "" {
		return Broken(Fault{Subject: "tools/list", Expected: "an answer", Observed: fmt.Sprintf("after unknown capabilities were declared: %s", list.Lost()), Proof: []*Exchange{x, list}})
	}
	return Passed("", x)
}
