package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// readYAML reads a file of this repository, documents one after the other.
func readYAML(t *testing.T, name string, v any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(raw, v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestIndexedJob runs the pods of the Kubernetes job one after the other: together
// they have every server, and none has one twice.
func TestIndexedJob(t *testing.T) { // not parallel: it sets the environment
	var job struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
		Spec       struct {
			CompletionMode string `yaml:"completionMode"`
			Completions    int    `yaml:"completions"`
			Template       struct {
				Spec struct {
					RestartPolicy string `yaml:"restartPolicy"`
					Containers    []struct {
						Args         []string `yaml:"args"`
						VolumeMounts []struct {
							MountPath string `yaml:"mountPath"`
						} `yaml:"volumeMounts"`
					} `yaml:"containers"`
				} `yaml:"spec"`
			} `yaml:"template"`
		} `yaml:"spec"`
	}
	readYAML(t, "deploy/kubernetes.yaml", &job)
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Spec.CompletionMode != "Indexed" || job.Spec.Template.Spec.RestartPolicy != "OnFailure" {
		t.Errorf("not an indexed job that starts again: %+v", job)
	}
	container := job.Spec.Template.Spec.Containers[0]
	dir := t.TempDir()
	var list strings.Builder
	const servers = 19
	for i := range servers {
		fmt.Fprintf(&list, `{"name":"s%d","command":["/no/such/program"]}`+"\n", i)
	}
	write(t, filepath.Join(dir, "targets.jsonl"), list.String())
	var args []string
	for _, a := range container.Args {
		for _, m := range container.VolumeMounts {
			a = strings.Replace(a, m.MountPath, dir, 1)
		}
		args = append(args, a)
	}
	done := 0
	for i := range job.Spec.Completions {
		t.Setenv("JOB_COMPLETION_INDEX", fmt.Sprint(i))
		var out, errOut bytes.Buffer
		if code := Main(args, strings.NewReader(""), &out, &errOut); code != 0 {
			t.Fatalf("pod %d exits %d: %s%s", i, code, out.String(), errOut.String())
		}
		if strings.Contains(out.String(), "done before") {
			t.Errorf("pod %d has servers of another one:\n%s", i, out.String())
		}
		found, err := filepath.Glob(filepath.Join(dir, "s*.json"))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == done {
			t.Errorf("pod %d did nothing", i)
		}
		done = len(found)
	}
	if done != servers {
		t.Errorf("%d of %d servers have a report", done, servers)
	}
}

// TestMatrixSweep holds the parts of the GitHub matrix to the shards it asks for.
func TestMatrixSweep(t *testing.T) {
	t.Parallel()
	var w struct {
		Jobs struct {
			Sweep struct {
				Strategy struct {
					FailFast bool `yaml:"fail-fast"`
					Matrix   struct {
						Part []int `yaml:"part"`
					} `yaml:"matrix"`
				} `yaml:"strategy"`
				Steps []struct {
					Run string `yaml:"run"`
				} `yaml:"steps"`
			} `yaml:"sweep"`
		} `yaml:"jobs"`
	}
	readYAML(t, ".github/workflows/sweep.yml", &w)
	parts := w.Jobs.Sweep.Strategy.Matrix.Part
	ran := 0
	for _, step := range w.Jobs.Sweep.Steps {
		if !strings.Contains(step.Run, "sweep targets.jsonl") {
			continue
		}
		ran++
		for i, part := range parts {
			line := strings.ReplaceAll(step.Run, "${{ matrix.part }}", fmt.Sprint(part))
			words, err := splitCommand(line)
			if err != nil {
				t.Fatal(err)
			}
			c, _, err := newRoot(streams{}).Find(words[3:])
			if err != nil || c.Name() != "sweep" {
				t.Fatalf("%q is no sweep: %v", line, err)
			}
			if err := c.ParseFlags(words[4:]); err != nil {
				t.Fatal(err)
			}
			index, count, err := sweepShard(c.Flag("shard").Value.String())
			if err != nil || index != i || count != len(parts) {
				t.Errorf("part %d takes shard %d of %d (%v), want %d of %d", part, index, count, err, i, len(parts))
			}
		}
	}
	if ran != 1 || w.Jobs.Sweep.Strategy.FailFast {
		t.Errorf("%d steps sweep, fail-fast %v", ran, w.Jobs.Sweep.Strategy.FailFast)
	}
}

// TestOtherGates runs what the files for GitLab and pre-commit run.
func TestOtherGates(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	write(t, filepath.Join(bin, "go"), "#!/bin/sh\n[ \"$1 $2\" = \"install github.com/agntn/conform/cmd/conform@latest\" ]\n")
	write(t, filepath.Join(bin, "conform"), fmt.Sprintf("#!/bin/sh\nexec env CONFORM_TEST_MAIN=1 '%s' \"$@\" --scenario unknown-tool --client sdk-v1\n", self))
	for _, name := range []string{"go", "conform"} {
		if err := os.Chmod(filepath.Join(bin, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	shell := func(t *testing.T, line string) (dir string) {
		t.Helper()
		dir = t.TempDir()
		write(t, filepath.Join(dir, "conform.yaml"), fmt.Sprintf("target: {command: [%q, serve]}\n", self))
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", line)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		return dir
	}
	t.Run("gitlab", func(t *testing.T) {
		t.Parallel()
		type job struct {
			Script    []string `yaml:"script"`
			Artifacts struct {
				When    string   `yaml:"when"`
				Paths   []string `yaml:"paths"`
				Reports struct {
					JUnit string `yaml:"junit"`
				} `yaml:"reports"`
			} `yaml:"artifacts"`
		}
		var example struct {
			Conform job `yaml:"conform"`
		}
		readYAML(t, "docs/ci/gitlab-ci.yml", &example)
		jobs := []job{example.Conform}
		var written struct {
			Conform job `yaml:"conform"`
		}
		if err := yaml.Unmarshal([]byte(workflows()["gitlab"]["conform.gitlab-ci.yml"]), &written); err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, written.Conform)
		for _, j := range jobs {
			dir := shell(t, strings.Join(j.Script, "\n"))
			for _, f := range append(j.Artifacts.Paths, j.Artifacts.Reports.JUnit) {
				if _, err := os.Stat(filepath.Join(dir, f)); err != nil || f == "" {
					t.Errorf("the artifact %q: %v", f, err)
				}
			}
			if j.Artifacts.When != "always" {
				t.Error("a failed job keeps no report")
			}
		}
	})
	t.Run("pre-commit", func(t *testing.T) {
		t.Parallel()
		var hooks []struct {
			ID            string `yaml:"id"`
			Entry         string `yaml:"entry"`
			Language      string `yaml:"language"`
			PassFilenames bool   `yaml:"pass_filenames"`
		}
		readYAML(t, ".pre-commit-hooks.yaml", &hooks)
		var config struct {
			Repos []struct {
				Repo  string `yaml:"repo"`
				Rev   string `yaml:"rev"`
				Hooks []struct {
					ID string `yaml:"id"`
				} `yaml:"hooks"`
			} `yaml:"repos"`
		}
		readYAML(t, "docs/ci/pre-commit-config.yaml", &config)
		if len(hooks) != 1 || hooks[0].PassFilenames || hooks[0].Language != "golang" {
			t.Errorf("hooks: %+v", hooks)
		}
		if r := config.Repos[0]; r.Repo != "https://github.com/agntn/conform" || r.Rev == "" || r.Hooks[0].ID != hooks[0].ID {
			t.Errorf("the example asks for another hook: %+v", r)
		}
		shell(t, hooks[0].Entry)
	})
}
