package report

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/agntn/conform/scenarios"
)

// tree writes files under a new directory and returns it.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func toolReport(tools ...string) Report {
	var r Report
	for _, tool := range tools {
		r.Views = append(r.Views, scenarios.View{Client: "x", Tool: tool})
	}
	return r
}

func TestLocate(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"src/server.ts":             "import x\n// \"search\" is mentioned here\nserver.registerTool(\"search\", {\n});\n",
		"src/other.ts":              "const a = 'fetch_note'\n",
		"src/tools/fetch.ts":        "export const tool = {\n  name: 'fetch_note',\n}\n",
		"aaa/mention.go":            "package x\n\nvar list = []string{\"search\"}\n",
		"py/app.py":                 "# x\n@server.tool(\n  name = `in_ticks`)\n",
		"tests/search.test.ts":      "name: \"only_in_test\"\nname: \"search\"\n",
		"tools.json":                "{\"name\": \"only_in_test\",\n \"x\": \"only_in_json\"}",
		"node_modules/m/index.js":   "name: \"hidden_tool\"",
		"dist/bundle.js":            "name: \"hidden_tool\"",
		".cache/x.js":               "name: \"hidden_tool\"",
		"src/big.ts":                "name: \"big_tool\"\n" + strings.Repeat("x", maxSearchFile),
		"src/binary.js":             "name: \"binary_tool\"\x00",
		"README.md":                 "`readme_tool`",
		"report.json":               "{\n  \"schema\": \"conform/report/v1\", \"x\": \"reported_tool\"}",
		"package-lock.json":         "\"lock_tool\"",
		"conform.yaml":              "target: x\n",
		"src/unquoted.ts":           "// unquoted_tool\n",
		"src/longer.ts":             "name: \"search_notes_longer\"",
		"src/with space/α.ts":       "\n\n\ntool('sp')",
		"src/two_on_one_line.ts":    "tool('two_a'); tool('two_b')",
		"src/apostrophe_before.ts":  "// it's\nconst n = { name: \"after_apostrophe\" }",
		"src/dotted.ts":             "name: \"ns.tool/v1\"",
		"src/zz_declares_search.ts": "tool(\"search\")",
	})
	r := toolReport("search", "fetch_note", "in_ticks", "only_in_test", "only_in_json", "hidden_tool", "big_tool", "binary_tool",
		"readme_tool", "lock_tool", "reported_tool", "unquoted_tool", "search_notes_longer", "sp", "two_a", "two_b", "after_apostrophe", "ns.tool/v1",
		"from_config", "absolute", "outside", "no-line", "bad\x1b[31mname", "search_notes")
	l := Locate(r, Sources{Dir: dir, Config: "conform.yaml", Tools: map[string]string{
		"from_config": "lib/x.ts:12", "absolute": filepath.Join(dir, "src", "server.ts") + ":3",
		"outside": filepath.Join(filepath.Dir(dir), "elsewhere.ts") + ":3", "no-line": "lib/y.ts",
	}})
	config := Location{"conform.yaml", 1}
	for subject, want := range map[string]Location{
		"search":                    {"src/server.ts", 3},
		"fetch_note":                {"src/tools/fetch.ts", 2},
		"in_ticks":                  {"py/app.py", 3},
		"only_in_test":              {"tests/search.test.ts", 1},
		"only_in_json":              {"tools.json", 2},
		"hidden_tool":               config,
		"big_tool":                  config,
		"binary_tool":               config,
		"readme_tool":               config,
		"lock_tool":                 config,
		"reported_tool":             config,
		"unquoted_tool":             config,
		"search_notes_longer":       {"src/longer.ts", 1},
		"search_notes":              config, // no other tool's name is taken for it
		"search: the property tags": {"src/server.ts", 3},
		"searching":                 config,
		"sp":                        {"src/with space/α.ts", 4},
		"two_a":                     {"src/two_on_one_line.ts", 1},
		"two_b":                     {"src/two_on_one_line.ts", 1},
		"after_apostrophe":          {"src/apostrophe_before.ts", 2},
		"ns.tool/v1":                {"src/dotted.ts", 1},
		"from_config":               {"lib/x.ts", 12},
		"absolute":                  {"src/server.ts", 3},
		"outside":                   config,
		"no-line":                   {"lib/y.ts", 1},
		"":                          config,
		"bad\x1b[31mname":           config,
	} {
		if got := l.Of(scenarios.Outcome{Scenario: "listing"}, subject); got != want {
			t.Errorf("%q is at %v, want %v", subject, got, want)
		}
	}
	if got := l.Of(scenarios.Outcome{Scenario: "unknown-tool"}, "search"); got != config {
		t.Errorf("an unknown name that a tool has is at %v, want %v", got, config)
	}
}

func TestLocateFallsBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files  map[string]string
		config string
		want   string
	}{
		"config in use": {map[string]string{"conform.yaml": "", "ci/mine.yaml": ""}, "ci/mine.yaml", "ci/mine.yaml"},
		"config there":  {map[string]string{"conform.yaml": "", "package.json": ""}, "", "conform.yaml"},
		"package":       {map[string]string{"README.md": "", "package.json": ""}, "", "package.json"},
		"nothing":       {map[string]string{"x.txt": ""}, "", "conform.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := Locate(Report{}, Sources{Dir: tree(t, c.files), Config: c.config})
			if diff := cmp.Diff(Location{c.want, 1}, l.Of(scenarios.Outcome{}, "x")); diff != "" {
				t.Error(diff)
			}
		})
	}
	var none *Locations
	if got := none.Of(scenarios.Outcome{}, "x"); got != (Location{"conform.yaml", 1}) {
		t.Errorf("no locations give %v", got)
	}
}

func TestLocateFollowsNoLink(t *testing.T) {
	t.Parallel()
	outside := tree(t, map[string]string{"x.ts": "name: \"linked\""})
	dir := tree(t, map[string]string{"package.json": "{}"})
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	if err := os.Symlink(filepath.Join(outside, "x.ts"), filepath.Join(dir, "y.ts")); err != nil {
		t.Fatal(err)
	}
	if got := Locate(toolReport("linked"), Sources{Dir: dir}).Of(scenarios.Outcome{}, "linked"); got.File != "package.json" {
		t.Errorf("a link is followed to %v", got)
	}
}

func TestSearchIsBounded(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"zz/last.ts": {Data: []byte("name: \"wanted\"")}}
	for i := range maxSearchFiles {
		files["many/f"+strconv.Itoa(i)+".ts"] = &fstest.MapFile{}
	}
	found := map[string]Location{}
	search(files, []string{"wanted"}, found)
	if len(found) > 0 {
		t.Errorf("more than %d files were searched: %v", maxSearchFiles, found)
	}
	delete(files, "many/f0.ts")
	search(files, []string{"wanted"}, found)
	if len(found) != 1 {
		t.Errorf("%d files were not searched to their end", maxSearchFiles)
	}
}
