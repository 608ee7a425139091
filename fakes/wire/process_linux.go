//go:build linux

package wire

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// own puts the command into a process group of its own and asks the kernel to
// kill it when conform itself is killed.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// spawner starts every command on one thread that never ends: the kernel
// sends the death signal when the thread that started a child ends.
type spawner struct {
	once sync.Once
	jobs chan func()
}

func (s *spawner) do(f func() error) error {
	s.once.Do(func() {
		s.jobs = make(chan func())
		go func() {
			runtime.LockOSThread()
			// Orphans of targets come back to conform, which can then end them.
			_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
			for job := range s.jobs {
				job()
			}
		}()
	})
	done := make(chan error, 1)
	s.jobs <- func() { done <- f() }
	return <-done
}

var theSpawner spawner // one thread a process is what the kernel's death signal needs

func start(cmd *exec.Cmd) error { return theSpawner.do(cmd.Start) }

// lastBreath is how long children of an ended server may take to end as well,
// before they count as left behind.
const lastBreath = 300 * time.Millisecond

// reap kills what is left of the command's group and every process that
// carries its mark in the environment, and names them.
func reap(cmd *exec.Cmd, mark string) []string {
	pid := cmd.Process.Pid
	found := marked(mark, pid)
	for end := time.Now().Add(lastBreath); len(found) > 0 && time.Now().Before(end); found = marked(mark, pid) {
		time.Sleep(30 * time.Millisecond)
	}
	var left []string
	for range 3 {
		if len(found) == 0 {
			break
		}
		for _, p := range found {
			if len(left) < 20 {
				left = append(left, p.String())
			}
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
		}
		_ = syscall.Kill(-pid, syscall.SIGKILL)
		time.Sleep(10 * time.Millisecond)
		for _, p := range found {
			var ws syscall.WaitStatus
			_, _ = syscall.Wait4(p.pid, &ws, syscall.WNOHANG, nil)
		}
		found = marked(mark, pid)
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	return left
}

// adopted says that conform may have children besides the servers on its lines:
// what outlives a server comes to conform. It looks at far less than reap does,
// and can overlook a child while another one ends.
func adopted() bool {
	own := trackedPIDs()
	threads, _ := filepath.Glob("/proc/self/task/*/children")
	for _, t := range threads {
		list, err := os.ReadFile(t)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return true
		}
		for _, pid := range strings.Fields(string(list)) {
			if !own[pid] {
				return true
			}
		}
	}
	return len(threads) == 0
}

// KillChildren kills every child of this program, and those of their children
// that come to it as orphans: a server may have left daemons that carry no mark.
// Only a program that starts nothing but servers may call it.
func KillChildren() {
	for range 50 {
		alive := false
		for _, p := range processes() {
			if p.parent == os.Getpid() && p.pid != os.Getpid() {
				alive = true
				_ = syscall.Kill(p.pid, syscall.SIGKILL)
				var ws syscall.WaitStatus
				_, _ = syscall.Wait4(p.pid, &ws, syscall.WNOHANG, nil)
			}
		}
		if !alive {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

type proc struct {
	pid, parent int
	name        string
	zombie      bool
}

func (p proc) String() string { return fmt.Sprintf("%s (pid %d)", p.name, p.pid) }

// processes lists all processes.
func processes() []proc {
	dirs, _ := os.ReadDir("/proc")
	var out []proc
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + d.Name() + "/stat")
		if err != nil {
			continue
		}
		open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
		if open < 0 || end < open {
			continue
		}
		p := proc{pid: pid, name: clean(string(stat[open+1:end]), 40)}
		if rest := strings.Fields(string(stat[end+1:])); len(rest) > 1 {
			p.zombie = rest[0] == "Z"
			p.parent, _ = strconv.Atoi(rest[1])
		}
		out = append(out, p)
	}
	return out
}

// marked finds living processes whose environment holds the mark or whose group is pgid.
func marked(mark string, pgid int) []proc {
	var out []proc
	for _, p := range processes() {
		if p.zombie || p.pid == os.Getpid() || p.pid == pgid {
			continue
		}
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
		if err != nil || !bytes.Contains(env, []byte(mark)) {
			if g, err := syscall.Getpgid(p.pid); err != nil || g != pgid {
				continue
			}
		}
		out = append(out, p)
	}
	return out
}
