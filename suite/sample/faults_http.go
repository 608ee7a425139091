package sample

import (
	"net/http"
	"strconv"
	"strings"
)

// httpFaults are in Streamable HTTP of the handshake revisions, or of both eras.
func httpFaults() []Fault {
	faults := append(streamFaults(), []Fault{
		{
			Name: "http-session-id", What: "Session ids have a space, which is no visible ASCII character.",
			Checks: ids("http/session-id"), Eras: only(Legacy),
			plant: func(b *behaviour) { b.http.newID = func() string { return newSessionID() + " one" } },
		},
		{
			Name: "http-session-id-secure", What: "Session ids count up, so that anyone can guess them.",
			Checks: ids("http/session-id-secure"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				n := 0
				b.http.newID = func() string { n++; return strconv.Itoa(n) }
			},
		},
		{
			Name: "http-no-session-minted", What: "Answers of 2026-07-28, which has no sessions, hand out a session id.",
			Checks: ids("http/no-session-minted"), Eras: only(Modern),
			plant: func(b *behaviour) {
				onRequest(b, func(w *web, rw http.ResponseWriter, r *http.Request) bool {
					if r.Header.Get("MCP-Protocol-Version") == revisionModern {
						rw.Header().Set("Mcp-Session-Id", newSessionID())
					}
					return false
				})
			},
		},
		{
			Name: "http-unknown-session-404", What: "An unknown session id is refused with 400, so that clients do not begin anew.",
			Checks: ids("http/unknown-session-404"), Collateral: ids("http/delete"), Eras: only(Legacy),
			plant: func(b *behaviour) { b.http.unknownSession = http.StatusBadRequest },
		},
		{
			Name: "http-session-id-required", What: "A request without its session id is refused with 500.",
			Checks: ids("http/session-id-required"), Collateral: ids("http/*"), Eras: only(Legacy),
			plant: func(b *behaviour) { b.http.missingSession = http.StatusInternalServerError },
		},
		{
			Name: "http-get-or-405", What: "GET is answered with 200 and JSON, neither a stream nor 405.",
			Checks: ids("http/get-or-405"), Collateral: ids("http/*", "resources/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.http.get = func(_ *web, rw http.ResponseWriter, _ *http.Request) {
					rw.Header().Set("Content-Type", "application/json")
					rw.Write([]byte(`{"status":"ok"}`)) //nolint:errcheck // the client may be gone
				}
			},
		},
		{
			Name: "http-get-or-405-missing", What: "GET is answered with 404.",
			Checks: ids("http/get-or-405"), Collateral: ids("http/*", "resources/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.http.get = func(_ *web, rw http.ResponseWriter, r *http.Request) { http.NotFound(rw, r) }
			},
		},
		{
			Name: "http-delete", What: "A session that was deleted is still served.",
			Checks: ids("http/delete"), Eras: only(Legacy),
			plant: func(b *behaviour) { b.http.deleteForgets = false },
		},
		{
			Name: "http-accept", What: "A client that lists both content types in another order is refused.",
			Checks: ids("http/accept", "http/accept-forms"), Collateral: ids("http/*"),
			plant: func(b *behaviour) {
				b.http.accept = func(accept []string) (bool, bool) {
					json, sse := acceptable(accept)
					if h := strings.Join(accept, ","); json && sse && !strings.HasPrefix(h, "application/json, text/event-stream") && h != "" {
						return false, false
					}
					return json, sse
				}
			},
		},
		{
			Name: "http-content-type", What: "JSON answers are sent as text/plain.",
			Checks: ids("http/content-type"), Collateral: ids("*"),
			plant: func(b *behaviour) { b.http.contentType = "text/plain" },
		},
		{
			Name: "http-notification-202", What: "Notifications are answered with 200 and a body.",
			Checks: ids("http/notification-202"), Collateral: ids("host-*", "envelope/no-reply-to-notification", "cancellation/*", "envelope/idless-not-executed", "messages/every-message-valid"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.http.noted = func(rw http.ResponseWriter) {
					rw.Header().Set("Content-Type", "application/json")
					rw.Write([]byte(`{"jsonrpc":"2.0","id":null,"result":{}}`)) //nolint:errcheck // the client may be gone
				}
			},
		},
		{
			Name: "http-version-header", What: "Any MCP-Protocol-Version is taken in a session.",
			Checks: ids("http/version-header"), Eras: only(Legacy),
			plant: func(b *behaviour) { b.http.versionOK = func([]string, string) bool { return true } },
		},
		{
			Name: "http-version-header-absent", What: "A request of a session without MCP-Protocol-Version is refused.",
			Checks: ids("http/version-header-absent"), Collateral: ids("host-*", "http/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				onRequest(b, func(_ *web, rw http.ResponseWriter, r *http.Request) bool {
					if r.Method != http.MethodPost || r.Header.Get("Mcp-Session-Id") == "" || r.Header.Get("MCP-Protocol-Version") != "" {
						return false
					}
					refuse(rw, http.StatusBadRequest, nil, fail(codeInvalidRequest, "MCP-Protocol-Version is missing"))
					return true
				})
			},
		},
		{
			Name: "http-origin-refused", What: "A web page of any origin is served.",
			Checks: ids("http/origin-refused"),
			plant:  func(b *behaviour) { b.http.originOK = func(*http.Request) bool { return true } },
		},
		{
			Name: "http-origin-refused-status", What: "A foreign origin is refused with 400, not 403.",
			Checks: ids("http/origin-refused"),
			plant:  func(b *behaviour) { b.http.originStatus = http.StatusBadRequest },
		},
		{
			Name: "http-host-checked", What: "A request to any host name is served, so that a name server can lead pages here.",
			Checks: ids("http/host-checked"),
			plant:  func(b *behaviour) { b.http.hostOK = func(*http.Request) bool { return true } },
		},
		{
			Name: "http-status-codes", What: "Answers that are JSON-RPC errors have status 500.",
			Checks: ids("http/status-codes", "http/error-status"), Collateral: ids("http/*", "opening/*", "*"),
			plant: func(b *behaviour) {
				b.http.status = func(_ *exchange, status int) int {
					if status >= 400 {
						return http.StatusInternalServerError
					}
					return status
				}
				editFailure(b, codeInvalidParams, func(x *exchange, f *failure) { f.status = http.StatusInternalServerError })
			},
		},
	}...)
	for i := range faults {
		faults[i].Transports = only(HTTP)
	}
	return faults
}

// onRequest sees every HTTP request first.
func onRequest(b *behaviour, take func(w *web, rw http.ResponseWriter, r *http.Request) bool) {
	b.http.before = append(b.http.before, take)
}

// streamFaults are in SSE streams.
func streamFaults() []Fault {
	return []Fault{
		{
			Name: "http-content-type-stream", What: "Streams are sent as text/html.",
			Checks: ids("http/content-type"), Collateral: ids("*"),
			plant: func(b *behaviour) { b.http.streamType = "text/html" },
		},
		{
			Name: "http-sse-framing", What: "Events of a stream are not separated by a blank line.",
			Checks: ids("http/sse-framing"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				b.http.frame = func(e event) []byte { return append(writeEvent(e)[:len(writeEvent(e))-2], '\n') }
			},
		},
		{
			Name: "http-sse-framing-split", What: "The data of an event are JSON over several lines without the name of the field.",
			Checks: ids("http/sse-framing"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				b.http.frame = func(e event) []byte {
					return []byte(strings.Replace(string(writeEvent(e)), `,"`, ",\n\"", 1))
				}
			},
		},
		{
			Name: "http-sse-framing-name", What: "Events have another name than message, which clients pass over.",
			Checks: ids("http/sse-framing"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				b.http.frame = func(e event) []byte {
					return []byte(strings.Replace(string(writeEvent(e)), "event: message\n", "event: answer\n", 1))
				}
			},
		},
		{
			Name: "http-json-and-sse", What: "The JSON answer to a call is a list of one answer.",
			Checks: ids("http/json-and-sse"), Collateral: ids("messages/every-message-valid"),
			plant: func(b *behaviour) {
				b.http.wrap = func(m any) any {
					if asObject(asObject(m)["result"])["content"] != nil {
						return list{m}
					}
					return m
				}
			},
		},
		{
			Name: "http-sse-answers", What: "A stream stays open after the answer.",
			Checks: ids("http/sse-answers"), Collateral: ids("http/*", "cancellation/*"),
			plant: func(b *behaviour) { b.http.finish = func(*stream) {} },
		},
		{
			Name: "http-get-stream-clean", What: "Progress goes out on the stream of the call and on the GET stream as well.",
			Checks: ids("http/get-stream-clean"), Collateral: ids("progress/*", "http/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.progress.send = func(x *exchange, params object) {
					x.notify("notifications/progress", params)
					x.ses.push(object{"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
				}
			},
		},
		{
			Name: "http-reconnect", What: "A client that comes back with Last-Event-ID gets the events of another stream.",
			Checks: ids("http/reconnect"), Collateral: ids("cancellation/*", "progress/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.http.resume = func(hs *webSession, eventID string) (*stream, int, bool) {
					st, from, ok := hs.resumed(eventID)
					if other := hs.anotherThan(st); ok && other != nil {
						return other, 0, true
					}
					return st, from, ok
				}
			},
		},
		{
			Name: "http-event-ids", What: "Event ids repeat from stream to stream.",
			Checks: ids("http/event-ids"), Collateral: ids("http/missed-replayed", "http/reconnect", "cancellation/stream-drop"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.http.eventID = func(_ *stream, place string) string { return "event-" + place }
			},
		},
		{
			Name: "http-missed-replayed", What: "A client that comes back with Last-Event-ID, which the server hands out, gets nothing of what it missed.",
			Checks: ids("http/missed-replayed"), Collateral: ids("host-*", "cancellation/stream-drop"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.http.resume = func(hs *webSession, eventID string) (*stream, int, bool) {
					st, _, ok := hs.resumed(eventID)
					if !ok {
						return nil, 0, false
					}
					return st, st.length(), true
				}
			},
		},
	}
}

// anotherThan returns the newest stream of the session beside one.
func (hs *webSession) anotherThan(st *stream) *stream {
	hs.streamsMu.Lock()
	defer hs.streamsMu.Unlock()
	for i := len(hs.streams) - 1; i >= 0; i-- {
		if hs.streams[i] != st && hs.streams[i].length() > 0 {
			return hs.streams[i]
		}
	}
	return nil
}
