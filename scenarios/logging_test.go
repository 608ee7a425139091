package scenarios

import (
	"fmt"
	"testing"
)

func TestLogging(t *testing.T) {
	t.Parallel()
	const declared = `{"logging":{}}`
	set := func(label string, id int, level, answer string) []string {
		return exchanged(label, id, "logging/setLevel", `{"level":"`+level+`"}`, answer)
	}
	message := func(level string) []string {
		return []string{`< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"` + level + `","logger":"l","data":"x"}}`}
	}
	at := func(ms int) []string { return []string{fmt.Sprintf("@ %d", ms)} }
	const (
		ok      = `"result":{}`
		refused = `"error":{"code":-32602,"message":"no"}`
	)
	called := exchanged("error:a#1", 9, "tools/call", `{"name":"a"}`, `"result":{"content":[]}`)
	raised := set("raise", 8, "error", ok)
	runJudged(t, "logging", []judged{
		{name: "levels", judge: legacy(declaresLogging(judgeSetLevel)), opened: declared, lines: set("level:debug", 1, "debug", ok), want: "pass"},
		{name: "level unknown", judge: legacy(declaresLogging(judgeSetLevel)), opened: declared, lines: set("level:debug", 1, "debug", `"error":{"code":-32601,"message":"no"}`), want: "fault"},
		{name: "undeclared", judge: legacy(declaresLogging(judgeSetLevel)), want: "na"},
		{name: "loud refused", judge: declaresLogging(judgeLevelRefused), opened: declared, lines: set("refused", 1, "loud", refused), want: "pass"},
		{name: "loud taken", judge: declaresLogging(judgeLevelRefused), opened: declared, lines: set("refused", 1, "loud", ok), want: "fault"},
		{name: "unknown where undeclared", judge: legacy(judgeLoggingUndeclared), lines: set("undeclared", 1, "info", `"error":{"code":-32601,"message":"no"}`), want: "pass"},
		{name: "taken where undeclared", judge: legacy(judgeLoggingUndeclared), lines: set("undeclared", 1, "info", ok), want: "fault"},
		{name: "respected", judge: legacy(judgeLevelRespected), opened: declared, lines: joined(message("debug"), raised, at(1000), message("error"), called), want: "pass"},
		{name: "on its way", judge: legacy(judgeLevelRespected), opened: declared, lines: joined(raised, message("debug"), called), want: "pass"},
		{name: "not respected", judge: legacy(judgeLevelRespected), opened: declared, lines: joined(raised, at(1000), message("info"), called), want: "fault"},
		{name: "lowered again", judge: legacy(judgeLevelRespected), opened: declared, lines: joined(raised, at(1000), called, set("lower", 10, "info", ok), at(2000), message("info")), want: "pass"},
		{name: "nobody logs", judge: legacy(judgeLevelRespected), opened: declared, lines: set("lower", 1, "info", ok), want: "unseen"},
	})
}

func TestLoggingModern(t *testing.T) {
	t.Parallel()
	const declared = `{"logging":{}}`
	call := func(id int, level string) []string {
		meta := ""
		if level != "" {
			meta = `,"_meta":{"io.modelcontextprotocol/logLevel":"` + level + `"}`
		}
		return []string{fmt.Sprintf(`> debug:a#%d {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"a"%s}}`, id, id, meta)}
	}
	answer := func(id int) []string {
		return []string{fmt.Sprintf(`< {"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","content":[]}}`, id)}
	}
	message := func(level, data string) []string {
		return []string{`< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"` + level + `","logger":"l","data":` + data + `}}`}
	}
	many := joined(call(1, "debug"))
	for range 106 {
		many = joined(many, message("info", `"x"`))
	}
	many = joined(many, answer(1))
	var busy []string
	for id := range 150 {
		busy = joined(busy, call(id, "debug"), message("info", `"x"`), answer(id))
	}
	at := func(ms int) []string { return []string{fmt.Sprintf("@ %d", ms)} }
	one := func(name string, judge func(*Evidence) Ruling, want string, lines ...[]string) judged {
		return judged{name: name, judge: judge, revision: modernRevision, opened: declared, lines: joined(lines...), want: want}
	}
	runJudged(t, "logging", []judged{
		one("asked for", judgeLogOptIn, "pass", call(1, "debug"), message("info", `"x"`), answer(1)),
		one("not asked for", judgeLogOptIn, "fault", call(1, ""), message("info", `"x"`), answer(1)),
		one("sticky", judgeLogOptIn, "fault", call(1, "debug"), answer(1), at(2000), call(2, ""), message("info", `"x"`), answer(2)),
		one("a moment late", judgeLogOptIn, "pass", call(1, "debug"), answer(1), message("info", `"x"`)),
		one("nobody logs", judgeLogOptIn, "unseen", call(1, "debug"), answer(1)),
		{name: "undeclared and silent", judge: judgeLogOptIn, revision: modernRevision, want: "na"},
		one("of the level", judgeLogLevel, "pass", call(1, "error"), message("error", `"x"`), answer(1)),
		one("below the level", judgeLogLevel, "fault", call(1, "error"), message("info", `"x"`), answer(1)),
		one("of another open request", judgeLogLevel, "pass", call(1, "error"), call(2, "debug"), message("info", `"x"`), answer(1), answer(2)),
		one("after the answer", judgeLogLevel, "fault", call(1, "debug"), answer(1), message("info", `"x"`)),
		one("stdio has one stream", judgeLogStream, "na", call(1, "debug"), message("info", `"x"`), answer(1)),
		one("harmless", judgeLogSecrets, "pass", call(1, "debug"), message("info", `{"tool":"a","token_count":5,"password":"***"}`), answer(1)),
		one("password", judgeLogSecrets, "fault", call(1, "debug"), message("info", `{"db":{"password":"hunter2"}}`), answer(1)),
		one("home folder", judgeLogSecrets, "fault", call(1, "debug"), message("info", `"reading /home/anna/notes.txt"`), answer(1)),
		one("stack", judgeLogSecrets, "fault", call(1, "debug"), message("info", `"Error: boom\n    at run (/srv/a.js:10:5)"`), answer(1)),
		one("a few messages", judgeLogRate, "pass", call(1, "debug"), message("info", `"x"`), answer(1)),
		one("a flood", judgeLogRate, "fault", many),
		one("many calls, each told of", judgeLogRate, "pass", busy),
	})
}
