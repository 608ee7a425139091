// Package message checks the frames that a server sends against the shapes of
// its protocol revision. It dispatches by method and by discriminator (the type
// of a content block, resultType, mode ...) so that a fault names the one place
// that is wrong; it never tries the branches of an open union.
package message

// Level says what kind of rule a fault breaks, in the words of the check catalogue.
type Level string

// The levels of a fault.
const (
	// Must is for what the schema of the revision or a MUST sentence asks.
	Must Level = "must"
	// Should is for what only a SHOULD sentence or advice asks.
	Should Level = "should"
	// Note is for what no sentence forbids and clients may still trip over.
	Note Level = "note"
)

// Context says what is known about a frame from outside it. The zero value says nothing.
type Context struct {
	// Method is the method of the request that the frame answers. It is empty for
	// requests and notifications of the server, and for answers to nothing known;
	// then only the envelope of an answer is checked.
	Method string
	// Methods gives the method for each answer of a batch, by the JSON text of its id.
	Methods map[string]string
	// Malformed says that the frame may answer something that was broken on
	// purpose, or refused before it was read: then an error needs no id.
	Malformed bool
	// Extensions are the extensions that the request declared. With any of them,
	// results of unknown kinds are left alone.
	Extensions []string
	// Transport is "stdio", "http" or "in-process".
	Transport string
	// Status is the HTTP status that the frame came with, 0 if none. An error
	// under a status of 400 or more needs no id.
	Status int
}

// Fault is one place where a frame breaks the shape of its revision.
type Fault struct {
	// Path is the JSON path of the place, such as
	// "result.tools[3].annotations.readOnlyHint"; "" is the frame itself. Elements of a batch
	// start with their index: "[1].result".
	Path string
	// Expected is a few words, such as "a boolean"; Observed shows what was there, bounded
	// to about a hundred bytes and not escaped.
	Expected, Observed string
	Level              Level
	// Requirements are ids of the requirement list that the fault breaks.
	Requirements []string
	// More counts faults of the same kind (another entry of the same list, the
	// same expectation) that were left out after this one; it is a lower bound in
	// frames with thousands of faults.
	More int
	// Section is the page and anchor of the specification, such as "server/tools#tool".
	Section string
}

// MaxFaults is the most faults that one call of Check returns.
const MaxFaults = 20
