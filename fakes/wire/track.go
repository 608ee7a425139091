package wire

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strconv"
	"sync"
)

// live holds every running child, so that a crash or a signal can end them all.
type live struct {
	mu    sync.Mutex
	lines map[*Stdio]struct{}
	run   string
	count int
}

var running = live{lines: map[*Stdio]struct{}{}} // processes belong to the process that started them

func track(s *Stdio) {
	running.mu.Lock()
	defer running.mu.Unlock()
	running.lines[s] = struct{}{}
}

func untrack(s *Stdio) {
	running.mu.Lock()
	defer running.mu.Unlock()
	delete(running.lines, s)
}

// trackedPIDs are the process ids of the servers on all lines.
func trackedPIDs() map[string]bool {
	running.mu.Lock()
	defer running.mu.Unlock()
	out := map[string]bool{}
	for s := range running.lines {
		out[strconv.Itoa(s.cmd.Process.Pid)] = true
	}
	return out
}

// lineMark is the environment entry by which children of one line are known.
func lineMark() string {
	running.mu.Lock()
	defer running.mu.Unlock()
	if running.run == "" {
		b := make([]byte, 6)
		_, _ = rand.Read(b)
		running.run = hex.EncodeToString(b)
	}
	running.count++
	return fmt.Sprintf("CONFORM_LINE=%s.%d.", running.run, running.count)
}

// KillAll ends every process that lines of this program started. It is meant
// for the last moments: after a panic or a second interrupt.
func KillAll() {
	running.mu.Lock()
	lines := make([]*Stdio, 0, len(running.lines))
	for s := range running.lines {
		lines = append(lines, s)
	}
	running.mu.Unlock()
	for _, s := range lines {
		kill(s.cmd)
	}
	for _, s := range lines {
		reap(s.cmd, s.mark)
	}
}
