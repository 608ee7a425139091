package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
)

func newInit(s streams) *cobra.Command {
	f := &runFlags{}
	var force bool
	var ci string
	c := &cobra.Command{
		Use:   "init [--cmd ... | --url ... | -- command args...]",
		Short: "Write conform.yaml from what the server lists, and a CI workflow",
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.init(cmd.Context(), s, args, force, ci)
		},
	}
	l := c.Flags()
	l.StringVar(&f.cmd, "cmd", "", "command that starts the server over stdio, as one string")
	l.StringVar(&f.url, "url", "", "address of a Streamable HTTP server")
	l.StringVar(&f.cwd, "cwd", "", "working directory of the server")
	l.StringArrayVar(&f.env, "env", nil, "variable for the server, `K=V` (may be repeated)")
	l.StringArrayVar(&f.header, "header", nil, "header for every HTTP request, `\"K: V\"` (may be repeated)")
	l.BoolVar(&force, "force", false, "write over an existing conform.yaml")
	l.StringVar(&ci, "ci", "github", "CI workflow to write: github, gitlab or none")
	return c
}

func (f *runFlags) init(ctx context.Context, s streams, args []string, force bool, ci string) error {
	cfg := suite.Config{Version: versionText()}
	if err := f.target(&cfg, args); err != nil {
		return err
	}
	if len(cfg.Target.Command) == 0 && cfg.Target.URL == "" {
		return usage("name the server with --cmd, --url or after --")
	}
	if err := check(&cfg); err != nil {
		return err
	}
	if _, err := os.Stat("conform.yaml"); err == nil && !force {
		return usage("conform.yaml is there already; --force writes over it")
	}
	files, ok := workflows()[ci]
	if !ok {
		return usage("unknown value %q for --ci: use github, gitlab or none", ci)
	}
	mask := report.NewMasker(cfg.Secrets)
	facts, err := suite.Look(ctx, cfg)
	if err != nil {
		return &exitError{report.ExitNothing, mask.String(err.Error())}
	}
	text := mask.String(configText(cfg, facts))
	if err := writeFile("conform.yaml", nil, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "wrote conform.yaml")
	for name, body := range files {
		if _, err := os.Stat(name); err == nil {
			fmt.Fprintf(s.out, "kept %s, which is there already\n", name)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return usage("%v", err)
		}
		if err := writeFile(name, nil, func(w io.Writer) error { _, err := io.WriteString(w, body); return err }); err != nil {
			return err
		}
		fmt.Fprintln(s.out, "wrote "+name)
	}
	fmt.Fprintln(s.out, "now run: conform run")
	return nil
}

// configText writes a configuration with what the server lists.
func configText(cfg suite.Config, facts []*scenarios.Facts) string {
	var b strings.Builder
	say := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	f := facts[0]
	say("# yaml-language-server: $schema=https://raw.githubusercontent.com/agntn/conform/main/conform.schema.json")
	say("# How conform tests %s. 'conform run' reads this file.", oneLine(f.ServerName()))
	say("target:")
	if len(cfg.Target.Command) > 0 {
		say("  command: %s", flow(cfg.Target.Command))
	}
	if cfg.Target.Dir != "" {
		say("  cwd: %s", flow(cfg.Target.Dir))
	}
	if cfg.Target.URL != "" {
		say("  url: %s", flow(cfg.Target.URL))
	}
	for i, kv := range cfg.Target.Env {
		if i == 0 {
			say("  env: # values are taken from your environment, so that none is written here")
		}
		k, _, _ := strings.Cut(kv, "=")
		say("    %s: ${%s}", k, k)
	}
	for i, k := range sortedHeaderNames(cfg) {
		if i == 0 {
			say("  headers: # values are taken from your environment, so that none is written here")
		}
		say("    %s: ${%s}", k, strings.ToUpper(strings.ReplaceAll(k, "-", "_")))
	}
	say("\n# What fails the run: spec, hosts, house or strict.\nprofile: hosts")
	var called, left []string
	for _, t := range f.Tools {
		if t.Callable {
			called = append(called, t.Name)
		} else {
			left = append(left, t.Name)
		}
	}
	say("\n# Tools that get valid calls. Those that say readOnlyHint: true are called anyway;\n# add others only where a call can harm nothing.")
	if len(left) == 0 {
		say("allow: []")
	} else {
		say("allow: []")
		for _, n := range left {
			say("  # - %s", flow(n))
		}
	}
	say("\n# Valid calls, with what their answers must hold.")
	calls(&b, f, called)
	say("\n# Jobs that some checks need a tool for: asks (a question to the person), throws,\n# mismatches (data that break the outputSchema), progresses, slow.\n# roles:\n#   throws: {tool: NAME, arguments: {}}")
	say("\n# Findings that are known and accepted.\n# waive:\n#   - {check: unknown-tool/prototype-name, reason: fixed in the next SDK, until: 2027-12-31}")
	return b.String()
}

// calls proposes one call for each tool that may be called: examples that the
// server gives itself as they are, made ones as comments.
func calls(b *strings.Builder, f *scenarios.Facts, names []string) {
	var real, made []string
	for i := range f.Tools {
		t := &f.Tools[i]
		if !slices.Contains(names, t.Name) {
			continue
		}
		sets := scenarios.CallArguments(f, t)
		if len(sets) == 0 {
			continue
		}
		line := fmt.Sprintf("{tool: %s, arguments: %s}", flow(t.Name), string(sets[0].JSON))
		if from := sets[0].From; from != "generated" && from != "guessed" {
			real = append(real, "  - "+line)
		} else {
			made = append(made, "  # - "+line)
		}
	}
	if len(real) == 0 {
		b.WriteString("calls: []\n")
	} else {
		b.WriteString("calls:\n" + strings.Join(real, "\n") + "\n")
	}
	if len(made) > 0 {
		b.WriteString(strings.Join(made, "\n") + "\n")
	}
}

// flow writes a value as one line of YAML.
func flow(v any) string {
	raw, err := yaml.MarshalWithOptions(v, yaml.Flow(true), yaml.JSON())
	if err != nil {
		raw, _ = json.Marshal(v)
	}
	return oneLine(strings.TrimSpace(string(raw)))
}

func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

func sortedHeaderNames(cfg suite.Config) []string {
	var out []string
	for k := range cfg.Target.Header {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// workflows are the CI files that init can write.
func workflows() map[string]map[string]string {
	return map[string]map[string]string{
		"none": {},
		"github": {".github/workflows/conform.yml": `name: conform
on: [push, pull_request]
permissions:
  contents: read
  security-events: write
jobs:
  conform:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      # Build your server here.
      - uses: agntn/conform@v1
`},
		"gitlab": {"conform.gitlab-ci.yml": `conform:
  image: golang:1.26
  script:
    # Build your server here.
    - go install github.com/agntn/conform/cmd/conform@latest
    - conform run --junit junit.xml --out report
  artifacts:
    when: always
    paths: [report]
    reports:
      junit: junit.xml
`},
	}
}
