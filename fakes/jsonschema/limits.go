package jsonschema

import "time"

// Limits bound what a schema or a value may cost. A zero field means the default.
type Limits struct {
	// SchemaBytes, SchemaDepth and SchemaNodes bound the schema document: its
	// size, how deep its JSON nests and how many JSON values it holds.
	SchemaBytes, SchemaDepth, SchemaNodes int
	// ValueBytes, ValueDepth and ValueNodes bound a value the same way.
	ValueBytes, ValueDepth, ValueNodes int
	// Steps bounds the subschema evaluations of one value, weighed by what each costs.
	Steps int
	// PatternTime bounds all regular expressions of one value together.
	PatternTime time.Duration
}

// The defaults. Depth 500 is some 240 objects in objects, beyond any schema in use
// and beyond what clients were seen to take; the node counts fit
// the largest tool lists seen; the step count keeps one check near a second.
const (
	defaultSchemaBytes = 4 << 20
	defaultSchemaDepth = 500
	defaultSchemaNodes = 50_000
	defaultValueBytes  = 16 << 20
	defaultValueDepth  = 500
	defaultValueNodes  = 1_000_000
	defaultSteps       = 2_000_000
	defaultPatternTime = 3 * time.Second
)

// Bounds that no caller needs to turn.
const (
	// maxDigits and maxExponent bound numbers in a schema. Beyond them exact
	// arithmetic gets expensive, and no validator in use keeps them exact.
	maxDigits   = 1000
	maxExponent = 1000
	// maxResources bounds embedded schemas with an id of their own: the
	// validator looks them up one by one.
	maxResources = 500
	// maxOddTargets bounds references to places that hold no schema by keyword:
	// the validator takes in the whole document anew for each.
	maxOddTargets = 100
	// maxInPlace bounds chains of subschemas on one and the same value. A chain
	// this long is a reference that leads back to itself.
	maxInPlace = 256
	// maxHeight bounds the recursion of the validator as a whole.
	maxHeight  = 8000
	maxSubject = 1 << 20
)

func (l Limits) withDefaults() Limits {
	set := func(field *int, value int) {
		if *field <= 0 {
			*field = value
		}
	}
	set(&l.SchemaBytes, defaultSchemaBytes)
	set(&l.SchemaDepth, defaultSchemaDepth)
	set(&l.SchemaNodes, defaultSchemaNodes)
	set(&l.ValueBytes, defaultValueBytes)
	set(&l.ValueDepth, defaultValueDepth)
	set(&l.ValueNodes, defaultValueNodes)
	set(&l.Steps, defaultSteps)
	if l.PatternTime <= 0 {
		l.PatternTime = defaultPatternTime
	}
	return l
}
