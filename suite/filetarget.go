package suite

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// FileTarget says how to reach a server, as conform.yaml, a hosts' file and a
// sweep file write it. In every text $NAME, ${NAME}, ${NAME:-default} and
// ${env:NAME} stand for variables of the environment.
type FileTarget struct {
	// Command is a list of program and arguments; Cmd is the same as one string.
	Command []string          `yaml:"command" json:"command"`
	Cmd     string            `yaml:"cmd" json:"cmd"`
	Cwd     string            `yaml:"cwd" json:"cwd"`
	Env     map[string]string `yaml:"env" json:"env"`
	URL     string            `yaml:"url" json:"url"`
	Headers map[string]string `yaml:"headers" json:"headers"`
}

// Resolve expands the variables and returns the target, and the values that no
// report may show: those of env and headers, and those of variables in the
// command and the address. Cwd is relative to dir; split parts Cmd into words.
// A variable that is not set and has no default is an error.
func (t FileTarget) Resolve(dir string, split func(string) ([]string, error)) (Target, []string, error) {
	if t.Cmd != "" && len(t.Command) > 0 {
		return Target{}, nil, errors.New("command and cmd say the same thing; keep one")
	}
	var x expansion
	var out Target
	command := t.Command
	if t.Cmd != "" {
		var err error
		if command, err = split(x.text(t.Cmd)); err != nil {
			return Target{}, nil, fmt.Errorf("cmd: %w", err)
		}
		out.Command = command
	} else {
		for _, word := range command {
			out.Command = append(out.Command, x.text(word))
		}
	}
	out.URL = x.text(t.URL)
	if len(out.Command) > 0 {
		out.Dir = x.text(t.Cwd)
		if dir != "" && !filepath.IsAbs(out.Dir) {
			out.Dir = filepath.Join(dir, out.Dir)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(t.Env)) {
		v := x.text(t.Env[k])
		out.Env = append(out.Env, k+"="+v)
		x.secrets = append(x.secrets, v)
	}
	for _, k := range slices.Sorted(maps.Keys(t.Headers)) {
		if out.Header == nil {
			out.Header = http.Header{}
		}
		v := x.text(t.Headers[k])
		out.Header.Set(k, v)
		x.secrets = append(x.secrets, v)
	}
	if len(x.unset) > 0 {
		return Target{}, nil, fmt.Errorf("the variable %s is not set; set it, or write ${%s:-default}", strings.Join(x.unset, ", "), x.unset[0])
	}
	return out, x.secrets, nil
}

// expansion replaces variables and remembers their values.
type expansion struct {
	secrets, unset []string
}

func (x *expansion) text(s string) string {
	return os.Expand(s, func(name string) string {
		name, standard, hasStandard := strings.Cut(strings.TrimPrefix(name, "env:"), ":-")
		v, set := os.LookupEnv(name)
		switch {
		case hasStandard && v == "":
			return standard
		case !set:
			x.unset = append(x.unset, name)
		case !open(name, v):
			x.secrets = append(x.secrets, v)
		}
		return v
	})
}

// open says of a variable that its value is no secret: everybody has it, or it
// is a place in the file system.
func open(name, value string) bool {
	switch name {
	case "HOME", "PATH", "PWD", "USER", "LOGNAME", "SHELL", "TMPDIR", "TEMP", "TMP", "LANG", "HOSTNAME", "CI":
		return true
	}
	if !filepath.IsAbs(value) {
		return false
	}
	_, err := os.Stat(value)
	return err == nil
}
