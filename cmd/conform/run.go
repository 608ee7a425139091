package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
)

func newRun(s streams) *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:   "run [flags] [-- command args...]",
		Short: "Run the checks against a server",
		Long: `Starts the server (or reaches it with --url), drives it with fake clients, and
says what is wrong. Without a target it takes the one of conform.yaml, and
without that the built-in sample server.

Exit codes: 0 nothing failed, 1 checks failed, 2 wrong flags or configuration,
3 nothing proven, 4 conform itself failed, 130 interrupted.`,
		Example: `  conform run --cmd "node server.mjs"
  conform run --url http://127.0.0.1:3000/mcp --html report.html
  conform run --allow all -- go run ./cmd/myserver`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), s, args) },
	}
	f.bind(c)
	return c
}

func (f *runFlags) run(ctx context.Context, s streams, args []string) error {
	cfgs, file, err := f.configs(args)
	if err != nil {
		return err
	}
	width, _, terminal := report.Terminal(os.Stderr, os.Getenv)
	var all []report.Report
	for _, cfg := range cfgs {
		cfg.CommandLine = commandLine(s.args)
		if cfg.Target.Name == sampleName && !f.quiet {
			fmt.Fprintln(s.err, "conform: no target given, so the built-in sample server is tested; name yours with --cmd or --url")
		}
		progress := report.NewProgress(s.err, width, terminal && !f.quiet)
		cfg.Progress = progress.Update
		r, rec, err := suite.Run(ctx, cfg)
		progress.Stop()
		if err != nil {
			return usage("%v", err)
		}
		if f.mcpConfig != "" {
			r.Target.ID = cfg.Target.Name
		}
		if f.record != "" {
			if err := f.keep(cfg, r, rec); err != nil {
				return err
			}
		}
		if f.stats && r.Stats != nil && !r.Interrupted {
			r.Stats.FloorMS = floorOf(ctx, cfg, rec)
		}
		all = append(all, r)
	}
	r := suite.Join(all)
	if err := f.gate(&r, cfgs[0]); err != nil {
		return err
	}
	begin := time.Now()
	src := report.Sources{Dir: ".", Config: f.configPath()}
	if file != nil {
		src.Tools = file.Sources
	}
	if err := f.out.write(s.out, r, src); err != nil {
		return err
	}
	if r.Stats != nil {
		r.Stats.ReportMS = time.Since(begin).Milliseconds()
	}
	return f.print(s, r, src)
}

// print shows the report to the person, and to GitHub when it runs there.
func (f *runFlags) print(s streams, r report.Report, src report.Sources) error {
	out, stream := s.out, os.Stdout
	if f.out.stdout() {
		out, stream = s.err, os.Stderr
	}
	width, color, _ := report.Terminal(stream, os.Getenv)
	txt, _, err := texts(scenarios.All())
	if err != nil {
		return err
	}
	err = report.WriteConsole(out, r, report.ConsoleOptions{
		Width: width, Color: color && !f.noColor, Quiet: f.quiet, Verbose: f.verbose, Texts: txt,
	})
	if err != nil {
		return &exitError{report.ExitSuite, "cannot print the report: " + err.Error()}
	}
	if f.stats && r.Stats != nil {
		printStats(out, r)
	}
	if os.Getenv("GITHUB_ACTIONS") == "true" { // which reads both streams
		if err := report.WriteAnnotations(out, r, report.Locate(r, src)); err != nil {
			return &exitError{report.ExitSuite, "cannot print annotations: " + err.Error()}
		}
	}
	if r.Exit != report.ExitOK {
		return &exitError{code: r.Exit}
	}
	return nil
}

// gate applies the baseline and sets the exit code.
func (f *runFlags) gate(r *report.Report, cfg suite.Config) error {
	failOn := cfg.FailOn
	complete := len(f.scenario) == 0 && len(f.revision) == 0 && f.labelFilter == "" && f.shard == "" && f.server == "" && !r.Interrupted
	if f.updateBaseline && f.baseline == "" {
		return usage("--update-baseline needs --baseline FILE")
	}
	if f.baseline != "" {
		old, err := readBaseline(f.baseline, f.updateBaseline)
		if err != nil {
			return err
		}
		if f.updateBaseline {
			b := report.UpdateBaseline(*r, old, failOn, complete, time.Now())
			if err := writeFile(f.baseline, nil, baselineWriter(b)); err != nil {
				return err
			}
			old = b
		}
		report.Apply(r, old, complete)
		r.Summary, r.Clients = report.Summarise(r.Outcomes, r.Clients, r.Views...)
	}
	r.Exit = report.Exit(*r, failOn)
	return nil
}

// keep writes the transcripts of a run.
func (f *runFlags) keep(cfg suite.Config, r report.Report, rec *scenarios.Record) error {
	if err := os.MkdirAll(f.record, 0o755); err != nil {
		return usage("--record: %v", err)
	}
	name := "run.jsonl"
	if cfg.Target.Name != "" && cfg.Target.Name != sampleName {
		name = safeName(cfg.Target.Name) + ".jsonl"
	}
	return writeFile(filepath.Join(f.record, name), nil, recordWriter(cfg, r, rec))
}

// safeName makes a name that can be a file name.
func safeName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, s)
}

func (f *runFlags) configPath() string {
	if f.config != "" {
		return f.config
	}
	if _, err := os.Stat("conform.yaml"); errors.Is(err, os.ErrNotExist) {
		return ""
	}
	return "conform.yaml"
}
