package scenarios

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
)

// attempt is one call with odd arguments: what the validator says about them,
// and the answer to the valid call of the same tool.
type attempt struct {
	x        *Exchange
	t        *Tool
	problems []jsonschema.Problem
	valid    *Exchange
}

// attempts lists the scenario's calls of the given kinds, those whose arguments
// the validator has a verdict on.
func (e *Evidence) attempts(kinds ...string) []attempt {
	return slices.Clone(ofCell(e, "attempts "+strings.Join(kinds, " "), func() []attempt { return e.readAttempts(kinds) }))
}

func (e *Evidence) readAttempts(kinds []string) []attempt {
	schemas, valid := e.inputSchemas(), map[string]*Exchange{}
	for _, x := range e.All("valid:") {
		valid[toolName(x)] = x
	}
	var out []attempt
	for _, kind := range kinds {
		for _, x := range e.All(kind + ":") {
			t := e.Facts.Tool(toolName(x))
			if t == nil || !arguments(x).IsObject() {
				continue
			}
			schema := schemas.of(t.Name)
			if schema == nil {
				continue
			}
			if problems, err := schema.Problems(json.RawMessage(arguments(x).Raw)); err == nil {
				out = append(out, attempt{x, t, problems, valid[t.Name]})
			}
		}
	}
	return out
}

// works says that the valid call of the tool did something here.
func (a attempt) works() bool {
	return a.valid != nil && (a.valid.Succeeded() || a.valid.AsksInput())
}

// refused says that the input itself was refused. Where the valid call fails
// too, for want of a network or an account, only words about the input tell.
func (a attempt) refused() bool {
	switch {
	case !a.x.Refused():
		return false
	case a.works(), a.x.IsRPCError() && a.x.Code() == -32602:
		return true
	case a.valid.Answered() && shape(a.valid) == shape(a.x):
		return false
	}
	return saysInvalid(a.x.Text()) || slices.ContainsFunc(a.names(), func(n string) bool { return hasWord(a.x.Text(), n) })
}

// judgeable says that the answer tells something about the input: the tool works
// here, or it refused the input itself.
func (a attempt) judgeable() bool { return a.works() || a.refused() }

// names are the properties that the problems are about, each by its last name.
func (a attempt) names() []string {
	var out []string
	for _, p := range a.problems {
		if n := lastName(p.Path); n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// lastName is the last name on the way to a place; indexes are no names.
func lastName(pointer string) string {
	tokens := jsonschema.Tokens(pointer)
	for i := len(tokens) - 1; i >= 0; i-- {
		if strings.Trim(tokens[i], "0123456789") != "" {
			return tokens[i]
		}
	}
	return ""
}

// sent tells the problems of an attempt, for what was expected.
func (a attempt) sent() string { return problemList(a.problems) }

// ofAttempts judges attempts one by one; a tool is accused once.
func (e *Evidence) ofAttempts(list []attempt, look func(a attempt) (*Fault, bool)) Ruling {
	var r Ruling
	accused := map[string]bool{}
	for _, a := range list {
		f, judged := look(a)
		switch {
		case f != nil && !accused[a.t.Name]:
			accused[a.t.Name] = true
			f.Subject = a.t.Name
			if f.Proof == nil {
				f.Proof = []*Exchange{a.x}
			}
			r = r.add(a.x, f)
		case f == nil && judged:
			r = r.add(a.x, nil)
		}
	}
	switch tools := e.Facts.CallableTools(); {
	case len(tools) == 0:
		r.Unseen = "no tool may be called; " + howToCall(e.Facts, anyTool)
	case len(list) == 0:
		r.Unseen = "no tool that may be called has a schema that such arguments break"
	default:
		r.Unseen = "no call showed it: the valid calls of these tools fail too"
	}
	return r
}

// holds judges whether arguments are refused whose problems are all of one sort.
func (e *Evidence) holds(list []attempt, sort func(t *Tool, p jsonschema.Problem) bool) Ruling {
	var fitting []attempt
	for _, a := range list {
		if len(a.problems) > 0 && !slices.ContainsFunc(a.problems, func(p jsonschema.Problem) bool { return !sort(a.t, p) }) {
			fitting = append(fitting, a)
		}
	}
	return e.ofAttempts(fitting, func(a attempt) (*Fault, bool) {
		if !a.x.Succeeded() {
			return nil, a.refused()
		}
		return &Fault{Expected: "a refusal: " + a.sent(), Observed: "served: " + sayAnswer(a.x),
			Message: fmt.Sprintf("%s was served although %s", short(a.t.Name, 60), short(a.sent(), 200))}, true
	})
}

func judgeInputRefused(e *Evidence) Ruling {
	return e.holds(e.attempts("one"), func(t *Tool, p jsonschema.Problem) bool {
		return slices.Contains([]string{"required", "type"}, p.Keyword) && !tied(t, p)
	})
}

func judgeLimitsHold(e *Evidence) Ruling {
	limits := []string{
		"enum", "const", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
	}
	r := e.holds(e.attempts("one"), func(_ *Tool, p jsonschema.Problem) bool { return slices.Contains(limits, p.Keyword) })
	return naWithout(r, e, "no tool that may be called lists such limits")
}

func judgeCompositionHolds(e *Evidence) Ruling {
	if !e.Facts.Modern() {
		return NotApplicable("up to 2025-11-25 such keywords are no part of tool schemas")
	}
	return naWithout(e.holds(e.attempts("compose"), tied), e, "no tool that may be called ties properties together")
}

func judge2020Holds(e *Evidence) Ruling {
	if e.Facts.Revision < fakes.Rev20251125 {
		return NotApplicable("2020-12 is the default dialect from 2025-11-25 on")
	}
	var list []attempt
	for _, a := range e.attempts("compose") {
		if d := inputSchema(a.t).Dialect(); d == jsonschema.Draft202012 || d == jsonschema.Draft201909 {
			list = append(list, a)
		}
	}
	r := e.holds(list, func(_ *Tool, p jsonschema.Problem) bool { return slices.Contains(wordsOf2020(), p.Keyword) })
	return naWithout(r, e, "no tool that may be called uses keywords of 2020-12")
}

// naWithout says that a check does not apply where tools may be called and none of them gave rise to a probe.
func naWithout(r Ruling, e *Evidence, why string) Ruling {
	if r.Seen == 0 && len(e.Facts.CallableTools()) > 0 && strings.HasPrefix(r.Unseen, "no tool that may be called") {
		return NotApplicable(why)
	}
	return r
}

func judgeInputChannel(e *Evidence) Ruling {
	if e.Facts.Revision < fakes.Rev20251125 {
		return NotApplicable("up to 2025-06-18 either channel is right")
	}
	return e.ofAttempts(e.attempts("one", "two", "three"), func(a attempt) (*Fault, bool) {
		if len(a.problems) == 0 {
			return nil, false
		}
		if lost := a.x.Lost(); lost != "" {
			return &Fault{Expected: "isError, since " + a.sent(), Observed: lost}, true
		}
		if !a.refused() {
			return nil, false
		}
		if a.x.Code() == -32020 && a.x.Sent.Post > 0 {
			return nil, false // an argument of the wrong type cannot be repeated in its header
		}
		if a.x.IsRPCError() {
			return &Fault{Expected: "a result with isError: true, since " + a.sent(), Observed: sayAnswer(a.x)}, true
		}
		return nil, true
	})
}

func judgeNotExecuted(e *Evidence) Ruling {
	shows := func(x *Exchange) string {
		switch {
		case x == nil:
			return ""
		case x.AsksInput():
			return "a question to the person"
		case len(progressUntil(x, x.AnswerAt)) > 0:
			return "progress of its work" // what comes after the answer is told by the checks on progress
		}
		return ""
	}
	r := e.ofAttempts(e.attempts("one", "two", "three"), func(a attempt) (*Fault, bool) {
		if len(a.problems) == 0 || !a.x.Refused() {
			return nil, false
		}
		if sign := shows(a.x); sign != "" {
			return &Fault{Expected: "nothing before the refusal, since " + a.sent(), Observed: sign + ", then " + sayAnswer(a.x)}, true
		}
		return nil, shows(a.valid) != "" // a tool that never shows its work proves nothing
	})
	if r.Seen == 0 && len(e.Facts.CallableTools()) > 0 {
		r.Unseen = "no tool that may be called shows its work by progress or a question, so nobody can see whether it began"
	}
	return r
}

// refusedAsInvalid are the words of validators about arguments.
func refusedAsInvalid() *regexp.Regexp {
	return regexp.MustCompile(`(?i)input validation error|invalid arguments for tool|arguments? validation|validation error|validating (root|arguments|"arguments")|must have required property|must NOT have additional|invalid input: expected|expected \w+, received \w+|is a required property|unrecognized keys?`)
}

func judgeValidAccepted(e *Evidence) Ruling {
	words, schemas := refusedAsInvalid(), e.inputSchemas()
	var valid []*Exchange
	for _, x := range e.plainCalls() {
		_, label, _ := strings.Cut(x.Label, "/")
		kind, _, _ := strings.Cut(label, ":")
		if slices.Contains([]string{"valid", "call", "example", "extra"}, kind) && schemas.valid(x) {
			valid = append(valid, x)
		}
	}
	r := e.overTools(valid, func(t *Tool, x *Exchange) (*Fault, bool) {
		if x.Succeeded() || x.AsksInput() {
			return nil, true
		}
		unknown := strings.Contains(x.Text(), "conform_unknown")
		if !x.Refused() || saysMismatch(x) || saysBadResult(x.Text()) || !words.MatchString(x.Text()) && !wantsOptional(t, x.Text()) && !unknown {
			return nil, false // a fault of the tool's own work, or of what lies around it
		}
		return &Fault{Expected: "arguments that the listed schema accepts are taken: " + short(arguments(x).Raw, 200), Observed: sayAnswer(x)}, true
	})
	r.Unseen = "no valid call succeeded; " + howToCall(e.Facts, anyTool)
	return r
}

// wantsOptional says that a refusal calls a property required that the listed
// schema does not require.
func wantsOptional(t *Tool, text string) bool {
	needed := map[string]bool{}
	for _, n := range t.Get("inputSchema.required").Array() {
		needed[n.Str] = true
	}
	found := false
	t.Get("inputSchema.properties").ForEach(func(name, _ gjson.Result) bool {
		found = !needed[name.Str] && regexp.MustCompile(`(?m)(^|\W)`+regexp.QuoteMeta(name.Str)+`\W{0,3} (is|are) (required|missing)\W*$`).MatchString(text)
		return !found
	})
	return found
}
