package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/agntn/conform/suite"
)

func newRecord(s streams) *cobra.Command {
	var dir, endpoint, listen, id string
	c := &cobra.Command{
		Use:   "record [--out DIR] [--url URL] -- command args...",
		Short: "Stand between a real host and a server and write down what they say",
		Long: `Put 'conform record --out DIR --' before the server's command in the host's
configuration. Bytes pass through untouched. When the host is done, DIR holds a
transcript for conform replay and a draft of a client profile.

With --url a local address is opened instead that passes HTTP requests on.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if (endpoint == "") == (len(args) == 0) {
				return usage("name either a command after -- or --url")
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return usage("--out: %v", err)
			}
			if endpoint != "" {
				return recordHTTP(cmd.Context(), s, endpoint, listen, dir, id)
			}
			return recordStdio(s, args, dir, id)
		},
	}
	c.Flags().StringVar(&dir, "out", "conform-record", "folder for the transcript and the profile")
	c.Flags().StringVar(&endpoint, "url", "", "address of a Streamable HTTP server")
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:0", "local address for the host, with --url")
	c.Flags().StringVar(&id, "client", "recorded", "id of the client profile")
	return c
}

func recordStdio(s streams, args []string, dir, id string) error {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	b := suite.NewBetween("stdio")
	code, err := b.Stdio(context.Background(), args, s.in, s.out, s.err, signals)
	if err != nil {
		return usage("%v", err)
	}
	if err := writeRecording(b, args, "", dir, id); err != nil {
		return err
	}
	if code != 0 {
		return &exitError{code: max(code, 1)}
	}
	return nil
}

func recordHTTP(ctx context.Context, s streams, endpoint, listen, dir, id string) error {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		return usage("the URL %q cannot be read", endpoint)
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return usage("--listen: %v", err)
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	b := suite.NewBetween("http")
	srv := &http.Server{Handler: b.Handler(u), ReadHeaderTimeout: 10 * time.Second}
	fmt.Fprintf(s.err, "conform: give http://%s%s to the host; interrupt to write the recording into %s\n", l.Addr(), u.Path, dir)
	go func() {
		<-ctx.Done()
		srv.Close()
	}()
	if err := srv.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return usage("%v", err)
	}
	return writeRecording(b, nil, endpoint, dir, id)
}

func writeRecording(b *suite.Between, command []string, endpoint, dir, id string) error {
	// A host may start several servers at once: each recording has its own name.
	name := fmt.Sprintf("%s-%d", time.Now().Format("20060102-150405"), os.Getpid())
	err := writeFile(filepath.Join(dir, name+".jsonl"), nil, func(w io.Writer) error {
		return suite.WriteBetween(w, b, command, endpoint, versionText())
	})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, name+".profile.json"), nil, func(w io.Writer) error {
		return suite.WriteDraft(w, suite.Draft(b.Tape, id, time.Now().Format(time.DateOnly)))
	})
}
