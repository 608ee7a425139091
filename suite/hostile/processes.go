package hostile

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// deaf makes the process ignore every signal that can be ignored.
func deaf() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE, syscall.SIGUSR1, syscall.SIGUSR2)
}

// child starts a child of this program that stays alive and ignores signals.
// change may alter the command; nobody waits for it.
func (p *Process) child(change func(*exec.Cmd)) {
	cmd := exec.Command(p.Child[0], p.Child[1:]...)
	if change != nil {
		change(cmd)
	}
	if cmd.Start() == nil {
		go cmd.Wait() //nolint:errcheck // only so that it does not stay a zombie
	}
}

// Stay is what such a child does.
func Stay() {
	deaf()
	hang()
}

// Twice starts such a child in a session of its own and with nothing in its
// environment, and ends at once, so that the child has no parent left.
func Twice(command []string) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// processServers misuse what a process may do.
func processServers() []Server {
	return []Server{
		{Name: "ends-at-once", About: "ends with status 3 and words on stderr before it reads anything", Stdio: func(p *Process) {
			fmt.Fprintf(p.Err, "%s\n", texts[0])
			os.Exit(3)
		}},
		{Name: "kills-itself", About: "kills itself on the third frame", Stdio: func(p *Process) {
			(&talk{}).stdio(firstOf(p, 2))
			_ = syscall.Kill(os.Getpid(), syscall.SIGSEGV)
			hang()
		}},
		{Name: "stops-itself", About: "stops itself as by a terminal's control-Z on the third frame", Stdio: func(p *Process) {
			(&talk{}).stdio(firstOf(p, 3))
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			hang()
		}},
		overStdio("ends-at-each-call", "ends in the middle of the answer to each call", talk{answer: func(w io.Writer, r request) bool {
			if r.method != "tools/call" {
				return false
			}
			fmt.Fprintf(os.Stdout, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"te`, r.id)
			os.Exit(1)
			return true
		}}),
		{Name: "ignores-signals", About: "ignores every signal and the end of its input", Stdio: func(p *Process) {
			deaf()
			(&talk{}).stdio(p)
			hang()
		}},
		{Name: "children", About: "starts children that ignore signals and outlive it", Stdio: func(p *Process) {
			p.child(nil)
			p.child(func(c *exec.Cmd) { c.Stdout, c.Stderr = p.Out, p.Err })
			(&talk{}).stdio(p)
		}},
		{Name: "children-of-own-sessions", About: "starts children in sessions of their own that hold stdout open", Stdio: func(p *Process) {
			for range 3 {
				p.child(func(c *exec.Cmd) {
					c.Stdout, c.Stderr = p.Out, p.Err
					c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
				})
			}
			(&talk{}).stdio(p)
		}},
		{Name: "daemons", About: "leaves daemons behind: no parent, no environment, a session of their own", Stdio: func(p *Process) {
			cmd := exec.Command(p.Child[0], "hostile-twice", p.Child[2])
			_ = cmd.Run()
			(&talk{}).stdio(p)
		}},
		{Name: "children-for-each-call", About: "starts five children for each call and never waits", Stdio: func(p *Process) {
			t := talk{before: func(_ io.Writer, r request) {
				for range 5 {
					if r.method == "tools/call" {
						p.child(nil)
					}
				}
			}}
			t.stdio(p)
		}},
		{Name: "child-talks-on", About: "ends at once and lets a child talk in its place", Stdio: func(p *Process) {
			cmd := exec.Command(p.Child[0], "hostile-talk", p.Child[2])
			cmd.Stdin, cmd.Stdout, cmd.Stderr = p.In, p.Out, p.Err
			if cmd.Start() == nil {
				os.Exit(0)
			}
		}},
		{Name: "slow-to-end", About: "needs a minute to end once it is told to", Stdio: func(p *Process) {
			deaf()
			(&talk{}).stdio(p)
			time.Sleep(time.Minute)
		}},
		{Name: "dies-on-the-first-line", About: "ends as soon as it has read one line", Stdio: func(p *Process) {
			_, _ = bufio.NewReader(p.In).ReadString('\n')
		}},
	}
}

// Talk is a child that talks in its parent's place, deaf to signals.
func Talk(p *Process) {
	deaf()
	(&talk{}).stdio(p)
	hang()
}
