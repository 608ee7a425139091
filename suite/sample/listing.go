package sample

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
)

func listTools(x *exchange) (object, *failure) {
	entries := list{}
	for _, t := range x.srv.do.tools {
		entries = append(entries, t.listed())
	}
	for _, edit := range x.srv.do.listing.tools {
		entries = edit(x, entries)
	}
	return x.page("tools", entries, x.srv.do.listing.pageSize)
}

// page cuts a list at the cursor of the request. A size of 0 means one page.
func (x *exchange) page(member string, entries list, size int) (object, *failure) {
	start, f := x.srv.do.listing.start(x, member, len(entries))
	if f != nil {
		return nil, f
	}
	end := len(entries)
	if size > 0 {
		end = min(start+size, end)
	}
	result := object{member: entries[start:end]}
	if end < len(entries) {
		result["nextCursor"] = x.srv.do.listing.next(x, member, end)
	}
	return result, nil
}

// cursor names the entry at which the next page starts. It is bound to its list
// and cannot be made up.
func (s *Server) cursor(member string, at int) string {
	body := member + ":" + strconv.Itoa(at)
	m := hmac.New(sha256.New, []byte(s.opts.Key))
	m.Write([]byte("cursor " + body))
	return base64.RawURLEncoding.EncodeToString([]byte(body + ":" + base64.RawURLEncoding.EncodeToString(m.Sum(nil)[:9])))
}

func nextCursor(x *exchange, member string, at int) any { return x.srv.cursor(member, at) }

// cursorStart reads the cursor of a request; one that this server did not give is refused.
func cursorStart(x *exchange, member string, total int) (int, *failure) {
	given, ok := x.params["cursor"]
	if !ok || given == nil {
		return 0, nil
	}
	refused := fail(codeInvalidParams, "Unknown cursor")
	text, ok := given.(string)
	if !ok {
		return 0, refused
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return 0, refused
	}
	parts := strings.Split(string(raw), ":")
	if len(parts) != 3 || parts[0] != member {
		return 0, refused
	}
	at, err := strconv.Atoi(parts[1])
	if err != nil || at < 0 || at >= total || text != x.srv.cursor(member, at) {
		return 0, refused
	}
	return at, nil
}
