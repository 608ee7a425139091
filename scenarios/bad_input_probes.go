package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
	"github.com/agntn/conform/scenarios/instance"
)

// maxProbedTools bounds how many tools get every kind of bad input; the ones
// after them get the few that matter most.
const maxProbedTools = 20

// hostileValue is a value that acts on terminals and lines when it comes back raw.
const hostileValue = "zz_a\nzz_b\x1b[31mred\x1b[0mzz_\u009b31mzz_\u2028end"

// badInput makes the probes for one tool.
type badInput struct {
	f          *Facts
	t          *Tool
	label      string // the tool in labels
	schema     []byte
	check      *jsonschema.Schema
	base, rich json.RawMessage
}

// newBadInput is nil when nothing is known to fit the tool, or when it may not
// be called with anything but what the configuration wrote down.
func newBadInput(f *Facts, t *Tool) *badInput {
	if OnlyAsWritten(t) {
		return nil
	}
	b := &badInput{f: f, t: t, label: toolLabel(f, t), schema: []byte(t.Get("inputSchema").Raw), check: inputSchema(t)}
	for _, s := range CallArguments(f, t) {
		if !fits(b.check, s.JSON) {
			continue
		}
		if b.base == nil {
			b.base, b.rich = s.JSON, s.JSON
		}
		if len(gjson.ParseBytes(s.JSON).Map()) > len(gjson.ParseBytes(b.rich).Map()) {
			b.rich = s.JSON
		}
	}
	if b.base == nil {
		return nil
	}
	return b
}

// call is a probe; every one has a progress token of its own, so that a tool
// that starts to work shows it.
func (b *badInput) call(kind string, args json.RawMessage) toolCall {
	return b.nth(kind, -1, args)
}

// nth is one of several probes of a kind, counted from 0.
func (b *badInput) nth(kind string, i int, args json.RawMessage) toolCall {
	label := kind + ":" + b.label
	if i >= 0 {
		label += fmt.Sprintf("#%d", i+1)
	}
	return toolCall{label: label, tool: b.t.Name, args: args, meta: json.RawMessage(`{"progressToken":` + jsonString("bad-input "+label) + `}`)}
}

// first are the probes that matter most: a valid call to compare with, and
// arguments with one, two and three problems.
func (b *badInput) first() []toolCall {
	return once(b.t.work, "first probes of "+b.label, func() []toolCall { return slices.Clip(b.makeFirst()) })
}

func (b *badInput) makeFirst() []toolCall {
	out := []toolCall{b.call("valid", b.base)}
	for i, args := range b.single() {
		out = append(out, b.nth("one", i, args))
	}
	for _, n := range []struct {
		kind  string
		count int
	}{{"two", 2}, {"three", 3}} {
		if args := b.several(n.count); args != nil {
			out = append(out, b.call(n.kind, args))
		}
	}
	return out
}

// maxNested is how many problems inside of a property are tried a tool.
const maxNested = 2

// single picks arguments with one problem each: a few of every kind. Null is
// left out, since many servers take it for absent, and so is what is only
// missing where a default would do.
func (b *badInput) single() []json.RawMessage {
	most := map[instance.Kind]int{instance.Missing: 2, instance.Type: 2, instance.Null: 0}
	taken, nested := map[instance.Kind]int{}, 0
	var out []json.RawMessage
	for _, k := range instance.Broken(b.schema, b.base, b.f.Run.Seed) {
		p := k.Problems[0]
		limit, known := most[p.Kind]
		if !known {
			limit = 1
		}
		deep := strings.Count(p.Pointer, "/") > 1
		switch {
		case p.Kind == instance.Null, p.Kind == instance.Missing && hasDefault(b.t.Get("inputSchema"), p.Pointer):
			continue
		case deep && nested >= maxNested, !deep && taken[p.Kind] >= limit:
			continue
		}
		if deep {
			nested++
		} else {
			taken[p.Kind]++
		}
		out = append(out, json.RawMessage(k.Arguments))
	}
	return out
}

// severalTries is how many seeds are tried for a set of problems that every
// strict server has to tell.
const severalTries = 4

// several are arguments with n problems at different properties, nil when none
// are known. Sets without null are wanted: what is null may count as absent.
func (b *badInput) several(n int) json.RawMessage {
	var second json.RawMessage
	for i := range int64(severalTries) {
		k, ok := instance.BrokenN(b.schema, b.base, n, b.f.Run.Seed+i)
		if !ok {
			break
		}
		kinds := map[instance.Kind]bool{}
		soft := false
		for _, p := range k.Problems {
			kinds[p.Kind] = true
			soft = soft || p.Kind == instance.Missing && hasDefault(b.t.Get("inputSchema"), p.Pointer)
		}
		switch {
		case kinds[instance.Null] || soft:
		case kinds[instance.Additional] && second == nil:
			second = k.Arguments
		case !kinds[instance.Additional]:
			return k.Arguments
		}
	}
	return second
}

// hasDefault says that the property at a pointer has a default in the schema:
// then a server may fill it in, and required is what is wrong.
func hasDefault(schema gjson.Result, pointer string) bool {
	for _, token := range jsonschema.Tokens(pointer) {
		next := member(schema.Get("properties"), token)
		if !next.Exists() {
			next = schema.Get("items")
		}
		schema = next
	}
	return schema.Get("default").Exists()
}

// more are the probes about single oddities.
func (b *badInput) more() []toolCall {
	return once(b.t.work, "more probes of "+b.label, func() []toolCall { return slices.Clip(b.makeMore()) })
}

func (b *badInput) makeMore() []toolCall {
	var out []toolCall
	for _, x := range instance.UnknownKey(b.schema, b.base) {
		kind := "extra"
		if x.Hostile {
			kind = "hostile-key"
		}
		out = append(out, b.call(kind, x.Arguments))
	}
	if args := b.hostile(); args != nil {
		out = append(out, b.call("hostile-value", args))
	}
	out = append(out, b.call("prototype", withMember(gjson.ParseBytes(b.base), "__proto__", `{"x":1}`)),
		b.call("constructor", withMember(gjson.ParseBytes(b.base), "constructor", `{"prototype":{"x":1}}`)))
	if k, ok := instance.NullOptional(b.schema, b.base); ok {
		out = append(out, b.call("null", k.Arguments))
	}
	for i, k := range instance.Stringified(b.schema, b.rich) {
		if i < 3 {
			out = append(out, b.nth("text", i, k.Arguments))
		}
	}
	for i, args := range b.halfNumbers() {
		out = append(out, b.nth("half", i, args))
	}
	for i, args := range b.compositions() {
		out = append(out, b.nth("compose", i, args))
	}
	if fits(b.check, json.RawMessage(`{}`)) && !longByDefault(b.t) {
		out = append(out, b.call("empty", json.RawMessage(`{}`)), b.call("absent", nil))
	}
	return out
}

// hostile puts the hostile value where the schema refuses it, nil when it would be taken.
func (b *badInput) hostile() (out json.RawMessage) {
	b.t.Get("inputSchema.properties").ForEach(func(name, _ gjson.Result) bool {
		args := withMember(gjson.ParseBytes(b.base), name.Str, jsonString(hostileValue))
		if problems, err := b.check.Problems(args); err == nil && len(problems) > 0 {
			out = args
		}
		return out == nil
	})
	return out
}

// halfNumbers give integers as texts that only begin with one.
func (b *badInput) halfNumbers() (out []json.RawMessage) {
	b.t.Get("inputSchema.properties").ForEach(func(name, p gjson.Result) bool {
		if kind := p.Get("type").Str; kind == "integer" || kind == "number" {
			out = append(out, withMember(gjson.ParseBytes(b.base), name.Str, `"5abc"`))
		}
		return len(out) < 2
	})
	return out
}

// compositionWords are the keywords that tie properties together.
func compositionWords() []string {
	return []string{"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies", "prefixItems", "contains", "minContains", "maxContains", "unevaluatedProperties", "unevaluatedItems", "propertyNames"}
}

// wordsOf2020 are those among them that only 2019-09 or 2020-12 know.
func wordsOf2020() []string {
	return []string{"dependentRequired", "dependentSchemas", "prefixItems", "minContains", "maxContains", "unevaluatedProperties", "unevaluatedItems"}
}

// tied says that a problem comes from what ties properties together: such a
// keyword, or a top-level property that only some condition requires.
func tied(t *Tool, p jsonschema.Problem) bool {
	if p.Keyword != "required" {
		return slices.Contains(compositionWords(), p.Keyword)
	}
	tokens := jsonschema.Tokens(p.Path)
	return len(tokens) == 1 && !slices.ContainsFunc(t.Get("inputSchema.required").Array(), func(v gjson.Result) bool { return v.Str == tokens[0] })
}

// compositions are arguments that break such keywords and nothing else: valid
// ones with a property left out, or with a key more.
func (b *badInput) compositions() (out []json.RawMessage) {
	if !slices.ContainsFunc(compositionWords(), func(w string) bool { return strings.Contains(string(b.schema), `"`+w+`"`) }) {
		return nil
	}
	try := func(args json.RawMessage) {
		problems, err := b.check.Problems(args)
		if err == nil && len(out) < 3 && len(problems) > 0 && !slices.ContainsFunc(problems, func(p jsonschema.Problem) bool { return !tied(b.t, p) }) {
			out = append(out, args)
		}
	}
	for _, from := range []json.RawMessage{b.rich, b.base} {
		object := gjson.ParseBytes(from)
		object.ForEach(func(name, _ gjson.Result) bool {
			try(without(object, name.Str))
			return true
		})
		try(withMember(object, "conform_unknown", `"extra"`))
	}
	return out
}

// without returns an object with one member left out.
func without(object gjson.Result, name string) json.RawMessage {
	var parts []string
	object.ForEach(func(k, v gjson.Result) bool {
		if k.Str != name {
			parts = append(parts, k.Raw+":"+v.Raw)
		}
		return true
	})
	return json.RawMessage("{" + strings.Join(parts, ",") + "}")
}

func driveBadInput(ctx context.Context, d *Drive) error {
	v := d.Shared(ctx)
	var first, more []toolCall
	tools := d.Facts.CallableTools()
	probed := 0
	// The tool that gets something else than an object: one that needs no
	// arguments shows best whether that is taken for none.
	container, lenient := "", false
	for _, t := range tools[:min(len(tools), maxTools)] {
		b := newBadInput(d.Facts, t)
		if b == nil {
			continue
		}
		first = append(first, b.first()...)
		if probed < maxProbedTools {
			more = append(more, b.more()...)
		}
		if container == "" || !lenient && fits(b.check, json.RawMessage(`{}`)) {
			container, lenient = t.Name, fits(b.check, json.RawMessage(`{}`))
		}
		probed++
	}
	v.callAll(ctx, append(first, more...))
	// These name no tool, so nothing can come of them.
	odd := []fakes.Ask{
		{Label: "malformed:no-name", Method: "tools/call", Params: json.RawMessage(`{"arguments":{}}`), Silence: true},
		{Label: "malformed:name-number", Method: "tools/call", Params: json.RawMessage(`{"name":7,"arguments":{}}`), Silence: true},
	}
	if container != "" {
		for _, c := range instance.WrongContainers() {
			odd = append(odd, fakes.Ask{Label: "container:" + c.Name, Method: "tools/call", Params: fakes.Call(container, c.Arguments), Silence: true})
		}
	}
	v.Each(ctx, odd)
	// After keys such as __proto__ the same valid call has to do what it did before.
	var after []toolCall
	for _, c := range first {
		repeats := d.Facts.Tool(c.tool).Get("annotations")
		same := repeats.Get("readOnlyHint").Bool() || repeats.Get("idempotentHint").Bool()
		if strings.HasPrefix(c.label, "valid:") && same && len(after) < 3 {
			c.label = "after:" + strings.TrimPrefix(c.label, "valid:")
			after = append(after, c)
		}
	}
	v.callAll(ctx, after)
	return nil
}
