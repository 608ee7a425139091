package scenarios

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agntn/conform/fakes/wire"
)

// tapeOf writes evidence by hand. Each line is one event:
//
//	> label {frame}       a send under the scenario's label ("open/..." labels stay as they are)
//	< {frame}             a frame received
//	! label status text   a note on how a probe ended
//	= status              the process ended
//	@ 1500                what follows happens so many milliseconds after the start
func tapeOf(t *testing.T, cell Cell, facts *Facts, lines ...string) *Evidence {
	t.Helper()
	if cell.Client == "" {
		cell.Client = "any"
	}
	if cell.Revision == "" {
		cell.Revision = "2025-11-25"
	}
	if cell.Transport == "" {
		cell.Transport = "stdio"
	}
	if facts == nil {
		facts = &Facts{}
	}
	if facts.Run == nil {
		facts.Run = &RunFacts{Seed: 1}
	}
	if facts.Revision == "" {
		facts.Revision, facts.Transport = cell.Revision, cell.Transport
	}
	tape := &wire.Tape{ID: "001", Client: cell.Client, Revision: cell.Revision, Transport: cell.Transport}
	var events []wire.Event
	var at time.Duration
	for _, l := range lines {
		kind, rest, _ := strings.Cut(l, " ")
		e := wire.Event{At: at}
		switch kind {
		case ">":
			label, raw, _ := strings.Cut(rest, " ")
			e.Kind, e.Probe, e.Raw = wire.Send, handLabel(cell, label), []byte(raw)
		case "<":
			e.Kind, e.Raw = wire.Recv, []byte(rest)
		case "!":
			f := strings.SplitN(rest, " ", 3)
			e.Kind, e.Probe, e.Status = wire.Notice, handLabel(cell, f[0]), f[1]
			if len(f) > 2 {
				e.Raw = []byte(f[2])
			}
		case "=":
			e.Kind, e.Status = wire.Exit, rest
		case "@":
			ms, err := strconv.Atoi(rest)
			if err != nil {
				t.Fatalf("a time in milliseconds: %q", l)
			}
			at = time.Duration(ms) * time.Millisecond
			continue
		default:
			t.Fatalf("a line of a hand-written tape begins with >, <, !, = or @: %q", l)
		}
		events = append(events, e)
	}
	tape.Load(events, false)
	return &Evidence{
		Cell: cell, Facts: facts,
		Run: &Record{Facts: facts.Run, Targets: []*Facts{facts}, Cells: []Cell{cell}, Tapes: []*wire.Tape{tape}},
	}
}

func handLabel(c Cell, label string) string {
	if strings.HasPrefix(label, "open/") {
		return label
	}
	return LabelScope(c.Scenario, c.Attempt) + label
}
