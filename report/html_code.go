package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
)

type codeTab struct {
	N    int
	Name string
	Text []seg
}

// ownLines shows frames and code of the catalogue. They are ours: line feeds and
// tabs are layout, and everything else that is not plain is made visible.
func ownLines(text string, most int) []seg {
	if text == "" {
		return nil
	}
	text = Bound(strings.ReplaceAll(text, "\t", "    "), most)
	return []seg{{S: strings.Join(VisibleLines(text), "\n")}}
}

// codeTabs returns code by language.
func codeTabs(code map[string]string) []codeTab {
	var tabs []codeTab
	for i, name := range Languages(code) {
		tabs = append(tabs, codeTab{i + 1, bounded(name), ownLines(code[name], codeText)})
	}
	return tabs
}

// Languages sorts the languages of code: the usual four first, then by name.
func Languages(code map[string]string) []string {
	usual := []string{"TypeScript SDK v1", "TypeScript SDK v2", "Go", "Python"}
	names := make([]string, 0, len(code))
	for name := range code {
		names = append(names, name)
	}
	place := func(name string) int {
		if i := slices.Index(usual, name); i >= 0 {
			return i
		}
		return len(usual)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
	})
	return names
}

// codeChoice shows code by language, one at a time. It works without script: id
// names the choice.
func codeChoice(id string, tabs []codeTab) g.Node {
	if len(tabs) == 0 {
		return nil
	}
	tabID := func(t codeTab) string { return id + "-" + strconv.Itoa(t.N) }
	return el("fieldset", class("tabs"),
		el("legend", class("sr"), text("Code for")),
		each(tabs, func(t codeTab) g.Node {
			return el("input", set("type", "radio"), set("name", id), set("id", tabID(t)), g.If(t.N == 1, set("checked")))
		}),
		el("div", class("names"), each(tabs, func(t codeTab) g.Node { return el("label", set("for", tabID(t)), text(t.Name)) })),
		each(tabs, func(t codeTab) g.Node {
			return el("div", class("tab"), el("p", class("lang"), text(t.Name)), verbatim(labelled(t.Name), marked(t.Text)))
		}))
}
