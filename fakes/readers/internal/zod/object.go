package zod

import "github.com/agntn/conform/fakes/readers/internal/js"

// Member is one member of an object shape.
type Member struct {
	Name  string
	Shape Shape
}

// M names a member that must be there, unless its shape says otherwise.
func M(name string, s Shape) Member { return Member{name, s} }

// Opt names a member that may be absent.
func Opt(name string, s Shape) Member { return Member{name, Optional(s)} }

// Rest says what an object shape does with members it does not name.
type Rest struct {
	drop, refuse bool
	shape        Shape
}

// Strip drops members that are not named.
func Strip() Rest { return Rest{drop: true} }

// Loose keeps members that are not named.
func Loose() Rest { return Rest{shape: Unknown()} }

// Strict refuses members that are not named.
func Strict() Rest { return Rest{refuse: true} }

// RestOf checks members that are not named against a shape.
func RestOf(s Shape) Rest { return Rest{shape: s} }

// Object accepts objects with the named members. The kept value lists the
// named members first, in the order given here, then the others.
//
//go:noinline
func Object(rest Rest, members ...Member) Shape {
	named := make(map[string]bool, len(members))
	for _, m := range members {
		named[m.Name] = true
	}
	return Shape{parse: func(v js.Value) (js.Value, []Issue) {
		if v.Kind != js.Object {
			return v, []Issue{wrongType("object", v)}
		}
		out := js.NewObject()
		var issues []Issue
		for _, m := range members {
			issues = append(issues, m.read(v, out)...)
		}
		if rest.drop {
			return out, issues
		}
		var unknown []string
		for _, k := range v.Keys() {
			switch {
			case named[k]:
			case rest.refuse:
				unknown = append(unknown, k)
			case k != "__proto__":
				y, found := rest.shape.parse(v.Get(k))
				issues = append(issues, under(js.Str(k), found)...)
				out.Set(k, y)
			}
		}
		if len(unknown) > 0 {
			issues = append(issues, unrecognized(unknown))
		}
		return out, issues
	}}
}

// read takes one named member of v into out.
func (m Member) read(v, out js.Value) []Issue {
	y, found := m.Shape.parse(v.Get(m.Name))
	found = under(js.Str(m.Name), found)
	present := v.Has(m.Name)
	switch {
	case m.Shape.in != required && m.Shape.outOpt:
		if !present && len(found) > 0 {
			return nil
		}
		if present || m.Shape.in == defaulted && y.Kind != js.Undefined {
			out.Set(m.Name, y)
		}
	case m.Shape.in == required:
		if !present && len(found) == 0 {
			absent := issue(false, "Invalid input: expected nonoptional, received undefined",
				"code", js.Str("invalid_type"), "expected", js.Str("nonoptional"))
			return under(js.Str(m.Name), []Issue{absent})
		}
		if present {
			out.Set(m.Name, y)
		}
	case y.Kind != js.Undefined:
		out.Set(m.Name, y)
	}
	return found
}
