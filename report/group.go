package report

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// Group is one finding with every cell where it was met: the same check with the
// same cause, over clients, revisions and transports.
type Group struct {
	// ID is the outcome id of the lead.
	ID       string
	Check    string
	Scenario string
	Level    scenarios.Level
	// Verdict is the worst of the cells; Gate says that one of them gates.
	Verdict scenarios.Verdict
	Gate    bool
	// Cause is the known cause, if one matched.
	Cause *scenarios.Cause
	// Lead is the outcome that speaks for the group: the first of the worst.
	Lead scenarios.Outcome
	// Cells are all outcomes of the group: worst first, then newest revision, then by id.
	Cells []scenarios.Outcome
	// Clients, Hosts, Revisions, Transports and Subjects are what the cells name, sorted, each once.
	Clients    []string
	Hosts      []string
	Revisions  []string
	Transports []string
	Subjects   []string
}

// Groups returns the findings of r by cause: errors, failures (gating ones first),
// warnings, unseen and info. What passed or does not apply is no finding. Equal
// reports give equal groups, whatever the order of their outcomes.
func Groups(r Report) []Group {
	byKey := map[string][]scenarios.Outcome{}
	for _, o := range r.Outcomes {
		if finding(o.Verdict) {
			k := causeKey(o)
			byKey[k] = append(byKey[k], o)
		}
	}
	groups := make([]Group, 0, len(byKey))
	for _, cells := range byKey {
		groups = append(groups, newGroup(cells))
	}
	sortBy(groups, compareGroups)
	return groups
}

func finding(v scenarios.Verdict) bool {
	return v != scenarios.Pass && v != scenarios.NA
}

// causeKey names what a finding shares with others of one cause. Clients get
// different verdicts for one fault (one breaks, another shows less), so only
// the sort of verdict counts: a fault, something unseen, an error of ours.
func causeKey(o scenarios.Outcome) string {
	sort, text := "fault", o.Observed
	switch o.Verdict {
	case scenarios.Error, scenarios.Unseen:
		sort, text = string(o.Verdict), o.Message
	}
	if o.Cause != nil && sort == "fault" {
		return o.Check + "\x00" + sort + "\x00cause " + o.Cause.ID
	}
	if text == "" {
		text = o.Message
	}
	return o.Check + "\x00" + sort + "\x00" + shape(text, o)
}

// variable matches what differs between two sightings of one fault: quoted text and numbers.
var variable = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|“[^”]*”|[0-9]+(?:\\.[0-9]+)?")

// shape is a text without what differs between two sightings of one fault.
func shape(text string, o scenarios.Outcome) string {
	const enough = 2000 // bytes; a dump is told apart by its beginning
	if len(text) > enough {
		text = text[:enough]
	}
	for _, s := range []string{o.Subject, o.Client, o.Revision, o.Transport} {
		if len(s) > 2 {
			text = strings.ReplaceAll(text, s, "#")
		}
	}
	return strings.Join(strings.Fields(variable.ReplaceAllString(text, "#")), " ")
}

func newGroup(cells []scenarios.Outcome) Group {
	sortBy(cells, func(a, b scenarios.Outcome) int {
		return cmp.Or(compareVerdicts(a.Verdict, b.Verdict), trueFirst(a.Gate, b.Gate),
			cmp.Compare(b.Revision, a.Revision), cmp.Compare(a.ID, b.ID))
	})
	lead := cells[0]
	g := Group{
		ID: lead.ID, Check: lead.Check, Scenario: lead.Scenario, Level: lead.Level,
		Verdict: lead.Verdict, Gate: lead.Gate, Cause: lead.Cause, Lead: lead, Cells: cells,
	}
	for _, o := range cells {
		g.Gate = g.Gate || o.Gate
		g.Clients = append(g.Clients, o.Client)
		g.Hosts = append(g.Hosts, o.Hosts...)
		g.Revisions = append(g.Revisions, o.Revision)
		g.Transports = append(g.Transports, o.Transport)
		if o.Subject != "" {
			g.Subjects = append(g.Subjects, o.Subject)
		}
	}
	for _, list := range []*[]string{&g.Clients, &g.Hosts, &g.Revisions, &g.Transports, &g.Subjects} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return g
}

// compareGroups puts first what its reader should mend first.
func compareGroups(a, b Group) int {
	return cmp.Or(
		compareVerdicts(a.Verdict, b.Verdict),
		trueFirst(a.Gate, b.Gate),
		cmp.Compare(levelOrder(a.Level), levelOrder(b.Level)),
		cmp.Compare(a.Check, b.Check),
		cmp.Compare(a.ID, b.ID),
	)
}

// compareVerdicts puts the worse verdict first.
func compareVerdicts(a, b scenarios.Verdict) int {
	all := scenarios.Verdicts()
	return cmp.Compare(slices.Index(all, a), slices.Index(all, b))
}

func levelOrder(l scenarios.Level) int {
	return slices.Index([]scenarios.Level{
		scenarios.Must, scenarios.Host, scenarios.Should, scenarios.House, scenarios.Note,
	}, l)
}

func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
