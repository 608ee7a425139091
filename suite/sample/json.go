package sample

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// object is a JSON object as it is read and before it is written.
type object = map[string]any

// list is a JSON array.
type list = []any

// keyOrder sorts the keys of an object for writing.
type keyOrder func(keys []string)

// ranks puts the members that a reader looks for first where people expect them.
var ranks = func() map[string]int {
	order := []string{
		"jsonrpc", "id", "method", "resultType", "supportedVersions", "protocolVersion", "capabilities", "serverInfo",
		"type", "uri", "uriTemplate", "name", "title", "description", "version", "message", "mode", "requestedSchema", "code",
		"mimeType", "text", "data", "properties", "required", "additionalProperties", "inputSchema", "outputSchema", "annotations",
		"content", "structuredContent", "isError", "progressToken", "progress", "total", "params", "result", "error",
	}
	m := make(map[string]int, len(order))
	for i, k := range order {
		m[k] = i + 1
	}
	return m
}()

// plainOrder writes well-known members first and the rest by name.
func plainOrder(keys []string) {
	slices.SortFunc(keys, func(a, b string) int {
		ra, rb := ranks[a], ranks[b]
		switch {
		case ra != 0 && rb != 0:
			return ra - rb
		case ra != 0:
			return -1
		case rb != 0:
			return 1
		}
		return strings.Compare(a, b)
	})
}

// reverseOrder writes members the other way round.
func reverseOrder(keys []string) {
	plainOrder(keys)
	slices.Reverse(keys)
}

// encode writes v as JSON on one line. Line separators that some readers take
// for the end of a line (U+0085, U+2028, U+2029) are escaped.
func encode(v any, order keyOrder) []byte {
	var b bytes.Buffer
	write(&b, v, order)
	return b.Bytes()
}

func write(b *bytes.Buffer, v any, order keyOrder) {
	switch v := v.(type) {
	case object:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		order(keys)
		b.WriteByte('{')
		for i, k := range keys {
			if i > 0 {
				b.WriteByte(',')
			}
			writeString(b, k)
			b.WriteByte(':')
			write(b, v[k], order)
		}
		b.WriteByte('}')
	case list:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, e, order)
		}
		b.WriteByte(']')
	case string:
		writeString(b, v)
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case int:
		b.WriteString(strconv.Itoa(v))
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			// Only values of this package get here; one that cannot be written is a mistake in it.
			panic(fmt.Sprintf("sample: cannot write %T as JSON: %v", v, err))
		}
		b.Write(raw)
	}
}

func writeString(b *bytes.Buffer, s string) {
	if !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' }) {
		b.WriteByte('"')
		b.WriteString(s)
		b.WriteByte('"')
		return
	}
	var raw bytes.Buffer
	e := json.NewEncoder(&raw)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(fmt.Sprintf("sample: cannot write a string as JSON: %v", err))
	}
	text := bytes.TrimSuffix(raw.Bytes(), []byte("\n"))
	b.Write(bytes.ReplaceAll(text, []byte("\u0085"), []byte(`\u0085`)))
}

// decode reads exactly one JSON value. Numbers keep their text.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the JSON value")
	}
	return v, nil
}

// clone copies a JSON value so that a change to the copy leaves the original alone.
func clone[T any](v T) T {
	c, _ := cloneAny(v).(T)
	return c
}

func cloneAny(v any) any {
	switch v := v.(type) {
	case object:
		c := make(object, len(v))
		for k, e := range v {
			c[k] = cloneAny(e)
		}
		return c
	case list:
		c := make(list, len(v))
		for i, e := range v {
			c[i] = cloneAny(e)
		}
		return c
	}
	return v
}

// asObject returns v as an object, or nil.
func asObject(v any) object {
	o, _ := v.(object)
	return o
}

// asString returns v as a string, or "".
func asString(v any) string {
	s, _ := v.(string)
	return s
}
