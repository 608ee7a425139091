package jsonschema

import (
	"encoding/json"

	engine "github.com/santhosh-tekuri/jsonschema/v6"
)

// meter adds up what the evaluation of a value would cost, by walking schema and
// value as the validator does, without checking anything. The validator has no
// bound of its own, so this decides beforehand whether it may run at all.
type meter struct {
	left int
	// dynamic maps a $dynamicAnchor to the schemas that carry it; recursive
	// holds those with $recursiveAnchor.
	dynamic   map[string][]*engine.Schema
	recursive []*engine.Schema
	err       error
}

// frame is where the walk stands.
type frame struct {
	height  int // nested evaluations
	depth   int // nesting of the value
	inPlace int // evaluations on this very value
}

func (m *meter) visit(s *engine.Schema, v any, f frame) {
	if s == nil || m.err != nil {
		return
	}
	f.height++
	m.left -= 1 + f.depth/8 + f.inPlace/8 + m.weight(s, v)
	switch {
	case m.left < 0:
		m.err = tooComplex("the schema needs too many steps for this value")
	case f.inPlace > maxInPlace:
		m.err = tooComplex("references of the schema lead back to themselves: %s", shorten(s.Location, 100))
	case f.height > maxHeight:
		m.err = tooComplex("schema and value nest too deep together")
	}
	if m.err != nil || s.Bool != nil {
		return
	}
	m.inPlace(s, v, f)
	switch v := v.(type) {
	case map[string]any:
		m.object(s, v, f)
	case []any:
		m.array(s, v, f)
	}
}

// weight is what the assertions of one schema cost on one value, in steps.
func (m *meter) weight(s *engine.Schema, v any) int {
	weight := 0
	if s.Enum != nil {
		weight += len(s.Enum.Values) / 4
	}
	switch v := v.(type) {
	case map[string]any:
		weight += (len(v) + len(s.Required)) / 4
		weight += len(v) * len(s.PatternProperties)
		if s.PropertyNames != nil {
			weight += 2 * len(v)
		}
	case []any:
		weight += len(v) / 8
		if s.UniqueItems {
			weight += min(len(v), 20) * len(v) / 8
		}
	case json.Number:
		d := parseDecimal(string(v))
		weight += (len(v) + max(d.exponent, -d.exponent)) / 16
	case string:
		weight += len(v) / 1024
	}
	return weight
}

func (m *meter) inPlace(s *engine.Schema, v any, f frame) {
	f.inPlace++
	m.visit(s.Ref, v, f)
	if s.Ref != nil && s.DraftVersion < 2019 {
		return
	}
	for _, list := range [][]*engine.Schema{s.AllOf, s.AnyOf, s.OneOf, {s.Not, s.If, s.Then, s.Else}} {
		for _, sub := range list {
			m.visit(sub, v, f)
		}
	}
	if s.RecursiveRef != nil {
		candidates := []*engine.Schema{s.RecursiveRef}
		if s.RecursiveRef.RecursiveAnchor {
			candidates = m.recursive
		}
		for _, sub := range candidates {
			m.visit(sub, v, f)
		}
	}
	if s.DynamicRef != nil {
		candidates := m.dynamic[s.DynamicRef.Anchor]
		if s.DynamicRef.Anchor == "" || len(candidates) == 0 {
			candidates = []*engine.Schema{s.DynamicRef.Ref}
		}
		for _, sub := range candidates {
			m.visit(sub, v, f)
		}
	}
	if object, ok := v.(map[string]any); ok {
		for name, sub := range s.DependentSchemas {
			if _, ok := object[name]; ok {
				m.visit(sub, v, f)
			}
		}
		for name, dependency := range s.Dependencies {
			if _, ok := object[name]; ok {
				m.visit(asSchema(dependency), v, f)
			}
		}
	}
}

func (m *meter) object(s *engine.Schema, object map[string]any, f frame) {
	f.inPlace, f.depth = 0, f.depth+1
	additional := asSchema(s.AdditionalProperties)
	if len(s.Properties) == 0 && len(s.PatternProperties) == 0 && additional == nil &&
		s.UnevaluatedProperties == nil && s.PropertyNames == nil {
		return
	}
	for name, value := range object {
		known := s.Properties[name]
		m.visit(known, value, f)
		for _, sub := range s.PatternProperties {
			m.visit(sub, value, f)
		}
		if known == nil {
			m.visit(additional, value, f)
			m.visit(s.UnevaluatedProperties, value, f)
		}
		m.visit(s.PropertyNames, name, f)
	}
}

func (m *meter) array(s *engine.Schema, array []any, f frame) {
	f.inPlace, f.depth = 0, f.depth+1
	list, _ := s.Items.([]*engine.Schema)
	all := []*engine.Schema{asSchema(s.Items), s.Items2020, asSchema(s.AdditionalItems), s.Contains, s.UnevaluatedItems}
	for i, value := range array {
		if i < len(list) {
			m.visit(list[i], value, f)
		}
		if i < len(s.PrefixItems) {
			m.visit(s.PrefixItems[i], value, f)
		}
		for _, sub := range all {
			m.visit(sub, value, f)
		}
	}
}

// asSchema unwraps the fields of the validator that hold a schema or something else.
func asSchema(v any) *engine.Schema {
	s, _ := v.(*engine.Schema)
	return s
}
