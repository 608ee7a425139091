package sample

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
)

// session is what the server remembers of one client: a stdio line, or an HTTP
// session of a handshake revision. Requests of 2026-07-28 use it for nothing but
// finding the request that a cancellation names.
type session struct {
	srv *Server
	id  string
	// number counts the sessions of the server, from 1.
	number int
	// push sends what belongs to no request, and reports whether there is a way to.
	push func(m object) bool
	// answerable says that the client can answer questions on this transport.
	answerable bool

	mu           sync.Mutex
	revision     string // of the handshake; "" before it
	capabilities object
	level        int
	subscribed   map[string]bool
	running      map[string][]*exchange
	pending      map[string]chan incoming
	asked        int
	closed       bool
	work         sync.WaitGroup
}

func (s *Server) newSession() *session {
	return &session{
		srv: s, number: s.tally("sessions"), level: -1, answerable: true, push: func(object) bool { return false },
		subscribed: map[string]bool{}, running: map[string][]*exchange{}, pending: map[string]chan incoming{},
	}
}

// enter makes a request known, so that a cancellation finds it.
func (ses *session) enter(x *exchange) {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	key := idKey(x.id)
	ses.running[key] = append(ses.running[key], x)
	ses.work.Add(1)
}

func (ses *session) leave(x *exchange) {
	ses.mu.Lock()
	key := idKey(x.id)
	left := ses.running[key][:0:0]
	for _, other := range ses.running[key] {
		if other != x {
			left = append(left, other)
		}
	}
	if len(left) == 0 {
		delete(ses.running, key)
	} else {
		ses.running[key] = left
	}
	ses.mu.Unlock()
	x.stop(nil)
	ses.work.Done()
}

// cancel stops the running request of that id. Unknown, finished and malformed
// ids are ignored, and so is a cancellation of the handshake, which cannot be cancelled.
func (ses *session) cancel(params object) {
	id := readID(params["requestId"])
	if id == nil || !ses.srv.do.cancel.hears(id) {
		return
	}
	ses.mu.Lock()
	running := append([]*exchange(nil), ses.running[idKey(id)]...)
	ses.mu.Unlock()
	for _, x := range running {
		x.stop(errCancelled)
	}
}

// stopAll ends every running request without an answer.
func (ses *session) stopAll() {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	for _, xs := range ses.running {
		for _, x := range xs {
			x.stop(errCancelled)
		}
	}
}

// close takes away the hope that pending questions will be answered.
func (ses *session) close() {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	ses.closed = true
	for id, ch := range ses.pending {
		close(ch)
		delete(ses.pending, id)
	}
}

func (ses *session) isClosed() bool {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	return ses.closed
}

// open registers a question and returns its id and where its answer will come.
func (ses *session) open() (id any, answer chan incoming) {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	ses.asked++
	// Counted from one: some clients ignore a cancellation of request 0.
	id, answer = json.Number(strconv.Itoa(ses.asked)), make(chan incoming, 1)
	if ses.srv.do.asking.sameID {
		id = json.Number("1")
	}
	if ses.closed {
		close(answer)
	} else {
		ses.pending[idKey(id)] = answer
	}
	return id, answer
}

// resolve hands an answer to its question. Late and double answers find nobody.
func (ses *session) resolve(in incoming) {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	ch, ok := ses.pending[idKey(in.id)]
	if !ok {
		ses.srv.do.asking.stray(ses)
		return
	}
	delete(ses.pending, idKey(in.id))
	ch <- in
}

// forget closes a question that is asked no more.
func (ses *session) forget(id any) {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	delete(ses.pending, idKey(id))
}

// view returns what the handshake settled.
func (ses *session) view() (revision string, capabilities object, level int) {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	return ses.revision, ses.capabilities, ses.level
}

// begin makes an exchange of a request.
func (ses *session) begin(ctx context.Context, in incoming, out outlet) *exchange {
	x := &exchange{
		srv: ses.srv, ses: ses, id: in.id, method: in.method, params: in.params, out: out,
		level: -1, answerable: ses.answerable, arrival: ses.srv.tally("requests"),
	}
	x.ctx, x.stop = context.WithCancelCause(ctx)
	x.modern = ses.srv.do.modern && speaksModern(in.params)
	ses.enter(x)
	return x
}

// take handles one message of a line or a batch; out is where its answer goes.
func (ses *session) take(ctx context.Context, in incoming, out outlet) {
	do := &ses.srv.do
	switch in.kind {
	case anInvalid:
		if m := do.envelope.invalid(ses, in.refused, in.id); m != nil {
			out.final(m, 0)
		} else {
			out.nothing()
		}
	case aResponse:
		ses.resolve(in)
		out.nothing()
	case aNotification:
		do.envelope.noted(ses, in, out)
	case aRequest:
		x := ses.begin(ctx, in, out)
		switch {
		case in.refused != nil:
			x.answer(nil, in.refused)
			ses.leave(x)
		case ses.srv.slow(in) && !do.stdio.sequential:
			go x.serve()
		default:
			x.serve()
		}
	}
}

// answersTo says whether a cancelled exchange is answered, which is a fault.
func (b *cancelBehaviour) answersTo(x *exchange) bool {
	return b.answers || b.answersListen && x.method == "subscriptions/listen"
}
