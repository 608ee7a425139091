package report

import (
	"strconv"

	g "maragu.dev/gomponents"

	"github.com/agntn/conform/scenarios"
)

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

// findings are what was found, the worst first, and then what no fault is.
func (s section) findings() g.Node {
	return s.part("part", "findings", "Findings",
		lines(
			g.If(len(s.Stale) > 0, s.stale()),
			g.Iff(s.Bar, func() g.Node { return s.Page.Filters.toolbar() }),
			noneMatch("finding"),
			s.failures(),
			s.group("Warnings", findingCount(s.Warnings.Len()), s.Warnings),
			s.group("Errors of conform", "the server is not to blame", s.Errors),
			fold(s.Infos.Len(), scenarios.Info, "For information", findingCount(s.Infos.Len()), s.Infos.node()),
			fold(len(s.Unseen), scenarios.Unseen, "Unseen", outcomeCount(s.UnseenCells)+": what would show them", restList(s.Unseen)),
			fold(len(s.Passed), scenarios.Pass, "Passed", outcomeCount(s.PassedCells)+" of "+count(len(s.Passed), "check", "checks"), restList(s.Passed)),
			fold(len(s.NA), scenarios.NA, "Does not apply", outcomeCount(s.NACells), restList(s.NA)),
		))
}

func findingCount(n int) string { return count(n, "finding", "findings") }
func outcomeCount(n int) string { return count(n, "outcome", "outcomes") }

func (s section) stale() g.Node {
	return el("div", class("stale"),
		el("p", el("b", text("Stale:")), text(" these baseline entries or waivers match nothing any more, and fail the run until they are removed.")),
		list(s.Stale))
}

func (s section) failures() g.Node {
	if s.Failures.Len() == 0 {
		return el("p", class("clean"), text("No failures."))
	}
	says := findingCount(s.Failures.Len())
	if s.Spared > 0 {
		says += ", " + strconv.Itoa(s.Spared) + " of them known or waived"
	}
	return s.group("Failures", says, s.Failures)
}

// group is the findings of one verdict under a heading, nil when there are none.
func (s section) group(title, says string, p part) g.Node {
	if p.Len() == 0 {
		return nil
	}
	return el("div", class("group"), heading(s.Base+2, text(title+" "), el("small", text(says))), p.node())
}

// fold is what is shown when asked for, nil when there are none.
func fold(n int, v scenarios.Verdict, title, says string, in g.Node) g.Node {
	if n == 0 {
		return nil
	}
	return el("details", toned(v, "fold"),
		el("summary", sign(v), el("b", text(title)), text(" "), el("span", class("dim"), text(says))),
		in)
}

func (p part) node() g.Node {
	var more g.Node
	if n := len(p.Lines); n > 0 {
		more = g.Group{small(count(n, "finding more", "findings more") + ", one line each; the JSON report has all of it."), restList(p.Lines)}
	}
	return g.Group{eachLine(p.Findings, htmlFinding.node), nl(), more}
}
