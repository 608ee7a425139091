package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

func newExplain(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "explain CHECK",
		Short: "Say what a check claims, who breaks, and how to mend it",
		Args:  cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return scenarios.All().IDs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			k, ok := scenarios.All().Check(args[0])
			if !ok {
				return usage("no check is called %q%s", report.Bound(args[0], 60), near(args[0], scenarios.All().IDs()))
			}
			txt, _ := texts(scenarios.All())
			fmt.Fprint(s.out, explain(k, txt[k.ID]))
			return nil
		},
	}
}

// near names the ids that look like what was asked for.
func near(asked string, ids []string) string {
	var hits []string
	_, name, _ := strings.Cut(asked, "/")
	for _, id := range ids {
		if strings.Contains(id, asked) || name != "" && strings.HasSuffix(id, "/"+name) || strings.HasPrefix(id, strings.Split(asked, "/")[0]+"/") {
			hits = append(hits, id)
		}
	}
	switch {
	case len(hits) == 0:
		return "; conform list checks names them all"
	case len(hits) > 8:
		return fmt.Sprintf("; did you mean %s or one of %d more? conform list checks names them all", strings.Join(hits[:8], ", "), len(hits)-8)
	}
	return "; did you mean " + strings.Join(hits, ", ") + "?"
}

// explain writes all that is known of a check.
func explain(k scenarios.Check, t report.CheckText) string {
	var b strings.Builder
	part := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n%s\n%s\n", title, indent(text))
		}
	}
	fmt.Fprintf(&b, "%s  (%s)\n%s\n", k.ID, levelText(k), indent(k.Claim))
	part("Why it matters", k.Why)
	part("Who breaks", strings.Join(k.Hosts, ", "))
	part("Right", t.Right)
	part("Wrong", t.Wrong)
	part("How to mend it", k.Remedy)
	for _, lang := range slices.Sorted(maps.Keys(t.Code)) {
		part("In "+lang, t.Code[lang])
	}
	part("Basis", strings.Join(k.Basis, "\n"))
	part("Requirements", strings.Join(k.Requirements, ", "))
	return b.String()
}

// levelText says how each profile counts a fault.
func levelText(k scenarios.Check) string {
	var counts []string
	for _, p := range scenarios.Profiles() {
		counts = append(counts, fmt.Sprintf("%s %s", p, scenarios.Grade(p, k, false)))
	}
	return string(k.Level) + "; a fault counts as: " + strings.Join(counts, ", ")
}

// indent wraps plain text at 76 columns and indents it; lines of code stay as they are.
func indent(text string) string {
	var out []string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if len(line) <= 76 || strings.HasPrefix(line, " ") || strings.ContainsAny(line, "{};") {
			out = append(out, "  "+line)
			continue
		}
		cur := ""
		for _, w := range strings.Fields(line) {
			if len(cur)+1+len(w) > 76 && cur != "" {
				out = append(out, "  "+cur)
				cur = ""
			}
			cur = strings.TrimSpace(cur + " " + w)
		}
		out = append(out, "  "+cur)
	}
	return strings.Join(out, "\n")
}
