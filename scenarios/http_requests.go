package scenarios

import (
	"net/http"

	"github.com/agntn/conform/fakes"
)

// headers are what a right client sends with a POST of the session: name is
// what Mcp-Name repeats, "" for a method without one. The caller may change them.
func (v *Voice) headers(method, name string) http.Header {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	v.sessionHeaders(h)
	if v.Modern() {
		if method != "" {
			h.Set("Mcp-Method", method)
		}
		if name != "" {
			h.Set("Mcp-Name", fakes.HeaderValue(name))
		}
	}
	return h
}

// sessionHeaders are those that every request of the session carries.
func (v *Voice) sessionHeaders(h http.Header) {
	if v.Revision >= fakes.Rev20250618 {
		h.Set("Mcp-Protocol-Version", v.Revision)
	}
	if id := v.SessionID(); id != "" && !v.Modern() {
		h.Set("Mcp-Session-Id", id)
	}
}
