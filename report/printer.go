package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"github.com/agntn/conform/scenarios"
)

// printer lays text out in columns. Everything it is given is made visible and
// kept from build servers before it is styled, in one place: wrap.
type printer struct {
	out   *bufio.Writer
	opts  ConsoleOptions
	width int
	style styles
}

// labelWidth is the column of field labels, without the two blanks before it.
const labelWidth = 10

func newPrinter(out *bufio.Writer, o ConsoleOptions) *printer {
	width := o.Width
	if width <= 0 {
		width = 80
	}
	// The last column stays free: some terminals break a line that fills it, and a
	// line that guardLine marks grows by one.
	return &printer{out: out, opts: o, width: min(max(width, 40), 120) - 1, style: newStyles(o.Color)}
}

// styles are the sixteen colours that every terminal has, so that its own theme decides.
type styles struct {
	plain, strong, dim, bad, warn, good, odd lipgloss.Style
}

func newStyles(color bool) styles {
	profile := termenv.Ascii
	if color {
		profile = termenv.ANSI
	}
	r := lipgloss.NewRenderer(io.Discard, termenv.WithProfile(profile))
	r.SetColorProfile(profile)
	ink := func(c string) lipgloss.Style { return r.NewStyle().Foreground(lipgloss.Color(c)).Bold(true) }
	return styles{
		plain: r.NewStyle(), strong: r.NewStyle().Bold(true), dim: r.NewStyle().Faint(true),
		bad: ink("1"), warn: ink("3"), good: ink("2"), odd: ink("5"),
	}
}

func (s styles) of(v scenarios.Verdict) lipgloss.Style {
	switch v {
	case scenarios.Fail:
		return s.bad
	case scenarios.Warn:
		return s.warn
	case scenarios.Pass:
		return s.good
	case scenarios.Error:
		return s.odd
	}
	return s.dim
}

func (s styles) ofExit(code int) lipgloss.Style {
	switch code {
	case ExitOK:
		return s.good
	case ExitFailed:
		return s.bad
	case ExitNothing, ExitInterrupted:
		return s.warn
	}
	return s.odd
}

func (p *printer) raw(line string) { p.out.WriteString(line + "\n") }
func (p *printer) blank()          { p.out.WriteByte('\n') }

// title opens a part of the report.
func (p *printer) title(title, under string) {
	p.blank()
	p.text(0, p.style.strong, title)
	if under != "" {
		p.text(2, p.style.dim, under)
	}
}

// text prints s, wrapped and indented.
func (p *printer) text(indent int, style lipgloss.Style, s string) {
	for _, line := range p.wrap(s, p.width-indent) {
		p.raw(strings.Repeat(" ", indent) + style.Render(line))
	}
}

// bullet prints s as an item of a list.
func (p *printer) bullet(s string) {
	for i, line := range p.wrap(s, p.width-4) {
		lead := "    "
		if i == 0 {
			lead = "  " + p.style.dim.Render("·") + " "
		}
		p.raw(lead + line)
	}
}

// heading opens a finding: its verdict, its check, and what stands at the right.
func (p *printer) heading(v scenarios.Verdict, check, aside string) {
	word := wordOf(v)
	tag := word.symbol + " " + word.short + "  "
	check = Bound(Visible(check), 60)
	gap := p.width - columns(tag) - columns(check) - columns(aside)
	if gap < 2 { // a narrow terminal
		p.raw(p.style.of(v).Render(tag) + p.style.strong.Render(check))
		p.text(2, p.style.dim, aside)
		return
	}
	p.raw(p.style.of(v).Render(tag) + p.style.strong.Render(check) + strings.Repeat(" ", gap) + p.style.dim.Render(aside))
}

// field prints a label and its text beside it; nothing when there is no text.
func (p *printer) field(label, text string) {
	if text == "" {
		return
	}
	lead := "  " + p.style.dim.Render(label) + strings.Repeat(" ", labelWidth-len(label))
	for _, line := range p.wrap(text, p.width-2-labelWidth) {
		p.raw(lead + line)
		lead = strings.Repeat(" ", 2+labelWidth)
	}
}

// command prints a label and a command that can be copied: on one line, however long.
func (p *printer) command(label, command string) {
	line := defuse(Bound(Visible(command), verboseFrame))
	p.raw("  " + p.style.dim.Render(label) + strings.Repeat(" ", labelWidth-len(label)) + line)
}

// tagged prints a verdict, a name that is already padded, and a text beside them, or
// below them when the terminal is narrow.
func (p *printer) tagged(indent int, v scenarios.Verdict, name, text string) {
	const narrow = 26 // columns that a text needs beside a name
	word := wordOf(v)
	tag := word.symbol + " " + word.short
	tag += strings.Repeat(" ", max(1, 10-columns(tag)))
	hang := indent + columns(tag)
	lead := strings.Repeat(" ", indent) + p.style.of(v).Render(tag)
	if name != "" && p.width-hang-columns(name) < narrow {
		p.raw(lead + p.style.strong.Render(strings.TrimRight(name, " ")))
		lead = strings.Repeat(" ", hang)
	} else if name != "" {
		lead += p.style.strong.Render(name) + "  "
		hang += columns(name) + 2
	}
	for _, line := range p.wrap(text, max(20, p.width-hang)) {
		p.raw(lead + line)
		lead = strings.Repeat(" ", hang)
	}
}

// wrap makes s visible and inert and breaks it into lines of at most width columns,
// between words where it can. It returns at least one line.
func (p *printer) wrap(s string, width int) []string {
	var lines []string
	line := ""
	flush := func() {
		lines = append(lines, guardLine(line))
		line = ""
	}
	for _, word := range strings.Fields(defuse(Visible(Bound(s, frameLimit)))) {
		if line != "" && columns(line)+1+columns(word) > width {
			// A long word, such as a frame, starts where the line has room for a good part of it.
			if columns(word) <= width || width-columns(line) < width/3 {
				flush()
			}
		}
		if line != "" {
			word = line + " " + word
		}
		for columns(word) > width {
			head := breakWord(word, width)
			if head == "" { // one character that is wider than the line
				break
			}
			line = head
			flush()
			word = word[len(head):]
		}
		line = word
	}
	if line != "" || len(lines) == 0 {
		flush()
	}
	return lines
}

// breakWord returns the part of a word that goes on a line: up to a mark of JSON or
// a path if one stands in its last third, else as much as the line takes.
func breakWord(word string, width int) string {
	head := ansi.Truncate(word, width, "")
	if i := strings.LastIndexAny(head, ",{[]}/&?"); i > 2*len(head)/3 {
		return head[:i+1]
	}
	return head
}

// columns is how many columns a text takes on a terminal.
func columns(s string) int { return ansi.StringWidth(s) }
