package report

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/scenarios"
)

func TestMaskerFindsEveryForm(t *testing.T) {
	t.Parallel()
	quote := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, secret := range []string{
		"tok_4f9c2b7e1d", "p@ss w<o>rd&/\"quoted\"", "pässwörd-日本", "line\nbreak\tand\\slash", "it's;secret", "abcd", "x/y+z==",
	} {
		m := NewMasker([]string{secret})
		b64 := base64.StdEncoding
		for form, text := range map[string]string{
			"raw":              "before " + secret + " after",
			"json":             quote("x" + secret + "y"),
			"json in json":     quote(quote(secret)),
			"json three deep":  quote(quote(quote(secret))),
			"query":            "?q=" + url.QueryEscape(secret),
			"path":             "/" + url.PathEscape(secret),
			"lower query":      lowerPercent(url.QueryEscape(secret)),
			"component":        percentAll(secret),
			"base64":           b64.EncodeToString([]byte(secret)),
			"base64 behind 1":  b64.EncodeToString([]byte("u" + secret + "tail")),
			"base64 behind 2":  b64.EncodeToString([]byte("u:" + secret + "t")),
			"base64 behind 5":  b64.EncodeToString([]byte("user:" + secret)),
			"base64url":        base64.RawURLEncoding.EncodeToString([]byte("user:" + secret)),
			"hex":              hex.EncodeToString([]byte(secret)),
			"shell":            strings.ReplaceAll(secret, "'", `'\''`),
			"cut by a bound":   Bound(strings.Repeat("x", 50)+secret+secret, 50+len([]rune(secret))+4),
			"already visible":  Visible(secret),
			"twice":            secret + secret,
			"ascii JSON":       `"` + asciiJSON(strings.Trim(quote(secret), `"`), "%04x") + `"`,
			"upper ascii JSON": `"` + asciiJSON(strings.Trim(quote(secret), `"`), "%04X") + `"`,
		} {
			got := m.String(text)
			if !strings.Contains(got, masked) {
				t.Errorf("%s of %q is not masked: %s", form, secret, got)
			}
			if strings.Contains(got, secret) {
				t.Errorf("%s of %q still holds it: %s", form, secret, got)
			}
		}
	}
}

func TestMaskerLeavesNoTailOfBase64(t *testing.T) {
	t.Parallel()
	secret := "tok_4f9c2b7e1d"
	m := NewMasker([]string{secret})
	for lead := range 6 {
		got := m.String(base64.StdEncoding.EncodeToString([]byte("user::"[:lead] + secret + ":end")))
		for _, part := range strings.FieldsFunc(got, func(r rune) bool { return r == '*' || r == '=' }) {
			raw, err := base64.RawStdEncoding.DecodeString(part[:len(part)/4*4])
			if err == nil && (bytes.Contains(raw, []byte("tok_")) || bytes.Contains(raw, []byte("7e1d"))) {
				t.Errorf("%d bytes before: %s still holds %q", lead, got, raw)
			}
		}
	}
}

func TestMaskerOfHeaders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ secret, text, want string }{
		"bearer":         {"Bearer tok_4f9c2b7e", "the token tok_4f9c2b7e is unknown", "the token *** is unknown"},
		"basic":          {"Basic dXNlcjpodW50ZXIyMg==", "password hunter22", "password ***"},
		"basic encoded":  {"Basic dXNlcjpodW50ZXIyMg==", "got dXNlcjpodW50ZXIyMg==", "got ***"},
		"too short":      {"abc", "abc", "abc"},
		"nothing":        {"", "abc", "abc"},
		"ordinary":       {"true", `"isError":true`, `"isError":true`},
		"a port":         {"3000", `"id":3000`, `"id":3000`},
		"a long number":  {"300012", `"id":300012`, `"id":***`},
		"other text":     {"tok_4f9c2b7e", "tok_ is a prefix", "tok_ is a prefix"},
		"trimmed":        {" tok_4f9c2b7e\n", "tok_4f9c2b7e", "***"},
		"neighbours":     {"abcdef", "abcdefabcdef", "***"},
		"beginning, cut": {"tok_4f9c2b7e", "x tok_4f9 … (12 more characters)", "x *** … (12 more characters)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := NewMasker([]string{c.secret}).String(c.text); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	if got := NewMasker([]string{"abcdef", "defghi"}).String("-abcdefghi-"); got != "-***-" {
		t.Errorf("overlapping secrets give %q", got)
	}
}

func TestMaskerKeepsJSON(t *testing.T) {
	t.Parallel()
	m := NewMasker([]string{"123456", `p"w\\x`, "Bearer key"})
	for text, want := range map[string]string{
		`{"at_us":9123456,"raw":"id 123456","123456":[1,"x"]}`: `{"at_us":9123456,"raw":"id ***","***":[1,"x"]}`,
		`{"raw":"a p\"w\\\\x b","n":null}`:                     `{"raw":"a *** b","n":null}`,
		`{"raw":"{\"id\":123456}"}`:                            `{"raw":"{\"id\":***}"}`,
		`{"cut":"123456`:                                       `{"cut":"***`,
		`{}`:                                                   `{}`,
		``:                                                     ``,
	} {
		if got := m.JSON(text); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}

// fill puts text into every string that v holds and gives every list one item.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Slice:
		if v.Type().Elem() == reflect.TypeFor[Report]() {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				fill(f, text)
			}
		}
	}
}

// left returns the paths of the strings that still hold text.
func left(v reflect.Value, text, path string) []string {
	switch v.Kind() {
	case reflect.String:
		if strings.Contains(v.String(), text) {
			return []string{path}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return left(v.Elem(), text, path)
		}
	case reflect.Slice:
		var all []string
		for i := range v.Len() {
			all = append(all, left(v.Index(i), text, path)...)
		}
		return all
	case reflect.Struct:
		var all []string
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				all = append(all, left(v.Field(i), text, path+"."+f.Name)...)
			}
		}
		return all
	}
	return nil
}

// TestMaskReachesEveryText fails when a field is added that Mask does not know.
func TestMaskReachesEveryText(t *testing.T) {
	t.Parallel()
	const secret = "tok_4f9c2b7e"
	var r Report
	fill(reflect.ValueOf(&r).Elem(), secret)
	r.Servers = []Report{{Notes: []string{secret}}}
	Mask(&r, []string{secret})
	// These hold words of conform's own.
	want := []string{
		".Schema", ".Tool.Name", ".Tool.Version", ".Target.Transports", ".Target.Revisions", ".Profile",
		".Clients.ID", ".Clients.Product", ".Clients.Version", ".Clients.Seen", ".Clients.Verdict",
		".Outcomes.ID", ".Outcomes.Check", ".Outcomes.Scenario", ".Outcomes.Client", ".Outcomes.Hosts", ".Outcomes.Revision",
		".Outcomes.Transport", ".Outcomes.Level", ".Outcomes.Verdict", ".Outcomes.Basis", ".Outcomes.Evidence.Dir",
		".Outcomes.Cause.ID", ".Outcomes.Cause.SDK", ".Outcomes.Cause.Text", ".Outcomes.Cause.Remedy", ".Outcomes.Source",
		".Views.Client", ".Views.Reads", ".Views.State", ".Views.Source",
	}
	got := left(reflect.ValueOf(r), secret, "")
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields that still hold the secret (-expected +found):\n%s", diff)
	}
}

func TestMaskHoldsInEveryFormat(t *testing.T) {
	t.Parallel()
	const secret = `tok_"4f9c"<2b7e>`
	r := exampleReport()
	inner, err := json.Marshal(secret)
	if err != nil {
		t.Fatal(err)
	}
	r.Target.Command = "env TOKEN='" + secret + "' node server.mjs"
	r.Notes = append(r.Notes, "stderr: "+secret)
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		o.Message += " " + secret
		o.Observed += " " + url.QueryEscape(secret)
		o.Evidence = append(o.Evidence, scenarios.Frame{Dir: "recv", Text: `{"text":` + string(inner) + `,"b":"` + base64.StdEncoding.EncodeToString([]byte("u:"+secret)) + `"}`})
	}
	Mask(&r, []string{secret})
	for name, text := range everyFormat(t, r) {
		for _, bad := range []string{secret, "4f9c", "2b7e", base64.RawStdEncoding.EncodeToString([]byte("u:" + secret))[4:20]} {
			if strings.Contains(text, bad) {
				t.Errorf("%s holds %q", name, bad)
			}
		}
		if name != "badge.svg" && name != "badge.json" && name != "quiet" && !strings.Contains(text, masked) && !strings.Contains(text, `\*\*\*`) {
			t.Errorf("%s masks nothing", name)
		}
	}
}

// everyFormat writes r in each format of this package, the page aside.
func everyFormat(t *testing.T, r Report) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"json":        func(b *bytes.Buffer) error { return WriteJSON(b, r) },
		"junit":       func(b *bytes.Buffer) error { return WriteJUnit(b, r, exampleTexts()) },
		"sarif":       func(b *bytes.Buffer) error { return WriteSARIF(b, r, exampleTexts(), nil) },
		"markdown":    func(b *bytes.Buffer) error { return WriteMarkdown(b, r, exampleTexts()) },
		"badge.svg":   func(b *bytes.Buffer) error { return WriteBadge(b, r, ".svg") },
		"badge.json":  func(b *bytes.Buffer) error { return WriteBadge(b, r, ".json") },
		"annotations": func(b *bytes.Buffer) error { return WriteAnnotations(b, r, nil) },
		"console":     func(b *bytes.Buffer) error { return WriteConsole(b, r, ConsoleOptions{Texts: exampleTexts()}) },
		"verbose": func(b *bytes.Buffer) error {
			return WriteConsole(b, r, ConsoleOptions{Texts: exampleTexts(), Verbose: true})
		},
		"quiet": func(b *bytes.Buffer) error { return WriteConsole(b, r, ConsoleOptions{Quiet: true}) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = b.String()
	}
	return all
}

func BenchmarkMask(b *testing.B) {
	m := NewMasker([]string{"tok_4f9c2b7e1d8a", "Bearer another-secret-value"})
	text := strings.Repeat(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"seven notes found"}]}} `, 40)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_ = m.String(text)
	}
}
