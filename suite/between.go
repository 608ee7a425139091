package suite

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/agntn/conform/fakes/wire"
)

// Between stands between a real host and a server. Every byte passes through
// as it is; whole lines land on the tape.
type Between struct {
	Tape *wire.Tape
}

// NewBetween returns a go-between with an empty tape.
func NewBetween(transport string) *Between {
	t := wire.NewTape("001", wire.NewBudget(256<<20))
	t.Client, t.Transport, t.Purpose = "any", transport, "recorded between a host and a server"
	return &Between{Tape: t}
}

// Stdio starts the command and passes stdin, stdout and stderr through until
// it ends. Signals are passed on. It returns the command's exit code.
func (b *Between) Stdio(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer, signals <-chan os.Signal) (int, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return 0, fmt.Errorf("no pipe for the server's stdin: %w", err)
	}
	// Nothing may wait for a frame to be whole: bytes go on first, and are looked at after.
	recv := &lineTee{to: out, line: func(l []byte) { b.Tape.Append(wire.Event{Kind: wire.Recv, Raw: l}) }}
	logs := &lineTee{to: errOut, line: func(l []byte) { b.Tape.Append(wire.Event{Kind: wire.Stderr, Raw: l}) }}
	cmd.Stdout, cmd.Stderr = recv, logs
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("cannot start %q: %w", args[0], err)
	}
	go func() {
		send := &lineTee{to: stdin, line: func(l []byte) { b.Tape.Append(wire.Event{Kind: wire.Send, Raw: l, Probe: "host"}) }}
		_, _ = io.Copy(send, in)
		send.flush()
		b.Tape.Note("", "shutdown", "eof")
		stdin.Close()
	}()
	done := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-signals:
				b.Tape.Note("", "shutdown", strings.ToLower(strings.ReplaceAll(s.String(), " ", "-")))
				_ = cmd.Process.Signal(s)
			case <-done:
				return
			}
		}
	}()
	err = cmd.Wait()
	close(done)
	recv.flush()
	logs.flush()
	status := "exit status 0"
	if err != nil {
		status = err.Error()
	}
	b.Tape.Append(wire.Event{Kind: wire.Exit, Status: status})
	return cmd.ProcessState.ExitCode(), nil
}

// lineTee passes bytes on and hands over each whole line.
type lineTee struct {
	to   io.Writer
	line func([]byte)
	rest []byte
}

func (t *lineTee) Write(p []byte) (int, error) {
	n, err := t.to.Write(p)
	if n == 0 {
		return n, err
	}
	t.rest = append(t.rest, p[:n]...)
	for {
		i := bytes.IndexByte(t.rest, '\n')
		if i < 0 {
			break
		}
		t.line(bytes.Clone(t.rest[:i]))
		t.rest = t.rest[i+1:]
	}
	if len(t.rest) > 16<<20 {
		t.flush()
	}
	return n, err
}

func (t *lineTee) flush() {
	if len(t.rest) > 0 {
		t.line(bytes.Clone(t.rest))
		t.rest = nil
	}
}

// Handler passes HTTP requests on to the endpoint, streams among them.
func (b *Between) Handler(endpoint *url.URL) http.Handler {
	var posts atomic.Int64
	type key struct{}
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.URL.Path = endpoint.Scheme, endpoint.Host, endpoint.Path
			r.Out.Host = endpoint.Host
		},
		ModifyResponse: func(resp *http.Response) error {
			post, _ := resp.Request.Context().Value(key{}).(int)
			sse := strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")
			b.Tape.Append(wire.Event{Kind: wire.Head, Post: post, Probe: "host", HTTP: &wire.HTTPMeta{Status: resp.StatusCode, Header: withoutLogins(resp.Header), SSE: sse}})
			resp.Body = b.watch(resp.Body, post, sse)
			return nil
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		post := int(posts.Add(1))
		var body []byte
		if r.Body != nil {
			body, _ = io.ReadAll(io.LimitReader(r.Body, 64<<20))
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		b.Tape.Append(wire.Event{Kind: wire.Send, Raw: body, Probe: "host", Post: post, HTTP: &wire.HTTPMeta{Method: r.Method, URL: withoutKeys(endpoint), Header: withoutLogins(r.Header)}})
		proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, post)))
		b.Tape.Append(wire.Event{Kind: wire.Close, Post: post, Probe: "host", Status: "end"})
	})
}

// withoutLogins returns headers for a tape: what proves who somebody is stays
// between the host and the server.
func withoutLogins(h http.Header) http.Header {
	h = h.Clone()
	for _, name := range []string{"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "Api-Key"} {
		for i, v := range h.Values(name) {
			scheme, _, two := strings.Cut(v, " ")
			if h[name][i] = "***"; two && strings.HasSuffix(name, "Authorization") {
				h[name][i] = scheme + " ***"
			}
		}
	}
	return h
}

// withoutKeys returns an address for a tape. What stands behind its question mark
// may be a key.
func withoutKeys(u *url.URL) string {
	c := *u
	keys := c.Query()
	for name := range keys {
		keys[name] = []string{"***"}
	}
	c.RawQuery = keys.Encode()
	return c.Redacted()
}

// watch copies a body to the tape while it is read.
func (b *Between) watch(body io.ReadCloser, post int, sse bool) io.ReadCloser {
	pr, pw := io.Pipe()
	var wg sync.WaitGroup
	wg.Go(func() {
		if sse {
			_ = wire.ReadEvents(bufio.NewReader(pr), 16<<20, func(e wire.Event) {
				e.Post = post
				b.Tape.Append(e)
			})
		} else if raw, _ := io.ReadAll(io.LimitReader(pr, 16<<20)); len(raw) > 0 {
			b.Tape.Append(wire.Event{Kind: wire.Recv, Raw: raw, Post: post})
		}
		_, _ = io.Copy(io.Discard, pr)
	})
	return &watched{ReadCloser: body, to: pw, wait: wg.Wait}
}

type watched struct {
	io.ReadCloser
	to   *io.PipeWriter
	wait func()
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if n > 0 {
		_, _ = w.to.Write(p[:n])
	}
	if err != nil {
		w.to.Close()
	}
	return n, err
}

func (w *watched) Close() error {
	w.to.Close()
	w.wait()
	return w.ReadCloser.Close()
}
