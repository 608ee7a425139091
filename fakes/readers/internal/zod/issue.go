package zod

import (
	"math"
	"strings"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

// Issue is one thing wrong with a value.
type Issue struct {
	Path    []js.Value
	Message string
	fields  js.Value // code and the rest, in zod's order
	soft    bool     // later checks still run
	early   bool     // the message is listed before the path
}

// Issues are the problems of one parse.
type Issues []Issue

// Code is zod's word for the kind of problem.
func (i Issue) Code() string { return i.fields.Get("code").Str }

// Where gives the path with dots, as in tools.1.name; "" at the root.
func (i Issue) Where() string {
	parts := make([]string, len(i.Path))
	for n, p := range i.Path {
		parts[n] = p.Str
		if p.Kind == js.Number {
			parts[n] = js.FormatNumber(p.Num)
		}
	}
	return strings.Join(parts, ".")
}

// Error gives the message of a ZodError: the issues as JSON, two blanks deep.
func (is Issues) Error() string { return is.JSON().Indent(2) }

// JSON gives the issues as zod lists them.
func (is Issues) JSON() js.Value {
	out := js.List()
	for _, i := range is {
		one := i.fields.Copy()
		if i.early {
			one.Set("message", js.Str(i.Message))
		}
		one.Set("path", js.List(i.Path...))
		one.Set("message", js.Str(i.Message))
		out.Items = append(out.Items, one)
	}
	return out
}

// Short gives one "path: message" a problem, joined by a separator.
func (is Issues) Short(sep string) string {
	parts := make([]string, len(is))
	for n, i := range is {
		parts[n] = i.Message
		if w := i.Where(); w != "" {
			parts[n] = w + ": " + i.Message
		}
	}
	return strings.Join(parts, sep)
}

func issue(soft bool, message string, pairs ...any) Issue {
	f := js.NewObject()
	for n := 0; n < len(pairs); n += 2 {
		f.Set(pairs[n].(string), pairs[n+1].(js.Value))
	}
	return Issue{Message: message, fields: f, soft: soft}
}

func stopped(issues []Issue) bool {
	for _, i := range issues {
		if !i.soft {
			return true
		}
	}
	return false
}

// under puts a step in front of each path.
func under(step js.Value, issues []Issue) []Issue {
	out := make([]Issue, len(issues))
	for n, i := range issues {
		i.Path = append([]js.Value{step}, i.Path...)
		out[n] = i
	}
	return out
}

func wrongType(expected string, v js.Value) Issue {
	pairs := []any{"expected", js.Str(expected), "code", js.Str("invalid_type")}
	received := v.Type()
	if v.Kind == js.Number && !isFinite(v.Num) {
		received = js.FormatNumber(v.Num)
		if expected == "number" {
			pairs = append(pairs, "received", js.Str(received))
		}
	}
	return issue(false, "Invalid input: expected "+expected+", received "+received, pairs...)
}

func notOneOf(words []string) string {
	if len(words) == 1 {
		return `Invalid input: expected "` + words[0] + `"`
	}
	return `Invalid option: expected one of "` + strings.Join(words, `"|"`) + `"`
}

// outOfRange is the issue of a bound. The integer format lists its members in
// another order and adds a note.
func outOfRange(code, bound string, limit float64, origin string, format bool) Issue {
	word, sign := "Too big", "<="
	if code == "too_small" {
		word, sign = "Too small", ">="
	}
	message := word + ": expected " + origin + " to be " + sign + js.FormatNumber(limit)
	if format {
		return issue(true, message, "code", js.Str(code), bound, js.Num(limit),
			"note", js.Str("Integers must be within the safe integer range."),
			"origin", js.Str(origin), "inclusive", js.Boolean(true))
	}
	return issue(true, message, "origin", js.Str(origin), "code", js.Str(code), bound, js.Num(limit), "inclusive", js.Boolean(true))
}

func unrecognized(keys []string) Issue {
	list := js.List()
	for _, k := range keys {
		list.Items = append(list.Items, js.Str(k))
	}
	word := "Unrecognized key"
	if len(keys) > 1 {
		word += "s"
	}
	return issue(true, word+`: "`+strings.Join(keys, `", "`)+`"`, "code", js.Str("unrecognized_keys"), "keys", list)
}

func unionIssue(all [][]Issue) Issue {
	errs := js.List()
	for _, issues := range all {
		errs.Items = append(errs.Items, Issues(issues).JSON())
	}
	return issue(false, "Invalid input", "code", js.Str("invalid_union"), "errors", errs)
}

func isFinite(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) }
