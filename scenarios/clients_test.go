package scenarios

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers"
	"github.com/agntn/conform/fakes/wire"
)

func TestConnects(t *testing.T) {
	t.Parallel()
	const (
		probe      = `> open/probe {"jsonrpc":"2.0","id":"p","method":"server/discover"}`
		listed     = `> open/tools/list {"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		discovers  = `< {"jsonrpc":"2.0","id":"p","result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}`
		older      = `< {"jsonrpc":"2.0","id":"p","result":{"supportedVersions":["2025-11-25"],"capabilities":{}}}`
		tools      = `{"capabilities":{"tools":{}}}`
		initialize = `> open/initialize {"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}`
		refused    = `< {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"Unsupported protocol version"}}`
		unknown    = `< {"jsonrpc":"2.0","id":"p","error":{"code":-32601,"message":"Method not found"}}`
		none       = `{"capabilities":{"prompts":{}}}`
	)
	modern := []string{"2026-07-28"}
	for _, tt := range []struct {
		name, opened, want string
		lines              []string
		offered            []string // the revisions that the server speaks; both eras when nil
	}{
		{"lists", tools, "pass", []string{probe, discovers, listed, `< {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`}, nil},
		{"stops after the offer of older revisions", tools, "fault", []string{probe, older}, nil},
		{"has no tools to list", none, "pass", []string{probe, discovers}, nil},
		{"has no tools and no session", none, "fault", []string{probe, older}, nil},
		{"gets no answer", tools, "fault", []string{probe, "! open/probe silent nothing"}, nil},
		{"gets no list", tools, "fault", []string{probe, discovers, listed, "! open/tools/list silent nothing"}, nil},
		{"gives up a probe of a server that is slow", tools, "unseen", []string{probe, "! open/probe silent the client waits", initialize, refused}, modern},
		{"gives up a probe and is refused", tools, "fault", []string{probe, "! open/probe silent the client waits", initialize, refused}, nil},
		{"is refused at once", tools, "fault", []string{probe, unknown, initialize, refused}, modern},
	} {
		if tt.offered == nil {
			tt.offered = []string{"2026-07-28", "2025-11-25"}
		}
		facts := &Facts{Opened: json.RawMessage(tt.opened), Run: &RunFacts{Offered: map[string][]string{"stdio": tt.offered}}}
		e := tapeOf(t, Cell{Scenario: "clients", Client: "c", Revision: fakes.Rev20260728}, facts, tt.lines...)
		e.Client = &fakes.Profile{ID: "c", Product: "C", Drives: true, Opening: fakes.Opening{Legacy: "2025-11-25", Probe: &fakes.Probe{}}}
		if got := ruledAs(judgeConnects(e)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A list that is not kept for its size must not look like one that never came,
// also when the client asked for it on a second process.
func TestConnectsWhereTheListIsNotKept(t *testing.T) {
	t.Parallel()
	facts := &Facts{Opened: json.RawMessage(`{"capabilities":{"tools":{}}}`), Run: &RunFacts{Offered: map[string][]string{"stdio": {"2026-07-28", "2025-11-25"}}}}
	e := tapeOf(t, Cell{Scenario: "clients", Client: "c", Revision: fakes.Rev20260728}, facts,
		`> open/probe {"jsonrpc":"2.0","id":"p","method":"server/discover"}`,
		`< {"jsonrpc":"2.0","id":"p","result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}`)
	e.Client = &fakes.Profile{ID: "c", Product: "C", Drives: true, Opening: fakes.Opening{Legacy: "2025-11-25", Probe: &fakes.Probe{OwnProcess: true}}}
	second := wire.NewTape("002", wire.NewBudget(20_000))
	second.Client, second.Revision, second.Transport = "c", fakes.Rev20260728, "stdio"
	second.Append(wire.Event{Kind: wire.Send, Probe: "open/tools/list", Raw: []byte(`{"jsonrpc":"2.0","id":0,"method":"tools/list"}`)})
	second.Append(wire.Event{Kind: wire.Recv, Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":0,"result":{"tools":[{"name":%q}]}}`, strings.Repeat("x", 30_000))})
	e.Run.Tapes = append(e.Run.Tapes, second)
	if got := ruledAs(judgeConnects(e)); got != "unseen" {
		t.Errorf("got %s, want unseen", got)
	}
}

func TestConnectsBesideJunk(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, line string
		ends       bool
		want       string
	}{
		{"a banner, and the client skips it", "Server running on stdio", false, "pass"},
		{"a banner, and the client ends", "Server running on stdio", true, "fault"},
		{"an empty line", "  ", true, "pass"},
	} {
		e := tapeOf(t, Cell{Scenario: "clients", Client: "c"}, nil,
			`> open/tools/list {"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "< "+tt.line, `< {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)
		e.Client = &fakes.Profile{ID: "c", Product: "C", Drives: true, Stdio: fakes.Stdio{JunkEnds: tt.ends}}
		if got := ruledAs(judgeConnects(e)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestTakesAnswersInTime(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		limit, at int
		want      string
	}{
		{60_000, 59_000, "pass"},
		{60_000, 61_000, "fault"},
		{0, 61_000, "pass"},
	} {
		e := tapeOf(t, Cell{Scenario: "clients", Client: "c"}, nil,
			`> open/tools/list {"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			`< {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}}`,
			`> call:a {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a"}}`, fmt.Sprintf("@ %d", tt.at),
			`< {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"late"}]}}`)
		e.Client = &fakes.Profile{ID: "c", Product: "C", Drives: true, Asking: fakes.Asking{TimeoutMS: tt.limit}}
		e.Reader, _ = readers.For("sdk-v1")
		if got := ruledAs(judgeTakesAnswers(e)); got != tt.want {
			t.Errorf("%d of %d ms: got %s, want %s", tt.at, tt.limit, got, tt.want)
		}
	}
}
