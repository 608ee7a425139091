// Package ecma reads and runs regular expressions as ECMA-262 defines them, which
// is what JSON Schema asks for. The reader reports faults in the words of V8, since
// clients on Node show those. Matching has a time limit.
package ecma
