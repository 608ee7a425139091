package scenarios

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

func judgeSetLevel(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("level:") {
		var f *Fault
		if !x.Result().IsObject() {
			f = &Fault{Subject: strings.TrimPrefix(x.Label, "level:"), Expected: "an empty result", Observed: sayAnswer(x), Proof: []*Exchange{x}}
		}
		r = r.add(x, f)
	}
	return r
}

func judgeLevelRefused(e *Evidence) Ruling {
	x := e.Get("refused")
	if x.Unusable() {
		return NotSeen("the level was not asked for")
	}
	var f *Fault
	if x.Code() != -32602 {
		f = &Fault{Subject: `level "loud"`, Expected: "JSON-RPC error -32602", Observed: sayAnswer(x), Proof: []*Exchange{x}}
	}
	return Ruling{}.add(x, f)
}

func judgeLoggingUndeclared(e *Evidence) Ruling {
	if e.Facts.Capability("logging").Exists() {
		return NotApplicable("the server declares logging")
	}
	x := e.Get("undeclared")
	if x.Unusable() {
		return NotSeen("logging/setLevel was not asked")
	}
	var f *Fault
	if x.Code() != -32601 {
		f = &Fault{Subject: "logging/setLevel", Expected: "JSON-RPC error -32601", Observed: sayAnswer(x), Proof: []*Exchange{x}}
	}
	return Ruling{}.add(x, f)
}

const helpLogging = "no log message came; let a tool be called that logs (--allow, or calls in conform.yaml)"

func judgeLevelRespected(e *Evidence) Ruling {
	if e.sessionless() {
		return NotApplicable("the server keeps no sessions over HTTP, so a level cannot hold from one request to the next")
	}
	raised := e.Get("raise")
	if !raised.Result().Exists() {
		return NotSeen(helpLogging)
	}
	again := e.All("error:")
	if !slices.ContainsFunc(again, func(x *Exchange) bool { return x.Answered() }) {
		return NotSeen("no call was answered after the level was raised")
	}
	r := Ruling{Seen: 1, Proof: []*Exchange{raised}}
	events := raised.Tape.Events()
	from, until := events[raised.AnswerAt].At+logGrace, lowered(e, raised)
	begun := begunAfter(events, raised.AnswerAt)
	for i := raised.AnswerAt; i < len(events) && events[i].At < until; i++ {
		ev := &events[i]
		m := ev.Message()
		if ev.Kind != wire.Recv || m.Method != "notifications/message" || ev.At < from || ev.Post > 0 && !begun[ev.Post] {
			continue
		}
		if rank := levelRank(m.Root.Get("params.level")); rank >= 0 && rank < levelRank(raised.Request.Root.Get("params.level")) {
			r.Faults = append(r.Faults, Fault{Subject: strings.TrimSpace(short(m.Root.Get("params.logger").String()+" "+m.Root.Get("params.level").String(), 80)), Expected: "messages of level error or above", Observed: sayLog(m), Proof: []*Exchange{raised, loneFrame(received{event: ev, tape: raised.Tape})}})
		}
	}
	return r
}

// begunAfter are the HTTP requests that were sent after an event, and the streams
// that belong to no request: what comes on an older request's stream may have
// been written before that event, however late it is read.
func begunAfter(events []wire.Event, at int) map[int]bool {
	begun := map[int]bool{}
	for i := range events {
		if ev := &events[i]; ev.Kind == wire.Send && ev.HTTP != nil && (i > at || ev.HTTP.Method == http.MethodGet) {
			begun[ev.Post] = true
		}
	}
	return begun
}

// lowered is when the level was set anew after it was raised.
func lowered(e *Evidence, raised *Exchange) time.Duration {
	if x := e.Get("lower"); x != nil && x.Tape == raised.Tape {
		return x.Sent.At
	}
	return 1 << 62
}

// logged is a log message of 2026-07-28 with the requests that it may belong to.
type logged struct {
	received
	// own is the request on whose HTTP stream it came; nil over stdio, where nothing says it.
	own *Exchange
	// open are the requests with a level that were not answered when it came,
	// late those answered a moment before.
	open, late []*Exchange
}

// maxNotices is how many notifications of one kind are looked at: a server may send them without end.
const maxNotices = 2000

// logs are the log messages of all stateless lines.
func (e *Evidence) logs() []logged { return onTapes(e, "logs", e.readLogs) }

func (e *Evidence) readLogs() []logged {
	var out []logged
	for _, t := range e.stateless() {
		events := t.Events()
		all := e.Run.Exchanges(t)
		for i := range events {
			ev := &events[i]
			if ev.Kind != wire.Recv || ev.Message().Method != "notifications/message" {
				continue
			}
			if len(out) >= maxNotices {
				return out
			}
			l := logged{received: received{event: ev, tape: t}}
			for _, x := range all {
				switch {
				case ev.Post > 0 && x.Sent.Post == ev.Post:
					l.own = x
				case askedLevel(x.Request) < 0 || x.At > i:
				case x.EndAt < 0 || x.EndAt > i:
					l.open = append(l.open, x)
				case ev.At-events[x.EndAt].At <= 2*logGrace:
					l.late = append(l.late, x)
				}
			}
			out = append(out, l)
		}
	}
	return out
}

// onRequest says that a message came on the stream of an ordinary request.
func (l logged) onRequest() bool {
	return l.own != nil && l.own.Request.Method != "" && l.own.Request.Method != "subscriptions/listen"
}

func (l logged) proof() []*Exchange {
	if l.own != nil && l.own.Request.Method != "" {
		return []*Exchange{l.own, loneFrame(l.received)}
	}
	return []*Exchange{loneFrame(l.received)}
}

// logsRuling says why there were no log messages to look at.
func (e *Evidence) logsRuling(r Ruling) Ruling {
	switch {
	case r.Seen > 0:
		return r
	case !e.Facts.Capability("logging").Exists():
		return NotApplicable("the server does not declare logging, and sent no log message")
	}
	return NotSeen(helpLogging)
}

func judgeLogOptIn(e *Evidence) Ruling {
	var r Ruling
	http := e.Cell.Transport == "http"
	for _, l := range e.logs() {
		if http && !l.onRequest() {
			continue // told by own-stream
		}
		r.Seen++
		unasked := http && askedLevel(l.own.Request) < 0 || !http && len(l.open) == 0 && len(l.late) == 0
		if unasked {
			r.Faults = append(r.Faults, Fault{Subject: "notifications/message", Expected: "no log message for requests without " + metaLevel, Observed: sayLog(l.event.Message()), Message: "a log message came though no open request asked for any", Proof: l.proof()})
		}
	}
	return e.logsRuling(r)
}

func judgeLogLevel(e *Evidence) Ruling {
	var r Ruling
	for _, l := range e.logs() {
		m := l.event.Message()
		rank := levelRank(m.Root.Get("params.level"))
		asked, expected := len(logLevels()), ""
		switch {
		case rank < 0:
			continue // the shape is judged with the messages
		case l.onRequest() && askedLevel(l.own.Request) >= 0:
			asked = askedLevel(l.own.Request)
			events := l.tape.Events()
			if l.own.Answered() && l.event.At > events[l.own.AnswerAt].At {
				expected = "log messages before the answer"
			}
		case l.own != nil:
			continue // told by opt-in and own-stream
		case len(l.open) > 0:
			for _, x := range l.open {
				asked = min(asked, askedLevel(x.Request))
			}
		case len(l.late) > 0:
			asked, expected = 0, "log messages before the answer"
		default:
			continue
		}
		r.Seen++
		if rank < asked {
			expected = "messages of level " + logLevels()[asked] + " or above"
		}
		if expected != "" {
			r.Faults = append(r.Faults, Fault{Subject: "notifications/message", Expected: expected, Observed: sayLog(m), Proof: append(slices.Clone(l.late[:min(1, len(l.late))]), l.proof()...)})
		}
	}
	return e.logsRuling(r)
}

func judgeLogStream(e *Evidence) Ruling {
	if e.Cell.Transport != "http" {
		return NotApplicable("over stdio there is one stream")
	}
	var r Ruling
	for _, l := range e.logs() {
		r.Seen++
		if !l.onRequest() {
			where := "a stream that belongs to no request"
			if l.own != nil && l.own.Request.Method == "subscriptions/listen" {
				where = "the stream of subscriptions/listen"
			}
			r.Faults = append(r.Faults, Fault{Subject: "notifications/message", Expected: "log messages on the stream of their request", Observed: sayLog(l.event.Message()) + ", on " + where, Proof: l.proof()})
		}
	}
	return e.logsRuling(r)
}

func judgeLogSecrets(e *Evidence) Ruling {
	var r Ruling
	told := map[string]bool{}
	known := newSecrets()
	for _, f := range e.frames() {
		m := f.event.Message()
		if m.Method != "notifications/message" {
			continue
		}
		r.Seen++
		if what := known.in(m.Root.Get("params.data"), 0); what != "" && !told[what] {
			told[what] = true
			r.Faults = append(r.Faults, Fault{Subject: "notifications/message", Expected: "data without it", Observed: what, Proof: []*Exchange{loneFrame(f)}})
		}
	}
	return e.logsRuling(r)
}

// secrets are the patterns of what no log should hold.
type secrets struct {
	name, masked *regexp.Regexp
	texts        []secretText
}

type secretText struct {
	what    string
	pattern *regexp.Regexp
}

func newSecrets() secrets {
	return secrets{
		name:   regexp.MustCompile(`(?i)^(.*[_-])?(password|passwd|secret|api[_-]?key|access[_-]?token|refresh[_-]?token|private[_-]?key|client[_-]?secret)$`),
		masked: regexp.MustCompile(`(?i)^$|^[*x•.]+$|redacted|masked|hidden|^<.*>$|^\[.*\]$`),
		texts: []secretText{
			{"a bearer token", regexp.MustCompile(`(?i)\bbearer [a-z0-9._~+/-]{16,}`)},
			{"a private key", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)},
			{"a stack trace", regexp.MustCompile(`(?m)^\s+at .+:\d+:\d+\)?$|Traceback \(most recent call last\)|^goroutine \d+ \[`)},
			{"a path below a home folder", regexp.MustCompile(`(?:/home/|/Users/|C:\\Users\\)[A-Za-z0-9._-]+[/\\]`)},
		},
	}
}

// in names what a value holds that no log should, "" for nothing. The value itself is not repeated.
func (s secrets) in(v gjson.Result, depth int) string {
	if depth > 16 {
		return ""
	}
	found := ""
	switch {
	case v.IsObject() || v.IsArray():
		v.ForEach(func(k, sub gjson.Result) bool {
			if k.Type == gjson.String && s.name.MatchString(k.Str) && sub.Type == gjson.String && !s.masked.MatchString(sub.Str) {
				found = "a value for " + short(k.Str, 60)
			} else {
				found = s.in(sub, depth+1)
			}
			return found == ""
		})
	case v.Type == gjson.String:
		if i := slices.IndexFunc(s.texts, func(t secretText) bool { return t.pattern.MatchString(v.Str) }); i >= 0 {
			found = s.texts[i].what
		}
	}
	return found
}

// mostLogs is how many log messages a second are not remarked on.
const mostLogs = 100

// logsARequest is how many more are not remarked on for each request of the same second.
const logsARequest = 5

func judgeLogRate(e *Evidence) Ruling {
	var r Ruling
	for _, t := range e.Run.Select("", e.Cell.Revision, e.Cell.Transport) {
		var at, asked []time.Duration
		events := t.Events()
		for i := range events {
			m := events[i].Message()
			if events[i].Kind == wire.Send && m.IsRequest() {
				asked = append(asked, events[i].At)
			}
			if events[i].Kind != wire.Recv || m.Method != "notifications/message" {
				continue
			}
			r.Seen++
			at = append(at, events[i].At)
			// Many requests at once may be told of at once.
			most := mostLogs + logsARequest*lately(asked, events[i].At)
			if len(at) > most && at[len(at)-1]-at[len(at)-1-most] < time.Second && len(r.Faults) == 0 {
				r.Faults = append(r.Faults, Fault{Subject: "notifications/message", Expected: fmt.Sprintf("at most %d messages in a second, and %d more for each request", mostLogs, logsARequest), Observed: "more than that within a second", Proof: []*Exchange{loneFrame(received{event: &events[i], tape: t})}})
			}
		}
	}
	return e.logsRuling(r)
}

// lately counts the times within the second before now.
func lately(times []time.Duration, now time.Duration) int {
	n := 0
	for i := len(times) - 1; i >= 0 && now-times[i] < time.Second; i-- {
		n++
	}
	return n
}
