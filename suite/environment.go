package suite

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes"
)

// as is a client as it starts the server: with the whole environment, where the
// server was seen to need what the client keeps back.
func (e *engine) as(p *fakes.Profile) *fakes.Profile {
	e.mu.Lock()
	defer e.mu.Unlock()
	if slices.ContainsFunc(e.given, func(g *fakes.Profile) bool { return g.ID == p.ID }) {
		return withAll(p)
	}
	return p
}

// keepsBack says that a client does not pass on all of this environment.
func keepsBack(p *fakes.Profile) bool {
	kept := p.Stdio.Environ(os.Environ(), "")
	return slices.ContainsFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name != "" && !slices.ContainsFunc(kept, func(k string) bool { return strings.HasPrefix(k, name+"=") })
	})
}

// withAll is a client that passes on everything.
func withAll(p *fakes.Profile) *fakes.Profile {
	q := *p
	q.Stdio.Env, q.Stdio.Without = nil, nil
	return &q
}

// tellGiven notes who was given what it does not pass on in life.
func (e *engine) tellGiven() {
	var names []string
	for _, p := range e.given {
		names = append(names, p.Product)
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	e.notes = append(e.notes, fmt.Sprintf("the server ends at once with the variables that some clients pass on, and was given the whole environment under them: %s; in life name what it needs in their settings, and here with --env NAME=VALUE", strings.Join(names, ", ")))
}
