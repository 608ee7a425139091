package sample

import (
	"fmt"
	"strings"
	"time"
)

func probeInFlight(c *client) {
	c.open()
	c.write(c.frame("70", "tools/call", `{"name":"count_up","arguments":{"to":2,"pause_ms":30}}`) + "\n")
	time.Sleep(20 * time.Millisecond)
	c.hangUp()
	c.read("70")
}

func probeConcurrency(c *client) {
	c.open()
	slow := c.frame("60", "tools/call", `{"name":"count_up","arguments":{"to":2,"pause_ms":600}}`)
	quick := c.frame("61", "tools/call", `{"name":"count_up","arguments":{"to":1,"pause_ms":1}}`)
	c.write(slow + "\n" + quick + "\n" + c.frame("62", "prompts/list", "") + "\n")
	c.read("61")
	c.read("60")
}

func probeHundred(c *client) {
	c.open()
	for i := range 100 {
		c.askAs(fmt.Sprint(1000+i), "tools/list", "")
		if strings.HasSuffix(c.log.String(), "<silence>\n") {
			return
		}
	}
}

// probeCrossTalk calls from two sessions, or from one, with the same id.
func probeCrossTalk(c *client) {
	c.open().askAs("50", "tools/call", `{"name":"text_echo","arguments":{"text":"one"}}`)
	if c.transport == HTTP {
		c.connect()
		c.open()
	}
	c.askAs("50", "tools/call", `{"name":"text_echo","arguments":{"text":"two"}}`)
}

// probeAffinity answers a question on another line than the one that asked it.
func probeAffinity(c *client) {
	_, rest, _ := strings.Cut(c.call("tea_advice", `{"time":"noon"}`), `"requestState":"`)
	state := rest[:strings.Index(rest, `"`)]
	c.log.Reset() // the state itself differs from run to run
	c.connect()
	answer := c.ask("tools/call", `{"name":"tea_advice","arguments":{"time":"noon"},"requestState":"`+state+`","inputResponses":{"strength":{"action":"accept","content":{"strength":"mild"}}}}`)
	c.log.Reset()
	c.note("asked again: %t", strings.Contains(answer, "input_required"))
}

// probeTwoStreams counts twice at the same time.
func probeTwoStreams(c *client) {
	c.open()
	first := c.aside(c.frame("60", "tools/call", `{"name":"count_up","arguments":{"to":3,"pause_ms":100},"_meta":{"progressToken":"first"}}`))
	time.Sleep(50 * time.Millisecond)
	second := c.aside(c.frame("61", "tools/call", `{"name":"count_up","arguments":{"to":3,"pause_ms":100},"_meta":{"progressToken":"second"}}`))
	first()
	second()
}
