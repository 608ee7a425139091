package jsonschema

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
)

func TestWalk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, want string }{
		{`{}`, ""},
		{`true`, ""},
		{`{"properties":{"a":{"type":"string"},"x/y":true},"items":{"not":{}}}`, " /properties/a /properties/x~1y /items /items/not"},
		{`{"allOf":[{"anyOf":[{},{}]}],"oneOf":[{}]}`, " /allOf/0 /allOf/0/anyOf/0 /allOf/0/anyOf/1 /oneOf/0"},
		{`{"enum":[{"properties":{"a":{}}}],"const":{"items":{}},"default":{"not":{}},"examples":[{"not":{}}]}`, ""},
		{`{"items":[{},{}],"additionalItems":{}}`, " /items/0 /items/1 /additionalItems"},
		{`{"dependencies":{"a":["b"],"c":{}},"dependentRequired":{"a":["b"]},"dependentSchemas":{"d":{}}}`, " /dependencies/c /dependentSchemas/d"},
		{`{"properties":{"properties":{"type":"object"}}}`, " /properties/properties"},
		{`{"$defs":{"a":{"if":{},"then":{},"else":{}}},"definitions":{"b":{}}}`, " /$defs/a /$defs/a/if /$defs/a/then /$defs/a/else /definitions/b"},
		{`{"properties":[],"allOf":{},"items":5,"x-thing":{"properties":{"a":{}}}}`, " /items"},
		{`{"prefixItems":[{}],"contains":{},"propertyNames":{},"unevaluatedItems":false,"unevaluatedProperties":{},"contentSchema":{}}`,
			" /prefixItems/0 /contains /propertyNames /unevaluatedItems /unevaluatedProperties /contentSchema"},
	} {
		var got []string
		err := Walk([]byte(c.schema), func(pointer string, sub gjson.Result) bool {
			if want := gjson.Get(c.schema, gjsonPath(pointer)); pointer != "" && want.Raw != sub.Raw {
				t.Errorf("%s at %s: got %s, want %s", c.schema, pointer, sub.Raw, want.Raw)
			}
			got = append(got, pointer)
			return true
		})
		if diff := cmp.Diff(strings.Split(c.want, " "), got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", c.schema, err, diff)
		}
	}
}

// gjsonPath turns a pointer without odd keys into a path of gjson.
func gjsonPath(pointer string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", "."), "~1", "/")
}

func TestWalkStops(t *testing.T) {
	t.Parallel()
	var got []string
	err := Walk([]byte(` {"not":{"not":{}},"items":{}} `), func(pointer string, sub gjson.Result) bool {
		got = append(got, pointer)
		return pointer != "/not"
	})
	if diff := cmp.Diff([]string{"", "/not", "/items"}, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	visit := func(string, gjson.Result) bool { return true }
	if err := Walk([]byte(`{`), visit); !errors.Is(err, ErrNotJSON) {
		t.Errorf("got %v", err)
	}
}

// TestWalkAgreesWithCompile checks the two readings of what is a subschema against each other.
func TestWalkAgreesWithCompile(t *testing.T) {
	t.Parallel()
	const schema = `{"properties":{"a":{"items":[{}],"enum":[{"not":{}}]},"b":true},"dependencies":{"a":["b"],"c":{}},"allOf":[{"not":{}}],"$defs":{"x":{"anyOf":[{},false]}}}`
	walked := map[string]bool{}
	if err := Walk([]byte(schema), func(pointer string, _ gjson.Result) bool { walked[pointer] = true; return true }); err != nil {
		t.Fatal(err)
	}
	doc, err := decode([]byte(schema), bounds{"schema", 1 << 20, 100, 1000})
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, position := range subschemas(doc) {
		listed[Pointer(position.tokens...)] = true
	}
	if diff := cmp.Diff(walked, listed); diff != "" {
		t.Errorf("(-Walk +Compile):\n%s", diff)
	}
}

func TestPointers(t *testing.T) {
	t.Parallel()
	value := map[string]any{"a": []any{map[string]any{"x y": 1, "0": 2}}, "n": map[string]any{"0": []any{}}}
	for _, c := range []struct {
		tokens          []string
		pointer, dotted string
	}{
		{nil, "", ""},
		{[]string{"a"}, "/a", "a"},
		{[]string{"a", "0", "x y"}, "/a/0/x y", `a[0]["x y"]`},
		{[]string{"a", "0", "0"}, "/a/0/0", `a[0]["0"]`},
		{[]string{"n", "0", "3"}, "/n/0/3", `n["0"][3]`},
		{[]string{"m/n", "o~p"}, "/m~1n/o~0p", `["m/n"]["o~p"]`},
		{[]string{""}, "/", `[""]`},
		{[]string{"a", "7", "b"}, "/a/7/b", `a[7].b`},
	} {
		if got := Pointer(c.tokens...); got != c.pointer {
			t.Errorf("Pointer(%q) = %q, want %q", c.tokens, got, c.pointer)
		}
		if diff := cmp.Diff(c.tokens, Tokens(c.pointer)); diff != "" {
			t.Errorf("Tokens(%q):\n%s", c.pointer, diff)
		}
		if got := Dotted(value, c.tokens); got != c.dotted {
			t.Errorf("Dotted(%q) = %q, want %q", c.tokens, got, c.dotted)
		}
	}
}

func TestDecimals(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]string{
		"0": "0", "-0.0": "0", "0e99999999999": "0", "100": "1e2", "1.50": "15e-1", "-0.001e3": "-1e0",
		"1e99999999999999999999": "1e2147483647", "1e-99999999999999999999": "1e-2147483647", "12.30E+2": "123e1",
	} {
		if got := parseDecimal(literal).String(); got != want {
			t.Errorf("%s is read as %s, want %s", literal, got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcdef", 5, "ab…"}, {"éééé", 6, "é…"}, {"ab", 1, "…"}} {
		if got := shorten(c.text, c.n); got != c.want {
			t.Errorf("shorten(%q, %d) = %q, want %q", c.text, c.n, got, c.want)
		}
	}
}
