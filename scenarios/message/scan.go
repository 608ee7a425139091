package message

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// The bounds of what is read. JSON that is nested deeper is not looked into, as
// no message needs it; keys beyond the bound are not compared with each other.
const (
	maxDepth = 1000
	maxKeys  = 10_000
)

// scan checks a frame as text: that it is one JSON value in UTF-8, without twice
// given keys and without halves of surrogate pairs. It returns the text that can
// be read further, or nil.
func scan(raw []byte, revision string, w *walker) []byte {
	raw = bytes.TrimSuffix(raw, []byte("\n"))
	if rest, found := bytes.CutPrefix(raw, []byte("\ufeff")); found {
		w.plain(Must, "basic/transports", "no byte order mark", "U+FEFF", "base.utf8")
		raw = rest
	}
	if at := invalidUTF8(raw); at >= 0 {
		w.plain(Must, "basic/transports", "UTF-8", fmt.Sprintf("bytes % x at offset %d", raw[at:min(at+4, len(raw))], at), "base.utf8")
		raw = bytes.ToValidUTF8(raw, []byte("\ufffd"))
	}
	if !json.Valid(raw) {
		w.plain(Must, "basic/index#messages", "one JSON value", visible(raw), "stdio.stdout-messages-only")
		return nil
	}
	s := scanner{text: raw, w: w, asks: revision >= modern}
	flat := s.run()
	w.steps = w.steps[:0]
	if !flat {
		w.plain(Note, "basic/index#messages", "JSON nested at most "+strconv.Itoa(maxDepth)+" deep", "deeper")
		return nil
	}
	return raw
}

// plain records a fault about the frame as a whole.
func (w *walker) plain(level Level, section, expected, observed string, req ...string) {
	w.at(level, &shape{Section: section, Req: append([]string{}, req...)}, func() { w.fault(expected, observed) })
}

// visible is the start of a frame that could not be read.
func visible(raw []byte) string {
	return cut(string(raw[:min(len(raw), maxObserved+utf8.UTFMax)]), maxObserved)
}

func invalidUTF8(raw []byte) int {
	if utf8.Valid(raw) {
		return -1
	}
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return -1
}

// scanner walks over valid JSON without recursion.
type scanner struct {
	text []byte
	w    *walker
	// asks says that the revision has results that ask for input.
	asks bool
	open []container
}

// container is an object or array that is being read.
type container struct {
	object bool
	// key says that the next string is a key.
	key   bool
	keys  map[string]bool
	index int
}

// run returns false when the value is nested too deep.
func (s *scanner) run() bool {
	for i := 0; i < len(s.text); i++ {
		switch s.text[i] {
		case '{', '[':
			if len(s.open) >= maxDepth {
				return false
			}
			object := s.text[i] == '{'
			s.open = append(s.open, container{object: object, key: object})
			s.w.steps = append(s.w.steps, step{})
		case '}', ']':
			s.open = s.open[:len(s.open)-1]
			s.w.steps = s.w.steps[:len(s.w.steps)-1]
		case ',':
			top := &s.open[len(s.open)-1]
			top.index++
			top.key = top.object
			s.w.steps[len(s.w.steps)-1] = step{index: top.index}
		case '"':
			end := stringEnd(s.text, i)
			s.string(s.text[i : end+1])
			i = end
		}
	}
	return true
}

// stringEnd returns the index of the quote that ends the string starting at i.
func stringEnd(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

func (s *scanner) string(quoted []byte) {
	if bytes.IndexByte(quoted, '\\') >= 0 {
		if half := loneSurrogate(quoted); half != "" {
			s.w.plain(Note, "basic/transports", "whole surrogate pairs", half, "base.utf8")
		}
	}
	if len(s.open) == 0 {
		return
	}
	top := &s.open[len(s.open)-1]
	if !top.key {
		return
	}
	top.key = false
	key := decoded(quoted)
	s.w.steps[len(s.w.steps)-1] = step{key: &key}
	if top.keys == nil {
		top.keys = map[string]bool{}
	}
	if top.keys[key] {
		s.twice()
	} else if len(top.keys) < maxKeys {
		top.keys[key] = true
	}
}

// twice records a key that stands twice. Only the keys of inputRequests are
// told by a rule to be unique.
func (s *scanner) twice() {
	const expected, observed = "each key once", "the key stands twice"
	if n := len(s.w.steps); n == 3 && s.asks && is(s.w.steps[0], "result") && is(s.w.steps[1], "inputRequests") {
		s.w.plain(Must, "basic/patterns/mrtr#server-requirements-basic-workflow", expected, observed, "mrtr.keys-unique")
		return
	}
	s.w.plain(Note, "basic/index#messages", expected, observed)
}

func is(s step, key string) bool { return s.key != nil && *s.key == key }

func decoded(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var key string
	if err := json.Unmarshal(quoted, &key); err != nil {
		return string(quoted) // cannot be: the frame is valid JSON
	}
	return key
}

// loneSurrogate returns the first \u escape that is half of a pair, or "".
func loneSurrogate(quoted []byte) string {
	unit := func(i int) (uint64, bool) {
		if i+6 > len(quoted) || quoted[i] != '\\' || quoted[i+1] != 'u' {
			return 0, false
		}
		n, err := strconv.ParseUint(string(quoted[i+2:i+6]), 16, 16)
		return n, err == nil
	}
	for i := 0; i < len(quoted); i++ {
		if quoted[i] != '\\' {
			continue
		}
		n, ok := unit(i)
		switch {
		case !ok:
			i++
		case n>>10 == 0x36: // high half
			if low, ok := unit(i + 6); ok && low>>10 == 0x37 {
				i += 11
				continue
			}
			return string(quoted[i : i+6])
		case n>>10 == 0x37:
			return string(quoted[i : i+6])
		default:
			i += 5
		}
	}
	return ""
}
