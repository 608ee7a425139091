package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	slices.SortFunc(m.Rows, func(a, b matrixRow) int {
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
