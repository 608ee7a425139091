package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

// errorsSeen calls look for each JSON-RPC error that answered a request of the cell's era.
func (e *Evidence) errorsSeen(look func(x *Exchange, code gjson.Result)) {
	for _, t := range e.Tapes() {
		for _, x := range e.Run.Exchanges(t) {
			if x.IsRPCError() {
				look(x, x.RPCError().Get("code"))
			}
		}
	}
}

// metaVersion is the revision that a request names in its _meta, "" for none.
func metaVersion(x *Exchange) string {
	return x.Request.Root.Get("params._meta." + strings.ReplaceAll(fakes.MetaVersion, ".", `\.`)).String()
}

func judgeCodeRange(e *Evidence) Ruling {
	var r Ruling
	seen := map[string]bool{}
	e.errorsSeen(func(x *Exchange, code gjson.Result) {
		r.Seen++
		why := badCode(e, x, code)
		if key := why + code.Raw; why != "" && !seen[key] {
			seen[key] = true
			r.Faults = append(r.Faults, Fault{Subject: x.Request.Method, Expected: why, Observed: sayAnswer(x), Proof: []*Exchange{x}})
		}
	})
	if r.Seen == 0 {
		return NotSeen("the server sent no JSON-RPC error")
	}
	return r
}

// badCode says what an error's code should have been, "" when there is nothing against it.
func badCode(e *Evidence, x *Exchange, code gjson.Result) string {
	if code.Type != gjson.Number || strings.ContainsAny(code.Raw, ".eE") {
		return "a code that is an integer"
	}
	if !e.Facts.Modern() || !fakes.Modern(metaVersion(x)) && metaVersion(x) != "1900-01-01" {
		return ""
	}
	switch n := code.Int(); {
	case n == -32002:
		return "-32602: -32002 is not used any more"
	case n == -32042:
		return "a question by an input_required result: -32042 is not used any more"
	case n == -32020 && headersAgree(x):
		return "no -32020, which says that the headers differ from the body"
	case n == -32021 && !lacksCapability(x):
		return "no -32021: the request declares what data.requiredCapabilities asks for"
	case n == -32022 && supportedVersion(e, x):
		return "no -32022 for a version that server/discover lists"
	case n <= -32023 && n >= -32099:
		return "a code outside the reserved range"
	}
	return ""
}

// headersAgree says that the headers of a request plainly repeat its body, or that there are none.
func headersAgree(x *Exchange) bool {
	h := x.Sent.HTTP
	if h == nil {
		return true
	}
	name := x.Request.Root.Get("params.name").Str
	if x.Request.Method == "resources/read" {
		name = x.Request.Root.Get("params.uri").Str
	}
	for k := range h.Header {
		if strings.HasPrefix(k, "Mcp-Param-") {
			return false // whether these agree takes the tool's schema
		}
	}
	wants := slices.Contains([]string{"tools/call", "prompts/get", "resources/read"}, x.Request.Method)
	return h.Header.Get("Mcp-Protocol-Version") == metaVersion(x) && h.Header.Get("Mcp-Method") == x.Request.Method &&
		(!wants || len(h.Header.Values("Mcp-Name")) == 1 && h.Header.Get("Mcp-Name") == name) && !expectsParams(x)
}

// expectsParams says that a call has arguments that some tool may want mirrored.
func expectsParams(x *Exchange) bool {
	return x.Request.Method == "tools/call" && len(x.Request.Root.Get("params.arguments").Map()) > 0
}

// lacksCapability says that a request did not declare all that the error says it needs.
func lacksCapability(x *Exchange) bool {
	need := x.RPCError().Get("data.requiredCapabilities")
	if !need.IsObject() || len(need.Map()) == 0 {
		return true
	}
	have := x.Request.Root.Get("params._meta." + strings.ReplaceAll(fakes.MetaCapabilities, ".", `\.`))
	lacks := false
	need.ForEach(func(k, v gjson.Result) bool {
		own := have.Get(gjson.Escape(k.Str))
		lacks = lacks || !own.Exists()
		v.ForEach(func(sub, _ gjson.Result) bool {
			lacks = lacks || !own.Get(gjson.Escape(sub.Str)).Exists()
			return true
		})
		return true
	})
	return lacks
}

func supportedVersion(e *Evidence, x *Exchange) bool {
	for _, v := range gjson.GetBytes(e.Facts.Opened, "supportedVersions").Array() {
		if v.Str == metaVersion(x) {
			return true
		}
	}
	return false
}

func judgeLegacyRange(e *Evidence) Ruling {
	var r Ruling
	seen := map[int64]bool{}
	e.errorsSeen(func(x *Exchange, code gjson.Result) {
		r.Seen++
		n := code.Int()
		if n > -32000 || n < -32768 || seen[n] || slices.Contains([]int64{-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022, -32002, -32042}, n) || n < -32019 && n > -32100 {
			return
		}
		seen[n] = true
		r.Faults = append(r.Faults, Fault{Subject: x.Request.Method, Expected: "a code outside -32768 to -32000", Observed: fmt.Sprintf("code %d: %s", n, short(x.Text(), 120)), Proof: []*Exchange{x}})
	})
	if r.Seen == 0 {
		return NotSeen("the server sent no JSON-RPC error")
	}
	return r
}
