package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agntn/conform/scenarios"
)

func writeConsole(t *testing.T, r Report, o ConsoleOptions) string {
	t.Helper()
	if o.Texts == nil {
		o.Texts = exampleTexts()
	}
	var b bytes.Buffer
	if err := WriteConsole(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteConsole(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]ConsoleOptions{
		"console.txt":         {},
		"console-narrow.txt":  {Width: 40},
		"console-verbose.txt": {Verbose: true, Width: 100},
		"console-quiet.txt":   {Quiet: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := writeConsole(t, exampleReport(), o)
			golden(t, name, []byte(text))
			checkPlainLines(t, text)
			width := 80
			if o.Width > 0 {
				width = o.Width
			}
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			for i, line := range lines {
				copied := strings.HasPrefix(line, "  try ") || strings.HasPrefix(line, "  more ")
				if columns(line) > width && !copied && i < len(lines)-1 {
					t.Errorf("line %d takes %d columns of %d: %q", i+1, columns(line), width, line)
				}
				if line != strings.TrimRight(line, " ") {
					t.Errorf("line %d ends in blanks: %q", i+1, line)
				}
			}
			if o.Quiet && len(lines) != 1 {
				t.Errorf("%d lines, want one", len(lines))
			}
		})
	}
}

func TestConsoleColourSaysNothingMore(t *testing.T) {
	t.Parallel()
	plain := writeConsole(t, exampleReport(), ConsoleOptions{})
	coloured := writeConsole(t, exampleReport(), ConsoleOptions{Color: true})
	sgr := regexp.MustCompile("\x1b\\[[0-9;]*m")
	if !sgr.MatchString(coloured) {
		t.Fatal("no colour at all")
	}
	if got := sgr.ReplaceAllString(coloured, ""); got != plain {
		t.Error("without its colours the report differs from the plain one")
	}
	checkPlainLines(t, sgr.ReplaceAllString(coloured, ""))
}

func TestConsoleSaysWhatMatters(t *testing.T) {
	t.Parallel()
	text := writeConsole(t, exampleReport(), ConsoleOptions{})
	at := 0
	for _, want := range []string{ // in this order
		"acme-notes 1.4.0 · stdio · 2025-06-18, 2025-11-25",
		"✗ fail  unknown-tool/prototype-name", "gets another kind of answer",
		"it breaks Claude Code, TypeScript SDK v1", `  sent      {"jsonrpc":"2.0","id":4`, "  back", "  expected", "  observed",
		"  why", "  cause     TypeScript SDK v1", "  mend      Register a CallTool handler", "  try       printf", "  more      conform explain unknown-tool/prototype-name",
		"✗ fail  host-gemini-cli/array-items",
		"‼ error  shutdown/eof-exits", "the server is not to blame",
		"4 warnings", "Known and waived", "bad-input/refused: in the baseline", "Not observed", "--role", "Noted", "Clients",
		"✗ fail    Claude Code 2.1.332", "! warn    ChatGPT",
		"3 tools were not called", "--allow all", "delete_note, purge:", "What this run did not prove", "Notes", "expired on 2026-10-01",
		"Stale", "stale baseline entry: listing/names-unique",
		"‼ 1 in error, 4 failed (3 findings), 5 warned, 5 unseen, 2 info, 21 passed, 3 n/a, 2 excused (exit 4: conform itself failed)",
	} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("%q is missing, or stands too early, in\n%s", want, text)
		}
		at += i + len(want)
	}
	if strings.ContainsAny(text, "%") && strings.Contains(regexp.MustCompile(`(?m)^  try.*$`).ReplaceAllString(text, ""), "%") {
		t.Error("there is a percentage")
	}
}

func TestConsoleIsBounded(t *testing.T) {
	t.Parallel()
	r := Report{Target: Target{Name: "x"}, Exit: 1}
	for i := range 400 {
		v := scenarios.Fail
		if i%2 == 1 {
			v = scenarios.Warn
		}
		o := found(fmt.Sprintf("a/b%d", i), v, strings.Repeat("s", 10_000))
		o.Message, o.Observed = strings.Repeat("long ", 10_000), strings.Repeat("x", 100_000)
		o.Evidence = []scenarios.Frame{{Dir: "recv", Text: strings.Repeat("y", 1_000_000)}}
		r.Outcomes = append(r.Outcomes, o)
		r.NotCalled = append(r.NotCalled, NotCalled{fmt.Sprintf("tool%d", i), "not read-only"})
		r.NotProven = append(r.NotProven, fmt.Sprintf("thing %d", i))
	}
	text := writeConsole(t, r, ConsoleOptions{})
	if lines := strings.Count(text, "\n"); lines > 1500 {
		t.Errorf("%d lines", lines)
	}
	for _, want := range []string{"175 more findings", "and 185 more; --verbose shows them", "and 392 more: not read-only", "and 388 more; --verbose"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestConsoleOfNothing(t *testing.T) {
	t.Parallel()
	r := Report{Profile: "hosts", Target: Target{Command: "node server.mjs"}, Exit: 3, NotProven: []string{"the server did not start"}}
	want := `node server.mjs
profile hosts, 0 tools, seed 0

What this run did not prove
  · the server did not start

? no outcome (exit 3: nothing proven)
`
	if got := writeConsole(t, r, ConsoleOptions{}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestConsoleOfServers(t *testing.T) {
	t.Parallel()
	server := func(name string, v scenarios.Verdict) Report {
		r := Report{Target: Target{Name: name}, Outcomes: []scenarios.Outcome{found("a/b", v, "x")}}
		r.Summary, _ = Summarise(r.Outcomes, nil)
		return r
	}
	r := Report{Servers: []Report{server("one", scenarios.Pass), server("two", scenarios.Fail)}, Exit: 1}
	text := writeConsole(t, r, ConsoleOptions{})
	if !strings.HasPrefix(text, "one\n") || !strings.Contains(text, "\n\ntwo\n") || !strings.HasSuffix(text, "\n✗ 1 failed, 1 passed (exit 1: checks failed)\n") {
		t.Error(text)
	}
	if got := writeConsole(t, r, ConsoleOptions{Quiet: true}); got != "2 servers: ✗ 1 failed, 1 passed (exit 1: checks failed)\n" {
		t.Error(got)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	p := newPrinter(nil, ConsoleOptions{})
	for name, c := range map[string]struct {
		text  string
		width int
		want  []string
	}{
		"nothing":                 {"", 10, []string{""}},
		"fits":                    {"one two", 10, []string{"one two"}},
		"between words":           {"one two three", 8, []string{"one two", "three"}},
		"a long word":             {"abcdefghijklmno", 6, []string{"abcdef", "ghijkl", "mno"}},
		"at a mark of JSON":       {`{"abcdef":1,"g":2}`, 14, []string{`{"abcdef":1,`, `"g":2}`}},
		"wide characters":         {"日本語日本語", 5, []string{"日本", "語日", "本語"}},
		"a command, wrapped":      {"long text ::error::x", 10, []string{"long text", "·::error::x"}},
		"a command behind blanks": {"\u00a0\u3000::error::x", 20, []string{"·::error::x"}},
		"a command of another":    {"x ##[error]y ##vso[z]", 30, []string{"x # #[error]y # #vso[z]"}},
		"control characters":      {"a\nb\x1bc", 10, []string{"a␊b␛c"}},
		"a wide one in one":       {"日", 1, []string{"日"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := p.wrap(c.text, c.width)
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 500) + "NEEDLE" + strings.Repeat("z", 500)
	for name, c := range map[string]struct {
		text, subject string
		want          string
	}{
		"short":            {"short", "x", "short"},
		"subject in front": {"NEEDLE" + long, "NEEDLE", "NEEDLEéé"},
		"subject far on":   {long, "NEEDLE", "NEEDLEzz"},
		"no subject":       {long, "", "éé"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := excerpt(c.text, c.subject, 60)
			if !strings.Contains(got, c.want) || len([]rune(got)) > 110 || strings.ContainsRune(got, '\ufffd') {
				t.Errorf("%q, want it to hold %q", got, c.want)
			}
		})
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	now := time.Unix(0, 0)
	p := NewProgress(&b, 30, true)
	p.now = func() time.Time { return now }
	p.Update(1, 9, "first")
	p.Update(2, 9, "too soon")
	now = now.Add(progressEvery)
	p.Update(3, 9, "a name that is longer than the line "+esc)
	now = now.Add(2 * time.Second)
	p.Update(0, 0, "no total \x1b[31m")
	p.Stop()
	p.Stop()
	p.Update(4, 9, "after the end")
	want := "\r\x1b[2K· 1/9  first" +
		"\r\x1b[2K· 3/9  a name that is longer…" +
		"\r\x1b[2K· 2 s  no total ␛[31m" +
		"\r\x1b[2K"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestProgressIsSilentOffATerminal(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	p := NewProgress(&b, 80, false)
	p.Update(1, 2, "x")
	p.Stop()
	if b.Len() > 0 {
		t.Errorf("it wrote %q", b.String())
	}
}
