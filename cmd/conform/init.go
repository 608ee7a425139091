package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/agntn/conform/report"
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
