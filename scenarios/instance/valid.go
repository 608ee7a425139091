package instance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
)

// Option changes what Valid makes.
type Option func(*generator)

// Full fills in optional properties too, as many as go together, to a depth that
// keeps values small.
func Full() Option { return func(g *generator) { g.full = true } }

// ErrUnsatisfied says that no valid value was found. It is wrapped with what stood
// in the way; the schema may still have one.
var ErrUnsatisfied = errors.New("no valid value was found")

// maxAttempts bounds the search for a valid value.
const maxAttempts = 250

// maxSalts bounds attempts that differ in nothing but words and numbers.
const maxSalts = 20

// maxRefused bounds attempts that grow without end, or give values on which the
// validator has no verdict.
const maxRefused = 3

// Valid makes a valid instance of a schema: the required properties, filled from
// const, enum, default, examples, or made to fit. The same schema and seed give the
// same value; other seeds vary what is free. The error wraps ErrUnsatisfied, or is
// that of jsonschema.Compile.
func Valid(schema []byte, seed int64, options ...Option) ([]byte, error) {
	doc, err := open(schema)
	if err != nil {
		return nil, err
	}
	raw, err := doc.valid(seed, options)
	if err == nil {
		return raw, nil
	}
	// What little does not do, more may: a schema can ask for properties in ways
	// that name none. And where all is too much, little may do.
	other := Option(func(g *generator) { g.full = !g.full })
	if raw, another := doc.valid(seed, append(slices.Clone(options), other)); another == nil {
		return raw, nil
	}
	return nil, err
}

// valid searches a value that the validator has nothing against.
func (d *document) valid(seed int64, options []Option) ([]byte, error) {
	offsets, salt, refused := map[string]int{}, 0, 0
	var why error
	seen := map[string]bool{}
	for range maxAttempts {
		g := d.generator(seed, options)
		g.salt, g.offsets = salt, offsets
		raw, err := g.root()
		places := []string{failedAt(err)}
		if err == nil {
			var problems []jsonschema.Problem
			problems, err = d.check.Problems([]byte(raw))
			if err == nil && len(problems) == 0 {
				return []byte(raw), nil
			}
			if err != nil {
				refused++
			}
			places = nil
			for _, p := range problems {
				places = append(places, p.Path)
				err = errors.New(problems[0].String())
			}
		}
		why = err
		if g.steps > maxSteps {
			refused++
		}
		if refused > maxRefused || salt > maxSalts {
			break
		}
		if !g.advance(places) || seen[g.state()] {
			salt++
		}
		seen[g.state()] = true
	}
	return nil, fmt.Errorf("%w: %w", ErrUnsatisfied, why)
}

// root makes a value of the whole document.
func (g *generator) root() (string, error) {
	return g.value("", append([]gjson.Result{g.doc.root}, g.also...), 0)
}

func (d *document) generator(seed int64, options []Option) *generator {
	g := &generator{doc: d, seed: seed, offsets: map[string]int{}, sizes: map[string]int{}}
	for _, option := range options {
		option(g)
	}
	return g
}

// failedAt takes the place out of an error of the generator.
func failedAt(err error) string {
	if err == nil {
		return ""
	}
	path, _, _ := strings.Cut(err.Error(), ": ")
	if path == place("") {
		return ""
	}
	return path
}

// state names the choices taken, to notice when they come again.
func (g *generator) state() string {
	var b strings.Builder
	for _, label := range sortedKeys(g.offsets) {
		fmt.Fprintf(&b, "%s=%d;", label, g.offsets[label])
	}
	return b.String()
}

// advance changes the choices that bear on the places of problems: the nearest one
// first, and when that has been through all it has, the next one up. It tells
// whether there was any.
func (g *generator) advance(places []string) bool {
	moved := false
	done := map[string]bool{}
	for _, path := range places {
		for _, label := range g.near(path) {
			if done[label] {
				break
			}
			done[label] = true
			g.offsets[label]++
			moved = true
			if g.offsets[label] < g.sizes[label] {
				break
			}
			g.offsets[label] = 0
		}
	}
	return moved
}

// near lists the choice points with more than one way that bear on a place: at it or
// below, then above.
func (g *generator) near(path string) []string {
	var labels []string
	distance := map[string]int{}
	for _, label := range sortedKeys(g.sizes) {
		at := strings.TrimRight(label, "=~:?+")
		if i := strings.IndexByte(at, '!'); i >= 0 {
			at = at[:i]
		}
		at = strings.TrimSuffix(at, "[]")
		switch {
		case g.sizes[label] < 2:
			continue
		case strings.HasPrefix(at, path):
			distance[label] = len(at) - len(path)
		case strings.HasPrefix(path, at):
			distance[label] = 1000 + len(path) - len(at)
		default:
			continue
		}
		labels = append(labels, label)
	}
	slices.SortStableFunc(labels, func(a, b string) int { return distance[a] - distance[b] })
	return labels
}
