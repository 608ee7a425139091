package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
)

// readBaseline reads the file of known findings; a missing one is empty when it is about to be written.
func readBaseline(path string, mayMiss bool) (report.Baseline, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) && mayMiss {
		return report.Baseline{}, nil
	}
	if err != nil {
		return report.Baseline{}, usage("the baseline: %v; make one with --update-baseline", err)
	}
	defer file.Close()
	b, err := report.ReadBaseline(file)
	if err != nil {
		return b, usage("the baseline %s: %v", path, err)
	}
	return b, nil
}

func baselineWriter(b report.Baseline) func(io.Writer) error {
	return func(w io.Writer) error { return report.WriteBaseline(w, b) }
}

func recordWriter(cfg suite.Config, r report.Report, rec *scenarios.Record) func(io.Writer) error {
	return func(w io.Writer) error { return suite.WriteRecord(w, cfg, r, rec) }
}

// commandLine repeats the run, without values that may be secret.
func commandLine(args []string) string {
	words := []string{"conform"}
	hide := false
	for _, a := range args {
		switch {
		case hide:
			k, _, _ := strings.Cut(a, "=")
			k, _, _ = strings.Cut(k, ":")
			a, hide = k+"…", false
		case a == "--env" || a == "--header":
			hide = true
		case strings.HasPrefix(a, "--env=") || strings.HasPrefix(a, "--header="):
			a, _, _ = strings.Cut(a, "=")
			a += "=…"
		}
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\$`&|;<>()*?[]#~!{}") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// printStats prints the figures of a run.
func printStats(w io.Writer, r report.Report) {
	s := r.Stats
	fmt.Fprintf(w, "\nwall %d ms (start %d, drive %d, judge %d, report %d), CPU %d ms\n", r.DurationMS, s.StartupMS, s.DriveMS, s.JudgeMS, s.ReportMS, s.CPUMS)
	fmt.Fprintf(w, "%d processes, %d requests, %d bytes sent, %d received, %d outcomes, memory %d MiB\n",
		s.Processes, s.Requests, s.BytesSent, s.BytesRecv, s.Outcomes, s.PeakMemory>>20)
	if s.FloorMS > 0 {
		fmt.Fprintf(w, "floor %d ms: what the server needs for the same frames alone; the run took %.2f times as long\n",
			s.FloorMS, float64(r.DurationMS)/float64(s.FloorMS))
	}
}
