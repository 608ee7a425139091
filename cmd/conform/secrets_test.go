package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agntn/conform/suite/sample"
)

const (
	envSecret    = `tok/4f9c+"2b7e`
	headerSecret = "hdr-77aa01bc"
)

// TestSecretsAppearNowhere gives secrets as variables and headers to servers that
// say them wherever they can, and looks for them in everything that conform writes.
func TestSecretsAppearNowhere(t *testing.T) { // not parallel: it sets the environment
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := sample.New(sample.Options{})
	if err != nil {
		t.Fatal(err)
	}
	heard := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if login := r.Header.Get("Authorization"); login == "Bearer "+headerSecret {
			heard++
			w.Header().Set("X-Echo", login)
		}
		s.Handler().ServeHTTP(w, r)
	}))
	defer srv.Close()
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("LEAKED", envSecret)
	t.Chdir(t.TempDir())
	// The server prints the variable on both streams and has it in its arguments.
	leaky := "#!/bin/sh\nprintf '%s\\n' \"$TOKEN\" >&2\nprintf 'token %s\\n' \"$TOKEN\"\nexec '" + self + "' serve presentation-hints-complete\n"
	write(t, "leaky.sh", leaky)
	if err := os.Chmod("leaky.sh", 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, "conform.yaml", fmt.Sprintf("target:\n  command: [./leaky.sh, \"${LEAKED}\"]\n  env: {TOKEN: \"${LEAKED}\"}\n  url: %s/mcp\n  headers: {Authorization: \"Bearer %s\"}\n", srv.URL, headerSecret))
	write(t, "mcp.json", `{"mcpServers":{"a":{"command":"./leaky.sh","env":{"TOKEN":"${LEAKED}"}},"b":{"url":"`+srv.URL+`/mcp","headers":{"Authorization":"Bearer `+headerSecret+`"}}}}`)
	write(t, "targets.jsonl", `{"name":"a","cmd":"./leaky.sh","env":{"TOKEN":"${LEAKED}"}}`+"\n")
	given := map[string]bool{"conform.yaml": true, "mcp.json": true, "targets.jsonl": true, "leaky.sh": true}

	var said bytes.Buffer
	run := func(want int, args ...string) {
		t.Helper()
		if code := Main(args, strings.NewReader(""), &said, &said); code != want {
			t.Fatalf("conform %s exits %d, want %d:\n%s", args[0], code, want, said.String())
		}
	}
	narrow := []string{"--profile", "strict", "--client", "sdk-v1", "--scenario", "unknown-tool", "--scenario", "presentation"}
	with := func(args ...string) []string { return slices.Concat(args[:1], narrow, args[1:]) }
	run(1, append([]string{"run", "--out", "file", "--record", "rec", "--verbose", "--scenario", "framing", "--scenario", "http"}, narrow...)...)
	run(1, with("run", "--out", "flags", "--env", "TOKEN="+envSecret, "--header", "Authorization: Bearer "+headerSecret, "--url", srv.URL+"/mcp", "--", "./leaky.sh")...)
	run(1, with("run", "--out", "hosts", "--mcp-config", "mcp.json")...)
	run(0, with("run", "--baseline", "known.json", "--update-baseline")...)
	run(1, "replay", "rec", "--out", "again", "--profile", "strict")
	run(0, "merge", "merged.json", "file/report.json")
	run(0, "diff", "file/report.json", "merged.json")
	run(0, "sweep", "targets.jsonl", "--out", "sweep", "--client", "sdk-v1", "--profile", "strict", "--scenario", "unknown-tool")
	run(0, "init", "--force", "--ci", "none", "--env", "TOKEN="+envSecret, "--", "./leaky.sh")
	if given["conform.yaml"] = false; heard == 0 {
		t.Error("no server was given the header: the test proves nothing")
	}

	files := map[string]string{"the console": said.String()}
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || given[path] {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 25 {
		t.Errorf("only %d files were written", len(files))
	}
	if !strings.Contains(files["file/report.json"], "token ***") || !strings.Contains(files["file/report.json"], "Authorization: ***") {
		t.Error("the report shows neither the masked variable nor the masked header: the test proves nothing")
	}
	for name, text := range files {
		for _, secret := range []string{envSecret, headerSecret} {
			for _, form := range []string{secret, strings.ReplaceAll(secret, `"`, `\"`), url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret))} {
				if i := strings.Index(text, form); i >= 0 {
					t.Errorf("%s holds %q: …%s…", name, form, text[max(0, i-80):min(len(text), i+40)])
				}
			}
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
