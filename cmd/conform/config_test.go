package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/suite"
	"github.com/agntn/conform/suite/fixtures"
)

func configSchema(t *testing.T) (*jsonschema.Schema, gjson.Result) {
	t.Helper()
	raw, err := os.ReadFile("../../conform.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := jsonschema.Compile(raw)
	if err != nil {
		t.Fatal(err)
	}
	return s, gjson.ParseBytes(raw)
}

// problems says what the schema for editors finds wrong with a configuration.
func problems(t *testing.T, s *jsonschema.Schema, config string) []string {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.Problems(raw)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range found {
		out = append(out, p.String())
	}
	return out
}

// keys lists the keys of a configuration as the program reads it.
func keys(t reflect.Type, path string) []string {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		return keys(t.Elem(), path)
	case reflect.Map:
		return keys(t.Elem(), path+".*")
	case reflect.Struct:
		var out []string
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
			at := strings.TrimPrefix(path+"."+name, ".")
			out = append(append(out, at), keys(t.Field(i).Type, at)...)
		}
		return out
	}
	return nil
}

// schemaKeys lists the keys that the schema knows.
func schemaKeys(root, s gjson.Result, path string) []string {
	if ref := s.Get("$ref").Str; ref != "" {
		s = root.Get(strings.ReplaceAll(strings.TrimPrefix(ref, "#/"), "/", "."))
	}
	var out []string
	s.Get("properties").ForEach(func(k, sub gjson.Result) bool {
		at := strings.TrimPrefix(path+"."+k.Str, ".")
		if path == "roles" { // named one by one, where the program has a map
			at = "roles.*"
		} else {
			out = append(out, at)
		}
		out = append(out, schemaKeys(root, sub, at)...)
		return true
	})
	if items := s.Get("items"); items.IsObject() {
		out = append(out, schemaKeys(root, items, path)...)
	}
	return out
}

// TestSchemaKnowsTheConfiguration holds the schema for editors to what the program
// reads: the same keys, the same words.
func TestSchemaKnowsTheConfiguration(t *testing.T) {
	t.Parallel()
	_, schema := configSchema(t)
	want, got := keys(reflect.TypeFor[suite.File](), ""), schemaKeys(schema, schema, "")
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(slices.Compact(want), slices.Compact(got)); diff != "" {
		t.Errorf("-the program +the schema:\n%s", diff)
	}
	words := func(path string) []string {
		var out []string
		for _, v := range schema.Get(path).Array() {
			out = append(out, v.Str)
		}
		return out
	}
	var profiles []string
	for _, p := range scenarios.Profiles() {
		profiles = append(profiles, string(p))
	}
	for path, want := range map[string][]string{
		"properties.profile.enum":         profiles,
		"properties.revisions.items.enum": append(fakes.Revisions(), "all"),
		"properties.behind.enum":          {"h3", "toolkit"},
	} {
		got := words(path)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	var jobs []string
	schema.Get("properties.roles.properties").ForEach(func(k, _ gjson.Result) bool {
		jobs = append(jobs, k.Str)
		return true
	})
	if !slices.Equal(jobs, suite.RoleJobs()) {
		t.Errorf("roles: %q, want %q", jobs, suite.RoleJobs())
	}
}

// TestConfigurationsAreRead gives the same configurations to the program and to the
// schema: both take them, or both refuse them.
func TestConfigurationsAreRead(t *testing.T) {
	t.Parallel()
	schema, _ := configSchema(t)
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```yaml\n(target:.*?)```").FindSubmatch(readme)
	if example == nil {
		t.Fatal("the README shows no configuration")
	}
	for name, c := range map[string]struct {
		config string
		right  bool
	}{
		"the README's": {string(example[1]), true},
		"everything": {`
target: {command: [node, s.mjs], cwd: ., env: {A: b}, url: "http://127.0.0.1:1/mcp", headers: {X: y}}
profile: strict
clients: [sdk-v1, chatgpt]
revisions: [2026-07-28, all]
allow: [a]
deny: [b]
calls: [{tool: a, arguments: {x: [1, null]}, expect: [{path: content.0.text, matches: "^x"}, {path: y, exists: false}, {path: z, equals: 3}]}]
roles: {slow: {tool: a, arguments: {n: 1}, alternative: {n: 2}}}
waive: [{check: host-*, client: cursor, reason: known, until: "2027-01-31"}]
sources: {a: src/a.ts:3}
behind: h3
limits: {start: 30s, answer: 10s, timeout: 5m, patience: 70s, jobs: 3, processes: 2}
seed: 7
`, true},
		"nothing":           {"{}", true},
		"an unknown key":    {"colour: red", false},
		"a misspelt one":    {"calls: [{tool: a, argument: {}}]", false},
		"a wrong type":      {"profile: [hosts]", false},
		"no tool":           {"calls: [{arguments: {}}]", false},
		"no reason":         {"waive: [{check: a/b}]", false},
		"an unknown role":   {"roles: {sings: {tool: a}}", false},
		"no such day":       {"waive: [{check: a/b, reason: x, until: soon}]", false},
		"nothing expected":  {"calls: [{tool: a, expect: [{path: x}]}]", false},
		"a broken duration": {"limits: {start: []}", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if found := problems(t, schema, c.config); (len(found) == 0) != c.right {
				t.Errorf("the schema says %q", found)
			}
			path := filepath.Join(t.TempDir(), "conform.yaml")
			write(t, path, c.config)
			file, err := suite.ReadFile(path)
			if err == nil {
				set, lerr := fakes.Load()
				if lerr != nil {
					t.Fatal(lerr)
				}
				err = file.Apply(&suite.Config{}, filepath.Dir(path), splitCommand, set)
			}
			if (err == nil) != c.right {
				t.Errorf("the program says %v", err)
			}
		})
	}
}

// TestInitOnARealServer writes a configuration for a server from npm and runs it as
// it is: nothing in it is wrong, and nothing fails that is not the server's fault.
func TestInitOnARealServer(t *testing.T) {
	t.Parallel()
	target := fixtures.Require(t, "filesystem")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(args ...string) string {
		cmd := exec.Command(self, args...)
		cmd.Dir, cmd.Env = dir, append(append(os.Environ(), target.Env...), "CONFORM_TEST_MAIN=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("conform %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run(append([]string{"init", "--"}, target.Command...)...)
	text, err := os.ReadFile(filepath.Join(dir, "conform.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	schema, _ := configSchema(t)
	if found := problems(t, schema, string(text)); len(found) > 0 {
		t.Errorf("init writes what the schema refuses: %q\n%s", found, text)
	}
	// What is proposed stands there, and is right when it is taken.
	for _, want := range []string{"secure-filesystem-server", `# - "write_file"`, `{tool: "list_allowed_directories", arguments: {}}`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	taken := regexp.MustCompile(`(?m)^( *)# ( *- |  [a-z]+: \{)`).ReplaceAllString(string(text), "$1$2")
	taken = strings.NewReplacer("allow: []", "allow:", "calls: []", "calls:", "# roles:", "roles:", "# waive:", "waive:").Replace(taken)
	if found := problems(t, schema, taken); len(found) > 0 {
		t.Errorf("what init proposes is refused: %q\n%s", found, taken)
	}
	report := filepath.Join(dir, "report.json")
	run("run", "--client", "sdk-v1", "--quiet", "--json", report)
	r, err := readReport(report)
	if err != nil {
		t.Fatal(err)
	}
	if r.Exit != 0 || r.Summary.Fail+r.Summary.Error > 0 || r.Summary.Pass < 200 {
		out, _ := json.Marshal(r.Summary)
		t.Errorf("exit %d: %s", r.Exit, out)
	}
}
