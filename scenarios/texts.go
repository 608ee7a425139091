package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// rawControls lists the characters of a text that act on a terminal or on the
// layout of a line: C0 and C1 controls, line separators, bidi controls,
// zero-width characters and the byte order mark. Line feeds are allowed where
// lines says so.
func rawControls(text string, lines bool) []string {
	seen := map[rune]bool{}
	var out []string
	for _, r := range text {
		if !controls(r) || lines && (r == '\n' || r == '\t') || seen[r] {
			continue
		}
		seen[r] = true
		out = append(out, fmt.Sprintf("U+%04X", r))
	}
	return out
}

func controls(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	case r == 0x2028, r == 0x2029, r == 0xfeff:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x2064, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// short bounds a text for a message.
func short(s string, n int) string {
	for at := range s {
		if n--; n < 0 {
			return strings.ToValidUTF8(s[:at], "\uFFFD") + fmt.Sprintf(" … (%d more characters)", utf8.RuneCountInString(s[at:]))
		}
	}
	return s
}

// count names a number of things: "1 tool", "3 tools".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		what = stem + "ie"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// textLines splits a text into lines at LF, CRLF and CR.
func textLines(s string) []string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	return strings.Split(s, "\n")
}

// sayAnswer tells an exchange's answer in one line.
func sayAnswer(x *Exchange) string {
	if x == nil {
		return "not sent"
	}
	if lost := x.Lost(); lost != "" {
		return lost
	}
	if t := x.Text(); t != "" {
		return x.Channel() + ": " + short(t, 300)
	}
	return x.Channel()
}

// sortedKeys returns the keys of both maps, each once, sorted.
func sortedKeys[V any](a, b map[string]V) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}
