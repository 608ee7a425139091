//go:build !linux

package wire

import (
	"os/exec"
)

func start(cmd *exec.Cmd) error { return cmd.Start() }

// reap kills what is left of the command's group.
func reap(cmd *exec.Cmd, _ string) []string {
	kill(cmd)
	return nil
}
