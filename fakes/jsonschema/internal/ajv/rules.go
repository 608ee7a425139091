package ajv

import "slices"

// dialect is one of ajv's three classes.
type dialect int

const (
	draft07 dialect = iota // Ajv
	draft2019
	draft2020
)

// next tells whether the dialect has the keywords that came after draft-07.
func (d dialect) next() bool { return d != draft07 }

// group is a list of rules for one type of value; ajv checks group by group, and
// within a group in this order.
type group struct {
	kind  string // "" for any type
	rules []string
}

// groups lists the rules of a dialect in ajv's order.
func (d dialect) groups() []group {
	untyped := []string{"$comment", "id", "$ref", "type", "nullable", "const", "enum",
		"not", "anyOf", "oneOf", "allOf", "if", "then", "else"}
	if d.next() {
		untyped = append([]string{"$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef"}, untyped...)
	}
	array := []string{"maxItems", "minItems"}
	if d == draft2020 {
		array = append(array, "prefixItems", "items", "contains", "uniqueItems")
	} else {
		array = append(array, "additionalItems", "items", "contains", "uniqueItems")
	}
	object := []string{"maxProperties", "minProperties", "required", "propertyNames", "additionalProperties",
		"dependencies", "properties", "patternProperties"}
	if d.next() {
		array = append(array, "maxContains", "minContains", "unevaluatedItems")
		object = append(object, "dependentRequired", "dependentSchemas", "unevaluatedProperties")
	}
	return []group{
		{"", untyped},
		{"number", []string{"maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "multipleOf", "format"}},
		{"string", []string{"maxLength", "minLength", "pattern", "format",
			"formatMaximum", "formatMinimum", "formatExclusiveMaximum", "formatExclusiveMinimum"}},
		{"array", array},
		{"object", object},
	}
}

// wanted gives the JSON types a keyword's value may have, as ajv lists them; none
// means any.
func (d dialect) wanted(keyword string) []string {
	switch keyword {
	case "$ref", "$dynamicAnchor", "$dynamicRef", "$recursiveRef", "pattern", "format",
		"formatMaximum", "formatMinimum", "formatExclusiveMaximum", "formatExclusiveMinimum":
		return []string{"string"}
	case "type":
		return []string{"string", "array"}
	case "nullable", "uniqueItems", "$recursiveAnchor":
		return []string{"boolean"}
	case "enum", "anyOf", "oneOf", "allOf", "required", "prefixItems":
		return []string{"array"}
	case "not", "if", "then", "else", "propertyNames", "contains":
		return []string{"object", "boolean"}
	case "additionalProperties", "additionalItems", "unevaluatedItems", "unevaluatedProperties":
		return []string{"boolean", "object"}
	case "items":
		if d == draft2020 {
			return []string{"object", "boolean"}
		}
		return []string{"object", "array", "boolean"}
	case "properties", "patternProperties", "dependencies", "dependentRequired", "dependentSchemas":
		return []string{"object"}
	case "$comment", "id", "const":
		return nil
	}
	return []string{"number"}
}

// isType tells whether a schema value is of one of the types.
func isType(v any, types []string) bool {
	return len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return jsonType(v) == t })
}

// jsonType names the type of a value. Integer is number here; inherited members
// and absent ones have no JSON type.
func jsonType(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	case *object:
		return "object"
	}
	return ""
}
