package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
)

func inputExamplesScenario() Scenario {
	return Scenario{
		ID: "input-examples", Title: "Examples of arguments", Needs: NeedsTools,
		Summary: "Checks the examples and defaults that tools give for their arguments, calls tools with them, and makes the calls of the configuration.",
		Drive:   driveInputExamples,
		Checks: []Check{
			{
				ID: "input-examples/match-schema", Claim: "Examples and defaults of arguments satisfy the schema that they stand in.", Level: Should,
				Why:    "Models copy examples word for word. One that breaks the schema teaches a call that is refused.",
				Remedy: "Mend the example, or the schema that it shows to be too narrow.",
				Basis:  []string{"JSON Schema Validation 9.2 and 9.5"},
				Judge:  judgeExamplesMatch,
			},
			{
				ID: "input-examples/usable", Claim: "A call with the arguments of an example succeeds.", Level: House,
				Why:    "The example is the first thing that a model tries, and it fails for a reason that the schema does not tell.",
				Remedy: "Give an example that works everywhere, or tighten the schema.",
				Basis:  []string{"server/tools#calling-tools"},
				Judge:  judgeExamplesUsable,
			},
			{
				ID: "input-examples/calls-met", Claim: "The calls of the configuration are answered as it says.", Level: Must,
				Why:    "These are the answers that the author of the server promised.",
				Remedy: "Mend the tool, or the expectation in conform.yaml.",
				Basis:  []string{"calls of the configuration"},
				Judge:  judgeCallsMet,
			},
		},
	}
}

func driveInputExamples(ctx context.Context, d *Drive) error {
	var calls []toolCall
	for i, c := range d.Facts.Run.Calls {
		if t := d.Facts.Tool(c.Tool); t != nil && t.Callable {
			calls = append(calls, toolCall{label: fmt.Sprintf("config:%d", i), tool: c.Tool, args: c.Arguments})
		}
	}
	tools := d.Facts.CallableTools()
	for _, t := range tools[:min(len(tools), maxTools)] {
		if OnlyAsWritten(t) {
			continue
		}
		for i, c := range inputExamples(d.Facts, t) {
			if i < maxValidSets && c.Fits {
				calls = append(calls, toolCall{label: fmt.Sprintf("example:%s#%d", toolLabel(d.Facts, t), i+1), tool: t.Name, args: c.Arguments})
			}
		}
	}
	d.Shared(ctx).callAll(ctx, calls)
	return nil
}

func judgeExamplesMatch(e *Evidence) Ruling {
	var r Ruling
	for i := range e.Facts.Tools {
		t := &e.Facts.Tools[i]
		look := func(where string, value gjson.Result, problems []jsonschema.Problem) {
			r.Seen++
			if len(problems) > 0 {
				r.Faults = append(r.Faults, Fault{
					Subject: t.Name, Expected: where + " that satisfies the schema", Observed: short(value.Raw, 200) + ": " + problemList(problems), Proof: e.listedBy(t.Name),
				})
			}
		}
		for _, c := range inputExamples(e.Facts, t) {
			if problems, err := inputSchema(t).Problems(c.Arguments); err == nil {
				look(c.Origin, gjson.ParseBytes(c.Arguments), problems)
			}
		}
		examplesInside(t.Get("inputSchema"), look)
	}
	if r.Seen == 0 {
		return NotApplicable("no tool gives examples or defaults")
	}
	return r
}

// examplesInside checks the examples and defaults of the subschemas against
// the subschema that they stand in. Those that hold a reference are left out,
// since they mean nothing outside of their document.
func examplesInside(root gjson.Result, look func(where string, value gjson.Result, problems []jsonschema.Problem)) {
	if !root.IsObject() {
		return
	}
	_ = jsonschema.Walk([]byte(root.Raw), func(pointer string, sub gjson.Result) bool {
		examples, def := sub.Get("examples"), sub.Get("default")
		if pointer == "" || !sub.IsObject() || !examples.IsArray() && !def.Exists() || strings.Contains(sub.Raw, `Ref"`) || strings.Contains(sub.Raw, `$ref"`) {
			return true
		}
		schema := compiled(sub)
		if schema == nil {
			return true
		}
		try := func(word string, v gjson.Result) {
			if problems, err := schema.Problems(json.RawMessage(v.Raw)); err == nil {
				look(word+" at "+pointer, v, problems)
			}
		}
		for i, v := range examples.Array() {
			try("example "+strconv.Itoa(i+1), v)
		}
		// A default of null is a common way to say that there is none.
		if def.Exists() && def.Type != gjson.Null {
			try("the default", def)
		}
		return true
	})
}

// missingCapability is the code of a request that needs what the client does not offer.
const missingCapability = -32021

// surroundings are words of failures that lie outside of a server: no network,
// no account, nothing there.
func surroundings() *regexp.Regexp {
	return regexp.MustCompile(`(?i)ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|EACCES|getaddrinfo|network|fetch failed|connect|timed? ?out|dial tcp|no such host|dns|proxy|unreachable|offline|` +
		`unauthori[sz]ed|forbidden|authenticat|credential|api[ _-]?key|token|login|permission|quota|rate limit|\b(401|403|404|407|429|5\d\d)\b|not installed|no such file|not found|does not exist|unavailable|\bclient\b|elicitation|declare`)
}

func judgeExamplesUsable(e *Evidence) Ruling {
	examples := e.All("example:")
	if len(examples) == 0 {
		given := func(t *Tool) bool { return len(inputExamples(e.Facts, t)) > 0 }
		for i := range e.Facts.Tools {
			if given(&e.Facts.Tools[i]) {
				return NotSeen("no example that fits its schema was called; " + howToCall(e.Facts, given))
			}
		}
		return NotApplicable("no tool gives whole examples of its arguments")
	}
	outside := surroundings()
	r := e.overTools(examples, func(_ *Tool, x *Exchange) (*Fault, bool) {
		switch {
		case x.Succeeded(), x.AsksInput():
			return nil, true
		case !x.Refused(), x.Code() == missingCapability, outside.MatchString(x.Text()):
			return nil, false // what the tool works with may be missing here
		}
		return &Fault{Expected: "a call that succeeds", Observed: sayAnswer(x)}, true
	})
	r.Unseen = "the calls with examples failed for reasons outside of the server"
	return r
}

func judgeCallsMet(e *Evidence) Ruling {
	calls := e.Facts.Run.Calls
	if len(calls) == 0 {
		return NotApplicable("the configuration has no calls")
	}
	var r Ruling
	for i, c := range calls {
		if e.Facts.Tool(c.Tool) == nil {
			r.Seen++
			r.Faults = append(r.Faults, Fault{Subject: c.Tool, Expected: "a tool of this name, which the configuration calls", Observed: "the server does not list it"})
			continue
		}
		x := e.Get(fmt.Sprintf("config:%d", i))
		if x == nil {
			continue
		}
		r = r.add(x, unmet(c, x))
	}
	r.Unseen = "the calls of the configuration were not answered in time, or may not be made"
	return r
}

// unmet says which expectation of a call its answer does not meet. A call
// without expectations is meant to succeed.
func unmet(c ToolCall, x *Exchange) *Fault {
	fault := func(expected, observed string) *Fault {
		return &Fault{Subject: c.Tool, Expected: expected, Observed: observed, Proof: []*Exchange{x}}
	}
	if !x.Answered() {
		return lostFault(x, "an answer")
	}
	if len(c.Expect) == 0 {
		if x.Refused() {
			return fault("a call that succeeds", sayAnswer(x))
		}
		return nil
	}
	for _, want := range c.Expect {
		got := x.Result().Get(want.Path)
		seen := "nothing there"
		if got.Exists() {
			seen = short(got.Raw, 200)
		}
		if !x.Result().Exists() {
			seen = sayAnswer(x)
		}
		switch {
		case want.Exists != nil && *want.Exists != got.Exists():
			return fault(fmt.Sprintf("%s exists: %t", want.Path, *want.Exists), seen)
		case want.Equals != nil && (!got.Exists() || !sameJSON(got.Raw, string(want.Equals))):
			return fault(want.Path+" equals "+short(string(want.Equals), 200), seen)
		case want.Matches != "":
			if re, err := regexp.Compile(want.Matches); err == nil && (!got.Exists() || !re.MatchString(got.String())) {
				return fault(want.Path+" matches "+want.Matches, seen)
			}
		}
	}
	return nil
}
