package instance

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
)

// Stringified lists arguments in which values are given as their JSON text, as some
// models do: "5" for 5, "[\"a\"]" for ["a"]. First each top-level property alone, then
// all together when there are several. Only properties whose schema takes no text count.
func Stringified(schema, base []byte) []Break {
	b, ok := newBreaker(schema, base, 0)
	if !ok {
		return nil
	}
	gjson.ParseBytes(base).ForEach(func(key, value gjson.Result) bool {
		if value.Type == gjson.Number || value.IsBool() || value.IsObject() || value.IsArray() {
			at := []string{key.String()}
			b.try(Text, at, edit{tokens: at, value: quote(value.Raw)}, nil)
		}
		return !b.spent()
	})
	if len(b.found) > 1 {
		if all, ok := b.doc.combine(base, b.found); ok {
			return append(b.found, all)
		}
	}
	return b.found
}

// NullOptional sets one optional property to null that the schema does not let be
// null. ok is false when there is none.
func NullOptional(schema, base []byte) (broken Break, ok bool) {
	b, ok := newBreaker(schema, base, 0)
	if !ok {
		return Break{}, false
	}
	g := b.doc.generator(0, nil)
	s := g.flatten("", []gjson.Result{b.doc.root})
	for _, name := range s.known() {
		b.bytes += len(base)
		without, hadIt := apply(base, []edit{{tokens: []string{name}, remove: true}})
		if b.spent() || hadIt && !b.doc.fits(without) {
			continue
		}
		if b.try(Null, []string{name}, edit{tokens: []string{name}, value: "null"}, nil) {
			return b.found[0], true
		}
	}
	return Break{}, false
}

// Extra is arguments with a key the schema does not name.
type Extra struct {
	Arguments []byte
	// Key is the key, Pointer where it is.
	Key, Pointer string
	// Hostile tells that the key holds control and direction characters.
	Hostile bool
	// Allowed tells that the schema takes the key.
	Allowed bool
}

// hostileKey holds a line feed, an escape sequence, a right-to-left override and a
// line separator.
const hostileKey = "conform\nunknown\x1b[31m\u202e\u2028key"

// UnknownKey adds an unknown key to valid arguments: a harmless one, and one with
// characters that must not reach a terminal or a log raw. Both are strings.
func UnknownKey(schema, base []byte) []Extra {
	doc, err := open(schema)
	if err != nil || !gjson.ValidBytes(base) {
		return nil
	}
	var list []Extra
	for _, key := range []string{unknownKey, hostileKey} {
		arguments, ok := apply(base, []edit{{tokens: []string{key}, value: `"extra"`}})
		if !ok || !gjson.ParseBytes(base).IsObject() {
			continue
		}
		list = append(list, Extra{arguments, key, jsonschema.Pointer(key), strings.ContainsRune(key, 0x1b), doc.fits(arguments)})
	}
	return list
}

// Container is something other than an object in the place of arguments.
type Container struct {
	Name      string
	Arguments []byte
}

// WrongContainers lists what arguments may never be.
func WrongContainers() []Container {
	return []Container{
		{"null", []byte(`null`)},
		{"array", []byte(`[]`)},
		{"string", []byte(`"x"`)},
		{"number", []byte(`5`)},
		{"boolean", []byte(`true`)},
	}
}
