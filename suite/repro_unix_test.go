//go:build unix

package suite

import (
	"context"
	"fmt"
	"os/exec"
	"syscall"
	"time"
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
	l.took = time.Since(begin)
	l.out = string(raw)
	if ctx.Err() != nil {
		l.err = fmt.Errorf("the line does not end in %s: %w", lineLimit, err)
	}
}
