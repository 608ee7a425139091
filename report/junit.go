package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// Bounds of the texts of one JUnit case, in characters.
const (
	junitText = 4000
	junitLog  = 16_000
)

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Suites []junitSuite `xml:"testsuite"`
}

type junitCounts struct {
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
	ms       int64
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Timestamp  string          `xml:"timestamp,attr,omitempty"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name       string          `xml:"name,attr"`
	Class      string          `xml:"classname,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Skipped    *junitSkipped   `xml:"skipped"`
	Error      *junitProblem   `xml:"error"`
	Failure    *junitProblem   `xml:"failure"`
	SystemOut  *junitOut       `xml:"system-out"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	// Text is XML already, see xmlLines.
	Text string `xml:",innerxml"`
}

type junitOut struct {
	Text string `xml:",innerxml"`
}

// WriteJUnit writes r as JUnit XML that GitHub, GitLab and Jenkins read: a suite a
// client, a case a check. What could not be observed, does not apply, is known or
// waived is a skipped case with its reason; a warning is a passed case whose
// system-out says so. Characters that XML 1.0 forbids are made visible.
func WriteJUnit(w io.Writer, r Report, texts Texts) error {
	all := junitSuites{Name: xmlText("conform "+targetName(r), shortText)}
	for _, p := range serverReports(&r) {
		all.Suites = append(all.Suites, junitServer(p, texts)...)
	}
	for i := range all.Suites {
		s := &all.Suites[i]
		s.Time = seconds(s.ms)
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
		all.ms += s.ms
	}
	all.Time = seconds(all.ms)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("write the JUnit report: %w", err)
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(all); err != nil {
		return fmt.Errorf("write the JUnit report: %w", err)
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return fmt.Errorf("write the JUnit report: %w", err)
	}
	return nil
}

// junitServer returns the suites of one server: the neutral voice first, then the
// clients in the report's order, then any client that the report does not list.
func junitServer(p serverReport, texts Texts) []junitSuite {
	order := clientOrder(p.report.Clients)
	outcomes := slices.Clone(p.report.Outcomes)
	place := func(o scenarios.Outcome) int {
		if o.Client == Neutral {
			return -1
		}
		if i, ok := order[o.Client]; ok {
			return i
		}
		return len(order)
	}
	sortBy(outcomes, func(a, b scenarios.Outcome) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Client, b.Client), cmp.Compare(a.ID, b.ID))
	})
	var suites []junitSuite
	for i, o := range outcomes {
		if i == 0 || o.Client != outcomes[i-1].Client {
			suites = append(suites, newJUnitSuite(p, o.Client))
		}
		suites[len(suites)-1].add(o, texts[o.Check])
	}
	return suites
}

func newJUnitSuite(p serverReport, client string) junitSuite {
	r := p.report
	s := junitSuite{Name: xmlText(client, shortText)}
	if p.server != "" {
		s.Name = xmlText(p.server+"/"+client, shortText)
	}
	if !r.Started.IsZero() {
		s.Timestamp = r.Started.UTC().Format("2006-01-02T15:04:05")
	}
	add := func(name, value string) {
		if value != "" {
			s.Properties = append(s.Properties, junitProperty{name, xmlText(value, shortText)})
		}
	}
	add("target", targetName(*r))
	add("profile", string(r.Profile))
	add("seed", strconv.FormatInt(r.Seed, 10))
	for _, c := range r.Clients {
		if c.ID == client {
			add("product", strings.TrimSpace(c.Product+" "+c.Version))
			add("seen", c.Seen)
			add("says", c.Says)
		}
	}
	return s
}

func (s *junitSuite) add(o scenarios.Outcome, t CheckText) {
	c := junitCase{
		Name:  xmlText(o.Check+"@"+o.Revision+"@"+o.Transport, shortText),
		Class: xmlText(o.Scenario, shortText),
		Time:  seconds(o.DurationMS),
	}
	prop := func(name, value string) {
		if value != "" {
			c.Properties = append(c.Properties, junitProperty{name, xmlText(value, shortText)})
		}
	}
	prop("revision", o.Revision)
	prop("transport", o.Transport)
	prop("level", string(o.Level))
	prop("verdict", string(o.Verdict))
	prop("subject", o.Subject)
	prop("basis", strings.Join(o.Basis, ", "))
	prop("hosts", strings.Join(o.Hosts, ", "))

	s.Tests++
	s.ms += o.DurationMS
	body, log := junitBody(o, t), wireText(o)
	problem := &junitProblem{Message: xmlText(sentenceOf(o, t), briefText), Type: xmlText(string(o.Level), 40), Text: xmlLines(body)}
	switch {
	case o.Verdict == scenarios.Fail && excused(o):
		s.Skipped++
		c.Skipped = &junitSkipped{xmlText(excuse(o)+": "+sentenceOf(o, t), briefText)}
		c.SystemOut = output(body + log)
	case o.Verdict == scenarios.Fail:
		s.Failures++
		c.Failure = problem
		c.SystemOut = output(log)
	case o.Verdict == scenarios.Error:
		s.Errors++
		problem.Type = "error"
		c.Error = problem
		c.SystemOut = output(log)
	case o.Verdict == scenarios.NA, o.Verdict == scenarios.Unseen:
		s.Skipped++
		c.Skipped = &junitSkipped{xmlText(wordOf(o.Verdict).short+": "+cmp.Or(o.Message, "no reason given"), briefText)}
	case faulty(o.Verdict):
		c.SystemOut = output(string(o.Verdict) + ": " + xmlText(sentenceOf(o, t), briefText) + "\n" + body + log)
	}
	s.Cases = append(s.Cases, c)
}

// junitBody is what a person needs to act on a finding.
func junitBody(o scenarios.Outcome, t CheckText) string {
	var b strings.Builder
	line := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%s: %s\n", title, xmlText(text, junitText))
		}
	}
	line("subject", o.Subject)
	line("expected", o.Expected)
	line("observed", o.Observed)
	for i, f := range o.Faults {
		if i == 20 {
			line("and", count(len(o.Faults)-i+o.MoreFaults, "more fault", "more faults"))
			break
		}
		line("fault", f.Subject+": expected "+f.Expected+", observed "+f.Observed)
	}
	line("why it matters", t.Why)
	if o.Cause != nil {
		line("known cause", o.Cause.SDK+": "+o.Cause.Text)
	}
	line("to mend it", remedyOf(o, t))
	repro, why := reproOf(o, commandLimit)
	line("without conform", cmp.Or(repro, why))
	line("more", "conform explain "+o.Check)
	return b.String()
}

// wireText is the log of an outcome, its end kept when it is long.
func wireText(o scenarios.Outcome) string {
	lines := make([]string, 0, len(o.Evidence))
	size := 0
	for i := len(o.Evidence) - 1; i >= 0; i-- {
		f := o.Evidence[i]
		line := fmt.Sprintf("%6d ms %s %s", f.AtMS, arrow(f.Dir), xmlText(f.Text, junitText))
		if size += len(line); size > junitLog && len(lines) > 0 {
			lines = append(lines, "("+count(i+1, "earlier frame", "earlier frames")+" left out)")
			break
		}
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}

// output is what a case printed; nil for nothing.
func output(text string) *junitOut {
	if text == "" {
		return nil
	}
	return &junitOut{xmlLines(text)}
}

// xmlLines escapes the text of an element. Line ends and quotes stay as they are: the
// encoder would write them as character references, which people read badly.
func xmlLines(text string) string {
	var b strings.Builder
	// A strings.Builder never fails.
	_ = xml.EscapeText(&b, []byte(text))
	return strings.NewReplacer("&#xA;", "\n", "&#34;", `"`, "&#39;", "'").Replace(b.String())
}

// xmlText makes text visible, on one line and bounded; what is left is allowed in XML 1.0.
func xmlText(s string, n int) string { return Visible(Bound(s, n)) }

func seconds(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', 3, 64) }
