package wire

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Frame is one thing to send. Raw goes out byte for byte.
type Frame struct {
	// Raw is the frame. Over stdio a line feed is added unless NoNewline is set.
	Raw       []byte
	NoNewline bool
	// Probe labels the frame in the tape.
	Probe string
	// Method is the HTTP method, POST when empty; Header is added to the line's
	// own headers and a nil value removes one of them.
	Method string
	Header http.Header
	// Host replaces the Host header over HTTP, and URL the whole address: that of
	// metadata, or of the same server by another way. The line's own headers do
	// not go to another host.
	Host, URL string
	// Chunks splits the write over stdio at these offsets, with a pause between.
	Chunks []int
	// Head is called over HTTP when the head of the answer is there or none will
	// come, if it is set.
	Head func()
}

func (f Frame) arrived() {
	if f.Head != nil {
		f.Head()
	}
}

// Sent is a frame on its way.
type Sent interface {
	// Drop gives up the answer: over HTTP its stream is closed. Elsewhere it does nothing.
	Drop()
	// Post is the number of the HTTP request, 0 elsewhere.
	Post() int
	// Done is closed when the HTTP answer has ended; nil elsewhere.
	Done() <-chan struct{}
}

// Line is one connection to a target.
type Line interface {
	// Send writes one frame. It returns when the bytes are handed over, not when they are answered.
	Send(ctx context.Context, f Frame) (Sent, error)
	// Tape returns the line's transcript.
	Tape() *Tape
	// Dead is closed when nothing more can come: the process ended or stdout
	// was closed. It never closes over HTTP while the line is in use.
	Dead() <-chan struct{}
	// Close ends the line with the given steps and reaps everything it started.
	Close(steps Shutdown) Ending
}

// Shutdown lists what a client does to end a stdio server, in order.
type Shutdown []Step

// Step is one shutdown step; after it the client waits for Wait.
type Step struct {
	// Do is "eof", "sigint", "sigterm" or "sigkill".
	Do   string        `json:"do"`
	Wait time.Duration `json:"wait"`
}

// Polite is the shutdown of SDK v1 and v2: end of input, 2 s, SIGTERM, 2 s, SIGKILL.
func Polite() Shutdown {
	return Shutdown{{"eof", 2 * time.Second}, {"sigterm", 2 * time.Second}, {"sigkill", time.Second}}
}

// Quick ends a server whose shutdown nobody judges.
func Quick() Shutdown {
	return Shutdown{{"eof", 300 * time.Millisecond}, {"sigterm", 300 * time.Millisecond}, {"sigkill", time.Second}}
}

// Ending says how a line ended.
type Ending struct {
	// By is the step after which the process was gone, "" if it had ended before.
	By string
	// Took is the time from the first step to the end.
	Took time.Duration
	// Status is the exit status in words, e.g. "exit status 0" or "signal: killed".
	Status string
	// Orphans are processes that outlived the server and were killed.
	Orphans []string
}

// Errors of lines.
var (
	// ErrDead says that the target is gone.
	ErrDead = errors.New("the target is gone")
)
