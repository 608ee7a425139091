package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns s with every character that could move a cursor, hide text or
// turn its direction replaced by something to look at: control pictures for C0
// and DEL (␊ ␍ ␛ ␀), \u202e for other control, format and line-separating
// characters, \u{e0041} beyond four digits, \xff for bytes that are not UTF-8.
// The result is one line of valid UTF-8. It is not escaped for any format.
func Visible(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	eachGlyph(s, func(g glyph) {
		b.WriteString(g.text)
	})
	return b.String()
}

// VisibleLines splits s at its line feeds and makes each line visible. A carriage
// return stays in its line as ␍. Joining the lines with "\n" loses nothing.
func VisibleLines(s string) []string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = Visible(l)
	}
	return lines
}

// Bound returns s when it has at most n characters; else its first n characters
// and a note of how many were left out.
func Bound(s string, n int) string {
	s, rest := cut(s, n)
	if rest == 0 {
		return s
	}
	return s + " … (" + count(rest, "more character", "more characters") + ")"
}

// cut returns the first n characters of s and how many it left out.
func cut(s string, n int) (string, int) {
	if len(s) <= n {
		return s, 0
	}
	seen := 0
	for i := range s {
		if seen == n {
			return s[:i], utf8.RuneCountInString(s[i:])
		}
		seen++
	}
	return s, 0
}

// glyph is one character of a text as it is shown.
type glyph struct {
	// text is what is shown; shown tells that it stands for something else.
	text  string
	shown bool
	// code is the character it stands for, -1 for a byte that is not UTF-8.
	code rune
}

// eachGlyph calls f for every character of s in order.
func eachGlyph(s string, f func(glyph)) {
	eachGlyphAt(s, func(_ int, g glyph) { f(g) })
}

// eachGlyphAt is eachGlyph with the position of the character in bytes.
func eachGlyphAt(s string, f func(int, glyph)) {
	prev := rune(-1)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			if u, ok := surrogate(s[i:]); ok {
				f(i, glyph{text: fmt.Sprintf(`\u%04x`, u), shown: true, code: u})
				n = 3
			} else {
				f(i, glyph{text: fmt.Sprintf(`\x%02x`, s[i]), shown: true, code: -1})
			}
		case r < 0x20:
			f(i, glyph{text: string(0x2400 + r), shown: true, code: r})
		case r == 0x7f:
			f(i, glyph{text: "␡", shown: true, code: r})
		case hidden(r) && !emojiStyle(prev, r):
			f(i, glyph{text: escape(r), shown: true, code: r})
		default:
			f(i, glyph{text: s[i : i+n], code: r})
		}
		prev = r
		i += n
	}
}

func escape(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\u{%x}`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// hidden reports characters beyond C0 that have no shape of their own: C1
// controls, format characters (bidi, zero width, tags), line and paragraph
// separators, fillers, variation selectors, non-characters.
func hidden(r rune) bool {
	if r < 0x7f {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector,
		unicode.Noncharacter_Code_Point)
}

// emojiStyle lets one text or emoji selector stand behind an ordinary character,
// where it only chooses a glyph; a run of them can carry hidden data.
func emojiStyle(prev, r rune) bool {
	return (r == 0xfe0e || r == 0xfe0f) && prev > 0x20 && !hidden(prev)
}

// surrogate decodes a lone surrogate written as three bytes, which UTF-8 forbids
// and which some programs write all the same.
func surrogate(s string) (rune, bool) {
	if len(s) < 3 || s[0] != 0xed || s[1] < 0xa0 || s[1] > 0xbf || s[2] < 0x80 || s[2] > 0xbf {
		return 0, false
	}
	return rune(s[0]&0x0f)<<12 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), true
}

// plain reports text of printable ASCII alone, by far the most common.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// thousands writes n with a comma before every third digit.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// count writes n with the word that fits it: "1 tool", "2,000 tools".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}
