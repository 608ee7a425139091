package report

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/agntn/conform/scenarios"
)

// The symbol and the word of each verdict go together everywhere: neither colour
// nor symbol stands alone.
type word struct {
	symbol string
	// short is the verdict's own word; past completes "3 ...".
	short string
	past  string
}

func wordOf(v scenarios.Verdict) word {
	switch v {
	case scenarios.Pass:
		return word{"✓", "pass", "passed"}
	case scenarios.Fail:
		return word{"✗", "fail", "failed"}
	case scenarios.Warn:
		return word{"!", "warn", "warned"}
	case scenarios.Info:
		return word{"i", "info", "info"}
	case scenarios.NA:
		return word{"–", "n/a", "n/a"}
	case scenarios.Unseen:
		return word{"?", "unseen", "unseen"}
	case scenarios.Error:
		return word{"‼", "error", "in error"}
	}
	return word{" ", string(v), string(v)}
}

// tally writes the counts that are not zero, worst first: "2 failed, 3 warned, 41 passed".
func tally(s Summary) string {
	var parts []string
	for _, v := range scenarios.Verdicts() {
		if n := s.Of(v); n > 0 {
			parts = append(parts, thousands(n)+" "+wordOf(v).past)
		}
	}
	if len(parts) == 0 {
		return "no outcome"
	}
	return strings.Join(parts, ", ")
}

// listed joins the first n items and says how many more there are.
func listed(items []string, n int) string { return listedOf(items, n, 0) }

// listedOf is listed for a list that left out some items already.
func listedOf(items []string, n, left int) string {
	shown := items[:min(n, len(items))]
	text := strings.Join(shown, ", ")
	if left += len(items) - len(shown); left > 0 {
		text += " and " + thousands(left) + " more"
	}
	return text
}

// firstSentence cuts a text after its first full stop that ends a word.
func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i > 0 {
		return s[:i]
	}
	return strings.TrimSuffix(s, ".")
}

// marker matches what build servers read as a command anywhere in a line, such as
// "##[error]" and "##vso[task...".
var marker = regexp.MustCompile(`##(\w*\[)`)

// defuse keeps text that is printed to a build log from being read as a command
// to the build server. The text is on one line; what stands at the start of a line
// is the caller's to guard, see guardLine.
func defuse(s string) string { return marker.ReplaceAllString(s, "# #$1") }

// guardLine makes a whole line of output inert for build servers that read a line
// starting with "::", after blanks, as a command.
func guardLine(line string) string {
	if rest := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(rest, "::") {
		line = line[:len(line)-len(rest)] + "·" + rest
	}
	return defuse(line)
}
