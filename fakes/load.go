package fakes

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed profiles/*.json
var embedded embed.FS

// schemaFile describes the profile files. It lies beside them.
const schemaFile = "profile.schema.json"

// reserved are words that select clients, and conform's own voice.
var reserved = []string{Any, "all", "default"}

// Set holds client profiles by id.
type Set struct {
	byID map[string]*Profile
	ids  []string
}

// Load reads the profiles that come with the program. An error means that one
// of the files is wrong; it names the file and the place in it.
func Load() (*Set, error) {
	sub, err := fs.Sub(embedded, "profiles")
	if err != nil {
		return nil, fmt.Errorf("cannot open the built-in profiles: %w", err)
	}
	return LoadFS(sub)
}

// LoadFS reads every .json file at the root of fsys as a profile: one client a
// file, named <id>.json. Each is checked against the profile schema.
func LoadFS(fsys fs.FS) (*Set, error) {
	schema, err := profileSchema()
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return nil, fmt.Errorf("cannot list the profiles: %w", err)
	}
	set := &Set{byID: map[string]*Profile{}}
	var problems []error
	for _, name := range names {
		if name == schemaFile {
			continue
		}
		p, err := readProfile(fsys, name, schema)
		if err != nil {
			problems = append(problems, fmt.Errorf("profile %s: %w", name, err))
			continue
		}
		set.byID[p.ID] = p
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	set.ids = slices.Sorted(maps.Keys(set.byID))
	return set, nil
}

func profileSchema() (*jsonschema.Schema, error) {
	raw, err := embedded.ReadFile("profiles/" + schemaFile)
	if err != nil {
		return nil, fmt.Errorf("cannot read the profile schema: %w", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("the profile schema is no JSON: %w", err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaFile, doc); err != nil {
		return nil, fmt.Errorf("cannot take the profile schema: %w", err)
	}
	s, err := c.Compile(schemaFile)
	if err != nil {
		return nil, fmt.Errorf("cannot compile the profile schema: %w", err)
	}
	return s, nil
}

func readProfile(fsys fs.FS, name string, schema *jsonschema.Schema) (*Profile, error) {
	raw, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("no JSON: %w", err)
	}
	if err := schema.Validate(doc); err != nil {
		return nil, err
	}
	// Raw members go out on a line-based wire: they must hold no line feed.
	var flat bytes.Buffer
	if err := json.Compact(&flat, raw); err != nil {
		return nil, err
	}
	p := &Profile{}
	if err := strict(flat.Bytes(), p); err != nil {
		return nil, err
	}
	for _, part := range []json.RawMessage{p.Over.HTTP, p.Over.Modern} {
		if part == nil {
			continue
		}
		if err := strict(part, &Profile{}); err != nil {
			return nil, fmt.Errorf("over: %w", err)
		}
	}
	if want := strings.TrimSuffix(path.Base(name), ".json"); p.ID != want {
		return nil, fmt.Errorf("the id %q is not the name of the file; name one after the other", p.ID)
	}
	if slices.Contains(reserved, p.ID) {
		return nil, fmt.Errorf("the id %q has a meaning of its own; take another", p.ID)
	}
	return p, p.check()
}

// strict decodes and refuses members that no field takes.
func strict(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// check looks for what a schema cannot say.
func (p *Profile) check() error {
	if p.Opening.Legacy != "" && !slices.Contains(Revisions(), p.Opening.Legacy) {
		return fmt.Errorf("opening.legacy: %q is no known revision", p.Opening.Legacy)
	}
	if l, a := p.Opening.Legacy, p.Opening.Accepts; l != "" && len(a) > 0 && !slices.Contains(a, l) {
		return fmt.Errorf("opening.accepts: %q is proposed but not accepted", l)
	}
	for place, names := range p.Asking.Members {
		if place != "_meta" && !strings.Contains(place, "/") && place != "initialize" {
			return fmt.Errorf("asking.members: %q is neither a method nor _meta", place)
		}
		if len(names) == 0 {
			return fmt.Errorf("asking.members: %q names no member", place)
		}
	}
	for _, pat := range append(slices.Clone(p.Stdio.Without), p.Stdio.Keeps...) {
		if _, err := path.Match(pat, ""); err != nil {
			return fmt.Errorf("stdio: %q is no pattern: %w", pat, err)
		}
	}
	return nil
}

// Get returns the profile with the id.
func (s *Set) Get(id string) (*Profile, bool) {
	p, ok := s.byID[id]
	return p, ok
}

// All returns every profile, sorted by id.
func (s *Set) All() []*Profile {
	out := make([]*Profile, 0, len(s.ids))
	for _, id := range s.ids {
		out = append(out, s.byID[id])
	}
	return out
}

// Defaults returns the profiles that run unasked, sorted by id.
func (s *Set) Defaults() []*Profile {
	return slices.DeleteFunc(s.All(), func(p *Profile) bool { return !p.Default })
}

// Select returns the profiles that list names, sorted by id and each once:
// ids with commas between them, "all", or "" and "default" for those that run
// unasked. An id that is not there is an error that names near ones.
func (s *Set) Select(list string) ([]*Profile, error) {
	picked := map[string]*Profile{}
	take := func(ps []*Profile) {
		for _, p := range ps {
			picked[p.ID] = p
		}
	}
	var unknown []error
	fields := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	if len(fields) == 0 {
		take(s.Defaults())
	}
	for _, id := range fields {
		switch p, ok := s.Get(id); {
		case ok:
			take([]*Profile{p})
		case id == "all":
			take(s.All())
		case id == "default":
			take(s.Defaults())
		default:
			unknown = append(unknown, s.unknown(id))
		}
	}
	if len(unknown) > 0 {
		return nil, errors.Join(unknown...)
	}
	return slices.SortedFunc(maps.Values(picked), func(a, b *Profile) int { return cmp.Compare(a.ID, b.ID) }), nil
}

func (s *Set) unknown(id string) error {
	const help = `"conform list clients" shows all`
	if near := s.near(id); len(near) > 0 {
		return fmt.Errorf("no client is called %q; did you mean %s? %s", id, strings.Join(near, " or "), help)
	}
	return fmt.Errorf("no client is called %q; %s", id, help)
}

// near returns at most three ids that id may have been meant for, the nearest first.
func (s *Set) near(id string) []string {
	type hit struct {
		id   string
		cost int
	}
	low := strings.ToLower(id)
	var hits []hit
	for _, known := range s.ids {
		cost := distance(low, known)
		// A part of a name is as good as two slips of the finger.
		if len(low) >= 3 && (strings.Contains(known, low) || strings.Contains(low, known)) {
			cost = min(cost, 2)
		}
		if cost <= max(2, len(known)/3) {
			hits = append(hits, hit{known, cost})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.id, b.id)) })
	var out []string
	for _, h := range hits[:min(3, len(hits))] {
		out = append(out, h.id)
	}
	return out
}

// distance is the number of single-byte edits between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := diagonal
			if a[i-1] != b[j-1] {
				change++
			}
			diagonal = row[j]
			row[j] = min(change, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
