package instance

import (
	"testing"

	"github.com/tidwall/gjson"
)

func TestEdits(t *testing.T) {
	t.Parallel()
	const base = `{"b":1,"a":[1,{"x/y":"\u2028<"}],"":null}`
	for _, c := range []struct {
		edits []edit
		want  string
	}{
		{nil, `{"b":1,"a":[1,{"x/y":"\u2028<"}],"":null}`},
		{[]edit{{tokens: []string{"b"}, value: `"t"`}}, `{"b":"t","a":[1,{"x/y":"\u2028<"}],"":null}`},
		{[]edit{{tokens: []string{"b"}, remove: true}, {tokens: []string{"c"}, value: `{}`}}, `{"a":[1,{"x/y":"\u2028<"}],"":null,"c":{}}`},
		{[]edit{{tokens: []string{"a", "1", "x/y"}, value: `5`}}, `{"b":1,"a":[1,{"x/y":5}],"":null}`},
		{[]edit{{tokens: []string{"a", "0"}, remove: true}}, `{"b":1,"a":[{"x/y":"\u2028<"}],"":null}`},
		{[]edit{{tokens: []string{"a", "2"}, value: `3`}}, `{"b":1,"a":[1,{"x/y":"\u2028<"},3],"":null}`},
		{[]edit{{tokens: []string{""}, value: `0`}}, `{"b":1,"a":[1,{"x/y":"\u2028<"}],"":0}`},
		{[]edit{{value: `[]`}}, `[]`},
		{[]edit{{tokens: []string{"a", "5"}, value: `3`}}, ""},
		{[]edit{{tokens: []string{"no"}, remove: true}}, ""},
		{[]edit{{tokens: []string{"b", "x"}, value: `1`}}, ""},
		{[]edit{{tokens: []string{"no", "x"}, value: `1`}}, ""},
	} {
		got, ok := apply([]byte(base), c.edits)
		if ok != (c.want != "") || string(got) != c.want {
			t.Errorf("%+v: got %s, %v, want %s", c.edits, got, ok, c.want)
		}
	}
}

func TestQuote(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "plain", "a\"b\\c", "<&>", "\n\x1b\x00", "\u202e\u2028", "é😀"} {
		raw := quote(text)
		if !gjson.Valid(raw) || gjson.Parse(raw).String() != text {
			t.Errorf("%q is written as %s", text, raw)
		}
	}
}

func TestSample(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		patterns    []string
		least, most int
	}{
		{[]string{`^[a-z]{3}$`}, 0, 10},
		{[]string{`^a+$`}, 40, 60},
		{[]string{`b`}, 10, 10},
		{[]string{`^[\w.]+@[\w.]+\.[a-z]{2,}$`}, 0, 30},
		{[]string{`^(?=.*\d)[a-z0-9]+$`, `^.{5,8}$`}, 0, 8},
		{[]string{`^(a|b|c){2}\1$`}, 3, 3},
		{[]string{`^\p{Script=Greek}+$`}, 2, 5},
		{[]string{`^[^\x00-\x7F]$`}, 1, 1},
		{[]string{`^\_x$`}, 0, 5},
		{nil, 3, 3},
	} {
		p := newPatterns()
		text, ok := p.sample(c.patterns, c.least, c.most, 0)
		if !ok || !p.fit(text, c.least, c.most, c.patterns) {
			t.Errorf("%q: got %q, %v", c.patterns, text, ok)
		}
	}
	for _, sources := range [][]string{{`^a$`, `^b$`}, {`^a{5}$`, `^.{2}$`}, {`(?!)`}, {`(`}} {
		if text, ok := newPatterns().sample(sources, 0, 100, 0); ok {
			t.Errorf("%q: got %q", sources, text)
		}
	}
}
