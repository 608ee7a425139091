package suite

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// capture is a value of the server's own making that a later frame sends back:
// the line reads it from the answer to a request.
type capture struct{ member, value, id string }

// made are the members whose values a server makes anew for each task, question
// or walk through a list: as they are sent, and as they came.
func made() [][2]string {
	return [][2]string{{"taskId", "taskId"}, {"requestState", "requestState"}, {"cursor", "nextCursor"}}
}

// depend finds values in a frame that came in an answer before a place on the
// tape, and adds the request that was answered.
func (s *script) depend(rec *scenarios.Record, e *wire.Event, before int) {
	for _, m := range made() {
		for _, sent := range textsOf(e.Raw, m[0]) {
			if slices.ContainsFunc(s.captured, func(c capture) bool { return c.value == sent }) {
				continue
			}
			if y := s.source(rec, m[1], sent, before); y != nil {
				s.add(y)
				s.steps[slices.IndexFunc(s.steps, func(z step) bool { return z.at == y.At })].read = true
				s.captured = append(s.captured, capture{m[1], sent, y.Request.ID})
			}
		}
	}
}

// textsOf are the texts that members of a name have in a frame, in order.
func textsOf(raw []byte, member string) []string {
	if !bytes.Contains(raw, []byte(`"`+member+`"`)) {
		return nil
	}
	var out []string
	for _, m := range regexp.MustCompile(`"`+member+`" *: *"([^"\\]{4,})"`).FindAllSubmatch(raw, -1) {
		if v := string(m[1]); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// word writes a frame as one word for the shell, and what sets the variables in it.
func (s *script) word(x step) (word, set string) {
	raw := string(x.event.Raw)
	if m := x.event.Message(); m.Method == "" && m.ID != "" && s.asks() {
		if n := s.asked(m.ID, x.at); n > 0 {
			if word, ok := withID(raw, `"$Q"`); ok {
				return word, fmt.Sprintf("Q=$(w q %d); ", n)
			}
		}
	}
	for _, c := range s.captured {
		if !strings.Contains(raw, c.value) {
			continue
		}
		parts := strings.Split(raw, c.value)
		for i := range parts {
			parts[i] = shellQuote(parts[i])
		}
		return strings.Join(parts, `"$V"`), fmt.Sprintf("V=$(w v %s %s); ", c.member, shellQuote(regexp.QuoteMeta(c.id)))
	}
	return filled(raw), ""
}

// withID writes a frame with something else, quoted already, as its id.
func withID(raw, id string) (string, bool) {
	v := gjson.Get(raw, "id")
	if v.Index <= 0 {
		return "", false
	}
	return shellQuote(raw[:v.Index]) + id + shellQuote(raw[v.Index+len(v.Raw):]), true
}

// asks says that a step answers a question, whose id another session may give
// to another question.
func (s *script) asks() bool {
	return slices.ContainsFunc(s.steps, func(x step) bool {
		m := x.event.Message()
		return m.Method == "" && m.ID != "" && s.question(m.ID, x.at) >= 0
	})
}

// watched says that the line reads values from what comes.
func (s *script) watched() bool { return len(s.captured) > 0 || s.asks() }

// helpers are the shell functions of a line that reads from what comes, which it
// keeps in a file: q gives the id of the nth question, v the value of a
// member in the answer to an id. w waits some seconds for what they look for.
func (s *script) helpers() string {
	out := ""
	if s.watched() {
		out = `O=$(mktemp); w() { for T in 1 2 3 4 5 6 7 8; do R=$("$@"); [ "$R" ] && break; sleep 0.5; done; echo "$R"; }; `
	}
	if s.asks() {
		out += `q() { grep -E '"method" *: *"(elicitation/create|sampling/createMessage|roots/list|ping)"' "$O" | sed -n "$1p" | grep -oE '"id" *: *("[^"]*"|-?[0-9]+)' | head -n 1 | sed 's/^"id" *: *//'; }; `
	}
	if len(s.captured) > 0 {
		out += `v() { grep -E '"id" *: *'"$2"' *[,}]' "$O" | grep -oE '"'"$1"'" *: *"[^"]*"' | head -n 1 | cut -d'"' -f4; }; `
	}
	return out
}

// asked says which question of the line's own session the one of an id is, from 1.
func (s *script) asked(id string, at int) int {
	return 1 + slices.Index(s.questions, s.question(id, at))
}

// longRun is how many equal characters are written as a command that makes them.
const longRun = 2000

// spelled counts the bytes of a text that are written out, up to about most.
func spelled(raw []byte, most int) int {
	n := 0
	for i := 0; i < len(raw) && n <= most; {
		j := i + 1
		for j < len(raw) && raw[j] == raw[i] {
			j++
		}
		if j-i < longRun {
			n += j - i
		}
		i = j
	}
	return n
}

// filled writes a text as a word; of long runs of one character only how many there are.
func filled(s string) string {
	if len(s) < longRun {
		return shellQuote(s)
	}
	var b strings.Builder
	from := 0
	for i := 0; i < len(s); {
		j := i + 1
		for j < len(s) && s[j] == s[i] {
			j++
		}
		if c := s[i]; j-i >= longRun && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == ' ') {
			if i > from {
				b.WriteString(shellQuote(s[from:i]))
			}
			fmt.Fprintf(&b, `"$(head -c %d /dev/zero | tr '\0' '%c')"`, j-i, c)
			from = j
		}
		i = j
	}
	if from < len(s) {
		b.WriteString(shellQuote(s[from:]))
	}
	return b.String()
}

func shellJoin(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		if a == "" || special(a) || strings.ContainsAny(a, " \t\n'\"\\$`&|;<>()*?[]#~!{}") {
			out[i] = shellQuote(a)
		}
	}
	return strings.Join(out, " ")
}

// special says that a text holds what does not survive being shown and copied.
func special(s string) bool { return !utf8.ValidString(s) || report.Visible(s) != s }

// shellQuote quotes for a POSIX shell. What cannot be seen is written as octal
// escapes of printf, so that the line can be copied.
func shellQuote(s string) string {
	if !special(s) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return `"$(printf '` + octal(s) + `')"`
}

// octal writes a text as a format of printf.
func octal(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		_, n := utf8.DecodeRuneInString(s)
		switch part := s[:n]; {
		case part == "%":
			b.WriteString("%%")
		case part == "'" || part == `\` || special(part):
			for i := range len(part) {
				fmt.Fprintf(&b, `\%03o`, part[i])
			}
		default:
			b.WriteString(part)
		}
		s = s[n:]
	}
	return b.String()
}
