package report

import (
	"bufio"
	"fmt"
	"io"
)

// WriteDiffText writes d for a person, without colour: new findings first, then
// what changed, what is fixed, and counts.
func WriteDiffText(w io.Writer, d Difference) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "before  %s\nafter   %s\n", d.Before, d.After)
	for _, part := range []struct {
		title string
		list  []Change
	}{
		{"New findings", d.New},
		{"Changed", d.Changed},
		{"Fixed", d.Fixed},
	} {
		if len(part.list) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s (%s)\n", part.title, thousands(len(part.list)))
		for _, c := range part.list {
			writeChange(out, c)
		}
	}
	fmt.Fprintf(out, "\n%s new, %s changed, %s fixed, %s the same\n",
		thousands(len(d.New)), thousands(len(d.Changed)), thousands(len(d.Fixed)), thousands(len(d.Same)))
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the difference: %w", err)
	}
	return nil
}

func writeChange(out io.Writer, c Change) {
	v := c.After
	if v == "" {
		v = c.Before
	}
	word := wordOf(v)
	name := Visible(c.ID)
	if c.Server != "" {
		name = Bound(Visible(c.Server), 60) + ": " + name
	}
	fmt.Fprintf(out, "  %s %-6s %s\n", word.symbol, word.short, Bound(name, 200))
	if c.Why != "" {
		fmt.Fprintf(out, "           (%s)\n", Bound(c.Why, 300))
	}
	if c.Message != "" {
		says := "| "
		if faultOrError(c.Before) && !faultOrError(c.After) {
			says = "| it was: "
		}
		fmt.Fprintf(out, "           %s%s\n", says, defuse(Bound(Visible(c.Message), 300)))
	}
}

// String names the run for a person.
func (s Side) String() string {
	name := Bound(Visible(s.Target+" "+s.Version), 80)
	if s.Started != "" {
		name += ", " + s.Started
	}
	return defuse(name) + ": " + tally(s.Summary)
}
