package scenarios

import "github.com/tidwall/gjson"

// What the checks of wording look for, for specs that authors write themselves.

// ControlCharacters lists the characters of a text, as U+XXXX and each once, that
// act on a terminal or on the layout of a line: C0 and C1 controls but line feed
// and tab, line separators, bidi controls, zero-width characters.
func ControlCharacters(text string) []string { return rawControls(text, true) }

// TextLines splits a text at every line end that clients know.
func TextLines(text string) []string { return textLines(text) }

// NamesProperty says that a text names a property as a word of its own.
func NamesProperty(text, property string) bool { return hasWord(text, property) }

// UntoldFacts lists the paths of texts and numbers in structuredContent that no
// content block says: those that clients which read one of the two would miss.
// Both are JSON; what the caller sent itself is no news and may stay untold.
func UntoldFacts(structured, content, sent []byte) []string {
	var out []string
	for _, l := range lostFacts(gjson.ParseBytes(structured), gjson.ParseBytes(content), gjson.ParseBytes(sent)) {
		out = append(out, l.path)
	}
	return out
}
