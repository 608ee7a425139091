package ecma

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
)

// ErrUnsupported says that a pattern is right but beyond what this package runs:
// too long, nested too deep, or asking for Unicode data it does not have.
var ErrUnsupported = errors.New("regular expression is not supported")

// ErrTimeout says that a match took too long to end.
var ErrTimeout = errors.New("regular expression took too long")

// MaxPattern bounds the length of a pattern, in bytes.
const MaxPattern = 16 << 10

// Regexp is a compiled regular expression. It is safe for concurrent use.
type Regexp struct {
	source string
	engine *regexp2.Regexp
}

// Compile reads a pattern with the u flag, as JSON Schema asks. limit bounds each match.
func Compile(pattern string, limit time.Duration) (*Regexp, error) {
	if len(pattern) > MaxPattern {
		return nil, fmt.Errorf("%w: a pattern of %d bytes, limit %d", ErrUnsupported, len(pattern), MaxPattern)
	}
	root, err := Parse(pattern, true)
	if err != nil {
		return nil, err
	}
	return compile(pattern, root, limit)
}

// CompileLenient reads a pattern with the u flag, or without where only that
// works. Schema authors write \_ and the like, and most validators take it.
func CompileLenient(pattern string, limit time.Duration) (*Regexp, error) {
	re, err := Compile(pattern, limit)
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		return re, err
	}
	root, lenient := Parse(pattern, false)
	if lenient != nil {
		return nil, err
	}
	return compile(pattern, root, limit)
}

func compile(pattern string, root *Node, limit time.Duration) (re *Regexp, err error) {
	// The engine is not written for hostile patterns.
	defer func() {
		if p := recover(); p != nil {
			re, err = nil, fmt.Errorf("%w: %v", ErrUnsupported, p)
		}
	}()
	var b strings.Builder
	translate(&b, root)
	engine, err := regexp2.Compile(b.String(), regexp2.ECMAScript)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrUnsupported, err)
	}
	engine.MatchTimeout = limit
	return &Regexp{pattern, engine}, nil
}

// String gives the pattern as written.
func (re *Regexp) String() string { return re.source }

// MatchString tells whether the pattern matches anywhere in text. The error is
// ErrTimeout. The limit is one of wall time, so a match that runs into it is tried
// once more: on a busy machine the first may have waited rather than worked.
func (re *Regexp) MatchString(text string) (bool, error) {
	matched, err := re.engine.MatchString(text)
	if err != nil {
		matched, err = re.engine.MatchString(text)
	}
	if err != nil {
		return false, fmt.Errorf("%w: %v", ErrTimeout, err)
	}
	return matched, nil
}

// translate writes a pattern for the engine that leaves it no room for a reading of
// its own: groups by number, classes as ranges, anchors that ignore line ends, word
// boundaries that know ASCII only.
func translate(b *strings.Builder, n *Node) {
	switch n.Op {
	case Empty:
		b.WriteString("(?:)")
	case Char:
		writeSet(b, n.Set)
	case Start:
		b.WriteString(`\A`)
	case End:
		b.WriteString(`\z`)
	case Boundary:
		if n.Negate {
			b.WriteString(`(?:(?<=[\w])(?=[\w])|(?<![\w])(?![\w]))`)
		} else {
			b.WriteString(`(?:(?<=[\w])(?![\w])|(?<![\w])(?=[\w]))`)
		}
	case Concat:
		for _, kid := range n.Kids {
			translate(b, kid)
		}
	case Either:
		b.WriteString("(?:")
		for i, kid := range n.Kids {
			if i > 0 {
				b.WriteByte('|')
			}
			translate(b, kid)
		}
		b.WriteByte(')')
	case Repeat:
		b.WriteString("(?:")
		translate(b, n.Kids[0])
		b.WriteByte(')')
		if n.Max == Unbounded {
			fmt.Fprintf(b, "{%d,}", min(n.Min, math.MaxInt32-1))
		} else {
			fmt.Fprintf(b, "{%d,%d}", n.Min, n.Max)
		}
		if n.Lazy {
			b.WriteByte('?')
		}
	case Group, Look:
		b.WriteString(opening(n))
		translate(b, n.Kids[0])
		b.WriteByte(')')
	case Back:
		fmt.Fprintf(b, `(?:\%d)`, n.Index)
	}
}

func opening(n *Node) string {
	switch {
	case n.Op == Group && n.Index > 0:
		return "("
	case n.Op == Group:
		return "(?:"
	case n.Behind && n.Negate:
		return "(?<!"
	case n.Behind:
		return "(?<="
	case n.Negate:
		return "(?!"
	}
	return "(?="
}

// writeSet writes ranges as a class. Surrogates are left out: decoded text has none.
func writeSet(b *strings.Builder, set Set) {
	set = minus(set, Set{{0xD800, 0xDFFF}})
	if len(set) == 0 {
		b.WriteString("(?!)")
		return
	}
	b.WriteByte('[')
	for _, r := range set {
		writeRune(b, r.Lo)
		if r.Hi > r.Lo {
			b.WriteByte('-')
			writeRune(b, r.Hi)
		}
	}
	b.WriteByte(']')
}

func writeRune(b *strings.Builder, r rune) {
	switch {
	case r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0xFFFF:
		b.WriteRune(r)
	default:
		fmt.Fprintf(b, `\u%04X`, r)
	}
}
