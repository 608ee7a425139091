package report

import (
	"strconv"

	g "maragu.dev/gomponents"
)

// node is the finding as the page shows it: a summary, and the rest when opened.
func (f htmlFinding) node() g.Node {
	return el("article",
		toned(f.Verdict, "finding"), set("id", f.ID),
		set("data-verdict", string(f.Verdict)), set("data-clients", f.Filter), set("data-scenario", f.Scenario),
		lines(el("details", g.If(f.Open, set("open")), lines(f.summary(), f.inner()), nl())),
		nl(),
	)
}

func (f htmlFinding) summary() g.Node {
	tag := func(there bool, word string) g.Node {
		return g.If(there, el("span", class("tag"), text(word)))
	}
	return el("summary",
		el("span", class("num"), text("#"+strconv.Itoa(f.N))),
		verdictBadge(f.Verdict),
		heading(f.Base+3, marked(f.Title)),
		g.If(len(f.Brief) > 0, el("span", class("brief said"), marked(f.Brief))),
		el("span", class("tags"),
			el("code", text(f.Check)),
			el("span", text("level: "+string(f.Level))),
			g.If(f.Cells > 1, el("span", text(strconv.Itoa(f.Cells)+" cells"))),
			tag(f.Known, "known"),
			tag(f.Waived != "", "waived"),
			g.Iff(f.Cause != nil, func() g.Node { return tag(true, f.Cause.SDK) }),
		),
	)
}

func (f htmlFinding) inner() g.Node {
	return el("div", class("inner"), lines(
		f.about(),
		f.sides(),
		f.faults(),
		g.If(f.MoreFaults > 0, small(count(f.MoreFaults, "more fault", "more faults")+" of this kind; more of them in the JSON report.")),
		f.Log.node(),
		f.cause(),
		mend(f.Remedy, len(f.Code) > 0 || f.CodeAt != ""),
		codeChoice(f.Tabs, f.Code),
		g.If(f.CodeAt != "", el("p", class("small"), el("a", ref(f.CodeAt), text("Code and example frames are with finding #"+strconv.Itoa(f.CodeAtN)+".")))),
		f.frames(),
		f.repro(),
		el("div", class("end"), lines(
			basis(f.Basis),
			el("div", el("span", class("dim"), text("Met in")), placeList(f.Places)),
			permalink(f.ID, "finding"),
		), nl()),
	), nl())
}

// about says what happened, to whom, and how that is known.
func (f htmlFinding) about() g.Node {
	if f.Why == "" && f.Meets == "" && len(f.Message) == 0 {
		return nil
	}
	known := ""
	if f.Known {
		known = "the baseline lists it"
	}
	return el("dl", class("about"), lines(
		g.If(len(f.Message) > 0, el("div", el("dt", text("What happened")), el("dd", class("said"), marked(f.Message)))),
		fact("Why it matters", f.Why),
		fact("Who meets it", f.Meets),
		g.If(len(f.Subject) > 0, entry("About", el("code", marked(f.Subject)))),
		fact("Waived", f.Waived),
		fact("Known", known),
		fact("How it is known", f.Source),
	), nl())
}

// sides set what was expected beside what was observed.
func (f htmlFinding) sides() g.Node {
	if len(f.Expected) == 0 && len(f.Observed) == 0 {
		return nil
	}
	side := func(name string, said []seg, more g.Node) g.Node {
		return el("figure", el("figcaption", text(name), more), verbatim(labelled(name), marked(said), class("said")))
	}
	return el("div", class("sides"), lines(
		side("Expected", f.Expected, nil),
		side("Observed", f.Observed, g.If(f.Differ, g.Group{text(" "), el("small", text("differences are underlined"))})),
	), nl())
}

// faults lists each place at fault by itself.
func (f htmlFinding) faults() g.Node {
	if len(f.Faults) == 0 {
		return nil
	}
	kind := "faults"
	if f.SameExpected {
		kind += " same"
	}
	column := func(name string) g.Node { return el("th", set("scope", "col"), text(name)) }
	said := func(segs []seg) g.Node { return el("td", class("said"), marked(segs)) }
	return el("table", class(kind),
		el("thead", el("tr", column("Where"), g.If(!f.SameExpected, column("Expected")), column("Observed"))),
		el("tbody", each(f.Faults, func(l faultLine) g.Node {
			return el("tr", el("th", set("scope", "row"), el("code", marked(l.Subject))), g.If(!f.SameExpected, said(l.Expected)), said(l.Observed))
		})))
}

// cause names the SDK that is known to behave so.
func (f htmlFinding) cause() g.Node {
	if f.Cause == nil {
		return nil
	}
	return el("div", class("cause"),
		el("p", el("b", text("Known cause: "+f.Cause.SDK+".")), text(" "+f.Cause.Text)),
		textIn("p", f.Cause.Remedy))
}

// mend opens what says how to mend a fault; code says that code follows.
func mend(remedy string, code bool) g.Node {
	if remedy == "" && !code {
		return nil
	}
	return g.Group{el("p", class("sub"), text("How to mend it")), textIn("p", remedy)}
}

// frames show a right and a wrong frame of the catalogue.
func (f htmlFinding) frames() g.Node {
	if len(f.Right) == 0 && len(f.Wrong) == 0 {
		return nil
	}
	frame := func(name, label string, segs []seg) g.Node {
		return g.If(len(segs) > 0, g.Group{el("p", class("dim"), text(name)), verbatim(labelled(label), marked(segs))})
	}
	return el("details", class("frames"), el("summary", text("What right and wrong look like")),
		frame("Right", "A right frame", f.Right), frame("Wrong", "A wrong frame", f.Wrong))
}

// repro is the shell line that shows the fault, or why there is none.
func (f htmlFinding) repro() g.Node {
	sub := func(title string) g.Node { return el("p", class("sub"), text(title)) }
	switch {
	case f.Repro != "":
		return g.Group{sub("See it without conform"), el("div", class("repro"), verbatim(labelled("Command that shows it"), text(f.Repro)), copyButton())}
	case f.NoRepro != "":
		return sub("No shell line shows this: " + f.NoRepro + ".")
	}
	return nil
}

// permalink leads to what it stands in.
func permalink(id, what string) g.Node {
	return el("div", class("link"), el("a", ref(id), text("Link to this "+what)))
}
