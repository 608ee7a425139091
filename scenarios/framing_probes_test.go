package scenarios

import (
	"testing"
	"unicode/utf8"
)

func TestFramingProbes(t *testing.T) {
	t.Parallel()
	line := func(label, id string) string {
		return `> ` + label + ` {"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`
	}
	answer := func(id string) string { return `< {"jsonrpc":"2.0","id":` + id + `,"result":{}}` }
	plain := []string{line("ascii:x", `"a"`), answer(`"a"`), line("after:ascii:x", "2"), answer("2")}
	and := func(more ...string) []string { return append(plain[:len(plain):len(plain)], more...) }
	crlf := func(e *Evidence) Ruling { return judgeLineAnswered(e, "crlf") }
	modernCell := Cell{Revision: "2026-07-28"}
	log := `< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`
	changed := func(meta string) string {
		return `< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{` + meta + `}}`
	}
	const subscription = `"_meta":{"io.modelcontextprotocol/subscriptionId":"1"}`
	runRuled(t, "framing", []ruled{
		{name: "crlf answered", judge: crlf, lines: and(line("crlf:x", `"c"`), answer(`"c"`)), want: "pass"},
		{name: "crlf lost", judge: crlf, lines: and(line("crlf:x", `"c"`), line("after:crlf:x", "3"), answer("3")), want: "fault"},
		{name: "text ids are not echoed at all", judge: crlf, lines: []string{line("ascii:x", `"a"`), line("crlf:x", `"c"`)}, want: "unseen"},
		{name: "mark survived", judge: judgeBOMTolerated, lines: []string{"> bom:x \ufeff{}", line("after:bom:x", "2"), answer("2")}, want: "pass"},
		{name: "mark not survived", judge: judgeBOMTolerated, lines: []string{"> bom:x \ufeff{}", line("after:bom:x", "2"), "! after:bom:x dead gone", "= exit status 0"}, want: "fault"},
		{name: "deaf after a blank line", judge: judgeBlankTolerated, lines: []string{"> blank:one ", line("after:blank:one", "2"), "! after:blank:one stuck nothing"}, want: "fault"},
		{name: "pieces", judge: judgeSplit, lines: and(line("split:x", `"é"`), answer(`"é"`)), want: "pass"},
		{name: "pieces garbled", judge: judgeSplit, lines: and(line("split:x", `"aé"`), answer(`"a??"`), line("after:split:x", "3"), answer("3")), want: "fault"},
		{name: "big served", judge: judgeBig, lines: []string{line("big:1_MiB", "5"), answer("5")}, want: "pass"},
		{name: "big lost", judge: judgeBig, lines: []string{line("big:1_MiB", "5"), "! big:1_MiB silent nothing"}, want: "fault"},
		{name: "big unread", judge: judgeBig, lines: []string{line("big:1_MiB", "5"), "! big:1_MiB unread full"}, want: "fault"},
		{name: "whole to the end", judge: judgeLastLine, lines: []string{answer("1"), "= exit status 0"}, want: "pass"},
		{name: "cut at the end", judge: judgeLastLine, lines: []string{`< {"jsonrpc":"2.0","id":1,"res`, "= exit status 0"}, want: "fault"},
		{name: "never ended", judge: judgeLastLine, lines: []string{answer("1")}, want: "unseen"},
		{name: "log asked for", judge: judgeNotificationsBelong, cell: modernCell, lines: []string{`> a {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/logLevel":"info"}}}`, log}, want: "pass"},
		{name: "log unasked", judge: judgeNotificationsBelong, cell: modernCell, lines: []string{line("a", "1"), log}, want: "fault"},
		{name: "log behind its request", judge: judgeNotificationsBelong, cell: modernCell, lines: []string{`> a {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/logLevel":"info"}}}`, answer("1"), log}, want: "fault"},
		{name: "change on a subscription", judge: judgeNotificationsBelong, cell: modernCell, lines: []string{`> a {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`, changed(subscription)}, want: "pass"},
		{name: "change without one", judge: judgeNotificationsBelong, cell: modernCell, lines: []string{`> a {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`, changed("")}, want: "fault"},
		{name: "change when none is open", judge: judgeNotificationsBelong, cell: modernCell, lines: []string{changed(subscription)}, want: "fault"},
		{name: "quiet", judge: judgeNotificationsBelong, cell: modernCell, want: "na"},
	})
}

func TestFramingRevision(t *testing.T) {
	t.Parallel()
	f := &Facts{Revision: "2025-11-25", Transport: "stdio", Run: &RunFacts{Offered: map[string][]string{"stdio": {"2026-07-28", "2025-11-25"}}}}
	r := probed(judgeBig)(tapeOf(t, Cell{Scenario: "framing"}, f))
	if r.NA == "" {
		t.Errorf("under an older revision: got %+v, want that it does not apply", r)
	}
}

func TestLineProbes(t *testing.T) {
	t.Parallel()
	for _, f := range []*Facts{{Revision: "2025-11-25"}, {Revision: "2026-07-28"}} {
		for _, p := range lineProbes(f) {
			for _, c := range p.cuts {
				if c <= 0 || c >= len(p.raw) {
					t.Errorf("%s: cut %d of %d bytes", p.label, c, len(p.raw))
				}
			}
			if p.label == "split:a cut inside characters" {
				for _, c := range p.cuts {
					if utf8.RuneStart(p.raw[c]) {
						t.Errorf("the cut at %d is not inside a character", c)
					}
				}
			}
		}
		for _, n := range bigSizes() {
			if got := len(bigRequest(f, n.bytes)) + 1; got != n.bytes {
				t.Errorf("%s: the line has %d bytes, want %d", n.name, got, n.bytes)
			}
		}
	}
}
