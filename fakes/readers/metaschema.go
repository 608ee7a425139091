package readers

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

// metaRule checks the value of one keyword; it gives the first fault, or "".
type metaRule func(path string, v js.Value) string

// metaKeyword is one keyword of the 2020-12 metaschema.
type metaKeyword struct {
	name string
	rule metaRule
}

// metaKeywords are the keywords of the 2020-12 metaschema, vocabulary by
// vocabulary, in the order in which ajv looks at them: the first fault is the
// one that is told.
func metaKeywords() []metaKeyword {
	var anchor, anyID metaRule = metaPattern(`^[A-Za-z_][-A-Za-z0-9._]*$`, isAnchor), metaPattern(`^[^#]*#?$`, func(s string) bool {
		return !strings.Contains(strings.TrimSuffix(s, "#"), "#")
	})
	return []metaKeyword{
		{"$id", anyID}, {"$schema", metaString}, {"$ref", metaString}, {"$anchor", anchor}, {"$dynamicRef", metaString},
		{"$dynamicAnchor", anchor}, {"$vocabulary", metaMap(metaBool)}, {"$comment", metaString}, {"$defs", metaMap(metaSchema)},

		{"prefixItems", metaSchemas}, {"items", metaSchema}, {"contains", metaSchema}, {"additionalProperties", metaSchema},
		{"properties", metaMap(metaSchema)}, {"patternProperties", metaMap(metaSchema)}, {"dependentSchemas", metaMap(metaSchema)},
		{"propertyNames", metaSchema}, {"if", metaSchema}, {"then", metaSchema}, {"else", metaSchema},
		{"allOf", metaSchemas}, {"anyOf", metaSchemas}, {"oneOf", metaSchemas}, {"not", metaSchema},

		{"unevaluatedItems", metaSchema}, {"unevaluatedProperties", metaSchema},

		{"type", metaType}, {"enum", metaArray}, {"multipleOf", metaMultiple}, {"maximum", metaNumber}, {"exclusiveMaximum", metaNumber},
		{"minimum", metaNumber}, {"exclusiveMinimum", metaNumber}, {"maxLength", metaCount}, {"minLength", metaCount}, {"pattern", metaString},
		{"maxItems", metaCount}, {"minItems", metaCount}, {"uniqueItems", metaBool}, {"maxContains", metaCount}, {"minContains", metaCount},
		{"maxProperties", metaCount}, {"minProperties", metaCount}, {"required", metaNames}, {"dependentRequired", metaMap(metaNames)},

		{"title", metaString}, {"description", metaString}, {"deprecated", metaBool}, {"readOnly", metaBool}, {"writeOnly", metaBool},
		{"examples", metaArray}, {"format", metaString}, {"contentEncoding", metaString}, {"contentMediaType", metaString}, {"contentSchema", metaSchema},

		{"definitions", metaMap(metaSchema)}, {"dependencies", metaMap(metaDependency)}, {"$recursiveAnchor", anchor}, {"$recursiveRef", metaString},
	}
}

// metaschemaFault gives what ajv finds first when it checks a schema against
// the 2020-12 metaschema, with "schema" as the name of the root; "" when
// nothing. Formats are not looked at.
func metaschemaFault(schema js.Value) string { return metaSchema("schema", schema) }

func metaSchema(path string, v js.Value) string {
	if v.Kind == js.Bool {
		return ""
	}
	if v.Kind != js.Object {
		return path + " must be object,boolean"
	}
	for _, k := range metaKeywords() {
		if x := v.Get(k.name); x.Kind != js.Undefined {
			if fault := k.rule(path+"/"+k.name, x); fault != "" {
				return fault
			}
		}
	}
	return ""
}

func metaKind(kind js.Kind, word string) metaRule {
	return func(path string, v js.Value) string {
		if v.Kind != kind {
			return path + " must be " + word
		}
		return ""
	}
}

func metaString(path string, v js.Value) string { return metaKind(js.String, "string")(path, v) }
func metaBool(path string, v js.Value) string   { return metaKind(js.Bool, "boolean")(path, v) }
func metaArray(path string, v js.Value) string  { return metaKind(js.Array, "array")(path, v) }

func metaNumber(path string, v js.Value) string {
	if v.Kind != js.Number || math.IsInf(v.Num, 0) {
		return path + " must be number"
	}
	return ""
}

func metaMultiple(path string, v js.Value) string {
	if fault := metaNumber(path, v); fault != "" {
		return fault
	}
	if v.Num <= 0 {
		return path + " must be > 0"
	}
	return ""
}

func metaCount(path string, v js.Value) string {
	if v.Kind != js.Number || math.IsInf(v.Num, 0) || v.Num != math.Trunc(v.Num) {
		return path + " must be integer"
	}
	if v.Num < 0 {
		return path + " must be >= 0"
	}
	return ""
}

func metaPattern(pattern string, ok func(string) bool) metaRule {
	return func(path string, v js.Value) string {
		if v.Kind != js.String {
			return path + " must be string"
		}
		if !ok(v.Str) {
			return fmt.Sprintf(`%s must match pattern "%s"`, path, pattern)
		}
		return ""
	}
}

func isAnchor(s string) bool {
	for i, r := range s {
		if !isWord(r) && (i == 0 || r != '-' && r != '.') || i == 0 && r >= '0' && r <= '9' {
			return false
		}
	}
	return s != ""
}

func metaMap(rule metaRule) metaRule {
	return func(path string, v js.Value) string {
		if v.Kind != js.Object {
			return path + " must be object"
		}
		for _, k := range v.Keys() {
			if fault := rule(path+"/"+pointerToken(k), v.Get(k)); fault != "" {
				return fault
			}
		}
		return ""
	}
}

func pointerToken(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

func metaSchemas(path string, v js.Value) string {
	if v.Kind != js.Array {
		return path + " must be array"
	}
	if len(v.Items) == 0 {
		return path + " must NOT have fewer than 1 items"
	}
	for i, x := range v.Items {
		if fault := metaSchema(path+"/"+strconv.Itoa(i), x); fault != "" {
			return fault
		}
	}
	return ""
}

// metaType is one type word or a list of different ones. ajv tells the fault of
// the first alternative, whatever the value is.
func metaType(path string, v js.Value) string {
	ok := v.Kind == js.String && knownType(v.Str)
	if v.Kind == js.Array && len(v.Items) > 0 {
		words := typeWords(v)
		ok = len(words) == len(v.Items) && !slices.ContainsFunc(words, func(w string) bool { return !knownType(w) })
		slices.Sort(words)
		ok = ok && len(slices.Compact(words)) == len(v.Items)
	}
	if !ok {
		return path + " must be equal to one of the allowed values"
	}
	return ""
}

// metaNames is a list of different strings. ajv looks for repeats from the end.
func metaNames(path string, v js.Value) string {
	if v.Kind != js.Array {
		return path + " must be array"
	}
	last := map[string]int{}
	for i := len(v.Items) - 1; i >= 0; i-- {
		if v.Items[i].Kind != js.String {
			continue
		}
		if j, twice := last[v.Items[i].Str]; twice {
			return fmt.Sprintf("%s must NOT have duplicate items (items ## %d and %d are identical)", path, j, i)
		}
		last[v.Items[i].Str] = i
	}
	for i, x := range v.Items {
		if x.Kind != js.String {
			return path + "/" + strconv.Itoa(i) + " must be string"
		}
	}
	return ""
}

func metaDependency(path string, v js.Value) string {
	if v.Kind == js.Array && metaNames(path, v) == "" {
		return ""
	}
	return metaSchema(path, v)
}
