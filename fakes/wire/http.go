package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// HTTP is a line to a Streamable HTTP endpoint. Each Send is one HTTP request
// of its own; answers land on the tape as they come.
type HTTP struct {
	url    string
	header http.Header
	client *http.Client
	tape   *Tape
	limits Limits

	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup
	posts  atomic.Int64
	bytes  atomic.Int64
	frames atomic.Int64
	dead   chan struct{}
	once   sync.Once
}

// NewHTTPClient returns the HTTP client that lines of one run share: one
// connection pool, no redirects followed, nothing decompressed, no cookies.
func NewHTTPClient() *http.Client {
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &pool{Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    10 * time.Second,
			MaxIdleConns:           128,
			MaxIdleConnsPerHost:    128,
			IdleConnTimeout:        2 * time.Second, // below the 5 s of Node: a server may close what is idle at any moment
			DisableCompression:     true,
			MaxResponseHeaderBytes: 256 << 10,
		}},
	}
}

// pool notes how far behind the endpoint is, for all lines that share it.
type pool struct {
	*http.Transport
	waiting atomic.Int64 // POSTs without the head of an answer
	late    atomic.Int64 // when the last late one came, in nanoseconds since 1970
	gate    gate
}

// lateAnswer is how long a POST waits for the head of its answer before that counts as late.
const lateAnswer = time.Second

// RoundTrip sends a request as [http.Transport] does.
func (p *pool) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodPost { // streams of a GET may stand for long before they say anything
		return p.Transport.RoundTrip(req)
	}
	begin := time.Now()
	p.waiting.Add(1)
	resp, err := p.Transport.RoundTrip(req)
	p.waiting.Add(-1)
	if err == nil {
		p.gate.took(time.Since(begin))
		p.noteLate(begin)
	}
	return resp, err
}

// noteLate notes that something came now that was waited for since begin, if that is late.
func (p *pool) noteLate(begin time.Time) {
	if now := time.Now(); now.Sub(begin) > lateAnswer {
		p.late.Store(now.UnixNano())
	}
}

// Enter waits until one request more does not only make the endpoint late, unless
// it may go ahead, and returns what is to go out with the frame as its Head.
func (h *HTTP) Enter(ctx context.Context, ahead bool) (head func(), err error) {
	p, ok := h.client.Transport.(*pool)
	if !ok {
		return func() {}, nil
	}
	begin := time.Now()
	if head = p.gate.enter(ctx, ahead); head == nil {
		return nil, ctx.Err()
	}
	p.noteLate(begin)
	return head, nil
}

// Backlog says how many POSTs of all lines to the endpoint wait for an answer,
// and when one was last answered, or let through, that had waited for more than a
// second; the zero time when none was.
func (h *HTTP) Backlog() (waiting int, late time.Time) {
	p, ok := h.client.Transport.(*pool)
	if !ok {
		return 0, time.Time{}
	}
	if at := p.late.Load(); at > 0 {
		late = time.Unix(0, at)
	}
	return int(p.waiting.Load()), late
}

// OpenHTTP returns a line to url that sends header with every request.
func OpenHTTP(url string, header http.Header, client *http.Client, tape *Tape, limits Limits) *HTTP {
	ctx, cancel := context.WithCancel(context.Background())
	return &HTTP{
		url: url, header: header, client: client, tape: tape, limits: limits,
		ctx: ctx, cancel: cancel, dead: make(chan struct{}),
	}
}

// Tape returns the transcript.
func (h *HTTP) Tape() *Tape { return h.tape }

// Dead is closed by Close, or when the endpoint cannot be reached at all.
func (h *HTTP) Dead() <-chan struct{} { return h.dead }

// Close gives up what is still running.
func (h *HTTP) Close(Shutdown) Ending {
	begin := time.Now()
	h.cancel()
	done := make(chan struct{})
	go func() { h.wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(2 * time.Second):
	}
	h.die()
	return Ending{By: "close", Took: time.Since(begin)}
}

func (h *HTTP) die() { h.once.Do(func() { close(h.dead) }) }

type httpSent struct {
	post   int
	cancel context.CancelFunc
	done   chan struct{}
}

func (s *httpSent) Drop()                 { s.cancel() }
func (s *httpSent) Post() int             { return s.post }
func (s *httpSent) Done() <-chan struct{} { return s.done }

// Send starts one HTTP request. ctx bounds only its start; the answer may take
// as long as the line lives, or until it is dropped.
func (h *HTTP) Send(_ context.Context, f Frame) (Sent, error) {
	if h.ctx.Err() != nil {
		f.arrived()
		return nil, ErrDead
	}
	method := f.Method
	if method == "" {
		method = http.MethodPost
	}
	ctx, cancel := context.WithCancel(h.ctx)
	var body io.Reader
	if f.Raw != nil {
		body = bytes.NewReader(f.Raw)
	}
	address := h.url
	if f.URL != "" {
		address = f.URL
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		cancel()
		f.arrived()
		return nil, fmt.Errorf("cannot make the HTTP request: %w", err)
	}
	if f.Host != "" {
		req.Host = f.Host
	}
	if sameHost(address, h.url) { // what the user gave for one server is nobody else's business
		for k, v := range h.header {
			req.Header[k] = v
		}
	}
	for k, v := range f.Header {
		k = http.CanonicalHeaderKey(k)
		if v == nil {
			req.Header.Del(k)
			continue
		}
		req.Header[k] = v
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "conform")
	}
	s := &httpSent{post: int(h.posts.Add(1)), cancel: cancel, done: make(chan struct{})}
	h.tape.Append(Event{
		Kind: Send, Raw: f.Raw, Probe: f.Probe, Post: s.post,
		HTTP: &HTTPMeta{Method: method, URL: address, Header: req.Header.Clone()},
	})
	h.wg.Add(1)
	go func() {
		defer h.wg.Done()
		defer close(s.done)
		defer cancel()
		h.do(req, s.post, f)
	}()
	return s, nil
}

func sameHost(a, b string) bool {
	u, err := url.Parse(a)
	w, err2 := url.Parse(b)
	return err == nil && err2 == nil && u.Host == w.Host && u.Scheme == w.Scheme
}

// exchange sends a request. One that met a connection which the server had just
// closed because it was idle goes out once more on a new one, as browsers do: it
// had been closed before the request could be read.
func (h *HTTP) exchange(req *http.Request) (*http.Response, error) {
	stale := false
	trace := &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { stale = c.Reused && c.WasIdle }}
	resp, err := h.client.Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	if err == nil || !stale || !closedIdle(err) {
		return resp, err
	}
	h.client.CloseIdleConnections() // what else is idle may be as stale
	again := req.Clone(req.Context())
	if req.GetBody != nil {
		body, bodyErr := req.GetBody()
		if bodyErr != nil {
			return nil, err
		}
		again.Body = body
	}
	again.Close = true
	return h.client.Do(again)
}

// closedIdle says whether a request failed as it does on a connection that the
// other side has closed already.
func closedIdle(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

func (h *HTTP) do(req *http.Request, post int, f Frame) {
	probe := f.Probe
	resp, err := h.exchange(req)
	f.arrived()
	if err != nil {
		h.tape.Append(Event{Kind: Close, Post: post, Probe: probe, Status: httpStatus(err), Raw: []byte(clean(err.Error(), 500))})
		return
	}
	defer resp.Body.Close()
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	sse := strings.EqualFold(kind, "text/event-stream")
	h.tape.Append(Event{Kind: Head, Post: post, Probe: probe, HTTP: &HTTPMeta{Status: resp.StatusCode, Header: resp.Header, SSE: sse}})
	if sse {
		err = readSSE(h.counted(resp.Body), h.limits.Frame, h.limits.Desk, func(e sseEvent) error { return h.event(e, post) })
	} else {
		g := gather{limit: h.limits.Frame, desk: h.limits.Desk}
		err = g.all(h.counted(resp.Body))
		if body, cut := g.frame(); len(body) > 0 {
			h.tape.Append(Event{Kind: Recv, Raw: body, Cut: cut, Post: post, HTTP: &HTTPMeta{Status: resp.StatusCode}})
		}
		g.drop()
	}
	end := Event{Kind: Close, Post: post, Probe: probe, Status: "end"}
	if err != nil {
		end.Status, end.Raw = httpStatus(err), []byte(clean(err.Error(), 500))
	}
	h.tape.Append(end)
}

func (h *HTTP) event(e sseEvent, post int) error {
	if h.frames.Add(1) > int64(h.limits.Events) {
		return errFlood
	}
	meta := &HTTPMeta{SSE: true, EventID: e.id, EventName: e.name, Lines: e.lines, Retry: e.retry}
	status := ""
	if e.unfinished {
		status = "unfinished"
	}
	h.tape.Append(Event{Kind: Recv, Raw: e.data, Cut: e.cut, Post: post, HTTP: meta, Status: status})
	return nil
}

// counted bounds what the whole line may send.
func (h *HTTP) counted(r io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		n, err := r.Read(p)
		if h.bytes.Add(int64(n)) > h.limits.Line {
			return n, errFlood
		}
		return n, err
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// httpStatus names the kind of an HTTP failure in one word.
func httpStatus(err error) string {
	var op *net.OpError
	switch {
	case errors.Is(err, context.Canceled):
		return "dropped"
	case errors.Is(err, errFlood):
		return "flood"
	case errors.As(err, &op) && op.Op == "dial":
		return "refused"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "broken"
	}
	return "error"
}
