package message

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// maxObserved bounds what a fault shows of a frame, in bytes.
const maxObserved = 100

// cut shortens a text to n bytes at the border of a character and marks the cut.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// quote writes a text as a JSON string without escaping HTML.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return strconv.Quote(s)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// shown is what a fault shows of a value: its own text, bounded.
func shown(v gjson.Result) string { return cut(v.Raw, maxObserved) }

// named says what the JSON type of a schema is called.
func named(t string) string {
	switch t {
	case "object", "integer", "array":
		return "an " + t
	case "null":
		return t
	}
	return "a " + t
}

func choices(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = quote(v)
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return "one of " + strings.Join(quoted, ", ")
}

// between says which numbers are allowed.
func between(low, high *float64) string {
	n := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	switch {
	case low != nil && high != nil:
		return "a number from " + n(*low) + " to " + n(*high)
	case low != nil:
		return "a number not below " + n(*low)
	}
	return "a number not above " + n(*high)
}

// wanted says in a few words what a shape asks for as a whole.
func (s *shape) wanted() string {
	switch {
	case s.Is != "":
		return s.Is
	case len(s.Enum) > 0:
		return choices(s.Enum)
	case len(s.Type) > 0:
		all := make([]string, len(s.Type))
		for i, t := range s.Type {
			all[i] = named(t)
		}
		return strings.Join(all, " or ")
	case s.Min != nil || s.Max != nil:
		return between(s.Min, s.Max)
	case s.Format != "":
		return s.format.is
	case s.ref != nil:
		return s.ref.wanted()
	case s.By != "" || len(s.branches) > 0:
		return "an object"
	case len(s.Members) > 0:
		return "an object"
	}
	return "a value"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
