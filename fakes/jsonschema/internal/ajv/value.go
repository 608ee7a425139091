package ajv

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// object is a JavaScript object made by JSON.parse: it keeps the order of its keys.
type object struct {
	keys    []string
	members map[string]any
}

// undefined is what JavaScript finds where nothing is.
type undefined struct{}

// function is what JavaScript finds at names that every object inherits.
type function struct{}

// own gives an object's own member; ok is false where there is none.
func (o *object) own(key string) (any, bool) {
	v, ok := o.members[key]
	return v, ok
}

// get reads a member as the expression object[key] does, inherited names included.
func (o *object) get(key string) any {
	if v, ok := o.members[key]; ok {
		return v
	}
	if key == "__proto__" {
		return &object{}
	}
	if inherited(key) {
		return function{}
	}
	return undefined{}
}

// has tells whether object[key] is anything but undefined.
func (o *object) has(key string) bool {
	_, absent := o.get(key).(undefined)
	return !absent
}

func inherited(key string) bool {
	switch key {
	case "constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable",
		"toLocaleString", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__":
		return true
	}
	return false
}

// parse reads JSON text as JSON.parse does. Numbers become float64, beyond its
// range infinite.
func parse(raw []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	v, err := parseNext(decoder)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the end of the JSON value")
	}
	return v, nil
}

func parseNext(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Number:
		f, err := strconv.ParseFloat(string(token), 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return nil, err
		}
		return f, nil
	case json.Delim:
		if token == '[' {
			return parseArray(d)
		}
		return parseObject(d)
	}
	return token, nil
}

func parseArray(d *json.Decoder) (any, error) {
	list := []any{}
	for d.More() {
		v, err := parseNext(d)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}

func parseObject(d *json.Decoder) (any, error) {
	o := &object{members: map[string]any{}}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, ok := token.(string)
		if !ok {
			return nil, fmt.Errorf("a key that is no string: %v", token)
		}
		v, err := parseNext(d)
		if err != nil {
			return nil, err
		}
		if _, again := o.members[key]; !again {
			o.keys = append(o.keys, key)
		}
		o.members[key] = v
	}
	_, err := d.Token()
	o.sortIndexes()
	return o, err
}

// sortIndexes puts keys that look like array indexes first, in numeric order, as
// JavaScript objects do.
func (o *object) sortIndexes() {
	if !slices.ContainsFunc(o.keys, isIndex) {
		return
	}
	slices.SortStableFunc(o.keys, func(a, b string) int {
		switch x, y := isIndex(a), isIndex(b); {
		case x && y && len(a) != len(b):
			return len(a) - len(b)
		case x && y:
			return strings.Compare(a, b)
		case x:
			return -1
		case y:
			return 1
		}
		return 0
	})
}

func isIndex(key string) bool {
	n, err := strconv.ParseUint(key, 10, 32)
	return err == nil && n < math.MaxUint32 && strconv.FormatUint(n, 10) == key
}

// equal is the deep equality ajv uses. step is told of each comparison. Members
// named like methods of every object lead it astray, as they do there.
func equal(a, b any, step func(n int)) bool {
	step(1)
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i], step) {
				return false
			}
		}
		return true
	case *object:
		b, ok := b.(*object)
		return ok && equalObjects(a, b, step)
	case function, undefined:
		return false
	}
	return isScalar(b) && a == b
}

func isScalar(v any) bool {
	switch v.(type) {
	case []any, *object, function, undefined:
		return false
	}
	return true
}

func equalObjects(a, b *object, step func(n int)) bool {
	x, own := a.own("constructor")
	y, too := b.own("constructor")
	if own != too || own && (!isScalar(x) || !isScalar(y) || x != y) {
		return false
	}
	for _, method := range []string{"valueOf", "toString"} {
		if _, own := a.own(method); own {
			panic(stop{&Exception{"a." + method + " is not a function"}})
		}
	}
	if len(a.keys) != len(b.keys) {
		return false
	}
	for _, key := range a.keys {
		other, ok := b.own(key)
		if !ok || !equal(a.members[key], other, step) {
			return false
		}
	}
	return true
}

// length counts the code points of a string.
func length(s string) int { return utf8.RuneCountInString(s) }

// numberText writes a number as JavaScript's String(n).
func numberText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return "0"
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	sign := exponent[:1]
	return mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0")
}

// parseInt is JavaScript's parseInt(String(f)): it stops at the first character
// that is no digit, so that 1e+21 gives 1.
func parseInt(f float64) float64 {
	text := numberText(f)
	end := 0
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' || end == 0 && text[end] == '-') {
		end++
	}
	n, err := strconv.ParseFloat(text[:end], 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

// joined writes a value as Array.prototype.join and string concatenation do.
func joined(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return numberText(v)
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			if item != nil {
				parts[i] = joined(item)
			}
		}
		return strings.Join(parts, ",")
	}
	return "[object Object]"
}

func truthy(v any) bool {
	switch v := v.(type) {
	case nil, undefined:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case float64:
		return v != 0 && !math.IsNaN(v)
	}
	return true
}
