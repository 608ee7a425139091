package message

import (
	"slices"

	"github.com/tidwall/gjson"
)

// union checks a value against the branch of a union that it means to be. It
// returns false when there is no telling which one that is.
//
// The member named by By tells branches apart. Where it leaves more than one
// (the form fields of type string), the value has the shape if it fits any of
// them; if it fits none, the branch with the fewest faults is told.
func (w *walker) union(s *shape, v gjson.Result) bool {
	if len(s.branches) == 0 {
		return true
	}
	if len(s.AtLeastOne) > 0 && !slices.ContainsFunc(s.AtLeastOne, func(key string) bool { return v.Get(key).Exists() }) {
		return true // told already
	}
	candidates := s.branches
	if s.By != "" {
		if !v.IsObject() {
			w.fault(s.wanted(), shown(v))
			return false
		}
		var values []string
		if candidates, values = told(s, v); len(candidates) == 0 {
			w.undecided(s.By, values, v.Get(s.By))
			return false
		}
	}
	candidates = fitting(candidates, v)
	best, fewest := candidates[0], -1
	for _, b := range candidates {
		if len(candidates) == 1 {
			break
		}
		n := w.count(b, v)
		if fewest < 0 || n < fewest {
			best, fewest = b, n
		}
	}
	if fewest >= otherKind && s.Is != "" {
		w.fault(s.Is, shown(v))
		return false
	}
	w.check(best, v)
	return true
}

func (w *walker) undecided(by string, values []string, got gjson.Result) {
	observed := "nothing"
	if got.Exists() {
		observed = shown(got)
	}
	w.member(by, func() { w.fault(choices(values), observed) })
}

// told returns the branches that agree with the value in the member that tells
// them apart, and all values which that member may have.
func told(s *shape, v gjson.Result) (branches []*shape, values []string) {
	got := v.Get(s.By)
	for _, b := range s.branches {
		d := b.find(s.By)
		if d == nil {
			continue
		}
		if !got.Exists() && !d.Required || got.Type == gjson.String && slices.Contains(d.Enum, got.Str) {
			branches = append(branches, b)
		}
		for _, e := range d.Enum {
			if !slices.Contains(values, e) {
				values = append(values, e)
			}
		}
	}
	return branches, values
}

// find returns the shape of a member, wherever in the shape it is defined.
func (s *shape) find(member string) *shape {
	if m := s.Members[member]; len(m) > 0 {
		return m[0]
	}
	for _, a := range s.Also {
		if m := a.find(member); m != nil {
			return m
		}
	}
	if s.ref != nil {
		return s.ref.find(member)
	}
	return nil
}

// fitting keeps the branches that are meant for a member the value has, if there
// are any, or else those that are meant for none.
func fitting(branches []*shape, v gjson.Result) []*shape {
	var meant, plain []*shape
	for _, b := range branches {
		switch {
		case b.When == "":
			plain = append(plain, b)
		case v.Get(b.When).Exists():
			meant = append(meant, b)
		}
	}
	if len(meant) > 0 {
		return meant
	}
	if len(plain) > 0 {
		return plain
	}
	return branches
}

// otherKind is what a branch counts for a value of another JSON type: more than
// any faults inside of it.
const otherKind = 1 << 20

// count returns how many faults of the current level a branch finds in the value.
func (w *walker) count(s *shape, v gjson.Result) int {
	t := s
	for t.ref != nil && len(t.Type) == 0 {
		t = t.ref
	}
	if t.By != "" && !v.IsObject() ||
		len(t.Type) > 0 && !slices.ContainsFunc(t.Type, func(k string) bool { return isType(v, k) }) {
		return otherKind
	}
	dry := &walker{out: &collector{only: w.level}, level: w.level}
	dry.check(s, v)
	return dry.out.seen
}
