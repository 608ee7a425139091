package message

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// sample is a right frame and the revisions that it is right in.
type sample struct {
	Name, Since, Until, Method string
	Frame                      json.RawMessage
}

func (s sample) in(revision string) bool {
	return (&shape{Since: s.Since, Until: s.Until}).in(revision)
}

func samples(t testing.TB) []sample {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "frames.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []sample
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestShapesLoad(t *testing.T) {
	t.Parallel()
	if err := New().Load(); err != nil {
		t.Fatal(err)
	}
}

func TestRightFramesPass(t *testing.T) {
	t.Parallel()
	shapes := New()
	checked := 0
	for _, s := range samples(t) {
		for _, revision := range Revisions() {
			if !s.in(revision) {
				continue
			}
			checked++
			for _, f := range shapes.Check(revision, s.Frame, Context{Method: s.Method}) {
				t.Errorf("%s in %s: %+v", s.Name, revision, f)
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d frames were checked", checked)
	}
}
