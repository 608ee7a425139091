package report

import (
	"io"
	"net/url"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"

	"github.com/agntn/conform/scenarios"
)

// The page is made of gomponents, which escape text and attribute values. Only what
// is named fixed is written as it is, and where links lead is decided in this file
// alone. The library's functions are wrapped in some that are not inlined: inlined,
// each of their many uses holds a copy of what they return, a megabyte in all.

// el is an element.
//
//go:noinline
func el(name string, children ...g.Node) g.Node { return g.El(name, children...) }

// set is an attribute, one without a value where none is given.
//
//go:noinline
func set(name string, value ...string) g.Node { return g.Attr(name, value...) }

// text is text, whatever it holds.
//
//go:noinline
func text(s string) g.Node { return g.Text(s) }

// fixed is markup, style or script of the page itself.
//
//go:noinline
func fixed(own string) g.Node { return g.Raw(own) }

// class gives an element its classes.
func class(names string) g.Node { return set("class", names) }

// ref leads to an id of the page.
func ref(id string) g.Node { return set("href", "#"+id) }

// away leads to another site, nil unless the address is one of the web.
func away(address string) g.Node {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return nil
	}
	return g.Group{set("href", u.String()), set("rel", "noopener noreferrer")}
}

// favicon is the picture of the page in a browser's tab.
func favicon() g.Node {
	return el("link", set("rel", "icon"), set("href", "data:image/svg+xml,"+
		"%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%23335c81'/%3E"+
		"%3Cpath d='M4.5 8.5l2.5 2.5 4.5-5.5' fill='none' stroke='white' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E"))
}

// nl ends a line of the page's source.
func nl() g.Node { return text("\n") }

// lines begins a line of the page's source for each node; nil is nothing.
func lines(nodes ...g.Node) g.Node {
	var out g.Group
	for _, n := range nodes {
		if n != nil {
			out = append(out, nl(), n)
		}
	}
	return out
}

// each makes a node of each item. They are made when they are written, so that a
// long page is never in memory as a whole.
func each[T any](list []T, node func(T) g.Node) g.Node {
	return times(len(list), func(i int) g.Node { return node(list[i]) })
}

// eachLine is each with every item on a line of its own.
func eachLine[T any](list []T, node func(T) g.Node) g.Node {
	return times(len(list), func(i int) g.Node { return lines(node(list[i])) })
}

// times makes n nodes when they are written.
//
//go:noinline
func times(n int, node func(i int) g.Node) g.Node {
	return g.NodeFunc(func(w io.Writer) error {
		for i := range n {
			if item := node(i); item != nil {
				if err := item.Render(w); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// textIn is a text in an element, nil for "".
func textIn(element, s string, attributes ...g.Node) g.Node {
	return g.If(s != "", el(element, append(attributes, text(s))...))
}

// heading is a heading; levels differ between one server and several.
func heading(level int, children ...g.Node) g.Node {
	return el("h"+strconv.Itoa(min(max(level, 1), 6)), children...)
}

// entry is a term of a list with what is said of it.
func entry(name string, says ...g.Node) g.Node {
	return el("div", el("dt", text(name)), el("dd", says...))
}

// fact is an entry of one text, nil for "".
func fact(name, s string) g.Node {
	return g.If(s != "", entry(name, text(s)))
}

// verbatim shows text as it is, in a box that scrolls and that label names.
func verbatim(label, code g.Node, more ...g.Node) g.Node {
	return el("pre", g.Group(more), set("tabindex", "0"), set("role", "group"), label, el("code", code))
}

// labelled names what has no heading of its own.
func labelled(name string) g.Node { return set("aria-label", name) }

// small is a remark in a line of its own.
func small(s string) g.Node { return el("p", class("dim small"), text(s)) }

// copyButton copies the code beside it.
func copyButton() g.Node {
	return el("button", set("type", "button"), class("copy needs-script"), unscripted(), text("Copy"))
}

// unscripted hides what does nothing until the script has run.
func unscripted() g.Node { return set("hidden") }

// toned gives an element the class of a verdict after the classes before it.
func toned(v scenarios.Verdict, before ...string) g.Node {
	return class(strings.Join(append(before, "v-"+string(cleanVerdict(v))), " "))
}

// sign is the picture of a verdict.
func sign(v scenarios.Verdict) g.Node {
	return el("svg", class("i"), set("aria-hidden", "true"), el("use", ref("i-"+string(cleanVerdict(v)))))
}

// verdictBadge is a verdict as picture and word.
func verdictBadge(v scenarios.Verdict) g.Node {
	return el("span", toned(v, "badge"), sign(v), text(wordOf(v).short))
}
