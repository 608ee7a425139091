package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSweepGoesOnAfterItWasKilled sweeps 20 servers, is killed with no time to write
// anything, then asked to stop, and ends complete the third time.
func TestSweepGoesOnAfterItWasKilled(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var list strings.Builder
	const servers = 20
	for i := range servers {
		fault := []string{"clean", "unknown-tool-prototype"}[i%2]
		fmt.Fprintf(&list, `{"name":"server-%02d","command":[%q,"serve",%q]}`+"\n", i, self, fault)
	}
	write(t, filepath.Join(dir, "targets.jsonl"), list.String())
	reports := func() []string {
		found, err := filepath.Glob(filepath.Join(dir, "out", "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	sweep := func() (*exec.Cmd, *strings.Builder) {
		cmd := exec.Command(self, "sweep", "targets.jsonl", "--out", "out", "--profile", "house", "--client", "sdk-v1", "--scenario", "unknown-tool")
		var out strings.Builder
		cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = dir, &out, &out, append(os.Environ(), "CONFORM_TEST_MAIN=1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd, &out
	}
	stop := func(signal os.Signal, after int) {
		t.Helper()
		cmd, _ := sweep()
		for deadline := time.Now().Add(time.Minute); len(reports()) < after; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d reports after a minute", len(reports()))
			}
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if n := len(reports()); n < after || n == servers {
			t.Fatalf("%d of %d reports when it was stopped: the middle was missed", n, servers)
		}
	}
	stop(syscall.SIGKILL, 4)
	killed := len(reports())
	stop(syscall.SIGTERM, killed+3)
	before := reports()

	cmd, out := sweep()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	if n := strings.Count(out.String(), ": done before"); n != len(before) {
		t.Errorf("%d servers were left out, %d had a report", n, len(before))
	}
	if want := "20 servers: 10 clean, 10 with failures, 0 could not be proven"; !strings.Contains(out.String(), want) {
		t.Errorf("%q is not said:\n%s", want, out.String())
	}
	whole := reports()
	if len(whole) != servers {
		t.Errorf("%d reports of %d servers", len(whole), servers)
	}
	outcomes := 0
	for i, name := range whole {
		r, err := readReport(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if i == 0 {
			outcomes = len(r.Outcomes)
		}
		if r.Interrupted || len(r.Outcomes) != outcomes || outcomes == 0 || r.Exit != i%2 {
			t.Errorf("%s: %d outcomes, exit %d, interrupted %v", filepath.Base(name), len(r.Outcomes), r.Exit, r.Interrupted)
		}
	}
}
