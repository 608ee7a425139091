package scenarios

import (
	"encoding/json"
	"testing"
)

func TestInputExamples(t *testing.T) {
	t.Parallel()
	const (
		right   = `{"name":"slug","_meta":{"inputExamples":[{"text":"a"}]},"inputSchema":{"type":"object","properties":{"text":{"type":"string"},"max":{"type":"integer","default":3,"examples":[1,2]}},"required":["text"]}}`
		example = `{"name":"slug","_meta":{"inputExamples":[{"title":"a"}]},"inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}`
		def     = `{"name":"slug","inputSchema":{"type":"object","properties":{"max":{"type":"integer","default":"3"}}}}`
		inside  = `{"name":"slug","inputSchema":{"type":"object","properties":{"max":{"type":"integer","examples":[1,1.5]}}}}`
		null    = `{"name":"slug","inputSchema":{"type":"object","properties":{"max":{"type":"integer","default":null}}}}`
		ref     = `{"name":"slug","inputSchema":{"type":"object","properties":{"max":{"$ref":"#/$defs/n","default":1}},"$defs":{"n":{"type":"integer"}}}}`
		none    = `{"name":"slug","inputSchema":{"type":"object"}}`
	)
	ask := handCall("example:slug#1", "1", "slug", `{"text":"a"}`)
	tests := []struct {
		name  string
		judge func(*Evidence) Ruling
		want  string
		tool  string
		lines []string
	}{
		{"examples fit", judgeExamplesMatch, "pass", right, nil},
		{"an example breaks the schema", judgeExamplesMatch, "fault", example, nil},
		{"a default breaks its property", judgeExamplesMatch, "fault", def, nil},
		{"an example inside breaks its property", judgeExamplesMatch, "fault", inside, nil},
		{"a default of null says that there is none", judgeExamplesMatch, "na", null, nil},
		{"behind a reference nothing is certain", judgeExamplesMatch, "na", ref, nil},
		{"no examples", judgeExamplesMatch, "na", none, nil},
		{"usable", judgeExamplesUsable, "pass", right, []string{ask, handSaid("1", "a", "")}},
		{"fails", judgeExamplesUsable, "fault", right, []string{ask, handFailed("1", "cannot divide by zero")}},
		{"fails without a network", judgeExamplesUsable, "unseen", right, []string{ask, handFailed("1", "getaddrinfo ENOTFOUND api.example.com")}},
		{"fails without a key", judgeExamplesUsable, "unseen", right, []string{ask, handError("1", "-32603", "API key is not set")}},
		{"needs a client that shows forms", judgeExamplesUsable, "unseen", right, []string{ask, handError("1", "-32021", "has to ask")}},
		{"nothing to use", judgeExamplesUsable, "na", none, nil},
		{"not called", judgeExamplesUsable, "unseen", right, nil},
		{"no calls in the configuration", judgeCallsMet, "na", none, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			judgedAs(t, tt.want, tt.judge, Cell{Scenario: "input-examples"}, handFacts("2025-11-25", tt.tool), tt.lines...)
		})
	}
}

func TestCallsMet(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	ask := handCall("config:0", "1", "plain", `{}`)
	good := []string{ask, handSaid("1", "tea for two", `,"structuredContent":{"n":2,"list":[1,2]}`)}
	tests := []struct {
		name   string
		expect []Expectation
		lines  []string
		want   string
	}{
		{"succeeds", nil, good, "pass"},
		{"fails", nil, []string{ask, handFailed("1", "no")}, "fault"},
		{"error", nil, []string{ask, handError("1", "-32603", "no")}, "fault"},
		{"not answered in time", nil, []string{ask, "! config:0 interrupted conform stopped waiting"}, "unseen"},
		{"ends the server", nil, []string{ask, "! config:0 dead the server ended"}, "fault"},
		{"equals", []Expectation{{Path: "content.0.text", Equals: json.RawMessage(`"tea for two"`)}}, good, "pass"},
		{"equals a number in another form", []Expectation{{Path: "structuredContent.n", Equals: json.RawMessage(`2.0`)}}, good, "pass"},
		{"equals a list", []Expectation{{Path: "structuredContent.list", Equals: json.RawMessage(`[1, 2]`)}}, good, "pass"},
		{"does not equal", []Expectation{{Path: "content.0.text", Equals: json.RawMessage(`"tea"`)}}, good, "fault"},
		{"nothing there to equal", []Expectation{{Path: "structuredContent.m", Equals: json.RawMessage(`null`)}}, good, "fault"},
		{"matches", []Expectation{{Path: "content.0.text", Matches: `^tea`}}, good, "pass"},
		{"does not match", []Expectation{{Path: "content.0.text", Matches: `^two`}}, good, "fault"},
		{"exists", []Expectation{{Path: "structuredContent", Exists: &yes}}, good, "pass"},
		{"does not exist", []Expectation{{Path: "isError", Exists: &yes}}, good, "fault"},
		{"exists although it should not", []Expectation{{Path: "structuredContent", Exists: &no}}, good, "fault"},
		{"an expected failure", []Expectation{{Path: "isError", Equals: json.RawMessage(`true`)}}, []string{ask, handFailed("1", "no")}, "pass"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := handFacts("2025-11-25", plainTool)
			f.Run.Calls = []ToolCall{{Tool: "plain", Arguments: json.RawMessage(`{}`), Expect: tt.expect}}
			judgedAs(t, tt.want, judgeCallsMet, Cell{Scenario: "input-examples"}, f, tt.lines...)
		})
	}
	f := handFacts("2025-11-25", plainTool)
	f.Run.Calls = []ToolCall{{Tool: "gone", Arguments: json.RawMessage(`{}`)}}
	judgedAs(t, "fault", judgeCallsMet, Cell{Scenario: "input-examples"}, f)
}
