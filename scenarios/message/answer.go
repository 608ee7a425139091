package message

import (
	"github.com/tidwall/gjson"
)

// answer checks a response that carries a result.
func (f *frame) answer(v, result gjson.Result) {
	id := v.Get("id")
	if !isID(id) {
		f.faultAt(Must, "id", onResponses, "the id of the request", orNothing(id), "base.response-id-echo")
	}
	method := f.ctx.Method
	if m, found := f.ctx.Methods[id.Raw]; found {
		method = m
	}
	f.member("result", func() { f.result(method, result) })
}

// result checks the result of a method. The methods that open a connection are
// read by the revisions they belong to, since a server of both eras answers
// them whichever revision follows.
func (f *frame) result(method string, v gjson.Result) {
	b := f.book
	switch {
	case method == "initialize" && b.revision >= modern:
		b = f.other(legacy)
	case method == "server/discover" && b.revision < modern:
		b = f.other(modern)
	}
	d := b.Results[method]
	if b.revision >= modern {
		f.kind(b, d, v)
		return
	}
	// A call that was sent as a task is answered by the task.
	if method == "tools/call" && b.shapes["CreateTaskResult"] != nil && v.Get("task").Exists() && !v.Get("content").Exists() {
		f.walker.check(b.shapes["CreateTaskResult"], v)
		return
	}
	if d == nil {
		f.walker.check(b.shapes["Result"], v)
		return
	}
	f.walker.check(d.shape, v)
}

func (f *frame) other(revision string) *book {
	if b, err := f.shapes.book(revision); err == nil {
		return b
	}
	return f.book
}

// kind checks a result by its resultType.
func (f *frame) kind(b *book, d *dispatch, v gjson.Result) {
	kind := v.Get("resultType")
	asking := kind.Str == "input_required" ||
		kind.Str != "complete" && !v.Get("content").Exists() && v.Get("inputRequests").Exists()
	switch {
	case asking && d != nil && !d.Asks:
		f.typeFault(`"complete", as this method asks for nothing`, orNothing(kind), "basic/patterns/mrtr#supported-requests", "mrtr.methods")
	case asking:
		f.walker.check(b.shapes["InputRequiredResult"], v)
		if kind.Type == gjson.String && kind.Str != "input_required" {
			f.typeFault(`"input_required"`, shown(kind), "basic/index#resulttype", "base.result-type-known", "mrtr.result-type")
		}
	case kind.Type == gjson.String && kind.Str != "complete":
		f.walker.check(b.shapes["Result"], v)
		if len(f.ctx.Extensions) == 0 {
			req := []string{"base.result-type-known"}
			if kind.Str == "task" {
				req = append(req, "tasks-extension.opt-in")
			}
			f.typeFault(`"complete" or "input_required"`, shown(kind), "basic/index#resulttype", req...)
		}
	case d == nil:
		f.walker.check(b.shapes["Result"], v)
	default:
		f.walker.check(d.shape, v)
	}
}

func (f *frame) typeFault(expected, observed, section string, req ...string) {
	f.faultAt(Must, "resultType", section, expected, observed, req...)
}
