package scenarios

import (
	"fmt"
	"testing"
)

func TestSamplingAndRoots(t *testing.T) {
	t.Parallel()
	asks := func(id, params string) string {
		return `< {"jsonrpc":"2.0","id":` + id + `,"method":"sampling/createMessage","params":{` + params + `}}`
	}
	with := func(capabilities, params string) []string {
		return join(opened(capabilities), []string{callApply("call:apply#1", "5"), asks("6", params)})
	}
	use := `{"role":"assistant","content":[{"type":"tool_use","id":"u1","name":"a","input":{}},{"type":"tool_use","id":"u2","name":"a","input":{}}]}`
	result := func(id string) string { return `{"type":"tool_result","toolUseId":"` + id + `","content":[]}` }
	talk := func(results string) []string {
		return with(`{"sampling":{"tools":{}}}`, `"messages":[`+use+`,{"role":"user","content":[`+results+`]}]`)
	}
	rounds := func(n int, end string) []string {
		out := join(opened(`{"sampling":{"tools":{}}}`), []string{callApply("loop", "5")})
		for i := range n {
			id := fmt.Sprint(100 + i)
			out = append(out, asks(id, `"tools":[{"name":"a"}],"messages":[]`), `> answer {"jsonrpc":"2.0","id":`+id+`,"result":{}}`)
		}
		return append(out, end)
	}
	idle := []string{`! idle begin waits`}
	roots := func(end string) []string {
		return join(opened(`{"roots":{}}`), []string{callApply("call:apply#1", "5"), `< {"jsonrpc":"2.0","id":6,"method":"roots/list"}`, `> answer {"jsonrpc":"2.0","id":6,"error":{"code":-32601,"message":"no"}}`, end})
	}
	runEraCases(t, Cell{Scenario: "sampling"}, askerFacts, []eraCase{
		{"declared", judgeSamplingDeclared, with(`{"sampling":{}}`, `"messages":[]`), "pass"},
		{"not declared", judgeSamplingDeclared, with(`{}`, `"messages":[]`), "fault"},
		{"none", judgeSamplingDeclared, opened(`{}`), "na"},
		{"tools declared", judgeSamplingTools, with(`{"sampling":{"tools":{}}}`, `"messages":[],"tools":[]`), "pass"},
		{"tools not declared", judgeSamplingTools, with(`{"sampling":{}}`, `"messages":[],"tools":[]`), "fault"},
		{"no context", judgeIncludeContext, with(`{"sampling":{}}`, `"messages":[],"includeContext":"none"`), "pass"},
		{"all servers", judgeIncludeContext, with(`{"sampling":{}}`, `"messages":[],"includeContext":"allServers"`), "fault"},
		{"all servers, declared", judgeIncludeContext, with(`{"sampling":{"context":{}}}`, `"messages":[],"includeContext":"allServers"`), "pass"},
		{"balanced", judgeBalanced, talk(result("u1") + "," + result("u2")), "pass"},
		{"one result missing", judgeBalanced, talk(result("u1")), "fault"},
		{"text beside results", judgeBalanced, talk(result("u1") + "," + result("u2") + `,{"type":"text","text":"and"}`), "fault"},
		{"no tools used", judgeBalanced, with(`{"sampling":{}}`, `"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]`), "na"},
		{"a limit", judgeIterationLimit, rounds(5, saysText("5", "enough")), "pass"},
		{"no limit", judgeIterationLimit, rounds(51, `! loop rounds gave up`), "fault"},
		{"refused", judgeSamplingRefused, join(opened(`{"sampling":{}}`), []string{callApply("refused:apply#1", "5"), asks("6", `"messages":[]`), `> answer {"jsonrpc":"2.0","id":6,"error":{"code":-1,"message":"no"}}`, saysText("5", "could not")}), "pass"},
		{"refused and broken", judgeSamplingRefused, join(opened(`{"sampling":{}}`), []string{callApply("refused:apply#1", "5"), asks("6", `"messages":[]`), `> answer {"jsonrpc":"2.0","id":6,"error":{"code":-1,"message":"no"}}`, `< {"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"x"}}`}), "fault"},
		{"idle", judgeIdle, join(opened(`{"sampling":{}}`), idle, []string{`! idle-over end calls begin`, asks("6", `"messages":[]`)}), "pass"},
		{"asked while idle", judgeIdle, join(opened(`{"sampling":{}}`), idle, []string{asks("6", `"messages":[]`), `! idle-over end calls begin`}), "fault"},
		{"no roots to give", judgeRootsError, roots(saysText("5", "without roots")), "pass"},
		{"no roots to give breaks the call", judgeRootsError, roots(`< {"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"x"}}`), "fault"},
		{"roots changed", judgeRootsChange, []string{`> alive:changed {"jsonrpc":"2.0","id":5,"method":"ping"}`, `< {"jsonrpc":"2.0","id":5,"result":{}}`}, "pass"},
		{"roots changed and dead", judgeRootsChange, []string{`> alive:changed {"jsonrpc":"2.0","id":5,"method":"ping"}`, `! alive:changed dead the server ended`}, "fault"},
	})
}
