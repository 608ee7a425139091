package scenarios

import (
	"net/http"
	"testing"
	"time"

	"github.com/agntn/conform/fakes/wire"
)

// web is one HTTP exchange of a hand-written tape.
type web struct {
	label string
	// method is POST when empty; body is what was sent.
	method, body string
	sent         http.Header
	status       int
	header       http.Header
	// events are those of a stream, reply is a body of another type.
	events []wire.Event
	reply  string
	// end is how the answer ended, "end" when empty; after is the time from the answer to its end.
	end   string
	after time.Duration
}

func event(id, data string) wire.Event {
	return wire.Event{Kind: wire.Recv, Raw: []byte(data), HTTP: &wire.HTTPMeta{SSE: true, EventID: id, EventName: "message", Lines: 1}}
}

// webTape writes evidence of HTTP exchanges by hand.
func webTape(t *testing.T, cell Cell, facts *Facts, all ...web) *Evidence {
	t.Helper()
	cell.Transport = "http"
	e := tapeOf(t, cell, facts)
	var events []wire.Event
	now := time.Duration(0)
	add := func(ev wire.Event) {
		now += time.Millisecond
		ev.At = now
		events = append(events, ev)
	}
	for i, w := range all {
		method, sent, header, end := w.method, w.sent, w.header, w.end
		if method == "" {
			method = http.MethodPost
		}
		if sent == nil {
			sent = http.Header{}
		}
		if header == nil {
			header = http.Header{"Content-Type": {"application/json"}}
			if w.events != nil {
				header = http.Header{"Content-Type": {"text/event-stream"}}
			}
		}
		if end == "" {
			end = "end"
		}
		post, probe := i+1, handLabel(e.Cell, w.label)
		add(wire.Event{Kind: wire.Send, Post: post, Probe: probe, Raw: []byte(w.body), HTTP: &wire.HTTPMeta{Method: method, URL: "http://127.0.0.1:9/mcp", Header: sent}})
		if w.status > 0 {
			add(wire.Event{Kind: wire.Head, Post: post, HTTP: &wire.HTTPMeta{Status: w.status, Header: header, SSE: w.events != nil}})
		}
		for _, ev := range w.events {
			ev.Post = post
			add(ev)
		}
		if w.reply != "" {
			add(wire.Event{Kind: wire.Recv, Post: post, Raw: []byte(w.reply), HTTP: &wire.HTTPMeta{Status: w.status}})
		}
		now += w.after
		if end != "open" {
			add(wire.Event{Kind: wire.Close, Post: post, Status: end})
		}
	}
	e.Run.Tapes[0].Load(events, false)
	return e
}

// webRuled is one judge on one hand-written tape of HTTP exchanges.
type webRuled struct {
	name  string
	judge func(*Evidence) Ruling
	cell  Cell
	all   []web
	want  string
}

func runWeb(t *testing.T, scenario string, tests []webRuled) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cell := tt.cell
			cell.Scenario = scenario
			if cell.Revision == "" {
				cell.Revision = "2025-11-25"
			}
			facts := &Facts{Revision: cell.Revision, Transport: "http", Run: &RunFacts{Offered: map[string][]string{"http": {cell.Revision}}}}
			r := tt.judge(webTape(t, cell, facts, tt.all...))
			got := "unseen"
			switch {
			case r.NA != "":
				got = "na"
			case len(r.Faults) > 0:
				got = "fault"
			case r.Seen > 0:
				got = "pass"
			}
			if got != tt.want {
				t.Errorf("got %s, want %s: %+v", got, tt.want, r)
			}
			for _, f := range r.Faults {
				if f.Expected == "" || f.Observed == "" || len(f.Proof) == 0 || f.Proof[0] == nil {
					t.Errorf("a fault does not say what was expected and seen, or shows no proof: %+v", f)
				}
			}
		})
	}
}

const (
	listAsk    = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	listAnswer = `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`
	refusal    = `{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}`
	noteAsk    = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func ok(label string) web { return web{label: label, body: listAsk, status: 200, reply: listAnswer} }

func refusedBy(label string, status int) web {
	return web{label: label, body: listAsk, status: status, reply: refusal}
}

func typed(kind string) http.Header { return http.Header{"Content-Type": {kind}} }

func TestHTTPAnswers(t *testing.T) {
	t.Parallel()
	now := Cell{Revision: "2026-07-28"}
	code := func(label string, status int, code string) web {
		return web{label: label, body: listAsk, status: status, reply: `{"jsonrpc":"2.0","id":1,"error":{"code":` + code + `,"message":"no"}}`}
	}
	runWeb(t, "http", []webRuled{
		{name: "served", judge: judgeEndpoint, all: []web{ok("open/tools/list")}, want: "pass"},
		{name: "not allowed", judge: judgeEndpoint, all: []web{{label: "open/tools/list", body: listAsk, status: 405}}, want: "fault"},
		{name: "JSON", judge: judgeContentType, all: []web{ok("a")}, want: "pass"},
		{name: "text", judge: judgeContentType, all: []web{{label: "a", body: listAsk, status: 200, header: typed("text/plain"), reply: listAnswer}}, want: "fault"},
		{name: "text of a refusal", judge: judgeContentType, all: []web{{label: "a", body: listAsk, status: 400, header: typed("text/plain"), reply: "no"}}, want: "unseen"},
		{name: "one object", judge: judgeJSONBody, all: []web{ok("a")}, want: "pass"},
		{name: "a list", judge: judgeJSONBody, all: []web{{label: "a", body: listAsk, status: 200, reply: "[" + listAnswer + "]"}}, want: "fault"},
		{name: "another message", judge: judgeJSONBody, all: []web{{label: "a", body: listAsk, status: 200, reply: `{"status":"ok"}`}}, want: "fault"},
		{name: "streams only", judge: judgeJSONBody, all: []web{{label: "a", body: listAsk, status: 200, events: []wire.Event{event("", listAnswer)}}}, want: "na"},
		{name: "202", judge: judgeNotified, all: []web{{label: "open/initialized", body: noteAsk, status: 202}}, want: "pass"},
		{name: "202 with a body", judge: judgeNotified, all: []web{{label: "open/initialized", body: noteAsk, status: 202, reply: `{}`}}, want: "fault"},
		{name: "200", judge: judgeNotified, all: []web{{label: "open/initialized", body: noteAsk, status: 200, reply: listAnswer}}, want: "fault"},
		{name: "204", judge: judgeNotified, all: []web{{label: "open/initialized", body: noteAsk, status: 204}}, want: "fault"},
		{name: "refused", judge: judgeNotified, all: []web{{label: "notify:x", body: noteAsk, status: 400, reply: "no"}}, want: "pass"},
		{name: "a response accepted", judge: judgeResponded, all: []web{{label: "response", body: `{"jsonrpc":"2.0","id":1,"result":{}}`, status: 202}}, want: "pass"},
		{name: "a response served", judge: judgeResponded, all: []web{{label: "response", body: `{"jsonrpc":"2.0","id":1,"result":{}}`, status: 200}}, want: "fault"},
		{name: "a response refused", judge: judgeResponseRefused, cell: now, all: []web{{label: "response", status: 400}}, want: "pass"},
		{name: "a response taken", judge: judgeResponseRefused, cell: now, all: []web{{label: "response", status: 202}}, want: "fault"},
		{name: "another order", judge: judgeAcceptForms, all: []web{ok("plain"), ok("form:x")}, want: "pass"},
		{name: "another order refused", judge: judgeAcceptForms, all: []web{ok("plain"), refusedBy("form:x", 406)}, want: "fault"},
		{name: "nothing served", judge: judgeAcceptForms, all: []web{refusedBy("plain", 401), refusedBy("form:x", 401)}, want: "unseen"},
		{name: "an error with 400", judge: judgeErrorStatus, all: []web{code("error:x", 400, "-32602")}, want: "pass"},
		{name: "an error with 500", judge: judgeErrorStatus, all: []web{code("error:x", 500, "-32602")}, want: "fault"},
		{name: "404 and -32601", judge: judgeStatusCodes, cell: now, all: []web{code("status:unknown method", 404, "-32601")}, want: "pass"},
		{name: "200 and -32601", judge: judgeStatusCodes, cell: now, all: []web{code("status:unknown method", 200, "-32601")}, want: "fault"},
		{name: "400 in plain text", judge: judgeStatusCodes, cell: now, all: []web{{label: "status:unsupported version", body: listAsk, status: 400, reply: "no"}}, want: "fault"},
		{name: "404 without id in the error", judge: judgeStatusCodes, cell: now, all: []web{{label: "status:unknown method", body: listAsk, status: 404, reply: `{"jsonrpc":"2.0","error":{"code":-32601,"message":"no"}}`}}, want: "pass"},
	})
}

func TestHTTPDoor(t *testing.T) {
	t.Parallel()
	foreign := func(w web) web { w.sent = http.Header{"Origin": {foreignOrigin}}; return w }
	token := func(w web) web { w.sent = http.Header{"Authorization": {"Bearer x"}}; return w }
	runWeb(t, "http", []webRuled{
		{name: "403", judge: judgeOrigin, all: []web{ok("plain"), foreign(refusedBy("origin:x", 403))}, want: "pass"},
		{name: "served", judge: judgeOrigin, all: []web{ok("plain"), foreign(ok("origin:x"))}, want: "fault"},
		{name: "400", judge: judgeOrigin, all: []web{ok("plain"), foreign(refusedBy("origin:x", 400))}, want: "fault"},
		{name: "400 before 2025-11-25", judge: judgeOrigin, cell: Cell{Revision: "2025-06-18"}, all: []web{ok("plain"), foreign(refusedBy("origin:x", 400))}, want: "pass"},
		{name: "refused anyway", judge: judgeOrigin, all: []web{refusedBy("plain", 401), foreign(refusedBy("origin:x", 401))}, want: "unseen"},
		{name: "an error without id", judge: judgeOriginShape, all: []web{ok("plain"), refusedBy("origin:x", 403)}, want: "pass"},
		{name: "an error with id null", judge: judgeOriginShape, all: []web{ok("plain"), {label: "origin:x", body: listAsk, status: 403, reply: `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}`}}, want: "fault"},
		{name: "own origin refused", judge: judgeOriginShape, all: []web{ok("plain"), refusedBy("own-origin", 403)}, want: "fault"},
		{name: "host refused", judge: judgeHost, all: []web{ok("plain"), refusedBy("host:foreign", 403)}, want: "pass"},
		{name: "host served", judge: judgeHost, all: []web{ok("plain"), ok("host:foreign")}, want: "fault"},
		{name: "no other address", judge: judgeLoopback, all: []web{ok("plain"), {label: "other-address", body: listAsk, end: "refused"}}, want: "pass"},
		{name: "another address", judge: judgeLoopback, all: []web{ok("plain"), refusedBy("other-address", 400)}, want: "fault"},
		{name: "token checked", judge: judgeUnauthenticated, all: []web{token(ok("plain")), refusedBy("no-credentials", 401)}, want: "pass"},
		{name: "token not checked", judge: judgeUnauthenticated, all: []web{token(ok("plain")), ok("no-credentials")}, want: "fault"},
		{name: "no token given", judge: judgeUnauthenticated, all: []web{ok("plain"), ok("no-credentials")}, want: "na"},
		{name: "streamable", judge: judgeOldTransport, all: []web{{label: "open/stream", method: "GET", status: 200, events: []wire.Event{event("", "")}}}, want: "pass"},
		{name: "two endpoints", judge: judgeOldTransport, all: []web{{label: "get", method: "GET", status: 200, events: []wire.Event{{Kind: wire.Recv, Raw: []byte("/messages"), HTTP: &wire.HTTPMeta{SSE: true, EventName: "endpoint", Lines: 1}}}}}, want: "fault"},
	})
}

func TestHTTPSessions(t *testing.T) {
	t.Parallel()
	now := Cell{Revision: "2026-07-28"}
	open := func(ids ...string) []web {
		var out []web
		for _, id := range ids {
			out = append(out, web{label: "mint", body: `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, status: 200, header: http.Header{"Content-Type": {"application/json"}, "Mcp-Session-Id": {id}}, reply: `{"jsonrpc":"2.0","id":1,"result":{}}`})
		}
		return out
	}
	random := []string{"6f1d2c9a7b3e4f50a1b2c3d4e5f60718", "0a9b8c7d6e5f40312233445566778899", "ffeeddccbbaa99887766554433221100", "13579bdf02468ace13579bdf02468ace"}
	with := func(ids []string, more ...web) []web { return append(open(ids...), more...) }
	modernAsk := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	runWeb(t, "http", []webRuled{
		{name: "visible ASCII", judge: judgeSessionID, all: open(random[0]), want: "pass"},
		{name: "a space", judge: judgeSessionID, all: open("a b"), want: "fault"},
		{name: "no sessions", judge: judgeSessionID, all: []web{ok("a")}, want: "na"},
		{name: "random ids", judge: judgeSessionIDs, all: open(random...), want: "pass"},
		{name: "a counter", judge: judgeSessionIDs, all: open("s-8", "s-9", "s-10", "s-11"), want: "fault"},
		{name: "the same id", judge: judgeSessionIDs, all: open(random[0], random[0], random[1], random[2]), want: "fault"},
		{name: "short ids", judge: judgeSessionIDs, all: open("abc", "xyz", "qrs", "tuv"), want: "fault"},
		{name: "two ids only", judge: judgeSessionIDs, all: open(random[:2]...), want: "unseen"},
		{name: "missing id, 400", judge: judgeSessionRequired, all: []web{refusedBy("no-session", 400)}, want: "pass"},
		{name: "missing id, served", judge: judgeSessionRequired, all: []web{ok("no-session")}, want: "pass"},
		{name: "missing id, 500", judge: judgeSessionRequired, all: []web{refusedBy("no-session", 500)}, want: "fault"},
		{name: "unknown id, 404", judge: judgeUnknownSession, all: with(random[:1], refusedBy("unknown-session", 404)), want: "pass"},
		{name: "unknown id, 400", judge: judgeUnknownSession, all: with(random[:1], refusedBy("unknown-session", 400)), want: "fault"},
		{name: "unknown id, no sessions", judge: judgeUnknownSession, all: []web{ok("unknown-session")}, want: "na"},
		{name: "ended", judge: judgeDelete, all: []web{{label: "delete", method: "DELETE", status: 204}, refusedBy("after-delete", 404)}, want: "pass"},
		{name: "ended and served", judge: judgeDelete, all: []web{{label: "delete", method: "DELETE", status: 204}, ok("after-delete")}, want: "fault"},
		{name: "not ended by clients", judge: judgeDelete, all: []web{{label: "delete", method: "DELETE", status: 405}, ok("after-delete")}, want: "na"},
		{name: "405", judge: judgeDeleteStatus, all: []web{{label: "delete", method: "DELETE", status: 405}}, want: "pass"},
		{name: "500", judge: judgeDeleteStatus, all: []web{{label: "delete", method: "DELETE", status: 500}}, want: "fault"},
		{name: "no id minted", judge: judgeNotMinted, cell: now, all: []web{{label: "a", body: modernAsk, status: 200, reply: listAnswer}}, want: "pass"},
		{name: "an id minted", judge: judgeNotMinted, cell: now, all: []web{{label: "a", body: modernAsk, status: 200, header: http.Header{"Mcp-Session-Id": {"x"}}, reply: listAnswer}}, want: "fault"},
		{name: "old header ignored", judge: judgeOldHeaders, cell: now, all: []web{ok("old:Mcp-Session-Id")}, want: "pass"},
		{name: "old header refused", judge: judgeOldHeaders, cell: now, all: []web{refusedBy("old:Mcp-Session-Id", 404)}, want: "fault"},
		{name: "GET 405", judge: judgeGetDelete405, cell: now, all: []web{{label: "get", method: "GET", status: 405}}, want: "pass"},
		{name: "GET 200", judge: judgeGetDelete405, cell: now, all: []web{{label: "get", method: "GET", status: 200, reply: "{}"}}, want: "fault"},
		{name: "version refused", judge: judgeVersionHeader, all: []web{refusedBy("version:x", 400)}, want: "pass"},
		{name: "version served", judge: judgeVersionHeader, all: []web{ok("version:x")}, want: "fault"},
		{name: "version header not known yet", judge: judgeVersionHeader, cell: Cell{Revision: "2025-03-26"}, all: []web{ok("version:x")}, want: "na"},
		{name: "no version served", judge: judgeVersionAbsent, all: []web{ok("no-version")}, want: "pass"},
		{name: "no version refused", judge: judgeVersionAbsent, all: []web{refusedBy("no-version", 400)}, want: "fault"},
	})
}

func TestHTTPMirrors(t *testing.T) {
	t.Parallel()
	now := Cell{Revision: "2026-07-28"}
	mismatch := func(label string, status int, code string) web {
		return web{label: label, body: listAsk, status: status, reply: `{"jsonrpc":"2.0","id":1,"error":{"code":` + code + `,"message":"no"}}`}
	}
	right := func(label string) func(*Evidence) Ruling {
		return func(e *Evidence) Ruling { return judgeNameServed(e, label) }
	}
	wrong := func(label string) func(*Evidence) Ruling {
		return func(e *Evidence) Ruling { return judgeNameRefused(e, label) }
	}
	runWeb(t, "http", []webRuled{
		{name: "mismatch refused", judge: judgeMirrors, cell: now, all: []web{mismatch("mirror:method differs", 400, "-32020")}, want: "pass"},
		{name: "mismatch served", judge: judgeMirrors, cell: now, all: []web{ok("mirror:method differs")}, want: "fault"},
		{name: "mismatch with another code", judge: judgeMirrors, cell: now, all: []web{mismatch("mirror:method differs", 400, "-32602")}, want: "fault"},
		{name: "mismatch with status 200", judge: judgeMirrors, cell: now, all: []web{mismatch("mirror:method differs", 200, "-32020")}, want: "fault"},
		{name: "a prompt that nobody has", judge: judgeMirrors, cell: now, all: []web{mismatch("mirror:name of prompts/get missing", 200, "-32602")}, want: "unseen"},
		{name: "base64 served", judge: right("base64:right"), cell: now, all: []web{ok("call:plain"), ok("base64:right")}, want: "pass"},
		{name: "base64 refused", judge: right("base64:right"), cell: now, all: []web{ok("call:plain"), mismatch("base64:right", 400, "-32020")}, want: "fault"},
		{name: "nothing to call", judge: right("base64:right"), cell: now, want: "unseen"},
		{name: "broken base64 refused", judge: wrong("base64:broken"), cell: now, all: []web{ok("call:plain"), mismatch("base64:broken", 400, "-32020")}, want: "pass"},
		{name: "broken base64 served", judge: wrong("base64:broken"), cell: now, all: []web{ok("call:plain"), ok("base64:broken")}, want: "fault"},
		{name: "parameters compared", judge: judgeParamHeaders, cell: now, all: []web{ok("param-plain"), mismatch("param:missing", 400, "-32020"), ok("param-served:left out")}, want: "pass"},
		{name: "parameters not compared", judge: judgeParamHeaders, cell: now, all: []web{ok("param-plain"), ok("param:missing")}, want: "fault"},
		{name: "parameter wanted that is not there", judge: judgeParamHeaders, cell: now, all: []web{ok("param-plain"), mismatch("param-served:left out", 400, "-32020")}, want: "fault"},
		{name: "parameter refused though right", judge: judgeParamHeaders, cell: now, all: []web{mismatch("param-plain", 400, "-32020")}, want: "fault"},
		{name: "no mirrored parameter", judge: judgeParamHeaders, cell: now, want: "na"},
		{name: "numbers", judge: judgeParamNumber, cell: now, all: []web{ok("number:plain"), ok("number:with a fraction of zero")}, want: "pass"},
		{name: "numbers as text", judge: judgeParamNumber, cell: now, all: []web{ok("number:plain"), mismatch("number:with a fraction of zero", 400, "-32020")}, want: "fault"},
	})
}
