package sample

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// maxEcho bounds how many runes of a caller's text come back in a message.
const maxEcho = 100

// visible spells out every character of s that a terminal, a log or a reader of
// lines could act on: controls, line separators, and format characters such as
// the ones that change the writing direction. Other characters stay as they are.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\\':
			b.WriteString(`\\`)
		case hidden(r):
			for _, u := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, u)
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden says that a rune has no shape of its own or moves others.
func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Variation_Selector)
}

// quoted is visible text between quotes.
func quoted(s string) string { return `"` + strings.ReplaceAll(visible(s), `"`, `\"`) + `"` }

// bounded cuts s after max runes and says so.
func bounded(s string, max int) string {
	r := []rune(s)
	if len(r) <= max {
		return s
	}
	return string(r[:max]) + "… (" + strconv.Itoa(len(r)) + " characters)"
}
