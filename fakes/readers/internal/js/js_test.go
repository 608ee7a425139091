package js_test

import (
	"testing"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

// The right sides were printed by Node 20 for JSON.stringify(JSON.parse(x)).
func TestRoundTripIsThatOfAnEngine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"b":1,"10":2,"2":3,"b":4}`:                `{"2":3,"10":2,"b":4}`,
		`{"__proto__":{"a":1},"x":1}`:               `{"__proto__":{"a":1},"x":1}`,
		` [1e400,-1e400,1e21,1e-7,-0,3.0]`:          `[null,null,1e+21,1e-7,0,3]`,
		`12345678901234567890`:                      `12345678901234567000`,
		`"\ud83d \ud83d\ude00 \u001b\u007f\u2028/"`: "\"\\ud83d 😀 \\u001b\u007f\u2028/\"",
		"\"a\xff\xfe\xe2\x82z\"":                    `"a���z"`,
		`{"01":1,"1":2,"4294967295":3}`:             `{"1":2,"01":1,"4294967295":3}`,
		`[[],{}]`:                                   `[[],{}]`,
	} {
		v, err := js.Parse([]byte(in))
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got := v.Stringify(); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func TestBadTextIsRefused(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"", "{", `{"a":1,}`, "[1,]", "01", "1.", "+1", "nul", `"\x"`, "\"\n\"", "\ufeff{}", `{} {}`, `{'a':1}`, "NaN", "tru"} {
		if v, err := js.Parse([]byte(in)); err == nil {
			t.Errorf("%q was read as %s", in, v.Stringify())
		}
	}
}

func TestIndent(t *testing.T) {
	t.Parallel()
	v, _ := js.Parse([]byte(`[{"a":[],"b":{},"c":[1,"x"]}]`))
	want := "[\n  {\n    \"a\": [],\n    \"b\": {},\n    \"c\": [\n      1,\n      \"x\"\n    ]\n  }\n]"
	if got := v.Indent(2); got != want {
		t.Errorf("got %s", got)
	}
}

func TestUTF16Positions(t *testing.T) {
	t.Parallel()
	if n := js.Length("a😀é"); n != 4 {
		t.Errorf("length %d, want 4", n)
	}
	if got := js.Quote(js.Slice("a😀é", 0, 2)); got != `"a\ud83d"` {
		t.Errorf("slice %s", got)
	}
	if got := js.Slice("a😀é", 1, 4); got != "😀é" {
		t.Errorf("slice %q", got)
	}
}
