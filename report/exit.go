package report

import (
	"fmt"

	"github.com/agntn/conform/scenarios"
)

// The exit codes of conform. They are part of its interface.
const (
	ExitOK          = 0   // nothing failed
	ExitFailed      = 1   // failed checks, or stale baseline entries
	ExitUsage       = 2   // a flag, a file or the configuration is wrong
	ExitNothing     = 3   // nothing was proven
	ExitSuite       = 4   // conform itself or the machine failed
	ExitInterrupted = 130 // stopped before its end; the report is partial
)

// FailOn says which findings make a run fail.
type FailOn string

// What --fail-on takes.
const (
	FailOnFail  FailOn = "fail"  // what the profile counts as a failure
	FailOnWarn  FailOn = "warn"  // warnings too
	FailOnNever FailOn = "never" // findings never fail the run; an unproven or broken run still does
)

// ParseFailOn reads the value of --fail-on; nothing means FailOnFail.
func ParseFailOn(s string) (FailOn, error) {
	switch f := FailOn(s); f {
	case "":
		return FailOnFail, nil
	case FailOnFail, FailOnWarn, FailOnNever:
		return f, nil
	}
	return "", fmt.Errorf("unknown value %q for --fail-on: use fail, warn or never", Bound(s, 40))
}

// Exit returns the exit code that goes with r. The worst reason wins: interrupted,
// an error of conform, a counted finding or a stale entry, nothing proven. Nothing
// is proven when no outcome observed anything, whatever the baseline says.
func Exit(r Report, failOn FailOn) int {
	if len(r.Servers) == 0 {
		return exitOne(r, failOn)
	}
	codes := make([]int, 0, len(r.Servers)+1)
	for _, s := range r.Servers {
		codes = append(codes, Exit(s, failOn))
	}
	if len(r.Outcomes) > 0 || r.Interrupted {
		codes = append(codes, exitOne(r, failOn))
	}
	return worstExit(codes)
}

func exitOne(r Report, failOn FailOn) int {
	if r.Interrupted {
		return ExitInterrupted
	}
	var proven, failed bool
	for _, o := range r.Outcomes {
		switch o.Verdict {
		case scenarios.Error:
			return ExitSuite
		case scenarios.Pass, scenarios.Fail, scenarios.Warn, scenarios.Info:
			proven = true
		}
		failed = failed || counts(o, failOn)
	}
	switch {
	case !proven:
		return ExitNothing
	case failOn == FailOnNever:
		return ExitOK
	case failed, len(r.Stale) > 0:
		return ExitFailed
	}
	return ExitOK
}

// counts reports whether an outcome makes a run fail.
func counts(o scenarios.Outcome, failOn FailOn) bool {
	switch {
	case excused(o), failOn == FailOnNever:
		return false
	case o.Verdict == scenarios.Warn:
		return o.Gate || failOn == FailOnWarn
	}
	return o.Gate
}

// excused reports a finding that a baseline or a waiver took out of the gate.
func excused(o scenarios.Outcome) bool { return o.Known || o.Waived != "" }

// worstExit combines the codes of several runs: one that proved nothing is
// outweighed by none that failed, and outweighs those that passed.
func worstExit(codes []int) int {
	for _, worst := range []int{ExitInterrupted, ExitSuite, ExitUsage, ExitFailed, ExitNothing} {
		for _, c := range codes {
			if c == worst {
				return worst
			}
		}
	}
	return ExitOK
}

// ExitMeaning says in a few words what an exit code means.
func ExitMeaning(code int) string {
	switch code {
	case ExitOK:
		return "nothing failed"
	case ExitFailed:
		return "checks failed"
	case ExitUsage:
		return "wrong flags or configuration"
	case ExitNothing:
		return "nothing proven"
	case ExitSuite:
		return "conform itself failed"
	case ExitInterrupted:
		return "interrupted, the report is partial"
	}
	return "unknown"
}
