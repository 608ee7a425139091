package fakes_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/fakes"
)

func load(t *testing.T) *fakes.Set {
	t.Helper()
	set, err := fakes.Load()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func ids(ps []*fakes.Profile) []string {
	out := []string{}
	for _, p := range ps {
		out = append(out, p.ID)
	}
	return out
}

func TestSelect(t *testing.T) {
	t.Parallel()
	set := load(t)
	defaults := []string{"ai-sdk", "chatgpt", "claude-code", "claude-code-print", "codex", "copilot-cli", "cursor", "gemini-cli", "sdk-v1", "sdk-v2", "vscode"}
	for _, c := range []struct {
		list string
		want []string
	}{
		{"", defaults},
		{"default", defaults},
		{"codex", []string{"codex"}},
		{"codex, claude-code,codex", []string{"claude-code", "codex"}},
		{"default,zed", append(append([]string{}, defaults...), "zed")},
		{"all", ids(set.All())},
		{"all,codex", ids(set.All())},
	} {
		got, err := set.Select(c.list)
		if err != nil {
			t.Errorf("%q: %v", c.list, err)
			continue
		}
		if d := cmp.Diff(c.want, ids(got)); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.list, d)
		}
	}
}

func TestSelectUnknown(t *testing.T) {
	t.Parallel()
	set := load(t)
	for _, c := range []struct{ list, names, says string }{
		{"claud-code", "claude-code", "did you mean claude-code?"},
		{"Codex", "codex", `"Codex"`},
		{"gemini", "gemini-cli", "did you mean gemini-cli?"},
		{"codex,nobody-at-all", "", `no client is called "nobody-at-all"; "conform list clients"`},
		{"x1,x2", "", `"x2"`},
	} {
		got, err := set.Select(c.list)
		if err == nil {
			t.Errorf("%q gave %v, want an error", c.list, ids(got))
			continue
		}
		if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%q: %q does not hold %q and %q", c.list, err, c.says, c.names)
		}
	}
}

// valid is a client as small as can be.
const valid = `{"id":"tiny","product":"Tiny","version":"1","source":"observed","seen":"in this test","drives":true,
	"transports":["stdio"],"client_info":{"name":"tiny","version":"1"},"capabilities":{},
	"opening":{"legacy":"2025-06-18","pages":false},
	"asking":{"first_id":7,"order":"plain","progress_token":"none"},
	"answers":{"form":"silent","url":"silent","roots":"silent","sampling":"silent"},
	"stdio":{"env":["PATH"]},"notes":[]}`

// Adding a client is adding one data file.
func TestOneFileAddsAClient(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"tiny.json": {Data: []byte(valid)}}
	err := fsCopy(files, "profiles")
	if err != nil {
		t.Fatal(err)
	}
	set, err := fakes.LoadFS(files)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(set.All()), len(load(t).All())+1; got != want {
		t.Errorf("%d clients, want %d", got, want)
	}
	got, err := set.Select("tiny,codex")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"codex", "tiny"}, ids(got)); d != "" {
		t.Error(d)
	}
	if p := got[1]; p.Asking.FirstID != 7 || p.ReaderID() != "tiny" || p.Default {
		t.Errorf("read as %+v", p)
	}
}

func fsCopy(into fstest.MapFS, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		raw, err := os.ReadFile(dir + "/" + e.Name())
		if err != nil {
			return err
		}
		into[e.Name()] = &fstest.MapFile{Data: raw}
	}
	return nil
}

// TestLoadRefuses gives each wrong file once; the file says in which respect.
func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	edit := func(from, to string) string {
		if !strings.Contains(valid, from) {
			t.Fatalf("%q is not in the valid file", from)
		}
		return strings.Replace(valid, from, to, 1)
	}
	for _, c := range []struct{ name, file, says string }{
		{"unknown member", edit(`"drives"`, `"fly":1,"drives"`), "fly"},
		{"unknown member inside", edit(`"first_id"`, `"firstid":1,"first_id"`), "firstid"},
		{"unknown member in a part", edit(`"notes"`, `"over":{"http":{"asking":{"hm":1}}},"notes"`), "hm"},
		{"identity in a part", edit(`"notes"`, `"over":{"http":{"id":"x"}},"notes"`), "id"},
		{"other name", edit(`"id":"tiny"`, `"id":"huge"`), "name of the file"},
		{"unknown revision", edit(`2025-06-18`, `2025-06-19`), "legacy"},
		{"proposes what it refuses", edit(`"pages"`, `"accepts":["2025-11-25"],"pages"`), "not accepted"},
		{"unknown order", edit(`"plain"`, `"random"`), "order"},
		{"no opening", edit(`"legacy":"2025-06-18",`, ``), "opening"},
		{"no source", edit(`"source":"observed",`, ``), "source"},
		{"hearsay that drives", edit(`"observed"`, `"single-report"`), "source"},
		{"source without documents", edit(`"observed"`, `"official"`), "documents"},
		{"stdio left out", edit(`"stdio":{"env":["PATH"]},`, ``), "stdio"},
		{"params of no method", edit(`"first_id"`, `"members":{"call":["a"]},"first_id"`), "neither a method"},
		{"no JSON", `{"id":`, "no JSON"},
		{"twice the value", valid + `{}`, "no JSON"},
	} {
		_, err := fakes.LoadFS(fstest.MapFS{"tiny.json": {Data: []byte(c.file)}})
		if err == nil {
			t.Errorf("%s: taken", c.name)
			continue
		}
		if !strings.Contains(err.Error(), "tiny.json") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q does not name the file and %q", c.name, err, c.says)
		}
	}
	for _, id := range []string{"any", "all", "default"} {
		_, err := fakes.LoadFS(fstest.MapFS{id + ".json": {Data: []byte(edit(`"id":"tiny"`, `"id":"`+id+`"`))}})
		if err == nil || !strings.Contains(err.Error(), "meaning of its own") {
			t.Errorf("the id %s: %v", id, err)
		}
	}
	if _, err := fakes.LoadFS(fstest.MapFS{"tiny.json": {Data: []byte(valid)}}); err != nil {
		t.Errorf("the valid file is refused: %v", err)
	}
}

func TestFor(t *testing.T) {
	t.Parallel()
	set := load(t)
	get := func(id string) *fakes.Profile {
		p, ok := set.Get(id)
		if !ok {
			t.Fatalf("no %s", id)
		}
		return p
	}
	cline := get("cline")
	over := cline.For("http", "")
	if cline.Asking.FirstID != 1 || over.Asking.FirstID != 0 || over.Opening.Legacy != fakes.Rev20251125 || over.Asking.Order != "sdk" {
		t.Errorf("cline over HTTP: %+v", over)
	}
	if cline.Opening.Legacy != fakes.Rev20241105 {
		t.Error("the profile itself was changed")
	}
	if cline.For("stdio", fakes.Rev20241105) != cline {
		t.Error("a profile without differences is copied")
	}
	v2 := get("sdk-v2")
	if !v2.For("http", "").Opening.Probe.Stops("silence") || v2.Opening.Probe.Stops("silence") {
		t.Error("the parts share the probe with the profile")
	}
	if p := v2.For("http", "").Opening.Probe; !p.Stops("503") || p.Stops("404") || p.ID == nil || !p.OwnProcess {
		t.Errorf("the probe over HTTP: %+v", p)
	}
	cc := get("claude-code")
	var caps map[string]any
	if err := json.Unmarshal(cc.For("stdio", fakes.Rev20260728).Capabilities, &caps); err != nil || caps["extensions"] == nil {
		t.Errorf("modern capabilities: %v %v", caps, err)
	}
	if got := cc.For("stdio", fakes.Rev20260728).Opening.Lists[0]; got != "prompts/list" {
		t.Errorf("first list in the modern era: %s", got)
	}
}

func TestEnviron(t *testing.T) {
	t.Parallel()
	parent := []string{"PATH=/bin", "HOME=/h", "MY_API_KEY=1", "database_url=x", "GIT_CONFIG_KEY_0=a", "EDITOR=vi", "CLAUDECODE=0", "odd"}
	set := load(t)
	for _, c := range []struct {
		client string
		want   []string
	}{
		{"sdk-v1", []string{"PATH=/bin", "HOME=/h"}},
		{"gemini-cli", []string{"PATH=/bin", "HOME=/h", "GIT_CONFIG_KEY_0=a", "EDITOR=vi", "CLAUDECODE=0", "GEMINI_CLI=1"}},
		{"claude-code", []string{"PATH=/bin", "HOME=/h", "MY_API_KEY=1", "database_url=x", "GIT_CONFIG_KEY_0=a", "EDITOR=vi", "CLAUDECODE=1", "CLAUDE_PROJECT_DIR=/w"}},
	} {
		p, _ := set.Get(c.client)
		if d := cmp.Diff(c.want, p.Stdio.Environ(parent, "/w")); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.client, d)
		}
	}
}
