package readers

import (
	"strconv"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

// schemaPlaces are the keywords of JSON Schema that hold schemas.
var schemaPlaces = struct{ one, list, named []string }{
	one: []string{"items", "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "not",
		"propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"},
	list:  []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"},
	named: []string{"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"},
}

// walkSchema visits a schema and every schema below it, parents first. path is
// the way there with slashes. It stops when visit returns false.
func walkSchema(schema js.Value, path string, visit func(path string, s js.Value) bool) bool {
	if !visit(path, schema) {
		return false
	}
	for _, k := range schema.Keys() {
		v := schema.Get(k)
		for _, one := range schemaPlaces.one {
			if k == one && v.Kind == js.Object && !walkSchema(v, path+"/"+k, visit) {
				return false
			}
		}
		for _, list := range schemaPlaces.list {
			if k != list || v.Kind != js.Array {
				continue
			}
			for i, x := range v.Items {
				if !walkSchema(x, path+"/"+k+"/"+strconv.Itoa(i), visit) {
					return false
				}
			}
		}
		for _, named := range schemaPlaces.named {
			if k != named || v.Kind != js.Object {
				continue
			}
			for _, name := range v.Keys() {
				if !walkSchema(v.Get(name), path+"/"+k+"/"+name, visit) {
					return false
				}
			}
		}
	}
	return true
}
