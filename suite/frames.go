package suite

import (
	"fmt"
	"net/http"
	"slices"
	"sort"
	"strings"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

// maxFrame bounds one frame of evidence in a report, in bytes.
const maxFrame = 4000

// frames shows exchanges as evidence: what was sent, what came back, and notes on how it ended.
func frames(proof []*scenarios.Exchange, most int) []scenarios.Frame {
	out := []scenarios.Frame{}
	for i, x := range proof {
		if x == nil {
			continue
		}
		if i >= most {
			out = append(out, scenarios.Frame{Dir: "note", Text: fmt.Sprintf("%d more exchanges not shown", len(proof)-most)})
			break
		}
		out = append(out, sent(x)...)
		events := x.Tape.Events()
		shown := 0
		end := x.EndAt
		if end < 0 {
			end = min(len(events)-1, x.At+20)
		}
		for j := x.At + 1; j <= end && j < len(events) && shown < 12; j++ {
			if e := &events[j]; belongs(x, e, j) {
				out = append(out, frame(e))
				shown++
			}
		}
		for _, e := range x.Further[:min(2, len(x.Further))] {
			out = append(out, frame(e))
		}
	}
	return out
}

// belongs says whether an event between a send and its end is part of the story.
func belongs(x *scenarios.Exchange, e *wire.Event, j int) bool {
	switch e.Kind {
	case wire.Recv:
		m := e.Message()
		return j == x.AnswerAt || m.IsRequest() || m.IsNotification() || e.Post == x.Sent.Post && (e.Post > 0 || !m.Valid)
	case wire.Head:
		return e.Post == x.Sent.Post
	case wire.Notice, wire.Exit:
		return e.Probe == "" || e.Probe == x.Sent.Probe
	case wire.Close:
		return e.Post == x.Sent.Post && e.Status != "end"
	}
	return false
}

func sent(x *scenarios.Exchange) []scenarios.Frame {
	e := x.Sent
	if e.Kind != wire.Send { // what the server says unasked stands for itself
		return []scenarios.Frame{frame(e)}
	}
	at := e.At.Milliseconds()
	if e.HTTP == nil {
		return []scenarios.Frame{{AtMS: at, Dir: "send", Text: boundedBytes(e.Raw, maxFrame)}}
	}
	head := e.HTTP.Method + " " + e.HTTP.URL + headerLines(e.HTTP.Header)
	if len(e.Raw) > 0 {
		head += "\n\n" + boundedBytes(e.Raw, maxFrame)
	}
	return []scenarios.Frame{{AtMS: at, Dir: "send", Text: bounded(head, maxFrame)}}
}

func frame(e *wire.Event) scenarios.Frame {
	f := scenarios.Frame{AtMS: e.At.Milliseconds(), Dir: "recv", Text: boundedBytes(e.Raw, maxFrame)}
	switch e.Kind {
	case wire.Head:
		f.Text = fmt.Sprintf("HTTP %d %s", e.HTTP.Status, http.StatusText(e.HTTP.Status)) + headerLines(e.HTTP.Header)
	case wire.Exit:
		f.Dir, f.Text = "note", "the server process ended: "+e.Status
	case wire.Notice:
		f.Dir = "note"
	case wire.Stderr:
		f.Dir, f.Text = "note", "on stderr: "+f.Text
	case wire.Close:
		f.Dir, f.Text = "note", "the HTTP exchange ended: "+string(e.Raw)
	}
	return f
}

func boundedBytes(b []byte, n int) string {
	if len(b) > n {
		return string(b[:n]) + " …"
	}
	return string(b)
}

func headerLines(h http.Header) string {
	var keys []string
	for k := range h {
		if !slices.Contains([]string{"User-Agent", "Accept-Encoding", "Date", "Connection", "Keep-Alive"}, k) {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "\n%s: %s", k, bounded(strings.Join(h[k], ", "), 300))
	}
	return b.String()
}

// repro is a shell line that shows the last exchange without conform.
func repro(run *scenarios.RunFacts, proof []*scenarios.Exchange) string {
	if len(proof) == 0 || run == nil {
		return ""
	}
	// Only what a client sends can be sent again: a server's own request comes by itself.
	proof = slices.DeleteFunc(slices.Clone(proof), func(p *scenarios.Exchange) bool { return p == nil || p.Sent.Kind != wire.Send })
	if len(proof) == 0 {
		return ""
	}
	x := proof[len(proof)-1]
	if x.Sent.HTTP != nil {
		return reproHTTP(x)
	}
	if len(run.Command) == 0 {
		return ""
	}
	var lines []string
	for _, e := range x.Tape.Events()[:x.At] {
		if e.Kind == wire.Send && strings.HasPrefix(e.Probe, "open/") && e.Probe != "open/tools/list" && len(e.Raw) < 4000 {
			lines = append(lines, string(e.Raw))
		}
	}
	for _, p := range proof {
		if p.Tape == x.Tape && p.Sent != x.Sent && !strings.HasPrefix(p.Sent.Probe, "open/") && len(p.Sent.Raw) < 20_000 {
			lines = append(lines, string(p.Sent.Raw))
		}
	}
	if len(x.Sent.Raw) > 100_000 {
		return ""
	}
	lines = append(lines, string(x.Sent.Raw))
	var b strings.Builder
	b.WriteString("{ printf '%s\\n'")
	for _, l := range lines {
		b.WriteString(" " + shellQuote(l))
	}
	b.WriteString("; sleep 2; } | " + shellJoin(run.Command))
	return b.String()
}

func reproHTTP(x *scenarios.Exchange) string {
	if len(x.Sent.Raw) > 100_000 {
		return ""
	}
	h := x.Sent.HTTP
	var b strings.Builder
	if sid := h.Header.Get("Mcp-Session-Id"); sid != "" && len(x.Tape.Events()) > 0 {
		if open := opening(x.Tape); open != nil {
			b.WriteString("SID=$(curl -sS -D - -o /dev/null --max-time 10 " + curlArgs(open, "") + " | tr -d '\\r' | awk 'tolower($1)==\"mcp-session-id:\"{print $2}'); ")
			b.WriteString("curl -sS -i --max-time 10 " + curlArgs(x.Sent, sid))
			return b.String()
		}
	}
	b.WriteString("curl -sS -i --max-time 10 " + curlArgs(x.Sent, ""))
	return b.String()
}

func opening(t *wire.Tape) *wire.Event {
	for _, e := range t.Events() {
		if e.Kind == wire.Send && e.Probe == "open/initialize" {
			return &e
		}
	}
	return nil
}

// curlArgs writes one request for curl; the session id is taken from $SID when it is the tape's own.
func curlArgs(e *wire.Event, sid string) string {
	h := e.HTTP
	var parts []string
	if h.Method != http.MethodPost {
		parts = append(parts, "-X "+h.Method)
	}
	var keys []string
	for k := range h.Header {
		if k != "User-Agent" {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	for _, k := range keys {
		for _, v := range h.Header[k] {
			if k == "Mcp-Session-Id" && v == sid && sid != "" {
				parts = append(parts, `-H "Mcp-Session-Id: $SID"`)
				continue
			}
			parts = append(parts, "-H "+shellQuote(k+": "+v))
		}
	}
	if len(e.Raw) > 0 {
		parts = append(parts, "--data-binary "+shellQuote(string(e.Raw)))
	}
	parts = append(parts, shellQuote(h.URL))
	return strings.Join(parts, " ")
}

func shellJoin(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\$`&|;<>()*?[]#~!{}") {
			out[i] = shellQuote(a)
		}
	}
	return strings.Join(out, " ")
}

// shellQuote quotes for a POSIX shell. Control characters are written as
// printf octal escapes, so that the line can be copied.
func shellQuote(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f }) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString(`"$(printf '`)
	for i := range len(s) {
		switch c := s[i]; {
		case c < 0x20 || c == 0x7f || c == '\'' || c == '\\' || c == '%':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteString(`')"`)
	return b.String()
}
