package report

import "github.com/agntn/conform/scenarios"

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
