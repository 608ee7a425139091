package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/agntn/conform/scenarios"
)

// Bounds of a SARIF file: code scanning takes no more than 25,000 results of a run
// and shows 5,000 of them.
const (
	maxSARIFResults = 5000
	sarifText       = 980 // characters of one text; a description may have 1,024
)

// home is where conform is described, the help of rules that no specification page backs.
const home = "https://github.com/agntn/conform"

// WriteSARIF writes the failures and warnings of r as SARIF 2.1.0, as code scanning
// takes it: one run a server, one rule a check, one result for each check, client
// and subject, whatever the revisions and transports it was met in. Fingerprints
// rest on these three alone and so outlive any wording. What a profile only
// mentions is left out; known and waived findings are suppressed results.
func WriteSARIF(w io.Writer, r Report, texts Texts, at *Locations) error {
	log := sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{},
	}
	for _, p := range serverReports(&r) {
		log.Runs = append(log.Runs, newSARIFRun(p, texts, at))
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(log); err != nil {
		return fmt.Errorf("write the SARIF report: %w", err)
	}
	return nil
}

func newSARIFRun(p serverReport, texts Texts, at *Locations) sarifRun {
	r := p.report
	run := sarifRun{
		Tool: sarifTool{Driver: sarifDriver{
			Name: "conform", Version: sarifSafe(r.Tool.Version), InformationURI: home, Rules: []sarifRule{},
		}},
		AutomationDetails: sarifID{ID: "conform/" + cmp.Or(sarifSafe(p.server), sarifSafe(r.Target.Name), "server") + "/"},
		Invocations:       []sarifInvocation{newInvocation(r)},
		ColumnKind:        "unicodeCodePoints",
		Results:           []sarifResult{},
	}
	found, cut := findings(*r)
	index := map[string]int{}
	for _, f := range found {
		i, ok := index[f.lead.Check]
		if !ok {
			i = len(run.Tool.Driver.Rules)
			index[f.lead.Check] = i
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, newRule(f.lead, texts[f.lead.Check], r.Target.Revisions))
		}
		run.Results = append(run.Results, newResult(p.server, f, i, at))
	}
	if cut > 0 {
		inv := &run.Invocations[0]
		inv.ToolExecutionNotifications = append(inv.ToolExecutionNotifications, sarifNotification{
			Level:   "warning",
			Message: sarifMessage{Text: count(cut, "result was", "results were") + " left out; the JSON report holds all"},
		})
	}
	return run
}

func newInvocation(r *Report) sarifInvocation {
	inv := sarifInvocation{ExecutionSuccessful: r.Exit != ExitSuite && !r.Interrupted, ExitCode: r.Exit}
	if !r.Started.IsZero() {
		inv.StartTimeUTC = r.Started.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	for _, o := range r.Outcomes {
		if o.Verdict == scenarios.Error && len(inv.ToolExecutionNotifications) < 100 {
			inv.ToolExecutionNotifications = append(inv.ToolExecutionNotifications, sarifNotification{
				Level:   "error",
				Message: sarifMessage{Text: sarifSafe(o.ID + ": " + cmp.Or(o.Message, "could not be judged"))},
			})
		}
	}
	return inv
}

// subjectFinding is one finding of one subject for one client, over revisions and transports.
type subjectFinding struct {
	lead       scenarios.Outcome
	subject    string
	expected   string
	observed   string
	revisions  []string
	transports []string
}

// findings collects failures and warnings by check, client and subject, worst
// first, and says how many were cut.
func findings(r Report) (list []subjectFinding, cut int) {
	type key struct{ check, client, subject string }
	at := map[key]int{}
	outcomes := slices.Clone(r.Outcomes)
	sortBy(outcomes, func(a, b scenarios.Outcome) int {
		return cmp.Or(compareVerdicts(a.Verdict, b.Verdict), trueFirst(!excused(a), !excused(b)), cmp.Compare(a.ID, b.ID))
	})
	for _, o := range outcomes {
		if o.Verdict != scenarios.Fail && o.Verdict != scenarios.Warn {
			continue
		}
		for _, s := range Subjects(o) {
			k := key{o.Check, o.Client, s}
			i, met := at[k]
			if !met {
				i = len(list)
				at[k] = i
				f := subjectFinding{lead: o, subject: s, expected: o.Expected, observed: o.Observed}
				for _, x := range o.Faults {
					if x.Subject == s {
						f.expected, f.observed = cmp.Or(x.Expected, o.Expected), cmp.Or(x.Observed, o.Observed)
						break
					}
				}
				list = append(list, f)
			}
			list[i].revisions = append(list[i].revisions, o.Revision)
			list[i].transports = append(list[i].transports, o.Transport)
		}
	}
	if len(list) > maxSARIFResults {
		list, cut = list[:maxSARIFResults], len(list)-maxSARIFResults
	}
	for i := range list {
		list[i].revisions = tidy(list[i].revisions)
		list[i].transports = tidy(list[i].transports)
	}
	return list, cut
}

// tidy returns the sorted distinct items of a list that are not empty.
func tidy(list []string) []string {
	list = slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" })
	slices.Sort(list)
	return slices.Compact(list)
}

// likeIt ends the message of an outcome with several faults, each of which is a finding here.
var likeIt = regexp.MustCompile(` \(and [0-9]+ more like it\)$`)

// message says what is wrong with the finding's own subject: an outcome's message
// speaks of its first one.
func (f subjectFinding) message() string {
	if f.subject != f.lead.Subject && f.observed != "" {
		return f.subject + ": " + f.observed
	}
	return likeIt.ReplaceAllString(cmp.Or(f.lead.Message, f.lead.Check), "")
}

// sentence puts a finding into one text.
func (f subjectFinding) sentence() string {
	message := f.message()
	parts := []string{message}
	if f.subject != "" && !strings.Contains(message, f.subject) {
		parts = append(parts, "Subject: "+f.subject)
	}
	if f.expected != "" {
		parts = append(parts, "Expected: "+f.expected)
	}
	if f.observed != "" && !strings.Contains(message, f.observed) {
		parts = append(parts, "Observed: "+f.observed)
	}
	parts = append(parts, "Met under "+f.where())
	if fix := remedyOf(f.lead, CheckText{}); fix != "" {
		parts = append(parts, "To mend it: "+fix)
	}
	for i, p := range parts {
		parts[i] = strings.TrimSuffix(strings.TrimSpace(Bound(Visible(p), 400)), ".") + "."
	}
	return strings.Join(parts, " ")
}

func (f subjectFinding) where() string {
	where := f.lead.Client
	if where == Neutral {
		where = "any client"
	}
	for _, list := range [][]string{f.revisions, f.transports} {
		if len(list) > 0 {
			where += ", " + listed(list, 6)
		}
	}
	return where
}

func newResult(server string, f subjectFinding, rule int, at *Locations) sarifResult {
	place := at.Of(f.lead, f.subject)
	level := "warning"
	if f.lead.Verdict == scenarios.Fail {
		level = "error"
	}
	res := sarifResult{
		RuleID: f.lead.Check, RuleIndex: rule, Level: level, Kind: "fail",
		Message: sarifMessage{Text: sarifSafe(f.sentence())},
		Locations: []sarifLocation{{PhysicalLocation: sarifPhysical{
			ArtifactLocation: sarifArtifact{URI: fileURI(place.File), URIBaseID: "%SRCROOT%"},
			Region:           sarifRegion{StartLine: max(1, place.Line)},
		}}},
		PartialFingerprints: map[string]string{"conformFinding/v1": fingerprint(server, f.lead.Check, f.lead.Client, f.subject)},
		Properties: map[string]any{
			"client": f.lead.Client, "revisions": filled(f.revisions), "transports": filled(f.transports),
			"conformLevel": string(f.lead.Level), "outcome": f.lead.ID,
		},
	}
	switch {
	case f.lead.Waived != "":
		res.Suppressions = []sarifSuppression{{Kind: "external", Status: "accepted", Justification: sarifSafe("waived: " + f.lead.Waived)}}
	case f.lead.Known:
		res.Suppressions = []sarifSuppression{{Kind: "external", Status: "accepted", Justification: "the baseline lists this finding"}}
	}
	return res
}

// fingerprint is stable across runs, wordings, revisions and transports.
func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

func newRule(o scenarios.Outcome, t CheckText, offered []string) sarifRule {
	claim := cmp.Or(t.Claim, o.Check)
	basis := t.Basis
	if len(basis) == 0 {
		basis = o.Basis
	}
	links := specLinks(basis, o.Revision, offered)
	help := home
	for _, l := range links {
		if l.URL != "" {
			help = l.URL
			break
		}
	}
	level := cmp.Or(t.Level, o.Level)
	rule := sarifRule{
		ID: o.Check, Name: ruleName(o.Check),
		ShortDescription:     sarifMessage{Text: sarifSafe(claim)},
		FullDescription:      sarifMessage{Text: sarifSafe(strings.TrimSpace(claim + " " + t.Why))},
		HelpURI:              help,
		DefaultConfiguration: sarifConfiguration{Level: sarifLevel(level)},
		Properties: sarifRuleProperties{
			Tags:            []string{"mcp", "scenario:" + o.Scenario, "level:" + string(level)},
			Precision:       "high",
			ProblemSeverity: problemSeverity(level),
		},
	}
	rule.Help.Text, rule.Help.Markdown = ruleHelp(o.Check, claim, t, cmp.Or(t.Remedy, o.Remedy), links)
	return rule
}

// ruleHelp writes what a reader of an alert needs, plain and as Markdown.
func ruleHelp(check, claim string, t CheckText, remedy string, links []link) (plain, markdown string) {
	var p, m strings.Builder
	section := func(title, text string) {
		if text == "" {
			return
		}
		fmt.Fprintf(&p, "%s: %s\n", title, text)
		fmt.Fprintf(&m, "**%s.** %s\n\n", title, mdText(text, longText))
	}
	section("Claim", claim)
	section("Why it matters", t.Why)
	section("How to mend it", remedy)
	for _, ex := range []struct{ title, text string }{{"Right", t.Right}, {"Wrong", t.Wrong}} {
		if ex.text != "" {
			fmt.Fprintf(&p, "%s: %s\n", ex.title, ex.text)
			fmt.Fprintf(&m, "**%s**\n\n%s\n\n", ex.title, mdBlock(ex.text, longText))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Code)) {
		fmt.Fprintf(&m, "**%s**\n\n%s\n\n", mdText(name, shortText), mdBlock(t.Code[name], longText))
	}
	for _, l := range links {
		if l.URL != "" {
			fmt.Fprintf(&p, "Source: %s\n", l.URL)
			fmt.Fprintf(&m, "Source: [%s](%s)\n\n", mdText(l.Text, shortText), l.URL)
		} else {
			fmt.Fprintf(&p, "Source: %s\n", l.Text)
			fmt.Fprintf(&m, "Source: %s\n\n", mdText(l.Text, shortText))
		}
	}
	fmt.Fprintf(&p, "More: conform explain %s\n", check)
	fmt.Fprintf(&m, "More: %s\n", mdCode("conform explain "+check, shortText))
	return p.String(), m.String()
}

// ruleName turns "unknown-tool/prototype-name" into "UnknownToolPrototypeName".
func ruleName(check string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(check, func(r rune) bool { return r == '-' || r == '/' }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

func sarifLevel(l scenarios.Level) string {
	switch l {
	case scenarios.Must:
		return "error"
	case scenarios.Note:
		return "note"
	}
	return "warning"
}

func problemSeverity(l scenarios.Level) string {
	switch l {
	case scenarios.Must:
		return "error"
	case scenarios.Note:
		return "recommendation"
	}
	return "warning"
}

// sarifSafe makes text inert: one line, visible, bounded, and no "[text](target)",
// which a reader of SARIF turns into a link.
func sarifSafe(s string) string {
	return strings.ReplaceAll(Bound(Visible(s), sarifText), "](", "] (")
}

// fileURI writes a relative path as a URI reference.
func fileURI(file string) string {
	return (&url.URL{Path: file}).String()
}
