package main

import (
	"bytes"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agntn/conform/suite/sample"
)

// readmeCommands are the command lines of the README, from its sh blocks.
func readmeCommands(t *testing.T) []string {
	t.Helper()
	raw, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(raw), -1) {
		out = append(out, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	if len(out) < 8 {
		t.Fatalf("the README has %d commands; is its form another one?", len(out))
	}
	return out
}

// TestReadmeCommands runs every command of the README, with the reader's own
// server replaced by the sample. Narrowed to one scenario, to stay short.
func TestReadmeCommands(t *testing.T) {
	s, err := sample.New(sample.Options{})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(s.Handler())
	defer srv.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	commands := readmeCommands(t)
	t.Chdir(t.TempDir())
	for _, line := range commands {
		t.Run(line, func(t *testing.T) {
			switch {
			case line == "scripts/test":
				return // this very test is run by it
			case strings.HasPrefix(line, "claude "):
				t.Skip("needs Claude Code; recording is tried by a script of its own")
			case strings.HasPrefix(line, "conform replay rec"):
				t.Skip("needs what Claude Code recorded; replay is tried by a script of its own")
			}
			line = strings.ReplaceAll(line, "go run ./cmd/conform", "conform")
			line = strings.ReplaceAll(line, "http://127.0.0.1:3000/mcp", srv.URL+"/mcp")
			line = strings.ReplaceAll(line, `"node server.mjs"`, `"`+self+` serve"`)
			words, err := splitCommand(line)
			if err != nil || words[0] != "conform" {
				t.Fatalf("not a command that this test knows how to run: %s", line)
			}
			args := words[1:]
			if args[0] == "run" {
				args = append(args, "--scenario", "unknown-tool", "--client", "sdk-v1")
				if !strings.Contains(line, "--cmd") && !strings.Contains(line, "--url") {
					args = append(args, "--cmd", self+" serve")
				}
			}
			var out, errOut bytes.Buffer
			if code := Main(args, strings.NewReader(""), &out, &errOut); code != 0 {
				t.Errorf("exit code %d\n%s\n%s", code, out.String(), errOut.String())
			}
		})
	}
	if _, err := os.Stat("report.html"); err != nil {
		t.Errorf("the first command writes no page: %v", err)
	}
}

// TestWorkflowsLint holds the workflows of this repository, and those that
// init writes, to what GitHub Actions accepts.
func TestWorkflowsLint(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows found: %v", err)
	}
	texts := map[string][]byte{}
	for _, f := range files {
		if texts[f], err = os.ReadFile(f); err != nil {
			t.Fatal(err)
		}
	}
	for name, body := range workflows()["github"] {
		texts[name] = []byte(body)
	}
	for name, body := range texts {
		for _, fault := range lint(t, name, body) {
			t.Error(fault)
		}
	}
	// A planted mistake must be found, else the lint proves nothing.
	if len(lint(t, "bad.yml", []byte("on: push\njobs:\n  a:\n    steps: []\n"))) == 0 {
		t.Error("a workflow without runs-on passes")
	}
}
