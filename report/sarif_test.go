package report

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/agntn/conform/scenarios"
)

func writeSARIF(t *testing.T, r Report, at *Locations) ([]byte, sarifLog) {
	t.Helper()
	var b bytes.Buffer
	if err := WriteSARIF(&b, r, exampleTexts(), at); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), log
}

func checkSARIF(t *testing.T, text []byte) {
	t.Helper()
	f, err := os.Open("testdata/sarif-code-scanning.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("not the SARIF that code scanning takes: %v", err)
	}
}

func TestWriteSARIF(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"src/tools.ts": "// tools\nserver.registerTool('search_notes', {})\n", "conform.yaml": ""})
	r := exampleReport()
	text, log := writeSARIF(t, r, Locate(r, Sources{Dir: dir, Tools: map[string]string{"purge": "src/my purge.ts:9"}}))
	golden(t, "sample.sarif", text)
	checkSARIF(t, text)

	run := log.Runs[0]
	for _, res := range run.Results {
		if got := run.Tool.Driver.Rules[res.RuleIndex].ID; got != res.RuleID {
			t.Errorf("result of %s points at the rule %s", res.RuleID, got)
		}
	}
	at := map[string]string{}
	suppressed := map[string]string{}
	for _, res := range run.Results {
		place := res.Locations[0].PhysicalLocation
		at[res.RuleID] = place.ArtifactLocation.URI
		if len(res.Suppressions) > 0 {
			suppressed[res.RuleID] = res.Suppressions[0].Justification
		}
	}
	if at["host-gemini-cli/array-items"] != "src/tools.ts" || at["presentation/title-agrees"] != "src/my%20purge.ts" || at["unknown-tool/prototype-name"] != "conform.yaml" {
		t.Errorf("places: %v", at)
	}
	want := map[string]string{
		"bad-input/refused":         "the baseline lists this finding",
		"presentation/title-agrees": "waived: the two titles are for two audiences",
	}
	if diff := cmp.Diff(want, suppressed); diff != "" {
		t.Errorf("suppressed (-want +got):\n%s", diff)
	}
	if bytes.Contains(text, []byte("](https://evil")) {
		t.Error("a text of the target is a link")
	}
}

func TestSARIFMergesRevisionsAndPartsSubjects(t *testing.T) {
	t.Parallel()
	a, b := found("a/b", scenarios.Warn, "x", "y"), found("a/b", scenarios.Fail, "x")
	b.Revision = "2026-07-28"
	other := found("a/b", scenarios.Fail, "x")
	other.Client = "claude-code"
	_, log := writeSARIF(t, Report{Outcomes: []scenarios.Outcome{a, b, other, found("a/info", scenarios.Info, "x"), found("a/pass", scenarios.Pass)}}, nil)
	var got []string
	for _, res := range log.Runs[0].Results {
		got = append(got, strings.Join([]string{res.Level, res.Properties["client"].(string), res.Message.Text}, " | "))
	}
	want := []string{
		"error | any | a/b. Subject: x. Met under any client, 2025-11-25, 2026-07-28, stdio.",
		"error | claude-code | a/b. Subject: x. Met under claude-code, 2025-11-25, stdio.",
		"warning | any | a/b. Subject: y. Met under any client, 2025-11-25, stdio.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSARIFFingerprints(t *testing.T) {
	t.Parallel()
	prints := func(r Report) []string {
		_, log := writeSARIF(t, r, nil)
		var list []string
		for _, run := range log.Runs {
			for _, res := range run.Results {
				list = append(list, res.PartialFingerprints["conformFinding/v1"])
			}
		}
		slices.Sort(list)
		return list
	}
	want := prints(exampleReport())
	if len(slices.Compact(slices.Clone(want))) != len(want) {
		t.Errorf("two results share a fingerprint: %q", want)
	}
	// Another wording, time, order and revision is the same finding.
	r := exampleReport()
	slices.Reverse(r.Outcomes)
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		o.Message, o.Observed, o.Remedy, o.DurationMS = o.Message+" more", "else", "", 99
		o.Revision = strings.Replace(o.Revision, "2025-11-25", "2026-07-28", 1)
	}
	if diff := cmp.Diff(want, prints(r)); diff != "" {
		t.Errorf("fingerprints rest on more than check, client and subject:\n%s", diff)
	}
	// Two servers with one fault are two findings.
	one, two := Report{Target: Target{Name: "one"}, Outcomes: []scenarios.Outcome{found("a/b", scenarios.Fail)}}, Report{Target: Target{Name: "two"}, Outcomes: []scenarios.Outcome{found("a/b", scenarios.Fail)}}
	if p := prints(Report{Servers: []Report{one, two}}); len(p) != 2 || p[0] == p[1] {
		t.Errorf("two servers give %q", p)
	}
}

func TestSARIFIsBounded(t *testing.T) {
	t.Parallel()
	var r Report
	for i := range maxSARIFResults + 10 {
		r.Outcomes = append(r.Outcomes, found("a/warn", scenarios.Warn, thousands(i)))
	}
	r.Outcomes = append(r.Outcomes, found("z/fail", scenarios.Fail))
	text, log := writeSARIF(t, r, nil)
	checkSARIF(t, text)
	run := log.Runs[0]
	if run.Results[0].RuleID != "z/fail" {
		t.Errorf("the first of too many results is %s, not the failure", run.Results[0].RuleID)
	}
	notes := run.Invocations[0].ToolExecutionNotifications
	if len(notes) != 1 || notes[0].Message.Text != "11 results were left out; the JSON report holds all" {
		t.Errorf("notifications %+v", notes)
	}
}

func TestSARIFOfNothing(t *testing.T) {
	t.Parallel()
	text, _ := writeSARIF(t, Report{Tool: Tool{Version: "1"}}, nil)
	checkSARIF(t, text)
}
