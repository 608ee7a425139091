package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rhysd/actionlint"
)

// TestActionInARepository is a small repository that takes the action up: its first
// run writes a baseline, a regression fails the gate with an annotation where it
// belongs, and the mending of an old finding makes its entry stale.
func TestActionInARepository(t *testing.T) {
	t.Parallel()
	file := readAction(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := func(faults ...string) string {
		return "#!/bin/sh\nexec '" + self + "' serve " + strings.Join(faults, " ") + "\n"
	}
	a := newActionRun(t, file, map[string]string{
		"server.sh":    server("unknown-tool-prototype"),
		"src/tools.ts": "// The tools of this server.\n\nexport const tools = [\n  { name: \"text_slug\", title: \"Text Slug\" },\n];\n",
		"conform.yaml": "profile: house\ntarget: {command: [sh, server.sh]}\nclients: [sdk-v1]\n",
	})
	git(t, a.repo, "init", "-q")
	a.program()
	narrow := `--scenario unknown-tool --scenario presentation --baseline "conform baseline.json"`

	// The old fault fails at first; then it is written down.
	a.inputs["args"] = "--scenario unknown-tool --scenario presentation"
	if a.do(file); a.Code != 1 || a.outputs["steps.run.outputs.code"] != "1" {
		t.Fatalf("a server with a fault: exit %d\n%s", a.Code, a.Log)
	}
	if a.inputs["args"] = narrow + " --update-baseline"; true {
		a.do(file)
	}
	if a.Code != 0 || len(annotations(a.Log, "error")) > 0 {
		t.Fatalf("the run that writes the baseline: exit %d\n%s", a.Code, a.Log)
	}
	git(t, a.repo, "add", "conform baseline.json")

	// From now on the gate is green.
	a.inputs["args"] = narrow
	if a.do(file); a.Code != 0 {
		t.Fatalf("nothing changed: exit %d\n%s", a.Code, a.Log)
	}
	for _, f := range []string{"conform.json", "conform.sarif", "conform.html"} {
		if _, err := os.Stat(filepath.Join(a.repo, f)); err != nil {
			t.Error(err)
		}
	}
	if got := strings.Join(a.Ran, "; "); got != "Choose between a release and the source; actions/setup-go@v5; Build the source; Run conform; Upload SARIF; Keep the report" {
		t.Errorf("the steps that ran: %s", got)
	}
	if !strings.Contains(a.Summary, "sample") || !strings.Contains(a.Summary, "in the baseline") {
		t.Errorf("the job's summary is\n%s", a.Summary)
	}

	// A regression: one tool leaves a hint out. It fails where the tool is written.
	write(t, filepath.Join(a.repo, "server.sh"), server("unknown-tool-prototype", "presentation-hints-complete"))
	if a.do(file); a.Code != 1 {
		t.Fatalf("a regression: exit %d\n%s", a.Code, a.Log)
	}
	errs := annotations(a.Log, "error")
	if len(errs) != 1 || !strings.HasPrefix(errs[0], "::error file=src/tools.ts,line=4,title=conform%3A presentation/hints-complete::text_slug: missing: [openWorldHint].") {
		t.Errorf("the annotations of the regression: %q", errs)
	}
	if got := strings.Join(a.Ran, "; "); !strings.HasSuffix(got, "Run conform; Upload SARIF; Keep the report") {
		t.Errorf("a failed run keeps no report: %s", got)
	}

	// Both mended: the entry of the old finding is stale, and says so.
	write(t, filepath.Join(a.repo, "server.sh"), server())
	if a.do(file); a.Code != 1 {
		t.Fatalf("a stale baseline: exit %d\n%s", a.Code, a.Log)
	}
	if errs = annotations(a.Log, "error"); len(errs) != 1 || !strings.Contains(errs[0], "stale baseline entries: unknown-tool/prototype-name: the finding is gone") {
		t.Errorf("the annotations of the stale baseline: %q", errs)
	}
	if !strings.Contains(a.Summary, "stale") {
		t.Errorf("the job's summary says nothing of it:\n%s", a.Summary)
	}
	if a.inputs["args"] = narrow + " --update-baseline"; true {
		a.do(file)
	}
	if a.inputs["args"] = narrow; a.Code == 0 {
		a.do(file)
	}
	if a.Code != 0 {
		t.Errorf("with the entry gone: exit %d\n%s", a.Code, a.Log)
	}
}

// TestActionInstalls tries both ways to the program.
func TestActionInstalls(t *testing.T) {
	t.Parallel()
	file := readAction(t)
	bin := t.TempDir()
	// A gh that has one release, and one with a broken archive.
	archive, sum := archiveOf(t, "#!/bin/sh\necho \"conform got: $*\"\n")
	write(t, filepath.Join(bin, "archive.tar.gz"), archive)
	gh := fmt.Sprintf(`#!/bin/sh
tag=$3; name=conform_${tag#v}_linux_amd64.tar.gz
cp '%s/archive.tar.gz' "$name"
[ "$tag" = v6.6.6 ] && echo broken >> "$name"
echo "%s  $name" > checksums.txt
`, bin, sum)
	write(t, filepath.Join(bin, "gh"), gh)
	write(t, filepath.Join(bin, "go"), "#!/bin/sh\n"+`[ "$1 $2" = "build -C" ] || exit 1
[ -f "$3/cmd/conform/main.go" ] || exit 1
mkdir -p "$RUNNER_TEMP/conform"
printf '#!/bin/sh\necho "built: $*"\n' > "$RUNNER_TEMP/conform/conform"
chmod +x "$RUNNER_TEMP/conform/conform"
`)
	for _, name := range []string{"gh", "go"} {
		if err := os.Chmod(filepath.Join(bin, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		version, ref, args string
		code               int
		says               string
	}{
		"the source":                {"", "main", "", 0, "built: run --json conform.json"},
		"the source of a branch":    {"", "v1", `--cmd "node server.mjs" --env 'A=b c'`, 0, "built: run --cmd node server.mjs --env A=b c --json"},
		"the release of the tag":    {"", "v1.2.3", "", 0, "conform got: run --json"},
		"a release by name":         {"v2.0.0-rc.1", "main", "", 0, "conform got: run --json"},
		"a broken archive":          {"v6.6.6", "main", "", 1, "FAILED"},
		"nothing in args is run":    {"", "main", "$(touch owned) `touch owned` ; touch owned", 0, "built: run $(touch owned) `touch owned` ; touch owned --json"},
		"no tag":                    {"main; rm -rf /", "main", "", 2, "::error title=conform::version has to be"},
		"a tag with more to it":     {"v1 --repo evil/evil", "main", "", 2, "::error title=conform::version has to be"},
		"the ref of a pull request": {"", "refs/pull/7/merge", "", 0, "built: run"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newActionRun(t, file, nil)
			a.stub, a.path = false, bin+":"+a.path
			a.inputs["version"], a.inputs["args"], a.github["action_ref"] = c.version, c.args, c.ref
			a.do(file)
			if a.Code != c.code || !strings.Contains(a.Log, c.says) {
				t.Errorf("exit %d, want %d, and %q in\n%s", a.Code, c.code, c.says, a.Log)
			}
			if _, err := os.Stat(filepath.Join(a.repo, "owned")); err == nil {
				t.Error("something in args was run")
			}
		})
	}
}

// archiveOf packs one program as a release does and returns it with its SHA-256.
func archiveOf(t *testing.T, program string) (archive, sum string) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "conform", Mode: 0o755, Size: int64(len(program))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(program)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))
}

// TestActionLint holds the steps of the action to what a workflow may hold, for
// actionlint reads no composite actions.
func TestActionLint(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var whole struct {
		Inputs map[string]map[string]any `yaml:"inputs"`
		Runs   struct {
			Steps []map[string]any `yaml:"steps"`
		} `yaml:"runs"`
	}
	if err := yaml.Unmarshal(raw, &whole); err != nil {
		t.Fatal(err)
	}
	for _, in := range whole.Inputs {
		in["type"] = "string"
	}
	// JSON is YAML.
	workflow, err := json.Marshal(map[string]any{
		"on":   map[string]any{"workflow_call": map[string]any{"inputs": whole.Inputs}},
		"jobs": map[string]any{"conform": map[string]any{"runs-on": "ubuntu-latest", "steps": whole.Runs.Steps}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if found := lint(t, "action.yml", workflow); len(found) > 0 {
		t.Error(strings.Join(found, "\n"))
	}
	broken := bytes.Replace(workflow, []byte("steps.run.outputs"), []byte("steps.nothing.outputs"), 1)
	broken = bytes.Replace(broken, []byte("inputs.args"), []byte("inputs.arguments"), 1)
	if found := lint(t, "action.yml", broken); len(found) == 0 {
		t.Error("an input that does not exist passes")
	}
}

// TestActionNamesTheArchive holds the name that the action downloads to the one
// that a release gives.
func TestActionNamesTheArchive(t *testing.T) {
	t.Parallel()
	var release struct {
		Archives []struct {
			Name    string   `yaml:"name_template"`
			Formats []string `yaml:"formats"`
		} `yaml:"archives"`
		Checksum struct {
			Name string `yaml:"name_template"`
		} `yaml:"checksum"`
	}
	readYAML(t, ".goreleaser.yaml", &release)
	name := strings.NewReplacer("{{ .Version }}", "${VERSION#v}", "{{ .Os }}", "${os}", "{{ .Arch }}", "$arch").Replace(release.Archives[0].Name)
	for _, s := range readAction(t).Runs.Steps {
		if s.Name == "Install the release" {
			for _, want := range []string{"archive=" + name + ".$form", "form=" + release.Archives[0].Formats[0], release.Checksum.Name} {
				if !strings.Contains(s.Run, want) {
					t.Errorf("the action has no %q", want)
				}
			}
			return
		}
	}
	t.Error("no step installs a release")
}

// lint returns what actionlint says of a workflow.
func lint(t *testing.T, name string, text []byte) []string {
	t.Helper()
	l, err := actionlint.NewLinter(&bytes.Buffer{}, &actionlint.LinterOptions{Shellcheck: "", Pyflakes: ""})
	if err != nil {
		t.Fatal(err)
	}
	found, err := l.Lint(name, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range found {
		out = append(out, fmt.Sprintf("%s:%d:%d: %s", name, e.Line, e.Column, e.Message))
	}
	return out
}
