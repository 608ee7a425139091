package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// TestShardsGiveTheWholeRun runs every check against the sample server once in one
// run and once in four shards: merged, the shards say the same in every word.
// Times, figures of the run and the frames themselves aside, for ids and moments
// differ from run to run.
func TestShardsGiveTheWholeRun(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(args ...string) {
		cmd := exec.Command(self, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "CONFORM_TEST_MAIN=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("conform %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	var wg sync.WaitGroup
	part := func(name string, more ...string) {
		wg.Go(func() {
			run(append([]string{"run", "--fail-on", "never", "--quiet", "--json", name, "--allow", "all", "--profile", "house", "--cmd", self + " serve unknown-tool-prototype presentation-label-shown"}, more...)...)
		})
	}
	part("whole.json")
	merge := []string{"merge", "merged.json"}
	for i := range 4 {
		name := fmt.Sprintf("shard%d.json", i+1)
		part(name, "--shard", fmt.Sprintf("%d/4", i+1))
		merge = append(merge, name)
	}
	if wg.Wait(); t.Failed() {
		return
	}
	run(merge...)
	load := func(name string) report.Report {
		r, err := readReport(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	whole, merged := load("whole.json"), load("merged.json")
	for i := range 4 {
		if n := len(load(fmt.Sprintf("shard%d.json", i+1)).Outcomes); n == 0 || n == len(whole.Outcomes) {
			t.Errorf("shard %d has %d of %d outcomes: it is no part", i+1, n, len(whole.Outcomes))
		}
	}
	if whole.Summary.Fail == 0 || whole.Summary.Pass < 500 {
		t.Errorf("the whole run proves little: %+v", whole.Summary)
	}
	if want := strings.ReplaceAll(whole.Command, "whole.json", "shard1.json"); merged.Command != want {
		t.Errorf("the merged report is repeated by %q, want %q", merged.Command, want)
	}
	if diff := cmp.Diff(comparable(whole), comparable(merged)); diff != "" {
		t.Errorf("-whole +merged:\n%.4000s", diff)
	}
}

// comparable leaves out what differs between two runs of the same.
func comparable(r report.Report) report.Report {
	r.Command, r.Started, r.DurationMS, r.Stats = "", time.Time{}, 0, nil
	outcomes := make([]scenarios.Outcome, len(r.Outcomes))
	for i, o := range r.Outcomes {
		o.DurationMS, o.Evidence, o.Repro = 0, nil, ""
		outcomes[i] = o
	}
	r.Outcomes = outcomes
	return r
}
