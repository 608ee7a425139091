// Package npm_test builds the npm packages and installs them as a person would.
package npm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const version = "1.2.3"

// run runs a program and returns what it prints on stdout, on stderr, and its exit code.
func run(t *testing.T, dir, stdin string, name string, args ...string) (out, errOut string, code int) {
	t.Helper()
	cmd := exec.Command(name, args...)
	var o, e bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(stdin), &o, &e
	err := cmd.Run()
	var ee *exec.ExitError
	if err != nil && !errors.As(err, &ee) {
		t.Fatalf("%s: %v", name, err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// must is run for what has to succeed.
func must(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	out, errOut, code := run(t, dir, "", name, args...)
	if code != 0 {
		t.Fatalf("%s %s exits %d:\n%s%s", name, strings.Join(args, " "), code, out, errOut)
	}
	return out
}

// host is npm's name of this platform.
func host() string {
	os := map[string]string{"windows": "win32"}[runtime.GOOS]
	if os == "" {
		os = runtime.GOOS
	}
	cpu := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if cpu == "" {
		cpu = runtime.GOARCH
	}
	return os + "-" + cpu
}

// dist makes what goreleaser would: a program for this platform, and its list.
func dist(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "conform_host", "conform")
	must(t, "..", "go", "build", "-ldflags", "-s -w -X main.version="+version, "-o", program, "./cmd/conform")
	list, err := json.Marshal([]map[string]any{
		{"type": "Archive", "name": "conform.tar.gz", "path": "nowhere"},
		{"type": "Binary", "goos": runtime.GOOS, "goarch": runtime.GOARCH, "path": program},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "artifacts.json"), list, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestPackages(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"node", "npm", "npx"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CONFORM_CI") == "1" {
				t.Fatalf("%s is missing", tool)
			}
			t.Skipf("%s is missing", tool)
		}
	}
	from := dist(t)
	out := filepath.Join(t.TempDir(), "packages")
	if _, errOut, code := run(t, "..", "", "node", "npm/build.mjs", "--dist", from, "--version", version, "--out", out); code == 0 || !strings.Contains(errOut, "has no program for") {
		t.Errorf("a release without every platform: exit %d, %s", code, errOut)
	}
	must(t, "..", "node", "npm/build.mjs", "--dist", from, "--version", "v"+version, "--out", out, "--partial")

	// Packed as they would be published.
	var tarballs []string
	for name, want := range map[string][]string{
		"conform":           {"LICENSE", "README.md", "bin/conform.js", "conform.schema.json", "package.json"},
		"conform-" + host(): {"LICENSE", "bin/conform", "package.json"},
	} {
		var packed []struct {
			Filename string `json:"filename"`
			Files    []struct {
				Path string `json:"path"`
				Mode int    `json:"mode"`
			} `json:"files"`
		}
		if err := json.Unmarshal([]byte(must(t, filepath.Join(out, name), "npm", "pack", "--json")), &packed); err != nil {
			t.Fatal(err)
		}
		var files []string
		for _, f := range packed[0].Files {
			files = append(files, f.Path)
			if strings.HasPrefix(f.Path, "bin/") && f.Mode&0o111 == 0 && f.Path != "bin/conform.js" {
				t.Errorf("%s cannot be run", f.Path)
			}
		}
		slices.Sort(files)
		if !slices.Equal(files, want) {
			t.Errorf("%s holds %q, want %q", name, files, want)
		}
		tarballs = append(tarballs, filepath.Join(out, name, packed[0].Filename))
	}

	// Installed without a network: the programs of other platforms are left out.
	project := t.TempDir()
	if err := os.WriteFile(filepath.Join(project, "package.json"), []byte(`{"name":"x","private":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, project, "npm", append([]string{"install", "--offline", "--no-audit", "--no-fund"}, tarballs...)...)
	if got := must(t, project, "npx", "--offline", "conform", "--version"); strings.TrimSpace(got) != "conform version "+version {
		t.Errorf("npx conform --version says %q", got)
	}
	// Exit codes and streams pass through.
	bin := filepath.Join(project, "node_modules", ".bin", "conform")
	if stdout, errOut, code := run(t, project, "", bin, "run", "--scenario", "unknown-tool", "--client", "sdk-v1", "--quiet"); code != 0 || !strings.Contains(stdout, "exit 0") {
		t.Errorf("a clean run exits %d: %s%s", code, stdout, errOut)
	}
	if _, _, code := run(t, project, "", bin, "run", "--no-such-flag"); code != 2 {
		t.Errorf("a wrong flag exits %d", code)
	}
	if stdout, _, _ := run(t, project, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n", bin, "serve"); !strings.Contains(stdout, `"id":1`) {
		t.Errorf("stdin does not reach the program: %q", stdout)
	}
	// Without the program of the platform it says what to do.
	if err := os.RemoveAll(filepath.Join(project, "node_modules", "@agntn", "conform-"+host())); err != nil {
		t.Fatal(err)
	}
	if _, errOut, code := run(t, project, "", bin, "--version"); code != 4 || !strings.Contains(errOut, "@agntn/conform-"+host()+" is not installed") || !strings.Contains(errOut, "--include=optional") {
		t.Errorf("without its program it exits %d: %s", code, errOut)
	}
}

// TestEveryPlatformHasAPackage holds the packages to what is released.
func TestEveryPlatformHasAPackage(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var release struct {
		Builds []struct {
			Goos   []string `yaml:"goos"`
			Goarch []string `yaml:"goarch"`
		} `yaml:"builds"`
	}
	if err := yaml.Unmarshal(raw, &release); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("build.mjs")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, goos := range release.Builds[0].Goos {
		for _, goarch := range release.Builds[0].Goarch {
			n++
			if !strings.Contains(string(script), `"`+goos+"/"+goarch+`": [`) {
				t.Errorf("%s/%s is released and has no package", goos, goarch)
			}
		}
	}
	if n != 6 || n != strings.Count(string(script), `": ["`) {
		t.Errorf("%d platforms are released, %d have a package, want 6", n, strings.Count(string(script), `": ["`))
	}
}
