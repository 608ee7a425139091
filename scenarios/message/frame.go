package message

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Sections and requirements of the envelope.
const (
	onMessages  = "basic/index#messages"
	onRequests  = "basic/index#requests"
	onResponses = "basic/index#responses"
	onNotices   = "basic/index#notifications"
)

// frame is one frame on its way through the shapes of a revision.
type frame struct {
	walker
	shapes *Shapes
	book   *book
	ctx    Context
}

// faultAt records a fault of the envelope.
func (f *frame) faultAt(level Level, key, section, expected, observed string, req ...string) {
	report := func() { f.plain(level, section, expected, observed, req...) }
	if key == "" {
		report()
		return
	}
	f.member(key, report)
}

func (f *frame) check(raw []byte) {
	text := scan(raw, f.book.revision, &f.walker)
	if text == nil {
		return
	}
	v := gjson.ParseBytes(text)
	if !v.IsArray() {
		f.message(v)
		return
	}
	if f.book.revision >= "2025-06-18" {
		f.faultAt(Must, "", onMessages, "a single message", "an array", "stdio.one-message-per-line", "http.json-single-object")
		return
	}
	count := 0
	v.ForEach(func(_, item gjson.Result) bool {
		f.under(step{index: count}, func() { f.message(item) })
		count++
		return true
	})
	if count == 0 {
		f.faultAt(Must, "", "basic/index#batching", "a batch of at least one message", "[]", "base.batch-answers")
	}
}

// message tells requests, notifications and responses apart and checks each.
func (f *frame) message(v gjson.Result) {
	if !v.IsObject() {
		f.faultAt(Must, "", onMessages, "an object", shown(v), "base.jsonrpc-version-member")
		return
	}
	if version := v.Get("jsonrpc"); version.Type != gjson.String || version.Str != "2.0" {
		f.faultAt(Must, "jsonrpc", onMessages, `"2.0"`, orNothing(version), "base.jsonrpc-version-member")
	}
	method, result, failure := v.Get("method"), v.Get("result"), v.Get("error")
	switch {
	case method.Exists() && (result.Exists() || failure.Exists()):
		f.faultAt(Must, "method", onMessages, "no method in a response", shown(method), "base.response-result-xor-error")
	case method.Exists():
		f.calling(v, method)
	case result.Exists() && failure.Exists():
		f.faultAt(Must, "", onResponses, "either result or error", "both", "base.response-result-xor-error")
	case result.Exists():
		f.answer(v, result)
	case failure.Exists():
		f.failure(v, failure)
	case v.Get("id").Exists():
		f.faultAt(Must, "", onResponses, "result or error", "neither", "base.response-result-xor-error")
	default:
		f.faultAt(Must, "", onMessages, "method, result or error", "none of them", "base.response-result-xor-error")
	}
}

func orNothing(v gjson.Result) string {
	if !v.Exists() {
		return "nothing"
	}
	return shown(v)
}

func isID(v gjson.Result) bool { return isType(v, "string") || isType(v, "integer") }

// calling checks a request or a notification of the server.
func (f *frame) calling(v, method gjson.Result) {
	if method.Type != gjson.String {
		f.faultAt(Must, "method", onMessages, "a string", shown(method), "base.jsonrpc-version-member")
		return
	}
	id := v.Get("id")
	if !id.Exists() {
		f.params(v.Get("params"), f.book.Notifications[method.Str], f.book.shapes["AnyNotice"])
		return
	}
	if f.book.revision >= modern {
		f.faultAt(Must, "method", "basic/patterns/index", "no request from a server", shown(method),
			"base.no-server-requests", requestRule(method.Str))
		return
	}
	if strings.HasPrefix(method.Str, "notifications/") {
		f.faultAt(Must, "id", onNotices, "no id in a notification", shown(id), "base.notification-has-no-id")
		f.params(v.Get("params"), f.book.Notifications[method.Str], f.book.shapes["AnyNotice"])
		return
	}
	if !isID(id) {
		f.faultAt(Must, "id", onRequests, "a string or an integer", shown(id), "base.server-request-id")
	}
	f.params(v.Get("params"), f.book.Requests[method.Str], f.book.shapes["PlainParams"])
}

// requestRule is the rule that names the request which has to come as a question
// inside a result from 2026-07-28 on.
func requestRule(method string) string {
	switch method {
	case "elicitation/create":
		return "elicitation.through-mrtr"
	case "sampling/createMessage":
		return "sampling.through-mrtr"
	case "roots/list":
		return "roots.through-mrtr"
	}
	return "stdio.no-requests-written"
}

func (f *frame) params(v gjson.Result, d *dispatch, other *shape) {
	f.part("params", v, d, other)
}

// part checks params or data with the shape of a method or code, or with another
// shape where there is none.
func (f *frame) part(key string, v gjson.Result, d *dispatch, other *shape) {
	s := other
	if d != nil {
		s = d.shape
	}
	switch {
	case v.Exists() && s != nil:
		f.member(key, func() { f.walker.check(s, v) })
	case !v.Exists() && d != nil && d.Params:
		f.member(key, func() { f.at(Must, s, func() { f.fault(s.wanted(), "nothing") }) })
	}
}

// failure checks an error response.
func (f *frame) failure(v, failure gjson.Result) {
	f.errorID(v.Get("id"))
	f.member("error", func() {
		f.walker.check(f.book.shapes["ErrorObject"], failure)
		if code := failure.Get("code"); code.Type == gjson.Number {
			f.part("data", failure.Get("data"), f.book.Errors[code.Raw], nil)
		}
	})
}

// errorID checks the id of an error. An error needs none when the request could
// not be read. null is what JSON-RPC asks for then and what MCP's types forbid, so
// it is no more than worth a note; null where the request was sound breaks the
// rule that an error names its request.
func (f *frame) errorID(id gjson.Result) {
	unread := f.ctx.Malformed || f.ctx.Status >= 400
	switch {
	case isID(id):
	case unread && !id.Exists():
	case unread && id.Type == gjson.Null:
		f.faultAt(Note, "id", onResponses, "no id when none could be read", "null", "base.error-id-null")
	case !id.Exists() || id.Type == gjson.Null:
		f.faultAt(Must, "id", onResponses, "the id of the request", orNothing(id), "base.error-response-id")
	default:
		f.faultAt(Must, "id", onResponses, "a string or an integer", shown(id), "base.error-response-id")
	}
}
