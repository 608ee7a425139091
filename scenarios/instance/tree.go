package instance

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"
)

func itoa(i int) string { return strconv.Itoa(i) }

// quote writes a string as JSON text, without the escapes meant for HTML.
func quote(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	// A string always encodes.
	_ = encoder.Encode(text)
	return string(bytes.TrimRight(b.Bytes(), "\n"))
}

// tree is a JSON value that keeps the order of its keys, for edits.
type tree struct {
	raw   string         // of a scalar
	keys  []string       // of an object, in order
	where map[string]int // the index of each key
	kids  []*tree        // members or items
	array bool
	leaf  bool
}

func plant(v gjson.Result) *tree {
	if !v.IsObject() && !v.IsArray() {
		return &tree{raw: v.Raw, leaf: true}
	}
	t := &tree{array: v.IsArray(), where: map[string]int{}}
	v.ForEach(func(key, value gjson.Result) bool {
		t.put(key.String(), plant(value))
		return true
	})
	return t
}

// put adds or replaces a member of an object, or appends to an array.
func (t *tree) put(key string, kid *tree) {
	if t.array {
		t.kids = append(t.kids, kid)
		return
	}
	if i, ok := t.where[key]; ok {
		t.kids[i] = kid
		return
	}
	t.where[key] = len(t.keys)
	t.keys, t.kids = append(t.keys, key), append(t.kids, kid)
}

// at gives the index of a member or item, -1 when there is none.
func (t *tree) at(token string) int {
	if t.leaf {
		return -1
	}
	if !t.array {
		if i, ok := t.where[token]; ok {
			return i
		}
		return -1
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(t.kids) {
		return -1
	}
	return i
}

func (t *tree) removeAt(i int) {
	t.kids = slices.Delete(t.kids, i, i+1)
	if t.array {
		return
	}
	delete(t.where, t.keys[i])
	t.keys = slices.Delete(t.keys, i, i+1)
	for j := i; j < len(t.keys); j++ {
		t.where[t.keys[j]] = j
	}
}

func (t *tree) write(b *bytes.Buffer) {
	if t.leaf {
		b.WriteString(t.raw)
		return
	}
	open, end := byte('{'), byte('}')
	if t.array {
		open, end = '[', ']'
	}
	b.WriteByte(open)
	for i, kid := range t.kids {
		if i > 0 {
			b.WriteByte(',')
		}
		if !t.array {
			b.WriteString(quote(t.keys[i]) + ":")
		}
		kid.write(b)
	}
	b.WriteByte(end)
}

func (t *tree) bytes() []byte {
	var b bytes.Buffer
	t.write(&b)
	return b.Bytes()
}

// edit is one change to a value: a new value at a place, or its removal.
type edit struct {
	tokens []string
	remove bool
	value  string // JSON text
}

// apply makes the changes on a copy of base; ok is false where a place is not there.
func apply(base []byte, edits []edit) (changed []byte, ok bool) {
	t := plant(gjson.ParseBytes(base))
	for _, e := range edits {
		if !t.apply(e) {
			return nil, false
		}
	}
	return t.bytes(), true
}

func (t *tree) apply(e edit) bool {
	if len(e.tokens) == 0 {
		*t = *plant(gjson.Parse(e.value))
		return !e.remove
	}
	at := t
	for _, token := range e.tokens[:len(e.tokens)-1] {
		i := at.at(token)
		if i < 0 {
			return false
		}
		at = at.kids[i]
	}
	last := e.tokens[len(e.tokens)-1]
	i := at.at(last)
	switch {
	case at.leaf, e.remove && i < 0:
		return false
	case e.remove:
		at.removeAt(i)
	case i >= 0:
		at.kids[i] = plant(gjson.Parse(e.value))
	case at.array && last != itoa(len(at.kids)):
		return false
	default:
		at.put(last, plant(gjson.Parse(e.value)))
	}
	return true
}
