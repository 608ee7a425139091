package sample

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
)

// peek reads the message of a POST and leaves the body to be read again.
func peek(r *http.Request) object {
	if r.Method != http.MethodPost {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	r.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	v, err := decode(body)
	if err != nil {
		return nil
	}
	return asObject(v)
}

// httpMoreFaults are lesser deviations of Streamable HTTP.
func httpMoreFaults() []Fault {
	legacy, modern := only(Legacy), only(Modern)
	isModern := func(r *http.Request) bool { return r.Header.Get("MCP-Protocol-Version") == revisionModern }
	replacing := func(place int, check headerCheck) func(b *behaviour) {
		return func(b *behaviour) { b.http.headerChecks[place] = check }
	}
	faults := []Fault{
		{
			Name: "http-endpoint", What: "The address does not take POST for one of the methods.",
			Checks: ids("http/endpoint"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				onRequest(b, func(_ *web, rw http.ResponseWriter, r *http.Request) bool {
					taken := asString(peek(r)["method"]) == "tools/list"
					if taken {
						rw.WriteHeader(http.StatusMethodNotAllowed)
					}
					return taken
				})
			},
		},
		{
			Name: "http-base64-marker-exact", What: "The marks of base64 count in capitals too.",
			Checks: ids("http/base64-marker-exact"), Eras: modern,
			plant: func(b *behaviour) {
				b.http.decode = func(v string) (string, bool) {
					if head := "=?base64?"; len(v) > len(head) && strings.EqualFold(v[:len(head)], head) {
						v = head + v[len(head):]
					}
					return decodeHeader(v)
				}
			},
		},
		{
			Name: "http-name-header-broken-base64", What: "An Mcp-Name with the marks of base64 around something else is let through.",
			Checks: ids("http/name-header-broken-base64"), Collateral: ids("http/*"), Eras: modern,
			plant: replacing(2, func(x *exchange, h http.Header, v string) *failure {
				if _, ok := decodeHeader(h.Get("Mcp-Name")); !ok {
					return nil
				}
				return checkNameHeader(x, h, v)
			}),
		},
		{
			Name: "http-param-unknown-ignored", What: "An Mcp-Param header that no tool defines is refused.",
			Checks: ids("http/param-unknown-ignored"), Collateral: ids("http/param-headers"), Eras: modern,
			plant: replacing(3, func(x *exchange, h http.Header, v string) *failure {
				for name := range h {
					if strings.HasPrefix(name, "Mcp-Param-") && !slices.Contains([]string{"Mcp-Param-Language", "Mcp-Param-Shortest"}, name) {
						return mismatch(name, "is not known")
					}
				}
				return checkParamHeaders(x, h, v)
			}),
		},
		{
			Name: "http-client-response-refused", What: "A response of the client is accepted in 2026-07-28, which has none.",
			Checks: ids("http/client-response-refused"), Eras: modern,
			plant: func(b *behaviour) {
				onRequest(b, func(_ *web, rw http.ResponseWriter, r *http.Request) bool {
					m := peek(r)
					taken := isModern(r) && m != nil && m["method"] == nil && (m["result"] != nil || m["error"] != nil)
					if taken {
						accepted(rw)
					}
					return taken
				})
			},
		},
		{
			Name: "http-response-202", What: "A response of the client is answered with 200 and a body.",
			Checks: ids("http/response-202"), Collateral: ids("elicitation/*", "messages/every-message-valid"), Eras: legacy,
			plant: func(b *behaviour) {
				b.http.took = func(rw http.ResponseWriter) { rw.Write([]byte(`{"status":"thanks"}`)) } //nolint:errcheck // the client may be gone
			},
		},
		{
			Name: "http-delete-status", What: "DELETE with a session id ends in status 500.",
			Checks: ids("http/delete-status"), Collateral: ids("http/delete"), Eras: legacy,
			plant: func(b *behaviour) {
				onRequest(b, func(_ *web, rw http.ResponseWriter, r *http.Request) bool {
					taken := r.Method == http.MethodDelete && !isModern(r)
					if taken {
						refuse(rw, http.StatusInternalServerError, nil, fail(codeInternal, "Internal error"))
					}
					return taken
				})
			},
		},
		{
			Name: "http-old-sse-transport", What: "GET opens the transport of 2024-11-05, which names a second address.",
			Checks: ids("http/old-sse-transport"), Collateral: ids("http/*"), Eras: legacy,
			plant: func(b *behaviour) {
				right := b.http.get
				b.http.get = func(w *web, rw http.ResponseWriter, r *http.Request) {
					if r.Header.Get("Mcp-Session-Id") != "" || isModern(r) {
						right(w, rw, r)
						return
					}
					rw.Header().Set("Content-Type", "text/event-stream")
					rw.Write([]byte("event: endpoint\ndata: /messages?session=1\n\n")) //nolint:errcheck // the client may be gone
				}
			},
		},
		{
			Name: "http-origin-refusal-shape", What: "The refusal of an origin has the id null.",
			Checks: ids("http/origin-refusal-shape"), Collateral: ids("http/origin-refused", "messages/odd-json"),
			plant: func(b *behaviour) {
				onRequest(b, func(_ *web, rw http.ResponseWriter, r *http.Request) bool {
					if localOrigin(r) {
						return false
					}
					rw.Header().Set("Content-Type", "application/json")
					rw.WriteHeader(http.StatusForbidden)
					rw.Write([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Origin not allowed"}}`)) //nolint:errcheck // the client may be gone
					return true
				})
			},
		},
		{
			Name: "http-bind-localhost", What: "The server listens on every network interface.",
			Checks: ids("http/bind-localhost"),
			plant:  func(b *behaviour) { b.process.AllInterfaces = true },
		},
	}
	faults = append(faults, streamMoreFaults()...)
	for i := range faults {
		faults[i].Transports = only(HTTP)
	}
	return faults
}

// streamMoreFaults are lesser deviations of SSE streams.
func streamMoreFaults() []Fault {
	return []Fault{
		{
			Name: "http-event-id-names-stream", What: "Event ids are handed out, and nobody can come back with one.",
			Checks: ids("http/event-id-names-stream"), Collateral: ids("http/missed-replayed", "http/reconnect"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				right := b.http.get
				b.http.get = func(w *web, rw http.ResponseWriter, r *http.Request) {
					if r.Header.Get("Last-Event-ID") != "" {
						refuse(rw, http.StatusBadRequest, nil, fail(codeInvalidRequest, "Streams cannot be taken up again"))
						return
					}
					right(w, rw, r)
				}
			},
		},
		{
			Name: "http-priming-event", What: "A stream begins without the event that lets a client come back.",
			Checks: ids("http/priming-event"), Eras: only(Legacy),
			plant: func(b *behaviour) { b.http.unprimed = true },
		},
		{
			Name: "http-sse-keepalive", What: "A quiet stream of a subscription carries events that are no messages.",
			Checks: ids("http/sse-keepalive"), Collateral: ids("http/*", "messages/*", "subscriptions/*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				b.http.frame = func(e event) []byte {
					framed := writeEvent(e)
					if bytes.Contains(e.data, []byte("subscriptions/acknowledged")) {
						framed = append(framed, "data: ping\n\n"...)
					}
					return framed
				}
			},
		},
		{
			Name: "http-sse-one-line", What: "The data of an event stand on several lines.",
			Checks: ids("http/sse-one-line"), Collateral: ids("host-*", "clients/*"),
			plant: func(b *behaviour) {
				b.http.frame = func(e event) []byte {
					return bytes.Replace(writeEvent(e), []byte(`,"`), []byte(",\ndata: \""), 1)
				}
			},
		},
		{
			Name: "http-sse-related", What: "Progress of a call comes on the streams of other calls too.",
			Checks: ids("http/sse-related"), Collateral: ids("http/*", "progress/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.progress.send = func(x *exchange, params object) {
					x.notify("notifications/progress", params)
					for _, other := range x.ses.others(x) {
						other.notify("notifications/progress", params)
					}
				}
			},
		},
	}
}
