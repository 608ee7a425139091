package sample

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
)

// maxBody is the largest body that is read, in bytes.
const maxBody = 64 << 20

// post takes one message, or a batch where the revision has them.
func (w *web) post(rw http.ResponseWriter, r *http.Request) {
	do := &w.srv.do
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(rw, http.StatusUnsupportedMediaType, nil, fail(codeInvalidRequest, "Content-Type must be application/json"))
		return
	}
	json, sse := do.http.accept(r.Header.Values("Accept"))
	if !json && !sse {
		refuse(rw, http.StatusNotAcceptable, nil, fail(codeInvalidRequest, "Accept must list application/json and text/event-stream"))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(rw, r.Body, maxBody))
	if err != nil {
		status := http.StatusBadRequest
		if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
			status = http.StatusRequestEntityTooLarge
		}
		refuse(rw, status, nil, fail(codeInvalidRequest, "The body could not be read"))
		return
	}
	v, err := decode(tidy(nil, body))
	if err != nil {
		w.refuseFrame(rw, do.envelope.broken, fail(codeParse, "Parse error"), nil)
		return
	}
	out := &answerOutlet{web: w, json: json, sse: sse, streaming: make(chan struct{}), done: make(chan struct{})}
	if batch, ok := v.(list); ok {
		w.postBatch(rw, r, batch, out)
		return
	}
	in := do.envelope.read(v)
	switch in.kind {
	case anInvalid:
		w.refuseFrame(rw, do.envelope.invalid, in.refused, in.id)
	case aRequest:
		w.request(rw, r, in, out)
	default:
		w.note(rw, r, in)
	}
}

func (w *web) refuseFrame(rw http.ResponseWriter, how func(*session, *failure, any) object, f *failure, id any) {
	m := how(w.srv.newSession(), f, id)
	if m == nil {
		rw.WriteHeader(http.StatusBadRequest)
		return
	}
	w.writeJSON(rw, http.StatusBadRequest, m)
}

// note takes a notification or the answer to a question.
func (w *web) note(rw http.ResponseWriter, r *http.Request, in incoming) {
	modern := w.srv.do.modern && (r.Header.Get("MCP-Protocol-Version") == revisionModern || speaksModern(in.params))
	switch {
	case modern && in.kind == aResponse:
		refuse(rw, http.StatusBadRequest, nil, fail(codeInvalidRequest, revisionModern+" has no answers from the client"))
		return
	case modern:
		// A dropped stream is how this revision cancels; there is nothing to note.
	default:
		hs := w.session(rw, r, nil)
		if hs == nil {
			return
		}
		if in.kind == aResponse {
			hs.resolve(in)
			w.srv.do.http.took(rw)
			return
		}
		w.srv.do.envelope.noted(hs.session, in, discard{})
	}
	w.srv.do.http.noted(rw)
}

func accepted(rw http.ResponseWriter) { rw.WriteHeader(http.StatusAccepted) }

// discard takes messages that nobody waits for.
type discard struct{}

func (discard) related(object) {}
func (discard) final(any, int) {}
func (discard) nothing()       {}

// request finds the era and the session of a request and serves it.
func (w *web) request(rw http.ResponseWriter, r *http.Request, in incoming, out *answerOutlet) {
	do := &w.srv.do
	modern := do.modern && (speaksModern(in.params) || r.Header.Get("MCP-Protocol-Version") == revisionModern)
	if modern {
		if out.stays = in.method == "subscriptions/listen"; out.stays && !out.sse {
			refuse(rw, http.StatusNotAcceptable, in.id, fail(codeInvalidRequest, "A subscription needs Accept text/event-stream"))
			return
		}
		hs := w.newWebSession("")
		x := hs.begin(w.ctx, in, out)
		x.modern = true
		if f := do.http.headers(x, r.Header); f != nil {
			f.status = http.StatusBadRequest
			in.refused = f
		}
		w.run(rw, r, x, in.refused, out)
		return
	}
	hs, kept := w.legacySession(rw, r, in)
	if hs == nil {
		return
	}
	out.hs = hs
	x := hs.begin(w.ctx, in, out)
	x.answerable = x.answerable && out.sse && do.http.answersAs != answersJSON
	if !kept {
		// The handshake is done before its answer goes out, so that the id can ride on it.
		x.serve()
		if revision, _, _ := hs.view(); revision != "" && do.http.newID != nil {
			w.keep(hs)
			rw.Header().Set("Mcp-Session-Id", hs.id)
		}
		out.deliver(rw, r, nil)
		return
	}
	w.run(rw, r, x, in.refused, out)
}

// legacySession finds the session of a request, or makes one for a handshake.
func (w *web) legacySession(rw http.ResponseWriter, r *http.Request, in incoming) (hs *webSession, kept bool) {
	do := &w.srv.do
	switch {
	case len(do.revisions) == 0:
		return w.newWebSession(""), true
	case in.method == "initialize" && r.Header.Get("Mcp-Session-Id") == "":
		id := ""
		if do.http.newID != nil {
			id = do.http.newID()
		}
		return w.newWebSession(id), false
	}
	return w.session(rw, r, in.id), true
}

// run serves an exchange and delivers its answer.
func (w *web) run(rw http.ResponseWriter, r *http.Request, x *exchange, refused *failure, out *answerOutlet) {
	if refused != nil {
		x.answer(nil, refused)
		x.ses.leave(x)
	} else {
		go x.serve()
	}
	out.deliver(rw, r, x)
}

// postBatch serves an array in a session of 2025-03-26 and refuses it elsewhere.
func (w *web) postBatch(rw http.ResponseWriter, r *http.Request, batch list, out *answerOutlet) {
	do := &w.srv.do
	hs := w.book.find(r.Header.Get("Mcp-Session-Id"))
	if do.http.newID == nil { // without sessions the header says which revision it is, and none means 2025-03-26
		if hs = w.session(rw, r, nil); hs == nil {
			return
		}
	}
	if hs == nil || len(batch) == 0 || !do.envelope.batches(hs.session) {
		w.refuseFrame(rw, do.envelope.invalid, fail(codeInvalidRequest, "Batches are not supported here"), nil)
		return
	}
	out.hs = hs
	all := &batchOutlet{before: func(m any) { out.related(asObject(m)) }, write: func(answers list) { out.final(answers, 0) }, none: out.nothing, waits: len(batch)}
	requests := 0
	for _, v := range batch {
		in := do.envelope.read(v)
		if in.kind == aRequest || in.kind == anInvalid {
			requests++
		}
		hs.take(w.ctx, in, all)
	}
	if requests == 0 {
		do.http.noted(rw)
		return
	}
	out.deliver(rw, r, nil)
}

// How answers go out.
const (
	answersAuto = iota // JSON, or a stream as soon as something comes before the answer
	answersJSON
	answersSSE
)

// answerOutlet turns the messages of one exchange into one HTTP answer.
type answerOutlet struct {
	web       *web
	hs        *webSession // nil for 2026-07-28
	json, sse bool        // what the client accepts
	// stays is set where the answer is a stream whatever else is preferred.
	stays bool

	mu        sync.Mutex
	stream    *stream
	message   any
	status    int
	streaming chan struct{}
	done      chan struct{}
}

func (o *answerOutlet) related(m object) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.sse || o.web.srv.do.http.answersAs == answersJSON && !o.stays {
		return // nowhere to put it
	}
	o.open()
	o.stream.add(encode(m, o.web.srv.do.order))
}

// open starts the stream; the caller holds the lock.
func (o *answerOutlet) open() {
	if o.stream != nil {
		return
	}
	if o.hs != nil {
		o.stream = o.hs.newStream()
	} else {
		o.stream = &stream{wake: make(chan struct{})}
	}
	close(o.streaming)
}

func (o *answerOutlet) final(m any, status int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	as := o.web.srv.do.http.answersAs
	if o.stream == nil && status == 0 && o.sse && (!o.json || as == answersSSE) {
		o.open()
	}
	if o.stream != nil {
		o.stream.add(encode(m, o.web.srv.do.order))
		o.web.srv.do.http.finish(o.stream)
		return
	}
	o.message, o.status = m, status
	close(o.done)
}

func (o *answerOutlet) nothing() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stream != nil {
		o.stream.finish()
		return
	}
	close(o.done)
}

// deliver writes the answer as soon as there is one. x is the exchange that a
// dropped connection cancels in 2026-07-28; nil for none.
func (o *answerOutlet) deliver(rw http.ResponseWriter, r *http.Request, x *exchange) {
	select {
	case <-o.streaming:
		if !o.web.stream(rw, r, o.stream, 0, o.stream.primed) && r.Context().Err() != nil {
			o.dropped(x)
		}
	case <-o.done:
		if o.message == nil {
			rw.WriteHeader(http.StatusAccepted) // cancelled: there is no answer
			return
		}
		status := o.status
		if status == 0 {
			status = http.StatusOK
		}
		o.web.writeJSON(rw, o.web.srv.do.http.status(x, status), o.web.srv.do.http.wrap(o.message))
	case <-r.Context().Done():
		o.dropped(x)
	case <-o.web.srv.dead:
		panic(http.ErrAbortHandler)
	}
}

func (o *answerOutlet) dropped(x *exchange) {
	if x != nil && o.web.srv.do.cancel.byDrop(x) {
		x.stop(errCancelled)
	}
}

func (w *web) writeJSON(rw http.ResponseWriter, status int, m any) {
	rw.Header().Set("Content-Type", w.srv.do.http.contentType)
	rw.WriteHeader(status)
	rw.Write(encode(m, w.srv.do.order)) //nolint:errcheck // the client may be gone
}

// acceptable reads which of the two content types a client takes. One that does
// not say takes both.
func acceptable(accept []string) (json, sse bool) {
	header := strings.Join(accept, ",")
	if strings.TrimSpace(header) == "" {
		return true, true
	}
	for part := range strings.SplitSeq(header, ",") {
		kind, params, err := mime.ParseMediaType(part)
		if err != nil || params["q"] == "0" {
			continue
		}
		json = json || kind == "application/json" || kind == "application/*" || kind == "*/*"
		sse = sse || kind == "text/event-stream" || kind == "text/*" || kind == "*/*"
	}
	return json, sse
}
