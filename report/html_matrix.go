package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"

	"github.com/agntn/conform/scenarios"
)

// matrix is scenarios by clients, the worst verdict in each cell.
type matrix struct {
	Columns []column
	Rows    []matrixRow
}

type column struct {
	ID, Product string
	Verdict     scenarios.Verdict
	Neutral     bool
}

type matrixRow struct {
	ID, Title string
	Cells     []matrixCell
}

// matrixCell rolls up the outcomes of one scenario that concern one client.
type matrixCell struct {
	Empty   bool
	Verdict scenarios.Verdict
	// Count is how many outcomes have that verdict.
	Count int
	// Link is the anchor of the first of them; Notes are the numbers of findings.
	Link  string
	Notes string
}

// hostRules is the row of all scenarios that judge the rules of one host.
const hostRules = "host-"

// newMatrix rolls outcomes up. numbers maps an outcome id to its finding's number.
func (s *builder) newMatrix(numbers map[string]int) matrix {
	m := matrix{Columns: []column{{ID: Neutral, Product: "Any client", Neutral: true}}}
	index := map[string]int{Neutral: 0}
	for _, c := range s.report.Clients {
		index[c.ID] = len(m.Columns)
		m.Columns = append(m.Columns, column{ID: c.ID, Product: s.product(c.ID), Verdict: c.Verdict})
	}
	shortNames(m.Columns)
	byRow := map[string][][]scenarios.Outcome{}
	for _, o := range s.report.Outcomes {
		row := o.Scenario
		if strings.HasPrefix(row, hostRules) {
			row = hostRules
		}
		cells := byRow[row]
		if cells == nil {
			cells = make([][]scenarios.Outcome, len(m.Columns))
			byRow[row] = cells
		}
		if i, ok := index[o.Client]; ok {
			cells[i] = append(cells[i], o)
		}
		if o.Client != Neutral {
			continue
		}
		for _, h := range slices.Compact(slices.Sorted(slices.Values(o.Hosts))) {
			if i, ok := index[h]; ok {
				cells[i] = append(cells[i], o)
			}
		}
	}
	for id, cells := range byRow {
		row := matrixRow{ID: id, Title: s.scenario(id)}
		for _, outcomes := range cells {
			row.Cells = append(row.Cells, s.newCell(outcomes, numbers))
		}
		m.Rows = append(m.Rows, row)
	}
	sortBy(m.Rows, func(a, b matrixRow) int {
		return cmp.Or(trueFirst(b.ID == hostRules, a.ID == hostRules), cmp.Compare(a.ID, b.ID))
	})
	return m
}

// shortNames leaves out what stands in brackets behind a name where the names
// still differ: a column is narrow, and the list above tells the rest.
func shortNames(columns []column) {
	times := map[string]int{}
	brief := func(name string) string {
		if at := strings.LastIndex(name, " ("); at > 0 && strings.HasSuffix(name, ")") {
			return name[:at]
		}
		return name
	}
	for _, c := range columns {
		times[brief(c.Product)]++
	}
	for i, c := range columns {
		if b := brief(c.Product); times[b] == 1 {
			columns[i].Product = b
		}
	}
}

func (s *builder) newCell(outcomes []scenarios.Outcome, numbers map[string]int) matrixCell {
	if len(outcomes) == 0 {
		return matrixCell{Empty: true}
	}
	c := matrixCell{Verdict: scenarios.NA}
	for _, o := range outcomes {
		c.Verdict = scenarios.Worst(c.Verdict, o.Verdict)
	}
	var notes []int
	for _, o := range outcomes {
		n, found := numbers[o.ID]
		if found {
			notes = append(notes, n)
		}
		if o.Verdict != c.Verdict {
			continue
		}
		c.Count++
		if c.Link == "" {
			c.Link = s.anchor(o.ID)
		}
	}
	slices.Sort(notes)
	notes = slices.Compact(notes)
	c.Notes = shortNotes(notes)
	return c
}

// shortNotes lists the first findings of a cell: "#1 #4 +3".
func shortNotes(notes []int) string {
	const most = 2
	var parts []string
	for i, n := range notes {
		if i == most {
			parts = append(parts, fmt.Sprintf("+%d", len(notes)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("#%d", n))
	}
	return strings.Join(parts, " ")
}

// matrix is the table of scenarios by clients, nil without rows.
func (s section) matrix() g.Node {
	if len(s.Matrix.Rows) == 0 {
		return nil
	}
	label := "Matrix"
	if s.Of != "" {
		label += " of " + s.Target.Name
	}
	return s.part("part", "matrix", "Scenarios by client", lines(
		el("p", class("lead"), text("Each cell shows its worst verdict, how many outcomes have it, and the numbers of the findings behind it. "+
			"An empty cell means that nothing there depends on the client: the first column speaks for it.")),
		g.If(s.First, legendPart()),
		el("div", class("scroll"), set("tabindex", "0"), set("role", "region"), labelled(label), lines(s.Matrix.table()), nl()),
	))
}

func (m matrix) table() g.Node {
	return el("table", class("matrix"),
		lines(
			el("thead", el("tr", el("th", set("scope", "col"), class("corner"), text("Scenario")), each(m.Columns, column.node))),
			el("tbody", eachLine(m.Rows, func(r matrixRow) g.Node {
				return el("tr", el("th", set("scope", "row"), text(r.Title)), each(r.Cells, matrixCell.node))
			}), nl()),
		))
}

func (c column) node() g.Node {
	return el("th", set("scope", "col"),
		g.If(!c.Neutral, el("span", toned(c.Verdict), sign(c.Verdict), unseenText(wordOf(c.Verdict).short))),
		el("span", text(c.Product)))
}

func (c matrixCell) node() g.Node {
	if c.Empty {
		return el("td")
	}
	return el("td", toned(c.Verdict), el("a", ref(c.Link),
		el("span", sign(c.Verdict), unseenText(wordOf(c.Verdict).short+" "), text(strconv.Itoa(c.Count))),
		textIn("small", c.Notes)))
}
