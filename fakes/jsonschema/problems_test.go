package jsonschema

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func problems(t *testing.T, s *Schema, value string) []Problem {
	t.Helper()
	found, err := s.Problems([]byte(value))
	if err != nil {
		t.Fatalf("Problems(%s): %v", value, err)
	}
	return found
}

func TestProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		schema, value string
		want          []Problem
	}{
		{`{"type":"string"}`, `1`, []Problem{{"", "", "type", "must be string", "string"}}},
		{`{"type":["string","null"]}`, `1`, []Problem{{"", "", "type", "must be null or string", "null or string"}}},
		{`{"required":["a","b"]}`, `{"a":1}`, []Problem{{"/b", "b", "required", "is required", ""}}},
		{`{"properties":{"a":{"items":{"required":["c"]}}}}`, `{"a":[{"c":1},{}]}`,
			[]Problem{{"/a/1/c", "a[1].c", "required", "is required", ""}}},
		{`{"properties":{"a":{}},"additionalProperties":false}`, `{"b":1,"a":2,"x/y":3}`, []Problem{
			{"/b", "b", "additionalProperties", "is not a known property", ""},
			{"/x~1y", `["x/y"]`, "additionalProperties", "is not a known property", ""}}},
		{`{"enum":["a",1,null]}`, `"b"`, []Problem{{"", "", "enum", `must be one of "a", 1, null`, `"a", 1, null`}}},
		{`{"const":{"a":1}}`, `{}`, []Problem{{"", "", "const", `must be {"a":1}`, `{"a":1}`}}},
		{`{"minimum":1.5}`, `1`, []Problem{{"", "", "minimum", "must be at least 1.5", ">= 1.5"}}},
		{`{"maximum":1}`, `2`, []Problem{{"", "", "maximum", "must be at most 1", "<= 1"}}},
		{`{"exclusiveMinimum":1}`, `1`, []Problem{{"", "", "exclusiveMinimum", "must be more than 1", "> 1"}}},
		{`{"exclusiveMaximum":1}`, `1`, []Problem{{"", "", "exclusiveMaximum", "must be less than 1", "< 1"}}},
		{`{"multipleOf":0.01}`, `0.075`, []Problem{{"", "", "multipleOf", "must be a multiple of 0.01", "multiple of 0.01"}}},
		{`{"minLength":2}`, `"😀"`, []Problem{{"", "", "minLength", "must have at least 2 characters, has 1", "at least 2 characters"}}},
		{`{"maxLength":1}`, `"ab"`, []Problem{{"", "", "maxLength", "must have at most 1 character, has 2", "at most 1 character"}}},
		{`{"pattern":"^a$"}`, `"a\n"`, []Problem{{"", "", "pattern", "must match the pattern ^a$", "^a$"}}},
		{`{"minItems":1}`, `[]`, []Problem{{"", "", "minItems", "must have at least 1 item, has 0", "at least 1 item"}}},
		{`{"maxItems":1}`, `[1,2]`, []Problem{{"", "", "maxItems", "must have at most 1 item, has 2", "at most 1 item"}}},
		{`{"uniqueItems":true}`, `[1,2,1.0]`, []Problem{{"", "", "uniqueItems", "must not repeat an item: 0 and 2 are equal", ""}}},
		{`{"minProperties":1}`, `{}`, []Problem{{"", "", "minProperties", "must have at least 1 member, has 0", "at least 1 member"}}},
		{`{"contains":{"type":"string"}}`, `[1]`, []Problem{{"", "", "contains", "must contain an item of the asked kind", ""}}},
		{`{"properties":{"a":false}}`, `{"a":1}`, []Problem{{"/a", "a", "properties", "is not allowed", ""}}},
		{`{"unevaluatedProperties":false,"allOf":[{"properties":{"a":{}}}]}`, `{"a":1,"b":2}`,
			[]Problem{{"/b", "b", "unevaluatedProperties", "is not allowed", ""}}},
		{`{"propertyNames":{"maxLength":1}}`, `{"ab":1}`, []Problem{{"/ab", "ab", "propertyNames", "has a name that is not allowed", ""}}},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, []Problem{{"/b", "b", "dependentRequired", `is required when "a" is present`, ""}}},
		{`{"not":{"type":"string"}}`, `"x"`, []Problem{{"", "", "not", "must not fit the excluded schema", ""}}},
		{`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, `{"a":1}`,
			[]Problem{{"/a", "a", "anyOf", "must be string or null", "string or null"}}},
		{`{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`,
			[]Problem{{"", "", "anyOf", "must fit one of 2 alternatives", "one of 2 alternatives"}}},
		{`{"oneOf":[{"type":"integer"},{"type":"number"}]}`, `1`,
			[]Problem{{"", "", "oneOf", "must fit exactly one alternative, fits 0 and 1", "exactly one alternative"}}},
		{`{"if":{"required":["a"]},"then":{"required":["b"]}}`, `{"a":1}`, []Problem{{"/b", "b", "required", "is required", ""}}},
		{`{"$ref":"#/$defs/x","$defs":{"x":{"type":"object","required":["v"],"properties":{"c":{"$ref":"#/$defs/x"}}}}}`,
			`{"c":{"c":{}}}`, []Problem{{"/c/c/v", "c.c.v", "required", "is required", ""}, {"/c/v", "c.v", "required", "is required", ""}, {"/v", "v", "required", "is required", ""}}},
		{`{"allOf":[{"required":["a"]},{"required":["a"]}]}`, `{}`, []Problem{{"/a", "a", "required", "is required", ""}}},
		{`{"properties":{"a":{"type":"string"},"b":{"type":"integer"},"c":{"maxLength":1}}}`, `{"c":"xx","b":1.5,"a":1}`, []Problem{
			{"/a", "a", "type", "must be string", "string"}, {"/b", "b", "type", "must be integer", "integer"},
			{"/c", "c", "maxLength", "must have at most 1 character, has 2", "at most 1 character"}}},
		{`{"format":"email"}`, `"no"`, nil},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","format":"email"}`, `"no"`, nil},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/x/y","x":{"y":{"format":"email"}}}`, `"no"`, nil},
		{`{"type":"integer"}`, `1.0`, nil},
	} {
		got := problems(t, mustCompile(t, c.schema), c.value)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s on %s (-want +got):\n%s", c.schema, c.value, diff)
		}
	}
}

func TestAssertFormats(t *testing.T) {
	t.Parallel()
	s := mustCompile(t, `{"properties":{"a":{"format":"email"}}}`, AssertFormats())
	want := []Problem{{"/a", "a", "format", "must be a valid email", "email"}}
	if diff := cmp.Diff(want, problems(t, s, `{"a":"no"}`)); diff != "" {
		t.Error(diff)
	}
	if got := problems(t, s, `{"a":"x@example.com"}`); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

// TestOrderIsStable checks that maps inside the validator do not show.
func TestOrderIsStable(t *testing.T) {
	t.Parallel()
	s := mustCompile(t, `{"items":{"type":"string"},"properties":{"a":{"type":"string"}},"additionalProperties":false,"required":["z","y"]}`)
	for value, want := range map[string]string{
		`[1,2,3,4,5,6,7,8,9,10,11,12]`:      "/0 /1 /2 /3 /4 /5 /6 /7 /8 /9 /10 /11",
		`{"a":1,"b":1,"c":1,"d":1,"aa":1}`:  "/a /aa /b /c /d /y /z",
		`{"e":1,"f":1,"g":1,"y":1,"zz":{}}`: "/e /f /g /y /z /zz",
	} {
		for range 20 {
			var paths []string
			for _, p := range problems(t, s, value) {
				paths = append(paths, p.Path)
			}
			if got := strings.Join(paths, " "); got != want {
				t.Fatalf("%s: got %s, want %s", value, got, want)
			}
		}
	}
}

func TestGoValues(t *testing.T) {
	t.Parallel()
	s := mustCompile(t, `{"type":"object","properties":{"n":{"type":"integer"}},"required":["s"]}`)
	for name, value := range map[string]any{
		"decoded": map[string]any{"n": 1.5},
		"numbers": map[string]any{"n": json.Number("1.5")},
		"raw":     json.RawMessage(`{"n":1.5}`),
		"bytes":   []byte(`{"n":1.5}`),
	} {
		got, err := s.Problems(value)
		if err != nil || len(got) != 2 {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
	if got, err := s.Problems(map[string]any{"n": 3, "s": int64(1)}); err != nil || len(got) != 0 {
		t.Errorf("ints: got %v, %v", got, err)
	}
	for name, value := range map[string]any{"NaN": math.NaN(), "struct": struct{}{}, "text": []byte(`{`), "tail": []byte(`1]`)} {
		if _, err := s.Problems(value); !errors.Is(err, ErrNotJSON) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestNamesAreEscapedInProperty(t *testing.T) {
	t.Parallel()
	s := mustCompile(t, `{"additionalProperties":false}`)
	got := problems(t, s, `{"a\n\u001b[31m\u202e":1}`)
	if len(got) != 1 || got[0].Property != `["a\n\x1b[31m\u202e"]` {
		t.Errorf("got %q", got)
	}
}

func TestProblemString(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]Problem{
		"a.b is required":          {Property: "a.b", Message: "is required"},
		"the value must be string": {Message: "must be string"},
	} {
		if got := p.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
