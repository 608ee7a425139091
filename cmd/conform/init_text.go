package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
)

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
	say("\n# Jobs that some checks need a tool for: asks (a question to the person), throws,\n# mismatches (data that break the outputSchema), progresses, slow.\n# roles:")
	for _, line := range roleProposals(f) {
		say("#   %s", line)
	}
	say("\n# Findings that are known and accepted.\n# waive:\n#   - {check: unknown-tool/prototype-name, reason: fixed in the next SDK, until: 2027-12-31}")
	return b.String()
}

// calls proposes one call for each tool that may be called: those that nobody had
// to make up as they are, made ones as comments.
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
		from := sets[0].From
		if from != "generated" && from != "guessed" || len(t.Get("inputSchema.properties").Map()) == 0 {
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

// roleProposals proposes a tool for each job whose words are in what a tool says
// of itself; for a job that no tool speaks of, a line to fill in.
func roleProposals(f *scenarios.Facts) []string {
	words := map[string]*regexp.Regexp{
		"asks":       regexp.MustCompile(`(?i)\b(asks|confirm|confirms|confirmation|elicit\w*|approv\w+)\b`),
		"throws":     regexp.MustCompile(`(?i)\b(throw|throws|fails)\b`),
		"mismatches": regexp.MustCompile(`(?i)\bmismatch\w*\b`),
		"progresses": regexp.MustCompile(`(?i)\bprogress\b`),
		"slow":       regexp.MustCompile(`(?i)\b(slow\w*|long[- ]running|delay\w*|wait|waits|sleep\w*)\b`),
	}
	var out []string
	for _, job := range suite.RoleJobs() {
		line := fmt.Sprintf("%s: {tool: NAME, arguments: {}}", job)
		for i := range f.Tools {
			t := &f.Tools[i]
			said := strings.NewReplacer("_", " ", "-", " ").Replace(t.Name) + " " + t.Get("description").Str
			word := words[job].FindString(said)
			if word == "" {
				continue
			}
			args := "{}"
			if sets := scenarios.CallArguments(f, t); len(sets) > 0 {
				args = string(sets[0].JSON)
			}
			line = fmt.Sprintf("%s: {tool: %s, arguments: %s} # it speaks of %s", job, flow(t.Name), args, flow(word))
			break
		}
		out = append(out, line)
	}
	return out
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
