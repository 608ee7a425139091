package scenarios

import (
	"testing"
)

func TestUnknownTool(t *testing.T) {
	t.Parallel()
	ask := func(label, id, name string) string {
		return `> ` + label + ` {"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `"}}`
	}
	toolError := func(id, text string) string {
		return `< {"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"` + text + `"}],"isError":true}}`
	}
	plain := []string{ask("plain", "1", unknownPlain), toolError("1", "Unknown tool: "+unknownPlain)}
	tests := []struct {
		name  string
		judge func(*Evidence) Ruling
		lines []string
		fault bool
	}{
		{"refused by isError", judgeUnknownRefused, plain, false},
		{"refused by an error", judgeUnknownRefused, []string{plain[0], `< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}`}, false},
		{"served", judgeUnknownRefused, []string{plain[0], `< {"jsonrpc":"2.0","id":1,"result":{"content":[]}}`}, true},
		{"silent", judgeUnknownRefused, []string{plain[0], `! plain silent nothing came`}, true},
		{"prototype alike", judgePrototypeName, append(plain, ask("proto:toString", "2", "toString"), toolError("2", "Unknown tool: toString")), false},
		{"prototype disabled", judgePrototypeName, append(plain, ask("proto:toString", "2", "toString"), toolError("2", "Tool toString disabled")), true},
		{"prototype other channel", judgePrototypeName, append(plain, ask("proto:toString", "2", "toString"), `< {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool: toString"}}`), true},
		{"prototype like a later unknown name", judgePrototypeName, append(plain, ask("plain-2", "3", "zz_other"), toolError("3", "cannot start: no browser"), ask("proto:toString", "2", "toString"), toolError("2", "cannot start: no browser")), false},
		{"case served", judgeCaseDiffers, append(plain, ask("case", "2", "ECHO"), toolError("2", "text is missing"), ask("right-case", "3", "echo"), toolError("3", "text is missing")), true},
		{"case refused like a later unknown name", judgeCaseDiffers, append(plain, ask("plain-2", "4", "zz_other"), toolError("4", "cannot start: no browser"),
			ask("case", "2", "ECHO"), toolError("2", "cannot start: no browser"), ask("right-case", "3", "echo"), toolError("3", "cannot start: no browser")), false},
		{"case failed as an unknown name beside it", judgeCaseDiffers, append(plain, ask("case", "2", "ECHO"), toolError("2", "start: no browser"),
			ask("plain-between", "4", unknownPlain), toolError("4", "start: no browser"), ask("right-case", "3", "echo"), toolError("3", "start: no browser")), false},
		{"escaped", judgeNameEscaped, []string{ask("escape:esc", "3", `zz_\u001b[31mred`), toolError("3", `Unknown tool: zz_\\u001b[31mred`)}, false},
		{"raw", judgeNameEscaped, []string{ask("escape:esc", "3", `zz_\u001b[31mred`), toolError("3", `Unknown tool: zz_\u001b[31mred`)}, true},
		{"own line break is no echo", judgeNameEscaped, []string{ask("escape:line", "3", `zz_a\nzz_b`), toolError("3", `Unknown tool\nzz_a\\nzz_b`)}, false},
		{"one line", judgeUnknownOneLine, plain, false},
		{"two lines", judgeUnknownOneLine, []string{plain[0], toolError("1", `Unknown tool\n`+unknownPlain)}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := tt.judge(tapeOf(t, Cell{Scenario: "unknown-tool"}, nil, tt.lines...))
			if got := len(r.Faults) > 0; got != tt.fault {
				t.Errorf("fault: got %v, want %v: %+v", got, tt.fault, r)
			}
			if r.Seen == 0 {
				t.Errorf("nothing was seen: %+v", r)
			}
		})
	}
}

// A run may end between the name in other case and the name itself.
func TestCaseDiffersWhereTheRunEnds(t *testing.T) {
	t.Parallel()
	e := tapeOf(t, Cell{Scenario: "unknown-tool"}, nil,
		`> case {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ECHO","arguments":{}}}`, saysText("2", "echoed"))
	if got := ruledAs(judgeCaseDiffers(e)); got != "unseen" {
		t.Errorf("got %s, want unseen", got)
	}
}
