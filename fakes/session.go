package fakes

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// Limits are how long a session waits.
type Limits struct {
	// Start bounds opening, process start included. Answer bounds one request
	// on a line on which nothing comes any more. Quiet is how long silence is
	// observed after a canary was answered, before it counts as silence.
	Start, Answer, Quiet time.Duration
}

// DefaultLimits are 30 s to start, 10 s to answer, 1 s of silence.
func DefaultLimits() Limits {
	return Limits{Start: 30 * time.Second, Answer: 10 * time.Second, Quiet: time.Second}
}

// window is how many requests of ours may be unanswered on one line. Over HTTP
// the endpoint bounds how many of all lines are open.
const window, httpWindow = 24, 100

// Session is one client talking to one target over one line.
type Session struct {
	Profile   *Profile
	Transport string // "stdio", "http" or "in-process"
	// Revision is the one in force once the session is open.
	Revision string
	// Opened is the raw result of initialize or server/discover.
	Opened gjson.Result
	// Capabilities is what the client declares.
	Capabilities json.RawMessage
	Limits       Limits
	// Ahead says that requests go out at once over HTTP, however many of others are open.
	Ahead bool

	line     wire.Line
	http     bool
	noStream bool
	// undiscovered says that the server answers no server/discover.
	undiscovered bool

	mu        sync.Mutex
	nextID    int64
	counter   int64
	waiting   map[string][]*Pending
	posts     map[int]*Pending
	sessionID string
	listening string // the id of the open listen request, "" when there is none
	lastRecv  time.Time
	slowest   time.Duration // of answers but the first
	first     time.Duration // how long the first answer took
	warm      bool          // an answer has come
	person    Person
	listing   map[string]gjson.Result // tools by name, for Mcp-Param headers
	slots     chan struct{}
	answering int // questions that are being answered
	answers   int // questions that were answered, or are
	closing   bool
	closed    chan struct{}
	ending    wire.Ending
}

// Person answers what a server asks of the client. It returns the raw result,
// or the raw error object, or neither to stay silent.
type Person func(method string, params gjson.Result, id string) (result, rpcError json.RawMessage)

// NewSession speaks over an open line as the given client. Nothing is sent yet.
func NewSession(p *Profile, line wire.Line, transport string, limits Limits) *Session {
	p = p.For(transport, "")
	slots := window
	if transport == "http" {
		slots = httpWindow
	}
	s := &Session{
		Profile: p, Transport: transport, Limits: limits, line: line, http: transport == "http",
		Capabilities: p.Capabilities, nextID: p.Asking.FirstID,
		waiting: map[string][]*Pending{}, posts: map[int]*Pending{},
		slots: make(chan struct{}, slots), closed: make(chan struct{}), lastRecv: time.Now(),
	}
	s.person = s.alone
	line.Tape().Watch(s.see)
	return s
}

// Line returns the line under the session.
func (s *Session) Line() wire.Line { return s.line }

// Dead says that nothing more can come: see [wire.Line].
func (s *Session) Dead() bool {
	select {
	case <-s.line.Dead():
		return true
	default:
		return false
	}
}

// Tape returns the transcript.
func (s *Session) Tape() *wire.Tape { return s.line.Tape() }

// Modern says whether the session speaks the stateless revision.
func (s *Session) Modern() bool { return Modern(s.Revision) }

// Slowest is how long the slowest answer took that came on this session; the
// first one, for which the server may still have been starting, does not count.
func (s *Session) Slowest() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.slowest
}

// SessionID returns the HTTP session id, "" when there is none.
func (s *Session) SessionID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessionID
}

// SetPerson puts somebody at the keyboard.
func (s *Session) SetPerson(p Person) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.person = p
}

// Ask is one request to send.
type Ask struct {
	// Label names the probe in the tape: "<scenario>/<label>".
	Label  string
	Method string
	// Params are the raw params; none when nil.
	Params json.RawMessage
	// ID replaces the next id with this raw JSON value.
	ID string
	// Raw replaces the whole frame; ID must then name its id, "" if it has none.
	Raw []byte
	// Bare leaves out the _meta of the modern era.
	Bare bool
	// Meta is merged into params._meta.
	Meta json.RawMessage
	// Capabilities replace the declared ones in modern _meta.
	Capabilities json.RawMessage
	// Header and Host adjust the HTTP request.
	Header http.Header
	Host   string
	// Limit replaces the answer limit.
	Limit time.Duration
	// Silence says that silence is a likely answer: it is observed for the
	// quiet limit after a canary was answered, instead of the answer limit.
	Silence bool
	// Chunks and NoNewline shape the bytes over stdio.
	Chunks    []int
	NoNewline bool
	// NoCanary gives up at the limit without asking whether the line still works.
	NoCanary bool
	// NoToken leaves the client's progress token out.
	NoToken bool
	// Ahead lets this request go ahead, as [Session].Ahead does all of a session.
	Ahead bool
}

// Pending is a request that was sent.
type Pending struct {
	// ID is the raw JSON id.
	ID string

	s        *Session
	ask      Ask
	sent     wire.Sent
	at       time.Time
	answered chan struct{}
	once     sync.Once
	release  sync.Once
	err      error
}

// Call returns the params of a tools/call. arguments may be nil for none.
func Call(name string, arguments json.RawMessage) json.RawMessage {
	n, _ := json.Marshal(name)
	if arguments == nil {
		return json.RawMessage(`{"name":` + string(n) + `}`)
	}
	return json.RawMessage(`{"name":` + string(n) + `,"arguments":` + string(arguments) + `}`)
}

// Start sends a request and does not wait for its answer.
func (s *Session) Start(ctx context.Context, a Ask) *Pending {
	p := &Pending{s: s, ask: a, ID: a.ID, answered: make(chan struct{})}
	if a.Raw == nil && p.ID == "" {
		s.mu.Lock()
		p.ID = strconv.FormatInt(s.nextID, 10)
		s.nextID++
		s.mu.Unlock()
	}
	head, err := s.enter(ctx, a)
	if err == nil {
		select {
		case s.slots <- struct{}{}:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if err != nil {
		if head != nil {
			head()
		}
		p.release.Do(func() {}) // it has no slot that could be freed
		p.fail(err)
		return p
	}
	raw := a.Raw
	if raw == nil {
		raw = s.request(a, p.ID)
	}
	s.mu.Lock()
	if p.ID != "" {
		s.waiting[p.ID] = append(s.waiting[p.ID], p)
	}
	p.at = time.Now()
	s.mu.Unlock()
	wctx, cancel := context.WithTimeout(ctx, s.limit(a))
	defer cancel()
	sent, err := s.line.Send(wctx, wire.Frame{
		Raw: raw, Probe: a.Label, Header: s.header(a), Host: a.Host,
		Chunks: a.Chunks, NoNewline: a.NoNewline, Head: head,
	})
	p.sent = sent
	if err != nil {
		s.note(a.Label, p, statusOf(err), err.Error())
		p.fail(err)
		return p
	}
	if sent.Post() > 0 {
		s.mu.Lock()
		s.posts[sent.Post()] = p
		s.mu.Unlock()
		go func() {
			<-sent.Done()
			p.free()
		}()
	}
	return p
}

// enter waits, over HTTP, until a request may go out.
func (s *Session) enter(ctx context.Context, a Ask) (head func(), err error) {
	door, ok := s.line.(interface {
		Enter(ctx context.Context, ahead bool) (func(), error)
	})
	if !ok {
		return nil, nil
	}
	return door.Enter(ctx, a.Ahead || s.Ahead)
}

// Do sends a request and waits for its end.
func (s *Session) Do(ctx context.Context, a Ask) error { return s.Start(ctx, a).Wait(ctx) }

// Notify sends a notification. Over HTTP it waits until the request was answered.
func (s *Session) Notify(ctx context.Context, a Ask) error {
	raw := a.Raw
	if raw == nil {
		raw = s.notification(a)
	}
	wctx, cancel := context.WithTimeout(ctx, s.limit(a))
	defer cancel()
	sent, err := s.line.Send(wctx, wire.Frame{Raw: raw, Probe: a.Label, Header: s.header(a), Host: a.Host, Chunks: a.Chunks, NoNewline: a.NoNewline})
	if err != nil {
		s.Tape().Note(a.Label, statusOf(err), err.Error())
		return err
	}
	if sent.Done() != nil {
		select {
		case <-sent.Done():
		case <-wctx.Done():
			s.Tape().Note(a.Label, "silent", "the HTTP request was not answered")
		}
	}
	return nil
}

// HTTP sends a bare HTTP request (GET, DELETE, or anything odd) and does not wait.
func (s *Session) HTTP(ctx context.Context, f wire.Frame) (wire.Sent, error) {
	return s.line.Send(ctx, f)
}

// Close ends the session as its client does.
func (s *Session) Close() wire.Ending { return s.CloseWith(s.Profile.Stdio.Steps()) }

// CloseWith ends the session with the given steps. Only the first close counts.
func (s *Session) CloseWith(steps wire.Shutdown) wire.Ending {
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		<-s.closed
		return s.ending
	}
	s.closing = true
	id := s.sessionID
	s.mu.Unlock()
	if s.listening != "" && s.Profile.Opening.CancelsListen && !s.http {
		_ = s.Notify(context.Background(), Ask{Label: "close/cancelled", Method: "notifications/cancelled",
			Params: s.cancels(s.listening), Bare: true, Limit: s.Limits.Quiet})
	}
	if s.http && id != "" && s.Profile.HTTP.Delete && !s.Modern() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		if sent, err := s.line.Send(ctx, wire.Frame{Method: http.MethodDelete, Probe: "close/delete", Header: s.sessionHeader()}); err == nil {
			select {
			case <-sent.Done():
			case <-ctx.Done():
			}
		}
		cancel()
	}
	s.ending = s.line.Close(steps)
	close(s.closed)
	return s.ending
}
