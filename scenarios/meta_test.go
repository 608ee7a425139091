package scenarios

import "testing"

func TestMeta(t *testing.T) {
	t.Parallel()
	now := Cell{Revision: "2026-07-28"}
	only := func() *Facts {
		return &Facts{Revision: "2026-07-28", Transport: "stdio", Run: &RunFacts{Offered: map[string][]string{"stdio": {"2026-07-28"}}}}
	}
	dual := func() *Facts {
		return &Facts{Revision: "2026-07-28", Transport: "stdio", Run: &RunFacts{Offered: map[string][]string{"stdio": {"2026-07-28", "2025-11-25"}}}}
	}
	ask := func(label string) string {
		return `> ` + label + ` {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"name":"tea"}}`
	}
	const (
		refused = `< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}`
		other   = `< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"no"}}`
		modern  = `< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[]}}`
		old     = `< {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`
		asks    = `< {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{}}}`
	)
	on := func(f *Facts, name string, judge func(*Evidence) Ruling, want string, lines ...string) ruled {
		return ruled{name: name, judge: judge, cell: now, facts: f, lines: lines, want: want}
	}
	plain := []string{ask("plain:tools/list"), modern}
	again := func(answer string) []string {
		return []string{`> ask:undeclared {"jsonrpc":"2.0","id":3,"method":"tools/call"}`, `< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete"}}`, ask("ask:declared"), asks, `> ask:again {"jsonrpc":"2.0","id":2,"method":"tools/call"}`, answer}
	}
	runRuled(t, "meta", []ruled{
		on(only(), "asks whatever is declared", judgeNotRemembered, "unseen", `> ask:undeclared {"jsonrpc":"2.0","id":3,"method":"tools/call"}`, `< {"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required"}}`,
			ask("ask:declared"), asks, `> ask:again {"jsonrpc":"2.0","id":2,"method":"tools/call"}`, `< {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required"}}`),
		on(only(), "no version, refused", judgeVersionRequired, "pass", ask("no-version"), refused),
		on(only(), "no version, served", judgeVersionRequired, "fault", ask("no-version"), modern),
		on(only(), "no version, other code", judgeVersionRequired, "fault", ask("no-version"), other),
		on(dual(), "no version, served by an older revision", judgeVersionRequired, "pass", ask("no-version"), old),
		on(dual(), "no version, served as modern", judgeVersionRequired, "fault", ask("no-version"), modern),
		on(dual(), "no version, silence", judgeVersionRequired, "fault", ask("no-version"), "! no-version silent nothing"),
		on(dual(), "no capabilities, refused", judgeCapabilitiesRequired, "pass", ask("no-capabilities"), refused),
		on(dual(), "no capabilities, served", judgeCapabilitiesRequired, "fault", ask("no-capabilities"), old),
		on(dual(), "no _meta, older revision", judgeMetaAbsent, "pass", ask("absent:x"), other),
		on(only(), "no _meta, other code", judgeMetaAbsent, "fault", ask("absent:x"), other),
		on(only(), "wrong type, any error", judgeMetaTypes, "pass", ask("type:clientCapabilities"), other),
		on(only(), "wrong type, served", judgeMetaTypes, "fault", ask("type:clientCapabilities"), modern),
		on(only(), "vendor keys", func(e *Evidence) Ruling { return judgeServedAlike(e, "vendor:") }, "pass", append(plain, ask("vendor:tools/list"), modern)...),
		on(only(), "vendor keys refused", func(e *Evidence) Ruling { return judgeServedAlike(e, "vendor:") }, "fault", append(plain, `> vendor:tools/list {"jsonrpc":"2.0","id":2,"method":"tools/list"}`, `< {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no"}}`)...),
		on(only(), "carries on", judgeMissingCapability, "pass", ask("ask:undeclared"), modern),
		on(only(), "refuses and names it", judgeMissingCapability, "pass", ask("ask:undeclared"), `< {"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":{"elicitation":{}}}}}`),
		on(only(), "refuses and names nothing", judgeMissingCapability, "fault", ask("ask:undeclared"), `< {"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"no"}}`),
		on(only(), "refuses with another code", judgeMissingCapability, "fault", ask("ask:undeclared"), other),
		on(only(), "asks all the same", judgeMissingCapability, "fault", ask("ask:undeclared"), asks),
		on(only(), "no asking tool", judgeMissingCapability, "unseen"),
		on(only(), "forgets", judgeNotRemembered, "pass", again(`< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete"}}`)...),
		on(only(), "remembers", judgeNotRemembered, "fault", again(`< {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required"}}`)...),
		on(only(), "trace context", judgeTraceValues, "pass", `< {"jsonrpc":"2.0","id":1,"result":{"_meta":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}}`),
		on(only(), "broken trace context", judgeTraceValues, "fault", `< {"jsonrpc":"2.0","id":1,"result":{"_meta":{"traceparent":"abc"}}}`),
		on(only(), "no trace context", judgeTraceValues, "na", modern),
		on(only(), "keys of MCP", judgeReservedPrefix, "pass", `< {"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{}}}}`),
		on(only(), "key of its own under a reserved prefix", judgeReservedPrefix, "fault", `< {"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/tea":1}}}`),
		on(only(), "mcp as a third label is free", judgeReservedPrefix, "pass", `< {"jsonrpc":"2.0","id":1,"result":{"_meta":{"com.example.mcp/tea":1}}}`),
		on(only(), "data of a tool is its own", judgeReservedPrefix, "na", `< {"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"_meta":{"dev.mcp/tea":1}}}}`),
		on(only(), "reverse domain", judgeReverseDNS, "pass", `< {"jsonrpc":"2.0","id":1,"result":{"_meta":{"com.example/tea":1}}}`),
		on(only(), "domain", judgeReverseDNS, "fault", `< {"jsonrpc":"2.0","id":1,"result":{"_meta":{"example.com/tea":1}}}`),
	})
}
