package readers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agntn/conform/fakes/readers"
)

// hostile are lists and answers made to cost time or memory.
func hostile() map[string]variant {
	list := func(tool string) variant {
		return variant{Kind: "list", Raw: `{"tools":[` + tool + `],"resultType":"complete","ttlMs":0,"cacheScope":"private"}`}
	}
	schema := func(s string) variant { return list(`{"name":"t","inputSchema":` + s + `}`) }
	laughs := `"D0":{"type":"string"}`
	for i := 1; i < 40; i++ {
		laughs += fmt.Sprintf(`,"D%d":{"type":"object","properties":{"a":{"$ref":"#/$defs/D%d"},"b":{"$ref":"#/$defs/D%d"}}}`, i, i-1, i-1)
	}
	branches := strings.TrimSuffix(strings.Repeat(`{"anyOf":[{"required":["a"]},{"required":["b"]}]},`, 40), ",")
	var wide, tools, blocks strings.Builder
	for i := range 6_000 {
		fmt.Fprintf(&wide, `"p%d":{"type":"string"},`, i)
		fmt.Fprintf(&tools, `{"name":"tool_%d","inputSchema":{"type":"object"}},`, i%3000)
		fmt.Fprintf(&blocks, `{"type":"text","text":"%d"},`, i)
	}
	cut := func(b *strings.Builder) string { return strings.TrimSuffix(b.String(), ",") }
	call := func(result string) variant {
		return variant{Kind: "call", Raw: `{"jsonrpc":"2.0","id":3,"result":` + result + `}`}
	}
	long := strings.Repeat("é", 1<<20)
	var letters strings.Builder
	for i := range 60_000 {
		letters.WriteRune(rune(0x4E00 + i%20_000))
	}
	return map[string]variant{
		"refs that double":        schema(`{"type":"object","properties":{"a":{"$ref":"#/$defs/D39"}},"$defs":{` + laughs + `}}`),
		"a ref to itself":         schema(`{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}`),
		"a ref to the root twice": schema(`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"},"c":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}}}`),
		"allOf of anyOf":          schema(`{"type":"object","allOf":[` + branches + `]}`),
		"deep schema":             schema(strings.Repeat(`{"type":"object","properties":{"a":`, 400) + `{}` + strings.Repeat(`}}`, 400)),
		"deep text":               schema(strings.Repeat(`[`, 200_000)),
		"deep arrays":             schema(`{"type":"object","properties":{"a":{"enum":[` + strings.Repeat(`[`, 3000) + strings.Repeat(`]`, 3000) + `]}}}`),
		"many properties":         schema(`{"type":"object","properties":{` + cut(&wide) + `}}`),
		"number keys":             schema(`{"type":"object","properties":{` + strings.ReplaceAll(cut(&wide), `"p`, `"`) + `}}`),
		"many tools":              list(cut(&tools)),
		"a long name":             list(`{"name":"` + long + `","inputSchema":{"type":"object"}}`),
		"a name of many letters":  list(`{"name":"` + letters.String() + `","inputSchema":{"type":"object"}}`),
		"a long description":      list(`{"name":"t","description":"` + long + `","inputSchema":{"type":"object"}}`),
		"a slow pattern":          schema(`{"type":"object","properties":{"a":{"type":"string","pattern":"^(a+)+$"}}}`),
		"a broad enum":            schema(`{"type":"object","properties":{"a":{"enum":[` + strings.TrimSuffix(strings.Repeat(`{"k":[1,2]},`, 6_000), ",") + `]}}}`),
		"many blocks":             call(`{"content":[` + cut(&blocks) + `],"resultType":"complete"}`),
		"bad blocks":              call(`{"content":[` + strings.TrimSuffix(strings.Repeat(`{"type":"x"},`, 6_000), ",") + `],"resultType":"complete"}`),
		"a long text":             call(`{"content":[{"type":"text","text":"` + long + `"}],"resultType":"complete"}`),
		"deep structure":          call(`{"content":[],"structuredContent":{"a":` + strings.Repeat(`[`, 20_000) + strings.Repeat(`]`, 20_000) + `},"resultType":"complete"}`),
		"wide structure":          call(`{"content":[],"structuredContent":{` + cut(&wide) + `},"resultType":"complete"}`),
	}
}

// TestReadersEndInTime puts costly lists and answers through every reader.
func TestReadersEndInTime(t *testing.T) {
	t.Parallel()
	const limit = 20 * time.Second // far above what any takes, for slow machines
	for name, v := range hostile() {
		for _, id := range readers.IDs() {
			done := make(chan time.Duration, 1)
			go func() {
				begin := time.Now()
				r, _ := readers.For(id)
				if v.Kind == "list" {
					r.Listing("2026-07-28", [][]byte{[]byte(v.Raw)})
				} else {
					r.Call("2026-07-28", nil, []byte(v.Raw))
				}
				done <- time.Since(begin)
			}()
			select {
			case d := <-done:
				if d > time.Second {
					t.Logf("%s: %s took %v", id, name, d)
				}
			case <-time.After(limit):
				t.Fatalf("%s: %s did not end in %v", id, name, limit)
			}
		}
	}
}
