// Package scenarios holds what is asked of a server and how the answers are
// judged: one behaviour a file. A scenario drives a session and leaves a
// transcript; its checks are pure functions over that transcript.
package scenarios

import (
	"context"
	"errors"
	"sort"
)

// Scope says in whose voice a scenario speaks.
type Scope int

const (
	// Neutral scenarios run once a revision and transport, in conform's own voice.
	Neutral Scope = iota
	// PerClient scenarios run for every fake client, on the client's own session.
	PerClient
	// Passive scenarios send nothing: they judge everything that was seen under a revision and transport.
	Passive
	// Across scenarios send nothing: they compare what was seen under all revisions of a transport.
	Across
)

// Era says under which revisions a scenario applies.
type Era int

// The eras.
const (
	BothEras Era = iota
	LegacyEra
	ModernEra
)

// Scenario is a family of probes about one behaviour, and the checks that judge them.
type Scenario struct {
	ID string
	// Title is a short name for people, Summary one sentence on what is tried.
	Title, Summary string
	Scope          Scope
	Era            Era
	// Every runs the scenario under every offered revision; else it runs under
	// the newest of each era.
	Every bool
	// Since and Until bound the revisions, both included; "" is open.
	Since, Until string
	// Transport restricts the scenario to "stdio" or "http".
	Transport string
	// Needs says why the scenario does not apply to a target, "" when it does.
	Needs func(*Facts) string
	// Late scenarios end or load the server: what does so comes after all others.
	Late bool
	// Confirm says that the probes go out side by side: what is found so is
	// confirmed by driving the cell again, one probe after the other.
	Confirm bool
	// Waits says that the drive waits for seconds, mostly on a session of its
	// own: it begins first, so that the rest runs meanwhile.
	Waits bool
	// Drive sends the probes. What it returns is conform's own trouble, never the
	// target's, or ErrAlone.
	Drive func(ctx context.Context, d *Drive) error
	// Checks judge what was seen.
	Checks []Check
}

// ErrAlone says that something went wrong among probes that were sent side by
// side, so that the cell has to be driven again, one probe after the other.
var ErrAlone = errors.New("something went wrong among probes that were sent side by side")

// Catalogue is the table of all scenarios, in the order reports show them.
type Catalogue []Scenario

// Checks returns all checks in order.
func (c Catalogue) Checks() []Check {
	var out []Check
	for _, s := range c {
		out = append(out, s.Checks...)
	}
	return out
}

// Check finds a check by id.
func (c Catalogue) Check(id string) (Check, bool) {
	for _, s := range c {
		for _, k := range s.Checks {
			if k.ID == id {
				return k, true
			}
		}
	}
	return Check{}, false
}

// Scenario finds a scenario by id.
func (c Catalogue) Scenario(id string) (Scenario, bool) {
	for _, s := range c {
		if s.ID == id {
			return s, true
		}
	}
	return Scenario{}, false
}

// IDs returns all check ids, sorted.
func (c Catalogue) IDs() []string {
	var out []string
	for _, k := range c.Checks() {
		out = append(out, k.ID)
	}
	sort.Strings(out)
	return out
}
