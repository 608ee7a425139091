package message

import (
	"fmt"
	"sync"
)

// The revisions that shapes exist for, and the first one without a handshake.
const (
	oldest = "2024-11-05"
	legacy = "2025-11-25"
	modern = "2026-07-28"
)

// Shapes holds the shapes of all revisions. Each revision is read at its first
// use. It is safe for concurrent use.
type Shapes struct {
	books map[string]func() (*book, error)
}

// New returns the shapes of every known revision.
func New() *Shapes {
	s := &Shapes{books: map[string]func() (*book, error){}}
	for _, revision := range Revisions() {
		s.books[revision] = sync.OnceValues(func() (*book, error) { return load(revision) })
	}
	return s
}

// Revisions lists the revisions that have shapes, oldest first.
func Revisions() []string {
	return []string{oldest, "2025-03-26", "2025-06-18", legacy, modern}
}

// book returns the shapes of a revision. Revisions compare as text, so that an
// unknown one gets the shapes of the newest known one that is not newer.
func (s *Shapes) book(revision string) (*book, error) {
	known := oldest
	for _, r := range Revisions() {
		if r <= revision {
			known = r
		}
	}
	return s.books[known]()
}

// Check compares one frame, as it was received, with the shapes of a revision.
// It returns at most [MaxFaults] faults, musts first. It never panics, whatever
// the frame holds, and needs little memory beyond a copy of the frame.
//
// A frame is one JSON-RPC message, or a batch of them in 2024-11-05 and 2025-03-26.
func (s *Shapes) Check(revision string, raw []byte, ctx Context) []Fault {
	b, err := s.book(revision)
	if err != nil {
		return []Fault{{Expected: "shapes of " + revision, Observed: err.Error(), Level: Note}}
	}
	f := frame{shapes: s, book: b, ctx: ctx, walker: walker{out: &collector{}, level: Must}}
	f.check(raw)
	return f.out.faults()
}

// Load reads the shapes of all revisions at once. An error means that the
// program was built from broken files; without Load, Check tells it as a fault.
func (s *Shapes) Load() error {
	for _, revision := range Revisions() {
		if _, err := s.book(revision); err != nil {
			return fmt.Errorf("shapes of %s: %w", revision, err)
		}
	}
	return nil
}
