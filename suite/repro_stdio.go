package suite

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes/wire"
)

// mark is the variable by which a line knows what a server left behind.
const mark = "CONFORM_LINE"

// pipe writes the script for a server on stdio. Where what is left behind counts
// it looks for that with ps, which shows the environment of one's own processes.
func (s *script) pipe(command []string, left bool) string {
	var b strings.Builder
	b.WriteString(s.helpers())
	b.WriteString("{ ")
	var plain []string
	flush := func() {
		if len(plain) > 0 {
			b.WriteString(`printf '%s\n' ` + strings.Join(plain, " ") + "; ")
		}
		plain = nil
	}
	for i, x := range s.steps {
		if i > 0 {
			if d := s.pause(i); d > 0 {
				flush()
				b.WriteString("sleep " + seconds(d) + "; ")
			}
		}
		word, set := s.word(x)
		if set != "" {
			flush() // a variable has one value a command
			b.WriteString(set)
			plain = []string{word}
			flush()
			continue
		}
		if len(x.event.Chunks) > 0 {
			flush()
			b.WriteString(chunks(x.event))
			continue
		}
		if bytes.IndexByte(x.event.Raw, 0) >= 0 || bytes.HasSuffix(x.event.Raw, []byte("\n")) {
			flush() // a word holds neither a NUL nor line feeds at its end
			b.WriteString("printf '" + octal(string(x.event.Raw)) + `\n'; `)
			continue
		}
		plain = append(plain, word)
	}
	flush()
	signal, open := s.signal()
	switch {
	case signal != "":
		return signalled(b.String(), shellJoin(command), signal, open)
	case !s.cut():
		b.WriteString("sleep " + seconds(s.rest()) + "; ")
	}
	b.WriteString("} | ")
	if left {
		b.WriteString(mark + "=$$ ")
	}
	b.WriteString(shellJoin(command))
	switch {
	case left:
		b.WriteString(`; sleep 1; echo "left behind:"; ps axeww | grep "[` + mark[:1] + `]` + mark[1:] + `=$$"`)
	case s.watched():
		b.WriteString(` | tee "$O"`)
	case s.ended():
		b.WriteString(`; echo "exit status $?"`)
	}
	return b.String()
}

// signal is what conform sent to the process before what counts came, "" when
// nothing, and whether its input was still open then.
func (s *script) signal() (name string, open bool) {
	open = true
	events := s.tape.Events()
	for i := range min(s.last, len(events)) {
		if e := &events[i]; e.Kind == wire.Notice && e.Status == "shutdown" {
			switch did := string(e.Raw); did {
			case "eof":
				open = open && name != ""
			case "sigint", "sigterm":
				name = strings.ToUpper(strings.TrimPrefix(did, "sig"))
			}
		}
	}
	return name, open
}

// signalled writes a script that ends the server with a signal: it is sent from
// the other side of the pipe, when everything was read.
func signalled(frames, command, signal string, open bool) string {
	hold, after := "", "sleep 5; " // the input ends, and the server has its time
	if open {
		hold, after = "sleep 6; ", ""
	}
	return `D=$(mktemp -d); ` + frames + `sleep 2; : > "$D/done"; ` + hold + `} | { ` + command +
		` <&3 & P=$!; until [ -e "$D/done" ]; do sleep 0.1; done; ` + after + `kill -` + signal + ` $P; sleep 5; ` +
		`kill -0 $P 2>/dev/null && { echo "still running after SIG` + signal + `"; kill -KILL $P; }; } 3<&0`
}

// chunks writes a frame in the parts in which it was sent.
func chunks(e *wire.Event) string {
	var parts []string
	from := 0
	for _, to := range append(slices.Clone(e.Chunks), len(e.Raw)) {
		if to > from && to <= len(e.Raw) {
			parts = append(parts, "printf '"+octal(string(e.Raw[from:to]))+"'; ")
			from = to
		}
	}
	return strings.Join(parts, "sleep 0.2; ") + `printf '\n'; `
}

// cut says that conform ended the input before the last request was answered.
func (s *script) cut() bool {
	last := s.steps[len(s.steps)-1]
	for i, e := range s.tape.Events() {
		if strings.HasSuffix(e.Probe, "/ending:eof") && last.end >= 0 && i <= last.end+1 {
			return true
		}
	}
	return false
}

// ended says that the process ended before or with the last thing that counts.
func (s *script) ended() bool {
	last := s.steps[len(s.steps)-1]
	for i, e := range s.tape.Events() {
		if e.Kind == wire.Exit && i > last.at && (last.end < 0 || i <= last.end) {
			return true
		}
	}
	return false
}
