package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// actionFile is action.yml as far as its steps matter.
type actionFile struct {
	Inputs map[string]struct {
		Description string `yaml:"description"`
		Default     string `yaml:"default"`
	} `yaml:"inputs"`
	Runs struct {
		Using string       `yaml:"using"`
		Steps []actionStep `yaml:"steps"`
	} `yaml:"runs"`
}

type actionStep struct {
	ID   string            `yaml:"id"`
	Name string            `yaml:"name"`
	Uses string            `yaml:"uses"`
	If   string            `yaml:"if"`
	Run  string            `yaml:"run"`
	Env  map[string]string `yaml:"env"`
	Dir  string            `yaml:"working-directory"`
	With map[string]any    `yaml:"with"`
}

func readAction(t *testing.T) actionFile {
	t.Helper()
	raw, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a actionFile
	if err := yaml.Unmarshal(raw, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// actionRun is one use of the action in a repository, with its steps run by hand.
type actionRun struct {
	t      *testing.T
	repo   string // the repository, where the steps run
	temp   string
	path   string // of programs
	inputs map[string]string
	github map[string]string
	// stub keeps the program from being built or downloaded: one is there already.
	stub bool

	outputs map[string]string
	// Ran names the steps that ran, Log is what they printed, Summary the job's summary.
	Ran          []string
	Log, Summary string
	Code         int
}

// do runs the steps as GitHub would: in order, those after a failure only where
// they say always().
func (a *actionRun) do(file actionFile) {
	a.outputs, a.Ran, a.Log, a.Code = map[string]string{}, nil, "", 0
	for _, s := range file.Runs.Steps {
		name := s.Name
		if name == "" {
			name = s.Uses
		}
		if !a.wanted(s.If) {
			continue
		}
		a.Ran = append(a.Ran, name)
		if s.Run == "" || a.stub && (name == "Build the source" || name == "Install the release") {
			continue
		}
		if code := a.step(s); code != 0 && a.Code == 0 {
			a.Code = code
		}
	}
}

func (a *actionRun) step(s actionStep) int {
	a.t.Helper()
	output, summary := filepath.Join(a.temp, "output"), filepath.Join(a.temp, "summary")
	for _, f := range []string{output, summary} {
		if err := os.WriteFile(f, nil, 0o600); err != nil {
			a.t.Fatal(err)
		}
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
	cmd.Dir = filepath.Join(a.repo, a.expand(s.Dir))
	cmd.Env = []string{
		"PATH=" + a.path, "HOME=" + a.temp, "GITHUB_ACTIONS=true", "GITHUB_OUTPUT=" + output, "GITHUB_STEP_SUMMARY=" + summary,
		"RUNNER_TEMP=" + a.temp, "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "GOCACHE=" + goCache(), "GOFLAGS=-mod=mod",
	}
	for k, v := range s.Env {
		cmd.Env = append(cmd.Env, k+"="+a.expand(v))
	}
	log, err := cmd.CombinedOutput()
	a.Log += string(log)
	if err != nil && cmd.ProcessState == nil {
		a.t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(read(a.t, output)), "\n") {
		if k, v, ok := strings.Cut(line, "="); ok {
			a.outputs["steps."+s.ID+".outputs."+k] = v
		}
	}
	if text := read(a.t, summary); text != "" {
		a.Summary = text
	}
	return cmd.ProcessState.ExitCode()
}

var expression = regexp.MustCompile(`\$\{\{\s*([a-z0-9_.-]+)\s*\}\}`)

// expand replaces expressions that name one value.
func (a *actionRun) expand(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		return a.value(expression.FindStringSubmatch(e)[1])
	})
}

func (a *actionRun) value(name string) string {
	kind, key, _ := strings.Cut(name, ".")
	switch kind {
	case "inputs":
		return a.inputs[key]
	case "github":
		return a.github[key]
	case "steps":
		return a.outputs[name]
	}
	a.t.Fatalf("action.yml uses %s, which this test does not know", name)
	return ""
}

// wanted evaluates the conditions that action.yml has: parts joined by &&.
func (a *actionRun) wanted(condition string) bool {
	if condition == "" {
		return a.Code == 0
	}
	always := false
	for _, part := range strings.Split(condition, "&&") {
		part = strings.TrimSpace(part)
		if part == "always()" {
			always = true
			continue
		}
		left, right, equal := strings.Cut(part, " == ")
		if !equal {
			var ok bool
			if left, right, ok = strings.Cut(part, " != "); !ok {
				a.t.Fatalf("action.yml has the condition %q, which this test does not know", part)
			}
		}
		if (a.operand(left) == strings.Trim(right, "'")) != equal {
			return false
		}
	}
	return always || a.Code == 0
}

func (a *actionRun) operand(text string) string {
	if pattern, ok := strings.CutPrefix(text, "hashFiles('**/"); ok {
		if _, err := os.Stat(filepath.Join(a.repo, a.inputs["working-directory"], strings.TrimSuffix(pattern, "')"))); err != nil {
			return ""
		}
		return "hash"
	}
	return a.value(text)
}

func goCache() string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return os.TempDir()
	}
	return strings.TrimSpace(string(out))
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// newActionRun uses the action in a fresh repository with the given files.
func newActionRun(t *testing.T, file actionFile, files map[string]string) *actionRun {
	t.Helper()
	a := &actionRun{t: t, repo: t.TempDir(), temp: t.TempDir(), path: os.Getenv("PATH"), inputs: map[string]string{}, stub: true}
	source, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	a.github = map[string]string{"action_path": source, "action_ref": "main", "token": "x"}
	for name, in := range file.Inputs {
		if in.Description == "" {
			t.Errorf("the input %s is not described", name)
		}
		a.inputs[name] = in.Default
	}
	for name, text := range files {
		write(t, filepath.Join(a.repo, name), text)
	}
	return a
}

// program puts this test's own binary in the place of the program. As the sample
// server it can have faults; see TestMain.
func (a *actionRun) program() {
	a.t.Helper()
	self, err := os.Executable()
	if err != nil {
		a.t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\nexec env CONFORM_TEST_MAIN=1 '%s' \"$@\"\n", self)
	write(a.t, filepath.Join(a.temp, "conform", "conform"), script)
	if err := os.Chmod(filepath.Join(a.temp, "conform", "conform"), 0o755); err != nil {
		a.t.Fatal(err)
	}
}

// annotations are the workflow commands of one kind in a log.
func annotations(log, kind string) []string {
	var out []string
	for line := range strings.Lines(log) {
		if strings.HasPrefix(line, "::"+kind+" ") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v %s", args, err, bytes.TrimSpace(out))
	}
}
