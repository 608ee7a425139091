package report

import (
	"fmt"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"

	"github.com/agntn/conform/scenarios"
)

type countLine struct {
	Verdict scenarios.Verdict
	N       int
}

type clientLine struct {
	ID, Product, Version, Seen, Says string
	Verdict                          scenarios.Verdict
}

// head says of a server what it is and what the run came to.
func (s section) head() g.Node {
	return el("header", class("top"), set("id", s.Prefix+"head"), lines(
		g.If(s.Base == 1, brand("report")),
		s.name(),
		el("p", toned(s.Verdict, "verdict"), sign(s.Verdict), el("span", text(s.Headline))),
		textIn("p", s.Under, class("under")),
		g.If(len(s.Counts) > 0, s.counts()),
		s.facts(),
		g.If(s.Report.Command != "", s.repeat()),
		s.jump(),
	), nl())
}

// brand is the line above the title of a page.
func brand(page string) g.Node {
	return el("p", class("brand"), text("conform "), el("span", text(page)))
}

func (s section) name() g.Node {
	return el("div", class("title"),
		heading(s.Base,
			el("span", set("id", s.Prefix+"name"), marked(s.Name)),
			g.If(len(s.Version) > 0, g.Group{text(" "), el("small", marked(s.Version))}),
		),
		g.If(len(s.Title) > 0, el("p", marked(s.Title))),
	)
}

func (s section) counts() g.Node {
	return el("ul", class("counts"), labelled(thousands(s.Outcomes)+" outcomes by verdict"),
		eachLine(s.Counts, func(c countLine) g.Node {
			return el("li", toned(c.Verdict), sign(c.Verdict), el("b", text(thousands(c.N))), text(" "+wordOf(c.Verdict).short))
		}),
		lines(el("li", class("all"), text(count(s.Outcomes, "outcome", "outcomes")))),
		nl())
}

func (s section) facts() g.Node {
	wide := func(name, code string) g.Node {
		return g.If(code != "", el("div", class("wide"), el("dt", text(name)), el("dd", el("code", text(code)))))
	}
	return el("dl", class("facts"), lines(
		wide("Command", s.Target.Command),
		wide("Address", s.URL),
		fact("Revisions", listOrNone(s.Target.Revisions)),
		fact("Transports", listOrNone(s.Target.Transports)),
		fact("Tools", thousands(s.Target.Tools)),
		fact("Built on", s.Target.SDK),
		entry("Conform", text(s.Page.Tool.Version)),
		entry("Profile", text(string(s.Report.Profile))),
		fact("Seed", strconv.FormatInt(s.Report.Seed, 10)),
		g.If(s.Date != "", entry("Run", el("time", set("datetime", s.Stamp), text(s.Date)), text(", "+duration(s.Report.DurationMS)))),
		fact("Exit code", strings.TrimSuffix(strconv.Itoa(s.Report.Exit)+", "+s.Exit, ", ")),
	), nl())
}

func listOrNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

func (s section) repeat() g.Node {
	id := s.Prefix + "repeat"
	return el("div", class("repeat"),
		el("span", set("id", id), text("Repeat this run")),
		verbatim(set("aria-labelledby", id), text(Visible(Bound(s.Report.Command, shortText)))),
		copyButton())
}

// jump leads to the parts of the section that are there.
func (s section) jump() g.Node {
	of := "this report"
	if s.Of != "" {
		of = s.Target.Name
	}
	to := func(there bool, id, name string) g.Node {
		return g.If(there, el("a", ref(s.Prefix+id), text(name)))
	}
	return el("nav", class("jump"), labelled("Parts of "+of),
		to(len(s.Clients) > 0, "clients", "Works with"),
		to(len(s.Matrix.Rows) > 0, "matrix", "Matrix"),
		to(true, "findings", "Findings"),
		to(len(s.Tools) > 0, "tools", "Tools"),
		to(s.limited(), "limits", "Not proven"))
}

// clients says of each client how it gets on with the server.
func (s section) clients() g.Node {
	if len(s.Clients) == 0 {
		return nil
	}
	return s.part("part", "clients", "Works with", lines(
		el("ul", class("clients"), eachLine(s.Clients, clientLine.node), nl()),
	))
}

func (c clientLine) node() g.Node {
	return el("li", toned(c.Verdict), sign(c.Verdict), el("div",
		el("p", el("b", text(c.Product)), text(" "), unseenText(wordOf(c.Verdict).short+":"), textIn("span", c.Version, class("dim"))),
		el("p", text(c.Says)),
		g.If(c.Seen != "", small(c.Seen)),
	))
}

// duration writes milliseconds as people say them.
func duration(ms int64) string {
	switch {
	case ms < 1000:
		return fmt.Sprintf("%d ms", ms)
	case ms < 120_000:
		return fmt.Sprintf("%.1f s", float64(ms)/1000)
	}
	return fmt.Sprintf("%d min %d s", ms/60_000, ms/1000%60)
}
