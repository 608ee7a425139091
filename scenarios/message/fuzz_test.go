package message

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCheck holds every frame against what Check promises: no panic, few and
// bounded faults that name a level, and the same faults each time.
func FuzzCheck(f *testing.F) {
	for _, s := range samples(f) {
		f.Add("2026-07-28", []byte(s.Frame), s.Method, true)
		f.Add("2025-03-26", []byte("["+string(s.Frame)+"]"), s.Method, false)
	}
	for _, odd := range []string{"", "\xef\xbb\xbf{}", `{"a":1,"a":2}`, `"\ud800"`, "[[[[", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":["text"]}]}}`} {
		f.Add("2025-11-25", []byte(odd), "tools/call", false)
	}
	shapes := New()
	f.Fuzz(func(t *testing.T, revision string, raw []byte, method string, malformed bool) {
		ctx := Context{Method: method, Malformed: malformed}
		got := shapes.Check(revision, raw, ctx)
		if len(got) > MaxFaults {
			t.Fatalf("%d faults", len(got))
		}
		for _, fault := range got {
			if fault.Expected == "" || rank(fault.Level) < 0 || !utf8.ValidString(fault.Path) || len(fault.Path) > maxPath+len("…") {
				t.Errorf("bad fault %+v", fault)
			}
			if len(fault.Observed) > maxObserved+len("…")+20 {
				t.Errorf("unbounded: %d bytes", len(fault.Observed))
			}
		}
		if len(got) == 0 && !json.Valid([]byte(strings.TrimPrefix(string(raw), "\ufeff"))) {
			t.Errorf("passed without being JSON: %q", raw)
		}
		if again := shapes.Check(revision, raw, ctx); len(again) != len(got) {
			t.Errorf("%d faults, then %d", len(got), len(again))
		}
	})
}
