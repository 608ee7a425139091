package ajv

import (
	"slices"
	"strings"

	"github.com/agntn/conform/fakes/jsonschema/ecma"
)

func (c *compiler) required(names []any) {
	for _, name := range names {
		key := joined(name)
		c.check("must have required property '"+key+"'", func(_ *run, data any) bool { return !data.(*object).has(key) })
	}
}

// schemaNames lists the members of a map of schemas; ajv leaves one name out.
func schemaNames(o *object) []string {
	return slices.DeleteFunc(slices.Clone(o.keys), func(key string) bool { return key == "__proto__" })
}

func (c *compiler) namesOf(keyword string) []string {
	v, _ := c.member(keyword)
	if o, ok := v.(*object); ok {
		return schemaNames(o)
	}
	return nil
}

func (c *compiler) properties(schemas *object) {
	names := schemaNames(schemas)
	if c.engine.dialect.next() && len(names) > 0 && c.props.kind != all {
		known := map[string]bool{}
		for _, name := range names {
			known[name] = true
		}
		c.props = c.mergeProps(tracked{kind: static, names: known}, c.props, false)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return c.alwaysValid(schemas.members[name]) })
	for _, name := range names {
		ops, _ := c.sub(schemas.members[name])
		c.emit(func(f *frame, data any, at *path) {
			if o := data.(*object); o.has(name) {
				f.exec(ops, o.get(name), &path{at, name})
			}
		})
	}
}

func (c *compiler) patternProperties(schemas *object) {
	sources := schemaNames(schemas)
	always := map[string]bool{}
	for _, source := range sources {
		always[source] = c.alwaysValid(schemas.members[source])
	}
	idle := !slices.ContainsFunc(sources, func(source string) bool { return !always[source] })
	track := c.engine.dialect.next() && c.props.kind != all
	if len(sources) == 0 || idle && !track {
		return
	}
	if track && c.props.kind != variable {
		c.props = c.variableOf(c.props)
	}
	slot, quiet := c.props.slot, c.quiet && !track
	for _, source := range sources {
		re := c.regexp(source)
		var ops []op
		if !always[source] {
			ops, _ = c.sub(schemas.members[source])
		}
		c.emit(func(f *frame, data any, at *path) {
			o := data.(*object)
			for _, key := range o.keys {
				if !f.run.match(re, key) {
					continue
				}
				if !f.apply(ops, o.members[key], &path{at, key}) && quiet {
					return
				}
				if track {
					f.markProperty(slot, key)
				}
			}
		})
	}
}

// markProperty notes an evaluated property in a variable.
func (f *frame) markProperty(slot int, key string) {
	switch known := f.slots[slot].(type) {
	case map[string]bool:
		known[key] = true
	case undefined:
		panic(stop{&Exception{"Cannot set properties of undefined (setting '" + key + "')"}})
	}
}

func (c *compiler) additionalProperties(schema any) {
	c.props = tracked{kind: all}
	if c.alwaysValid(schema) {
		return
	}
	names := c.namesOf("properties")
	known := map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	// With many names ajv asks the schema itself, where this name counts.
	if v, _ := c.member("properties"); len(names) > 8 {
		_, known["__proto__"] = v.(*object).own("__proto__")
	}
	var patterns []*ecma.Regexp
	for _, source := range c.namesOf("patternProperties") {
		patterns = append(patterns, c.regexp(source))
	}
	ops, quiet := c.extra(schema, "must NOT have additional properties"), c.quiet
	c.emit(func(f *frame, data any, at *path) {
		o := data.(*object)
		for _, key := range o.keys {
			if known[key] || slices.ContainsFunc(patterns, func(re *ecma.Regexp) bool { return f.run.match(re, key) }) {
				continue
			}
			if !f.apply(ops, o.members[key], &path{at, key}) && quiet {
				return
			}
		}
	})
}

// extra compiles what a property gets that no other keyword asked for. The error
// of a forbidden one stands at the object.
func (c *compiler) extra(schema any, message string) []op {
	if schema == false {
		return []op{func(f *frame, _ any, at *path) { f.run.fail(at.parent, message) }}
	}
	ops, _ := c.sub(schema)
	return ops
}

func (c *compiler) unevaluatedProperties(schema any) {
	known := c.props
	c.props = tracked{kind: all}
	if known.kind == all {
		return
	}
	var ops []op
	if schema == false || !c.alwaysValid(schema) {
		ops = c.extra(schema, "must NOT have unevaluated properties")
	}
	quiet := c.quiet
	c.emit(func(f *frame, data any, at *path) {
		evaluated := f.props(known)
		if evaluated == true {
			return
		}
		names, _ := evaluated.(map[string]bool)
		o := data.(*object)
		for _, key := range o.keys {
			// A variable is an object, in which inherited names are found too.
			if names[key] || names != nil && known.kind == variable && inherited(key) {
				continue
			}
			if !f.apply(ops, o.members[key], &path{at, key}) && quiet {
				return
			}
		}
	})
}

func (c *compiler) propertyNames(schema any) {
	if c.alwaysValid(schema) {
		return
	}
	ops, _ := c.sub(schema)
	quiet, last := c.quiet, c.slot()
	c.emit(func(f *frame, data any, at *path) {
		for _, key := range data.(*object).keys {
			valid := f.apply(ops, key, at)
			f.slots[last] = valid
			if valid {
				continue
			}
			f.run.fail(at, "property name must be valid")
			if quiet {
				return
			}
		}
		// Where ajv stops at errors, an object without members counts as the
		// last name it saw, and as wrong when there was none.
		f.run.halted = quiet && f.slots[last] != true
	})
}

// dependencies compiles dependencies and its two successors.
func (c *compiler) dependencies(keyword string, members *object) {
	names := schemaNames(members)
	if keyword == "dependentRequired" {
		names = members.keys
	}
	isList := func(name string) bool {
		_, ok := members.members[name].([]any)
		return keyword == "dependentRequired" || ok && keyword == "dependencies"
	}
	for _, name := range names {
		if isList(name) {
			c.dependentNames(name, members.members[name])
		}
	}
	for _, name := range names {
		schema := members.members[name]
		if isList(name) || c.alwaysValid(schema) {
			continue
		}
		ops, s := c.sub(schema)
		merge, _ := c.mergeValid(s)
		c.emit(func(f *frame, data any, at *path) {
			if data.(*object).has(name) && f.apply(ops, data, at) {
				f.exec(merge, data, at)
			}
		})
	}
}

func (c *compiler) dependentNames(name string, value any) {
	list, ok := value.([]any)
	if !ok {
		if value == nil {
			fail("Cannot read properties of null (reading 'length')")
		}
		fail("deps.join is not a function")
	}
	noun := "properties"
	if len(list) == 1 {
		noun = "property"
	}
	parts := make([]string, len(list))
	for i, item := range list {
		if item != nil {
			parts[i] = joined(item)
		}
	}
	message := "must have " + noun + " " + strings.Join(parts, ", ") + " when property " + name + " is present"
	for _, item := range list {
		key := joined(item)
		c.check(message, func(_ *run, data any) bool { return data.(*object).has(name) && !data.(*object).has(key) })
	}
}
