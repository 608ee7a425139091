package sample

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// quiet is how long a client waits for what may well never come, patient how
// long for what the right server has to say, however busy the machine is.
const (
	quiet   = 400 * time.Millisecond
	patient = 10 * time.Second
)

// fixedNow makes question states the same from run to run.
func fixedNow() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// client talks to a server in one era over one transport and writes down
// everything that comes back.
type client struct {
	t              testing.TB
	srv            *Server
	era, transport string
	revision       string
	capabilities   string
	// name is what it calls itself, "test" when empty.
	name string
	// answer is what the client answers to elicitation/create, or the client's error; "" for nothing.
	answer string
	// replies are what it answers to other requests, by method.
	replies map[string]string
	// quiet is how long the client waits before it calls the server silent.
	quiet time.Duration

	log     strings.Builder
	stderr  syncBuffer
	next    int
	out     chan string
	lines   chan string
	site    *httptest.Server
	wire    *http.Transport
	session string
	// header is sent with every POST.
	header map[string]string
	// ended is closed when the stdio server has returned.
	ended chan error
	stop  context.CancelFunc
}

func newClient(t testing.TB, srv *Server, era, transport string) *client {
	t.Helper()
	c := &client{t: t, srv: srv, era: era, transport: transport, quiet: patient, revision: "2025-11-25", capabilities: `{"elicitation":{}}`}
	if era == Modern {
		c.revision = revisionModern
	}
	c.connect()
	return c
}

func newServer(t testing.TB, opts Options) *Server {
	t.Helper()
	opts.Now = fixedNow
	srv, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return srv
}

// connect opens a new line to the same server.
func (c *client) connect() {
	if c.transport == HTTP {
		c.session = ""
		if c.site == nil {
			c.site = httptest.NewServer(c.srv.Handler())
			c.wire = &http.Transport{} // of its own: another server may have had the same port
			c.t.Cleanup(func() {
				c.srv.endSessions()
				c.site.CloseClientConnections()
				c.site.Close()
				c.wire.CloseIdleConnections()
			})
		}
		return
	}
	in, stdin := io.Pipe()
	stdout, out := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	c.out, c.lines, c.ended, c.stop = make(chan string, 4096), make(chan string, 4096), make(chan error, 1), stop
	go func(queue <-chan string) {
		for raw := range queue {
			io.WriteString(stdin, raw) //nolint:errcheck // a server that died reads no more
		}
		stdin.Close() //nolint:errcheck // a pipe always closes
	}(c.out)
	lines, ended := c.lines, c.ended
	go func() {
		err := c.srv.ServeStdio(ctx, in, out, &c.stderr)
		in.Close()  //nolint:errcheck // a pipe always closes
		out.Close() //nolint:errcheck // a pipe always closes
		ended <- err
	}()
	go func() {
		r := bufio.NewReader(stdout)
		for {
			line, err := r.ReadString('\n')
			if line != "" {
				lines <- line
			}
			if err != nil {
				close(lines)
				return
			}
		}
	}()
	c.t.Cleanup(stop)
}

func (c *client) note(format string, args ...any) { fmt.Fprintf(&c.log, format+"\n", args...) }

// params adds the _meta of the era to params, which is a JSON object or "".
func (c *client) params(params string) string {
	if c.era == Legacy || strings.Contains(params, keyVersion) {
		return params
	}
	meta := fmt.Sprintf(`"%s":"%s","%s":%s`, keyVersion, c.revision, keyCapabilities, c.capabilities)
	switch {
	case params == "" || params == "{}":
		return `{"_meta":{` + meta + `}}`
	case strings.Contains(params, `"_meta":{`):
		return strings.Replace(params, `"_meta":{`, `"_meta":{`+meta+`,`, 1)
	}
	return `{"_meta":{` + meta + `},` + params[1:]
}

func (c *client) frame(id, method, params string) string {
	f := `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"`
	if p := c.params(params); p != "" {
		f += `,"params":` + p
	}
	return f + "}"
}

// open does the handshake of the handshake revisions; 2026-07-28 has none.
func (c *client) open() *client {
	if c.era == Modern {
		return c
	}
	c.handshake()
	c.notify("notifications/initialized", "")
	return c
}

// handshake is the first half of opening.
func (c *client) handshake() {
	c.ask("initialize", `{"protocolVersion":"`+c.revision+`","capabilities":`+c.capabilities+`,"clientInfo":{"name":"`+cmp.Or(c.name, "test")+`","version":"1"}}`)
}

// ask sends a request and notes everything until its answer.
func (c *client) ask(method, params string) string {
	c.next++
	return c.askAs(fmt.Sprint(c.next), method, params)
}

func (c *client) askAs(id, method, params string) string {
	return c.send(c.frame(id, method, params), id)
}

// call calls a tool.
func (c *client) call(tool, arguments string) string {
	return c.ask("tools/call", `{"name":`+quote(tool)+`,"arguments":`+arguments+`}`)
}

func quote(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(raw)
}

// notify sends a notification.
func (c *client) notify(method, params string) {
	f := `{"jsonrpc":"2.0","method":"` + method + `"`
	if p := c.params(params); p != "" {
		f += `,"params":` + p
	}
	c.send(f+"}", "")
}

// send sends a raw frame. It waits for the answer with that id; "" waits for nothing.
func (c *client) send(frame, id string) string {
	c.note("> %s", short(frame))
	if c.transport == HTTP {
		return c.post(frame, nil)
	}
	c.write(frame + "\n")
	if id == "" {
		return ""
	}
	return c.read(id)
}

// write queues what goes to the server, in order; a server that reads no more holds nobody up.
func (c *client) write(raw string) { c.out <- raw }

// hangUp ends the input of the server once everything is written.
func (c *client) hangUp() { close(c.out) }

// raw sends a frame that may get no answer and notes what comes before that of a canary.
func (c *client) raw(frame string) {
	if c.transport == HTTP {
		c.send(frame, "")
		return
	}
	c.note("> %s", short(frame))
	c.next++
	canary := fmt.Sprint(9000 + c.next)
	method := "ping"
	if c.era == Modern {
		method = "prompts/list"
	}
	c.write(frame + "\n" + c.frame(canary, method, "") + "\n")
	c.read(canary)
}

// settle notes what still comes on the line.
func (c *client) settle() {
	if c.transport == Stdio {
		c.raw("")
	}
}

// read notes lines until the answer to id.
func (c *client) read(id string) string {
	last := ""
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.note("<gone>")
				return last
			}
			c.note("%s", short(line))
			last = line
			m, err := decode([]byte(line))
			o := asObject(m)
			if err != nil || o == nil {
				continue
			}
			if o["method"] != nil {
				c.respond(o, nil)
				continue
			}
			if got := string(encode(o["id"], plainOrder)); got == id {
				return last
			}
		case <-time.After(c.quiet):
			c.note("<silence>")
			return last
		}
	}
}

// await notes lines until one has that text.
func (c *client) await(text string) {
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.note("<gone>")
				return
			}
			c.note("%s", short(line))
			if strings.Contains(line, text) {
				return
			}
		case <-time.After(c.quiet):
			c.note("<silence>")
			return
		}
	}
}

// drain notes lines until none has come for a while.
func (c *client) drain() {
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				return
			}
			c.note("%s", short(line))
		case <-time.After(100 * time.Millisecond):
			return
		}
	}
}

// respond answers a request of the server as the test wants it.
func (c *client) respond(m object, _ any) {
	answer := c.answer
	if m["method"] != "elicitation/create" {
		answer = c.replies[asString(m["method"])]
	}
	if m["id"] == nil || answer == "" {
		return
	}
	frame := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, encode(m["id"], plainOrder), answer)
	if c.transport == HTTP {
		c.post(frame, nil)
		return
	}
	c.write(frame + "\n")
}

// short keeps transcripts small.
func short(s string) string {
	s = strings.TrimSuffix(s, "\n")
	if len(s) > 200000 {
		return fmt.Sprintf("%s... (%d bytes)", s[:200], len(s))
	}
	return s
}

// syncBuffer is a buffer that several servers may write to.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// transcripts keeps what the right server says to each probe, asked once.
type transcripts struct {
	mu   sync.Mutex
	seen map[string]func() string
}

const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}` + "\n"
