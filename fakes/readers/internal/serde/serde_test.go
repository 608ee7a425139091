package serde

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text        string
		exact, fine bool
	}{
		{`{"a":1}`, false, true},
		{`{"a":1e400}`, false, false},
		{`{"a":1e400}`, true, true},
		{`{"a":"\ud83d"}`, false, false},
		{"\"\xff\"", false, false},
		{strings.Repeat("[", 127) + strings.Repeat("]", 127), false, true},
		{strings.Repeat("[", 128) + strings.Repeat("]", 128), false, false},
		{`{} {}`, false, false},
	} {
		if _, err := Parse([]byte(c.text), c.exact); (err == nil) != c.fine {
			t.Errorf("%.40s exact %v: %v", c.text, c.exact, err)
		}
	}
	v, err := Parse([]byte(`{"b":1,"10":2,"2":3}`), false)
	if err != nil || strings.Join(v.Keys(), " ") != "b 10 2" {
		t.Errorf("members are not in the order they were sent in: %v %v", v.Keys(), err)
	}
}

func TestTypes(t *testing.T) {
	t.Parallel()
	tool := Struct(F("name", String), Opt("title", String), Opt("hint", Bool), Opt("n", Int), Opt("kind", Enum("x", "y")),
		Opt("list", Vec(String)), Opt("either", Untagged(String, Bool)), Opt("map", Map))
	for text, want := range map[string]string{
		`{"name":"n"}`:                         "",
		`{"name":"n","title":null,"other":[]}`: "",
		`{"title":"t"}`:                        "missing field name",
		`{"name":null}`:                        "name: expected a string",
		`{"name":"n","name":"m"}`:              "duplicate field name",
		`{"name":"n","other":1,"other":2}`:     "",
		`{"name":"n","hint":"true"}`:           "hint: expected a boolean",
		`{"name":"n","n":1.0}`:                 "n: expected an integer",
		`{"name":"n","n":9223372036854775807}`: "",
		`{"name":"n","n":9223372036854775808}`: "n: expected an integer",
		`{"name":"n","kind":"z"}`:              "kind: unknown variant",
		`{"name":"n","list":["a",1]}`:          "list.1: expected a string",
		`{"name":"n","either":1}`:              "either: data did not match",
		`{"name":"n","map":[]}`:                "map: expected a map",
		`{"name":"n","map":1}`:                 "map: expected a map",
		`{"name":"n","map":1.5}`:               "",
		`[]`:                                   "expected a map",
	} {
		v, err := Parse([]byte(text), true)
		if err != nil {
			t.Fatal(err)
		}
		got := tool(v, "")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
