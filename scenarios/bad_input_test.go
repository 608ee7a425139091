package scenarios

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	bookTool = `{"name":"book","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{
		"guests":{"type":"integer","minimum":1},"date":{"type":"string"},"area":{"type":"string","enum":["hall","bar"]},
		"party":{"type":"object","properties":{"leader":{"type":"string"}},"required":["leader"]}},
		"required":["guests","date"],"additionalProperties":false}}`
	openTool = `{"name":"open","inputSchema":{"type":"object","properties":{"limit":{"type":"integer"}}}}`
	tiedTool = `{"name":"tied","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"dependentRequired":{"a":["b"]}}}`
	ifTool   = `{"name":"iffy","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"if":{"required":["a"]},"then":{"required":["b"]}}}`
)

func TestBadInput(t *testing.T) {
	t.Parallel()
	ok := []string{handCall("valid:book", "1", "book", `{"guests":2,"date":"now"}`), handSaid("1", "booked", "")}
	broken := []string{handCall("valid:book", "1", "book", `{"guests":2,"date":"now"}`), handFailed("1", "connect ECONNREFUSED")}
	missing := handCall("one:book#1", "2", "book", `{"guests":2}`)
	guests := handCall("one:book#2", "3", "book", `{"guests":0,"date":"now"}`)
	kind := handCall("one:book#3", "4", "book", `{"guests":2,"date":{"x":1}}`)
	leader := handCall("one:book#4", "5", "book", `{"guests":2,"date":"now","party":{}}`)
	two := handCall("two:book", "6", "book", `{"guests":0,"date":{"x":1}}`)
	extra := handCall("extra:book", "7", "book", `{"guests":2,"date":"now","conform_unknown":"extra"}`)
	open := []string{handCall("valid:open", "20", "open", `{}`), handSaid("20", "5 found", "")}
	with := func(lines ...[]string) []string {
		var out []string
		for _, l := range lines {
			out = append(out, l...)
		}
		return out
	}
	ex := func(lines ...string) []string { return lines }
	dump := "Invalid arguments: [\n  {\n    \"code\": \"invalid_type\",\n    \"path\": [\"date\"]\n  }\n]"
	const old, modern = "2025-11-25", "2026-07-28"
	tests := []struct {
		name     string
		judge    func(*Evidence) Ruling
		want     string
		revision string
		lines    []string
	}{
		{"missing refused", judgeInputRefused, "pass", old, with(ok, ex(missing, handFailed("2", "date is required")))},
		{"missing served", judgeInputRefused, "fault", old, with(ok, ex(missing, handSaid("2", "booked", "")))},
		{"type served", judgeInputRefused, "fault", old, with(ok, ex(kind, handSaid("4", "booked for [object Object]", "")))},
		{"limits are another check", judgeInputRefused, "unseen", old, with(ok, ex(guests, handSaid("3", "booked", "")))},
		{"asking for what is missing is no success", judgeInputRefused, "unseen", modern, with(ok, ex(missing, handResult("2", `{"resultType":"input_required"}`)))},
		{"without a network nothing is proven", judgeInputRefused, "unseen", old, with(broken, ex(missing, handFailed("2", "connect ECONNREFUSED")))},
		{"without a network words about the input count", judgeInputRefused, "pass", old, with(broken, ex(missing, handFailed("2", "date is required")))},
		{"refused with -32602", judgeInputRefused, "pass", old, with(broken, ex(missing, handError("2", "-32602", "bad")))},
		{"limit holds", judgeLimitsHold, "pass", old, with(ok, ex(guests, handFailed("3", "guests must be at least 1")))},
		{"limit ignored", judgeLimitsHold, "fault", old, with(ok, ex(guests, handSaid("3", "booked", "")))},
		{"tie holds", judgeCompositionHolds, "pass", modern, with(ex(handCall("valid:tied", "1", "tied", `{}`), handSaid("1", "ok", ""), handCall("compose:tied#1", "2", "tied", `{"a":"x"}`), handFailed("2", "b is required with a")))},
		{"tie ignored", judgeCompositionHolds, "fault", modern, with(ex(handCall("compose:iffy#1", "2", "iffy", `{"a":"x"}`), handSaid("2", "ok", "")))},
		{"ties are no part of older revisions", judgeCompositionHolds, "na", old, with(ex(handCall("compose:iffy#1", "2", "iffy", `{"a":"x"}`), handSaid("2", "ok", "")))},
		{"2020-12 ignored", judge2020Holds, "fault", old, with(ex(handCall("compose:tied#1", "2", "tied", `{"a":"x"}`), handSaid("2", "ok", "")))},
		{"if and then are older", judge2020Holds, "na", old, with(ex(handCall("compose:iffy#1", "2", "iffy", `{"a":"x"}`), handSaid("2", "ok", "")))},
		{"as tool error", judgeInputChannel, "pass", old, with(ok, ex(missing, handFailed("2", "date is required")))},
		{"as error", judgeInputChannel, "fault", old, with(ok, ex(missing, handError("2", "-32602", "date is required")))},
		{"either before 2025-11-25", judgeInputChannel, "na", "2025-06-18", with(ok, ex(missing, handError("2", "-32602", "date is required")))},
		{"never answered", judgeInputChannel, "fault", old, with(ok, ex(missing, "! one:book#1 silent nothing came"))},
		{"given up by conform", judgeInputChannel, "unseen", old, with(ok, ex(missing, "! one:book#1 interrupted stopped waiting"))},
		{"names it", judgeNamesProperty, "pass", old, with(ok, ex(missing, handFailed("2", "Date is missing")))},
		{"names nothing", judgeNamesProperty, "fault", old, with(ok, ex(missing, handFailed("2", "invalid input")))},
		{"a line each", judgeLinePerProblem, "pass", old, with(ok, ex(two, handFailed("6", "Invalid arguments: guests too small\ndate must be text")))},
		{"glued", judgeLinePerProblem, "fault", old, with(ok, ex(two, handFailed("6", "guests too small, date must be text")))},
		{"a name that every refusal holds proves nothing", judgeLinePerProblem, "pass", old, with(ok, ex(kind, handFailed("4", "date must be text (usage: guests, date)"), two, handFailed("6", "guests too small (usage: guests, date)\ndate must be text (usage: guests, date)")))},
		{"only the first told is no gluing", judgeLinePerProblem, "pass", old, with(ok, ex(two, handFailed("6", "guests too small")))},
		{"all told", judgeAllTold, "pass", old, with(ok, ex(two, handFailed("6", "guests too small, date must be text")))},
		{"first told", judgeAllTold, "fault", old, with(ok, ex(two, handFailed("6", "guests too small")))},
		{"none told is another check", judgeAllTold, "unseen", old, with(ok, ex(two, handFailed("6", "bad")))},
		{"a dropped key is no problem to the server", judgeAllTold, "unseen", old, with(ok, ex(extra, handSaid("7", "booked", ""), handCall("two:book", "8", "book", `{"guests":0,"date":"now","conform_unknown":"extra"}`), handFailed("8", "guests too small")))},
		{"way told", judgeNestedPath, "pass", old, with(ok, ex(leader, handFailed("5", "party.leader is required")))},
		{"way told by pointer", judgeNestedPath, "pass", old, with(ok, ex(leader, handFailed("5", "validating /properties/party: required: missing properties: [leader]")))},
		{"way told in a dump", judgeNestedPath, "pass", old, with(ok, ex(leader, handFailed("5", "\"path\": [\n  \"party\",\n  \"leader\"\n]")))},
		{"way lost", judgeNestedPath, "fault", old, with(ok, ex(leader, handFailed("5", "leader is required")))},
		{"no nested problem", judgeNestedPath, "na", old, with(ok, ex(missing, handFailed("2", "date is required")))},
		{"words", judgeNoDump, "pass", old, with(ok, ex(missing, handFailed("2", "date is required")))},
		{"dump of zod", judgeNoDump, "fault", old, with(ok, ex(missing, handFailed("2", dump)))},
		{"dump of Pydantic", judgeNoDump, "fault", old, with(ok, ex(missing, handFailed("2", "1 validation error for bookArguments\ndate\n  Field required [type=missing, input_value={'guests': 2}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.11/v/missing")))},
		{"stack", judgeNoDump, "fault", old, with(ok, ex(missing, handFailed("2", "date is required\n    at check (/srv/a.js:1:2)")))},
		{"excluded key refused", judgeUnknownKey, "pass", old, with(ok, ex(extra, handFailed("7", "conform_unknown is not known")))},
		{"excluded key dropped", judgeUnknownKey, "fault", old, with(ok, ex(extra, handSaid("7", "booked", "")))},
		{"room for other keys", judgeUnknownKey, "na", old, with(open, ex(handCall("extra:open", "21", "open", `{"conform_unknown":"extra"}`), handSaid("21", "5 found", "")))},
		{"key refused against the schema", judgeValidAccepted, "fault", old, with(open, ex(handCall("extra:open", "21", "open", `{"conform_unknown":"extra"}`), handFailed("21", "unknown argument conform_unknown")))},
		{"valid accepted", judgeValidAccepted, "pass", old, ok},
		{"valid refused by a validator", judgeValidAccepted, "fault", old, ex(ok[0], handFailed("1", "Input validation error: Invalid arguments for tool book"))},
		{"an optional argument called required", judgeValidAccepted, "fault", old, ex(ok[0], handFailed("1", "area is required"))},
		{"a rule of its own", judgeValidAccepted, "unseen", old, ex(ok[0], handFailed("1", "area is required for more than 10 guests"))},
		{"what the tool returned is refused", judgeValidAccepted, "unseen", old, ex(ok[0], handError("1", "-32602", "Invalid tools/call result: expected object, received undefined"))},
		{"a table that is taken", judgeValidAccepted, "unseen", old, ex(ok[0], handFailed("1", "no table is free"))},
		{"absent as empty", judgeMissingArguments, "pass", old, ex(handCall("empty:open", "1", "open", `{}`), handSaid("1", "ok", ""), noArguments, handSaid("9", "ok", ""))},
		{"absent refused", judgeMissingArguments, "fault", old, ex(handCall("empty:open", "1", "open", `{}`), handSaid("1", "ok", ""), noArguments, handError("9", "-32602", "expected object, received undefined"))},
		{"absent silent", judgeMissingArguments, "fault", old, ex(handCall("empty:open", "1", "open", `{}`), handSaid("1", "ok", ""), noArguments, "! absent:open silent nothing")},
		{"the second call fails for its own reason", judgeMissingArguments, "unseen", old, ex(handCall("empty:open", "1", "open", `{}`), handSaid("1", "ok", ""), noArguments, handFailed("9", "already exists"))},
		{"fails with {} too", judgeMissingArguments, "unseen", old, ex(handCall("empty:open", "1", "open", `{}`), handFailed("1", "no key"), noArguments, handFailed("9", "no key"))},
		{"container refused", judgeContainerRefused, "pass", old, ex(handCall("container:array", "1", "open", `[]`), handError("1", "-32602", "no"))},
		{"container refused by isError", judgeContainerRefused, "pass", old, ex(handCall("container:array", "1", "open", `[]`), handFailed("1", "no"))},
		{"container served", judgeContainerRefused, "fault", old, ex(handCall("container:array", "1", "open", `[]`), handSaid("1", "5 found", ""))},
		{"container silent", judgeContainerRefused, "fault", old, ex(handCall("container:string", "1", "open", `"x"`), "! container:string silent nothing")},
		{"null may count as absent", judgeContainerRefused, "unseen", old, ex(handCall("container:null", "1", "open", `null`), handSaid("1", "5 found", ""))},
		{"container channel", judgeContainerChannel, "fault", old, ex(handCall("container:array", "1", "open", `[]`), handFailed("1", "no"))},
		{"container by error", judgeContainerChannel, "pass", old, ex(handCall("container:array", "1", "open", `[]`), handError("1", "-32600", "no"))},
		{"null refused", judgeNullOptional, "pass", old, with(ok, ex(handCall("null:book", "9", "book", `{"guests":2,"date":"now","area":null}`), handFailed("9", "area must be text")))},
		{"null as absent", judgeNullOptional, "pass", old, with(ok, ex(handCall("null:book", "9", "book", `{"guests":2,"date":"now","area":null}`), handSaid("9", "booked", "")))},
		{"null as text", judgeNullOptional, "fault", old, with(ok, ex(handCall("null:book", "9", "book", `{"guests":2,"date":"now","area":null}`), handSaid("9", "booked in the <nil>", "")))},
		{"null as a crash", judgeNullOptional, "fault", old, with(ok, ex(handCall("null:book", "9", "book", `{"guests":2,"date":"now","area":null}`), handFailed("9", "Cannot read properties of null")))},
		{"null without a network", judgeNullOptional, "unseen", old, with(broken, ex(handCall("null:book", "9", "book", `{"guests":2,"date":"now","area":null}`), handFailed("9", "connect ECONNREFUSED")))},
		{"prototype key like any", judgePrototypeKeys, "pass", old, with(ok, ex(extra, handFailed("7", "conform_unknown is not known"), proto, handFailed("8", "__proto__ is not known")))},
		{"prototype key dropped", judgePrototypeKeys, "pass", old, with(ok, ex(extra, handFailed("7", "conform_unknown is not known"), proto, handSaid("8", "booked", "")))},
		{"prototype key crashes", judgePrototypeKeys, "fault", old, with(ok, ex(extra, handFailed("7", "conform_unknown is not known"), proto, handError("8", "-32603", "Internal error")))},
		{"any unknown key crashes", judgePrototypeKeys, "pass", old, with(ok, ex(extra, handFailed("7", "Cannot read properties of undefined"), proto, handFailed("8", "Cannot read properties of undefined")))},
		{"prototype key stays", judgePrototypeKeys, "fault", old, with(ok, ex(extra, handFailed("7", "no"), proto, handFailed("8", "no"), handCall("after:book", "9", "book", `{"guests":2,"date":"now"}`), handFailed("9", "no")))},
		{"text for a number refused", judgeStringified, "pass", old, with(ok, ex(handCall("text:book#1", "9", "book", `{"guests":"2","date":"now"}`), handFailed("9", "guests must be an integer")))},
		{"text for a number read", judgeStringified, "pass", old, with(ok, ex(handCall("text:book#1", "9", "book", `{"guests":"2","date":"now"}`), handSaid("9", "booked", "")))},
		{"text for a number refused darkly", judgeStringified, "fault", old, with(ok, ex(handCall("text:book#1", "9", "book", `{"guests":"2","date":"now"}`), handFailed("9", "bad")))},
		{"half a number read", judgeStringified, "fault", old, with(ok, ex(handCall("half:book#1", "9", "book", `{"guests":"5abc","date":"now"}`), handSaid("9", "booked", "")))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			judgedAs(t, tt.want, tt.judge, Cell{Scenario: "bad-input", Revision: tt.revision}, handFacts(tt.revision, bookTool, openTool, tiedTool, ifTool), tt.lines...)
		})
	}
}

const (
	noArguments = `> absent:open {"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"open"}}`
	proto       = `> prototype:book {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"book","arguments":{"guests":2,"date":"now","__proto__":{"x":1}}}}`
)

func TestBadInputEchoes(t *testing.T) {
	t.Parallel()
	key := "conform\nunknown\x1b[31m\u202ekey"
	args, _ := json.Marshal(map[string]any{"guests": 2, "date": "now", key: "extra"})
	value, _ := json.Marshal(map[string]any{"guests": 2, "date": "now", "area": hostileValue})
	tests := []struct {
		name, label, args, text string
		escaped, hidden         string
	}{
		{"raw key", "hostile-key:book", string(args), key + " is not known", "fault", "fault"},
		{"key as JSON", "hostile-key:book", string(args), `"conform\nunknown\u001b[31m\u202ekey" is not known`, "pass", "pass"},
		{"only bidi is left", "hostile-key:book", string(args), "conform\\nunknown\\u001b[31m\u202ekey is not known", "pass", "fault"},
		{"not echoed, lines of its own", "hostile-key:book", string(args), "one key\nis not known", "pass", "pass"},
		{"raw value", "hostile-value:book", string(value), "area: " + hostileValue + " is none of hall, bar", "fault", "pass"},
		{"value left out", "hostile-value:book", string(value), "area must be one of hall, bar", "pass", "pass"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			lines := []string{handCall(tt.label, "1", "book", tt.args), handFailed("1", tt.text)}
			judgedAs(t, tt.escaped, judgeInputEscaped, Cell{Scenario: "bad-input"}, handFacts("2025-11-25", bookTool), lines...)
			judgedAs(t, tt.hidden, judgeInputHidden, Cell{Scenario: "bad-input"}, handFacts("2025-11-25", bookTool), lines...)
		})
	}
}

func TestNotExecuted(t *testing.T) {
	t.Parallel()
	ask := func(label, id, args string) string {
		return `> ` + label + ` {"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"book","arguments":` + args + `,"_meta":{"progressToken":"` + label + `"}}}`
	}
	progress := func(token string) string {
		return `< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"` + token + `","progress":1}}`
	}
	valid := []string{ask("valid:book", "1", `{"guests":2,"date":"now"}`), progress("valid:book"), handSaid("1", "booked", "")}
	bad := ask("one:book#1", "2", `{"guests":2}`)
	cell, facts := Cell{Scenario: "bad-input"}, handFacts("2025-11-25", bookTool)
	judgedAs(t, "pass", judgeNotExecuted, cell, facts, append(valid, bad, handFailed("2", "date is required"))...)
	judgedAs(t, "fault", judgeNotExecuted, cell, facts, append(valid, bad, progress("one:book#1"), handFailed("2", "date is required"))...)
	judgedAs(t, "pass", judgeNotExecuted, cell, facts, append(valid, bad, handFailed("2", "date is required"), progress("one:book#1"))...)
	judgedAs(t, "unseen", judgeNotExecuted, cell, facts, ask("valid:book", "1", `{"guests":2,"date":"now"}`), handSaid("1", "booked", ""), bad, handFailed("2", "date is required"))
}

// TestBadInputProbes holds the probes to what they are for: each breaks the
// schema as its label says, and tools that only the configuration allows get none.
func TestBadInputProbes(t *testing.T) {
	t.Parallel()
	f := handFacts("2025-11-25", bookTool, openTool, tiedTool, ifTool)
	for i := range f.Tools {
		tool := &f.Tools[i]
		b := newBadInput(f, tool)
		if b == nil {
			t.Fatalf("%s gets no probes", tool.Name)
		}
		labels := map[string]bool{}
		for _, c := range append(b.first(), b.more()...) {
			if labels[c.label] {
				t.Errorf("the label %s is used twice", c.label)
			}
			labels[c.label] = true
			kind, _, _ := strings.Cut(c.label, ":")
			problems, err := b.check.Problems(c.args)
			if c.args == nil {
				problems, err = b.check.Problems(json.RawMessage(`{}`))
			}
			want, known := map[string]int{"valid": 0, "empty": 0, "absent": 0, "one": 1, "two": 2, "three": 3, "null": 1, "half": 1}[kind]
			if err != nil || known && len(problems) != want {
				t.Errorf("%s %s: %d problems, want %d (%v)", c.label, c.args, len(problems), want, err)
			}
		}
	}
	if !strings.Contains(string(newBadInput(f, f.Tool("tied")).compositions()[0]), `"a"`) {
		t.Error("what dependentRequired asks for is not left out")
	}
	written := f.Tools[1]
	written.Why = WhyCall
	if newBadInput(f, &written) != nil {
		t.Error("a tool that only a call of the configuration allows gets other arguments")
	}
}

func TestHasDefault(t *testing.T) {
	t.Parallel()
	tool := toolOf(`{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"type":"array","items":{"type":"object","properties":{"c":{"default":1},"d":{}}}}}}}`)
	got := map[string]bool{}
	for _, pointer := range []string{"/a", "/b", "/b/0/c", "/b/0/d", "/z"} {
		got[pointer] = hasDefault(tool.Get("inputSchema"), pointer)
	}
	if d := cmp.Diff(map[string]bool{"/a": true, "/b": false, "/b/0/c": true, "/b/0/d": false, "/z": false}, got); d != "" {
		t.Errorf("which properties have a default (-want +got):\n%s", d)
	}
}

func TestMentions(t *testing.T) {
	t.Parallel()
	for name, texts := range map[string]map[string]bool{
		"startDate":  {"Start date is missing": true, "startDate: required": true, "date is missing": false},
		"start_date": {"the start date": true, "START_DATE": true, "date": false},
		"n":          {"n": true},
	} {
		for text, want := range texts {
			if got := mentions(text, name); got != want {
				t.Errorf("%q mentions %s: got %t", text, name, got)
			}
		}
	}
	if !hasWord("max: too big", "max") || hasWord("maximum is 5", "max") || hasWord("xmax", "max") || hasWord("", "") {
		t.Error("words are not told from parts of words")
	}
}
