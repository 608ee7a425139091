package fakes

// Reader says what one client makes of what a server sends. It is pure: it
// never talks to a server. Revision is the negotiated protocol revision.
type Reader interface {
	// Listing reads the raw result members of tools/list, one a page, in order.
	Listing(revision string, pages [][]byte) Listing
	// Call reads the raw answer of tools/call: the whole JSON-RPC response frame.
	// tool is the listed tool as this client kept it (see ListedTool), or nil.
	Call(revision string, tool *ListedTool, response []byte) Answer
}

// State says how a client took a listing, a tool or an answer.
type State string

// The states. They are the words of the recorded client facts.
const (
	Accepted  State = "accepted"
	Rewritten State = "rewritten"    // the tool reaches the model changed
	Dropped   State = "tool-dropped" // this one tool is gone
	Lost      State = "list-lost"    // no tool of this server is left
	Failed    State = "call-failed"  // the answer is an error to the model or caller
	Hang      State = "hang"         // the message is dropped; the request waits for its limit
)

// Listing is what a client keeps of tools/list.
type Listing struct {
	// State is Accepted, Lost or Hang.
	State State
	// Error is the client's own text, where it is known; "" otherwise.
	Error string
	// Why says in plain words what the client did and because of what (with a JSON path).
	Why   string
	Tools []ListedTool
}

// ListedTool is one listed tool as a client keeps it.
type ListedTool struct {
	// Name is the name on the wire; Raw the tool object as the server sent it.
	Name string
	Raw  []byte
	// State is Accepted, Rewritten or Dropped, Why the reason in plain words.
	State State
	Why   string
	// Label is what a person sees, ModelName what the model calls the tool.
	Label     string
	ModelName string
	// Schema is the input schema as the model gets it; nil when it is as listed.
	Schema []byte
	// Hides lists members of the tool that reach neither the person nor the model.
	Hides []string
}

// Answer is what a client makes of an answer to tools/call.
type Answer struct {
	// State is Accepted, Failed or Hang.
	State State
	// Error is the client's own error text, where it is known.
	Error string
	// Text is what the model reads; Source says from what: "text", "structuredContent", "both", "none", "error".
	Text   string
	Source string
	// IsError says that the model or caller is told that the call failed.
	IsError bool
	// Why explains a failure or a loss in plain words.
	Why string
	// Hides lists members of the result that reach neither the person nor the model.
	Hides []string
}
