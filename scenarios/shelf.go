package scenarios

import "sync"

// shelf keeps what was worked out, so that it is worked out once. It may be
// used from several goroutines; a nil shelf keeps nothing.
type shelf struct {
	mu   sync.Mutex
	kept map[string]*kept
}

// kept is a value that is worked out when it is first wanted.
type kept struct {
	once  sync.Once
	value any
}

// once works a value out once for a shelf, under a key that names it.
func once[T any](s *shelf, key string, work func() T) T {
	if s == nil {
		return work()
	}
	s.mu.Lock()
	if s.kept == nil {
		s.kept = map[string]*kept{}
	}
	k := s.kept[key]
	if k == nil {
		k = &kept{}
		s.kept[key] = k
	}
	s.mu.Unlock()
	k.once.Do(func() { k.value = work() })
	v, _ := k.value.(T)
	return v
}

// ShareWork lets the tools of one run that are listed in the same words share
// what is worked out about them: compiled schemas and arguments. Tools without
// it work, slower.
func ShareWork(targets []*Facts) {
	shelves := map[string]*shelf{}
	for _, f := range targets {
		for i := range f.Tools {
			t := &f.Tools[i]
			s := shelves[string(t.Raw)]
			if s == nil {
				s = &shelf{}
				shelves[string(t.Raw)] = s
			}
			t.work = s
		}
	}
}
