package js

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxDepth bounds nesting. Engines take more; nothing sane needs it.
const MaxDepth = 5000

// ErrSyntax is wrapped by every error of Parse.
var ErrSyntax = errors.New("not valid JSON")

// Parse reads one JSON text the way JSON.parse does. Bytes that are not UTF-8
// are read as U+FFFD, as text decoders do.
func Parse(text []byte) (Value, error) { return parse(text, false) }

// ParseAsSent is Parse, but members stay in the order they were sent in, even
// those that look like array indexes.
func ParseAsSent(text []byte) (Value, error) { return parse(text, true) }

func parse(text []byte, asSent bool) (Value, error) {
	p := parser{s: DecodeUTF8(text), asSent: asSent}
	p.space()
	v, err := p.value(0)
	if err != nil {
		return Value{}, err
	}
	p.space()
	if p.i < len(p.s) {
		return Value{}, p.fail("text after the value")
	}
	return v, nil
}

type parser struct {
	s      string
	i      int
	asSent bool
}

func (p *parser) fail(what string) error {
	return fmt.Errorf("%w: %s at byte %d", ErrSyntax, what, p.i)
}

func (p *parser) space() {
	for p.i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.i]) >= 0 {
		p.i++
	}
}

func (p *parser) value(depth int) (Value, error) {
	start := p.i
	v, err := p.bare(depth)
	v.Raw = p.s[start:p.i]
	return v, err
}

func (p *parser) bare(depth int) (Value, error) {
	if depth > MaxDepth {
		return Value{}, p.fail("too deep nesting")
	}
	if p.i >= len(p.s) {
		return Value{}, p.fail("end of text")
	}
	switch c := p.s[p.i]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		s, err := p.str()
		return Str(s), err
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	switch rest := p.s[p.i:]; {
	case strings.HasPrefix(rest, "true"):
		p.i += 4
		return Boolean(true), nil
	case strings.HasPrefix(rest, "false"):
		p.i += 5
		return Boolean(false), nil
	case strings.HasPrefix(rest, "null"):
		p.i += 4
		return Value{Kind: Null}, nil
	}
	return Value{}, p.fail("unexpected character")
}

func (p *parser) object(depth int) (Value, error) {
	out := NewObject()
	out.Obj.plain = p.asSent
	p.i++
	p.space()
	if p.eat('}') {
		return out, nil
	}
	for {
		p.space()
		if p.i >= len(p.s) || p.s[p.i] != '"' {
			return out, p.fail("no member name")
		}
		key, err := p.str()
		if err != nil {
			return out, err
		}
		p.space()
		if !p.eat(':') {
			return out, p.fail("no colon")
		}
		p.space()
		v, err := p.value(depth + 1)
		if err != nil {
			return out, err
		}
		out.Obj.add(key, v)
		p.space()
		if p.eat('}') {
			if !p.asSent {
				out.Obj.sort()
			}
			return out, nil
		}
		if !p.eat(',') {
			return out, p.fail("no comma")
		}
	}
}

func (p *parser) array(depth int) (Value, error) {
	out := List()
	p.i++
	p.space()
	if p.eat(']') {
		return out, nil
	}
	for {
		p.space()
		v, err := p.value(depth + 1)
		if err != nil {
			return out, err
		}
		out.Items = append(out.Items, v)
		p.space()
		if p.eat(']') {
			return out, nil
		}
		if !p.eat(',') {
			return out, p.fail("no comma")
		}
	}
}

func (p *parser) eat(c byte) bool {
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *parser) digits() bool {
	start := p.i
	for p.i < len(p.s) && p.s[p.i] >= '0' && p.s[p.i] <= '9' {
		p.i++
	}
	return p.i > start
}

func (p *parser) number() (Value, error) {
	start := p.i
	p.eat('-')
	if !p.eat('0') && !p.digits() {
		return Value{}, p.fail("no digit")
	}
	if p.eat('.') && !p.digits() {
		return Value{}, p.fail("no digit after the point")
	}
	if p.eat('e') || p.eat('E') {
		if !p.eat('+') {
			p.eat('-')
		}
		if !p.digits() {
			return Value{}, p.fail("no digit in the exponent")
		}
	}
	lit := p.s[start:p.i]
	f, err := strconv.ParseFloat(lit, 64)
	if err != nil && !math.IsInf(f, 0) {
		return Value{}, p.fail("bad number")
	}
	return Num(f), nil
}

func (p *parser) str() (string, error) {
	p.i++
	start := p.i
	for p.i < len(p.s) && p.s[p.i] != '"' && p.s[p.i] != '\\' && p.s[p.i] >= 0x20 {
		p.i++
	}
	if p.i < len(p.s) && p.s[p.i] == '"' {
		p.i++
		return p.s[start : p.i-1], nil
	}
	var b strings.Builder
	b.WriteString(p.s[start:p.i])
	high := rune(0) // a high surrogate that waits for its low one
	for p.i < len(p.s) {
		c := p.s[p.i]
		r := rune(-1)
		switch {
		case c == '"':
			flush(&b, &high)
			p.i++
			return b.String(), nil
		case c < 0x20:
			return "", p.fail("control character in a string")
		case c != '\\':
			flush(&b, &high)
			b.WriteByte(c)
			p.i++
			continue
		default:
			var err error
			if r, err = p.escape(); err != nil {
				return "", err
			}
		}
		switch {
		case high != 0 && r >= 0xDC00 && r <= 0xDFFF:
			b.WriteRune((high-0xD800)<<10 + (r - 0xDC00) + 0x10000)
			high = 0
		case r >= 0xD800 && r <= 0xDBFF:
			flush(&b, &high)
			high = r
		default:
			flush(&b, &high)
			writeUnit(&b, r)
		}
	}
	return "", p.fail("string without end")
}

func (p *parser) escape() (rune, error) {
	p.i++
	if p.i >= len(p.s) {
		return 0, p.fail("string without end")
	}
	c := p.s[p.i]
	p.i++
	if at := strings.IndexByte(`"\/bfnrt`, c); at >= 0 {
		return rune("\"\\/\b\f\n\r\t"[at]), nil
	}
	if c != 'u' || p.i+4 > len(p.s) {
		return 0, p.fail("bad escape")
	}
	n, err := strconv.ParseUint(p.s[p.i:p.i+4], 16, 32)
	if err != nil {
		return 0, p.fail("bad escape")
	}
	p.i += 4
	return rune(n), nil
}

func flush(b *strings.Builder, high *rune) {
	if *high != 0 {
		writeUnit(b, *high)
		*high = 0
	}
}

// writeUnit writes a code point; a surrogate as its own three bytes.
func writeUnit(b *strings.Builder, r rune) {
	if r >= 0xD800 && r <= 0xDFFF {
		b.Write([]byte{0xE0 | byte(r>>12), 0x80 | byte(r>>6)&0x3F, 0x80 | byte(r)&0x3F})
		return
	}
	b.WriteRune(r)
}

// DecodeUTF8 reads bytes as text decoders do: each longest broken piece
// becomes one U+FFFD.
func DecodeUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			n = brokenLength(b)
		}
		out.WriteRune(r)
		b = b[n:]
	}
	return out.String()
}

// brokenLength gives how many bytes at the head of b belong to one broken sequence.
func brokenLength(b []byte) int {
	need, low, high := 0, byte(0x80), byte(0xBF)
	switch c := b[0]; {
	case c >= 0xC2 && c <= 0xDF:
		need = 1
	case c >= 0xE0 && c <= 0xEF:
		need = 2
		if c == 0xE0 {
			low = 0xA0
		}
		if c == 0xED {
			high = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		need = 3
		if c == 0xF0 {
			low = 0x90
		}
		if c == 0xF4 {
			high = 0x8F
		}
	}
	n := 1
	for n <= need && n < len(b) && b[n] >= low && b[n] <= high {
		n++
		low, high = 0x80, 0xBF
	}
	return n
}
