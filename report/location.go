package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agntn/conform/scenarios"
)

// Location is a place in a file, for annotations and code scanning.
type Location struct {
	// File is relative to the working directory, with forward slashes.
	File string
	// Line starts at 1.
	Line int
}

// Sources says where findings of a server belong in its author's files.
type Sources struct {
	// Dir is the working directory; "" searches nothing.
	Dir string
	// Tools maps a tool's name to "file:line" or "file", relative to Dir. It wins over the search.
	Tools map[string]string
	// Config is the path of the configuration file in use, relative to Dir, if there is one.
	Config string
}

// Bounds of the search for tool names in the working directory.
const (
	maxSearchFiles = 20_000
	maxSearchFile  = 1 << 20  // bytes of one file
	maxSearchTotal = 64 << 20 // bytes of all files
	maxSearchTools = 2000
)

// Locations finds the place of each finding. It looks for all tools in one walk.
type Locations struct {
	tools    []string // longest first
	found    map[string]Location
	fallback Location
}

// Locate finds where the tools of r are written down: in s.Tools, else by looking
// for the tool's name in quotes in the files of s.Dir. The search is bounded,
// follows no link, skips what others wrote (node_modules, vendor, dist ...) and
// prefers source code to tests and tests to other files. What is not found has its
// place in the configuration file, else in a file that says what the project is.
func Locate(r Report, s Sources) *Locations {
	l := &Locations{found: map[string]Location{}, fallback: fallback(s)}
	var missing []string
	for _, t := range toolNames(r, s) {
		l.tools = append(l.tools, t)
		if at, ok := parseLocation(s.Tools[t], s.Dir); ok {
			l.found[t] = at
		} else if len(missing) < maxSearchTools {
			missing = append(missing, t)
		}
	}
	slices.SortFunc(l.tools, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	if s.Dir != "" && len(missing) > 0 {
		search(os.DirFS(s.Dir), missing, l.found)
	}
	return l
}

// Of returns the place of a subject of an outcome: its tool's, else that of the
// configuration. A nil *Locations knows one place, conform.yaml.
func (l *Locations) Of(o scenarios.Outcome, subject string) Location {
	if l == nil {
		return Location{File: "conform.yaml", Line: 1}
	}
	if o.Scenario != "unknown-tool" { // its subjects are names that no tool has
		for _, t := range l.tools {
			if at, ok := l.found[t]; ok && namesTool(subject, t) {
				return at
			}
		}
	}
	return l.fallback
}

// namesTool reports a subject that is a tool or begins with one: "search", "search: query".
func namesTool(subject, tool string) bool {
	rest, ok := strings.CutPrefix(subject, tool)
	return ok && (rest == "" || !nameByte(rest[0]))
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// toolNames returns the tools that the report and the sources name, each once, sorted.
func toolNames(r Report, s Sources) []string {
	met := map[string]bool{}
	for t := range s.Tools {
		met[t] = true
	}
	for _, p := range serverReports(&r) {
		for _, v := range p.report.Views {
			met[v.Tool] = true
		}
		for _, n := range p.report.NotCalled {
			met[n.Tool] = true
		}
	}
	var names []string
	for t := range met {
		if searchable(t) || s.Tools[t] != "" {
			names = append(names, t)
		}
	}
	slices.Sort(names)
	return names
}

// searchable says that a name can be found in quotes in any language.
func searchable(name string) bool {
	return name != "" && utf8.RuneCountInString(name) <= 128 && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_./:-", r)
	})
}

// parseLocation reads "file:line" or "file" of the configuration.
func parseLocation(text, dir string) (Location, bool) {
	if text == "" {
		return Location{}, false
	}
	at := Location{File: text, Line: 1}
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		if n, err := strconv.Atoi(text[i+1:]); err == nil && n > 0 {
			at = Location{File: text[:i], Line: n}
		}
	}
	if filepath.IsAbs(at.File) && dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return Location{}, false
		}
		rel, err := filepath.Rel(abs, at.File)
		if err != nil || strings.HasPrefix(rel, "..") {
			return Location{}, false
		}
		at.File = rel
	}
	at.File = path.Clean(filepath.ToSlash(at.File))
	return at, true
}

// fallback is the place of findings that no tool owns.
func fallback(s Sources) Location {
	if s.Config != "" {
		if at, ok := parseLocation(s.Config+":1", s.Dir); ok {
			return at
		}
	}
	if s.Dir != "" {
		for _, name := range []string{"conform.yaml", "conform.yml", "package.json", "go.mod", "pyproject.toml", "Cargo.toml", "README.md"} {
			if info, err := os.Stat(filepath.Join(s.Dir, name)); err == nil && info.Mode().IsRegular() {
				return Location{File: name, Line: 1}
			}
		}
	}
	return Location{File: "conform.yaml", Line: 1}
}

// candidate is a file worth searching; a lower rank is a better place.
type candidate struct {
	path string
	rank int
}

// sighting is where a name was met; a lower score is a better place.
type sighting struct {
	at    Location
	score int
}

// search looks for the names in quotes and adds the best place of each to found: in
// the best sort of file, and there where the tool is made before where it is mentioned.
func search(dir fs.FS, names []string, found map[string]Location) {
	best := make(map[string]sighting, len(names))
	for _, n := range names {
		best[n] = sighting{score: 1 << 20}
	}
	total := 0
	for _, c := range candidates(dir) {
		text, err := readBounded(dir, c.path)
		if err != nil {
			continue // a file that cannot be read is no place to point at
		}
		if total += len(text); total > maxSearchTotal {
			break
		}
		eachQuoted(text, func(name []byte, at, line int) {
			b, wanted := best[string(name)]
			if !wanted {
				return
			}
			score := 2 * c.rank
			if !declares.Match(text[max(0, at-120):at]) {
				score++
			}
			if score < b.score {
				best[string(name)] = sighting{Location{File: c.path, Line: line}, score}
			}
		})
	}
	for name, b := range best {
		if b.at.File != "" {
			found[name] = b.at
		}
	}
}

// eachQuoted calls f for everything in text that could be a name in quotes, with
// the place of its opening quote and its line.
func eachQuoted(text []byte, f func(name []byte, at, line int)) {
	const longest = 128
	line := 1
	for i, c := range text {
		switch c {
		case '\n':
			line++
		case '"', '\'', '`':
			rest := text[i+1 : min(len(text), i+2+longest)]
			if n := bytes.IndexByte(rest, c); n > 0 {
				f(rest[:n], i, line)
			}
		}
	}
}

// candidates lists the files to search, best first.
func candidates(dir fs.FS) []candidate {
	var list []candidate
	// Errors below the root hide a part of the tree, which the fallback then covers.
	_ = fs.WalkDir(dir, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case d.IsDir():
			if p != "." && (strings.HasPrefix(d.Name(), ".") || foreign(d.Name())) {
				return fs.SkipDir
			}
		case d.Type().IsRegular():
			if rank, ok := rankOf(p); ok {
				list = append(list, candidate{p, rank})
			}
		}
		if len(list) >= maxSearchFiles {
			return fs.SkipAll
		}
		return nil
	})
	sortBy(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.path, b.path))
	})
	return list
}

// foreign names folders that hold no source of the author's own.
func foreign(name string) bool {
	switch name {
	case "node_modules", "vendor", "dist", "build", "out", "target", "coverage", "__pycache__", "venv", "site-packages", "bower_components":
		return true
	}
	return false
}

var testFile = regexp.MustCompile(`(?i)(^|/)(tests?|__tests__|testdata|fixtures|examples?|docs?)/|[._-](test|spec)s?\.|(^|/)test_`)

// rankOf says how good a place a file is by its name; not ok files are not read.
func rankOf(p string) (rank int, ok bool) {
	switch strings.ToLower(path.Ext(p)) {
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".go", ".py", ".rs", ".java", ".kt",
		".cs", ".rb", ".php", ".swift", ".scala", ".ex", ".exs", ".dart", ".c", ".cc", ".cpp", ".h", ".zig", ".lua", ".sh":
	case ".json", ".yaml", ".yml", ".toml":
		rank = 2
	default:
		return 0, false
	}
	if strings.HasSuffix(p, ".min.js") || strings.HasSuffix(p, "-lock.json") || strings.HasSuffix(p, "-lock.yaml") {
		return 0, false
	}
	if testFile.MatchString(p) {
		rank++
	}
	return rank, true
}

func readBounded(dir fs.FS, p string) ([]byte, error) {
	f, err := dir.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSearchFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSearchFile || bytes.IndexByte(text, 0) >= 0 {
		return nil, fmt.Errorf("%s is too big or no text", p)
	}
	if head := text[:min(len(text), 300)]; bytes.Contains(head, []byte(`"conform/`)) || bytes.Contains(head, []byte("sarif")) {
		return nil, fmt.Errorf("%s is a report itself", p)
	}
	return text, nil
}

// declares matches what stands before the name where a tool is made, not only mentioned.
var declares = regexp.MustCompile(`(?i)(name["'` + "`" + `]?\s*[:=]\s*|tool\s*\(\s*|tool[<\[][^)]{0,80}\(\s*|tool["'` + "`" + `]?\s*[:=,]\s*)$`)
