// Package js holds JSON values as a JavaScript engine keeps them after
// JSON.parse: numbers are doubles, the last of two equal keys wins, keys that
// look like array indexes come first, strings may hold lone surrogates.
package js

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// Kind is the type of a value.
type Kind uint8

// The kinds. Undefined is what reading an absent member gives.
const (
	Undefined Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// Value is one JSON value. Strings are WTF-8: UTF-8 in which a lone surrogate
// is kept as its own three bytes.
type Value struct {
	Kind  Kind
	Bool  bool
	Num   float64
	Str   string
	Items []Value
	Obj   *Members
	// Raw is the text of the value as it was sent; "" for values made here.
	Raw string
}

// Members are the members of an object in the order a JavaScript engine lists them.
type Members struct {
	keys  []string
	index map[string]int
	vals  []Value
	ints  int  // how many of the first keys are array indexes
	plain bool // members stay in the order they were set in
	twice map[string]bool
}

// NewObject gives an object without members.
func NewObject() Value {
	return Value{Kind: Object, Obj: &Members{index: map[string]int{}}}
}

// NewPlain gives an object whose members stay in the order they are set in.
func NewPlain() Value {
	v := NewObject()
	v.Obj.plain = true
	return v
}

// Str gives a string value.
func Str(s string) Value { return Value{Kind: String, Str: s} }

// Num gives a number value.
func Num(f float64) Value { return Value{Kind: Number, Num: f} }

// Boolean gives a boolean value.
func Boolean(b bool) Value { return Value{Kind: Bool, Bool: b} }

// List gives an array value.
func List(items ...Value) Value { return Value{Kind: Array, Items: items} }

// Get gives a member; an undefined value when v is no object or lacks it.
func (v Value) Get(key string) Value {
	if v.Kind != Object {
		return Value{}
	}
	if i, ok := v.Obj.index[key]; ok {
		return v.Obj.vals[i]
	}
	return Value{}
}

// Has says whether v is an object with the member.
func (v Value) Has(key string) bool {
	if v.Kind != Object {
		return false
	}
	_, ok := v.Obj.index[key]
	return ok
}

// Twice says whether the member came more than once in the text.
func (v Value) Twice(key string) bool { return v.Kind == Object && v.Obj.twice[key] }

// Keys gives the member names in engine order.
func (v Value) Keys() []string {
	if v.Kind != Object {
		return nil
	}
	return v.Obj.keys
}

// Set adds or replaces a member of an object. The value is shared, not copied.
func (v Value) Set(key string, x Value) {
	m := v.Obj
	if i, ok := m.index[key]; ok {
		m.vals[i] = x
		return
	}
	at := len(m.keys)
	if n, ok := arrayIndex(key); ok && !m.plain {
		at, _ = slices.BinarySearchFunc(m.keys[:m.ints], n, func(k string, n uint32) int {
			i, _ := arrayIndex(k)
			return cmp.Compare(i, n)
		})
		m.ints++
	}
	m.keys = slices.Insert(m.keys, at, key)
	m.vals = slices.Insert(m.vals, at, x)
	m.reindex(at)
}

// add is Set for a member as it is parsed: it stays last until sort.
func (m *Members) add(key string, x Value) {
	if i, ok := m.index[key]; ok {
		if m.twice == nil {
			m.twice = map[string]bool{}
		}
		m.twice[key] = true
		m.vals[i] = x
		return
	}
	m.index[key] = len(m.keys)
	m.keys = append(m.keys, key)
	m.vals = append(m.vals, x)
}

// sort brings members that look like array indexes to the front, in their order.
func (m *Members) sort() {
	type member struct {
		n   uint32
		key string
		val Value
	}
	var ints []member
	var keys []string
	var vals []Value
	for i, k := range m.keys {
		if n, ok := arrayIndex(k); ok {
			ints = append(ints, member{n, k, m.vals[i]})
		} else {
			keys, vals = append(keys, k), append(vals, m.vals[i])
		}
	}
	if len(ints) == 0 {
		return
	}
	slices.SortFunc(ints, func(a, b member) int { return cmp.Compare(a.n, b.n) })
	m.keys, m.vals, m.ints = m.keys[:0], m.vals[:0], len(ints)
	for _, x := range ints {
		m.keys, m.vals = append(m.keys, x.key), append(m.vals, x.val)
	}
	m.keys, m.vals = append(m.keys, keys...), append(m.vals, vals...)
	m.reindex(0)
}

func (m *Members) reindex(from int) {
	for i := from; i < len(m.keys); i++ {
		m.index[m.keys[i]] = i
	}
}

// Delete takes a member away, if it is there.
func (v Value) Delete(key string) {
	m := v.Obj
	i, ok := m.index[key]
	if !ok {
		return
	}
	if i < m.ints {
		m.ints--
	}
	m.keys = slices.Delete(m.keys, i, i+1)
	m.vals = slices.Delete(m.vals, i, i+1)
	delete(m.index, key)
	m.reindex(i)
}

// Copy gives a shallow copy, so that Set on it leaves v alone.
func (v Value) Copy() Value {
	switch v.Kind {
	case Object:
		m := v.Obj
		return Value{Kind: Object, Obj: &Members{keys: slices.Clone(m.keys), vals: slices.Clone(m.vals), index: maps.Clone(m.index), ints: m.ints, plain: m.plain}}
	case Array:
		return List(slices.Clone(v.Items)...)
	}
	return v
}

// Truthy is JavaScript's ToBoolean.
func (v Value) Truthy() bool {
	switch v.Kind {
	case Undefined, Null:
		return false
	case Bool:
		return v.Bool
	case Number:
		return v.Num != 0 && v.Num == v.Num
	case String:
		return v.Str != ""
	}
	return true
}

// IsString says whether v is a string.
func (v Value) IsString() bool { return v.Kind == String }

// IsObject says whether v is an object that is no array.
func (v Value) IsObject() bool { return v.Kind == Object }

// IsTrue says whether v is the boolean true.
func (v Value) IsTrue() bool { return v.Kind == Bool && v.Bool }

// Type gives the word that zod and people use for the type of v.
func (v Value) Type() string {
	return [...]string{"undefined", "null", "boolean", "number", "string", "array", "object"}[v.Kind]
}

// arrayIndex reads a canonical array index (0 to 2^32-2).
func arrayIndex(key string) (uint32, bool) {
	if key == "" || len(key) > 10 || (key[0] == '0' && len(key) > 1) || key[0] < '0' || key[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseUint(key, 10, 64)
	if err != nil || n >= 1<<32-1 {
		return 0, false
	}
	return uint32(n), true
}

// Equal compares two values as JSON: object order does not matter, numbers as doubles.
func Equal(a, b Value) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case Bool:
		return a.Bool == b.Bool
	case Number:
		return a.Num == b.Num
	case String:
		return a.Str == b.Str
	case Array:
		return slices.EqualFunc(a.Items, b.Items, Equal)
	case Object:
		if len(a.Obj.keys) != len(b.Obj.keys) {
			return false
		}
		for i, k := range a.Obj.keys {
			if !b.Has(k) || !Equal(a.Obj.vals[i], b.Get(k)) {
				return false
			}
		}
	}
	return true
}
