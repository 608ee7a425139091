package report

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agntn/conform/scenarios"
)

// FuzzFormats puts one text in every place of a report where a target's text can
// stand and checks that each format stays what it is, whatever the text.
func FuzzFormats(f *testing.F) {
	seeds := []string{
		"", "plain", esc, osc8, bidi, nul, script, cdata, formula, workflow, mention, ticks, mdBreak, sarifLink,
		esc + osc8 + bidi + nul + script + cdata + workflow + mention + ticks + mdBreak + sarifLink,
		"::add-mask::x", " \u2003::error::x", "\\", "\\\\`", "`", "``", "|", "\\|", "a|b`c|d`", "\xed\xa0\x80", "\U000e0041", "\ufffe\uffff",
		"&#64;x", "<!--", "]]>", "#1", "www.a.b", "http://a.b", "!x", "$a$", "~~x~~", "1) x", "+ x", "= x", strings.Repeat("`", 70), "%0A::x", "a@b",
		" ", "\n", "::", "##", "[", "]", "(", ")", "<", "&", "$", "@", "#", "…", "é", "日", "\xff", "GH", "-",
	}
	for _, seed := range seeds {
		f.Add(seed)
	}
	// Neighbours make what single texts do not.
	dice := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		var b strings.Builder
		for range 2 + dice.IntN(8) {
			b.WriteString(seeds[dice.IntN(len(seeds))])
		}
		f.Add(b.String())
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 20_000 {
			t.Skip()
		}
		r := reportOf(s)
		for name, text := range everyFormat(t, r) {
			switch name {
			case "json", "badge.json":
				if !json.Valid([]byte(text)) {
					t.Errorf("%s is no JSON", name)
				}
				for _, c := range text {
					if c != '\n' && (c < 0x20 || c == 0x7f || hidden(c)) {
						t.Errorf("%s holds %U", name, c)
					}
				}
			case "sarif":
				checkSARIF(t, []byte(text))
			case "junit":
				checkJUnit(t, parseJUnit(t, []byte(text)))
			case "badge.svg":
				checkXML(t, []byte(text))
			case "markdown":
				checkInert(t, text)
			case "annotations":
				for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
					if !annotation.MatchString(line) {
						t.Errorf("no annotation: %q", line)
					}
				}
			default:
				checkPlainLines(t, text)
			}
		}
		var b bytes.Buffer
		if err := WriteDiffText(&b, Diff(exampleReport(), r)); err != nil {
			t.Fatal(err)
		}
		checkPlainLines(t, b.String())
		back, err := Read(bytes.NewReader(writeJSON(t, r)))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if again := writeJSON(t, back); !bytes.Equal(again, writeJSON(t, r)) {
			t.Error("read and written again the report differs")
		}
	})
}

// reportOf is a report whose every text of the target is s.
func reportOf(s string) Report {
	r := Report{
		Schema: Schema, Tool: Tool{"conform", "0.1.0"}, Profile: scenarios.ProfileHosts,
		Target:  Target{Name: s, Version: s, Title: s, Command: s, URL: &s, SDK: s, Revisions: []string{"2025-11-25", s}, Transports: []string{"stdio"}},
		Command: s, NotProven: []string{s}, Notes: []string{s}, Stale: []string{"stale " + s}, NotCalled: []NotCalled{{s, s}},
		Clients: []Client{{ID: "x", Product: "X", Verdict: scenarios.Fail, Says: s}},
		Views:   []scenarios.View{{Client: "x", Tool: s, Label: s, Name: s, Reads: "text", Sample: s, Hides: []string{s}, State: "dropped", Note: s}},
	}
	for i, v := range append(scenarios.Verdicts(), scenarios.Fail, scenarios.Warn) {
		o := found("a/"+string(rune('a'+i)), v, s)
		o.Scenario, o.Level = "a", scenarios.Must
		o.Expected, o.Observed, o.Message, o.Remedy, o.Repro, o.NoRepro = s, s, s, s, s, s
		o.Evidence = []scenarios.Frame{{Dir: "send", Text: s}, {AtMS: 1, Dir: "recv", Text: s}, {AtMS: 2, Dir: "note", Text: s}}
		if i%2 == 0 {
			o.Faults = []scenarios.FaultLine{{Subject: s, Expected: s, Observed: s}, {Subject: "other", Expected: s, Observed: s}}
		}
		r.Outcomes = append(r.Outcomes, o)
	}
	last := &r.Outcomes[len(r.Outcomes)-1]
	last.Waived = "because " + s
	r.Summary, _ = Summarise(r.Outcomes, nil)
	r.Exit = Exit(r, FailOnFail)
	return r
}
