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
