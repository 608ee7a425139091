package jsonschema

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	engine "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/agntn/conform/fakes/jsonschema/ecma"
)

// explain turns an error of the validator's compiler into a *SchemaError.
func explain(err error, positions []subschema) error {
	var own *SchemaError
	if errors.As(err, &own) {
		return own
	}
	if errors.As(err, new(*engine.LoadURLError)) || errors.As(err, new(*engine.JSONPointerNotFoundError)) ||
		errors.As(err, new(*engine.AnchorNotFoundError)) {
		return explainReference(err, positions)
	}
	var shape *engine.SchemaValidationError
	if errors.As(err, &shape) {
		return explainShape(shape, positions[0].value)
	}
	var regex *engine.InvalidRegexError
	if errors.As(err, &regex) {
		return explainPattern(regex)
	}
	var duplicate *engine.DuplicateIDError
	if errors.As(err, &duplicate) {
		return &SchemaError{Pointer: max(duplicate.Ptr1, duplicate.Ptr2), Text: "$id is used twice: " + shorten(strings.TrimPrefix(duplicate.ID, strings.TrimSuffix(base, "root")), 200)}
	}
	var twice *engine.DuplicateAnchorError
	if errors.As(err, &twice) {
		return &SchemaError{Pointer: max(twice.Ptr1, twice.Ptr2), Text: "anchor is used twice: " + shorten(twice.Anchor, 200)}
	}
	text := strings.ReplaceAll(err.Error(), base, "")
	return &SchemaError{Text: shorten(text, 300)}
}

func explainPattern(regex *engine.InvalidRegexError) error {
	fault := &SchemaError{Pointer: pointerOf(regex.URL), Text: "pattern is no regular expression"}
	var syntax *ecma.SyntaxError
	if errors.As(regex.Err, &syntax) {
		fault.Text += ": " + syntax.Reason
	}
	if strings.HasSuffix(fault.Pointer, "/patternProperties") {
		fault.Pointer += "/" + escapeToken(regex.Regex)
	}
	return fault
}

// explainShape reports a schema whose keywords have values they may not have.
func explainShape(shape *engine.SchemaValidationError, root any) error {
	var invalid *engine.ValidationError
	if !errors.As(shape.Err, &invalid) {
		return &SchemaError{Text: shorten(shape.Error(), 300)}
	}
	at := Tokens(pointerOf(shape.URL))
	found := translate(invalid, lookup(root, at))
	if len(found) == 0 {
		return &SchemaError{Pointer: Pointer(at...), Text: "is no schema"}
	}
	first := found[0]
	pointer := Pointer(at...) + first.Path
	tokens := Tokens(pointer)
	text := first.Message
	if len(tokens) > 0 {
		text = keywordFault(tokens, lookup(root, tokens), first)
	}
	return &SchemaError{Pointer: pointer, Text: text, More: len(found) - 1}
}

// keywordFault says what is wrong with the value of a keyword.
func keywordFault(tokens []string, value any, p Problem) string {
	keyword := shorten(tokens[len(tokens)-1], 60)
	if _, err := strconv.Atoi(keyword); err == nil && len(tokens) > 1 {
		keyword = tokens[len(tokens)-2] + "[" + keyword + "]"
	}
	source, isText := value.(string)
	isName := len(tokens) > 1 && tokens[len(tokens)-2] == "patternProperties" && p.Keyword == "propertyNames"
	if isName {
		source, isText = tokens[len(tokens)-1], true
	}
	switch {
	case keyword == "type" && p.Keyword == "anyOf":
		return "type must be array, boolean, integer, null, number, object or string, or a list of different ones"
	case isText && (isName || p.Keyword == "format" && p.Expected == "regex"):
		var syntax *ecma.SyntaxError
		if _, err := ecma.CompileLenient(source, matchTime); errors.As(err, &syntax) {
			return keyword + " is no regular expression: " + syntax.Reason
		}
	}
	return keyword + " " + p.Message
}

// pointerOf takes the JSON pointer out of an absolute location.
func pointerOf(location string) string {
	_, fragment, _ := strings.Cut(location, "#")
	if plain, err := url.PathUnescape(fragment); err == nil {
		return plain
	}
	return fragment
}

// lookup gives the value at a place, nil when there is none.
func lookup(value any, tokens []string) any {
	found, _ := find(value, tokens)
	return found
}

func find(value any, tokens []string) (found any, ok bool) {
	for _, token := range tokens {
		switch at := value.(type) {
		case map[string]any:
			if value, ok = at[token]; !ok {
				return nil, false
			}
		case []any:
			i := index(token, len(at))
			if i < 0 {
				return nil, false
			}
			value = at[i]
		default:
			return nil, false
		}
	}
	return value, true
}
