package readers

import (
	"maps"
	"strings"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

// schemaDefs gives the definitions a schema carries at its root.
func schemaDefs(s js.Value) js.Value {
	for _, k := range []string{"$defs", "definitions"} {
		if v := s.Get(k); v.Kind > js.Null {
			return v
		}
	}
	return js.NewObject()
}

// maxInlined bounds how many schemas inlining may make: references fan out.
const maxInlined = 20000

// inliner puts the definitions of the root in the place of references to them.
type inliner struct {
	defs js.Value
	made int
}

// refs follows the references in v. A reference to itself becomes any object.
// open holds the references that are being followed.
func (in *inliner) refs(v js.Value, open map[string]bool) js.Value {
	if v.Kind == js.Array {
		// A list in such a place comes out as an object with its positions as names.
		v = asObject(v)
	}
	if in.made++; v.Kind != js.Object || in.made > maxInlined {
		return v
	}
	if ref := v.Get("$ref"); ref.Kind == js.String && ref.Str != "" {
		return in.follow(v, ref.Str, open)
	}
	out := js.NewObject()
	for _, k := range v.Keys() {
		x := v.Get(k)
		switch {
		case k == "$defs" || k == "definitions" || k == "__proto__":
		case x.Kind == js.Array:
			list := js.List()
			for _, item := range x.Items {
				list.Items = append(list.Items, in.refs(item, open))
			}
			out.Set(k, list)
		default:
			out.Set(k, in.refs(x, open))
		}
	}
	return out
}

func (in *inliner) follow(v js.Value, ref string, open map[string]bool) js.Value {
	name, ok := strings.CutPrefix(ref, "#/$defs/")
	if !ok {
		name, ok = strings.CutPrefix(ref, "#/definitions/")
	}
	if !ok || name == "" || strings.ContainsAny(name, "\r\n\u2028\u2029") || !in.defs.Get(name).Truthy() {
		return v
	}
	out := js.NewObject()
	if open[ref] {
		out.Set("type", js.Str("object"))
		return out
	}
	now := map[string]bool{ref: true}
	maps.Copy(now, open)
	assign(out, in.refs(in.defs.Get(name), now))
	for _, k := range v.Keys() {
		if k != "$ref" {
			out.Set(k, v.Get(k))
		}
	}
	return out
}

// asObject lists the items of an array as members 0, 1, 2.
func asObject(v js.Value) js.Value {
	out := js.NewObject()
	for i, x := range v.Items {
		out.Set(js.FormatNumber(float64(i)), x)
	}
	return out
}

// spread gives the members that copying v into an object brings: for a text its
// units by position.
func spread(v js.Value) js.Value {
	if v.Kind != js.String {
		return v
	}
	out := js.NewObject()
	for i := range js.Length(v.Str) {
		out.Set(js.FormatNumber(float64(i)), js.Str(js.Slice(v.Str, i, i+1)))
	}
	return out
}

// assign copies the members of from into to.
func assign(to, from js.Value) {
	for _, k := range from.Keys() {
		to.Set(k, from.Get(k))
	}
}

// langchainThrows names a schema that the simplifier cannot take: an allOf with
// null in it, or required names that are no list. The whole list is lost then.
func langchainThrows(s js.Value) (text, why string) {
	walkSchema(s, "inputSchema", func(path string, sub js.Value) bool {
		for i, x := range sub.Get("allOf").Items {
			if x.Kind == js.Null {
				text = "Cannot read properties of null (reading 'if')"
				why = path + "/allOf/" + js.FormatNumber(float64(i)) + " is null"
				return false
			}
		}
		for _, k := range []string{"then", "else"} {
			if req := sub.Get(k).Get("required"); req.Truthy() && req.Kind != js.Array && req.Kind != js.String {
				why = path + "/" + k + "/required is no list"
				return false
			}
		}
		return true
	})
	return text, why
}

// simplifySchema takes away what language-model APIs refuse: allOf is merged,
// object branches of anyOf or oneOf are merged and other branches lost, then
// and else give their properties, not and $schema go.
func simplifySchema(s js.Value) js.Value {
	if s.Kind == js.Array {
		s = asObject(s)
	}
	if s.Kind != js.Object {
		return s
	}
	out := js.NewObject()
	for _, k := range s.Keys() {
		switch k {
		case "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$schema", "unevaluatedProperties", "__proto__":
		default:
			out.Set(k, s.Get(k))
		}
	}
	if s.Get("if").Truthy() || s.Get("then").Truthy() || s.Get("else").Truthy() {
		out = mergeSchemas(out, conditionalParts(s))
	}
	if all := s.Get("allOf"); all.Kind == js.Array {
		for _, sub := range all.Items {
			if sub.Get("if").Truthy() || sub.Get("then").Truthy() || sub.Get("else").Truthy() {
				out = mergeSchemas(out, conditionalParts(sub))
			}
			out = mergeSchemas(out, spread(simplifySchema(sub)))
		}
	}
	union := s.Get("anyOf")
	if !union.Truthy() {
		union = s.Get("oneOf")
	}
	if union.Kind == js.Array && len(union.Items) > 0 {
		mergeBranches(out, union.Items)
	}
	if out.Get("properties").Truthy() && !out.Get("type").Truthy() {
		out.Set("type", js.Str("object"))
	}
	simplifyBelow(out)
	return out
}

// mergeBranches merges the object branches of a union into out.
func mergeBranches(out js.Value, branches []js.Value) {
	merged := js.NewObject()
	var common []js.Value
	first := true
	for _, b := range branches {
		if b.Kind != js.Object || b.Get("type").Str != "object" && !b.Get("properties").Truthy() {
			continue
		}
		sub := simplifySchema(b)
		assign(merged, sub.Get("properties"))
		if req := sub.Get("required"); req.Kind == js.Array {
			if first {
				common = unique(req.Items)
			} else {
				common = keepIn(common, req.Items)
			}
			first = false
		}
		if sub.Get("type").Truthy() && !out.Get("type").Truthy() {
			out.Set("type", sub.Get("type"))
		}
	}
	if len(merged.Keys()) > 0 {
		props := js.NewObject()
		assign(props, out.Get("properties"))
		assign(props, merged)
		out.Set("properties", props)
	}
	if len(common) > 0 {
		out.Set("required", js.List(unique(append(append([]js.Value{}, out.Get("required").Items...), common...))...))
	}
}

func simplifyBelow(out js.Value) {
	if p := out.Get("properties"); p.Truthy() {
		if p.Kind == js.Array {
			p = asObject(p)
		}
		p = spread(p)
		props := js.NewObject()
		for _, k := range p.Keys() {
			props.Set(k, simplifySchema(p.Get(k)))
		}
		out.Set("properties", props)
	}
	switch items := out.Get("items"); items.Kind {
	case js.Array:
		list := js.List()
		for _, x := range items.Items {
			list.Items = append(list.Items, simplifySchema(x))
		}
		out.Set("items", list)
	case js.Object:
		out.Set("items", simplifySchema(items))
	}
	if ap := out.Get("additionalProperties"); ap.Kind == js.Object || ap.Kind == js.Array {
		out.Set("additionalProperties", simplifySchema(ap))
	}
}

// conditionalParts gives the properties and required names of then and else.
func conditionalParts(s js.Value) js.Value {
	out := js.NewObject()
	for _, k := range []string{"then", "else"} {
		branch := s.Get(k)
		if p := branch.Get("properties"); p.Truthy() {
			one := js.NewObject()
			one.Set("properties", p)
			out = mergeSchemas(out, one)
		}
		if req := branch.Get("required"); req.Truthy() {
			out.Set("required", js.List(unique(append(append([]js.Value{}, out.Get("required").Items...), req.Items...))...))
		}
	}
	return out
}

// mergeSchemas merges b into a: names of required are united, const becomes
// enum, properties merge member by member, lists are joined, the rest of b wins.
func mergeSchemas(a, b js.Value) js.Value {
	out := a.Copy()
	for _, k := range b.Keys() {
		was, now := out.Get(k), b.Get(k)
		switch {
		case k == "required" && was.Kind == js.Array:
			out.Set(k, js.List(unique(append(append([]js.Value{}, was.Items...), now.Items...))...))
		case k == "const":
			values := append([]js.Value{}, out.Get("enum").Items...)
			if out.Has("const") {
				values = append(values, out.Get("const"))
				out.Delete("const")
			}
			out.Set("enum", js.List(unique(append(values, now))...))
		case k == "enum" && now.Kind == js.Array:
			values := append([]js.Value{}, was.Items...)
			if out.Has("const") {
				values = append(values, out.Get("const"))
				out.Delete("const")
			}
			out.Set(k, js.List(unique(append(values, now.Items...))...))
		case k == "properties" && was.Kind == js.Object:
			props := was.Copy()
			for _, name := range now.Keys() {
				if p, q := props.Get(name), now.Get(name); p.Kind == js.Object && q.Kind == js.Object {
					props.Set(name, mergeSchemas(p, q))
				} else {
					props.Set(name, q)
				}
			}
			out.Set(k, props)
		case was.Kind == js.Array && now.Kind == js.Array:
			out.Set(k, js.List(append(append([]js.Value{}, was.Items...), now.Items...)...))
		case was.Kind == js.Object && now.Kind == js.Object:
			out.Set(k, mergeSchemas(was, now))
		default:
			out.Set(k, now)
		}
	}
	return out
}

// unique keeps the first of equal scalars; objects are never equal.
func unique(list []js.Value) []js.Value {
	var out []js.Value
	for _, x := range list {
		if x.Kind >= js.Array || !contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

func contains(list []js.Value, x js.Value) bool {
	for _, y := range list {
		if y.Kind < js.Array && js.Equal(x, y) {
			return true
		}
	}
	return false
}

func keepIn(list, allowed []js.Value) []js.Value {
	var out []js.Value
	for _, x := range list {
		if contains(allowed, x) {
			out = append(out, x)
		}
	}
	return out
}
