package scenarios

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
	"github.com/agntn/conform/fakes/wire"
)

// ArgumentSet is one object of arguments that a tool's schema accepts.
type ArgumentSet struct {
	JSON json.RawMessage
	// From says where it comes from: FromConfig, FromRole, or the origin that
	// instance.Candidates gives.
	From string
}

// Argument sets that the configuration gives come from these.
const (
	FromConfig = "calls of the configuration"
	FromRole   = "a role of the configuration"
)

// CallArguments returns valid argument sets for a tool, the most trusted first
// and each once: calls of the configuration, arguments of its roles (for
// throws and mismatches only the alternative, which succeeds; what makes a tool
// slow comes last), examples of the tool that fit its schema, then made ones,
// which are the same for the same seed. Tools that may only be called as the configuration wrote
// it down get nothing else. It is empty when nothing is known to fit.
func CallArguments(f *Facts, tool *Tool) []ArgumentSet {
	return once(tool.work, "arguments", func() []ArgumentSet { return slices.Clip(callArguments(f, tool)) })
}

func callArguments(f *Facts, tool *Tool) []ArgumentSet {
	var out argumentSets
	for _, c := range f.Run.Calls {
		if c.Tool == tool.Name {
			out.add(c.Arguments, FromConfig)
		}
	}
	for _, r := range f.Run.Roles {
		if r.Tool != tool.Name {
			continue
		}
		if r.Job == JobSlow {
			continue
		}
		if r.Job != JobThrows && r.Job != JobMismatches && !unfilled(r.Arguments, tool) {
			out.add(r.Arguments, FromRole)
		}
		out.add(r.Alternative, FromRole)
	}
	if !OnlyAsWritten(tool) {
		for _, a := range listedArguments(f, tool) {
			out.add(a.JSON, a.From)
		}
	}
	if r := f.Role(JobSlow); r != nil && r.Tool == tool.Name && !unfilled(r.Arguments, tool) {
		out.add(r.Arguments, FromRole)
	}
	return out.sets
}

// The jobs of roles.
const (
	JobAsks       = "asks"
	JobThrows     = "throws"
	JobMismatches = "mismatches"
	JobProgresses = "progresses"
	JobSlow       = "slow"
)

// Why a tool is callable only by what the configuration wrote down.
const (
	WhyCall = "the configuration has a call for it"
	WhyRole = "the configuration gives it a role"
)

// OnlyAsWritten says that a tool may be called with the arguments of the
// configuration alone: nothing but a call or role of the configuration allows
// it, and it does not say that it is read-only.
func OnlyAsWritten(t *Tool) bool {
	return (t.Why == WhyCall || t.Why == WhyRole) && t.Get("annotations.readOnlyHint").Type != gjson.True
}

// argumentSets collects sets without repeating one.
type argumentSets struct {
	sets []ArgumentSet
	seen map[string]bool
}

func (s *argumentSets) add(raw json.RawMessage, from string) {
	var v any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if len(raw) == 0 || dec.Decode(&v) != nil {
		return
	}
	if _, ok := v.(map[string]any); !ok {
		return
	}
	key, err := json.Marshal(v)
	if err != nil || s.seen[string(key)] {
		return
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[string(key)] = true
	s.sets = append(s.sets, ArgumentSet{JSON: raw, From: from})
}

// inputSchema is the compiled input schema of a tool, nil when it cannot be
// compiled; then nothing can be said about what fits it.
func inputSchema(t *Tool) *jsonschema.Schema { return t.compiled("inputSchema") }

func (t *Tool) compiled(member string) *jsonschema.Schema {
	return once(t.work, member, func() *jsonschema.Schema { return compiled(t.Get(member)) })
}

func compiled(schema gjson.Result) *jsonschema.Schema {
	if !schema.IsObject() {
		return nil
	}
	s, err := jsonschema.Compile([]byte(schema.Raw), jsonschema.IgnoreUnknownDialect())
	if err != nil {
		return nil
	}
	return s
}

// fits says that a value is known to satisfy a schema.
func fits(s *jsonschema.Schema, raw json.RawMessage) bool {
	if s == nil {
		return false
	}
	problems, err := s.Problems(raw)
	return err == nil && len(problems) == 0
}

// RoleTool returns the configured tool for a job and its arguments, nil when
// the configuration names none or the server does not list it. A role without
// arguments, for a tool that needs some, gets the first set that is known to fit.
func (f *Facts) RoleTool(job string) (*Tool, *Role) {
	r := f.Role(job)
	if r == nil {
		return nil, nil
	}
	t := f.Tool(r.Tool)
	if t == nil {
		return nil, nil
	}
	if !unfilled(r.Arguments, t) {
		return t, r
	}
	filled := *r
	filled.Arguments = json.RawMessage(`{}`)
	if sets := CallArguments(f, t); len(sets) > 0 {
		filled.Arguments = sets[0].JSON
	}
	return t, &filled
}

// unfilled says that arguments were left empty although the tool needs some.
func unfilled(args json.RawMessage, t *Tool) bool {
	if v := gjson.ParseBytes(args); len(args) > 0 && !(v.IsObject() && len(v.Map()) == 0) {
		return false
	}
	s := inputSchema(t)
	return s != nil && !fits(s, json.RawMessage(`{}`))
}

// CallableTools lists the tools that valid calls may go to, in listed order.
func (f *Facts) CallableTools() []*Tool {
	var out []*Tool
	for i := range f.Tools {
		if f.Tools[i].Callable {
			out = append(out, &f.Tools[i])
		}
	}
	return out
}

// slowCall is how long a call takes whose tool counts as slow.
const slowCall = 500 * time.Millisecond

// Doing returns the calls in which a tool was seen to do a job, over all
// sessions of the cell's revision and transport: the configured tool's first.
// It is how a role is found that nobody wrote down.
func (e *Evidence) Doing(job string) []*Exchange {
	return slices.Clone(onTapes(e, "calls that do "+job, func() []*Exchange { return e.findDoing(job) }))
}

func (e *Evidence) findDoing(job string) []*Exchange {
	var named, found []*Exchange
	role := e.Facts.Role(job)
	schemas := e.inputSchemas()
	calls := e.calls()
	if job == JobThrows || job == JobMismatches {
		calls = e.plainCalls()
	}
	for _, x := range calls {
		if !does(x, job, schemas) {
			continue
		}
		if role != nil && toolName(x) == role.Tool {
			named = append(named, x)
		} else {
			found = append(found, x)
		}
	}
	return append(named, found...)
}

func does(x *Exchange, job string, schemas schemaSet) bool {
	switch job {
	case JobAsks:
		return x.AsksInput() || len(askedDuring(x)) > 0
	case JobProgresses:
		return len(progressOf(x)) > 0
	case JobSlow:
		return x.Answered() && x.Tape.Events()[x.AnswerAt].At-x.Sent.At >= slowCall
	case JobThrows:
		return threw(x, schemas)
	case JobMismatches:
		return saysMismatch(x)
	}
	return false
}

// calls lists every tools/call of a listed tool that the neutral voice sent
// under the cell's revision and transport, in tape order.
func (e *Evidence) calls() []*Exchange { return slices.Clone(onTapes(e, "calls", e.readCalls)) }

func (e *Evidence) readCalls() []*Exchange {
	var out []*Exchange
	for _, t := range e.Tapes() {
		for _, x := range e.Run.Exchanges(t) {
			if x.Request.Method == "tools/call" && e.Facts.Tool(toolName(x)) != nil {
				out = append(out, x)
			}
		}
	}
	return out
}

// plainCalls are the calls among them that were left alone: others are
// cancelled, or sent in odd frames, and what comes of that is no word of the tool.
func (e *Evidence) plainCalls() []*Exchange {
	return slices.DeleteFunc(e.calls(), func(x *Exchange) bool {
		scenario, _, _ := strings.Cut(x.Label, "/")
		scenario, _, _ = strings.Cut(scenario, "~")
		return !slices.Contains([]string{"input-examples", "bad-input", "thrown-error", "output-schema"}, scenario)
	})
}

// askedDuring are the questions that the server asked between a call and its
// end, when no other call was open: else nobody can tell whose they are.
func askedDuring(x *Exchange) []*wire.Event {
	if x.EndAt < 0 {
		return nil
	}
	var out []*wire.Event
	events := x.Tape.Events()
	for i := x.At + 1; i < x.EndAt; i++ {
		ev := &events[i]
		switch {
		case ev.Kind == wire.Send && ev.Message().Method == "tools/call":
			return nil
		case ev.Kind == wire.Recv && ev.Message().IsRequest() && ev.Message().Method == "elicitation/create":
			out = append(out, ev)
		}
	}
	return out
}

// progressOf are the progress notifications with the call's own token.
func progressOf(x *Exchange) []*wire.Event { return progressUntil(x, -1) }

// progressUntil are those that came before an index of the tape, all when it is negative.
func progressUntil(x *Exchange, until int) []*wire.Event {
	token := x.Request.Root.Get("params._meta.progressToken")
	if !token.Exists() {
		return nil
	}
	var out []*wire.Event
	for _, ev := range x.Notifications("notifications/progress", until) {
		if ev.Message().Root.Get("params.progressToken").Raw == token.Raw {
			out = append(out, ev)
		}
	}
	return out
}

// arguments are what a call carried; an empty object when it carried none.
func arguments(x *Exchange) gjson.Result {
	if a := x.Request.Root.Get("params.arguments"); a.Exists() {
		return a
	}
	return gjson.Parse("{}")
}

// validCall says that a call's arguments are known to satisfy the listed schema.
func (e *Evidence) validCall(x *Exchange) bool { return e.inputSchemas().valid(x) }

// schemaSet compiles the input schemas of tools, each when it is first asked for.
type schemaSet struct {
	facts    *Facts
	compiled map[string]*jsonschema.Schema
}

func (e *Evidence) inputSchemas() schemaSet {
	return schemaSet{e.Facts, map[string]*jsonschema.Schema{}}
}

// of is the schema of a listed tool, nil when there is none or it cannot be read.
func (s schemaSet) of(tool string) *jsonschema.Schema {
	schema, known := s.compiled[tool]
	if t := s.facts.Tool(tool); !known && t != nil {
		schema = inputSchema(t)
		s.compiled[tool] = schema
	}
	return schema
}

// valid says that a call's arguments are known to satisfy the listed schema.
func (s schemaSet) valid(x *Exchange) bool {
	a := arguments(x)
	return a.IsObject() && fits(s.of(toolName(x)), json.RawMessage(a.Raw))
}

// threw says that a valid call ended in an error of the tool's own, on either
// channel: no refusal of its arguments, and no report of details that break
// the output schema.
func threw(x *Exchange, schemas schemaSet) bool {
	if !x.IsToolError() && !(x.IsRPCError() && (ownCode(x.Code()) || saysBadResult(x.Text()))) {
		return false
	}
	return !saysInvalid(x.Text()) && !saysMismatch(x) && !lacksClient(x.Text()) && schemas.valid(x)
}

// saysBadResult says that an SDK refused what the tool itself returned.
func saysBadResult(text string) bool {
	return strings.Contains(strings.ToLower(text), "tools/call result")
}

// ownCode says that an error code may stand for a fault inside a tool: the
// others say that the request was not taken.
func ownCode(code int64) bool {
	switch code {
	case -32700, -32600, -32601, -32602, -32002, -32020, missingCapability, -32022, -32042:
		return false
	}
	return true
}

// saysInvalid says that a text speaks of input that was checked and refused.
func saysInvalid(text string) bool {
	low := strings.ToLower(text)
	for _, w := range []string{"validation error", "invalid arguments", "invalid argument", "invalid input", "invalid params", "validating", "validation failed"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// saysMismatch says that an error speaks of details that break the output schema.
func saysMismatch(x *Exchange) bool {
	if !x.Refused() {
		return false
	}
	low := strings.ToLower(x.Text())
	return slices.ContainsFunc([]string{"output schema", "outputschema", "output validation", "tool output", "structured output", "structured content"}, func(w string) bool {
		return strings.Contains(low, w)
	})
}

// lacksClient says that an error speaks of something that the client does not
// offer; conform's own voice declares nothing.
func lacksClient(text string) bool {
	low := strings.ToLower(text)
	return slices.ContainsFunc([]string{"elicitation", "sampling", "roots", "client does not support", "capability", "capabilities"}, func(w string) bool {
		return strings.Contains(low, w)
	})
}
