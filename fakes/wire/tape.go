// Package wire carries raw frames to a target and back: a child process over
// stdio, Streamable HTTP, or an in-process transport. Everything both ways is
// kept in a Tape, the only evidence that a verdict may rest on.
package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"net/http"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/tidwall/gjson"
)

// Kind says what an Event is.
type Kind string

// The kinds of events.
const (
	Send   Kind = "send"   // a frame or HTTP request of ours
	Recv   Kind = "recv"   // a frame of the target, or an HTTP body that is no frame
	Head   Kind = "head"   // status and headers of an HTTP answer
	Close  Kind = "close"  // an HTTP answer or stream ended
	Stderr Kind = "stderr" // a line the target wrote to stderr
	Exit   Kind = "exit"   // the target's process ended
	Notice Kind = "note"   // something conform did or noticed, in words
)

// Event is one thing that happened on a line.
type Event struct {
	// At is the time since the tape began.
	At   time.Duration `json:"at"`
	Kind Kind          `json:"kind"`
	// Raw is the frame without its line feed, or the text of a note.
	Raw []byte `json:"raw,omitempty"`
	// Probe labels what was sent, "<scenario>/<label>"; on a note, what it is about.
	Probe string `json:"probe,omitempty"`
	// Post numbers the HTTP request that an event belongs to, from 1.
	Post int `json:"post,omitempty"`
	// HTTP is set on sends and heads over HTTP.
	HTTP *HTTPMeta `json:"http,omitempty"`
	// Chunks are the offsets at which a frame was split when it was sent.
	Chunks []int `json:"chunks,omitempty"`
	// Cut is the number of bytes left out of Raw.
	Cut int `json:"cut,omitempty"`
	// Status is the exit status of the process, or the state a note tells of.
	Status string `json:"status,omitempty"`

	msg *Message
}

// HTTPMeta is the HTTP side of a send or a head.
type HTTPMeta struct {
	Method string      `json:"method,omitempty"`
	URL    string      `json:"url,omitempty"`
	Status int         `json:"status,omitempty"`
	Header http.Header `json:"header,omitempty"`
	// SSE says that the answer is an event stream; EventID and EventName are of one event.
	SSE       bool   `json:"sse,omitempty"`
	EventID   string `json:"event_id,omitempty"`
	EventName string `json:"event_name,omitempty"`
	// Lines is how many data lines an event had, Retry its retry field.
	Lines int    `json:"lines,omitempty"`
	Retry string `json:"retry,omitempty"`
}

// Message is a frame looked at as JSON-RPC, without judging it.
type Message struct {
	// Valid says that the frame is one JSON value, nested no deeper than JSON readers allow.
	Valid bool
	// Root is the parsed frame.
	Root gjson.Result
	// ID is the raw JSON of the id member, "" when there is none.
	ID string
	// Method is the method member when it is a string.
	Method string
	// HasResult and HasError say which of the two members is there; Result is the
	// result.
	HasResult, HasError bool
	Result              gjson.Result
}

// IsResponse says that the frame carries a result or an error and no method.
func (m *Message) IsResponse() bool { return m.Valid && m.Method == "" && (m.HasResult || m.HasError) }

// IsRequest says that the frame asks something of the client.
func (m *Message) IsRequest() bool { return m.Valid && m.Method != "" && m.ID != "" }

// IsNotification says that the frame tells the client something.
func (m *Message) IsNotification() bool { return m.Valid && m.Method != "" && m.ID == "" }

// ParseMessage looks at one frame. It never fails; junk is simply not valid.
// raw must not be changed afterwards.
func ParseMessage(raw []byte) *Message {
	m := &Message{}
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || !json.Valid(raw) {
		return m
	}
	m.Valid = true
	// Frames are never changed, so the text need not be a copy of its own.
	m.Root = gjson.Parse(unsafe.String(unsafe.SliceData(raw), len(raw)))
	if !m.Root.IsObject() {
		return m
	}
	// The last of several equal keys wins, as in every common JSON reader.
	m.Root.ForEach(func(k, v gjson.Result) bool {
		switch k.Str {
		case "id":
			m.ID = v.Raw
		case "method":
			m.Method = ""
			if v.Type == gjson.String {
				m.Method = v.Str
			}
		case "result":
			m.HasResult, m.Result = true, v
		case "error":
			m.HasError = true
		}
		return true
	})
	return m
}

// Message returns the event's frame as a message. On a tape it was parsed once.
func (e *Event) Message() *Message {
	if e.msg == nil {
		return ParseMessage(e.Raw)
	}
	return e.msg
}

// Tape is everything that happened on one line, in order. It is safe for
// concurrent use while the line lives.
type Tape struct {
	// ID names the line within a run; Client, Revision and Transport say whose it was.
	ID, Client, Revision, Transport string
	// Purpose says in words what the line was opened for.
	Purpose string
	// SkipBOM says that a byte order mark before a frame does not keep it from
	// being read. Set before the line is used.
	SkipBOM bool

	mu     sync.Mutex
	start  time.Time
	events []Event
	budget *Budget
	over   bool
	loaded bool
	deaf   bool
	told   int
	sees   []func(*Event)
	now    func() time.Duration
}

// NewTape returns an empty tape that counts its evidence against budget.
func NewTape(id string, budget *Budget) *Tape {
	t := &Tape{ID: id, start: time.Now(), budget: budget}
	t.now = func() time.Duration { return time.Since(t.start) }
	return t
}

// Began is when the clock of the tape began, the zero time when it was loaded.
func (t *Tape) Began() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.loaded {
		return time.Time{}
	}
	return t.start
}

// Watch calls f for every event appended from now on, in order, on the
// goroutine that appends it. f must not block.
func (t *Tape) Watch(f func(*Event)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sees = append(t.sees, f)
}

// Append adds an event with the present time. The tape takes the bytes over.
// Frames over the evidence budget keep their head only; what was left out is
// counted in Cut. Of what a target sends unasked, so much is kept and no more.
func (t *Tape) Append(e Event) {
	if e.Kind == Send {
		e.Raw = bytes.Clone(e.Raw)
	}
	shared := false
	if e.Kind == Recv || e.Kind == Send {
		e.Raw, shared = t.budget.same(e.Raw)
		e.msg = t.parse(e.Raw) // before any cut, and once
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.deaf && e.Kind != Notice && e.Kind != Exit {
		return
	}
	e.At = t.now()
	sees := t.sees
	for _, f := range sees {
		f(&e)
	}
	if t.unasked(&e) {
		return
	}
	size := e.weight()
	if shared {
		size -= len(e.Raw)
	}
	if !t.budget.take(size) {
		t.over = true
		if len(e.Raw) > cutHead {
			e.Cut += len(e.Raw) - cutHead
			e.Raw = bytes.Clone(e.Raw[:cutHead])
			e.msg = &Message{}
		}
		if t.budget.exhausted() {
			return
		}
	}
	t.events = append(t.events, e)
}

func (t *Tape) parse(raw []byte) *Message {
	if t.SkipBOM {
		raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	}
	return ParseMessage(raw)
}

// unasked counts what the target sends that is no answer, and says that no more
// of it is kept.
func (t *Tape) unasked(e *Event) bool {
	if e.Kind != Recv || e.msg.IsResponse() || e.HTTP != nil && !e.HTTP.SSE {
		return false
	}
	t.told++
	switch {
	case t.told <= maxUnasked:
		return false
	case t.told == maxUnasked+1:
		t.events = append(t.events, Event{At: e.At, Kind: Notice, Status: "flood", Raw: fmt.Appendf(nil, "what follows besides answers is not kept: more than %d frames", maxUnasked)})
	}
	return true
}

// Note appends a note in words.
func (t *Tape) Note(probe, status, text string) {
	t.Append(Event{Kind: Notice, Probe: probe, Status: status, Raw: []byte(text)})
}

// Events returns what happened so far. The slice must not be changed.
func (t *Tape) Events() []Event {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.events[:len(t.events):len(t.events)]
}

// Deafen has nothing more kept or seen of what is sent and comes: conform ends the
// line for reasons of its own, and what the target makes of that tells nothing.
func (t *Tape) Deafen() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.deaf = true
}

// Over says that evidence was left out because the budget was used up.
func (t *Tape) Over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.over
}

// Load fills a tape with recorded events, for judging again; over says that some
// had been left out.
func (t *Tape) Load(events []Event, over bool) {
	for i := range events {
		if k := events[i].Kind; k == Recv || k == Send {
			events[i].msg = t.parse(events[i].Raw)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.loaded, t.events, t.over = true, events, over
}

const (
	// eventOverhead is what an event costs beyond its bytes, roughly.
	eventOverhead = 600
	// cutHead is how much of a frame stays when evidence is cut.
	cutHead = 4 << 10
	// maxUnasked is how many frames that answer nothing are kept on one tape.
	maxUnasked = 20_000
	// sameFrom is how large a frame is that is worth looking for among others.
	sameFrom = 16 << 10
)

// weight is what an event costs, roughly, in bytes.
func (e *Event) weight() int {
	n := len(e.Raw) + len(e.Probe) + eventOverhead
	if e.HTTP != nil {
		n += len(e.HTTP.EventID) + len(e.HTTP.EventName) + len(e.HTTP.Retry)
		for k, values := range e.HTTP.Header {
			n += len(k) + 100
			for _, v := range values {
				n += len(v)
			}
		}
	}
	return n
}

// Budget bounds the evidence of a whole run.
type Budget struct {
	mu   sync.Mutex
	left int
	// floor is how far below zero heads and notes may still go.
	floor int
	// seen are large frames by their hash: many sessions get the same listing.
	seen map[uint64][]byte
	seed maphash.Seed
}

// NewBudget returns a budget of n bytes. Once it is used up, heads of frames
// are still kept for a quarter as much again, and then nothing is.
func NewBudget(n int) *Budget {
	return &Budget{left: n, floor: -n / 4, seen: map[uint64][]byte{}, seed: maphash.MakeSeed()}
}

// same returns bytes that are the same and that are paid for already, if there are any.
func (b *Budget) same(raw []byte) ([]byte, bool) {
	if b == nil || len(raw) < sameFrom {
		return raw, false
	}
	h := maphash.Bytes(b.seed, raw)
	b.mu.Lock()
	defer b.mu.Unlock()
	if old, ok := b.seen[h]; ok {
		if bytes.Equal(old, raw) {
			return old, true
		}
		return raw, false
	}
	if b.left >= len(raw) {
		b.seen[h] = raw
	}
	return raw, false
}

func (b *Budget) take(n int) bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left < n {
		b.left -= min(n, cutHead+eventOverhead)
		return false
	}
	b.left -= n
	return true
}

func (b *Budget) exhausted() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.left < b.floor
}

// clean cuts a text to n bytes, for notes.
func clean(s string, n int) string {
	s = strings.TrimSpace(s)
	if len(s) > n {
		s = s[:n]
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
