package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// dualEra says that the server also speaks handshake revisions over the transport.
func (e *Evidence) dualEra() bool {
	old := func(r string) bool { return !fakes.Modern(r) }
	asked := e.Run.Facts.AskedRevisions
	return slices.ContainsFunc(e.Run.Facts.Offered[e.Cell.Transport], old) || len(asked) > 0 && !slices.ContainsFunc(asked, old)
}

// takenForLegacy says that a server of both eras took a request without a
// version for one of a handshake revision: it served it without resultType, or
// refused it for another reason.
func (e *Evidence) takenForLegacy(x *Exchange) bool {
	if !e.dualEra() {
		return false
	}
	return x.IsRPCError() || x.Result().Exists() && !x.Result().Get("resultType").Exists() ||
		x.End == "http" && x.Status() >= 400
}

func wantInvalidParams(x *Exchange) *Fault {
	// Over HTTP the header names a version that the body lacks: a mismatch too.
	if x.Code() == -32602 || x.Sent.Post > 0 && x.Code() == -32020 {
		return nil
	}
	return &Fault{Subject: labelOf(x), Expected: "JSON-RPC error -32602", Observed: sayAnswer(x), Proof: []*Exchange{x}}
}

func judgeVersionRequired(e *Evidence) Ruling {
	x := e.Get("no-version")
	if x.Unusable() {
		return NotSeen("the request was not sent")
	}
	f := wantInvalidParams(x)
	if f != nil && e.takenForLegacy(x) {
		return Passed("taken for a request of a handshake revision, which this server speaks too: "+x.Channel(), x)
	}
	return Ruling{}.add(x, f)
}

func judgeCapabilitiesRequired(e *Evidence) Ruling {
	x := e.Get("no-capabilities")
	if x.Unusable() {
		return NotSeen("the request was not sent")
	}
	return Ruling{}.add(x, wantInvalidParams(x))
}

func judgeMetaAbsent(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("absent:") {
		f := wantInvalidParams(x)
		if f != nil && e.takenForLegacy(x) {
			r.Note = "taken for a request of a handshake revision, which this server speaks too: " + x.Channel()
			f = nil
		}
		r = r.add(x, f)
	}
	return r
}

func judgeMetaTypes(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("type:") {
		var f *Fault
		served := x.Result().Exists() && !(strings.HasPrefix(x.Label, "type:protocolVersion") && e.takenForLegacy(x))
		if served || x.Lost() != "" && x.End != "http" {
			f = &Fault{Subject: labelOf(x), Expected: "an error", Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeMetaStatus(e *Evidence) Ruling {
	var r Ruling
	for _, label := range []string{"no-version", "no-capabilities", "absent:"} {
		for _, x := range e.All(label) {
			if x.Code() != -32602 {
				continue
			}
			r = r.add(x, wantStatus(x, 400))
		}
	}
	if r.Seen == 0 {
		return NotSeen("no such request was refused with -32602")
	}
	return r
}

// wantStatus is the fault of an answer whose HTTP status is another.
func wantStatus(x *Exchange, status int) *Fault {
	if x.Status() == status {
		return nil
	}
	return &Fault{Subject: labelOf(x), Expected: fmt.Sprintf("HTTP %d", status), Observed: fmt.Sprintf("HTTP %d with %s", x.Status(), x.Channel()), Proof: []*Exchange{x}}
}

// judgeServedAlike wants the requests of a kind to be answered as the plain ones.
func judgeServedAlike(e *Evidence, prefix string) Ruling {
	var r Ruling
	for _, x := range e.All(prefix) {
		ref := e.Get("plain:" + strings.TrimPrefix(x.Label, prefix))
		if !ref.Answered() || !ref.Result().Exists() {
			continue // it is not served without them either
		}
		var f *Fault
		if !x.Result().Exists() || x.IsToolError() && !ref.IsToolError() {
			f = &Fault{Subject: x.Request.Method, Expected: "the answer as without these keys", Observed: sayAnswer(x), Proof: []*Exchange{ref, x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeMissingCapability(e *Evidence) Ruling {
	x := e.Get("ask:undeclared")
	if x.Unusable() {
		return NotSeen("give a tool the role asks in conform.yaml")
	}
	needs := x.RPCError().Get("data.requiredCapabilities.elicitation")
	switch {
	case x.Code() == -32021 && needs.Exists():
		return Passed("refused with -32021", x)
	case x.Code() == -32021:
		return Broken(Fault{Subject: toolName(x), Expected: "data.requiredCapabilities with elicitation", Observed: "data: " + orNone(x.RPCError().Get("data")), Proof: []*Exchange{x}})
	case x.Result().Exists() && !x.AsksInput():
		return Passed("the tool carries on without asking", x)
	}
	return Broken(Fault{Subject: toolName(x), Expected: "a final result, or error -32021", Observed: sayAnswer(x), Proof: []*Exchange{x}})
}

func judgeMissingCapabilityStatus(e *Evidence) Ruling {
	x := e.Get("ask:undeclared")
	switch {
	case x.Unusable():
		return NotSeen("give a tool the role asks in conform.yaml")
	case x.Code() != -32021:
		return NotApplicable("the call is not refused with -32021")
	}
	return Ruling{}.add(x, wantStatus(x, 400))
}

func judgeNotRemembered(e *Evidence) Ruling {
	asked, x := e.Get("ask:declared"), e.Get("ask:again")
	if x.Unusable() || !asked.AsksInput() {
		return NotSeen("no tool was seen to ask; give one the role asks in conform.yaml")
	}
	if e.Get("ask:undeclared").AsksInput() {
		return NotSeen("the tool asks whatever was declared, so that it cannot be told whether anything is remembered")
	}
	var f *Fault
	if x.AsksInput() {
		f = &Fault{Subject: toolName(x), Expected: "no question: the request declares nothing", Observed: sayAnswer(x), Proof: []*Exchange{asked, x}}
	}
	return Ruling{}.add(x, f)
}

// metaKey is one key of a _meta object that the server sent.
type metaKey struct {
	key   string
	value gjson.Result
	f     received
}

// metaKeys lists the keys of every _meta that the server sent, each key once.
func (e *Evidence) metaKeys() []metaKey { return onTapes(e, "keys of _meta", e.readMetaKeys) }

func (e *Evidence) readMetaKeys() []metaKey {
	var out []metaKey
	seen := map[string]bool{}
	for _, t := range e.Tapes() {
		events := t.Events()
		for i := range events {
			if events[i].Kind != wire.Recv || events[i].Cut > 0 {
				continue
			}
			f := received{event: &events[i], tape: t}
			eachMeta(events[i].Message().Root, 0, func(k, v gjson.Result) {
				if !seen[k.Str] || strings.HasPrefix(k.Str, "trace") || k.Str == "baggage" {
					seen[k.Str] = true
					out = append(out, metaKey{k.Str, v, f})
				}
			})
		}
	}
	return out
}

// eachMeta calls look for each member of each _meta object within a value.
// What a tool returns as data of its own is left alone.
func eachMeta(v gjson.Result, depth int, look func(k, v gjson.Result)) {
	if depth > 10 || !v.IsObject() && !v.IsArray() {
		return
	}
	v.ForEach(func(k, m gjson.Result) bool {
		switch {
		case v.IsObject() && k.Str == "_meta" && m.IsObject():
			m.ForEach(func(k, v gjson.Result) bool { look(k, v); return true })
		case v.IsObject() && slices.Contains([]string{"structuredContent", "inputSchema", "outputSchema", "requestedSchema", "data"}, k.Str):
		default:
			eachMeta(m, depth+1, look)
		}
		return true
	})
}

func judgeTraceValues(e *Evidence) Ruling {
	formats := map[string]*regexp.Regexp{
		"traceparent": regexp.MustCompile(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$`),
		"tracestate":  regexp.MustCompile(`^[\x20-\x7e]*$`),
		"baggage":     regexp.MustCompile(`^[\x20-\x7e]*=[\x20-\x7e]*$`),
	}
	var r Ruling
	for _, k := range e.metaKeys() {
		format := formats[k.key]
		if format == nil {
			continue
		}
		r.Seen++
		if k.value.Type != gjson.String || !format.MatchString(k.value.Str) {
			r.Faults = append(r.Faults, Fault{Subject: k.key, Expected: "the W3C format", Observed: short(k.value.Raw, 120), Proof: []*Exchange{loneFrame(k.f)}})
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server sends no trace context")
	}
	return r
}

// mcpKeys are the names that MCP and its official extensions define under io.modelcontextprotocol.
func mcpKeys() []string {
	return []string{
		"clientCapabilities", "clientInfo", "logLevel", "model-immediate-response", "protocolVersion", "related-task", "serverInfo", "subscriptionId", "ui",
	}
}

// eachPrefix looks at every key of _meta that has a prefix.
func (e *Evidence) eachPrefix(look func(labels []string, name string) string) Ruling {
	var r Ruling
	for _, k := range e.metaKeys() {
		prefix, name, ok := strings.Cut(k.key, "/")
		if !ok {
			continue
		}
		r.Seen++
		if why := look(strings.Split(prefix, "."), name); why != "" {
			r.Faults = append(r.Faults, Fault{Subject: k.key, Expected: why, Observed: "the key " + k.key, Proof: []*Exchange{loneFrame(k.f)}})
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server sends no key with a prefix in _meta")
	}
	return r
}

func judgeReservedPrefix(e *Evidence) Ruling {
	if e.Cell.Revision < fakes.Rev20250618 {
		return NotApplicable("prefixes are reserved from 2025-06-18 on")
	}
	return e.eachPrefix(func(labels []string, name string) string {
		reserved := len(labels) > 1 && (labels[1] == "modelcontextprotocol" || labels[1] == "mcp")
		if !reserved || labels[0] == "io" && labels[1] == "modelcontextprotocol" && slices.Contains(mcpKeys(), name) {
			return ""
		}
		return "a key that MCP defines, or a prefix that is not reserved"
	})
}

func judgeReverseDNS(e *Evidence) Ruling {
	if e.Cell.Revision < fakes.Rev20251125 {
		return NotApplicable("advised from 2025-11-25 on")
	}
	tops := []string{"com", "org", "net", "io", "dev", "ai", "app", "co", "eu", "de", "uk", "cloud"}
	return e.eachPrefix(func(labels []string, _ string) string {
		first, last := labels[0], labels[len(labels)-1]
		if len(labels) < 2 || !slices.Contains(tops, last) || slices.Contains(tops, first) {
			return ""
		}
		back := slices.Clone(labels)
		slices.Reverse(back)
		return strings.Join(back, ".") + "/"
	})
}
