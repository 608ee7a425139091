package scenarios

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// tampering is a state that was changed in one place.
type tampering struct{ name, state string }

// maxEdits is how many values inside a state are changed, one at a time.
const maxEdits = 10

// tamperings are changed forms of a state: a character flipped, the end cut
// off, the state of another call in its place, and, where the state holds JSON
// in base64 or plain words of the arguments, each value changed.
func tamperings(state string, args json.RawMessage, other gjson.Result) []tampering {
	var out []tampering
	add := func(name, changed string) {
		if changed != state {
			out = append(out, tampering{name, changed})
		}
	}
	for _, part := range []int{4, 2} {
		add(fmt.Sprintf("flip-%d", part), flip(state, len(state)/part))
	}
	add("flip-last", flip(state, len(state)-1))
	add("half", state[:len(state)/2])
	if len(state) > 0 {
		add("cut", state[:len(state)-1])
	}
	if o := other.Get("requestState"); o.Type == gjson.String {
		add("other-call", o.Str)
	}
	for _, e := range edits(state, args) {
		add("edit-"+e.name, e.state)
	}
	return out
}

// flip changes one character for another of its kind.
func flip(s string, at int) string {
	if at < 0 || at >= len(s) {
		return s
	}
	c := s[at]
	switch {
	case c >= '0' && c < '9', c >= 'a' && c < 'z', c >= 'A' && c < 'Z':
		c++
	case c == '9', c == 'z', c == 'Z':
		c--
	case c == '=' || c == '.' || c >= 0x80:
		return flip(s, at-1)
	default:
		c = 'A'
	}
	return s[:at] + string(c) + s[at+1:]
}

// edits change one value each inside a state that can be read.
func edits(state string, args json.RawMessage) []tampering {
	var out []tampering
	if j := gjson.Parse(state); json.Valid([]byte(state)) && (j.IsObject() || j.IsArray()) {
		return editJSON(j, "")
	}
	parts := strings.Split(state, ".")
	for n, part := range parts {
		raw, enc := decodeState(part)
		if enc == nil {
			continue
		}
		for _, e := range editJSON(gjson.ParseBytes(raw), "") {
			changed := append([]string{}, parts...)
			changed[n] = enc.EncodeToString([]byte(e.state))
			out = append(out, tampering{e.name, strings.Join(changed, ".")})
		}
	}
	if len(out) > 0 {
		return out[:min(len(out), maxEdits)]
	}
	gjson.ParseBytes(args).ForEach(func(k, v gjson.Result) bool {
		if v.Type == gjson.String && len(v.Str) >= 3 && strings.Contains(state, v.Str) {
			out = append(out, tampering{"word-" + strconv.Itoa(len(out)+1), strings.ReplaceAll(state, v.Str, v.Str+"x")})
		}
		return len(out) < maxEdits
	})
	return out
}

// decodeState reads JSON in base64, whatever its alphabet; nil when it is none.
func decodeState(part string) ([]byte, *base64.Encoding) {
	for _, enc := range []*base64.Encoding{base64.RawURLEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.StdEncoding} {
		raw, err := enc.DecodeString(part)
		if err != nil || !json.Valid(raw) {
			continue
		}
		if j := gjson.ParseBytes(raw); j.IsObject() || j.IsArray() {
			return raw, enc
		}
	}
	return nil, nil
}

// editJSON returns the document with one leaf changed at a time.
func editJSON(doc gjson.Result, at string) []tampering {
	var out []tampering
	n := -1
	doc.ForEach(func(k, v gjson.Result) bool {
		n++
		name := strings.TrimPrefix(fmt.Sprintf("%s-%d", at, n+1), "-")
		put := func(name, raw string) {
			out = append(out, tampering{name, setMember(doc, n, raw)})
		}
		switch {
		case v.IsObject() || v.IsArray():
			if len(name) < 12 { // a bound on the depth
				for _, e := range editJSON(v, name) {
					put(e.name, e.state)
				}
			}
		case v.Type == gjson.String:
			put(name, quoted(v.Str+"x"))
		case v.Type == gjson.Number:
			put(name, fmt.Sprint(v.Int()+1))
		case v.Type == gjson.True:
			put(name, "false")
		case v.Type == gjson.False:
			put(name, "true")
		}
		return len(out) < maxEdits
	})
	return out
}

// setMember writes a document with its n-th member or element replaced.
func setMember(doc gjson.Result, n int, raw string) string {
	var parts []string
	i := -1
	doc.ForEach(func(k, v gjson.Result) bool {
		i++
		value := v.Raw
		if i == n {
			value = raw
		}
		if doc.IsObject() {
			value = k.Raw + ":" + value
		}
		parts = append(parts, value)
		return true
	})
	if doc.IsObject() {
		return "{" + strings.Join(parts, ",") + "}"
	}
	return "[" + strings.Join(parts, ",") + "]"
}
