package sample

import (
	"bytes"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// keepAlive is how often a quiet stream carries a comment.
const keepAlive = 15 * time.Second

// maxEvents bounds how many events of a stream are kept.
const maxEvents = 1024

// stream is a sequence of SSE events. It outlives the connection that carries
// it, so that a client of a handshake revision can come back for the rest.
type stream struct {
	name string
	// numbered events carry ids; primed streams begin with an event of no data.
	numbered, primed bool

	mu      sync.Mutex
	wake    chan struct{}
	first   int // number of events[0]
	events  [][]byte
	done    bool
	claimed bool
}

// add appends a message, and reports whether anybody may see it.
func (st *stream) add(data []byte) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.done {
		return false
	}
	st.events = append(st.events, data)
	if len(st.events) > maxEvents {
		st.events, st.first = st.events[1:], st.first+1
	}
	close(st.wake)
	st.wake = make(chan struct{})
	return true
}

func (st *stream) finish() {
	st.mu.Lock()
	defer st.mu.Unlock()
	if !st.done {
		st.done = true
		close(st.wake)
	}
}

// busy says that a client listens to the stream; nil is not busy.
func (st *stream) busy() bool {
	if st == nil {
		return false
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.claimed
}

func (st *stream) release() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.claimed = false
}

func (st *stream) length() int {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.first + len(st.events)
}

// after reads the number in an event id; the priming event is number -1.
func (st *stream) after(number string) (int, bool) {
	n, err := strconv.Atoi(number)
	if number == "start" {
		n, err = -1, nil
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	return n + 1, err == nil && n+1 >= st.first && n < st.first+len(st.events)
}

// at returns the event of that number, or what to wait for.
func (st *stream) at(n int) (data []byte, wake <-chan struct{}, over bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if n < st.first {
		n = st.first
	}
	if i := n - st.first; i < len(st.events) {
		return st.events[i], nil, false
	}
	return nil, st.wake, st.done
}

// event is one SSE event before it is written.
type event struct {
	id   string // "" for none
	data []byte // nil for the priming event
}

// writeEvent frames an event: one line of data, which the plainest readers can cope with.
func writeEvent(e event) []byte {
	var b bytes.Buffer
	if e.id != "" {
		b.WriteString("id: " + e.id + "\n")
	}
	if e.data != nil {
		b.WriteString("event: message\n")
	}
	b.WriteString("data: ")
	b.Write(e.data)
	b.WriteString("\n\n")
	return b.Bytes()
}

// stream carries events from the given number on until the stream or the
// connection is over, after a priming event where wanted. It reports whether the
// stream was over.
func (w *web) stream(rw http.ResponseWriter, r *http.Request, st *stream, from int, prime bool) bool {
	do := &w.srv.do.http
	h := rw.Header()
	h.Set("Content-Type", do.streamType)
	h.Set("Cache-Control", "no-cache")
	if do.unbuffered {
		h.Set("X-Accel-Buffering", "no")
	}
	rw.WriteHeader(http.StatusOK)
	out := http.NewResponseController(rw)
	send := func(b []byte) bool {
		_, err := rw.Write(b)
		return err == nil && out.Flush() == nil
	}
	if prime && !do.unprimed && !send(do.frame(event{id: do.eventID(st, "start")})) || out.Flush() != nil {
		return false
	}
	quiet := time.NewTicker(keepAlive)
	defer quiet.Stop()
	for n := from; ; {
		data, wake, over := st.at(n)
		if data != nil {
			e := event{data: data}
			if st.numbered {
				e.id = do.eventID(st, strconv.Itoa(n))
			}
			if !send(do.frame(e)) {
				return false
			}
			n++
			continue
		}
		if over {
			return true
		}
		select {
		case <-wake:
		case <-quiet.C:
			if !send([]byte(": still here\n\n")) {
				return false
			}
		case <-r.Context().Done():
			return false
		case <-w.srv.dead:
			panic(http.ErrAbortHandler)
		}
	}
}

// eventID names the stream and the place in it.
func eventID(st *stream, place string) string { return st.name + "-" + place }

func (hs *webSession) resumed(eventID string) (*stream, int, bool) {
	if eventID == "" {
		return nil, 0, false
	}
	return hs.find(eventID)
}
