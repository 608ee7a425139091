package suite_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
	"github.com/agntn/conform/suite/fixtures"
	"github.com/agntn/conform/suite/sample"
)

// benchRun makes a default run and measures the floor of its frames right after it.
func benchRun(b *testing.B, target suite.Target) {
	b.Helper()
	set, err := fakes.Load()
	if err != nil {
		b.Fatal(err)
	}
	var run, floor, requests, lost float64
	for b.Loop() {
		cfg := suite.Config{Target: target, Clients: set.Defaults()}
		begin := time.Now()
		r, rec, err := suite.Engine(b.Context(), cfg)
		if err != nil {
			b.Fatal(err)
		}
		run += float64(time.Since(begin).Milliseconds())
		requests += float64(r.Stats.Requests)
		f, err := suite.MeasureFloor(b.Context(), cfg, suite.Tapes(rec))
		if err != nil {
			b.Fatal(err)
		}
		floor += float64(f.Wall.Milliseconds())
		lost += float64(f.Lost)
	}
	n := float64(b.N)
	b.ReportMetric(run/n, "run-ms/op")
	b.ReportMetric(floor/n, "floor-ms/op")
	b.ReportMetric(run/floor, "run/floor")
	b.ReportMetric(requests/n, "requests/op")
	b.ReportMetric(lost/n, "lost/op") // answers that the floor waited for in vain
}

// BenchmarkNode is a default run on a Node server of both eras over stdio.
func BenchmarkNode(b *testing.B) {
	benchRun(b, overStdio(fixtures.Require(b, "sdk-v2-lowlevel")))
}

// BenchmarkLatency is a default run over HTTP on a server that answers after a
// pause, as one far away does.
func BenchmarkLatency(b *testing.B) {
	for _, pause := range []time.Duration{0, 50 * time.Millisecond, 200 * time.Millisecond} {
		b.Run(pause.String(), func(b *testing.B) {
			s, err := sample.New(sample.Options{})
			if err != nil {
				b.Fatal(err)
			}
			h := s.Handler()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(pause)
				h.ServeHTTP(w, r)
			}))
			b.Cleanup(srv.Close)
			benchRun(b, suite.Target{URL: srv.URL + "/mcp"})
		})
	}
}

// BenchmarkOfficial runs the programs of conform and of the official conformance
// suite on the same server over HTTP, one after the other, and counts what each
// of them judged.
func BenchmarkOfficial(b *testing.B) {
	folder, err := filepath.Abs("testdata/npm-bench/node_modules/.bin")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "conformance")); err != nil {
		b.Skip("the official suite is not installed: set CONFORM_BENCH=1 for scripts/test, or run npm ci in suite/testdata/npm-bench")
	}
	target := fixtures.Require(b, "everything")
	url := fixtures.StartHTTP(b, target)
	program := filepath.Join(b.TempDir(), "conform")
	if text, err := exec.CommandContext(b.Context(), "go", "build", "-o", program, "../cmd/conform").CombinedOutput(); err != nil {
		b.Fatalf("cannot build the program: %v\n%s", err, text)
	}
	official := func() (checks int, took time.Duration) {
		out := b.TempDir()
		begin := time.Now()
		cmd := exec.CommandContext(b.Context(), filepath.Join(folder, "node"), filepath.Join(folder, "conformance"), "server", "--url", url, "-o", out)
		text, err := cmd.CombinedOutput()
		took = time.Since(begin)
		if checks = officialChecks(b, out); checks == 0 {
			b.Fatalf("the official suite judged nothing: %v\n%s", err, text)
		}
		return checks, took
	}
	official() // both are to meet a server that is warm
	var ours, theirs time.Duration
	var judged, checked int
	for b.Loop() {
		n, took := conformRun(b, program, url)
		ours += took
		judged += n
		n, took = official()
		theirs += took
		checked += n
	}
	n := float64(b.N)
	b.ReportMetric(ours.Seconds()/n, "conform-s/op")
	b.ReportMetric(theirs.Seconds()/n, "official-s/op")
	b.ReportMetric(float64(judged)/n, "conform-checks/op")
	b.ReportMetric(float64(checked)/n, "official-checks/op")
	b.ReportMetric(float64(judged)/ours.Seconds()/(float64(checked)/theirs.Seconds()), "checks-a-second-ratio")
}

// conformRun runs the program as a person does, and counts what it judged.
func conformRun(b *testing.B, program, url string) (checks int, took time.Duration) {
	b.Helper()
	file := filepath.Join(b.TempDir(), "report.json")
	begin := time.Now()
	text, err := exec.CommandContext(b.Context(), program, "run", "--url", url, "--json", file).CombinedOutput()
	took = time.Since(begin)
	raw, readErr := os.ReadFile(file)
	if readErr != nil {
		b.Fatalf("no report: %v\n%s", err, text)
	}
	var r report.Report
	if err := json.Unmarshal(raw, &r); err != nil {
		b.Fatal(err)
	}
	return distinct(r), took
}

// distinct counts the checks that came to a verdict on the target.
func distinct(r report.Report) int {
	seen := map[string]bool{}
	for _, o := range r.Outcomes {
		switch o.Verdict {
		case scenarios.Pass, scenarios.Fail, scenarios.Warn, scenarios.Info:
			seen[o.Check] = true
		}
	}
	return len(seen)
}

// officialChecks counts the distinct checks in the results that the official suite wrote.
func officialChecks(b *testing.B, folder string) int {
	b.Helper()
	seen := map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "checks.json") {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var checks []struct{ ID, Status string }
		if err := json.Unmarshal(raw, &checks); err != nil {
			return err
		}
		for _, c := range checks {
			if c.Status != "SKIPPED" && c.Status != "INFO" {
				seen[c.ID] = true
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return len(seen)
}
