package instance

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// generator makes one value. Where a schema leaves a choice it asks choose, so that
// another attempt can choose differently.
type generator struct {
	doc  *document
	seed int64
	full bool
	// also holds schemas that the root must fit besides its own.
	also []gjson.Result
	// offsets holds the choice taken at each point, sizes how many there were.
	offsets, sizes map[string]int
	// salt varies what is no choice: words and numbers.
	salt int
	// turn moves choices on inside arrays whose items must differ.
	turn  int
	steps int
}

// The bounds of one attempt.
const (
	maxSteps    = 8_000
	maxDepth    = 24
	maxOptional = 6  // depth up to which optional properties are filled in
	maxItems    = 50 // made for minItems
	maxMembers  = 50 // made for minProperties
	maxText     = 20_000
)

func (g *generator) spend() bool {
	g.steps++
	return g.steps <= maxSteps
}

func (g *generator) choose(label string, n int) int {
	g.sizes[label] = n
	return (g.offsets[label] + g.turn) % n
}

// vary gives a small number that depends on seed, salt and place; 0 for the first
// attempt of seed 0.
func (g *generator) vary(path string, n int) int {
	if g.seed == 0 && g.salt == 0 {
		return g.turn % n
	}
	h := fnv.New32a()
	fmt.Fprintf(h, "%d %d %s", g.seed, g.salt, path)
	return (int(h.Sum32()%uint32(n)) + g.turn) % n
}

var (
	errNever = errors.New("the schema there is false")
	errDepth = errors.New("the schema asks for endless nesting")
	errTypes = errors.New("its schemas share no type")
	errFixed = errors.New("its const, enum and type leave no value")
)

// value makes JSON text for the place at path. Paths are JSON pointers.
func (g *generator) value(path string, schemas []gjson.Result, depth int) (string, error) {
	if depth > maxDepth || !g.spend() {
		return "", fmt.Errorf("%s: %w", place(path), errDepth)
	}
	s := g.flatten(path, schemas)
	if s.never {
		return "", fmt.Errorf("%s: %w", place(path), errNever)
	}
	if fixed, given := s.fixed(); given {
		if len(fixed) == 0 {
			return "", fmt.Errorf("%s: %w", place(path), errFixed)
		}
		return fixed[g.choose(path+"=", len(fixed))].Raw, nil
	}
	samples := s.samples()
	if depth == 0 && len(s.all("properties")) > 0 {
		samples = nil
	}
	if i := g.choose(path+"~", len(samples)+1); i < len(samples) {
		return samples[i].Raw, nil
	}
	types := s.types()
	if len(types) == 0 {
		return "", fmt.Errorf("%s: %w", place(path), errTypes)
	}
	switch kind := types[g.choose(path+":", len(types))]; kind {
	case "object":
		return g.object(path, s, depth)
	case "array":
		return g.array(path, s, depth)
	case "string":
		return g.text(path, s)
	case "integer", "number":
		return g.number(path, s, kind == "integer")
	case "boolean":
		return []string{"true", "false"}[g.choose(path+"?", 2)], nil
	}
	return "null", nil
}

func place(path string) string {
	if path == "" {
		return "the root"
	}
	return path
}

// fixed lists the values that const and enum leave; given tells that there is such a keyword.
func (s shape) fixed() (left []gjson.Result, given bool) {
	narrow := func(values []gjson.Result) {
		if !given {
			left, given = values, true
			return
		}
		left = slices.DeleteFunc(slices.Clone(left), func(v gjson.Result) bool {
			return !slices.ContainsFunc(values, func(w gjson.Result) bool { return same(v, w) })
		})
	}
	for _, v := range s.all("const") {
		narrow([]gjson.Result{v})
	}
	for _, v := range s.all("enum") {
		narrow(v.Array())
	}
	types := s.types()
	fitting := slices.DeleteFunc(slices.Clone(left), func(v gjson.Result) bool {
		return len(s.all("type")) > 0 && !slices.ContainsFunc(types, func(t string) bool { return isType(v, t) })
	})
	slices.SortStableFunc(fitting, func(a, b gjson.Result) int { return btoi(a.Type == gjson.Null) - btoi(b.Type == gjson.Null) })
	return fitting, given
}

// samples lists what the schemas give as default and examples.
func (s shape) samples() []gjson.Result {
	var list []gjson.Result
	for _, v := range s.all("default") {
		if v.Type != gjson.Null {
			list = append(list, v)
		}
	}
	for _, v := range s.all("examples") {
		list = append(list, v.Array()...)
	}
	return list
}

// same compares JSON values by their text; equal values written differently count
// as different, which only costs a candidate.
func same(a, b gjson.Result) bool {
	return a.Raw == b.Raw || a.Type == gjson.String && b.Type == gjson.String && a.String() == b.String()
}

func isType(v gjson.Result, kind string) bool {
	switch kind {
	case "object":
		return v.IsObject()
	case "array":
		return v.IsArray()
	case "string":
		return v.Type == gjson.String
	case "number":
		return v.Type == gjson.Number
	case "integer":
		return v.Type == gjson.Number && !strings.ContainsAny(v.Raw, ".eE-") || v.Type == gjson.Number && v.Num == float64(int64(v.Num))
	case "boolean":
		return v.IsBool()
	}
	return v.Type == gjson.Null
}
