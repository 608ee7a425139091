package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
)

// completeFlags tells shells the values of flags that take one of a few. A flag
// that a command does not have is passed over.
func completeFlags(c *cobra.Command) {
	profiles := make([]string, 0, 4)
	for _, p := range scenarios.Profiles() {
		profiles = append(profiles, string(p))
	}
	jobs := suite.RoleJobs()
	for i := range jobs {
		jobs[i] += "="
	}
	for name, values := range map[string]func() []string{
		"client":   clientIDs,
		"scenario": scenarioIDs,
		"revision": func() []string { return append(fakes.Revisions(), "all") },
		"profile":  func() []string { return profiles },
		"allow": func() []string {
			return []string{string(suite.AllowReadOnly), string(suite.AllowListed), string(suite.AllowAll), string(suite.AllowNone)}
		},
		"behind":  func() []string { return []string{"h3", "toolkit"} },
		"fail-on": func() []string { return []string{"fail", "warn", "never"} },
		"role":    func() []string { return jobs },
		"ci":      func() []string { return []string{"github", "gitlab", "none"} },
	} {
		if c.Flags().Lookup(name) == nil {
			continue
		}
		// The error says only that the flag has completions already, which no other code gives it.
		_ = c.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completions(values(), typed, name == "client" || name == "revision" || name == "scenario")
		})
	}
}

// completions are the values that go on with what is typed, after its last comma
// where the flag takes a list.
func completions(values []string, typed string, list bool) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp
	before := ""
	if i := strings.LastIndex(typed, ","); i >= 0 && list {
		before = typed[:i+1]
	}
	var out []string
	for _, v := range values {
		if strings.HasPrefix(before+v, typed) && !slices.Contains(strings.Split(strings.TrimSuffix(before, ","), ","), v) {
			out = append(out, before+v)
		}
		if strings.HasSuffix(v, "=") {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
	}
	return out, directive
}

func clientIDs() []string {
	set, err := fakes.Load()
	if err != nil {
		return nil
	}
	ids := []string{"all"}
	for _, p := range set.All() {
		ids = append(ids, p.ID)
	}
	return ids
}

func scenarioIDs() []string {
	var ids []string
	for _, s := range scenarios.All() {
		ids = append(ids, s.ID)
	}
	return ids
}
