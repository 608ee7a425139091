package scenarios

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tidwall/gjson"
)

func outputSchema() Scenario {
	return Scenario{
		ID: "output-schema", Title: "Answers of tools", Needs: NeedsTools,
		Summary: "Calls tools with valid arguments and looks at what comes back: structured content, its schema, the text beside it, errors.",
		Drive:   driveOutputSchema,
		Checks:  append(structuredChecks(), answerTextChecks()...),
	}
}

// structuredChecks are the checks on structuredContent.
func structuredChecks() []Check {
	return []Check{
		{
			ID: "output-schema/structured-present", Claim: "A tool that declares an outputSchema answers with structuredContent.", Level: Must,
			Why:    "SDK clients check for it: the call fails at the client although the tool worked, and the model reads an error.",
			Remedy: "Return structuredContent beside the text on every path that succeeds, or take outputSchema off the tool.",
			Basis:  []string{"server/tools#output-schema"}, Requirements: []string{"structured-output.present"},
			Hosts: outputCheckers(), Judge: judgeStructuredPresent,
		},
		{
			ID: "output-schema/structured-matches", Claim: "structuredContent satisfies the tool's outputSchema.", Level: Must,
			Why:    "SDK clients validate it and throw the whole answer away over one member that does not fit.",
			Remedy: "Check the data against the schema before you send it; mend the schema or the member that is named.",
			Basis:  []string{"server/tools#output-schema"}, Requirements: []string{"structured-output.conforms", "structured-output.conforms-on-every-path"},
			Hosts: outputCheckers(), Judge: judgeStructuredMatches,
		},
		{
			ID: "output-schema/structured-is-object", Claim: "Up to 2025-11-25 structuredContent is an object.", Level: Must,
			Why:    "Clients of these revisions refuse a list, a text or a number there, and the call fails although its text is fine.",
			Remedy: `Wrap the value in an object, such as {"items": [...]}.`,
			Basis:  []string{"server/tools#structured-content"}, Requirements: []string{"structured-output.is-object"},
			Hosts: []string{"claude-code", "claude-code-print", "gemini-cli", "opencode", "sdk-v1", "sdk-v2"}, Judge: judgeStructuredObject,
		},
		{
			ID: "output-schema/undeclared-structured", Claim: "Only tools with an outputSchema answer with structuredContent.", Level: House,
			Why:    "Claude Code and Codex then show the model the structured part alone, and nothing says what shape it has.",
			Remedy: "Declare the outputSchema, or leave structuredContent out.",
			Basis:  []string{"server/tools#structured-content"}, Requirements: []string{"structured-output.without-schema"},
			Judge: judgeUndeclared,
		},
		{
			ID: "output-schema/mismatch-refused", Claim: "When a tool's own data break its outputSchema, the caller gets an error instead of the data.", Level: House,
			Why:    "Data that break the schema are refused by the client in words that nobody wrote for the model.",
			Remedy: "Validate details before they leave, and answer isError when they do not fit.",
			Basis:  []string{"server/tools#output-schema"}, Requirements: []string{"structured-output.mismatch-is-reported"},
			Judge: judgeMismatchRefused,
		},
		{
			ID: "output-schema/mismatch-lines", Claim: "That error reads: <tool> returned details that don't match its output schema, then one line a problem.", Level: House, Contract: true,
			Why:    "Tool packages on one shared core promise one wording, so that an author finds the member at once.",
			Remedy: "Write the sentence on the first line and each problem on a line of its own.",
			Basis:  []string{"house contract"},
			Judge:  judgeMismatchLines,
		},
		{
			ID: "output-schema/survives-sdk-v1", Claim: "The client of the TypeScript SDK 1.x takes every answer.", Level: Host, Breaks: true, Source: Observed,
			Why:    "Many clients are built on it. What it refuses reaches the model as an error of the client, or never.",
			Remedy: "Mend the member that is named; errors need no structuredContent at all.",
			Basis:  []string{"@modelcontextprotocol/sdk 1.32.2"}, Hosts: []string{"sdk-v1"},
			Judge: judgeSurvivesV1,
		},
		{
			ID: "output-schema/schema-compiles-in-ajv", Claim: "Each outputSchema compiles in the validator of the TypeScript SDK 1.x client.", Level: Host, Breaks: true, Source: Observed,
			Why:    "One that does not compile makes that client refuse the whole tool list.",
			Remedy: "Mend the keyword that is named: valid types, references inside the schema, patterns that compile with the u flag.",
			Basis:  []string{"@modelcontextprotocol/sdk 1.32.2"}, Hosts: []string{"sdk-v1", "opencode"},
			Judge: judgeCompilesInAJV,
		},
	}
}

// outputCheckers are the clients seen to check answers against the output schema.
func outputCheckers() []string { return []string{"opencode", "sdk-v1", "sdk-v2"} }

// driveOutputSchema makes the valid calls of the run, and calls that tools with
// an output schema have to refuse.
func driveOutputSchema(ctx context.Context, d *Drive) error {
	v := d.Shared(ctx)
	calls := validCalls(d.Facts, "call:", maxValidSets)
	if t, r := d.Facts.RoleTool(JobMismatches); t != nil && t.Callable {
		calls = append(calls, toolCall{label: "mismatch:role", tool: t.Name, args: r.Arguments})
	}
	if t, r := d.Facts.RoleTool(JobThrows); t != nil && t.Callable && hasOutput(t) {
		calls = append(calls, toolCall{label: "error:role", tool: t.Name, args: r.Arguments})
	}
	for _, t := range d.Facts.CallableTools()[:min(maxTools, len(d.Facts.CallableTools()))] {
		if !hasOutput(t) || OnlyAsWritten(t) {
			continue
		}
		for i, args := range otherChoices(d.Facts, t) {
			calls = append(calls, toolCall{label: fmt.Sprintf("choice:%s#%d", toolLabel(d.Facts, t), i+1), tool: t.Name, args: args})
		}
		if !fits(inputSchema(t), json.RawMessage(`{}`)) {
			calls = append(calls, toolCall{label: "error:" + toolLabel(d.Facts, t), tool: t.Name, args: json.RawMessage(`{}`)})
		}
	}
	v.callAll(ctx, calls)
	return nil
}

// maxChoices is how many values of enums are tried beyond the valid sets.
const maxChoices = 4

// otherChoices are valid argument sets with the values of enums that the sets
// of validCalls leave out: a tool's branches often hang on them.
func otherChoices(f *Facts, t *Tool) []json.RawMessage {
	sets := CallArguments(f, t)
	if len(sets) == 0 || t.Get("annotations.readOnlyHint").Type != gjson.True {
		return nil
	}
	sets = sets[:min(len(sets), maxValidSets)]
	base := gjson.ParseBytes(sets[0].JSON)
	schema := inputSchema(t)
	var out []json.RawMessage
	t.Get("inputSchema.properties").ForEach(func(name, p gjson.Result) bool {
		tried := map[string]bool{}
		for _, s := range sets {
			tried[member(gjson.ParseBytes(s.JSON), name.Str).Raw] = true
		}
		for _, v := range p.Get("enum").Array() {
			if tried[v.Raw] || len(out) >= maxChoices {
				continue
			}
			if raw := withMember(base, name.Str, v.Raw); fits(schema, raw) {
				out = append(out, raw)
			}
		}
		return len(out) < maxChoices
	})
	return out
}

// member looks a member up by its exact name, whatever characters that has.
func member(object gjson.Result, name string) gjson.Result {
	var out gjson.Result
	object.ForEach(func(k, v gjson.Result) bool {
		if k.Str == name {
			out = v
		}
		return true
	})
	return out
}

// withMember returns an object with one member set to a raw value; the others keep their order.
func withMember(object gjson.Result, name, raw string) json.RawMessage {
	out, done := []byte{'{'}, false
	put := func(k []byte, v string) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, k...), ':'), v...)
	}
	object.ForEach(func(k, v gjson.Result) bool {
		if k.Str == name {
			put([]byte(k.Raw), raw)
			done = true
		} else {
			put([]byte(k.Raw), v.Raw)
		}
		return true
	})
	if !done {
		key, _ := json.Marshal(name)
		put(key, raw)
	}
	return append(out, '}')
}

// hasOutput says that a tool lists an output schema.
func hasOutput(t *Tool) bool { return t.Get("outputSchema").IsObject() }
