package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
)

func newReplay(s streams) *cobra.Command {
	f := &runFlags{}
	var against string
	c := &cobra.Command{
		Use:   "replay FILE...",
		Short: "Judge recorded transcripts again, without a server",
		Long: `Reads transcripts that run --record or conform record wrote. A folder stands for the .jsonl files in it.

With --against, the recorded frames are sent to a server again and nothing is
judged: the time is what the server needs by itself. Calls are made as they were
recorded.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := transcripts(args)
			if err != nil {
				return err
			}
			if against != "" {
				return floor(cmd.Context(), s.out, against, files)
			}
			var all []report.Report
			for _, name := range files {
				r, err := f.replay(name, s.args)
				if err != nil {
					return err
				}
				all = append(all, r)
			}
			r := suite.Join(all)
			failOn, err := report.ParseFailOn(f.failOn)
			if err != nil {
				return usage("%v", err)
			}
			r.Exit = report.Exit(r, failOn)
			src := report.Sources{Dir: ".", Config: f.configPath()}
			if err := f.out.write(s.out, r, src); err != nil {
				return err
			}
			return f.print(s, r, src)
		},
	}
	l := c.Flags()
	l.StringVar(&against, "against", "", "send the frames to this `target` again, a command or a URL, and time it")
	l.StringVar(&f.profile, "profile", "", "what fails: spec, hosts, house or strict (default: hosts)")
	l.StringSliceVar(&f.scenario, "scenario", nil, "scenarios or checks to judge, as globs")
	l.StringVar(&f.labelFilter, "label-filter", "", "Ginkgo label expression")
	l.StringVar(&f.failOn, "fail-on", "", "what makes the exit code 1: fail, warn or never (default: fail)")
	l.BoolVar(&f.quiet, "quiet", false, "print one line")
	l.BoolVar(&f.verbose, "verbose", false, "print every outcome")
	l.BoolVar(&f.noColor, "no-color", false, "no colour on a terminal")
	f.out.bind(l)
	return c
}

func (f *runFlags) replay(name string, args []string) (report.Report, error) {
	cfg := suite.Config{Profile: scenarios.Profile(f.profile), Scenarios: f.scenario, LabelFilter: f.labelFilter, Version: versionText(), CommandLine: commandLine(args)}
	if err := check(&cfg); err != nil {
		return report.Report{}, err
	}
	file, err := os.Open(name)
	if err != nil {
		return report.Report{}, usage("%v", err)
	}
	defer file.Close()
	r, err := suite.Replay(file, cfg)
	if err != nil {
		return r, usage("%s: %v", name, err)
	}
	return r, nil
}

// transcripts turns folders into the transcripts in them.
func transcripts(args []string) ([]string, error) {
	var out []string
	for _, a := range args {
		st, err := os.Stat(a)
		if err != nil {
			return nil, usage("%v", err)
		}
		if !st.IsDir() {
			out = append(out, a)
			continue
		}
		in, _ := filepath.Glob(filepath.Join(a, "*.jsonl"))
		if len(in) == 0 {
			return nil, usage("the folder %s holds no .jsonl transcript", a)
		}
		out = append(out, in...)
	}
	return out, nil
}

func newMerge(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "merge OUT a.json b.json...",
		Short: "Join the reports of the shards of one run",
		Args:  cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			var all []report.Report
			for _, name := range args[1:] {
				r, err := readReport(name)
				if err != nil {
					return err
				}
				all = append(all, r)
			}
			r, err := report.Merge(all...)
			if err != nil {
				return usage("%v", err)
			}
			return writeFile(args[0], s.out, func(w io.Writer) error { return report.WriteJSON(w, r) })
		},
	}
}

func newDiff(s streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two JSON reports: new, fixed and unchanged findings",
		Long:  "Exits 1 when B is worse than A.",
		Args:  cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			a, err := readReport(args[0])
			if err != nil {
				return err
			}
			b, err := readReport(args[1])
			if err != nil {
				return err
			}
			d := report.Diff(a, b)
			if asJSON {
				err = report.WriteDiffJSON(s.out, d)
			} else {
				err = report.WriteDiffText(s.out, d)
			}
			if err != nil {
				return &exitError{report.ExitSuite, err.Error()}
			}
			if d.Worse() {
				return &exitError{code: report.ExitFailed}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func readReport(name string) (report.Report, error) {
	file, err := os.Open(name)
	if err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = fmt.Errorf("cannot read %s: %w", name, pe.Err)
		}
		return report.Report{}, usage("%v", err)
	}
	defer file.Close()
	r, err := report.Read(file)
	if err != nil {
		return r, usage("%s: %v", name, err)
	}
	return r, nil
}
