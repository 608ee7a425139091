package sample

import (
	"fmt"
	"strings"
	"testing"
)

// TestRightAnswers holds the right server to its words over stdio, in both eras.
func TestRightAnswers(t *testing.T) {
	t.Parallel()
	call := func(name, args string) string { return `{"name":` + quote(name) + `,"arguments":` + args + `}` }
	for _, tc := range []struct{ name, method, params, want string }{
		{"unknown tool", "tools/call", call("nope", "{}"), `"text":"Unknown sample tool: \"nope\""}],"isError":true`},
		{"prototype name", "tools/call", call("toString", "{}"), `"text":"Unknown sample tool: \"toString\""}],"isError":true`},
		{"empty name", "tools/call", call("", "{}"), `"text":"Unknown sample tool: \"\""`},
		{"name in another case", "tools/call", call("TEXT_SLUG", "{}"), `"text":"Unknown sample tool: \"TEXT_SLUG\""`},
		{"name with controls", "tools/call", call("a\n\x1b\u202e\u2028\u009b\"", "{}"), `\"a\\n\\u001b\\u202e\\u2028\\u009b\\\"\""`},
		{"long name", "tools/call", call(strings.Repeat("x", 5000), "{}"), strings.Repeat("x", 100) + `… (5000 characters)\""`},
		{"two problems", "tools/call", call("text_slug", `{"words":0}`), `"text":"text is required\nwords must be at least 1"}],"isError":true`},
		{"unknown key", "tools/call", call("text_slug", `{"text":"a","b\n":1}`), `"text":"b\\n is not a known property"`},
		{"nested problem", "tools/call", call("parcel_price", `{"parcel":{"weight_g":1,"box":{"length":1,"width":1,"height":"x"}},"stops":[{"city":"a"},{}]}`), `"text":"parcel.box.height must be an integer\nstops[1].city is required"`},
		{"null", "tools/call", call("text_slug", `{"text":"a","separator":null}`), `"text":"separator must be a string"`},
		{"number as text", "tools/call", call("text_slug", `{"text":"a","words":"5"}`), `"text":"words must be an integer"`},
		{"number as integer", "tools/call", call("text_slug", `{"text":"a b c","words":2.0}`), `"text":"a-b"`},
		{"no arguments", "tools/call", `{"name":"count_up"}`, `"text":"Counted to 3."`},
		{"null arguments", "tools/call", `{"name":"count_up","arguments":null}`, `"text":"Counted to 3."`},
		{"list of arguments", "tools/call", call("count_up", "[]"), `"code":-32602`},
		{"name that is no string", "tools/call", `{"name":5}`, `"code":-32602`},
		{"throw", "tools/call", call("number_divide", `{"number":7,"by":0}`), `"text":"number_divide failed: cannot divide 7 by zero\\n\\u001b[31mby must not be 0\\u001b[0m"}],"isError":true`},
		{"details", "tools/call", call("number_divide", `{"number":7,"by":2}`), `"structuredContent":{"quotient":3,"remainder":1}`},
		{"mismatch", "tools/call", call("tide_level", `{"harbour":"old"}`), `"text":"tide_level returned details that don't match its output schema\nlevel_cm must be an integer\nrising is required\ngauge is not a known property"}],"isError":true`},
		{"echo", "tools/call", call("text_echo", `{"text":"größe 日本 🍵\u2028"}`), `"text":"größe 日本 🍵\u2028"`},
		{"unknown cursor", "tools/list", `{"cursor":"nonsense"}`, `"code":-32602`},
		{"cursor that is no string", "tools/list", `{"cursor":5}`, `"code":-32602`},
		{"cursor of another list", "tools/list", `{"cursor":"` + newServer(t, Options{}).cursor("resources", 2) + `"}`, `"code":-32602`},
		{"unknown method", "zz/zz", "{}", `"code":-32601`},
		{"unknown prompt", "prompts/get", `{"name":"a\u001b"}`, `"message":"Unknown prompt: \"a\\u001b\""`},
		{"prompt without argument", "prompts/get", `{"name":"explain_word"}`, `"message":"Argument word is required"`},
		{"completion", "completion/complete", `{"ref":{"type":"ref/resource","uri":"sample://tea/{time}"},"argument":{"name":"time","value":"n"}}`, `"values":["night","noon"]`},
		{"template", "resources/read", `{"uri":"sample://tea/noon"}`, `"text":"white tea or black tea\n"`},
		{"uri that is no string", "resources/read", `{"uri":5}`, `"code":-32602`},
		{"progress token that is none", "tools/call", `{"name":"count_up","_meta":{"progressToken":1.5}}`, `"code":-32602`},
		{"_meta that is no object", "zz", "", `"code":-32601`},
	} {
		for _, era := range []string{Legacy, Modern} {
			t.Run(tc.name+" "+era, func(t *testing.T) {
				t.Parallel()
				c := newClient(t, newServer(t, Options{}), era, Stdio)
				c.capabilities = "{}"
				if got := c.open().ask(tc.method, tc.params); !strings.Contains(got, tc.want) {
					t.Errorf("got %s\nwant %s", got, tc.want)
				}
			})
		}
	}
}

func TestRightDiffersByEra(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ method, params, legacy, modern string }{
		{"resources/read", `{"uri":"sample://nope"}`, `"error":{"message":"Resource not found","code":-32002,"data":{"uri":"sample://nope"}}`, `"code":-32602,"data":{"uri":"sample://nope"}`},
		{"ping", "", `"result":{}`, `"code":-32601`},
		{"logging/setLevel", `{"level":"info"}`, `"result":{}`, `"code":-32601`},
		{"logging/setLevel", `{"level":"loud"}`, `"code":-32602`, `"code":-32601`},
		{"resources/subscribe", `{"uri":"` + menuURI + `"}`, `"result":{}`, `"code":-32601`},
		{"server/discover", "", `"code":-32601`, `"supportedVersions":["2026-07-28"]`},
		{"tools/list", "", `"result":{"tools"`, `"ttlMs":60000`},
		{"resources/read", `{"uri":"` + counterURI + `"}`, `"text":"Nothing was counted yet.\n"`, `"ttlMs":0`},
	} {
		for era, want := range map[string]string{Legacy: tc.legacy, Modern: tc.modern} {
			t.Run(tc.method+" "+era, func(t *testing.T) {
				t.Parallel()
				c := newClient(t, newServer(t, Options{}), era, Stdio)
				if got := c.open().ask(tc.method, tc.params); !strings.Contains(got, want) {
					t.Errorf("got %s\nwant %s", got, want)
				}
			})
		}
	}
}

// TestRightNegotiation gives each client the revision it asks for, or the newest.
func TestRightNegotiation(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		"2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2025-03-26": "2025-03-26", "2024-11-05": "2024-11-05",
		"2099-01-01": "2025-11-25", "": "2025-11-25", "2026-07-28": "2025-11-25",
	} {
		c := newClient(t, newServer(t, Options{}), Legacy, Stdio)
		c.revision = asked
		c.open()
		if !strings.Contains(c.log.String(), `"protocolVersion":"`+want+`","capabilities"`) {
			t.Errorf("asked for %q: %s", asked, c.log.String())
		}
	}
}

// TestRightOldContent keeps block types to those that a revision knows.
func TestRightOldContent(t *testing.T) {
	t.Parallel()
	for revision, want := range map[string]string{"2025-11-25": "resource_link", "2025-06-18": "resource_link", "2025-03-26": "resource", "2024-11-05": "resource"} {
		c := newClient(t, newServer(t, Options{}), Legacy, Stdio)
		c.revision = revision
		if got := c.open().call("shape_draw", `{"shape":"circle"}`); !strings.Contains(got, `{"type":"`+want+`"`) {
			t.Errorf("%s: no block of type %s in %s", revision, want, got)
		}
	}
}

// TestRightEnvelope says raw things to the server.
func TestRightEnvelope(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, revision, frame, want string }{
		{"not json", "2025-11-25", `not json`, `{"jsonrpc":"2.0","error":{"message":"Parse error","code":-32700}}`},
		{"not json, older", "2025-06-18", `not json`, `{"jsonrpc":"2.0","id":null,"error":{"message":"Parse error","code":-32700}}`},
		{"text after json", "2025-11-25", `{} {}`, `"code":-32700`},
		{"scalar", "2025-11-25", `5`, `"code":-32600`},
		{"no jsonrpc", "2025-11-25", `{"id":99,"method":"ping"}`, `"id":99,"error":{"message":"jsonrpc must be \"2.0\"","code":-32600}`},
		{"no method", "2025-11-25", `{"jsonrpc":"2.0","id":"a"}`, `"id":"a","error":{"message":"method must be a string","code":-32600}`},
		{"null id", "2025-11-25", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","error":{"message":"id must be a string or an integer","code":-32600}}`},
		{"fractional id", "2025-11-25", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `"code":-32600}}`},
		{"id with exponent", "2025-11-25", `{"jsonrpc":"2.0","id":1e2,"method":"ping"}`, `"id":1e2,"result":{}`},
		{"large id", "2025-11-25", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, `"id":9007199254740993,"result":{}`},
		{"huge exponent", "2025-11-25", `{"jsonrpc":"2.0","id":1e999999999,"method":"ping"}`, `"code":-32600}}`},
		{"odd id", "2025-11-25", `{"jsonrpc":"2.0","id":"\u2028\"🍵","method":"ping"}`, `"id":"\u2028\"🍵","result":{}`},
		{"null params", "2025-11-25", `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":null}`, `"result":{"tools"`},
		{"list of params", "2025-11-25", `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":[]}`, `"id":5,"error":{"message":"params must be an object","code":-32602}`},
		{"extra members", "2025-11-25", `{"jsonrpc":"2.0","id":5,"method":"tools/list","extra":1,"params":{"zz":1,"_meta":{"a/b":1}}}`, `"result":{"tools"`},
		{"_meta that is no object", "2025-11-25", `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":5}}`, `"code":-32602`},
		{"batch refused", "2025-11-25", `[{"jsonrpc":"2.0","id":5,"method":"ping"}]`, `{"jsonrpc":"2.0","error":{"message":"a message must be a JSON object","code":-32600}}`},
		{"batch served", "2025-03-26", `[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":6,"method":"zz"},7]`, `[{"jsonrpc":"2.0","id":5,"result":{}},{"jsonrpc":"2.0","id":6,"error":{"message":"Method not found","code":-32601}},{"jsonrpc":"2.0","id":null,"error":`},
		{"empty batch", "2025-03-26", `[]`, `"code":-32600`},
		{"crlf", "2025-11-25", `{"jsonrpc":"2.0","id":5,"method":"ping"}` + "\r", `"id":5,"result":{}`},
		{"byte order mark", "2025-11-25", "\ufeff" + `{"jsonrpc":"2.0","id":5,"method":"ping"}`, `"id":5,"result":{}`},
		{"blank lines", "2025-11-25", "\n \n\t\r\n" + `{"jsonrpc":"2.0","id":5,"method":"ping"}`, `"id":5,"result":{}`},
		{"second handshake", "2025-11-25", `{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`, `"code":-32600`},
		{"handshake without version", "2025-11-25", `{"jsonrpc":"2.0","id":5,"method":"initialize","params":{}}`, `"code":-32602`},
		{"deep nesting", "2025-11-25", strings.Repeat("[", 100000), `"code":-32700`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, newServer(t, Options{}), Legacy, Stdio)
			c.revision = tc.revision
			c.open().raw(tc.frame)
			if got := c.log.String(); !strings.Contains(got, tc.want) {
				t.Errorf("got %s\nwant %s", got, tc.want)
			}
		})
	}
}

// TestRightSilence sends what may not be answered.
func TestRightSilence(t *testing.T) {
	t.Parallel()
	for _, frame := range []string{
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","method":"notifications/zz","params":{}}`,
		`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"count_up","_meta":{"progressToken":1}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`{"jsonrpc":"2.0","id":77,"result":{}}`, `{"jsonrpc":"2.0","id":77,"error":{"code":1,"message":""}}`, ``,
	} {
		c := newClient(t, newServer(t, Options{}), Legacy, Stdio)
		c.open().raw(frame)
		c.drain()
		answers := strings.Count(c.log.String(), "\n{")
		if answers != 2 { // the handshake and the canary
			t.Errorf("%s: %d messages came: %s", frame, answers, c.log.String())
		}
	}
}

// TestRightBeforeHandshake serves ping and refuses the rest in a way that fits both eras.
func TestRightBeforeHandshake(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ shape, method, want string }{
		{"", "ping", `"result":{}`}, {"", "tools/list", `"code":-32602`}, {"", "server/discover", `"code":-32602`}, {"", "zz", `"code":-32601`},
		{"legacy-only", "tools/list", `"code":-32600`}, {"legacy-only", "server/discover", `"code":-32601`},
		{"modern-only", "tools/list", `"code":-32602`}, {"modern-only", "ping", `"code":-32601`},
	} {
		c := newClient(t, newServer(t, Options{Shape: tc.shape}), Legacy, Stdio)
		if got := c.ask(tc.method, ""); !strings.Contains(got, tc.want) {
			t.Errorf("%s %s: got %s, want %s", tc.shape, tc.method, got, tc.want)
		}
	}
	c := newClient(t, newServer(t, Options{Shape: "modern-only"}), Legacy, Stdio)
	c.open()
	if want := `"error":{"message":"Unsupported protocol version","code":-32022,"data":{"requested":"2025-11-25","supported":["2026-07-28"]}}`; !strings.Contains(c.log.String(), want) {
		t.Errorf("got %s\nwant %s", c.log.String(), want)
	}
}

// TestRightMeta judges each request of 2026-07-28 by its own _meta.
func TestRightMeta(t *testing.T) {
	t.Parallel()
	meta := func(members string) string { return `{"_meta":{` + members + `}}` }
	version, caps := `"`+keyVersion+`":"2026-07-28"`, `"`+keyCapabilities+`":{}`
	for _, tc := range []struct{ name, params, want string }{
		{"whole", meta(version + "," + caps), `"resultType":"complete"`},
		{"with client", meta(version + "," + caps + `,"` + keyClientInfo + `":{"name":"a","version":"1"}`), `"resultType":"complete"`},
		{"with trace", meta(version + "," + caps + `,"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"`), `"resultType":"complete"`},
		{"no version", meta(caps), `"code":-32602`},
		{"no capabilities", meta(version), `"code":-32602`},
		{"capabilities of the wrong type", meta(version + `,"` + keyCapabilities + `":[]`), `"code":-32602`},
		{"version of the wrong type", meta(`"` + keyVersion + `":5,` + caps), `"code":-32602`},
		{"client of the wrong type", meta(version + "," + caps + `,"` + keyClientInfo + `":5`), `"code":-32602`},
		{"unknown level", meta(version + "," + caps + `,"` + keyLevel + `":"loud"`), `"code":-32602`},
		{"older version", meta(`"` + keyVersion + `":"2025-11-25",` + caps), `"code":-32022,"data":{"requested":"2025-11-25","supported":["2026-07-28"]}`},
		{"unknown version", meta(`"` + keyVersion + `":"1900-01-01",` + caps), `"code":-32022`},
	} {
		c := newClient(t, newServer(t, Options{}), Modern, Stdio)
		c.ask("tools/list", "")
		got := c.send(`{"jsonrpc":"2.0","id":9,"method":"tools/list","params":`+tc.params+`}`, "9")
		if !strings.Contains(got, tc.want) {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
	}
}

// TestRightEras serves both eras on one line without mixing them.
func TestRightEras(t *testing.T) {
	t.Parallel()
	c := newClient(t, newServer(t, Options{}), Legacy, Stdio)
	c.open()
	c.era, c.revision = Modern, revisionModern
	if got := c.ask("tools/list", ""); !strings.Contains(got, "resultType") {
		t.Errorf("a request of 2026-07-28 after a handshake: %s", got)
	}
	c.era = Legacy
	if got := c.ask("tools/list", ""); strings.Contains(got, "resultType") || strings.Contains(got, "ttlMs") {
		t.Errorf("a request of 2025-11-25 after one of 2026-07-28: %s", got)
	}
}

// TestRightBigMessages passes 9 MiB both ways.
func TestRightBigMessages(t *testing.T) {
	t.Parallel()
	for _, transport := range []string{Stdio, HTTP} {
		c := newClient(t, newServer(t, Options{}), Legacy, transport)
		c.open()
		text := strings.Repeat("ö", 9<<19)
		got := c.call("text_echo", `{"text":"`+text+`"}`)
		if !strings.Contains(got, text) {
			t.Errorf("%s: %d bytes came back", transport, len(got))
		}
	}
}

// TestRightLineSeparators escapes what some readers take for the end of a line.
func TestRightLineSeparators(t *testing.T) {
	t.Parallel()
	c := newClient(t, newServer(t, Options{}), Legacy, Stdio)
	got := c.open().call("text_echo", "{\"text\":\"a\u2028b\u2029c\u0085d\"}")
	if want := `"text":"a\u2028b\u2029c\u0085d"`; !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRightConcurrency answers a hundred calls at once, each its own.
func TestRightConcurrency(t *testing.T) {
	t.Parallel()
	for _, era := range []string{Legacy, Modern} {
		c := newClient(t, newServer(t, Options{}), era, Stdio)
		c.open()
		c.write(c.frame("5000", "tools/call", `{"name":"count_up","arguments":{"to":10,"pause_ms":50}}`) + "\n")
		for i := range 100 {
			tool := map[bool]string{true: `"text_echo","arguments":{"text":"n%d"}`, false: `"count_up","arguments":{"to":%d,"pause_ms":1}`}[i%2 == 0]
			c.write(c.frame(fmt.Sprint(1000+i), "tools/call", fmt.Sprintf(`{"name":`+tool+`}`, i%7+1)) + "\n")
		}
		c.read("5000")
		log := c.log.String()
		for i := range 100 {
			want := map[bool]string{true: "n%d", false: "Counted to %d."}[i%2 == 0]
			if era == Legacy && !strings.Contains(log, fmt.Sprintf(`"id":%d,"result":{"content":[{"type":"text","text":"`+want+`"`, 1000+i, i%7+1)) {
				t.Errorf("%s: call %d was not answered as it should", era, i)
			}
			if strings.Count(log, fmt.Sprintf(`"id":%d,`, 1000+i)) != 1 {
				t.Errorf("%s: call %d was not answered once", era, i)
			}
		}
	}
}
