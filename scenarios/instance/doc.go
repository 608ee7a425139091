// Package instance makes instances of JSON Schemas: valid ones to call a tool with,
// and broken ones whose every fault is known beforehand.
//
// Everything is deterministic by seed, bounded, and checked with the validator of
// fakes/jsonschema before it is handed out: a value called valid has no problem, a
// value called broken has problems at the named places and nowhere else. Formats
// count as annotations, so no break rests on one.
package instance
