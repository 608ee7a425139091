package scenarios

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestThrownError(t *testing.T) {
	t.Parallel()
	ask := handCall("edge:lookup#1", "1", "lookup", `{"word":"tea"}`)
	role := handCall("role", "1", "lookup", `{"word":"tea"}`)
	stack := "boom\n    at run (/srv/tools.js:12:5)\n    at async call (file:///srv/server.mjs:8:1)"
	tests := []struct {
		name  string
		judge func(*Evidence) Ruling
		want  string
		lines []string
	}{
		{"isError", judgeThrownChannel, "pass", []string{ask, handFailed("1", "lookup failed: no entry")}},
		{"error -32603", judgeThrownChannel, "fault", []string{ask, handError("1", "-32603", "no entry")}},
		{"an SDK refuses what the tool returned", judgeThrownChannel, "fault", []string{ask, handError("1", "-32602", "Invalid tools/call result: []")}},
		{"refused input is no throw", judgeThrownChannel, "unseen", []string{ask, handError("1", "-32602", "Invalid arguments")}},
		{"a capability that the client lacks", judgeThrownChannel, "unseen", []string{ask, handError("1", "-32021", "elicitation is needed")}},
		{"bad input is no throw", judgeThrownChannel, "unseen", []string{handCall("edge:lookup#1", "1", "lookup", `{"word":5}`), handError("1", "-32603", "boom")}},
		{"a mismatch is no throw", judgeThrownChannel, "unseen", []string{ask, handFailed("1", "lookup returned details that don't match its output schema\nx")}},
		{"success", judgeThrownChannel, "unseen", []string{ask, handSaid("1", "tea: 3", "")}},
		{"words", judgeThrownText, "pass", []string{ask, handFailed("1", "boom")}},
		{"no words", judgeThrownText, "fault", []string{ask, handResult("1", `{"content":[],"isError":true}`)}},
		{"one line", judgeThrownOneLine, "pass", []string{ask, handFailed("1", "boom\n")}},
		{"two lines", judgeThrownOneLine, "fault", []string{ask, handFailed("1", "boom\nline two")}},
		{"two blocks of one line", judgeThrownOneLine, "pass", []string{ask, handResult("1", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"isError":true}`)}},
		{"two lines by an error", judgeThrownOneLine, "fault", []string{ask, handError("1", "-32603", "boom\nline two")}},
		{"escaped", judgeThrownEscaped, "pass", []string{ask, handFailed("1", `boom\u001b[31m`+"\tand\r\nmore")}},
		{"raw", judgeThrownEscaped, "fault", []string{ask, handFailed("1", "boom \x1b[31mred")}},
		{"bidi is not counted here", judgeThrownEscaped, "pass", []string{ask, handFailed("1", "boom \u202e\u200b")}},
		{"no stack", judgeThrownStack, "pass", []string{ask, handFailed("1", "cannot open /srv/data.json at line 12: no such file")}},
		{"stack of JavaScript", judgeThrownStack, "fault", []string{ask, handFailed("1", stack)}},
		{"stack of Python", judgeThrownStack, "fault", []string{ask, handFailed("1", "Traceback (most recent call last):\n  File \"/srv/a.py\", line 3, in run")}},
		{"stack of Go", judgeThrownStack, "fault", []string{ask, handFailed("1", "panic: boom\n\ngoroutine 7 [running]:\nmain.run()")}},
		{"wording of the role", judgeThrownWording, "pass", []string{role, handFailed("1", "lookup failed: no entry")}},
		{"other wording of the role", judgeThrownWording, "fault", []string{role, handFailed("1", "Error: no entry")}},
		{"nothing behind the colon", judgeThrownWording, "fault", []string{role, handFailed("1", "lookup failed: ")}},
		{"wording of who knows", judgeThrownWording, "unseen", []string{ask, handFailed("1", "Error: no entry")}},
		{"wording kept without a role", judgeThrownWording, "pass", []string{ask, handFailed("1", "lookup failed: no entry")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			judgedAs(t, tt.want, tt.judge, Cell{Scenario: "thrown-error"}, handFacts("2025-11-25", lookupTool, plainTool), tt.lines...)
		})
	}
}

func TestThrowThatEndsTheServer(t *testing.T) {
	t.Parallel()
	lines := []string{handCall("edge:lookup#1", "1", "lookup", `{"word":"tea"}`), "! edge:lookup#1 dead the server ended"}
	judgedAs(t, "unseen", judgeThrownChannel, Cell{Scenario: "thrown-error", Attempt: 1}, handFacts("2025-11-25", lookupTool), lines...)
	judgedAs(t, "fault", judgeThrownChannel, Cell{Scenario: "thrown-error", Attempt: 2}, handFacts("2025-11-25", lookupTool), lines...)
}

func TestEdges(t *testing.T) {
	t.Parallel()
	tool := func(hints string) *Facts {
		return handFacts("2025-11-25", `{"name":"t","annotations":{`+hints+`},"_meta":{"inputExamples":[{"n":7,"by":2,"word":"a"}]},"inputSchema":{"type":"object","properties":{
			"n":{"type":"integer"},"by":{"type":"number","minimum":1},"word":{"type":"string"},"kind":{"type":"string","enum":["x"]}},"required":["n","by","word"]}}`)
	}
	texts := func(f *Facts) []string {
		var out []string
		for _, raw := range edges(f, &f.Tools[0]) {
			out = append(out, string(raw))
		}
		return out
	}
	want := []string{`{"n":0,"by":2,"word":"a"}`, `{"n":7,"by":2,"word":"zz conform\nzz line two"}`}
	if d := cmp.Diff(want, texts(tool(`"readOnlyHint":true`))); d != "" {
		t.Errorf("edges of a tool that only reads (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{`{"n":7,"by":2,"word":"a"}`}, texts(tool(``))); d != "" {
		t.Errorf("a tool that may write gets nothing odd (-want +got):\n%s", d)
	}
}

func TestDoing(t *testing.T) {
	t.Parallel()
	token := func(label, id string) string {
		return `> ` + label + ` {"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"lookup","arguments":{"word":"tea"},"_meta":{"progressToken":"p` + id + `"}}}`
	}
	f := handFacts("2025-11-25", lookupTool, plainTool)
	f.Run.Roles = []Role{{Job: JobThrows, Tool: "lookup", Arguments: json.RawMessage(`{}`)}}
	e := tapeOf(t, Cell{Scenario: "output-schema"}, f,
		token("a", "1"), `< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p1","progress":1}}`, handSaid("1", "tea: 3", ""),
		token("b", "2"), `< {"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{}}`, handSaid("2", "tea: 3", ""),
		handCall("c", "3", "plain", `{}`), handFailed("3", "boom"),
		token("d", "4"), handFailed("4", "boom"),
		token("e", "5"), handResult("5", `{"resultType":"input_required","inputRequests":{}}`),
		token("f", "6"), handFailed("6", "Output validation error: count is missing"),
	)
	for job, want := range map[string]string{JobProgresses: "a", JobAsks: "be", JobThrows: "dc", JobMismatches: "f", JobSlow: ""} {
		got := ""
		for _, x := range e.Doing(job) {
			got += x.Label[len(x.Label)-1:]
		}
		if got != want {
			t.Errorf("%s: got calls %q, want %q", job, got, want)
		}
	}
	if tool, role := f.RoleTool(JobThrows); tool == nil || string(role.Arguments) == `{}` {
		t.Errorf("a role without arguments should get some that fit: %+v", role)
	}
	if tool, _ := f.RoleTool(JobAsks); tool != nil {
		t.Error("found a tool for a role that nobody gave")
	}
}
