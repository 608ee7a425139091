package ecma

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestAgreesWithV8 compares faults and matches with what Node 20 said of the same
// patterns. testdata/v8.json holds its answers.
func TestAgreesWithV8(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/v8.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Subjects []string `json:"subjects"`
		Rows     []struct {
			Pattern string   `json:"pattern"`
			Unicode string   `json:"unicode"`
			Plain   string   `json:"plain"`
			Match   []string `json:"match"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(raw, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Rows) < 150 {
		t.Fatalf("only %d rows", len(golden.Rows))
	}
	for _, row := range golden.Rows {
		for mode, want := range map[bool]string{true: row.Unicode, false: row.Plain} {
			got := ""
			if _, err := Parse(row.Pattern, mode); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%q, unicode %v:\ngot  %s\nwant %s", row.Pattern, mode, got, want)
			}
		}
		if row.Unicode != "" {
			continue
		}
		re, err := Compile(row.Pattern, time.Second)
		if err != nil {
			t.Errorf("%q: %v", row.Pattern, err)
			continue
		}
		var match []string
		for _, subject := range golden.Subjects {
			if ok, err := re.MatchString(subject); err != nil {
				t.Errorf("%q on %q: %v", row.Pattern, subject, err)
			} else if ok {
				match = append(match, subject)
			}
		}
		if diff := cmp.Diff(row.Match, match, equateEmpty()); diff != "" {
			t.Errorf("%q matches differently (-V8 +ours):\n%s", row.Pattern, diff)
		}
	}
}

func equateEmpty() cmp.Option {
	return cmp.FilterValues(func(a, b []string) bool { return len(a) == 0 && len(b) == 0 },
		cmp.Comparer(func(a, b []string) bool { return true }))
}

func TestLenientTakesWhatOnlyPlainModeTakes(t *testing.T) {
	t.Parallel()
	if _, err := Compile(`^\_x$`, time.Second); err == nil {
		t.Error("Compile took an escape that the u flag forbids")
	}
	re, err := CompileLenient(`^\_x$`, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := re.MatchString("_x"); !ok || err != nil {
		t.Errorf("match %v, %v", ok, err)
	}
	var syntax *SyntaxError
	if _, err := CompileLenient("(", time.Second); !errors.As(err, &syntax) || syntax.Reason != "Unterminated group" {
		t.Errorf("got %v", err)
	}
}

func TestEndsInTime(t *testing.T) {
	t.Parallel()
	re, err := Compile(`^(a+)+$`, 100*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	_, err = re.MatchString(strings.Repeat("a", 5000) + "!")
	if !errors.Is(err, ErrTimeout) {
		t.Errorf("got %v, want ErrTimeout", err)
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("took %s", took)
	}
}

func TestRefusesWhatItCannotRun(t *testing.T) {
	t.Parallel()
	for name, pattern := range map[string]string{
		"long":    strings.Repeat("a", MaxPattern+1),
		"deep":    strings.Repeat("(", 5000) + strings.Repeat(")", 5000),
		"no data": `\p{Emoji}`,
	} {
		if _, err := Compile(pattern, time.Second); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: got %v, want ErrUnsupported", name, err)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{"^a+$", `\p{L}`, "[a-z&&b]", `(?<n>a)\k<n>`, "a{2,3}?", `[\]-a]`, `\u{1F600}`, "(?<=a)b"} {
		f.Add(seed, "ab")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		re, err := CompileLenient(pattern, 50*time.Millisecond)
		if err != nil {
			return
		}
		if _, err := re.MatchString(text); err != nil && !errors.Is(err, ErrTimeout) {
			t.Errorf("%q: %v", pattern, err)
		}
	})
}
