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
	var load *engine.LoadURLError
	if errors.As(err, &load) {
		return explainExternal(load.URL, positions)
	}
	var shape *engine.SchemaValidationError
	if errors.As(err, &shape) {
		return explainShape(shape, positions[0].value)
	}
	var regex *engine.InvalidRegexError
	if errors.As(err, &regex) {
		return explainPattern(regex)
	}
	var pointer *engine.JSONPointerNotFoundError
	if errors.As(err, &pointer) {
		return explainMissing(pointer.URL, positions)
	}
	var anchor *engine.AnchorNotFoundError
	if errors.As(err, &anchor) {
		return explainMissing(anchor.Reference, positions)
	}
	var duplicate *engine.DuplicateIDError
	if errors.As(err, &duplicate) {
		return &SchemaError{Pointer: duplicate.Ptr1, Text: "$id is used twice: " + shorten(strings.TrimPrefix(duplicate.ID, strings.TrimSuffix(base, "root")), 200)}
	}
	var twice *engine.DuplicateAnchorError
	if errors.As(err, &twice) {
		return &SchemaError{Pointer: twice.Ptr1, Text: "anchor is used twice: " + shorten(twice.Anchor, 200)}
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

// explainExternal finds the reference that leads out of the document.
func explainExternal(target string, positions []subschema) error {
	where, keyword, written := findRef(positions, func(resolved string) bool { return withoutFragment(resolved) == target })
	if keyword == "" {
		keyword, written = "$ref", target
	}
	external := &ExternalRef{Keyword: keyword, URI: written}
	return &SchemaError{Pointer: where, Text: external.Error(), Err: external}
}

// explainMissing finds the reference whose target is not there.
func explainMissing(target string, positions []subschema) error {
	where, keyword, written := findRef(positions, func(resolved string) bool {
		return resolved == target || unescapeFragment(resolved) == unescapeFragment(target)
	})
	if keyword == "" {
		keyword, written = "$ref", strings.TrimPrefix(target, base)
	}
	return &SchemaError{Pointer: where, Text: keyword + " points to nothing: " + shorten(written, 200)}
}

// findRef gives the place and text of the first reference whose absolute form matches.
func findRef(positions []subschema, match func(resolved string) bool) (pointer, keyword, written string) {
	bases := map[string]string{}
	for _, position := range positions {
		object, ok := position.value.(map[string]any)
		if !ok {
			continue
		}
		at := Pointer(position.tokens...)
		current := base
		for p := at; ; p = p[:strings.LastIndexByte(p, '/')] {
			if known, ok := bases[p]; ok {
				current = known
				break
			}
			if p == "" {
				break
			}
		}
		for _, key := range []string{"$id", "id"} {
			if id, ok := object[key].(string); ok {
				current = withoutFragment(resolve(current, id))
				bases[at] = current
			}
		}
		for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
			if ref, ok := object[keyword].(string); ok && match(resolve(current, ref)) {
				return at + "/" + keyword, keyword, ref
			}
		}
	}
	return "", "", ""
}

func resolve(from, reference string) string {
	f, err := url.Parse(from)
	if err != nil {
		return reference
	}
	path, fragment, has := strings.Cut(reference, "#")
	r, err := url.Parse(path)
	if err != nil {
		return reference
	}
	resolved := f.ResolveReference(r)
	if !r.IsAbs() && f.Opaque != "" {
		resolved.Opaque = f.Opaque
	}
	if has {
		return resolved.String() + "#" + fragment
	}
	return resolved.String()
}

func withoutFragment(uri string) string {
	uri, _, _ = strings.Cut(uri, "#")
	return uri
}

func unescapeFragment(uri string) string {
	before, fragment, _ := strings.Cut(uri, "#")
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	return before + "#" + fragment
}

// pointerOf takes the JSON pointer out of an absolute location.
func pointerOf(location string) string {
	_, fragment, _ := strings.Cut(location, "#")
	if plain, err := url.PathUnescape(fragment); err == nil {
		return plain
	}
	return fragment
}

func lookup(value any, tokens []string) any {
	for _, token := range tokens {
		switch at := value.(type) {
		case map[string]any:
			value = at[token]
		case []any:
			i := index(token, len(at))
			if i < 0 {
				return nil
			}
			value = at[i]
		default:
			return nil
		}
	}
	return value
}
