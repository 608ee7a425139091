package scenarios

import "testing"

func TestPrompts(t *testing.T) {
	t.Parallel()
	ask := func(label, name, answer string) []string {
		return exchanged(label, 1, "prompts/get", `{"name":"`+name+`"}`, answer)
	}
	const (
		plain   = "zz_conform_no_such_prompt"
		refused = `"error":{"code":-32602,"message":"Unknown prompt"}`
		given   = `"result":{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}`
	)
	list := func(prompts string) []string {
		return exchanged("list:prompts/list", 50, "prompts/list", `{}`, `"result":{"prompts":[`+prompts+`]}`)
	}
	callable := func(f *Facts) { f.Run.PromptsCallable = true }
	hostile := func(roles string) []string {
		messages := ""
		for i, r := range roles {
			if i > 0 {
				messages += ","
			}
			messages += `{"role":"` + map[rune]string{'u': "user", 'a': "assistant"}[r] + `","content":{"type":"text","text":"x"}}`
		}
		return joined(exchanged("get:1", 7, "prompts/get", `{"name":"a"}`, given), exchanged("hostile:1", 8, "prompts/get", `{"name":"a"}`, `"result":{"messages":[`+messages+`]}`))
	}
	runJudged(t, "prompts", []judged{
		{name: "refused", judge: judgePromptUnknown, lines: ask("unknown:plain", plain, refused), want: "pass"},
		{name: "other code", judge: judgePromptUnknown, lines: ask("unknown:plain", plain, `"error":{"code":-32603,"message":"boom"}`), want: "fault"},
		{name: "given", judge: judgePromptUnknown, lines: ask("unknown:plain", plain, given), want: "fault"},
		{name: "silent", judge: judgePromptUnknown, lines: []string{ask("unknown:plain", plain, "")[0], "! unknown:plain silent nothing came"}, want: "fault"},
		{name: "fell over a header", judge: judgePromptUnknown, lines: ask("unknown:plain", plain, `"error":{"code":-32020,"message":"header mismatch"}`), want: "unseen"},
		{name: "really listed", judge: judgePromptUnknown, lines: joined(list(`{"name":"toString"}`), ask("unknown:proto:toString", "toString", given)), want: "unseen"},
		{name: "prototype alike", judge: judgePromptPrototype, lines: joined(ask("unknown:plain", plain, refused), exchanged("unknown:proto:toString", 2, "prompts/get", `{"name":"toString"}`, refused)), want: "pass"},
		{name: "prototype disabled", judge: judgePromptPrototype, lines: joined(ask("unknown:plain", plain, refused), exchanged("unknown:proto:toString", 2, "prompts/get", `{"name":"toString"}`, `"error":{"code":-32602,"message":"Prompt toString disabled"}`)), want: "fault"},
		{name: "escaped", judge: judgePromptEscaped, lines: ask("unknown:escape:esc", `zz_\u001b[31mred`, `"error":{"code":-32602,"message":"Unknown: zz_\\u001b[31mred"}`), want: "pass"},
		{name: "raw", judge: judgePromptEscaped, lines: ask("unknown:escape:esc", `zz_\u001b[31mred`, `"error":{"code":-32602,"message":"Unknown: zz_\u001b[31mred"}`), want: "fault"},
		{name: "missing refused", judge: judgePromptMissing, facts: callable, lines: ask("missing:1", "a", refused), want: "pass"},
		{name: "missing served", judge: judgePromptMissing, facts: callable, lines: ask("missing:1", "a", given), want: "fault"},
		{name: "missing not tried", judge: judgePromptMissing, lines: list(`{"name":"a"}`), want: "unseen"},
		{name: "nothing required", judge: judgePromptMissing, facts: callable, lines: list(`{"name":"a"}`), want: "na"},
		{name: "nothing listed", judge: judgePromptMissing, lines: list(``), want: "na"},
		{name: "odd refused", judge: judgePromptOdd, facts: callable, lines: ask("odd:1:number", "a", refused), want: "pass"},
		{name: "odd turned to text", judge: judgePromptOdd, facts: callable, lines: ask("odd:1:number", "a", given), want: "pass"},
		{name: "odd object", judge: judgePromptOdd, facts: callable, lines: ask("odd:1:object", "a", `"result":{"messages":[{"role":"user","content":{"type":"text","text":"Say [object Object]"}}]}`), want: "fault"},
		{name: "odd exception", judge: judgePromptOdd, facts: callable, lines: ask("odd:1:number", "a", `"error":{"code":-32603,"message":"word.trim is not a function"}`), want: "fault"},
		{name: "odd internal error", judge: judgePromptOdd, facts: callable, lines: joined(exchanged("get:1", 7, "prompts/get", `{"name":"a"}`, given), ask("odd:1:number", "a", `"error":{"code":-32603,"message":"Internal error"}`)), want: "fault"},
		{name: "odd told by a validator", judge: judgePromptOdd, facts: callable, lines: joined(exchanged("get:1", 7, "prompts/get", `{"name":"a"}`, given), ask("odd:1:number", "a", `"error":{"code":-32603,"message":"Invalid input: expected string"}`)), want: "pass"},
		{name: "internal error always", judge: judgePromptOdd, facts: callable, lines: ask("odd:1:number", "a", `"error":{"code":-32603,"message":"Internal error"}`), want: "pass"},
		{name: "odd kills", judge: judgePromptOdd, facts: callable, lines: []string{ask("odd:1:object", "a", "")[0], "! odd:1:object dead the server ended"}, want: "fault"},
		{name: "same messages", judge: judgePromptSanitized, facts: callable, lines: hostile("u"), want: "pass"},
		{name: "more messages", judge: judgePromptSanitized, facts: callable, lines: hostile("uau"), want: "fault"},
		{name: "hostile refused", judge: judgePromptSanitized, facts: callable, lines: joined(exchanged("get:1", 7, "prompts/get", `{"name":"a"}`, given), ask("hostile:1", "a", refused)), want: "pass"},
		{name: "nothing to compare", judge: judgePromptSanitized, facts: callable, lines: joined(exchanged("get:1", 7, "prompts/get", `{"name":"a"}`, refused), ask("hostile:1", "a", given)), want: "unseen"},
	})
}
