package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// maxAnnotations is how many annotations are written: GitHub shows ten errors and
// ten warnings of a step.
const maxAnnotations = 50

// WriteAnnotations writes the findings of r as workflow commands of GitHub Actions,
// which shows them at the lines they belong to: failures as errors, warnings as
// warnings, stale baseline entries as errors. Known and waived findings are left
// out. One annotation stands for a check and a place, whatever the clients; it names
// the other subjects that have no place of their own.
func WriteAnnotations(w io.Writer, r Report, at *Locations) error {
	out := bufio.NewWriter(w)
	n, more := 0, 0
	put := func(kind string, place Location, title, message string) {
		if n >= maxAnnotations {
			more++
			return
		}
		n++
		fmt.Fprintf(out, "::%s file=%s,line=%d,title=%s::%s\n", kind,
			commandProperty(place.File), max(1, place.Line), commandProperty(title), commandData(message))
	}
	for _, s := range r.Stale {
		put("error", at.Of(scenarios.Outcome{}, ""), "conform: stale baseline entry", s)
	}
	for _, p := range serverReports(&r) {
		found, _ := findings(*p.report)
		type key struct {
			check string
			at    Location
		}
		others := map[key][]string{}
		var first []subjectFinding
		for _, f := range found {
			k := key{f.lead.Check, at.Of(f.lead, f.subject)}
			switch list, met := others[k]; {
			case excused(f.lead):
			case !met:
				others[k] = []string{}
				first = append(first, f)
			case f.subject != "":
				others[k] = append(list, f.subject)
			}
		}
		for _, f := range first {
			kind := "warning"
			if f.lead.Verdict == scenarios.Fail {
				kind = "error"
			}
			title := "conform: " + f.lead.Check
			if p.server != "" {
				title = p.server + ": " + title
			}
			place := at.Of(f.lead, f.subject)
			text := f.sentence()
			list := slices.DeleteFunc(tidy(others[key{f.lead.Check, place}]), func(s string) bool { return s == f.subject })
			if len(list) > 0 {
				text += " The same holds for " + quoted(list, 5) + "."
			}
			put(kind, place, title, text+" More: conform explain "+f.lead.Check)
		}
	}
	if more > 0 {
		fmt.Fprintf(out, "::notice title=conform::%s\n", count(more, "more finding is in the report", "more findings are in the report"))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the annotations: %w", err)
	}
	return nil
}

// commandData escapes the message of a workflow command. Visible has taken line
// ends out already; the escapes keep the meaning of a percent sign.
func commandData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(Bound(Visible(s), 2*sarifText))
}

// commandProperty escapes a property of a workflow command, where colons and
// commas end the value.
func commandProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandData(Bound(s, shortText)))
}
