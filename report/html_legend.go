package report

import (
	g "maragu.dev/gomponents"

	"github.com/agntn/conform/scenarios"
)

type legendLine struct {
	Verdict scenarios.Verdict
	Word    string
	Says    string
}

// legend defines each verdict in the order of the page.
func legend() []legendLine {
	lines := []legendLine{
		{Verdict: scenarios.Fail, Says: "the claim does not hold; it counts"},
		{Verdict: scenarios.Warn, Says: "the claim does not hold; works with less"},
		{Verdict: scenarios.Error, Says: "conform failed, not the server"},
		{Verdict: scenarios.Unseen, Says: "applies, could not be observed"},
		{Verdict: scenarios.Info, Says: "worth knowing, no more"},
		{Verdict: scenarios.Pass, Says: "the claim was seen to hold"},
		{Verdict: scenarios.NA, Says: "does not apply to this server"},
	}
	for i := range lines {
		lines[i].Word = wordOf(lines[i].Verdict).short
	}
	return lines
}

// levels defines what kinds of rules there are.
func levels() []legendLine {
	return []legendLine{
		{Word: "must", Says: "the specification, its schema or JSON-RPC demands it"},
		{Word: "should", Says: "the specification recommends it"},
		{Word: "host", Says: "a named client breaks or hides something"},
		{Word: "house", Says: "the contract of tool packages, where a server promises it"},
		{Word: "note", Says: "open or allowed behaviour, recorded"},
	}
}

// legendPart tells what verdicts and levels mean.
func legendPart() g.Node {
	return el("section", class("legend"), labelled("What the words mean"), lines(
		el("dl", each(legend(), func(l legendLine) g.Node {
			return el("div", toned(l.Verdict), el("dt", sign(l.Verdict), text(l.Word)), el("dd", text(l.Says)))
		})),
		el("details", el("summary", text("What the levels mean")), levelTerms()),
	), nl())
}

func levelTerms() g.Node {
	return el("dl", each(levels(), func(l legendLine) g.Node { return entry(l.Word, text(l.Says)) }))
}
