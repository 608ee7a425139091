package suite

import (
	"slices"
	"testing"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

// A run may be stopped at any moment, by a person or by its time limit. What was
// seen until then of the right server accuses it of nothing, and every judge
// copes with what is missing.
func TestRunsThatWereCutOff(t *testing.T) {
	t.Parallel()
	cfg, rec := rightRecord()
	if len(rec.Cells) == 0 {
		t.Fatal("the right server was not driven")
	}
	begin, end := rec.Tapes[0].Began(), time.Time{}
	for _, tape := range rec.Tapes {
		if tape.Began().Before(begin) {
			begin = tape.Began()
		}
		for _, ev := range tape.Events() {
			if at := tape.Began().Add(ev.At); at.After(end) {
				end = at
			}
		}
	}
	// The engine marks the visits that it did not finish; a tape does not tell.
	rec.Cells = slices.DeleteFunc(rec.Cells, func(c scenarios.Cell) bool { return c.Client != fakes.Any })
	const cuts = 7
	for i := 1; i < cuts; i++ {
		at := begin.Add(end.Sub(begin) * time.Duration(i) / cuts)
		for _, o := range judge(cfg, cutOff(rec, at), time.Minute) {
			switch o.Verdict {
			case scenarios.Fail, scenarios.Warn, scenarios.Error:
				t.Errorf("cut off after %s: %s is %s: %s", at.Sub(begin).Round(time.Millisecond), o.ID, o.Verdict, o.Message)
			}
		}
	}
}

// cutOff is a recording up to a moment.
func cutOff(rec *scenarios.Record, at time.Time) *scenarios.Record {
	own := &scenarios.Record{Facts: rec.Facts, Cells: rec.Cells}
	for _, f := range rec.Targets {
		copied := *f
		own.Targets = append(own.Targets, &copied)
	}
	scenarios.ShareWork(own.Targets)
	for _, tape := range rec.Tapes {
		var events []wire.Event
		for _, ev := range tape.Events() {
			if !tape.Began().Add(ev.At).After(at) {
				events = append(events, ev)
			}
		}
		if len(events) == 0 {
			continue
		}
		short := &wire.Tape{ID: tape.ID, Client: tape.Client, Revision: tape.Revision, Transport: tape.Transport, Purpose: tape.Purpose, SkipBOM: tape.SkipBOM}
		short.Load(events, tape.Over())
		own.Tapes = append(own.Tapes, short)
	}
	return own
}
