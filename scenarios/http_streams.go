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

func judgeEventIDs(e *Evidence) Ruling {
	var r Ruling
	type session struct {
		tape *wire.Tape
		id   string
	}
	seen := map[session]map[string]bool{}
	ids, _ := e.minted()
	for _, p := range e.posts() {
		if !p.sse() || p.resumed() || len(ids) > 0 && p.session() == "" {
			continue // a refusal that belongs to no session has nothing to be told from
		}
		for _, ev := range p.events {
			if ev.HTTP == nil || ev.HTTP.EventID == "" {
				continue
			}
			r.Seen++
			in := session{p.Tape, p.session()}
			if seen[in] == nil {
				seen[in] = map[string]bool{}
			}
			if seen[in][ev.HTTP.EventID] && len(r.Faults) < 5 {
				r.Faults = append(r.Faults, Fault{Subject: "event ids", Expected: "each id once in a session", Observed: "the id " + short(ev.HTTP.EventID, 60) + " again", Proof: []*Exchange{p.Exchange}})
			}
			seen[in][ev.HTTP.EventID] = true
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server sends no event ids")
	}
	return r
}

// session is the id of the session that a request belongs to or opens, "" for none.
func (p post) session() string {
	if p.Head != nil && p.Head.HTTP != nil {
		if id := p.Head.HTTP.Header.Get("Mcp-Session-Id"); id != "" {
			return id
		}
	}
	if p.Sent.HTTP == nil {
		return ""
	}
	return p.Sent.HTTP.Header.Get("Mcp-Session-Id")
}

const noEventIDs = "the server sends no event ids, so that no stream can be taken up again"

// resumes lists the requests that took a stream up again, each with the one that had opened it.
func (e *Evidence) resumes() (again, opened []post) {
	all := e.posts()
	for _, p := range all {
		label, ok := strings.CutPrefix(p.Sent.Probe, LabelScope(e.Cell.Scenario, e.Cell.Attempt)+"resume:")
		if !ok || p.Head == nil {
			continue
		}
		if label == "one" {
			label = "stream:one"
		}
		i := slices.IndexFunc(all, func(q post) bool { return q.Tape == p.Tape && strings.HasSuffix(q.Sent.Probe, "/"+label) })
		if i >= 0 {
			again, opened = append(again, p), append(opened, all[i])
		}
	}
	return again, opened
}

func judgeReconnect(e *Evidence) Ruling {
	again, opened := e.resumes()
	if len(again) == 0 {
		return NotApplicable(noEventIDs)
	}
	var r Ruling
	for i, p := range again {
		if !p.sse() {
			continue
		}
		r.Seen++
		r.Proof = append(r.Proof, p.Exchange)
		for _, ev := range p.events {
			m := ev.Message()
			token := m.Root.Get("params.progressToken").Raw
			foreign := m.IsResponse() && m.ID != opened[i].Request.ID || m.Method == "notifications/progress" && token != tokenOf(opened[i].Exchange)
			if foreign && len(r.Faults) == 0 {
				r.Faults = append(r.Faults, Fault{Subject: "Last-Event-ID", Expected: "messages of the stream of " + opened[i].name() + " alone", Observed: short(string(ev.Raw), 200), Proof: []*Exchange{opened[i].Exchange, p.Exchange}})
			}
		}
	}
	if r.Seen == 0 {
		return NotSeen("the server refused to take a stream up again")
	}
	return r
}

func judgeResumes(e *Evidence) Ruling {
	if e.Cell.Revision < fakes.Rev20251125 {
		return NotApplicable("advised from 2025-11-25 on")
	}
	again, opened := e.resumes()
	if len(again) == 0 {
		return NotApplicable(noEventIDs)
	}
	var r Ruling
	for i, p := range again {
		if p.Status() == http.StatusMethodNotAllowed {
			return NotApplicable("the server opens no stream on GET")
		}
		r.Seen++
		if p.sse() {
			r.Proof = append(r.Proof, p.Exchange)
			continue
		}
		r.Faults = append(r.Faults, Fault{Subject: "Last-Event-ID", Expected: "the stream again", Observed: sayHTTP(p.Exchange), Proof: []*Exchange{opened[i].Exchange, p.Exchange}})
	}
	return r
}

func judgeReplayed(e *Evidence) Ruling {
	again, opened := e.resumes()
	if len(again) == 0 {
		return NotApplicable(noEventIDs)
	}
	var r Ruling
	for i, p := range again {
		o := opened[i]
		whole := o.Answered() && o.Tape.Events()[o.AnswerAt].Post == o.Sent.Post
		last := o.events[len(o.events)-1].HTTP
		if !p.sse() || whole && (last == nil || last.EventID == p.Sent.HTTP.Header.Get("Last-Event-Id")) {
			continue // nothing was missed
		}
		r.Seen++
		got := slices.ContainsFunc(p.events, func(ev *wire.Event) bool { return len(bytes.TrimSpace(ev.Raw)) > 0 })
		if got {
			r.Proof = append(r.Proof, p.Exchange)
			continue
		}
		r.Faults = append(r.Faults, Fault{Subject: "Last-Event-ID", Expected: "what came after that event", Observed: "nothing", Proof: []*Exchange{opened[i].Exchange, p.Exchange}})
	}
	if r.Seen == 0 {
		return NotSeen("no stream was taken up again of which something was missed")
	}
	return r
}

func judgePriming(e *Evidence) Ruling {
	if e.Cell.Revision < fakes.Rev20251125 {
		return NotApplicable("advised from 2025-11-25 on")
	}
	ids := slices.ContainsFunc(e.posts(), func(p post) bool {
		return slices.ContainsFunc(p.events, func(ev *wire.Event) bool { return ev.HTTP != nil && ev.HTTP.EventID != "" })
	})
	if !ids {
		return NotApplicable(noEventIDs)
	}
	return e.eachPost(
		func(p post) bool {
			// Clients from before that advice, which say no newer version, may get none.
			return p.sse() && !p.resumed() && len(p.events) > 0 && p.Sent.HTTP.Header.Get("Mcp-Protocol-Version") >= fakes.Rev20251125
		},
		func(p post) (string, string) {
			first := p.events[0]
			if first.HTTP != nil && first.HTTP.EventID != "" && len(first.Raw) == 0 {
				return "", ""
			}
			return "first an event with an id and empty data", "first a message"
		})
}
