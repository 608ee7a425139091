package scenarios

import (
	"testing"

	"github.com/agntn/conform/fakes/wire"
)

// ruled is one judge on one hand-written tape.
type ruled struct {
	name  string
	judge func(*Evidence) Ruling
	cell  Cell
	facts *Facts
	lines []string
	// want is "pass", "fault", "unseen" or "na".
	want string
}

func runRuled(t *testing.T, scenario string, tests []ruled) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cell := tt.cell
			cell.Scenario = scenario
			r := tt.judge(tapeOf(t, cell, tt.facts, tt.lines...))
			got := "unseen"
			switch {
			case r.NA != "":
				got = "na"
			case len(r.Faults) > 0:
				got = "fault"
			case r.Seen > 0:
				got = "pass"
			}
			if got != tt.want {
				t.Errorf("got %s, want %s: %+v", got, tt.want, r)
			}
			for _, f := range r.Faults {
				if f.Expected == "" || f.Observed == "" || len(f.Proof) == 0 || f.Proof[0] == nil {
					t.Errorf("a fault does not say what was expected and seen, or shows no proof: %+v", f)
				}
			}
		})
	}
}

const toolsOpened = `{"capabilities":{"tools":{}},"supportedVersions":["2026-07-28"]}`

func TestEnvelopeIDs(t *testing.T) {
	t.Parallel()
	ping := func(label, id string) string {
		return `> ` + label + ` {"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`
	}
	answer := func(id string) string { return `< {"jsonrpc":"2.0","id":` + id + `,"result":{}}` }
	refusal := func(id string) string {
		return `< {"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32601,"message":"no"}}`
	}
	silent := func(label string) string { return "! " + label + " silent nothing came" }
	unknown := `> method:conform/no-such-method {"jsonrpc":"2.0","id":9,"method":"conform/no-such-method"}`
	note := `> notify:unknown {"jsonrpc":"2.0","method":"notifications/zz_conform"}`
	behind := ping("after:notify:unknown", "10")
	call := `> idless:slug#1 {"jsonrpc":"2.0","method":"tools/call","params":{"name":"slug","_meta":{"progressToken":"conform-idless:slug"}}}`
	runRuled(t, "envelope", []ruled{
		{name: "ids come back", judge: judgeIDEcho, lines: []string{ping(`id:"7"`, `"7"`), ping("id:0", "0"), answer("0"), answer(`"7"`)}, want: "pass"},
		{name: "text becomes a number", judge: judgeIDEcho, lines: []string{ping(`id:"7"`, `"7"`), answer("7"), silent(`id:"7"`)}, want: "fault"},
		{name: "every error has id 0", judge: judgeIDEcho, lines: []string{ping("id:0", "0"), answer("0"), ping("id:error", `"e"`), refusal("0"), silent("id:error")}, want: "fault"},
		{name: "silence for one id", judge: judgeIDEcho, lines: []string{ping("id:-3", "-3"), silent("id:-3")}, want: "fault"},
		{name: "interrupted proves nothing", judge: judgeIDEcho, lines: []string{ping("id:-3", "-3"), "! id:-3 interrupted stopped"}, want: "unseen"},
		{name: "empty id", judge: judgeIDEmpty, lines: []string{ping("empty-id", `""`), answer(`""`)}, want: "pass"},
		{name: "empty id unheard", judge: judgeIDEmpty, lines: []string{ping("empty-id", `""`), silent("empty-id")}, want: "fault"},
		{name: "other escapes are the same id", judge: judgeIDUnicode, lines: []string{ping("unicode:letters", `"é"`), answer(`"\u00e9"`), ping("after:unicode:letters", "8"), answer("8")}, want: "pass"},
		{name: "garbled id", judge: judgeIDUnicode, lines: []string{ping("unicode:letters", `"aé"`), answer(`"aÃ©"`), ping("after:unicode:letters", "8"), answer("8")}, want: "fault"},
		{name: "one answer", judge: judgeOneAnswer, lines: []string{ping("a", "1"), answer("1")}, want: "pass"},
		{name: "two answers", judge: judgeOneAnswer, lines: []string{ping("a", "1"), answer("1"), answer("1")}, want: "fault"},
		{name: "error with its id", judge: judgeErrorID, lines: []string{unknown, refusal("9")}, want: "pass"},
		{name: "error with id null", judge: judgeErrorID, lines: []string{unknown, refusal("null"), silent("method:conform/no-such-method")}, want: "fault"},
		{name: "no error at all", judge: judgeErrorID, lines: []string{unknown, silent("method:conform/no-such-method")}, want: "unseen"},
		{name: "notification unanswered", judge: judgeNoReply, lines: []string{note, behind, answer("10")}, want: "pass"},
		{name: "notification answered", judge: judgeNoReply, lines: []string{note, refusal("null"), behind, answer("10")}, want: "fault"},
		{name: "notification answered late", judge: judgeNoReply, lines: []string{note, behind, answer("10"), refusal("null")}, want: "fault"},
		{name: "call without id ignored", judge: judgeIdless, lines: []string{call, behind, answer("10")}, want: "pass"},
		{name: "call without id carried out", judge: judgeIdless, lines: []string{call, `< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"conform-idless:slug","progress":1}}`, behind, answer("10")}, want: "fault"},
		{name: "call without id answered", judge: judgeIdless, lines: []string{call, `< {"jsonrpc":"2.0","id":null,"result":{"content":[]}}`}, want: "fault"},
		{name: "nothing to call", judge: judgeIdless, want: "unseen"},
		{name: "notification of the server", judge: judgeNotificationID, lines: []string{`< {"jsonrpc":"2.0","method":"notifications/message","params":{}}`}, want: "pass"},
		{name: "notification with id", judge: judgeNotificationID, lines: []string{`< {"jsonrpc":"2.0","id":4,"method":"notifications/message","params":{}}`}, want: "fault"},
		{name: "ids of the server", judge: judgeServerIDs, lines: []string{`< {"jsonrpc":"2.0","id":1,"method":"ping"}`, `< {"jsonrpc":"2.0","id":2,"method":"ping"}`}, want: "pass"},
		{name: "an id of the server again", judge: judgeServerIDs, lines: []string{`< {"jsonrpc":"2.0","id":1,"method":"ping"}`, `< {"jsonrpc":"2.0","id":1,"method":"ping"}`}, want: "fault"},
	})
}

func TestEnvelopeMethods(t *testing.T) {
	t.Parallel()
	unknown := func(e *Evidence) Ruling { return judgeMethodNotFound(e, "method:") }
	ask := func(label, id, method string) string {
		return `> ` + label + ` {"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"}`
	}
	refusal := func(id, code string) string {
		return `< {"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + code + `,"message":"no"}}`
	}
	list := func(id string) string { return `< {"jsonrpc":"2.0","id":` + id + `,"result":{"tools":[]}}` }
	plain := []string{ask("extra:plain", "1", "tools/list"), list("1")}
	runRuled(t, "envelope", []ruled{
		{name: "unknown method", judge: unknown, lines: []string{ask("method:x", "1", "x"), refusal("1", "-32601")}, want: "pass"},
		{name: "unknown method, other code", judge: unknown, lines: []string{ask("method:x", "1", "x"), refusal("1", "-32603")}, want: "fault"},
		{name: "unknown method, silence", judge: unknown, lines: []string{ask("method:x", "1", "x"), "! method:x silent nothing"}, want: "fault"},
		{name: "params refused", judge: judgeParamsAbsent, lines: []string{ask("params:p", "1", "tools/call"), refusal("1", "-32602")}, want: "pass"},
		{name: "params refused by isError", judge: judgeParamsAbsent, lines: []string{ask("params:p", "1", "tools/call"), `< {"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}`}, want: "pass"},
		{name: "params refused by another code", judge: judgeParamsAbsent, lines: []string{ask("params:p", "1", "tools/call"), refusal("1", "-32603")}, want: "fault"},
		{name: "params of a method that is not there", judge: judgeParamsAbsent, lines: []string{ask("params:p", "1", "tools/call"), refusal("1", "-32601")}, want: "unseen"},
		{name: "params served", judge: judgeParamsAbsent, lines: []string{ask("params:p", "1", "tools/call"), list("1")}, want: "fault"},
		{name: "params null served", judge: judgeParamsNull, lines: []string{ask("null:tools/list", "1", "tools/list"), list("1")}, want: "pass"},
		{name: "params null unheard", judge: judgeParamsNull, lines: []string{ask("null:tools/list", "1", "tools/list"), "! null:tools/list silent nothing"}, want: "fault"},
		{name: "bare list", judge: judgeBareLists, lines: []string{ask("bare:l", "1", "tools/list"), ask("empty:l", "2", "tools/list"), list("1"), list("2")}, want: "pass"},
		{name: "bare list refused", judge: judgeBareLists, lines: []string{ask("bare:l", "1", "tools/list"), ask("empty:l", "2", "tools/list"), refusal("1", "-32602"), list("2")}, want: "fault"},
		{name: "list fails anyway", judge: judgeBareLists, lines: []string{ask("bare:l", "1", "tools/list"), ask("empty:l", "2", "tools/list"), refusal("1", "-32603"), refusal("2", "-32603")}, want: "unseen"},
		{name: "extra member served", judge: judgeExtraMembers, lines: append(plain, ask("extra:params", "2", "tools/list"), list("2")), want: "pass"},
		{name: "extra member refused", judge: judgeExtraMembers, lines: append(plain, ask("extra:params", "2", "tools/list"), refusal("2", "-32602")), want: "fault"},
		{name: "nothing declared", judge: modern(judgeUndeclaredFeature), cell: Cell{Revision: "2026-07-28"}, want: "na"},
		{name: "undeclared list served", judge: modern(judgeUndeclaredFeature), cell: Cell{Revision: "2026-07-28"}, lines: []string{ask("undeclared:prompts/list", "1", "prompts/list"), `< {"jsonrpc":"2.0","id":1,"result":{"prompts":[]}}`}, want: "fault"},
	})
}

func TestEnvelopeMalformed(t *testing.T) {
	t.Parallel()
	canary := func(label, id string) string {
		return `> after:` + label + ` {"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`
	}
	const broken, invalid, odd, null = "broken:x", "invalid:x", "fraction:x", "null-id:x"
	pong := func(id string) string { return `< {"jsonrpc":"2.0","id":` + id + `,"result":{}}` }
	fail := func(id, code string) string {
		return `< {"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + code + `,"message":"no"}}`
	}
	dead := func(label string) []string { return []string{"! after:" + label + " dead it ended", "= exit status 0"} }
	readable := `> invalid:a_request {"id":21,"method":"ping"}`
	byID := func(e *Evidence) Ruling {
		return e.eachFrame(func(x *Exchange) *Fault { return judgeReadable(e, x) }, "invalid:a_request")
	}
	batch := `> batch [{"jsonrpc":"2.0","id":1000040,"method":"ping"}]`
	newBatch := `> batch-new:x [{"jsonrpc":"2.0","id":1000030,"method":"ping"}]`
	runRuled(t, "envelope", []ruled{
		{name: "skipped", judge: judgeMalformedSurvived, lines: []string{"> broken:x {bad", canary(broken, "2"), pong("2")}, want: "pass"},
		{name: "ended", judge: judgeMalformedSurvived, lines: append([]string{"> broken:x {bad", canary(broken, "2")}, dead(broken)...), want: "fault"},
		{name: "deaf", judge: judgeMalformedSurvived, lines: []string{"> broken:x {bad", canary(broken, "2"), "! after:broken:x stuck nothing"}, want: "fault"},
		{name: "canary interrupted", judge: judgeMalformedSurvived, lines: []string{"> broken:x {bad", canary(broken, "2"), "! after:broken:x interrupted stopped"}, want: "unseen"},
		{name: "parse error", judge: judgeParseError, lines: []string{"> broken:x {bad", fail("null", "-32700"), canary(broken, "2"), pong("2")}, want: "pass"},
		{name: "parse error with another code", judge: judgeParseError, lines: []string{"> broken:x {bad", fail("null", "-32600"), canary(broken, "2"), pong("2")}, want: "fault"},
		{name: "no parse error", judge: judgeParseError, lines: []string{"> broken:x {bad", canary(broken, "2"), pong("2")}, want: "na"},
		{name: "heard", judge: judgeSilentMalformed, lines: []string{"> broken:x {bad", fail("null", "-32700"), canary(broken, "2"), pong("2")}, want: "pass"},
		{name: "unheard", judge: judgeSilentMalformed, lines: []string{"> broken:x {bad", canary(broken, "2"), pong("2")}, want: "fault"},
		{name: "invalid refused", judge: judgeWrongJSONRPC, lines: []string{"> invalid:x {}", fail("null", "-32600"), canary(invalid, "2"), pong("2")}, want: "pass"},
		{name: "invalid skipped", judge: judgeWrongJSONRPC, lines: []string{"> invalid:x {}", canary(invalid, "2"), pong("2")}, want: "pass"},
		{name: "invalid ends it", judge: judgeWrongJSONRPC, lines: append([]string{"> invalid:x {}", canary(invalid, "2")}, dead(invalid)...), want: "fault"},
		{name: "readable id answered", judge: byID, lines: []string{readable, fail("21", "-32600"), canary("invalid:a_request", "2"), pong("2")}, want: "pass"},
		{name: "readable id unheard", judge: byID, lines: []string{readable, canary("invalid:a_request", "2"), pong("2")}, want: "fault"},
		{name: "null id skipped", judge: judgeNullID, lines: []string{`> null-id:x {"jsonrpc":"2.0","id":null,"method":"ping"}`, canary(null, "2"), pong("2")}, want: "pass"},
		{name: "null id served", judge: judgeNullID, lines: []string{`> null-id:x {"jsonrpc":"2.0","id":null,"method":"ping"}`, pong("null"), canary(null, "2"), pong("2")}, want: "fault"},
		{name: "fraction kept", judge: judgeFractionalID, lines: []string{`> fraction:x {"jsonrpc":"2.0","id":1000050.5,"method":"ping"}`, pong("1000050.5"), canary(odd, "2"), pong("2")}, want: "pass"},
		{name: "fraction cut", judge: judgeFractionalID, lines: []string{`> fraction:x {"jsonrpc":"2.0","id":1000050.5,"method":"ping"}`, pong("1000050"), canary(odd, "2"), pong("2")}, want: "fault"},
		{name: "batch served", judge: judgeBatch, lines: []string{batch, `< [{"jsonrpc":"2.0","id":1000040,"result":{}},{"jsonrpc":"2.0","id":"conform-batch-0","result":{}}]`, canary("batch", "2"), pong("2")}, want: "pass"},
		{name: "batch ignored", judge: judgeBatch, lines: []string{batch, canary("batch", "2"), pong("2")}, want: "fault"},
		{name: "a notification in it silences the batch", judge: judgeBatch, lines: []string{batch, pong("1000040"), pong(`"conform-batch-0"`), canary("batch", "2"), pong("2"), `> batch-noted []`, canary("batch-noted", "3"), pong("3")}, want: "fault"},
		{name: "batch not offered", judge: judgeBatch, want: "na"},
		{name: "each of the batch once", judge: judgeBatchAnswers, lines: []string{batch, pong("1000040"), pong(`"conform-batch-0"`), canary("batch", "2"), pong("2")}, want: "pass"},
		{name: "half of the batch", judge: judgeBatchAnswers, lines: []string{batch, pong("1000040"), canary("batch", "2"), pong("2")}, want: "fault"},
		{name: "array skipped", judge: judgeBatchRefused, lines: []string{newBatch, canary("batch-new:x", "2"), pong("2")}, want: "pass"},
		{name: "array served", judge: judgeBatchRefused, lines: []string{newBatch, `< [{"jsonrpc":"2.0","id":1000030,"result":{}}]`, canary("batch-new:x", "2"), pong("2")}, want: "fault"},
	})
}

func TestEnvelopeCodes(t *testing.T) {
	t.Parallel()
	now := Cell{Revision: "2026-07-28"}
	facts := func() *Facts { return &Facts{Opened: []byte(toolsOpened)} }
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
	ask := `> a {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`
	fail := func(code, data string) string {
		return `< {"jsonrpc":"2.0","id":1,"error":{"code":` + code + `,"message":"no"` + data + `}}`
	}
	code := func(name, code, data, want string) ruled {
		return ruled{name: name, judge: judgeCodeRange, cell: now, facts: facts(), lines: []string{ask, fail(code, data)}, want: want}
	}
	runRuled(t, "envelope", []ruled{
		code("invalid params", "-32602", "", "pass"),
		code("own code", "1234", "", "pass"),
		code("grandfathered", "-32001", "", "pass"),
		code("retired, resources", "-32002", "", "fault"),
		code("retired, questions", "-32042", "", "fault"),
		code("invented", "-32055", "", "fault"),
		code("text", `"NOT_FOUND"`, "", "fault"),
		code("header mismatch without headers", "-32020", "", "fault"),
		code("version that is supported", "-32022", "", "fault"),
		code("capability that was declared", "-32021", `,"data":{"requiredCapabilities":{"elicitation":{}}}`, "fault"),
		code("capability that was not", "-32021", `,"data":{"requiredCapabilities":{"sampling":{}}}`, "pass"),
		{name: "retired codes of older revisions", judge: judgeCodeRange, lines: []string{`> a {"jsonrpc":"2.0","id":1,"method":"resources/read"}`, fail("-32002", "")}, want: "pass"},
		{name: "own range", judge: judgeLegacyRange, cell: now, lines: []string{ask, fail("1234", "")}, want: "pass"},
		{name: "reserved range", judge: judgeLegacyRange, cell: now, lines: []string{ask, fail("-32001", "")}, want: "fault"},
	})
}

func TestAkin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		sent, got string
		want      bool
	}{
		{`"7"`, `7`, true}, {`7`, `"7"`, true}, {`9007199254740991`, `-1`, true}, {`1.5`, `1`, true}, {`"aé"`, `"a?"`, true},
		{`"x"`, `null`, true}, {`"x"`, ``, true}, {`"x"`, `"y"`, false}, {`7`, `8`, false},
	} {
		if got := akin(tt.sent, tt.got); got != tt.want {
			t.Errorf("akin(%s, %s) = %v, want %v", tt.sent, tt.got, got, tt.want)
		}
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	if n := len(members(wire.ParseMessage([]byte(`[{"id":1},{"id":2}]`)))); n != 2 {
		t.Errorf("a batch of two has %d members", n)
	}
	if n := len(members(wire.ParseMessage([]byte(`{"id":1}`)))); n != 1 {
		t.Errorf("one message has %d members", n)
	}
}
