package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agntn/conform/scenarios"
)

func writeMarkdown(t *testing.T, r Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteMarkdown(&b, r, exampleTexts()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteMarkdown(t *testing.T) {
	t.Parallel()
	text := writeMarkdown(t, exampleReport())
	golden(t, "sample.md", []byte(text))
	checkInert(t, text)
}

var (
	ownLink  = regexp.MustCompile(`\]\(https://modelcontextprotocol\.io/[^)\s]*\)`)
	liveText = map[string]*regexp.Regexp{
		"HTML":        regexp.MustCompile(`(^|[^\\])<[a-zA-Z/!]`),
		"a mention":   regexp.MustCompile(`@[A-Za-z0-9]`),
		"a reference": regexp.MustCompile(`#[0-9]|GH-[0-9]`),
		"a link":      regexp.MustCompile(`(^|[^\\])\]\(|://|www\.`),
		"mathematics": regexp.MustCompile(`(^|[^\\])\$`),
		"an entity":   regexp.MustCompile(`(^|[^\\])&[a-zA-Z#]`),
	}
)

// checkInert fails when anything outside code would come alive on a forge, or a
// row of a table has not the cells of its head.
func checkInert(t *testing.T, text string) {
	t.Helper()
	fence, cells := "", 0
	for i, line := range strings.Split(text, "\n") {
		for _, r := range line {
			if r != '\u200b' && (r < 0x20 || hidden(r)) {
				t.Errorf("line %d holds %U: %q", i+1, r, line)
			}
		}
		if run := len(line) - len(strings.TrimLeft(line, "`")); run >= 3 {
			switch {
			case fence == "":
				fence = line[:run]
			case line == fence:
				fence = ""
			}
			continue
		}
		if fence != "" {
			continue
		}
		if strings.HasPrefix(line, "|") {
			n := len(regexp.MustCompile(`(^|[^\\])\|`).FindAllString(line, -1))
			if cells == 0 {
				cells = n
			}
			if n != cells {
				t.Errorf("row with %d bars in a table of %d: %q", n, cells, line)
			}
		} else {
			cells = 0
		}
		plain := ownLink.ReplaceAllString(withoutCode(line), "")
		for what, alive := range liveText {
			if m := alive.FindString(plain); m != "" {
				t.Errorf("line %d holds %s (%q): %q", i+1, what, m, plain)
			}
		}
	}
	if fence != "" {
		t.Errorf("the code block %s is not closed", fence)
	}
}

// withoutCode takes the code spans out of a line, as CommonMark finds them.
func withoutCode(line string) string {
	var out strings.Builder
	for i := 0; i < len(line); {
		if line[i] == '\\' && i+1 < len(line) {
			out.WriteString(line[i : i+2])
			i += 2
			continue
		}
		if line[i] != '`' {
			out.WriteByte(line[i])
			i++
			continue
		}
		run := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
		end := closing(line[i+run:], run)
		if end < 0 {
			out.WriteString(line[i : i+run])
			i += run
			continue
		}
		i += run + end + run
	}
	return out.String()
}

// closing finds a run of exactly n backticks.
func closing(s string, n int) int {
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if run == n {
			return i
		}
		i += run
	}
	return -1
}

func TestMarkdownText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain, with - and . and (brackets)": "plain, with - and . and (brackets)",
		"- item":                             `\- item`,
		"1. item":                            `1\. item`,
		"a <b> & `c` | *d* _e_ [f](g)":       "a \\<b\\> \\& \\`c\\` \\| \\*d\\* \\_e\\_ \\[f\\](g)",
		"@octocat and a@b.example":           "@\u200boctocat and a@\u200bb.example",
		"#12 GH-7":                           "\\#\u200b12 GH\u200b-7",
		"https://x.example www.x.example":    "https:\u200b//x.example www\u200b.x.example",
		"two\nlines\ttab":                    "two␊lines␉tab",
		`back\slash`:                         `back\\slash`,
	} {
		if got := mdText(in, 200); got != want {
			t.Errorf("mdText(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"plain": "`plain`", "": "(nothing)", " ": "(nothing)", "a`b": "``a`b``", "`": "`` ` ``", "``x``": "``` ``x`` ```", "a\nb": "`a␊b`", "a ": "` a  `",
	} {
		if got := mdCode(in, 200); got != want {
			t.Errorf("mdCode(%q) = %q, want %q", in, got, want)
		}
	}
	if got := mdBlock("a\n```\nb\x1b", 100); got != "````text\na\n```\nb␛\n````" {
		t.Errorf("mdBlock = %q", got)
	}
}

func TestMarkdownIsBounded(t *testing.T) {
	t.Parallel()
	r := exampleReport()
	for i := range 2000 {
		o := found("a/b"+thousands(i), scenarios.Fail, strings.Repeat("s", 3000))
		o.Message, o.Observed = strings.Repeat("é", 5000), strings.Repeat("`", 5000)
		o.Evidence = []scenarios.Frame{{Dir: "recv", Text: strings.Repeat("x", 100_000)}}
		r.Outcomes = append(r.Outcomes, o)
		r.NotProven = append(r.NotProven, strings.Repeat("y", 500))
		r.Clients = append(r.Clients, Client{ID: thousands(i), Product: "P"})
	}
	text := writeMarkdown(t, r)
	if n := utf8.RuneCountInString(text); n > maxMarkdown || len(text) > maxMarkdown {
		t.Errorf("%d characters, %d bytes", n, len(text))
	}
	if len(text) < maxMarkdown/2 {
		t.Errorf("only %d bytes of %d are used", len(text), maxMarkdown)
	}
	if !strings.Contains(text, "did not fit here") {
		t.Error("nothing says that parts are missing")
	}
	checkInert(t, text)
}
