package message

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

//go:embed shapes/*.json
var files embed.FS

// shape is the form of one value. Its keywords work as in JSON Schema: each
// speaks only of values of its own kind, all of them hold together, and members
// that are not named are free. Beyond JSON Schema it has a range of revisions,
// the rules of other levels, and where in the specification it comes from.
type shape struct {
	// Since and Until are the first and last revision that the shape belongs to, both included.
	Since, Until string
	// Section and Req are the source of the rule; a shape without them has those of the shape around it.
	Section string
	Req     []string
	// Is replaces the words that say what was expected.
	Is string

	Ref    string
	Type   oneOrMany[string]
	Enum   []string
	Min    *float64
	Max    *float64
	Format string

	Items    variants
	MinItems int
	MaxItems *int
	Unique   bool

	Members map[string]variants
	// Entries is the form of every member that Members does not name, Keys the
	// format of all keys, Closed the list of the only keys there may be.
	Entries  variants
	Keys     string
	Closed   []string
	Required bool
	// Forbidden says that the member must not be there at all.
	Forbidden  bool
	AtLeastOne []string
	NotBoth    []string

	// OneOf names the branches of a union. By is the member that tells them apart;
	// a branch with When is meant for values with that member.
	OneOf []string
	By    string
	When  string
	// Only limits the shape to values whose member has the given text.
	Only map[string]string

	// Also holds as well, at the same level; Should and Note at a lower one.
	Also   variants
	Should variants
	Note   variants

	// What the names above stand for, filled in when a revision is loaded.
	ref      *shape
	branches []*shape
	format   format
	keys     format
}

// variants is a shape, or several that belong to different revisions.
type variants = oneOrMany[*shape]

// oneOrMany reads a JSON value that is either T or an array of T.
type oneOrMany[T any] []T

func (l *oneOrMany[T]) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '[' {
		return strict(raw, (*[]T)(l))
	}
	var v T
	if err := strict(raw, &v); err != nil {
		return err
	}
	*l = []T{v}
	return nil
}

func (s *shape) in(revision string) bool {
	return (s.Since == "" || s.Since <= revision) && (s.Until == "" || revision <= s.Until)
}

// dispatch says which shape goes with a method or an error code.
type dispatch struct {
	Shape        string
	Since, Until string
	// Params says that params (or data) may not be left out.
	Params bool
	// Asks says that the method may be answered by questions, from 2026-07-28 on.
	Asks bool

	shape *shape
}

// book holds the shapes of one revision.
type book struct {
	revision string
	shapes   map[string]*shape

	Results       map[string]*dispatch
	Notifications map[string]*dispatch
	Requests      map[string]*dispatch
	Errors        map[string]*dispatch
}

// load reads the shapes of one revision. An error means that the embedded files are broken.
func load(revision string) (*book, error) {
	b := &book{revision: revision, shapes: map[string]*shape{}}
	entries, err := files.ReadDir("shapes")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		raw, err := files.ReadFile("shapes/" + e.Name())
		if err != nil {
			return nil, err
		}
		if e.Name() == "methods.json" {
			err = strict(raw, b)
		} else {
			err = b.define(raw)
		}
		if err != nil {
			return nil, fmt.Errorf("shapes/%s: %w", e.Name(), err)
		}
	}
	return b, b.resolve()
}

func strict(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

func (b *book) define(raw []byte) error {
	var defs map[string]variants
	if err := strict(raw, &defs); err != nil {
		return err
	}
	for name, v := range defs {
		if _, twice := b.shapes[name]; twice {
			return fmt.Errorf("shape %s stands twice", name)
		}
		b.shapes[name] = b.pick(v)
	}
	return nil
}

// pick returns the shape that belongs to the revision, cut down to it, or nil.
func (b *book) pick(v variants) *shape {
	for _, s := range v {
		if s.in(b.revision) {
			b.trim(s)
			return s
		}
	}
	return nil
}

// trim drops what does not belong to the revision from all parts of a shape.
func (b *book) trim(s *shape) {
	for name, v := range s.Members {
		if m := b.pick(v); m != nil {
			s.Members[name] = variants{m}
		} else {
			delete(s.Members, name)
		}
	}
	one := func(v *variants) {
		if m := b.pick(*v); m != nil {
			*v = variants{m}
		} else {
			*v = nil
		}
	}
	one(&s.Items)
	one(&s.Entries)
	for _, v := range []*variants{&s.Also, &s.Should, &s.Note} {
		*v = slices.DeleteFunc(*v, func(m *shape) bool { return !m.in(b.revision) })
		for _, m := range *v {
			b.trim(m)
		}
	}
}

// resolve links references and unions to the shapes they name.
func (b *book) resolve() error {
	var errs []error
	for name, s := range b.shapes {
		if s != nil {
			errs = append(errs, b.link(name, s))
		}
	}
	for _, table := range []map[string]*dispatch{b.Results, b.Notifications, b.Requests, b.Errors} {
		for method, d := range table {
			s, known := b.shapes[d.Shape]
			in := (&shape{Since: d.Since, Until: d.Until}).in(b.revision)
			switch {
			case !known:
				errs = append(errs, fmt.Errorf("%s: no shape %q", method, d.Shape))
			case !in || s == nil:
				delete(table, method)
			default:
				d.shape = s
			}
		}
	}
	return errors.Join(errs...)
}

func (b *book) link(name string, s *shape) error {
	var errs []error
	find := func(to string) *shape {
		t, known := b.shapes[to]
		if !known {
			errs = append(errs, fmt.Errorf("%s: no shape %q", name, to))
		}
		return t
	}
	if s.Ref != "" {
		s.ref = find(s.Ref)
	}
	for _, to := range s.OneOf {
		if t := find(to); t != nil {
			s.branches = append(s.branches, t)
		}
	}
	for _, v := range s.Members {
		errs = append(errs, b.link(name, v[0]))
	}
	for _, v := range []variants{s.Items, s.Entries, s.Also, s.Should, s.Note} {
		for _, m := range v {
			errs = append(errs, b.link(name, m))
		}
	}
	s.format, s.keys = formatOf(s.Format), formatOf(s.Keys)
	if s.Format != "" && s.format.ok == nil || s.Keys != "" && s.keys.ok == nil {
		errs = append(errs, fmt.Errorf("%s: no format %q", name, s.Format+s.Keys))
	}
	return errors.Join(errs...)
}
