package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/agntn/conform/scenarios"
)

// readJSON reads a file of testdata into v.
func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// sampleReport is a run of an invented server that meets every verdict.
func sampleReport(t *testing.T) (Report, HTMLOptions) {
	t.Helper()
	var r Report
	var o HTMLOptions
	readJSON(t, "html_sample.json", &r)
	readJSON(t, "html_texts.json", &o.Texts)
	o.Scenarios = map[string]string{"unknown-tool": "unknown tools"}
	return r, o
}

func htmlOf(t *testing.T, r Report, o HTMLOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestHTMLSampleMeetsEverything(t *testing.T) {
	t.Parallel()
	r, _ := sampleReport(t)
	for _, v := range scenarios.Verdicts() {
		if r.Summary.Of(v) == 0 {
			t.Errorf("the sample has no %s", v)
		}
	}
	if len(r.Clients) != 11 || r.Summary.Total() != len(r.Outcomes) {
		t.Errorf("the sample has %d clients and %d outcomes, its summary counts %d", len(r.Clients), len(r.Outcomes), r.Summary.Total())
	}
}

// smallReport keeps of the sample one check of each verdict.
func smallReport(t *testing.T) (Report, HTMLOptions) {
	t.Helper()
	r, o := sampleReport(t)
	keep := []string{
		"output-schema/structured-matches", "unknown-tool/name-escaped", "http/reconnect", "unknown-tool/wording",
		"bad-input/not-executed", "unknown-tool/refused", "prompts/get",
	}
	r.Outcomes = slices.DeleteFunc(r.Outcomes, func(o scenarios.Outcome) bool { return !slices.Contains(keep, o.Check) })
	r.Views = slices.DeleteFunc(r.Views, func(v scenarios.View) bool { return v.Tool != "notes_export_as_markdown_archive" })
	r.Clients = slices.DeleteFunc(r.Clients, func(c Client) bool { return c.ID != "claude-code" && c.ID != "sdk-v1" && c.ID != "cursor" })
	r.Summary = Summary{}
	for _, o := range r.Outcomes {
		r.Summary.Add(o.Verdict)
	}
	return r, o
}

var ownAssets = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|'sha256-[^']*'|&#39;sha256-.*?&#39;`)

func TestHTMLGolden(t *testing.T) {
	t.Parallel()
	r, o := smallReport(t)
	// Style and script are files of their own; the golden file is about what a report says.
	golden(t, "html_small.golden.html", ownAssets.ReplaceAll(htmlOf(t, r, o), []byte("(own)")))
}

func TestHTMLIsDeterministic(t *testing.T) {
	t.Parallel()
	r, o := sampleReport(t)
	first := htmlOf(t, r, o)
	slices.Reverse(r.Outcomes)
	if !bytes.Equal(first, htmlOf(t, r, o)) {
		t.Error("the page depends on the order of the outcomes")
	}
}
