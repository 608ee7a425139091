package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-shellwords"
	"github.com/spf13/cobra"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
)

// runFlags are the flags of run.
type runFlags struct {
	cmd, url, cwd, config, mcpConfig, server string
	env, header                              []string
	profile, labelFilter, allow              string
	client, revision, scenario, role         []string
	expect, behind, failOn, baseline, record string
	updateBaseline, quiet, verbose, noColor  bool
	stats                                    bool
	out                                      outputs
	jobs, processes                          int
	start, answer, timeout, patience         time.Duration
	seed                                     int64
	shard                                    string
}

func (f *runFlags) bind(c *cobra.Command) {
	l := c.Flags()
	l.StringVar(&f.cmd, "cmd", "", "command that starts the server over stdio, as one string")
	l.StringVar(&f.url, "url", "", "address of a Streamable HTTP server")
	l.StringVar(&f.mcpConfig, "mcp-config", "", "file in the form hosts use: {\"mcpServers\": {...}}")
	l.StringVar(&f.server, "server", "", "the one server of --mcp-config to test (default: all)")
	l.StringVar(&f.config, "config", "", "configuration file (default: conform.yaml, if it is there)")
	l.StringArrayVar(&f.env, "env", nil, "variable for the server, `K=V` (may be repeated)")
	l.StringVar(&f.cwd, "cwd", "", "working directory of the server")
	l.StringArrayVar(&f.header, "header", nil, "header for every HTTP request, `\"K: V\"` (may be repeated)")
	l.StringSliceVar(&f.client, "client", nil, "fake clients, comma-separated, or all (default: the most used)")
	l.StringSliceVar(&f.revision, "revision", nil, "protocol revisions, comma-separated, or all (default: every one offered)")
	l.StringSliceVar(&f.scenario, "scenario", nil, "scenarios or checks to run, as globs: unknown-tool, 'listing/*'")
	l.StringVar(&f.labelFilter, "label-filter", "", "Ginkgo label expression: 'client:chatgpt && !level:note'")
	l.StringVar(&f.profile, "profile", "", "what fails: spec, hosts, house or strict (default: hosts)")
	l.StringVar(&f.allow, "allow", "", "tools that may get valid calls: read-only, listed, all or none (default: read-only)")
	l.StringArrayVar(&f.role, "role", nil, "job for a tool, `job=tool`: asks, throws, mismatches, progresses, slow")
	l.StringVar(&f.expect, "expect", "", "file with the tool list as it is meant to be")
	l.StringVar(&f.behind, "behind", "", "framework that answers part of the protocol itself: h3 or toolkit")
	l.StringVar(&f.baseline, "baseline", "", "file of known findings: only new ones fail")
	l.BoolVar(&f.updateBaseline, "update-baseline", false, "write what this run found into the --baseline file")
	l.StringVar(&f.failOn, "fail-on", "", "what makes the exit code 1: fail, warn or never (default: fail)")
	l.IntVar(&f.jobs, "jobs", 0, "cells driven at the same time")
	l.IntVar(&f.processes, "processes", 0, "server processes alive at the same time")
	l.DurationVar(&f.start, "start-timeout", 0, "limit for a server to start and answer first (default 30s)")
	l.DurationVar(&f.answer, "answer-timeout", 0, "limit for one answer (default 10s)")
	l.DurationVar(&f.timeout, "timeout", 0, "limit for the whole run (default 10m)")
	l.DurationVar(&f.patience, "patience", 0, "how long a slow person may take to answer a question (default: not tried)")
	l.Int64Var(&f.seed, "seed", 0, "seed for generated inputs (default 1)")
	l.StringVar(&f.record, "record", "", "folder for the transcripts, to judge again with conform replay")
	l.StringVar(&f.shard, "shard", "", "run part `i/n` of the cells, to be merged with conform merge")
	l.BoolVar(&f.quiet, "quiet", false, "print one line")
	l.BoolVar(&f.verbose, "verbose", false, "print every outcome")
	l.BoolVar(&f.noColor, "no-color", false, "no colour on a terminal")
	l.BoolVar(&f.stats, "stats", false, "print figures of the run; for the floor, everything is sent to the server once more")
	f.out.bind(l)
	c.MarkFlagsMutuallyExclusive("mcp-config", "cmd")
	c.MarkFlagsMutuallyExclusive("mcp-config", "url")
	c.MarkFlagsMutuallyExclusive("quiet", "verbose")
}

// configs turns the flags, the configuration file and the arguments into one
// configuration a target.
func (f *runFlags) configs(args []string) ([]suite.Config, *suite.File, error) {
	set, err := fakes.Load()
	if err != nil {
		return nil, nil, &exitError{report.ExitSuite, "the built-in client profiles: " + err.Error()}
	}
	cfg, err := f.base(args, set)
	if err != nil {
		return nil, nil, err
	}
	file, err := f.file(&cfg, set)
	if err != nil {
		return nil, nil, err
	}
	if err := check(&cfg); err != nil {
		return nil, nil, err
	}
	if f.mcpConfig != "" {
		all, err := f.hosts(cfg)
		return all, file, err
	}
	if len(cfg.Target.Command) == 0 && cfg.Target.URL == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, nil, &exitError{report.ExitSuite, "cannot find the conform program to start its sample server: " + err.Error()}
		}
		cfg.Target.Command = []string{self, "serve"}
		cfg.Target.Name = sampleName
	}
	return []suite.Config{cfg}, file, nil
}

// sampleName marks the built-in sample server as the target.
const sampleName = "built-in sample"

// base reads the flags alone.
func (f *runFlags) base(args []string, set *fakes.Set) (suite.Config, error) {
	cfg := suite.Config{
		Profile: scenarios.Profile(f.profile), Allow: suite.Allow(f.allow), Scenarios: f.scenario,
		LabelFilter: f.labelFilter, Behind: f.behind, Patience: f.patience, Seed: f.seed,
		Jobs: f.jobs, Processes: f.processes, Start: f.start, Answer: f.answer, Timeout: f.timeout,
		Version: versionText(),
	}
	var err error
	if cfg.FailOn, err = report.ParseFailOn(f.failOn); err != nil {
		return cfg, usage("%v", err)
	}
	if err := f.target(&cfg, args); err != nil {
		return cfg, err
	}
	if len(f.client) > 0 {
		if cfg.Clients, err = set.Select(strings.Join(f.client, ",")); err != nil {
			return cfg, usage("%v", err)
		}
	}
	cfg.AllRevisions = slices.Contains(f.revision, "all")
	if !cfg.AllRevisions {
		cfg.Revisions = f.revision
	}
	for _, r := range f.role {
		job, tool, ok := strings.Cut(r, "=")
		if !ok || tool == "" {
			return cfg, usage("--role %q: write it as job=tool, e.g. asks=apply_change", r)
		}
		cfg.Roles = append(cfg.Roles, scenarios.Role{Job: job, Tool: tool, Arguments: json.RawMessage(`{}`)})
	}
	if f.expect != "" {
		raw, err := os.ReadFile(f.expect)
		if err != nil {
			return cfg, usage("--expect: %v", err)
		}
		if !json.Valid(raw) {
			return cfg, usage("--expect %s: not JSON; give the result of tools/list, or its tools array", f.expect)
		}
		cfg.Expect = raw
	}
	return cfg, f.shards(&cfg)
}

func (f *runFlags) target(cfg *suite.Config, args []string) error {
	cfg.Target.URL, cfg.Target.Dir, cfg.Target.Command = f.url, f.cwd, args
	if f.cmd != "" {
		if len(args) > 0 {
			return usage("--cmd and a command after -- say the same thing; keep one")
		}
		words, err := splitCommand(f.cmd)
		if err != nil {
			return usage("--cmd %q: %v", f.cmd, err)
		}
		cfg.Target.Command = words
	}
	for i, kv := range f.env {
		k, v, ok := strings.Cut(kv, "=")
		if !ok || k == "" { // the value is not repeated: it may be a secret
			return usage("the %s --env has no name; write it as NAME=value", ordinal(i+1))
		}
		cfg.Target.Env = append(cfg.Target.Env, kv)
		cfg.Secrets = append(cfg.Secrets, v)
	}
	for i, h := range f.header {
		k, v, ok := strings.Cut(h, ":")
		if k = strings.TrimSpace(k); !ok || k == "" || strings.ContainsAny(k, " \t\r\n") || strings.ContainsAny(v, "\r\n") {
			return usage("the %s --header has no name, or line ends in it; write it as \"Name: value\"", ordinal(i+1))
		}
		if cfg.Target.Header == nil {
			cfg.Target.Header = http.Header{}
		}
		v = strings.TrimSpace(v)
		cfg.Target.Header.Add(k, v)
		cfg.Secrets = append(cfg.Secrets, v)
		if _, token, ok := strings.Cut(v, " "); ok {
			cfg.Secrets = append(cfg.Secrets, token) // "Bearer <token>"
		}
	}
	return nil
}

// ordinal writes 1st, 2nd, 3rd, 4th ...
func ordinal(n int) string {
	switch {
	case n%100 >= 11 && n%100 <= 13:
	case n%10 == 1:
		return strconv.Itoa(n) + "st"
	case n%10 == 2:
		return strconv.Itoa(n) + "nd"
	case n%10 == 3:
		return strconv.Itoa(n) + "rd"
	}
	return strconv.Itoa(n) + "th"
}

// splitCommand splits a command line as a shell would, without running anything.
func splitCommand(s string) ([]string, error) {
	p := shellwords.NewParser()
	p.ParseEnv = true
	words, err := p.Parse(s)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("the command is empty")
	}
	if p.Position >= 0 && p.Position < len(s) {
		return nil, fmt.Errorf("shell operators are not understood (at %q); put them into a script", s[p.Position:])
	}
	return words, nil
}

func (f *runFlags) shards(cfg *suite.Config) error {
	if f.shard == "" {
		return nil
	}
	i, n, ok := strings.Cut(f.shard, "/")
	a, err1 := strconv.Atoi(i)
	b, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || a < 1 || b < a || b > 1000 {
		return usage("--shard %q: write it as i/n with i from 1 to n, e.g. 2/4", f.shard)
	}
	cfg.ShardIndex, cfg.ShardCount = a, b
	return nil
}

// file reads conform.yaml, if there is one, under the flags.
func (f *runFlags) file(cfg *suite.Config, set *fakes.Set) (*suite.File, error) {
	path := f.config
	if path == "" {
		path = "conform.yaml"
		if _, err := os.Stat(path); err != nil {
			return nil, nil
		}
	}
	file, err := suite.ReadFile(path)
	if err != nil {
		return nil, usage("%v", err)
	}
	if err := file.Apply(cfg, filepath.Dir(path), splitCommand, set); err != nil {
		return nil, usage("%s: %v", path, err)
	}
	return file, nil
}

// check says what is wrong with values that flags and the file share.
func check(cfg *suite.Config) error {
	if cfg.Profile != "" && !slices.Contains(scenarios.Profiles(), cfg.Profile) {
		return usage("unknown profile %q: use spec, hosts, house or strict", cfg.Profile)
	}
	switch cfg.Allow {
	case "", suite.AllowAll, suite.AllowListed, suite.AllowNone, suite.AllowReadOnly:
	default:
		return usage("unknown value %q for --allow: use read-only, listed, all or none", cfg.Allow)
	}
	switch cfg.Behind {
	case "", "h3", "toolkit":
	default:
		return usage("unknown value %q for --behind: use h3 or toolkit", cfg.Behind)
	}
	for _, r := range cfg.Revisions {
		if !slices.Contains(fakes.Revisions(), r) {
			return usage("unknown revision %q: use one of %s, or all", r, strings.Join(fakes.Revisions(), ", "))
		}
	}
	for _, r := range cfg.Roles {
		if !slices.Contains(suite.RoleJobs(), r.Job) {
			return usage("unknown role %q: use one of %s", r.Job, strings.Join(suite.RoleJobs(), ", "))
		}
	}
	if u := cfg.Target.URL; u != "" && !strings.HasPrefix(u, "http://") && !strings.HasPrefix(u, "https://") {
		return usage("the URL %q begins with neither http:// nor https://", u)
	}
	if d := cfg.Target.Dir; d != "" {
		if st, err := os.Stat(d); err != nil || !st.IsDir() {
			return usage("the working directory %q is not there", d)
		}
	}
	if err := suite.CheckLabelFilter(cfg.LabelFilter); err != nil {
		return usage("%v", err)
	}
	if err := suite.CheckScenarios(cfg.Scenarios, scenarios.All()); err != nil {
		return usage("%v", err)
	}
	return nil
}
