package jsonschema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	engine "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// collect walks the tree of causes and reports each leaf in our own words.
func collect(e *engine.ValidationError, report func(tokens []string, p Problem)) {
	at := e.InstanceLocation
	say := func(keyword, expected, format string, args ...any) {
		report(at, Problem{Keyword: keyword, Expected: shorten(expected, 200), Message: shorten(fmt.Sprintf(format, args...), 400)})
	}
	each := func(names []string, keyword, format string, args ...any) {
		for _, name := range names {
			report(append(slices.Clone(at), name), Problem{Keyword: keyword, Message: fmt.Sprintf(format, args...)})
		}
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		say("type", strings.Join(k.Want, " or "), "must be %s", strings.Join(k.Want, " or "))
	case *kind.Required:
		each(k.Missing, "required", "is required")
	case *kind.DependentRequired:
		each(k.Missing, "dependentRequired", "is required when %s is present", strconv.Quote(shorten(k.Prop, 60)))
	case *kind.Dependency:
		each(k.Missing, "dependencies", "is required when %s is present", strconv.Quote(shorten(k.Prop, 60)))
	case *kind.AdditionalProperties:
		each(k.Properties, "additionalProperties", "is not a known property")
	case *kind.PropertyNames:
		each([]string{k.Property}, "propertyNames", "has a name that is not allowed")
	case *kind.Enum:
		say("enum", list(k.Want), "must be one of %s", list(k.Want))
	case *kind.Const:
		say("const", text(k.Want), "must be %s", text(k.Want))
	case *kind.Format:
		say("format", k.Want, "must be a valid %s", shorten(k.Want, 60))
	case *kind.Minimum:
		say("minimum", ">= "+rat(k.Want), "must be at least %s", rat(k.Want))
	case *kind.Maximum:
		say("maximum", "<= "+rat(k.Want), "must be at most %s", rat(k.Want))
	case *kind.ExclusiveMinimum:
		say("exclusiveMinimum", "> "+rat(k.Want), "must be more than %s", rat(k.Want))
	case *kind.ExclusiveMaximum:
		say("exclusiveMaximum", "< "+rat(k.Want), "must be less than %s", rat(k.Want))
	case *kind.MultipleOf:
		say("multipleOf", "multiple of "+rat(k.Want), "must be a multiple of %s", rat(k.Want))
	case *kind.MinLength:
		say("minLength", atLeast(k.Want, "character"), "must have %s, has %d", atLeast(k.Want, "character"), k.Got)
	case *kind.MaxLength:
		say("maxLength", atMost(k.Want, "character"), "must have %s, has %d", atMost(k.Want, "character"), k.Got)
	case *kind.MinItems:
		say("minItems", atLeast(k.Want, "item"), "must have %s, has %d", atLeast(k.Want, "item"), k.Got)
	case *kind.MaxItems:
		say("maxItems", atMost(k.Want, "item"), "must have %s, has %d", atMost(k.Want, "item"), k.Got)
	case *kind.MinProperties:
		say("minProperties", atLeast(k.Want, "member"), "must have %s, has %d", atLeast(k.Want, "member"), k.Got)
	case *kind.MaxProperties:
		say("maxProperties", atMost(k.Want, "member"), "must have %s, has %d", atMost(k.Want, "member"), k.Got)
	case *kind.AdditionalItems:
		say("additionalItems", "", "must have %d items fewer", k.Count)
	case *kind.UniqueItems:
		say("uniqueItems", "", "must not repeat an item: %d and %d are equal", k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains:
		say("contains", "", "must contain an item of the asked kind")
	case *kind.MinContains:
		say("minContains", atLeast(k.Want, "item"), "must contain %s of the asked kind, has %d", atLeast(k.Want, "item"), len(k.Got))
	case *kind.MaxContains:
		say("maxContains", atMost(k.Want, "item"), "must contain %s of the asked kind, has %d", atMost(k.Want, "item"), len(k.Got))
	case *kind.Pattern:
		say("pattern", k.Want, "must match the pattern %s", shorten(k.Want, 120))
	case *kind.Not:
		say("not", "", "must not fit the excluded schema")
	case *kind.FalseSchema:
		say(falseKeyword(e.SchemaURL), "", "is not allowed")
	case *kind.RefCycle:
		say("$ref", "", "cannot be checked: the reference leads back to itself")
	case *kind.AnyOf:
		union(e, "anyOf", say)
	case *kind.OneOf:
		if len(k.Subschemas) > 1 {
			say("oneOf", "exactly one alternative", "must fit exactly one alternative, fits %d and %d", k.Subschemas[0], k.Subschemas[1])
			return
		}
		union(e, "oneOf", say)
	default:
		for _, cause := range e.Causes {
			collect(cause, report)
		}
		if len(e.Causes) == 0 {
			say("", "", "does not fit the schema")
		}
	}
}

// union reports a value that fits no alternative. When each alternative only
// wants another type, the types say more than the keyword.
func union(e *engine.ValidationError, keyword string, say func(keyword, expected, format string, args ...any)) {
	var types []string
	for _, cause := range e.Causes {
		k, ok := cause.ErrorKind.(*kind.Type)
		if !ok || len(cause.InstanceLocation) != len(e.InstanceLocation) {
			say(keyword, fmt.Sprintf("one of %d alternatives", len(e.Causes)), "must fit one of %d alternatives", len(e.Causes))
			return
		}
		for _, want := range k.Want {
			if !slices.Contains(types, want) {
				types = append(types, want)
			}
		}
	}
	want := strings.Join(types, " or ")
	say(keyword, want, "must be %s", want)
}

// falseKeyword names the keyword whose subschema is false.
func falseKeyword(location string) string {
	tokens := Tokens(pointerOf(location))
	for _, token := range slices.Backward(tokens) {
		if holdingOf(token) != holdsNone {
			return token
		}
	}
	return "false"
}

func atLeast(n int, noun string) string { return "at least " + count(n, noun) }
func atMost(n int, noun string) string  { return "at most " + count(n, noun) }

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// rat writes a bound as short as it can be read.
func rat(r *big.Rat) string {
	if r.IsInt() {
		return shorten(r.Num().String(), 60)
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// text writes a value of the schema as JSON.
func text(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return "another value"
	}
	return shorten(string(raw), 80)
}

func list(values []any) string {
	var parts []string
	for i, v := range values {
		if i == 12 {
			parts = append(parts, fmt.Sprintf("… (%d in all)", len(values)))
			break
		}
		parts = append(parts, text(v))
	}
	return strings.Join(parts, ", ")
}
