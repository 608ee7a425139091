//go:build unix

package wire

import (
	"os"
	"os/exec"
	"syscall"
)

const sigTerm = syscall.SIGTERM

func signalGroup(cmd *exec.Cmd, sig os.Signal) {
	if s, ok := sig.(syscall.Signal); ok && cmd.Process != nil {
		// The client signals its child only; the group is killed at the end.
		_ = cmd.Process.Signal(s)
	}
}

func kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Process.Kill()
	}
}
