package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"

	"github.com/agntn/conform/scenarios"
)

// Bounds of a frame: what stands in its line, and what is also shown indented.
const (
	lineChars   = 400
	prettyBytes = 6000
	prettyDepth = 24
	prettyFrom  = 160 // shorter frames read well as they are
)

// wireLine is one frame of a log as the page shows it.
type wireLine struct {
	N  int
	At string
	// Dir is the class: send, recv or note; Says what the arrow means.
	Dir, Arrow, Says string
	Text             []seg
	// Whole is the frame indented or in full, nil when that would add nothing;
	// Fold says which.
	Whole []seg
	Fold  string
}

// wireLog is a bounded log: what opened it, a gap, what ended it.
type wireLog struct {
	Head []wireLine
	Gap  int
	Tail []wireLine
}

// newWireLog shows at most frames lines of at most chars characters each. The end
// of a log is where the finding shows, so the middle is what is left out.
func newWireLog(evidence []scenarios.Frame, frames, chars int, pretty bool) wireLog {
	var log wireLog
	evidence = eachOnce(evidence, true)
	head, tail := len(evidence), 0
	if head > frames {
		head = frames / 3
		tail = frames - head
		log.Gap = len(evidence) - frames
	}
	for i, f := range evidence {
		switch {
		case i < head:
			log.Head = append(log.Head, newWireLine(i, f, chars, pretty))
		case i >= len(evidence)-tail:
			log.Tail = append(log.Tail, newWireLine(i, f, chars, pretty))
		}
	}
	return log
}

func newWireLine(i int, f scenarios.Frame, chars int, pretty bool) wireLine {
	head, body := httpHead(f.Text)
	l := wireLine{N: i + 1, At: fmt.Sprintf("%d ms", f.AtMS), Text: shownFrame(body, min(chars, inLine(body)))}
	if head != "" {
		l.Text = append([]seg{{S: head}}, l.Text...)
	}
	l.Dir = frameDir(f.Dir)
	switch l.Dir {
	case "send":
		l.Arrow, l.Says = "→", "to the server"
	case "recv":
		l.Arrow, l.Says = "←", "from the server"
	default:
		l.Arrow, l.Says = "·", "note"
	}
	if !pretty {
		return l
	}
	_, rest := cut(body, inLine(body))
	if l.Whole = indented(body); l.Whole != nil {
		l.Fold = "indented"
	} else if rest > 0 && chars > lineChars {
		l.Whole, l.Fold = shownFrame(body, chars), "in full"
		if _, cutOff := cut(body, chars); cutOff > 0 {
			l.Fold = "more of it"
		}
	}
	return l
}

// node is the log under its heading, nil when it is empty.
func (l wireLog) node() g.Node {
	if len(l.Head) == 0 {
		return nil
	}
	return g.Group{el("p", class("sub"), text("On the wire")), el("ol", class("wire"),
		each(l.Head, wireLine.node),
		g.If(l.Gap > 0, el("li", class("gap"), text(count(l.Gap, "frame", "frames")+" left out here; the JSON report has all."))),
		each(l.Tail, wireLine.node))}
}

func (l wireLine) node() g.Node {
	return el("li", class(l.Dir),
		el("span", class("n"), text(strconv.Itoa(l.N))),
		el("span", class("dir"), set("title", l.Says), el("span", set("aria-hidden", "true"), text(l.Arrow)), unseenText(l.Says)),
		el("div",
			el("code", marked(l.Text)),
			g.If(len(l.Whole) > 0, el("details", class("pretty"), el("summary", text(l.Fold)),
				verbatim(labelled(fmt.Sprintf("Frame %d, %s", l.N, l.Fold)), marked(l.Whole)))),
		),
		el("span", class("ms"), text(l.At)))
}

// inLine is how much of a frame stands in its line; cutting off a little would gain nothing.
func inLine(frame string) int {
	const little = 150
	if _, rest := cut(frame, lineChars); rest <= little {
		return lineChars + little
	}
	return lineChars
}

// httpStart is how a frame of evidence that holds an HTTP head begins.
var httpStart = regexp.MustCompile(`^(?:HTTP \d{3}\b|[A-Z]{3,7} https?://)`)

// httpHead splits a frame into an HTTP head, whose line feeds are layout, and what
// follows it. A frame of another kind is all body.
func httpHead(frame string) (head, body string) {
	if !httpStart.MatchString(frame) {
		return "", frame
	}
	head, body, _ = strings.Cut(frame, "\n\n")
	const most = 60 // lines
	lines := VisibleLines(Bound(head, longText))
	head = strings.Join(lines[:min(len(lines), most)], "\n")
	if body != "" {
		head += "\n\n"
	}
	return head, body
}

// frameDir is send, recv or note, whatever a report read from a file says.
func frameDir(dir string) string {
	if dir == "send" || dir == "recv" {
		return dir
	}
	return "note"
}

// indented returns a JSON frame over several lines, nil when it is none, is short,
// or nests so deep that indenting would multiply its size.
func indented(frame string) []seg {
	if len(frame) < prettyFrom || len(frame) > prettyBytes || depth(frame) > prettyDepth {
		return nil
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(frame), "", "  ") != nil {
		return nil
	}
	var out []seg
	for i, line := range bytes.Split(b.Bytes(), []byte("\n")) {
		if i > 0 {
			out = append(out, seg{S: "\n"})
		}
		out = append(out, shownFrame(string(line), prettyBytes)...)
	}
	return joined(out)
}

// joined merges neighbours of one kind.
func joined(segs []seg) []seg {
	var out []seg
	for _, s := range segs {
		if l := len(out); l > 0 && !s.C && !out[l-1].C && out[l-1].D == s.D {
			out[l-1].S += s.S
			continue
		}
		out = append(out, s)
	}
	return out
}

// depth is how deep brackets nest in s. Brackets in strings count too: it is only a bound.
func depth(s string) int {
	now, most := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '{', '[':
			now++
			most = max(most, now)
		case '}', ']':
			now--
		}
	}
	return most
}
