package report

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// catalogue is the page of all checks.
type catalogue struct {
	Assets    assets
	Title     string
	Tool      Tool
	Filters   filters
	Levels    []legendLine
	Checks    int
	Scenarios []catalogueScenario
}

type catalogueScenario struct {
	ID, Title string
	Checks    []catalogueCheck
}

type catalogueCheck struct {
	ID           string
	Scenario     string
	Claim        string
	Why, Remedy  string
	Meets        string
	Level        scenarios.Level
	Right, Wrong []seg
	Tabs         string
	Code         []codeTab
	Basis        []link
}

// WriteCatalogueHTML writes every check with what the catalogue says of it as one
// self-contained page. tool names who writes it.
func WriteCatalogueHTML(w io.Writer, tool Tool, o HTMLOptions) error {
	assets, err := readAssets()
	if err != nil {
		return err
	}
	p := catalogue{
		Assets: assets, Title: "What conform checks", Tool: Tool{bounded(tool.Name), bounded(tool.Version)},
		Levels: levels(), Checks: len(o.Texts), Filters: filters{Of: "level"},
	}
	for _, l := range p.Levels {
		p.Filters.Verdicts = append(p.Filters.Verdicts, option{l.Word, l.Word})
	}
	ids := make([]string, 0, len(o.Texts))
	for id := range o.Texts {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		sa, _, _ := strings.Cut(a, "/")
		sb, _, _ := strings.Cut(b, "/")
		return cmp.Or(cmp.Compare(sa, sb), cmp.Compare(a, b))
	})
	for i, id := range ids {
		c := newCatalogueCheck(i, id, o.Texts[id])
		if n := len(p.Scenarios); n == 0 || p.Scenarios[n-1].ID != c.Scenario {
			title := bounded(cmp.Or(o.Scenarios[c.Scenario], c.Scenario))
			p.Scenarios = append(p.Scenarios, catalogueScenario{ID: c.Scenario, Title: title})
			p.Filters.Scenarios = append(p.Filters.Scenarios, option{c.Scenario, title})
		}
		last := &p.Scenarios[len(p.Scenarios)-1]
		last.Checks = append(last.Checks, c)
	}
	return assets.write(w, "catalogue", p)
}

func newCatalogueCheck(i int, id string, t CheckText) catalogueCheck {
	return catalogueCheck{
		ID: safeID(id), Scenario: safeID(scenarios.Check{ID: id}.Scenario()), Claim: bounded(cmp.Or(t.Claim, id)), Why: bounded(t.Why), Remedy: bounded(t.Remedy), Meets: bounded(strings.Join(t.Hosts, ", ")),
		Level: scenarios.Level(cleanID(string(t.Level))), Right: ownLines(t.Right, longText), Wrong: ownLines(t.Wrong, longText),
		Tabs: "code" + strconv.Itoa(i), Code: codeTabs(t.Code), Basis: specLinks(t.Basis, "", nil),
	}
}
