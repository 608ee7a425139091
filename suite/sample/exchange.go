package sample

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"sync"
	"time"
)

// outlet is where the messages of one exchange go: a stdio line or one HTTP answer.
type outlet interface {
	// related writes a message that belongs to the exchange and comes before its answer.
	related(m object)
	// final writes the answer; status is the HTTP status that belongs to it, 0 for the usual one.
	final(m any, status int)
	// nothing ends the exchange without an answer.
	nothing()
}

// errCancelled is the cause of a context that the client cancelled.
var errCancelled = errors.New("the client cancelled the request")

// exchange is one request on its way to its answer.
type exchange struct {
	srv    *Server
	ses    *session
	id     any
	method string
	params object
	// modern says that the request speaks 2026-07-28; revision is the revision in force.
	modern   bool
	revision string
	// capabilities are those of the client that hold for this request.
	capabilities object
	// level is the least severe log message that the client wants; -1 for none.
	level int
	token any // of progress; nil for none
	// arrival counts the requests of the server, from 1.
	arrival int
	// held is progress that a fault keeps back.
	held []object
	ctx  context.Context
	stop context.CancelCauseFunc
	out  outlet
	// answerable says that a question can reach the client on the way of this exchange.
	answerable bool

	mu    sync.Mutex
	ended bool
}

// notify sends a notification that belongs to the exchange, unless it is over.
func (x *exchange) notify(method string, params object) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended {
		return
	}
	x.emit(object{"jsonrpc": "2.0", "method": method, "params": params})
}

// emit sends a related message past every fault that rewrites messages.
func (x *exchange) emit(m object) {
	for _, m := range x.srv.rewritten(x, m) {
		x.out.related(m)
	}
}

// end claims the right to answer; it is given once.
func (x *exchange) end() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended {
		return false
	}
	x.ended = true
	return true
}

// answer ends the exchange with a result or a failure. A cancelled exchange ends in silence.
func (x *exchange) answer(result object, f *failure) {
	if errors.Is(context.Cause(x.ctx), errCancelled) && !x.srv.do.cancel.answersTo(x) {
		if x.end() {
			x.out.nothing()
		}
		return
	}
	if !x.end() {
		return
	}
	m := object{"jsonrpc": "2.0", "id": x.id}
	status := 0
	if f != nil {
		for _, rewrite := range x.srv.do.failures {
			f = rewrite(x, f)
		}
		m["error"], status = f.object(), f.status
	} else {
		result = x.complete(result)
		for _, rewrite := range x.srv.do.results {
			result = rewrite(x, result)
		}
		m["result"] = result
	}
	ms := x.srv.rewritten(x, m)
	if len(ms) == 0 {
		x.out.nothing()
		return
	}
	for _, m := range ms[:len(ms)-1] {
		x.out.related(m)
	}
	x.out.final(ms[len(ms)-1], status)
	for _, after := range x.srv.do.afterwards {
		after(x)
	}
}

// complete adds what every result of 2026-07-28 carries.
func (x *exchange) complete(result object) object {
	if !x.modern {
		return result
	}
	if result["resultType"] == nil {
		result["resultType"] = "complete"
	}
	meta := asObject(result["_meta"])
	if meta == nil {
		meta = object{}
	}
	meta[keyServerInfo] = x.srv.info()
	result["_meta"] = meta
	return result
}

// knows says that the revision in force is the given one or a later one.
func (x *exchange) knows(revision string) bool { return x.revision >= revision }

// pause waits, unless the exchange is cancelled first.
func (x *exchange) pause(d time.Duration) error {
	if x.srv.do.cancel.deaf {
		time.Sleep(d)
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-x.ctx.Done():
		return context.Cause(x.ctx)
	}
}

// serve handles the exchange to its end. A panic in a handler is a fault of the
// server and says so without its details.
func (x *exchange) serve() {
	defer x.ses.leave(x)
	defer func() {
		if r := recover(); r != nil {
			x.srv.logf("panic in %s: %v\n%s", x.method, r, debug.Stack())
			x.answer(nil, fail(codeInternal, "Internal error"))
		}
	}()
	if d := x.srv.do.delay; d != nil {
		if err := x.pause(d(x)); err != nil {
			x.answer(nil, fail(codeInternal, "Stopped"))
			return
		}
	}
	for _, take := range x.srv.do.before {
		if take(x) {
			return
		}
	}
	x.answer(x.handle())
}

// progress tells how far a call is, when the caller asked to be told.
func (x *exchange) progress(done, total int, message string) {
	if params := x.srv.do.progress.params(x, done, total, message); params != nil {
		x.srv.do.progress.send(x, params)
	}
}

// progressParams are the params of a right notification; nil when nobody asked.
func progressParams(x *exchange, done, total int, message string) object {
	if x.token == nil {
		return nil
	}
	return object{"progressToken": x.token, "progress": done, "total": total, "message": message}
}

// readToken takes a progress token from _meta; null counts as none.
func readToken(meta object) (any, *failure) {
	switch token := meta["progressToken"].(type) {
	case nil:
		return nil, nil
	case string:
		return token, nil
	case json.Number:
		if isInteger(token) {
			return token, nil
		}
	}
	return nil, fail(codeInvalidParams, "_meta.progressToken must be a string or an integer")
}
