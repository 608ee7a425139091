//go:build unix

package sample

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	t.Cleanup(func() {
		if cmd.Process != nil {
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // it may be gone
		}
	})
	return cmd
}

// TestEndOfInput answers what is in flight and ends well.
func TestEndOfInput(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ input, want string }{
		"nothing":       {"", ""},
		"blank":         {"\n\n", ""},
		"quick":         {handshake, `"protocolVersion":"2025-11-25"`},
		"last line cut": {strings.TrimSuffix(handshake, "\n"), `"protocolVersion":"2025-11-25"`},
		"slow":          {handshake + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count_up"}}` + "\n", "Counted to 3."},
		"question":      {handshake + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"tea_advice","arguments":{"time":"noon"}}}` + "\n", "tea_advice failed: the client is gone"},
	} {
		var out bytes.Buffer
		srv := newServer(t, Options{})
		if err := srv.ServeStdio(context.Background(), strings.NewReader(tc.input), &out, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(out.String(), tc.want) || tc.want == "" && out.Len() > 0 {
			t.Errorf("%s: got %s, want %s", name, out.String(), tc.want)
		}
		if out.Len() > 0 && !strings.HasSuffix(out.String(), "}\n") {
			t.Errorf("%s: the last line is not whole: %q", name, out.String())
		}
	}
}

// TestEndOfPatience gives a call that takes too long up after the input ended.
func TestEndOfPatience(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	input := handshake + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count_up","arguments":{"to":100,"pause_ms":1000}}}` + "\n"
	begin := time.Now()
	if err := newServer(t, Options{}).ServeStdio(context.Background(), strings.NewReader(input), &out, nil); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took < endGrace || took > endGrace+10*time.Second {
		t.Errorf("ended after %s", took)
	}
}

func TestContextEnds(t *testing.T) {
	t.Parallel()
	in, _ := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, stop)
	if err := newServer(t, Options{}).ServeStdio(ctx, in, io.Discard, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// failingWriter is a client that has gone.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestOutputEnds(t *testing.T) {
	t.Parallel()
	in, w := io.Pipe()
	go io.WriteString(w, handshake) //nolint:errcheck // the server may be gone
	if err := newServer(t, Options{}).ServeStdio(context.Background(), in, failingWriter{}, nil); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
}

func TestUnknownNames(t *testing.T) {
	t.Parallel()
	for _, opts := range []Options{{Faults: []string{"nope"}}, {Shape: "nope"}} {
		if _, err := New(opts); err == nil || !strings.Contains(err.Error(), `"nope"`) {
			t.Errorf("%+v: %v", opts, err)
		}
	}
}

// TestMainArguments runs the program in the process with arguments right and wrong.
func TestMainArguments(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{nil, 0, `"name":"sample"`, ""},
		{[]string{"clean"}, 0, `"name":"sample"`, ""},
		{[]string{"opening-server-info"}, 0, `"name":"sample"`, ""},
		{[]string{"--shape", "tools-only"}, 0, `"capabilities":{"tools":{}}`, ""},
		{[]string{"framing-stdout-clean"}, 0, "Sample server 1.0.0 listening on stdio\n{", ""},
		{[]string{"opening-answers-initialize-exit"}, 1, "", ""},
		{[]string{"shutdown-exit-status"}, 3, `"name":"sample"`, ""},
		{[]string{"opening-twice"}, 0, `"name":"sample"`, ""},
		{[]string{"framing-stderr-text"}, 0, `"name":"sample"`, "started \xff"},
		{[]string{"nope"}, 2, "", `unknown fault "nope"`},
		{[]string{"--shape", "nope"}, 2, "", `unknown shape "nope"`},
		{[]string{"--nope"}, 2, "", "flag provided but not defined"},
		{[]string{"--http", "nowhere:xx"}, 1, "", "cannot listen"},
		{[]string{"--help"}, 0, "", "address"},
	} {
		var out, errs bytes.Buffer
		code := Main(context.Background(), tc.args, strings.NewReader(handshake), &out, &errs)
		if code != tc.code || !strings.Contains(out.String(), tc.stdout) || !strings.Contains(errs.String(), tc.stderr) {
			t.Errorf("%v: exit %d\n%s\n%s", tc.args, code, out.String(), errs.String())
		}
	}
}

// start runs the program and does the handshake.
func start(t *testing.T, args ...string) (*exec.Cmd, io.WriteCloser, *bufio.Reader) {
	t.Helper()
	cmd := program(t, args...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(stdout)
	if _, err := io.WriteString(stdin, handshake); err != nil {
		t.Fatal(err)
	}
	if line, err := r.ReadString('\n'); err != nil || !strings.Contains(line, "sample") {
		t.Fatalf("no handshake: %q, %v", line, err)
	}
	return cmd, stdin, r
}

// ends says whether the program ends by itself within a time.
func ends(cmd *exec.Cmd, within time.Duration) bool {
	done := make(chan struct{})
	go func() { cmd.Wait(); close(done) }() //nolint:errcheck // the exit code is looked at elsewhere
	select {
	case <-done:
		return true
	case <-time.After(within):
		return false
	}
}

// TestProcess ends the process in each way, right and with the faults of shutting down.
func TestProcess(t *testing.T) {
	t.Parallel()
	closeInput := func(_ *exec.Cmd, stdin io.Closer) { stdin.Close() }                    //nolint:errcheck // a pipe always closes
	terminate := func(cmd *exec.Cmd, _ io.Closer) { cmd.Process.Signal(syscall.SIGTERM) } //nolint:errcheck // it runs
	nonsense := func(_ *exec.Cmd, stdin io.Closer) {
		io.WriteString(stdin.(io.Writer), "nonsense\n") //nolint:errcheck // it may be gone
	}
	for _, tc := range []struct {
		name string
		args []string
		do   func(cmd *exec.Cmd, stdin io.Closer)
		ends bool
		code int
	}{
		{"input ends", nil, closeInput, true, 0},
		{"SIGTERM", nil, terminate, true, 0},
		{"input ends, fault", []string{"shutdown-eof-exits"}, closeInput, false, 0},
		{"SIGTERM, fault", []string{"shutdown-sigterm-exits"}, terminate, false, 0},
		{"death", []string{"envelope-malformed-line-survived"}, nonsense, true, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			cmd, stdin, _ := start(t, tc.args...)
			tc.do(cmd, stdin)
			limit := 5 * time.Second
			if !tc.ends {
				limit = 700 * time.Millisecond
			}
			if got := ends(cmd, limit); got != tc.ends {
				t.Fatalf("ended: %t", got)
			}
			if tc.ends && cmd.ProcessState.ExitCode() != tc.code {
				t.Errorf("exit %d", cmd.ProcessState.ExitCode())
			}
		})
	}
}

// TestOrphan leaves a child behind, where the fault says so.
func TestOrphan(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]bool{"clean": false, "shutdown-no-orphans": true} {
		cmd, stdin, _ := start(t, fault)
		stdin.Close() //nolint:errcheck // a pipe always closes
		if !ends(cmd, 5*time.Second) {
			t.Fatalf("%s: still running", fault)
		}
		left := syscall.Kill(-cmd.Process.Pid, 0) == nil
		if left != want {
			t.Errorf("%s: a child is left: %t", fault, left)
		}
	}
}

// TestHTTPProgram serves over HTTP and ends on SIGTERM.
func TestHTTPProgram(t *testing.T) {
	t.Parallel()
	cmd := program(t, "--http", ":0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "sample server at http://127.0.0.1:") {
		t.Fatalf("got %q, %v", line, err)
	}
	cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it runs
	if !ends(cmd, 5*time.Second) || cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("SIGTERM did not end it well: %v", cmd.ProcessState)
	}
}
