package suite

import (
	"fmt"
	"math"
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
	// maxBeside is how long a frame may be that may have nothing to do with it, in bytes.
	maxBeside = maxCommand / 8
	// nearby is how many requests that came before something unasked are sent
	// again, nearest how many where that is more than a line can hold.
	nearby, nearest = 12, 3
	// enoughRounds is how many questions a line answers where the server asks for ever.
	enoughRounds = 12
	// maxPause is how long a line may wait between two frames.
	maxPause = 90 * time.Second
)

// Why there is no line that shows a finding.
const (
	noExchange = "no single exchange shows this"
	noCommand  = "the server runs in this program and has no command"
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
	tries := []struct {
		history bool
		most    int
	}{{k.History, nearby}, {false, nearby}, {false, nearest}} // what the fault names may be enough
	if !k.History {
		tries = tries[1:]
	}
	for _, t := range tries {
		if line, why = lineOf(run, scriptsOf(rec, f, t.history, t.most), k, f); why != tooLong && why != tooMany {
			break
		}
	}
	return line, why
}

func lineOf(run *scenarios.RunFacts, scripts []*script, k scenarios.Check, f scenarios.Fault) (line, why string) {
	switch {
	case len(scripts) == 0 || run == nil:
		return "", noExchange
	case len(scripts) > maxGroups:
		return "", tooMany
	}
	var parts []string
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
			if k.ID == "shutdown/sigterm-exits" {
				s.last = len(s.tape.Events())
			}
			parts = append(parts, s.pipe(run.Command, k.ID == "shutdown/no-orphans"))
		}
	}
	line = strings.Join(parts, "; ")
	if f.Beside && len(parts) > 1 {
		line = "(" + strings.Join(parts, ") & (") + ") & wait"
	}
	if scripts[0].http() && remembers(f) {
		line = startAnew + "; " + line
	}
	if len(line) > maxCommand {
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
	// last is where the last thing came that the server sent by itself and that
	// counts: signals before it belong to the line.
	last int
	// captured are the values that the server makes anew for each session.
	captured []capture
	// questions are where the server asked something meanwhile.
	questions []int
	// unasked are the methods of what counts that the server sent by itself.
	unasked []string
}

// step is a frame to send.
type step struct {
	event *wire.Event
	at    int
	// end is where the exchange ended, -1 when it did not; open is until where
	// what it began was under way: a task goes on after its answer.
	end, open int
	// dropped says that conform gave up the answer, over HTTP; together that the
	// step goes with others that were sent at the same time; rounds that the server
	// asked until conform gave up.
	dropped, together, rounds bool
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
