package jsonschema

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAJV(t *testing.T) {
	t.Parallel()
	s, err := AJV([]byte(`{"type":"object","properties":{"a":{"type":"string"},"n":{"minimum":1}},"required":["a"],"additionalProperties":false}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"data must have required property 'a'", "data must NOT have additional properties", "data/n must be >= 1"}
	for name, value := range map[string]any{"text": []byte(`{"n":0,"x":1}`), "decoded": map[string]any{"n": 0, "x": 1}} {
		got, err := s.Errors(value)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	if got, err := s.Errors([]byte(`{"a":"x"}`)); err != nil || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestAJVRefuses(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{"type":"strnig"}`:                      "type must be JSONType or JSONType[]: strnig",
		`{"$ref":"https://example.com/x.json"}`:  "can't resolve reference https://example.com/x.json from id #",
		`{"pattern":"("}`:                        "Invalid regular expression: /(/u: Unterminated group",
		`{"minimum":"one"}`:                      `minimum value must be ["number"]`,
		`{"enum":[]}`:                            "enum must have non-empty array",
		`{"nullable":true}`:                      `"nullable" cannot be used without "type"`,
		`{"properties":{"a":{"$ref":"#/$x"}}}`:   "can't resolve reference #/$x from id #",
		`{"$ref":"#/a","a":{"$ref":"#/a"}}`:      "Maximum call stack size exceeded",
		`{"properties":{"a":{"pattern":"\\_"}}}`: `Invalid regular expression: /\_/u: Invalid escape`,
	} {
		_, err := AJV([]byte(schema))
		var exception *AJVError
		if !errors.As(err, &exception) || exception.Text != want {
			t.Errorf("%s: got %v, want %s", schema, err, want)
		}
	}
}

func TestAJVModes(t *testing.T) {
	t.Parallel()
	const schema = `{"prefixItems":[{"type":"string"}]}`
	for mode, want := range map[AJVMode]int{SDKv1: 0, SDKv2: 1} {
		s, err := NewAJV(mode).Compile([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Errors([]byte(`[1]`)); err != nil || len(got) != want {
			t.Errorf("mode %d: got %v, %v", mode, got, err)
		}
	}
	if _, err := NewAJV(SDKv2).Compile([]byte(`{"$schema":"https://example.com/mine"}`)); !errors.As(err, new(*AJVError)) {
		t.Errorf("got %v", err)
	}
	if _, err := NewAJV(SDKv1).Compile([]byte(`{"$schema":"https://example.com/mine"}`)); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestAJVBounds(t *testing.T) {
	for name, schema := range map[string]string{
		"deep":  nested(`{"items":`, `{}`, `}`, 100_000),
		"meta":  `{"$ref":"http://json-schema.org/draft-07/schema#"}`,
		"emoji": `{"pattern":"\\p{Emoji}"}`,
	} {
		inTime(t, func() {
			if _, err := AJV([]byte(schema)); !errors.Is(err, ErrTooComplex) {
				t.Errorf("%s: got %v", name, err)
			}
		})
	}
	for name, c := range map[string]struct{ schema, value string }{
		"doubling": {doubling("anyOf", 60), `1`},
		"pattern":  {`{"pattern":"^(a+)+$"}`, `"` + strings.Repeat("a", 5000) + `!"`},
		"deep":     {`{}`, nested(`[`, ``, `]`, 100_000)},
		"unique":   {`{"uniqueItems":true}`, `[` + many(`%d`, 20_000) + `]`},
	} {
		s, err := AJV([]byte(c.schema))
		if err != nil {
			t.Fatal(err)
		}
		inTime(t, func() {
			if _, err := s.Errors([]byte(c.value)); !errors.Is(err, ErrTooComplex) {
				t.Errorf("%s: got %v", name, err)
			}
		})
	}
	cycle, err := AJV([]byte(`{"allOf":[{"$ref":"#"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	inTime(t, func() {
		if _, err := cycle.Errors([]byte(`1`)); err == nil || err.Error() != "Maximum call stack size exceeded" {
			t.Errorf("cycle: got %v", err)
		}
	})
	if _, err := AJV([]byte(`{`)); !errors.Is(err, ErrNotJSON) {
		t.Errorf("got %v", err)
	}
}

// TestBothValidatorsAgree compares the verdicts of Problems with those recorded of the
// SDK v2 client, on every schema both read. Left out is where ajv is known to differ:
// formats (annotations here), rounding of multipleOf, names that JavaScript objects
// inherit, and keywords of other revisions.
func TestBothValidatorsAgree(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("internal/ajv/testdata/ajv.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Schema string   `json:"schema"`
		Values []string `json:"values"`
		V2     struct {
			Errors []string `json:"errors"`
		} `json:"v2"`
	}
	if err := json.Unmarshal(raw, &rows); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, row := range rows {
		if row.V2.Errors == nil || containsAny(row.Schema, `"format`, `"multipleOf":0.01`, `constructor`, `toString`, `additionalItems`, `"nullable`) {
			continue
		}
		s, err := Compile([]byte(row.Schema))
		if err != nil {
			continue
		}
		for i, value := range row.Values {
			if strings.HasPrefix(row.V2.Errors[i], "throws") {
				continue
			}
			found, err := s.Problems([]byte(value))
			if err != nil {
				continue
			}
			compared++
			if (len(found) == 0) != (row.V2.Errors[i] == "") {
				t.Errorf("%s on %s: %v, ajv says %q", row.Schema, value, found, row.V2.Errors[i])
			}
		}
	}
	if compared < 300 {
		t.Errorf("only %d values were compared", compared)
	}
}

func containsAny(text string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
