package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agntn/conform/scenarios"
)

// WriteBadge writes a badge that names the revisions, what was found and the day.
// The extension chooses the format: ".svg", or ".json" for a shields endpoint.
func WriteBadge(w io.Writer, r Report, extension string) error {
	b := newBadge(r)
	var text []byte
	var err error
	switch strings.ToLower(extension) {
	case ".svg":
		text, err = b.svg()
	case ".json":
		text, err = marshal(map[string]any{
			"schemaVersion": 1, "label": b.label, "message": b.message, "color": b.color, "isError": b.isError,
		})
		text = append(text, '\n')
	default:
		return fmt.Errorf("a badge file ends in .svg or .json, not %q; choose one of them", extension)
	}
	if err == nil {
		_, err = w.Write(text)
	}
	if err != nil {
		return fmt.Errorf("write the badge: %w", err)
	}
	return nil
}

type badge struct {
	label, message, color string
	isError               bool
}

// newBadge counts what speaks against the server; it gives no rate, for what a
// run did not look at is not right for that.
func newBadge(r Report) badge {
	b := badge{label: "conform"}
	var failed, known, warned, passed int
	var revisions []string
	for _, p := range serverReports(&r) {
		revisions = append(revisions, p.report.Target.Revisions...)
		for _, o := range p.report.Outcomes {
			switch {
			case o.Verdict == scenarios.Fail && excused(o):
				known++
			case o.Verdict == scenarios.Fail:
				failed++
			case o.Verdict == scenarios.Warn && !excused(o):
				warned++
			case o.Verdict == scenarios.Pass:
				passed++
			}
		}
	}
	revisions = slices.DeleteFunc(tidy(revisions), func(s string) bool { return !specRevision.MatchString(s) })
	if n := len(revisions); n > 0 {
		b.label += " " + revisions[0]
		if n > 1 {
			b.label += " to " + revisions[n-1]
		}
	}
	var parts []string
	switch {
	case r.Exit == ExitSuite:
		b.isError, b.color = true, "#6e5494"
		parts = append(parts, "could not be judged")
	case r.Exit == ExitInterrupted:
		b.isError, b.color = true, "#6a737d"
		parts = append(parts, "interrupted")
	case failed > 0:
		b.color = "#b31d28"
		parts = append(parts, thousands(failed)+" failed")
	case r.Exit == ExitNothing:
		b.color = "#6a737d"
		parts = append(parts, "nothing proven")
	case warned > 0 || known > 0:
		b.color = "#8a5a00"
	default:
		b.color = "#22662c"
		parts = append(parts, thousands(passed)+" passed")
	}
	if known > 0 {
		parts = append(parts, thousands(known)+" known")
	}
	if warned > 0 {
		parts = append(parts, thousands(warned)+" warned")
	}
	if !r.Started.IsZero() {
		parts = append(parts, r.Started.UTC().Format("2006-01-02"))
	}
	b.message = strings.Join(parts, " · ")
	return b
}

// svg draws the badge. Widths are fixed by textLength, so that no font cuts the text.
func (b badge) svg() ([]byte, error) {
	const pad, perChar = 7, 6.6 // pixels; a middling character of an 11 pixel sans serif
	width := func(s string) int { return int(float64(utf8.RuneCountInString(s)) * perChar) }
	label, message := width(b.label), width(b.message)
	left, right := label+2*pad, message+2*pad
	var l, m, title strings.Builder
	for _, t := range []struct {
		to   *strings.Builder
		text string
	}{{&l, b.label}, {&m, b.message}, {&title, b.label + ": " + b.message}} {
		if err := xml.EscapeText(t.to, []byte(t.text)); err != nil {
			return nil, err
		}
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="20" role="img" aria-label="%s">
<title>%s</title>
<clipPath id="r"><rect width="%d" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="%d" height="20" fill="#3a3f44"/><rect x="%d" width="%d" height="20" fill="%s"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">
<text x="%d" y="14" textLength="%d">%s</text>
<text x="%d" y="14" textLength="%d">%s</text>
</g>
</svg>
`, left+right, title.String(), title.String(), left+right, left, left, right, b.color,
		pad, label, l.String(), left+pad, message, m.String()), nil
}
