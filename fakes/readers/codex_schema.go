package readers

import (
	"slices"
	"strings"

	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/serde"
)

// codexKeywords are the keywords that survive, with the type each must have.
func codexKeywords() []serde.Field {
	var schema serde.Type
	again := func(v js.Value, path string) string { return schema(v, path) }
	table := func(v js.Value, path string) string {
		if v.Kind != js.Object {
			return path + ": expected a map, found " + v.Type()
		}
		for _, k := range v.Keys() {
			if bad := again(v.Get(k), path+"."+k); bad != "" {
				return bad
			}
		}
		return ""
	}
	fields := []serde.Field{
		serde.Opt("$ref", serde.String), serde.Opt("type", serde.Any), serde.Opt("description", serde.String),
		serde.Opt("encrypted", serde.Bool), serde.Opt("enum", serde.Vec(serde.Any)), serde.Opt("items", again),
		serde.Opt("properties", table), serde.Opt("required", serde.Vec(serde.String)),
		serde.Opt("additionalProperties", serde.Untagged(serde.Bool, again)),
		serde.Opt("anyOf", serde.Vec(again)), serde.Opt("oneOf", serde.Vec(again)), serde.Opt("allOf", serde.Vec(again)),
		serde.Opt("minItems", serde.Uint), serde.Opt("$defs", table), serde.Opt("definitions", table),
	}
	schema = func(v js.Value, path string) string {
		if v.Kind != js.Object {
			return path + ": expected a schema, found " + v.Type()
		}
		return serde.Struct(fields...)(v, path)
	}
	return fields
}

// codexSchema gives an input schema as Codex hands it on, or what keeps it from
// being handed on at all.
func codexSchema(schema js.Value) (js.Value, string) {
	root := js.NewPlain()
	if schema.Kind == js.Object {
		root = schema.Copy()
	}
	if root.Get("properties").Kind <= js.Null {
		root.Set("properties", js.NewPlain())
	}
	out := codexClean(root)
	pruneDefinitions(out)
	fields := codexKeywords()
	for _, pass := range []func(js.Value) js.Value{codexBare, codexNoDefinitions, codexShallow, codexNoComposition} {
		kept := codexKeep(out, fields)
		if kept.Kind != js.Undefined && len(kept.Verbatim()) <= maxCodexSchema {
			break
		}
		if kept.Kind == js.Undefined {
			break
		}
		out = pass(out)
	}
	if bad := serde.Struct(fields...)(out, "inputSchema"); bad != "" {
		return out, bad
	}
	if t := out.Get("type"); t.Kind == js.String && t.Str == "null" {
		return out, "its type is null"
	}
	return codexKeep(out, fields), ""
}

// maxCodexSchema is the size, in bytes, above which a schema is cut down further.
const maxCodexSchema = 4000

// codexClean brings a schema into the subset: booleans become strings, const
// becomes enum, types are guessed from other keywords, what says nothing is emptied.
func codexClean(v js.Value) js.Value {
	switch v.Kind {
	case js.Bool:
		out := js.NewPlain()
		out.Set("type", js.Str("string"))
		return out
	case js.Array:
		out := js.List()
		for _, x := range v.Items {
			out.Items = append(out.Items, codexClean(x))
		}
		return out
	case js.Object:
		return codexCleanObject(v.Copy())
	}
	return v
}

func codexCleanObject(out js.Value) js.Value {
	for _, k := range []string{"items", "prefixItems", "anyOf", "oneOf", "allOf"} {
		if out.Has(k) {
			out.Set(k, codexClean(out.Get(k)))
		}
	}
	if ap := out.Get("additionalProperties"); ap.Kind != js.Undefined && ap.Kind != js.Bool {
		out.Set("additionalProperties", codexClean(ap))
	}
	for _, k := range []string{"properties", "$defs", "definitions"} {
		table := out.Get(k)
		if table.Kind != js.Object {
			if k != "properties" {
				out.Delete(k)
			}
			continue
		}
		clean := js.NewPlain()
		for _, name := range table.Keys() {
			clean.Set(name, codexClean(table.Get(name)))
		}
		out.Set(k, clean)
	}
	if out.Has("const") {
		out.Set("enum", js.List(out.Get("const")))
		out.Delete("const")
	}
	types := slices.DeleteFunc(typeWords(out.Get("type")), func(w string) bool { return !knownType(w) })
	if len(types) == 0 {
		if out.Has("$ref") || out.Has("anyOf") || out.Has("oneOf") || out.Has("allOf") {
			if t := out.Get("type"); t.Kind != js.Array || len(t.Items) > 0 {
				out.Delete("type")
			}
			return out
		}
		guess := guessType(out)
		if guess == "" {
			return js.NewPlain()
		}
		types = []string{guess}
	}
	setTypes(out, types)
	if slices.Contains(types, "object") && !out.Has("properties") {
		out.Set("properties", js.NewPlain())
	}
	if slices.Contains(types, "array") && !out.Has("items") {
		out.Set("items", codexClean(js.Boolean(true)))
	}
	return out
}

func setTypes(out js.Value, types []string) {
	if len(types) == 1 {
		out.Set("type", js.Str(types[0]))
		return
	}
	list := js.List()
	for _, t := range types {
		list.Items = append(list.Items, js.Str(t))
	}
	out.Set("type", list)
}

// guessType guesses the type of a schema from the keywords that go with it.
func guessType(s js.Value) string {
	for _, hint := range []struct {
		word string
		keys []string
	}{
		{"object", []string{"properties", "required", "additionalProperties"}},
		{"array", []string{"items", "prefixItems"}},
		{"string", []string{"enum", "format"}},
		{"number", []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}},
	} {
		if slices.ContainsFunc(hint.keys, s.Has) {
			return hint.word
		}
	}
	return ""
}

// codexKeep drops keywords that do not survive; undefined when the schema does
// not decode.
func codexKeep(v js.Value, fields []serde.Field) js.Value {
	if serde.Struct(fields...)(v, "") != "" {
		return js.Value{}
	}
	return codexOnly(v, fields)
}

func codexOnly(v js.Value, fields []serde.Field) js.Value {
	if v.Kind != js.Object {
		return v
	}
	out := js.NewPlain()
	for _, f := range fields {
		x := v.Get(f.Name)
		if x.Kind <= js.Null {
			continue
		}
		out.Set(f.Name, mapSubschemas(f.Name, x, func(s js.Value) js.Value { return codexOnly(s, fields) }))
	}
	return out
}

// mapSubschemas applies f to the schemas that sit in one keyword's value.
func mapSubschemas(keyword string, x js.Value, f func(js.Value) js.Value) js.Value {
	switch keyword {
	case "items", "additionalProperties":
		if x.Kind == js.Object {
			return f(x)
		}
	case "anyOf", "oneOf", "allOf":
		if x.Kind == js.Array {
			out := js.List()
			for _, s := range x.Items {
				out.Items = append(out.Items, f(s))
			}
			return out
		}
	case "properties", "$defs", "definitions":
		if x.Kind == js.Object {
			out := js.NewPlain()
			for _, k := range x.Keys() {
				out.Set(k, f(x.Get(k)))
			}
			return out
		}
	}
	return x
}

// codexChildren applies f to the schemas below v, in place of them.
func codexChildren(v js.Value, definitions bool, f func(js.Value) js.Value) js.Value {
	out := v.Copy()
	for _, k := range out.Keys() {
		if (k == "$defs" || k == "definitions") && !definitions {
			continue
		}
		out.Set(k, mapSubschemas(k, out.Get(k), f))
	}
	return out
}

// codexBare takes descriptions away.
func codexBare(v js.Value) js.Value {
	if v.Kind != js.Object {
		return v
	}
	out := codexChildren(v, true, codexBare)
	out.Delete("description")
	return out
}

// codexNoDefinitions empties local references and takes the definitions away.
func codexNoDefinitions(v js.Value) js.Value {
	out := emptyReferences(v)
	if out.Kind == js.Object {
		out = out.Copy()
		out.Delete("$defs")
		out.Delete("definitions")
	}
	return out
}

func emptyReferences(v js.Value) js.Value {
	if v.Kind != js.Object {
		return v
	}
	if _, _, ok := definitionRef(v); ok {
		return js.NewPlain()
	}
	return codexChildren(v, false, emptyReferences)
}

// codexShallow empties what is nested deeper than three schemas.
func codexShallow(v js.Value) js.Value { return shallow(v, 0) }

func shallow(v js.Value, depth int) js.Value {
	if v.Kind != js.Object {
		return v
	}
	nested := slices.ContainsFunc([]string{"items", "anyOf", "oneOf", "allOf", "properties", "additionalProperties", "$ref"}, v.Has)
	if depth >= 3 && nested {
		return js.NewPlain()
	}
	return codexChildren(v, false, func(s js.Value) js.Value { return shallow(s, depth+1) })
}

// codexNoComposition empties schemas made of others, below the root.
func codexNoComposition(v js.Value) js.Value {
	return codexChildren(v, false, func(s js.Value) js.Value {
		if s.Kind == js.Object && (s.Has("anyOf") || s.Has("oneOf") || s.Has("allOf")) {
			return js.NewPlain()
		}
		if s.Kind != js.Object {
			return s
		}
		return codexNoComposition(s)
	})
}

// definitionRef reads a reference into the definitions of the root.
func definitionRef(v js.Value) (table, name string, ok bool) {
	ref, ok := strings.CutPrefix(v.Get("$ref").Str, "#/")
	if !ok {
		return "", "", false
	}
	parts := strings.SplitN(percentDecode(ref), "/", 3)
	if len(parts) < 2 || parts[0] != "$defs" && parts[0] != "definitions" {
		return "", "", false
	}
	return parts[0], strings.ReplaceAll(strings.ReplaceAll(parts[1], "~1", "/"), "~0", "~"), true
}

// pruneDefinitions drops definitions of the root that nothing refers to.
func pruneDefinitions(root js.Value) {
	reached := map[string]bool{}
	var pending []string
	note := func(v js.Value) {
		if table, name, ok := definitionRef(v); ok && !reached[table+"/"+name] {
			reached[table+"/"+name] = true
			pending = append(pending, table+"/"+name)
		}
	}
	var visit func(v js.Value) js.Value
	visit = func(v js.Value) js.Value {
		if v.Kind == js.Object {
			note(v)
			codexChildren(v, false, visit)
		}
		return v
	}
	visit(root)
	for len(pending) > 0 {
		table, name, _ := strings.Cut(pending[0], "/")
		pending = pending[1:]
		everywhere(root.Get(table).Get(name), note)
	}
	for _, table := range []string{"$defs", "definitions"} {
		kept := js.NewPlain()
		for _, name := range root.Get(table).Keys() {
			if reached[table+"/"+name] {
				kept.Set(name, root.Get(table).Get(name))
			}
		}
		root.Delete(table)
		if len(kept.Keys()) > 0 {
			root.Set(table, kept)
		}
	}
}

// everywhere visits every object in a value.
func everywhere(v js.Value, visit func(js.Value)) {
	for _, x := range v.Items {
		everywhere(x, visit)
	}
	if v.Kind == js.Object {
		visit(v)
		for _, k := range v.Keys() {
			everywhere(v.Get(k), visit)
		}
	}
}
