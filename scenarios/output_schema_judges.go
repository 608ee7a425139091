package scenarios

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
	"github.com/agntn/conform/fakes/readers"
)

// samples are the successful answers to the scenario's calls of tools that keep accepts.
func (e *Evidence) samples(keep func(*Tool) bool) []*Exchange {
	var out []*Exchange
	for _, prefix := range []string{"call:", "choice:", "mismatch:"} {
		for _, x := range e.All(prefix) {
			if t := e.Facts.Tool(toolName(x)); t != nil && x.Succeeded() && keep(t) {
				out = append(out, x)
			}
		}
	}
	return out
}

// withOutput runs a judge over the successful answers of tools with an output
// schema. look returns what is wrong with one, nil when nothing is, and says
// whether it could be judged. One tool is accused once.
func (e *Evidence) withOutput(look func(t *Tool, x *Exchange) (*Fault, bool)) Ruling {
	if e.Facts.Revision < fakes.Rev20250618 {
		return NotApplicable("output schemas came with 2025-06-18")
	}
	if !e.Facts.declaresOutput() {
		return NotApplicable("no tool declares an outputSchema")
	}
	r := e.overTools(e.samples(hasOutput), look)
	r.Unseen = "no call of a tool with an outputSchema succeeded; " + howToCall(e.Facts, hasOutput)
	return r
}

// declaresOutput says that some tool has an output schema.
func (f *Facts) declaresOutput() bool {
	for i := range f.Tools {
		if hasOutput(&f.Tools[i]) {
			return true
		}
	}
	return false
}

// overTools judges answers one by one and keeps the first fault of each tool.
func (e *Evidence) overTools(answers []*Exchange, look func(t *Tool, x *Exchange) (*Fault, bool)) Ruling {
	var r Ruling
	accused := map[string]bool{}
	for _, x := range answers {
		t := e.Facts.Tool(toolName(x))
		if t == nil {
			continue
		}
		f, judged := look(t, x)
		switch {
		case f != nil && accused[t.Name]:
		case f != nil:
			accused[t.Name] = true
			if f.Subject == "" {
				f.Subject = t.Name
			}
			if f.Proof == nil {
				f.Proof = []*Exchange{x}
			}
			r = r.add(x, f)
		case judged:
			r = r.add(x, nil)
		}
	}
	return r
}

// howToCall says how a user lets valid calls reach the tools that matter.
func howToCall(f *Facts, matters func(*Tool) bool) string {
	for i := range f.Tools {
		if t := &f.Tools[i]; matters(t) && !t.Callable {
			return fmt.Sprintf("%s was not called (%s): allow it with --allow all or under allow, or give a call of it under calls in conform.yaml", short(t.Name, 60), t.Why)
		}
	}
	return "give a call that succeeds under calls in conform.yaml"
}

func structured(x *Exchange) gjson.Result { return x.Result().Get("structuredContent") }

func judgeStructuredPresent(e *Evidence) Ruling {
	return e.withOutput(func(t *Tool, x *Exchange) (*Fault, bool) {
		s := structured(x)
		if s.Exists() && s.Type != gjson.Null {
			return nil, true
		}
		if s.Exists() && e.Facts.Modern() && fits(t.compiled("outputSchema"), json.RawMessage(s.Raw)) {
			return nil, true // null may be what the schema wants
		}
		observed := "no structuredContent"
		if s.Exists() {
			observed = "structuredContent is null"
		}
		return &Fault{Expected: "structuredContent that satisfies the outputSchema", Observed: observed, Hosts: onlyModern(e.Facts, "claude-code", "claude-code-print")}, true
	})
}

// onlyModern names clients that check answers under the stateless revision alone.
func onlyModern(f *Facts, clients ...string) []string {
	if f.Modern() {
		return clients
	}
	return nil
}

func judgeStructuredMatches(e *Evidence) Ruling {
	return e.withOutput(func(t *Tool, x *Exchange) (*Fault, bool) {
		s := structured(x)
		if !s.Exists() || s.Type == gjson.Null && !e.Facts.Modern() {
			return nil, false // missing: told by structured-present
		}
		problems, ok := mismatch(t, s)
		if !ok {
			return nil, false // the schema cannot be read: told by the listing
		}
		if len(problems) == 0 {
			return nil, true
		}
		return &Fault{Expected: "data that satisfy the outputSchema", Observed: problemList(problems), Hosts: onlyModern(e.Facts, "claude-code", "claude-code-print")}, true
	})
}

// mismatch lists what of a structured content breaks the tool's output schema.
// ok is false when nothing can be said about it.
func mismatch(t *Tool, s gjson.Result) (problems []jsonschema.Problem, ok bool) {
	schema := t.compiled("outputSchema")
	if schema == nil || !s.Exists() {
		return nil, false
	}
	type ruling struct {
		problems []jsonschema.Problem
		ok       bool
	}
	// Several checks look at the same answers, and a hard schema takes long.
	r := once(t.work, "mismatch "+s.Raw, func() ruling {
		problems, err := schema.Problems(json.RawMessage(s.Raw))
		return ruling{problems, err == nil}
	})
	return r.problems, r.ok
}

// problemList tells the first problems of a value in one line.
func problemList(problems []jsonschema.Problem) string {
	var parts []string
	for i, p := range problems {
		if i == 5 {
			parts = append(parts, fmt.Sprintf("and %d more", len(problems)-i))
			break
		}
		parts = append(parts, short(p.String(), 160))
	}
	return strings.Join(parts, "; ")
}

func judgeStructuredObject(e *Evidence) Ruling {
	switch {
	case e.Facts.Modern():
		return NotApplicable("from 2026-07-28 on structuredContent may be any JSON value")
	case e.Facts.Revision < fakes.Rev20250618:
		return NotApplicable("structuredContent came with 2025-06-18")
	}
	r := e.overTools(e.samples(anyTool), func(_ *Tool, x *Exchange) (*Fault, bool) {
		s := structured(x)
		if !s.Exists() || s.Type == gjson.Null {
			return nil, false
		}
		if s.IsObject() {
			return nil, true
		}
		return &Fault{Expected: "an object", Observed: "structuredContent is " + short(s.Raw, 120)}, true
	})
	return unlessStructured(e, r)
}

// unlessStructured says what it means that no answer had structuredContent.
func unlessStructured(e *Evidence, r Ruling) Ruling {
	if r.Seen == 0 && !e.Facts.declaresOutput() {
		return NotApplicable("no tool declares an outputSchema, and no answer had structuredContent")
	}
	r.Unseen = "no answer had structuredContent; " + howToCall(e.Facts, hasOutput)
	return r
}

func anyTool(*Tool) bool { return true }

func judgeUndeclared(e *Evidence) Ruling {
	r := e.overTools(e.samples(func(t *Tool) bool { return !t.Get("outputSchema").Exists() }), func(_ *Tool, x *Exchange) (*Fault, bool) {
		if s := structured(x); s.Exists() && s.Type != gjson.Null {
			return &Fault{Expected: "no structuredContent without an outputSchema", Observed: "structuredContent " + short(s.Raw, 200)}, true
		}
		return nil, true
	})
	r.Unseen = "no call of a tool without an outputSchema succeeded; " + howToCall(e.Facts, func(t *Tool) bool { return !hasOutput(t) })
	return r
}

// mismatches splits the evidence on data that break the schema: calls whose
// answer reports it, and calls whose answer carries such data all the same.
func (e *Evidence) mismatches() (reported, sent []*Exchange) {
	for _, x := range e.samples(hasOutput) {
		if problems, ok := mismatch(e.Facts.Tool(toolName(x)), structured(x)); ok && len(problems) > 0 {
			sent = append(sent, x)
		}
	}
	for _, x := range e.Doing(JobMismatches) {
		if t := e.Facts.Tool(toolName(x)); hasOutput(t) && e.validCall(x) {
			reported = append(reported, x)
		}
	}
	return reported, sent
}

const needsMismatch = "no tool was seen to return data that break its outputSchema; give such a tool the role mismatches in conform.yaml"

func judgeMismatchRefused(e *Evidence) Ruling {
	reported, sent := e.mismatches()
	r := e.overTools(sent, func(t *Tool, x *Exchange) (*Fault, bool) {
		problems, _ := mismatch(t, structured(x))
		return &Fault{Expected: "isError instead of data that break the outputSchema", Observed: "the data were sent: " + problemList(problems)}, true
	})
	for _, x := range reported {
		r = r.add(x, nil)
	}
	if x := e.Get("mismatch:role"); x.Answered() && x.IsRPCError() {
		r = r.add(x, nil) // refused on the other channel
	}
	return e.unlessMismatch(r)
}

// unlessMismatch says what it means that no data were seen to break their schema.
func (e *Evidence) unlessMismatch(r Ruling) Ruling {
	if r.Seen == 0 && !e.Facts.declaresOutput() {
		return NotApplicable("no tool declares an outputSchema")
	}
	r.Unseen = needsMismatch
	return r
}

func judgeMismatchLines(e *Evidence) Ruling {
	reported, _ := e.mismatches()
	if x := e.Get("mismatch:role"); x.Refused() && !saysMismatch(x) {
		reported = append(reported, x)
	}
	r := e.overTools(reported, func(t *Tool, x *Exchange) (*Fault, bool) {
		head := t.Name + " returned details that don't match its output schema"
		want := "isError: " + head + ", then one line a problem"
		lines := textLines(strings.TrimRight(x.Text(), "\r\n"))
		switch {
		case !x.IsToolError():
			return &Fault{Expected: want, Observed: sayAnswer(x)}, true
		case strings.TrimRight(lines[0], ":.") != head:
			return &Fault{Expected: want, Observed: "it begins: " + short(lines[0], 200)}, true
		case len(lines) == 1:
			return &Fault{Expected: want, Observed: "the problems are not told"}, true
		}
		for _, l := range lines[1:] {
			if strings.TrimSpace(l) == "" {
				return &Fault{Expected: want, Observed: "an empty line among the problems"}, true
			}
			if gluedProblems(t.Get("outputSchema"), l) {
				return &Fault{Expected: want, Observed: "several problems on one line: " + short(l, 200)}, true
			}
		}
		return nil, true
	})
	return e.unlessMismatch(r)
}

// gluedProblems says that a line speaks of two properties of a schema, each
// with a separator of list items between.
func gluedProblems(schema gjson.Result, line string) bool {
	named := 0
	for _, part := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ';' }) {
		hit := false
		schema.Get("properties").ForEach(func(k, _ gjson.Result) bool {
			hit = hit || strings.HasPrefix(strings.TrimLeft(part, " \"'`/."), k.Str+" ") || strings.HasPrefix(strings.TrimLeft(part, " \"'`/."), k.Str+":")
			return !hit
		})
		if hit {
			named++
		}
	}
	return named > 1
}

func judgeSurvivesV1(e *Evidence) Ruling {
	if e.Facts.Modern() {
		return NotApplicable("this client does not speak 2026-07-28")
	}
	reader, ok := readers.For("sdk-v1")
	if !ok {
		return NotSeen("this build has no reader for the client")
	}
	pages := ReaderPages(firstTape(e.Run.Labelled(e.Tapes(), "open/tools/list")))
	if len(pages) == 0 {
		return NotSeen("there is no tool list, or more of it than is looked at")
	}
	listing := reader.Listing(e.Facts.Revision, pages)
	if listing.State != fakes.Accepted {
		return NotSeen("the client loses the tool list, so it calls nothing")
	}
	kept := map[string]*fakes.ListedTool{}
	for i := range listing.Tools {
		kept[listing.Tools[i].Name] = &listing.Tools[i]
	}
	var answers []*Exchange
	for _, x := range e.plainCalls() {
		if x.Answered() && !x.IsRPCError() && ForReader(x) != nil {
			answers = append(answers, x)
		}
	}
	r := e.overTools(answers, func(t *Tool, x *Exchange) (*Fault, bool) {
		a := reader.Call(e.Facts.Revision, kept[t.Name], ForReader(x))
		if a.State != fakes.Failed && a.State != fakes.Hang {
			return nil, true
		}
		return &Fault{Expected: "an answer that the client takes", Observed: short(a.Why, 300),
			Message: fmt.Sprintf("the SDK v1 client refuses an answer of %s: %s", short(t.Name, 60), short(a.Why, 300))}, true
	})
	r.Unseen = "no tool was called; " + howToCall(e.Facts, anyTool)
	return r
}

func judgeCompilesInAJV(e *Evidence) Ruling {
	if e.Facts.Modern() {
		return NotApplicable("this client does not speak 2026-07-28")
	}
	if !e.Facts.declaresOutput() {
		return NotApplicable("no tool declares an outputSchema")
	}
	var r Ruling
	for i := range e.Facts.Tools {
		t := &e.Facts.Tools[i]
		if !hasOutput(t) {
			continue
		}
		_, err := jsonschema.AJV([]byte(t.Get("outputSchema").Raw))
		var refused *jsonschema.AJVError
		switch {
		case err == nil:
			r.Seen++
		case errors.As(err, &refused):
			r.Seen++
			r.Faults = append(r.Faults, Fault{Subject: t.Name, Expected: "an outputSchema that compiles", Observed: short(refused.Text, 300), Proof: e.listedBy(t.Name)})
		}
	}
	return r
}

// listedBy is the exchange that listed a tool.
func (e *Evidence) listedBy(tool string) []*Exchange {
	for _, x := range e.Run.Labelled(e.Tapes(), "open/tools/list") {
		for _, t := range x.Result().Get("tools").Array() {
			if t.Get("name").Str == tool {
				return []*Exchange{x}
			}
		}
	}
	return nil
}
