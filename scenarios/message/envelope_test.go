package message

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// brief is a fault without its sources.
type brief struct {
	Path, Expected, Observed string
	Level                    Level
}

func briefly(fs []Fault) []brief {
	var all []brief
	for _, f := range fs {
		all = append(all, brief{f.Path, f.Expected, f.Observed, f.Level})
	}
	return all
}

func TestEnvelope(t *testing.T) {
	t.Parallel()
	bad := Context{Malformed: true}
	refused := Context{Transport: "http", Status: 404}
	noID := []brief{{"id", "the id of the request", "nothing", Must}}
	nullID := []brief{{"id", "the id of the request", "null", Must}}
	nullNote := []brief{{"id", "no id when none could be read", "null", Note}}
	tests := []struct {
		name, revision, frame string
		ctx                   Context
		want                  []brief
	}{
		{"no version", "2025-11-25", `{"id":1,"result":{}}`, Context{}, []brief{{"jsonrpc", `"2.0"`, "nothing", Must}}},
		{"version as number", "2025-11-25", `{"jsonrpc":2.0,"id":1,"result":{}}`, Context{}, []brief{{"jsonrpc", `"2.0"`, "2.0", Must}}},
		{"both", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{},"error":null}`, Context{}, []brief{{"", "either result or error", "both", Must}}},
		{"neither", "2025-11-25", `{"jsonrpc":"2.0","id":1}`, Context{}, []brief{{"", "result or error", "neither", Must}}},
		{"nothing at all", "2025-11-25", `{"jsonrpc":"2.0"}`, Context{}, []brief{{"", "method, result or error", "none of them", Must}}},
		{"result null", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":null}`, Context{}, []brief{{"result", "an object", "null", Must}}},
		{"method in a response", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{},"method":"x"}`, Context{}, []brief{{"method", "no method in a response", `"x"`, Must}}},
		{"params in a response are free", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{},"params":{}}`, Context{}, nil},
		{"method as number", "2025-11-25", `{"jsonrpc":"2.0","method":1}`, Context{}, []brief{{"method", "a string", "1", Must}}},
		{"scalar", "2025-11-25", `7`, Context{}, []brief{{"", "an object", "7", Must}}},

		{"result without id", "2025-11-25", `{"jsonrpc":"2.0","result":{}}`, bad, noID},
		{"result with id null", "2025-11-25", `{"jsonrpc":"2.0","id":null,"result":{}}`, bad, nullID},
		{"fraction as id", "2025-11-25", `{"jsonrpc":"2.0","id":1.5,"result":{}}`, Context{}, []brief{{"id", "the id of the request", "1.5", Must}}},
		{"1.0 is an integer", "2025-11-25", `{"jsonrpc":"2.0","id":1.0,"result":{}}`, Context{}, nil},
		{"big id", "2025-11-25", `{"jsonrpc":"2.0","id":123456789012345678901234567890,"result":{}}`, Context{}, nil},

		{"error without id", "2025-11-25", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}`, Context{}, noID},
		{"error with id null", "2025-06-18", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`, Context{}, nullID},
		{"error without id after broken input", "2025-11-25", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}`, bad, nil},
		{"the same where the schema wants an id", "2025-03-26", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}`, bad, nil},
		{"error with id null after broken input", "2026-07-28", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`, bad, nullNote},
		{"refused by HTTP without id", "2025-11-25", `{"jsonrpc":"2.0","error":{"code":-32000,"message":"m"}}`, refused, nil},
		{"refused by HTTP with id null", "2025-11-25", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"m"}}`, refused, nullNote},
		{"error with an object as id", "2025-11-25", `{"jsonrpc":"2.0","id":{},"error":{"code":1,"message":"m"}}`, bad, []brief{{"id", "a string or an integer", "{}", Must}}},
		{"error as text", "2025-11-25", `{"jsonrpc":"2.0","id":1,"error":"no"}`, Context{}, []brief{{"error", "an object", `"no"`, Must}}},

		{"batch", "2025-03-26", `[{"jsonrpc":"2.0","id":1,"result":{"content":1}},{"jsonrpc":"2.0","id":2,"result":{"tools":1}},7]`,
			Context{Methods: map[string]string{"1": "tools/call", "2": "tools/list"}},
			[]brief{{"[0].result.content", "an array", "1", Must}, {"[1].result.tools", "an array", "1", Must}, {"[2]", "an object", "7", Must}}},
		{"empty batch", "2025-03-26", `[]`, Context{}, []brief{{"", "a batch of at least one message", "[]", Must}}},
		{"batch when there are none", "2025-06-18", `[{"jsonrpc":"2.0","id":1,"result":{}}]`, Context{}, []brief{{"", "a single message", "an array", Must}}},

		{"not JSON", "2025-11-25", "Server listening on port 3000", Context{}, []brief{{"", "one JSON value", "Server listening on port 3000", Must}}},
		{"nothing", "2025-11-25", "", Context{}, []brief{{"", "one JSON value", "", Must}}},
		{"two values", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{}} {}`, Context{}, []brief{{"", "one JSON value", `{"jsonrpc":"2.0","id":1,"result":{}} {}`, Must}}},
		{"line end", "2025-11-25", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r\n", Context{}, nil},
		{"byte order mark", "2025-11-25", "\ufeff" + `{"jsonrpc":"2.0","id":1,"result":{"_meta":1}}`, Context{}, []brief{{"", "no byte order mark", "U+FEFF", Must}, {"result._meta", "an object", "1", Must}}},
		{"broken UTF-8", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{"a":"` + "\xff\xfe" + `"}}`, Context{}, []brief{{"", "UTF-8", "bytes ff fe 22 7d at offset 39", Must}}},
		{"half a surrogate pair", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{"a":["x","\ud83d\ude00 \ud83d"]}}`, Context{}, []brief{{"result.a[1]", "whole surrogate pairs", `\ud83d`, Note}}},
		{"key twice", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{"a":[{"b":1,"c":{"b":2},"\u0062":3}]}}`, Context{}, []brief{{"result.a[0].b", "each key once", "the key stands twice", Note}}},
		{"questions' keys before 2026-07-28", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{"inputRequests":{"a":1,"a":2}}}`, Context{}, []brief{{"result.inputRequests.a", "each key once", "the key stands twice", Note}}},
	}
	shapes := New()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(tt.want, briefly(shapes.Check(tt.revision, []byte(tt.frame), tt.ctx))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestUnknownRevisions(t *testing.T) {
	t.Parallel()
	shapes := New()
	for revision, want := range map[string]int{"1999-01-01": 0, "": 0, "2025-12-01": 0, "2027-01-01": 1, "DRAFT": 1} {
		got := shapes.Check(revision, []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`), Context{})
		if len(got) != want {
			t.Errorf("%q: %v, want %d faults", revision, got, want)
		}
	}
}

func TestFaultsAreFew(t *testing.T) {
	t.Parallel()
	shapes := New()
	odd := `{"name":"a/b","inputSchema":{"type":"object"}}`
	list := result(`{"tools":[` + repeat(odd, 500) + `,{"name":1}]}`)
	got := shapes.Check("2025-11-25", []byte(list), Context{Method: "tools/list"})
	want := []brief{
		{"result.tools[500].name", "a string", "1", Must},
		{"result.tools[500].inputSchema", "an object", "nothing", Must},
		{"result.tools[0].name", "1 to 128 letters, digits, _, - and .", `"a/b"`, Should},
		{"result.tools[1].name", "1 to 128 letters, digits, _, - and .", `"a/b"`, Should},
		{"result.tools[2].name", "1 to 128 letters, digits, _, - and .", `"a/b"`, Should},
		{"result.tools[3].name", "1 to 128 letters, digits, _, - and .", `"a/b"`, Should},
	}
	if d := cmp.Diff(want, briefly(got)); d != "" {
		t.Error(d)
	}
	if got[5].More != 496 {
		t.Errorf("%d more, want 496", got[5].More)
	}
	var many strings.Builder
	for i := range 300 {
		many.WriteString(`"` + strings.Repeat("k", i+1) + `":1,`)
	}
	got = shapes.Check("2025-11-25", []byte(result(`{"capabilities":{"experimental":{`+many.String()+`"z":{}}},"protocolVersion":"x","serverInfo":{"name":"a","version":"1"}}`)), Context{Method: "initialize"})
	if len(got) != MaxFaults {
		t.Errorf("%d faults, want %d", len(got), MaxFaults)
	}
	for _, f := range got {
		if len(f.Path) > 300 || len(f.Observed) > 110 {
			t.Errorf("too long: %+v", f)
		}
	}
}
