package instance

import (
	"slices"

	"github.com/tidwall/gjson"
)

// shape is all that applies to one place of a value: the schema objects that have a
// say there, with references, allOf and the chosen alternatives worked in.
type shape struct {
	doc   *document
	nodes []gjson.Result
	// never is set when a schema there is false.
	never bool
}

// maxInPlace bounds schemas that lead to schemas for the same place.
const maxInPlace = 64

// flatten collects the shape of schemas at path.
func (g *generator) flatten(path string, schemas []gjson.Result) shape {
	s := shape{doc: g.doc}
	for i, schema := range schemas {
		g.collect(&s, path+"!"+itoa(i), schema, 0)
	}
	return s
}

// collect adds one schema. label names the place of the schema, for choices.
func (g *generator) collect(s *shape, label string, schema gjson.Result, depth int) {
	if schema.Type == gjson.False {
		s.never = true
	}
	if !schema.IsObject() || depth > maxInPlace || !g.spend() {
		return
	}
	s.nodes = append(s.nodes, schema)
	for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		if ref := g.doc.member(schema, keyword); ref.Type == gjson.String {
			if target, ok := g.doc.resolve(ref.String()); ok {
				g.collect(s, label+keyword, target, depth+1)
			}
		}
	}
	for i, sub := range g.doc.member(schema, "allOf").Array() {
		g.collect(s, label+"&"+itoa(i), sub, depth+1)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := g.branches(g.doc.member(schema, keyword)); len(branches) > 0 {
			i := g.choose(label+keyword, len(branches))
			g.collect(s, label+keyword+itoa(i), branches[i], depth+1)
		}
	}
	g.conditional(s, label, schema, depth)
}

// branches lists alternatives, those for null alone last: a real value tells more.
func (g *generator) branches(list gjson.Result) []gjson.Result {
	branches := list.Array()
	slices.SortStableFunc(branches, func(a, b gjson.Result) int { return rank(a) - rank(b) })
	return branches
}

func rank(branch gjson.Result) int {
	if member(branch, "type").String() == "null" || member(branch, "const").Raw == "null" {
		return 1
	}
	return 0
}

// conditional takes the else side first, which needs nothing to hold; the then side
// comes with its condition.
func (g *generator) conditional(s *shape, label string, schema gjson.Result, depth int) {
	condition := g.doc.member(schema, "if")
	if !condition.Exists() {
		return
	}
	if g.choose(label+"if", 2) == 0 {
		g.collect(s, label+"else", g.doc.member(schema, "else"), depth+1)
		return
	}
	g.collect(s, label+"if", condition, depth+1)
	g.collect(s, label+"then", g.doc.member(schema, "then"), depth+1)
}

// all gives the values of a keyword over the shape.
func (s shape) all(keyword string) []gjson.Result {
	var found []gjson.Result
	for _, node := range s.nodes {
		if v := s.doc.member(node, keyword); v.Exists() {
			found = append(found, v)
		}
	}
	return found
}

// largest gives the largest whole number of a keyword, smallest the smallest; ok is
// false without one.
func (s shape) largest(keyword string) (n int, ok bool) { return s.extreme(keyword, 1) }

func (s shape) smallest(keyword string) (n int, ok bool) { return s.extreme(keyword, -1) }

func (s shape) extreme(keyword string, sign int) (n int, ok bool) {
	for _, v := range s.all(keyword) {
		if v.Type != gjson.Number {
			continue
		}
		m := int(v.Int())
		if !ok || sign*m > sign*n {
			n, ok = m, true
		}
	}
	return n, ok
}

// types lists the types a value may have, as the schemas order them. Without any
// word on types they follow from the keywords.
func (s shape) types() []string {
	var types []string
	given := false
	for _, v := range s.all("type") {
		next := []string{v.String()}
		if v.IsArray() {
			next = nil
			for _, item := range v.Array() {
				next = append(next, item.String())
			}
		}
		types, given = intersect(types, next, given), true
	}
	if !given {
		types = s.impliedTypes()
	}
	slices.SortStableFunc(types, func(a, b string) int { return btoi(a == "null") - btoi(b == "null") })
	return types
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func intersect(types, next []string, given bool) []string {
	if !given {
		return next
	}
	var both []string
	for _, t := range types {
		switch {
		case slices.Contains(next, t), t == "integer" && slices.Contains(next, "number"):
			both = append(both, t)
		case t == "number" && slices.Contains(next, "integer"):
			both = append(both, "integer")
		}
	}
	return both
}

// impliedTypes lists all types, those first whose keywords occur.
func (s shape) impliedTypes() []string {
	var types []string
	for _, hint := range []struct {
		kind     string
		keywords []string
	}{
		{"object", []string{"properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties"}},
		{"array", []string{"items", "prefixItems", "minItems", "uniqueItems", "contains"}},
		{"string", []string{"pattern", "minLength", "maxLength", "format"}},
		{"number", []string{"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"}},
	} {
		if slices.ContainsFunc(hint.keywords, func(keyword string) bool { return len(s.all(keyword)) > 0 }) {
			types = append(types, hint.kind)
		}
	}
	for _, kind := range []string{"string", "number", "object", "array", "boolean", "null"} {
		if !slices.Contains(types, kind) {
			types = append(types, kind)
		}
	}
	return types
}
