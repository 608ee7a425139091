package sample

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// lingerLimit bounds how long a fault may keep a process alive: long enough for
// every check, short enough that a forgotten one goes away by itself.
const lingerLimit = 3 * time.Minute

// Main runs the sample server as a program: over stdio, or with --http ADDR over
// Streamable HTTP at /mcp. The other arguments are names of faults; "clean"
// stands for none. It returns the exit code: 0 at the end of the input or on
// SIGTERM, 1 when the server could not go on, 2 when the arguments are wrong.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("http", "", "serve Streamable HTTP at this `address` instead of stdio")
	opts := Options{Log: stderr}
	flags.StringVar(&opts.Shape, "shape", "", "`name` of a variant that a right server may have")
	flags.DurationVar(&opts.Delay, "delay", 0, "how long the slow shapes wait")
	flags.IntVar(&opts.Tools, "tools", 0, "how many tools more the shape big has, 0 for 300")
	flags.IntVar(&opts.PageSize, "page-size", 0, "most tools on one page, 0 for one page")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	for _, name := range flags.Args() {
		if name != "clean" {
			opts.Faults = append(opts.Faults, name)
		}
	}
	s, err := New(opts)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	return s.run(ctx, *addr, stdin, stdout, stderr)
}

// run honours what the faults ask of the process and serves.
func (s *Server) run(ctx context.Context, addr string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := s.Process()
	if p.Exit != nil {
		return *p.Exit
	}
	io.WriteString(stderr, p.Noise) //nolint:errcheck // nothing depends on it
	if p.Orphan {
		if err := startOrphan(); err != nil {
			fmt.Fprintln(stderr, err)
			return 1
		}
	}
	if p.IgnoreTerm {
		signal.Ignore(syscall.SIGTERM)
		defer signal.Reset(syscall.SIGTERM)
	} else {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, syscall.SIGTERM, os.Interrupt)
		defer stop()
	}
	if !wait(ctx, p.StartDelay) {
		return 0
	}
	var err error
	if addr != "" {
		err = s.serveHTTP(ctx, addr, stderr)
	} else {
		err = s.ServeStdio(ctx, stdin, stdout, stderr)
		if err == nil && p.Linger {
			wait(ctx, lingerLimit)
		}
		if ctx.Err() != nil {
			io.WriteString(stdout, p.Farewell) //nolint:errcheck // nothing depends on it
		}
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return p.EndCode
}

// wait sleeps unless ctx ends first, and says whether it slept through.
func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// startOrphan starts a child that nobody waits for. It ends by itself.
func startOrphan() error {
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		return fmt.Errorf("cannot start the child that the fault wants: %w", err)
	}
	return nil
}

func (s *Server) serveHTTP(ctx context.Context, addr string, stderr io.Writer) error {
	listener, err := net.Listen("tcp", s.listenAt(addr))
	if err != nil {
		return fmt.Errorf("cannot listen at %s: %w", addr, err)
	}
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second}
	fmt.Fprintf(stderr, "sample server at http://%s/mcp\n", listener.Addr())
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case <-ctx.Done():
		s.endSessions()
		quiet, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		if server.Shutdown(quiet) != nil {
			return server.Close()
		}
		return nil
	case <-s.dead:
		return errors.Join(ErrDied, server.Close())
	case err := <-served:
		return err
	}
}

// listenAt keeps a bare port on the loopback interface.
func (s *Server) listenAt(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || host != "" || s.Process().AllInterfaces {
		return addr
	}
	return net.JoinHostPort("127.0.0.1", port)
}
