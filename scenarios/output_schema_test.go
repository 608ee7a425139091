package scenarios

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

const (
	lookupTool = `{"name":"lookup","inputSchema":{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]},
		"outputSchema":{"type":"object","properties":{"word":{"type":"string"},"count":{"type":"integer"}},"required":["word","count"],"additionalProperties":false}}`
	plainTool = `{"name":"plain","inputSchema":{"type":"object"}}`
)

func TestOutputSchema(t *testing.T) {
	t.Parallel()
	ask := handCall("call:lookup#1", "1", "lookup", `{"word":"tea"}`)
	plain := handCall("call:plain#1", "1", "plain", `{}`)
	fit := `,"structuredContent":{"word":"tea","count":3}`
	const old, modern = "2025-11-25", "2026-07-28"
	tests := []struct {
		name     string
		judge    func(*Evidence) Ruling
		want     string
		revision string
		lines    []string
	}{
		{"present", judgeStructuredPresent, "pass", old, []string{ask, handSaid("1", "tea: 3", fit)}},
		{"missing", judgeStructuredPresent, "fault", old, []string{ask, handSaid("1", "tea: 3", "")}},
		{"null", judgeStructuredPresent, "fault", old, []string{ask, handSaid("1", "tea: 3", `,"structuredContent":null`)}},
		{"null breaks the schema in the modern era too", judgeStructuredPresent, "fault", modern, []string{ask, handSaid("1", "tea: 3", `,"resultType":"complete","structuredContent":null`)}},
		{"an error needs none", judgeStructuredPresent, "unseen", old, []string{ask, handFailed("1", "no entry")}},
		{"before output schemas", judgeStructuredPresent, "na", "2025-03-26", []string{ask, handSaid("1", "tea: 3", "")}},
		{"matches", judgeStructuredMatches, "pass", old, []string{ask, handSaid("1", "tea: 3", fit)}},
		{"wrong type", judgeStructuredMatches, "fault", old, []string{ask, handSaid("1", "tea: 3", `,"structuredContent":{"word":"tea","count":"3"}`)}},
		{"excluded member", judgeStructuredMatches, "fault", old, []string{ask, handSaid("1", "tea: 3", `,"structuredContent":{"word":"tea","count":3,"took":1}`)}},
		{"missing is told elsewhere", judgeStructuredMatches, "unseen", old, []string{ask, handSaid("1", "tea: 3", "")}},
		{"object", judgeStructuredObject, "pass", old, []string{ask, handSaid("1", "tea: 3", fit)}},
		{"list", judgeStructuredObject, "fault", old, []string{plain, handSaid("1", "tea", `,"structuredContent":["tea"]`)}},
		{"list in the modern era", judgeStructuredObject, "na", modern, []string{plain, handSaid("1", "tea", `,"structuredContent":["tea"]`)}},
		{"undeclared", judgeUndeclared, "fault", old, []string{plain, handSaid("1", "tea", `,"structuredContent":{"a":1}`)}},
		{"nothing undeclared", judgeUndeclared, "pass", old, []string{plain, handSaid("1", "tea", "")}},
		{"mismatch reported", judgeMismatchRefused, "pass", old, []string{ask, handFailed("1", "lookup returned details that don't match its output schema\ncount must be an integer")}},
		{"mismatch sent", judgeMismatchRefused, "fault", old, []string{ask, handSaid("1", "tea", `,"structuredContent":{"word":"tea"}`)}},
		{"no mismatch met", judgeMismatchRefused, "unseen", old, []string{ask, handSaid("1", "tea: 3", fit)}},
		{"mismatch in lines", judgeMismatchLines, "pass", old, []string{ask, handFailed("1", "lookup returned details that don't match its output schema\nword: is required\ncount: must be integer")}},
		{"mismatch in other words", judgeMismatchLines, "fault", old, []string{ask, handFailed("1", "Output validation error: word: is required")}},
		{"mismatch glued", judgeMismatchLines, "fault", old, []string{ask, handFailed("1", "lookup returned details that don't match its output schema\nword: is required, count: must be integer")}},
		{"survives", judgeSurvivesV1, "pass", old, []string{handList(lookupTool), ask, handSaid("1", "tea: 3", fit)}},
		{"refused by the client", judgeSurvivesV1, "fault", old, []string{handList(lookupTool), ask, handSaid("1", "tea: 3", "")}},
		{"an error with misfit content", judgeSurvivesV1, "fault", old, []string{handList(lookupTool), ask, handSaid("1", "no", `,"isError":true,"structuredContent":{"problem":"no"}`)}},
		{"the list is lost already", judgeSurvivesV1, "unseen", old, []string{handList(`{"name":"x"}`), ask, handSaid("1", "tea: 3", "")}},
		{"compiles", judgeCompilesInAJV, "pass", old, []string{ask}},
		{"text there", judgeTextPresent, "pass", old, []string{ask, handSaid("1", "tea: 3", fit)}},
		{"content empty", judgeTextPresent, "fault", old, []string{ask, handResult("1", `{"content":[]`+fit+`}`)}},
		{"readable", judgeTextReadable, "pass", old, []string{ask, handSaid("1", "tea: 3, nothing undefined about it", fit)}},
		{"object Object", judgeTextReadable, "fault", old, []string{ask, handSaid("1", "Result: [object Object]", fit)}},
		{"undefined alone", judgeTextReadable, "fault", old, []string{ask, handSaid("1", "undefined", fit)}},
		{"the caller's own words", judgeTextReadable, "pass", old, []string{handCall("call:lookup#1", "1", "lookup", `{"word":"[object Object]"}`), handSaid("1", "[object Object]: 15", "")}},
		{"facts in the text", judgeCarriesFacts, "pass", old, []string{ask, handSaid("1", "The word has 3 letters.", fit)}},
		{"facts as JSON", judgeCarriesFacts, "pass", old, []string{ask, handSaid("1", `{"count":3,"word":"tea"}`, fit)}},
		{"facts lost", judgeCarriesFacts, "fault", old, []string{ask, handSaid("1", "Looked up.", fit)}},
		{"nothing structured", judgeCarriesFacts, "unseen", old, []string{ask, handSaid("1", "Looked up.", "")}},
		{"metadata hides the text", judgeStructuredCarries, "fault", old, []string{ask, handSaid("1", strings.Repeat("a long story ", 40), fit)}},
		{"both tell it", judgeStructuredCarries, "pass", old, []string{ask, handSaid("1", "tea: 3", fit)}},
		{"error alone", judgeErrorTextAlone, "pass", old, []string{ask, handFailed("1", "no entry")}},
		{"error with structure", judgeErrorTextAlone, "fault", old, []string{ask, handSaid("1", "no", `,"isError":true,"structuredContent":{"problem":"no"}`)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			judgedAs(t, tt.want, tt.judge, Cell{Scenario: "output-schema", Revision: tt.revision}, handFacts(tt.revision, lookupTool, plainTool), tt.lines...)
		})
	}
}

func TestCompilesInAJV(t *testing.T) {
	t.Parallel()
	odd := `{"name":"odd","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"^[a-z\\_]+$"}}}}`
	judgedAs(t, "fault", judgeCompilesInAJV, Cell{Scenario: "output-schema"}, handFacts("2025-11-25", odd))
	judgedAs(t, "na", judgeCompilesInAJV, Cell{Scenario: "output-schema"}, handFacts("2025-11-25", plainTool))
	judgedAs(t, "na", judgeCompilesInAJV, Cell{Scenario: "output-schema", Revision: "2026-07-28"}, handFacts("2026-07-28", odd))
}

func TestLostFacts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, structured, text, sent string
		lost                         int
	}{
		{"words and numbers", `{"city":"Oslo","inhabitants":717710}`, "Oslo has 717,710 inhabitants.", `{}`, 0},
		{"case and quotes", `{"name":"Müller's \"Bad\""}`, "name: MÜLLER'S Bad", `{}`, 0},
		{"rounded", `{"metres":1.2192}`, "about 1.22 m", `{}`, 0},
		{"not rounded, another number", `{"metres":1.2192}`, "about 1.3 m", `{}`, 1},
		{"percentage", `{"share":0.256}`, "25.6 %", `{}`, 0},
		{"kilobytes", `{"size":2048}`, "2 KiB", `{}`, 0},
		{"digits of a longer number do not count", `{"n":12}`, "n is 123", `{}`, 1},
		{"zero", `{"n":0}`, "there are 0 of them", `{}`, 0},
		{"booleans and null are left out", `{"ok":true,"none":null,"empty":""}`, "done", `{}`, 0},
		{"what the caller sent", `{"query":"tea"}`, "done", `{"query":"tea"}`, 0},
		{"the length of a list", `{"total":2,"items":["a1","b2"]}`, "a1 and b2", `{}`, 0},
		{"a time in other words", `{"at":"2026-11-29T08:00:00Z"}`, "this morning", `{}`, 0},
		{"a short word inside of another", `{"grade":"x"}`, "an example", `{}`, 1},
		{"a short word", `{"grade":"A+"}`, "Grade: A+", `{}`, 0},
		{"an item that is missing", `{"items":["first","second"]}`, "first", `{}`, 1},
		{"a copy of the blocks", `{"content":[{"type":"resource_link","name":"a"}]}`, "", `{}`, 0},
		{"a resource says it", `{"uri":"file:///a.txt"}`, "", `{}`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text, _ := json.Marshal(tt.text)
			content := gjson.Parse(`[{"type":"text","text":` + string(text) + `},{"type":"resource_link","uri":"file:///a.txt","name":"a"}]`)
			lost := lostFacts(gjson.Parse(tt.structured), content, gjson.Parse(tt.sent))
			if len(lost) != tt.lost {
				t.Errorf("lost %+v, want %d", lost, tt.lost)
			}
		})
	}
}
