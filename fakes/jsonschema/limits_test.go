package jsonschema

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// inTime fails when run takes long or needs much memory. The bounds are wide: the
// machine may be busy, and what is guarded against takes hours or gigabytes.
func inTime(t *testing.T, run func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	run()
	took := time.Since(begin)
	runtime.ReadMemStats(&after)
	if took > time.Minute {
		t.Errorf("took %s", took)
	}
	if grown := int64(after.Sys) - int64(before.Sys); grown > 400<<20 {
		t.Errorf("took %d MiB more from the system", grown>>20)
	}
	t.Logf("%s, %d MiB allocated", took.Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20)
}

// doubling is a chain of definitions each of which uses the one before twice.
func doubling(keyword string, n int) string {
	defs := []string{`"d0":{"minimum":5}`}
	for i := 1; i <= n; i++ {
		ref := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i-1)
		defs = append(defs, fmt.Sprintf(`"d%d":{%q:[%s,%s]}`, i, keyword, ref, ref))
	}
	return fmt.Sprintf(`{"$ref":"#/$defs/d%d","$defs":{%s}}`, n, strings.Join(defs, ","))
}

func nested(open, inner, end string, n int) string {
	return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
}

func many(format string, n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, ",")
}

func TestHostileSchemas(t *testing.T) {
	for name, schema := range map[string]string{
		"deep":              nested(`{"items":`, `{}`, `}`, 100_000),
		"deep not":          nested(`{"not":`, `{}`, `}`, 5000),
		"deep arrays":       nested(`[`, ``, `]`, 1_000_000),
		"huge":              `{"title":"` + strings.Repeat("x", 5<<20) + `"}`,
		"many nodes":        `{"enum":[` + many("%d", 60_000) + `]}`,
		"digits":            `{"maximum":` + strings.Repeat("9", 1_000_000) + `}`,
		"exponent":          `{"multipleOf":1e-1000000000}`,
		"exponent in enum":  `{"enum":[1e1000000000]}`,
		"exponent of a def": `{"default":1e99999999999999999999}`,
		"many odd refs":     `{"properties":{` + many(`"p%[1]d":{"$ref":"#/x/%[1]d"}`, 5000) + `},"x":[` + many(`{"title":"%d"}`, 5000) + `]}`,
		"many ids":          `{"$defs":{` + many(`"d%[1]d":{"$id":"x%[1]d"}`, 2000) + `}}`,
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func() {
				if _, err := Compile([]byte(schema)); !errors.Is(err, ErrTooComplex) {
					t.Errorf("got %v, want ErrTooComplex", err)
				}
				if err := Walk([]byte(schema), func(string, gjson.Result) bool { return true }); err != nil && !errors.Is(err, ErrTooComplex) {
					t.Errorf("Walk: got %v", err)
				}
			})
		})
	}
	for name, schema := range map[string]string{
		"wide":          `{"properties":{` + many(`"p%d":{"type":"string"}`, 12_000) + `}}`,
		"wide any":      `{"anyOf":[` + many(`{"const":%d}`, 12_000) + `]}`,
		"many patterns": `{"patternProperties":{` + many(`"^p%d":{"type":"string"}`, 5_000) + `}}`,
		"many refs":     `{"properties":{` + many(`"p%d":{"$ref":"#/x/y"}`, 5000) + `},"x":{"y":{"type":"string"}}}`,
		"odd refs":      `{"properties":{` + many(`"p%[1]d":{"$ref":"#/x/%[1]d"}`, 90) + `},"x":[` + many(`{"title":"%d"}`, 90) + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func() {
				s, err := Compile([]byte(schema))
				if err != nil {
					t.Fatalf("got %v", err)
				}
				if _, err := s.Problems([]byte(`{"p0":1}`)); err != nil {
					t.Errorf("got %v", err)
				}
			})
		})
	}
}

func TestHostilePairs(t *testing.T) {
	wide := `{"a":1`
	for i := range 2000 {
		wide += fmt.Sprintf(`,"%s%d":1`, strings.Repeat("ka", 30), i)
	}
	wide += `}`
	deepObject := nested(`{"a":`, `1`, `}`, 400)
	for name, c := range map[string]struct{ schema, value string }{
		"anyOf doubles": {doubling("anyOf", 60), `1`},
		"allOf doubles": {doubling("allOf", 60), `1`},
		"oneOf doubles": {doubling("oneOf", 60), `1`},
		"cycle":         {`{"$ref":"#"}`, `1`},
		"long cycle":    {`{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#"}}}}`, `1`},
		"grows by depth": {`{"anyOf":[{"properties":{"a":{"$ref":"#"}},"required":["b"]},{"properties":{"a":{"$ref":"#"}},"required":["c"]}]}`,
			deepObject},
		"quiet growth": {`{"not":{"$ref":"#/$defs/r"},"$defs":{"r":{"properties":{"a":{"$ref":"#/$defs/r"}},"patternProperties":{"a":{"$ref":"#/$defs/r"},"^a":{"$ref":"#/$defs/r"}},"type":"object"}}}`,
			deepObject},
		"dynamic cycle": {`{"$dynamicAnchor":"n","allOf":[{"$dynamicRef":"#n"}]}`, `1`},
		"recursive cycle": {`{"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,"allOf":[{"$recursiveRef":"#"}]}`,
			`1`},
		"bad pattern":        {`{"pattern":"^(a+)+$"}`, `"` + strings.Repeat("a", 5000) + `!"`},
		"many bad patterns":  {`{"patternProperties":{"^(\\w+)+x$":{}}}`, wide},
		"many slow patterns": {`{"patternProperties":{"^(k|a)*(k|a)*(k|a)*(k|a)*x$":{},"a":{}}}`, wide},
		"long text":          {`{"pattern":"a$"}`, `"` + strings.Repeat("b", 2<<20) + `"`},
		"digits":             {`{"type":"integer"}`, strings.Repeat("7", 1_000_000)},
		"exponents":          {`{"items":{"type":"integer"}}`, `[` + strings.TrimSuffix(strings.Repeat(`1e999,`, 300_000), ",") + `]`},
		"enum by items":      {`{"items":{"enum":[` + strings.TrimSuffix(strings.Repeat(`"x",`, 20_000), ",") + `]}}`, `[` + strings.TrimSuffix(strings.Repeat(`1,`, 2000), ",") + `]`},
		"deep value":         {`{}`, nested(`[`, ``, `]`, 100_000)},
		"deep objects":       {`{}`, nested(`{"a":`, `1`, `}`, 100_000)},
		"many values":        {`{}`, `[` + strings.Repeat("1,", 1_200_000) + `1]`},
		"required lists":     {`{"items":{"required":[` + strings.TrimSuffix(strings.Repeat(`"x",`, 1), ",") + `,"y","z"]}}`, `[` + strings.TrimSuffix(strings.Repeat(`{},`, 900_000), ",") + `]`},
	} {
		t.Run(name, func(t *testing.T) {
			s := mustCompile(t, c.schema)
			inTime(t, func() {
				if found, err := s.Problems([]byte(c.value)); !errors.Is(err, ErrTooComplex) {
					t.Errorf("got %d problems, %v, want ErrTooComplex", len(found), err)
				}
			})
		})
	}
}

// TestManyProblems checks that a value with endless faults gets its verdict cheaply.
func TestManyProblems(t *testing.T) {
	s := mustCompile(t, `{"items":{"allOf":[`+many(`{"required":["c%d"]}`, 300)+`]}}`)
	for size, want := range map[int]int{3: 900, 50: MaxProblems, 2000: 1} {
		inTime(t, func() {
			if found := problems(t, s, `[`+many(`{"x":%d}`, size)+`]`); len(found) != want {
				t.Errorf("size %d: got %d problems, want %d", size, len(found), want)
			}
		})
	}
	deep := mustCompile(t, `{"properties":{"a":{"$ref":"#"}},"allOf":[`+many(`{"required":["c%d"]}`, 300)+`]}`)
	inTime(t, func() {
		found := problems(t, deep, nested(`{"a":`, `1`, `}`, 60))
		if len(found) != MaxProblems || len(Tokens(found[0].Path)) != 60 {
			t.Errorf("got %d problems, the first at %q", len(found), found[0].Path)
		}
	})
}

// TestLargeButFair checks that honest sizes get a verdict.
func TestLargeButFair(t *testing.T) {
	item := `{"id":1,"name":"x","tags":["a","b"],"score":0.5,"parent":null},`
	for name, c := range map[string]struct {
		schema, value string
		problems      int
	}{
		"long list": {`{"items":{"type":"object","required":["id","name"],"properties":{"id":{"type":"integer"},"name":{"type":"string","pattern":"^x"},"tags":{"items":{"type":"string"}},"score":{"type":"number"},"parent":{"type":["integer","null"]}},"additionalProperties":false}}`,
			`[` + strings.TrimSuffix(strings.Repeat(item, 20_000), ",") + `]`, 0},
		"tree": {`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/n"}}},"additionalProperties":false}}}`,
			nested(`{"kids":[{},`, `{}`, `]}`, 150), 0},
		"many errors":    {doubling("anyOf", 15), `1`, 1},
		"big text":       {`{"type":"string","minLength":5}`, `"` + strings.Repeat("x", 8<<20) + `"`, 0},
		"unique list":    {`{"uniqueItems":true}`, `[` + many(`%d`, 20_000) + `]`, 0},
		"unique numbers": {`{"uniqueItems":true}`, `[` + many(`%de900`, 50_000) + `]`, 0},
		"huge numbers":   {`{"items":{"type":"integer","minimum":1,"multipleOf":3}}`, `[1e1000000000,3e1000000000,-1e999999999999,1e-1000000000]`, 4},
		"same huge":      {`{"uniqueItems":true}`, `[1e1000000000,10e999999999]`, 1},
		"other huge":     {`{"uniqueItems":true}`, `[1e1000000000,1e1000000001,-1e1000000000,1e-1000000000]`, 0},
		"zero":           {`{"const":0}`, `0e1000000000`, 0},
		"exact":          {`{"const":12345678901234567890.123456789}`, `12345678901234567890.123456789`, 0},
		"not exact":      {`{"const":9007199254740993}`, `9007199254740992`, 1},
		"many digits":    {`{"minimum":1}`, strings.Repeat("7", 900), 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := mustCompile(t, c.schema)
			inTime(t, func() {
				if found := problems(t, s, c.value); len(found) != c.problems {
					t.Errorf("got %v, want %d problems", found[:min(len(found), 5)], c.problems)
				}
			})
		})
	}
}

func TestOwnLimits(t *testing.T) {
	t.Parallel()
	if _, err := Compile([]byte(`{"title":"long enough"}`), WithLimits(Limits{SchemaBytes: 10})); !errors.Is(err, ErrTooComplex) {
		t.Errorf("got %v", err)
	}
	s := mustCompile(t, `{"items":{"type":"string"}}`, WithLimits(Limits{Steps: 5}))
	if _, err := s.Problems([]byte(`["a","b","c","d","e","f"]`)); !errors.Is(err, ErrTooComplex) {
		t.Errorf("got %v", err)
	}
	if found := problems(t, s, `["a"]`); len(found) != 0 {
		t.Errorf("got %v", found)
	}
}
