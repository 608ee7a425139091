package ajv

func (c *compiler) itemsKeyword(schema any) {
	if list, ok := schema.([]any); ok {
		c.tuple(list)
		return
	}
	c.items = tracked{kind: all}
	if c.alwaysValid(schema) {
		return
	}
	if prefix, ok := c.member("prefixItems"); ok && c.engine.dialect == draft2020 && truthy(prefix) {
		list, _ := prefix.([]any)
		c.itemsAfter(len(list), schema)
		return
	}
	c.eachItem(0, schema)
}

// tuple compiles schemas for the first items.
func (c *compiler) tuple(schemas []any) {
	if c.engine.dialect.next() && len(schemas) > 0 && c.items.kind != all {
		c.items = c.mergeItems(tracked{kind: static, count: len(schemas)}, c.items, false)
	}
	quiet, last := c.quiet, c.slot()
	for i, schema := range schemas {
		if c.alwaysValid(schema) {
			continue
		}
		ops, _ := c.sub(schema)
		c.emit(func(f *frame, data any, at *path) {
			if list := data.([]any); len(list) > i {
				f.slots[last] = f.apply(ops, list[i], &path{at, index(i)})
			}
			// Where ajv stops at errors, an item that is absent counts as the
			// last one it saw, and as wrong when there was none.
			f.run.halted = quiet && f.slots[last] != true
		})
	}
}

// itemsAfter compiles the schema for the items after the first ones.
func (c *compiler) itemsAfter(first int, schema any) {
	c.items = tracked{kind: all}
	if schema == false {
		c.check("must NOT have more than "+index(first)+" items", func(_ *run, data any) bool { return len(data.([]any)) > first })
		return
	}
	if _, ok := schema.(*object); ok && !c.alwaysValid(schema) {
		c.eachItem(first, schema)
	}
}

func (c *compiler) eachItem(from int, schema any) {
	ops, _ := c.sub(schema)
	quiet := c.quiet
	c.emit(func(f *frame, data any, at *path) {
		list := data.([]any)
		for i := from; i < len(list); i++ {
			if !f.apply(ops, list[i], &path{at, index(i)}) && quiet {
				return
			}
		}
	})
}

func (c *compiler) contains(schema any) {
	low, high, limited := 1.0, 0.0, false
	if c.engine.dialect.next() {
		if n, ok := c.member("minContains"); ok {
			low, _ = n.(float64)
		}
		n, ok := c.member("maxContains")
		high, limited = 0, ok
		if f, isNumber := n.(float64); isNumber {
			high = f
		}
	}
	message := "must contain at least " + numberText(low)
	if limited {
		message += " and no more than " + numberText(high)
	}
	message += " valid item(s)"
	switch {
	case !limited && low == 0:
		return
	case limited && low > high:
		c.check(message, func(*run, any) bool { return true })
		return
	case c.alwaysValid(schema):
		c.check(message, func(_ *run, data any) bool {
			n := float64(len(data.([]any)))
			return n < low || limited && n > high
		})
		return
	}
	c.items = tracked{kind: all}
	ops, _ := c.sub(schema)
	plain, last := !limited && low == 1, c.slot()
	c.emit(func(f *frame, data any, at *path) {
		before, count, valid := len(f.run.faults), 0.0, low == 0
		// Without items the plain form sees what it found in the array before,
		// when it runs more than once.
		if plain && len(data.([]any)) == 0 {
			valid = f.slots[last] == true
		}
		defer func() { f.slots[last] = valid }()
		for i, item := range data.([]any) {
			if !f.apply(ops, item, &path{at, index(i)}) {
				continue
			}
			count++
			if limited && count > high {
				valid = false
				break
			}
			valid = valid || count >= low
			if valid && !limited {
				break
			}
		}
		if valid {
			f.run.reset(before)
		} else {
			f.run.fail(at, message)
		}
	})
}

func (c *compiler) unevaluatedItems(schema any) {
	known := c.items
	if known.kind == all {
		return
	}
	_, isObject := schema.(*object)
	switch {
	case schema == false:
		c.emit(func(f *frame, data any, at *path) {
			if from, word, ok := f.evaluatedItems(known); ok && len(data.([]any)) > from {
				f.run.fail(at, "must NOT have more than "+word+" items")
			}
		})
	case isObject && !c.alwaysValid(schema):
		ops, _ := c.sub(schema)
		quiet := c.quiet
		c.emit(func(f *frame, data any, at *path) {
			from, _, ok := f.evaluatedItems(known)
			list := data.([]any)
			for i := from; ok && i < len(list); i++ {
				if !f.apply(ops, list[i], &path{at, index(i)}) && quiet {
					return
				}
			}
		})
	}
	c.items = tracked{kind: all}
}

// evaluatedItems gives how many items are evaluated, as a number and as ajv prints
// it; ok is false where its variable was never set, which compares as false.
func (f *frame) evaluatedItems(known tracked) (count int, word string, ok bool) {
	if known.kind == none {
		return 0, "0", true
	}
	switch n := f.items(known).(type) {
	case int:
		return n, index(n), true
	case bool:
		return 1, "true", true
	}
	return 0, "", false
}
