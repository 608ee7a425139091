package sample

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// problem is one way in which a value does not fit its schema.
type problem struct {
	// path names the property: "parcel.weight_g", "stops[0].city"; "" is the value itself.
	path string
	// says is what is wrong, in a few words.
	says string
}

// line is the problem as one line of text.
func (p problem) line() string {
	if p.path == "" {
		return "input " + p.says
	}
	return p.path + " " + p.says
}

func lines(problems []problem) []string {
	out := make([]string, len(problems))
	for i, p := range problems {
		out[i] = p.line()
	}
	return out
}

// problemsOf lists all problems of a value, in the order of the schema's
// properties by name. It knows the keywords that the schemas of this package use.
func problemsOf(schema object, value any, path string) []problem {
	return checker{key: shownKey}.problems(schema, value, path)
}

// shownKey is a key as a message may show it.
func shownKey(key string) string { return bounded(visible(key), maxEcho) }

// checker finds problems; key writes the names of properties.
type checker struct{ key func(string) string }

func (c checker) problems(schema object, value any, path string) []problem {
	if want, ok := schema["type"].(string); ok && !hasType(value, want) {
		return []problem{{path, "must be " + article(want)}}
	}
	var out []problem
	add := func(says string) { out = append(out, problem{path, says}) }
	if allowed, ok := schema["enum"].(list); ok && !contains(allowed, value) {
		add("must be one of " + strings.Join(shown(allowed), ", "))
	}
	switch v := value.(type) {
	case string:
		stringProblems(schema, v, add)
	case json.Number:
		numberProblems(schema, v, add)
	case list:
		if n, ok := bound(schema, "minItems"); ok && len(v) < n {
			add(fmt.Sprintf("must have at least %d items", n))
		}
		if n, ok := bound(schema, "maxItems"); ok && len(v) > n {
			add(fmt.Sprintf("must have at most %d items", n))
		}
		if items := asObject(schema["items"]); items != nil {
			for i, e := range v {
				out = append(out, c.problems(items, e, path+"["+strconv.Itoa(i)+"]")...)
			}
		}
	case object:
		out = append(out, c.members(schema, v, path)...)
	}
	return out
}

func (c checker) members(schema, value object, path string) []problem {
	var out []problem
	at := func(key string) string {
		key = c.key(key)
		if path == "" {
			return key
		}
		return path + "." + key
	}
	properties := asObject(schema["properties"])
	for _, key := range sortedKeys(properties) {
		member, given := value[key]
		switch {
		case given:
			out = append(out, c.problems(asObject(properties[key]), member, at(key))...)
		case contains(asList(schema["required"]), key):
			out = append(out, problem{at(key), "is required"})
		}
	}
	if schema["additionalProperties"] == false {
		for _, key := range sortedKeys(value) {
			if _, known := properties[key]; !known {
				out = append(out, problem{at(key), "is not a known property"})
			}
		}
	}
	return out
}

func stringProblems(schema object, v string, add func(string)) {
	n := utf8.RuneCountInString(v)
	if min, ok := bound(schema, "minLength"); ok && n < min {
		add(fmt.Sprintf("must have at least %d characters", min))
	}
	if max, ok := bound(schema, "maxLength"); ok && n > max {
		add(fmt.Sprintf("must have at most %d characters", max))
	}
	if pattern, ok := schema["pattern"].(string); ok {
		if re, err := regexp.Compile(pattern); err == nil && !re.MatchString(v) {
			add("must match " + pattern)
		}
	}
}

func numberProblems(schema object, v json.Number, add func(string)) {
	n, ok := new(big.Float).SetString(string(v))
	if !ok {
		add("must be a number within reach")
		return
	}
	if min, ok := bound(schema, "minimum"); ok && n.Cmp(big.NewFloat(float64(min))) < 0 {
		add(fmt.Sprintf("must be at least %d", min))
	}
	if max, ok := bound(schema, "maximum"); ok && n.Cmp(big.NewFloat(float64(max))) > 0 {
		add(fmt.Sprintf("must be at most %d", max))
	}
}

func hasType(v any, want string) bool {
	switch want {
	case "object":
		_, ok := v.(object)
		return ok
	case "array":
		_, ok := v.(list)
		return ok
	case "string":
		_, ok := v.(string)
		return ok
	case "boolean":
		_, ok := v.(bool)
		return ok
	case "number":
		_, ok := v.(json.Number)
		return ok
	case "integer":
		n, ok := v.(json.Number)
		return ok && isInteger(n)
	}
	return false
}

func article(t string) string {
	if strings.HasPrefix(t, "o") || strings.HasPrefix(t, "a") || strings.HasPrefix(t, "i") {
		return "an " + t
	}
	return "a " + t
}

func bound(schema object, key string) (int, bool) {
	n, ok := schema[key].(int)
	return n, ok
}

func asList(v any) list {
	l, _ := v.(list)
	return l
}

func contains(l list, v any) bool {
	return slices.ContainsFunc(l, func(e any) bool {
		s, isString := e.(string)
		t, wasString := v.(string)
		return isString && wasString && s == t
	})
}

func shown(l list) []string {
	out := make([]string, len(l))
	for i, e := range l {
		out[i] = string(encode(e, plainOrder))
	}
	return out
}

func sortedKeys(o object) []string {
	keys := make([]string, 0, len(o))
	for k := range o {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
