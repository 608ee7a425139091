package sample

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, id string
		want        bool
	}{
		{"listing/pages-end", "listing/pages-end", true},
		{"listing/pages-end", "listing/pages-end-more", false},
		{"host-*/array-items", "host-openai/array-items", true},
		{"host-*/array-items", "host-openai/root-combinators", false},
		{"host-*", "host-openai/root-combinators", true},
		{"*", "listing/pages-end", true},
		{"*/pages-*", "listing/pages-end", true},
	} {
		if got := Names([]string{"x/y", c.pattern}, c.id); got != c.want {
			t.Errorf("%s stands for %s: %v, want %v", c.pattern, c.id, got, c.want)
		}
	}
}

func TestSum(t *testing.T) {
	t.Parallel()
	faults := []Fault{{Checks: ids("a/x", "a/y"), Collateral: ids("b/*")}, {Checks: ids("h-*/z")}}
	got := Sum(faults, []string{"a/x", "a/y", "a/unproven", "h-one/z", "h-two/z"})
	if diff := cmp.Diff(Totals{Checks: 4, Faults: 2, Kills: 3, Collateral: 1}, got); diff != "" {
		t.Error(diff)
	}
}
