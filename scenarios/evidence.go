package scenarios

import (
	"fmt"
	"strings"
	"sync"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// Evidence is what the checks of one cell may look at.
type Evidence struct {
	Cell  Cell
	Facts *Facts
	// Client is the fake client of a per-client cell; nil for the neutral voice.
	Client *fakes.Profile
	// Reader is the client's reader; nil when there is none.
	Reader fakes.Reader
	// Run is everything that was seen, for passive and comparing checks.
	Run *Record
}

// Record is everything a run saw: the tapes and what was known of the target.
type Record struct {
	Facts *RunFacts
	// Targets are the facts by transport and revision.
	Targets []*Facts
	Cells   []Cell
	Tapes   []*wire.Tape

	mu    sync.Mutex
	index map[*wire.Tape]*tapeIndex
	shelf shelf
}

// tapeIndex is the exchanges of a tape, and those of each scope: the part of
// a label before its first slash.
type tapeIndex struct {
	all   []*Exchange
	scope map[string][]*Exchange
}

// Target finds the facts of a transport and revision, nil when not offered.
func (r *Record) Target(transport, revision string) *Facts {
	for _, f := range r.Targets {
		if f.Transport == transport && f.Revision == revision {
			return f
		}
	}
	return nil
}

// Exchanges returns the exchanges of a tape; they are paired once.
func (r *Record) Exchanges(t *wire.Tape) []*Exchange { return r.indexed(t).all }

func (r *Record) indexed(t *wire.Tape) *tapeIndex {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.index == nil {
		r.index = map[*wire.Tape]*tapeIndex{}
	}
	x, ok := r.index[t]
	if !ok {
		x = &tapeIndex{all: index(t), scope: map[string][]*Exchange{}}
		for _, e := range x.all {
			s := scopeOf(e.Label)
			x.scope[s] = append(x.scope[s], e)
		}
		r.index[t] = x
	}
	return x
}

// scopeOf is a label up to its first slash, that one included.
func scopeOf(label string) string {
	i := strings.IndexByte(label, '/')
	return label[:i+1]
}

// Select returns the tapes of a client, revision and transport; "" matches all.
func (r *Record) Select(client, revision, transport string) []*wire.Tape {
	var out []*wire.Tape
	for _, t := range r.Tapes {
		if (client == "" || t.Client == client) && (revision == "" || t.Revision == revision) && (transport == "" || t.Transport == transport) {
			out = append(out, t)
		}
	}
	return out
}

// Labelled returns the exchanges whose label begins with prefix, over the
// given tapes, in tape order. Labels are cut by the prefix.
func (r *Record) Labelled(tapes []*wire.Tape, prefix string) []*Exchange {
	var out []*Exchange
	scope := scopeOf(prefix)
	for _, t := range tapes {
		all := r.indexed(t).all
		if scope != "" {
			all = r.indexed(t).scope[scope]
		}
		for _, x := range all {
			if strings.HasPrefix(x.Label, prefix) {
				y := *x
				y.Label = x.Label[len(prefix):]
				out = append(out, &y)
			}
		}
	}
	return out
}

// Tapes returns the tapes of the evidence's client, revision and transport.
func (e *Evidence) Tapes() []*wire.Tape {
	rev, tr := e.Cell.Revision, e.Cell.Transport
	if rev == "all" {
		rev = ""
	}
	if tr == "all" {
		tr = ""
	}
	client := e.Cell.Client
	return e.Run.Select(client, rev, tr)
}

// onTapes works a value out once for all scenarios of a client, revision and
// transport. It must rest on their tapes alone, and nobody may change it.
func onTapes[T any](e *Evidence, what string, work func() T) T {
	c := e.Cell
	return once(&e.Run.shelf, what+" of "+c.Client+" "+c.Revision+" "+c.Transport, work)
}

// ofCell works a value out once for one cell.
func ofCell[T any](e *Evidence, what string, work func() T) T {
	c := e.Cell
	return onTapes(e, fmt.Sprintf("%s in %s~%d", what, c.Scenario, c.Attempt), work)
}

// Get returns the exchange of this scenario with exactly this label, nil when
// it was not sent. Of several the last counts.
func (e *Evidence) Get(label string) *Exchange {
	var out *Exchange
	for _, x := range e.All(label) {
		if x.Label == label {
			out = x
		}
	}
	return out
}

// All returns the exchanges of this scenario whose label begins with prefix.
func (e *Evidence) All(prefix string) []*Exchange {
	return e.Other(e.Cell.Scenario, e.Cell.Attempt, prefix)
}

// Other returns the exchanges of another scenario's drive in the same cell position.
func (e *Evidence) Other(scenario string, attempt int, prefix string) []*Exchange {
	scope := LabelScope(scenario, attempt)
	all := e.Run.Labelled(e.Tapes(), scope+prefix)
	for _, x := range all {
		x.Label = prefix + x.Label
	}
	return all
}

// OtherCell returns the exchanges of another scenario, whatever its last attempt was.
func (e *Evidence) OtherCell(scenario, prefix string) []*Exchange {
	for _, c := range e.Run.Cells {
		if c.Scenario == scenario && c.Client == e.Cell.Client && c.Revision == e.Cell.Revision && c.Transport == e.Cell.Transport {
			return e.Other(scenario, c.Attempt, prefix)
		}
	}
	return nil
}

// LabelScope is the label prefix of one attempt of a scenario.
func LabelScope(scenario string, attempt int) string {
	if attempt <= 1 {
		return scenario + "/"
	}
	return scenario + "~" + string(rune('0'+attempt)) + "/"
}

// Opening returns the exchanges by which the cell's sessions were opened, with
// labels such as "initialize", "discover", "tools/list".
func (e *Evidence) Opening() []*Exchange { return e.Run.Labelled(e.Tapes(), "open/") }
