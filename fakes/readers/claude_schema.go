package readers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

// claudeGate names the first reason why the Anthropic API would refuse an input
// schema; "" when there is none.
func claudeGate(schema js.Value) string {
	for _, k := range schema.Get("properties").Keys() {
		if !claudePropertyKey(k) {
			return fmt.Sprintf("property key %s does not match /^[a-zA-Z0-9_.-]{1,64}$/", js.Quote(k))
		}
	}
	if s := schema.Get("$schema"); s.Kind == js.String && strings.TrimSuffix(s.Str, "#") != metaschema2020 {
		return "" // it has no metaschema for other dialects, and then checks nothing
	}
	// Null members of the root are not held against it.
	root := schema.Copy()
	for _, k := range schema.Keys() {
		if schema.Get(k).Kind == js.Null || k == "$schema" {
			root.Delete(k)
		}
	}
	return metaschemaFault(root)
}

// metaschema2020 names the dialect of JSON Schema that the gate knows.
const metaschema2020 = "https://json-schema.org/draft/2020-12/schema"

func claudePropertyKey(k string) bool {
	if k == "" || len(k) > 64 {
		return false
	}
	return !strings.ContainsFunc(k, func(r rune) bool { return !isWordOrDash(r) && r != '.' })
}

// rootCombinators in the order in which their branches are merged.
func rootCombinators() [3]string { return [3]string{"anyOf", "oneOf", "allOf"} }

// flattened is an input schema without combinators at its root.
type flattened struct {
	schema   js.Value
	sentence string // what the description is told instead; "" when nothing was flattened
	fault    string // why the tool is left out
}

// flattenRoot takes anyOf, oneOf and allOf off the root of an input schema,
// which the Anthropic API refuses there. Properties of the branches are merged;
// a property that differs between alternatives becomes an anyOf of its own.
func flattenRoot(schema js.Value) flattened {
	found := false
	for _, k := range rootCombinators() {
		if schema.Has(k) && schema.Get(k).Kind != js.Array {
			return flattened{fault: "input schema has top-level " + k + " that is not an array"}
		}
		found = found || schema.Has(k)
	}
	if !found {
		return flattened{schema: schema}
	}
	props := js.NewObject()
	for _, k := range schema.Get("properties").Keys() {
		if p := schema.Get("properties").Get(k); claudePropertyKey(k) && p.Kind == js.Object {
			props.Set(k, p)
		}
	}
	required := slices.Clone(schema.Get("required").Items)
	for _, k := range rootCombinators() {
		if schema.Has(k) {
			branches := resolveBranches(schema, schema.Get(k).Items)
			mergeBranchProperties(props, branches, k == "allOf")
			required = append(required, branchRequired(branches, k == "allOf")...)
		}
	}
	required = slices.DeleteFunc(unique(required), func(v js.Value) bool { return v.Kind != js.String || !props.Has(v.Str) })
	out := js.NewObject()
	out.Set("type", js.Str("object"))
	out.Set("properties", props)
	out.Set("required", js.List(required...))
	for _, k := range schema.Keys() {
		switch k {
		case "$schema", "$defs", "definitions", "title", "description", "additionalProperties":
			out.Set(k, schema.Get(k))
		}
	}
	if !out.Has("additionalProperties") {
		out.Set("additionalProperties", js.Boolean(true))
	}
	return flattened{schema: out, sentence: constraintSentence(schema)}
}

// resolveBranches follows a reference of a branch into the definitions, once.
func resolveBranches(root js.Value, branches []js.Value) []js.Value {
	out := slices.Clone(branches)
	for i, b := range out {
		for _, place := range []string{"$defs", "definitions"} {
			if name, ok := strings.CutPrefix(b.Get("$ref").Str, "#/"+place+"/"); ok {
				out[i] = root.Get(place).Get(name)
			}
		}
	}
	return out
}

// mergeBranchProperties adds properties that the root does not have.
func mergeBranchProperties(props js.Value, branches []js.Value, all bool) {
	choices := js.NewObject()
	for _, b := range branches {
		p := b.Get("properties")
		for _, k := range p.Keys() {
			s := p.Get(k)
			if !claudePropertyKey(k) || k == "__proto__" || s.Kind != js.Object || props.Has(k) {
				continue
			}
			seen := choices.Get(k).Items
			if !slices.ContainsFunc(seen, func(x js.Value) bool { return js.Equal(x, s) }) {
				choices.Set(k, js.List(append(slices.Clone(seen), s)...))
			}
		}
	}
	for _, k := range choices.Keys() {
		list := choices.Get(k).Items
		if all || len(list) == 1 {
			props.Set(k, list[0])
			continue
		}
		any := js.NewObject()
		any.Set("anyOf", js.List(list...))
		props.Set(k, any)
	}
}

// branchRequired gives the names that hold whichever branch is taken.
func branchRequired(branches []js.Value, all bool) []js.Value {
	var out []js.Value
	for i, b := range branches {
		names := b.Get("required").Items
		if all || i == 0 {
			out = append(out, names...)
			continue
		}
		out = keepIn(out, names)
	}
	return out
}

// constraintSentence tells the model what the flattened combinator said.
func constraintSentence(schema js.Value) string {
	kind, word := "oneOf", "exactly one of"
	if !schema.Has(kind) {
		kind, word = "anyOf", "at least one of"
	}
	if !schema.Has(kind) {
		return "Input constraint: all listed parameters apply together (flattened from a JSON Schema allOf)."
	}
	var groups []string
	for _, b := range resolveBranches(schema, schema.Get(kind).Items) {
		var names []string
		for _, r := range b.Get("required").Items {
			if r.Kind == js.String {
				names = append(names, r.Str)
			}
		}
		if len(names) == 0 {
			for _, k := range b.Get("properties").Keys() {
				if k != "__proto__" {
					names = append(names, k)
				}
			}
		}
		group := "(" + strings.Join(names, ", ") + ")"
		if len(names) > 0 && !slices.Contains(groups, group) {
			groups = append(groups, group)
		}
	}
	if len(groups) == 0 {
		return "Input constraint: Provide parameters for " + word + " the documented parameter groups (flattened from a JSON Schema " + kind + ")."
	}
	return "Input constraint: Provide parameters for " + word + ": " + strings.Join(groups, " or ") + "."
}
