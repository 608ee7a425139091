package scenarios

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/scenarios/instance"
)

// Answers of a person, as results of elicitation/create.
func accept(content json.RawMessage) spoken {
	if content == nil {
		return spoken{result: json.RawMessage(`{"action":"accept"}`)}
	}
	return spoken{result: json.RawMessage(`{"action":"accept","content":` + string(content) + `}`)}
}

func says(action string) spoken {
	return spoken{result: json.RawMessage(fmt.Sprintf(`{"action":%q}`, action))}
}

func clientError(code int, message string) spoken {
	return spoken{fault: json.RawMessage(fmt.Sprintf(`{"code":%d,"message":%q}`, code, message))}
}

// fitting is the script of a person who fills in every form as asked. Of
// several fitting answers it gives the n-th to the first question and the next
// ones to further questions, so that a server that wants another choice gets it.
func fitting(n int) script {
	return func(round int, method string, params gjson.Result) spoken {
		return fit(n+round-1, method, params)
	}
}

func fit(n int, method string, params gjson.Result) spoken {
	switch {
	case method == "roots/list":
		return spoken{result: json.RawMessage(`{"roots":[]}`)}
	case method == "sampling/createMessage":
		return spoken{result: json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"conform"},"model":"conform","stopReason":"endTurn"}`)}
	case params.Get("mode").Str == "url":
		return accept(nil)
	}
	all := fittingContents(params.Get("requestedSchema"))
	if len(all) == 0 {
		return accept(json.RawMessage(`{}`))
	}
	return accept(all[n%len(all)])
}

// first uses one reply for the first question and then fills forms in as asked.
func first(once func(form gjson.Result) spoken) script {
	return func(round int, method string, params gjson.Result) spoken {
		if round == 1 && method == "elicitation/create" {
			return once(params.Get("requestedSchema"))
		}
		return fit(max(0, round-2), method, params)
	}
}

// always answers every question with one action.
func always(action string) script {
	return func(_ int, method string, params gjson.Result) spoken {
		if method != "elicitation/create" {
			return fit(0, method, params)
		}
		return says(action)
	}
}

// fittingContents are different contents that satisfy a form: the first with
// every field at its first value, the others with one field at another. Values
// are checked against the form; what does not fit is left out.
func fittingContents(form gjson.Result) []json.RawMessage {
	values := map[string][]string{}
	var names []string
	form.Get("properties").ForEach(func(k, field gjson.Result) bool {
		if v := fieldValues(field); len(v) > 0 {
			values[k.Str] = v
			names = append(names, k.Str)
		}
		return true
	})
	base := gjson.Parse(`{}`)
	for _, n := range names {
		base = gjson.ParseBytes(withMember(base, n, values[n][0]))
	}
	out := []json.RawMessage{json.RawMessage(base.Raw)}
	for _, n := range names {
		for _, v := range values[n][1:] {
			out = append(out, withMember(base, n, v))
		}
	}
	schema := compiled(form)
	if schema == nil {
		return out
	}
	return slices.DeleteFunc(out, func(c json.RawMessage) bool { return !fits(schema, c) })
}

// fieldValues are raw values that a field of a form takes, nil for kinds of
// fields that forms may not have.
func fieldValues(field gjson.Result) []string {
	if c := choices(field); len(c) > 0 {
		return c
	}
	switch field.Get("type").Str {
	case "boolean":
		return []string{"true", "false"}
	case "integer", "number":
		return numbersFor(field)
	case "string":
		return textsFor(field)
	case "array":
		c := choices(field.Get("items"))
		if len(c) == 0 {
			return nil
		}
		n := min(len(c), max(1, int(field.Get("minItems").Int())))
		return []string{"[" + strings.Join(c[:n], ",") + "]"}
	}
	return nil
}

// choices are the raw values of an enum or of titled constants.
func choices(field gjson.Result) []string {
	var out []string
	for _, v := range field.Get("enum").Array() {
		out = append(out, v.Raw)
	}
	for _, word := range []string{"oneOf", "anyOf"} {
		for _, v := range field.Get(word).Array() {
			if c := v.Get("const"); c.Exists() {
				out = append(out, c.Raw)
			}
		}
	}
	return out
}

func numbersFor(field gjson.Result) []string {
	lo, hi := field.Get("minimum"), field.Get("maximum")
	switch {
	case lo.Exists() && hi.Exists():
		return distinct(lo.Raw, hi.Raw)
	case lo.Exists():
		return distinct(lo.Raw, fmt.Sprint(lo.Int()+3))
	case hi.Exists():
		return distinct(fmt.Sprint(min(1, hi.Int())), hi.Raw)
	}
	return []string{"2", "5"}
}

func textsFor(field gjson.Result) []string {
	switch field.Get("format").Str {
	case "email":
		return []string{`"conform@example.com"`, `"other@example.com"`}
	case "uri":
		return []string{`"https://example.com/conform"`, `"https://example.com/other"`}
	case "date":
		return []string{`"2026-01-31"`, `"2027-02-28"`}
	case "date-time":
		return []string{`"2026-01-31T12:00:00Z"`, `"2027-02-28T12:00:00Z"`}
	}
	var out []string
	for _, s := range []string{"conform", "other", "a", "A1", "1", "2026-01-31", "AB-123", "12345"} {
		if n := int(field.Get("minLength").Int()); len(s) < n {
			s += strings.Repeat("x", min(n-len(s), 4096))
		}
		if l := field.Get("maxLength"); l.Exists() && len(s) > int(max(0, l.Int())) {
			s = s[:max(0, l.Int())]
		}
		raw, _ := json.Marshal(s)
		one := compiled(field)
		if one != nil && fits(one, raw) && !slices.Contains(out, string(raw)) {
			out = append(out, string(raw))
		}
	}
	return out[:min(2, len(out))]
}

func distinct(a, b string) []string {
	if a == b {
		return []string{a}
	}
	return []string{a, b}
}

// misfit is a content that does not satisfy a form, by the way in which it does not.
type misfit struct {
	how     string
	content json.RawMessage
}

// misfits are contents that break a form, one of each kind: a required field
// left out, a value of another type, one outside the choices or bounds. A
// further key is left out, for ignoring it is a fair reading, and so is null,
// which no answer may hold: that is judged by the shape of the answer.
func misfits(form gjson.Result, seed int64) []misfit {
	all, err := instance.Misfits([]byte(form.Raw), seed)
	if err != nil {
		return nil
	}
	var out []misfit
	for _, c := range all {
		if c.Fits || c.Case == "additional" || c.Case == "null" ||
			slices.ContainsFunc(out, func(m misfit) bool { return m.how == c.Case }) {
			continue
		}
		out = append(out, misfit{c.Case, c.Content})
	}
	return out
}

// withoutMember returns an object without one member.
func withoutMember(object gjson.Result, name string) json.RawMessage {
	out := gjson.Parse(`{}`)
	object.ForEach(func(k, v gjson.Result) bool {
		if k.Str != name {
			out = gjson.ParseBytes(withMember(out, k.Str, v.Raw))
		}
		return true
	})
	return json.RawMessage(out.Raw)
}

// closed says that a form asks for choices alone, so that nothing but the
// choice can decide what an answer leads to: no text has to be the right one.
func closed(form gjson.Result) bool {
	ok := form.Get("properties").IsObject()
	form.Get("properties").ForEach(func(_, field gjson.Result) bool {
		kind := field.Get("type").Str
		ok = ok && (kind == "boolean" || len(choices(field)) > 0 || kind == "array" && len(choices(field.Get("items"))) > 0)
		return ok
	})
	return ok
}
