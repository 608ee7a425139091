package jsonschema

import (
	"errors"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// FuzzProblems feeds any schema and value to every entry. What it checks: no panic,
// no hang, typed errors, and that both validators end.
func FuzzProblems(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{"a":1}`},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}}`, `null`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"minimum":1e2}],"additionalItems":false}`, `[1,2]`},
		{`{"patternProperties":{"^a+$":{"multipleOf":0.1}},"unevaluatedProperties":false}`, `{"aa":0.3,"b":1e99}`},
		{`{"$id":"https://example.com/x","$anchor":"y","$dynamicRef":"#y","$dynamicAnchor":"z"}`, `"x"`},
		{`{"if":{"const":1},"then":{"not":{}},"else":{"enum":[2,"x"]},"dependentSchemas":{"a":true}}`, `1`},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"contains":{"$recursiveRef":"#"},"minContains":2}`, `[[],[]]`},
		{`{"type":["string","integer"],"format":"date","minLength":1,"uniqueItems":true}`, `[1,1]`},
		{`true`, `{"":{"~":"/"}}`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	limits := Limits{Steps: 100_000, PatternTime: 200 * time.Millisecond}
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		walked := 0
		walkErr := Walk(schema, func(string, gjson.Result) bool { walked++; return true })
		s, err := Compile(schema, WithLimits(limits), IgnoreUnknownDialect())
		if err != nil {
			var fault *SchemaError
			if !errors.As(err, &fault) && !errors.Is(err, ErrNotJSON) && !errors.Is(err, ErrTooComplex) {
				t.Errorf("untyped error %v", err)
			}
		} else {
			if walkErr != nil || walked == 0 {
				t.Errorf("Compile takes what Walk refuses: %v", walkErr)
			}
			found, err := s.Problems(value)
			if err != nil && !errors.Is(err, ErrNotJSON) && !errors.Is(err, ErrTooComplex) {
				t.Errorf("untyped error %v", err)
			}
			for _, p := range found {
				if p.Message == "" {
					t.Errorf("a problem without words: %+v", p)
				}
			}
		}
		for _, mode := range []AJVMode{SDKv1, SDKv2} {
			engine := NewAJV(mode)
			engine.limits.Steps = limits.Steps
			engine.limits.PatternTime = limits.PatternTime
			if s, err := engine.Compile(schema); err == nil {
				if _, err := s.Errors(value); err != nil && !errors.Is(err, ErrNotJSON) && !errors.Is(err, ErrTooComplex) && !errors.As(err, new(*AJVError)) {
					t.Errorf("untyped error %v", err)
				}
			}
		}
	})
}
