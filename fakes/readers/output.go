package readers

import (
	"errors"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// outputFault is what an SDK says about the structuredContent of an answer.
type outputFault struct {
	code int
	text string
}

// compileOutput gives the text with which ajv refuses an output schema; "" when
// it compiles, is absent, or is too large to say.
func compileOutput(engine *jsonschema.AJVEngine, schema js.Value) string {
	if schema.Kind != js.Object {
		return ""
	}
	_, err := engine.Compile([]byte(schemaText(schema)))
	return ajvText(err)
}

// schemaText gives a schema as it was sent, else as it is kept.
func schemaText(schema js.Value) string {
	if schema.Raw != "" {
		return schema.Raw
	}
	return schema.Stringify()
}

func ajvText(err error) string {
	var thrown *jsonschema.AJVError
	if errors.As(err, &thrown) {
		return thrown.Text
	}
	return ""
}

// outputSchema gives the output schema of a tool as it was sent.
func outputSchema(tool *fakes.ListedTool) js.Value {
	if tool == nil {
		return js.Value{}
	}
	raw, err := js.Parse(tool.Raw)
	if err != nil {
		return js.Value{}
	}
	return raw.Get("outputSchema")
}

// The codes of the JSON-RPC errors that the SDKs raise themselves.
const (
	codeInvalidRequest = -32600
	codeInvalidParams  = -32602
)

// checkOutput checks a result against the output schema of its tool, as the
// TypeScript SDKs do. errorsToo checks the structuredContent of isError results
// as well, as SDK v1 does and SDK v2 does not.
func checkOutput(mode jsonschema.AJVMode, tool *fakes.ListedTool, result js.Value, errorsToo bool) *outputFault {
	schema := outputSchema(tool)
	if schema.Kind != js.Object {
		return nil
	}
	compiled, err := jsonschema.NewAJV(mode).Compile([]byte(schemaText(schema)))
	if err != nil {
		return nil
	}
	content, failed := result.Get("structuredContent"), result.Get("isError").IsTrue()
	if content.Kind == js.Undefined {
		if failed {
			return nil
		}
		return &outputFault{codeInvalidRequest, "Tool " + tool.Name + " has an output schema but did not return structured content"}
	}
	if failed && !errorsToo {
		return nil
	}
	problems, err := compiled.Errors([]byte(content.Stringify()))
	if text := ajvText(err); text != "" {
		return &outputFault{codeInvalidParams, "Failed to validate structured content: " + text}
	}
	if len(problems) > 0 {
		return &outputFault{codeInvalidParams, "Structured content does not match the tool's output schema: " + strings.Join(problems, ", ")}
	}
	return nil
}

// compileOutputV2 gives the error SDK v2 raises before it sends a call.
func compileOutputV2(tool *fakes.ListedTool) string {
	schema := outputSchema(tool)
	text := compileOutput(jsonschema.NewAJV(jsonschema.SDKv2), schema)
	if text == "" {
		return ""
	}
	return "Tool '" + tool.Name + "' has an invalid outputSchema: " + js.Slice(text, 0, 200)
}
