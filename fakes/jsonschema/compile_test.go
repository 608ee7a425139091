package jsonschema

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func mustCompile(t *testing.T, schema string, options ...Option) *Schema {
	t.Helper()
	s, err := Compile([]byte(schema), options...)
	if err != nil {
		t.Fatalf("Compile(%s): %v", schema, err)
	}
	return s
}

func TestDialect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		schema  string
		options []Option
		want    Dialect
	}{
		{`{}`, nil, Draft202012},
		{`true`, nil, Draft202012},
		{`{}`, []Option{WithDefault(Draft07)}, Draft07},
		{`{"$schema":"http://json-schema.org/draft-07/schema#"}`, nil, Draft07},
		{`{"$schema":"https://json-schema.org/draft-07/schema"}`, nil, Draft07},
		{`{"$schema":"http://json-schema.org/draft-04/schema#"}`, nil, Draft04},
		{`{"$schema":"http://json-schema.org/draft-06/schema#"}`, nil, Draft06},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema"}`, nil, Draft201909},
		{`{"$schema":"https://json-schema.org/draft/2020-12/schema"}`, []Option{WithDefault(Draft07)}, Draft202012},
		{`{"$schema":"https://example.com/mine"}`, []Option{IgnoreUnknownDialect()}, Draft202012},
		{`{"$schema":"https://example.com/mine"}`, []Option{IgnoreUnknownDialect(), WithDefault(Draft07)}, Draft07},
	} {
		if got := mustCompile(t, c.schema, c.options...).Dialect(); got != c.want {
			t.Errorf("%s is read as %s, want %s", c.schema, got, c.want)
		}
	}
}

// TestDialectMatters checks one keyword that changed its meaning between revisions.
func TestDialectMatters(t *testing.T) {
	t.Parallel()
	tuple := `"items":[{"type":"string"}]`
	if _, err := Compile([]byte(`{` + tuple + `}`)); err == nil {
		t.Error("2020-12 took items as a list")
	}
	s := mustCompile(t, `{"$schema":"http://json-schema.org/draft-07/schema#",`+tuple+`}`)
	if got := problems(t, s, `[1]`); len(got) != 1 || got[0].Path != "/0" {
		t.Errorf("draft-07 found %v", got)
	}
	old := mustCompile(t, `{"$schema":"http://json-schema.org/draft-04/schema#","minimum":5,"exclusiveMinimum":true}`)
	if got := problems(t, old, `5`); len(got) != 1 {
		t.Errorf("draft-04 found %v", got)
	}
}

func TestSchemaFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, pointer, text string }{
		{`{"type":"strnig"}`, "/type", "type must be array, boolean, integer, null, number, object or string, or a list of different ones"},
		{`{"properties":{"a":{"minimum":"x"}}}`, "/properties/a/minimum", "minimum must be number"},
		{`{"properties":{"a/b":5}}`, "/properties/a~1b", "a/b must be boolean or object"},
		{`{"required":[1]}`, "/required/0", "required[0] must be string"},
		{`{"properties":{"a":{"pattern":"("}}}`, "/properties/a/pattern", "pattern is no regular expression: Unterminated group"},
		{`{"patternProperties":{"[":{}}}`, "/patternProperties/[", "[ is no regular expression: Unterminated character class"},
		{`{"properties":{"a":{"$ref":"#/$defs/no"}}}`, "/properties/a/$ref", "$ref points to nothing: #/$defs/no"},
		{`{"$ref":"#no"}`, "/$ref", "$ref points to nothing: #no"},
		{`{"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}}`, "/$defs/b", "$id is used twice: x"},
		{`5`, "", "must be boolean or object"},
		{`{"minLength":-1}`, "/minLength", "minLength must be at least 0"},
	} {
		_, err := Compile([]byte(c.schema))
		var fault *SchemaError
		if !errors.As(err, &fault) {
			t.Errorf("%s: got %v", c.schema, err)
			continue
		}
		if fault.Pointer != c.pointer && !strings.Contains(fault.Text, "used twice") || fault.Text != c.text {
			t.Errorf("%s: got %q: %q, want %q: %q", c.schema, fault.Pointer, fault.Text, c.pointer, c.text)
		}
	}
}

// TestFirstFaultIsStable checks that of several faults the same one is reported.
func TestFirstFaultIsStable(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{"properties":{"a":{"$ref":"#/x"},"b":{"$ref":"other.json"},"c":{"$ref":"#y"}}}`,
		`{"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}},"properties":{"c":{"$ref":"#/no"}}}`,
		`{"properties":{"a":{"type":"no"},"b":{"pattern":"("},"c":{"minimum":"x"}}}`,
	} {
		_, first := Compile([]byte(schema))
		for range 30 {
			if _, err := Compile([]byte(schema)); err == nil || err.Error() != first.Error() {
				t.Fatalf("%s: got %v, then %v", schema, first, err)
			}
		}
	}
}

func TestSeveralFaultsAreCounted(t *testing.T) {
	t.Parallel()
	_, err := Compile([]byte(`{"properties":{"a":{"type":"no","minimum":"x"},"b":{"required":true}}}`))
	var fault *SchemaError
	if !errors.As(err, &fault) || fault.More != 2 {
		t.Errorf("got %v", err)
	}
}

func TestExternalReferences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, pointer, keyword, uri string }{
		{`{"$ref":"https://example.com/x.json#/a"}`, "/$ref", "$ref", "https://example.com/x.json#/a"},
		{`{"properties":{"a":{"$ref":"other.json"}}}`, "/properties/a/$ref", "$ref", "other.json"},
		{`{"$id":"https://example.com/dir/root","items":{"$ref":"sub"}}`, "/items/$ref", "$ref", "sub"},
		{`{"$ref":"file:///etc/passwd"}`, "/$ref", "$ref", "file:///etc/passwd"},
		{`{"$ref":"../secret.json"}`, "/$ref", "$ref", "../secret.json"},
		{`{"$dynamicRef":"http://localhost/x#n"}`, "/$dynamicRef", "$dynamicRef", "http://localhost/x#n"},
	} {
		_, err := Compile([]byte(c.schema))
		var external *ExternalRef
		var fault *SchemaError
		if !errors.As(err, &external) || !errors.As(err, &fault) {
			t.Errorf("%s: got %v", c.schema, err)
			continue
		}
		if diff := cmp.Diff(&ExternalRef{c.keyword, c.uri}, external); diff != "" || fault.Pointer != c.pointer {
			t.Errorf("%s: at %q:\n%s", c.schema, fault.Pointer, diff)
		}
	}
	if _, err := Compile([]byte(`{"$schema":"https://example.com/mine"}`)); !errors.As(err, new(*UnknownDialect)) {
		t.Errorf("unknown dialect: got %v", err)
	}
}

// TestInternalReferences checks references that stay inside and must resolve.
func TestInternalReferences(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}`,
		`{"$ref":"#/definitions/a","definitions":{"a":{"type":"string"}}}`,
		`{"$ref":"#x","$defs":{"a":{"$anchor":"x","type":"string"}}}`,
		`{"$id":"https://example.com/s","$ref":"https://example.com/s#/$defs/a","$defs":{"a":{"type":"string"}}}`,
		`{"$ref":"https://example.com/in","$defs":{"a":{"$id":"https://example.com/in","type":"string"}}}`,
		`{"$ref":"#/$defs/a%20b~1c","$defs":{"a b/c":{"type":"string"}}}`,
		`{"$ref":"#/$defs/List[str]","$defs":{"List[str]":{"type":"string"}}}`,
		`{"$dynamicRef":"#n","$defs":{"a":{"$dynamicAnchor":"n","type":"string"}}}`,
	} {
		s := mustCompile(t, schema)
		if got := problems(t, s, `1`); len(got) != 1 || got[0].Message != "must be string" {
			t.Errorf("%s: got %v", schema, got)
		}
	}
	meta := mustCompile(t, `{"$ref":"http://json-schema.org/draft-07/schema#"}`)
	if got := problems(t, meta, `{"type":5}`); len(got) != 1 {
		t.Errorf("a well-known meta schema found %v", got)
	}
}

func TestLenientPatterns(t *testing.T) {
	t.Parallel()
	s := mustCompile(t, `{"pattern":"^[\\w\\-\\_]+\\_$"}`)
	if got := problems(t, s, `"a-_"`); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	if got := problems(t, s, `"a-"`); len(got) != 1 {
		t.Errorf("got %v", got)
	}
}

func TestNotJSON(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{``, `{`, `{} {}`, `{}]`, `nope`, "\xff", `{"a":1e}`} {
		if _, err := Compile([]byte(schema)); !errors.Is(err, ErrNotJSON) {
			t.Errorf("%q: got %v", schema, err)
		}
	}
}
