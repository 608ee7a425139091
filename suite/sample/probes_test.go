package sample

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"
)

func base64Of(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func probeVersions(c *client) {
	for _, v := range []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2099-01-01", ""} {
		c.revision = v
		c.connect()
		c.open()
	}
}

func probeDiscoverFirst(c *client) {
	c.raw(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"` + keyVersion + `":"2026-07-28","` + keyCapabilities + `":{}}}}`)
	c.open()
}

func probeUnsupported(c *client) {
	old := `{"_meta":{"` + keyVersion + `":"1900-01-01","` + keyCapabilities + `":{}}}`
	c.ask("tools/list", old)
	c.ask("prompts/list", "")
	c.ask("tools/list", old)
	c.era = Legacy
	c.connect()
	c.open()
}

func probeCapabilities(c *client) {
	c.open()
	if c.era == Modern {
		c.ask("server/discover", "")
	}
	c.ask("prompts/list", "")
}

// probeLists walks every list, twice, on two connections.
func probeLists(c *client) {
	for i := range 2 {
		if i > 0 {
			c.connect()
		}
		c.open()
		for range 2 {
			c.walk("tools/list", 5)
		}
		c.ask("tools/list", `{"cursor":"nonsense"}`)
		c.ask("tools/list", `{"cursor":5}`)
		for _, method := range []string{"prompts/list", "resources/list", "resources/templates/list"} {
			c.ask(method, "")
		}
		c.ask("resources/read", `{"uri":"sample://tea/menu"}`)
		if c.era == Modern {
			c.ask("server/discover", "")
		}
	}
}

// walk asks for the pages of a list, and for no more than that many.
func (c *client) walk(method string, most int) {
	params := ""
	for range most {
		_, rest, more := strings.Cut(c.ask(method, params), `"nextCursor":"`)
		if !more {
			return
		}
		params = `{"cursor":"` + rest[:strings.Index(rest, `"`)] + `"}`
	}
}

func probeHost(c *client) {
	c.open()
	c.ask("tools/list", "")
	c.call("text_slug", `{"text":"Tea"}`)
	c.call("shape_draw", `{"shape":"circle"}`)
	c.call("parcel_price", `{"parcel":{"weight_g":1,"box":{"length":1,"width":1,"height":1}},"stops":[{"city":"Oslo"}]}`)
}

func probeUnknownTools(c *client) {
	c.open()
	names := append(inherited(), "nope", "", "TEXT_SLUG", "a\nb\rc", "\x1b[31mred\x00\u009b", "\u202eevil\u200b\u2028", strings.Repeat("x", 1000))
	for _, name := range names {
		c.call(name, `{}`)
	}
}

func probeInput(c *client) {
	c.open()
	for _, call := range [][2]string{
		{"count_up", `{"to":2,"pause_ms":1,"zz":1},"_meta":{"progressToken":1}`}, {"text_slug", `{}`}, {"text_slug", `{"text":5,"words":0,"separator":"+"}`}, {"text_slug", `{"text":"Tea","a\n\u001bb":1}`},
		{"text_slug", `{"text":"Tea","separator":null}`}, {"text_slug", `{"text":"Tea","words":"5abc"}`}, {"text_slug", `[]`},
		{"text_slug", `{"text":"Tea","__proto__":{}}`}, {"tea_advice", `{"time":"dawn"}`}, {"count_up", `{"to":0,"pause_ms":1},"_meta":{"progressToken":1}`},
		{"parcel_price", `{"parcel":{"weight_g":1,"box":{"length":0,"width":1,"height":1}},"stops":[{"city":5}]}`},
	} {
		c.call(call[0], call[1])
	}
	c.ask("tools/call", `{"name":"count_up"}`)
}

// probeResults calls every tool, right and wrong.
func probeResults(c *client) {
	c.open()
	if c.era == Modern {
		c.ask("server/discover", "")
	}
	c.ask("tools/list", "")
	for _, call := range [][2]string{
		{"text_slug", `{"text":"Tea for Two"}`}, {"text_slug", `{}`}, {"word_lookup", `{"word":"harbour"}`}, {"word_lookup", `{}`},
		{"number_divide", `{"number":7,"by":2}`}, {"number_divide", `{"number":7,"by":0}`}, {"tide_level", `{"harbour":"north"}`},
		{"tide_level", `{"harbour":"old"}`}, {"shape_draw", `{"shape":"circle"}`},
	} {
		c.call(call[0], call[1])
	}
}

func probeProgress(c *client) {
	c.open()
	for _, token := range []string{`"a"`, `7`, `0`, `""`} {
		c.call("count_up", `{"to":3,"pause_ms":1},"_meta":{"progressToken":`+token+`}`)
	}
	c.call("count_up", `{"to":2,"pause_ms":1}`)
	c.settle()
}

func probeCancel(c *client) {
	c.open()
	cancel := func(id string) { c.notify("notifications/cancelled", `{"requestId":`+id+`}`) }
	c.ask("prompts/list", "")
	for _, id := range []string{"0", "501", `"x"`} {
		done := c.start(id)
		time.Sleep(30 * time.Millisecond)
		cancel(id)
		done()
	}
	if c.transport == Stdio {
		time.Sleep(1300 * time.Millisecond)
		c.settle()
	}
	cancel("7777")
	c.settle()
	c.askAs("8888", "prompts/list", "")
	cancel("8888")
	c.settle()
	c.notify("notifications/cancelled", `{}`)
	c.settle()
}

// start begins a slow call without waiting for it; the returned function waits.
func (c *client) start(id string) func() {
	frame := c.frame(id, "tools/call", `{"name":"count_up","arguments":{"to":3,"pause_ms":1000},"_meta":{"progressToken":1}}`)
	if c.transport == Stdio {
		c.note("> %s", frame)
		c.write(frame + "\n")
		return func() {}
	}
	return c.aside(frame)
}

// beside is a client of the same session with a log of its own.
func (c *client) beside() *client {
	return &client{
		t: c.t, srv: c.srv, era: c.era, transport: HTTP, site: c.site, wire: c.wire, session: c.session,
		revision: c.revision, capabilities: c.capabilities, quiet: quiet,
	}
}

// aside posts a frame without waiting; the returned function waits and notes what came.
func (c *client) aside(frame string) func() {
	other := c.beside()
	done := make(chan struct{})
	go func() { other.post(frame, nil); close(done) }()
	return func() { <-done; c.note("%s", other.log.String()) }
}

// probeDrop drops the connection of a count and looks whether the count went on.
func probeDrop(c *client) {
	c.open()
	ctx, stop := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer stop()
	frame := c.frame("1", "tools/call", `{"name":"count_up","arguments":{"to":4,"pause_ms":250}}`)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.site.URL+endpoint, strings.NewReader(frame))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	c.mirror(r.Header, frame)
	if res, err := c.wire.RoundTrip(r); err == nil {
		res.Body.Close()
		c.t.Error("the count was answered before it was dropped")
	}
	time.Sleep(1500 * time.Millisecond)
	c.ask("resources/read", `{"uri":"sample://counter/last"}`)
}

func probeParity(c *client) {
	c.answer = answers()[0]
	c.open().ask("tools/list", "")
	c.call("text_slug", `{"text":"Tea"}`)
	c.call("number_divide", `{"number":7,"by":0}`)
	c.call("tea_advice", `{"time":"noon"}`)
}

func probeEnvelope(c *client) {
	c.open()
	for _, id := range []string{`"7"`, `0`, `-3`, `""`, `9007199254740993`, `"\u2028"`} {
		c.askAs(id, "tools/list", "")
		c.askAs(id, "ping", "")
	}
	c.raw(c.frame(`1.5`, "tools/list", ""))
	c.notify("notifications/roots/list_changed", "")
	c.settle()
	c.raw(`{"jsonrpc":"2.0","method":"tools/call","params":` + c.params(`{"name":"count_up","arguments":{"to":1,"pause_ms":1},"_meta":{"progressToken":1}}`) + `}`)
	time.Sleep(20 * time.Millisecond)
	c.settle()
	for _, f := range []string{
		`{"jsonrpc":"1.0","id":900,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":901,"method":5}`,
		`{"jsonrpc":"2.0","id":902,"method":"tools/list","params":null}`, `{"jsonrpc":"2.0","id":903,"method":"tools/list","params":[]}`,
		`{"jsonrpc":"2.0","id":904,"method":"tools/list","extra":1,"params":` + c.params("{}") + `}`, `5`, `not json`,
	} {
		c.raw(f)
	}
	c.ask("tools/list", `{"zz":1}`)
	c.ask("tools/list", `{"_meta":{"com.example/zz":1}}`)
	c.ask("zz/unknown", "")
	c.ask("toString", "")
	c.ask("tools/list", `{"cursor":"nonsense"}`)
	c.ask("prompts/get", `{"name":"nope"}`)
}

func probeBatch(c *client) {
	if c.era == Legacy {
		c.revision = "2025-03-26"
	}
	c.open()
	c.raw(`[` + c.frame("801", "tools/list", "") + `,` + c.frame("802", "prompts/list", "") + `]`)
	c.raw(`[]`)
}

func probeTasks(c *client) {
	c.open().ask("tools/call", `{"name":"text_slug","arguments":{"text":"Tea"},"task":{"ttl":1000}}`)
}

func probeFraming(c *client) {
	c.open()
	c.ask("tools/list", "")
	c.call("text_echo", `{"text":"a\u2028b\u2029c\u0085d größe 日本語 🍵 \\u2028"}`)
	c.call("text_echo", "{\"text\":\"a\u2028b\"}")
	c.raw("\n\n")
	c.raw(c.frame("700", "prompts/list", "") + "\r")
	c.raw("\ufeff" + c.frame("701", "prompts/list", ""))
	frame := c.frame("702", "tools/call", `{"name":"text_echo","arguments":{"text":"größe"}}`) + "\n"
	cut := strings.Index(frame, "ö") + 1
	c.write(frame[:cut])
	time.Sleep(20 * time.Millisecond)
	c.write(frame[cut:])
	c.read("702")
}

func probeBig(c *client) {
	c.open()
	for _, n := range []int{1 << 10, 70 << 10, 1 << 20} {
		answer := c.call("text_echo", `{"text":"`+strings.Repeat("x", n)+`"}`)
		c.note("%d bytes", len(answer))
	}
}

// probeContent reads what is binary, or embedded.
func probeContent(c *client) {
	c.open().call("shape_draw", `{"shape":"circle"}`)
	c.ask("resources/read", `{"uri":"sample://shape/circle"}`)
	c.ask("prompts/get", `{"name":"tea_break"}`)
}

// probePages asks as a client that opens web pages and shows no forms.
func probePages(c *client) {
	c.capabilities = `{"elicitation":{"url":{}}}`
	c.answer = `"result":{"action":"accept"}`
	c.open().call("tea_advice", `{"time":"noon"}`)
}

// probeWhileAsked wants a list while a question is open.
func probeWhileAsked(c *client) {
	c.open()
	frame := c.frame("77", "tools/call", `{"name":"tea_advice","arguments":{"time":"noon"}}`)
	done := func() {}
	if c.transport == Stdio {
		c.write(frame + "\n")
		c.drain()
	} else {
		done = c.aside(frame)
		time.Sleep(50 * time.Millisecond)
	}
	c.ask("tools/list", "")
	done()
}

// probeRoots answers a question for roots with an error, and tells that roots changed.
func probeRoots(c *client) {
	c.capabilities = `{"roots":{"listChanged":true}}`
	c.replies = map[string]string{"roots/list": `"error":{"code":-32601,"message":"Method not found"}`}
	c.open().call("text_echo", `{"text":"a"}`)
	c.notify("notifications/roots/list_changed", "")
	c.settle()
}

// probeSampling refuses to lend the model, after it lent it, and without having any.
func probeSampling(c *client) {
	for _, talk := range [][2]string{
		{`{"sampling":{}}`, `"result":{"role":"assistant","content":{"type":"text","text":"A kind word."},"model":"m"}`},
		{`{"sampling":{}}`, `"error":{"code":-1,"message":"User rejected"}`},
		{`{"sampling":{"tools":{}}}`, `"result":{"role":"assistant","content":[{"type":"tool_use","id":"u1","name":"count_letters","input":{"word":"tea"}}],"model":"m","stopReason":"toolUse"}`},
	} {
		c.capabilities, c.replies = talk[0], map[string]string{"sampling/createMessage": talk[1]}
		c.open().call("word_lookup", `{"word":"tea"}`)
		if c.transport == Stdio {
			time.Sleep(2 * idleAfter)
			c.drain()
		}
		c.connect()
	}
	c.capabilities = `{}`
	c.open().call("word_lookup", `{"word":"tea"}`)
}

// probeAfterCount subscribes on one line, counts on another and looks what that changed.
func probeAfterCount(c *client) {
	c.open()
	if c.era == Legacy {
		c.ask("resources/subscribe", `{"uri":"`+counterURI+`"}`)
	} else if c.transport == Stdio {
		c.write(c.frame("40", "subscriptions/listen", `{"notifications":{"resourceSubscriptions":["`+counterURI+`"]}}`) + "\n")
		c.await("acknowledged")
	}
	c.connect()
	c.open()
	c.call("count_up", `{"to":1,"pause_ms":1}`)
	c.settle()
	c.ask("tools/list", "")
}

// probeMeta leaves out, spoils and adds members of _meta.
func probeMeta(c *client) {
	for _, meta := range []string{
		`"` + keyCapabilities + `":{}`, `"` + keyVersion + `":"2026-07-28"`, `"` + keyVersion + `":"2026-07-28","` + keyCapabilities + `":[]`,
		`"` + keyVersion + `":"2026-07-28","` + keyCapabilities + `":{},"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"`,
	} {
		c.next++
		id := fmt.Sprint(c.next)
		c.send(`{"jsonrpc":"2.0","id":`+id+`,"method":"tools/list","params":{"_meta":{`+meta+`}}}`, id)
	}
}
