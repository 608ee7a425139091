package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agntn/conform/scenarios"
)

// htmlPage is everything the templates show.
type htmlPage struct {
	assets
	Assets   assets
	Title    string
	Tool     Tool
	Sections []section
	// Many says that the report holds several servers.
	Many    bool
	Legend  []legendLine
	Levels  []legendLine
	Filters filters
	More    lazyData
}

type legendLine struct {
	Verdict scenarios.Verdict
	Word    string
	Says    string
}

// filters are the choices of the bar. Of names what Verdicts chooses by.
type filters struct {
	Clients, Verdicts, Scenarios []option
	Of                           string
}

type option struct{ ID, Name string }

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

type countLine struct {
	Verdict scenarios.Verdict
	N       int
}

type clientLine struct {
	ID, Product, Version, Seen, Says string
	Verdict                          scenarios.Verdict
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

func newPage(r Report, o HTMLOptions, more *lazy) *htmlPage {
	p := &htmlPage{Tool: Tool{bounded(r.Tool.Name), bounded(r.Tool.Version)}, Legend: legend(), Levels: levels()}
	reports := []Report{r}
	if len(r.Servers) > 0 {
		p.Many = true
		reports = slices.Clone(r.Servers)
		if len(r.Outcomes) > 0 {
			reports = append([]Report{r}, reports...)
		}
	}
	room := &detailFor{}
	for i := range reports {
		reports[i] = clean(reports[i])
		b := &builder{
			report: &reports[i], opt: o, more: more, room: room,
			names: map[string]string{Neutral: "any client"}, orders: map[string]int{},
			anchors: map[string]string{}, taken: map[string]bool{}, explained: map[string]htmlFinding{},
		}
		s := section{Base: 1, First: i == 0, Page: p, Bar: !p.Many}
		if p.Many {
			b.prefix = "s" + strconv.Itoa(i+1) + ":"
			s.Base, s.Of = 2, b.prefix+"name "
		}
		b.base = s.Base
		b.build(&s)
		p.Sections = append(p.Sections, s)
	}
	p.Title = p.Sections[0].Target.Name
	if p.Many {
		p.Title = count(len(reports), "server", "servers")
	}
	p.Title += " · conform report"
	p.Filters = newFilters(reports)
	return p
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

// part is the findings of one verdict: written out, then those with one line alone.
type part struct {
	Findings []htmlFinding
	Lines    []rest
}

// Len counts the findings of the part.
func (p part) Len() int { return len(p.Findings) + len(p.Lines) }

// findings numbers the groups in the order of the page and returns the number of
// each outcome that belongs to one.
func (s *builder) findings(out *section, groups []Group) map[string]int {
	numbers := map[string]int{}
	n := 0
	for _, p := range []struct {
		verdict scenarios.Verdict
		to      *part
	}{
		{scenarios.Fail, &out.Failures},
		{scenarios.Warn, &out.Warnings},
		{scenarios.Error, &out.Errors},
		{scenarios.Info, &out.Infos},
	} {
		for _, g := range groups {
			if g.Verdict != p.verdict {
				continue
			}
			n++
			for _, c := range g.Cells {
				numbers[c.ID] = n
			}
			if g.Verdict == scenarios.Fail && !g.Gate {
				out.Spared++
			}
			d, ok := s.room.next(g.Lead)
			if !ok {
				p.to.Lines = append(p.to.Lines, s.newLine(n, g))
				continue
			}
			f := s.newFinding(n, g, d)
			f.Open = g.Verdict == scenarios.Fail && len(p.to.Findings) < openAtFirst
			p.to.Findings = append(p.to.Findings, f)
		}
	}
	return numbers
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

func newFilters(reports []Report) filters {
	f := filters{Of: "verdict"}
	for _, l := range legend() {
		f.Verdicts = append(f.Verdicts, option{string(l.Verdict), l.Word})
	}
	names, seen := map[string]string{}, map[string]bool{}
	for _, r := range reports {
		for _, c := range r.Clients {
			if _, ok := names[c.ID]; !ok {
				names[c.ID] = bounded(cmp.Or(c.Product, c.ID))
				f.Clients = append(f.Clients, option{c.ID, names[c.ID]})
			}
		}
		for _, o := range r.Outcomes {
			if !seen[o.Scenario] {
				seen[o.Scenario] = true
				f.Scenarios = append(f.Scenarios, option{o.Scenario, bounded(o.Scenario)})
			}
		}
	}
	slices.SortFunc(f.Scenarios, func(a, b option) int { return cmp.Compare(a.ID, b.ID) })
	return f
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
