package ajv

import (
	"errors"
	"math"

	"github.com/agntn/conform/fakes/jsonschema/ecma"
)

// code compiles a keyword whose value has a right type.
func (c *compiler) code(keyword string, value any, kind string) {
	switch keyword {
	case "id":
		fail(`NOT SUPPORTED: keyword "id", use "$id" for schema ID`)
	case "$ref":
		c.ref(value.(string))
	case "$dynamicAnchor":
		c.dynamicAnchor(value.(string))
	case "$recursiveAnchor":
		if value == true {
			c.dynamicAnchor("")
		}
	case "$dynamicRef", "$recursiveRef":
		c.dynamicRef(keyword, value.(string))
	case "const":
		c.constant(value)
	case "enum":
		c.enum(value.([]any))
	case "not":
		c.not(value)
	case "anyOf":
		c.anyOf(value.([]any))
	case "oneOf":
		c.oneOf(value.([]any))
	case "allOf":
		c.allOf(value.([]any))
	case "if":
		c.conditional(value)
	case "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum":
		c.limitNumber(keyword, value.(float64))
	case "multipleOf":
		c.multipleOf(value.(float64))
	case "maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties":
		c.limitSize(keyword, value.(float64))
	case "pattern":
		c.pattern(value.(string))
	case "format":
		c.format(value.(string), kind)
	case "formatMaximum", "formatMinimum", "formatExclusiveMaximum", "formatExclusiveMinimum":
		c.limitFormat(keyword, value.(string))
	default:
		c.codeContainers(keyword, value)
	}
}

// codeContainers compiles the keywords of arrays and objects.
func (c *compiler) codeContainers(keyword string, value any) {
	switch keyword {
	case "prefixItems":
		c.tuple(value.([]any))
	case "items":
		c.itemsKeyword(value)
	case "additionalItems":
		if items, _ := c.member("items"); isType(items, []string{"array"}) {
			c.itemsAfter(len(items.([]any)), value)
		}
	case "contains":
		c.contains(value)
	case "uniqueItems":
		c.uniqueItems(value == true)
	case "unevaluatedItems":
		c.unevaluatedItems(value)
	case "required":
		c.required(value.([]any))
	case "propertyNames":
		c.propertyNames(value)
	case "additionalProperties":
		c.additionalProperties(value)
	case "dependencies", "dependentRequired", "dependentSchemas":
		c.dependencies(keyword, value.(*object))
	case "properties":
		c.properties(value.(*object))
	case "patternProperties":
		c.patternProperties(value.(*object))
	case "unevaluatedProperties":
		c.unevaluatedProperties(value)
	}
}

// check emits an assertion: message is reported where wrong says so.
func (c *compiler) check(message string, wrong func(r *run, data any) bool) {
	c.emit(func(f *frame, data any, at *path) {
		if wrong(f.run, data) {
			f.run.fail(at, message)
		}
	})
}

func (c *compiler) constant(value any) {
	c.check("must be equal to constant", func(r *run, data any) bool { return !equal(data, value, r.step) })
}

func (c *compiler) enum(values []any) {
	if len(values) == 0 {
		fail("enum must have non-empty array")
	}
	c.check("must be equal to one of the allowed values", func(r *run, data any) bool {
		for _, value := range values {
			if equal(data, value, r.step) {
				return false
			}
		}
		return true
	})
}

func (c *compiler) limitNumber(keyword string, limit float64) {
	signs := map[string]string{"maximum": "<=", "minimum": ">=", "exclusiveMaximum": "<", "exclusiveMinimum": ">"}
	sign := signs[keyword]
	c.check("must be "+sign+" "+numberText(limit), func(_ *run, data any) bool {
		return !holds(data.(float64), sign, limit)
	})
}

func holds(a float64, sign string, b float64) bool {
	switch sign {
	case "<=":
		return a <= b
	case ">=":
		return a >= b
	case "<":
		return a < b
	}
	return a > b
}

func (c *compiler) multipleOf(divisor float64) {
	c.check("must be multiple of "+numberText(divisor), func(_ *run, data any) bool {
		quotient := data.(float64) / divisor
		return divisor == 0 || quotient != parseInt(quotient)
	})
}

// limitSize compiles the limits on characters, items and properties.
func (c *compiler) limitSize(keyword string, limit float64) {
	word, noun := "fewer", map[string]string{"Length": " characters", "Items": " items", "Properties": " properties"}[keyword[3:]]
	if keyword[:3] == "max" {
		word = "more"
	}
	c.check("must NOT have "+word+" than "+numberText(limit)+noun, func(_ *run, data any) bool {
		size := 0
		switch data := data.(type) {
		case string:
			size = length(data)
		case []any:
			size = len(data)
		case *object:
			size = len(data.keys)
		}
		if word == "more" {
			return float64(size) > limit
		}
		return float64(size) < limit
	})
}

func (c *compiler) pattern(source string) {
	re := c.regexp(source)
	c.check(`must match pattern "`+source+`"`, func(r *run, data any) bool { return !r.match(re, data.(string)) })
}

// regexp reads a pattern as new RegExp(source, "u") does.
func (c *compiler) regexp(source string) *ecma.Regexp {
	c.engine.spend(1 + len(source)/64)
	re, err := ecma.Compile(source, matchTime)
	var syntax *ecma.SyntaxError
	switch {
	case errors.As(err, &syntax):
		fail("%s", syntax.Error())
	case err != nil:
		panic(stop{err})
	}
	return re
}

func (r *run) match(re *ecma.Regexp, text string) bool {
	if len(text) > maxSubject || r.late() {
		panic(stop{ErrBudget})
	}
	ok, err := re.MatchString(text)
	if err != nil {
		panic(stop{err})
	}
	return ok
}

func (c *compiler) uniqueItems(wanted bool) {
	if !wanted {
		return
	}
	var types []string
	items, _ := c.member("items")
	if schema, ok := items.(*object); ok {
		types = schemaTypes(schema)
	}
	scalar := len(types) > 0
	for _, t := range types {
		scalar = scalar && t != "object" && t != "array"
	}
	c.emit(func(f *frame, data any, at *path) {
		list := data.([]any)
		i, j := f.run.duplicate(list)
		if scalar {
			i, j = f.run.scalarDuplicate(list, types)
		}
		if j >= 0 {
			f.run.fail(at, "must NOT have duplicate items (items ## "+index(j)+" and "+index(i)+" are identical)")
		}
	})
}

// duplicate finds the last item that equals an earlier one, and the nearest such.
func (r *run) duplicate(list []any) (i, j int) {
	for i = len(list) - 1; i > 0; i-- {
		for j = i - 1; j >= 0; j-- {
			if equal(list[i], list[j], r.step) {
				return i, j
			}
		}
	}
	return 0, -1
}

// scalarDuplicate is the way ajv takes when the items are declared as scalars: by
// property names of an object, from the end.
func (r *run) scalarDuplicate(list []any, types []string) (i, j int) {
	seen := map[string]int{}
	for i = len(list) - 1; i >= 0; i-- {
		r.step(1)
		if !hasType(list[i], types) {
			continue
		}
		key := joined(list[i])
		if _, ok := list[i].(string); ok && len(types) > 1 {
			key += "_"
		}
		if j, ok := seen[key]; ok {
			return i, j
		}
		if key != "__proto__" {
			seen[key] = i
		}
	}
	return 0, -1
}

func finite(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) }
