package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
)

// readBaseline reads the file of known findings; a missing one is empty when it is about to be written.
func readBaseline(path string, mayMiss bool) (report.Baseline, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) && mayMiss {
		return report.Baseline{}, nil
	}
	if err != nil {
		return report.Baseline{}, usage("the baseline: %v; make one with --update-baseline", err)
	}
	defer file.Close()
	b, err := report.ReadBaseline(file)
	if err != nil {
		return b, usage("the baseline %s: %v", path, err)
	}
	return b, nil
}

func baselineWriter(b report.Baseline) func(io.Writer) error {
	return func(w io.Writer) error { return report.WriteBaseline(w, b) }
}

func recordWriter(cfg suite.Config, r report.Report, rec *scenarios.Record) func(io.Writer) error {
	return func(w io.Writer) error { return suite.WriteRecord(w, cfg, r, rec) }
}

// hosts turns a hosts' file into one configuration a server.
func (f *runFlags) hosts(base suite.Config) ([]suite.Config, error) {
	raw, err := os.ReadFile(f.mcpConfig)
	if err != nil {
		return nil, usage("--mcp-config: %v", err)
	}
	var file struct {
		Servers map[string]struct {
			Command string            `json:"command"`
			Args    []string          `json:"args"`
			Env     map[string]string `json:"env"`
			Cwd     string            `json:"cwd"`
			URL     string            `json:"url"`
			Headers map[string]string `json:"headers"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, usage("--mcp-config %s: %v", f.mcpConfig, err)
	}
	names := slices.Sorted(maps.Keys(file.Servers))
	if f.server != "" {
		if _, ok := file.Servers[f.server]; !ok {
			return nil, usage("--mcp-config %s has no server %q; it has %s", f.mcpConfig, f.server, strings.Join(names, ", "))
		}
		names = []string{f.server}
	}
	if len(names) == 0 {
		return nil, usage("--mcp-config %s names no server under mcpServers", f.mcpConfig)
	}
	var out []suite.Config
	for _, n := range names {
		e := file.Servers[n]
		c := base
		c.Target = suite.Target{Name: n, Dir: e.Cwd, URL: os.ExpandEnv(e.URL)}
		if e.Command != "" {
			c.Target.Command = append([]string{os.ExpandEnv(e.Command)}, e.Args...)
		}
		if e.Command == "" && e.URL == "" {
			return nil, usage("--mcp-config %s: server %q has neither command nor url", f.mcpConfig, n)
		}
		c.Secrets = slices.Clone(base.Secrets)
		for _, k := range slices.Sorted(maps.Keys(e.Env)) {
			v := os.ExpandEnv(e.Env[k])
			c.Target.Env = append(c.Target.Env, k+"="+v)
			c.Secrets = append(c.Secrets, v)
		}
		for k, v := range e.Headers {
			if c.Target.Header == nil {
				c.Target.Header = http.Header{}
			}
			v = os.ExpandEnv(v)
			c.Target.Header.Set(k, v)
			c.Secrets = append(c.Secrets, v)
			if _, token, ok := strings.Cut(v, " "); ok {
				c.Secrets = append(c.Secrets, token)
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// commandLine repeats the run, without values that may be secret.
func (f *runFlags) commandLine() string {
	words := []string{"conform"}
	hide := false
	for _, a := range os.Args[1:] {
		switch {
		case hide:
			k, _, _ := strings.Cut(a, "=")
			k, _, _ = strings.Cut(k, ":")
			a, hide = k+"…", false
		case a == "--env" || a == "--header":
			hide = true
		case strings.HasPrefix(a, "--env=") || strings.HasPrefix(a, "--header="):
			a, _, _ = strings.Cut(a, "=")
			a += "=…"
		}
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\$`&|;<>()*?[]#~!{}") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// printStats prints the figures of a run.
func printStats(w io.Writer, r report.Report) {
	s := r.Stats
	fmt.Fprintf(w, "\nwall %d ms (start %d, drive %d, judge %d, report %d), CPU %d ms\n", r.DurationMS, s.StartupMS, s.DriveMS, s.JudgeMS, s.ReportMS, s.CPUMS)
	fmt.Fprintf(w, "%d processes, %d requests, %d bytes sent, %d received, %d outcomes, memory %d MiB\n",
		s.Processes, s.Requests, s.BytesSent, s.BytesRecv, s.Outcomes, s.PeakMemory>>20)
	if s.FloorMS > 0 {
		fmt.Fprintf(w, "floor %d ms: what the server needs for the same frames alone; the run took %.2f times as long\n",
			s.FloorMS, float64(r.DurationMS)/float64(s.FloorMS))
	}
}
