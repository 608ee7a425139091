package jsonschema

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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

// Problems checks a value: []byte and json.RawMessage are JSON text, anything else
// is a value as encoding/json decodes it. The result is empty when the value fits,
// else one problem for each cause, sorted by place. The error is ErrNotJSON or
// ErrTooComplex; then there is no verdict.
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
	invalid, err := s.validate(clean)
	if err != nil || invalid == nil {
		return nil, err
	}
	return translate(invalid, clean), nil
}

// validate runs the validator under the stopwatch.
func (s *Schema) validate(value any) (invalid *engine.ValidationError, err error) {
	s.watch.start(s.limits.PatternTime)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the validator gave up on this value: %v", p)
		}
		if late := s.watch.stop(); late != nil {
			invalid, err = nil, late
		}
	}()
	verdict := s.root.Validate(value)
	if verdict == nil {
		return nil, nil
	}
	if !errors.As(verdict, &invalid) {
		return nil, fmt.Errorf("the validator gave no reason: %w", verdict)
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

// translate lists the causes of a failed validation, sorted and without repeats.
func translate(invalid *engine.ValidationError, root any) []Problem {
	seen := map[[3]string]Problem{}
	collect(invalid, root, func(tokens []string, p Problem) {
		p.Path, p.Property = Pointer(tokens...), Dotted(root, tokens)
		seen[[3]string{p.Path, p.Keyword, p.Message}] = p
	})
	return slices.SortedFunc(maps.Values(seen), func(a, b Problem) int {
		return cmp.Or(comparePaths(a.Path, b.Path), cmp.Compare(a.Keyword, b.Keyword), cmp.Compare(a.Message, b.Message))
	})
}

// comparePaths sorts array indexes as numbers and parents before children.
func comparePaths(a, b string) int {
	x, y := Tokens(a), Tokens(b)
	for i := range min(len(x), len(y)) {
		n, errN := strconv.Atoi(x[i])
		m, errM := strconv.Atoi(y[i])
		if errN == nil && errM == nil && n != m {
			return cmp.Compare(n, m)
		}
		if c := cmp.Compare(x[i], y[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(x), len(y))
}

func index(token string, length int) int {
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= length {
		return -1
	}
	return i
}
