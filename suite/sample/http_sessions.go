package sample

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// maxSessions bounds how many sessions are kept; the oldest goes first.
const maxSessions = 1000

// maxStreams bounds how many streams of a session can be resumed.
const maxStreams = 32

// webSession is a session of a handshake revision over HTTP.
type webSession struct {
	*session

	streamsMu sync.Mutex
	streams   []*stream
	count     int
	// standing is the stream that GET opened last; nil before.
	standing *stream
}

// openStanding makes the stream for what belongs to no request; nil when the
// session has a listener already.
func (hs *webSession) openStanding() *stream {
	if hs.standingStream().busy() {
		return nil
	}
	st := hs.newStream()
	st.claimed = true
	hs.streamsMu.Lock()
	defer hs.streamsMu.Unlock()
	if hs.standing != nil {
		hs.standing.finish()
	}
	hs.standing = st
	return st
}

func (hs *webSession) standingStream() *stream {
	hs.streamsMu.Lock()
	defer hs.streamsMu.Unlock()
	return hs.standing
}

// newStream makes a stream that can be resumed while it is among the newest.
func (hs *webSession) newStream() *stream {
	hs.streamsMu.Lock()
	defer hs.streamsMu.Unlock()
	revision, _, _ := hs.view()
	hs.count++
	st := &stream{name: hs.streamName(), numbered: true, primed: revision >= "2025-11-25", wake: make(chan struct{})}
	hs.streams = append(hs.streams, st)
	if len(hs.streams) > maxStreams {
		hs.streams = slices.Delete(hs.streams, 0, 1)
	}
	return st
}

// streamName is the part of event ids that names a stream. Without a session id
// it has to differ from that of any other stream of the server.
func (hs *webSession) streamName() string {
	if hs.id == "" {
		return "s" + string(num(hs.number)) + "." + string(num(hs.count))
	}
	return string(num(hs.count))
}

// find returns the stream that an event id names, and the event after it.
func (hs *webSession) find(eventID string) (*stream, int, bool) {
	name, number, ok := strings.Cut(eventID, "-")
	if !ok {
		return nil, 0, false
	}
	hs.streamsMu.Lock()
	defer hs.streamsMu.Unlock()
	for _, st := range hs.streams {
		if st.name == name {
			from, ok := st.after(number)
			return st, from, ok
		}
	}
	return nil, 0, false
}

// book keeps the sessions by their id.
type book struct {
	mu    sync.Mutex
	byID  map[string]*webSession
	order []string
}

func newBook() *book { return &book{byID: map[string]*webSession{}} }

func (b *book) find(id string) *webSession {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.byID[id]
}

func (b *book) all() []*webSession {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]*webSession, 0, len(b.byID))
	for _, id := range b.order {
		out = append(out, b.byID[id])
	}
	return out
}

// add keeps a session and returns the one that had to go for it, if any.
func (b *book) add(hs *webSession) (gone *webSession) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.byID[hs.id] = hs
	b.order = append(b.order, hs.id)
	if len(b.order) > maxSessions {
		gone = b.byID[b.order[0]]
	}
	return gone
}

func (b *book) remove(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.byID, id)
	b.order = slices.DeleteFunc(b.order, func(other string) bool { return other == id })
}

// newWebSession makes a session that is not kept yet.
func (w *web) newWebSession(id string) *webSession {
	hs := &webSession{session: w.srv.newSession()}
	hs.id = id
	hs.push = func(m object) bool {
		st := hs.standingStream()
		return st != nil && st.add(encode(m, w.srv.do.order))
	}
	return hs
}

func (w *web) keep(hs *webSession) {
	w.srv.admitSession(hs.session)
	if gone := w.book.add(hs); gone != nil {
		w.end(gone)
	}
}

// end forgets a session and stops what it has open.
func (w *web) end(hs *webSession) {
	w.book.remove(hs.id)
	w.srv.dropSession(hs.session)
	hs.close()
	hs.stopAll()
	if st := hs.standingStream(); st != nil {
		st.finish()
	}
}

// session finds the session that a request names, or writes why not. With
// stateless sessions every request gets one of its own.
func (w *web) session(rw http.ResponseWriter, r *http.Request, id any) *webSession {
	do := &w.srv.do.http
	version := r.Header.Get("MCP-Protocol-Version")
	if version != "" && !do.versionOK(w.srv.do.revisions, version) {
		refuse(rw, http.StatusBadRequest, id, fail(codeInvalidRequest, "Unsupported MCP-Protocol-Version "+quoted(bounded(version, maxEcho))))
		return nil
	}
	if do.newID == nil {
		hs := w.newWebSession("")
		hs.answerable, hs.revision, hs.capabilities = false, "2025-03-26", object{}
		if version != "" {
			hs.revision = version
		}
		return hs
	}
	name := r.Header.Get("Mcp-Session-Id")
	if name == "" {
		refuse(rw, do.missingSession, id, fail(codeInvalidParams,
			"Mcp-Session-Id is missing; a request of "+revisionModern+" would need its _meta instead"))
		return nil
	}
	hs := w.book.find(name)
	if hs == nil {
		refuse(rw, do.unknownSession, id, fail(codeInvalidRequest, "Session not found"))
	}
	return hs
}

// newSessionID is hard to guess and made of visible ASCII.
func newSessionID() string { return rand.Text() }
