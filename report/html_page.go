package report

import (
	"slices"
	"strconv"

	g "maragu.dev/gomponents"
)

// htmlPage is everything the page shows.
type htmlPage struct {
	Title    string
	Tool     Tool
	Sections []section
	// Many says that the report holds several servers.
	Many    bool
	Filters filters
	More    lazyData
}

func newPage(r Report, o HTMLOptions, more *lazy) *htmlPage {
	p := &htmlPage{Tool: Tool{bounded(r.Tool.Name), bounded(r.Tool.Version)}}
	reports := []Report{r}
	if len(r.Servers) > 0 {
		p.Many = true
		reports = slices.Clone(r.Servers)
		if len(r.Outcomes) > 0 {
			reports = append([]Report{r}, reports...)
		}
	}
	room := &detailFor{}
	for i := range reports {
		reports[i] = clean(reports[i])
		b := &builder{
			report: &reports[i], opt: o, more: more, room: room,
			names: map[string]string{Neutral: "any client"}, orders: map[string]int{},
			anchors: map[string]string{}, taken: map[string]bool{}, explained: map[string]htmlFinding{},
		}
		s := section{Base: 1, First: i == 0, Page: p, Bar: !p.Many}
		if p.Many {
			b.prefix = "s" + strconv.Itoa(i+1) + ":"
			s.Base, s.Of = 2, b.prefix+"name "
		}
		b.base = s.Base
		b.build(&s)
		p.Sections = append(p.Sections, s)
	}
	p.Title = p.Sections[0].Target.Name
	if p.Many {
		p.Title = count(len(reports), "server", "servers")
	}
	p.Title += " · conform report"
	p.Filters = newFilters(reports)
	return p
}

// node is the whole page.
func (p *htmlPage) node() g.Node {
	body := []g.Node{el("a", class("skip"), ref("main"), text("Skip to the findings"))}
	if p.Many {
		body = append(body, p.overview(), el("main", set("id", "main"), lines(p.Filters.toolbar()), eachLine(p.Sections, section.several), nl()))
	} else {
		body = append(body, p.Sections[0].head(), el("main", set("id", "main"), class("body"), p.Sections[0].parts(), nl()))
	}
	return document(p.Tool, p.Title, append(body,
		foot(p.Tool, " Verdicts rest on the frames shown and on nothing else. Counts are not grades."),
		el("template", set("id", "more"), set("data-encoding", p.More.Encoding), text(p.More.Text)),
	)...)
}

// overview lists the servers of a page that has several.
func (p *htmlPage) overview() g.Node {
	return el("header", class("top"), lines(
		brand("report"),
		el("h1", text(count(len(p.Sections), "server", "servers"))),
		el("ul", class("servers"), eachLine(p.Sections, func(s section) g.Node {
			return el("li", verdictBadge(s.Verdict), text(" "), el("a", ref(s.Prefix+"head"), el("b", marked(s.Name))), text(" "+s.Headline))
		}), nl()),
	), nl())
}
