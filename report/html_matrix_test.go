package report

import (
	"strings"
	"testing"

	"github.com/agntn/conform/scenarios"
)

func TestShortNames(t *testing.T) {
	t.Parallel()
	columns := []column{
		{Product: "Any client"}, {Product: "MCP SDK 2 (Client, versionNegotiation auto)"}, {Product: "Claude Code"},
		{Product: "Claude Code (print)"}, {Product: "AI SDK (@ai-sdk/mcp)"}, {Product: "(odd)"}, {Product: "Ends (not) here"},
	}
	shortNames(columns)
	var got []string
	for _, c := range columns {
		got = append(got, c.Product)
	}
	want := "Any client|MCP SDK 2|Claude Code|Claude Code (print)|AI SDK|(odd)|Ends (not) here"
	if text := strings.Join(got, "|"); text != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// TestEveryToolIsToldOnce has one client that changes every tool and one that drops two.
func TestEveryToolIsToldOnce(t *testing.T) {
	t.Parallel()
	r := Report{Clients: []Client{{ID: "a", Product: "Alpha"}, {ID: "b", Product: "Beta"}, {ID: "c", Product: "Gamma"}}}
	for _, tool := range []string{"one", "two", "three", "four"} {
		state := "ok"
		if strings.HasPrefix(tool, "t") {
			state = "dropped"
		}
		r.Views = append(r.Views, scenarios.View{Client: "a", Tool: tool, State: "rewritten"},
			scenarios.View{Client: "b", Tool: tool, State: state}, scenarios.View{Client: "c", Tool: tool, State: "ok"})
	}
	s := newPage(r, HTMLOptions{}, newLazy()).Sections[0]
	if want := "Every tool is rewritten by Alpha."; s.EveryTool != want {
		t.Errorf("%q, want %q", s.EveryTool, want)
	}
	var got []string
	for _, c := range s.Tools {
		got = append(got, flat(c.Name)+": "+c.Sum)
		if len(c.Views) != 3 {
			t.Errorf("%s has %d views", flat(c.Name), len(c.Views))
		}
	}
	want := "three: dropped by Beta|two: dropped by Beta|four: kept by 2 clients|one: kept by 2 clients"
	if text := strings.Join(got, "|"); text != want {
		t.Errorf("%s, want %s", text, want)
	}
}
