package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// File is conform.yaml: what a repository says about its server once, so that
// every run knows it.
type File struct {
	Target  FileTarget `yaml:"target" json:"target"`
	Profile string     `yaml:"profile" json:"profile"`
	Clients []string   `yaml:"clients" json:"clients"`
	// Revisions are protocol revisions, or "all".
	Revisions []string `yaml:"revisions" json:"revisions"`
	Allow     []string `yaml:"allow" json:"allow"`
	Deny      []string `yaml:"deny" json:"deny"`
	Calls     []struct {
		Tool      string `yaml:"tool"`
		Arguments any    `yaml:"arguments"`
		Expect    []struct {
			Path    string `yaml:"path"`
			Equals  any    `yaml:"equals"`
			Matches string `yaml:"matches"`
			Exists  *bool  `yaml:"exists"`
		} `yaml:"expect"`
	} `yaml:"calls" json:"calls"`
	Roles map[string]struct {
		Tool        string `yaml:"tool"`
		Arguments   any    `yaml:"arguments"`
		Alternative any    `yaml:"alternative"`
	} `yaml:"roles" json:"roles"`
	// Expect is the path of a file with the listing as it is meant to be.
	Expect string `yaml:"expect" json:"expect"`
	Waive  []struct {
		Check  string `yaml:"check"`
		Client string `yaml:"client"`
		Reason string `yaml:"reason"`
		Until  string `yaml:"until"`
	} `yaml:"waive" json:"waive"`
	// Sources maps a tool to the place where it is defined: file or file:line.
	Sources map[string]string `yaml:"sources" json:"sources"`
	Behind  string            `yaml:"behind" json:"behind"`
	Limits  struct {
		Start     string `yaml:"start"`
		Answer    string `yaml:"answer"`
		Timeout   string `yaml:"timeout"`
		Jobs      int    `yaml:"jobs"`
		Processes int    `yaml:"processes"`
		Patience  string `yaml:"patience"`
	} `yaml:"limits" json:"limits"`
	Seed int64 `yaml:"seed" json:"seed"`
}

// RoleJobs lists the jobs that a role may name.
func RoleJobs() []string { return []string{"asks", "throws", "mismatches", "progresses", "slow"} }

// ReadFile reads a conform.yaml. Unknown keys and wrong types are errors that
// name the file, the line and the column.
func ReadFile(path string) (*File, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration %s: %w", path, err)
	}
	f := &File{}
	dec := yaml.NewDecoder(bytes.NewReader(raw), yaml.Strict(), yaml.DisallowUnknownField())
	if err := dec.Decode(f); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s:%s", path, yamlError(err))
	}
	return f, nil
}

// yamlPlace is how the YAML library begins an error: "[line:column] text".
func yamlError(err error) string {
	text := yaml.FormatError(err, false, false)
	text, _, _ = strings.Cut(text, "\n")
	m := regexp.MustCompile(`^\[(\d+):(\d+)\] (.*)$`).FindStringSubmatch(text)
	if m == nil {
		return " " + text
	}
	return fmt.Sprintf("%s:%s: %s", m[1], m[2], m[3])
}

// Apply puts what the file says into a configuration. dir is the folder of the
// file; relative paths in it are relative to that. Members that the
// configuration has already are left as they are: flags win.
func (f *File) Apply(cfg *Config, dir string, split func(string) ([]string, error), set *fakes.Set) error {
	if err := f.applyTarget(cfg, dir, split); err != nil {
		return err
	}
	if cfg.Profile == "" {
		cfg.Profile = scenarios.Profile(f.Profile)
	}
	if cfg.Clients == nil && len(f.Clients) > 0 {
		var err error
		if cfg.Clients, err = set.Select(strings.Join(f.Clients, ",")); err != nil {
			return fmt.Errorf("clients: %w", err)
		}
	}
	if len(cfg.Revisions) == 0 && !cfg.AllRevisions {
		cfg.AllRevisions = slices.Contains(f.Revisions, "all")
		if !cfg.AllRevisions {
			cfg.Revisions = f.Revisions
		}
	}
	cfg.AllowList = append(cfg.AllowList, f.Allow...)
	cfg.DenyList = append(cfg.DenyList, f.Deny...)
	if cfg.Behind == "" {
		cfg.Behind = f.Behind
	}
	if cfg.Seed == 0 {
		cfg.Seed = f.Seed
	}
	if f.Expect != "" && cfg.Expect == nil {
		raw, err := os.ReadFile(filepath.Join(dir, f.Expect))
		if err != nil {
			return fmt.Errorf("expect: %w", err)
		}
		cfg.Expect = raw
	}
	for _, step := range []func(*Config) error{f.applyCalls, f.applyRoles, f.applyWaivers, f.applyLimits} {
		if err := step(cfg); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) applyTarget(cfg *Config, dir string, split func(string) ([]string, error)) error {
	if len(cfg.Target.Command) > 0 || cfg.Target.URL != "" || cfg.Target.Serve != nil || cfg.Target.Transport != nil {
		return nil
	}
	given := cfg.Target // flags may give a folder, variables and headers alone
	t, secrets, err := f.Target.Resolve(dir, split)
	if err != nil {
		return fmt.Errorf("target: %w", err)
	}
	if given.Dir != "" {
		t.Dir = given.Dir
	}
	t.Name = given.Name
	t.Env = append(t.Env, given.Env...)
	for k, v := range given.Header {
		if t.Header == nil {
			t.Header = http.Header{}
		}
		t.Header[k] = v
	}
	cfg.Target, cfg.Secrets = t, append(cfg.Secrets, secrets...)
	return nil
}

func (f *File) applyCalls(cfg *Config) error {
	for i, c := range f.Calls {
		if c.Tool == "" {
			return fmt.Errorf("calls[%d]: tool is missing", i)
		}
		args, err := jsonOf(c.Arguments)
		if err != nil {
			return fmt.Errorf("calls[%d].arguments: %w", i, err)
		}
		call := scenarios.ToolCall{Tool: c.Tool, Arguments: args}
		for j, x := range c.Expect {
			e := scenarios.Expectation{Path: x.Path, Matches: x.Matches, Exists: x.Exists}
			if x.Equals != nil {
				if e.Equals, err = jsonOf(x.Equals); err != nil {
					return fmt.Errorf("calls[%d].expect[%d].equals: %w", i, j, err)
				}
			}
			if x.Path == "" || e.Equals == nil && e.Matches == "" && e.Exists == nil {
				return fmt.Errorf("calls[%d].expect[%d]: needs a path and one of equals, matches, exists", i, j)
			}
			if _, err := regexp.Compile(x.Matches); err != nil {
				return fmt.Errorf("calls[%d].expect[%d].matches: %w", i, j, err)
			}
			call.Expect = append(call.Expect, e)
		}
		cfg.Calls = append(cfg.Calls, call)
	}
	return nil
}

func (f *File) applyRoles(cfg *Config) error {
	for _, job := range slices.Sorted(maps.Keys(f.Roles)) {
		r := f.Roles[job]
		if !slices.Contains(RoleJobs(), job) {
			return fmt.Errorf("roles: unknown job %q; use one of %s", job, strings.Join(RoleJobs(), ", "))
		}
		if r.Tool == "" {
			return fmt.Errorf("roles.%s: tool is missing", job)
		}
		if slices.ContainsFunc(cfg.Roles, func(have scenarios.Role) bool { return have.Job == job }) {
			continue
		}
		role := scenarios.Role{Job: job, Tool: r.Tool}
		var err error
		if role.Arguments, err = jsonOf(r.Arguments); err != nil {
			return fmt.Errorf("roles.%s.arguments: %w", job, err)
		}
		if r.Alternative != nil {
			if role.Alternative, err = jsonOf(r.Alternative); err != nil {
				return fmt.Errorf("roles.%s.alternative: %w", job, err)
			}
		}
		cfg.Roles = append(cfg.Roles, role)
	}
	return nil
}

func (f *File) applyWaivers(cfg *Config) error {
	for i, w := range f.Waive {
		v := report.Waiver{Check: w.Check, Client: w.Client, Reason: w.Reason}
		if w.Until != "" {
			day, err := time.ParseInLocation(time.DateOnly, w.Until, time.Local)
			if err != nil {
				return fmt.Errorf("waive[%d].until: %q is no date; write it as 2027-01-31", i, w.Until)
			}
			v.Until = day
		}
		if err := v.Validate(); err != nil {
			return fmt.Errorf("waive[%d]: %w", i, err)
		}
		cfg.Waive = append(cfg.Waive, v)
	}
	return nil
}

func (f *File) applyLimits(cfg *Config) error {
	for _, l := range []struct {
		name, text string
		to         *time.Duration
	}{
		{"start", f.Limits.Start, &cfg.Start}, {"answer", f.Limits.Answer, &cfg.Answer},
		{"timeout", f.Limits.Timeout, &cfg.Timeout}, {"patience", f.Limits.Patience, &cfg.Patience},
	} {
		if l.text == "" || *l.to != 0 {
			continue
		}
		d, err := time.ParseDuration(l.text)
		if err != nil || d <= 0 {
			return fmt.Errorf("limits.%s: %q is no duration; write it as 20s or 2m", l.name, l.text)
		}
		*l.to = d
	}
	if cfg.Jobs == 0 {
		cfg.Jobs = f.Limits.Jobs
	}
	if cfg.Processes == 0 {
		cfg.Processes = f.Limits.Processes
	}
	return nil
}

// jsonOf turns a YAML value into JSON; nothing becomes an empty object.
func jsonOf(v any) (json.RawMessage, error) {
	if v == nil {
		return json.RawMessage(`{}`), nil
	}
	raw, err := yaml.MarshalWithOptions(v, yaml.JSON())
	if err != nil {
		return nil, err
	}
	raw = bytes.TrimSpace(raw)
	if !json.Valid(raw) {
		return nil, errors.New("cannot be written as JSON")
	}
	return raw, nil
}
