package readers

import (
	"strings"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

// replaceUnits puts with in the place of each UTF-16 unit that keep refuses, as
// a JavaScript replace without the u flag does: a pair becomes two.
func replaceUnits(s string, keep func(r rune) bool, with string) string {
	var b strings.Builder
	for _, r := range js.Runes(s) {
		switch {
		case keep(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			b.WriteString(with + with)
		default:
			b.WriteString(with)
		}
	}
	return b.String()
}

func isWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
}

func isWordOrDash(r rune) bool { return isWord(r) || r == '-' }
