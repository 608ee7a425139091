package sample

import "sync"

// batchOutlet gathers the answers of a batch and writes them as one array.
type batchOutlet struct {
	// before writes what comes before an answer, write all answers at the end,
	// and none ends a batch that has no answers.
	before func(m any)
	write  func(answers list)
	none   func()

	mu      sync.Mutex
	answers list
	waits   int
}

func (b *batchOutlet) related(m object)   { b.before(m) }
func (b *batchOutlet) final(m any, _ int) { b.add(m) }
func (b *batchOutlet) nothing()           { b.add(nil) }

func (b *batchOutlet) add(m any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waits--
	if m != nil {
		b.answers = append(b.answers, m)
	}
	switch {
	case b.waits > 0:
	case len(b.answers) > 0:
		b.write(b.answers)
	default:
		b.none()
	}
}
