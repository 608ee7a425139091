//go:build !linux

package wire

import (
	"os/exec"
)

func start(cmd *exec.Cmd) error { return cmd.Start() }

// KillChildren kills every child of this program, where the system gives a
// program the orphans of its children.
func KillChildren() {}

// reap kills what is left of the command's group.
func reap(cmd *exec.Cmd, _ string) []string {
	kill(cmd)
	return nil
}

// adopted says that conform may have children besides the servers on its lines.
func adopted() bool { return true }
