package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

func newExplain(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "explain CHECK",
		Short: "Say what a check claims, who breaks, and how to mend it",
		Args:  cobra.ExactArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completions(scenarios.All().IDs(), typed, false)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			k, ok := scenarios.All().Check(args[0])
			if !ok {
				return usage("no check is called %q%s", report.Bound(args[0], 60), near(args[0], scenarios.All().IDs()))
			}
			txt, _, err := texts(scenarios.All())
			if err != nil {
				return err
			}
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
			fmt.Fprintf(&b, "\n%s\n%s\n", title, text)
		}
	}
	fmt.Fprintf(&b, "%s\n%s\n", k.ID, indent(k.Claim))
	part("Level", indent(levelText(k)))
	part("Why it matters", indent(k.Why))
	part("Who breaks", indent(strings.Join(t.Hosts, ", ")))
	part("Right", asIs(t.Right))
	part("Wrong", asIs(t.Wrong))
	part("How to mend it", indent(k.Remedy))
	for _, lang := range report.Languages(t.Code) {
		part("In "+lang, asIs(t.Code[lang]))
	}
	part("Source", asIs(strings.Join(report.BasisLines(k.Basis), "\n")))
	part("Requirements", indent(strings.Join(k.Requirements, ", ")))
	return b.String()
}

// levelText says how each profile counts a fault.
func levelText(k scenarios.Check) string {
	var counts []string
	for _, p := range scenarios.Profiles() {
		counts = append(counts, fmt.Sprintf("%s %s", p, scenarios.Grade(p, k, false)))
	}
	return string(k.Level) + ": a fault counts as " + strings.Join(counts, ", ")
}

// indent wraps prose at 76 columns and indents it.
func indent(text string) string {
	if text == "" {
		return ""
	}
	var out []string
	cur := ""
	for _, w := range strings.Fields(text) {
		if cur != "" && utf8.RuneCountInString(cur)+1+utf8.RuneCountInString(w) > 76 {
			out = append(out, "  "+cur)
			cur = ""
		}
		cur = strings.TrimSpace(cur + " " + w)
	}
	return strings.Join(append(out, "  "+cur), "\n")
}

// asIs indents frames and code, whose lines are what they are.
func asIs(text string) string {
	if text == "" {
		return ""
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = "  " + l
		}
	}
	return strings.Join(lines, "\n")
}
