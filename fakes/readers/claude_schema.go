package readers

import (
	"fmt"

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
	return metaschemaFault(schema)
}

func claudePropertyKey(k string) bool {
	if k == "" || len(k) > 64 {
		return false
	}
	for _, r := range k {
		if !isWordOrDash(r) && r != '.' {
			return false
		}
	}
	return true
}

// flattenRoot takes anyOf, oneOf and allOf off the root of an input schema. The
// properties of the branches are merged; the rest goes into the description.
func flattenRoot(schema js.Value) (js.Value, []string) {
	found := false
	for _, k := range []string{"anyOf", "oneOf", "allOf"} {
		found = found || schema.Has(k)
	}
	if !found {
		return schema, nil
	}
	out := schema.Copy()
	props := js.NewObject()
	if p := schema.Get("properties"); p.Kind == js.Object {
		props = p.Copy()
	}
	for _, k := range []string{"anyOf", "oneOf", "allOf"} {
		for _, branch := range schema.Get(k).Items {
			for _, name := range branch.Get("properties").Keys() {
				if !props.Has(name) {
					props.Set(name, branch.Get("properties").Get(name))
				}
			}
		}
		out.Delete(k)
	}
	out.Set("properties", props)
	return out, []string{"anyOf, oneOf and allOf at the root are taken away; a sentence in the description stands for them"}
}
