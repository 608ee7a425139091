// Package ajv imitates the validator ajv 8 as the TypeScript SDK clients set it up:
// strict off, schemas unchecked, all errors collected, the ajv-formats plugin on.
//
// What is imitated is behaviour seen from outside: which schemas fail to compile
// with which text, and which errors a value gets in which order. That includes
// known oddities, since a fake client that is more right than the real one would
// judge wrongly. The golden files of the tests hold ajv's own answers.
package ajv
