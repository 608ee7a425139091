package scenarios

import (
	"encoding/json"
	"testing"

	"github.com/agntn/conform/fakes"
)

func TestConnects(t *testing.T) {
	t.Parallel()
	const (
		probe     = `> open/probe {"jsonrpc":"2.0","id":"p","method":"server/discover"}`
		listed    = `> open/tools/list {"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		discovers = `< {"jsonrpc":"2.0","id":"p","result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}`
		older     = `< {"jsonrpc":"2.0","id":"p","result":{"supportedVersions":["2025-11-25"],"capabilities":{}}}`
		tools     = `{"capabilities":{"tools":{}}}`
		none      = `{"capabilities":{"prompts":{}}}`
	)
	for _, tt := range []struct {
		name, opened, want string
		lines              []string
	}{
		{"lists", tools, "pass", []string{probe, discovers, listed, `< {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`}},
		{"stops after the offer of older revisions", tools, "fault", []string{probe, older}},
		{"has no tools to list", none, "pass", []string{probe, discovers}},
		{"has no tools and no session", none, "fault", []string{probe, older}},
		{"gets no answer", tools, "fault", []string{probe, "! open/probe silent nothing"}},
	} {
		facts := &Facts{Opened: json.RawMessage(tt.opened), Run: &RunFacts{Offered: map[string][]string{"stdio": {"2026-07-28", "2025-11-25"}}}}
		e := tapeOf(t, Cell{Scenario: "clients", Client: "c", Revision: fakes.Rev20260728}, facts, tt.lines...)
		e.Client = &fakes.Profile{ID: "c", Product: "C", Drives: true}
		if got := ruledAs(judgeConnects(e)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
