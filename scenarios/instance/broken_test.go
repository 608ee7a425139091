package instance

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
)

// ajvPlaces asks the imitation of ajv, which shares no code with the validator that
// verified the breaks, where it sees errors.
func ajvPlaces(t testing.TB, schema string, value []byte) []string {
	t.Helper()
	s, err := jsonschema.NewAJV(jsonschema.SDKv2).Compile([]byte(schema))
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	errs, err := s.Errors(value)
	if err != nil {
		t.Fatalf("%s on %s: %v", schema, value, err)
	}
	var places []string
	for _, text := range errs {
		at, message, _ := strings.Cut(strings.TrimPrefix(text, "data"), " must ")
		if name, ok := strings.CutPrefix(message, "have required property '"); ok {
			at += jsonschema.Pointer(strings.TrimSuffix(name, "'"))
		}
		if !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	return places
}

// breaksThere checks with ajv that a break shows at its places and only there. An
// additional property shows at the object, alternatives also below their place.
func breaksThere(t testing.TB, schema string, b Break) {
	t.Helper()
	places := ajvPlaces(t, schema, b.Arguments)
	for _, p := range b.Problems {
		at := p.Pointer
		if p.Kind == Additional {
			at = at[:strings.LastIndexByte(at, '/')]
		}
		if !slices.Contains(places, at) {
			t.Errorf("%s: nothing wrong at %q (%s), but at %q", b.Arguments, at, p.Kind, places)
		}
		places = slices.DeleteFunc(places, func(place string) bool {
			return place == at || strings.HasPrefix(place, at+"/") && (p.Keyword == "anyOf" || p.Keyword == "oneOf")
		})
	}
	if len(places) > 0 {
		t.Errorf("%s: also wrong at %q; named: %+v", b.Arguments, places, b.Problems)
	}
}

func TestBrokenForTools(t *testing.T) {
	t.Parallel()
	kinds := map[Kind]int{}
	for name, schema := range tools(t) {
		for _, options := range [][]Option{nil, {Full()}} {
			base, err := Valid([]byte(schema), 1, options...)
			if err != nil {
				t.Fatal(err)
			}
			found := Broken([]byte(schema), base, 1)
			if len(found) == 0 && name != "bare" {
				t.Errorf("%s: nothing breaks it", name)
			}
			seen := map[string]bool{}
			for _, b := range found {
				p := b.Problems[0]
				if key := p.Pointer + " " + string(p.Kind); seen[key] {
					t.Errorf("%s: %s twice", name, key)
				} else {
					seen[key] = true
				}
				kinds[p.Kind]++
				breaksThere(t, schema, b)
			}
		}
	}
	for _, kind := range []Kind{Missing, Type, Null, Enum, Const, Range, Multiple, Length, Pattern, Items, Additional} {
		if kinds[kind] == 0 {
			t.Errorf("no break of kind %s", kind)
		}
	}
	t.Logf("%v", kinds)
}

func TestBrokenPinned(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"text":{"type":"string","minLength":2},"max":{"type":"integer","minimum":1},"in":{"type":"object","properties":{"deep":{"type":"boolean"}},"required":["deep"]}},"required":["text","in"],"additionalProperties":false}`
	base := `{"text":"example","in":{"deep":true}}`
	type row struct{ Arguments, Property, Pointer, Kind, Keyword, Value string }
	want := []row{
		{`{"in":{"deep":true}}`, "text", "/text", "missing", "required", ""},
		{`{"text":"example"}`, "in", "/in", "missing", "required", ""},
		{`{"text":"example","in":{"deep":true},"conform_unknown":"extra"}`, "conform_unknown", "/conform_unknown", "additional", "additionalProperties", `"extra"`},
		{`{"text":{"conform":"wrong type"},"in":{"deep":true}}`, "text", "/text", "type", "type", `{"conform":"wrong type"}`},
		{`{"text":null,"in":{"deep":true}}`, "text", "/text", "null", "type", "null"},
		{`{"text":"e","in":{"deep":true}}`, "text", "/text", "length", "minLength", `"e"`},
		{`{"text":"example","in":{"deep":true},"max":"no integer"}`, "max", "/max", "type", "type", `"no integer"`},
		{`{"text":"example","in":{"deep":true},"max":null}`, "max", "/max", "null", "type", "null"},
		{`{"text":"example","in":{"deep":true},"max":0}`, "max", "/max", "range", "minimum", "0"},
		{`{"text":"example","in":"no object"}`, "in", "/in", "type", "type", `"no object"`},
		{`{"text":"example","in":null}`, "in", "/in", "null", "type", "null"},
		{`{"text":"example","in":{}}`, "in.deep", "/in/deep", "missing", "required", ""},
		{`{"text":"example","in":{"deep":"no boolean"}}`, "in.deep", "/in/deep", "type", "type", `"no boolean"`},
		{`{"text":"example","in":{"deep":null}}`, "in.deep", "/in/deep", "null", "type", "null"},
	}
	var got []row
	for _, b := range Broken([]byte(schema), []byte(base), 0) {
		p := b.Problems[0]
		got = append(got, row{string(b.Arguments), p.Property, p.Pointer, string(p.Kind), p.Keyword, p.Value})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBrokenRefusesBadInput(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{`{"type":"no"}`, `{}`}, {`{"required":["a"]}`, `{}`}, {`{}`, `{`}, {`{"type":"object"}`, `{}`},
	} {
		if got := Broken([]byte(c[0]), []byte(c[1]), 0); len(got) != 0 {
			t.Errorf("%s on %s: got %d breaks", c[0], c[1], len(got))
		}
	}
	if _, ok := BrokenN([]byte(`{"type":"object"}`), []byte(`{}`), 1, 0); ok {
		t.Error("BrokenN broke what cannot be broken")
	}
	if _, ok := BrokenN([]byte(`{"required":["a"]}`), []byte(`{"a":1}`), 2, 0); ok {
		t.Error("BrokenN found two faults where there is one")
	}
}

func TestBrokenN(t *testing.T) {
	t.Parallel()
	for name, schema := range tools(t) {
		base, err := Valid([]byte(schema), 0, Full())
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 3; n++ {
			different := map[string]bool{}
			for seed := range int64(6) {
				b, ok := BrokenN([]byte(schema), base, n, seed)
				if !ok {
					continue
				}
				if len(b.Problems) != n {
					t.Errorf("%s: asked for %d problems, got %+v", name, n, b.Problems)
				}
				breaksThere(t, schema, b)
				different[string(b.Arguments)] = true
				again, _ := BrokenN([]byte(schema), base, n, seed)
				if string(again.Arguments) != string(b.Arguments) {
					t.Errorf("%s: seed %d gave %s, then %s", name, seed, b.Arguments, again.Arguments)
				}
			}
			if wide := len(gjson.ParseBytes(base).Map()) > 2; wide && len(different) < 2 {
				t.Errorf("%s: n=%d gave %d different breaks over the seeds", name, n, len(different))
			}
		}
	}
}

func TestBrokenNNests(t *testing.T) {
	t.Parallel()
	schema := []byte(tools(t)["tree"])
	base, err := Valid(schema, 0, Full())
	if err != nil {
		t.Fatal(err)
	}
	for seed := range int64(5) {
		b, ok := BrokenN(schema, base, 2, seed)
		if !ok || !slices.ContainsFunc(b.Problems, func(p Problem) bool { return strings.Count(p.Pointer, "/") > 1 }) {
			t.Errorf("seed %d: %v, %+v", seed, ok, b.Problems)
		}
	}
}

func TestStringified(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"n":{"type":"integer"},"b":{"type":"boolean"},"l":{"type":"array"},"o":{"type":"object"},"s":{"type":"string"},"any":{},"either":{"type":["integer","string"]}}}`
	base := `{"n":5,"b":true,"l":["a"],"o":{"x":"\n"},"s":"t","any":1,"either":2}`
	want := []string{
		`{"n":"5","b":true,"l":["a"],"o":{"x":"\n"},"s":"t","any":1,"either":2}`,
		`{"n":5,"b":"true","l":["a"],"o":{"x":"\n"},"s":"t","any":1,"either":2}`,
		`{"n":5,"b":true,"l":"[\"a\"]","o":{"x":"\n"},"s":"t","any":1,"either":2}`,
		`{"n":5,"b":true,"l":["a"],"o":"{\"x\":\"\\n\"}","s":"t","any":1,"either":2}`,
		`{"n":"5","b":"true","l":"[\"a\"]","o":"{\"x\":\"\\n\"}","s":"t","any":1,"either":2}`,
	}
	var got []string
	for _, b := range Stringified([]byte(schema), []byte(base)) {
		got = append(got, string(b.Arguments))
		breaksThere(t, schema, b)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := Stringified([]byte(schema), []byte(`{"s":"t"}`)); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestNullOptional(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, base, want string }{
		{`{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"]}`, `{"a":"x"}`, `{"a":"x","b":null}`},
		{`{"properties":{"a":{"type":["string","null"]},"b":{"anyOf":[{"type":"integer"},{"type":"null"}]},"c":{"enum":[1]}}}`, `{"c":1}`, `{"c":null}`},
		{`{"properties":{"a":{"type":"string"}},"required":["a"]}`, `{"a":"x"}`, ""},
		{`{"properties":{"a":{}}}`, `{}`, ""},
		{`{"type":"object"}`, `{}`, ""},
	} {
		got, ok := NullOptional([]byte(c.schema), []byte(c.base))
		if ok != (c.want != "") || string(got.Arguments) != c.want {
			t.Errorf("%s on %s: got %s, want %s", c.schema, c.base, got.Arguments, c.want)
		}
		if ok {
			breaksThere(t, c.schema, got)
		}
	}
}

func TestUnknownKey(t *testing.T) {
	t.Parallel()
	for schema, allowed := range map[string]bool{`{"type":"object"}`: true, `{"type":"object","additionalProperties":false}`: false} {
		extras := UnknownKey([]byte(schema), []byte(`{}`))
		if len(extras) != 2 || extras[0].Hostile || !extras[1].Hostile {
			t.Fatalf("got %+v", extras)
		}
		for _, extra := range extras {
			if extra.Allowed != allowed {
				t.Errorf("%s: %q allowed %v", schema, extra.Key, extra.Allowed)
			}
			if v := gjson.ParseBytes(extra.Arguments).Map()[extra.Key]; v.String() != "extra" || jsonschema.Tokens(extra.Pointer)[0] != extra.Key {
				t.Errorf("%s does not hold %q at %q", extra.Arguments, extra.Key, extra.Pointer)
			}
		}
		for _, part := range []string{"\n", "\x1b", "\u202e", "\u2028"} {
			if !strings.Contains(extras[1].Key, part) {
				t.Errorf("the hostile key lacks %q", part)
			}
		}
	}
	if got := UnknownKey([]byte(`{}`), []byte(`[]`)); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestWrongContainers(t *testing.T) {
	t.Parallel()
	var got []string
	for _, c := range WrongContainers() {
		got = append(got, c.Name+" "+string(c.Arguments))
	}
	want := []string{"null null", "array []", `string "x"`, "number 5", "boolean true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMisfits(t *testing.T) {
	t.Parallel()
	const form = `{"type":"object","properties":{"name":{"type":"string","minLength":2},"mail":{"type":"string","format":"email"},"age":{"type":"integer","minimum":0,"maximum":120},"ok":{"type":"boolean","default":true},"color":{"type":"string","enum":["r","g"],"enumNames":["Red","Green"]},"size":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}]},"many":{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1}},"required":["name","age"]}`
	contents, err := Misfits([]byte(form), 0)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]int{}
	for _, c := range contents {
		cases[c.Case]++
		if places := ajvPlaces(t, form, c.Content); c.Fits != (len(places) == 0) {
			t.Errorf("%s: fits %v, ajv sees %q", c.Content, c.Fits, places)
		}
		if c.Fits == (len(c.Problems) > 0) {
			t.Errorf("%s: fits %v with problems %v", c.Content, c.Fits, c.Problems)
		}
		gjson.ParseBytes(c.Content).ForEach(func(key, value gjson.Result) bool {
			if value.IsObject() {
				t.Errorf("%s is not flat at %s", c.Content, key)
			}
			return true
		})
	}
	want := map[string]int{"fits": 1, "fits-full": 1, "extra-key": 1, "missing": 2, "type": 7, "null": 7, "length": 1, "range": 1, "enum": 1, "const": 1, "items": 1}
	if diff := cmp.Diff(want, cases); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
	if _, err := Misfits([]byte(`{"type":"no"}`), 0); err == nil {
		t.Error("a wrong form gave contents")
	}
}
