package main

import (
	"strings"
	"testing"

	"github.com/agntn/conform/scenarios"
	examples "github.com/agntn/conform/scenarios/explain"
)

// TestExplainTellsEverything holds the explanation of every check to what a reader
// needs: claim, level, why, right and wrong frames, a remedy in four languages, source.
func TestExplainTellsEverything(t *testing.T) {
	t.Parallel()
	txt, titles, err := texts(scenarios.All())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Level", "Why it matters", "Right", "Wrong", "How to mend it", "Source"}
	for _, lang := range examples.Languages() {
		want = append(want, "In "+lang)
	}
	for _, k := range scenarios.All().Checks() {
		text := explain(k, txt[k.ID])
		if !strings.HasPrefix(text, k.ID+"\n  "+strings.Fields(k.Claim)[0]) {
			t.Errorf("%s does not begin with its claim: %.100s", k.ID, text)
		}
		for _, title := range want {
			_, part, ok := strings.Cut(text, "\n"+title+"\n")
			if part, _, _ = strings.Cut(part, "\n\n"); !ok || strings.TrimSpace(part) == "" {
				t.Errorf("%s lacks the part %q", k.ID, title)
			}
		}
		if len(k.Hosts) > 0 && !strings.Contains(text, "\nWho breaks\n  ") {
			t.Errorf("%s does not say who breaks", k.ID)
		}
		for line := range strings.Lines(text) {
			if strings.ContainsAny(line, "\t\x1b") || strings.TrimRight(line, " \n") != strings.TrimRight(line, "\n") {
				t.Errorf("%s has an untidy line: %q", k.ID, line)
			}
		}
	}
	if len(titles) < 30 {
		t.Errorf("%d scenarios have a title", len(titles))
	}
}

func TestIndentKeepsToTheWidth(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 60)
	for line := range strings.Lines(indent(long)) {
		if len(strings.TrimRight(line, "\n")) > 78 {
			t.Errorf("%d columns: %q", len(line), line)
		}
	}
	if got := strings.Join(strings.Fields(indent(long)), " "); got != strings.TrimSpace(long) {
		t.Errorf("words are lost: %q", got)
	}
	if got := asIs("a\n  b\n"); got != "  a\n    b" {
		t.Errorf("%q", got)
	}
}
