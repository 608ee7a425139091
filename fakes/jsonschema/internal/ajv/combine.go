package ajv

// not, anyOf, oneOf, allOf, if.

func (c *compiler) not(schema any) {
	const message = "must NOT be valid"
	if c.alwaysValid(schema) {
		c.check(message, func(*run, any) bool { return true })
		return
	}
	ops, _ := c.subAs(schema, true)
	c.emit(func(f *frame, data any, at *path) {
		before := len(f.run.faults)
		if f.apply(ops, data, at) {
			f.run.fail(at, message)
		} else {
			f.run.reset(before)
		}
	})
}

// mergeAll adds what a subschema evaluated, whether it was valid or not.
func (c *compiler) mergeAll(from *compiler, asVariable bool) {
	if !c.engine.dialect.next() {
		return
	}
	if c.props.kind != all && from.props.kind != none {
		c.props = c.mergeProps(from.props, c.props, asVariable)
	}
	if c.items.kind != all && from.items.kind != none {
		c.items = c.mergeItems(from.items, c.items, asVariable)
	}
}

// mergeValid gives the steps to run when a subschema was valid; ok is false when
// there is nothing left to track.
func (c *compiler) mergeValid(from *compiler) (ops []op, ok bool) {
	if !c.engine.dialect.next() || c.props.kind == all && c.items.kind == all {
		return nil, false
	}
	return c.block(func() { c.mergeAll(from, true) }), true
}

func (c *compiler) anyOf(schemas []any) {
	always := false
	for _, schema := range schemas {
		always = always || c.alwaysValid(schema)
	}
	if always && !c.engine.dialect.next() {
		return
	}
	type branch struct {
		ops, merge []op
		goOn       bool // check further branches even after a valid one
	}
	var branches []branch
	for _, schema := range schemas {
		ops, s := c.sub(schema)
		merge, merged := c.mergeValid(s)
		branches = append(branches, branch{ops, merge, merged})
	}
	c.emit(func(f *frame, data any, at *path) {
		before, valid := len(f.run.faults), false
		for _, b := range branches {
			fits := f.apply(b.ops, data, at)
			valid = valid || fits
			if fits {
				f.exec(b.merge, data, at)
			}
			if valid && !b.goOn {
				break
			}
		}
		if valid {
			f.run.reset(before)
		} else {
			f.run.fail(at, "must match a schema in anyOf")
		}
	})
}

func (c *compiler) oneOf(schemas []any) {
	type branch struct{ ops, merge []op }
	var branches []branch
	for _, schema := range schemas {
		if c.alwaysValid(schema) {
			branches = append(branches, branch{})
			continue
		}
		ops, s := c.sub(schema)
		branches = append(branches, branch{ops, c.block(func() { c.mergeAll(s, true) })})
	}
	c.emit(func(f *frame, data any, at *path) {
		before, passing := len(f.run.faults), 0
		for _, b := range branches {
			fits := f.apply(b.ops, data, at)
			if fits && passing > 0 {
				passing++
				break
			}
			if fits {
				passing = 1
				f.exec(b.merge, data, at)
			}
		}
		if passing == 1 {
			f.run.reset(before)
		} else {
			f.run.fail(at, "must match exactly one schema in oneOf")
		}
	})
}

func (c *compiler) allOf(schemas []any) {
	for _, schema := range schemas {
		if c.alwaysValid(schema) {
			continue
		}
		ops, s := c.sub(schema)
		c.emit(func(f *frame, data any, at *path) { f.exec(ops, data, at) })
		c.mergeAll(s, false)
	}
}

func (c *compiler) conditional(condition any) {
	clause := func(keyword string) (schema any, given bool) {
		schema, given = c.member(keyword)
		return schema, given && !c.alwaysValid(schema)
	}
	thenSchema, hasThen := clause("then")
	elseSchema, hasElse := clause("else")
	if !hasThen && !hasElse {
		return
	}
	test, tested := c.subAs(condition, true)
	testSlot := c.slot()
	c.emit(func(f *frame, data any, at *path) {
		before := len(f.run.faults)
		f.slots[testSlot] = f.apply(test, data, at)
		f.run.reset(before)
	})
	c.mergeAll(tested, false)
	compile := func(keyword string, schema any, given bool) []op {
		if !given {
			return nil
		}
		return c.block(func() {
			ops, s := c.sub(schema)
			merge, _ := c.mergeValid(s)
			c.emit(func(f *frame, data any, at *path) {
				if f.apply(ops, data, at) {
					f.exec(merge, data, at)
				} else {
					f.run.fail(at, `must match "`+keyword+`" schema`)
				}
			})
		})
	}
	yes, no := compile("then", thenSchema, hasThen), compile("else", elseSchema, hasElse)
	c.emit(func(f *frame, data any, at *path) {
		if f.slots[testSlot] == true {
			f.exec(yes, data, at)
		} else {
			f.exec(no, data, at)
		}
	})
}

// ref compiles a reference: in place when its target holds no reference itself,
// else as a call.
func (c *compiler) ref(ref string) {
	root := c.env.root
	if (ref == "#" || ref == "#/") && c.base == root.base {
		c.call(func(*run, *env) *env { return root }, root.fn)
		return
	}
	target, ok := c.engine.resolveRef(root, c.base, ref)
	if !ok {
		fail("can't resolve reference %s from id %s", ref, c.base)
	}
	if found, ok := target.(*env); ok {
		c.call(func(*run, *env) *env { return found }, found.fn)
		return
	}
	ops, s := c.sub(target)
	c.emit(func(f *frame, data any, at *path) { f.exec(ops, data, at) })
	c.mergeAll(s, false)
}

// call emits the call of a function. done is the function when it is already
// compiled, so that what it evaluates may be known.
func (c *compiler) call(target func(*run, *env) *env, done *fn) {
	here := c.env
	propsSlot, itemsSlot := -1, -1
	var merge []op
	if c.engine.dialect.next() {
		merge = c.block(func() {
			c.props, propsSlot = c.mergeCalled(c.props, done != nil, propsOf(done), c.mergeProps)
			c.items, itemsSlot = c.mergeCalled(c.items, done != nil, itemsOf(done), c.mergeItems)
		})
	}
	c.emit(func(f *frame, data any, at *path) {
		ok, props, items := f.run.call(target(f.run, here).fn, data, at)
		if !ok {
			return
		}
		if propsSlot >= 0 {
			f.slots[propsSlot] = copied(props)
		}
		if itemsSlot >= 0 {
			f.slots[itemsSlot] = items
		}
		f.exec(merge, data, at)
	})
}

func propsOf(f *fn) tracked {
	if f == nil {
		return tracked{kind: variable}
	}
	return f.props
}

func itemsOf(f *fn) tracked {
	if f == nil {
		return tracked{kind: variable}
	}
	return f.items
}

type merger func(from, to tracked, asVariable bool) tracked

// mergeCalled adds what a called function evaluated; slot is the variable that takes
// its result, -1 when it is known beforehand.
func (c *compiler) mergeCalled(to tracked, done bool, from tracked, merge merger) (result tracked, slot int) {
	switch {
	case to.kind == all:
		return to, -1
	case done && from.kind == none:
		return to, -1
	case done && from.kind != variable:
		return merge(from, to, false), -1
	}
	slot = c.slot()
	return merge(tracked{kind: variable, slot: slot}, to, true), slot
}

func copied(v any) any {
	names, ok := v.(map[string]bool)
	if !ok {
		return v
	}
	c := map[string]bool{}
	for name := range names {
		c[name] = true
	}
	return c
}

func (c *compiler) dynamicAnchor(anchor string) {
	c.env.root.dynamic[anchor] = true
	target := c.env
	if !c.top {
		target = newEnv(c.schema, c.env.root.root, c.env.root.base)
		c.engine.compileEnv(target)
	}
	c.emit(func(f *frame, _ any, _ *path) {
		if f.run.anchors[anchor] == nil {
			f.run.anchors[anchor] = target
		}
	})
}

func (c *compiler) dynamicRef(keyword, ref string) {
	if ref == "" || ref[0] != '#' {
		fail(`"%s" only supports hash fragment reference`, keyword)
	}
	anchor, known := ref[1:], c.env.root.dynamic[ref[1:]]
	c.call(func(r *run, here *env) *env {
		if target := r.anchors[anchor]; known && target != nil {
			return target
		}
		return here
	}, nil)
}
