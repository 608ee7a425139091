package report

import (
	"cmp"
	"strconv"

	g "maragu.dev/gomponents"

	"github.com/agntn/conform/scenarios"
)

// rest is what is no fault: one line a check and message, with the cells it stands for.
type rest struct {
	// N is the number of a finding that got one line alone.
	N        int
	Check    string
	Scenario string
	Claim    string
	Text     []seg
	Others   int
	Places   []place
	Cells    int
}

// rests gathers the outcomes of one verdict. Passed outcomes make one line a check;
// what could not be seen and what does not apply one line a check and reason.
func (s *builder) rests(v scenarios.Verdict) []rest {
	type key struct{ check, message string }
	groups := map[key][]scenarios.Outcome{}
	for _, o := range s.report.Outcomes {
		if o.Verdict != v {
			continue
		}
		k := key{check: o.Check}
		if v != scenarios.Pass {
			k.message = o.Message
		}
		groups[k] = append(groups[k], o)
	}
	keys := make([]key, 0, len(groups))
	for k := range groups {
		keys = append(keys, k)
	}
	sortBy(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.check, b.check), cmp.Compare(a.message, b.message))
	})
	out := make([]rest, 0, len(keys))
	for _, k := range keys {
		cells := groups[k]
		sortBy(cells, func(a, b scenarios.Outcome) int { return cmp.Compare(a.ID, b.ID) })
		r := rest{
			Check: bounded(k.check), Scenario: cells[0].Scenario, Claim: bounded(s.opt.Texts[k.check].Claim),
			Text: shown(cells[0].Message, briefText), Cells: len(cells), Places: s.places(cells, ""),
		}
		for _, o := range cells {
			if o.Message != cells[0].Message {
				r.Others++
			}
			s.more.add(s.anchor(o.ID), o)
		}
		out = append(out, r)
	}
	return out
}

func cellsOf(list []rest) int {
	n := 0
	for _, r := range list {
		n += r.Cells
	}
	return n
}

// restList shows one line a check and message.
func restList(list []rest) g.Node {
	return el("ul", class("rests"), eachLine(list, rest.node), nl())
}

func (r rest) node() g.Node {
	return el("li", set("data-scenario", r.Scenario),
		el("p",
			g.If(r.N > 0, g.Group{el("span", class("num"), text("#"+strconv.Itoa(r.N))), text(" ")}),
			el("b", text(cmp.Or(r.Claim, r.Check))),
			g.If(r.Claim != "", g.Group{text(" "), el("code", class("id"), text(r.Check))}),
		),
		g.If(len(r.Text) > 0, el("p", class("said"), marked(r.Text),
			g.If(r.Others > 0, g.Group{text(" "), el("span", class("dim"), text("("+count(r.Others, "other says", "others say")+" otherwise)"))}))),
		placeList(r.Places))
}
