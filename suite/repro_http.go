package suite

import (
	"net/http"
	"slices"
	"sort"
	"strconv"
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
	sid, behind, slept := "", false, 0
	for i, x := range s.steps {
		same := s.alike(i)
		if same[0] != i {
			continue
		}
		if x.event.Message().Method == "initialize" && sid == "" && !x.counts && s.session() != "" && len(s.steps) > 1 {
			sid = s.session()
			b.WriteString("SID=$(" + s.request(x, "-o /dev/null -D - --max-time 10", "", filled(string(x.event.Raw))) + ` | tr -d '\r' | awk 'tolower($1)=="mcp-session-id:"{print $2}'); `)
			continue
		}
		if d := s.wait(i, slept, behind); d > 0 {
			b.WriteString("sleep " + seconds(d) + "; ")
			slept = i
		}
		word, set := s.word(x)
		b.WriteString(set)
		show := "-i --max-time " + seconds(s.limit(i))
		if strings.HasPrefix(x.event.Probe, "open/") && i < len(s.steps)-1 && !x.counts && !x.read {
			show = "-o /dev/null --max-time 10"
		}
		behind = s.behind(i)
		if behind {
			show += " -N" // what comes counts when it comes
		}
		if len(same) > 1 {
			b.WriteString(s.loop(same, show, sid))
			continue
		}
		b.WriteString(s.request(x, show, sid, word))
		if s.watched() {
			b.WriteString(` | tee -a "$O"`)
		}
		switch {
		case behind:
			b.WriteString(" & ")
		case i < len(s.steps)-1 || len(s.after) > 0:
			b.WriteString("; ")
		}
	}
	for i, x := range s.after {
		if i == 0 && behind {
			b.WriteString("sleep 0.5; ")
		}
		word, set := s.word(x)
		b.WriteString(set + s.request(x, "-i --max-time 10", sid, word))
		if s.watched() {
			b.WriteString(` | tee -a "$O"`)
		}
		b.WriteString("; ")
	}
	line := strings.TrimSuffix(b.String(), "; ")
	switch {
	case strings.HasSuffix(line, "& "):
		line += "wait"
	case strings.Contains(line, " & "):
		line += "; wait"
	}
	return line
}

// wait is how long to wait before step i. slept is the step before which was
// waited last, behind says that the step before went to the background.
func (s *script) wait(i, slept int, behind bool) time.Duration {
	switch {
	case i == 0 || behind && s.steps[i].together && s.steps[i-1].together: // they go out at the same time
		return 0
	case behind:
		return max(s.pause(i), 500*time.Millisecond)
	case s.pause(i) > 2*time.Second:
		return s.pause(i)
	case s.overtakes(slept, i):
		return 500 * time.Millisecond
	}
	return 0
}

// overtakes says that step i would come before the answer to one of the steps
// from a place on that go to the background, after which it was sent.
func (s *script) overtakes(from, i int) bool {
	for j := from; j < i; j++ {
		if x := s.steps[j]; s.behind(j) && x.end >= 0 && x.end < s.steps[i].at {
			return true
		}
	}
	return false
}

// limit is how long step i may take.
func (s *script) limit(i int) time.Duration {
	x := s.steps[i]
	if !x.dropped || x.end <= 0 {
		return 10 * time.Second
	}
	limit := s.tape.Events()[x.end].At - x.event.At + 300*time.Millisecond
	for _, y := range s.steps[i+1:] { // a shell is slower
		if y.at < x.end || s.outlives(x) {
			limit += 700 * time.Millisecond
		}
	}
	limit += time.Duration(len(s.after)) * 700 * time.Millisecond
	return min(limit, 30*time.Second)
}

// outlives says that a step is a stream on which something is to be seen that
// comes of what is sent at the end.
func (s *script) outlives(x step) bool {
	return len(s.after) > 0 && x.counts && x.event.Message().Method == "subscriptions/listen"
}

// few is how many requests are written one by one although they are alike.
const few = 8

// alike are the steps that go out together with step i and differ from it in
// nothing but their ids, in order; i alone where there are few.
func (s *script) alike(i int) []int {
	one := []int{i}
	if !s.steps[i].together {
		return one
	}
	var out []int
	want := s.pattern(s.steps[i])
	for j, x := range s.steps {
		if want != "" && x.together && s.pattern(x) == want {
			out = append(out, j)
		}
	}
	if len(out) <= few {
		return one
	}
	return out
}

// pattern is the body of a request with a variable for its id, "" where it has none that is a number.
func (s *script) pattern(x step) string {
	if _, err := strconv.ParseInt(x.event.Message().ID, 10, 64); err != nil || x.event.Message().Method == "" {
		return ""
	}
	if _, set := s.word(x); set != "" {
		return ""
	}
	word, _ := withID(string(x.event.Raw), `"$I"`)
	return word
}

// loop writes requests that are alike, all in the background.
func (s *script) loop(steps []int, show, sid string) string {
	var ids []string
	for _, i := range steps {
		ids = append(ids, s.steps[i].event.Message().ID)
	}
	x := s.steps[steps[0]]
	return "for I in " + strings.Join(ids, " ") + "; do " + s.request(x, show, sid, s.pattern(x)) + " & done; "
}

// behind says that a request goes to the background: it was still open when the
// next one came, or it goes out together with the next one.
func (s *script) behind(i int) bool {
	if s.outlives(s.steps[i]) {
		return true
	}
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

// request writes one request for curl with a word as its body; the session id is
// taken from $SID where it is the tape's own.
func (s *script) request(x step, show, sid, word string) string {
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
			case slices.ContainsFunc(s.captured, func(c capture) bool { return c.value == v }):
				parts = append(parts, `-H "`+k+`: $V"`)
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
	if len(e.Raw) > largeBody || special(string(e.Raw)) {
		return "printf '%s' " + word + " | " + strings.Join(append(parts, "--data-binary @-", shellQuote(h.URL)), " ")
	}
	return strings.Join(append(parts, "--data-binary "+word, shellQuote(h.URL)), " ")
}
