package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// handshakeChecks are the checks on initialize and what surrounds it.
func handshakeChecks() []Check {
	return []Check{
		{
			ID: "opening/answers-initialize", Claim: "initialize is answered, with a result where the server has a handshake revision.", Level: Must,
			Why:    "Without it no client of a handshake revision gets in.",
			Remedy: "Answer initialize with protocolVersion, capabilities and serverInfo.",
			Basis:  []string{"basic/lifecycle#initialization"}, Requirements: []string{"lifecycle.initialize-answered"},
			Judge: judgeInitialize,
		},
		{
			ID: "opening/negotiates-down", Claim: "For a version that the server does not know it offers one that it does.", Level: Must,
			Why:    "Every new revision of the protocol locks out servers that refuse instead: clients ask for their newest version first.",
			Remedy: "Answer initialize with your newest version when the requested one is unknown.",
			Basis:  []string{"basic/lifecycle#version-negotiation"}, Requirements: []string{"lifecycle.version-offer"},
			Judge: legacy(judgeNegotiatesDown),
		},
		{
			ID: "opening/no-version-echo", Claim: "A version that nobody knows never comes back as agreed.", Level: Must,
			Why:    "A client takes the answer as a promise: it speaks a version that the server does not.",
			Remedy: "Compare the requested version with a list of those you implement.",
			Basis:  []string{"basic/lifecycle#version-negotiation"}, Requirements: []string{"lifecycle.version-offer"},
			Judge: legacy(judgeNoEcho),
		},
		{
			ID: "opening/versions-echoed", Claim: "A version that the server speaks comes back unchanged.", Level: Must,
			Why:    "A client that asks for an older version gets one that it may not know.",
			Remedy: "Answer with the requested version whenever you implement it.",
			Basis:  []string{"basic/lifecycle#version-negotiation"}, Requirements: []string{"lifecycle.version-echo"},
			Judge: legacy(judgeVersionsEchoed),
		},
		{
			ID: "opening/offers-newest", Claim: "The version offered instead of an unknown one is the newest that the server speaks.", Level: Should,
			Why:    "Clients that know it would have to do without what is new.",
			Remedy: "Offer your newest handshake version.",
			Basis:  []string{"basic/lifecycle#version-negotiation"}, Requirements: []string{"lifecycle.version-offer-latest"},
			Judge: legacy(judgeOffersNewest),
		},
		{
			ID: "opening/offer-reachable", Claim: "The version offered instead of an unknown one is one that has a handshake.", Level: Note,
			Why:    "2026-07-28 cannot be reached through initialize: a client that is offered it there has nothing to go on with.",
			Remedy: "Offer your newest handshake version.",
			Basis:  []string{"basic/versioning#terminology"}, Requirements: []string{"lifecycle.version-offer-handshake-only"},
			Judge: legacy(judgeOfferReachable),
		},
		{
			ID: "opening/initialize-bad-params", Claim: "initialize without its required members is refused.", Level: Note,
			Why:    "A lenient server hides the mistake of a client from its author.",
			Remedy: "Answer with an error that names the missing member.",
			Basis:  []string{"schema#initializerequest"}, Requirements: []string{"lifecycle.initialize-bad-params"},
			Judge: legacy(judgeBadInitialize),
		},
		{
			ID: "opening/quiet-before-initialized", Claim: "Before notifications/initialized the server sends no request but ping.", Level: Should,
			Why:    "The client is not ready: it may drop the request and the server waits in vain.",
			Remedy: "Ask for roots and the like only after notifications/initialized.",
			Basis:  []string{"basic/lifecycle#initialization"}, Requirements: []string{"lifecycle.no-early-requests"},
			Judge: legacy(judgeQuiet),
		},
		{
			ID: "opening/before-initialize", Claim: "A request before the handshake is answered or refused, and the server lives on.", Level: Should,
			Why:    "Health checks and probing clients send requests early; a crash or silence costs them their time limit.",
			Remedy: "Answer early requests, or refuse them with a JSON-RPC error.",
			Basis:  []string{"basic/lifecycle#initialization"},
			Judge:  legacy(judgeEarly),
		},
		{
			ID: "opening/twice", Claim: "A second initialize is answered or refused, and the session goes on.", Level: Note,
			Why:    "Clients that restart their side of a session send it.",
			Remedy: "Answer it again, or refuse it with a JSON-RPC error.",
			Basis:  []string{"basic/lifecycle#initialization"},
			Judge:  legacy(judgeTwice),
		},
		{
			ID: "opening/dual-era-mixed", Claim: "A request of 2026-07-28 on a connection opened by a handshake is answered or refused.", Level: Note,
			Why:    "Gateways that serve clients of both eras over one connection wait for an answer.",
			Remedy: "Serve it by its own _meta, or refuse it with a JSON-RPC error.",
			Basis:  []string{"basic/versioning#compatibility-matrix"}, Requirements: []string{"lifecycle.dual-era-modern-after-handshake"},
			Judge: legacy(judgeMixedEras),
		},
		{
			ID: "opening/ping", Claim: "ping is answered with a result object, promptly.", Level: Must,
			Why:    "Clients take a server that does not answer for dead.",
			Remedy: "Answer ping with {}.",
			Basis:  []string{"basic/utilities/ping"}, Requirements: []string{"ping.answered"},
			Judge: legacy(judgePing),
		},
		{
			ID: "opening/ping-before-initialized", Claim: "ping is answered before the handshake is over.", Level: Note,
			Why:    "Both sides may ping at any time.",
			Remedy: "Answer ping in every state.",
			Basis:  []string{"basic/lifecycle#initialization"}, Requirements: []string{"ping.before-initialized", "ping.from-server"},
			Judge: legacy(judgeEarlyPing),
		},
		{
			ID: "opening/discover-first-survives", Claim: "server/discover before the handshake is answered with an error or a result, fast, and the handshake works after it.", Level: Host, Breaks: true, Source: Observed,
			Why:    "Claude Code, Copilot CLI, ChatGPT, AI SDK and the Go SDK ask server/discover first on the same connection. Silence costs 2.9 to 9.7 s each start; a dead server is lost to those that do not start it again.",
			Remedy: "Answer unknown methods with -32601 in every state, and go on reading.",
			Basis:  []string{"observed: Claude Code 2.1.332, Copilot CLI 1.0.102, @ai-sdk/mcp 2.0.99, Go SDK 1.8.0"},
			Hosts:  []string{"ai-sdk", "chatgpt", "claude-code", "claude-code-print", "copilot-cli", "go-sdk"},
			Judge:  legacy(judgeDiscoverFirst),
		},
		{
			ID: "opening/unknown-capability-tolerated", Claim: "Capabilities and extensions that the server has never heard of do no harm.", Level: Host, Breaks: true, Source: Observed,
			Why:    "Clients declare new capabilities all the time (extensions, tasks, ui): a server that refuses them is lost with each update.",
			Remedy: "Ignore members that you do not know.",
			Basis:  []string{"observed: ChatGPT, Qwen Code, Mastra declare extensions"},
			Hosts:  []string{"chatgpt", "claude-ai", "mastra", "qwen-code"},
			Judge:  judgeOddCapabilities,
		},
	}
}

// legacy makes a judge that only applies to handshake revisions.
func legacy(j func(*Evidence) Ruling) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		if e.Facts.Modern() {
			return NotApplicable("2026-07-28 has no handshake")
		}
		return j(e)
	}
}

// modern makes a judge that only applies to the stateless revision.
func modern(j func(*Evidence) Ruling) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		if !e.Facts.Modern() {
			return NotApplicable("belongs to 2026-07-28")
		}
		return j(e)
	}
}

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
