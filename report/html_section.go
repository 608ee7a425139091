package report

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"

	"github.com/agntn/conform/scenarios"
)

// section is one server.
type section struct {
	// Base is the level of the section's own heading; its parts are one below.
	Base  int
	First bool
	// Page is the whole page; Bar says that its filter stands in this section.
	Page   *htmlPage
	Bar    bool
	Prefix string
	// Of is the id of the server's name and a space, where labels need it to differ.
	Of     string
	Target Target
	// Name, Version and Title are what the server calls itself.
	Name, Version, Title []seg
	URL                  string
	Report               *Report
	Date                 string
	Stamp                string
	Exit                 string

	Headline, Under string
	Verdict         scenarios.Verdict
	Counts          []countLine
	Outcomes        int
	Clients         []clientLine
	Matrix          matrix

	Failures, Warnings, Errors, Infos part
	// Spared counts failures that the baseline or a waiver takes out of the gate.
	Spared                            int
	Unseen, NA, Passed                []rest
	UnseenCells, NACells, PassedCells int
	// MoreTools are those beyond the first, folded together.
	Tools, MoreTools []toolCard
	// EveryTool says what becomes of all tools alike.
	EveryTool                          string
	NotProven, NotCalled, Notes, Stale []string
}

// builder turns one report into one section.
type builder struct {
	report    *Report
	opt       HTMLOptions
	prefix    string
	base      int
	more      *lazy
	room      *detailFor
	names     map[string]string
	orders    map[string]int
	anchors   map[string]string
	taken     map[string]bool
	explained map[string]htmlFinding
}

func (s *builder) build(out *section) {
	r := s.report
	for i, c := range r.Clients {
		s.names[c.ID] = bounded(cmp.Or(c.Product, c.ID))
		s.orders[c.ID] = i
	}
	out.Prefix, out.Report, out.Target = s.prefix, r, visibleTarget(r.Target)
	out.Name = shown(cmp.Or(r.Target.ID, r.Target.Name, "unnamed server"), shortText)
	out.Version, out.Title = shown(r.Target.Version, shortText), shown(r.Target.Title, shortText)
	if r.Target.ID != "" { // the name of the hosts' file, and then what the server calls itself
		out.Version = shown(strings.TrimSpace(r.Target.Name+" "+r.Target.Version), shortText)
	}
	if r.Target.URL != nil {
		out.URL = bounded(*r.Target.URL)
	}
	if !r.Started.IsZero() {
		out.Date, out.Stamp = r.Started.UTC().Format("2 January 2006, 15:04 UTC"), r.Started.UTC().Format(time.RFC3339)
	}
	out.Exit = exitSays(r.Exit)

	groups := Groups(*r)
	numbers := s.findings(out, groups)
	for _, v := range []scenarios.Verdict{scenarios.Fail, scenarios.Warn, scenarios.Error, scenarios.Unseen, scenarios.Info, scenarios.Pass, scenarios.NA} {
		if n := r.Summary.Of(v); n > 0 {
			out.Counts = append(out.Counts, countLine{v, n})
		}
	}
	out.Outcomes = r.Summary.Total()
	out.Unseen, out.NA, out.Passed = s.rests(scenarios.Unseen), s.rests(scenarios.NA), s.rests(scenarios.Pass)
	out.UnseenCells, out.NACells, out.PassedCells = cellsOf(out.Unseen), cellsOf(out.NA), cellsOf(out.Passed)
	out.Matrix = s.newMatrix(numbers)
	for _, c := range r.Clients {
		out.Clients = append(out.Clients, clientLine{
			ID: c.ID, Product: s.product(c.ID), Version: bounded(c.Version), Seen: bounded(c.Seen),
			Says: cmp.Or(bounded(c.Says), clientSays(c.Verdict)), Verdict: c.Verdict,
		})
	}
	out.Tools, out.MoreTools = splitTools(s.newTools())
	out.EveryTool = newAllTools(r.Views).sum(s)
	out.NotProven, out.Notes, out.Stale = visibleAll(r.NotProven), visibleAll(r.Notes), visibleAll(r.Stale)
	for _, n := range r.NotCalled {
		out.NotCalled = append(out.NotCalled, bounded(n.Tool)+": "+bounded(n.Reason))
	}
	out.Verdict, out.Headline, out.Under = headline(*r, groups)
}

// product is the name of a client as people know it.
func (s *builder) product(id string) string {
	if name, ok := s.names[id]; ok {
		return name
	}
	return bounded(id)
}

func (s *builder) order(id string) int {
	if i, ok := s.orders[id]; ok {
		return i
	}
	return len(s.orders)
}

func (s *builder) scenario(id string) string {
	if title, ok := s.opt.Scenarios[id]; ok && title != "" {
		return bounded(title)
	}
	if id == hostRules {
		return "rules of each host"
	}
	return bounded(id)
}

// anchor is the id of an outcome in the page: its own id without characters that
// an address or an attribute would have to escape.
func (s *builder) anchor(id string) string {
	if a, ok := s.anchors[id]; ok {
		return a
	}
	base := s.prefix + safeID(id)
	if !strings.Contains(base, "@") {
		base += "@" // no id of the page itself has one
	}
	a := base
	for i := 2; s.taken[a]; i++ {
		a = base + "_" + strconv.Itoa(i)
	}
	s.anchors[id], s.taken[a] = a, true
	return a
}

// safeID is s without characters that an address or an attribute would have to escape.
func safeID(s string) string {
	const longest = 200
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._/@", r) {
			return r
		}
		return '_'
	}, s)
	return s[:min(len(s), longest)]
}

// several is the section on a page with others.
func (s section) several() g.Node {
	return el("section", class("server"), set("aria-labelledby", s.Prefix+"name"), lines(
		s.head(),
		el("div", class("body"), s.parts(), nl()),
	))
}

// parts are what follows the head of a section.
func (s section) parts() g.Node {
	return lines(s.clients(), s.matrix(), s.findings(), s.tools(), s.limits(), s.stats())
}

// part is one part of a section under a heading of its own.
func (s section) part(classes, id, title string, says ...g.Node) g.Node {
	return el("section", class(classes), set("aria-labelledby", s.Of+s.Prefix+id),
		lines(heading(s.Base+1, el("span", set("id", s.Prefix+id), text(title)))),
		g.Group(says), nl())
}
