package instance

import (
	"slices"
	"strings"

	"github.com/agntn/conform/fakes/jsonschema"
)

// BrokenN makes arguments that break a schema at n different properties at once, one
// way each, verified like Broken. From n = 2 on a nested property is among them where
// the schema nests; the kinds differ where they can. ok is false when no such
// arguments were found. The seed decides which properties are taken.
func BrokenN(schema, base []byte, n int, seed int64) (broken Break, ok bool) {
	doc, err := open(schema)
	if err != nil || n < 1 {
		return Break{}, false
	}
	singles := Broken(schema, base, seed)
	for try := range min(len(singles), maxRotations) {
		order := rotate(singles, int(seed)+try)
		if n > 1 {
			order = nestedFirst(order, int(seed)+try)
		}
		picked := pick(order, n)
		if len(picked) < n {
			continue
		}
		if combined, ok := doc.combine(base, picked); ok {
			return combined, true
		}
	}
	return Break{}, false
}

const maxRotations = 60

// rotate starts the list elsewhere.
func rotate(list []Break, by int) []Break {
	by = modulo(by, len(list))
	return append(slices.Clone(list[by:]), list[:by]...)
}

// nestedFirst puts one nested break in front, when there is any.
func nestedFirst(list []Break, by int) []Break {
	var places []int
	for i, b := range list {
		if nested(b) {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return list
	}
	i := places[modulo(by, len(places))]
	return slices.Insert(slices.Delete(slices.Clone(list), i, i+1), 0, list[i])
}

func modulo(n, m int) int { return ((n % m) + m) % m }

func nested(b Break) bool { return strings.Count(b.Problems[0].Pointer, "/") > 1 }

// pick takes n breaks at places apart from each other, of different kinds first.
func pick(list []Break, n int) []Break {
	var picked []Break
	for _, anyKind := range []bool{false, true} {
		for _, b := range list {
			apart := !slices.ContainsFunc(picked, func(p Break) bool { return overlaps(p, b) })
			newKind := !slices.ContainsFunc(picked, func(p Break) bool { return p.Problems[0].Kind == b.Problems[0].Kind })
			if len(picked) < n && apart && (newKind || anyKind) {
				picked = append(picked, b)
			}
		}
	}
	return picked
}

// overlaps tells whether two breaks are at one place or one within the other, edits
// that prepare the place included.
func overlaps(a, b Break) bool {
	for _, x := range a.edits {
		for _, y := range b.edits {
			p, q := jsonschema.Pointer(x.tokens...)+"/", jsonschema.Pointer(y.tokens...)+"/"
			if strings.HasPrefix(p, q) || strings.HasPrefix(q, p) {
				return true
			}
		}
	}
	return false
}

// combine applies several breaks and checks that each shows, and nothing else does.
func (d *document) combine(base []byte, breaks []Break) (Break, bool) {
	var combined Break
	for _, b := range breaks {
		combined.edits = append(combined.edits, b.edits...)
		combined.Problems = append(combined.Problems, b.Problems...)
	}
	arguments, ok := apply(base, combined.edits)
	if !ok {
		return Break{}, false
	}
	problems, err := d.check.Problems(arguments)
	if err != nil || len(problems) != len(breaks) {
		return Break{}, false
	}
	for _, p := range combined.Problems {
		if !slices.ContainsFunc(problems, func(q jsonschema.Problem) bool { return p.Pointer == q.Path && p.Keyword == q.Keyword }) {
			return Break{}, false
		}
	}
	combined.Arguments = arguments
	return combined, true
}
