package jsonschema

import (
	"errors"
	"fmt"
)

// ErrTooComplex says that a schema or a value is beyond the limits. It is wrapped
// with what was too big. No verdict about the schema or the value follows from it.
var ErrTooComplex = errors.New("too complex")

// ErrNotJSON says that a schema or a value is not JSON text.
var ErrNotJSON = errors.New("not JSON")

// SchemaError is a fault in a schema.
type SchemaError struct {
	// Pointer is the JSON pointer of the fault in the schema, "" for the root.
	Pointer string
	// Text says what is wrong, in a few words.
	Text string
	// More counts further faults of the same schema.
	More int
	// Err is ErrTooComplex, *ExternalRef, *UnknownDialect or nil.
	Err error
}

func (e *SchemaError) Error() string {
	at := e.Pointer
	if at == "" {
		at = "the root"
	}
	if e.More > 0 {
		return fmt.Sprintf("schema at %s: %s (and %d more)", at, e.Text, e.More)
	}
	return fmt.Sprintf("schema at %s: %s", at, e.Text)
}

func (e *SchemaError) Unwrap() error { return e.Err }

// ExternalRef is a reference that leads out of the schema document. It is never
// followed. Get it from the error of Compile with errors.As.
type ExternalRef struct {
	// Keyword holds the reference: $ref, $dynamicRef or $recursiveRef.
	Keyword string
	// URI is the reference as written.
	URI string
}

func (e *ExternalRef) Error() string {
	return fmt.Sprintf("%s leads to another document, which is never fetched: %s", e.Keyword, shorten(e.URI, 200))
}

// UnknownDialect is a $schema that names no known revision of JSON Schema.
type UnknownDialect struct {
	// URI is the $schema as written.
	URI string
}

func (e *UnknownDialect) Error() string {
	return fmt.Sprintf("$schema names no known dialect: %s", shorten(e.URI, 200))
}

func tooComplex(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrTooComplex, fmt.Sprintf(format, args...))
}

func schemaTooComplex(pointer, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	return &SchemaError{Pointer: pointer, Text: text, Err: ErrTooComplex}
}

// shorten cuts text to at most n bytes at a rune boundary and marks the cut.
func shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	cut := 0
	for i := range text {
		if i > n-len("…") {
			break
		}
		cut = i
	}
	return text[:cut] + "…"
}
