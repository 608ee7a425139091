package report

import (
	"cmp"
	"slices"

	g "maragu.dev/gomponents"
)

// filters are the choices of the bar. Of names what Verdicts chooses by.
type filters struct {
	Clients, Verdicts, Scenarios []option
	Of                           string
}

type option struct{ ID, Name string }

func newFilters(reports []Report) filters {
	f := filters{Of: "verdict"}
	for _, l := range legend() {
		f.Verdicts = append(f.Verdicts, option{string(l.Verdict), l.Word})
	}
	names, seen := map[string]string{}, map[string]bool{}
	for _, r := range reports {
		for _, c := range r.Clients {
			if _, ok := names[c.ID]; !ok {
				names[c.ID] = bounded(cmp.Or(c.Product, c.ID))
				f.Clients = append(f.Clients, option{c.ID, names[c.ID]})
			}
		}
		for _, o := range r.Outcomes {
			if !seen[o.Scenario] {
				seen[o.Scenario] = true
				f.Scenarios = append(f.Scenarios, option{o.Scenario, bounded(o.Scenario)})
			}
		}
	}
	sortBy(f.Scenarios, func(a, b option) int { return cmp.Compare(a.ID, b.ID) })
	return f
}

// toolbar is the form that filters findings.
func (f filters) toolbar() g.Node {
	return el("form",
		class("bar needs-script"), set("id", "bar"), set("role", "search"), labelled("Filter"), unscripted(),
		lines(
			el("label", class("grow"), unseenText("Search"), el("input",
				set("id", "q"), set("type", "search"), set("placeholder", "Search findings, checks, tools …"), set("autocomplete", "off"), set("spellcheck", "false"),
			)),
			g.If(len(f.Clients) > 0, choice("Client", "f-client", []option{{"", "every client"}, {"any", "any client alike"}}, f.Clients)),
			choice(f.Of, "f-verdict", []option{{"", "every " + f.Of}}, f.Verdicts),
			choice("Scenario", "f-scenario", []option{{"", "every scenario"}}, f.Scenarios),
			el("button", set("type", "reset"), text("Clear")),
			el("button", set("type", "button"), set("id", "help-open"), set("aria-haspopup", "dialog"), text("Keys")),
			el("output", set("id", "shown"), set("role", "status")),
		),
		nl(),
	)
}

// choice is one list of the toolbar; what stands for everything comes first.
func choice(label, id string, lists ...[]option) g.Node {
	return el("label", unseenText(label), el("select", set("id", id), each(slices.Concat(lists...), func(o option) g.Node {
		return el("option", set("value", o.ID), text(o.Name))
	})))
}

// noneMatch stands where a filter leaves nothing.
func noneMatch(of string) g.Node {
	return el("p", class("none-match"), unscripted(), text("No "+of+" matches. "),
		el("button", set("type", "button"), class("clear"), text("Clear the filter")))
}
