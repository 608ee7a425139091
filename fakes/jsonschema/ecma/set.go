package ecma

import (
	"cmp"
	"slices"
	"unicode"
)

const maxRune = unicode.MaxRune

func single(r rune) Set { return Set{{r, r}} }

// normal sorts ranges and joins those that touch.
func normal(ranges []Range) Set {
	sorted := slices.Clone(ranges)
	slices.SortFunc(sorted, func(a, b Range) int { return cmp.Compare(a.Lo, b.Lo) })
	var out Set
	for _, r := range sorted {
		if n := len(out); n > 0 && r.Lo <= out[n-1].Hi+1 {
			out[n-1].Hi = max(out[n-1].Hi, r.Hi)
			continue
		}
		out = append(out, r)
	}
	return out
}

// invert gives all code points outside a normal set.
func invert(s Set) Set {
	var out Set
	next := rune(0)
	for _, r := range s {
		if r.Lo > next {
			out = append(out, Range{next, r.Lo - 1})
		}
		next = r.Hi + 1
	}
	if next <= maxRune {
		out = append(out, Range{next, maxRune})
	}
	return out
}

func minus(a, b Set) Set {
	var out []Range
	keep := invert(b)
	for _, x := range a {
		for _, y := range keep {
			lo, hi := max(x.Lo, y.Lo), min(x.Hi, y.Hi)
			if lo <= hi {
				out = append(out, Range{lo, hi})
			}
		}
	}
	return normal(out)
}

func digits() Set { return Set{{'0', '9'}} }
func words() Set  { return Set{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}} }

// lines are the line terminators of ECMA-262.
func lines() Set { return Set{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}} }

// spaces are the white space and line terminators of ECMA-262.
func spaces() Set {
	return normal(append(fromTable(unicode.Zs), Range{'\t', '\r'}, Range{0x2028, 0x2029}, Range{0xFEFF, 0xFEFF}))
}

func fromTable(tables ...*unicode.RangeTable) Set {
	var out []Range
	for _, table := range tables {
		for _, r := range table.R16 {
			out = appendStrided(out, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range table.R32 {
			out = appendStrided(out, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return normal(out)
}

func appendStrided(out []Range, lo, hi, stride rune) []Range {
	if stride == 1 {
		return append(out, Range{lo, hi})
	}
	for r := lo; r <= hi; r += stride {
		out = append(out, Range{r, r})
	}
	return out
}
