package instance

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func listed(format string, n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, ",")
}

// TestHostileSchemas: whatever a server lists, every maker ends soon. The bound is
// wide, since the machine may be busy.
func TestHostileSchemas(t *testing.T) {
	doubling := func(keyword string) string {
		defs := []string{`"d0":{"type":"object","required":["a"]}`}
		for i := 1; i < 40; i++ {
			defs = append(defs, fmt.Sprintf(`"d%d":{%q:[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, keyword, i-1, i-1))
		}
		return `{"$ref":"#/$defs/d39","$defs":{` + strings.Join(defs, ",") + `}}`
	}
	for name, schema := range map[string]string{
		"wide":          `{"type":"object","properties":{` + listed(`"p%d":{"type":"string"}`, 5000) + `}}`,
		"all required":  `{"type":"object","required":[` + listed(`"p%d"`, 1500) + `],"properties":{` + listed(`"p%d":{"type":"integer"}`, 1500) + `}}`,
		"deep":          strings.Repeat(`{"type":"object","required":["a"],"properties":{"a":`, 100) + `{}` + strings.Repeat(`}}`, 100),
		"too deep":      strings.Repeat(`{"items":`, 5000) + `{}` + strings.Repeat(`}`, 5000),
		"allOf doubles": doubling("allOf"),
		"anyOf doubles": doubling("anyOf"),
		"oneOf doubles": doubling("oneOf"),
		"itself":        `{"$ref":"#"}`,
		"endless":       `{"type":"object","required":["a","b"],"properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}}}`,
		"bad pattern":   `{"type":"object","required":["a"],"properties":{"a":{"type":"string","pattern":"^(a+)+b$","minLength":3000,"maxLength":4000}}}`,
		"bad name":      `{"type":"object","minProperties":5,"patternProperties":{"^(a+)+$":{"type":"integer"}},"additionalProperties":false}`,
		"long text":     `{"type":"object","required":["a"],"properties":{"a":{"type":"string","minLength":1000000000}}}`,
		"many items":    `{"type":"object","required":["a"],"properties":{"a":{"type":"array","minItems":1000000000}}}`,
		"many members":  `{"type":"object","minProperties":1000000000}`,
		"tiny step":     `{"type":"object","required":["a"],"properties":{"a":{"type":"number","multipleOf":1e-300,"minimum":1e300}}}`,
		"choices":       `{"type":"object","required":[` + listed(`"p%d"`, 30) + `],"properties":{` + listed(`"p%d":{"anyOf":[{"type":"string","pattern":"^no$","minLength":5},{"type":"integer","minimum":5,"maximum":4},{"const":7}]}`, 30) + `}}`,
		"many enums":    `{"type":"object","required":["a"],"properties":{"a":{"enum":[` + listed(`"e%d"`, 15_000) + `]}}}`,
		"contradiction": `{"type":"object","required":["a"],"properties":{"a":{"allOf":[{"anyOf":[{"const":1},{"const":2}]},{"anyOf":[{"const":3},{"const":4}]}]}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			tool := []byte(`{"inputSchema":` + schema + `}`)
			for _, candidate := range Candidates(tool, 1) {
				Broken([]byte(schema), candidate.Arguments, 1)
				BrokenN([]byte(schema), candidate.Arguments, 3, 1)
				Stringified([]byte(schema), candidate.Arguments)
			}
			if _, err := Valid([]byte(schema), 1, Full()); err != nil {
				t.Log(err.Error()[:min(len(err.Error()), 200)])
			}
			if took := time.Since(begin); took > 2*time.Minute {
				t.Errorf("took %s", took)
			} else {
				t.Log(took.Round(time.Millisecond))
			}
		})
	}
}
