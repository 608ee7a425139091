package scenarios

import (
	"context"
	"encoding/json"

	"github.com/agntn/conform/fakes"
)

// meta asks with _meta that lacks what it must have, or holds more than it needs.
func meta() Scenario {
	return Scenario{
		ID: "meta", Title: "Request metadata",
		Summary: "Leaves out what _meta must hold under 2026-07-28, sends it in wrong types, adds keys of vendors and trace context, and looks at the keys of the server.",
		Drive:   driveMeta,
		Checks: []Check{
			{
				ID: "meta/protocol-version-required", Claim: "A request of 2026-07-28 without protocolVersion in _meta is refused with -32602.", Level: Must,
				Why:    "Served by guess, a request of another revision gets an answer that its client cannot read.",
				Remedy: "Check _meta of every request before you look at its method.",
				Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.protocol-version-required"},
				Judge: modern(judgeVersionRequired),
			},
			{
				ID: "meta/client-capabilities-required", Claim: "A request of 2026-07-28 without clientCapabilities in _meta is refused with -32602.", Level: Must,
				Why:    "Without them the server does not know what it may ask, and asks or fails by guess.",
				Remedy: "Check _meta of every request before you look at its method.",
				Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.client-capabilities-required"},
				Judge: modern(judgeCapabilitiesRequired),
			},
			{
				ID: "meta/absent", Claim: "A request of 2026-07-28 without _meta is refused with -32602.", Level: Should,
				Why:    "A client of an older revision learns from the refusal that it has to open another way.",
				Remedy: "Answer -32602, or serve the request by an older revision that you speak.",
				Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.absent"},
				Judge: modern(judgeMetaAbsent),
			},
			{
				ID: "meta/wrong-type-refused", Claim: "Required members of _meta in a wrong type are refused like missing ones.", Level: Should,
				Why:    "A list where an object is expected reads as no capability in one server and as any in another.",
				Remedy: "Check the types of protocolVersion and clientCapabilities.",
				Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.wrong-type-refused"},
				Judge: modern(judgeMetaTypes),
			},
			{
				ID: "meta/refusal-http-400", Claim: "Over HTTP these refusals have status 400.", Level: Must,
				Why:    "Gateways and logs see the status alone.",
				Remedy: "Send the error with HTTP status 400.",
				Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.missing-field-http-400"},
				Judge: modern(overHTTP(judgeMetaStatus)),
			},
			{
				ID: "meta/unknown-keys-accepted", Claim: "Keys in _meta that the server does not know change nothing.", Level: Should,
				Why:    "Claude Code, Cursor and gateways send keys of their own with every call.",
				Remedy: "Ignore keys of _meta that you do not know.",
				Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.unknown-keys-accepted"},
				Judge: func(e *Evidence) Ruling { return judgeServedAlike(e, "vendor:") },
			},
			{
				ID: "meta/trace-context-accepted", Claim: "Trace context in _meta changes nothing.", Level: Note,
				Why:    "Traced clients send traceparent, tracestate and baggage with every call.",
				Remedy: "Ignore these keys, or use them.",
				Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.trace-context-accepted"},
				Judge: modern(func(e *Evidence) Ruling { return judgeServedAlike(e, "trace:") }),
			},
			{
				ID: "meta/trace-context-values", Claim: "Trace context that the server writes has the W3C formats.", Level: Must,
				Why:    "Tracers drop what they cannot read, and the trace ends at this server.",
				Remedy: "Write traceparent, tracestate and baggage with a tracing library.",
				Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.trace-context-values"},
				Judge: modern(judgeTraceValues),
			},
			{
				ID: "meta/reserved-prefix", Claim: "Keys under a prefix that is reserved for MCP are those that MCP defines.", Level: Should,
				Why:    "A later revision may give such a key a meaning of its own.",
				Remedy: "Use a prefix of your own domain, such as com.example/.",
				Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.reserved-prefix"},
				Judge: judgeReservedPrefix,
			},
			{
				ID: "meta/reverse-dns", Claim: "Prefixes of keys are domain names in reverse.", Level: Note,
				Why:    "com.example/ is easily told from a prefix of others; example.com/ is not.",
				Remedy: "Turn the prefix round.",
				Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.reverse-dns"},
				Judge: judgeReverseDNS,
			},
			{
				ID: "meta/missing-capability-error", Claim: "What cannot be served without a capability of the client is refused with -32021 that names it.", Level: Must,
				Why:    "A client that can show forms but did not say so learns what to declare; any other answer reads as a broken tool.",
				Remedy: "Carry on without asking, or answer -32021 with data.requiredCapabilities.",
				Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.missing-capability-error", "meta.missing-capability-data"},
				Judge: modern(judgeMissingCapability),
			},
			{
				ID: "meta/missing-capability-http-400", Claim: "Over HTTP error -32021 has status 400.", Level: Must,
				Why:    "Gateways and logs see the status alone.",
				Remedy: "Send the error with HTTP status 400.",
				Basis:  []string{"basic/index#meta"}, Requirements: []string{"meta.missing-capability-http-400"},
				Judge: modern(overHTTP(judgeMissingCapabilityStatus)),
			},
			{
				ID: "meta/capabilities-not-remembered", Claim: "Capabilities of one request are not assumed for the next.", Level: Must,
				Why:    "The next request may come from another client that cannot be asked: it gets a question that nobody sees.",
				Remedy: "Read clientCapabilities from each request's _meta; remember nothing.",
				Basis:  []string{"schema#requestmetaobject"}, Requirements: []string{"meta.capabilities-not-remembered"},
				Judge: modern(judgeNotRemembered),
			},
		},
	}
}

// overHTTP makes a judge that only applies over HTTP.
func overHTTP(j func(*Evidence) Ruling) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		if e.Cell.Transport != "http" {
			return NotApplicable("belongs to HTTP")
		}
		return j(e)
	}
}

func driveMeta(ctx context.Context, d *Drive) error {
	v := d.Shared(ctx)
	asks := servedAsks(d.Facts)
	if d.Facts.Modern() {
		asks = append(asks, incompleteMeta(d.Facts)...)
	}
	v.Each(ctx, asks)
	if !d.Facts.Modern() {
		return nil
	}
	a, found := findAsking(ctx, d, v)
	if !found {
		return nil
	}
	if own, err := d.Fresh(ctx, fakes.Want{NoLists: true, Purpose: "capabilities of one request and of the next"}); err == nil && own != nil {
		defer own.Done()
		v = own // others make calls of the tool as well
	}
	call := fakes.Call(a.tool.Name, a.args)
	for _, p := range []struct{ label, capabilities string }{
		{"ask:undeclared", `{}`}, {"ask:declared", `{"elicitation":{}}`}, {"ask:again", `{}`},
	} {
		_ = v.Do(ctx, fakes.Ask{Label: p.label, Method: "tools/call", Params: call, Capabilities: json.RawMessage(p.capabilities)})
	}
	return nil
}

// servedAsks are right requests with more in _meta than needed, and the same without.
func servedAsks(f *Facts) []fakes.Ask {
	kinds := map[string]string{
		"plain:":  ``,
		"vendor:": `{"com.example/x":{"nested":{"list":[1,null,"a"]}},"example":true}`,
		"trace:":  `{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","tracestate":"conform=1","baggage":"suite=conform"}`,
	}
	method, _ := harmless(f)
	var asks []fakes.Ask
	for _, kind := range []string{"plain:", "vendor:", "trace:"} {
		asks = append(asks, fakes.Ask{Label: kind + method, Method: method, Meta: json.RawMessage(kinds[kind])})
		if f.Listed {
			asks = append(asks, fakes.Ask{Label: kind + "tools/list", Method: "tools/list", Meta: json.RawMessage(kinds[kind])})
		}
		if t, args := firstCall(f); t != nil {
			asks = append(asks, fakes.Ask{Label: kind + "call", Method: "tools/call", Params: fakes.Call(t.Name, args), Meta: json.RawMessage(kinds[kind]), Limit: patience})
		}
	}
	return asks
}

// incompleteMeta are requests whose _meta lacks a required member, or has it in a wrong type.
func incompleteMeta(f *Facts) []fakes.Ask {
	version := func(v string) string { return `"` + fakes.MetaVersion + `":` + v }
	capabilities := func(c string) string { return `"` + fakes.MetaCapabilities + `":` + c }
	right := version(`"` + f.Revision + `"`)
	ask := func(label, method, params string) fakes.Ask {
		a := fakes.Ask{Label: label, Method: method, Bare: true}
		if params != "" {
			a.Params = json.RawMessage(params)
		}
		return a
	}
	list := listMethod(f)
	with := func(label, meta string) fakes.Ask { return ask(label, list, `{"_meta":{`+meta+`}}`) }
	return []fakes.Ask{
		with("no-version", capabilities(`{}`)),
		with("no-capabilities", right),
		ask("absent:"+list+" with empty params", list, `{}`),
		ask("absent:"+list+" without params", list, ""),
		ask("absent:server/discover with empty params", "server/discover", `{}`),
		ask("absent:server/discover without params", "server/discover", ""),
		with("type:protocolVersion 7", version(`7`)+","+capabilities(`{}`)),
		with(`type:clientCapabilities "x"`, right+","+capabilities(`"x"`)),
		with("type:clientCapabilities []", right+","+capabilities(`[]`)),
		with("type:clientCapabilities null", right+","+capabilities(`null`)),
	}
}
