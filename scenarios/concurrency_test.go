package scenarios

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

func TestConcurrency(t *testing.T) {
	t.Parallel()
	ask := func(label, id, method string) string {
		return `> ` + label + ` {"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{"name":"echo"}}`
	}
	said := func(id, text string) string {
		return `< {"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`
	}
	call := func(label, id, text string) []string {
		return []string{ask(label, id, "tools/call"), said(id, text)}
	}
	join := func(parts ...[]string) []string {
		var out []string
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	}
	serial := join(call("serial:echo#1", "1", "a"), call("again:echo#1", "2", "a"), call("serial:echo#2", "3", "b"), call("again:echo#2", "4", "b"))
	moving := join(call("serial:clock#1", "1", "9:00"), call("again:clock#1", "2", "9:01"))
	now := Cell{Revision: "2026-07-28"}
	runRuled(t, "concurrency", []ruled{
		{name: "mixed and answered", judge: judgeMixed, lines: call("mixed:1", "1", "x"), want: "pass"},
		{name: "mixed and lost", judge: judgeMixed, lines: []string{ask("mixed:1", "1", "tools/list"), "! mixed:1 silent nothing"}, want: "fault"},
		{name: "stopped", judge: judgeMixed, lines: []string{ask("mixed:1", "1", "tools/list"), "! mixed:1 interrupted stopped"}, want: "unseen"},
		{name: "together as alone", judge: judgeCrossTalk, lines: join(serial, call("parallel:echo#1/1", "5", "a"), call("parallel:echo#2/1", "6", "b")), want: "pass"},
		{name: "another's answer", judge: judgeCrossTalk, lines: join(serial, call("parallel:echo#1/1", "5", "b"), call("parallel:echo#2/1", "6", "b")), want: "fault"},
		{name: "another session's answer", judge: judgeCrossTalk, lines: join(serial, call("pair:echo#1/1.1", "5", "b")), want: "fault"},
		{name: "answers that move by themselves", judge: judgeCrossTalk, lines: join(moving, call("parallel:clock#1/1", "5", "9:02")), want: "unseen"},
		{name: "all calls alike", judge: judgeCrossTalk, lines: join(serial[:4], call("parallel:echo#1/1", "5", "a")), want: "unseen"},
		{name: "elsewhere as here", judge: judgeAffinity, cell: now, lines: join(serial, call("elsewhere:echo#1", "9", "a")), want: "pass"},
		{name: "unknown elsewhere", judge: judgeAffinity, cell: now, lines: join(serial, []string{ask("elsewhere:echo#1", "9", "tools/call"), `< {"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"unknown"}}`}), want: "fault"},
		{name: "retry asks again everywhere", judge: judgeAffinity, cell: now, lines: []string{ask("asked", "1", "tools/call"), ask("retried", "2", "tools/call"), `< {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required"}}`, ask("retried-here", "3", "tools/call"), `< {"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required"}}`}, want: "unseen"},
		{name: "retry elsewhere asks again", judge: judgeAffinity, cell: now, lines: []string{ask("asked", "1", "tools/call"), ask("retried", "2", "tools/call"), `< {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required"}}`}, want: "fault"},
		{name: "one shape", judge: judgeSameShape, lines: serial, want: "pass"},
		{name: "two shapes", judge: judgeSameShape, lines: []string{ask("serial:e", "1", "tools/call"), `< {"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"n":1}}}`, ask("again:e", "2", "tools/call"), `< {"jsonrpc":"2.0","id":2,"result":{"structuredContent":{"n":"1"}}}`}, want: "fault"},
		{name: "nothing slow", judge: judgeSlowBlocks, lines: serial, want: "unseen"},
	})
}

// withTimes gives the events of a hand-written tape times in milliseconds.
func withTimes(e *Evidence, at ...int) *Evidence {
	events := e.Run.Tapes[0].Events()
	for i := range events {
		if i < len(at) {
			events[i].At = time.Duration(at[i]) * time.Millisecond
		}
	}
	return e
}

func TestBesideSlow(t *testing.T) {
	t.Parallel()
	lines := func(listFirst bool) []string {
		out := []string{
			`> idle:list {"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `< {"jsonrpc":"2.0","id":1,"result":{}}`,
			`> slow:call {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}}`,
			`> beside:list {"jsonrpc":"2.0","id":3,"method":"tools/list"}`,
			`< {"jsonrpc":"2.0","id":2,"result":{}}`, `< {"jsonrpc":"2.0","id":3,"result":{}}`,
		}
		if listFirst {
			out[4], out[5] = out[5], out[4]
		}
		return out
	}
	for _, tt := range []struct {
		name  string
		first bool
		at    []int
		fault bool
	}{
		{"beside the slow call", true, []int{0, 5, 10, 11, 20, 2000}, false},
		{"behind the slow call", false, []int{0, 5, 10, 11, 2000, 2001}, true},
		{"a server that is slow throughout", false, []int{0, 1500, 1510, 1511, 4000, 4001}, false},
	} {
		r := judgeSlowBlocks(withTimes(tapeOf(t, Cell{Scenario: "concurrency"}, nil, lines(tt.first)...), tt.at...))
		if got := len(r.Faults) > 0; got != tt.fault {
			t.Errorf("%s: fault %v, want %v: %+v", tt.name, got, tt.fault, r)
		}
	}
}

func TestHundred(t *testing.T) {
	t.Parallel()
	for _, lost := range []int{0, 1} {
		var lines []string
		for i := range hundred {
			lines = append(lines, fmt.Sprintf(`> hundred:%d {"jsonrpc":"2.0","id":%d,"method":"ping"}`, i+1, burstID+i))
		}
		for i := lost; i < hundred; i++ {
			lines = append(lines, fmt.Sprintf(`< {"jsonrpc":"2.0","id":%d,"result":{}}`, burstID+i))
		}
		if lost > 0 {
			lines = append(lines, "! hundred:1 silent nothing")
		}
		r := judgeHundred(tapeOf(t, Cell{Scenario: "concurrency"}, nil, lines...))
		if r.Seen == 0 || len(r.Faults) != lost {
			t.Errorf("%d lost: %+v", lost, r)
		}
	}
}

func TestCancelAll(t *testing.T) {
	t.Parallel()
	call := []byte(`{"name":"tea","arguments":{"time":"noon"}}`)
	got := cancelAll(call, gjson.Parse(`{"inputRequests":{"q":{"method":"elicitation/create"}},"requestState":"s"}`))
	want := `{"name":"tea","arguments":{"time":"noon"},"inputResponses":{"q":{"action":"cancel"}},"requestState":"s"}`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := cancelAll(call, gjson.Parse(`{"inputRequests":{"q":{"method":"sampling/createMessage"}}}`)); got != nil {
		t.Errorf("sampling cannot be cancelled like a form, got %s", got)
	}
}
