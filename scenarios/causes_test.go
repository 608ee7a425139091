package scenarios

import (
	"strings"
	"testing"

	"github.com/agntn/conform/fakes/wire"
)

// madeBy is a record of a server that wrote the given answers to tools/call.
func madeBy(t *testing.T, revision string, frames ...string) *Record {
	t.Helper()
	var lines []string
	for _, f := range frames {
		m := wire.ParseMessage([]byte(f))
		meta := ""
		if revision == "2026-07-28" {
			meta = `,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`
		}
		method := "tools/call"
		if strings.Contains(f, "Method not found") || strings.Contains(f, "method not found") {
			method = "conform/no-such-method"
		}
		lines = append(lines, `> a {"jsonrpc":"2.0","id":`+m.ID+`,"method":"`+method+`"`+meta+`}`, "< "+f)
	}
	return tapeOf(t, Cell{Scenario: "x", Revision: revision}, nil, lines...).Run
}

func TestRecogniseSDK(t *testing.T) {
	t.Parallel()
	const (
		first    = `{"result":{"content":[]},"jsonrpc":"2.0","id":1}`
		plain    = `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`
		notFound = `{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}`
		v1Tool   = `{"result":{"content":[{"type":"text","text":"MCP error -32602: Tool x not found"}],"isError":true},"jsonrpc":"2.0","id":3}`
		v1Dump   = `{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"[\n  {\n    \"code\": \"invalid_type\"\n  }\n]"}}`
		v1Error  = `{"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"MCP error -32602: Tool x not found"}}`
		v2Tool   = `{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Tool x not found"}}`
		v2Meta   = `{"result":{"resultType":"complete"},"jsonrpc":"2.0","id":6}`
		golang   = `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"method not found: \"conform/no-such-method\""}}`
	)
	for _, tt := range []struct {
		name, revision, want string
		frames               []string
	}{
		{"McpServer v1", "2025-11-25", SDKTypeScriptV1, []string{first, notFound, v1Tool}},
		{"low-level v1", "2025-11-25", SDKTypeScriptV1, []string{first, notFound, v1Dump}},
		{"McpServer v2", "2025-11-25", SDKTypeScriptV2, []string{first, notFound, v2Tool}},
		{"v2, both eras", "2026-07-28", SDKTypeScriptV2, []string{v2Meta, notFound}},
		{"either line", "2025-11-25", SDKTypeScript, []string{first, notFound}},
		{"McpServer v1 up to 1.20", "2025-11-25", SDKTypeScriptV1, []string{first, notFound, v1Error}},
		{"Go", "2025-11-25", SDKGo, []string{plain, golang}},
		{"a text alone", "2025-11-25", "", []string{plain, notFound}},
		{"another's text in another order", "2025-11-25", "", []string{plain, v2Tool}},
	} {
		if got := RecogniseSDK(madeBy(t, tt.revision, tt.frames...)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestFindCause(t *testing.T) {
	t.Parallel()
	v1 := madeBy(t, "2025-11-25", `{"result":{"content":[{"type":"text","text":"MCP error -32602: Tool x not found"}],"isError":true},"jsonrpc":"2.0","id":3}`)
	own := madeBy(t, "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	served := Fault{Observed: "HTTP 200, result", Message: "a request with Origin: http://evil.example is served"}
	status := Fault{Observed: "HTTP 400, error -32000"}
	for _, tt := range []struct {
		name, check, want string
		run               *Record
		faults            []Fault
	}{
		{"a bare transport", "http/origin-refused", "ts-sdk-no-origin-check", v1, []Fault{served}},
		{"the same fault of another server", "http/origin-refused", "", own, []Fault{served}},
		{"another fault of the same check", "http/origin-refused", "", v1, []Fault{status}},
		{"one of two faults is another", "http/origin-refused", "", v1, []Fault{served, status}},
		{"another check", "http/delete", "", v1, []Fault{served}},
		{"told by its text alone", "thrown-error/one-line", "nuxt-async-context", own, []Fault{{Observed: "isError: [500] Nitro request context is not available."}}},
		{"no fault", "http/origin-refused", "", v1, nil},
	} {
		c := FindCause(&Evidence{Cell: Cell{Transport: "http"}, Run: tt.run}, Check{ID: tt.check}, tt.faults)
		got := ""
		if c != nil {
			got = c.ID
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestCausesTogether(t *testing.T) {
	t.Parallel()
	run := madeBy(t, "2025-11-25", `{"result":{"content":[{"type":"text","text":"MCP error -32602: Tool x not found"}],"isError":true},"jsonrpc":"2.0","id":3}`)
	dump := Fault{Observed: "a dump of JSON: [\n  {\n    \"code\""}
	long := Fault{Observed: "10048 characters: MCP error -32602: Resource zz-conform:xxx"}
	own := Fault{Observed: "several lines: it broke\nhere"}
	find := func(faults ...Fault) *Cause {
		return FindCause(&Evidence{Cell: Cell{Transport: "stdio"}, Run: run}, Check{ID: "messages/one-error-sentence"}, faults)
	}
	if c := find(dump, dump); c == nil || c.ID != "ts-sdk-zod-dump" || strings.Contains(c.Text, ";") {
		t.Errorf("one cause for all: got %+v", c)
	}
	if c := find(dump, long, dump); c == nil || c.ID != "ts-sdk-zod-dump" || strings.Count(c.Text, ";") != 1 || !strings.Contains(c.Text, "resource's uri") {
		t.Errorf("two causes together: got %+v", c)
	}
	if c := find(dump, own); c != nil {
		t.Errorf("a fault of the author's is among them: got %+v", c)
	}
}

func TestFastMCP(t *testing.T) {
	t.Parallel()
	run := madeBy(t, "2025-11-25",
		`{"result":{"content":[]},"jsonrpc":"2.0","id":1}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}`,
		`{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"MCP error -32602: Tool 'x' parameter validation failed: text: Required. Please check"}}`)
	raw := []Fault{{Observed: "U+001B raw in the answer: MCP error -32601: Unknown tool: x"}}
	if c := FindCause(&Evidence{Run: run}, Check{ID: "unknown-tool/name-escaped"}, raw); c == nil || c.ID != "fastmcp-echoes-names" {
		t.Errorf("got %+v", c)
	}
	// Many low-level servers word their own refusal like this.
	other := madeBy(t, "2025-11-25", `{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}`, `{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"MCP error -32601: Unknown tool: x"}}`)
	if c := FindCause(&Evidence{Run: other}, Check{ID: "unknown-tool/name-escaped"}, raw); c != nil {
		t.Errorf("an author's own words: got %+v", c)
	}
}

func TestCauseTable(t *testing.T) {
	t.Parallel()
	all := All()
	seen := map[string]bool{}
	for _, c := range knownCauses() {
		if seen[c.ID] {
			t.Errorf("%s: the id is used twice", c.ID)
		}
		seen[c.ID] = true
		if c.SDK == "" || c.Text == "" || c.Remedy == "" || len(c.Checks) == 0 {
			t.Errorf("%s: a row says whose fault it is, what happens and what to do, and for which checks", c.ID)
		}
		if len(c.By) == 0 && len(c.Says) == 0 {
			t.Errorf("%s: neither an SDK nor a text tells it", c.ID)
		}
		for _, id := range c.Checks {
			if _, ok := all.Check(id); !ok && id != "*" {
				t.Errorf("%s: no check is called %s", c.ID, id)
			}
		}
	}
}
