package scenarios

import (
	"fmt"
	"strings"
)

func hostSizeCases() []hostCase {
	const any, claudeAI = "host-any/result-size", "host-claude-ai/result-size"
	text := func(n int) string {
		return fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, strings.Repeat("a", n))
	}
	// The details are {"a":"..."}, eight characters around the text.
	details := func(n, words int) string {
		return fmt.Sprintf(`{"content":[{"type":"text","text":%q}],"structuredContent":{"a":%q}}`, strings.Repeat("a", words), strings.Repeat("a", n-8))
	}
	of := func(check, name, result, want string, hosts ...string) hostCase {
		return hostCase{check: check, name: name, tools: oneTool("big", ""), answers: map[string]string{"big {}": result}, want: want, hosts: hosts}
	}
	return []hostCase{
		{check: any, name: "no call", tools: oneTool("big", ""), want: "unseen"},
		of(any, "12000", text(12_000), "pass"),
		of(any, "12001", text(12_001), "codex shows 12000 of 12001 bytes", "codex"),
		of(any, "letters of two bytes", fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, strings.Repeat("ü", 6001)), "of 12002 bytes", "codex"),
		of(any, "60000", text(60_000), "is cut: codex", "codex", "copilot-cli", "gemini-cli", "claude-code", "claude-code-print", "opencode"),
		of(any, "long text beside short details", details(100, 45_000), "is cut: copilot-cli shows 20480 of 45102 bytes, gemini-cli shows 40000 of 45000 characters", "copilot-cli", "gemini-cli"),
		of(any, "long details beside short text", details(51_000, 10), "claude-code shows 50000 of 51000 characters", "codex", "copilot-cli", "claude-code"),
		of(any, "details alone", `{"content":[],"structuredContent":{"a":"`+strings.Repeat("a", 60_000)+`"}}`, "opencode shows", "opencode"),
		of(any, "failures do not count", `{"isError":true,"content":[{"type":"text","text":"`+strings.Repeat("a", 20_000)+`"}]}`, "unseen"),
		{check: any, name: "raised for Claude Code", tools: oneTool("big", `"_meta":{"anthropic/maxResultSizeChars":300000}`), answers: map[string]string{"big {}": details(200_000, 10)}, want: "codex shows 12000 of 200000 bytes, copilot-cli shows 20480 of 200012 bytes"},

		{check: claudeAI, name: "no call", tools: oneTool("big", ""), want: "unseen"},
		of(claudeAI, "150000", text(150_000), "pass"),
		of(claudeAI, "150001", text(150_001), "an answer of 150001 characters"),
		of(claudeAI, "details", details(150_001, 10), "an answer of 150001 characters"),
	}
}
