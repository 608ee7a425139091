package readers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// The sizes at which clients stop showing a result whole. Characters are UTF-16
// units.
const (
	claudeMaxText      = 50_000  // characters; above, the model reads the first 2000
	claudeMaxSaved     = 500_000 // characters; from here on it reads none
	claudeMaxError     = 11_024  // characters; above, the first and the last 5000 are left
	copilotMaxText     = 20 << 10
	geminiMaxText      = 40_000 // characters
	opencodeMaxText    = 50 << 10
	opencodeMaxLines   = 2000
	codexMaxText       = 12_000
	codexBytesPerToken = 4
	codexWallTime      = 33 // bytes of the line with the time before each output
	piMaxText          = 20 << 10
)

// cutNote is the reason that readers give for an answer cut by its length.
const cutNote = "the result is too long for this client: the model reads a part of it"

// cutClaudeError keeps both ends of the text of a failed call.
func cutClaudeError(text string) string {
	n := js.Length(text)
	if n <= claudeMaxError {
		return text
	}
	return fmt.Sprintf("%s\n\n... [%d characters truncated] ...\n\n%s", js.Slice(text, 0, 5000), n-10_000, js.Slice(text, n-5000, n))
}

// cutClaude puts a note with a preview in the place of a long result. blocks are
// its texts; alone says that the only one is structuredContent.
func cutClaude(a *fakes.Answer, blocks []string, alone bool) {
	total := 0
	for _, b := range blocks {
		total += js.Length(b)
	}
	if total <= claudeMaxText {
		return
	}
	a.Why = cutNote
	if total >= claudeMaxSaved {
		lines := ""
		if !alone {
			n := strings.Count(strings.TrimSuffix(a.Text, "\n"), "\n") + 1
			lines = fmt.Sprintf(" across %s line%s", thousands(n), plural(n))
		}
		a.Text = fmt.Sprintf("Error: result (%s characters%s) exceeds maximum allowed tokens. Output has been saved to <file>", thousands(total), lines)
		return
	}
	whole := blocks[0]
	if !alone {
		whole = textBlocks(blocks)
	}
	head := js.Slice(whole, 0, 2000)
	if i := strings.LastIndexByte(head, '\n'); i > 1000 {
		head = head[:i]
	}
	size := strings.TrimSuffix(strconv.FormatFloat(float64(js.Length(whole))/1024, 'f', 1, 64), ".0")
	a.Text = fmt.Sprintf("<persisted-output>\nOutput too large (%sKB). Full output saved to: <file>\n\nPreview (first 2KB):\n%s\n...\n</persisted-output>", size, head)
}

// textBlocks writes text blocks as indented JSON.
func textBlocks(texts []string) string {
	parts := make([]string, len(texts))
	for i, t := range texts {
		parts[i] = "  {\n    \"type\": \"text\",\n    \"text\": " + js.Quote(t) + "\n  }"
	}
	return "[\n" + strings.Join(parts, ",\n") + "\n]"
}

// cutCopilot puts a note with a preview in the place of a long text.
func cutCopilot(a *fakes.Answer) {
	n := len(a.Text)
	if n <= copilotMaxText {
		return
	}
	size := fmt.Sprintf("%.1f KB", float64(n)/1024)
	if n >= 1<<20 {
		size = fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	a.Why = cutNote
	a.Text = "Output too large to read at once (" + size + "). Saved to: <file>\n" +
		"Consider using tools like grep (for searching), head/tail (for viewing start/end), view with view_range (for specific sections), or jq (for JSON) to examine portions of the output.\n\n" +
		"Preview (first 500 chars):\n" + js.Slice(a.Text, 0, 500)
}

// cutGemini keeps both ends of a long text, when it is the only part.
func cutGemini(text string) string {
	n := js.Length(text)
	if n <= geminiMaxText {
		return text
	}
	const head = geminiMaxText / 5
	return fmt.Sprintf("Output too large. Showing first 8,000 and last 32,000 characters. For full output see: <file>\n%s\n\n... [%s characters omitted] ...\n\n%s",
		js.Slice(text, 0, head), thousands(n-geminiMaxText), js.Slice(text, n-geminiMaxText+head, n))
}

// cutOpencode keeps the first lines of a long text.
func cutOpencode(a *fakes.Answer) {
	lines := strings.Split(a.Text, "\n")
	if len(lines) <= opencodeMaxLines && len(a.Text) <= opencodeMaxText {
		return
	}
	size, kept := 0, 0
	lost := fmt.Sprintf("%d lines", max(0, len(lines)-opencodeMaxLines))
	for _, l := range lines[:min(len(lines), opencodeMaxLines)] {
		more := len(l) + min(kept, 1)
		if size+more > opencodeMaxText {
			lost = fmt.Sprintf("%d bytes", len(a.Text)-size)
			break
		}
		size += more
		kept++
	}
	a.Why = cutNote
	a.Text = strings.Join(lines[:kept], "\n") + "\n\n..." + lost + " truncated...\n\n" +
		"The tool call succeeded but the output was truncated. Full output saved to: <file>\n" +
		"Use the Task tool to have explore agent process this file with Grep and Read (with offset/limit). Do NOT read the full file yourself - delegate to save context."
}

// cutCodex cuts the texts of one output twice, as Codex does: once when it comes
// and once, counted in tokens, when it is sent. alone says that the output is
// one text with the line of the time in it.
func cutCodex(a *fakes.Answer, texts []string, alone bool) {
	wall := strings.Repeat("w", codexWallTime)
	items := append([]string{wall}, texts...)
	if alone {
		items = []string{wall + "\n" + texts[0]}
	}
	once := shareOut(items, codexMaxText, 1, "chars")
	twice := shareOut(once, codexMaxText/codexBytesPerToken, codexBytesPerToken, "tokens")
	if slices.Equal(twice, items) {
		return
	}
	a.Why = cutNote
	if alone {
		a.Text = twice[0][codexWallTime+1:]
		return
	}
	a.Text = strings.Join(twice[1:], "\n")
}

// shareOut gives the texts a budget, in units of some bytes, in their order.
func shareOut(texts []string, budget, unit int, word string) []string {
	var out []string
	omitted := 0
	for _, t := range texts {
		cost := (len(t) + unit - 1) / unit
		switch {
		case budget == 0 && cost > 0:
			omitted++
			continue
		case cost <= budget:
			out = append(out, t)
		default:
			out = append(out, cutMiddle(t, budget*unit, unit, word))
		}
		budget -= min(cost, budget)
	}
	if omitted > 0 {
		out = append(out, fmt.Sprintf("[omitted %d text items ...]", omitted))
	}
	return out
}

// cutMiddle keeps both ends of a text, so many bytes together, and says how much
// is gone, in units of some bytes that are called word.
func cutMiddle(t string, bytes, unit int, word string) string {
	left, right := bytes/2, len(t)-(bytes-bytes/2)
	for left > 0 && !utf8.RuneStart(t[left]) {
		left--
	}
	for right < len(t) && !utf8.RuneStart(t[right]) {
		right++
	}
	gone := (len(t) - bytes + unit - 1) / unit
	return fmt.Sprintf("%s…%d %s truncated…%s", t[:left], gone, word, t[right:])
}

// cutPi keeps both ends of a long text.
func cutPi(a *fakes.Answer) {
	n := len(a.Text)
	if n <= piMaxText {
		return
	}
	lines := strings.Count(strings.TrimSuffix(a.Text, "\n"), "\n") + 1
	a.Text = fmt.Sprintf("Warning: truncated output (original token count: %d)\nTotal output lines: %d\n\n%s\n\n[Full output: <file> (read it with offset/limit)]",
		(n+3)/4, lines, cutMiddle(a.Text, piMaxText, 1, "chars"))
	a.Why = cutNote
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
