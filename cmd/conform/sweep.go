package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
)

// sweepTarget is one line of a sweep file.
type sweepTarget struct {
	Name    string            `json:"name"`
	Command []string          `json:"command"`
	Cmd     string            `json:"cmd"`
	Cwd     string            `json:"cwd"`
	URL     string            `json:"url"`
	Env     map[string]string `json:"env"`
	Headers map[string]string `json:"headers"`
	Config  string            `json:"config"`
	Allow   string            `json:"allow"`
}

// target is how to reach the server of the line.
func (t sweepTarget) target() suite.FileTarget {
	return suite.FileTarget{Command: t.Command, Cmd: t.Cmd, Cwd: t.Cwd, URL: t.URL, Env: t.Env, Headers: t.Headers}
}

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	dir, profile, shard, failOn string
	client, scenario            []string
	jobs                        int
}

func newSweep(s streams) *cobra.Command {
	f := &sweepFlags{}
	c := &cobra.Command{
		Use:   "sweep TARGETS.jsonl",
		Short: "Test many servers, one line of a file each",
		Long: `Each line of the file is one server: {"name": "...", "command": ["node", "s.mjs"]},
with "cmd" or "url" instead of "command", and "cwd", "env", "headers", "config"
(a conform.yaml) and "allow" as needed.

Every server gets a report in --out. Servers that have one already are left
out, so a sweep that was stopped goes on where it was. In a Kubernetes Indexed
Job, --shard takes its part from JOB_COMPLETION_INDEX: --shard auto/8.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), s, args[0]) },
	}
	l := c.Flags()
	l.StringVar(&f.dir, "out", "conform-sweep", "folder for the reports")
	l.StringVar(&f.profile, "profile", "", "what fails: spec, hosts, house or strict (default: hosts)")
	l.StringSliceVar(&f.client, "client", nil, "fake clients, comma-separated, or all")
	l.StringSliceVar(&f.scenario, "scenario", nil, "scenarios or checks to run, as globs: unknown-tool, 'listing/*'")
	l.StringVar(&f.shard, "shard", "", "test part `i/n` of the servers; auto/n reads JOB_COMPLETION_INDEX")
	l.StringVar(&f.failOn, "fail-on", "never", "what makes the exit code 1: fail, warn or never")
	l.IntVar(&f.jobs, "jobs", 1, "servers tested at the same time")
	return c
}

func (f *sweepFlags) run(ctx context.Context, s streams, file string) error {
	targets, err := readTargets(file)
	if err != nil {
		return err
	}
	index, count, err := sweepShard(f.shard)
	if err != nil {
		return err
	}
	failOn, err := report.ParseFailOn(f.failOn)
	if err != nil {
		return usage("%v", err)
	}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return usage("--out: %v", err)
	}
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		first error
		slots = make(chan struct{}, max(1, f.jobs))
	)
	for i, t := range targets {
		if i%count != index {
			continue
		}
		out := filepath.Join(f.dir, safeName(t.Name)+".json")
		if done(out) {
			fmt.Fprintf(s.out, "%s: done before\n", report.Visible(t.Name))
			continue
		}
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			line, err := f.one(ctx, t, out)
			mu.Lock()
			defer mu.Unlock()
			if err != nil && first == nil {
				first = err
			}
			fmt.Fprintln(s.out, line)
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return &exitError{code: report.ExitInterrupted}
	}
	if first != nil {
		return first
	}
	return f.total(s, targets, index, count, failOn)
}

// one tests one server. A server that cannot be tested has a report too.
func (f *sweepFlags) one(ctx context.Context, t sweepTarget, out string) (string, error) {
	cfg, err := f.config(t)
	if err != nil {
		return report.Visible(t.Name) + ": " + err.Error(), err
	}
	r, _, err := suite.Run(ctx, cfg)
	if err != nil {
		return report.Visible(t.Name) + ": " + err.Error(), usage("%s: %v", t.Name, err)
	}
	if r.Interrupted && ctx.Err() != nil {
		return report.Visible(t.Name) + ": interrupted", nil // tried again next time
	}
	if err := writeFile(out, nil, func(w io.Writer) error { return report.WriteJSON(w, r) }); err != nil {
		return report.Visible(t.Name) + ": " + err.Error(), err
	}
	var line bytes.Buffer
	err = report.WriteConsole(&line, r, report.ConsoleOptions{Quiet: true})
	return strings.TrimSpace(report.Visible(t.Name) + " — " + line.String()), err
}

func (f *sweepFlags) config(t sweepTarget) (suite.Config, error) {
	cfg := suite.Config{Profile: scenarios.Profile(f.profile), Allow: suite.Allow(t.Allow), Scenarios: f.scenario, Version: versionText()}
	set, err := fakes.Load()
	if err != nil {
		return cfg, &exitError{report.ExitSuite, err.Error()}
	}
	if cfg.Target, cfg.Secrets, err = t.target().Resolve("", splitCommand); err != nil {
		return cfg, usage("%s: %v", t.Name, err)
	}
	if len(f.client) > 0 {
		if cfg.Clients, err = set.Select(strings.Join(f.client, ",")); err != nil {
			return cfg, usage("%v", err)
		}
	}
	if t.Config != "" {
		file, err := suite.ReadFile(t.Config)
		if err != nil {
			return cfg, usage("%v", err)
		}
		if err := file.Apply(&cfg, filepath.Dir(t.Config), splitCommand, set); err != nil {
			return cfg, usage("%s: %v", t.Config, err)
		}
	}
	if len(cfg.Target.Command) == 0 && cfg.Target.URL == "" {
		return cfg, usage("%s: names neither a command nor a url", t.Name)
	}
	return cfg, check(&cfg)
}

// total reads all reports of this part back and tells what came of the sweep.
func (f *sweepFlags) total(s streams, targets []sweepTarget, index, count int, failOn report.FailOn) error {
	codes := map[int]int{}
	worst := report.ExitOK
	n := 0
	for i, t := range targets {
		if i%count != index {
			continue
		}
		r, err := readReport(filepath.Join(f.dir, safeName(t.Name)+".json"))
		if err != nil {
			return err
		}
		n++
		codes[r.Exit]++
		if failOn != report.FailOnNever && report.Exit(r, failOn) == report.ExitFailed {
			worst = report.ExitFailed
		}
	}
	fmt.Fprintf(s.out, "%d servers: %d clean, %d with failures, %d could not be proven\n", n, codes[report.ExitOK], codes[report.ExitFailed], codes[report.ExitNothing])
	if worst != report.ExitOK {
		return &exitError{code: worst}
	}
	return nil
}

// done says whether a whole report is there.
func done(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	r, err := report.Read(file)
	return err == nil && !r.Interrupted
}

// readTargets reads a sweep file. Names must differ, for they name the reports.
func readTargets(name string) ([]sweepTarget, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, usage("%v", err)
	}
	defer file.Close()
	var out []sweepTarget
	seen := map[string]bool{}
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		var t sweepTarget
		dec := json.NewDecoder(bytes.NewReader(in.Bytes()))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&t); err != nil {
			return nil, usage("%s:%d: %v", name, n, err)
		}
		if t.Name == "" {
			return nil, usage("%s:%d: name is missing", name, n)
		}
		if seen[safeName(t.Name)] {
			return nil, usage("%s:%d: another server is called %q already", name, n, t.Name)
		}
		seen[safeName(t.Name)] = true
		out = append(out, t)
	}
	if err := in.Err(); err != nil {
		return nil, usage("%s: %v", name, err)
	}
	if len(out) == 0 {
		return nil, usage("%s names no server", name)
	}
	return out, nil
}

// sweepShard reads "i/n" with i from 1, or "auto/n".
func sweepShard(s string) (index, count int, err error) {
	if s == "" {
		return 0, 1, nil
	}
	i, n, _ := strings.Cut(s, "/")
	count, err = strconv.Atoi(n)
	if err == nil && i == "auto" {
		if index, err = strconv.Atoi(os.Getenv("JOB_COMPLETION_INDEX")); err != nil {
			return 0, 0, usage("--shard %q: JOB_COMPLETION_INDEX is not set", s)
		}
		index++
	} else if err == nil {
		index, err = strconv.Atoi(i)
	}
	if err != nil || errors.Is(err, strconv.ErrSyntax) || count < 1 || index < 1 || index > count {
		return 0, 0, usage("--shard %q: write it as i/n with i from 1 to n", s)
	}
	return index - 1, count, nil
}
