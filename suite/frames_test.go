package suite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

// TestEvidenceTellsWhoSpoke has a question that a server asks unasked: it is
// something received, and nothing that could be sent again.
func TestEvidenceTellsWhoSpoke(t *testing.T) {
	t.Parallel()
	const question = `{"jsonrpc":"2.0","id":0,"method":"roots/list"}`
	const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call"}`
	tape := wire.NewTape("001", wire.NewBudget(1<<20))
	tape.Append(wire.Event{Kind: wire.Send, Raw: []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`), Probe: "open/initialize"})
	tape.Append(wire.Event{Kind: wire.Recv, Raw: []byte(question)})
	tape.Append(wire.Event{Kind: wire.Send, Raw: []byte(call), Probe: "x/call"})
	events := tape.Events()
	unasked := &scenarios.Exchange{Tape: tape, Sent: &events[1], At: 1, EndAt: 1, AnswerAt: -1}
	called := &scenarios.Exchange{Tape: tape, Sent: &events[2], At: 2, EndAt: 2, AnswerAt: -1}
	run := &scenarios.RunFacts{Command: []string{"server"}}

	var got []string
	for _, f := range frames([]*scenarios.Exchange{unasked, called}, 6) {
		got = append(got, f.Dir+" "+f.Text)
	}
	if diff := cmp.Diff([]string{"recv " + question, "send " + call}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	rec := &scenarios.Record{Tapes: []*wire.Tape{tape}}
	if line, _ := repro(run, rec, scenarios.Check{ID: "x/y"}, scenarios.Fault{Proof: []*scenarios.Exchange{unasked}}); !strings.Contains(line, `"initialize"`) || strings.Contains(line, "roots/list") {
		t.Errorf("the server's own question is to be sent, or what it came with is not: %s", line)
	}
	line, _ := repro(run, rec, scenarios.Check{ID: "x/y"}, scenarios.Fault{Proof: []*scenarios.Exchange{unasked, called}})
	if !strings.Contains(line, call) || !strings.Contains(line, `"initialize"`) || strings.Contains(line, "roots/list") {
		t.Errorf("%s", line)
	}
}
