package scenarios

import (
	"testing"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/scenarios/message"
)

func TestClientFrames(t *testing.T) {
	t.Parallel()
	const (
		ask     = `> open/initialize {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`
		agree   = `< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`
		list    = `> open/tools/list {"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		right   = `< {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`
		wrong   = `< {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":7,"inputSchema":{"type":"object"}}]}}`
		banner  = `< Server running on stdio`
		another = `< 12:03 server is up`
		leave   = `! - shutdown sigterm`
	)
	for _, tt := range []struct {
		name            string
		neutral, client []string
		want            string
	}{
		{"both right", []string{list, right}, []string{list, right}, "pass"},
		{"wrong under every client", []string{list, wrong}, []string{list, wrong}, "pass"},
		{"wrong under this client", []string{list, right}, []string{list, wrong}, "fault"},
		{"a banner for every client", []string{banner, list, right}, []string{another, list, right}, "pass"},
		{"a banner for this client", []string{list, right}, []string{banner, list, right}, "fault"},
		{"a farewell", []string{list, right}, []string{list, right, leave, banner}, "pass"},
		{"a banner and a farewell", []string{list, right, leave, banner}, []string{banner, list, right}, "fault"},
		{"a banner for all, wrong under this one", []string{banner, list, right}, []string{banner, list, wrong}, "fault"},
	} {
		opened := func(lines []string) []string { return append([]string{ask, agree}, lines...) }
		e := tapeOf(t, Cell{Scenario: "clients", Client: "c"}, nil, opened(tt.client)...)
		e.Run.Tapes = append(e.Run.Tapes, tapeOf(t, Cell{Client: fakes.Any}, nil, opened(tt.neutral)...).Run.Tapes...)
		if got := ruledAs(judgeClientFrames(e, message.New())); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
