package scenarios

import (
	"fmt"
	"testing"
)

const allChanges = `{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true}}`

func listening(label, id, filter string) []string {
	params := `{}`
	if filter != "" {
		params = `{"notifications":` + filter + `}`
	}
	return []string{`> ` + label + ` {"jsonrpc":"2.0","id":` + id + `,"method":"subscriptions/listen","params":` + params + `}`}
}

func notified(method, id, more string) []string {
	meta := ""
	if id != "" {
		meta = `"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}`
	}
	if meta != "" && more != "" {
		meta += ","
	}
	return []string{`< {"jsonrpc":"2.0","method":"notifications/` + method + `","params":{` + meta + more + `}}`}
}

func acknowledged(id, granted string) []string {
	return notified("subscriptions/acknowledged", id, `"notifications":`+granted)
}

func answered(id, body string) []string {
	return []string{`< {"jsonrpc":"2.0","id":` + id + `,` + body + `}`}
}

func TestSubscriptions(t *testing.T) {
	t.Parallel()
	const (
		filter   = `{"toolsListChanged":true,"resourceSubscriptions":["a://x"]}`
		refused  = `"error":{"code":-32601,"message":"no"}`
		ended    = `"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"L"}}`
		tools    = `{"toolsListChanged":true}`
		watched  = "! watched done"
		shutdown = "! closing done"
	)
	at := func(ms int) []string { return []string{fmt.Sprintf("@ %d", ms)} }
	open := joined(listening("listen:text", `"L"`, filter), acknowledged(`"L"`, tools))
	number := joined(listening("listen:number", "12", tools), acknowledged("12", tools))
	cancel := []string{`> cancel {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"L"}}`}
	one := func(name string, judge func(*Evidence) Ruling, want string, lines ...[]string) judged {
		return judged{name: name, judge: listens(judge), revision: modernRevision, opened: allChanges, lines: joined(lines...), want: want}
	}
	runJudged(t, "subscriptions", []judged{
		one("acknowledged", judgeAcknowledged, "pass", open),
		one("acknowledged by number", judgeAcknowledged, "pass", open, number),
		one("number as text", judgeAcknowledged, "fault", open, listening("listen:number", "12", tools), acknowledged(`"12"`, tools)),
		one("no id", judgeAcknowledged, "fault", listening("listen:text", `"L"`, filter), acknowledged("", tools)),
		one("a change first", judgeAcknowledged, "fault", listening("listen:text", `"L"`, filter), notified("tools/list_changed", `"L"`, ""), acknowledged(`"L"`, tools)),
		one("never", judgeAcknowledged, "fault", listening("listen:text", `"L"`, filter), []string{"! listen:text unacknowledged nothing came"}),
		one("ended at once", judgeAcknowledged, "fault", listening("listen:text", `"L"`, filter), answered(`"L"`, ended)),
		one("refused though declared", judgeAcknowledged, "fault", listening("listen:text", `"L"`, filter), answered(`"L"`, refused)),
		{name: "refused where nothing is declared", judge: listens(judgeAcknowledged), revision: modernRevision, lines: joined(listening("listen:text", `"L"`, filter), answered(`"L"`, refused)), want: "na"},
		{name: "older revision", judge: listens(judgeAcknowledged), lines: open, want: "na"},
		one("subset", judgeAcknowledgedSubset, "pass", open),
		one("false is no promise", judgeAcknowledgedSubset, "pass", listening("listen:text", `"L"`, filter), acknowledged(`"L"`, `{"promptsListChanged":false,"resourceSubscriptions":[]}`)),
		one("more than asked", judgeAcknowledgedSubset, "fault", listening("listen:text", `"L"`, filter), acknowledged(`"L"`, `{"promptsListChanged":true}`)),
		one("other resources", judgeAcknowledgedSubset, "fault", listening("listen:text", `"L"`, filter), acknowledged(`"L"`, `{"resourceSubscriptions":["a://x","a://y"]}`)),
		one("a made-up kind", judgeAcknowledgedSubset, "fault", open, listening("unknown-kind", "5", `{"zzConformChanged":true}`), acknowledged("5", `{"zzConformChanged":true}`)),
		{name: "granted, undeclared", judge: listens(judgeAcknowledgedSubset), revision: modernRevision, opened: `{"tools":{}}`, lines: open, want: "fault"},
		one("empty", judgeEmptyFilter, "pass", open, listening("empty", "5", `{}`), acknowledged("5", `{}`)),
		one("empty refused", judgeEmptyFilter, "fault", open, listening("empty", "5", `{}`), answered("5", refused)),
		one("empty granted", judgeEmptyFilter, "fault", open, listening("empty", "5", `{}`), acknowledged("5", tools)),
		one("no filter refused", judgeFilterRequired, "pass", open, listening("no-filter", "5", ""), answered("5", `"error":{"code":-32602,"message":"no"}`)),
		one("no filter taken", judgeFilterRequired, "fault", open, listening("no-filter", "5", ""), acknowledged("5", `{}`)),
		one("side by side", judgeConcurrent, "pass", open, number),
		one("second refused", judgeConcurrent, "fault", open, listening("listen:number", "12", tools), answered("12", `"error":{"code":-32600,"message":"one only"}`)),
		one("each hears", judgeConcurrent, "pass", open, notified("tools/list_changed", `"L"`, ""), number, exchanged("second:a#1", 7, "tools/call", `{}`, `"result":{}`), notified("tools/list_changed", `"L"`, ""), notified("tools/list_changed", "12", "")),
		one("one hears", judgeConcurrent, "fault", open, notified("tools/list_changed", `"L"`, ""), number, exchanged("second:a#1", 7, "tools/call", `{}`, `"result":{}`), notified("tools/list_changed", "12", "")),
		one("stays open", judgeStaysOpen, "pass", open, at(6000), []string{watched}),
		one("answered too soon", judgeStaysOpen, "fault", open, at(300), answered(`"L"`, ended)),
		one("answered after the cancel", judgeStaysOpen, "unseen", open, at(300), cancel, answered(`"L"`, ended), []string{watched}),
		one("nothing granted", judgeStaysOpen, "unseen", listening("listen:text", `"L"`, filter), acknowledged(`"L"`, `{}`), answered(`"L"`, ended)),
		one("silent after cancel", judgeCancelEnds, "pass", open, cancel, at(2500), []string{watched}),
		one("answered after cancel", judgeCancelEnds, "fault", open, cancel, answered(`"L"`, ended), at(2500), []string{watched}),
		one("on its way", judgeCancelEnds, "pass", open, cancel, notified("tools/list_changed", `"L"`, ""), at(2500), []string{watched}),
		one("told after cancel", judgeCancelEnds, "fault", open, cancel, at(1000), notified("tools/list_changed", `"L"`, ""), at(2500), []string{watched}),
		one("another is told", judgeCancelEnds, "pass", open, cancel, at(1000), notified("tools/list_changed", "12", ""), at(2500), []string{watched}),
		one("answered at the end", judgeGracefulEnd, "pass", open, number, []string{shutdown}, answered("12", `"result":{"_meta":{"io.modelcontextprotocol/subscriptionId":12}}`)),
		one("answered without its id", judgeGracefulEnd, "fault", open, number, []string{shutdown}, answered("12", `"result":{}`)),
		one("cancelled at the end", judgeGracefulEnd, "pass", open, number, []string{shutdown}, notified("cancelled", "", `"requestId":12`)),
		one("no word", judgeGracefulEnd, "fault", open, number, []string{shutdown, "= exit status 0"}),
		one("ended before", judgeGracefulEnd, "unseen", open, number, answered("12", `"result":{}`), []string{shutdown}),
	})
}

func TestChanges(t *testing.T) {
	t.Parallel()
	const tools = `{"toolsListChanged":true}`
	at := func(ms int) []string { return []string{fmt.Sprintf("@ %d", ms)} }
	open := joined(listening("listen:text", `"L"`, tools), acknowledged(`"L"`, tools))
	list := func(id int, names string) []string {
		return exchanged("look", id, "tools/list", `{}`, `"result":{"tools":[`+names+`]}`)
	}
	a, b := `{"name":"a"}`, `{"name":"a"},{"name":"b"}`
	changed := func(id string) []string { return notified("tools/list_changed", id, "") }
	one := func(name string, judge func(*Evidence) Ruling, want string, lines ...[]string) judged {
		return judged{name: name, judge: judge, revision: modernRevision, opened: allChanges, lines: joined(lines...), want: want}
	}
	old := func(name string, judge func(*Evidence) Ruling, want, opened string, lines ...[]string) judged {
		return judged{name: name, judge: judge, opened: opened, lines: joined(lines...), want: want}
	}
	runJudged(t, "subscriptions", []judged{
		one("tagged", modern(judgeTagged), "pass", open, changed(`"L"`)),
		one("untagged", modern(judgeTagged), "fault", open, changed("")),
		one("tagged with another type", modern(judgeTagged), "fault", listening("listen:number", "12", tools), acknowledged("12", tools), changed(`"12"`)),
		one("not asked for", modern(judgeTagged), "fault", open, notified("prompts/list_changed", `"L"`, "")),
		one("no change", modern(judgeTagged), "unseen", open),
		{name: "none promised", judge: modern(judgeTagged), revision: modernRevision, want: "na"},
		one("asked for", modern(judgeNoneUnsolicited), "pass", open, changed(`"L"`)),
		one("unasked", modern(judgeNoneUnsolicited), "fault", changed("")),
		one("unasked before the handshake of another era", modern(judgeNoneUnsolicited), "unseen", exchanged("open/initialize", 1, "initialize", `{}`, `"result":{"protocolVersion":"2025-11-25"}`), changed("")),
		one("progress untagged", modern(judgeUntaggedElsewhere), "pass", notified("progress", "", `"progressToken":1,"progress":1`)),
		one("progress tagged", modern(judgeUntaggedElsewhere), "fault", notified("progress", `"L"`, `"progressToken":1,"progress":1`)),
		one("no progress", modern(judgeUntaggedElsewhere), "na"),
		one("nothing elsewhere", modern(judgeElsewhere), "pass", exchanged("elsewhere:a#1", 3, "tools/call", `{}`, `"result":{}`)),
		one("told elsewhere", modern(judgeElsewhere), "fault", exchanged("elsewhere:a#1", 3, "tools/call", `{}`, `"result":{}`), changed("")),
		one("announced", judgeChangesAnnounced, "pass", open, list(1, a), changed(`"L"`), list(2, b)),
		one("announced a moment later", judgeChangesAnnounced, "pass", open, list(1, a), list(2, b), at(500), changed(`"L"`)),
		one("not announced", judgeChangesAnnounced, "fault", open, list(1, a), list(2, b)),
		one("nobody listens", judgeChangesAnnounced, "unseen", list(1, a), list(2, b)),
		one("the same in another order", judgeChangesAnnounced, "unseen", open, list(1, b), list(2, `{"name":"b"},{"name":"a"}`)),
		old("announced before 2026", judgeChangesAnnounced, "pass", allChanges, list(1, a), changed(""), list(2, b)),
		old("not announced before 2026", judgeChangesAnnounced, "fault", allChanges, list(1, a), list(2, b)),
		old("not promised", judgeChangesAnnounced, "na", `{"tools":{}}`, list(1, a), list(2, b)),
		old("declared change", judgeUndeclaredChanges, "pass", allChanges, exchanged("open/initialize", 1, "initialize", `{}`, `"result":{"protocolVersion":"2025-11-25"}`), changed("")),
		old("undeclared change", judgeUndeclaredChanges, "fault", `{"tools":{}}`, exchanged("open/initialize", 1, "initialize", `{}`, `"result":{"protocolVersion":"2025-11-25"}`), changed("")),
		old("no change", judgeUndeclaredChanges, "na", `{"tools":{}}`),
	})
}
