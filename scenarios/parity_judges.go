package scenarios

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

// targets are the facts of the cell's transport, newest revision first.
func (e *Evidence) targets() []*Facts {
	var out []*Facts
	for _, f := range e.Run.Targets {
		if f.Transport == e.Cell.Transport {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *Facts) int { return strings.Compare(b.Revision, a.Revision) })
	return out
}

const oneRevision = "the server offers one revision alone over this transport"

func judgeListingRevisions(e *Evidence) Ruling {
	all := e.targets()
	if len(all) < 2 {
		return NotApplicable(oneRevision)
	}
	var r Ruling
	for _, f := range all[1:] {
		if !f.Listed || !all[0].Listed {
			continue
		}
		r.Seen++
		r.Faults = append(r.Faults, listingFaults(all[0], f, all[0].Revision, f.Revision)...)
	}
	r = firstOfEach(r)
	r.Proof = listProof(e)
	for i := range r.Faults {
		r.Faults[i].Proof = r.Proof
	}
	return r
}

// listProof are the lists themselves.
func listProof(e *Evidence) []*Exchange {
	var out []*Exchange
	for _, x := range e.Opening() {
		if x.Label == "tools/list" && x.Answered() && len(out) < 3 {
			out = append(out, x)
		}
	}
	return out
}

// bornMembers names the revision that brought a member of a tool.
func bornMembers() map[string]string {
	return map[string]string{
		"annotations": fakes.Rev20250326, "title": fakes.Rev20250618, "outputSchema": fakes.Rev20250618, "icons": fakes.Rev20251125,
	}
}

// listingFaults compares two lists. Members that one of the two revisions does
// not know, and those that belong to the protocol or to a framework, are left aside.
func listingFaults(a, b *Facts, nameA, nameB string) []Fault {
	var out []Fault
	add := func(subject, want, got string) {
		out = append(out, Fault{
			Subject: subject, Expected: "as in " + nameA + ": " + want, Observed: "in " + nameB + ": " + got,
			Message: fmt.Sprintf("%s differs: %s in %s, %s in %s", subject, want, nameA, got, nameB),
		})
	}
	for i := range a.Tools {
		s, t := &a.Tools[i], b.Tool(a.Tools[i].Name)
		if t == nil {
			add(s.Name, "listed", "not listed")
			continue
		}
		for _, name := range []string{"title", "description", "inputSchema", "outputSchema", "annotations", "icons"} {
			if born := bornMembers()[name]; born > a.Revision || born > b.Revision {
				continue
			}
			x, y := plainSchema(s.Get(name)), plainSchema(t.Get(name))
			if name == "outputSchema" && (oldForm(a, x) || oldForm(b, y)) {
				continue // handshake revisions take objects alone, so this one may have to differ
			}
			if x != y && !sameJSON(x, y) {
				add(s.Name+"."+name, short(orMissing(x), 160), short(orMissing(y), 160))
			}
		}
	}
	for i := range b.Tools {
		if a.Tool(b.Tools[i].Name) == nil {
			add(b.Tools[i].Name, "not listed", "listed")
		}
	}
	return out
}

// oldForm says that an output schema could not stand in a handshake revision.
func oldForm(f *Facts, schema string) bool {
	return f.Modern() && schema != "" && gjson.Get(schema, "type").Str != "object"
}

func orMissing(s string) string {
	if s == "" {
		return "missing"
	}
	return s
}

// plainSchema is a value without the members that say how a schema is to be
// read or how an argument travels; "" when there is none.
func plainSchema(v gjson.Result) string {
	switch {
	case v.IsObject():
		var parts []string
		v.ForEach(func(k, sub gjson.Result) bool {
			if k.Str != "$schema" && k.Str != "x-mcp-header" {
				parts = append(parts, k.Raw+":"+plainSchema(sub))
			}
			return true
		})
		return "{" + strings.Join(parts, ",") + "}"
	case v.IsArray():
		var parts []string
		v.ForEach(func(_, sub gjson.Result) bool {
			parts = append(parts, plainSchema(sub))
			return true
		})
		return "[" + strings.Join(parts, ",") + "]"
	}
	return v.Raw
}

func judgeListingTransports(e *Evidence) Ruling {
	transports := slices.Sorted(maps.Keys(e.Run.Facts.Offered))
	switch {
	case len(transports) < 2:
		return NotApplicable("one transport was tried")
	case e.Cell.Transport != transports[0]:
		return NotApplicable("told under " + transports[0])
	}
	var r Ruling
	for _, f := range e.targets() {
		for _, other := range transports[1:] {
			g := e.Run.Target(other, f.Revision)
			if g == nil || !f.Listed || !g.Listed {
				continue
			}
			r.Seen++
			r.Faults = append(r.Faults, listingFaults(g, f, other, f.Transport)...)
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the transports have no revision in common")
	}
	r = firstOfEach(r)
	r.Proof = listProof(e)
	for i := range r.Faults {
		r.Faults[i].Proof = r.Proof
	}
	return r
}

// judgeTextsRevisions compares what each revision says every time.
func judgeTextsRevisions(e *Evidence) Ruling {
	all := e.targets()
	if len(all) < 2 {
		return NotApplicable(oneRevision)
	}
	said := map[string]map[string][]*Exchange{} // call, revision, answers
	for _, x := range e.All("") {
		revision, rest, _ := strings.Cut(x.Label, "/")
		i := strings.LastIndex(rest, "/")
		if i < 0 || !x.Answered() || x.Code() == -32021 || wantsInput(x.Result()) {
			continue
		}
		if t := e.Run.Target(e.Cell.Transport, revision); toolName(x) != unknownPlain && (t == nil || t.Tool(toolName(x)) == nil) {
			continue // not listed there: the comparison of lists tells of it
		}
		call := rest[:i]
		if said[call] == nil {
			said[call] = map[string][]*Exchange{}
		}
		said[call][revision] = append(said[call][revision], x)
	}
	var r Ruling
	for _, call := range slices.Sorted(maps.Keys(said)) {
		if len(said[call]) < 2 {
			continue
		}
		r.Seen++
		if f := differs(said[call]); f != nil {
			r.Faults = append(r.Faults, *f)
		}
	}
	if r.Seen == 0 {
		return NotSeen("no call was answered under two revisions")
	}
	return r
}

// differs is the fault of a call that says one thing under one revision and
// another under another, each every time.
func differs(said map[string][]*Exchange) *Fault {
	steady := map[string]*Exchange{}
	for revision, all := range said {
		first := all[0]
		if !slices.ContainsFunc(all, func(x *Exchange) bool { return x.Text() != first.Text() }) {
			steady[revision] = first
		}
	}
	revisions := slices.Sorted(maps.Keys(steady))
	slices.Reverse(revisions)
	for i, a := range revisions {
		for _, b := range revisions[i+1:] {
			x, y := steady[a], steady[b]
			if sameWords(x, y, min(a, b)) || len(said[a]) < 3 || len(said[b]) < 3 {
				continue
			}
			return &Fault{
				Subject: toolName(x), Expected: "as under " + a + ": " + short(x.Text(), 300), Observed: "under " + b + ": " + short(y.Text(), 300),
				Message: fmt.Sprintf("%s answers %s under %s and %s under %s", toolName(x), short(quoted(x.Text()), 120), a, short(quoted(y.Text()), 120), b),
				Proof:   []*Exchange{x, y},
			}
		}
	}
	return nil
}

// sameWords compares what two answers say. Before 2025-06-18 there is no
// structured content, and a server may write it out in a block of its own.
func sameWords(x, y *Exchange, older string) bool {
	if x.Text() == y.Text() {
		return true
	}
	a, b := x.Text(), y.Text()
	return older < fakes.Rev20250618 && (strings.HasPrefix(a, b+"\n") || strings.HasPrefix(b, a+"\n"))
}

// sideOf is the evidence of another scenario's cell on the same transport, nil
// when it was not driven.
func (e *Evidence) sideOf(scenario string) *Evidence {
	for _, c := range e.Run.Cells {
		if c.Scenario == scenario && c.Transport == e.Cell.Transport && c.Skip == "" && c.Client == e.Cell.Client {
			return &Evidence{Cell: c, Facts: e.Run.Target(c.Transport, c.Revision), Run: e.Run}
		}
	}
	return nil
}

func judgeQuestionEras(e *Evidence) Ruling {
	old, modern := e.sideOf("elicitation"), e.sideOf("input-required")
	if old == nil || modern == nil {
		if len(e.targets()) > 0 && (!e.targets()[0].Modern() || e.targets()[len(e.targets())-1].Modern()) {
			return NotApplicable("the server offers one era alone")
		}
		return NotSeen("the scenarios elicitation and input-required were not both driven")
	}
	a, b := old.outcomes(), modern.outcomes()
	switch {
	case !a.accept.asked():
		return inWords("in the handshake era ", old.whyNothingAsked())
	case !b.accept.asked():
		return inWords("in 2026-07-28 ", modern.whyNothingAsked())
	case toolName(a.accept.call) != toolName(b.accept.call) || !sameJSON(arguments(a.accept.call).Raw, arguments(b.accept.call).Raw):
		return NotSeen("another tool was found to ask in each era; give one the role asks in conform.yaml")
	}
	r := Ruling{Seen: 1, Proof: append(a.accept.proof(), b.accept.proof()...)}
	add := func(what, x, y string) {
		r.Faults = append(r.Faults, Fault{
			Subject: toolName(a.accept.call) + ", " + what, Expected: "as under " + old.Cell.Revision + ": " + short(x, 300), Observed: "under " + modern.Cell.Revision + ": " + short(y, 300),
			Message: fmt.Sprintf("%s of %s differs: %s under %s, %s under %s", what, toolName(a.accept.call), short(x, 160), old.Cell.Revision, short(y, 160), modern.Cell.Revision),
			Proof:   append(a.accept.proof(), b.accept.proof()...),
		})
	}
	p, q := flat(a.accept), flat(b.accept)
	if len(p) != len(q) {
		add("the number of questions", count(len(p), "question"), count(len(q), "question"))
	}
	for i := range min(len(p), len(q)) {
		if x, y := p[i].params.Get("message"), q[i].params.Get("message"); x.String() != y.String() {
			add("the message", x.String(), y.String())
		}
		if x, y := plainSchema(p[i].params.Get("requestedSchema")), plainSchema(q[i].params.Get("requestedSchema")); x != y && !sameJSON(x, y) {
			add("the form", orMissing(x), orMissing(y))
		}
	}
	for _, action := range []string{"accept", "decline", "cancel"} {
		x, y := steadyEnd(old, action), steadyEnd(modern, action)
		if x != "" && y != "" && figures(x) != figures(y) {
			add("the outcome of "+action, x, y)
		}
	}
	return r
}

func inWords(where string, r Ruling) Ruling {
	if r.NA != "" {
		return NotApplicable(where + "nothing was asked: " + r.NA)
	}
	return NotSeen(where + "nothing was asked: " + r.Unseen)
}

// flat are all questions of a talk in order.
func flat(t *talk) []asked {
	var out []asked
	for _, round := range t.rounds {
		out = append(out, round...)
	}
	return out
}

// steadyEnd is what a talk and its repetition both ended with, "" when they differ.
func steadyEnd(e *Evidence, action string) string {
	a, b := e.talk(action), e.talk(action+":again")
	if a == nil || b == nil || !a.end.Answered() || wantsInput(a.end.Result()) || a.end.Text() != b.end.Text() {
		return ""
	}
	return a.end.Text()
}

// figures masks numbers, which may count calls or tell the time.
func figures(s string) string { return regexp.MustCompile(`[0-9]+`).ReplaceAllString(s, "0") }
