package jsonschema

import (
	"fmt"
	"sync"
	"time"

	"github.com/dlclark/regexp2"
	engine "github.com/santhosh-tekuri/jsonschema/v6"
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
	re     *regexp2.Regexp
	watch  *stopwatch
}

func (p *pattern) String() string { return p.source }

// MatchString tells whether the expression matches anywhere in text. Without an
// answer in time it notes that in the stopwatch and says false.
func (p *pattern) MatchString(text string) bool {
	if p.watch.failed != nil {
		return false
	}
	if len(text) > maxSubject {
		p.watch.failed = tooComplex("a text of %d bytes to match against a pattern, limit %d", len(text), maxSubject)
		return false
	}
	if time.Now().After(p.watch.deadline) {
		p.watch.failed = tooComplex("patterns took too long: %s", shorten(p.source, 100))
		return false
	}
	matched, err := p.re.MatchString(text)
	if err != nil {
		p.watch.failed = tooComplex("pattern took too long: %s", shorten(p.source, 100))
		return false
	}
	return matched
}

// matchTime bounds one match. The engine looks at its clock every 100 ms at best.
const matchTime = 200 * time.Millisecond

// compilePattern reads a regular expression as ECMA-262 with unicode does.
func compilePattern(source string) (re *regexp2.Regexp, err error) {
	if len(source) > maxPattern {
		return nil, tooComplex("a pattern of %d bytes, limit %d", len(source), maxPattern)
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("pattern cannot be read: %v", p)
		}
	}()
	re, err = regexp2.Compile(source, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		return nil, err
	}
	re.MatchTimeout = matchTime
	return re, nil
}

func (s *stopwatch) engine() engine.RegexpEngine {
	return func(source string) (engine.Regexp, error) {
		re, err := compilePattern(source)
		if err != nil {
			return nil, err
		}
		return &pattern{source, re, s}, nil
	}
}
