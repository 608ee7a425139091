package zod

import (
	"testing"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

func TestIssues(t *testing.T) {
	t.Parallel()
	str := String()
	for _, c := range []struct {
		name  string
		shape Shape
		in    string
		want  string // path and message, "" when it passes
		kept  string
	}{
		{"strip", Object(Strip(), M("a", str)), `{"a":"x","b":1}`, "", `{"a":"x"}`},
		{"loose", Object(Loose(), M("a", str)), `{"b":1,"a":"x"}`, "", `{"a":"x","b":1}`},
		{"strict", Object(Strict(), M("a", str)), `{"a":"x","b":1}`, `Unrecognized key: "b"`, ""},
		{"missing", Object(Strip(), M("a", str)), `{}`, "a: Invalid input: expected string, received undefined", ""},
		{"null is no absence", Object(Strip(), Opt("a", str)), `{"a":null}`, "a: Invalid input: expected string, received null", ""},
		{"nullable", Object(Strip(), Opt("a", Nullable(str))), `{"a":null}`, "", `{"a":null}`},
		{"default", Object(Strip(), M("a", Default(Array(str), js.List()))), `{}`, "", `{"a":[]}`},
		{"catch", Object(Strip(), M("a", Catch(Optional(str), js.Value{}))), `{"a":5}`, "", `{}`},
		{"array", Object(Strip(), M("a", Array(str))), `{"a":["x",5]}`, "a.1: Invalid input: expected string, received number", ""},
		{"proto is left out", Record(Unknown()), `{"__proto__":{"a":1},"b":1}`, "", `{"b":1}`},
		{"number beyond a double", Number(), `1e400`, "Invalid input: expected number, received Infinity", ""},
		{"int", Int(), `1.5`, "Invalid input: expected int, received number", ""},
		{"range", Number().Between(0, 1), `2`, "Too big: expected number to be <=1", ""},
		{"literal", Literal("object"), `"Object"`, `Invalid input: expected "object"`, ""},
		{"enum", Enum("user", "assistant"), `"robot"`, `Invalid option: expected one of "user"|"assistant"`, ""},
		{"union", Union(str, Number()), `true`, "Invalid input", ""},
		{"one soft refusal of a union", Union(str.Refine(func(js.Value) bool { return false }, "no"), Number()), `"x"`, "no", ""},
		{"the same before zod 4.1", UnionOld(str.Refine(func(js.Value) bool { return false }, "no"), Number()), `"x"`, "Invalid input", ""},
		{"constructor in an old record", RecordOld(Unknown()), `{"constructor":1}`, "Invalid input: expected record, received object", ""},
	} {
		v, err := js.Parse([]byte(c.in))
		if err != nil {
			t.Fatal(err)
		}
		kept, issues := c.shape.Parse(v)
		if got := issues.Short("; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if c.want == "" && kept.Stringify() != c.kept {
			t.Errorf("%s: kept %s, want %s", c.name, kept.Stringify(), c.kept)
		}
	}
}
