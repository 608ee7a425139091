package sample

import (
	"encoding/base64"
	"strings"
	"time"
)

// answers are what a person may answer, right and wrong.
func answers() []string {
	return []string{
		`"result":{"action":"accept","content":{"strength":"strong"}}`, `"result":{"action":"decline"}`, `"result":{"action":"cancel"}`,
		`"result":{"action":"accept","content":{"strength":"strong","zz":1}}`, `"result":{"action":"accept","content":{"strength":"burning"}}`,
		`"result":{"action":"accept"}`, `"error":{"code":-32601,"message":"Method not found"}`,
	}
}

func probeElicitation(c *client) {
	c.open()
	for _, c.answer = range answers() {
		c.call("tea_advice", `{"time":"noon"}`)
	}
	c.answer = ""
	if patience := c.srv.do.asking.patience; patience != 5*time.Minute {
		c.note("patience %s", patience)
	}
}

func probeUndeclared(c *client) {
	c.answer = answers()[0]
	c.open().call("tea_advice", `{"time":"noon"}`)
	c.capabilities = `{}`
	if c.era == Legacy {
		c.connect()
	}
	c.open().call("tea_advice", `{"time":"noon"}`)
	c.call("count_up", `{"to":1}`)
}

func probeWithdraw(c *client) {
	c.open()
	frame := c.frame("77", "tools/call", `{"name":"tea_advice","arguments":{"time":"noon"}}`)
	if c.transport == Stdio {
		c.write(frame + "\n")
		c.drain()
		c.notify("notifications/cancelled", `{"requestId":77}`)
		c.drain()
		return
	}
	done := c.aside(frame)
	time.Sleep(50 * time.Millisecond)
	c.notify("notifications/cancelled", `{"requestId":77}`)
	done()
}

func probeLateAnswer(c *client) {
	c.open().raw(`{"jsonrpc":"2.0","id":55,"result":{"action":"accept","content":{}}}`)
	c.ask("ping", "")
}

// probeInputRequired asks and answers in 2026-07-28.
func probeInputRequired(c *client) {
	question := func(tool, arguments string) string {
		answer := c.call(tool, arguments)
		_, rest, found := strings.Cut(answer, `"requestState":"`)
		if !found {
			return "none"
		}
		return rest[:strings.Index(rest, `"`)]
	}
	retry := func(tool, arguments, state, responses string) {
		c.ask("tools/call", `{"name":"`+tool+`","arguments":`+arguments+`,"requestState":"`+state+`","inputResponses":`+responses+`}`)
	}
	noon := `{"time":"noon"}`
	state := question("tea_advice", noon)
	for _, a := range answers()[:6] {
		result := strings.TrimPrefix(a, `"result":`)
		retry("tea_advice", noon, state, `{"strength":`+result+`}`)
		retry("tea_advice", noon, state, `{"strength":`+result+`}`)
	}
	c.ask("tools/call", `{"name":"tea_advice","arguments":`+noon+`,"requestState":"`+state+`"}`)
	yes := `{"strength":{"action":"accept","content":{"strength":"strong"}}}`
	retry("tea_advice", noon, state, `{}`)
	retry("tea_advice", noon, state, `[]`)
	retry("tea_advice", noon, state, `{"zz":1,`+yes[1:])
	retry("tea_advice", `{"time":"night"}`, state, yes)
	retry("tea_advice", noon, state[:len(state)-2], yes)
	retry("tea_advice", noon, flip(state), yes)
	retry("tea_advice", noon, edited(state), yes)
	gift := question("gift_idea", `{"person":"Ada"}`)
	retry("tea_advice", noon, gift, yes)
}

func flip(state string) string {
	if len(state) < 4 {
		return state
	}
	return state[:3] + map[bool]string{true: "A", false: "B"}[state[3] != 'A'] + state[4:]
}

// edited changes what a readable state says.
func edited(state string) string {
	body, tag, _ := strings.Cut(state, ".")
	raw, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return state
	}
	body = base64.RawURLEncoding.EncodeToString([]byte(strings.NewReplacer("noon", "night", `"expires":1`, `"expires":2`).Replace(string(raw))))
	if tag != "" {
		body += "." + tag
	}
	return body
}
