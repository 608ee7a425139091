package ajv

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// fn is a function compiled from a schema: its steps, and what it evaluates as far
// as that is known.
type fn struct {
	ops          []op
	slots        int
	props, items tracked
}

// compiler turns one schema into steps. Subschemas that are compiled in place share
// their function and its variables.
type compiler struct {
	engine *Engine
	env    *env
	// fn collects the function; ops are the steps of the block being compiled.
	fn  *fn
	ops []op
	// schema is what is compiled, base its URI for references, top that it is
	// the root of the function.
	schema any
	base   string
	top    bool
	// quiet is set below not and if, where ajv stops at the first error.
	quiet bool
	// depth counts subschemas compiled in place.
	depth int
	// props and items track what is evaluated so far.
	props, items tracked
}

// maxNesting bounds subschemas compiled within each other.
const maxNesting = 500

// throw is a panic with the text of an exception of ajv's compiler.
type throw string

// stackOverflow is what Node says when recursion does not end.
const stackOverflow = "Maximum call stack size exceeded"

func fail(format string, args ...any) { panic(throw(fmt.Sprintf(format, args...))) }

func (c *compiler) emit(o op) { c.ops = append(c.ops, o) }

func (c *compiler) slot() int {
	c.fn.slots++
	return c.fn.slots - 1
}

// block collects the steps that compile emits.
func (c *compiler) block(compile func()) []op {
	outer := c.ops
	c.ops = nil
	compile()
	inner := c.ops
	c.ops = outer
	return inner
}

// object gives the schema as an object; other values have no members.
func (c *compiler) object() *object {
	if o, ok := c.schema.(*object); ok {
		return o
	}
	return &object{}
}

// member reads a keyword of the schema; ok is false where it is absent.
func (c *compiler) member(keyword string) (any, bool) { return c.object().own(keyword) }

// sub compiles a subschema in place and gives its steps and its compiler.
func (c *compiler) sub(schema any) ([]op, *compiler) { return c.subAs(schema, c.quiet) }

func (c *compiler) subAs(schema any, quiet bool) ([]op, *compiler) {
	s := &compiler{engine: c.engine, env: c.env, fn: c.fn, schema: schema, base: c.base, quiet: quiet, depth: c.depth + 1}
	if s.depth > maxNesting {
		fail(stackOverflow)
	}
	c.engine.spend(1)
	s.subschema()
	return s.ops, s
}

func (c *compiler) subschema() {
	switch schema := c.schema.(type) {
	case bool:
		c.boolean(schema)
	case nil:
		fail("Cannot read properties of null (reading '$ref')")
	case *object:
		if !c.hasRules(schema, "") {
			return
		}
		if !c.top {
			if id, _ := schema.own("$id"); truthy(id) {
				c.base = resolveURL(c.base, normalizeID(id))
			}
		}
		c.keywords(schema)
	}
}

func (c *compiler) boolean(valid bool) {
	if !valid {
		c.emit(func(f *frame, _ any, at *path) { f.run.fail(at, "boolean schema is false") })
	}
}

// hasRules tells whether a schema has a keyword that checks anything, but for one.
func (c *compiler) hasRules(schema *object, but string) bool {
	return slices.ContainsFunc(schema.keys, func(key string) bool { return key != but && c.engine.checks[key] })
}

// alwaysValid tells whether ajv skips a subschema.
func (c *compiler) alwaysValid(schema any) bool {
	switch schema := schema.(type) {
	case bool:
		return schema
	case nil:
		fail("Cannot convert undefined or null to object")
	case *object:
		return !c.hasRules(schema, "")
	}
	return true
}

// keywords compiles type and keywords of a schema object.
func (c *compiler) keywords(schema *object) {
	types := schemaTypes(schema)
	late := len(types) == 1 && c.hasRulesFor(schema, types[0])
	if len(types) > 0 && !late {
		c.emit(func(f *frame, data any, at *path) {
			if !hasType(data, types) {
				f.run.fail(at, typeMessage(schema))
			}
		})
	}
	if ref, _ := schema.own("$ref"); truthy(ref) && !c.hasRules(schema, "$ref") {
		c.keyword("$ref", "")
		return
	}
	groups := c.block(func() {
		for _, group := range c.engine.groups {
			c.group(schema, group, late && types[0] == group.kind)
		}
	})
	quiet := c.quiet
	c.emit(func(f *frame, data any, at *path) { f.sequence(groups, quiet, data, at) })
}

func (c *compiler) hasRulesFor(schema *object, kind string) bool {
	return slices.ContainsFunc(c.engine.groups, func(g group) bool { return g.kind == kind && uses(schema, g) })
}

func uses(schema *object, g group) bool {
	return slices.ContainsFunc(g.rules, func(rule string) bool {
		_, ok := schema.own(rule)
		return ok
	})
}

func (c *compiler) group(schema *object, g group, typeError bool) {
	if !uses(schema, g) {
		return
	}
	ops := c.block(func() {
		for _, rule := range g.rules {
			if _, ok := schema.own(rule); ok {
				c.keyword(rule, g.kind)
			}
		}
	})
	quiet := c.quiet
	c.emit(func(f *frame, data any, at *path) {
		switch {
		case g.kind == "" || hasType(data, []string{g.kind}):
			f.sequence(ops, quiet, data, at)
		case typeError:
			f.run.fail(at, typeMessage(schema))
		}
	})
}

func typeMessage(schema *object) string {
	t, _ := schema.own("type")
	return "must be " + joined(t)
}

// schemaTypes reads type and nullable.
func schemaTypes(schema *object) []string {
	t, _ := schema.own("type")
	list, isList := t.([]any)
	if !isList && truthy(t) {
		list = []any{t}
	}
	var types []string
	for _, item := range list {
		name, ok := item.(string)
		if !ok || !slices.Contains([]string{"string", "number", "integer", "boolean", "null", "object", "array"}, name) {
			fail("type must be JSONType or JSONType[]: %s", joined(list))
		}
		types = append(types, name)
	}
	nullable, given := schema.own("nullable")
	switch {
	case slices.Contains(types, "null"):
		if nullable == false {
			fail("type: null contradicts nullable: false")
		}
	case len(types) == 0 && given:
		fail(`"nullable" cannot be used without "type"`)
	case nullable == true:
		types = append(types, "null")
		if isList {
			// ajv changes the schema itself, and its messages show it.
			schema.members["type"] = append(slices.Clone(list), "null")
		}
	}
	return types
}

// hasType tells whether a value is of one of the types.
func hasType(data any, types []string) bool {
	is := jsonType(data)
	return slices.ContainsFunc(types, func(t string) bool {
		if t == "integer" {
			n, ok := data.(float64)
			return ok && (n == math.Trunc(n) || math.IsInf(n, 0))
		}
		return t == is
	})
}

// keyword compiles one keyword after a look at the type of its value.
func (c *compiler) keyword(keyword, kind string) {
	value, _ := c.member(keyword)
	if strings.HasPrefix(keyword, "format") && keyword != "format" {
		if _, ok := c.member("format"); !ok {
			fail("parent schema must have dependencies of %s: format", keyword)
		}
	}
	c.checkValue(keyword, value)
	c.engine.spend(1)
	c.code(keyword, value, kind)
}

func (c *compiler) checkValue(keyword string, value any) {
	if wanted := c.engine.dialect.wanted(keyword); !isType(value, wanted) {
		list, _ := json.Marshal(wanted)
		fail("%s value must be %s", keyword, list)
	}
}

// compileEnv compiles a schema as a function, unless that is under way.
func (e *Engine) compileEnv(target *env) *env {
	for _, running := range e.running {
		if running.schema == target.schema && running.root == target.root && running.base == target.base {
			return running
		}
	}
	if len(e.running) > maxNesting {
		fail(stackOverflow)
	}
	e.running = append(e.running, target)
	defer func() { e.running = e.running[:len(e.running)-1] }()
	function := &fn{}
	base := target.base
	if base == "" {
		base = fullPath(target.root.base)
	}
	c := &compiler{engine: e, env: target, fn: function, schema: target.schema, base: base, top: true}
	c.subschema()
	function.ops, function.props, function.items = c.ops, c.props, c.items
	target.fn = function
	return target
}

// spend bounds the work of compiling.
func (e *Engine) spend(n int) {
	e.spent += n
	if e.spent > maxCompile {
		panic(stop{ErrBudget})
	}
}

// maxCompile bounds the keywords and subschemas compiled for one schema, those of
// references compiled in place included.
const maxCompile = 400_000

// Exception is what ajv's own code throws, with its text: a schema that does not
// compile, or now and then a value that it stumbles over.
type Exception struct{ Text string }

func (e *Exception) Error() string { return e.Text }

// rescue turns the panics of the compiler into errors.
func rescue(err *error) {
	switch p := recover().(type) {
	case nil:
	case throw:
		*err = &Exception{string(p)}
	case stop:
		*err = p.err
	default:
		panic(p)
	}
}

// ErrUnknown marks what is known not to be imitated: references to the meta schemas.
var ErrUnknown = errors.New("refers to a meta schema, which is not imitated")
