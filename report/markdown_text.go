package report

import (
	"regexp"
	"strings"
)

// gap is a zero width space: it stops a forge from making a mention, a reference
// or a link of text, where a backslash does not.
const gap = "\u200b"

var (
	mdSpecial = strings.NewReplacer(
		`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`,
		`|`, `\|`, `~`, `\~`, `&`, `\&`, `$`, `\$`, `{`, `\{`, `}`, `\}`,
		`@`, `@`+gap, `#`, `\#`+gap, `://`, `:`+gap+`//`,
	)
	// autoLink matches what else a forge links by itself.
	autoLink = regexp.MustCompile(`(?i)www\.|GH-\d`)
	// lineStart matches what makes a list or a heading of a line.
	lineStart = regexp.MustCompile(`^(\s*)([-+=]|\d+[.)])`)
)

// mdText writes s as Markdown text on one line of at most n characters of s, inert: no
// markup, HTML, mention, reference or link comes of it, in a table or out of it.
func mdText(s string, n int) string {
	s = mdSpecial.Replace(strings.TrimSpace(Visible(Bound(s, n))))
	s = autoLink.ReplaceAllStringFunc(s, func(m string) string {
		i := strings.IndexAny(m, ".-")
		return m[:i] + gap + m[i:]
	})
	return lineStart.ReplaceAllStringFunc(s, func(m string) string { return m[:len(m)-1] + `\` + m[len(m)-1:] })
}

// mdCode writes s as a code span on one line of at most n characters.
func mdCode(s string, n int) string {
	s = Visible(Bound(s, n))
	if strings.TrimSpace(s) == "" {
		return "(nothing)"
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.ContainsAny(s[:1]+s[len(s)-1:], "` ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// mdBlock writes s as a code block of at most n characters.
func mdBlock(s string, n int) string {
	s = Bound(strings.TrimRight(s, "\n"), n)
	fence := strings.Repeat("`", max(3, longestRun(s, '`')+1))
	return fence + "text\n" + strings.Join(VisibleLines(s), "\n") + "\n" + fence
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] == c {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}
