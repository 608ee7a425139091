package jsonschema

import (
	"errors"
	"sync"
	"time"

	engine "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/agntn/conform/fakes/jsonschema/ecma"
)

// stopwatch bounds the regular expressions of one schema. It is shared by all
// patterns of the schema, and locked while a value is checked.
type stopwatch struct {
	mu       sync.Mutex
	deadline time.Time
	// failed keeps the first reason why a match gave no answer.
	failed error
}

// start begins the allowance of one value. Call stop when done.
func (s *stopwatch) start(allowance time.Duration) {
	s.mu.Lock()
	s.deadline, s.failed = time.Now().Add(allowance), nil
}

// stop ends the allowance and tells whether a match went without an answer.
func (s *stopwatch) stop() error {
	defer s.mu.Unlock()
	return s.failed
}

// pattern is a regular expression with the meaning of ECMA-262.
type pattern struct {
	source string
	re     *ecma.Regexp
	// unsupported is set instead of re when the pattern is right but cannot run.
	unsupported error
	watch       *stopwatch
}

func (p *pattern) String() string { return p.source }

// MatchString tells whether the expression matches anywhere in text. Without an
// answer in time it notes that in the stopwatch and says false.
func (p *pattern) MatchString(text string) bool {
	if p.watch.failed != nil {
		return false
	}
	matched, err := false, p.unsupported
	if err == nil {
		err = p.watch.check(text)
	}
	if err == nil {
		matched, err = p.re.MatchString(text)
	}
	if err != nil {
		p.watch.failed = tooComplex("pattern %s: %v", shorten(p.String(), 100), err)
		return false
	}
	return matched
}

func (s *stopwatch) check(text string) error {
	if len(text) > maxSubject {
		return errors.New("the text to match is too long")
	}
	if time.Now().After(s.deadline) {
		return errors.New("the time for all patterns is used up")
	}
	return nil
}

// matchTime bounds one match. The engine looks at its clock every 100 ms at best.
const matchTime = 500 * time.Millisecond

// engine gives the validator its regular expressions. Patterns that only work
// without the u flag pass: schema authors write them, and few validators mind.
func (s *stopwatch) engine() engine.RegexpEngine {
	return func(source string) (engine.Regexp, error) {
		re, err := ecma.CompileLenient(source, matchTime)
		if err != nil && !errors.Is(err, ecma.ErrUnsupported) {
			return nil, err
		}
		return &pattern{source, re, err, s}, nil
	}
}
