// Package jsonschema compiles JSON Schemas that come from servers nobody
// vouches for, and says what is wrong with a value.
//
// It puts bounds around a full validator: nothing is ever fetched, regular
// expressions have ECMA-262 meaning and a time limit, numbers stay exact without
// growing, and schemas or values that would cost too much end in ErrTooComplex
// instead of a hang. AJV imitates the validator of the TypeScript SDK clients,
// with its own rules of what compiles and its own error texts.
package jsonschema
