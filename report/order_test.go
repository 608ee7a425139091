package report

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSortBy compares with the sort of the standard library.
func TestSortBy(t *testing.T) {
	t.Parallel()
	type item struct{ key, at int }
	byKey := func(a, b item) int { return cmp.Compare(a.key, b.key) }
	for n := range 200 {
		got := make([]item, n)
		for i := range got {
			got[i] = item{rand.IntN(1 + n/3), i}
		}
		want := slices.Clone(got)
		sortBy(got, byKey)
		slices.SortStableFunc(want, byKey)
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}
