package sample

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// endpoint is the one path that takes all messages, of both eras.
const endpoint = "/mcp"

// web is the HTTP side of a server.
type web struct {
	srv  *Server
	book *book
	// ctx ends when the server does; requests of handshake revisions outlive their connection.
	ctx  context.Context
	stop context.CancelFunc
}

// Handler serves Streamable HTTP at /mcp: the handshake revisions with sessions
// and 2026-07-28 without. It is safe for concurrent use.
func (s *Server) Handler() http.Handler {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.web == nil {
		w := &web{srv: s, book: newBook()}
		w.ctx, w.stop = context.WithCancel(context.Background())
		s.web = w
	}
	return s.web
}

// endSessions ends what is open, before the server goes down.
func (s *Server) endSessions() {
	s.mu.Lock()
	w := s.web
	s.mu.Unlock()
	if w == nil {
		return
	}
	for _, hs := range w.book.all() {
		w.end(hs)
	}
	s.endSubscriptions(nil)
	w.stop()
}

// ServeHTTP guards the door and sends each method its way.
func (w *web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	select {
	case <-w.srv.dead:
		panic(http.ErrAbortHandler)
	default:
	}
	do := &w.srv.do.http
	for _, take := range do.before {
		if take(w, rw, r) {
			return
		}
	}
	switch {
	case !do.hostOK(r):
		refuse(rw, do.hostStatus, nil, fail(codeInvalidRequest, "Host not allowed"))
	case !do.originOK(r):
		refuse(rw, do.originStatus, nil, fail(codeInvalidRequest, "Origin not allowed"))
	case do.metadata != nil && strings.HasPrefix(r.URL.Path, "/.well-known/"):
		do.metadata(rw, r)
	case r.URL.Path != endpoint:
		http.NotFound(rw, r)
	case do.authorize != nil && !do.authorize(rw, r):
		// the refusal is written
	case r.Method == http.MethodPost:
		w.post(rw, r)
	case r.Method == http.MethodGet:
		do.get(w, rw, r)
	case r.Method == http.MethodDelete:
		w.delete(rw, r)
	default:
		notAllowed(rw)
	}
}

// refuse writes an HTTP error with a JSON-RPC error as its body; id is nil where it is not known.
func refuse(rw http.ResponseWriter, status int, id any, f *failure) {
	m := object{"jsonrpc": "2.0", "error": f.object()}
	if id != nil {
		m["id"] = id
	}
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(status)
	rw.Write(encode(m, plainOrder)) //nolint:errcheck // the client may be gone
}

func notAllowed(rw http.ResponseWriter) {
	rw.Header().Set("Allow", "POST, GET, DELETE")
	refuse(rw, http.StatusMethodNotAllowed, nil, fail(codeInvalidRequest, "Method not allowed"))
}

// localHost wants a Host that a name server cannot have made up: loopback or an address.
func localHost(r *http.Request) bool {
	host := hostOnly(r.Host)
	return host == "localhost" || net.ParseIP(host) != nil
}

// localOrigin lets clients that are no web page through, and pages of this machine.
func localOrigin(r *http.Request) bool {
	given, sent := r.Header["Origin"]
	if !sent {
		return true
	}
	u, err := url.Parse(strings.Join(given, ","))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() || u.Host == r.Host
}

func hostOnly(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return strings.Trim(host, "[]")
}

// openGet opens the stream for what belongs to no request. It is part of the
// handshake revisions; a client without a session cannot have one.
func openGet(w *web, rw http.ResponseWriter, r *http.Request) {
	id := r.Header.Get("Mcp-Session-Id")
	version := r.Header.Get("MCP-Protocol-Version")
	if len(w.srv.do.revisions) == 0 || id == "" || version == revisionModern && w.srv.do.modern {
		notAllowed(rw)
		return
	}
	hs := w.session(rw, r, nil)
	if hs == nil {
		return
	}
	if _, sse := w.srv.do.http.accept(r.Header.Values("Accept")); !sse {
		refuse(rw, http.StatusNotAcceptable, nil, fail(codeInvalidRequest, "Accept must list text/event-stream"))
		return
	}
	if st, from, ok := w.srv.do.http.resume(hs, r.Header.Get("Last-Event-ID")); ok {
		w.stream(rw, r, st, from, false)
		return
	}
	st := hs.openStanding()
	if st == nil {
		refuse(rw, http.StatusConflict, nil, fail(codeInvalidRequest, "The session has its stream already"))
		return
	}
	defer st.release()
	w.stream(rw, r, st, 0, st.primed)
}

// delete ends a session.
func (w *web) delete(rw http.ResponseWriter, r *http.Request) {
	if len(w.srv.do.revisions) == 0 || r.Header.Get("MCP-Protocol-Version") == revisionModern && w.srv.do.modern {
		notAllowed(rw)
		return
	}
	hs := w.session(rw, r, nil)
	if hs == nil {
		return
	}
	if w.srv.do.http.deleteForgets {
		w.end(hs)
	}
	rw.WriteHeader(http.StatusNoContent)
}
