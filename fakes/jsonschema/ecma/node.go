package ecma

// Op is the kind of a Node.
type Op int

// The kinds of nodes.
const (
	Empty    Op = iota // matches the empty string
	Char               // one code point, in Set
	Start              // ^
	End                // $
	Boundary           // \b, or \B when Negate is set
	Concat             // Kids in order
	Either             // one of Kids
	Repeat             // Kids[0], Min to Max times
	Group              // Kids[0]; Index is its number, 0 when it does not capture
	Look               // lookaround: Kids[0], behind when Behind, negative when Negate
	Back               // what group Index matched
)

// Unbounded is the Max of a Repeat without an upper limit.
const Unbounded = 1<<31 - 1

// Node is a part of a parsed regular expression.
type Node struct {
	Op             Op
	Set            Set
	Kids           []*Node
	Min, Max       int
	Lazy           bool
	Index          int
	Negate, Behind bool
}

// Range is a closed range of code points.
type Range struct{ Lo, Hi rune }

// Set is a set of code points: sorted ranges that do not touch.
type Set []Range

// Contains tells whether r is in the set.
func (s Set) Contains(r rune) bool {
	lo, hi := 0, len(s)
	for lo < hi {
		mid := (lo + hi) / 2
		switch {
		case r < s[mid].Lo:
			hi = mid
		case r > s[mid].Hi:
			lo = mid + 1
		default:
			return true
		}
	}
	return false
}

// Size counts the code points of the set.
func (s Set) Size() int {
	n := 0
	for _, r := range s {
		n += int(r.Hi-r.Lo) + 1
	}
	return n
}
