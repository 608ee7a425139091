package jsonschema

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agntn/conform/fakes/jsonschema/ecma"
	"github.com/agntn/conform/fakes/jsonschema/internal/ajv"
)

// AJVMode says whose validator an AJVEngine imitates.
type AJVMode int

const (
	// SDKv1 is the client of @modelcontextprotocol/sdk 1.x since 1.21.0: ajv 8
	// with ajv-formats, every schema read as draft-07 whatever its $schema says.
	SDKv1 AJVMode = iota
	// SDKv2 is the client of @modelcontextprotocol/client 2.x on Node: the same
	// library, by $schema as 2020-12 (the default), 2019-09 or draft-07.
	SDKv2
)

// AJVEngine is the validator of one client session. It remembers schemas by $id:
// a later schema with a known $id is answered by the first one, as in the real
// clients. It is not safe for concurrent use; the schemas it gives are.
type AJVEngine struct {
	provider *ajv.Provider
	limits   Limits
}

// NewAJV gives a fresh engine.
func NewAJV(mode AJVMode) *AJVEngine {
	return &AJVEngine{ajv.NewProvider(mode == SDKv2), Limits{}.withDefaults()}
}

// AJV compiles one schema with a fresh engine of the SDK v1 client.
func AJV(raw []byte) (*AJVSchema, error) { return NewAJV(SDKv1).Compile(raw) }

// AJVError is an exception of ajv. Its text is what the client shows.
type AJVError struct{ Text string }

func (e *AJVError) Error() string { return e.Text }

// AJVSchema is a schema compiled by an AJVEngine.
type AJVSchema struct {
	schema *ajv.Schema
	limits Limits
}

// Compile reads a schema, JSON text of an object. The error is an *AJVError when the
// real client would fail to compile it; it wraps ErrTooComplex or ErrNotJSON when
// nothing can be said.
func (e *AJVEngine) Compile(raw []byte) (*AJVSchema, error) {
	b := bounds{"schema", e.limits.SchemaBytes, e.limits.SchemaDepth, e.limits.SchemaNodes}
	if err := checkText(raw, b); err != nil {
		return nil, err
	}
	schema, err := e.provider.Compile(raw)
	if err != nil {
		return nil, ajvError(err)
	}
	return &AJVSchema{schema, e.limits}, nil
}

// Errors checks a value, []byte or json.RawMessage as JSON text, else as encoding/json
// decodes it. Each error reads as ajv's errorsText prints it ("data/n must be >= 1"),
// in ajv's order; the clients join them with ", ". None means the value fits. The error
// is an *AJVError where ajv itself throws, or wraps ErrTooComplex or ErrNotJSON.
func (s *AJVSchema) Errors(value any) ([]string, error) {
	raw, err := rawText(value)
	if err != nil {
		return nil, err
	}
	b := bounds{"value", s.limits.ValueBytes, s.limits.ValueDepth, s.limits.ValueNodes}
	if err := checkText(raw, b); err != nil {
		return nil, err
	}
	limits := ajv.Limits{Steps: s.limits.Steps, Depth: maxHeight, Patterns: s.limits.PatternTime}
	errs, err := s.schema.Errors(raw, limits)
	if err != nil {
		return nil, ajvError(err)
	}
	return errs, nil
}

func rawText(value any) ([]byte, error) {
	switch value := value.(type) {
	case []byte:
		return value, nil
	case json.RawMessage:
		return value, nil
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("value is %w: %v", ErrNotJSON, err)
	}
	return raw, nil
}

func checkText(raw []byte, b bounds) error {
	if err := measure(raw, b); err != nil {
		return err
	}
	if !json.Valid(raw) {
		return fmt.Errorf("%s is %w", b.what, ErrNotJSON)
	}
	return nil
}

func ajvError(err error) error {
	var exception *ajv.Exception
	if errors.As(err, &exception) {
		return &AJVError{exception.Text}
	}
	if errors.Is(err, ajv.ErrBudget) || errors.Is(err, ajv.ErrUnknown) ||
		errors.Is(err, ecma.ErrTimeout) || errors.Is(err, ecma.ErrUnsupported) {
		return tooComplex("%v", err)
	}
	return fmt.Errorf("%w: %v", ErrNotJSON, err)
}
