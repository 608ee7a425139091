package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/report"
)

// version is set when a release is built.
var version = "" // filled in by the linker

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	// args are the words of the command line, without the program.
	args []string
}

// exitError carries an exit code out of a command. Its text may be empty when
// everything was said.
type exitError struct {
	code int
	text string
}

func (e *exitError) Error() string { return e.text }

// usage is a mistake of the user's: exit code 2.
func usage(format string, args ...any) error {
	return &exitError{report.ExitUsage, fmt.Sprintf(format, args...)}
}

// softMemory is what the program tries to stay within, in bytes, whatever a target sends.
const softMemory = 180 << 20

// Main runs the command line and returns the exit code.
func Main(args []string, in io.Reader, out, errOut io.Writer) (code int) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	ctx, stop := context.Background(), func() {}
	if len(args) == 0 || args[0] != "record" { // record passes signals on to the server
		said := errOut
		if len(args) > 0 && args[0] == "serve" { // a server that is ended has nothing to say
			said = io.Discard
		}
		ctx, stop = interrupts(said)
	}
	defer stop()
	defer wire.KillAll()
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(errOut, "conform: failed by itself: %v\n", r)
			code = report.ExitSuite
		}
	}()
	root := newRoot(streams{in, out, errOut, args})
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errOut)
	root.SetIn(in)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return report.ExitOK
	}
	var ee *exitError
	if !errors.As(err, &ee) {
		// Whatever cobra itself refuses is a mistake on the command line.
		ee = &exitError{report.ExitUsage, strings.TrimSpace(err.Error())}
	}
	if ee.text != "" {
		fmt.Fprintf(errOut, "conform: %s\n", report.Visible(ee.text))
	}
	return ee.code
}

// interrupts ends the context at the first interrupt; the second one kills
// every child and leaves at once.
func interrupts(errOut io.Writer) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		select {
		case <-ch:
			fmt.Fprintln(errOut, "conform: interrupted, writing what is there; once more to stop at once")
			cancel()
		case <-done:
			return
		}
		select {
		case <-ch:
			wire.KillAll()
			os.Exit(report.ExitInterrupted)
		case <-done:
		}
	}()
	return ctx, func() { signal.Stop(ch); close(done); cancel() }
}

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "conform",
		Short:         "See how an MCP server behaves under the clients people really use",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       versionText(),
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(newRun(s), newList(s), newExplain(s), newReplay(s), newMerge(s), newDiff(s), newRecord(s), newSweep(s), newInit(s), newServe(s), newMan(s))
	for _, c := range root.Commands() {
		completeFlags(c)
	}
	return root
}

// versionText names the version, or the commit of a build from source.
func versionText() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, kv := range info.Settings {
		if kv.Key == "vcs.revision" && len(kv.Value) >= 12 {
			return "dev-" + kv.Value[:12]
		}
	}
	return "dev"
}
