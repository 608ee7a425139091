package jsonschema

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	engine "github.com/santhosh-tekuri/jsonschema/v6"
)

// Problem is one thing wrong with a value.
type Problem struct {
	// Path is the JSON pointer of the place in the value. Where something is
	// missing it names the missing member.
	Path string
	// Property is Path as a person would write it: a.b[0].c. The root is "".
	Property string
	// Keyword is the schema keyword that says so.
	Keyword string
	// Message says what is wrong, to be read after the property's name.
	Message string
	// Expected is what the schema asks for, in short; "" where Message says it all.
	Expected string
}

// String reads as a sentence.
func (p Problem) String() string {
	if p.Property == "" {
		return "the value " + p.Message
	}
	return p.Property + " " + p.Message
}

// MaxProblems bounds the problems listed for one value.
const MaxProblems = 1000

// Problems checks a value: []byte and json.RawMessage are JSON text, anything else
// is a value as encoding/json decodes it. The result is empty when the value fits,
// else one problem for each cause, sorted by place, the first MaxProblems of them.
// Where the causes are too many to look at, one problem says so. The error is
// ErrNotJSON or ErrTooComplex; then there is no verdict.
func (s *Schema) Problems(value any) ([]Problem, error) {
	clean, err := s.limits.clean(value)
	if err != nil {
		return nil, err
	}
	meter := meter{left: s.limits.Steps, dynamic: s.dynamic, recursive: s.recursive}
	meter.visit(s.root, clean, frame{})
	if meter.err != nil {
		return nil, meter.err
	}
	fits, err := s.validate(s.misfit, clean)
	if err != nil || fits != nil {
		return nil, err
	}
	if used := s.limits.Steps - meter.left; used > s.limits.Steps/detailShare {
		return []Problem{{Message: "does not fit the schema; there is too much wrong to list it"}}, nil
	}
	invalid, err := s.validate(s.root, clean)
	if err != nil {
		return nil, err
	}
	if invalid == nil {
		return nil, tooComplex("the validator contradicts itself about this value")
	}
	return translate(invalid, clean), nil
}

// detailShare is the part of the steps that a value may take for its causes to be
// listed: the validator keeps each with its path.
const detailShare = 8

// validate runs the validator under the stopwatch; nil means that schema takes value.
func (s *Schema) validate(schema *engine.Schema, value any) (invalid *engine.ValidationError, err error) {
	s.watch.start(s.limits.PatternTime)
	defer func() {
		if p := recover(); p != nil {
			err = tooComplex("the validator gave up on this value: %v", p)
		}
		if late := s.watch.stop(); late != nil {
			invalid, err = nil, late
		}
	}()
	verdict := schema.Validate(value)
	if verdict == nil {
		return nil, nil
	}
	if !errors.As(verdict, &invalid) {
		return nil, tooComplex("the validator gave no reason: %v", verdict)
	}
	return invalid, nil
}

// clean brings a value into the form the validator takes, within the limits.
func (l Limits) clean(value any) (any, error) {
	raw, isText := value.([]byte)
	if message, ok := value.(json.RawMessage); ok {
		raw, isText = message, true
	}
	if isText {
		decoded, err := decode(raw, bounds{"value", l.ValueBytes, l.ValueDepth, l.ValueNodes})
		if err != nil {
			return nil, err
		}
		value = decoded
	}
	c := cleaner{depth: l.ValueDepth, nodes: l.ValueNodes}
	return c.clean(value, 0)
}

type cleaner struct {
	depth, nodes int
	numbers      standIns
}

// clean copies a decoded value, with numbers the validator can take.
func (c *cleaner) clean(value any, depth int) (any, error) {
	c.nodes--
	if c.nodes < 0 || depth > c.depth {
		return nil, tooComplex("the value is too large or nests too deep")
	}
	switch value := value.(type) {
	case nil, bool, string:
		return value, nil
	case json.Number:
		return c.numbers.replace(value)
	case float64:
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return nil, fmt.Errorf("value is %w: %v", ErrNotJSON, value)
		}
		return json.Number(strconv.FormatFloat(value, 'g', -1, 64)), nil
	case int:
		return json.Number(strconv.Itoa(value)), nil
	case int64:
		return json.Number(strconv.FormatInt(value, 10)), nil
	case []any:
		list := make([]any, len(value))
		for i, item := range value {
			clean, err := c.clean(item, depth+1)
			if err != nil {
				return nil, err
			}
			list[i] = clean
		}
		return list, nil
	case map[string]any:
		object := make(map[string]any, len(value))
		for key, member := range value {
			clean, err := c.clean(member, depth+1)
			if err != nil {
				return nil, err
			}
			object[key] = clean
		}
		return object, nil
	}
	return nil, fmt.Errorf("value is %w: a Go %T", ErrNotJSON, value)
}

// finding is a problem whose place is still in parts.
type finding struct {
	tokens  []string
	problem Problem
}

// translate lists the causes of a failed validation, sorted and without repeats.
func translate(invalid *engine.ValidationError, root any) []Problem {
	var found []finding
	collect(invalid, func(tokens []string, p Problem) { found = append(found, finding{tokens, p}) })
	slices.SortFunc(found, func(a, b finding) int {
		return cmp.Or(compareTokens(a.tokens, b.tokens), cmp.Compare(a.problem.Keyword, b.problem.Keyword),
			cmp.Compare(a.problem.Message, b.problem.Message))
	})
	var problems []Problem
	for _, f := range found {
		if len(problems) == MaxProblems {
			break
		}
		p := f.problem
		p.Path, p.Property = Pointer(f.tokens...), Dotted(root, f.tokens)
		if n := len(problems); n == 0 || problems[n-1] != p {
			problems = append(problems, p)
		}
	}
	return problems
}

// compareTokens sorts array indexes as numbers and parents before children.
func compareTokens(a, b []string) int {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		n, errN := strconv.Atoi(a[i])
		m, errM := strconv.Atoi(b[i])
		if errN == nil && errM == nil && n != m {
			return cmp.Compare(n, m)
		}
		return cmp.Compare(a[i], b[i])
	}
	return cmp.Compare(len(a), len(b))
}

func index(token string, length int) int {
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= length {
		return -1
	}
	return i
}
