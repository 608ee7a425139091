package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// conform runs the command line in this process and returns what it prints.
func conform(t *testing.T, args ...string) string {
	t.Helper()
	var out, errOut bytes.Buffer
	if code := Main(args, strings.NewReader(""), &out, &errOut); code != 0 {
		t.Fatalf("conform %s exits %d: %s", strings.Join(args, " "), code, errOut.String())
	}
	return out.String()
}

// TestManual has a page for every command, and in it every flag.
func TestManual(t *testing.T) { // not parallel: it sets the environment
	t.Setenv("SOURCE_DATE_EPOCH", "1798761600")
	dir := t.TempDir()
	conform(t, "man", "--out", dir)
	seen := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
		}
		if !c.IsAvailableCommand() && c.HasParent() {
			return
		}
		page, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"))
		if err != nil {
			t.Error(err)
			return
		}
		seen++
		text := strings.ReplaceAll(string(page), `\-`, "-")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(text, "--"+f.Name) {
				t.Errorf("the page of %s lacks --%s", c.CommandPath(), f.Name)
			}
		})
		if !strings.Contains(text, "2027-01-01") {
			t.Errorf("the page of %s has another day than its source", c.CommandPath())
		}
	}
	walk(newRoot(streams{}))
	if seen < 10 {
		t.Errorf("%d pages", seen)
	}
	plain := strings.NewReplacer(`\-`, "-")
	if one, all := plain.Replace(conform(t, "man", "run")), plain.Replace(conform(t, "man")); !strings.Contains(one, "--baseline") || !strings.Contains(all, "conform-run(1)") {
		t.Error("the pages on stdout are not those of the commands")
	}
	pages, _ := filepath.Glob(filepath.Join(dir, "*.1"))
	for _, check := range [][]string{{"mandoc", "-Tlint", "-Wwarning"}, {"groff", "-ww", "-man", "-Tutf8"}} {
		if _, err := exec.LookPath(check[0]); err != nil {
			continue // pages are plain enough for both; they are tried where they are
		}
		for _, page := range pages {
			out, err := exec.Command(check[0], append(check[1:], page)...).CombinedOutput()
			if err != nil || strings.Contains(string(out), "warning") {
				t.Errorf("%s: %v: %s", page, err, out)
			}
		}
	}
}

// TestManualShowsTextAsItIs has roff's own signs in every text of a command.
func TestManualShowsTextAsItIs(t *testing.T) {
	t.Parallel()
	const odd = `.so /etc/passwd \fB 'quoted' "said" -- ~ ^ ` + "`tick"
	c := &cobra.Command{Use: "odd", Short: odd, Long: odd + "\n\n  " + odd + "\n" + odd, Example: odd, Run: func(*cobra.Command, []string) {}}
	c.Flags().String("flag", odd, odd)
	plain := strings.NewReplacer(`\(rs`, `\`, `\-`, "-", `\(ga`, "`", `\(aq`, "'", `\(ha`, "^", `\(ti`, "~", `\&`, "")
	times := 0
	for _, line := range strings.Split(manPage(c, built()), "\n") {
		if strings.HasPrefix(line, ".so") || strings.HasPrefix(line, "'") {
			t.Errorf("a request came in: %s", line)
		}
		times += strings.Count(plain.Replace(line), odd)
	}
	if times != 7 { // name, description three times, flag and its default, example
		t.Errorf("the text is shown %d times", times)
	}
}

// TestCompletions asks as the scripts of the shells do.
func TestCompletions(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"run --client claude-code-":     "claude-code-2.1.197 claude-code-print",
		"run --client sdk-v1,gem":       "sdk-v1,gemini-cli",
		"run --profile ":                "spec hosts house strict",
		"run --revision 2026":           "2026-07-28",
		"run --allow r":                 "read-only",
		"run --fail-on ":                "fail warn never",
		"run --role th":                 "throws=",
		"run --scenario unknown-":       "unknown-tool",
		"run --behind ":                 "h3 toolkit",
		"sweep x --profile st":          "strict",
		"init --ci git":                 "github gitlab",
		"replay x --fail-on n":          "never",
		"explain unknown-tool/prototy":  "unknown-tool/prototype-name",
		"list ch":                       "checks",
		"serve unknown-tool-prototype-": "unknown-tool-prototype-succeeds unknown-tool-prototype-breaks",
		"comp":                          "completion",
	} {
		words := strings.Split(line, " ")
		var got []string
		for _, l := range strings.Split(conform(t, append([]string{"__completeNoDesc"}, words...)...), "\n") {
			if strings.HasPrefix(l, ":") {
				break
			}
			got = append(got, l)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("conform %s: %.300q, want %q", line, text, want)
		}
	}
}

// TestCompletionScripts has a script for each shell, which the shell can read.
func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for shell, check := range map[string][]string{"bash": {"bash", "-n"}, "zsh": {"zsh", "-n"}, "fish": {"fish", "-n"}, "powershell": nil} {
		script := conform(t, "completion", shell)
		if !strings.Contains(script, "__complete") {
			t.Errorf("the script for %s asks for no completions", shell)
		}
		if check == nil {
			continue
		}
		if _, err := exec.LookPath(check[0]); err != nil {
			continue // bash is on every machine that tests; the others are tried where they are
		}
		cmd := exec.Command(check[0], check[1:]...)
		cmd.Stdin = strings.NewReader(script)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s cannot read its script: %v %s", shell, err, out)
		}
	}
}
