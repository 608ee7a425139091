// Package serde says what Rust's serde makes of JSON: which texts serde_json
// refuses, and whether a value fits a type. Clients written in Rust decode MCP
// messages with it.
package serde

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

// MaxDepth is how deep serde_json reads arrays and objects.
const MaxDepth = 127

// Parse reads one JSON text as serde_json does. exact is its feature that keeps
// numbers as text; without it a number beyond a double is an error, and the text
// of fractions is forgotten. Text that is not UTF-8, lone surrogates and deep
// nesting are errors.
func Parse(text []byte, exact bool) (js.Value, error) {
	if js.DecodeUTF8(text) != string(text) {
		return js.Value{}, fmt.Errorf("the text is not UTF-8")
	}
	v, err := js.ParseAsSent(text)
	if err != nil {
		return v, err
	}
	return v, check(&v, 0, exact)
}

func check(v *js.Value, depth int, exact bool) error {
	switch v.Kind {
	case js.Number:
		if exact {
			return nil
		}
		if s := js.FormatNumber(v.Num); strings.HasSuffix(s, "Infinity") {
			return fmt.Errorf("number out of range")
		}
		if !IsInteger(*v) {
			v.Raw = ""
		}
	case js.String:
		return checkText(v.Str)
	case js.Array, js.Object:
		if depth >= MaxDepth {
			return fmt.Errorf("recursion limit exceeded")
		}
		for i := range v.Items {
			if err := check(&v.Items[i], depth+1, exact); err != nil {
				return err
			}
		}
		for _, k := range v.Keys() {
			if err := checkText(k); err != nil {
				return err
			}
			x := v.Get(k)
			if err := check(&x, depth+1, exact); err != nil {
				return err
			}
			v.Set(k, x)
		}
	}
	return nil
}

func checkText(s string) error {
	for _, r := range js.Runes(s) {
		if r >= 0xD800 && r <= 0xDFFF {
			return fmt.Errorf("lone surrogate in a string")
		}
	}
	return nil
}

// Type is a Rust type that a value may be decoded into. It gives what is wrong,
// or "". The functions that make one are kept from being inlined: each of their
// many uses would hold its own copy of what they return.
type Type func(v js.Value, path string) string

// String is String.
func String(v js.Value, path string) string { return need(v.Kind == js.String, v, path, "a string") }

// Bool is bool.
func Bool(v js.Value, path string) string { return need(v.Kind == js.Bool, v, path, "a boolean") }

// Any is serde_json::Value.
func Any(js.Value, string) string { return "" }

// Int is i64.
func Int(v js.Value, path string) string {
	_, err := strconv.ParseInt(v.Raw, 10, 64)
	return need(v.Kind == js.Number && err == nil, v, path, "an integer")
}

// Uint is u64.
func Uint(v js.Value, path string) string {
	_, err := strconv.ParseUint(v.Raw, 10, 64)
	return need(v.Kind == js.Number && err == nil, v, path, "an unsigned integer")
}

// Int32 is i32.
func Int32(v js.Value, path string) string {
	_, err := strconv.ParseInt(v.Raw, 10, 32)
	return need(v.Kind == js.Number && err == nil, v, path, "an integer of 32 bits")
}

// Number is f32 or f64.
func Number(v js.Value, path string) string { return need(v.Kind == js.Number, v, path, "a number") }

// Map is a JSON object of any content. When numbers are kept as text, a number
// that is no 64-bit integer passes for a map, since that is how it is carried.
func Map(v js.Value, path string) string {
	return need(v.Kind == js.Object || v.Kind == js.Number && v.Raw != "" && !IsInteger(v), v, path, "a map")
}

func need(ok bool, v js.Value, path, want string) string {
	if ok {
		return ""
	}
	return fmt.Sprintf("%s: expected %s, found %s", path, want, v.Type())
}

// IsInteger says whether a number was written as an integer of 64 bits.
func IsInteger(v js.Value) bool { return Int(v, "") == "" || Uint(v, "") == "" }

// Vec is a list of one type.
//
//go:noinline
func Vec(item Type) Type {
	return func(v js.Value, path string) string {
		if v.Kind != js.Array {
			return need(false, v, path, "a sequence")
		}
		for i, x := range v.Items {
			if bad := item(x, fmt.Sprintf("%s.%d", path, i)); bad != "" {
				return bad
			}
		}
		return ""
	}
}

// Enum is an enum of unit variants.
//
//go:noinline
func Enum(words ...string) Type {
	return func(v js.Value, path string) string {
		for _, w := range words {
			if v.Kind == js.String && v.Str == w {
				return ""
			}
		}
		return fmt.Sprintf("%s: unknown variant, expected one of %s", path, strings.Join(words, ", "))
	}
}

// Untagged is an enum that takes the first variant that fits.
//
//go:noinline
func Untagged(variants ...Type) Type {
	return func(v js.Value, path string) string {
		for _, t := range variants {
			if t(v, path) == "" {
				return ""
			}
		}
		return path + ": data did not match any variant"
	}
}

// Field is one field of a struct.
type Field struct {
	Name     string
	Type     Type
	Optional bool // Option<T>: absent or null will do
}

// F is a field that must be there.
func F(name string, t Type) Field { return Field{name, t, false} }

// Opt is a field that may be absent or null.
func Opt(name string, t Type) Field { return Field{name, t, true} }

// Struct is a struct that ignores unknown members. A known member that comes
// twice is an error.
//
//go:noinline
func Struct(fields ...Field) Type {
	return func(v js.Value, path string) string {
		if v.Kind != js.Object {
			if bad := Map(v, path); bad != "" {
				return bad
			}
			v = js.NewObject()
		}
		for _, f := range fields {
			if v.Twice(f.Name) {
				return path + ": duplicate field " + f.Name
			}
			x := v.Get(f.Name)
			if f.Optional && x.Kind <= js.Null {
				continue
			}
			if x.Kind == js.Undefined {
				return path + ": missing field " + f.Name
			}
			if bad := f.Type(x, strings.TrimPrefix(path+"."+f.Name, ".")); bad != "" {
				return bad
			}
		}
		return ""
	}
}
