package jsonschema

import (
	"bytes"
	"fmt"

	"github.com/tidwall/gjson"
)

// holding says how a keyword holds subschemas.
type holding int

const (
	holdsNone   holding = iota
	holdsOne            // the value is a schema
	holdsList           // an array of schemas
	holdsMap            // an object whose members are schemas
	holdsEither         // a schema or an array of schemas
)

// holdingOf is the table of keywords with subschemas, over all revisions from
// draft-04 to 2020-12. Members of enum, const, default and examples are data.
func holdingOf(keyword string) holding {
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
		return holdsMap
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return holdsList
	case "items":
		return holdsEither
	case "additionalProperties", "additionalItems", "contains", "propertyNames", "not", "if", "then", "else",
		"unevaluatedProperties", "unevaluatedItems", "contentSchema":
		return holdsOne
	}
	return holdsNone
}

// Walk visits every subschema of a schema document, the root first, parents before
// children, members in document order. pointer is the JSON pointer of sub. When
// visit returns false the subschemas below sub are left out. A subschema is an
// object or a boolean; other values at a schema's place are visited too, since
// they are faults a caller may want to see. The error is ErrTooComplex or ErrNotJSON.
func Walk(raw []byte, visit func(pointer string, sub gjson.Result) bool) error {
	limits := Limits{}.withDefaults()
	b := bounds{"schema", limits.SchemaBytes, limits.SchemaDepth, limits.SchemaNodes}
	if err := measure(raw, b); err != nil {
		return err
	}
	if !gjson.ValidBytes(raw) {
		return fmt.Errorf("schema is %w", ErrNotJSON)
	}
	walk("", gjson.ParseBytes(bytes.TrimSpace(raw)), visit)
	return nil
}

func walk(pointer string, sub gjson.Result, visit func(string, gjson.Result) bool) {
	if !visit(pointer, sub) || !sub.IsObject() {
		return
	}
	sub.ForEach(func(key, value gjson.Result) bool {
		at := pointer + "/" + escapeToken(key.String())
		switch how := holdingOf(key.String()); {
		case how == holdsOne, how == holdsEither && !value.IsArray():
			walk(at, value, visit)
		case how == holdsList && value.IsArray(), how == holdsEither:
			i := 0
			value.ForEach(func(_, item gjson.Result) bool {
				walk(fmt.Sprintf("%s/%d", at, i), item, visit)
				i++
				return true
			})
		case how == holdsMap && value.IsObject():
			value.ForEach(func(name, member gjson.Result) bool {
				// A dependency may be a list of property names.
				if key.String() != "dependencies" || !member.IsArray() {
					walk(at+"/"+escapeToken(name.String()), member, visit)
				}
				return true
			})
		}
		return true
	})
}

// subschema is a schema position in a decoded document.
type subschema struct {
	tokens []string
	// value is the schema; set replaces it in the document.
	value any
}

// subschemas lists the schema positions of a decoded document, parents first.
func subschemas(root any) []subschema {
	list := []subschema{{nil, root}}
	for i := 0; i < len(list); i++ {
		object, ok := list[i].value.(map[string]any)
		if !ok {
			continue
		}
		for _, keyword := range sortedKeys(object) {
			below := func(value any, tokens ...string) {
				path := append(append([]string{}, list[i].tokens...), keyword)
				list = append(list, subschema{append(path, tokens...), value})
			}
			value := object[keyword]
			how := holdingOf(keyword)
			switch value := value.(type) {
			case []any:
				if how == holdsList || how == holdsEither {
					for n, item := range value {
						below(item, fmt.Sprint(n))
					}
				}
			case map[string]any:
				if how == holdsOne || how == holdsEither {
					below(value)
				}
				if how == holdsMap {
					for _, name := range sortedKeys(value) {
						if _, isList := value[name].([]any); !isList || keyword != "dependencies" {
							below(value[name], name)
						}
					}
				}
			case bool:
				if how == holdsOne || how == holdsEither {
					below(value)
				}
			}
		}
	}
	return list
}
