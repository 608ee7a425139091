package message

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// walker holds a value against a shape. It reads the raw text and builds no
// tree, so that its memory does not grow with the frame.
type walker struct {
	out   *collector
	steps []step
	level Level
	// section and req are those of the innermost shape that has them.
	section string
	req     []string
}

// fault records that the value at the current place is not what was expected.
func (w *walker) fault(expected, observed string) {
	if w.out.only != "" {
		w.out.tally(w.level)
		return
	}
	if w.out.full(w.level) {
		return
	}
	w.out.add(Fault{Path: pathOf(w.steps), Expected: expected, Observed: observed,
		Level: w.level, Requirements: w.req, Section: w.section})
}

func (w *walker) under(s step, do func()) {
	w.steps = append(w.steps, s)
	do()
	w.steps = w.steps[:len(w.steps)-1]
}

func (w *walker) member(key string, do func()) { w.under(step{key: &key}, do) }

// at runs do with another level and the source of the shape.
func (w *walker) at(level Level, s *shape, do func()) {
	oldLevel, oldSection, oldReq := w.level, w.section, w.req
	w.level = level
	if s.Section != "" {
		w.section = s.Section
	}
	if s.Req != nil {
		w.req = s.Req
	}
	do()
	w.level, w.section, w.req = oldLevel, oldSection, oldReq
}

// check records every way in which the value does not have the shape.
func (w *walker) check(s *shape, v gjson.Result) {
	if !s.meant(v) {
		return
	}
	w.at(w.level, s, func() {
		if s.ref != nil {
			w.check(s.ref, v)
		}
		if w.own(s, v) {
			w.overlay(w.level, s.Also, v)
			w.overlay(Should, s.Should, v)
			w.overlay(Note, s.Note, v)
		}
	})
}

func (w *walker) overlay(level Level, shapes []*shape, v gjson.Result) {
	if rank(level) > rank(w.level) {
		level = w.level // an addition to advice is no more than advice
	}
	for _, s := range shapes {
		w.at(level, s, func() { w.check(s, v) })
	}
}

func rank(l Level) int { return strings.Index("note should must", string(l)) }

// meant says whether Only lets the shape speak of this value.
func (s *shape) meant(v gjson.Result) bool {
	for member, text := range s.Only {
		if got := v.Get(member); got.Type != gjson.String || got.Str != text {
			return false
		}
	}
	return true
}

// own checks the keywords of the shape itself. It returns false when the value
// is of another kind, so that nothing else can be said about it.
func (w *walker) own(s *shape, v gjson.Result) bool {
	if len(s.Type) > 0 && !slices.ContainsFunc(s.Type, func(t string) bool { return isType(v, t) }) ||
		len(s.Enum) > 0 && (v.Type != gjson.String || !slices.Contains(s.Enum, v.Str)) {
		w.fault(s.wanted(), shown(v))
		return false
	}
	switch {
	case v.Type == gjson.String:
		if s.Format != "" && !s.format.ok(v.Str) {
			w.fault(s.wanted(), shown(v))
		}
	case v.Type == gjson.Number:
		if s.Min != nil && v.Num < *s.Min || s.Max != nil && v.Num > *s.Max {
			w.fault(between(s.Min, s.Max), shown(v))
		}
	case v.IsArray():
		w.array(s, v)
	case v.IsObject():
		w.object(s, v)
	}
	return w.union(s, v)
}

// isType is JSON Schema's notion of a type: 1.0 is an integer.
func isType(v gjson.Result, t string) bool {
	switch t {
	case "string":
		return v.Type == gjson.String
	case "number":
		return v.Type == gjson.Number
	case "integer":
		return v.Type == gjson.Number && (!strings.ContainsAny(v.Raw, ".eE") || v.Num == math.Trunc(v.Num) && !math.IsInf(v.Num, 0))
	case "boolean":
		return v.IsBool()
	case "null":
		return v.Type == gjson.Null
	case "array":
		return v.IsArray()
	}
	return v.IsObject()
}

func (w *walker) array(s *shape, v gjson.Result) {
	if len(s.Items) == 0 && s.MinItems == 0 && s.MaxItems == nil && !s.Unique {
		return
	}
	count := 0
	var seen map[string]bool
	v.ForEach(func(_, item gjson.Result) bool {
		if len(s.Items) > 0 {
			w.under(step{index: count}, func() { w.check(s.Items[0], item) })
		}
		if s.Unique && count < 1000 {
			if seen == nil {
				seen = map[string]bool{}
			}
			if seen[item.Raw] {
				w.under(step{index: count}, func() { w.fault("an entry that stands once", shown(item)) })
			}
			seen[item.Raw] = true
		}
		count++
		return true
	})
	if s.MaxItems != nil && count > *s.MaxItems {
		w.fault("at most "+plural(*s.MaxItems, "entry", "entries"), plural(count, "entry", "entries"))
	}
	if count < s.MinItems {
		w.fault("at least "+plural(s.MinItems, "entry", "entries"), plural(count, "entry", "entries"))
	}
}

func (w *walker) object(s *shape, v gjson.Result) {
	if len(s.Members) == 0 && len(s.Entries) == 0 && s.Keys == "" && s.Closed == nil && s.AtLeastOne == nil && s.NotBoth == nil {
		return
	}
	there := map[string]bool{}
	named := func(key string) bool {
		return slices.Contains(s.AtLeastOne, key) || slices.Contains(s.NotBoth, key)
	}
	v.ForEach(func(k, val gjson.Result) bool {
		key := k.Str
		m, known := s.Members[key]
		if known || named(key) {
			there[key] = true
		}
		if known || len(s.Entries) > 0 || s.Keys != "" || s.Closed != nil {
			w.member(key, func() { w.entry(s, m, key, val) })
		}
		return true
	})
	for _, key := range slices.Sorted(maps.Keys(s.Members)) {
		if m := s.Members[key][0]; m.Required && !there[key] {
			w.member(key, func() { w.at(w.level, m, func() { w.fault(m.wanted(), "nothing") }) })
		}
	}
	if s.AtLeastOne != nil && !slices.ContainsFunc(s.AtLeastOne, func(key string) bool { return there[key] }) {
		w.fault(strings.Join(s.AtLeastOne, " or "), "neither")
	}
	if s.NotBoth != nil && !slices.ContainsFunc(s.NotBoth, func(key string) bool { return !there[key] }) {
		w.fault("either "+strings.Join(s.NotBoth, " or "), "both")
	}
}

// entry checks one member of an object, whose shape m may be missing.
func (w *walker) entry(s *shape, m variants, key string, v gjson.Result) {
	if s.Keys != "" && !s.keys.ok(key) {
		w.fault(s.keys.is, quote(cut(key, maxObserved)))
	}
	if s.Closed != nil && !slices.Contains(s.Closed, key) {
		w.fault("no member but "+strings.Join(s.Closed, ", "), quote(cut(key, maxObserved)))
	}
	switch {
	case len(m) > 0 && m[0].Forbidden:
		w.at(w.level, m[0], func() { w.fault("no such member", shown(v)) })
	case len(m) > 0:
		w.check(m[0], v)
	case len(s.Entries) > 0:
		w.check(s.Entries[0], v)
	}
}
