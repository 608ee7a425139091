//go:build windows

package wire

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

const sigTerm = syscall.SIGTERM

// own puts the command into a process group of its own.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// signalGroup cannot be soft on Windows: every signal ends the process.
func signalGroup(cmd *exec.Cmd, _ os.Signal) { kill(cmd) }

func kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
		_ = cmd.Process.Kill()
	}
}
