package instance

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
)

// Problem is one known fault of a broken value.
type Problem struct {
	// Property is the path a person would write, Pointer the JSON pointer. Where a
	// property is missing they name that property.
	Property, Pointer string
	// Kind says how the value breaks the schema.
	Kind Kind
	// Keyword is the keyword that the validator reports; anyOf or oneOf where the
	// property has alternatives.
	Keyword string
	// Value is the offending value as JSON text, "" for a missing property.
	Value string
}

// Kind is a way to break a schema.
type Kind string

// The kinds.
const (
	Missing    Kind = "missing"    // a required property is left out
	Type       Kind = "type"       // a value of another JSON type, such that no lenient reader could convert it
	Null       Kind = "null"       // null where it is not allowed
	Enum       Kind = "enum"       // a value outside enum
	Const      Kind = "const"      // another value than const
	Range      Kind = "range"      // below minimum or above maximum
	Multiple   Kind = "multiple"   // no multiple of multipleOf
	Length     Kind = "length"     // text shorter than minLength or longer than maxLength
	Pattern    Kind = "pattern"    // text that does not match pattern
	Items      Kind = "items"      // too few, too many or repeated items
	Additional Kind = "additional" // a property that the schema forbids
	Text       Kind = "text"       // a value given as its JSON text; see Stringified
)

// Break is a set of arguments that breaks a schema at known places and nowhere else.
type Break struct {
	Arguments []byte
	Problems  []Problem
	edits     []edit
}

// The bounds of one search for breaks.
const (
	maxChecks = 600
	maxBytes  = 3 << 20 // of arguments checked
	maxNest   = 4
)

// Broken lists arguments that break a schema in exactly one way each, made from base,
// a valid instance. First comes what breaks nearest to the root. Each is verified: the
// validator reports one problem, at the named place. The list is empty when the
// schema does not compile, base does not fit it, or nothing certain breaks it.
func Broken(schema, base []byte, seed int64) []Break {
	b, ok := newBreaker(schema, base, seed)
	if !ok {
		return nil
	}
	b.walk(nil, b.roots(), nil)
	slices.SortStableFunc(b.found, func(x, y Break) int {
		return len(jsonschema.Tokens(x.Problems[0].Pointer)) - len(jsonschema.Tokens(y.Problems[0].Pointer))
	})
	return b.found
}

// breaker walks a schema along a valid value and tries what may break it.
type breaker struct {
	doc  *document
	base []byte
	seed int64
	// flat keeps to one level and to values without members, for forms.
	flat          bool
	checks, bytes int
	found         []Break
}

func newBreaker(schema, base []byte, seed int64) (*breaker, bool) {
	doc, err := open(schema)
	if err != nil || !gjson.ValidBytes(base) || !doc.fits(base) {
		return nil, false
	}
	return &breaker{doc: doc, base: base, seed: seed}, true
}

func (b *breaker) roots() []gjson.Result { return []gjson.Result{b.doc.root} }

// walk tries all breaks at one place and below. before are the changes that put a
// valid value there, when base has none.
func (b *breaker) walk(tokens []string, schemas []gjson.Result, before []edit) {
	g := b.doc.generator(b.seed, nil)
	path := jsonschema.Pointer(tokens...)
	s := g.flatten(path, schemas)
	if s.never || b.spent() {
		return
	}
	if len(tokens) > 0 {
		b.breakValue(tokens, s, before)
	}
	current, ok := b.current(tokens, before)
	switch {
	case !ok || len(tokens) >= maxNest || b.flat && len(tokens) > 0:
	case current.IsObject():
		b.breakObject(tokens, s, current, before)
		present := plant(current)
		for _, name := range namesAt(s, current) {
			b.child(g, tokens, name, present.at(name) >= 0, g.schemasFor(s, name), before)
		}
	case current.IsArray() && len(current.Array()) > 0:
		b.walk(append(slices.Clone(tokens), "0"), s.itemSchemas(0), before)
	}
}

// namesAt lists the properties that the schemas name, then others of the value.
func namesAt(s shape, value gjson.Result) []string {
	var names set
	for _, name := range s.known() {
		names.add(name)
	}
	value.ForEach(func(key, _ gjson.Result) bool {
		names.add(key.String())
		return true
	})
	return names.list
}

// child walks one property, after putting a valid value there when it is absent.
func (b *breaker) child(g *generator, tokens []string, name string, present bool, schemas []gjson.Result, before []edit) {
	if b.spent() {
		return
	}
	at := append(slices.Clone(tokens), name)
	if !present {
		raw, err := g.value(jsonschema.Pointer(at...), schemas, len(at))
		if err != nil {
			return
		}
		before = append(slices.Clone(before), edit{tokens: at, value: raw})
	}
	b.walk(at, schemas, before)
}

// current reads the value at a place after changes.
func (b *breaker) current(tokens []string, before []edit) (gjson.Result, bool) {
	changed, ok := apply(b.base, before)
	if !ok {
		return gjson.Result{}, false
	}
	at := gjson.ParseBytes(changed)
	for _, token := range tokens {
		at = member(at, token)
	}
	return at, at.Exists()
}

// try keeps a change that makes exactly one problem, at pointer, of the kind meant.
// It tells whether it did.
func (b *breaker) try(kind Kind, tokens []string, change edit, before []edit) bool {
	if b.spent() {
		return false
	}
	b.checks, b.bytes = b.checks+1, b.bytes+len(b.base)
	edits := append(slices.Clone(before), change)
	arguments, ok := apply(b.base, edits)
	if !ok {
		return false
	}
	problems, err := b.doc.check.Problems(arguments)
	if err != nil || len(problems) != 1 || problems[0].Path != jsonschema.Pointer(tokens...) || !means(problems[0].Keyword, kind) {
		return false
	}
	b.found = append(b.found, Break{arguments, []Problem{known(kind, problems[0], change)}, edits})
	return true
}

// spent tells whether the search has used up its bounds.
func (b *breaker) spent() bool { return b.checks > maxChecks || b.bytes > maxBytes }

func known(kind Kind, p jsonschema.Problem, change edit) Problem {
	return Problem{Property: p.Property, Pointer: p.Path, Kind: kind, Keyword: p.Keyword, Value: change.value}
}

// means tells whether a keyword's complaint is of a kind. Alternatives complain in
// their own name about anything.
func means(keyword string, kind Kind) bool {
	switch keyword {
	case "anyOf", "oneOf":
		return kind != Missing && kind != Additional
	case "required", "dependentRequired", "dependencies":
		return kind == Missing
	case "type":
		return kind == Type || kind == Null || kind == Text
	case "enum":
		return kind == Enum || kind == Null
	case "const":
		return kind == Const || kind == Null
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return kind == Range
	case "multipleOf":
		return kind == Multiple
	case "minLength", "maxLength":
		return kind == Length
	case "pattern":
		return kind == Pattern
	case "minItems", "maxItems", "uniqueItems":
		return kind == Items
	case "additionalProperties", "unevaluatedProperties":
		return kind == Additional
	}
	return false
}

// breakObject leaves out required properties and adds a forbidden one.
func (b *breaker) breakObject(tokens []string, s shape, current gjson.Result, before []edit) {
	var names set
	for _, list := range s.all("required") {
		for _, name := range list.Array() {
			names.add(name.String())
		}
	}
	for _, name := range names.list {
		at := append(slices.Clone(tokens), name)
		if !b.spent() && member(current, name).Exists() {
			b.try(Missing, at, edit{tokens: at, remove: true}, before)
		}
	}
	at := append(slices.Clone(tokens), unknownKey)
	b.try(Additional, at, edit{tokens: at, value: `"extra"`}, before)
}

// unknownKey is a property name no tool has.
const unknownKey = "conform_unknown"
