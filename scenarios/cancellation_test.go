package scenarios

import (
	"net/http"
	"testing"

	"github.com/agntn/conform/fakes/wire"
)

func TestCancellation(t *testing.T) {
	t.Parallel()
	slow := func(id string) string { return withToken("cancelled:"+id, "5", `"c"`) }
	cancel := `> cancelled:id/cancel {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`
	whole := []string{
		withToken("whole", "1", `"w"`), "@ 400", tells(`"w"`, `"progress":1`), "@ 800", tells(`"w"`, `"progress":2`), "@ 1000", saysText("1", "counted"),
	}
	over := []string{"@ 3500", `! cancelled:id cancelled listened on`, `> alive:cancelled {"jsonrpc":"2.0","id":8,"method":"ping"}`, `< {"jsonrpc":"2.0","id":8,"result":{}}`}
	run := func(after ...string) []string {
		return join(whole, []string{"@ 2000", slow("id"), "@ 2200", cancel}, after, over)
	}
	zero := func(after ...string) []string {
		return join(whole, []string{"@ 2000", slow("id"), withToken("cancelled:zero", "0", `"z"`), "@ 2200", cancel,
			`> cancelled:zero/cancel {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}`}, after, over, []string{`! cancelled:zero cancelled listened on`})
	}
	nothing := func(name, id string, after ...string) []string {
		return join([]string{
			`> nothing:` + name + ` {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`,
			`> alive:` + name + ` {"jsonrpc":"2.0","id":7,"method":"ping"}`}, after)
	}
	fails := func(id, text string) string {
		return `< {"jsonrpc":"2.0","id":` + id + `,"result":{"isError":true,"content":[{"type":"text","text":"` + text + `"}]}}`
	}
	pong := `< {"jsonrpc":"2.0","id":7,"result":{}}`
	unknown := func(e *Evidence) Ruling { return judgeIgnored(e, "unknown") }
	runEraCases(t, Cell{Scenario: "cancellation"}, askerFacts, []eraCase{
		{"no answer", judgeNoAnswerAfter, run(), "pass"},
		{"an error that says cancelled", judgeNoAnswerAfter, run("@ 2201", `< {"jsonrpc":"2.0","id":5,"result":{"isError":true,"content":[{"type":"text","text":"context canceled"}]}}`), "fault"},
		{"the whole answer much later", judgeNoAnswerAfter, run("@ 3000", saysText("5", "counted")), "fault"},
		{"the answer was on its way", judgeNoAnswerAfter, run("@ 2300", saysText("5", "counted")), "unseen"},
		{"the answer was on its way and counts calls", judgeNoAnswerAfter, join([]string{withToken("whole", "1", `"w"`), "@ 400", saysText("1", "call 7")},
			[]string{"@ 2000", slow("id"), "@ 2200", cancel, "@ 2340", saysText("5", "call 8")}, over), "unseen"},
		{"a part of the whole at once", judgeNoAnswerAfter, join([]string{withToken("whole", "1", `"w"`), "@ 1000", saysText("1", "counted 9 of 9")},
			[]string{"@ 2000", slow("id"), "@ 2200", cancel, "@ 2220", saysText("5", "counted 2 of 9")}, over), "fault"},
		{"the answer came first", judgeNoAnswerAfter, join(whole, []string{"@ 2000", slow("id"), "@ 2100", saysText("5", "counted"), "@ 2200", cancel}, over), "unseen"},
		{"not listened to for long", judgeNoAnswerAfter, join(whole, []string{"@ 2000", slow("id"), "@ 2200", cancel, "@ 2500", over[1], over[2], over[3]}), "unseen"},
		{"nothing slow", judgeNoAnswerAfter, nil, "unseen"},
		{"a tool that fails", judgeNoAnswerAfter, join([]string{withToken("whole", "1", `"w"`), "@ 1000", fails("1", "no browser")},
			[]string{"@ 2000", slow("id"), "@ 2200", cancel, "@ 2220", fails("5", "no browser, again")}, over), "unseen"},
		{"stops", judgeStops, run("@ 2300", tells(`"c"`, `"progress":1`)), "pass"},
		{"goes on", judgeStops, run("@ 2800", tells(`"c"`, `"progress":2`)), "fault"},
		{"would have been silent anyway", judgeStops, join([]string{withToken("whole", "1", `"w"`), "@ 1000", saysText("1", "counted"), "@ 2000", slow("id"), "@ 2200", cancel}, over), "unseen"},
		{"silence is of 2026-07-28", judgeSilentOnStdio, run(), "na"},
		{"id zero", judgeIDZero, zero(), "pass"},
		{"id zero is not heard", judgeIDZero, zero("@ 3000", saysText("0", "counted")), "fault"},
		{"no id is heard", judgeIDZero, zero("@ 3000", saysText("0", "counted"), saysText("5", "counted")), "unseen"},
		{"an unknown id", unknown, nothing("unknown-number", "999983", pong), "pass"},
		{"an unknown id kills", unknown, nothing("unknown-number", "999983", `! alive:unknown-number dead the server ended`), "fault"},
		{"an unknown id is answered", unknown, nothing("unknown-number", "999983", `< {"jsonrpc":"2.0","id":999983,"error":{"code":-32600,"message":"unknown"}}`, pong), "fault"},
		{"the id later", judgeUsable, join(nothing("unknown-number", "999983", pong), []string{`> usable {"jsonrpc":"2.0","id":999983,"method":"tools/list"}`, `< {"jsonrpc":"2.0","id":999983,"result":{"tools":[]}}`}), "pass"},
		{"the id is dead", judgeUsable, join(nothing("unknown-number", "999983", pong), []string{`> usable {"jsonrpc":"2.0","id":999983,"method":"tools/list"}`, `! usable silent nothing came`}), "fault"},
		{"a race", judgeRace, []string{`> race {"jsonrpc":"2.0","id":9,"method":"tools/list"}`, `< {"jsonrpc":"2.0","id":9,"result":{"tools":[]}}`, `> alive:race-quick {"jsonrpc":"2.0","id":10,"method":"ping"}`, `< {"jsonrpc":"2.0","id":10,"result":{}}`}, "pass"},
		{"two answers", judgeRace, []string{`> race {"jsonrpc":"2.0","id":9,"method":"tools/list"}`, `< {"jsonrpc":"2.0","id":9,"result":{"tools":[]}}`, `< {"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"cancelled"}}`, `> alive:race-quick {"jsonrpc":"2.0","id":10,"method":"ping"}`, `< {"jsonrpc":"2.0","id":10,"result":{}}`}, "fault"},
		{"its own request", judgeOwnRequests, join(opened(`{"elicitation":{}}`), []string{questionForm("3", "Apply?", boxForm), `< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`}), "pass"},
		{"the client's request", judgeOwnRequests, join(opened(`{}`), []string{callApply("x", "5"), `< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`}), "fault"},
		{"nothing cancelled", judgeOwnRequests, opened(`{}`), "na"},
		{"over stdio no stream is dropped", judgeStreamDrop, run(), "na"},
	})
	modernFacts := func() *Facts {
		f := askerFacts()
		f.Revision, f.Transport = "2026-07-28", "stdio"
		return f
	}
	runEraCases(t, Cell{Scenario: "cancellation", Revision: "2026-07-28"}, modernFacts, []eraCase{
		{"silent", judgeSilentOnStdio, run("@ 2300", tells(`"c"`, `"progress":1`)), "pass"},
		{"an answer", judgeSilentOnStdio, run("@ 2201", saysText("5", "stopped")), "fault"},
		{"progress", judgeSilentOnStdio, run("@ 2900", tells(`"c"`, `"progress":2`)), "fault"},
		{"a subscription", judgeOnlyForListen, []string{`> listen {"jsonrpc":"2.0","id":3,"method":"subscriptions/listen"}`, `< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`}, "pass"},
		{"a call", judgeOnlyForListen, []string{modernCall("x", "3", `{}`, ""), `< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`}, "fault"},
	})
}

// TestEventsSentAgain holds an answer that came once more under the same event
// id, on the stream that took another one up again, against a second answer.
func TestEventsSentAgain(t *testing.T) {
	t.Parallel()
	const ask, answer = `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":9,"result":{"tools":[]}}`
	race := web{label: "race", body: ask, status: 200, events: []wire.Event{event("e1", answer)}}
	onGet := func(ev wire.Event) web {
		return web{label: "resume", method: http.MethodGet, status: 200, events: []wire.Event{ev}, end: "dropped"}
	}
	runWeb(t, "cancellation", []webRuled{
		{name: "the same event", judge: judgeRace, all: []web{race, onGet(event("e1", answer))}, want: "pass"},
		{name: "another event", judge: judgeRace, all: []web{race, onGet(event("e2", answer))}, want: "fault"},
		{name: "an event without an id", judge: judgeRace, all: []web{race, onGet(event("", answer))}, want: "fault"},
	})
}
