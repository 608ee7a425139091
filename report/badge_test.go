package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/agntn/conform/scenarios"
)

func TestWriteBadgeGolden(t *testing.T) {
	t.Parallel()
	r := exampleReport()
	r.Target.Revisions = append(r.Target.Revisions, `"/><script>`+esc)
	for _, extension := range []string{".svg", ".json"} {
		var b bytes.Buffer
		if err := WriteBadge(&b, r, extension); err != nil {
			t.Fatal(err)
		}
		golden(t, "badge"+extension, b.Bytes())
		if strings.Contains(b.String(), "<script") && extension == ".svg" || strings.ContainsAny(b.String(), "\x1b%") {
			t.Errorf("not inert, or a rate: %s", b.String())
		}
	}
}

func TestBadge(t *testing.T) {
	t.Parallel()
	known := outcomes(scenarios.Pass, scenarios.Fail)
	known[1].Known = true
	for name, c := range map[string]struct {
		r       Report
		message string
		isError bool
	}{
		"right":          {Report{Outcomes: outcomes(scenarios.Pass, scenarios.Pass, scenarios.Info)}, "2 passed · 2026-11-29", false},
		"failed":         {Report{Exit: 1, Outcomes: outcomes(scenarios.Pass, scenarios.Fail, scenarios.Warn)}, "1 failed · 1 warned · 2026-11-29", false},
		"warned":         {Report{Outcomes: outcomes(scenarios.Pass, scenarios.Warn)}, "1 warned · 2026-11-29", false},
		"known":          {Report{Outcomes: known}, "1 known · 2026-11-29", false},
		"nothing proven": {Report{Exit: 3, Outcomes: outcomes(scenarios.Unseen)}, "nothing proven · 2026-11-29", false},
		"broken":         {Report{Exit: 4, Outcomes: outcomes(scenarios.Error, scenarios.Fail)}, "could not be judged · 2026-11-29", true},
		"interrupted":    {Report{Exit: 130, Outcomes: outcomes(scenarios.Pass)}, "interrupted · 2026-11-29", true},
		"servers":        {Report{Exit: 1, Servers: []Report{{Outcomes: outcomes(scenarios.Fail)}, {Outcomes: outcomes(scenarios.Fail)}}}, "2 failed · 2026-11-29", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.r.Started = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
			c.r.Target.Revisions = []string{"2026-07-28", "2025-06-18"}
			var b bytes.Buffer
			if err := WriteBadge(&b, c.r, ".json"); err != nil {
				t.Fatal(err)
			}
			// The members of a shields endpoint.
			var got struct {
				SchemaVersion         int
				Label, Message, Color string
				IsError               bool
			}
			d := json.NewDecoder(&b)
			d.DisallowUnknownFields()
			if err := d.Decode(&got); err != nil {
				t.Fatal(err)
			}
			if len(c.r.Servers) > 0 {
				c.r.Target.Revisions = nil
			}
			if got.SchemaVersion != 1 || got.Message != c.message || got.IsError != c.isError || got.Color == "" {
				t.Errorf("%+v, want %q", got, c.message)
			}
			if want := "conform 2025-06-18 to 2026-07-28"; len(c.r.Servers) == 0 && got.Label != want {
				t.Errorf("label %q, want %q", got.Label, want)
			}
			b.Reset()
			if err := WriteBadge(&b, c.r, ".SVG"); err != nil {
				t.Fatal(err)
			}
			checkXML(t, b.Bytes())
			if !strings.Contains(b.String(), c.message+"</text>") {
				t.Errorf("the drawing does not say %q:\n%s", c.message, b.String())
			}
		})
	}
	if err := WriteBadge(io.Discard, Report{}, ".png"); err == nil || !strings.Contains(err.Error(), ".svg or .json") {
		t.Errorf("error %v", err)
	}
}

// checkXML fails when text is not well formed.
func checkXML(t *testing.T, text []byte) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("no XML: %v", err)
		}
	}
}
