package suite

import (
	"strings"
	"testing"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

// listedRecord is a record of one session in which a tool was listed.
func listedRecord(tool string) *scenarios.Record {
	tape := wire.NewTape("001", wire.NewBudget(64<<20))
	tape.Client, tape.Revision, tape.Transport = fakes.Any, fakes.Rev20251125, overStdio
	tape.Append(wire.Event{Kind: wire.Send, Probe: "open/tools/list", Raw: []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)})
	tape.Append(wire.Event{Kind: wire.Recv, Raw: []byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[` + tool + `]}}`)})
	facts := &scenarios.Facts{Revision: fakes.Rev20251125, Transport: overStdio, Listed: true, Tools: []scenarios.Tool{{Name: "t", Raw: []byte(tool)}}}
	return &scenarios.Record{Facts: &scenarios.RunFacts{}, Targets: []*scenarios.Facts{facts}, Tapes: []*wire.Tape{tape}}
}

// TestViewsEndInTime has the views of every client within their time, without
// any time, and of a listing that is too much for readers.
func TestViewsEndInTime(t *testing.T) {
	t.Parallel()
	set, err := fakes.Load()
	if err != nil {
		t.Fatal(err)
	}
	clients := set.Defaults()
	small := `{"name":"t","inputSchema":{"type":"object"}}`
	much := `{"name":"t","inputSchema":{"type":"object","properties":{"a":{"enum":[` + strings.Repeat("0,", 150_000) + `1]}}}}`

	if got, late := views(clients, listedRecord(small), time.Minute); len(got) != len(clients) || late != "" {
		t.Errorf("%d views of %d clients, %q", len(got), len(clients), late)
	}
	if got, late := views(clients, listedRecord(small), time.Nanosecond); len(got) == len(clients) || late == "" {
		t.Errorf("without any time there are %d views of %d clients, %q", len(got), len(clients), late)
	}
	if got, late := views(clients, listedRecord(much), time.Minute); len(got) > 0 || late != "" {
		t.Errorf("a listing of 150,000 values has %d views, %q", len(got), late)
	}
}
