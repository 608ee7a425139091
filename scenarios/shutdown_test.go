package scenarios

import "testing"

func TestShutdown(t *testing.T) {
	t.Parallel()
	opened := []string{`> open/initialize {"jsonrpc":"2.0","id":1,"method":"initialize"}`, `< {"jsonrpc":"2.0","id":1,"result":{}}`}
	ended := func(label, raw string) []string {
		return append(opened[:2:2], "! ending:"+label+" ended "+raw)
	}
	list := `> flight:tools/list {"jsonrpc":"2.0","id":5,"method":"tools/list"}`
	answer := `< {"jsonrpc":"2.0","id":5,"result":{"tools":[]}}`
	facts := func() *Facts {
		return &Facts{Revision: "2025-11-25", Transport: "stdio", Run: &RunFacts{Offered: map[string][]string{"stdio": {"2025-11-25"}}}}
	}
	older := &Facts{Revision: "2025-11-25", Transport: "stdio", Run: &RunFacts{Offered: map[string][]string{"stdio": {"2026-07-28", "2025-11-25"}}}}
	runRuled(t, "shutdown", []ruled{
		{name: "ends with its input", judge: judgeEOFExits, lines: ended("eof", `{"by":"eof","took_ms":12,"status":"exit status 0"}`), want: "pass"},
		{name: "slow, but ends", judge: judgeEOFExits, lines: ended("eof", `{"by":"eof","took_ms":3100,"status":"exit status 0"}`), want: "pass"},
		{name: "ends on a signal only", judge: judgeEOFExits, lines: ended("eof", `{"by":"sigterm","took_ms":5003,"status":"signal: terminated"}`), want: "fault"},
		{name: "ended before", judge: judgeEOFExits, lines: ended("eof", `{"by":"","took_ms":0,"status":"exit status 1"}`), want: "unseen"},
		{name: "never closed", judge: judgeEOFExits, lines: opened, want: "unseen"},
		{name: "answers to the last", judge: judgeInFlight, lines: append(opened[:2:2], list, "! - shutdown eof", answer, "= exit status 0"), want: "pass"},
		{name: "answers lost", judge: judgeInFlight, lines: append(opened[:2:2], list, "= exit status 0", "! flight:tools/list dead ended"), want: "fault"},
		{name: "no child", judge: judgeOrphans, lines: ended("eof", `{"by":"eof","status":"exit status 0"}`), want: "pass"},
		{name: "a child", judge: judgeOrphans, lines: ended("eof", `{"by":"eof","status":"exit status 0","orphans":["sleep (pid 7)"]}`), want: "fault"},
		{name: "status 0", judge: judgeExitStatus, lines: ended("eof", `{"by":"eof","status":"exit status 0"}`), want: "pass"},
		{name: "status 1", judge: judgeExitStatus, lines: ended("eof", `{"by":"eof","status":"exit status 1"}`), want: "fault"},
		{name: "status of a killed one", judge: judgeExitStatus, lines: ended("eof", `{"by":"sigterm","status":"signal: terminated"}`), want: "na"},
		{name: "SIGTERM ends it", judge: judgeSIGTERM, facts: facts(), lines: ended("sigterm", `{"by":"sigterm","status":"signal: terminated"}`), want: "pass"},
		{name: "SIGTERM ignored", judge: judgeSIGTERM, facts: facts(), lines: ended("sigterm", `{"by":"sigkill","status":"signal: killed"}`), want: "fault"},
		{name: "SIGTERM ignored after the input", judge: judgeSIGTERM, facts: older, lines: ended("eof", `{"by":"sigkill","status":"signal: killed"}`), want: "fault"},
		{name: "tried under another revision", judge: probed(judgeSIGTERM), facts: older, lines: ended("eof", `{"by":"eof","status":"exit status 0"}`), want: "na"},
	})
}
