package suite

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

const (
	// maxGroups is how many sessions one line may hold, maxScript how many frames one session.
	maxGroups, maxScript = 3, 150
	// ownSession is how many frames a session may have that was opened for one scenario alone.
	ownSession = 40
	// maxCommand is how long a line may be that a person copies, in bytes.
	maxCommand = 20_000
	// maxPause is how long a line may wait between two frames.
	maxPause = 90 * time.Second
)

// Why there is no line that shows a finding.
const (
	noExchange = "no single exchange shows this"
	noCommand  = "the server runs in this program and has no command"
	noOrphans  = "the line ends and what the server left behind runs on: look for it with ps"
	tooLong    = "what has to be sent is too long for a line"
	tooMany    = "it takes more sessions or frames than a line can hold"
)

// startAnew tells who copies a line for a server over HTTP that it has to be
// started again before: over stdio the line does that itself.
const startAnew = ": 'start the server anew first'"

// repro returns a shell line that shows without conform what the exchanges
// show, or why there is none. The line opens the same sessions, sends the same
// frames in the same order, and waits where conform waited.
func repro(run *scenarios.RunFacts, rec *scenarios.Record, k scenarios.Check, f scenarios.Fault) (line, why string) {
	if f.NoLine != "" {
		return "", f.NoLine
	}
	line, why = lineOf(run, scriptsOf(rec, f, k.History), k, f)
	if k.History && (why == tooLong || why == tooMany) { // what the fault names may be enough
		line, why = lineOf(run, scriptsOf(rec, f, false), k, f)
	}
	return line, why
}

func lineOf(run *scenarios.RunFacts, scripts []*script, k scenarios.Check, f scenarios.Fault) (line, why string) {
	switch {
	case len(scripts) == 0 || run == nil:
		return "", noExchange
	case len(scripts) > maxGroups:
		return "", tooMany
	case k.ID == "shutdown/no-orphans":
		return "", noOrphans
	}
	var parts []string
	if scripts[0].http() && remembers(f) {
		parts = append(parts, startAnew)
	}
	for _, s := range scripts {
		if len(s.steps)+len(s.after) > maxScript {
			return "", tooMany
		}
		size := 0
		for i, x := range s.steps { // before anything is written that nobody copies
			if s.http() && s.alike(i)[0] != i {
				continue
			}
			if size += spelled(x.event.Raw, maxCommand); size > maxCommand {
				return "", tooLong
			}
		}
		switch {
		case s.http():
			parts = append(parts, s.curl())
		case len(run.Command) == 0:
			return "", noCommand
		default:
			parts = append(parts, s.pipe(run.Command))
		}
	}
	if line = strings.Join(parts, "; "); len(line) > maxCommand {
		return "", tooLong
	}
	return line, ""
}

// script is what is to be sent on one session.
type script struct {
	tape  *wire.Tape
	steps []step
	// after are further requests that are sent over HTTP while what the steps
	// opened is still open: they came over another connection.
	after []step
	// until is when the last thing that counts came, on the clock of the tape.
	until time.Duration
	// captured are the values that the server makes anew for each session.
	captured []capture
	// questions are where the server asked something meanwhile.
	questions []int
	// unasked says that something counts that the server sent by itself.
	unasked bool
}

// step is a frame to send.
type step struct {
	event *wire.Event
	at    int
	// end is where the exchange ended, -1 when it did not; open is until where
	// what it began was under way: a task goes on after its answer.
	end, open int
	// dropped says that conform gave up the answer, over HTTP; together that the
	// step goes with others that were sent at the same time.
	dropped, together bool
	// counts says that what comes of it is part of what is to be shown.
	counts bool
	// read says that a later step sends a value of its answer.
	read bool
}

// pause is how long to wait before step i, which is not the first.
func (s *script) pause(i int) time.Duration {
	events := s.tape.Events()
	before, now := s.steps[i-1], s.steps[i]
	gap := now.event.At - before.event.At
	heard, flying, asked := false, false, false
	for i := before.at + 1; i < now.at; i++ {
		e := &events[i]
		heard = heard || e.Kind == wire.Recv || e.Kind == wire.Head
		asked = asked || e.Kind == wire.Recv && e.Message().IsRequest()
	}
	for _, x := range s.steps[:i] {
		flying = flying || x.event.Message().ID != "" && x.event.Message().Method != "" && (x.end < 0 || x.end > now.at)
	}
	reply := now.event.Message().Method == "" && now.event.Message().ID != ""
	switch {
	case before.event.Probe == "open/initialize":
		return time.Second
	case reply || asked: // the question has to come first
		return min(maxPause, max(gap, 300*time.Millisecond))
	case before.together && (now.together || now.at == s.steps[len(s.steps)-1].at) && gap < 50*time.Millisecond:
		return 0
	case opening(before.event) && !opening(now.event):
		return 0
	case flying && gap > 30*time.Millisecond:
		return min(maxPause, max(gap, 100*time.Millisecond))
	case flying && before.end > now.at || flying && !heard:
		return 0
	case heard:
		return min(maxPause, max(gap*3/2, 300*time.Millisecond))
	case gap > 200*time.Millisecond:
		return min(maxPause, gap)
	}
	return 0
}

// rest is how long to wait after the last step.
func (s *script) rest() time.Duration {
	took := s.until - s.steps[len(s.steps)-1].event.At
	return max(2*time.Second, min(maxPause, took.Truncate(time.Second)+2*time.Second))
}

func seconds(d time.Duration) string {
	return fmt.Sprint(math.Ceil(d.Seconds()*10) / 10)
}

func (s *script) http() bool { return len(s.steps) > 0 && s.steps[0].event.HTTP != nil }

// pipe writes the script for a server on stdio.
func (s *script) pipe(command []string) string {
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
	if !s.cut() {
		b.WriteString("sleep " + seconds(s.rest()) + "; ")
	}
	b.WriteString("} | " + shellJoin(command))
	if s.watched() {
		b.WriteString(` | tee "$O"`)
	} else if s.ended() {
		b.WriteString(`; echo "exit status $?"`)
	}
	return b.String()
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
