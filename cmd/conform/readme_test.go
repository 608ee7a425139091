package main

import (
	"bytes"
	"fmt"
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

// hostFrames are what a host sends that lists the tools of a server.
const hostFrames = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/list"}
`

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
	// What a reader has: an earlier report, a hosts' file, a list of servers.
	write(t, ".mcp.json", fmt.Sprintf(`{"mcpServers":{"notes":{"command":%q,"args":["serve"]}}}`, self))
	write(t, "targets.jsonl", fmt.Sprintf(`{"name":"notes","command":[%q,"serve"]}`+"\n", self))
	conform(t, "run", "--json", "before.json", "--scenario", "unknown-tool", "--client", "sdk-v1", "--cmd", self+" serve")
	added := ""
	for _, line := range commands {
		t.Run(line, func(t *testing.T) {
			switch {
			case line == "scripts/test":
				return // this very test is run by it
			case strings.HasPrefix(line, "claude mcp add "):
				_, added, _ = strings.Cut(line, " -- ")
				return
			}
			stdin := ""
			if strings.HasPrefix(line, "claude -p ") { // Claude Code starts what was added and talks to it
				line, stdin = added, hostFrames
			}
			line = strings.ReplaceAll(line, "go run ./cmd/conform", "conform")
			line = strings.ReplaceAll(line, "npx @agntn/conform", "conform") // the package has a test of its own
			line = strings.ReplaceAll(line, "http://127.0.0.1:3000/mcp", srv.URL+"/mcp")
			line = strings.ReplaceAll(line, `"node server.mjs"`, `"`+self+` serve"`)
			line = strings.ReplaceAll(line, "-- node server.mjs", "-- "+self+" serve")
			words, err := splitCommand(line)
			if err != nil || words[0] != "conform" {
				t.Fatalf("not a command that this test knows how to run: %s", line)
			}
			args := words[1:]
			if args[0] == "run" || args[0] == "sweep" {
				args = append(args, "--scenario", "unknown-tool", "--client", "sdk-v1")
			}
			if args[0] == "run" {
				if !strings.Contains(line, "--cmd") && !strings.Contains(line, "--url") && !strings.Contains(line, "--mcp-config") {
					args = append(args, "--cmd", self+" serve")
				}
			}
			var out, errOut bytes.Buffer
			if code := Main(args, strings.NewReader(stdin), &out, &errOut); code != 0 {
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
