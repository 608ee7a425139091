package hostile

import (
	"bufio"
	"io"
	"os"
	"strings"
	"time"
)

// streamServers misuse the streams between a client and its child.
func streamServers() []Server {
	return []Server{
		{Name: "endless-without-newline", About: "writes to stdout without end and without a line feed", Stdio: func(p *Process) { forever(p.Out, "x") }},
		{Name: "endless-junk-lines", About: "writes lines that are no JSON without end", Stdio: func(p *Process) { forever(p.Out, "GET / HTTP/1.1 is not what was asked for\n") }},
		{Name: "endless-empty-lines", About: "writes line feeds without end", Stdio: func(p *Process) { forever(p.Out, "\n") }},
		{Name: "endless-nul", About: "writes NUL bytes without end", Stdio: func(p *Process) { forever(p.Out, "\x00") }},
		{Name: "endless-stderr", About: "answers, and floods stderr with escape sequences all the while", Stdio: func(p *Process) {
			go forever(p.Err, "\x1b[2J\x1b]0;owned\x07 all your terminal \u202e\n")
			(&talk{}).stdio(p)
		}},
		overStdio("gigabyte-line", "answers tools/list with one line of a gigabyte", talk{answer: func(w io.Writer, r request) bool {
			if r.method != "tools/list" {
				return false
			}
			io.WriteString(w, `{"jsonrpc":"2.0","id":`+r.id+`,"result":{"tools":[{"name":"`)
			block := []byte(strings.Repeat("x", 1<<20))
			for range 1 << 10 {
				if _, err := w.Write(block); err != nil {
					return true
				}
			}
			io.WriteString(w, `","inputSchema":{"type":"object"}}]}}`+"\n")
			return true
		}}),
		{Name: "gigabyte-opening", About: "answers initialize and discover with one line of a gigabyte", Stdio: func(p *Process) {
			_, _ = bufio.NewReader(p.In).ReadString('\n')
			block := []byte(strings.Repeat("[", 1<<20))
			for range 1 << 10 {
				if _, err := p.Out.Write(block); err != nil {
					return
				}
			}
			hang()
		}},
		overStdio("large-answers", "answers every call with 15 MB, just below what is kept of a frame", talk{answer: func(w io.Writer, r request) bool {
			if r.method != "tools/call" {
				return false
			}
			result(w, r, `{"resultType":"complete","content":[{"type":"text","text":"`+strings.Repeat("large ", 15<<20/6)+`"}]}`)
			return true
		}}),
		{Name: "never-reads", About: "never reads its input and says nothing", Stdio: func(*Process) { hang() }},
		{Name: "reads-and-is-silent", About: "reads everything and says nothing", Stdio: func(p *Process) {
			_, _ = io.Copy(io.Discard, p.In)
			hang()
		}},
		{Name: "stops-reading", About: "opens a session, and then reads no more", Stdio: func(p *Process) { (&talk{}).stdio(firstOf(p, 3)); hang() }},
		{Name: "reads-by-drops", About: "reads one byte in ten milliseconds", Stdio: func(p *Process) {
			b := make([]byte, 1)
			for {
				if _, err := p.In.Read(b); err != nil {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		}},
		{Name: "writes-by-drops", About: "writes one byte of an answer that never ends in twenty milliseconds", Stdio: func(p *Process) {
			text := `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"` + strings.Repeat("2025-11-25", 1000)
			for i := 0; ; i = (i + 1) % len(text) {
				if _, err := p.Out.WriteString(text[i : i+1]); err != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		}},
		{Name: "closes-stdout", About: "closes stdout after the opening and lives on", Stdio: func(p *Process) {
			(&talk{}).stdio(firstOf(p, 3))
			p.Out.Close()
			hang()
		}},
		{Name: "closes-stdin", About: "closes stdin at once and pings without end", Stdio: func(p *Process) {
			p.In.Close()
			for {
				if _, err := p.Out.WriteString(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"); err != nil {
					return
				}
				time.Sleep(time.Millisecond)
			}
		}},
		{Name: "echo", About: "writes back what it reads, as cat does", Stdio: func(p *Process) { _, _ = io.Copy(p.Out, p.In) }},
		{Name: "carriage-returns", About: "ends its lines with carriage returns alone", Stdio: func(p *Process) {
			t := talk{}
			r, w, err := os.Pipe()
			if err != nil {
				return
			}
			go func() {
				b := make([]byte, 4096)
				for {
					n, err := r.Read(b)
					if err != nil {
						return
					}
					_, _ = p.Out.WriteString(strings.ReplaceAll(string(b[:n]), "\n", "\r"))
				}
			}()
			t.stdio(&Process{In: p.In, Out: w})
		}},
		{Name: "writes-after-the-end", About: "writes without end once its input has ended", Stdio: func(p *Process) {
			(&talk{}).stdio(p)
			forever(p.Out, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"still here"}}`+"\n")
		}},
	}
}

// firstOf hands on the first n lines of the input.
func firstOf(p *Process, n int) *Process {
	r, w, err := os.Pipe()
	if err != nil {
		return p
	}
	go func() {
		defer w.Close()
		in := bufio.NewReaderSize(p.In, 1)
		for range n {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			if _, err := w.WriteString(line); err != nil {
				return
			}
		}
	}()
	return &Process{In: r, Out: p.Out, Err: p.Err, Child: p.Child}
}
