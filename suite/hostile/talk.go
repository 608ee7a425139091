package hostile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"
)

// Process is what a server over stdio has in its hands.
type Process struct {
	In       *os.File
	Out, Err *os.File
	// Child is the command that starts this program as a child that stays alive
	// and ignores what it can.
	Child []string
}

// request is a frame of the client.
type request struct {
	id, method string
	params     gjson.Result
}

// talk is a server that keeps to the protocol where nothing else is said. Its
// members are raw JSON; those left out are harmless.
type talk struct {
	info, capabilities, instructions string
	tools                            string
	// result is what every call gets; fail is an error object that takes its place.
	result, fail string
	// lists are the results of other methods.
	lists map[string]string
	// answer writes what it likes in place of the ordinary answer, and says whether it did.
	answer func(w io.Writer, r request) bool
	// around is written before and after each answer.
	before, after func(w io.Writer, r request)
}

// plainTool is a tool that may be called.
const plainTool = `{"name":"look","title":"Look","description":"Looks something up.","annotations":{"title":"Look","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},` +
	`"inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}`

// tool is a tool with another input schema and, unless it is empty, an output schema.
func tool(name, input, output string) string {
	out := `{"name":` + quoted(name) + `,"description":"Looks.","annotations":{"readOnlyHint":true},"inputSchema":` + input
	if output != "" {
		out += `,"outputSchema":` + output
	}
	return out + "}"
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// respond writes what follows from one frame, without line feeds of its own.
func (t *talk) respond(w io.Writer, r request) {
	if t.before != nil {
		t.before(w, r)
	}
	if t.answer == nil || !t.answer(w, r) {
		t.plain(w, r)
	}
	if t.after != nil {
		t.after(w, r)
	}
}

// plain writes the ordinary answer.
func (t *talk) plain(w io.Writer, r request) {
	if r.id == "" || r.method == "" {
		return
	}
	info := or(t.info, `{"name":"hostile","version":"1.0.0"}`)
	capabilities := or(t.capabilities, `{"tools":{"listChanged":true},"logging":{},"prompts":{},"resources":{},"completions":{}}`)
	instructions := or(t.instructions, `"Be careful."`)
	body := ""
	switch r.method {
	case "initialize":
		version := r.params.Get("protocolVersion").Str
		if version == "" || version > "2025-11-25" {
			version = "2025-11-25"
		}
		body = `{"protocolVersion":` + quoted(version) + `,"capabilities":` + capabilities + `,"serverInfo":` + info + `,"instructions":` + instructions + `}`
	case "server/discover":
		body = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":` + capabilities + `,"instructions":` + instructions +
			`,"_meta":{"io.modelcontextprotocol/serverInfo":` + info + `},"ttlMs":1000,"cacheScope":"private"}`
	case "tools/list":
		body = `{"resultType":"complete","tools":` + or(t.tools, "["+plainTool+"]") + `,"ttlMs":1000,"cacheScope":"private"}`
	case "tools/call":
		if t.fail != "" {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":%s}`+"\n", r.id, t.fail)
			return
		}
		body = or(t.result, `{"resultType":"complete","content":[{"type":"text","text":"found"}]}`)
	case "ping", "logging/setLevel":
		body = `{"resultType":"complete"}`
	case "prompts/list", "resources/list", "resources/templates/list":
		kind := map[string]string{"prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates"}[r.method]
		body = `{"resultType":"complete","` + kind + `":[],"ttlMs":1000,"cacheScope":"private"}`
	}
	if own, ok := t.lists[r.method]; ok {
		body = own
	}
	if body == "" {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":%s}`+"\n", r.id, or(t.fail, `{"code":-32601,"message":"Method not found"}`))
		return
	}
	result(w, r, body)
}

// result writes a response with this result.
func result(w io.Writer, r request, body string) {
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", r.id, body)
}

// readRequest looks at one frame.
func readRequest(raw []byte) request {
	m := gjson.ParseBytes(raw)
	return request{id: m.Get("id").Raw, method: m.Get("method").Str, params: m.Get("params")}
}

// stdio speaks over the streams of the process until its input ends.
func (t *talk) stdio(p *Process) {
	out := bufio.NewWriterSize(p.Out, 64<<10)
	lines := bufio.NewReaderSize(p.In, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			t.respond(out, readRequest(line))
			if out.Flush() != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// handler speaks Streamable HTTP without sessions: one frame is answered as
// JSON, more as an event stream.
func (t *talk) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		raw, _ := io.ReadAll(io.LimitReader(q.Body, 16<<20))
		var out bytes.Buffer
		t.respond(&out, readRequest(raw))
		lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
		switch {
		case lines[0] == "":
			w.WriteHeader(http.StatusAccepted)
		case len(lines) == 1:
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, lines[0])
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			for _, l := range lines {
				if _, err := io.WriteString(w, "data: "+l+"\n\n"); err != nil {
					return
				}
			}
		}
	})
}

// both offers a talk over stdio and HTTP. It is made when the server starts:
// some are large.
func both(name, about string, of func() talk) Server {
	return Server{
		Name: name, About: about,
		Stdio: func(p *Process) { t := of(); t.stdio(p) },
		HTTP:  func(l net.Listener) { t := of(); handled(t.handler())(l) },
	}
}

// overStdio offers a talk over stdio alone.
func overStdio(name, about string, t talk) Server {
	return Server{Name: name, About: about, Stdio: t.stdio}
}

// answering is a talk that answers in its own way where f says so.
func answering(f func(w io.Writer, r request) bool) func() talk {
	return func() talk { return talk{answer: f} }
}

// handled serves HTTP with a handler.
func handled(h http.Handler) func(net.Listener) {
	return func(l net.Listener) {
		server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
		_ = server.Serve(l) // it ends when the listener is closed
		server.Close()
	}
}

// connections serves each connection with f, which may do as it likes.
func connections(f func(c net.Conn)) func(net.Listener) {
	return func(l net.Listener) {
		var mu sync.Mutex
		var open []net.Conn
		for {
			c, err := l.Accept()
			if err != nil {
				mu.Lock()
				defer mu.Unlock()
				for _, c := range open {
					c.Close()
				}
				return
			}
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
			go func() {
				defer c.Close()
				f(c)
			}()
		}
	}
}

// forever repeats a text until it can be written no longer.
func forever(w io.Writer, text string) {
	block := []byte(strings.Repeat(text, max(1, 32<<10/len(text))))
	for {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

// hang does nothing, for longer than any test.
func hang() { time.Sleep(time.Hour) }
