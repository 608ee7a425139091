package scenarios

import (
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// post is one HTTP request of the run with everything of its answer.
type post struct {
	*Exchange
	events []*wire.Event // what came, in order
	close  *wire.Event   // the end of the answer, nil when it never ended
}

// posts lists the HTTP requests of the cell's tapes.
func (e *Evidence) posts() []post {
	return onTapes(e, "posts", e.gatherPosts)
}

func (e *Evidence) gatherPosts() []post {
	var out []post
	for _, t := range e.Tapes() {
		at := map[int]int{}
		first := len(out)
		for _, x := range e.Run.Exchanges(t) {
			if x.Sent.Post > 0 {
				at[x.Sent.Post] = len(out)
				out = append(out, post{Exchange: x})
			}
		}
		events := t.Events()
		for i := range events {
			ev := &events[i]
			n, ok := at[ev.Post]
			if !ok || n < first {
				continue
			}
			switch ev.Kind {
			case wire.Recv:
				out[n].events = append(out[n].events, ev)
			case wire.Close:
				out[n].close = ev
			}
		}
	}
	return out
}

// isRequest says that a right JSON-RPC request was posted.
func (p post) isRequest() bool {
	return p.method() == http.MethodPost && p.Request.IsRequest() && !brokenRequest(p.Request)
}

func (p post) method() string {
	if p.Sent.HTTP == nil {
		return ""
	}
	return p.Sent.HTTP.Method
}

// header is a header of the answer, "" when there is none.
func (p post) header(name string) string {
	if p.Head == nil {
		return ""
	}
	return p.Head.HTTP.Header.Get(name)
}

func (p post) sse() bool { return p.Head != nil && p.Head.HTTP.SSE }

// resumed says that the request took a stream up again.
func (p post) resumed() bool {
	return p.Sent.HTTP != nil && p.Sent.HTTP.Header.Get("Last-Event-Id") != ""
}

// name says for people what was sent.
func (p post) name() string {
	if p.Request.Method != "" {
		return p.Request.Method
	}
	return p.method()
}

// eachPost looks at the posts that matter, and tells one fault of a kind: that
// of the simplest answer, with streams that stay open last.
func (e *Evidence) eachPost(matters func(post) bool, look func(post) (expected, observed string)) Ruling {
	var r Ruling
	type kind struct{ at, size int }
	kinds := map[string]kind{}
	for _, p := range e.posts() {
		if p.Head == nil || !matters(p) {
			continue
		}
		r.Seen++
		expected, observed := look(p)
		if observed == "" {
			if len(r.Proof) < 2 {
				r.Proof = append(r.Proof, p.Exchange)
			}
			continue
		}
		f := Fault{Subject: p.name(), Expected: expected, Observed: observed, Proof: []*Exchange{p.Exchange}}
		key := p.name() + observed
		switch k, seen := kinds[key]; {
		case !seen && len(r.Faults) < 20:
			kinds[key] = kind{len(r.Faults), len(p.events)}
			r.Faults = append(r.Faults, f)
		case seen && len(p.events) < k.size:
			kinds[key] = kind{k.at, len(p.events)}
			r.Faults[k.at] = f
		}
	}
	slices.SortStableFunc(r.Faults, func(a, b Fault) int { return endless(a.Proof[0]) - endless(b.Proof[0]) })
	return r
}

// endless is 1 for a request whose stream has no end of its own.
func endless(x *Exchange) int {
	if x.Request.Method == "" || x.Request.Method == "subscriptions/listen" {
		return 1
	}
	return 0
}

func judgeEndpoint(e *Evidence) Ruling {
	opening := map[string]bool{"initialize": true, "server/discover": true, "ping": true, "tools/list": true, "resources/list": true, "prompts/list": true}
	return e.eachPost(
		func(p post) bool { return p.isRequest() && opening[p.Request.Method] && !p.Answered() && p.Body == nil },
		func(p post) (string, string) {
			if p.Status() == http.StatusMethodNotAllowed || p.Status() == http.StatusNotFound && strings.HasPrefix(p.Sent.Probe, "open/") {
				return "an answer to POST", fmt.Sprintf("HTTP %d", p.Status())
			}
			return "", ""
		}).orElse(e, func(p post) bool { return p.isRequest() && opening[p.Request.Method] && p.Answered() })
}

// orElse counts other posts as seen, so that a claim that holds everywhere passes.
func (r Ruling) orElse(e *Evidence, matters func(post) bool) Ruling {
	for _, p := range e.posts() {
		if p.Head != nil && matters(p) {
			r.Seen++
			if len(r.Proof) < 2 {
				r.Proof = append(r.Proof, p.Exchange)
			}
		}
	}
	return r
}

func judgeContentType(e *Evidence) Ruling {
	return e.eachPost(
		func(p post) bool { return p.isRequest() && p.Status() == http.StatusOK },
		func(p post) (string, string) {
			kind, _, _ := mime.ParseMediaType(p.header("Content-Type"))
			if kind == "application/json" || kind == "text/event-stream" {
				return "", ""
			}
			return "Content-Type application/json or text/event-stream", "Content-Type " + orNothing(p.header("Content-Type"))
		})
}

func orNothing(s string) string {
	if s == "" {
		return "missing"
	}
	return short(s, 80)
}

func judgeJSONBody(e *Evidence) Ruling {
	r := e.eachPost(
		func(p post) bool {
			return p.isRequest() && p.Status() == http.StatusOK && !p.sse() && strings.Contains(p.header("Content-Type"), "json") && p.closed()
		},
		func(p post) (string, string) {
			switch {
			case len(p.events) == 0:
				return "the response", "an empty body"
			case !p.events[0].Message().Valid && p.events[0].Cut == 0:
				return "the response", "a body that is no JSON: " + short(string(p.events[0].Raw), 120)
			case p.events[0].Message().Root.IsArray():
				return "one object, the response", "a list"
			case !p.Answered() && p.events[0].Cut == 0 && !p.events[0].Message().IsResponse():
				return "the response to the request", short(string(p.events[0].Raw), 200)
			}
			return "", ""
		})
	if r.Seen == 0 {
		return NotApplicable("the server answers with streams only")
	}
	return r
}

// closed says that the answer came to its end, and was not given up.
func (p post) closed() bool { return p.close != nil && p.close.Status == "end" }

// accepted judges the answer to a message that is no request.
func accepted(p post) (string, string) {
	const want = "HTTP 202 without a body, or an error status"
	switch body := len(p.events) > 0 && len(p.events[0].Raw) > 0; {
	case p.Status() >= 400:
		return "", ""
	case p.Status() != http.StatusAccepted:
		return want, fmt.Sprintf("HTTP %d", p.Status())
	case body:
		return want, "HTTP 202 with a body: " + short(string(p.events[0].Raw), 120)
	}
	return "", ""
}

func judgeNotified(e *Evidence) Ruling {
	return e.eachPost(func(p post) bool { return p.method() == http.MethodPost && p.Request.IsNotification() }, accepted)
}

func judgeResponded(e *Evidence) Ruling {
	return e.eachPost(func(p post) bool { return p.method() == http.MethodPost && p.Request.IsResponse() }, accepted)
}

func judgeResponseRefused(e *Evidence) Ruling {
	x := e.Get("response")
	if x == nil || x.Head == nil {
		return NotSeen("the response was not sent")
	}
	if x.Status() < 400 {
		return Broken(Fault{Subject: "a response of the client", Expected: "HTTP 400", Observed: fmt.Sprintf("HTTP %d", x.Status()), Proof: []*Exchange{x}})
	}
	return Passed(fmt.Sprintf("refused with HTTP %d", x.Status()), x)
}

// servedBut judges requests that differ from a plain one in a header alone.
func (e *Evidence) servedBut(prefix, plain string) Ruling {
	ref := e.Get(plain)
	if !ref.Answered() || !ref.Result().Exists() {
		return NotSeen("the same request without the change was not served either")
	}
	var r Ruling
	for _, x := range e.All(prefix) {
		var f *Fault
		if !x.Result().Exists() {
			f = &Fault{Subject: labelOf(x), Expected: "the answer as without it", Observed: sayHTTP(x), Proof: []*Exchange{ref, x}}
		}
		r = r.add(x, f)
	}
	return r
}

// sayHTTP tells an answer with its HTTP status.
func sayHTTP(x *Exchange) string {
	if x.Status() == 0 || !x.Answered() {
		return sayAnswer(x) + bodyText(x)
	}
	return fmt.Sprintf("HTTP %d, %s", x.Status(), sayAnswer(x))
}

// bodyText is what an HTTP answer without a response says, for people.
func bodyText(x *Exchange) string {
	if x == nil || x.Body == nil || len(x.Body.Raw) == 0 {
		return ""
	}
	if m := x.Body.Message().Root.Get("error.message"); m.Type == gjson.String {
		return ": " + short(m.Str, 160)
	}
	return ": " + short(strings.TrimSpace(string(x.Body.Raw)), 160)
}

func judgeAcceptHeader(e *Evidence) Ruling { return e.servedBut("accept:", "plain") }

func judgeAcceptForms(e *Evidence) Ruling { return e.servedBut("form:", "plain") }

func judgeErrorStatus(e *Evidence) Ruling {
	var told []string
	var r Ruling
	for _, x := range e.All("error:") {
		if x.Head == nil {
			continue
		}
		var f *Fault
		if x.Status() >= 500 {
			f = &Fault{Subject: labelOf(x), Expected: "HTTP 200 or 4xx", Observed: sayHTTP(x), Proof: []*Exchange{x}}
		}
		told = append(told, fmt.Sprintf("%s: HTTP %d", labelOf(x), x.Status()))
		r = r.add(x, f)
	}
	r.Note = strings.Join(told, "; ")
	return r
}

// errorOf is the JSON-RPC error of an HTTP answer, whether it carries the request's id or none.
func errorOf(x *Exchange) gjson.Result {
	if x.IsRPCError() {
		return x.RPCError()
	}
	if x != nil && x.Body != nil {
		return x.Body.Message().Root.Get("error")
	}
	return gjson.Result{}
}

// wantRefusal is the fault of an answer that should be an error of the given
// status and code.
func wantRefusal(x *Exchange, status int, code int64) *Fault {
	err := errorOf(x)
	if x.Status() == status && err.Get("code").Int() == code {
		return nil
	}
	return &Fault{Subject: labelOf(x), Expected: fmt.Sprintf("HTTP %d with JSON-RPC error %d", status, code), Observed: sayHTTP(x), Proof: []*Exchange{x}}
}

func judgeStatusCodes(e *Evidence) Ruling {
	var r Ruling
	if x := e.Get("status:unknown method"); x != nil {
		r = r.add(x, wantRefusal(x, http.StatusNotFound, -32601))
	}
	if x := e.Get("status:unsupported version"); x != nil {
		r = r.add(x, wantRefusal(x, http.StatusBadRequest, -32022))
	}
	return r
}
