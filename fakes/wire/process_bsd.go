//go:build unix && !linux

package wire

import (
	"os/exec"
	"syscall"
)

// own puts the command into a process group of its own.
func own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
