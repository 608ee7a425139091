package jsonschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	engine "github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is a compiled schema. It is safe for concurrent use.
type Schema struct {
	limits  Limits
	dialect Dialect
	root    *engine.Schema
	// misfit is the schema that takes what root refuses. Under it the validator
	// stops at the first fault and keeps no list, so it tells right from wrong
	// in little memory.
	misfit *engine.Schema
	watch  *stopwatch
	// dynamic and recursive serve the meter.
	dynamic   map[string][]*engine.Schema
	recursive []*engine.Schema
}

// Dialect is a revision of JSON Schema.
type Dialect string

// The known dialects.
const (
	Draft04     Dialect = "draft-04"
	Draft06     Dialect = "draft-06"
	Draft07     Dialect = "draft-07"
	Draft201909 Dialect = "2019-09"
	Draft202012 Dialect = "2020-12"
)

// Option changes how Compile reads a schema.
type Option func(*settings)

type settings struct {
	fallback      Dialect
	ignoreUnknown bool
	formats       bool
	limits        Limits
}

// WithDefault sets the dialect of schemas that name none. Without it that is 2020-12.
func WithDefault(d Dialect) Option { return func(s *settings) { s.fallback = d } }

// IgnoreUnknownDialect reads a schema with an unknown $schema as if it had none.
func IgnoreUnknownDialect() Option { return func(s *settings) { s.ignoreUnknown = true } }

// AssertFormats makes formats constraints. Without it they are annotations.
func AssertFormats() Option { return func(s *settings) { s.formats = true } }

// WithLimits replaces the default limits; zero fields keep the default.
func WithLimits(l Limits) Option { return func(s *settings) { s.limits = l } }

// base is the address of every schema document. Its scheme exists nowhere, so that
// a relative reference cannot turn into one that means something.
const (
	base       = "conform-schema:///root"
	misfitBase = "conform-misfit:///root"
)

// Compile reads a schema document. The dialect comes from $schema. Only what the
// root reaches is compiled; a fault in an unused definition goes unseen unless it
// breaks the shape of the document. Errors are *SchemaError, or wrap ErrNotJSON or
// ErrTooComplex. References to the well-known meta schemas resolve; any other
// reference out of the document is an *ExternalRef.
func Compile(raw []byte, options ...Option) (*Schema, error) {
	s := settings{fallback: Draft202012}
	for _, option := range options {
		option(&s)
	}
	s.limits = s.limits.withDefaults()
	doc, err := decode(raw, bounds{"schema", s.limits.SchemaBytes, s.limits.SchemaDepth, s.limits.SchemaNodes})
	if err != nil {
		return nil, err
	}
	if err := checkNumbers(doc, nil); err != nil {
		return nil, err
	}
	positions := subschemas(doc)
	dialect, err := s.settle(positions)
	if err != nil {
		return nil, err
	}
	if err := checkTargets(positions); err != nil {
		return nil, err
	}
	watch := &stopwatch{}
	compiled := &Schema{limits: s.limits, dialect: dialect, watch: watch}
	compiled.root, compiled.misfit, err = s.build(doc, dialect, watch)
	if err != nil {
		return nil, explain(err, positions)
	}
	compiled.collectAnchors()
	return compiled, nil
}

// Dialect tells by which revision of JSON Schema the root is read.
func (s *Schema) Dialect() Dialect { return s.dialect }

// settle finds the dialect and makes the document fit for the validator: unknown
// $schema go when they are to be ignored, formats go when they are annotations.
func (s *settings) settle(positions []subschema) (Dialect, error) {
	dialect, resources := s.fallback, 0
	for i, position := range positions {
		object, ok := position.value.(map[string]any)
		if !ok {
			continue
		}
		if !s.formats {
			delete(object, "format")
		}
		if object["$id"] != nil || object["id"] != nil {
			resources++
		}
		uri, ok := object["$schema"].(string)
		if !ok {
			continue
		}
		known, ok := DialectOf(uri)
		switch {
		case !ok && s.ignoreUnknown:
			delete(object, "$schema")
		case !ok && (i == 0 || object["$id"] != nil):
			unknown := &UnknownDialect{uri}
			return "", &SchemaError{Pointer: Pointer(position.tokens...) + "/$schema", Text: unknown.Error(), Err: unknown}
		case ok && i == 0:
			dialect = known
		}
	}
	if resources > maxResources {
		return "", schemaTooComplex("", "more than %d embedded schemas with an id", maxResources)
	}
	return dialect, nil
}

// DialectOf gives the dialect that a $schema value names. Scheme and an empty
// fragment do not matter.
func DialectOf(uri string) (Dialect, bool) {
	uri = strings.TrimSuffix(uri, "#")
	uri, secure := strings.CutPrefix(uri, "https://")
	if !secure {
		uri = strings.TrimPrefix(uri, "http://")
	}
	switch uri {
	case "json-schema.org/schema", "json-schema.org/draft/2020-12/schema":
		return Draft202012, true
	case "json-schema.org/draft/2019-09/schema":
		return Draft201909, true
	case "json-schema.org/draft-07/schema":
		return Draft07, true
	case "json-schema.org/draft-06/schema":
		return Draft06, true
	case "json-schema.org/draft-04/schema":
		return Draft04, true
	}
	return "", false
}

func (d Dialect) engine() *engine.Draft {
	switch d {
	case Draft04:
		return engine.Draft4
	case Draft06:
		return engine.Draft6
	case Draft07:
		return engine.Draft7
	case Draft201909:
		return engine.Draft2019
	}
	return engine.Draft2020
}

// refuse is a loader that loads nothing.
type refuse struct{}

func (refuse) Load(string) (any, error) { return nil, errors.New("nothing is ever fetched") }

func (s *settings) build(doc any, dialect Dialect, watch *stopwatch) (root, misfit *engine.Schema, err error) {
	// The validator is not written for hostile input; a panic of its is a schema
	// it cannot read.
	defer func() {
		if p := recover(); p != nil {
			err = &SchemaError{Text: fmt.Sprintf("cannot be read: %v", p)}
		}
	}()
	compiler := engine.NewCompiler()
	compiler.DefaultDraft(dialect.engine())
	compiler.UseLoader(refuse{})
	compiler.UseRegexpEngine(watch.engine())
	if s.formats {
		compiler.AssertFormat()
	} else {
		ignoreFormats(compiler)
	}
	opposite := map[string]any{"not": map[string]any{"$ref": base}}
	if err := errors.Join(compiler.AddResource(base, doc), compiler.AddResource(misfitBase, opposite)); err != nil {
		return nil, nil, err
	}
	if root, err = compiler.Compile(base); err != nil {
		return nil, nil, err
	}
	misfit, err = compiler.Compile(misfitBase)
	return root, misfit, err
}

// ignoreFormats makes the formats of old revisions accept anything, for schemas in
// places where settle does not see them.
func ignoreFormats(compiler *engine.Compiler) {
	for _, name := range []string{"json-pointer", "relative-json-pointer", "uuid", "duration", "period", "ipv4", "ipv6", "hostname",
		"email", "date", "time", "date-time", "uri", "iri", "uri-reference", "iri-reference", "uri-template", "semver"} {
		compiler.RegisterFormat(&engine.Format{Name: name, Validate: func(any) error { return nil }})
	}
}

// checkNumbers refuses numbers on which exact arithmetic would be expensive.
func checkNumbers(value any, tokens []string) error {
	switch value := value.(type) {
	case json.Number:
		if parseDecimal(string(value)).outsizedInSchema() {
			return schemaTooComplex(Pointer(tokens...), "a number beyond %d digits", maxDigits)
		}
	case []any:
		for i, item := range value {
			if err := checkNumbers(item, append(tokens, fmt.Sprint(i))); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, key := range sortedKeys(value) {
			if err := checkNumbers(value[key], append(tokens, key)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkTargets bounds references to places that hold no schema by keyword.
func checkTargets(positions []subschema) error {
	known, odd := map[string]bool{}, map[string]bool{}
	for _, position := range positions {
		known["#"+Pointer(position.tokens...)] = true
	}
	for _, position := range positions {
		object, _ := position.value.(map[string]any)
		for _, keyword := range []string{"$ref", "$dynamicRef"} {
			ref, _ := object[keyword].(string)
			if plain := unescapeFragment(ref); strings.Contains(ref, "#/") && !known[plain] {
				odd[plain] = true
			}
		}
	}
	if len(odd) > maxOddTargets {
		return schemaTooComplex("", "more than %d references to places that hold no schema by keyword", maxOddTargets)
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// collectAnchors lists the targets a dynamic reference may have at run time.
func (s *Schema) collectAnchors() {
	s.dynamic = map[string][]*engine.Schema{}
	seen := map[*engine.Schema]bool{}
	queue := []*engine.Schema{s.root}
	for len(queue) > 0 {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if at == nil || seen[at] {
			continue
		}
		seen[at] = true
		if at.DynamicAnchor != "" {
			s.dynamic[at.DynamicAnchor] = append(s.dynamic[at.DynamicAnchor], at)
		}
		if at.RecursiveAnchor {
			s.recursive = append(s.recursive, at)
		}
		queue = append(queue, children(at)...)
	}
}

// children lists the subschemas of a compiled schema, references included.
func children(s *engine.Schema) []*engine.Schema {
	list := []*engine.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.Contains,
		s.Items2020, s.UnevaluatedItems, s.UnevaluatedProperties, s.ContentSchema,
		asSchema(s.AdditionalProperties), asSchema(s.AdditionalItems), asSchema(s.Items)}
	if s.DynamicRef != nil {
		list = append(list, s.DynamicRef.Ref)
	}
	if items, ok := s.Items.([]*engine.Schema); ok {
		list = append(list, items...)
	}
	list = slices.Concat(list, s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems)
	list = slices.AppendSeq(list, maps.Values(s.Properties))
	list = slices.AppendSeq(list, maps.Values(s.PatternProperties))
	list = slices.AppendSeq(list, maps.Values(s.DependentSchemas))
	for _, dependency := range s.Dependencies {
		list = append(list, asSchema(dependency))
	}
	return list
}
