package sample

import (
	"path"
	"slices"
	"strings"
)

// Totals sums faults up.
type Totals struct {
	// Checks is how many checks of a catalogue some fault names, Faults how many
	// faults there are.
	Checks, Faults int
	// Kills are the pairs of a fault and a check that must catch it, Collateral
	// those of a fault and a check, or a pattern of checks, that may see it too.
	Kills, Collateral int
}

// Sum sums faults up; ids are the checks of the catalogue.
func Sum(faults []Fault, ids []string) Totals {
	t := Totals{Faults: len(faults)}
	for _, f := range faults {
		t.Kills += len(f.Checks)
		t.Collateral += len(f.Collateral)
	}
	for _, id := range ids {
		if slices.ContainsFunc(faults, func(f Fault) bool { return Names(f.Checks, id) }) {
			t.Checks++
		}
	}
	return t
}

// Names says whether one of the patterns of a fault stands for a check.
func Names(patterns []string, id string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if ok, _ := path.Match(p, id); ok {
			return true
		}
		// A star may stand for any text, slashes included.
		pre, post, star := strings.Cut(p, "*")
		return star && !strings.Contains(post, "*") && len(id) >= len(pre)+len(post) && strings.HasPrefix(id, pre) && strings.HasSuffix(id, post)
	})
}
