package instance

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
)

// tools gives the input schemas of testdata/tools.json, by tool name: what SDKs in
// several languages list for their tools, and each keyword at least once.
func tools(t *testing.T) map[string]string {
	t.Helper()
	raw, err := os.ReadFile("testdata/tools.json")
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]string{}
	for _, tool := range gjson.ParseBytes(raw).Array() {
		schemas[tool.Get("name").String()] = tool.Get("inputSchema").Raw
	}
	if len(schemas) < 20 {
		t.Fatalf("only %d tools", len(schemas))
	}
	return schemas
}

// accepts asks two validators: that of Compile, and the imitation of ajv, which
// shares no code with it and checks formats too.
func accepts(t *testing.T, schema, value string) bool {
	t.Helper()
	s, err := jsonschema.Compile([]byte(schema))
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	problems, err := s.Problems([]byte(value))
	if err != nil {
		t.Fatalf("%s on %s: %v", schema, value, err)
	}
	other, err := jsonschema.NewAJV(jsonschema.SDKv2).Compile([]byte(schema))
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	errs, err := other.Errors([]byte(value))
	if err != nil {
		t.Fatalf("%s on %s: %v", schema, value, err)
	}
	if len(problems) > 0 || len(errs) > 0 {
		t.Logf("%s: %v, %v", value, problems, errs)
	}
	return len(problems) == 0 && len(errs) == 0
}

func TestValidForTools(t *testing.T) {
	t.Parallel()
	for name, schema := range tools(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range int64(8) {
				for _, options := range [][]Option{nil, {Full()}} {
					value, err := Valid([]byte(schema), seed, options...)
					if err != nil {
						t.Fatalf("seed %d: %v", seed, err)
					}
					if !accepts(t, schema, string(value)) {
						t.Errorf("seed %d: %s is refused", seed, value)
					}
					again, err := Valid([]byte(schema), seed, options...)
					if err != nil || string(again) != string(value) {
						t.Errorf("seed %d: %s, then %s", seed, value, again)
					}
				}
			}
		})
	}
}

// TestValidIsUseful pins what comes out for plain schemas.
func TestValidIsUseful(t *testing.T) {
	t.Parallel()
	schemas := tools(t)
	for name, want := range map[string]string{
		"slug":        `{"text":"example"}`,
		"zod union":   `{"shape":{"kind":"circle","radius":1}}`,
		"pydantic":    `{"query":"example","order":"asc"}`,
		"go":          `{"names":["example"],"depth":1}`,
		"tree":        `{"root":{"value":"example"}}`,
		"composed":    `{"a":"example","b":10}`,
		"either":      `{"id":"example"}`,
		"conditional": `{"mode":"file","path":"example"}`,
		"dependent":   `{"card":"0000000000000000","billing":"example","cvc":"000"}`,
		"maps":        `{"x-a":10,"x-b":10}`,
		"samples":     `{"city":"Lisbon","units":"metric","free":"example","yes":"example"}`,
		"bare":        `{}`,
		"empty":       `{}`,
		"numbers":     `{"half":3.5,"open":0.5,"negative":-1000,"big":12345678901234567890,"old":0.2}`,
	} {
		got, err := Valid([]byte(schemas[name]), 0)
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, want)
		}
	}
	full, err := Valid([]byte(schemas["slug"]), 0, Full())
	if want := `{"text":"example","separator":"-","max":1,"strict":true}`; err != nil || string(full) != want {
		t.Errorf("full: got %s, %v, want %s", full, err, want)
	}
}

func TestSeedsVary(t *testing.T) {
	t.Parallel()
	schema := []byte(`{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"}},"required":["a","n"]}`)
	seen := map[string]bool{}
	for seed := range int64(10) {
		value, err := Valid(schema, seed)
		if err != nil {
			t.Fatal(err)
		}
		seen[string(value)] = true
	}
	if len(seen) < 5 {
		t.Errorf("10 seeds gave %d values", len(seen))
	}
}

func TestValidSmall(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`true`:                                                               `"example"`,
		`{"const":{"a":1}}`:                                                  `{"a":1}`,
		`{"enum":[null,"x"]}`:                                                `"x"`,
		`{"type":"null"}`:                                                    `null`,
		`{"type":["null","boolean"]}`:                                        `true`,
		`{"type":"integer","enum":["a",2.5,7]}`:                              `7`,
		`{"type":"string","maxLength":3}`:                                    `"exa"`,
		`{"type":"string","maxLength":0}`:                                    `""`,
		`{"type":"string","minLength":10}`:                                   `"examplexxx"`,
		`{"not":{"type":"string"}}`:                                          `1`,
		`{"type":"array","minItems":2}`:                                      `["example","example"]`,
		`{"type":"array","maxItems":0,"items":{}}`:                           `[]`,
		`{"type":"array","items":false}`:                                     `[]`,
		`{"prefixItems":[{"const":1},{"const":2}],"items":false}`:            `[1,2]`,
		`{"maximum":1,"exclusiveMinimum":2}`:                                 `"example"`,
		`{"anyOf":[{"type":"null"},{"type":"integer"}]}`:                     `1`,
		`{"anyOf":[false,{"const":5}]}`:                                      `5`,
		`{"oneOf":[{"type":"integer"},{"type":"number"},{"type":"string"}]}`: `"example"`,
		`{"if":{"type":"string"},"then":{"minLength":12}}`:                   `"examplexxxxx"`,
		`{"type":"object","required":["toString","__proto__"]}`:              `{"toString":"example","__proto__":"example"}`,
		`{"type":"object","required":["a/b","c~d"]}`:                         `{"a/b":"example","c~d":"example"}`,
		`{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer","minimum":1,"exclusiveMinimum":true}`: `2`,
		`{"type":"object","properties":{"a":{"type":"string"}},"not":{"maxProperties":0}}`:                           `{"a":"example"}`,
	} {
		got, err := Valid([]byte(schema), 0)
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v, want %s", schema, got, err, want)
		}
	}
}

func TestUnsatisfied(t *testing.T) {
	t.Parallel()
	for schema, why := range map[string]string{
		`false`: "",
		`{"allOf":[{"type":"string"},{"type":"integer"}]}`:                                                              "share no type",
		`{"type":"object","properties":{"a":false},"required":["a"]}`:                                                   "/a: the schema there is false",
		`{"type":"integer","minimum":2,"maximum":1}`:                                                                    "no number fits",
		`{"type":"integer","exclusiveMinimum":1,"exclusiveMaximum":2}`:                                                  "no number fits",
		`{"type":"string","pattern":"^a$","minLength":2}`:                                                               "no text was found",
		`{"enum":["a"],"type":"integer"}`:                                                                               "leave no value",
		`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["n"]}}}`: "endless nesting",
		`{"$ref":"#"}`: "",
	} {
		begin := time.Now()
		value, err := Valid([]byte(schema), 0)
		if !errors.Is(err, ErrUnsatisfied) || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: got %s, %v", schema, value, err)
		}
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("%s took %s", schema, took)
		}
	}
	if _, err := Valid([]byte(`{"type":"no"}`), 0); err == nil || errors.Is(err, ErrUnsatisfied) {
		t.Errorf("a wrong schema: got %v", err)
	}
}

func TestCandidates(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`
	for name, c := range map[string]struct {
		tool string
		want []string
	}{
		"nothing":  {`{"inputSchema":` + schema + `}`, []string{`{"a":1} generated true`}},
		"meta":     {`{"_meta":{"inputExamples":[{"a":5},{"a":6}]},"inputSchema":` + schema + `}`, []string{`{"a":5} _meta.inputExamples[0] true`, `{"a":6} _meta.inputExamples[1] true`, `{"a":1} generated true`}},
		"named":    {`{"_meta":{"example.com/inputExamples":[{"a":5}]},"inputSchema":` + schema + `}`, []string{`{"a":5} _meta.example.com/inputExamples[0] true`, `{"a":1} generated true`}},
		"wrapped":  {`{"inputExamples":[{"description":"x","arguments":{"a":7}},{"input":{"a":8}},{"value":{"a":9}}],"inputSchema":` + schema + `}`, []string{`{"a":7} inputExamples[0] true`, `{"a":8} inputExamples[1] true`, `{"a":9} inputExamples[2] true`, `{"a":1} generated true`}},
		"no list":  {`{"inputExamples":{"a":7},"inputSchema":` + schema + `}`, []string{`{"a":7} inputExamples true`, `{"a":1} generated true`}},
		"wrong":    {`{"inputExamples":[{"a":"x"},5,null],"inputSchema":` + schema + `}`, []string{`{"a":1} generated true`, `{"a":"x"} inputExamples[0] false`}},
		"same":     {`{"inputExamples":[{"a":1},{"a":1}],"inputSchema":` + schema + `}`, []string{`{"a":1} inputExamples[0] true`}},
		"schema":   {`{"inputSchema":{"type":"object","examples":[{"a":1}],"default":{"b":2}}}`, []string{`{"a":1} inputSchema.examples[0] true`, `{"b":2} inputSchema.default true`}},
		"own name": {`{"inputExamples":[{"input":{"x":1}}],"inputSchema":{"type":"object","properties":{"input":{"type":"object"}}}}`, []string{`{"input":{"x":1}} inputExamples[0] true`, `{} generated true`}},
		"untyped":  {`{"inputSchema":{}}`, []string{`{} generated true`}},
		"missing":  {`{"name":"x"}`, []string{`{} guessed false`}},
		"faulty":   {`{"inputSchema":{"type":"object","required":["a","a"],"properties":{"a":{"type":"integer","title":5}}}}`, []string{`{"a":1} guessed false`}},
		"no JSON":  {`{`, []string{`{} guessed false`}},
	} {
		var got []string
		for _, candidate := range Candidates([]byte(c.tool), 0) {
			fits := " false"
			if candidate.Fits {
				fits = " true"
			}
			got = append(got, string(candidate.Arguments)+" "+candidate.Origin+fits)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
