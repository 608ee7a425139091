package scenarios

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// streamEnds is how long a stream may stay open behind its response.
const streamEnds = 2 * time.Second

// eachStream looks at the event streams of the run.
func (e *Evidence) eachStream(look func(p post) (expected, observed string)) Ruling {
	r := e.eachPost(post.sse, look)
	if r.Seen == 0 {
		return NotApplicable("the server sent no event stream")
	}
	return r
}

func judgeSSEFraming(e *Evidence) Ruling {
	return e.eachStream(func(p post) (string, string) {
		for _, ev := range p.events {
			data := bytes.TrimSpace(ev.Raw)
			switch {
			case ev.HTTP != nil && ev.HTTP.EventName == "endpoint":
				continue // the transport of 2024-11-05, told elsewhere
			case ev.Status == "unfinished" && p.closed() && len(data) > 0:
				return "a blank line behind each event", "the last event is not ended by a blank line: " + short(string(data), 120)
			case len(data) == 0 || ev.Cut > 0:
				continue
			case !ev.Message().Valid:
				return "one JSON-RPC message", "an event that is no JSON: " + short(string(data), 120)
			case ev.Message().Root.IsArray() && !p.Request.Root.IsArray() && e.Cell.Revision > fakes.Rev20250326:
				return "one JSON-RPC message", "a list"
			case ev.HTTP != nil && ev.HTTP.EventName != "" && ev.HTTP.EventName != "message":
				return "events named message, or not at all", "a message in an event named " + short(ev.HTTP.EventName, 40)
			}
		}
		return "", ""
	})
}

func judgeSSEOneLine(e *Evidence) Ruling {
	return e.eachStream(func(p post) (string, string) {
		for _, ev := range p.events {
			if ev.HTTP != nil && ev.HTTP.Lines > 1 {
				return "one data line", fmt.Sprintf("%d data lines", ev.HTTP.Lines)
			}
		}
		return "", ""
	})
}

func judgeSSEAnswers(e *Evidence) Ruling {
	var r Ruling
	seen := map[string]bool{}
	for _, p := range e.posts() {
		if !p.isRequest() || !p.sse() || p.Request.Method == "subscriptions/listen" {
			continue
		}
		observed := streamFault(e, p)
		if observed == "-" {
			continue
		}
		r.Seen++
		if observed == "" {
			if len(r.Proof) < 2 {
				r.Proof = append(r.Proof, p.Exchange)
			}
			continue
		}
		if !seen[observed] {
			seen[observed] = true
			r.Faults = append(r.Faults, Fault{Subject: p.name(), Expected: "the response, and then the end of the stream", Observed: observed, Proof: []*Exchange{p.Exchange}})
		}
	}
	if r.Seen == 0 {
		return NotApplicable("no request was answered with a stream")
	}
	return r
}

// streamFault says what is wrong with how a stream ended: "" for nothing, "-"
// when that cannot be told, because conform gave it up or stopped looking.
func streamFault(e *Evidence, p post) string {
	events := p.Tape.Events()
	dropped := p.close != nil && p.close.Status == "dropped"
	if p.Answered() {
		if events[p.AnswerAt].Post != p.Sent.Post {
			if dropped {
				return "-" // it was taken up again elsewhere
			}
			return "the response came on another stream"
		}
		end := events[len(events)-1].At
		if p.close != nil {
			end = p.close.At
		}
		switch {
		case end-events[p.AnswerAt].At > streamEnds && behind(e, p.Exchange, events[p.AnswerAt].At, events[p.AnswerAt].At+streamEnds):
			return "-"
		case end-events[p.AnswerAt].At > streamEnds:
			return fmt.Sprintf("the stream stayed open for more than %s behind the response", streamEnds)
		case p.closed():
			return ""
		}
		return "-"
	}
	if !p.closed() || cancelledLater(p.Exchange) || e.decodedEcho(p.Exchange) {
		return "-" // an id may come back in other escapes
	}
	for _, ev := range p.events {
		if ev.HTTP != nil && (ev.HTTP.Retry != "" || ev.HTTP.EventID != "") && e.Cell.Revision >= fakes.Rev20251125 && !e.Facts.Modern() {
			return "-" // a stream that is to be taken up again
		}
	}
	return "the stream ended without the response"
}

// behind says that from one time to another the server answered nothing that was
// sent after the first, and another request waited for longer than a second: what
// it does late then may be the doing of its machine.
func behind(e *Evidence, x *Exchange, from, to time.Duration) bool {
	events, waits := x.Tape.Events(), false
	for _, y := range e.Run.Exchanges(x.Tape) {
		if y.At == x.At || !y.Request.IsRequest() || y.Request.Method == "subscriptions/listen" {
			continue
		}
		late := (y.AnswerAt < 0 || events[y.AnswerAt].At > to) && (y.EndAt < 0 || events[y.EndAt].At > to)
		if y.Sent.At >= from && !late {
			return false
		}
		waits = waits || late && y.Sent.At < to-time.Second && y.Sent.At > to-10*time.Second
	}
	return waits
}

// cancelledLater says that conform cancelled the request.
func cancelledLater(x *Exchange) bool {
	for _, ev := range x.Tape.Events()[x.At:] {
		m := ev.Message()
		if ev.Kind == wire.Send && m.Method == "notifications/cancelled" && m.Root.Get("params.requestId").Raw == x.Request.ID {
			return true
		}
	}
	return false
}

// tokenOf is the progress token that a request carries, raw; "" for none.
func tokenOf(x *Exchange) string { return x.Request.Root.Get("params._meta.progressToken").Raw }

func judgeSSERelated(e *Evidence) Ruling {
	var r Ruling
	byToken := map[*wire.Tape]map[string]post{}
	for _, p := range e.posts() {
		if t := tokenOf(p.Exchange); t != "" && !becameTask(p.Exchange) {
			if byToken[p.Tape] == nil {
				byToken[p.Tape] = map[string]post{}
			}
			byToken[p.Tape][t] = p
		}
	}
	seen := map[string]bool{}
	for _, p := range e.posts() {
		if !p.sse() || p.resumed() {
			continue
		}
		for _, ev := range p.events {
			m := ev.Message()
			if m.Method != "notifications/progress" {
				continue
			}
			r.Seen++
			token := m.Root.Get("params.progressToken").Raw
			owner, known := byToken[p.Tape][token]
			switch {
			case !known, tokenOf(p.Exchange) == token, !owner.sse():
				continue // nobody's, its own, or of a call that has no stream
			}
			where := "the stream of another request"
			if p.method() == http.MethodGet {
				where = "the GET stream"
			}
			if !seen[where] {
				seen[where] = true
				r.Faults = append(r.Faults, Fault{Subject: "progress of " + owner.name(), Expected: "on the stream of its request", Observed: "on " + where, Proof: []*Exchange{owner.Exchange, p.Exchange}})
			}
		}
	}
	if r.Seen == 0 {
		return NotSeen("no progress came on a stream; give a tool the role progresses in conform.yaml")
	}
	return r
}

func judgeBuffering(e *Evidence) Ruling {
	return e.eachStream(func(p post) (string, string) {
		if got := p.header("X-Accel-Buffering"); !strings.EqualFold(got, "no") {
			return "X-Accel-Buffering: no", "X-Accel-Buffering " + orNothing(got)
		}
		return "", ""
	})
}

func judgeKeepAlive(e *Evidence) Ruling {
	x := e.Get("listen")
	if x == nil {
		return NotApplicable("the server declares nothing that could be listened to")
	}
	for _, p := range e.posts() {
		if p.Exchange.Sent != x.Sent {
			continue
		}
		if !p.sse() {
			return NotSeen("subscriptions/listen was not answered with a stream: " + sayHTTP(x))
		}
		for _, ev := range p.events {
			if len(bytes.TrimSpace(ev.Raw)) > 0 && !ev.Message().Valid {
				return Broken(Fault{Subject: "subscriptions/listen", Expected: "messages, comments or nothing", Observed: short(string(ev.Raw), 120), Proof: []*Exchange{x}})
			}
		}
		if p.closed() && !p.Answered() {
			return Broken(Fault{Subject: "subscriptions/listen", Expected: "a stream that stays open", Observed: "the server ended it without a result", Proof: []*Exchange{x}})
		}
		return Passed("", x)
	}
	return NotSeen("the subscription was not opened")
}

func judgeGet(e *Evidence) Ruling {
	ids, _ := e.minted()
	r := e.eachPost(
		func(p post) bool {
			return p.method() == http.MethodGet && strings.HasPrefix(p.Sent.Probe, "open/stream") && !p.resumed()
		},
		func(p post) (string, string) {
			switch {
			case p.sse() && p.Status() == http.StatusOK, p.Status() == http.StatusMethodNotAllowed:
				return "", ""
			case len(ids) == 0 && p.Status() == http.StatusBadRequest:
				return "", "" // it wants a session and gave none
			}
			return "an event stream, or HTTP 405", fmt.Sprintf("HTTP %d, Content-Type %s", p.Status(), orNothing(p.header("Content-Type")))
		})
	if r.Seen == 0 {
		return NotSeen("GET was not answered while sessions were open")
	}
	return r
}

func judgeGetClean(e *Evidence) Ruling {
	var r Ruling
	seen := map[*wire.Tape]map[string][]carried{}
	for _, p := range e.posts() {
		if !p.sse() || p.resumed() {
			continue
		}
		if p.method() == http.MethodGet {
			r.Seen++
		}
		if seen[p.Tape] == nil {
			seen[p.Tape] = map[string][]carried{}
		}
		for _, ev := range p.events {
			m := ev.Message()
			if p.method() == http.MethodGet && m.IsResponse() {
				r.Faults = append(r.Faults, Fault{Subject: "the GET stream", Expected: "no responses", Observed: short(string(ev.Raw), 160), Proof: []*Exchange{p.Exchange}})
			}
			if key := copyKey(m); key != "" {
				own := tokenOf(p.Exchange) != "" && tokenOf(p.Exchange) == m.Root.Get("params.progressToken").Raw
				seen[p.Tape][key] = append(seen[p.Tape][key], carried{p, ev, own})
			}
		}
	}
	for _, t := range e.Tapes() {
		for _, key := range sortedKeys(seen[t], nil) {
			if all := seen[t][key]; onTwoStreams(all) && len(r.Faults) < 5 {
				r.Faults = append(r.Faults, Fault{
					Subject: all[0].event.Message().Method, Expected: "each message on one stream", Observed: "the same message on two streams: " + short(string(all[0].event.Raw), 160),
					Proof: []*Exchange{all[0].post.Exchange, all[1].post.Exchange},
				})
			}
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server opens no stream on GET")
	}
	return r
}

// carried is a message on a stream; own says that the stream is that of the
// request which it belongs to.
type carried struct {
	post  post
	event *wire.Event
	own   bool
}

// onTwoStreams says that a message came on two streams. A progress token may be used
// again when its call is over: the streams of two such calls are no copies.
func onTwoStreams(all []carried) bool {
	for _, c := range all {
		if !c.own && slices.ContainsFunc(all, func(d carried) bool { return d.post.Sent.Post != c.post.Sent.Post }) {
			return true
		}
	}
	return false
}

// copyKey tells messages apart of which the same one may not come twice: the
// server's own requests, and each step of progress.
func copyKey(m *wire.Message) string {
	switch {
	case m.IsRequest():
		return "request " + m.ID
	case m.Method == "notifications/progress":
		return "progress " + m.Root.Get("params.progressToken").Raw + " " + m.Root.Get("params.progress").Raw
	}
	return ""
}
