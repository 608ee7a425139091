package suite

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// RecordSchema is the name of the recording format: JSON lines, a head first,
// then for each tape a line about it and one line an event.
const RecordSchema = "conform/record/v1"

// RecordHead is the first line of a recording: what the run knew of the target.
type RecordHead struct {
	Schema  string              `json:"schema"`
	Version string              `json:"version"`
	Facts   *scenarios.RunFacts `json:"facts"`
	Targets []*scenarios.Facts  `json:"targets"`
	Cells   []scenarios.Cell    `json:"cells"`
	Clients []string            `json:"clients"`
	Target  report.Target       `json:"target"`
	// Globs and Waive narrow what is judged.
	Globs []string `json:"globs,omitempty"`
	// NotCalled is what the report says of tools that got no valid call.
	NotCalled []report.NotCalled `json:"not_called,omitempty"`
}

type recordTape struct {
	Tape      string `json:"tape"`
	Client    string `json:"client"`
	Revision  string `json:"revision"`
	Transport string `json:"transport"`
	Purpose   string `json:"purpose,omitempty"`
	Over      bool   `json:"over,omitempty"`
}

// WriteRecord writes everything the verdicts of a run rest on.
func WriteRecord(w io.Writer, cfg Config, r report.Report, rec *scenarios.Record) error {
	out := bufio.NewWriterSize(w, 256<<10)
	mask := report.NewMasker(cfg.Secrets)
	line := func(v any) error {
		b, err := json.Marshal(v)
		if err != nil {
			return err
		}
		_, err = out.WriteString(mask.JSON(string(b)) + "\n")
		return err
	}
	head := RecordHead{
		Schema: RecordSchema, Version: cfg.Version, Facts: rec.Facts, Targets: rec.Targets,
		Cells: rec.Cells, Target: r.Target, Globs: cfg.Scenarios, NotCalled: r.NotCalled,
	}
	for _, c := range r.Clients {
		head.Clients = append(head.Clients, c.ID)
	}
	if err := line(head); err != nil {
		return fmt.Errorf("write the recording: %w", err)
	}
	for _, t := range rec.Tapes {
		err := line(recordTape{t.ID, t.Client, t.Revision, t.Transport, t.Purpose, t.Over()})
		for _, e := range t.Events() {
			if err == nil {
				err = line(e)
			}
		}
		if err != nil {
			return fmt.Errorf("write the recording: %w", err)
		}
	}
	return out.Flush()
}

// ReadRecord reads a recording back.
func ReadRecord(r io.Reader) (head RecordHead, rec *scenarios.Record, err error) {
	in := bufio.NewReaderSize(r, 256<<10)
	next := func() ([]byte, error) {
		b, err := in.ReadBytes('\n')
		if len(b) > 0 {
			return b, nil
		}
		return nil, err
	}
	first, err := next()
	if err != nil {
		return head, nil, errors.New("the recording is empty")
	}
	if err := json.Unmarshal(first, &head); err != nil || head.Schema != RecordSchema {
		return head, nil, fmt.Errorf("not a recording of conform: its first line does not say %q", RecordSchema)
	}
	rec = &scenarios.Record{Facts: head.Facts, Targets: head.Targets, Cells: head.Cells}
	if rec.Facts == nil {
		rec.Facts = &scenarios.RunFacts{}
	}
	for _, f := range rec.Targets {
		f.Run = rec.Facts
	}
	scenarios.ShareWork(rec.Targets)
	var events []wire.Event
	var tape *wire.Tape
	over := false
	flush := func() {
		if tape != nil {
			tape.Load(events, over)
			rec.Tapes = append(rec.Tapes, tape)
		}
		events = nil
	}
	for n := 2; ; n++ {
		b, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return head, nil, fmt.Errorf("line %d of the recording: %w", n, err)
		}
		var t recordTape
		if json.Unmarshal(b, &t) == nil && t.Tape != "" {
			flush()
			over = t.Over
			tape = &wire.Tape{ID: t.Tape, Client: t.Client, Revision: t.Revision, Transport: t.Transport, Purpose: t.Purpose, SkipBOM: t.Client == fakes.Any}
			continue
		}
		var e wire.Event
		if err := json.Unmarshal(b, &e); err != nil || e.Kind == "" {
			return head, nil, fmt.Errorf("line %d of the recording is neither a tape nor an event", n)
		}
		if tape == nil {
			return head, nil, fmt.Errorf("line %d of the recording: an event before any tape", n)
		}
		events = append(events, e)
	}
	flush()
	return head, rec, nil
}

// Replay judges a recording again, under the given profile or the recorded one.
func Replay(r io.Reader, cfg Config) (report.Report, error) {
	head, rec, err := ReadRecord(r)
	if err != nil {
		return report.Report{}, err
	}
	cfg.defaults()
	if cfg.Scenarios == nil {
		cfg.Scenarios = head.Globs
	}
	set, err := fakes.Load()
	if err != nil {
		return report.Report{}, fmt.Errorf("the built-in client profiles: %w", err)
	}
	cfg.Clients = nil
	e := &engine{cfg: cfg, record: rec, facts: rec.Facts}
	for _, id := range head.Clients {
		if p, ok := set.Get(id); ok {
			e.cfg.Clients = append(e.cfg.Clients, p)
			e.ran = append(e.ran, p)
		}
	}
	e.cfg.Seed = rec.Facts.Seed
	outcomes := judge(&e.cfg, rec, 0)
	out := e.assemble(outcomes, head.Target, head.NotCalled, 0)
	if err := publish(&out, cfg.LabelFilter); err != nil {
		return out, err
	}
	finish(&out, &e.cfg)
	return out, nil
}
