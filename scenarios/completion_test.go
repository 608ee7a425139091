package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestCompletion(t *testing.T) {
	t.Parallel()
	const declared = `{"completions":{}}`
	ask := func(label, argument, answer string) []string {
		return exchanged(label, 1, "completion/complete", `{"ref":{"type":"ref/prompt","name":"p"},"argument":`+argument+`}`, answer)
	}
	values := func(v ...string) string {
		return `"result":{"completion":{"values":["` + strings.Join(v, `","`) + `"]}}`
	}
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprint("v", i)
	}
	const (
		arg     = `{"name":"a","value":""}`
		refused = `"error":{"code":-32602,"message":"no"}`
		none    = `"result":{"completion":{"values":[]}}`
	)
	typed := func(v ...string) []string { return ask("typed:1", `{"name":"a","value":"t"}`, values(v...)) }
	runJudged(t, "completion", []judged{
		{name: "100", judge: judgeAtMost100, opened: declared, lines: ask("all:1", arg, values(many[:100]...)), want: "pass"},
		{name: "101", judge: judgeAtMost100, opened: declared, lines: ask("all:1", arg, values(many...)), want: "fault"},
		{name: "nothing completed", judge: judgeAtMost100, opened: declared, lines: ask("all:1", arg, refused), want: "unseen"},
		{name: "nothing to complete", judge: judgeAtMost100, opened: declared, lines: ask("unknown", arg, refused), want: "na"},
		{name: "unsupported", judge: judgeCompletionUnsupported, lines: ask("unsupported", arg, `"error":{"code":-32601,"message":"no"}`), want: "pass"},
		{name: "supported and undeclared", judge: judgeCompletionUnsupported, lines: ask("unsupported", arg, none), want: "fault"},
		{name: "supported", judge: judgeCompletionUnsupported, opened: declared, want: "na"},
		{name: "unknown refused", judge: judgeCompletionUnknown, opened: declared, lines: ask("unknown", arg, refused), want: "pass"},
		{name: "unknown empty", judge: judgeCompletionUnknown, opened: declared, lines: ask("unknown", arg, none), want: "pass"},
		{name: "unknown with values", judge: judgeCompletionUnknown, opened: declared, lines: ask("unknown", arg, values("x")), want: "fault"},
		{name: "unknown breaks", judge: judgeCompletionUnknown, opened: declared, lines: ask("unknown", arg, `"error":{"code":-32603,"message":"no"}`), want: "fault"},
		{name: "missing refused", judge: judgeCompletionMissing, opened: declared, lines: ask("missing:name", `{"value":"x"}`, refused), want: "pass"},
		{name: "missing served", judge: judgeCompletionMissing, opened: declared, lines: ask("missing:name", `{"value":"x"}`, none), want: "fault"},
		{name: "odd refused", judge: judgeCompletionOdd, opened: declared, lines: ask("odd:ref", arg, refused), want: "pass"},
		{name: "odd served", judge: judgeCompletionOdd, opened: declared, lines: ask("odd:ref", arg, values("x")), want: "fault"},
		{name: "odd number taken", judge: judgeCompletionOdd, opened: declared, lines: ask("odd:number", `{"name":"a","value":5}`, values("5")), want: "pass"},
		{name: "odd stuck", judge: judgeCompletionOdd, opened: declared, lines: []string{ask("odd:long", arg, "")[0], "! odd:long stuck nothing comes"}, want: "fault"},
		{name: "context", judge: judgeCompletionContext, opened: declared, lines: joined(ask("all:1", arg, values("x")), exchanged("context", 2, "completion/complete", `{}`, values("x"))), want: "pass"},
		{name: "context refused", judge: judgeCompletionContext, opened: declared, lines: joined(ask("all:1", arg, values("x")), exchanged("context", 2, "completion/complete", `{}`, refused)), want: "fault"},
		{name: "context before its time", judge: judgeCompletionContext, opened: declared, revision: "2025-03-26", want: "na"},
		{name: "prefix first", judge: judgeCompletionRelevance, opened: declared, lines: typed("tea", "Toast", "latte"), want: "pass"},
		{name: "prefix last", judge: judgeCompletionRelevance, opened: declared, lines: typed("latte", "tea"), want: "fault"},
		{name: "found elsewhere", judge: judgeCompletionRelevance, opened: declared, lines: typed("latte", "water"), want: "na"},
	})
}

func TestCompletables(t *testing.T) {
	t.Parallel()
	prompts := gjson.Parse(`[{"name":"p","arguments":[{"name":"a"},{"name":"b"}]},{"name":"q"}]`).Array()
	templates := gjson.Parse(`[{"uriTemplate":"x://{one}/{+two}"}]`).Array()
	got := fmt.Sprint(completables(prompts, templates))
	if want := "[{prompt p a} {prompt p b} {resource x://{one}/{+two} one} {resource x://{one}/{+two} two}]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
