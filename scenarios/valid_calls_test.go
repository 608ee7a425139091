package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// judgedAs runs a judge over a hand-written tape and checks what came of it:
// "pass", "fault", "unseen" or "na".
func judgedAs(t *testing.T, want string, judge func(*Evidence) Ruling, cell Cell, facts *Facts, lines ...string) Ruling {
	t.Helper()
	var each []string
	for _, l := range lines {
		each = append(each, strings.Split(l, "\n")...)
	}
	r := judge(tapeOf(t, cell, facts, each...))
	got := "pass"
	switch {
	case r.NA != "":
		got = "na"
	case len(r.Faults) > 0:
		got = "fault"
	case r.Seen == 0:
		got = "unseen"
	}
	if got != want {
		t.Errorf("got %s, want %s: %+v", got, want, r)
	}
	return r
}

// handFacts are facts with the given tools, raw.
func handFacts(revision string, tools ...string) *Facts {
	f := &Facts{Run: &RunFacts{Seed: 1}, Revision: revision, Transport: "stdio", Opened: json.RawMessage(`{"capabilities":{"tools":{}},"serverInfo":{"name":"hand"}}`), Listed: true}
	for _, raw := range tools {
		f.Tools = append(f.Tools, toolOf(raw))
	}
	return f
}

// handCall writes the call of an exchange; the next ones write answers.
func handCall(label, id, tool, args string) string {
	return `> ` + label + ` {"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
}

func handResult(id, result string) string {
	return `< {"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`
}

// handSaid is a result of one text block, members being more of the result.
func handSaid(id, text, members string) string {
	raw, _ := json.Marshal(text)
	return handResult(id, `{"content":[{"type":"text","text":`+string(raw)+`}]`+members+`}`)
}

func handFailed(id, text string) string { return handSaid(id, text, `,"isError":true`) }

func handError(id, code, message string) string {
	raw, _ := json.Marshal(message)
	return `< {"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + code + `,"message":` + string(raw) + `}}`
}

// handList is the exchange that lists tools.
func handList(tools ...string) string {
	raw := strings.Join(strings.Fields(strings.Join(tools, ",")), " ")
	return `> open/tools/list {"jsonrpc":"2.0","id":0,"method":"tools/list"}` + "\n" + `< {"jsonrpc":"2.0","id":0,"result":{"tools":[` + raw + `]}}`
}

func TestValidCalls(t *testing.T) {
	t.Parallel()
	f := handFacts("2025-11-25",
		`{"name":"one","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}}`,
		`{"name":"two tools","inputSchema":{"type":"object"}}`, `{"name":"three","inputSchema":{"type":"object"}}`)
	f.Tools[2].Callable = false
	calls := validCalls(f, "call:", maxValidSets)
	if len(calls) < 3 || calls[0].label != "call:one#1" || calls[1].label != "call:tool-2#1" || calls[2].label != "call:one#2" {
		t.Fatalf("the first set of each tool comes first, the second after: %+v", calls)
	}
	seen := map[string]bool{}
	for _, c := range calls {
		if c.tool == "three" {
			t.Error("a tool that may not be called is called")
		}
		if key := c.tool + string(c.args); seen[key] {
			t.Errorf("%s is called twice with %s", c.tool, c.args)
		} else {
			seen[key] = true
		}
		if tool := f.Tool(c.tool); !fits(inputSchema(tool), c.args) {
			t.Errorf("%s: %s does not fit the schema", c.tool, c.args)
		}
	}
}

func TestWaitForMost(t *testing.T) {
	t.Parallel()
	for answers, cancels := range map[int]bool{0: false, 1: false, 2: true, 3: true, 4: false} {
		t.Run(fmt.Sprint(answers), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
			defer cancel()
			stopped := false
			answered := make(chan struct{}, 4)
			for range answers {
				answered <- struct{}{}
			}
			begin := time.Now()
			waitForMost(ctx, func() { stopped = true }, answered, 4, 50*time.Millisecond, func(time.Duration) bool { return false })
			if stopped != cancels {
				t.Errorf("stopped waiting: %t, want %t", stopped, cancels)
			}
			if answers == 4 && time.Since(begin) > 300*time.Millisecond {
				t.Error("went on waiting when everything was answered")
			}
		})
	}
}

func TestWaitForMostOfOneBehind(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	answered := make(chan struct{}, 2)
	answered <- struct{}{}
	asked, stopped := 0, false
	waitForMost(ctx, func() { stopped = true }, answered, 2, 20*time.Millisecond, func(time.Duration) bool { asked++; return asked < 3 })
	if asked != 3 || !stopped {
		t.Errorf("asked %d times whether the server is behind, want 3; stopped: %t", asked, stopped)
	}
}
