package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/agntn/conform/scenarios"
)

func writeAnnotations(t *testing.T, r Report, at *Locations) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteAnnotations(&b, r, at); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var annotation = regexp.MustCompile(`^::(error|warning|notice) (file=[^,:]+,line=\d+,)?title=[^,:]+::[^\r\n]+$`)

func TestWriteAnnotations(t *testing.T) {
	t.Parallel()
	r := exampleReport()
	dir := tree(t, map[string]string{"src/tools.ts": "// tools\nserver.registerTool('search_notes', {})\n", "conform.yaml": ""})
	text := writeAnnotations(t, r, Locate(r, Sources{Dir: dir}))
	golden(t, "annotations.txt", []byte(text))
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if !annotation.MatchString(line) {
			t.Errorf("line %d is no annotation: %q", i+1, line)
		}
		for _, c := range line {
			if c < 0x20 || hidden(c) {
				t.Errorf("line %d holds %U", i+1, c)
			}
		}
	}
	for _, want := range []string{
		"::error file=src/tools.ts,line=2,title=conform%3A host-gemini-cli/array-items::",
		"::error file=conform.yaml,line=1,title=conform%3A stale baseline entry::stale baseline entry",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	for _, bad := range []string{"bad-input/refused::", "presentation/title-agrees", "bad-input/one-line-per-problem"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is known, waived or only mentioned, and is annotated", bad)
		}
	}
}

func TestAnnotationsEscape(t *testing.T) {
	t.Parallel()
	o := found("a/b", scenarios.Fail, "100% of a,b:c")
	o.Message = "50%\n::warning::x"
	text := writeAnnotations(t, Report{Outcomes: []scenarios.Outcome{o}}, &Locations{fallback: Location{File: "a,b:c%.ts", Line: 3}})
	want := "::error file=a%2Cb%3Ac%25.ts,line=3,title=conform%3A a/b::50%25␊::warning::x. Subject: 100%25 of a,b:c."
	if !strings.HasPrefix(text, want) || strings.Count(text, "\n") != 1 {
		t.Errorf("%q, want %q ...", text, want)
	}
}

func TestAnnotationsAreBoundedAndOnceAPlace(t *testing.T) {
	t.Parallel()
	var r Report
	at := &Locations{found: map[string]Location{}, fallback: Location{File: "conform.yaml", Line: 1}}
	for i := range maxAnnotations + 5 {
		tool := "tool_" + thousands(i)
		at.tools, at.found[tool] = append(at.tools, tool), Location{File: "a.ts", Line: i + 1}
		o := found("a/b", scenarios.Warn, tool)
		other := o
		other.Client = "x"
		r.Outcomes = append(r.Outcomes, o, other)
	}
	text := writeAnnotations(t, r, at)
	if n := strings.Count(text, "\n"); n != maxAnnotations+1 || !strings.HasSuffix(text, "::notice title=conform::5 more findings are in the report\n") {
		t.Errorf("%d lines, the last %q", n, text[strings.LastIndex(strings.TrimSpace(text), "\n")+1:])
	}
}

func TestAnnotationsOfSubjectsWithoutAPlace(t *testing.T) {
	t.Parallel()
	o := found("a/b", scenarios.Fail, "first", "second", "third")
	o.Message = "first: is wrong (and 2 more like it)"
	for i := range o.Faults {
		o.Faults[i].Observed = "wrong too"
	}
	text := writeAnnotations(t, Report{Outcomes: []scenarios.Outcome{o}}, nil)
	want := "::error file=conform.yaml,line=1,title=conform%3A a/b::first: is wrong. Observed: wrong too. Met under any client, 2025-11-25, stdio." +
		" The same holds for “second”, “third”. More: conform explain a/b\n"
	if text != want {
		t.Errorf("%q, want %q", text, want)
	}
	at := &Locations{tools: []string{"second"}, found: map[string]Location{"second": {File: "a.ts", Line: 7}}, fallback: Location{File: "c.yaml", Line: 1}}
	if text := writeAnnotations(t, Report{Outcomes: []scenarios.Outcome{o}}, at); !strings.Contains(text, "::error file=a.ts,line=7,title=conform%3A a/b::second: wrong too. Met under") {
		t.Errorf("no annotation of its own for second:\n%s", text)
	}
}
