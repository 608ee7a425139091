package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

// discoverChecks are the checks on how the stateless revision opens.
func discoverChecks() []Check {
	return []Check{
		{
			ID: "opening/discover-shape", Claim: "server/discover tells supportedVersions, a list of strings, and capabilities, an object.", Level: Must,
			Why:    "Clients fall back to the handshake, or give up, when they cannot read it.",
			Remedy: "Answer with supportedVersions, capabilities, ttlMs, cacheScope and resultType.",
			Basis:  []string{"schema#discoverresult"}, Requirements: []string{"discover.implemented", "discover.supported-versions", "discover.capabilities", "discover.instructions-string"},
			Judge: modern(judgeDiscoverShape),
		},
		{
			ID: "opening/discover-repeatable", Claim: "server/discover gives the same answer each time.", Level: Note,
			Why:    "Clients cache it and ask again after reconnecting.",
			Remedy: "Compute it from the server, not from the connection.",
			Basis:  []string{"server/discover"}, Requirements: []string{"discover.repeatable"},
			Judge: modern(judgeDiscoverRepeatable),
		},
		{
			ID: "opening/any-request-first", Claim: "Any request may be the first on a connection.", Level: Must,
			Why:    "SDK v2 clients probe with a process of its own and then start another, whose first message is tools/list.",
			Remedy: "Read version and capabilities from each request's _meta, never from an earlier message.",
			Basis:  []string{"basic/index#statelessness"}, Requirements: []string{"stateless.no-prior-context", "discover.optional-for-clients"},
			Hosts: []string{"mastra", "openai-agents", "sdk-v2"}, Judge: modern(judgeAnyFirst),
		},
		{
			ID: "opening/unsupported-version-error", Claim: "A request that names a version the server lacks is refused with -32022 and the supported versions.", Level: Must,
			Why:    "Clients read data.supported to choose another version; without it they give up.",
			Remedy: "Answer -32022 with data.supported and data.requested.",
			Basis:  []string{"basic/versioning#protocol-version-negotiation"}, Requirements: []string{"versioning.unsupported-version", "versioning.unsupported-supported-list", "versioning.unsupported-requested"},
			Judge: modern(judgeUnsupported),
		},
		{
			ID: "opening/version-each-request", History: true, Claim: "The version of each request is judged on its own.", Level: Should,
			Why:    "A connection may be shared by clients of several versions.",
			Remedy: "Check the version in _meta of every request, not only of the first.",
			Basis:  []string{"basic/versioning#protocol-version-negotiation"}, Requirements: []string{"versioning.each-request-alone"},
			Judge: modern(judgeEachVersion),
		},
		{
			ID: "opening/supported-lists-agree", Claim: "data.supported and supportedVersions agree.", Level: Note,
			Why:    "A client that reads one and asks by the other is refused again.",
			Remedy: "Fill both from one list.",
			Basis:  []string{"basic/versioning#protocol-version-negotiation"}, Requirements: []string{"versioning.supported-list-agrees", "discover.supported-includes-asked"},
			Judge: modern(judgeListsAgree),
		},
		{
			ID: "opening/legacy-version-in-meta", Claim: "A handshake version in _meta is refused or treated as such, never mixed.", Level: Note,
			Why:    "A half modern answer is read wrongly by both kinds of client.",
			Remedy: "Refuse it with -32022.",
			Basis:  []string{"basic/versioning#protocol-version-negotiation"}, Requirements: []string{"versioning.legacy-version-in-meta"},
			Judge: modern(judgeLegacyInMeta),
		},
		{
			ID: "opening/client-info-optional", Claim: "A request without clientInfo in _meta is served.", Level: Should,
			Why:    "clientInfo is optional; libraries leave it out.",
			Remedy: "Demand only protocolVersion and clientCapabilities.",
			Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.client-info-optional"},
			Judge: modern(judgeNoClientInfo),
		},
		{
			ID: "opening/client-identity-ignored", Claim: "Who asks does not change what is listed.", Level: Note,
			Why:    "Servers that look at clientInfo break for every client they have not met.",
			Remedy: "Decide by capabilities, not by names.",
			Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.client-info-not-behaviour"},
			Judge: modern(judgeIdentity),
		},
		{
			ID: "opening/modern-only-names-versions", Claim: "A server of 2026-07-28 alone refuses initialize with an error that names its versions.", Level: Should,
			Why:    "A person with an older client learns what to update instead of a bare failure.",
			Remedy: "Answer initialize with an error whose data.supported lists 2026-07-28.",
			Basis:  []string{"basic/versioning#backward-compatibility-with-initialization-based-versions"}, Requirements: []string{"lifecycle.modern-only-names-versions", "lifecycle.modern-only-initialize-error", "http.legacy-traffic-400"},
			Judge: modern(judgeModernOnly),
		},
		{
			ID: "opening/modern-offered", Claim: "The server offers 2026-07-28.", Level: Note,
			Why:    "Newer clients prefer it; a server of one era is whole all the same.",
			Remedy: "Serve the stateless revision as well, for instance with serveStdio or createMcpHandler of SDK v2.",
			Basis:  []string{"basic/versioning"},
			Judge:  judgeModernOffered,
		},
	}
}

func judgeDiscoverShape(e *Evidence) Ruling {
	x := firstOpening(e, "discover")
	if x == nil || !x.Result().Exists() {
		return notDiscovered(e)
	}
	res := x.Result()
	r := Ruling{Seen: 1, Proof: []*Exchange{x}}
	bad := func(what, observed string) {
		r.Faults = append(r.Faults, Fault{Subject: "server/discover", Expected: what, Observed: observed, Proof: []*Exchange{x}})
	}
	v := res.Get("supportedVersions")
	strs := v.IsArray() && len(v.Array()) > 0 && !slices.ContainsFunc(v.Array(), func(s gjson.Result) bool { return s.Type != gjson.String })
	if !strs {
		bad("supportedVersions, a list of strings", "supportedVersions: "+orNone(v))
	}
	if c := res.Get("capabilities"); !c.IsObject() {
		bad("capabilities, an object", "capabilities: "+orNone(c))
	}
	if i := res.Get("instructions"); i.Exists() && i.Type != gjson.String {
		bad("instructions, a string", "instructions: "+orNone(i))
	}
	return r
}

// notDiscovered is about a server that did not answer server/discover with a
// result, although it answers another request by the rules of 2026-07-28.
func notDiscovered(e *Evidence) Ruling {
	var asked *Exchange
	for _, x := range e.Opening() {
		switch {
		case x.Label == "discover" && asked == nil && !x.Unusable():
			asked = x
		case x.Label == "undiscovered" && x.Result().Exists() && asked != nil:
			return Broken(Fault{
				Subject: "server/discover", Expected: "a result", Observed: sayAnswer(asked), Proof: []*Exchange{asked, x},
				Message: "server/discover gets no result, although requests of 2026-07-28 are served",
			})
		}
	}
	return NotSeen("server/discover was not answered")
}

func judgeDiscoverRepeatable(e *Evidence) Ruling {
	a, b := firstOpening(e, "discover"), e.Get("discover-again")
	if a == nil || !b.Answered() {
		return NotSeen("server/discover was not answered twice")
	}
	for _, m := range []string{"supportedVersions", "capabilities", "instructions"} {
		if !sameJSON(orNull(a.Result().Get(m)), orNull(b.Result().Get(m))) {
			return Broken(Fault{Subject: "server/discover", Expected: m + " as before", Observed: orNone(b.Result().Get(m)), Proof: []*Exchange{a, b}})
		}
	}
	return Passed("", b)
}

func orNull(v gjson.Result) string {
	if !v.Exists() {
		return "null"
	}
	return v.Raw
}

func judgeAnyFirst(e *Evidence) Ruling {
	x := e.Get("first")
	if x.Unusable() {
		return NotSeen("the request was not sent")
	}
	if !x.Result().Exists() && e.works(x.Request.Method) {
		return Broken(Fault{Subject: x.Request.Method, Expected: "the list, as after server/discover", Observed: sayAnswer(x), Proof: []*Exchange{x}})
	}
	if x.Result().Exists() && !x.Result().Get("resultType").Exists() {
		// Served by older rules: the first message did not count as modern.
		if listHasType(e, x.Request.Method) {
			return Broken(Fault{Subject: x.Request.Method, Expected: "an answer of 2026-07-28, with resultType", Observed: "an answer of an older revision", Proof: []*Exchange{x}})
		}
	}
	return Passed("", x)
}

// offersRevision says that server/discover was answered with a list that holds the revision.
func offersRevision(x *Exchange, revision string) bool {
	return slices.ContainsFunc(x.Result().Get("supportedVersions").Array(), func(v gjson.Result) bool { return v.Str == revision })
}

// walkOf is the walk of the list that a method asks for, and its kind.
func (e *Evidence) walkOf(method string) ([]*Exchange, listKind) {
	for _, k := range lists() {
		if k.method == method {
			return e.walk(k), k
		}
	}
	return nil, listKind{}
}

// works says whether a method of [listMethod] was answered with a result when
// it was asked plainly.
func (e *Evidence) works(method string) bool {
	pages, k := e.walkOf(method)
	return k.method == "" || len(pages) > 0 && pages[0].Result().Exists()
}

// listHasType says whether a list that was asked after server/discover carried resultType.
func listHasType(e *Evidence, method string) bool {
	pages, _ := e.walkOf(method)
	return len(pages) > 0 && pages[0].Result().Get("resultType").Exists()
}

func judgeUnsupported(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("unsupported:") {
		var f *Fault
		fault := func(expected, observed string) {
			f = &Fault{Subject: x.Request.Method, Expected: expected, Observed: observed, Proof: []*Exchange{x}}
		}
		data := x.RPCError().Get("data")
		switch {
		case x.Code() != -32022:
			fault("JSON-RPC error -32022", sayAnswer(x))
		case len(data.Get("supported").Array()) == 0:
			fault("data.supported, a list of versions", "data: "+orNone(data))
		case data.Get("requested").Str != "1900-01-01":
			fault(`data.requested "1900-01-01"`, "data.requested: "+orNone(data.Get("requested")))
		}
		r = r.add(x, f)
	}
	return r
}

func judgeEachVersion(e *Evidence) Ruling {
	x := e.Get("then-unsupported")
	if x.Unusable() || !x.Answered() {
		return NotSeen("the request was not answered")
	}
	if x.Result().Exists() {
		return Broken(Fault{Subject: x.Request.Method, Expected: "error -32022", Observed: "a result, for a request that names version 1900-01-01", Proof: []*Exchange{x}})
	}
	return Passed("", x)
}

func judgeListsAgree(e *Evidence) Ruling {
	d, x := firstOpening(e, "discover"), e.Get("unsupported:list")
	if d == nil || x.Code() != -32022 || !d.Result().Get("supportedVersions").IsArray() {
		return NotSeen("no error -32022 came to compare with")
	}
	set := func(v gjson.Result) string {
		var out []string
		for _, s := range v.Array() {
			out = append(out, s.String())
		}
		slices.Sort(out)
		return strings.Join(out, ", ")
	}
	a, b := set(d.Result().Get("supportedVersions")), set(x.RPCError().Get("data.supported"))
	if a != b {
		return Broken(Fault{Subject: "data.supported", Expected: a, Observed: b, Proof: []*Exchange{d, x}})
	}
	return Passed("", x)
}

func judgeLegacyInMeta(e *Evidence) Ruling {
	x := e.Get("legacy-in-meta")
	if x.Unusable() {
		return NotSeen("the request was not sent")
	}
	if x.Result().Get("resultType").Exists() && !x.IsRPCError() {
		return Broken(Fault{Subject: "server/discover", Expected: "error -32022, or an answer of the older revision", Observed: "a modern result for version 2025-11-25", Proof: []*Exchange{x}})
	}
	return Passed("answered by "+x.Channel(), x)
}

func judgeNoClientInfo(e *Evidence) Ruling {
	x := e.Get("no-client-info")
	if x.Unusable() {
		return NotSeen("the request was not sent")
	}
	if !x.Result().Exists() && e.works(x.Request.Method) {
		return Broken(Fault{Subject: x.Request.Method, Expected: "a result", Observed: sayAnswer(x), Proof: []*Exchange{x}})
	}
	return Passed("", x)
}

func judgeIdentity(e *Evidence) Ruling {
	x := e.Get("identity:other")
	if !x.Answered() {
		return NotSeen("no list was asked under another name")
	}
	pages, kind := e.walkOf(x.Request.Method)
	if len(pages) == 0 {
		return NotApplicable("the server offers no lists")
	}
	y := e.Get("odd-capabilities")
	if y.Result().Exists() && y.Request.Method == x.Request.Method && !sameNames(kind, pages[0].Result(), y.Result()) {
		return NotSeen("the list differs from one request to the next, whoever asks")
	}
	if !sameNames(kind, pages[0].Result(), x.Result()) && !e.listChanges(kind) {
		return Broken(Fault{Subject: x.Request.Method, Expected: "the same list", Observed: "another list for another clientInfo", Proof: []*Exchange{pages[0], x}})
	}
	return Passed("", x)
}

func judgeModernOnly(e *Evidence) Ruling {
	for _, rev := range e.Run.Facts.Offered[e.Cell.Transport] {
		if !fakes.Modern(rev) {
			return NotApplicable("the server offers handshake revisions too")
		}
	}
	var r Ruling
	for _, x := range e.openings() {
		var f *Fault
		text := x.RPCError().Raw
		if x.Body != nil {
			text += string(x.Body.Raw)
		}
		if !strings.Contains(text, fakes.Rev20260728) {
			f = &Fault{Subject: "initialize", Expected: "an error that names 2026-07-28", Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	if r.Seen == 0 {
		return NotSeen("initialize was not tried (--revision left the handshake out)")
	}
	return r
}

func judgeModernOffered(e *Evidence) Ruling {
	if e.Facts.Modern() {
		return Passed("2026-07-28 is offered", firstOpening(e, "discover"))
	}
	offered := e.Run.Facts.Offered[e.Cell.Transport]
	if slices.Contains(offered, fakes.Rev20260728) {
		return Passed("2026-07-28 is offered")
	}
	asked := e.Run.Facts.AskedRevisions
	if len(asked) > 0 && !slices.Contains(asked, fakes.Rev20260728) {
		return NotApplicable("2026-07-28 was not asked for")
	}
	var proof []*Exchange
	for _, t := range e.Run.Select(e.Cell.Client, "", e.Cell.Transport) {
		for _, x := range e.Run.Exchanges(t) {
			if x.Request.Method == "server/discover" && len(proof) == 0 {
				proof = append(proof, x)
			}
		}
	}
	return Broken(Fault{Proof: proof, Subject: fakes.Rev20260728, Expected: "server/discover that lists 2026-07-28", Observed: fmt.Sprintf("only %s", strings.Join(offered, ", ")), Message: "2026-07-28 is not offered; clients of that revision fall back to the handshake"})
}
