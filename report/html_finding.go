package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// htmlFinding is one group as the page shows it.
type htmlFinding struct {
	N  int
	ID string
	// Base is the level of the section's heading; Tabs names the choice of code.
	Base    int
	Tabs    string
	Verdict scenarios.Verdict
	Level   scenarios.Level
	Gate    bool
	Open    bool
	Check   string
	// Title is the claim that does not hold, Brief what happened, in short.
	Title []seg
	Brief []seg
	// Message is what happened in full when Brief had to cut it.
	Message []seg
	Why     string
	// Meets names the clients that meet the fault; Filter and Scenario are for the script.
	Meets    string
	Filter   string
	Scenario string
	Subject  []seg

	Expected, Observed []seg
	Differ             bool
	Faults             []faultLine
	// SameExpected says that every fault expects what stands above already.
	SameExpected bool
	MoreFaults   int
	Log          wireLog
	Right, Wrong []seg

	Cause  *scenarios.Cause
	Remedy string
	Code   []codeTab
	// CodeAt links to the finding that already shows the code of this check.
	CodeAt  string
	CodeAtN int
	// Repro is a shell line; NoRepro says why there is none.
	Repro, NoRepro string
	Basis          []link
	Places         []place
	Cells          int
	Waived         string
	Known          bool
	// Source says how the client facts are known.
	Source string
}

type faultLine struct {
	Subject, Expected, Observed []seg
}

type codeTab struct {
	N    int
	Name string
	Text []seg
}

// place is a revision and transport with the clients met there.
type place struct {
	Revision, Transport string
	Cells               []cellRef
}

// cellRef stands for one outcome. Lead says that the finding itself carries its id.
type cellRef struct {
	ID      string
	Client  string
	Verdict scenarios.Verdict
	Lead    bool
}

// detail is how much of a finding is written out.
type detail struct {
	chars, frames, frameChars, faults int
	// rich adds the difference of both texts and indented frames.
	rich bool
}

// The page writes findings out in full while they fit, then in short, then one line
// each: its size stays bounded however many causes a run has.
var (
	fullDetail  = detail{longText, 30, 2000, 12, true}
	briefDetail = detail{briefText, 6, 400, 3, false}
)

const (
	fullBytes   = 700 << 10
	briefBytes  = 400 << 10
	openAtFirst = 12
)

// detailFor spends the page's room, counted roughly from what the texts hold.
type detailFor struct{ full, brief int }

// next returns how to write out a finding, ok false for one line.
func (b *detailFor) next(o scenarios.Outcome) (d detail, ok bool) {
	size := 0
	for _, f := range o.Evidence {
		size += 200 + 2*min(len(f.Text), fullDetail.frameChars)
	}
	size += 1500 + min(len(o.Expected), longText) + min(len(o.Observed), longText) + 200*min(len(o.Faults), fullDetail.faults)
	if b.full+size <= fullBytes {
		b.full += size
		return fullDetail, true
	}
	size = min(size, 5000)
	if b.brief+size <= briefBytes {
		b.brief += size
		return briefDetail, true
	}
	return detail{}, false
}

// newFinding builds the view of one group.
func (s *builder) newFinding(n int, g Group, d detail) htmlFinding {
	o, text := g.Lead, s.opt.Texts[g.Check]
	f := htmlFinding{
		N: n, ID: s.anchor(g.ID), Base: s.base, Tabs: s.prefix + "code" + strconv.Itoa(n), Verdict: g.Verdict, Level: g.Level, Gate: g.Gate, Check: g.Check,
		Title: shown(cmp.Or(text.Claim, o.Message, g.Check), titleText), Why: bounded(text.Why),
		Scenario: g.Scenario, Subject: shown(o.Subject, shortText),
		Log: newWireLog(o.Evidence, d.frames, d.frameChars, d.rich), Cause: visibleCause(g.Cause),
		Remedy: bounded(cmp.Or(o.Remedy, text.Remedy)),
		Basis:  specLinks(firstOf(o.Basis, text.Basis), o.Revision, s.report.Target.Revisions),
		Cells:  len(g.Cells), Waived: bounded(o.Waived), Known: o.Known, Source: knownFrom(o.Source),
	}
	repro, why := reproOf(o, longText)
	f.Repro, f.NoRepro = Visible(repro), Visible(Bound(why, shortText))
	if text.Claim != "" {
		f.Brief = shown(o.Message, titleText)
	}
	if _, rest := cut(o.Message, titleText); rest > 0 {
		f.Message = shown(o.Message, d.chars)
	}
	if f.Cause != nil && f.Cause.Remedy == f.Remedy {
		f.Cause.Remedy = "" // it stands under how to mend it
	}
	f.Expected, f.Observed = shown(o.Expected, d.chars), shown(o.Observed, d.chars)
	if d.rich {
		f.Expected, f.Observed, f.Differ = compare(o.Expected, o.Observed, d.chars)
	}
	f.SameExpected = !slices.ContainsFunc(o.Faults, func(l scenarios.FaultLine) bool { return l.Expected != o.Expected })
	for i, line := range o.Faults {
		if i == d.faults {
			f.MoreFaults = len(o.Faults) - i + o.MoreFaults
			break
		}
		f.Faults = append(f.Faults, faultLine{shown(line.Subject, shortText), shown(line.Expected, briefText), shown(line.Observed, briefText)})
	}
	met := slices.Concat(g.Clients, g.Hosts)
	slices.Sort(met)
	met = slices.Compact(met)
	f.Filter = strings.Join(met, " ")
	f.Meets = s.meets(met)
	s.explain(&f, text)
	f.Places = s.places(g.Cells, g.ID)
	for _, c := range g.Cells {
		if c.ID != g.ID || !d.rich {
			s.more.add(s.anchor(c.ID), c)
		}
	}
	return f
}

// newLine is a finding in one line, for the many beyond what a page can hold.
func (s *builder) newLine(n int, g Group) rest {
	const lineText = 100
	o := g.Lead
	text := Visible(Bound(o.Message, lineText))
	if o.Observed != "" {
		text += " Observed: " + Visible(Bound(o.Observed, lineText))
	}
	for _, c := range g.Cells {
		s.more.add(s.anchor(c.ID), c)
	}
	return rest{
		N: n, Check: g.Check, Scenario: g.Scenario, Text: []seg{{S: text}},
		Cells: len(g.Cells), Places: s.places(g.Cells, ""),
	}
}

// explain adds frames and code of the catalogue, once a check.
func (s *builder) explain(f *htmlFinding, text CheckText) {
	if first, ok := s.explained[f.Check]; ok {
		f.CodeAt, f.CodeAtN = first.ID, first.N
		return
	}
	if text.Right == "" && text.Wrong == "" && len(text.Code) == 0 {
		return
	}
	s.explained[f.Check] = htmlFinding{ID: f.ID, N: f.N}
	f.Right, f.Wrong = ownLines(text.Right, longText), ownLines(text.Wrong, longText)
	f.Code = codeTabs(text.Code)
}

// ownLines shows frames and code of the catalogue. They are ours: line feeds and
// tabs are layout, and everything else that is not plain is made visible.
func ownLines(text string, most int) []seg {
	if text == "" {
		return nil
	}
	text = Bound(strings.ReplaceAll(text, "\t", "    "), most)
	return []seg{{S: strings.Join(VisibleLines(text), "\n")}}
}

// codeTabs returns code by language.
func codeTabs(code map[string]string) []codeTab {
	var tabs []codeTab
	for i, name := range Languages(code) {
		tabs = append(tabs, codeTab{i + 1, bounded(name), ownLines(code[name], codeText)})
	}
	return tabs
}

// Languages sorts the languages of code: the usual four first, then by name.
func Languages(code map[string]string) []string {
	usual := []string{"TypeScript SDK v1", "TypeScript SDK v2", "Go", "Python"}
	names := make([]string, 0, len(code))
	for name := range code {
		names = append(names, name)
	}
	place := func(name string) int {
		if i := slices.Index(usual, name); i >= 0 {
			return i
		}
		return len(usual)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
	})
	return names
}

// knownFrom says in words how facts about a client are known; "" when they were observed.
func knownFrom(c scenarios.Confidence) string {
	switch c {
	case "", scenarios.Observed:
		return ""
	case scenarios.Official:
		return "documents of the vendor"
	case scenarios.SourceCode:
		return "the client's source code"
	case scenarios.MultipleReports:
		return "several public reports"
	case scenarios.SingleReport:
		return "one public report"
	case scenarios.Inferred:
		return "inferred, not seen"
	}
	return bounded(string(c))
}

// meets says in words whom a finding concerns.
func (s *builder) meets(ids []string) string {
	if len(ids) == 1 && ids[0] == Neutral {
		return "every client"
	}
	var names []string
	for _, id := range ids {
		if id != Neutral {
			names = append(names, s.product(id))
		}
	}
	return strings.Join(names, ", ")
}

// places sorts cells by revision and transport. The cell of the id lead is marked.
func (s *builder) places(cells []scenarios.Outcome, lead string) []place {
	var out []place
	at := map[[2]string]int{}
	sorted := slices.Clone(cells)
	slices.SortFunc(sorted, func(a, b scenarios.Outcome) int {
		return cmp.Or(cmp.Compare(a.Revision, b.Revision), cmp.Compare(a.Transport, b.Transport), cmp.Compare(a.ID, b.ID))
	})
	for _, o := range sorted {
		key := [2]string{o.Revision, o.Transport}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, place{Revision: bounded(o.Revision), Transport: bounded(o.Transport)})
		}
		out[i].Cells = append(out[i].Cells, cellRef{s.anchor(o.ID), s.product(o.Client), o.Verdict, o.ID == lead})
	}
	return out
}

func visibleCause(c *scenarios.Cause) *scenarios.Cause {
	if c == nil {
		return nil
	}
	return &scenarios.Cause{ID: bounded(c.ID), SDK: bounded(c.SDK), Text: bounded(c.Text), Remedy: bounded(c.Remedy)}
}

// bounded is for texts that are prose: one visible line of some length.
func bounded(s string) string { return Visible(Bound(s, briefText)) }

// firstOf returns the first list that holds anything.
func firstOf(lists ...[]string) []string {
	for _, l := range lists {
		if len(l) > 0 {
			return l
		}
	}
	return nil
}
