package readers

import (
	"strconv"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

// The keywords of JSON Schema that hold one schema, a list of them, or named ones.
func holdsOne(k string) bool {
	switch k {
	case "items", "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "not",
		"propertyNames", "then", "unevaluatedItems", "unevaluatedProperties":
		return true
	}
	return false
}

func holdsList(k string) bool {
	switch k {
	case "allOf", "anyOf", "oneOf", "prefixItems", "items":
		return true
	}
	return false
}

func holdsNamed(k string) bool {
	switch k {
	case "$defs", "definitions", "dependentSchemas", "patternProperties", "properties":
		return true
	}
	return false
}

// walkSchema visits a schema and every schema below it, parents first. path is
// the way there with slashes. It stops when visit returns false.
func walkSchema(schema js.Value, path string, visit func(path string, s js.Value) bool) bool {
	if !visit(path, schema) {
		return false
	}
	for _, k := range schema.Keys() {
		v := schema.Get(k)
		switch {
		case holdsList(k) && v.Kind == js.Array:
			for i, x := range v.Items {
				if !walkSchema(x, path+"/"+k+"/"+strconv.Itoa(i), visit) {
					return false
				}
			}
		case holdsNamed(k) && v.Kind == js.Object:
			for _, name := range v.Keys() {
				if !walkSchema(v.Get(name), path+"/"+k+"/"+name, visit) {
					return false
				}
			}
		case holdsOne(k) && v.Kind == js.Object:
			if !walkSchema(v, path+"/"+k, visit) {
				return false
			}
		}
	}
	return true
}
