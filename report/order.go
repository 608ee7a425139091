package report

import (
	"cmp"
	"slices"
)

// sortBy sorts a list of structs; equal ones keep their order. It sorts places in the
// list and moves each item once: slices.SortFunc moves whole structs many times, and
// the program would hold a copy of its code for every type that is sorted.
func sortBy[T any](list []T, compare func(a, b T) int) {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(compare(list[i], list[j]), cmp.Compare(i, j)) })
	from := slices.Clone(list)
	for to, i := range order {
		list[to] = from[i]
	}
}
