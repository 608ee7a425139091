package ajv

import "maps"

// ajv tracks which properties and items a schema evaluated, partly while it
// compiles (known names and counts) and partly in variables of the compiled
// function. Both sides are kept apart here too, because some of its verdicts
// depend on it.

// tracked is what is known at compile time about evaluated properties or items.
type tracked struct {
	kind  trackedKind
	names map[string]bool // properties known by name
	count int             // items known by number
	slot  int             // variable of the function
}

type trackedKind int

const (
	none     trackedKind = iota // nothing known
	all                         // everything is evaluated
	static                      // names or count
	variable                    // known when the value is checked
)

// At run time a variable holds undefined, true, a map of names, or a count.

// props gives what a variable or a static state says at run time.
func (f *frame) props(t tracked) any {
	switch t.kind {
	case all:
		return true
	case static:
		return t.names
	case variable:
		return f.slots[t.slot]
	}
	return undefined{}
}

func (f *frame) items(t tracked) any {
	switch t.kind {
	case all:
		return true
	case static:
		return t.count
	case variable:
		return f.slots[t.slot]
	}
	return undefined{}
}

// variableOf makes a variable that starts as t.
func (c *compiler) variableOf(t tracked) tracked {
	slot := c.slot()
	c.emit(func(f *frame, _ any, _ *path) {
		switch t.kind {
		case all:
			f.slots[slot] = true
		case static:
			if t.names != nil {
				f.slots[slot] = maps.Clone(t.names)
			} else {
				f.slots[slot] = t.count
			}
		default:
			f.slots[slot] = map[string]bool{}
		}
	})
	return tracked{kind: variable, slot: slot}
}

// mergeProps adds from to to. With asVariable the result is a variable.
func (c *compiler) mergeProps(from, to tracked, asVariable bool) tracked {
	return c.merge(from, to, asVariable, addProps, func(a, b tracked) tracked {
		if a.kind == all {
			return a
		}
		names := maps.Clone(a.names)
		maps.Copy(names, b.names)
		return tracked{kind: static, names: names}
	})
}

// mergeItems adds from to to. With asVariable the result is a variable.
func (c *compiler) mergeItems(from, to tracked, asVariable bool) tracked {
	return c.merge(from, to, asVariable, addItems, func(a, b tracked) tracked {
		if a.kind == all {
			return a
		}
		return tracked{kind: static, count: max(a.count, b.count)}
	})
}

func (c *compiler) merge(from, to tracked, asVariable bool, add func(to, from any) any, values func(a, b tracked) tracked) tracked {
	result := from
	switch {
	case to.kind == none:
	case to.kind == variable:
		result = to
		c.emitMerge(from, to.slot, add)
	case from.kind == variable:
		c.emitMerge(to, from.slot, add)
	default:
		result = values(from, to)
	}
	if asVariable && result.kind != variable {
		return c.variableOf(result)
	}
	return result
}

func (c *compiler) emitMerge(from tracked, slot int, add func(to, from any) any) {
	c.emit(func(f *frame, _ any, _ *path) {
		value := f.props(from)
		if from.kind == static && from.names == nil {
			value = from.count
		}
		f.slots[slot] = add(f.slots[slot], value)
	})
}

func addProps(to, from any) any {
	if to == true {
		return to
	}
	switch from := from.(type) {
	case bool:
		return true
	case map[string]bool:
		names, ok := to.(map[string]bool)
		if !ok {
			names = map[string]bool{}
		}
		maps.Copy(names, from)
		return names
	}
	return to
}

func addItems(to, from any) any {
	if to == true {
		return to
	}
	switch from := from.(type) {
	case bool:
		return true
	case int:
		if n, ok := to.(int); ok && n > from {
			return n
		}
		return from
	}
	return to
}
