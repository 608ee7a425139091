package main

import (
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	examples "github.com/agntn/conform/scenarios/explain"
)

// texts gathers what the catalogue says of each check, and the titles of
// scenarios, for the formats that explain. An error is a mistake in how the
// program was built.
func texts(c scenarios.Catalogue) (report.Texts, map[string]string, error) {
	shown, err := examples.Load()
	if err != nil {
		return nil, nil, &exitError{report.ExitSuite, err.Error()}
	}
	set, err := fakes.Load()
	if err != nil {
		return nil, nil, &exitError{report.ExitSuite, "the built-in client profiles: " + err.Error()}
	}
	out, titles := report.Texts{}, map[string]string{}
	for _, s := range c {
		titles[s.ID] = s.Title
		for _, k := range s.Checks {
			e := shown[k.ID]
			out[k.ID] = report.CheckText{
				ID: k.ID, Claim: k.Claim, Why: k.Why, Remedy: k.Remedy, Level: k.Level, Basis: k.Basis,
				Hosts: hostNames(k, set), Right: e.Right, Wrong: e.Wrong, Code: e.Code,
			}
		}
	}
	return out, titles, nil
}

// hostNames names the clients that a fault of the check breaks, as people know them.
func hostNames(k scenarios.Check, set *fakes.Set) []string {
	hosts := k.Hosts
	if id, ok := strings.CutPrefix(k.Scenario(), "host-"); ok && len(hosts) == 0 && id != "any" {
		hosts = []string{id}
	}
	var out []string
	for _, id := range hosts {
		if p, ok := set.Get(id); ok {
			id = p.Product
		}
		out = append(out, id)
	}
	return out
}
