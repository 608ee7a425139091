package jsonschema

import (
	"net/url"
	"strings"
)

// explainReference reports the first reference in the document that leads nowhere
// or out of it. The validator stops at any one, in no fixed order.
func explainReference(err error, positions []subschema) error {
	r := readReferences(positions)
	for _, ref := range r.list {
		if r.external(ref.target) {
			external := &ExternalRef{Keyword: ref.keyword, URI: ref.written}
			return &SchemaError{Pointer: ref.pointer, Text: external.Error(), Err: external}
		}
		if !r.resolves(ref.target) {
			return &SchemaError{Pointer: ref.pointer, Text: ref.keyword + " points to nothing: " + shorten(ref.written, 200)}
		}
	}
	return &SchemaError{Text: shorten(strings.ReplaceAll(err.Error(), base, ""), 300)}
}

// reference is a $ref or its kin, with its absolute target.
type reference struct{ pointer, keyword, written, target string }

// references are those of a document, and what they may lead to.
type references struct {
	list []reference
	// resources maps an absolute URI without fragment to the schema it names,
	// anchors holds absolute URIs with an anchor.
	resources map[string]any
	anchors   map[string]bool
}

// readReferences collects references and their targets, schema by schema in sorted
// order, so that a base URI is known before what lies below it.
func readReferences(positions []subschema) references {
	r := references{resources: map[string]any{base: positions[0].value}, anchors: map[string]bool{}}
	bases := map[string]string{}
	for _, position := range positions {
		object, ok := position.value.(map[string]any)
		if !ok {
			continue
		}
		at := Pointer(position.tokens...)
		current := nearest(bases, at)
		for _, keyword := range []string{"$id", "id"} {
			if id, ok := object[keyword].(string); ok {
				current = withoutFragment(resolve(current, id))
				bases[at] = current
				r.resources[current] = object
				r.anchors[resolve(current, id)] = true
			}
		}
		for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
			if anchor, ok := object[keyword].(string); ok {
				r.anchors[current+"#"+anchor] = true
			}
		}
		for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
			if ref, ok := object[keyword].(string); ok {
				r.list = append(r.list, reference{at + "/" + keyword, keyword, ref, resolve(current, ref)})
			}
		}
	}
	return r
}

// nearest gives the base URI that holds at a pointer.
func nearest(bases map[string]string, pointer string) string {
	for {
		if known, ok := bases[pointer]; ok {
			return known
		}
		if pointer == "" {
			return base
		}
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
	}
}

// external tells whether a target lies outside the document. The well-known meta
// schemas count as inside.
func (r references) external(target string) bool {
	uri := withoutFragment(target)
	if _, ok := r.resources[uri]; ok {
		return false
	}
	_, known := DialectOf(uri)
	return !known
}

// resolves tells whether a target inside the document is there.
func (r references) resolves(target string) bool {
	uri, fragment, _ := strings.Cut(unescapeFragment(target), "#")
	resource, ok := r.resources[uri]
	switch {
	case !ok, fragment == "":
		return true
	case strings.HasPrefix(fragment, "/"):
		_, found := find(resource, Tokens(fragment))
		return found
	}
	return r.anchors[uri+"#"+fragment]
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
