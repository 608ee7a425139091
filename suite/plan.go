package suite

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/scenarios"
)

// job is one cell to drive, with the scenario and the facts it runs under.
type job struct {
	cell     *scenarios.Cell
	scenario scenarios.Scenario
	facts    *scenarios.Facts
	found    *found
	client   *fakes.Profile
	// again says that the cell has to be driven once more, by itself.
	again bool
	// died says that a process of its own had ended before it answered anything.
	died bool
}

// allOf stands for "under every one" in cells that compare.
const allOf = "all"

// plan lays out the neutral cells: which scenario runs under which revision
// and transport. A cell that cannot apply gets its reason now.
func (e *engine) plan(offered []*found) []*job {
	var out []*job
	units := e.cfg.Target.transports()
	for _, f := range offered {
		if !e.mine(slices.Index(units, f.facts.Transport)) {
			continue
		}
		newest := newestOfEra(offered, f)
		for _, s := range e.cfg.Catalogue {
			if !e.selected(s) || s.Scope == scenarios.PerClient || s.Scope == scenarios.Across {
				continue
			}
			if !s.Every && s.Scope == scenarios.Neutral && !newest && !e.cfg.AllRevisions || !applies(s, f.facts) {
				continue
			}
			out = append(out, e.job(s, f, fakes.Neutral(), f.facts.Revision, f.facts.Transport))
		}
	}
	out = append(out, e.across(offered)...)
	return out
}

// mine says whether a unit of the run belongs to this shard. The neutral cells
// of a transport are one unit, for they are judged together; each visit of a
// client is another.
func (e *engine) mine(unit int) bool {
	return e.cfg.ShardCount <= 1 || unit%e.cfg.ShardCount == e.cfg.ShardIndex-1
}

// across lays out the cells that compare revisions, one a transport, under the
// facts of the newest revision.
func (e *engine) across(offered []*found) []*job {
	var out []*job
	done := map[string]bool{}
	for _, f := range offered {
		tr := f.facts.Transport
		if done[tr] || !e.mine(slices.Index(e.cfg.Target.transports(), tr)) {
			continue
		}
		done[tr] = true
		for _, s := range e.cfg.Catalogue {
			if s.Scope == scenarios.Across && e.selected(s) && (s.Transport == "" || s.Transport == tr) {
				out = append(out, e.job(s, f, fakes.Neutral(), allOf, tr))
			}
		}
	}
	return out
}

func (e *engine) job(s scenarios.Scenario, f *found, client *fakes.Profile, revision, transport string) *job {
	c := &scenarios.Cell{Scenario: s.ID, Client: client.ID, Revision: revision, Transport: transport, Attempt: 1}
	switch {
	case f.facts.Undiscovered() && s.ID != "opening":
		c.Skip = "server/discover gets no result, so what the server offers is not known; opening/discover-shape tells of it"
	case s.Needs != nil:
		c.Skip = s.Needs(f.facts)
	}
	return &job{cell: c, scenario: s, facts: f.facts, found: f, client: client}
}

// applies says whether a scenario has anything to say under the facts' revision and transport.
func applies(s scenarios.Scenario, f *scenarios.Facts) bool {
	switch {
	case s.Era == scenarios.LegacyEra && f.Modern(), s.Era == scenarios.ModernEra && !f.Modern():
		return false
	case s.Since != "" && f.Revision < s.Since, s.Until != "" && f.Revision > s.Until:
		return false
	case s.Transport == "":
		return true
	case s.Transport == overStdio && f.Transport == overProcess:
		return false
	}
	return s.Transport == f.Transport
}

func newestOfEra(all []*found, f *found) bool {
	return !slices.ContainsFunc(all, func(g *found) bool {
		return g.facts.Transport == f.facts.Transport && g.facts.Modern() == f.facts.Modern() && g.facts.Revision > f.facts.Revision
	})
}

// selected says whether the user's globs name the scenario or one of its checks.
func (e *engine) selected(s scenarios.Scenario) bool {
	if len(e.cfg.Scenarios) == 0 {
		return true
	}
	return slices.ContainsFunc(s.Checks, func(k scenarios.Check) bool { return e.wanted(s.ID, k.ID) })
}

// wanted says whether the user's globs name the check, the part of its id
// before the slash, or the scenario that holds it.
func (e *engine) wanted(scenario, check string) bool {
	if len(e.cfg.Scenarios) == 0 {
		return true
	}
	prefix, _, _ := strings.Cut(check, "/")
	return slices.ContainsFunc(e.cfg.Scenarios, func(g string) bool {
		return slices.ContainsFunc([]string{check, prefix, scenario}, func(name string) bool {
			ok, _ := path.Match(g, name)
			return ok
		})
	})
}

// CheckScenarios says which glob names nothing in the catalogue.
func CheckScenarios(globs []string, c scenarios.Catalogue) error {
	for _, g := range globs {
		if _, err := path.Match(g, "x"); err != nil {
			return fmt.Errorf("the pattern %q cannot be read: %w", g, err)
		}
		e := engine{cfg: Config{Scenarios: []string{g}}}
		if !slices.ContainsFunc(c, e.selected) {
			return fmt.Errorf("no scenario or check is called %q; conform list checks names them all", g)
		}
	}
	return nil
}
