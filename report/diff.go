package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// DiffSchema is the name of the JSON form of a Difference.
const DiffSchema = "conform/diff/v1"

// Difference is what changed from one report to another.
type Difference struct {
	Schema string `json:"schema"`
	Before Side   `json:"before"`
	After  Side   `json:"after"`
	// New are findings that were none before, Fixed those that are none any more.
	New   []Change `json:"new"`
	Fixed []Change `json:"fixed"`
	// Changed are findings with another verdict or other subjects, and checks that
	// one of the two runs did not observe.
	Changed []Change `json:"changed"`
	// Same are findings that both reports have.
	Same []Change `json:"same"`
}

// Side says which run one side of a difference is.
type Side struct {
	Target  string  `json:"target"`
	Version string  `json:"version"`
	Started string  `json:"started"`
	Summary Summary `json:"summary"`
}

// Change is one check of one cell in both reports.
type Change struct {
	Server    string `json:"server,omitempty"`
	ID        string `json:"id"`
	Check     string `json:"check"`
	Client    string `json:"client"`
	Revision  string `json:"revision"`
	Transport string `json:"transport"`
	// Subjects are those of the later finding, or of the earlier one when it is fixed.
	Subjects []string `json:"subjects"`
	// Before and After are verdicts; "" when the report has no such outcome.
	Before scenarios.Verdict `json:"before"`
	After  scenarios.Verdict `json:"after"`
	// Worse says that the change is for the worse.
	Worse   bool   `json:"worse"`
	Message string `json:"message"`
	// Why says in a few words what changed.
	Why string `json:"why,omitempty"`
}

// Worse reports whether b is worse than a: a new finding, a worse verdict or a new subject.
func (d Difference) Worse() bool {
	return len(d.New) > 0 || slices.ContainsFunc(d.Changed, func(c Change) bool { return c.Worse })
}

// Diff compares two reports check by check. What profiles only mention (info) is
// a finding as well; a check that passed in one report and was not observed in the
// other is a change, never a fix.
func Diff(a, b Report) Difference {
	d := Difference{
		Schema: DiffSchema, Before: side(a), After: side(b),
		New: []Change{}, Fixed: []Change{}, Changed: []Change{}, Same: []Change{},
	}
	before, after := cells(&a), cells(&b)
	keys := map[cellKey]bool{}
	for k := range before {
		keys[k] = true
	}
	for k := range after {
		keys[k] = true
	}
	for k := range keys {
		x, y := before[k], after[k]
		c := change(k.server, x, y)
		switch was, is := faultOrError(x.Verdict), faultOrError(y.Verdict); {
		case was && is && c.Why == "":
			d.Same = append(d.Same, c)
		case !was && is && x.Verdict != scenarios.Unseen:
			c.Worse = true
			d.New = append(d.New, c)
		case !was && is: // a fault that could not be seen before may be as old as the server
			c.Why, c.Worse = "was not observed before", true
			d.New = append(d.New, c)
		case was && (y.Verdict == scenarios.Pass || y.Verdict == scenarios.NA):
			d.Fixed = append(d.Fixed, c)
		case c.Why != "":
			d.Changed = append(d.Changed, c)
		}
	}
	for _, list := range [][]Change{d.New, d.Fixed, d.Changed, d.Same} {
		sortBy(list, func(x, y Change) int {
			return cmp.Or(cmp.Compare(x.Server, y.Server), cmp.Compare(x.ID, y.ID))
		})
	}
	return d
}

type cellKey struct{ server, id string }

func cells(r *Report) map[cellKey]scenarios.Outcome {
	all := map[cellKey]scenarios.Outcome{}
	for _, p := range serverReports(r) {
		for _, o := range p.report.Outcomes {
			all[cellKey{p.server, o.ID}] = o
		}
	}
	return all
}

func faultOrError(v scenarios.Verdict) bool { return faulty(v) || v == scenarios.Error }

// change describes what became of outcome x; x or y is empty when its report has none.
func change(server string, x, y scenarios.Outcome) Change {
	o := y
	if y.ID == "" || faultOrError(x.Verdict) && !faultOrError(y.Verdict) {
		o = x
	}
	c := Change{
		Server: server, ID: o.ID, Check: o.Check, Client: o.Client, Revision: o.Revision, Transport: o.Transport,
		Before: x.Verdict, After: y.Verdict, Message: o.Message, Subjects: []string{},
	}
	for _, s := range Subjects(o) {
		if s != "" {
			c.Subjects = append(c.Subjects, s)
		}
	}
	switch {
	case y.ID == "":
		if x.Verdict != scenarios.NA {
			c.Why = "did not run"
		}
	case x.ID == "":
		if y.Verdict == scenarios.Unseen {
			c.Why = "did not run before"
		}
	case x.Verdict != y.Verdict:
		c.Why = wordOf(x.Verdict).short + " became " + wordOf(y.Verdict).short
		c.Worse = scenarios.Worst(x.Verdict, y.Verdict) == y.Verdict
	case faultOrError(y.Verdict):
		c.Why, c.Worse = subjectsChanged(Subjects(x), Subjects(y))
	}
	return c
}

func subjectsChanged(before, after []string) (why string, worse bool) {
	missing := func(list, from []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(from, s) })
	}
	var parts []string
	if added := missing(after, before); len(added) > 0 {
		parts, worse = append(parts, "now also "+quoted(added, 3)), true
	}
	if gone := missing(before, after); len(gone) > 0 {
		parts = append(parts, "no longer "+quoted(gone, 3))
	}
	return strings.Join(parts, ", "), worse
}

func side(r Report) Side {
	s := Side{Target: r.Target.Name, Version: r.Target.Version, Summary: r.Summary}
	if !r.Started.IsZero() {
		s.Started = r.Started.UTC().Format("2006-01-02T15:04:05Z")
	}
	return s
}

// WriteDiffJSON writes d as one JSON object.
func WriteDiffJSON(w io.Writer, d Difference) error {
	line, err := marshal(d)
	if err == nil {
		_, err = w.Write(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write the difference: %w", err)
	}
	return nil
}
