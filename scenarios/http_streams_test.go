package scenarios

import (
	"net/http"
	"testing"
	"time"

	"github.com/agntn/conform/fakes/wire"
)

func TestHTTPStreams(t *testing.T) {
	t.Parallel()
	now := Cell{Revision: "2026-07-28"}
	stream := func(label string, events ...wire.Event) web {
		return web{label: label, body: listAsk, status: 200, events: events}
	}
	named := func(name string) wire.Event {
		ev := event("", listAnswer)
		ev.HTTP.EventName = name
		return ev
	}
	lines := event("", listAnswer)
	lines.HTTP.Lines = 2
	cut := event("", listAnswer)
	cut.Status = "unfinished"
	late := stream("a", event("", listAnswer))
	late.after = 3 * time.Second
	given := stream("a", event("", ""))
	given.end = "dropped"
	call := func(label, id, token string, events ...wire.Event) web {
		return web{label: label, body: `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"_meta":{"progressToken":"` + token + `"}}}`, status: 200, events: events}
	}
	progress := func(token string) wire.Event {
		return event("", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"`+token+`","progress":1}}`)
	}
	get := func(events ...wire.Event) web {
		return web{label: "open/stream", method: "GET", status: 200, events: append([]wire.Event{event("", "")}, events...), end: "dropped"}
	}
	resume := func(events ...wire.Event) web {
		return web{label: "resume:one", method: "GET", sent: http.Header{"Last-Event-Id": {"1"}}, status: 200, events: append([]wire.Event{event("", "")}, events...), end: "dropped"}
	}
	one := stream("stream:one", event("1", ""), event("2", listAnswer))
	newer := func(w web) web { w.sent = http.Header{"Mcp-Protocol-Version": {"2025-11-25"}}; return w }
	runWeb(t, "http", []webRuled{
		{name: "well formed", judge: judgeSSEFraming, all: []web{stream("a", event("1", ""), event("2", listAnswer))}, want: "pass"},
		{name: "no JSON", judge: judgeSSEFraming, all: []web{stream("a", event("", "hello"))}, want: "fault"},
		{name: "other name", judge: judgeSSEFraming, all: []web{stream("a", named("answer"))}, want: "fault"},
		{name: "no name", judge: judgeSSEFraming, all: []web{stream("a", named(""))}, want: "pass"},
		{name: "no blank line", judge: judgeSSEFraming, all: []web{stream("a", cut)}, want: "fault"},
		{name: "no stream", judge: judgeSSEFraming, all: []web{ok("a")}, want: "na"},
		{name: "one data line", judge: judgeSSEOneLine, all: []web{stream("a", event("", listAnswer))}, want: "pass"},
		{name: "two data lines", judge: judgeSSEOneLine, all: []web{stream("a", lines)}, want: "fault"},
		{name: "ends behind the response", judge: judgeSSEAnswers, all: []web{stream("a", event("", listAnswer))}, want: "pass"},
		{name: "stays open", judge: judgeSSEAnswers, all: []web{late}, want: "fault"},
		{name: "stays open while others wait", judge: judgeSSEAnswers, all: []web{{label: "b", body: `{"jsonrpc":"2.0","id":7,"method":"ping"}`, end: "open"}, late}, want: "na"},
		{name: "ends without the response", judge: judgeSSEAnswers, all: []web{stream("a", event("", ""))}, want: "fault"},
		{name: "given up by conform", judge: judgeSSEAnswers, all: []web{given}, want: "na"},
		{name: "to be taken up again", judge: judgeSSEAnswers, all: []web{stream("a", event("1", ""))}, want: "na"},
		{name: "own progress", judge: judgeSSERelated, all: []web{call("a", "1", "x", progress("x"))}, want: "pass"},
		{name: "progress of another", judge: judgeSSERelated, all: []web{call("a", "1", "x", progress("y")), call("b", "2", "y", progress("y"))}, want: "fault"},
		{name: "progress on the GET stream", judge: judgeSSERelated, all: []web{call("a", "1", "x", progress("x")), get(progress("x"))}, want: "fault"},
		{name: "progress of a call without stream", judge: judgeSSERelated, all: []web{{label: "a", body: call("a", "1", "x").body, status: 200, reply: listAnswer}, get(progress("x"))}, want: "pass"},
		{name: "no progress", judge: judgeSSERelated, all: []web{stream("a", event("", listAnswer))}, want: "unseen"},
		{name: "buffering off", judge: judgeBuffering, cell: now, all: []web{{label: "a", body: listAsk, status: 200, header: http.Header{"X-Accel-Buffering": {"no"}}, events: []wire.Event{event("", listAnswer)}}}, want: "pass"},
		{name: "buffering on", judge: judgeBuffering, cell: now, all: []web{stream("a", event("", listAnswer))}, want: "fault"},
		{name: "GET stream", judge: judgeGet, all: []web{get()}, want: "pass"},
		{name: "GET 405", judge: judgeGet, all: []web{{label: "open/stream", method: "GET", status: 405}}, want: "pass"},
		{name: "GET JSON", judge: judgeGet, all: []web{{label: "open/stream", method: "GET", status: 200, reply: "{}"}}, want: "fault"},
		{name: "GET 404", judge: judgeGet, all: []web{{label: "open/stream", method: "GET", status: 404}}, want: "fault"},
		{name: "GET 400 without sessions", judge: judgeGet, all: []web{{label: "open/stream", method: "GET", status: 400}}, want: "pass"},
		{name: "quiet GET stream", judge: judgeGetClean, all: []web{get()}, want: "pass"},
		{name: "response on the GET stream", judge: judgeGetClean, all: []web{get(event("", listAnswer))}, want: "fault"},
		{name: "one message on two streams", judge: judgeGetClean, all: []web{call("a", "1", "x", progress("x")), get(progress("x"))}, want: "fault"},
		{name: "ids once", judge: judgeEventIDs, all: []web{one}, want: "pass"},
		{name: "ids again", judge: judgeEventIDs, all: []web{one, stream("b", event("1", ""))}, want: "fault"},
		{name: "ids of a replay", judge: judgeEventIDs, all: []web{one, resume(event("2", listAnswer))}, want: "pass"},
		{name: "own messages again", judge: judgeReconnect, all: []web{one, resume(event("2", listAnswer))}, want: "pass"},
		{name: "messages of another stream", judge: judgeReconnect, all: []web{one, resume(event("9", `{"jsonrpc":"2.0","id":2,"result":{}}`))}, want: "fault"},
		{name: "no ids", judge: judgeReconnect, all: []web{stream("stream:one", event("", listAnswer))}, want: "na"},
		{name: "taken up again", judge: judgeResumes, all: []web{one, resume()}, want: "pass"},
		{name: "refused", judge: judgeResumes, all: []web{one, {label: "resume:one", method: "GET", status: 404}}, want: "fault"},
		{name: "no GET at all", judge: judgeResumes, all: []web{one, {label: "resume:one", method: "GET", status: 405}}, want: "na"},
		{name: "replayed", judge: judgeReplayed, all: []web{one, resume(event("2", listAnswer))}, want: "pass"},
		{name: "lost", judge: judgeReplayed, all: []web{one, resume()}, want: "fault"},
		{name: "primed", judge: judgePriming, all: []web{newer(one)}, want: "pass"},
		{name: "not primed", judge: judgePriming, all: []web{newer(stream("a", event("1", listAnswer)))}, want: "fault"},
		{name: "not primed for an older client", judge: judgePriming, all: []web{stream("a", event("1", listAnswer))}, want: "unseen"},
		{name: "listening", judge: judgeKeepAlive, cell: now, all: []web{{label: "listen", body: `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`, status: 200, events: []wire.Event{event("", `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged"}`)}, end: "dropped"}}, want: "pass"},
		{name: "listening in vain", judge: judgeKeepAlive, cell: now, all: []web{{label: "listen", body: `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`, status: 200, events: []wire.Event{event("", "")}}}, want: "fault"},
	})
}

func TestCountsUp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		ids  []string
		want bool
	}{
		{[]string{"1", "2", "3", "4"}, true},
		{[]string{"session-007", "session-008", "session-011"}, true},
		{[]string{"1001", "9234871", "5512"}, false},
		{[]string{"a1b2", "c3d4", "e5f6"}, false},
	} {
		if got := countsUp(tt.ids); got != tt.want {
			t.Errorf("countsUp(%v) = %v, want %v", tt.ids, got, tt.want)
		}
	}
}
