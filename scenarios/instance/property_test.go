package instance

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/agntn/conform/fakes/jsonschema"
)

// schemaOf draws a schema that has instances by how it is built: bounds that leave
// room, patterns that fit their lengths, alternatives that differ.
func schemaOf(t *rapid.T, depth int) map[string]any {
	kinds := []string{"string", "integer", "number", "boolean", "enum", "const", "pattern", "format", "nullable"}
	if depth > 0 {
		kinds = append(kinds, "object", "object", "array", "tuple", "union", "allOf", "map", "ref")
	}
	switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
	case "string":
		least := rapid.IntRange(0, 12).Draw(t, "minLength")
		return map[string]any{"type": "string", "minLength": least, "maxLength": least + rapid.IntRange(0, 12).Draw(t, "room")}
	case "integer", "number":
		step := rapid.SampledFrom([]any{1, 2, 5, 0.5}).Draw(t, "multipleOf")
		low := rapid.IntRange(-100, 100).Draw(t, "minimum")
		return map[string]any{"type": kind, "minimum": low, "exclusiveMaximum": low + rapid.IntRange(11, 100).Draw(t, "room"), "multipleOf": step}
	case "boolean":
		return map[string]any{"type": "boolean"}
	case "enum":
		return map[string]any{"enum": rapid.SliceOfNDistinct(rapid.SampledFrom([]any{"a", "b", 1, 2, true, "longer text"}), 1, 4, func(v any) any { return v }).Draw(t, "enum")}
	case "const":
		return map[string]any{"const": rapid.SampledFrom([]any{"a", 7, false, []any{1}}).Draw(t, "const")}
	case "pattern":
		return map[string]any{"type": "string", "pattern": rapid.SampledFrom([]string{`^[a-z]{3,5}$`, `^\d+-\d+$`, `^(foo|bar)\.(ts|go)$`, `^\p{Lu}\w*$`, `x+y?z`, `^[^aeiou\s]+$`, `^(?!ab)[ab]{4}$`}).Draw(t, "pattern")}
	case "format":
		return map[string]any{"type": "string", "format": rapid.SampledFrom([]string{"date", "time", "date-time", "email", "uri", "uuid", "ipv4", "ipv6", "hostname", "duration", "json-pointer"}).Draw(t, "format")}
	case "nullable":
		return map[string]any{"anyOf": []any{schemaOf(t, min(depth-1, 0)), map[string]any{"type": "null"}}, "default": nil}
	case "array":
		least := rapid.IntRange(0, 3).Draw(t, "minItems")
		return map[string]any{"type": "array", "items": schemaOf(t, depth-1), "minItems": least, "maxItems": least + 2}
	case "tuple":
		return map[string]any{"type": "array", "prefixItems": []any{schemaOf(t, depth-1), schemaOf(t, depth-1)}, "items": false, "minItems": 2}
	case "union":
		return map[string]any{"oneOf": []any{branch(t, "one", depth), branch(t, "two", depth)}}
	case "allOf":
		return map[string]any{"allOf": []any{objectOf(t, depth, "l"), objectOf(t, depth, "r")}}
	case "map":
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t, depth-1), "minProperties": rapid.IntRange(0, 2).Draw(t, "minProperties")}
	case "ref":
		return map[string]any{"$ref": "#/$defs/shared"}
	}
	s := objectOf(t, depth, "p")
	if rapid.Bool().Draw(t, "closed") {
		s["additionalProperties"] = false
	}
	return s
}

func branch(t *rapid.T, kind string, depth int) map[string]any {
	s := objectOf(t, depth, kind)
	s["properties"].(map[string]any)["kind"] = map[string]any{"const": kind}
	s["required"] = append(s["required"].([]any), "kind")
	return s
}

func objectOf(t *rapid.T, depth int, prefix string) map[string]any {
	properties, required := map[string]any{}, []any{}
	for i := range rapid.IntRange(0, 3).Draw(t, "properties") {
		name := fmt.Sprintf("%s%d", prefix, i)
		if i == 2 {
			name += " /~odd"
		}
		properties[name] = schemaOf(t, depth-1)
		if rapid.Bool().Draw(t, "required") {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

func drawSchema(t *rapid.T) []byte {
	root := objectOf(t, 3, "a")
	root["$defs"] = map[string]any{"shared": map[string]any{"type": "object", "properties": map[string]any{
		"v": map[string]any{"type": "string"}, "more": map[string]any{"$ref": "#/$defs/shared"}}, "required": []any{"v"}}}
	raw, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestValidAlways: a schema with instances gets one, and two validators that share no
// code take it.
func TestValidAlways(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		schema := drawSchema(t)
		seed := rapid.Int64Range(0, 1000).Draw(t, "seed")
		var options []Option
		if rapid.Bool().Draw(t, "full") {
			options = append(options, Full())
		}
		value, err := Valid(schema, seed, options...)
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		s, err := jsonschema.Compile(schema)
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		if problems, err := s.Problems(value); err != nil || len(problems) > 0 {
			t.Fatalf("%s on %s: %v, %v", schema, value, problems, err)
		}
		other, err := jsonschema.NewAJV(jsonschema.SDKv2).Compile(schema)
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		if errs, err := other.Errors(value); err != nil || len(errs) > 0 {
			t.Fatalf("%s on %s: ajv says %v, %v", schema, value, errs, err)
		}
	})
}

// TestBrokenNeverValid: what is called broken breaks at its named places, and there
// only, in the eyes of a validator that did not verify it.
func TestBrokenNeverValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		schema := drawSchema(t)
		seed := rapid.Int64Range(0, 1000).Draw(t, "seed")
		base, err := Valid(schema, seed)
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		singles := Broken(schema, base, seed)
		if len(singles) > 0 {
			breaksIn(t, schema, singles[rapid.IntRange(0, len(singles)-1).Draw(t, "which")], 1)
		}
		n := rapid.IntRange(1, 3).Draw(t, "n")
		if b, ok := BrokenN(schema, base, n, seed); ok {
			breaksIn(t, schema, b, n)
		}
		for _, b := range Stringified(schema, base) {
			breaksIn(t, schema, b, len(b.Problems))
		}
		if b, ok := NullOptional(schema, base); ok {
			breaksIn(t, schema, b, 1)
		}
	})
}

// breaksIn is breaksThere for property tests.
func breaksIn(t *rapid.T, schema []byte, b Break, n int) {
	if len(b.Problems) != n {
		t.Fatalf("%s on %s: %d problems asked for, %+v named", schema, b.Arguments, n, b.Problems)
	}
	other, err := jsonschema.NewAJV(jsonschema.SDKv2).Compile(schema)
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	errs, err := other.Errors(b.Arguments)
	if err != nil || len(errs) == 0 {
		t.Fatalf("%s on %s: ajv says %v, %v", schema, b.Arguments, errs, err)
	}
	for _, text := range errs {
		at, message, _ := strings.Cut(strings.TrimPrefix(text, "data"), " must ")
		if name, ok := strings.CutPrefix(message, "have required property '"); ok {
			at += jsonschema.Pointer(strings.TrimSuffix(name, "'"))
		}
		explained := false
		for _, p := range b.Problems {
			parent := p.Pointer[:strings.LastIndexByte(p.Pointer, '/')]
			explained = explained || at == p.Pointer || strings.HasPrefix(at, p.Pointer+"/") || p.Kind == Additional && at == parent
		}
		if !explained {
			t.Fatalf("%s on %s: ajv also says %q; named %+v", schema, b.Arguments, text, b.Problems)
		}
	}
}

// TestWildSchemas: whatever the schema, the outcome is a value that fits or an error
// of the documented kinds.
func TestWildSchemas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		schema, err := json.Marshal(wild(t, 3))
		if err != nil {
			t.Fatal(err)
		}
		value, err := Valid(schema, rapid.Int64Range(0, 3).Draw(t, "seed"))
		if err != nil {
			if !errors.Is(err, ErrUnsatisfied) && !errors.As(err, new(*jsonschema.SchemaError)) {
				t.Fatalf("%s: %v", schema, err)
			}
			return
		}
		s, err := jsonschema.Compile(schema)
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		if problems, err := s.Problems(value); err != nil || len(problems) > 0 {
			t.Fatalf("%s on %s: %v, %v", schema, value, problems, err)
		}
		for _, b := range Broken(schema, value, 0) {
			if problems, err := s.Problems(b.Arguments); err != nil || len(problems) != 1 || problems[0].Path != b.Problems[0].Pointer {
				t.Fatalf("%s on %s: %v, %v, named %+v", schema, b.Arguments, problems, err, b.Problems)
			}
		}
	})
}

// wild draws a schema from all keywords without regard to sense.
func wild(t *rapid.T, depth int) any {
	if rapid.IntRange(0, 12).Draw(t, "bool") == 0 {
		return rapid.Bool().Draw(t, "value")
	}
	s := map[string]any{}
	for range rapid.IntRange(0, 4).Draw(t, "keywords") {
		keyword := rapid.SampledFrom([]string{"type", "enum", "const", "minimum", "maximum", "multipleOf", "minLength", "maxLength", "pattern",
			"minItems", "maxItems", "uniqueItems", "required", "minProperties", "maxProperties", "default", "dependentRequired",
			"properties", "items", "prefixItems", "additionalProperties", "patternProperties", "propertyNames", "contains",
			"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref", "unevaluatedProperties"}).Draw(t, "keyword")
		names := rapid.SampledFrom([]string{"a", "b", "toString"})
		switch keyword {
		case "type":
			s[keyword] = rapid.SampledFrom([]any{"string", "object", "array", "integer", "number", "null", []any{"string", "null"}}).Draw(t, "type")
		case "enum":
			s[keyword] = []any{"a", 1, nil}
		case "const", "default":
			s[keyword] = rapid.SampledFrom([]any{"a", 1, nil, map[string]any{"a": 1}, []any{}}).Draw(t, "value")
		case "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
			s[keyword] = rapid.IntRange(0, 4).Draw(t, "n")
		case "multipleOf":
			s[keyword] = rapid.SampledFrom([]any{2, 0.1, 3}).Draw(t, "step")
		case "pattern":
			s[keyword] = rapid.SampledFrom([]string{"^a+$", `\d`, "^$"}).Draw(t, "pattern")
		case "uniqueItems":
			s[keyword] = true
		case "required":
			s[keyword] = []any{names.Draw(t, "name")}
		case "dependentRequired":
			s[keyword] = map[string]any{names.Draw(t, "name"): []any{names.Draw(t, "needed")}}
		case "$ref":
			s[keyword] = "#"
		default:
			if depth > 0 {
				wildApplicator(t, s, keyword, depth, names)
			}
		}
	}
	return s
}

func wildApplicator(t *rapid.T, s map[string]any, keyword string, depth int, names *rapid.Generator[string]) {
	switch keyword {
	case "properties":
		s[keyword] = map[string]any{names.Draw(t, "name"): wild(t, depth-1), "c": wild(t, depth-1)}
	case "patternProperties":
		s[keyword] = map[string]any{"^a": wild(t, depth-1)}
	case "allOf", "anyOf", "oneOf", "prefixItems":
		s[keyword] = []any{wild(t, depth-1), wild(t, depth-1)}
	default:
		s[keyword] = wild(t, depth-1)
	}
}
