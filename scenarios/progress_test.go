package scenarios

import (
	"fmt"
	"testing"
)

func withToken(label, id, token string) string {
	meta := ""
	if token != "" {
		meta = `"_meta":{"progressToken":` + token + `},`
	}
	return `> ` + label + ` {"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{` + meta + `"name":"apply","arguments":{"target":"a"}}}`
}

func tells(token, more string) string {
	return `< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,` + more + `}}`
}

func TestProgress(t *testing.T) {
	t.Parallel()
	call := func(token string, between ...string) []string {
		return join([]string{withToken("token:string", "1", token)}, between, []string{saysText("1", "done")})
	}
	flood := []string{}
	for i := range 120 {
		flood = append(flood, tells(`"t"`, fmt.Sprintf(`"progress":%d`, i)))
	}
	falsy := func(zero ...string) []string {
		return join(call(`"t"`, tells(`"t"`, `"progress":1`)), []string{withToken("token:integer", "2", "4711"), tells("4711", `"progress":1`), saysText("2", "done"), withToken("token:zero", "3", "0")}, zero, []string{saysText("3", "done")})
	}
	runEraCases(t, Cell{Scenario: "progress"}, askerFacts, []eraCase{
		{"told", judgeProgressSent, call(`"t"`, tells(`"t"`, `"progress":1`)), "pass"},
		{"not told", judgeProgressSent, call(`"t"`), "fault"},
		{"a known token", judgeTokenKnown, call(`"t"`, tells(`"t"`, `"progress":1`)), "pass"},
		{"an invented token", judgeTokenKnown, call(`"t"`, tells(`"apply-1"`, `"progress":1`)), "fault"},
		{"no token at all", judgeTokenKnown, call(`"t"`, `< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}`), "fault"},
		{"null is no empty text", judgeTokenKnown, call(`""`, tells(`null`, `"progress":1`)), "fault"},
		{"a token of another type is another matter", judgeTokenKnown, call(`7`, tells(`"7"`, `"progress":1`)), "pass"},
		{"echoed", judgeTokenEchoed, call(`7`, tells(`7`, `"progress":1`)), "pass"},
		{"a number as text", judgeTokenEchoed, call(`7`, tells(`"7"`, `"progress":1`)), "fault"},
		{"zero counts", judgeFalsyToken, falsy(tells("0", `"progress":1`)), "pass"},
		{"zero counts as none", judgeFalsyToken, falsy(), "fault"},
		{"growing", judgeIncreasing, call(`"t"`, tells(`"t"`, `"progress":0.5`), tells(`"t"`, `"progress":1`)), "pass"},
		{"standing still", judgeIncreasing, call(`"t"`, tells(`"t"`, `"progress":1`), tells(`"t"`, `"progress":1`)), "fault"},
		{"text", judgeIncreasing, call(`"t"`, tells(`"t"`, `"progress":"1"`)), "fault"},
		{"two calls of one token after each other", judgeIncreasing, join(call(`"t"`, tells(`"t"`, `"progress":5`)), []string{withToken("x", "9", `"t"`), tells(`"t"`, `"progress":1`), saysText("9", "done")}), "pass"},
		{"total kept", judgeTotal, call(`"t"`, tells(`"t"`, `"progress":1,"total":2`), tells(`"t"`, `"progress":2,"total":2`)), "pass"},
		{"total grows", judgeTotal, call(`"t"`, tells(`"t"`, `"progress":1,"total":2`), tells(`"t"`, `"progress":2,"total":4`)), "pass"},
		{"total lost", judgeTotal, call(`"t"`, tells(`"t"`, `"progress":1,"total":2`), tells(`"t"`, `"progress":2`)), "fault"},
		{"total passed", judgeTotal, call(`"t"`, tells(`"t"`, `"progress":3,"total":2`)), "fault"},
		{"no total", judgeTotal, call(`"t"`, tells(`"t"`, `"progress":1`)), "na"},
		{"nothing unasked", judgeUnasked, join(call(`"t"`, tells(`"t"`, `"progress":1`)), []string{withToken("unasked", "2", ""), saysText("2", "done")}), "pass"},
		{"unasked", judgeUnasked, join(call(`"t"`, tells(`"t"`, `"progress":1`)), []string{withToken("unasked", "2", ""), tells(`"apply"`, `"progress":1`), saysText("2", "done")}), "fault"},
		{"unasked by a tool that never reports", judgeUnasked, []string{withToken("unasked", "2", ""), saysText("2", "done")}, "unseen"},
		{"before the answer", judgeLateProgress, call(`"t"`, tells(`"t"`, `"progress":1`)), "pass"},
		{"after the answer", judgeLateProgress, join(call(`"t"`), []string{tells(`"t"`, `"progress":1`)}), "fault"},
		{"after the answer of an earlier call of the same token", judgeLateProgress, join(call(`"t"`), []string{withToken("x", "9", `"t"`), tells(`"t"`, `"progress":1`), saysText("9", "done")}), "pass"},
		{"one before", judgeBeforeAnswer, join(call(`"t"`, tells(`"t"`, `"progress":1`)), []string{tells(`"t"`, `"progress":2`)}), "pass"},
		{"all after", judgeBeforeAnswer, join(call(`"t"`), []string{tells(`"t"`, `"progress":1`)}), "fault"},
		{"calm", judgeRate, call(`"t"`, flood[:50]...), "pass"},
		{"a flood", judgeRate, call(`"t"`, flood...), "fault"},
		{"no progress seen", judgeIncreasing, call(`"t"`), "unseen"},
	})
}
