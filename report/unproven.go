package report

import (
	"fmt"
	"slices"

	"github.com/agntn/conform/scenarios"
)

// Unproven says what outcomes and tools that were not called leave open, and what
// would show it: one text for the tools, one for each reason why checks were not
// observed, in the order of their first appearance.
func Unproven(outcomes []scenarios.Outcome, skipped []NotCalled) []string {
	list := []string{}
	if len(skipped) > 0 {
		names := make([]string, len(skipped))
		for i, s := range skipped {
			names[i] = s.Tool
		}
		slices.Sort(names)
		list = append(list, fmt.Sprintf("what %s answer to valid calls: they were not called; --allow all allows it where nothing can be harmed, allow: in conform.yaml for some of them",
			listed(names, 8)))
	}
	checks := map[string][]string{}
	var reasons []string
	for _, o := range outcomes {
		if o.Verdict != scenarios.Unseen {
			continue
		}
		if checks[o.Message] == nil {
			reasons = append(reasons, o.Message)
		}
		checks[o.Message] = append(checks[o.Message], o.Check)
	}
	for _, reason := range reasons {
		list = append(list, listed(tidy(checks[reason]), 3)+": "+reason)
	}
	return list
}

// beyond returns what r says it did not prove beyond what follows from its outcomes.
func beyond(r Report) []string {
	derived := Unproven(r.Outcomes, r.NotCalled)
	return slices.DeleteFunc(slices.Clone(r.NotProven), func(s string) bool { return slices.Contains(derived, s) })
}
