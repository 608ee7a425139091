package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// Bounds of a Markdown report. Forges cut a comment at 65,536 characters.
const (
	maxMarkdown  = 60_000
	markdownTail = 400  // bytes kept free for the last line
	mdFrame      = 400  // characters of one frame
	mdCommand    = 2000 // characters of a shell line
	mdRest       = 6000 // bytes of each of the short lists
)

// WriteMarkdown writes r for a job summary or a comment: at most 60,000 characters,
// failures first. What does not fit is counted. Text of the target is inert.
func WriteMarkdown(w io.Writer, r Report, texts Texts) error {
	m := &markdown{texts: texts}
	fmt.Fprintf(&m.out, "## conform: %s\n\n%s\n\n", mdText(targetName(r), shortText), mdVerdict(r))
	for _, p := range serverReports(&r) {
		m.section(p)
	}
	if m.omitted > 0 {
		fmt.Fprintf(&m.out, "%s did not fit here. The JSON and HTML reports hold everything.\n\n", count(m.omitted, "part", "parts"))
	}
	if _, err := io.WriteString(w, strings.TrimRight(m.out.String(), "\n")+"\n"); err != nil {
		return fmt.Errorf("write the Markdown report: %w", err)
	}
	return nil
}

type markdown struct {
	out     strings.Builder
	texts   Texts
	omitted int
}

// fits writes a part when there is room for it.
func (m *markdown) fits(part string) bool {
	if m.out.Len()+len(part) > maxMarkdown-markdownTail {
		return false
	}
	m.out.WriteString(part)
	return true
}

// add writes a part, or counts it when it does not fit.
func (m *markdown) add(part string) {
	if !m.fits(part) {
		m.omitted++
	}
}

// failures writes findings in full while they fit, then on a line each.
func (m *markdown) failures(r Report, groups []Group) {
	i := 0
	for i < len(groups) && m.fits(m.failure(r, groups[i])) {
		i++
	}
	for i < len(groups) && m.fits(m.warning(groups[i])) {
		i++
	}
	m.omitted += len(groups) - i
}

func (m *markdown) section(p serverReport) {
	r := *p.report
	if p.server != "" {
		m.add(fmt.Sprintf("## %s\n\n%s\n\n", mdText(targetName(r), shortText), mdVerdict(r)))
	}
	if len(r.Clients) > 0 {
		m.add(mdClients(r.Clients))
	}
	var counted, excusedOnes, warned []Group
	for _, g := range Groups(r) {
		switch {
		case allExcused(g):
			excusedOnes = append(excusedOnes, g)
		case g.Verdict == scenarios.Fail || g.Verdict == scenarios.Error:
			counted = append(counted, g)
		case g.Verdict == scenarios.Warn:
			warned = append(warned, g)
		}
	}
	if len(counted) > 0 {
		m.add(fmt.Sprintf("### Failures (%d)\n\n", len(counted)))
		m.failures(r, counted)
	}
	m.list("Stale baseline entries", r.Stale)
	if len(warned) > 0 {
		m.add(fmt.Sprintf("### Warnings (%d)\n\n", len(warned)))
		for _, g := range warned {
			m.add(m.warning(g))
		}
		m.add("\n")
	}
	if len(excusedOnes) > 0 {
		m.add(fmt.Sprintf("### Known and waived (%d)\n\n", len(excusedOnes)))
		for _, g := range excusedOnes {
			m.add(fmt.Sprintf("- %s: %s\n", mdCode(g.Check, shortText), mdText(excuse(g.Lead), shortText)))
		}
		m.add("\n")
	}
	var notCalled []string
	for _, n := range r.NotCalled {
		notCalled = append(notCalled, n.Tool+": "+n.Reason)
	}
	m.list("Tools that were not called", notCalled)
	m.list("What this run did not prove", r.NotProven)
	m.list("Notes", r.Notes)
}

// list writes a short list, cut when it is long.
func (m *markdown) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", title)
	for i, item := range items {
		line := "- " + mdText(item, briefText) + "\n"
		if b.Len()+len(line) > mdRest {
			fmt.Fprintf(&b, "- and %s more\n", thousands(len(items)-i))
			break
		}
		b.WriteString(line)
	}
	m.add(b.String() + "\n")
}

func mdVerdict(r Report) string {
	parts := []string{"profile " + mdText(string(r.Profile), 40)}
	if len(r.Target.Revisions) > 0 {
		parts = append(parts, mdText(strings.Join(r.Target.Revisions, ", "), shortText))
	}
	if len(r.Target.Transports) > 0 {
		parts = append(parts, mdText(strings.Join(r.Target.Transports, ", "), shortText))
	}
	if !r.Started.IsZero() {
		parts = append(parts, r.Started.UTC().Format("2006-01-02"))
	}
	return fmt.Sprintf("**%s %s**: %s · %s · exit %d (%s)",
		overall(r).symbol, overall(r).short, countsLine(r), strings.Join(parts, " · "), r.Exit, ExitMeaning(r.Exit))
}

func mdClients(clients []Client) string {
	var b strings.Builder
	b.WriteString("| Verdict | Client | What it meets |\n| --- | --- | --- |\n")
	for _, c := range clients {
		word := wordOf(c.Verdict)
		fmt.Fprintf(&b, "| %s %s | %s | %s |\n", word.symbol, word.short,
			mdText(strings.TrimSpace(c.Product+" "+c.Version), 80), mdText(c.Says, shortText))
	}
	return b.String() + "\n"
}

func (m *markdown) failure(r Report, g Group) string {
	o := g.Lead
	t := m.texts[g.Check]
	word := wordOf(g.Verdict)
	var b strings.Builder
	fmt.Fprintf(&b, "#### %s %s: %s\n\n", word.symbol, word.short, mdCode(g.Check, shortText))
	fmt.Fprintf(&b, "%s\n\n", mdText(sentenceOf(o, t), briefText))
	item := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "- **%s:** %s\n", title, text)
		}
	}
	code := func(title, text string) {
		if text != "" {
			item(title, mdCode(text, mdFrame))
		}
	}
	var about []string
	for _, s := range subjectsOf(g) {
		about = append(about, mdCode(s, 80))
	}
	if o.Message != "" {
		item("Rule", mdText(t.Claim, briefText))
	}
	item("About", listedOf(about, 6, o.MoreFaults))
	code("Expected", o.Expected)
	code("Observed", o.Observed)
	item("Met under", mdText(whereMet(r, g), briefText))
	item("Why it matters", mdText(t.Why, briefText))
	if g.Cause != nil {
		item("Known cause", mdText(g.Cause.SDK+": "+g.Cause.Text, briefText))
	}
	item("To mend it", mdText(remedyOf(g.Lead, t), briefText))
	item("More", mdCode("conform explain "+g.Check, shortText))
	b.WriteString("\n")
	if frames, _ := keyFrames(o, 4); len(frames) > 0 {
		var log strings.Builder
		for _, f := range frames {
			fmt.Fprintf(&log, "%s %s\n", arrow(f.Dir), excerpt(f.Text, o.Subject, mdFrame))
		}
		b.WriteString(mdBlock(log.String(), 4*(mdFrame+60)) + "\n\n")
	}
	if line, why := reproOf(o, mdCommand); line != "" {
		b.WriteString("Without conform:\n\n" + mdBlock(line, mdCommand) + "\n\n")
	} else if why != "" {
		b.WriteString("Without conform: " + mdText(why, shortText) + "\n\n")
	}
	return b.String()
}

func (m *markdown) warning(g Group) string {
	t := m.texts[g.Check]
	line := fmt.Sprintf("- %s %s", mdCode(g.Check, shortText), mdText(sentenceOf(g.Lead, t), shortText))
	if fix := remedyOf(g.Lead, t); fix != "" {
		line += " To mend it: " + mdText(fix, shortText)
	}
	return line + "\n"
}
