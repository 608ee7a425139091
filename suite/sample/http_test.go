package sample

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestRightHTTPStatuses knocks in every way and looks at the status.
func TestRightHTTPStatuses(t *testing.T) {
	t.Parallel()
	list, call := `tools/list {}`, `tools/call {"name":"word_lookup","arguments":{"word":"tea","language":"en","shortest":3}}`
	for _, tc := range []struct {
		name, era, request string
		header             map[string]string
		want               string
	}{
		{"plain", Legacy, list, nil, "200 application/json"},
		{"no session id", Legacy, list, map[string]string{"Mcp-Session-Id": "-"}, "400 application/json"},
		{"unknown session id", Legacy, list, map[string]string{"Mcp-Session-Id": "nope"}, "404 application/json"},
		{"negotiated version", Legacy, list, map[string]string{"MCP-Protocol-Version": "2025-11-25"}, "200 application/json"},
		{"unknown version", Legacy, list, map[string]string{"MCP-Protocol-Version": "1900-01-01"}, "400 application/json"},
		{"foreign origin", Legacy, list, map[string]string{"Origin": "https://evil.example"}, "403 application/json"},
		{"null origin", Legacy, list, map[string]string{"Origin": "null"}, "403 application/json"},
		{"own origin", Legacy, list, map[string]string{"Origin": "http://localhost:5000"}, "200 application/json"},
		{"foreign host", Legacy, list, map[string]string{"Host": "evil.example:80"}, "403 application/json"},
		{"localhost", Legacy, list, map[string]string{"Host": "localhost:80"}, "200 application/json"},
		{"JSON only", Legacy, list, map[string]string{"Accept": "application/json"}, "200 application/json"},
		{"stream only", Legacy, list, map[string]string{"Accept": "text/event-stream"}, "200 text/event-stream"},
		{"anything", Legacy, list, map[string]string{"Accept": "*/*"}, "200 application/json"},
		{"no Accept", Legacy, list, map[string]string{"Accept": "-"}, "200 application/json"},
		{"other order, weights, case", Legacy, list, map[string]string{"Accept": "Text/Event-Stream;q=0.9 , application/JSON;q=1"}, "200 application/json"},
		{"pages only", Legacy, list, map[string]string{"Accept": "text/html"}, "406 application/json"},
		{"text", Legacy, list, map[string]string{"Content-Type": "text/plain"}, "415 application/json"},
		{"charset", Legacy, list, map[string]string{"Content-Type": "application/json; charset=utf-8"}, "200 application/json"},
		{"unknown method", Legacy, `zz {}`, nil, "200 application/json"},
		{"unknown cursor", Legacy, `tools/list {"cursor":"x"}`, nil, "200 application/json"},
		{"plain", Modern, list, nil, "200 application/json"},
		{"session id that counts for nothing", Modern, list, map[string]string{"Mcp-Session-Id": "nope", "Last-Event-ID": "1-0"}, "200 application/json"},
		{"no version", Modern, list, map[string]string{"MCP-Protocol-Version": "-"}, "400 application/json"},
		{"other version", Modern, list, map[string]string{"MCP-Protocol-Version": "2025-11-25"}, "400 application/json"},
		{"no method", Modern, list, map[string]string{"Mcp-Method": "-"}, "400 application/json"},
		{"other method", Modern, list, map[string]string{"Mcp-Method": "prompts/list"}, "400 application/json"},
		{"method in another case", Modern, list, map[string]string{"Mcp-Method": "Tools/List"}, "400 application/json"},
		{"no name", Modern, call, map[string]string{"Mcp-Name": "-"}, "400 application/json"},
		{"other name", Modern, call, map[string]string{"Mcp-Name": "text_slug"}, "400 application/json"},
		{"name in base64", Modern, call, map[string]string{"Mcp-Name": "=?base64?" + base64Of("word_lookup") + "?="}, "200 application/json"},
		{"broken base64", Modern, call, map[string]string{"Mcp-Name": "=?base64?d29yZF9sb29rdXA?="}, "400 application/json"},
		{"markers in capitals", Modern, call, map[string]string{"Mcp-Name": "=?BASE64?" + base64Of("word_lookup") + "?="}, "400 application/json"},
		{"no parameter", Modern, call, map[string]string{"Mcp-Param-Language": "-"}, "400 application/json"},
		{"other parameter", Modern, call, map[string]string{"Mcp-Param-Language": "de"}, "400 application/json"},
		{"parameter in base64", Modern, call, map[string]string{"Mcp-Param-Language": "=?base64?" + base64Of("en") + "?="}, "200 application/json"},
		{"equal number", Modern, call, map[string]string{"Mcp-Param-Shortest": "3.0"}, "200 application/json"},
		{"other number", Modern, call, map[string]string{"Mcp-Param-Shortest": "4"}, "400 application/json"},
		{"unknown parameter", Modern, call, map[string]string{"Mcp-Param-Zz": "1"}, "200 application/json"},
		{"parameter that no header can say", Modern, `tools/call {"name":"word_lookup","arguments":{"word":"tea","language":{}}}`, nil, "200 application/json"},
		{"parameter that is not given", Modern, `tools/call {"name":"word_lookup","arguments":{"word":"tea","language":null}}`, nil, "200 application/json"},
		{"unknown method", Modern, `zz {}`, nil, "404 application/json"},
		{"removed method", Modern, `ping {}`, nil, "404 application/json"},
		{"unknown cursor", Modern, `tools/list {"cursor":"x"}`, nil, "200 application/json"},
		{"unknown tool", Modern, `tools/call {"name":"größe","arguments":{}}`, nil, "200 application/json"},
		{"foreign origin", Modern, list, map[string]string{"Origin": "https://evil.example"}, "403 application/json"},
	} {
		t.Run(tc.name+" "+tc.era, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, newServer(t, Options{}), tc.era, HTTP)
			c.open()
			c.log.Reset()
			method, params, _ := strings.Cut(tc.request, " ")
			body := c.post(c.frame("1", method, params), tc.header)
			if got := c.log.String(); !strings.HasPrefix(got, tc.want) {
				t.Errorf("got %s\nwant %s", got, tc.want)
			}
			if strings.HasPrefix(tc.want, "400") && tc.era == Modern && !strings.Contains(body, `"code":-32020`) {
				t.Errorf("not refused as a header that differs: %s", body)
			}
		})
	}
}

// TestRightHTTPMessages posts what is no ordinary request.
func TestRightHTTPMessages(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, era, revision, frame, want string }{
		{"not json", Legacy, "2025-11-25", `{`, `400 application/json`},
		{"no message", Legacy, "2025-11-25", `5`, `400 application/json`},
		{"empty", Legacy, "2025-11-25", ``, `400 application/json`},
		{"notification", Legacy, "2025-11-25", `{"jsonrpc":"2.0","method":"notifications/zz"}`, `202  session`},
		{"answer to nothing", Legacy, "2025-11-25", `{"jsonrpc":"2.0","id":5,"result":{}}`, `202  session`},
		{"batch", Legacy, "2025-11-25", `[{"jsonrpc":"2.0","id":5,"method":"ping"}]`, `400 application/json`},
		{"batch where they are served", Legacy, "2025-03-26", `[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","id":6,"method":"ping"}]`, `200 application/json`},
		{"batch of notifications", Legacy, "2025-03-26", `[{"jsonrpc":"2.0","method":"notifications/zz"}]`, `202  session`},
		{"empty batch", Legacy, "2025-03-26", `[]`, `400 application/json`},
		{"answer", Modern, revisionModern, `{"jsonrpc":"2.0","id":5,"result":{}}`, `400 application/json`},
		{"notification", Modern, revisionModern, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `202  session`},
		{"request without _meta", Modern, revisionModern, `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`, `400 application/json`},
		{"batch", Modern, revisionModern, `[{"jsonrpc":"2.0","id":5,"method":"tools/list"}]`, `400 application/json`},
	} {
		t.Run(tc.name+" "+tc.era+" "+tc.revision, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, newServer(t, Options{}), tc.era, HTTP)
			c.revision = tc.revision
			c.open()
			c.log.Reset()
			body := c.post(tc.frame, map[string]string{"MCP-Protocol-Version": tc.revision})
			if got := c.log.String(); !strings.HasPrefix(got, tc.want) {
				t.Errorf("got %s\nwant %s", got, tc.want)
			}
			if strings.HasPrefix(tc.want, "202") && body != "" {
				t.Errorf("202 with a body: %s", body)
			}
		})
	}
}

// TestRightHTTPMethods gets, deletes and does what the endpoint has no use for.
func TestRightHTTPMethods(t *testing.T) {
	t.Parallel()
	for _, era := range []string{Legacy, Modern} {
		c := newClient(t, newServer(t, Options{}), era, HTTP)
		c.open()
		for _, method := range []string{http.MethodPut, http.MethodOptions, http.MethodPatch} {
			c.log.Reset()
			c.get(method, endpoint, nil)
			if !strings.Contains(c.log.String(), `405 application/json`) || !strings.Contains(c.log.String(), `allow="POST, GET, DELETE"`) {
				t.Errorf("%s: %s", method, c.log.String())
			}
		}
		c.log.Reset()
		c.get(http.MethodGet, "/", nil)
		if !strings.Contains(c.log.String(), "404 ") {
			t.Errorf("another path: %s", c.log.String())
		}
	}
	modern := newClient(t, newServer(t, Options{}), Modern, HTTP)
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		modern.log.Reset()
		modern.get(method, endpoint, nil)
		if !strings.Contains(modern.log.String(), "405 ") {
			t.Errorf("%s in 2026-07-28: %s", method, modern.log.String())
		}
	}
	c := newClient(t, newServer(t, Options{}), Legacy, HTTP)
	c.get(http.MethodGet, endpoint, nil)
	if !strings.Contains(c.log.String(), "405 ") {
		t.Errorf("GET without a session: %s", c.log.String())
	}
	c.open()
	id := c.session
	c.log.Reset()
	c.get(http.MethodDelete, endpoint, nil)
	c.ask("tools/list", "")
	if log := c.log.String(); !strings.Contains(log, "204 ") || !strings.Contains(log, "404 application/json") {
		t.Errorf("a deleted session: %s", log)
	}
	if !sessionIDs.MatchString(id) {
		t.Errorf("session id %q", id)
	}
}

// TestRightStreams looks at the form of a stream in each revision.
func TestRightStreams(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		era, revision string
		want          []string
		not           string
	}{
		{Legacy, "2025-11-25", []string{"200 text/event-stream", `buffering="no"`, "id: 1-start\ndata: \n\nid: 1-0\nevent: message\ndata: {"}, "<silence>"},
		{Legacy, "2025-06-18", []string{"200 text/event-stream", "id: 1-0\nevent: message\ndata: {"}, "start"},
		{Modern, revisionModern, []string{"200 text/event-stream", `buffering="no"`, "event: message\ndata: {"}, "id: "},
	} {
		c := newClient(t, newServer(t, Options{}), tc.era, HTTP)
		c.revision = tc.revision
		c.open().call("count_up", `{"to":2,"pause_ms":1},"_meta":{"progressToken":1}`)
		for _, want := range tc.want {
			if !strings.Contains(c.log.String(), want) {
				t.Errorf("%s: no %q in %s", tc.revision, want, c.log.String())
			}
		}
		if strings.Contains(c.log.String(), tc.not) {
			t.Errorf("%s: %q in %s", tc.revision, tc.not, c.log.String())
		}
	}
}

// TestRightReconnect gives a client that comes back the rest of its own stream.
func TestRightReconnect(t *testing.T) {
	t.Parallel()
	c := newClient(t, newServer(t, Options{}), Legacy, HTTP)
	c.open()
	c.call("count_up", `{"to":2,"pause_ms":1},"_meta":{"progressToken":"first"}`)
	c.call("count_up", `{"to":2,"pause_ms":1},"_meta":{"progressToken":"second"}`)
	c.log.Reset()
	rest := c.get(http.MethodGet, endpoint, map[string]string{"Last-Event-ID": "1-0"})
	if !strings.HasPrefix(rest, "id: 1-1\n") || !strings.Contains(rest, "Counted to 2.") || strings.Contains(rest, "second") || strings.Count(rest, "data: ") != 2 {
		t.Errorf("got %s", rest)
	}
	whole := c.get(http.MethodGet, endpoint, map[string]string{"Last-Event-ID": "2-start"})
	if strings.Count(whole, "data: ") != 3 || strings.Contains(whole, "first") || strings.Contains(whole, "start") {
		t.Errorf("got %s", whole)
	}
}

// TestRightDrops cancels by a dropped stream in 2026-07-28 and not before.
func TestRightDrops(t *testing.T) {
	t.Parallel()
	for era, want := range map[string]string{Legacy: "The last count went to 4.", Modern: "Nothing was counted yet."} {
		c := newClient(t, newServer(t, Options{}), era, HTTP)
		probeDrop(c)
		if !strings.Contains(c.log.String(), want) {
			t.Errorf("%s: %s", era, c.log.String())
		}
	}
}

// TestRightStandingStream sends updates on the GET stream alone, to one listener.
func TestRightStandingStream(t *testing.T) {
	t.Parallel()
	c := newClient(t, newServer(t, Options{}), Legacy, HTTP)
	c.open().ask("resources/subscribe", `{"uri":"`+counterURI+`"}`)
	other := c.beside()
	heard := make(chan string)
	other.quiet = 3 * time.Second
	go func() { heard <- other.get(http.MethodGet, endpoint, nil) }()
	time.Sleep(300 * time.Millisecond)
	c.log.Reset()
	c.get(http.MethodGet, endpoint, nil)
	if !strings.Contains(c.log.String(), "409 ") {
		t.Errorf("a second listener: %s", c.log.String())
	}
	c.log.Reset()
	c.call("count_up", `{"to":1,"pause_ms":1}`)
	if strings.Contains(c.log.String(), "resources/updated") {
		t.Errorf("an update on the stream of a call: %s", c.log.String())
	}
	if got := <-heard; strings.Count(got, `"method":"notifications/resources/updated","params":{"uri":"sample://counter/last"}`) != 1 {
		t.Errorf("on the stream: %s", got)
	}
}

// TestRightSubscriptions listens in 2026-07-28.
func TestRightSubscriptions(t *testing.T) {
	t.Parallel()
	c := newClient(t, newServer(t, Options{}), Modern, Stdio)
	c.write(c.frame(`"one"`, "subscriptions/listen", `{"notifications":{"toolsListChanged":true,"promptsListChanged":false,"zz":true,"resourceSubscriptions":["`+counterURI+`","sample://nope",5]}}`) + "\n")
	c.await("acknowledged")
	c.write(c.frame("2", "subscriptions/listen", `{"notifications":{}}`) + "\n")
	c.await("acknowledged")
	for _, want := range []string{
		`"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"one"},"notifications":{"resourceSubscriptions":["sample://counter/last"],"toolsListChanged":true}}`,
		`"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{}}`,
	} {
		if !strings.Contains(c.log.String(), want) {
			t.Errorf("no %s in %s", want, c.log.String())
		}
	}
	c.log.Reset()
	c.call("count_up", `{"to":1,"pause_ms":1}`)
	if got := c.log.String(); strings.Count(got, "resources/updated") != 1 || !strings.Contains(got, `"_meta":{"io.modelcontextprotocol/subscriptionId":"one"}`) {
		t.Errorf("an update: %s", got)
	}
	c.notify("notifications/cancelled", `{"requestId":"one"}`)
	c.drain()
	c.log.Reset()
	c.call("count_up", `{"to":1,"pause_ms":1}`)
	if got := c.log.String(); strings.Contains(got, "resources/updated") || strings.Contains(got, `"id":"one"`) {
		t.Errorf("after the subscription was cancelled: %s", got)
	}
	c.log.Reset()
	c.hangUp()
	c.read("2")
	if got := c.log.String(); !strings.Contains(got, `"id":2,"result":{"resultType":"complete","_meta":{`) || !strings.Contains(got, `"io.modelcontextprotocol/subscriptionId":2}`) {
		t.Errorf("at the end of the input: %s", got)
	}
}
