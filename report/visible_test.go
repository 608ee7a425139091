package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, in, want string }{
		{"plain", `plain "text" <b>`, `plain "text" <b>`},
		{"line feed, return, tab", "a\r\n\tb", "a␍␊␉b"},
		{"escape code", "\x1b[31mred\x1b[0m", "␛[31mred␛[0m"},
		{"nul, bell, del", "\x00\a\x7f", "␀␇␡"},
		{"c1", "\u0085\u009b", `\u0085\u009b`},
		{"bidi", "\u202egnp\u2066x\u2069\u061c", `\u202egnp\u2066x\u2069\u061c`},
		{"zero width", "a\u200bb\ufeffc\u00add", `a\u200bb\ufeffc\u00add`},
		{"separators", "\u2028\u2029", `\u2028\u2029`},
		{"tags", "\U000e0041", `\u{e0041}`},
		{"hangul filler", "\u3164", `\u3164`},
		{"selector after a sign", "⚠\ufe0f", "⚠\ufe0f"},
		{"run of selectors", "⚠\ufe0f\ufe0e", "⚠\ufe0f\\ufe0e"},
		{"selector alone", "\ufe01", `\ufe01`},
		{"not utf-8", "a\xffb", `a\xffb`},
		{"lone surrogate", "a\xed\xa0\x80b", `a\ud800b`},
		{"replacement character stays", "\ufffd", "\ufffd"},
		{"other scripts stay", "日本 é ⓪", "日本 é ⓪"},
	} {
		if got := Visible(tc.in); got != tc.want {
			t.Errorf("%s: Visible(%q) = %q, want %q", tc.name, tc.in, got, tc.want)
		}
	}
}

func TestVisibleIsOneValidLine(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for r := rune(0); r < 0x30000; r++ {
		all.WriteRune(r)
	}
	got := Visible(all.String() + "\xc3")
	if !utf8.ValidString(got) {
		t.Error("the result is not valid UTF-8")
	}
	for _, r := range got {
		if r < 0x20 || hidden(r) && r != 0xfe0e && r != 0xfe0f {
			t.Fatalf("%U is still there", r)
		}
	}
}

func TestVisibleLines(t *testing.T) {
	t.Parallel()
	got := VisibleLines("one\r\ntwo\x1b\n")
	if diff := cmp.Diff([]string{"one␍", "two␛", ""}, got); diff != "" {
		t.Error(diff)
	}
}

func TestBound(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		in   string
		n    int
		want string
	}{
		{"short", 5, "short"},
		{"日本語", 3, "日本語"},
		{"日本語", 2, "日本 … (1 more character)"},
		{strings.Repeat("x", 2000), 3, "xxx … (1,997 more characters)"},
		{"", 0, ""},
		{"a\xff\xffb", 2, "a\xff … (2 more characters)"},
	} {
		if got := Bound(tc.in, tc.n); got != tc.want {
			t.Errorf("Bound(%q, %d) = %q, want %q", tc.in, tc.n, got, tc.want)
		}
	}
}
