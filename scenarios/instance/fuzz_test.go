package instance

import (
	"testing"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
)

// FuzzTool makes everything there is for any tool, as a hostile server may list it.
// What it checks: no panic, no hang, and that nothing is handed out unverified.
func FuzzTool(f *testing.F) {
	for _, seed := range []string{
		`{"inputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"^a+$"}},"required":["a"]},"inputExamples":[{"arguments":{"a":"a"}}]}`,
		`{"inputSchema":{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"},"m":{"minItems":3,"uniqueItems":true}},"required":["m"]}}}}`,
		`{"inputSchema":{"anyOf":[{"required":["a"]},{"required":["b"]}],"minProperties":3,"propertyNames":{"maxLength":4}}}`,
		`{"inputSchema":{"type":"object","properties":{"n":{"type":"number","multipleOf":0.01,"exclusiveMinimum":1e300}},"required":["n"]}}`,
		`{"inputSchema":{"if":{"required":["a"]},"then":false,"else":{"required":["b"]},"dependentSchemas":{"b":{"required":["c"]}}}}`,
	} {
		f.Add([]byte(seed), int64(0))
	}
	f.Fuzz(func(t *testing.T, tool []byte, seed int64) {
		schema := []byte(gjson.GetBytes(tool, "inputSchema").Raw)
		check, err := jsonschema.Compile(schema, jsonschema.IgnoreUnknownDialect())
		for _, candidate := range Candidates(tool, seed) {
			if !gjson.ParseBytes(candidate.Arguments).IsObject() {
				t.Errorf("arguments that are no object: %s", candidate.Arguments)
			}
			if !candidate.Fits || err != nil {
				continue
			}
			if problems, err := check.Problems(candidate.Arguments); err == nil && len(problems) > 0 {
				t.Errorf("%s does not fit: %v", candidate.Arguments, problems)
			}
			for _, b := range append(Broken(schema, candidate.Arguments, seed), Stringified(schema, candidate.Arguments)...) {
				if problems, err := check.Problems(b.Arguments); err == nil && len(problems) != len(b.Problems) {
					t.Errorf("%s has %v, named %+v", b.Arguments, problems, b.Problems)
				}
			}
			UnknownKey(schema, candidate.Arguments)
			NullOptional(schema, candidate.Arguments)
		}
		if _, err := Misfits(schema, seed); err == nil && check == nil {
			t.Error("a form that does not compile gave contents")
		}
	})
}
