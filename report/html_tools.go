package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	g "maragu.dev/gomponents"

	"github.com/agntn/conform/scenarios"
)

// Bounds of the tool cards. With more tools than wholeCards only clients that do
// something to a tool are listed; after mostViews lines only the summary is left.
const (
	wholeCards = 60
	mostViews  = 800
	// firstCards is how many cards stand open to the eye; more when more tools suffer.
	firstCards = 20
	mostCards  = 50
)

// toolCard is one tool as each client shows and reads it.
type toolCard struct {
	Name []seg
	// Sum says in short what becomes of the tool: "dropped by Cursor".
	Sum   string
	Worse bool
	Open  bool
	Views []toolView
	// Alike counts clients left out because they take the tool as it is.
	Alike int
	// Left counts clients left out for room.
	Left      int
	NotCalled string
}

type toolView struct {
	Client, ID   string
	Label, Name  []seg
	Reads, Hides string
	State, Note  string
	Sample       []seg
	Source       string
	Ordinary     bool
	// Gone says that neither a person nor the model gets the tool.
	Gone bool
}

// allTools are the states that a client gives every tool: state, then client.
type allTools map[string]map[string]bool

// newAllTools finds what holds for every tool, so that not every card repeats it.
func newAllTools(views []scenarios.View) allTools {
	tools, counts := map[string]bool{}, map[[2]string]int{}
	for _, v := range views {
		tools[v.Tool] = true
		counts[[2]string{bounded(v.State), v.Client}]++
	}
	out := allTools{}
	for k, n := range counts {
		if n < len(tools) || len(tools) < 3 || k[0] == "" || k[0] == "ok" {
			continue
		}
		if out[k[0]] == nil {
			out[k[0]] = map[string]bool{}
		}
		out[k[0]][k[1]] = true
	}
	return out
}

// sum says what becomes of every tool: "Every tool is rewritten by Codex CLI."
func (a allTools) sum(s *builder) string {
	by := map[string][]string{}
	for state, clients := range a {
		for _, id := range slices.SortedFunc(maps.Keys(clients), func(x, y string) int { return cmp.Compare(s.order(x), s.order(y)) }) {
			by[state] = append(by[state], s.product(id))
		}
	}
	if text := stateSum(by, 0, 0); text != "" {
		return "Every tool is " + text + "."
	}
	return ""
}

func (s *builder) newTools() []toolCard {
	byTool := map[string][]scenarios.View{}
	for _, v := range s.report.Views {
		byTool[v.Tool] = append(byTool[v.Tool], v)
	}
	reasons := map[string]string{}
	for _, n := range s.report.NotCalled {
		reasons[n.Tool] = bounded(n.Reason)
	}
	names := make([]string, 0, len(byTool))
	for name := range byTool {
		names = append(names, name)
	}
	all := newAllTools(s.report.Views)
	out := make([]toolCard, 0, len(names))
	room := mostViews
	slices.Sort(names) // the room goes to the same cards every time
	for _, name := range names {
		views := byTool[name]
		sortBy(views, func(a, b scenarios.View) int {
			return cmp.Or(cmp.Compare(s.order(a.Client), s.order(b.Client)), cmp.Compare(a.Client, b.Client))
		})
		card := s.newCard(name, views, len(names) > wholeCards, reasons[name], all)
		if room -= len(card.Views); room < 0 {
			card.Left, card.Views = len(card.Views), nil
		}
		out = append(out, card)
	}
	sortBy(out, func(a, b toolCard) int {
		return cmp.Or(trueFirst(a.Worse, b.Worse), cmp.Compare(flat(a.Name), flat(b.Name)))
	})
	if len(out) > 0 && len(out[0].Views) > 0 {
		out[0].Open = true
	}
	return out
}

// splitTools keeps the cards worth a look apart from the many alike.
func splitTools(cards []toolCard) (first, more []toolCard) {
	n := 0
	for n < len(cards) && n < mostCards && (cards[n].Worse || n < firstCards) {
		n++
	}
	if len(cards)-n < 5 {
		n = len(cards) // not worth a fold
	}
	return cards[:n], cards[n:]
}

func (s *builder) newCard(name string, views []scenarios.View, short bool, notCalled string, all allTools) toolCard {
	card := toolCard{Name: shown(name, shortText), NotCalled: notCalled}
	by, notes, common := map[string][]string{}, 0, 0
	for _, v := range views {
		t := toolView{
			Client: s.product(v.Client), ID: v.Client, Label: shown(v.Label, shortText), Name: shown(v.Name, shortText),
			Reads: bounded(v.Reads), Hides: bounded(strings.Join(v.Hides, ", ")), Note: bounded(v.Note),
			Sample: shown(v.Sample, briefText), Source: knownFrom(v.Source), Ordinary: v.State == "" || v.State == "ok",
			Gone: v.State == "dropped" || v.State == "lost",
		}
		if !t.Ordinary {
			t.State = bounded(v.State)
			if !all[t.State][v.Client] {
				by[t.State] = append(by[t.State], t.Client)
			} else {
				common++
			}
		}
		if t.Ordinary && t.Note != "" {
			notes++
		}
		if short && t.Ordinary && t.Note == "" {
			card.Alike++
			continue
		}
		card.Views = append(card.Views, t)
	}
	card.Worse = len(by) > 0
	card.Sum = stateSum(by, notes, len(views)-common)
	return card
}

// stateSum says what becomes of a tool in few words.
func stateSum(by map[string][]string, notes, clients int) string {
	var parts []string
	for _, state := range []string{"lost", "dropped", "rewritten"} {
		if names := by[state]; len(names) > 0 {
			parts = append(parts, state+" by "+listed(names, 3))
		}
	}
	if len(parts) == 0 && clients > 0 {
		parts = append(parts, "kept by "+count(clients, "client", "clients"))
	}
	if notes > 0 {
		parts = append(parts, count(notes, "note", "notes"))
	}
	return strings.Join(parts, "; ")
}

// tools are the tools as each client shows and reads them, nil without any.
func (s section) tools() g.Node {
	if len(s.Tools) == 0 {
		return nil
	}
	cards := func(list []toolCard, more ...g.Node) g.Node {
		return el("div", class("tools"), each(list, toolCard.node), g.Group(more))
	}
	var more g.Node
	if n := len(s.MoreTools); n > 0 {
		more = el("details", class("tool"), el("summary", el("span", text(count(n, "more tool", "more tools")))), cards(s.MoreTools))
	}
	return s.part("part", "tools", "Tools, as each client shows and reads them", lines(
		textIn("p", s.EveryTool, class("lead")),
		cards(s.Tools, more),
	))
}

func (c toolCard) node() g.Node {
	kind := "dim"
	if c.Worse {
		kind = "worse"
	}
	beside := func(n int, who, says string) g.Node {
		return g.If(n > 0, el("li", el("b", class("dim"), text(who)), el("p", class("dim"), text(says))))
	}
	return el("details", class("tool"), g.If(c.Open, set("open")),
		el("summary", el("code", marked(c.Name)), text(" "), el("span", class(kind), text(c.Sum))),
		lines(
			g.If(c.NotCalled != "", el("p", class("dim"), text("Not called: "+c.NotCalled))),
			el("ul", class("views"),
				eachLine(c.Views, toolView.node),
				lines(
					beside(c.Left, "left out", count(c.Left, "client", "clients")+"; the JSON report lists them."),
					beside(c.Alike, "others", count(c.Alike, "client takes", "clients take")+" it as it is."),
				),
				nl()),
		))
}

func (v toolView) node() g.Node {
	var remarks []string
	if v.Hides != "" {
		remarks = append(remarks, "Never seen: "+v.Hides+". ")
	}
	if v.Source != "" {
		remarks = append(remarks, "Known from "+v.Source+".")
	}
	return el("li", g.If(!v.Ordinary, class("odd")), el("b", text(v.Client)), el("div",
		v.says(),
		nl(),
		textIn("p", v.Note, class("note")),
		textIn("p", strings.Join(remarks, ""), class("dim")),
		g.If(len(v.Sample) > 0, el("p", class("dim"), text("The model reads, for one call: "), el("code", marked(v.Sample)))),
	))
}

// says is the sentence about what the client does with the tool.
func (v toolView) says() g.Node {
	state := func(then string) g.Node {
		return g.If(v.State != "", g.Group{el("span", class("state"), text(v.State)), text(then)})
	}
	if v.Gone {
		return el("p", state(": neither a person nor the model gets it."))
	}
	reads := "."
	switch v.Reads {
	case "":
	case "not called":
		reads = "; no answer of it was seen."
	default:
		reads = ", reads " + v.Reads + "."
	}
	return el("p",
		state(": "),
		g.If(len(v.Label) > 0, g.Group{text("shows "), el("q", class("said"), marked(v.Label))}),
		g.If(len(v.Name) > 0, g.Group{text(", its model calls "), el("code", marked(v.Name))}),
		text(reads),
	)
}
