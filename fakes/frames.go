package fakes

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
	"golang.org/x/net/http/httpguts"
)

// Keys of the modern era's _meta.
const (
	MetaVersion      = "io.modelcontextprotocol/protocolVersion"
	MetaClientInfo   = "io.modelcontextprotocol/clientInfo"
	MetaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// request writes a request frame in the client's order of members.
func (s *Session) request(a Ask, id string) []byte {
	own := a.Params != nil || s.Profile.Asking.Meta != nil
	aside := a.ID != "" && (a.Method == "server/discover" || a.Method == "subscriptions/listen")
	return s.order().request(a.Method, s.params(a, id), id, own, aside)
}

func (s *Session) notification(a Ask) []byte {
	return s.order().notification(a.Method, s.params(a, ""))
}

func (s *Session) order() frameOrder { return frameOrder(s.Profile.Asking.Order) }

// params adds _meta and puts the members in the client's order.
func (s *Session) params(a Ask, id string) json.RawMessage {
	return arrange(s.withMeta(a, id), s.Profile.Asking.Members[a.Method])
}

// withMeta adds _meta: the modern era's envelope, the client's own keys, a progress token.
func (s *Session) withMeta(a Ask, id string) json.RawMessage {
	meta := s.meta(a, id)
	if meta == "" {
		return a.Params
	}
	base := a.Params
	if base == nil {
		base = json.RawMessage(`{}`)
	}
	if !gjson.ParseBytes(base).IsObject() {
		return a.Params // a params of another kind is the probe itself
	}
	if own := gjson.GetBytes(base, "_meta"); own.Exists() {
		merged := meta
		own.ForEach(func(k, v gjson.Result) bool {
			merged, _ = sjson.SetRaw(merged, escapePath(k.Str), v.Raw)
			return true
		})
		out, err := sjson.SetRawBytes(base, "_meta", []byte(merged))
		if err != nil {
			return base
		}
		return out
	}
	body := strings.TrimSpace(string(base))
	if s.order().metaFirst(a.Method) {
		if body == "{}" {
			return json.RawMessage(`{"_meta":` + meta + `}`)
		}
		return json.RawMessage(`{"_meta":` + meta + `,` + body[1:])
	}
	if body == "{}" {
		return json.RawMessage(`{"_meta":` + meta + `}`)
	}
	return json.RawMessage(body[:len(body)-1] + `,"_meta":` + meta + `}`)
}

func (s *Session) meta(a Ask, id string) string {
	var parts []string
	probe := gjson.ParseBytes(a.Meta).Map() // what the probe sets takes the place of the client's own
	add := func(k, raw string) {
		if _, ok := probe[k]; !ok {
			parts = append(parts, strconv.Quote(k)+":"+raw)
		}
	}
	if s.Modern() && !a.Bare {
		caps := a.Capabilities
		if caps == nil {
			caps = s.Capabilities
		}
		if caps == nil {
			caps = json.RawMessage(`{}`)
		}
		add(MetaVersion, strconv.Quote(s.Revision))
		if s.Profile.ClientInfo != nil {
			add(MetaClientInfo, string(s.Profile.ClientInfo))
		}
		add(MetaCapabilities, string(caps))
	}
	if id != "" && !a.Bare && !opens(a.Method) {
		for _, own := range s.ownMeta(a.Method) {
			gjson.ParseBytes(own).ForEach(func(k, v gjson.Result) bool {
				add(k.Str, v.Raw)
				return true
			})
		}
	}
	if token := s.token(a, id); token != "" {
		add("progressToken", token)
	}
	gjson.ParseBytes(a.Meta).ForEach(func(k, v gjson.Result) bool {
		parts = append(parts, k.Raw+":"+v.Raw)
		return true
	})
	if len(parts) == 0 {
		return ""
	}
	return string(arrange(object(parts...), s.Profile.Asking.Members["_meta"]))
}

// opens says that a method belongs to the opening, on which clients put
// nothing of their own.
func opens(method string) bool {
	return method == "initialize" || method == "server/discover" || method == "subscriptions/listen"
}

func (s *Session) ownMeta(method string) []json.RawMessage {
	if method == "tools/call" {
		return []json.RawMessage{s.Profile.Asking.Meta, s.Profile.Asking.CallMeta}
	}
	return []json.RawMessage{s.Profile.Asking.Meta}
}

// token is the progress token the client sends by itself.
func (s *Session) token(a Ask, id string) string {
	if a.NoToken || id == "" || gjson.GetBytes(a.Meta, "progressToken").Exists() {
		return ""
	}
	if a.Method != "tools/call" && !s.Profile.Asking.TokenOnAll {
		return ""
	}
	switch s.Profile.Asking.ProgressToken {
	case "id":
		return id
	case "counter":
		s.mu.Lock()
		defer s.mu.Unlock()
		s.counter++
		return strconv.FormatInt(s.counter-1, 10)
	case "uuid":
		b := make([]byte, 16)
		_, _ = rand.Read(b)
		b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
		h := hex.EncodeToString(b)
		return `"` + h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:] + `"`
	}
	return ""
}

// header is the HTTP header of one POST.
func (s *Session) header(a Ask) http.Header {
	if !s.http {
		return nil
	}
	h := s.sessionHeader()
	h.Set("Content-Type", "application/json")
	if h.Get("Accept") == "" {
		h.Set("Accept", "application/json, text/event-stream")
	}
	if s.Modern() {
		h.Set("Mcp-Protocol-Version", s.Revision)
		if a.Method != "" {
			h.Set("Mcp-Method", a.Method)
		}
		s.nameHeaders(h, a)
	}
	for k, v := range a.Header {
		h[http.CanonicalHeaderKey(k)] = v
	}
	return h
}

// sessionHeader holds what every request of the session carries.
func (s *Session) sessionHeader() http.Header {
	h := http.Header{}
	for k, v := range s.Profile.HTTP.Headers {
		h.Set(k, v)
	}
	if ua := s.Profile.HTTP.UserAgent; ua != "" {
		h.Set("User-Agent", ua)
	}
	if s.Revision == "" && s.Profile.HTTP.VersionOnInitialize {
		h.Set("Mcp-Protocol-Version", s.Profile.Opening.Legacy)
	}
	if s.Modern() || s.Revision == "" {
		return h
	}
	s.mu.Lock()
	id := s.sessionID
	s.mu.Unlock()
	if id != "" && !s.Profile.HTTP.NoSession {
		h.Set("Mcp-Session-Id", id)
	}
	if !s.Profile.HTTP.NoVersionHeader && s.Revision >= Rev20250618 {
		h.Set("Mcp-Protocol-Version", s.Revision)
	}
	return h
}

// headerMark is the member of a property that says which header mirrors it.
const headerMark = "x-mcp-header"

// nameHeaders mirrors the name and the marked arguments, as the modern era asks.
func (s *Session) nameHeaders(h http.Header, a Ask) {
	params := gjson.ParseBytes(a.Params)
	switch a.Method {
	case "tools/call", "prompts/get":
		if n := params.Get("name"); n.Type == gjson.String {
			h.Set("Mcp-Name", HeaderValue(n.Str))
		}
	case "resources/read":
		if n := params.Get("uri"); n.Type == gjson.String {
			h.Set("Mcp-Name", HeaderValue(n.Str))
		}
	}
	if a.Method != "tools/call" || !s.Profile.HTTP.ParamHeaders {
		return
	}
	s.mu.Lock()
	tool, ok := s.listing[params.Get("name").Str]
	s.mu.Unlock()
	if !ok {
		return
	}
	paramHeaders(tool.Get("inputSchema"), params.Get("arguments"), h, 0)
}

func paramHeaders(schema, args gjson.Result, h http.Header, depth int) {
	if depth > 8 || !args.IsObject() {
		return
	}
	schema.Get("properties").ForEach(func(k, sub gjson.Result) bool {
		v := args.Get(escapePath(k.Str))
		if !v.Exists() {
			return true
		}
		if name := sub.Get(headerMark); name.Type == gjson.String && httpguts.ValidHeaderFieldName(name.Str) {
			switch v.Type {
			case gjson.String:
				h.Set("Mcp-Param-"+name.Str, HeaderValue(v.Str))
			case gjson.True, gjson.False, gjson.Number:
				h.Set("Mcp-Param-"+name.Str, v.Raw)
			}
		}
		paramHeaders(sub, v, h, depth+1)
		return true
	})
}

// HeaderValue writes a value for Mcp-Name and Mcp-Param headers: as it is when
// it is printable ASCII without outer spaces, else in the base64 form.
func HeaderValue(v string) string {
	plain := v != "" && strings.TrimSpace(v) == v && !(strings.HasPrefix(v, "=?base64?") && strings.HasSuffix(v, "?="))
	for i := 0; plain && i < len(v); i++ {
		if (v[i] < 0x20 && v[i] != '\t') || v[i] >= 0x7f {
			plain = false
		}
	}
	if plain && utf8.ValidString(v) {
		return v
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(v)) + "?="
}

// escapePath makes a member name safe as a gjson or sjson path.
func escapePath(name string) string {
	var b strings.Builder
	for _, r := range name {
		if strings.ContainsRune(`.*?\|#@!{}[]()=<>%"':`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
