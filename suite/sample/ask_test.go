package sample

import (
	"strings"
	"testing"
	"time"
)

// TestRightQuestions answers the question of the handshake revisions in every way.
func TestRightQuestions(t *testing.T) {
	t.Parallel()
	for _, transport := range []string{Stdio, HTTP} {
		for _, tc := range []struct {
			name, revision, capabilities, answer, want string
			questions                                  int
		}{
			{"accept", "2025-11-25", `{"elicitation":{}}`, `"result":{"action":"accept","content":{"strength":"strong"}}`, "At noon, strong: black tea.", 1},
			{"accept in 2025-06-18", "2025-06-18", `{"elicitation":{}}`, `"result":{"action":"accept","content":{"strength":"strong"}}`, "At noon, strong: black tea.", 1},
			{"forms declared", "2025-11-25", `{"elicitation":{"form":{},"url":{}}}`, `"result":{"action":"accept","content":{"strength":"mild"}}`, "At noon, mild: white tea.", 1},
			{"extra key", "2025-11-25", `{"elicitation":{}}`, `"result":{"action":"accept","content":{"strength":"strong","zz":{}}}`, "At noon, strong: black tea.", 1},
			{"decline", "2025-11-25", `{"elicitation":{}}`, `"result":{"action":"decline"}`, "No advice: the question was declined.", 1},
			{"decline with content", "2025-11-25", `{"elicitation":{}}`, `"result":{"action":"decline","content":{"strength":"strong"}}`, "No advice: the question was declined.", 1},
			{"cancel", "2025-11-25", `{"elicitation":{}}`, `"result":{"action":"cancel"}`, "No advice: the question was cancelled.", 1},
			{"error", "2025-11-25", `{"elicitation":{}}`, `"error":{"code":-32601,"message":"Method not found"}`, "At noon, mild: white tea.", 1},
			{"misfit", "2025-11-25", `{"elicitation":{}}`, `"result":{"action":"accept","content":{"strength":"burning"}}`, "tea_advice failed: no fitting answer", maxAsked},
			{"no content", "2025-11-25", `{"elicitation":{}}`, `"result":{"action":"accept"}`, "tea_advice failed: no fitting answer", maxAsked},
			{"unknown action", "2025-11-25", `{"elicitation":{}}`, `"result":{"action":"maybe"}`, "tea_advice failed: no fitting answer", maxAsked},
			{"result that is none", "2025-11-25", `{"elicitation":{}}`, `"result":5`, "tea_advice failed: no fitting answer", maxAsked},
			{"not declared", "2025-11-25", `{}`, "", "At noon, mild: white tea.", 0},
			{"web pages only", "2025-11-25", `{"elicitation":{"url":{}}}`, "", "At noon, mild: white tea.", 0},
			{"declared as a flag", "2025-11-25", `{"elicitation":true}`, "", "At noon, mild: white tea.", 0},
			{"revision without questions", "2025-03-26", `{"elicitation":{}}`, "", "At noon, mild: white tea.", 0},
		} {
			t.Run(tc.name+" "+transport, func(t *testing.T) {
				t.Parallel()
				c := newClient(t, newServer(t, Options{}), Legacy, transport)
				c.revision, c.capabilities, c.answer = tc.revision, tc.capabilities, tc.answer
				c.open().call("tea_advice", `{"time":"noon"}`)
				log := c.log.String()
				if !strings.Contains(log, `"text":"`+tc.want) {
					t.Errorf("no %q in %s", tc.want, log)
				}
				if got := strings.Count(log, `"method":"elicitation/create"`); got != tc.questions {
					t.Errorf("asked %d times, not %d", got, tc.questions)
				}
				if mode := strings.Contains(log, `"mode":"form"`); tc.questions > 0 && mode != (tc.revision == "2025-11-25") {
					t.Errorf("mode is sent in %s: %t", tc.revision, mode)
				}
			})
		}
	}
}

// TestRightImpatience takes a question back that nobody answers.
func TestRightImpatience(t *testing.T) {
	t.Parallel()
	srv := newServer(t, Options{})
	srv.do.asking.patience = 30 * time.Millisecond
	c := newClient(t, srv, Legacy, Stdio)
	c.open().call("tea_advice", `{"time":"noon"}`)
	for _, want := range []string{`"method":"notifications/cancelled","params":{"reason":"nobody answered in time","requestId":1}`, `"text":"tea_advice failed: nobody answered within 30ms"}],"isError":true`} {
		if !strings.Contains(c.log.String(), want) {
			t.Errorf("no %s in %s", want, c.log.String())
		}
	}
	c.raw(`{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}`) // too late, and harmless
	if got := c.call("text_echo", `{"text":"still here"}`); !strings.Contains(got, "still here") {
		t.Errorf("after a late answer: %s", got)
	}
}

// TestRightWithdrawal takes the question of a cancelled call back and says nothing more.
func TestRightWithdrawal(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"0", "7", `"x"`, `""`} {
		c := newClient(t, newServer(t, Options{}), Legacy, Stdio)
		c.open()
		c.write(c.frame(id, "tools/call", `{"name":"tea_advice","arguments":{"time":"noon"}}`) + "\n")
		c.await("elicitation/create")
		c.notify("notifications/cancelled", `{"requestId":`+id+`}`)
		c.await("notifications/cancelled")
		c.drain()
		log := c.log.String()
		if !strings.Contains(log, `"method":"notifications/cancelled","params":{"reason":"the call was cancelled","requestId":1}`) {
			t.Errorf("id %s: the question stays: %s", id, log)
		}
		if strings.Contains(log, `"id":`+id+`,"result"`) {
			t.Errorf("id %s: the cancelled call was answered", id)
		}
	}
}

// TestRightState goes through what a client may send back in 2026-07-28.
func TestRightState(t *testing.T) {
	t.Parallel()
	const noon, done = `{"time":"noon"}`, "At noon, strong: black tea."
	accept := `{"strength":{"action":"accept","content":{"strength":"strong"}}}`
	srv := newServer(t, Options{})
	ask := func(c *client, tool, args string) string {
		_, rest, _ := strings.Cut(c.call(tool, args), `"requestState":"`)
		return rest[:strings.Index(rest, `"`)]
	}
	first := newClient(t, srv, Modern, Stdio)
	state := ask(first, "tea_advice", noon)
	gift := ask(first, "gift_idea", `{"person":"Ada"}`)
	older := newServer(t, Options{})
	older.now = func() time.Time { return fixedNow().Add(-time.Hour) }
	expired := ask(newClient(t, older, Modern, Stdio), "tea_advice", noon)
	otherKey := ask(newClient(t, newServer(t, Options{Key: "another"}), Modern, Stdio), "tea_advice", noon)

	for _, tc := range []struct{ name, args, state, responses, want string }{
		{"accept", noon, state, accept, done},
		{"extra answers", noon, state, `{"zz":5,` + accept[1:], done},
		{"extra keys", noon, state, `{"strength":{"action":"accept","content":{"strength":"strong","zz":1}}}`, done},
		{"decline", noon, state, `{"strength":{"action":"decline"}}`, "No advice: the question was declined."},
		{"cancel", noon, state, `{"strength":{"action":"cancel"}}`, "No advice: the question was cancelled."},
		{"misfit", noon, state, `{"strength":{"action":"accept","content":{"strength":"burning"}}}`, "input_required"},
		{"no content", noon, state, `{"strength":{"action":"accept"}}`, "input_required"},
		{"wrapped answer", noon, state, `{"strength":{"method":"elicitation/create","result":{"action":"accept"}}}`, "input_required"},
		{"answer that is none", noon, state, `{"strength":"strong"}`, "input_required"},
		{"no answer", noon, state, `{}`, "input_required"},
		{"wrong key", noon, state, `{"zz":{"action":"accept","content":{"strength":"strong"}}}`, "input_required"},
		{"list of answers", noon, state, `[]`, `"code":-32602`},
		{"text for answers", noon, state, `"yes"`, `"code":-32602`},
		{"flipped", noon, flip(state), accept, "input_required"},
		{"cut", noon, state[:len(state)-1], accept, "input_required"},
		{"edited", noon, edited(state), accept, "input_required"},
		{"empty", noon, "", accept, "input_required"},
		{"garbage", noon, "%%%.%%%", accept, "input_required"},
		{"expired", noon, expired, accept, "input_required"},
		{"signed by another", noon, otherKey, accept, "input_required"},
		{"of another tool", noon, gift, accept, "input_required"},
		{"of another question", `{"time":"night"}`, state, accept, "input_required"},
	} {
		c := newClient(t, newServer(t, Options{}), Modern, Stdio) // another process: nothing is remembered
		got := c.ask("tools/call", `{"name":"tea_advice","arguments":`+tc.args+`,"requestState":"`+tc.state+`","inputResponses":`+tc.responses+`}`)
		if !strings.Contains(got, tc.want) {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
		if again := strings.Contains(got, "input_required"); again == strings.Contains(got, "ttlMs") && again {
			t.Errorf("%s: a question with caching hints: %s", tc.name, got)
		}
	}
	c := newClient(t, srv, Modern, Stdio)
	if got := c.ask("tools/call", `{"name":"tea_advice","arguments":`+noon+`,"requestState":5}`); !strings.Contains(got, `"code":-32602`) {
		t.Errorf("a state that is no string: %s", got)
	}
	c.capabilities = `{}`
	if got := c.call("tea_advice", noon); !strings.Contains(got, "At noon, mild") {
		t.Errorf("a client without forms: %s", got)
	}
}

// TestRightRequiredCapability names what a client lacks, where a tool cannot do without.
func TestRightRequiredCapability(t *testing.T) {
	t.Parallel()
	for _, transport := range []string{Stdio, HTTP} {
		c := newClient(t, newServer(t, Options{Shape: "requires-elicitation"}), Modern, transport)
		c.capabilities = `{}`
		c.call("tea_advice", `{"time":"noon"}`)
		want := `"code":-32021,"data":{"requiredCapabilities":{"elicitation":{"form":{}}}}`
		if log := c.log.String(); !strings.Contains(log, want) || transport == HTTP && !strings.Contains(log, "400 application/json") {
			t.Errorf("%s: %s", transport, log)
		}
	}
}

// TestRightCancellation stops the work and stays silent; other cancellations do no harm.
func TestRightCancellation(t *testing.T) {
	t.Parallel()
	for _, era := range []string{Legacy, Modern} {
		for _, id := range []string{"0", "5", `"x"`, `""`} {
			c := newClient(t, newServer(t, Options{}), era, Stdio)
			c.open()
			frame := c.frame(id, "tools/call", `{"name":"count_up","arguments":{"to":5,"pause_ms":1000},"_meta":{"progressToken":1}}`)
			c.write(frame + "\n")
			c.notify("notifications/cancelled", `{"requestId":`+id+`,"reason":"enough"}`)
			time.Sleep(1200 * time.Millisecond)
			c.drain()
			log := c.log.String()
			if strings.Count(log, "notifications/progress") > 1 || strings.Contains(log, "Counted") {
				t.Errorf("%s id %s: the call went on: %s", era, id, log)
			}
			if got := c.askAs(id, "prompts/list", ""); !strings.Contains(got, "explain_word") {
				t.Errorf("%s id %s cannot be used again: %s", era, id, got)
			}
			c.notify("notifications/cancelled", `{"requestId":`+id+`}`) // it is answered already
			if got := c.call("text_echo", `{"text":"still here"}`); !strings.Contains(got, "still here") {
				t.Errorf("%s: after a late cancellation: %s", era, got)
			}
		}
	}
	c := newClient(t, newServer(t, Options{}), Legacy, Stdio)
	c.open().write(c.frame("5", "tools/call", `{"name":"count_up","arguments":{"to":2,"pause_ms":40}}`) + "\n")
	c.notify("notifications/cancelled", `{"requestId":"5"}`)
	if got := c.read("5"); !strings.Contains(got, "Counted to 2.") {
		t.Errorf("the id \"5\" is not the id 5: %s", got)
	}
}

// TestRightProgress tells progress to those who ask, under their own token, before the answer.
func TestRightProgress(t *testing.T) {
	t.Parallel()
	for _, era := range []string{Legacy, Modern} {
		for _, transport := range []string{Stdio, HTTP} {
			for _, token := range []string{`"a"`, `7`, `0`, `""`, `9007199254740993`} {
				c := newClient(t, newServer(t, Options{}), era, transport)
				c.open().call("count_up", `{"to":3,"pause_ms":1},"_meta":{"progressToken":`+token+`}`)
				c.settle()
				log := c.log.String()
				for _, want := range []string{"1", "2", "3"} {
					if !strings.Contains(log, `"progressToken":`+token+`,"progress":`+want+`,"total":3`) {
						t.Errorf("%s %s: no progress %s under %s: %s", era, transport, want, token, log)
					}
				}
				if strings.LastIndex(log, "notifications/progress") > strings.Index(log, "Counted to 3.") {
					t.Errorf("%s %s: progress after the answer", era, transport)
				}
			}
			c := newClient(t, newServer(t, Options{}), era, transport)
			c.open().call("count_up", `{"to":2,"pause_ms":1}`)
			if strings.Contains(c.log.String(), "notifications/progress") {
				t.Errorf("%s %s: progress that nobody asked for", era, transport)
			}
		}
	}
}

// TestRightLogging sends what was asked for and no more.
func TestRightLogging(t *testing.T) {
	t.Parallel()
	for level, want := range map[string]int{"": 0, "debug": 1, "info": 1, "notice": 0, "emergency": 0} {
		for _, transport := range []string{Stdio, HTTP} {
			c := newClient(t, newServer(t, Options{}), Legacy, transport)
			c.open()
			if level != "" {
				c.ask("logging/setLevel", `{"level":"`+level+`"}`)
			}
			c.call("text_slug", `{"text":"Tea"}`)
			if got := strings.Count(c.log.String(), `"method":"notifications/message"`); got != want {
				t.Errorf("%s at %q: %d messages, want %d", transport, level, got, want)
			}
			m := newClient(t, newServer(t, Options{}), Modern, transport)
			meta := ""
			if level != "" {
				meta = `,"_meta":{"` + keyLevel + `":"` + level + `"}`
			}
			m.ask("tools/call", `{"name":"text_slug","arguments":{"text":"Tea"}`+meta+`}`)
			m.call("text_slug", `{"text":"Tea"}`) // a level does not stick
			if got := strings.Count(m.log.String(), `"method":"notifications/message"`); got != want {
				t.Errorf("2026-07-28 %s at %q: %d messages, want %d", transport, level, got, want)
			}
		}
	}
}
