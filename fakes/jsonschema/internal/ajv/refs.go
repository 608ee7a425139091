package ajv

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// env is a schema that may be compiled as a function: a document, or a part of one
// that a reference leads to.
type env struct {
	schema any
	root   *env
	base   string
	// local holds the anchors of a document without an id; refs what references
	// of the document resolved to; dynamic its dynamic anchors compiled so far.
	local   map[string]*object
	refs    map[string]any
	dynamic map[string]bool
	fn      *fn
}

func newEnv(schema any, root *env, base string) *env {
	e := &env{schema: schema, root: root, base: base, refs: map[string]any{}, dynamic: map[string]bool{}}
	if root == nil {
		e.root = e
	}
	return e
}

// resolveRef gives what a reference leads to: an *env to call, or a schema to
// compile in place. ok is false when it leads nowhere.
func (e *Engine) resolveRef(root *env, base, ref string) (target any, ok bool) {
	ref = resolveURL(base, normalizeID(ref))
	if known, ok := root.refs[ref]; ok && truthy(known) {
		return known, true
	}
	found := e.resolve(root, ref)
	if found == nil {
		if local := root.local[ref]; local != nil {
			found = newEnv(local, root, base)
		}
	}
	if found == nil {
		return nil, false
	}
	if !e.hasRef(found.schema) {
		root.refs[ref] = found.schema
		return found.schema, true
	}
	if found.fn == nil {
		found = e.compileEnv(found)
	}
	root.refs[ref] = found
	return found, true
}

func (e *Engine) resolve(root *env, ref string) *env {
	for range len(e.refs) + 1 {
		switch known := e.refs[ref].(type) {
		case *env:
			return known
		case string:
			ref = known
			continue
		}
		break
	}
	return e.resolveSchema(root, ref)
}

func (e *Engine) resolveSchema(root *env, ref string) *env {
	path := fullPath(ref)
	rootObject, _ := root.schema.(*object)
	if rootObject != nil && len(rootObject.keys) > 0 && path == fullPath(root.base) {
		return e.pointer(ref, root)
	}
	id := normalizeID(path)
	switch known := e.refs[id].(type) {
	case string:
		found := e.resolveSchema(root, known)
		if found == nil {
			return nil
		}
		if _, ok := found.schema.(*object); !ok {
			return nil
		}
		return e.pointer(ref, found)
	case *env:
		schema, ok := known.schema.(*object)
		if !ok {
			return nil
		}
		if known.fn == nil {
			e.compileEnv(known)
		}
		if id != normalizeID(ref) {
			return e.pointer(ref, known)
		}
		base := fullPath(root.base)
		if own, _ := schema.own("$id"); truthy(own) {
			base = resolveURL(base, normalizeID(own))
		}
		return newEnv(schema, root, base)
	}
	if isMeta(id) {
		panic(stop{ErrUnknown})
	}
	return nil
}

func isMeta(id string) bool {
	return strings.HasPrefix(id, "http://json-schema.org/draft") || strings.HasPrefix(id, "https://json-schema.org/draft") ||
		id == "http://json-schema.org/schema"
}

// pointer follows the JSON pointer in the fragment of ref.
func (e *Engine) pointer(ref string, from *env) *env {
	_, fragment, _ := strings.Cut(ref, "#")
	if !strings.HasPrefix(fragment, "/") {
		return nil
	}
	schema, base := from.schema, from.base
	for _, part := range strings.Split(fragment[1:], "/") {
		if _, ok := schema.(bool); ok {
			return nil
		}
		plain, err := url.PathUnescape(part)
		if err != nil {
			fail("URI malformed")
		}
		plain = strings.ReplaceAll(strings.ReplaceAll(plain, "~1", "/"), "~0", "~")
		next, ok := step(schema, plain)
		if !ok {
			return nil
		}
		schema = next
		if object, ok := schema.(*object); ok && !keepsScope(part) {
			if id, _ := object.own("$id"); truthy(id) {
				base = resolveURL(base, normalizeID(id))
			}
		}
	}
	var found *env
	switch s := schema.(type) {
	case nil:
		fail("Cannot read properties of null (reading '$ref')")
	case *object:
		if ref, _ := s.own("$ref"); truthy(ref) && !slices.ContainsFunc(s.keys, func(k string) bool { return k != "$ref" && e.checks[k] }) {
			if e.chain++; e.chain > maxChain {
				fail(stackOverflow)
			}
			found = e.resolveSchema(from.root, resolveURL(base, normalizeID(ref)))
		}
	}
	if found == nil {
		found = newEnv(schema, from.root, base)
	}
	if sameSchema(found.schema, found.root.schema) {
		return nil
	}
	return found
}

// maxChain bounds references that lead straight to another reference.
const maxChain = 2000

func sameSchema(a, b any) bool {
	x, ok := a.(*object)
	y, also := b.(*object)
	if ok || also {
		return x == y
	}
	p, ok := a.(bool)
	q, also := b.(bool)
	return ok && also && p == q
}

func step(v any, token string) (any, bool) {
	switch v := v.(type) {
	case *object:
		return v.own(token)
	case []any:
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(v) || strconv.Itoa(i) != token {
			return nil, false
		}
		return v[i], true
	}
	return nil, false
}

func keepsScope(token string) bool {
	return slices.Contains([]string{"properties", "patternProperties", "enum", "dependencies", "definitions"}, token)
}

// hasRef tells whether a reference occurs anywhere in a schema; ajv compiles only
// schemas without one in place.
func (e *Engine) hasRef(v any) bool {
	e.spend(1)
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, e.hasRef)
	case *object:
		for _, key := range v.keys {
			switch key {
			case "$ref", "$recursiveRef", "$recursiveAnchor", "$dynamicRef", "$dynamicAnchor":
				return true
			}
			if e.hasRef(v.members[key]) {
				return true
			}
		}
	}
	return false
}

// register collects the ids and anchors of a document.
func (e *Engine) register(root *env) {
	schema, ok := root.schema.(*object)
	if !ok {
		return
	}
	root.local = map[string]*object{}
	c := collector{engine: e, root: root, seen: map[string]bool{}, prefix: fullPath(root.base)}
	c.visit(schema, "", root.base, true)
}

type collector struct {
	engine *Engine
	root   *env
	seen   map[string]bool
	prefix string
}

func (c *collector) visit(schema *object, pointer, base string, isRoot bool) {
	c.engine.spend(1)
	if !isRoot {
		outer := base
		if id, ok := schema.members["$id"].(string); ok {
			base = c.add(schema, pointer, outer, id)
			outer = base
		}
		for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
			anchor, ok := schema.members[keyword].(string)
			if ok && !anchorSyntax(anchor) {
				fail("invalid anchor %q", anchor)
			}
			if ok {
				c.add(schema, pointer, outer, "#"+anchor)
			}
		}
	}
	for _, key := range schema.keys {
		switch value := schema.members[key].(type) {
		case []any:
			if slices.Contains([]string{"items", "allOf", "anyOf", "oneOf"}, key) {
				for i, item := range value {
					c.below(item, pointer+"/"+key+"/"+index(i), base)
				}
			}
		case *object:
			if slices.Contains([]string{"$defs", "definitions", "properties", "patternProperties", "dependencies"}, key) {
				for _, name := range value.keys {
					escaped := strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
					c.below(value.members[name], pointer+"/"+key+"/"+escaped, base)
				}
			} else if key != "default" && key != "enum" && key != "const" {
				c.below(value, pointer+"/"+key, base)
			}
		}
	}
}

func (c *collector) below(v any, pointer, base string) {
	if o, ok := v.(*object); ok {
		c.visit(o, pointer, base, false)
	}
}

// add registers one id or anchor and gives its absolute form.
func (c *collector) add(schema *object, pointer, base, ref string) string {
	if base != "" {
		ref = resolveURL(base, ref)
	}
	ref = normalizeID(ref)
	if c.seen[ref] {
		fail(`reference "%s" resolves to more than one schema`, ref)
	}
	c.seen[ref] = true
	known := c.engine.refs[ref]
	if alias, ok := known.(string); ok {
		known = c.engine.refs[alias]
	}
	other, ok := known.(*env)
	switch {
	case ok:
		if !equal(schema, other.schema, c.engine.spend) {
			fail(`reference "%s" resolves to more than one schema`, ref)
		}
	case ref == normalizeID(c.prefix+pointer):
	case strings.HasPrefix(ref, "#"):
		c.root.local[ref] = schema
	default:
		c.engine.refs[ref] = c.prefix + pointer
	}
	return ref
}

func anchorSyntax(anchor string) bool {
	for i, r := range anchor {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || r == '-' || r == '.')) {
			return false
		}
	}
	return anchor != ""
}

// normalizeID cuts an empty fragment.
func normalizeID(id any) string {
	if !truthy(id) {
		return ""
	}
	text, ok := id.(string)
	if !ok {
		fail("id.replace is not a function")
	}
	if cut, ok := strings.CutSuffix(text, "#/"); ok {
		return cut
	}
	return strings.TrimSuffix(text, "#")
}

// fullPath is a URI without its fragment, with an empty one.
func fullPath(id string) string {
	before, _, _ := strings.Cut(resolveURL("", id), "#")
	return before + "#"
}
