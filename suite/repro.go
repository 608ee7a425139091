package suite

import (
	"bytes"
	"fmt"
	"math"
	"net/http"
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

// repro returns a shell line that shows without conform what the exchanges
// show, or why there is none. The line opens the same sessions, sends the same
// frames in the same order, and waits where conform waited.
func repro(run *scenarios.RunFacts, rec *scenarios.Record, k scenarios.Check, f scenarios.Fault) (line, why string) {
	if f.NoLine != "" {
		return "", f.NoLine
	}
	scripts := scriptsOf(rec, f, k.History)
	switch {
	case len(scripts) == 0 || run == nil:
		return "", noExchange
	case len(scripts) > maxGroups:
		return "", tooMany
	case k.ID == "shutdown/no-orphans":
		return "", noOrphans
	}
	var parts []string
	for _, s := range scripts {
		if len(s.steps) > maxScript {
			return "", tooMany
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
	// until is when the last thing that counts came, on the clock of the tape.
	until time.Duration
	// captured are the values that the server makes anew for each session.
	captured []capture
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
}

// scriptsOf works out what has to be sent so that the exchanges happen again.
func scriptsOf(rec *scenarios.Record, f scenarios.Fault, history bool) []*script {
	var out []*script
	for i, p := range slices.Concat(f.With, f.Proof) {
		if p == nil || p.Tape == nil {
			continue
		}
		at := slices.IndexFunc(out, func(s *script) bool { return s.tape == p.Tape })
		if at < 0 {
			at, out = len(out), append(out, &script{tape: p.Tape})
		}
		out[at].include(rec, p)
		for j := range out[at].steps {
			x := &out[at].steps[j]
			x.counts = x.counts || x.at == p.At
			x.together = x.together || x.at == p.At && i < len(f.With)
		}
	}
	out = slices.DeleteFunc(out, func(s *script) bool { return len(s.steps) == 0 })
	for _, s := range out {
		s.complete(rec, history)
	}
	return out
}

func (s *script) has(at int) bool {
	return slices.ContainsFunc(s.steps, func(x step) bool { return x.at == at })
}

func (s *script) add(x *scenarios.Exchange) {
	if x != nil && x.Sent.Kind == wire.Send && !s.has(x.At) {
		end := x.EndAt
		if x.AnswerAt > end {
			end = x.AnswerAt
		}
		open := end
		if events := s.tape.Events(); end < 0 || x.AnswerAt >= 0 && len(textsOf(events[x.AnswerAt].Raw, "taskId")) > 0 && strings.HasPrefix(x.Request.Method, "tools/") {
			open = len(events)
		}
		s.steps = append(s.steps, step{event: x.Sent, at: x.At, end: end, open: open, dropped: x.End == "dropped"})
	}
}

// include takes an exchange of the proof, or what was under way when a frame came unasked.
func (s *script) include(rec *scenarios.Record, p *scenarios.Exchange) {
	events := s.tape.Events()
	last := max(p.At, p.AnswerAt)
	for _, f := range p.Further {
		s.until = max(s.until, f.At)
	}
	if last < len(events) {
		s.until = max(s.until, events[last].At)
	}
	if p.Sent.Kind == wire.Send {
		s.add(p)
		if p.AnswerAt >= 0 {
			s.stream(rec, events[p.AnswerAt].Post)
		}
		return
	}
	s.stream(rec, p.Sent.Post)
	var under, before []*scenarios.Exchange
	for _, x := range rec.Exchanges(s.tape) {
		if x.At >= p.At || x.Sent.Kind != wire.Send || x.Request.Method == "" || x.Request.ID == "" {
			continue
		}
		before = append(before, x)
		if x.EndAt < 0 || x.EndAt >= p.At {
			under = append(under, x)
		}
	}
	for _, v := range textsOf(p.Sent.Raw, "taskId") {
		if x := s.source(rec, "taskId", v, p.At); x != nil {
			s.add(x)
			return
		}
	}
	s.unasked = true
	for _, x := range slices.Concat(under[max(0, len(under)-12):], before[max(0, len(before)-12):]) {
		s.add(x)
	}
}

// stream adds the HTTP request on whose stream something came.
func (s *script) stream(rec *scenarios.Record, post int) {
	for _, x := range rec.Exchanges(s.tape) {
		if post > 0 && x.Sent.Post == post {
			s.add(x)
			s.steps[slices.IndexFunc(s.steps, func(y step) bool { return y.at == x.At })].counts = true
		}
	}
}

// source is the first exchange whose answer names a value.
func (s *script) source(rec *scenarios.Record, member, value string, before int) *scenarios.Exchange {
	for _, x := range rec.Exchanges(s.tape) {
		if x.AnswerAt >= 0 && x.AnswerAt < before && slices.Contains(textsOf(s.tape.Events()[x.AnswerAt].Raw, member), value) {
			return x
		}
	}
	return nil
}

// complete adds what the steps rest on: the opening, what sets the server's
// state, answers to its questions, and the requests whose answers name a value
// that a step sends back. Where history matters, or the session was opened for
// this alone, it adds all that was sent before. Then it puts all in order.
func (s *script) complete(rec *scenarios.Record, history bool) {
	all := rec.Exchanges(s.tape)
	last, scopes := 0, map[string]bool{}
	for _, x := range s.steps {
		last = max(last, x.at)
		scopes[scope(x.event.Probe)] = true
	}
	history = history || !s.http() && len(all) <= ownSession && !slices.ContainsFunc(all, func(x *scenarios.Exchange) bool {
		return x.Sent.Kind == wire.Send && x.Request.Method != "" && !strings.HasPrefix(x.Sent.Probe, "open/") && !scopes[scope(x.Sent.Probe)]
	})
	for _, x := range all {
		kind := x.Request
		switch {
		case x.Sent.Kind != wire.Send || s.has(x.At):
		case opening(x.Sent) || s.http() && x.Request.Method == "initialize" && x.Head != nil && x.Head.HTTP.Header.Get("Mcp-Session-Id") != "":
			if x.At < last {
				s.add(x)
			}
		case kind.Method == "" && kind.ID != "":
			if s.answers(x) {
				s.add(x)
				s.stream(rec, s.tape.Events()[s.question(kind.ID, x.At)].Post)
			}
		case x.At < last && setsState(x) && (s.unasked || scopes[scope(x.Sent.Probe)]):
			s.add(x)
		case !scopes[scope(x.Sent.Probe)]:
		case x.At < last && history || s.during(x.At) && kind.ID == "":
			s.add(x)
		}
	}
	for i := 0; i < len(s.steps); i++ { // it grows
		s.depend(rec, s.steps[i])
	}
	for _, c := range s.captured { // what was done to a task meanwhile
		for _, x := range all {
			if x.At < last && c.member == "taskId" && slices.Contains(textsOf(x.Sent.Raw, c.member), c.value) {
				s.add(x)
			}
		}
	}
	slices.SortFunc(s.steps, func(a, b step) int { return a.at - b.at })
}

// opening says that a frame belongs to how conform opened the session. Lists and
// streams that it opened by the way do not.
func opening(e *wire.Event) bool {
	return strings.HasPrefix(e.Probe, "open/") && !strings.HasSuffix(e.Probe, "/list") && (e.HTTP == nil || e.HTTP.Method == http.MethodPost)
}

// during says that a request among the steps was under way.
func (s *script) during(at int) bool {
	return slices.ContainsFunc(s.steps, func(x step) bool {
		m := x.event.Message()
		return x.at < at && at <= x.open && m.ID != "" && m.Method != ""
	})
}

// answers says that a response of ours answers a question that came while a
// request among the steps was under way.
func (s *script) answers(x *scenarios.Exchange) bool {
	q := s.question(x.Request.ID, x.At)
	return q >= 0 && s.during(q)
}

// question is where the question of an id is on the tape, -1 when there is none.
func (s *script) question(id string, before int) int {
	events := s.tape.Events()
	for i := before - 1; i >= 0; i-- {
		if m := events[i].Message(); events[i].Kind == wire.Recv && m.ID == id && m.IsRequest() {
			return i
		}
	}
	return -1
}

func scope(label string) string {
	scope, _, _ := strings.Cut(label, "/")
	return scope
}

// setsState says that a request changes what later ones get.
func setsState(x *scenarios.Exchange) bool {
	method := x.Request.Method
	return bytes.Contains(x.Sent.Raw, []byte(`"io.modelcontextprotocol/logLevel"`)) || slices.Contains([]string{"logging/setLevel", "resources/subscribe", "resources/unsubscribe", "subscriptions/listen", "notifications/roots/list_changed"}, method)
}

// pause is how long to wait before step i, which is not the first.
func (s *script) pause(i int) time.Duration {
	events := s.tape.Events()
	before, now := s.steps[i-1], s.steps[i]
	gap := now.event.At - before.event.At
	heard, flying := false, false
	for _, e := range events[before.at+1 : now.at] {
		heard = heard || e.Kind == wire.Recv || e.Kind == wire.Head
	}
	for _, x := range s.steps[:i] {
		flying = flying || x.event.Message().ID != "" && x.event.Message().Method != "" && (x.end < 0 || x.end > now.at)
	}
	reply := now.event.Message().Method == "" && now.event.Message().ID != ""
	switch {
	case before.event.Probe == "open/initialize":
		return time.Second
	case reply: // the question has to come first
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

func (s *script) http() bool { return s.steps[0].event.HTTP != nil }

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
