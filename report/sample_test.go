package report

import (
	"fmt"
	"time"

	"github.com/agntn/conform/scenarios"
)

// Hostile texts, as a server may answer them.
const (
	esc       = "\x1b[31mred\x1b[0m\x1b]0;title\x07"
	osc8      = "\x1b]8;;https://evil.example/\x1b\\click\x1b]8;;\x1b\\"
	bidi      = "a\u202egnp.exe\u2066b\u2028c\u009bd"
	nul       = "nul\x00byte \xff\xfe end"
	script    = `</script><script>alert(1)</script><img src=x onerror=alert(2)>`
	cdata     = "]]> <![CDATA[ &bogus; --> <!-- ]]>"
	formula   = "=cmd|' /C calc'!A0"
	workflow  = "line one\n::error file=app.js,line=1::pwned\n::set-output name=x::y ##[error]pwned ##vso[task.setvariable]x"
	mention   = "@octocat @org/team #123 GH-7 www.evil.example https://evil.example/?a=b [link](https://evil.example) $x^2$"
	ticks     = "a ` b `` c ``` d | e || f"
	mdBreak   = "\n\n# heading\n| a | b |\n- item\n> quote\n<details open>"
	sarifLink = "see [here](https://evil.example) and {0}"
)

// plan is one outcome of the example in short.
type plan struct {
	check, client, revision, transport string
	level                              scenarios.Level
	verdict                            scenarios.Verdict
	change                             func(*scenarios.Outcome)
}

// exampleReport is a run of a server that has every kind of trouble, with hostile
// texts in every place where a target's text can stand.
func exampleReport() Report {
	r := Report{
		Schema: Schema, Tool: Tool{"conform", "0.1.0"}, Seed: 1,
		Target: Target{
			Name: "acme-notes", Version: "1.4.0", Title: "Acme Notes", Transports: []string{"stdio"},
			Revisions: []string{"2025-06-18", "2025-11-25"}, Command: "node dist/server.mjs", Tools: 7,
			SDK: "TypeScript SDK v1",
		},
		Profile: scenarios.ProfileHosts, Started: time.Date(2026, 11, 29, 21, 4, 5, 0, time.UTC), DurationMS: 6420,
		Clients: []Client{
			{ID: "claude-code", Product: "Claude Code", Version: "2.1.332", Seen: "observed on 2026-11-29"},
			{ID: "chatgpt", Product: "ChatGPT", Seen: "vendor documents of 2026-11"},
			{ID: "sdk-v1", Product: "TypeScript SDK v1", Version: "1.32.2", Seen: "observed on 2026-11-29"},
			{ID: "gemini-cli", Product: "Gemini CLI", Version: "0.21.0", Seen: "observed on 2026-11-29"},
		},
		Command:   "conform run --cmd 'node dist/server.mjs' --json report.json",
		NotProven: []string{"what it answers over HTTP: nothing was asked there; --url tries it"},
		NotCalled: []NotCalled{
			{"delete_note", "its annotations do not say that it only reads"},
			{"purge", "its annotations do not say that it only reads"},
			{"export " + esc, "it is on the deny list"},
		},
		Notes: []string{"the waiver for framing/no-bom expired on 2026-10-01 and no longer counts"},
		Stale: []string{"stale baseline entry: listing/names-unique@any@2025-11-25@stdio: the finding is gone; remove the entry, or run with --update-baseline"},
		Stats: &Stats{Processes: 12, Requests: 310, BytesSent: 60211, BytesRecv: 202144, CPUMS: 900, Outcomes: 41},
		Views: []scenarios.View{
			{Client: "claude-code", Tool: "search_notes", Label: "search_notes", Reads: "structuredContent", Hides: []string{"content text"}, State: "ok"},
			{Client: "claude-code", Tool: "delete_note", Label: "Delete " + esc, Reads: "text", State: "ok"},
			{Client: "chatgpt", Tool: "search_notes", Label: "Search notes", Reads: "both", State: "ok"},
			{Client: "sdk-v1", Tool: "search_notes", Label: "search_notes", Reads: "both", State: "ok"},
			{Client: "sdk-v1", Tool: "delete_note", Label: "delete_note", Reads: "both", State: "ok"},
			{Client: "gemini-cli", Tool: "search_notes", Label: "search_notes", Reads: "text", State: "dropped", Note: "an items schema is missing"},
			{Client: "gemini-cli", Tool: "delete_note", Label: "delete_note", Reads: "text", State: "ok"},
		},
	}
	for _, p := range examplePlan() {
		o := scenarios.Outcome{
			ID:    p.check + "@" + p.client + "@" + p.revision + "@" + p.transport,
			Check: p.check, Scenario: scenarios.Check{ID: p.check}.Scenario(), Client: p.client,
			Revision: p.revision, Transport: p.transport, Level: p.level, Verdict: p.verdict,
			Gate: p.verdict == scenarios.Fail, DurationMS: 3,
		}
		if p.change != nil {
			p.change(&o)
		}
		r.Outcomes = append(r.Outcomes, o)
	}
	r.NotProven = append(r.NotProven, Unproven(r.Outcomes, r.NotCalled)...)
	r.Summary, r.Clients = Summarise(r.Outcomes, r.Clients, r.Views...)
	r.Exit = Exit(r, FailOnFail)
	return r
}

func ask(id int, method, params string) scenarios.Frame {
	return scenarios.Frame{AtMS: int64(10 * id), Dir: "send", Text: fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)}
}

func answer(id int, result string) scenarios.Frame {
	return scenarios.Frame{AtMS: int64(10*id + 4), Dir: "recv", Text: fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, result)}
}

func prototype(o *scenarios.Outcome) {
	o.Subject = "toString"
	o.Message = `The unknown name "toString" gets another kind of answer than any other unknown name.`
	o.Expected = `the answer that "zq_unknown_1" gets: Tool zq_unknown_1 not found`
	o.Observed = "Tool toString disabled"
	o.Hosts = []string{"claude-code", "sdk-v1"}
	o.Remedy = "Look tool names up in a Map, or check with Object.hasOwn before you read the table."
	o.Basis = []string{"server/tools#error-handling"}
	o.Cause = &scenarios.Cause{
		ID: "ts-sdk-v1-prototype-lookup", SDK: "TypeScript SDK v1 (all versions tried)",
		Text:   "McpServer looks tool names up on a plain object.",
		Remedy: "Register a CallTool handler of your own that checks the name first, or wait for the SDK and waive the check.",
	}
	o.Evidence = []scenarios.Frame{
		ask(3, "tools/call", `{"name":"zq_unknown_1","arguments":{}}`),
		answer(3, `{"content":[{"type":"text","text":"MCP error -32602: Tool zq_unknown_1 not found"}],"isError":true}`),
		ask(4, "tools/call", `{"name":"toString","arguments":{}}`),
		answer(4, `{"content":[{"type":"text","text":"MCP error -32602: Tool toString disabled"}],"isError":true}`),
	}
	o.Repro = `printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}' '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"toString","arguments":{}}}' | node dist/server.mjs`
}

func hostileEcho(o *scenarios.Outcome) {
	o.Subject = "zq" + esc + bidi
	o.Message = "The name of an unknown tool comes back with its control characters: " + esc + osc8
	o.Expected = "control characters escaped"
	o.Observed = "Unknown tool: " + esc + osc8 + bidi + nul + script + cdata
	o.Remedy = "Write the name with JSON.stringify."
	o.Basis = []string{"server/tools#security-considerations"}
	o.Evidence = []scenarios.Frame{
		ask(5, "tools/call", `{"name":"zq\u001b[31m"}`),
		{AtMS: 54, Dir: "recv", Text: `{"result":"` + esc + osc8 + bidi + nul + script + cdata + workflow + `"}`},
		{AtMS: 60, Dir: "note", Text: "stderr: " + workflow + mention + ticks},
	}
	o.Repro = "printf '%s\\n' " + ticks + esc
}

// examplePlan lists the outcomes of the example, of every verdict and level.
func examplePlan() []plan {
	const old, now = "2025-06-18", "2025-11-25"
	say := func(message string) func(*scenarios.Outcome) {
		return func(o *scenarios.Outcome) { o.Message = message }
	}
	needsThrower := say("no tool is known to throw; --role throws=TOOL names one")
	return []plan{
		{"unknown-tool/prototype-name", "any", old, "stdio", scenarios.Must, scenarios.Fail, prototype},
		{"unknown-tool/prototype-name", "any", now, "stdio", scenarios.Must, scenarios.Fail, prototype},
		{"unknown-tool/name-escaped", "any", now, "stdio", scenarios.House, scenarios.Warn, hostileEcho},
		{"host-gemini-cli/array-items", "gemini-cli", now, "stdio", scenarios.Host, scenarios.Fail, func(o *scenarios.Outcome) {
			o.Subject, o.Source = "search_notes", scenarios.Observed
			o.Message = "Gemini CLI drops the tool search_notes: its parameter tags is an array without items."
			o.Expected, o.Observed = `"items" beside "type": "array"`, `{"type":"array"}`
			o.Remedy = "Say what the items are."
			o.Evidence = []scenarios.Frame{ask(1, "tools/list", `{}`), answer(1, `{"tools":[{"name":"search_notes","inputSchema":{"type":"object","properties":{"tags":{"type":"array"}}}}]}`)}
		}},
		{"bad-input/one-line-per-problem", "any", now, "stdio", scenarios.House, scenarios.Info, say("Three problems come as one dump of 41 lines.")},
		{"bad-input/no-dump", "any", now, "stdio", scenarios.House, scenarios.Warn, func(o *scenarios.Outcome) {
			o.Subject, o.Message = "search_notes", "The answer to a wrong input is the validator's own dump "+script
			o.Observed, o.Remedy = mdBreak+ticks+mention, "Write one line a problem."
		}},
		{"bad-input/refused", "any", now, "stdio", scenarios.Must, scenarios.Fail, func(o *scenarios.Outcome) {
			o.Message, o.Known, o.Gate = "A number is taken for a text.", true, false
			o.Faults = []scenarios.FaultLine{
				{Subject: "search_notes", Expected: "a refusal", Observed: "7 notes found"},
				{Subject: "delete_note", Expected: "a refusal", Observed: formula},
			}
			o.Subject = "search_notes"
		}},
		{"presentation/label-shown", "claude-code", now, "stdio", scenarios.Host, scenarios.Warn, func(o *scenarios.Outcome) {
			o.Message = "Two tools have a title that Claude Code does not show."
			o.Faults = []scenarios.FaultLine{{Subject: "search_notes"}, {Subject: "delete_note"}}
			o.Remedy, o.Source = "Repeat the title in annotations.title.", scenarios.Observed
		}},
		{"presentation/title-agrees", "any", now, "stdio", scenarios.Should, scenarios.Warn, func(o *scenarios.Outcome) {
			o.Waived, o.Message, o.Subject = "the two titles are for two audiences", "The titles differ.", "purge"
		}},
		{"output-schema/structured-present", "sdk-v1", now, "stdio", scenarios.Must, scenarios.Pass, say("2 answers looked at")},
		{"output-schema/text-carries-facts", "any", now, "stdio", scenarios.Should, scenarios.Warn, func(o *scenarios.Outcome) {
			o.Subject, o.Hosts = "search_notes", []string{"chatgpt"}
			o.Message = "Facts of structuredContent are missing from the text " + sarifLink + " " + mention
		}},
		{"thrown-error/one-line", "any", now, "stdio", scenarios.House, scenarios.Unseen, needsThrower},
		{"thrown-error/as-tool-error", "any", now, "stdio", scenarios.Must, scenarios.Unseen, needsThrower},
		{"thrown-error/no-stack", "any", now, "stdio", scenarios.House, scenarios.Unseen, needsThrower},
		{"thrown-error/escaped", "any", now, "stdio", scenarios.House, scenarios.Unseen, needsThrower},
		{"progress/sent-when-asked", "any", now, "stdio", scenarios.Note, scenarios.Unseen, say("no tool is known to report progress; --role progresses=TOOL names one")},
		{"listing/pages-end", "any", now, "stdio", scenarios.Must, scenarios.NA, say("the list has one page")},
		{"listing/as-written", "any", now, "stdio", scenarios.Must, scenarios.NA, say("no expected list was given; --expect FILE gives one")},
		{"elicitation/accept", "claude-code", now, "stdio", scenarios.Must, scenarios.NA, say("no tool asks")},
		{"shutdown/eof-exits", "sdk-v1", now, "stdio", scenarios.Should, scenarios.Error, say("the process table could not be read: permission denied")},
		{"messages/every-message-valid", "any", now, "stdio", scenarios.Must, scenarios.Pass, say("88 frames looked at")},
		{"framing/stdout-clean", "any", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"framing/no-bom", "any", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"opening/answers-initialize", "claude-code", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"opening/answers-initialize", "chatgpt", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"opening/answers-initialize", "sdk-v1", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"opening/answers-initialize", "gemini-cli", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"opening/answers-initialize", "any", old, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"opening/negotiates-down", "any", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"opening/no-version-echo", "any", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"opening/server-info", "any", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"opening/ping", "any", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"listing/schema-object-root", "any", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"listing/valid-json-schema", "any", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"listing/parses-in-sdk-v1", "sdk-v1", now, "stdio", scenarios.Host, scenarios.Pass, nil},
		{"listing/names-unique", "any", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"listing/no-null-optionals", "any", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"envelope/id-echo", "any", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"envelope/one-answer", "any", now, "stdio", scenarios.Must, scenarios.Pass, nil},
		{"input-examples/usable", "any", now, "stdio", scenarios.House, scenarios.Info, say("No tool carries an example.")},
		{"bad-input/missing-arguments", "any", now, "stdio", scenarios.Should, scenarios.Pass, nil},
	}
}

// exampleTexts are catalogue texts for some checks of the example.
func exampleTexts() Texts {
	return Texts{
		"unknown-tool/prototype-name": {
			ID:     "unknown-tool/prototype-name",
			Claim:  "A tool name that every object has, such as toString, is refused like any other unknown name.",
			Why:    "A model that guesses a name reads that the tool exists but is disabled, and tries to have it enabled.",
			Remedy: "Look names up in a Map.", Level: scenarios.Must, Basis: []string{"server/tools#error-handling"},
			Right: `{"content":[{"type":"text","text":"Unknown tool: \"toString\""}],"isError":true}`,
			Wrong: `{"content":[{"type":"text","text":"Tool toString disabled"}],"isError":true}`,
			Code:  map[string]string{"TypeScript SDK v1": "if (!Object.hasOwn(tools, name)) throw new Error(`Unknown tool: ${JSON.stringify(name)}`)"},
		},
		"host-gemini-cli/array-items": {
			ID:    "host-gemini-cli/array-items",
			Claim: "Every array in an input schema says what its items are.",
			Why:   "Gemini CLI leaves the tool out and tells nobody.", Level: scenarios.Host,
			Basis: []string{"Gemini CLI 0.21.0, observed"},
		},
	}
}
