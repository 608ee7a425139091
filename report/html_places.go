package report

import (
	"cmp"
	"slices"

	g "maragu.dev/gomponents"

	"github.com/agntn/conform/scenarios"
)

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

// places sorts cells by revision and transport. The cell of the id lead is marked.
func (s *builder) places(cells []scenarios.Outcome, lead string) []place {
	var out []place
	at := map[[2]string]int{}
	sorted := slices.Clone(cells)
	sortBy(sorted, func(a, b scenarios.Outcome) int {
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

// placeList shows places, each with its clients; the script opens a client's details.
func placeList(list []place) g.Node {
	return el("ul", class("places"), each(list, func(p place) g.Node {
		return el("li",
			el("span", class("at"), text(p.Revision+" · "+p.Transport)),
			each(p.Cells, func(c cellRef) g.Node { return g.Group{text(" "), c.node()} }),
		)
	}))
}

func (c cellRef) node() g.Node {
	if c.Lead {
		return el("span", toned(c.Verdict, "cell"), text(c.Client))
	}
	return el("a", toned(c.Verdict, "cell"), set("id", c.ID), ref(c.ID), text(c.Client))
}
