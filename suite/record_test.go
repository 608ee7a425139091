package suite

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/agntn/conform/suite/sample"
)

// A recording that had to leave things out is judged as the run was: what was not
// kept is not seen, and no fault.
func TestReplayOfMoreThanIsKept(t *testing.T) {
	t.Parallel()
	cfg := Config{Evidence: 600_000, Target: Target{LikeStdio: true, Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
		s, err := sample.New(sample.Options{Shape: "big", Tools: 300})
		if err != nil {
			return err
		}
		return s.ServeStdio(ctx, in, out, io.Discard)
	}}}
	r, rec, err := Engine(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	over := 0
	for _, tape := range rec.Tapes {
		if tape.Over() {
			over++
		}
	}
	if over == 0 {
		t.Fatal("nothing was left out of the evidence")
	}
	var kept bytes.Buffer
	if err := WriteRecord(&kept, cfg, r, rec); err != nil {
		t.Fatal(err)
	}
	again, err := Replay(&kept, Config{})
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]string{}
	for _, o := range r.Outcomes {
		verdicts[o.ID] = string(o.Verdict) + " " + o.Message
		if o.Level != "host" && o.Verdict == "fail" {
			t.Errorf("%s: %s", o.ID, o.Message)
		}
	}
	for _, o := range again.Outcomes {
		if got := string(o.Verdict) + " " + o.Message; got != verdicts[o.ID] {
			t.Errorf("%s: %s when judged again, %s before", o.ID, got, verdicts[o.ID])
		}
	}
}
