package ajv

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// TestAgreesWithAjv checks schemas and values against the recorded answers of the
// real validators: v1 is that of @modelcontextprotocol/sdk 1.32.2 with ajv 8.20.0
// and ajv-formats 3.0.1, v2 that of @modelcontextprotocol/client 2.4.0, on Node 20.
// Each row is a schema, values, and for both either the text that compiling threw
// or, for each value, errorsText ("" when valid, "throws ..." for an exception).
func TestAgreesWithAjv(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/ajv.json")
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		Compile *string  `json:"compile"`
		Errors  []string `json:"errors"`
	}
	var rows []struct {
		Schema string   `json:"schema"`
		Values []string `json:"values"`
		V1     answer   `json:"v1"`
		V2     answer   `json:"v2"`
	}
	if err := json.Unmarshal(raw, &rows); err != nil {
		t.Fatal(err)
	}
	pairs := 0
	for _, row := range rows {
		for version, want := range []answer{row.V1, row.V2} {
			got := answer{Errors: []string{}}
			schema, err := NewProvider(version == 1).Compile([]byte(row.Schema))
			var exception *Exception
			if errors.As(err, &exception) {
				got = answer{Compile: &exception.Text}
			} else if err != nil {
				t.Errorf("v%d %s: %v", version+1, row.Schema, err)
				continue
			}
			switch {
			case want.Compile != nil && got.Compile != nil && *want.Compile == *got.Compile:
			case want.Compile != nil || got.Compile != nil:
				t.Errorf("v%d %s compiles differently:\ngot  %v\nwant %v", version+1, row.Schema, show(got.Compile), show(want.Compile))
			default:
				for i, value := range row.Values {
					pairs++
					if text := check(schema, value); text != want.Errors[i] {
						t.Errorf("v%d %s on %s:\ngot  %s\nwant %s", version+1, row.Schema, value, text, want.Errors[i])
					}
				}
			}
		}
	}
	if pairs < 1500 {
		t.Errorf("only %d pairs were compared", pairs)
	}
}

func show(text *string) string {
	if text == nil {
		return "(compiles)"
	}
	return *text
}

func check(s *Schema, value string) string {
	texts, err := s.Errors([]byte(value), Limits{Steps: 1_000_000, Depth: 10_000, Patterns: 5 * time.Second})
	if err != nil {
		return "throws " + err.Error()
	}
	return strings.Join(texts, ", ")
}

// TestSameID checks that the first schema with an id answers for later ones, as in
// both SDK clients.
func TestSameID(t *testing.T) {
	t.Parallel()
	provider := NewProvider(false)
	compile := func(schema string) *Schema {
		t.Helper()
		s, err := provider.Compile([]byte(schema))
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		return s
	}
	compile(`{"$id":"https://example.com/x","type":"string"}`)
	second := compile(`{"$id":"https://example.com/x","type":"number"}`)
	if got := check(second, "1"); got != "data must be string" {
		t.Errorf("got %q", got)
	}
	plain := compile(`{"type":"number"}`)
	if got := check(plain, "1"); got != "" {
		t.Errorf("got %q", got)
	}
	referring := compile(`{"$ref":"https://example.com/x"}`)
	if got := check(referring, "1"); got != "data must be string" {
		t.Errorf("got %q", got)
	}
}

func TestEndsWithinBudget(t *testing.T) {
	t.Parallel()
	defs := `"d0":{"type":"string"}`
	for i := 1; i < 40; i++ {
		prev := `{"$ref":"#/$defs/d` + index(i-1) + `"}`
		defs += `,"d` + index(i) + `":{"anyOf":[` + prev + `,` + prev + `]}`
	}
	schema, err := NewProvider(true).Compile([]byte(`{"$ref":"#/$defs/d39","$defs":{` + defs + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if got := check(schema, "1"); got != "throws too many steps" {
		t.Errorf("got %q", got)
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("took %s", took)
	}
}

func TestMetaSchemaIsNotImitated(t *testing.T) {
	t.Parallel()
	_, err := NewProvider(false).Compile([]byte(`{"$ref":"http://json-schema.org/draft-07/schema#"}`))
	if !errors.Is(err, ErrUnknown) {
		t.Errorf("got %v", err)
	}
}
