package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// longestID bounds names that stand for something: ids, levels, revisions.
const longestID = 120

// clean returns r with every name the page uses as a key, a class or an attribute
// made visible and bounded, and its outcomes sorted by id. A report may come from a
// file that somebody else wrote. Texts stay as they are: they are bounded where shown.
func clean(r Report) Report {
	r.Profile = scenarios.Profile(cleanID(string(r.Profile)))
	r.Clients = slices.Clone(r.Clients)
	for i := range r.Clients {
		c := &r.Clients[i]
		c.ID, c.Verdict = cleanWord(c.ID), cleanVerdict(c.Verdict)
	}
	r.Views = slices.Clone(r.Views)
	for i := range r.Views {
		v := &r.Views[i]
		v.Client, v.Source = cleanWord(v.Client), scenarios.Confidence(cleanID(string(v.Source)))
	}
	r.Outcomes = slices.Clone(r.Outcomes)
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		o.Check, o.Scenario, o.Client = cleanID(o.Check), cleanID(o.Scenario), cleanWord(o.Client)
		o.Revision, o.Transport = cleanID(o.Revision), cleanID(o.Transport)
		o.Level, o.Source = scenarios.Level(cleanID(string(o.Level))), scenarios.Confidence(cleanID(string(o.Source)))
		o.Verdict = cleanVerdict(o.Verdict)
		o.Hosts = slices.Clone(o.Hosts)
		for j, h := range o.Hosts {
			o.Hosts[j] = cleanWord(h)
		}
	}
	sortBy(r.Outcomes, func(a, b scenarios.Outcome) int { return strings.Compare(a.ID, b.ID) })
	return r
}

func cleanID(s string) string { return Visible(Bound(s, longestID)) }

// cleanWord is cleanID without spaces, for lists of names in an attribute.
func cleanWord(s string) string { return strings.ReplaceAll(cleanID(s), " ", "_") }

// cleanVerdict takes a word that is no verdict for an error: it says nothing about the server.
func cleanVerdict(v scenarios.Verdict) scenarios.Verdict {
	if slices.Contains(scenarios.Verdicts(), v) {
		return v
	}
	return scenarios.Error
}

func visibleAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = bounded(s)
	}
	return out
}

func visibleTarget(t Target) Target {
	t.Name, t.Version, t.Title = cmp.Or(bounded(t.ID), bounded(t.Name), "unnamed server"), bounded(t.Version), bounded(t.Title)
	t.Command, t.SDK = bounded(t.Command), bounded(t.SDK)
	t.Transports, t.Revisions = visibleAll(t.Transports), visibleAll(t.Revisions)
	return t
}

// bounded is for texts that are prose: one visible line of some length.
func bounded(s string) string { return Visible(Bound(s, briefText)) }
