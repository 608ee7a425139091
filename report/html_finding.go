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

func visibleCause(c *scenarios.Cause) *scenarios.Cause {
	if c == nil {
		return nil
	}
	return &scenarios.Cause{ID: bounded(c.ID), SDK: bounded(c.SDK), Text: bounded(c.Text), Remedy: bounded(c.Remedy)}
}

// firstOf returns the first list that holds anything.
func firstOf(lists ...[]string) []string {
	for _, l := range lists {
		if len(l) > 0 {
			return l
		}
	}
	return nil
}
