package report

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"

	"github.com/agntn/conform/scenarios"
)

// catalogue is the page of all checks.
type catalogue struct {
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
	p := catalogue{
		Title: "What conform checks", Tool: Tool{bounded(tool.Name), bounded(tool.Version)},
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
	return writePage(w, p.node())
}

func newCatalogueCheck(i int, id string, t CheckText) catalogueCheck {
	return catalogueCheck{
		ID: safeID(id), Scenario: safeID(scenarios.Check{ID: id}.Scenario()), Claim: bounded(cmp.Or(t.Claim, id)), Why: bounded(t.Why), Remedy: bounded(t.Remedy), Meets: bounded(strings.Join(t.Hosts, ", ")),
		Level: scenarios.Level(cleanID(string(t.Level))), Right: ownLines(t.Right, longText), Wrong: ownLines(t.Wrong, longText),
		Tabs: "code" + strconv.Itoa(i), Code: codeTabs(t.Code), Basis: specLinks(t.Basis, "", nil),
	}
}

// node is the whole page.
func (p catalogue) node() g.Node {
	return document(p.Tool, p.Title,
		el("a", class("skip"), ref("main"), text("Skip to the checks")),
		el("header", class("top"), lines(
			brand("catalogue"),
			el("h1", text(p.Title)),
			el("p", class("under"), text(count(p.Checks, "check", "checks")+" in "+count(len(p.Scenarios), "scenario", "scenarios")+
				". Each is one claim about a server, with who meets its fault and how to mend it.")),
			el("div", class("legend"), levelTerms()),
		), nl()),
		el("main", set("id", "main"), class("body"), lines(p.Filters.toolbar(), noneMatch("check")), eachLine(p.Scenarios, catalogueScenario.node), nl()),
		foot(p.Tool, ""),
	)
}

func (s catalogueScenario) node() g.Node {
	return el("section", class("part group"), set("aria-labelledby", s.ID),
		lines(el("h2", set("id", s.ID), text(s.Title+" "), el("small", text(count(len(s.Checks), "check", "checks"))))),
		eachLine(s.Checks, catalogueCheck.node), nl())
}

func (c catalogueCheck) node() g.Node {
	return el("article",
		class("finding check"), set("id", c.ID), set("data-verdict", string(c.Level)), set("data-clients", ""), set("data-scenario", c.Scenario),
		lines(el("details",
			el("summary", el("h3", text(c.Claim)), el("span", class("tags"), el("code", text(c.ID)), el("span", text("level: "+string(c.Level))))),
			lines(el("div", class("inner"), lines(
				g.If(c.Why != "" || c.Meets != "", el("dl", class("about"), fact("Why it matters", c.Why), fact("Who meets it", c.Meets))),
				c.sides(),
				mend(c.Remedy, len(c.Code) > 0),
				codeChoice(c.Tabs, c.Code),
				el("div", class("end"), basis(c.Basis), permalink(c.ID, "check")),
			), nl())),
		)),
		nl(),
	)
}

// sides set a right frame beside a wrong one.
func (c catalogueCheck) sides() g.Node {
	if len(c.Right) == 0 && len(c.Wrong) == 0 {
		return nil
	}
	side := func(name, label string, frame []seg) g.Node {
		return g.If(len(frame) > 0, el("figure", el("figcaption", text(name)), verbatim(labelled(label), marked(frame))))
	}
	return el("div", class("sides"), side("Right", "A right frame", c.Right), side("Wrong", "A wrong frame", c.Wrong))
}
