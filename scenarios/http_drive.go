package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

const (
	// peekFor is how long a stream that may stay open is looked at.
	peekFor = 700 * time.Millisecond
	// missedFor is how long a broken stream is left alone, so that something is missed.
	missedFor = 500 * time.Millisecond
	// mintedSessions is how many sessions are opened to compare their ids.
	mintedSessions = 6
	// foreignOrigin and foreignHost are nobody's.
	foreignOrigin, foreignHost = "http://evil.example", "evil.example"
)

// driveHTTP has what needs sessions of its own done beside the rest.
func driveHTTP(ctx context.Context, d *Drive) error {
	var aside sync.WaitGroup
	defer aside.Wait()
	if !d.Facts.Modern() {
		aside.Go(func() { resumeStreams(ctx, d) })
		aside.Go(func() { mintSessions(ctx, d) })
		aside.Go(func() { endSession(ctx, d) })
	}
	v, err := d.Fresh(ctx, fakes.Want{NoLists: true, Purpose: "odd requests over HTTP"})
	if v == nil || err != nil {
		return err
	}
	defer v.Done()
	method, _ := harmless(d.Facts)
	v.Each(ctx, doorAsks(method, address(v)))
	otherAddress(ctx, d, address(v))
	if d.Facts.Modern() {
		return driveHTTPModern(ctx, d, v)
	}
	driveHTTPSessions(ctx, d, v)
	return nil
}

// address is where the session's requests go.
func address(v *Voice) string {
	for _, ev := range v.Tape().Events() {
		if ev.Kind == wire.Send && ev.HTTP != nil {
			return ev.HTTP.URL
		}
	}
	return ""
}

// one header that replaces what is sent, or with "" removes it.
func header(name, value string) http.Header {
	if value == "" {
		return http.Header{name: nil}
	}
	return http.Header{name: {value}}
}

// doorAsks are harmless requests that differ in who asks and what it takes.
func doorAsks(method, where string) []fakes.Ask {
	asks := []fakes.Ask{
		{Label: "plain"},
		{Label: "origin:foreign", Header: header("Origin", foreignOrigin)},
		{Label: "origin:null", Header: header("Origin", "null")},
		{Label: "own-origin", Header: header("Origin", originOf(where))},
		{Label: "host:foreign", Host: foreignHost},
		{Label: "no-credentials", Header: header("Authorization", "")},
		{Label: "accept:JSON only", Header: header("Accept", "application/json")},
		{Label: "accept:anything", Header: header("Accept", "*/*")},
		{Label: "form:in another order", Header: header("Accept", "text/event-stream, application/json")},
		{Label: "form:with weights", Header: header("Accept", "application/json;q=0.9, text/event-stream;q=0.8")},
		{Label: "accept:both types in other case", Header: header("Accept", "Application/JSON, Text/Event-Stream")},
		{Label: "form:with more spaces", Header: header("Accept", "application/json  ,   text/event-stream")},
		{Label: "form:with more types", Header: header("Accept", "application/json, text/event-stream, text/plain;q=0.1")},
		{Label: "error:unknown method", Method: "conform/no-such-method"},
		{Label: "error:unknown tool", Method: "tools/call", Params: fakes.Call(unknownPlain, []byte(`{}`))},
		{Label: "error:bad cursor", Method: "tools/list", Params: json.RawMessage(`{"cursor":"zz-conform-no-such-cursor"}`)},
	}
	for i := range asks {
		if asks[i].Method == "" {
			asks[i].Method = method
		}
	}
	return asks
}

func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// loopback says that an address is on this machine and reachable from here only.
func loopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// otherAddress asks for a local server under an address of the machine that others can reach.
func otherAddress(ctx context.Context, d *Drive, where string) {
	u, err := url.Parse(where)
	own := ownAddress()
	if err != nil || !loopback(where) || own == "" || u.Port() == "" {
		return
	}
	u.Host = net.JoinHostPort(own, u.Port())
	r, err := d.Raw(ctx, "the same port under another address")
	if r == nil || err != nil {
		return
	}
	defer r.Done()
	body := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	r.peek(ctx, "other-address", wire.Frame{URL: u.String(), Raw: []byte(body), Header: r.headers("ping", "")}, 2*time.Second)
}

// ownAddress is an IPv4 address of this machine that is no loopback, "" when there is none.
func ownAddress() string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return ""
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() {
			return n.IP.String()
		}
	}
	return ""
}

// peek sends a bare HTTP request and gives its answer up after a while: a
// stream may stay open for ever.
func (v *Voice) peek(ctx context.Context, label string, f wire.Frame, wait time.Duration) {
	f.Probe = v.scope + label
	sent, err := v.Session.HTTP(ctx, f)
	if err != nil {
		return
	}
	select {
	case <-sent.Done():
		return
	case <-time.After(wait):
	case <-ctx.Done():
	}
	sent.Drop()
	<-sent.Done()
}

// get opens a stream with further headers and looks at it for a while.
func (v *Voice) get(ctx context.Context, label string, more http.Header, wait time.Duration) {
	h := http.Header{}
	h.Set("Accept", "text/event-stream")
	v.sessionHeaders(h)
	for k, val := range more {
		h[k] = val
	}
	v.peek(ctx, label, wire.Frame{Method: http.MethodGet, Header: h}, wait)
}

// driveHTTPSessions tries what belongs to the handshake revisions.
func driveHTTPSessions(ctx context.Context, d *Drive, v *Voice) {
	asks := []fakes.Ask{
		{Label: "version:1900-01-01", Header: header("Mcp-Protocol-Version", "1900-01-01")},
		{Label: "version:x", Header: header("Mcp-Protocol-Version", "x")},
		{Label: "no-version", Header: header("Mcp-Protocol-Version", "")},
	}
	if v.SessionID() != "" {
		asks = append(asks, fakes.Ask{Label: "no-session", Header: header("Mcp-Session-Id", "")})
	}
	asks = append(asks, fakes.Ask{Label: "unknown-session", Header: header("Mcp-Session-Id", "conform-0000-no-such-session")})
	for i := range asks {
		asks[i].Method = "tools/list"
		if !d.Facts.Listed {
			asks[i].Method = "ping"
		}
	}
	v.Each(ctx, asks)
	for _, n := range []struct{ label, raw string }{
		{"notify:unknown", `{"jsonrpc":"2.0","method":"notifications/zz_conform"}`},
		{"notify:params of the wrong kind", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":"x"}`},
		{"response", `{"jsonrpc":"2.0","id":"conform-no-such-request","result":{}}`},
	} {
		_ = v.Send(ctx, n.label, http.MethodPost, v.headers("", ""), []byte(n.raw))
	}
	var wg sync.WaitGroup
	wg.Go(func() { v.get(ctx, "get:second", nil, peekFor) })
	wg.Go(func() { v.get(ctx, "get:without session", header("Mcp-Session-Id", ""), peekFor) })
	wg.Go(func() { progressStreams(ctx, d, v) })
	wg.Wait()
	v.letStreamsEnd(ctx)
}

// letStreamsEnd waits until the streams of answered requests are over, as long
// as they may stay open.
func (v *Voice) letStreamsEnd(ctx context.Context) {
	for limit := time.Now().Add(streamEnds + 300*time.Millisecond); time.Now().Before(limit) && ctx.Err() == nil; {
		open := map[int]bool{}
		for _, ev := range v.Tape().Events() {
			switch {
			case ev.Kind == wire.Recv && ev.Post > 0 && ev.HTTP != nil && ev.HTTP.SSE && ev.Message().IsResponse():
				open[ev.Post] = true
			case ev.Kind == wire.Close:
				delete(open, ev.Post)
			}
		}
		if len(open) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	v.Note("streams", "waited", "for the streams of answered requests to end")
}

// mintSessions opens sessions of which nothing is wanted but their ids. They are deleted at the end.
func mintSessions(ctx context.Context, d *Drive) {
	var wg sync.WaitGroup
	for range mintedSessions {
		wg.Go(func() {
			r, err := d.Raw(ctx, "a session for its id")
			if r == nil || err != nil {
				return
			}
			defer r.Done()
			_ = r.Do(ctx, fakes.Ask{Label: "mint", Method: "initialize", Params: initializeWith(d.Facts.Revision, `{}`)})
		})
	}
	wg.Wait()
}

// endSession deletes a session and goes on using it.
func endSession(ctx context.Context, d *Drive) {
	v, err := d.Fresh(ctx, fakes.Want{NoLists: true, NoStream: true, Purpose: "a session to end"})
	if v == nil || err != nil || v.SessionID() == "" {
		return
	}
	defer v.Done()
	h := http.Header{}
	v.sessionHeaders(h)
	_ = v.Send(ctx, "delete", http.MethodDelete, h, nil)
	_ = v.Do(ctx, fakes.Ask{Label: "after-delete", Method: "tools/list"})
}

// progressStreams makes two calls at once that may tell their progress, each on its own stream.
func progressStreams(ctx context.Context, d *Drive, v *Voice) {
	calls := progressCalls(d.Facts)
	var wg sync.WaitGroup
	for i, c := range calls {
		p := v.Start(ctx, fakes.Ask{
			Label: "progress:" + c.label, Method: "tools/call", Params: fakes.Call(c.tool, c.args), Limit: patience, Meta: progressToken("stream", i),
		})
		wg.Go(func() { _ = p.Wait(ctx) })
	}
	wg.Wait()
}

// progressToken is a token that no other call of the session has.
func progressToken(kind string, n int) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"progressToken":"conform-%s-%d"}`, kind, n+1))
}

// progressCalls are two calls of the tool that tells its progress, else of those that may be called.
func progressCalls(f *Facts) []toolCall {
	if t, r := f.RoleTool(JobProgresses); t != nil && t.Callable {
		c := toolCall{label: t.Name, tool: t.Name, args: r.Arguments}
		other := c
		if len(r.Alternative) > 0 {
			other.args = r.Alternative
		}
		other.label += " again"
		return []toolCall{c, other}
	}
	all := validCalls(f, "", 1)
	return all[:min(len(all), 4)]
}

// resumeStreams takes streams up again by the event ids that the server gave.
func resumeStreams(ctx context.Context, d *Drive) {
	v, err := d.Fresh(ctx, fakes.Want{NoLists: true, NoStream: true, Purpose: "streams to take up again"})
	if v == nil || err != nil {
		return
	}
	defer v.Done()
	_ = v.Do(ctx, fakes.Ask{Label: "stream:one", Method: "tools/list"})
	_ = v.Do(ctx, fakes.Ask{Label: "stream:two", Method: "ping"})
	if ids := v.eventIDs("stream:one"); len(ids) > 0 {
		v.get(ctx, "resume:one", header("Last-Event-Id", ids[0]), peekFor)
	}
	calls := progressCalls(d.Facts)
	for i, c := range calls { // streams that must not be mixed up with the one that breaks
		_ = v.Do(ctx, fakes.Ask{Label: "whole:" + c.label, Method: "tools/call", Params: fakes.Call(c.tool, c.args), Meta: progressToken("whole", i), Limit: patience})
	}
	for i, c := range calls {
		label := "cut:" + c.label
		p := v.Start(ctx, fakes.Ask{
			Label: label, Method: "tools/call", Params: fakes.Call(c.tool, c.args), Meta: progressToken("cut", i),
		})
		numbered := v.firstEventID(ctx, label, p) != ""
		p.Drop()
		if !numbered {
			continue
		}
		select {
		case <-time.After(missedFor):
		case <-ctx.Done():
		}
		ids := v.eventIDs(label)
		v.get(ctx, "resume:"+label, header("Last-Event-Id", ids[len(ids)-1]), peekFor)
		return
	}
}

// eventIDs are the ids of the events on the stream of a request.
func (v *Voice) eventIDs(label string) []string {
	var out []string
	post := 0
	for _, ev := range v.Tape().Events() {
		switch {
		case ev.Kind == wire.Send && ev.Probe == v.scope+label:
			post, out = ev.Post, nil
		case ev.Kind == wire.Recv && ev.Post == post && post > 0 && ev.HTTP != nil && ev.HTTP.EventID != "":
			out = append(out, ev.HTTP.EventID)
		}
	}
	return out
}

// firstEventID waits for the first event of a stream that has an id. It is ""
// when the request is answered before that.
func (v *Voice) firstEventID(ctx context.Context, label string, p *fakes.Pending) string {
	limit := time.After(3 * time.Second)
	for {
		if ids := v.eventIDs(label); len(ids) > 0 {
			return ids[0]
		}
		select {
		case <-p.Answered():
			return ""
		case <-limit:
			return ""
		case <-ctx.Done():
			return ""
		case <-time.After(5 * time.Millisecond):
		}
	}
}
