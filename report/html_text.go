package report

import (
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
)

// Bounds of texts in the page, in characters.
const (
	titleText = 180
	shortText = 240
	briefText = 600
	longText  = 4000
	codeText  = 8000
	// marks is how many stretches of one text are set apart at most; a text made
	// of control characters alone must not become a page of elements.
	marks = 80
)

// seg is a stretch of text as the page shows it.
type seg struct {
	S string
	// C says that it stands for control characters; L names those that have a
	// name ("ESC", "CR LF"), for few fonts hold the pictures.
	C bool
	L string
	// D is "-" for what only the expected text has, "+" for what only the observed one has.
	D string
}

// controlNames are the usual short names of C0 by code.
var controlNames = strings.Fields("NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI " +
	"DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US")

// controlName names a control character, "" when it is shown by its escape.
func controlName(r rune) string {
	switch {
	case r >= 0 && int(r) < len(controlNames):
		return controlNames[r]
	case r == 0x7f:
		return "DEL"
	}
	return ""
}

// shown makes s visible: a line feed is shown and still ends its line. At most n
// characters are kept.
func shown(s string, n int) []seg {
	return segments(s, n, false)
}

// shownFrame is shown for a frame of the wire, in which JSON escapes of control
// characters are set apart too.
func shownFrame(s string, n int) []seg {
	return segments(s, n, true)
}

func segments(s string, n int, escapes bool) []seg {
	s, rest := cut(s, n)
	w := &segWriter{}
	skip := 0
	eachGlyphAt(s, func(i int, g glyph) {
		switch {
		case skip > 0:
			skip--
		case g.shown:
			w.control(g.text, controlName(g.code))
			if g.code == '\n' {
				w.text("\n")
			}
		case escapes && g.code == '\\':
			esc, ctl := jsonEscape(s[i:])
			if ctl {
				w.control(esc, "")
			} else {
				w.text(esc)
			}
			skip = len(esc) - 1
		default:
			w.text(g.text)
		}
	})
	if rest > 0 {
		w.text(" … (" + count(rest, "more character", "more characters") + ")")
	}
	return w.done()
}

// segWriter joins neighbours of one kind and bounds how many are set apart.
type segWriter struct {
	out  []seg
	b    strings.Builder
	ctl  bool
	name []string
	used int
}

func (w *segWriter) text(s string) {
	w.turn(false, false)
	w.b.WriteString(s)
}

func (w *segWriter) control(s, name string) {
	if w.used >= marks {
		w.text(s)
		return
	}
	w.turn(true, name != "")
	w.b.WriteString(s)
	if name != "" {
		w.name = append(w.name, name)
	}
}

// turn ends the present stretch when another kind begins.
func (w *segWriter) turn(ctl, named bool) {
	if w.b.Len() > 0 && (w.ctl != ctl || ctl && (len(w.name) > 0) != named) {
		w.flush()
	}
	w.ctl = ctl
}

func (w *segWriter) flush() {
	if w.b.Len() == 0 {
		return
	}
	s := seg{S: w.b.String(), C: w.ctl}
	if w.ctl {
		w.used++
		s.L = names(w.name)
	}
	w.out = append(w.out, s)
	w.b.Reset()
	w.name = nil
}

func (w *segWriter) done() []seg {
	w.flush()
	return w.out
}

// names lists control characters by name, runs by their length: "ESC", "NUL×300".
func names(list []string) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j < len(list) && list[j] == list[i] {
			j++
		}
		part := list[i]
		if j-i > 1 {
			part += "×" + strconv.Itoa(j-i)
		}
		parts = append(parts, part)
		i = j
	}
	return strings.Join(parts, " ")
}

// jsonEscape returns the escape at the start of s and whether it stands for a
// control or another character without a shape.
func jsonEscape(s string) (string, bool) {
	if len(s) < 2 {
		return s, false
	}
	switch s[1] {
	case 'n', 'r', 't', 'b', 'f':
		return s[:2], true
	case '\\', '"', '/':
		return s[:2], false
	case 'u':
		if len(s) >= 6 {
			if v, err := strconv.ParseUint(s[2:6], 16, 16); err == nil {
				r := rune(v)
				return s[:6], r < 0x20 || r == 0x7f || hidden(r)
			}
		}
	}
	return s[:1], false
}

// flat is the text of segments without their marks.
func flat(segs []seg) string {
	var b strings.Builder
	for _, s := range segs {
		b.WriteString(s.S)
	}
	return b.String()
}

// marked shows segments with their marks.
func marked(segs []seg) g.Node {
	return each(segs, func(s seg) g.Node {
		n := text(s.S)
		if s.C {
			n = el("b", class("c"), g.If(s.L != "", set("data-c", s.L)), n)
		}
		switch s.D {
		case "-":
			return el("del", n)
		case "+":
			return el("ins", n)
		}
		return n
	})
}

// unseenText is for those who hear the page.
func unseenText(s string) g.Node { return el("span", class("sr"), text(s)) }
