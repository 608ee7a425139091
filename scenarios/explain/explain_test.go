package explain

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/scenarios"
)

func TestEveryCheckIsExplained(t *testing.T) {
	t.Parallel()
	entries, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	var missing []string
	for _, id := range scenarios.All().IDs() {
		known[id] = true
		if _, ok := entries[id]; !ok {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		t.Errorf("%d of %d checks lack an explanation:\n%s", len(missing), len(known), strings.Join(missing, "\n"))
	}
	for id := range entries {
		if !known[id] {
			t.Errorf("%s is explained, and no check has that id", id)
		}
	}
}

func TestTextsAreTidy(t *testing.T) {
	t.Parallel()
	entries, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for id, e := range entries {
		texts := map[string]string{"right": e.Right, "wrong": e.Wrong}
		for _, lang := range Languages() {
			texts[lang] = e.Code[lang]
		}
		if len(texts) != len(e.Code)+2 {
			t.Errorf("%s has code for languages that nobody knows", id)
		}
		if e.Right == e.Wrong {
			t.Errorf("%s shows the same frames as right and wrong", id)
		}
		for name, text := range texts {
			if fault := untidy(text); fault != "" {
				t.Errorf("%s, %s: %s", id, name, fault)
			}
		}
	}
}

func untidy(text string) string {
	if strings.TrimSpace(text) == "" {
		return "empty"
	}
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.ContainsAny(line, "\t\r"):
			return "tab or CR in " + line
		case strings.TrimRight(line, " ") != line:
			return "blanks at the end of " + line
		case utf8.RuneCountInString(line) > widest:
			return "too wide: " + line
		}
	}
	return ""
}

// TestRightFramesAreJSON reads every frame of a right server that is written
// as a whole message; a frame of a wrong one may be anything.
func TestRightFramesAreJSON(t *testing.T) {
	t.Parallel()
	entries, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	frames := 0
	for id, e := range entries {
		for _, frame := range messages(e.Right) {
			frames++
			if !json.Valid([]byte(frame)) {
				t.Errorf("%s: no JSON: %s", id, frame)
			}
		}
	}
	if frames < 100 {
		t.Errorf("only %d frames were found; the arrows have changed", frames)
	}
}

// messages joins frames with the lines that continue them.
func messages(text string) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		rest, arrow := strings.CutPrefix(line, "--> ")
		if !arrow {
			rest, arrow = strings.CutPrefix(line, "<-- ")
		}
		switch {
		case arrow && strings.HasPrefix(rest, "{"):
			out = append(out, rest)
		case strings.HasPrefix(line, "    ") && len(out) > 0:
			out[len(out)-1] += strings.TrimSpace(line)
		}
	}
	return out
}

// TestGoCodeParses reads the Go code as declarations, as statements, or as
// members of a composite literal.
func TestGoCodeParses(t *testing.T) {
	t.Parallel()
	entries, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	around := [][2]string{{"", ""}, {"func f() {\n", "\n}"}, {"var x = T{\n", "\n}"}}
	for id, e := range entries {
		var faults []string
		for _, w := range around {
			src := "package p\n" + w[0] + e.Code["Go"] + w[1]
			if _, err := parser.ParseFile(token.NewFileSet(), "x.go", src, parser.SkipObjectResolution); err != nil {
				faults = append(faults, err.Error())
			}
		}
		if len(faults) == len(around) {
			t.Errorf("%s: %s", id, strings.Join(faults, "; "))
		}
	}
}

func TestFramesGetTheirVersion(t *testing.T) {
	t.Parallel()
	got := frames("--> {\"id\":1}\nin words\n<-- {\"method\":\"x\"}\n<-- {\"error\":{}}\n")
	want := "--> {\"jsonrpc\":\"2.0\",\"id\":1}\nin words\n<-- {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n<-- {\"error\":{}}"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoadIsStrict(t *testing.T) {
	t.Parallel()
	const code = "- code: {v1: a, v2: b, go: c, python: d}\n  cases:\n"
	const whole = "  - {checks: [a/b], right: r, wrong: w}\n"
	for name, c := range map[string]struct{ file, want string }{
		"unknown key":      {"- kode: {}\n", "unknown field"},
		"unknown language": {"- code: {v1: a, v2: b, go: c, python: d, rust: e}\n", "unknown field"},
		"told twice":       {code + whole + whole, "a/b is explained twice"},
		"no checks":        {code + "  - {checks: [], right: r, wrong: w}\n", "frames without checks"},
		"no wrong":         {code + "  - {checks: [a/b], right: r}\n", "lacks right or wrong"},
		"no Go":            {"- code: {v1: a, v2: b, python: d}\n  cases:\n" + whole, "lacks code for Go"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := load(fstest.MapFS{"x.yaml": {Data: []byte(c.file)}})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error that says %q", err, c.want)
			}
		})
	}
}
