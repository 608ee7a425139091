// Package explain holds, for every check, example frames of a right and of a
// faulty server and code that mends the fault in four languages. The texts are
// data: one embedded YAML file a topic, each a list of groups of checks that
// one piece of code mends.
package explain

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/goccy/go-yaml"
)

//go:embed *.yaml
var files embed.FS

// Entry is what is told of one check beside its claim.
type Entry struct {
	// Right and Wrong are example frames. "-->" is sent by the client and "<--"
	// by the server; lines indented by four blanks go on with the frame above.
	Right string
	Wrong string
	// Code maps each of Languages to code that mends the fault. Where an SDK
	// cannot, the code says so in a comment.
	Code map[string]string
}

// Languages are the keys of Entry.Code. The code is written for
// @modelcontextprotocol/sdk 1.32, @modelcontextprotocol/server 2.4, go-sdk 1.8
// and the Python package mcp 1.x.
func Languages() []string {
	return []string{"TypeScript SDK v1", "TypeScript SDK v2", "Go", "Python"}
}

// group is one piece of code and the checks it mends.
type group struct {
	Code  code   `yaml:"code"`
	Cases []pair `yaml:"cases"`
}

type code struct {
	V1     string `yaml:"v1"`
	V2     string `yaml:"v2"`
	Go     string `yaml:"go"`
	Python string `yaml:"python"`
}

// pair is the frames of one check, or of several that look the same on the wire.
type pair struct {
	Checks []string `yaml:"checks"`
	Right  string   `yaml:"right"`
	Wrong  string   `yaml:"wrong"`
}

// Load reads the embedded texts and returns them by check id. Unknown keys,
// empty texts and checks that are told of twice are errors.
func Load() (map[string]Entry, error) { return load(files) }

func load(fsys fs.FS) (map[string]Entry, error) {
	names, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list the explanations: %w", err)
	}
	out := map[string]Entry{}
	for _, name := range names {
		raw, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("read the explanations: %w", err)
		}
		var groups []group
		if err := yaml.UnmarshalWithOptions(raw, &groups, yaml.Strict()); err != nil {
			return nil, fmt.Errorf("read the explanations in %s: %w", name, err)
		}
		for _, g := range groups {
			if err := g.addTo(out); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return out, nil
}

func (g group) addTo(out map[string]Entry) error {
	for _, p := range g.Cases {
		if len(p.Checks) == 0 {
			return fmt.Errorf("frames without checks: %q", p.Right)
		}
		for _, id := range p.Checks {
			if _, twice := out[id]; twice {
				return fmt.Errorf("%s is explained twice; remove one", id)
			}
			e := Entry{Right: frames(p.Right), Wrong: frames(p.Wrong), Code: map[string]string{}}
			if e.Right == "" || e.Wrong == "" {
				return fmt.Errorf("%s lacks right or wrong frames", id)
			}
			texts := []string{g.Code.V1, g.Code.V2, g.Code.Go, g.Code.Python}
			for i, lang := range Languages() {
				if strings.TrimSpace(texts[i]) == "" {
					return fmt.Errorf("%s lacks code for %s", id, lang)
				}
				e.Code[lang] = strings.TrimRight(texts[i], "\n")
			}
			out[id] = e
		}
	}
	return nil
}

// frames puts the member jsonrpc into each message, which the files leave out
// so that what matters stands at the beginning of the line, and folds what is
// then too wide.
func frames(text string) string {
	var out []string
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		for _, arrow := range []string{"--> {", "<-- {"} {
			rest, ok := strings.CutPrefix(line, arrow)
			if ok && (strings.HasPrefix(rest, `"id":`) || strings.HasPrefix(rest, `"method":`)) {
				line = arrow + `"jsonrpc":"2.0",` + rest
			}
		}
		out = append(out, fold(line)...)
	}
	return strings.Join(out, "\n")
}

// widest is the number of columns that frames and code keep to.
const widest = 100

// fold cuts a wide frame between two members.
func fold(line string) []string {
	var out []string
	for len(line) > widest {
		at := strings.LastIndex(line[:widest], `,"`) + 1
		if at < len("    ,") {
			break
		}
		out = append(out, line[:at])
		line = "    " + line[at:]
	}
	return append(out, line)
}
