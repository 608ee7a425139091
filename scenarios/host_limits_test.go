package scenarios

import (
	"fmt"
	"strings"
)

func hostLimitCases() []hostCase {
	described := func(n int) string { return oneTool("tool", `"description":"`+strings.Repeat("a", n)+`"`) }
	instructed := func(n int) string { return `{"instructions":"` + strings.Repeat("b", n) + `"}` }
	tools := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`{"name":"tool_%d"}`, i))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	return []hostCase{
		{check: "host-openai/description-length", name: "1024", tools: described(1024), want: "pass"},
		{check: "host-openai/description-length", name: "1025", tools: described(1025), want: "1025 characters"},
		{check: "host-claude-code/description-length", name: "4096", tools: described(4096), opened: instructed(4096), want: "pass"},
		{check: "host-claude-code/description-length", name: "4097", tools: described(4097), want: "a description of 4097"},
		{check: "host-claude-code/description-length", name: "instructions", tools: described(1), opened: instructed(4097), want: "instructions of 4097"},
		{check: "host-chatgpt/instructions-length", name: "none", tools: described(1), want: "na"},
		{check: "host-chatgpt/instructions-length", name: "512", tools: described(1), opened: instructed(512), want: "pass"},
		{check: "host-chatgpt/instructions-length", name: "513", tools: described(1), opened: instructed(513), want: "513 characters"},
		{check: "host-chatgpt/definition-length", name: "small", tools: described(19_900), want: "pass"},
		{check: "host-chatgpt/definition-length", name: "large", tools: described(20_000), want: "about 5005 tokens"},
		{check: "host-chatgpt/definition-length", name: "large schema", tools: withProperty("a", `{"description":"`+strings.Repeat("a", 20_000)+`"}`), want: "tokens"},
		{check: "host-openai/list-size", name: "128", tools: tools(128), want: "pass"},
		{check: "host-openai/list-size", name: "129", tools: tools(129), want: "129 tools"},
		{check: "host-vscode/list-size", name: "128", tools: tools(128), want: "pass"},
		{check: "host-vscode/list-size", name: "129", tools: tools(129), want: "129 tools"},
		{check: "host-cursor/list-size", name: "80", tools: tools(80), want: "pass"},
		{check: "host-cursor/list-size", name: "81", tools: tools(81), want: "81 tools"},

		{check: "host-claude-code/meta-values", name: "none", tools: oneTool("a", `"_meta":{"x":1}`), want: "na"},
		{check: "host-claude-code/meta-values", name: "right", tools: oneTool("a", `"_meta":{"anthropic/maxResultSizeChars":500000,"anthropic/alwaysLoad":true,"anthropic/searchHint":"x"}`), want: "pass"},
		{check: "host-claude-code/meta-values", name: "too many", tools: oneTool("a", `"_meta":{"anthropic/maxResultSizeChars":600000}`), want: "600000"},
		{check: "host-claude-code/meta-values", name: "a word", tools: oneTool("a", `"_meta":{"anthropic/alwaysLoad":"true"}`), want: `"true"`},
	}
}
