package message

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRecordedFrames checks frames that a scripted server sent to real clients.
// Some of them were made wrong on purpose; those name their faults as level and path.
func TestRecordedFrames(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("testdata", "recorded.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	shapes := New()
	right, wrong := 0, 0
	for line := range bytes.Lines(raw) {
		var r struct {
			Revision, Method string
			Status           int
			Frame            json.RawMessage
			Faults           []string
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range shapes.Check(r.Revision, r.Frame, Context{Method: r.Method, Status: r.Status}) {
			got = append(got, string(f.Level)+" "+f.Path)
		}
		if d := cmp.Diff(r.Faults, got); d != "" {
			t.Errorf("%s %s\n%s\n%s", r.Revision, r.Method, r.Frame, d)
		}
		if len(r.Faults) == 0 {
			right++
		} else {
			wrong++
		}
	}
	if right < 130 || wrong < 40 {
		t.Errorf("%d right and %d wrong frames were read", right, wrong)
	}
}
