package sample

import (
	"errors"
	"strings"
)

// call is a tools/call while its tool runs.
type call struct {
	*exchange
	tool *tool
	args object
}

// callTool answers tools/call. What the model can mend comes back as a result
// with isError; only a request that is no tools/call at all is a protocol error.
func callTool(x *exchange) (object, *failure) {
	do := &x.srv.do
	name, ok := x.params["name"].(string)
	if !ok {
		return nil, fail(codeInvalidParams, "name must be a string")
	}
	args, f := do.calls.arguments(x.params["arguments"])
	if f != nil {
		return nil, f
	}
	if f := answersFit(x); f != nil {
		return nil, f
	}
	t := do.calls.lookUp(do.tools, name)
	if t == nil {
		return do.calls.unknown(x, name)
	}
	c := &call{exchange: x, tool: t, args: args}
	problems := do.calls.validate(t, args)
	if len(problems) > 0 && !do.calls.runsFirst {
		return do.calls.refuse(c, problems)
	}
	x.log(levelInfo, object{"tool": t.name, "event": "called"})
	o, err := t.run(c, args)
	if len(problems) > 0 {
		return do.calls.refuse(c, problems)
	}
	var ask *needInput
	var refused *failure
	switch {
	case errors.As(err, &ask):
		return ask.result, nil
	case errors.As(err, &refused):
		return nil, refused
	case err != nil:
		return do.calls.thrown(c, err)
	}
	return do.output.write(c, o)
}

// Error makes a failure an error, so that a tool can end in one.
func (f *failure) Error() string { return f.message }

// readArguments wants an object; absent and null stand for no arguments.
func readArguments(given any) (object, *failure) {
	if given == nil {
		return object{}, nil
	}
	args, ok := given.(object)
	if !ok {
		return nil, fail(codeInvalidParams, "arguments must be an object")
	}
	return args, nil
}

func errorText(lines ...string) object {
	return object{"content": list{textBlock(strings.Join(lines, "\n"))}, "isError": true}
}

// unknownTool names the server, never its title, and the name that was asked for.
func unknownTool(_ *exchange, name string) (object, *failure) {
	return errorText("Unknown " + serverName + " tool: " + quoted(bounded(name, maxEcho))), nil
}

// validateInput lists every problem of the arguments.
func validateInput(t *tool, args object) []problem { return problemsOf(t.input, args, "") }

// refuseInput tells one problem a line.
func refuseInput(_ *call, problems []problem) (object, *failure) {
	return errorText(lines(problems)...), nil
}

// thrown reports what a tool threw, on one line and without its stack.
func thrown(c *call, err error) (object, *failure) {
	return errorText(c.tool.name + " failed: " + bounded(visible(err.Error()), 500)), nil
}

// writeOutcome makes a result of what a tool said, after checking its details.
func writeOutcome(c *call, o outcome) (object, *failure) {
	result := object{"content": o.content}
	if c.tool.output == nil {
		return result, nil
	}
	if problems := c.srv.do.output.check(c.tool, o.details); len(problems) > 0 {
		return c.srv.do.output.mismatch(c, problems)
	}
	result["structuredContent"] = o.details
	return result, nil
}

func checkOutput(t *tool, details any) []problem { return problemsOf(t.output, details, "") }

func outputMismatch(c *call, problems []problem) (object, *failure) {
	return errorText(append([]string{c.tool.name + " returned details that don't match its output schema"}, detailLines(problems)...)...), nil
}

func detailLines(problems []problem) []string {
	out := lines(problems)
	for i, p := range problems {
		if p.path == "" {
			out[i] = "details " + p.says
		}
	}
	return out
}
