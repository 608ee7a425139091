package jsonschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// bounds limit one JSON document.
type bounds struct {
	what                string
	bytes, depth, nodes int
}

// decode reads one JSON document after a look at its size. Numbers stay text.
func decode(raw []byte, b bounds) (any, error) {
	if err := measure(raw, b); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, fmt.Errorf("%s is %w: %v", b.what, ErrNotJSON, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s is %w: text after the end", b.what, ErrNotJSON)
	}
	return value, nil
}

// measure counts nesting and nodes without building anything, so that a hostile
// document is refused before it costs memory. It leaves syntax to the decoder.
func measure(raw []byte, b bounds) error {
	if len(raw) > b.bytes {
		return tooComplex("%s of %d bytes, limit %d", b.what, len(raw), b.bytes)
	}
	depth, nodes, inString := 0, 1, false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '[' || c == '{':
			depth++
			nodes++
		case c == ']' || c == '}':
			depth--
		case c == ',':
			nodes++
		}
		if depth > b.depth {
			return tooComplex("%s nests deeper than %d", b.what, b.depth)
		}
		if nodes > b.nodes {
			return tooComplex("%s has more than %d values", b.what, b.nodes)
		}
	}
	return nil
}
