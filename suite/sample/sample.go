package sample

import (
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"sync"
	"time"
)

// Options configure a server.
type Options struct {
	// Faults are names of [Faults] to plant, none for a right server.
	Faults []string
	// Shape is a name of [Shapes]; "" is the plain server.
	Shape string
	// Delay is how long the shapes "slow" and "slow-start" wait; 0 takes their own time.
	Delay time.Duration
	// PageSize is the most tools on one page; 0 puts all on one.
	PageSize int
	// Tools is how many tools more the shape "big" has; 0 stands for 300.
	Tools int
	// Key signs cursors and question states; "" takes a key that is the same everywhere,
	// which suits a server that protects nothing.
	Key string
	// Now is the clock; nil takes the real one.
	Now func() time.Time
	// Log is where the server logs what it cannot tell the client; nil for nowhere.
	Log io.Writer
}

// Process is what a fault asks of the process around the server, because code
// that answers messages has no hold on it. [Main] does all of it; a caller that
// runs the server in its own process cannot and should not.
type Process struct {
	// Exit ends the process at once, before anything is read, with this code.
	Exit *int
	// EndCode is the exit status when the input has ended.
	EndCode int
	// Noise is written to stderr before anything else.
	Noise string
	// IgnoreTerm keeps the process alive after SIGTERM.
	IgnoreTerm bool
	// Linger keeps the process alive after its input has ended.
	Linger bool
	// Farewell is printed on stdout when a signal ends the process.
	Farewell string
	// Orphan starts a child that outlives the process.
	Orphan bool
	// StartDelay is how long the process waits before it reads or listens.
	StartDelay time.Duration
	// AllInterfaces listens on every network interface where only a port was given.
	AllInterfaces bool
}

// ErrDied is returned by ServeStdio when a fault ends the server in the middle.
var ErrDied = errors.New("the server died of a planted fault")

// Server is one sample server. It serves any number of lines and HTTP clients at
// the same time.
type Server struct {
	opts      Options
	do        behaviour
	methods   map[string]method
	resources []resource
	prompts   []prompt
	now       func() time.Time
	log       *log.Logger

	mu            sync.Mutex
	last          int
	tallies       map[string]int
	subscriptions []*subscription
	tasks         []*task
	sessions      []*session
	dead          chan struct{}
	died          sync.Once
	web           *web
}

// New makes a server. It fails on a name that is neither a fault nor a shape.
func New(opts Options) (*Server, error) {
	s := &Server{
		opts: opts, do: right(), methods: methods(), resources: rightResources(), prompts: rightPrompts(),
		now: opts.Now, tallies: map[string]int{}, dead: make(chan struct{}),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.opts.Key == "" {
		s.opts.Key = "a key that guards nothing"
	}
	if opts.Log == nil {
		opts.Log = io.Discard
	}
	s.log = log.New(opts.Log, "sample: ", 0)
	s.do.listing.pageSize = opts.PageSize
	if opts.Shape != "" {
		shape, ok := shapeNamed(opts.Shape)
		if !ok {
			return nil, fmt.Errorf("unknown shape %q: see the list of shapes", opts.Shape)
		}
		shape.form(&s.do, opts)
	}
	for _, name := range opts.Faults {
		fault, ok := faultNamed(name)
		if !ok {
			return nil, fmt.Errorf("unknown fault %q: see the list of faults", name)
		}
		fault.plant(&s.do)
	}
	if s.do.tasks.offered {
		maps.Copy(s.methods, taskMethods())
	}
	return s, nil
}

// Process returns what the planted faults ask of the process.
func (s *Server) Process() Process { return s.do.process }

// Dead is closed when a planted fault has ended the server.
func (s *Server) Dead() <-chan struct{} { return s.dead }

func (s *Server) die() { s.died.Do(func() { close(s.dead) }) }

func (s *Server) logf(format string, args ...any) { s.log.Printf(format, args...) }

// rewritten passes a message through the faults that rewrite messages.
func (s *Server) rewritten(x *exchange, m object) []object {
	ms := []object{m}
	for _, rewrite := range s.do.messages {
		var next []object
		for _, m := range ms {
			next = append(next, rewrite(x, m)...)
		}
		ms = next
	}
	return ms
}

// tally counts how often a thing happened, this time included.
func (s *Server) tally(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tallies[what]++
	return s.tallies[what]
}

// count says how often a thing was tallied.
func (s *Server) count(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tallies[what]
}

// admitSession makes a session known to announcements.
func (s *Server) admitSession(ses *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessions = append(s.sessions[:len(s.sessions):len(s.sessions)], ses)
}

// dropSession forgets a session and ends its subscriptions.
func (s *Server) dropSession(ses *session) {
	s.endSubscriptions(ses)
	s.mu.Lock()
	defer s.mu.Unlock()
	left := s.sessions[:0:0]
	for _, other := range s.sessions {
		if other != ses {
			left = append(left, other)
		}
	}
	s.sessions = left
}
