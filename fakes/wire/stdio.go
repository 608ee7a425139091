package wire

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// Command says how to start a stdio target.
type Command struct {
	Args []string
	Dir  string
	// Env is the whole environment, "K=V".
	Env []string
}

// Limits bound what a target may make conform hold.
type Limits struct {
	// Frame is the largest frame kept, in bytes.
	Frame int
	// Line is how many bytes one line may send in all before it is cut off.
	Line int64
	// Events is how many frames one line may send in all.
	Events int
	// Stderr is how many bytes of stderr are kept.
	Stderr int
	// Desk bounds the large frames of all lines that share it; nil for no bound.
	Desk *Desk
}

// DefaultLimits are 16 MiB a frame, two large frames at a time, 256 MiB and
// 200,000 frames a line, 64 KiB of stderr.
func DefaultLimits() Limits {
	return Limits{Frame: 16 << 20, Line: 256 << 20, Events: 200_000, Stderr: 64 << 10, Desk: NewDesk(2)}
}

// Stdio is a line to a child process.
type Stdio struct {
	tape   *Tape
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	limits Limits
	mark   string

	writes chan write
	dead   chan struct{} // stdout has ended or the process is gone
	exited chan struct{} // the process was waited for
	status string

	mu     sync.Mutex
	closed bool
}

type write struct {
	frame Frame
	done  chan error
}

// StartStdio starts the command in a process group of its own. Everything it
// prints on stdout is a frame on the tape, whatever it is.
func StartStdio(c Command, tape *Tape, limits Limits) (*Stdio, error) {
	if len(c.Args) == 0 {
		return nil, errors.New("no command given: name the program that starts the server")
	}
	s := &Stdio{
		tape: tape, limits: limits, mark: lineMark(),
		writes: make(chan write), dead: make(chan struct{}), exited: make(chan struct{}),
	}
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Dir = c.Dir
	cmd.Env = append(append([]string{}, c.Env...), s.mark)
	own(cmd)
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("no pipe for the server's stdout: %w", err)
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("no pipe for the server's stderr: %w", err)
	}
	cmd.Stdout, cmd.Stderr = outW, errW
	s.stdin, err = cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("no pipe for the server's stdin: %w", err)
	}
	if err := start(cmd); err != nil {
		outR.Close()
		outW.Close()
		errR.Close()
		errW.Close()
		return nil, startError(c, err)
	}
	outW.Close()
	errW.Close()
	s.cmd = cmd
	track(s)
	go s.readErr(errR)
	go s.readOut(outR)
	go s.writeLoop()
	go s.wait(outR)
	return s, nil
}

func startError(c Command, err error) error {
	name := c.Args[0]
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("cannot start %q: no such program; check the command and the PATH", name)
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("cannot start %q: not executable; check its permissions or name an interpreter", name)
	}
	return fmt.Errorf("cannot start %q: %w", name, err)
}

// Tape returns the transcript.
func (s *Stdio) Tape() *Tape { return s.tape }

// Dead is closed when stdout has ended.
func (s *Stdio) Dead() <-chan struct{} { return s.dead }

// Exited is closed when the process has ended.
func (s *Stdio) Exited() <-chan struct{} { return s.exited }

// PID returns the process id.
func (s *Stdio) PID() int { return s.cmd.Process.Pid }

// Send hands one frame to the writer. A target that does not read its stdin
// makes it wait until ctx ends.
func (s *Stdio) Send(ctx context.Context, f Frame) (Sent, error) {
	w := write{frame: f, done: make(chan error, 1)}
	select {
	case s.writes <- w:
	case <-s.dead:
		return nil, ErrDead
	case <-ctx.Done():
		return nil, fmt.Errorf("the server does not read its stdin: %w", ctx.Err())
	}
	select {
	case err := <-w.done:
		return stdioSent{}, settled(err, s.dead)
	case <-s.exited:
		return stdioSent{}, ErrDead
	case <-ctx.Done():
		return nil, fmt.Errorf("the server does not read its stdin: %w", ctx.Err())
	}
}

type stdioSent struct{}

func (stdioSent) Drop()                 {}
func (stdioSent) Post() int             { return 0 }
func (stdioSent) Done() <-chan struct{} { return nil }

func (s *Stdio) writeLoop() {
	for {
		select {
		case w := <-s.writes:
			s.tape.Append(Event{Kind: Send, Raw: w.frame.Raw, Probe: w.frame.Probe, Chunks: w.frame.Chunks})
			w.done <- s.write(w.frame)
		case <-s.exited:
			return
		}
	}
}

func (s *Stdio) write(f Frame) error {
	raw := f.Raw
	if !f.NoNewline {
		raw = append(bytes.Clone(raw), '\n')
	}
	return writeIn(s.stdin, raw, f.Chunks)
}

// writeIn writes raw in pieces that end at the given offsets, with a pause between.
func writeIn(w io.Writer, raw []byte, chunks []int) error {
	at := 0
	for _, cut := range append(chunks, len(raw)) {
		if cut <= at || cut > len(raw) {
			continue
		}
		if at > 0 {
			time.Sleep(5 * time.Millisecond)
		}
		if _, err := w.Write(raw[at:cut]); err != nil {
			return ErrDead
		}
		at = cut
	}
	return nil
}

// lastBytes is how long a failed write waits for what the server wrote before
// it went: only when that was read the line is dead for everybody.
const lastBytes = 500 * time.Millisecond

func settled(err error, dead <-chan struct{}) error {
	if err != nil {
		select {
		case <-dead:
		case <-time.After(lastBytes):
		}
	}
	return err
}

// readOut turns stdout into frames until it ends or a limit is passed.
func (s *Stdio) readOut(out io.ReadCloser) {
	defer close(s.dead)
	defer out.Close()
	r := bufio.NewReaderSize(out, 64<<10)
	g := gather{limit: s.limits.Frame, desk: s.limits.Desk}
	defer g.drop()
	var total int64
	count := 0
	for {
		size, err := g.line(r)
		total += size
		if size > 0 {
			count++
			status := ""
			if err != nil {
				status = "unfinished" // the output ended before the line feed
			}
			frame, cut := g.frame()
			s.tape.Append(Event{Kind: Recv, Raw: frame, Cut: cut, Status: status})
			g.drop()
		}
		if err != nil && err != errLong {
			return
		}
		if err != nil || total > s.limits.Line || count > s.limits.Events {
			s.tape.Note("", "flood", fmt.Sprintf("cut off: the server wrote %d frames, %d bytes on this line", count, total))
			kill(s.cmd)
			return
		}
	}
}

func (s *Stdio) readErr(r io.ReadCloser) {
	defer r.Close()
	kept := 0
	br := bufio.NewReaderSize(r, 16<<10)
	g := gather{limit: 2 << 10}
	for {
		_, err := g.line(br)
		line, _ := g.frame()
		g.drop()
		if len(line) > 0 && kept < s.limits.Stderr {
			kept += len(line)
			s.tape.Append(Event{Kind: Stderr, Raw: line})
		}
		if err != nil && err != errLong {
			return
		}
	}
}

func (s *Stdio) wait(out *os.File) {
	err := s.cmd.Wait()
	s.mu.Lock()
	s.status = "exit status 0"
	if err != nil {
		s.status = err.Error()
	}
	s.mu.Unlock()
	// What the process wrote before it ended is still in the pipe. A child that
	// holds stdout open must not keep the line alive for ever.
	select {
	case <-s.dead:
	case <-time.After(500 * time.Millisecond):
		out.SetReadDeadline(time.Now())
		<-s.dead
	}
	s.tape.Append(Event{Kind: Exit, Status: s.status})
	close(s.exited)
}

// Close walks the shutdown steps until the process is gone, then kills what is
// left of its group and whatever carries its mark.
func (s *Stdio) Close(steps Shutdown) Ending {
	s.mu.Lock()
	was := s.closed
	s.closed = true
	s.mu.Unlock()
	end := Ending{}
	if !was {
		begin := time.Now()
		for _, st := range steps {
			if s.gone(0) {
				break
			}
			s.tape.Note("", "shutdown", st.Do)
			s.step(st.Do)
			end.By = st.Do
			if s.gone(st.Wait) {
				break
			}
		}
		end.Took = time.Since(begin)
	}
	if !s.gone(0) {
		kill(s.cmd)
		s.gone(2 * time.Second)
	}
	s.stdin.Close()
	if !slices.Equal(steps, Quick()) || adopted() {
		end.Orphans = reap(s.cmd, s.mark)
	}
	if len(end.Orphans) > 0 {
		s.tape.Note("", "orphans", "still running after the server ended: "+strings.Join(end.Orphans, "; "))
	}
	untrack(s)
	s.mu.Lock()
	end.Status = s.status
	s.mu.Unlock()
	return end
}

func (s *Stdio) step(do string) {
	switch do {
	case "eof":
		s.stdin.Close()
	case "sigint":
		signalGroup(s.cmd, os.Interrupt)
	case "sigterm":
		signalGroup(s.cmd, sigTerm)
	case "sigkill":
		kill(s.cmd)
	}
}

func (s *Stdio) gone(wait time.Duration) bool {
	select {
	case <-s.exited:
		return true
	default:
	}
	if wait <= 0 {
		return false
	}
	select {
	case <-s.exited:
		return true
	case <-time.After(wait):
		return false
	}
}
