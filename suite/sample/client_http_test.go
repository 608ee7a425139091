package sample

import (
	"bytes"
	"context"
	"net/http"
	"regexp"
	"strings"
	"time"
)

var sessionIDs = regexp.MustCompile(`[A-Z2-7]{26}`)

// post sends one POST and notes status, headers and body.
func (c *client) post(frame string, header map[string]string) string {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.site.URL+endpoint, strings.NewReader(frame))
	if err != nil {
		c.t.Fatal(err)
	}
	h := r.Header
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	c.mirror(h, frame)
	for k, v := range c.header {
		h.Set(k, v)
	}
	for k, v := range header {
		if v == "-" {
			h.Del(k)
			continue
		}
		if k == "Host" {
			r.Host = v
		}
		h.Set(k, v)
	}
	return c.do(r, stop)
}

// mirror sets the headers that the era wants.
func (c *client) mirror(h http.Header, frame string) {
	if c.era == Legacy {
		if c.session != "" {
			h.Set("Mcp-Session-Id", c.session)
		}
		return
	}
	m, err := decode([]byte(frame))
	o := asObject(m)
	if err != nil || o == nil {
		return
	}
	params := asObject(o["params"])
	version := asString(asObject(params["_meta"])[keyVersion])
	if version == "" {
		version = revisionModern
	}
	h.Set("MCP-Protocol-Version", version)
	h.Set("Mcp-Method", asString(o["method"]))
	if member := named()[asString(o["method"])]; member != "" {
		if name, ok := params[member].(string); ok {
			h.Set("Mcp-Name", headerValue(name))
		}
	}
	if args := asObject(params["arguments"]); params["name"] == "word_lookup" {
		if v, ok := args["language"].(string); ok {
			h.Set("Mcp-Param-Language", headerValue(v))
		}
		if v, ok := args["shortest"]; ok {
			h.Set("Mcp-Param-Shortest", string(encode(v, plainOrder)))
		}
	}
}

func headerValue(v string) string {
	for _, b := range []byte(v) {
		if b < 0x20 || b > 0x7e {
			return "=?base64?" + base64Of(v) + "?="
		}
	}
	if strings.TrimSpace(v) != v || v == "" {
		return "=?base64?" + base64Of(v) + "?="
	}
	return v
}

// do sends a request and notes the answer. Reading ends when nothing comes any more.
func (c *client) do(r *http.Request, stop context.CancelFunc) string {
	silent := time.AfterFunc(c.quiet, stop)
	defer silent.Stop()
	res, err := c.wire.RoundTrip(r)
	if err != nil {
		c.note("<%s>", map[bool]string{true: "silence", false: "gone"}[r.Context().Err() != nil])
		return ""
	}
	defer res.Body.Close()
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	c.note("%d %s session=%q buffering=%q challenge=%q allow=%q", res.StatusCode, res.Header.Get("Content-Type"),
		sessionIDs.ReplaceAllString(res.Header.Get("Mcp-Session-Id"), "SESSION"), res.Header.Get("X-Accel-Buffering"),
		strings.ReplaceAll(res.Header.Get("WWW-Authenticate"), r.Host, "HOST"), res.Header.Get("Allow"))
	var body bytes.Buffer
	buf := make([]byte, 64<<10)
	for {
		n, err := res.Body.Read(buf)
		body.Write(buf[:n])
		silent.Reset(c.quiet)
		if data := bytes.SplitAfter(buf[:n], []byte("data: ")); len(data) > 1 {
			for _, d := range data[1:] {
				if m, err := decode(bytes.SplitN(d, []byte("\n"), 2)[0]); err == nil && asObject(m)["method"] != nil {
					c.respond(asObject(m), nil)
				}
			}
		}
		if err != nil {
			c.note("%s", short(strings.ReplaceAll(body.String(), r.Host, "HOST")))
			if r.Context().Err() != nil {
				c.note("<silence>")
			}
			return body.String()
		}
	}
}
