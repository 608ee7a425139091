// Package zod is a small set of combinators with the manners of zod 4: what a
// shape accepts, what it drops, and the issues (code, path, message) it raises.
// It covers the parts that MCP clients use.
//
// The combinators are used hundreds of times and kept from being inlined: each use
// would hold its own copy of the check that they return.
package zod

import (
	"math"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

// maxIssues bounds what one array or record may raise, for hostile input.
const maxIssues = 2000

// rung says what a shape does when its member is absent.
type rung uint8

const (
	required  rung = iota
	optional       // absence stays absence
	defaulted      // absence becomes a value
)

// Shape checks a value and gives the value as the client keeps it.
type Shape struct {
	parse  func(v js.Value) (js.Value, []Issue)
	in     rung
	outOpt bool
}

// Parse checks v. Without issues the value is what the client goes on with.
func (s Shape) Parse(v js.Value) (js.Value, Issues) {
	out, issues := s.parse(v)
	return out, issues
}

// Accepts says whether v passes.
func (s Shape) Accepts(v js.Value) bool {
	_, issues := s.parse(v)
	return len(issues) == 0
}

//go:noinline
func kind(name string, k js.Kind) Shape {
	return Shape{parse: func(v js.Value) (js.Value, []Issue) {
		if v.Kind == k {
			return v, nil
		}
		return v, []Issue{wrongType(name, v)}
	}}
}

// String accepts strings.
func String() Shape { return kind("string", js.String) }

// Bool accepts booleans.
func Bool() Shape { return kind("boolean", js.Bool) }

// Nil accepts null.
func Nil() Shape { return kind("null", js.Null) }

// Unknown accepts everything; an absent member stays absent.
func Unknown() Shape {
	return Shape{in: optional, outOpt: true, parse: func(v js.Value) (js.Value, []Issue) { return v, nil }}
}

// Number accepts finite numbers.
//
//go:noinline
func Number() Shape {
	return Shape{parse: func(v js.Value) (js.Value, []Issue) {
		if v.Kind == js.Number && isFinite(v.Num) {
			return v, nil
		}
		return v, []Issue{wrongType("number", v)}
	}}
}

// Int accepts integers that a double keeps exactly.
//
//go:noinline
func Int() Shape {
	return Number().check(func(v js.Value) (Issue, bool) {
		const most = 1<<53 - 1
		switch {
		case v.Num != math.Trunc(v.Num):
			return issue(false, "Invalid input: expected int, received number",
				"expected", js.Str("int"), "format", js.Str("safeint"), "code", js.Str("invalid_type")), true
		case v.Num > most:
			return outOfRange("too_big", "maximum", most, "int", true), true
		case v.Num < -most:
			return outOfRange("too_small", "minimum", -most, "int", true), true
		}
		return Issue{}, false
	})
}

// Between adds bounds, both included, to a number shape.
func (s Shape) Between(low, high float64) Shape {
	return s.check(func(v js.Value) (Issue, bool) {
		if v.Num < low {
			return outOfRange("too_small", "minimum", low, "number", false), true
		}
		return Issue{}, false
	}).check(func(v js.Value) (Issue, bool) {
		if v.Num > high {
			return outOfRange("too_big", "maximum", high, "number", false), true
		}
		return Issue{}, false
	})
}

// Min adds a lower bound, included, to a number shape.
func (s Shape) Min(low float64) Shape {
	return s.check(func(v js.Value) (Issue, bool) {
		if v.Num < low {
			return outOfRange("too_small", "minimum", low, "number", false), true
		}
		return Issue{}, false
	})
}

// Refine adds a test with its own message ("" for zod's own) to a shape.
//
//go:noinline
func (s Shape) Refine(ok func(js.Value) bool, message string) Shape {
	if message == "" {
		message = "Invalid input"
	}
	return s.check(func(v js.Value) (Issue, bool) {
		return issue(true, message, "code", js.Str("custom")), !ok(v)
	})
}

// Custom accepts what ok accepts.
func Custom(ok func(js.Value) bool) Shape {
	s := Unknown().Refine(ok, "")
	s.in, s.outOpt = required, false
	return s
}

// Pre runs a check with its own message before the shape; when it fails the
// shape is not tried.
func (s Shape) Pre(complain func(js.Value) string) Shape {
	inner := s.parse
	s.parse = func(v js.Value) (js.Value, []Issue) {
		if msg := complain(v); msg != "" {
			i := issue(false, msg, "code", js.Str("custom"))
			i.early = true
			return v, []Issue{i}
		}
		return inner(v)
	}
	return s
}

// Format adds a string format: its zod name, its pattern as zod prints it, the
// noun of the message and the test.
func (s Shape) Format(name, pattern, noun string, ok func(string) bool) Shape {
	return s.check(func(v js.Value) (Issue, bool) {
		return issue(true, "Invalid "+noun, "origin", js.Str("string"), "code", js.Str("invalid_format"),
			"format", js.Str(name), "pattern", js.Str(pattern)), !ok(v.Str)
	})
}

// check runs after the shape, unless an issue that stops was raised before.
//
//go:noinline
func (s Shape) check(bad func(js.Value) (Issue, bool)) Shape {
	inner := s.parse
	s.parse = func(v js.Value) (js.Value, []Issue) {
		out, issues := inner(v)
		if stopped(issues) {
			return out, issues
		}
		if i, is := bad(out); is {
			issues = append(issues, i)
		}
		return out, issues
	}
	return s
}

// Literal accepts one string.
func Literal(word string) Shape { return oneOf(word) }

// Enum accepts one of several strings.
func Enum(words ...string) Shape { return oneOf(words...) }

//go:noinline
func oneOf(words ...string) Shape {
	values := js.List()
	for _, w := range words {
		values.Items = append(values.Items, js.Str(w))
	}
	return Shape{parse: func(v js.Value) (js.Value, []Issue) {
		for _, w := range words {
			if v.Kind == js.String && v.Str == w {
				return v, nil
			}
		}
		return v, []Issue{issue(false, notOneOf(words), "code", js.Str("invalid_value"), "values", values)}
	}}
}

// Array accepts arrays of one shape.
//
//go:noinline
func Array(item Shape) Shape {
	return Shape{parse: func(v js.Value) (js.Value, []Issue) {
		if v.Kind != js.Array {
			return v, []Issue{wrongType("array", v)}
		}
		out := js.List()
		var issues []Issue
		for i, x := range v.Items {
			y, found := item.parse(x)
			issues = append(issues, under(js.Num(float64(i)), found)...)
			out.Items = append(out.Items, y)
			if len(issues) > maxIssues {
				break
			}
		}
		return out, issues
	}}
}

// Record accepts objects whose members all have one shape. A member named
// __proto__ is left out unseen.
//
//go:noinline
func Record(value Shape) Shape {
	return Shape{parse: func(v js.Value) (js.Value, []Issue) {
		if v.Kind != js.Object {
			return v, []Issue{wrongType("record", v)}
		}
		out := js.NewObject()
		var issues []Issue
		for _, k := range v.Keys() {
			if k == "__proto__" {
				continue
			}
			y, found := value.parse(v.Get(k))
			issues = append(issues, under(js.Str(k), found)...)
			out.Set(k, y)
			if len(issues) > maxIssues {
				break
			}
		}
		return out, issues
	}}
}

// RecordOld is Record as zod before 4.1 has it: it takes an object with a member
// named constructor for something else than an object.
//
//go:noinline
func RecordOld(value Shape) Shape {
	inner := Record(value).parse
	return Shape{parse: func(v js.Value) (js.Value, []Issue) {
		if v.Has("constructor") {
			return v, []Issue{wrongType("record", v)}
		}
		return inner(v)
	}}
}

// Optional lets a member be absent.
//
//go:noinline
func Optional(s Shape) Shape {
	inner, in := s.parse, s.in
	s.outOpt = true
	if in != defaulted {
		s.in = optional
	}
	s.parse = func(v js.Value) (js.Value, []Issue) {
		if v.Kind == js.Undefined && in != defaulted {
			return v, nil
		}
		return inner(v)
	}
	return s
}

// Nullable lets a member be null.
//
//go:noinline
func Nullable(s Shape) Shape {
	inner := s.parse
	s.parse = func(v js.Value) (js.Value, []Issue) {
		if v.Kind == js.Null {
			return v, nil
		}
		return inner(v)
	}
	return s
}

// Default puts a value in the place of an absent member.
func Default(s Shape, value js.Value) Shape {
	inner := s.parse
	return Shape{in: defaulted, parse: func(v js.Value) (js.Value, []Issue) {
		if v.Kind == js.Undefined {
			return value, nil
		}
		return inner(v)
	}}
}

// Catch puts a value in the place of a refused one.
func Catch(s Shape, value js.Value) Shape {
	inner := s.parse
	return Shape{in: defaulted, parse: func(v js.Value) (js.Value, []Issue) {
		out, issues := inner(v)
		if len(issues) > 0 {
			return value, nil
		}
		return out, nil
	}}
}

// Lazy defers a shape, for shapes that hold themselves.
func Lazy(get func() Shape) Shape {
	return Shape{parse: func(v js.Value) (js.Value, []Issue) { return get().parse(v) }}
}

// Union accepts what one of the shapes accepts; the first wins. When exactly
// one refuses for reasons that do not stop, its issues are the union's own.
//
//go:noinline
func Union(options ...Shape) Shape {
	u := Shape{}
	for _, o := range options {
		u.in = max(u.in, o.in)
		u.outOpt = u.outOpt || o.outOpt
	}
	u.parse = func(v js.Value) (js.Value, []Issue) {
		all := make([][]Issue, 0, len(options))
		var soft [][]Issue
		for _, o := range options {
			out, issues := o.parse(v)
			if len(issues) == 0 {
				return out, nil
			}
			all = append(all, issues)
			if !stopped(issues) {
				soft = append(soft, issues)
			}
		}
		if len(soft) == 1 {
			return v, soft[0]
		}
		return v, []Issue{unionIssue(all)}
	}
	return u
}

// UnionOld is Union as zod before 4.1 has it: its issues are always those of all
// the shapes.
//
//go:noinline
func UnionOld(options ...Shape) Shape {
	u := Union(options...)
	u.parse = func(v js.Value) (js.Value, []Issue) {
		all := make([][]Issue, 0, len(options))
		for _, o := range options {
			out, issues := o.parse(v)
			if len(issues) == 0 {
				return out, nil
			}
			all = append(all, issues)
		}
		return v, []Issue{unionIssue(all)}
	}
	return u
}
