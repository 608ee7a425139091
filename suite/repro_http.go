package suite

import (
	"net/http"
	"sort"
	"strings"
	"time"

	"github.com/agntn/conform/fakes/wire"
)

// largeBody is how large a body may be as an argument of a program, in bytes.
const largeBody = 100_000

// curl writes the script for a server over HTTP: one request after the other,
// and those in the background that were still open when the next one came.
func (s *script) curl() string {
	var b strings.Builder
	b.WriteString(s.helpers())
	sid, behind := "", false
	for i, x := range s.steps {
		if x.event.Message().Method == "initialize" && sid == "" && !x.counts && s.session() != "" && len(s.steps) > 1 {
			sid = s.session()
			b.WriteString("SID=$(" + s.request(x, "-o /dev/null -D - --max-time 10", "") + ` | tr -d '\r' | awk 'tolower($1)=="mcp-session-id:"{print $2}'); `)
			continue
		}
		if behind && x.together && s.steps[i-1].together {
			// They go out at the same time.
		} else if behind && i > 0 {
			b.WriteString("sleep " + seconds(max(s.pause(i), 500*time.Millisecond)) + "; ")
		} else if i > 0 && s.pause(i) > 2*time.Second {
			b.WriteString("sleep " + seconds(s.pause(i)) + "; ")
		}
		_, set := s.word(x)
		b.WriteString(set)
		limit := 10 * time.Second
		if x.dropped && x.end > 0 {
			limit = s.tape.Events()[x.end].At - x.event.At + 300*time.Millisecond
			for _, y := range s.steps[i+1:] { // a shell is slower
				if y.at < x.end {
					limit += 700 * time.Millisecond
				}
			}
			limit = min(limit, 30*time.Second)
		}
		show := "-i --max-time " + seconds(limit)
		if strings.HasPrefix(x.event.Probe, "open/") && i < len(s.steps)-1 && !x.counts {
			show = "-o /dev/null --max-time 10"
		}
		behind = s.behind(i)
		if behind {
			show += " -N" // what comes counts when it comes
		}
		b.WriteString(s.request(x, show, sid))
		if s.watched() {
			b.WriteString(` | tee -a "$O"`)
		}
		switch {
		case behind:
			b.WriteString(" & ")
		case i < len(s.steps)-1:
			b.WriteString("; ")
		}
	}
	line := strings.TrimSuffix(b.String(), "; ")
	if strings.Contains(line, " & ") {
		line += "; wait"
	}
	return line
}

// behind says that a request goes to the background: it was still open when the
// next one came, or it goes out together with the next one.
func (s *script) behind(i int) bool {
	if i == len(s.steps)-1 {
		return false
	}
	x, m := s.steps[i], s.steps[i].event.Message()
	return x.event.HTTP.Method == http.MethodGet || m.ID != "" && m.Method != "" && (x.end < 0 || x.end > s.steps[i+1].at || x.together && s.steps[i+1].together)
}

// session is the session id that the opening got.
func (s *script) session() string {
	for _, e := range s.tape.Events() {
		if e.Kind == wire.Head && e.HTTP.Header.Get("Mcp-Session-Id") != "" {
			return e.HTTP.Header.Get("Mcp-Session-Id")
		}
	}
	return ""
}

// request writes one request for curl; the session id is taken from $SID where it is the tape's own.
func (s *script) request(x step, show, sid string) string {
	e := x.event
	h := e.HTTP
	parts := []string{"curl -sS " + show}
	if h.Method != http.MethodPost || len(e.Raw) == 0 {
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
			switch {
			case k == "Mcp-Session-Id" && v == sid && sid != "":
				parts = append(parts, `-H "Mcp-Session-Id: $SID"`)
			case v == "":
				parts = append(parts, "-H "+shellQuote(k+";")) // curl's way to say that the value is empty
			default:
				parts = append(parts, "-H "+shellQuote(k+": "+v))
			}
		}
	}
	for _, k := range []string{"Accept", "Content-Type"} {
		if _, ok := h.Header[k]; !ok && (k == "Accept" || len(e.Raw) > 0) {
			parts = append(parts, "-H '"+k+":'") // curl would send its own
		}
	}
	if len(e.Raw) == 0 {
		return strings.Join(append(parts, shellQuote(h.URL)), " ")
	}
	word, _ := s.word(x)
	if len(e.Raw) > largeBody || special(string(e.Raw)) {
		return "printf '%s' " + word + " | " + strings.Join(append(parts, "--data-binary @-", shellQuote(h.URL)), " ")
	}
	return strings.Join(append(parts, "--data-binary "+word, shellQuote(h.URL)), " ")
}
