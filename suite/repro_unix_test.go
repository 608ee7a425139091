//go:build unix

package suite

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

// run runs the line in a shell as it is printed.
func (l *line) run(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lineLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", l.outcome.Repro)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	begin := time.Now()
	raw, err := cmd.CombinedOutput()
	if cmd.Process != nil { // what a server left behind
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // there may be none
	}
	l.took = time.Since(begin)
	l.out = string(raw)
	if ctx.Err() != nil {
		l.err = fmt.Errorf("the line does not end in %s: %w", lineLimit, err)
	}
}

// TestLinesThatSendSignals runs lines against servers that end with a signal and
// that do not, with their input still open and after its end.
func TestLinesThatSendSignals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, server string
		open, left   bool
	}{
		{"ends", "cat; sleep 30", true, false},
		{"ignores it", "trap '' TERM; cat; sleep 30", true, true},
		{"ends after the end of input", "cat; exec sleep 30", false, false},
		{"ignores it after the end of input", "trap '' TERM; cat; exec sleep 30", false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := line{outcome: scenarios.Outcome{Repro: signalled(`{ printf '%s\n' hello; `, shellJoin([]string{"sh", "-c", tt.server}), "TERM", tt.open)}}
			l.run(t.Context())
			if l.err != nil || !strings.Contains(l.out, "hello") || strings.Contains(l.out, "still running") != tt.left {
				t.Errorf("%v: %s\n%s", l.err, l.outcome.Repro, l.out)
			}
		})
	}
}

// TestSignalsOfALine holds which signal a line sends, and when.
func TestSignalsOfALine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		did  string
		want string
		open bool
	}{
		{"", "", true},
		{"eof", "", false},
		{"sigterm", "TERM", true},
		{"sigint sigterm", "TERM", true},
		{"eof sigterm", "TERM", false},
		{"sigint eof", "INT", true},
	} {
		tape := wire.NewTape("001", wire.NewBudget(1<<20))
		for _, do := range strings.Fields(tt.did) {
			tape.Note("", "shutdown", do)
		}
		s := script{tape: tape, last: len(tape.Events())}
		if got, open := s.signal(); got != tt.want || open != tt.open {
			t.Errorf("%s: %q, open %t", tt.did, got, open)
		}
	}
}
