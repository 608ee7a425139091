package readers

import (
	"slices"
	"strings"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

// copilotSchema gives an input schema as Copilot CLI hands it on to an Anthropic
// model: what the model's API does not take is told in descriptions instead.
func copilotSchema(schema js.Value) js.Value {
	root := js.NewPlain()
	if schema.Kind == js.Object {
		root = copilotTidy(sorted(schema))
	}
	root.Set("type", js.Str("object"))
	if root.Get("properties").Kind != js.Object {
		root.Set("properties", js.NewPlain())
	}
	root.Delete("enum")
	root.Delete("not")
	flattenAllOf(root)
	flattenChoice(root, "anyOf")
	flattenChoice(root, "oneOf")
	return copilotAnthropic(copilotLimits(root))
}

// sorted orders the members of every object by name, as a Rust map does.
func sorted(v js.Value) js.Value {
	switch v.Kind {
	case js.Array:
		out := js.List()
		for _, x := range v.Items {
			out.Items = append(out.Items, sorted(x))
		}
		return out
	case js.Object:
		keys := slices.Clone(v.Keys())
		slices.Sort(keys)
		out := js.NewPlain()
		for _, k := range keys {
			out.Set(k, sorted(v.Get(k)))
		}
		return out
	}
	return v
}

// copilotBelow applies f to the schemas below s, where this client looks for them.
func copilotBelow(s js.Value, f func(js.Value) js.Value) {
	for _, k := range s.Keys() {
		x := s.Get(k)
		switch k {
		case "properties", "$defs", "definitions", "dependencies":
			if x.Kind != js.Object {
				continue
			}
			out := js.NewPlain()
			for _, name := range x.Keys() {
				out.Set(name, f(x.Get(name)))
			}
			s.Set(k, out)
		case "anyOf", "oneOf", "allOf", "prefixItems":
			if x.Kind != js.Array {
				continue
			}
			out := js.List()
			for _, item := range x.Items {
				out.Items = append(out.Items, f(item))
			}
			s.Set(k, out)
		case "items", "additionalItems":
			s.Set(k, f(x))
		case "additionalProperties":
			if x.Kind == js.Object {
				s.Set(k, f(x))
			}
		}
	}
}

// copilotTidy turns boolean schemas into objects, gives every array its items
// and takes away a required that is a boolean.
func copilotTidy(v js.Value) js.Value {
	switch {
	case v.Kind == js.Bool && v.Bool:
		return js.NewPlain()
	case v.Kind == js.Bool:
		out := js.NewPlain()
		out.Set("description", js.Str("{schema: false}"))
		return out
	case v.Kind != js.Object:
		return v
	}
	out := v.Copy()
	if out.Get("required").Kind == js.Bool {
		out.Delete("required")
	}
	switch items := out.Get("items"); {
	case items.Kind == js.Array:
		out.Set("items", oneItem(items.Items))
	case items.Kind != js.Object && items.Kind != js.Bool && out.Get("type").Str == "array":
		out.Set("items", js.NewPlain())
	}
	copilotBelow(out, copilotTidy)
	return out
}

// oneItem makes one schema of a draft-07 tuple.
func oneItem(items []js.Value) js.Value {
	var schemas []js.Value
	for _, x := range items {
		if x.Kind == js.Object || x.Kind == js.Bool {
			schemas = append(schemas, x)
		}
	}
	switch len(schemas) {
	case 0:
		return js.NewPlain()
	case 1:
		return schemas[0]
	}
	out := js.NewPlain()
	out.Set("anyOf", js.List(schemas...))
	return out
}

// flattenAllOf merges the properties and required names of an allOf at the root;
// the rest of its members is lost.
func flattenAllOf(root js.Value) {
	all := root.Get("allOf")
	if all.Kind != js.Array {
		return
	}
	root.Delete("allOf")
	props := root.Get("properties").Copy()
	required := slices.Clone(root.Get("required").Items)
	found := false
	for _, s := range all.Items {
		assign(props, s.Get("properties"))
		if req := s.Get("required"); req.Kind == js.Array {
			found = true
			required = append(required, req.Items...)
		}
	}
	root.Set("properties", props)
	if found {
		root.Set("required", js.List(unique(required)...))
	}
}

// flattenChoice takes anyOf or oneOf off the root: it is told in the
// description, and the properties of its members become the root's.
func flattenChoice(root js.Value, keyword string) {
	choice := root.Get(keyword)
	if choice.Kind != js.Array {
		return
	}
	root.Delete(keyword)
	describe(root, "{"+keyword+": "+rustText(choice)+"}")
	props := root.Get("properties").Copy()
	for _, s := range choice.Items {
		for _, name := range s.Get("properties").Keys() {
			if !props.Has(name) {
				props.Set(name, unifyChoice(choice.Items, name))
			}
		}
	}
	root.Set("properties", props)
}

// unifyChoice makes one schema of what the members of a choice say of a
// property: anything, when one of them says nothing.
func unifyChoice(members []js.Value, name string) js.Value {
	var schemas []js.Value
	for _, m := range members {
		s := m.Get("properties").Get(name)
		if s.Kind != js.Object || len(s.Keys()) == 0 {
			return js.NewPlain()
		}
		if !slices.ContainsFunc(schemas, func(x js.Value) bool { return js.Equal(x, s) }) {
			schemas = append(schemas, s)
		}
	}
	if len(schemas) == 1 {
		return schemas[0]
	}
	if out, ok := unifyEnums(schemas); ok {
		return out
	}
	out := js.NewPlain()
	out.Set("anyOf", js.List(schemas...))
	return out
}

// unifyEnums joins schemas that only name values, of one type or of none.
func unifyEnums(schemas []js.Value) (js.Value, bool) {
	var values []js.Value
	kind := schemas[0].Get("type")
	for _, s := range schemas {
		if s.Get("type").Kind != kind.Kind || !js.Equal(s.Get("type"), kind) {
			return js.Value{}, false
		}
		for _, k := range s.Keys() {
			switch k {
			case "type":
			case "const":
				values = append(values, s.Get(k))
			case "enum":
				values = append(values, s.Get(k).Items...)
			default:
				return js.Value{}, false
			}
		}
		if !s.Has("const") && s.Get("enum").Kind != js.Array {
			return js.Value{}, false
		}
	}
	out := js.NewPlain()
	if kind.Kind != js.Undefined {
		out.Set("type", kind)
	}
	out.Set("enum", js.List(unique(values)...))
	return out, true
}

// limitKeywords are told in the description instead, in this order.
func limitKeywords() []string {
	return []string{
		"contentEncoding", "contentMediaType", "not", "minLength", "maxLength", "pattern", "format", "minimum", "maximum", "multipleOf",
		"exclusiveMinimum", "exclusiveMaximum", "patternProperties", "minItems", "maxItems", "uniqueItems", "unevaluatedProperties",
		"propertyNames", "minProperties", "maxProperties", "unevaluatedItems", "contains", "minContains", "maxContains", "if", "then", "else",
		"dependentRequired", "dependentSchemas",
	}
}

func copilotLimits(v js.Value) js.Value {
	if v.Kind != js.Object {
		return v
	}
	out := v.Copy()
	first := out.Get("prefixItems") // this pass does not look there
	copilotBelow(out, copilotLimits)
	if first.Kind != js.Undefined {
		out.Set("prefixItems", first)
	}
	tell(out, limitKeywords())
	return out
}

// copilotAnthropic leaves what the Anthropic API takes in a schema of its type;
// everything else is told in the description, sorted by name.
func copilotAnthropic(v js.Value) js.Value {
	if v.Kind != js.Object {
		return v
	}
	out := v.Copy()
	if one := out.Get("oneOf"); one.Kind == js.Array && !out.Has("anyOf") {
		out.Delete("oneOf")
		out.Set("anyOf", one)
	}
	kind := out.Get("type").Str
	var rest []string
	for _, k := range out.Keys() {
		switch k {
		case "$ref", "$defs", "type", "anyOf", "allOf", "enum", "const", "title", "description":
			continue
		case "properties", "additionalProperties", "required":
			if kind == "object" {
				continue
			}
		case "items":
			if kind == "array" {
				continue
			}
		}
		rest = append(rest, k)
	}
	slices.Sort(rest)
	tell(out, rest)
	copilotBelow(out, copilotAnthropic)
	return out
}

// tell moves keywords into the description.
func tell(s js.Value, keywords []string) {
	var parts []string
	for _, k := range keywords {
		if s.Has(k) {
			parts = append(parts, k+": "+rustText(s.Get(k)))
			s.Delete(k)
		}
	}
	if len(parts) > 0 {
		describe(s, "{"+strings.Join(parts, ", ")+"}")
	}
}

func describe(s js.Value, text string) {
	was := s.Get("description").Str
	s.Set("description", js.Str(joinNonEmpty("\n\n", was, text)))
}
