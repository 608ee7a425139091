package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
)

func thrownError() Scenario {
	return Scenario{
		ID: "thrown-error", Title: "Tools that fail", Needs: NeedsTools,
		Summary: "Looks at answers to valid calls that ended in an error of the tool's own: the role throws of the configuration, or what was met on the way.",
		Drive:   driveThrownError,
		Checks: []Check{
			{
				ID: "thrown-error/as-tool-error", Claim: "A tool that fails answers with a result that says isError, not with a JSON-RPC error.", Level: Should,
				Why:    "Many clients hide JSON-RPC errors from the model, which then never learns what went wrong and cannot try something else.",
				Remedy: `Catch what a tool throws and return {"content":[{"type":"text","text":...}],"isError":true}.`,
				Basis:  []string{"server/tools#error-handling", "schema#calltoolresult"}, Requirements: []string{"tools.call.execution-error-in-result"},
				Judge: judgeThrownChannel,
			},
			{
				ID: "thrown-error/has-text", Claim: "An answer with isError says in words what went wrong.", Level: Note,
				Why:    `Without text Claude Code tells its model "Unknown error".`,
				Remedy: "Put the message of the error into a text block.",
				Basis:  []string{"server/tools#error-handling"}, Requirements: []string{"tools.call.execution-error-text"},
				Judge: judgeThrownText,
			},
			{
				ID: "thrown-error/one-line", Claim: "The text of a failure is one line.", Level: House,
				Why:    "Permission dialogs, logs and status lines show the first line alone, and a line break in a thrown message fakes further lines.",
				Remedy: "Escape line breaks of thrown messages before they go into the answer.",
				Basis:  []string{"house contract"}, Requirements: []string{"tools.call.thrown-error-one-line"},
				Judge: judgeThrownOneLine,
			},
			{
				ID: "thrown-error/escaped", Claim: "The text of a failure holds no raw control characters but line feed and tab.", Level: House, Hardening: true,
				Why:    "The text reaches terminals: escape codes colour, move and erase what a person reads there.",
				Remedy: "Escape C0 and C1 characters, U+2028 and U+2029 of thrown messages.",
				Basis:  []string{"server/tools#security-considerations"}, Requirements: []string{"tools.call.thrown-error-one-line"},
				Judge: judgeThrownEscaped,
			},
			{
				ID: "thrown-error/no-stack", Claim: "The text of a failure holds no stack trace.", Level: House, Hardening: true,
				Why:    "A stack costs the model's context, tells it nothing, and shows paths of the machine to whoever reads along.",
				Remedy: "Answer with the message alone and write the stack to stderr.",
				Basis:  []string{"server/tools#security-considerations"}, Requirements: []string{"tools.call.thrown-error-one-line"},
				Judge: judgeThrownStack,
			},
			{
				ID: "thrown-error/wording", Claim: "The text reads: <tool> failed: <message>.", Level: House, Contract: true,
				Why:    "Tool packages on one shared core promise one wording, so that a person sees at once which tool failed.",
				Remedy: "Put the tool's name and \" failed: \" before the message.",
				Basis:  []string{"house contract"},
				Judge:  judgeThrownWording,
			},
		},
	}
}

// driveThrownError calls the tool with the role throws. Without one it calls
// every tool once with values at which tools are known to stumble, all of them
// valid: zero, a text of two lines.
func driveThrownError(ctx context.Context, d *Drive) error {
	v := d.Shared(ctx)
	if t, r := d.Facts.RoleTool(JobThrows); t != nil && t.Callable {
		v.callAll(ctx, []toolCall{{label: "role", tool: t.Name, args: r.Arguments}})
		return nil
	}
	var calls []toolCall
	tools := d.Facts.CallableTools()
	for _, t := range tools[:min(len(tools), maxTools)] {
		for i, args := range edges(d.Facts, t) {
			calls = append(calls, toolCall{label: fmt.Sprintf("edge:%s#%d", toolLabel(d.Facts, t), i+1), tool: t.Name, args: args})
		}
	}
	v.callAll(ctx, calls)
	return nil
}

// twoLines is a text that breaks readers of lines and carries nothing that acts on a terminal.
const twoLines = "zz conform\nzz line two"

// edges are up to two valid argument sets: one with zero in place of every
// number that may be zero, one with a text of two lines in place of every free
// text. A tool that does not say that it only reads gets its first valid set
// instead, so that nothing odd is written anywhere.
func edges(f *Facts, t *Tool) []json.RawMessage {
	sets := CallArguments(f, t)
	if len(sets) == 0 {
		return nil
	}
	var out argumentSets
	if t.Get("annotations.readOnlyHint").Type == gjson.True && !OnlyAsWritten(t) {
		schema := inputSchema(t)
		for _, v := range []struct{ kinds, raw string }{{"integer number", "0"}, {"string", jsonString(twoLines)}} {
			if raw := replaced(schema, t, sets[0].JSON, v.kinds, v.raw); raw != nil {
				out.add(raw, "made to stumble over")
			}
		}
	}
	if len(out.sets) == 0 {
		out.add(sets[0].JSON, sets[0].From)
	}
	var raw []json.RawMessage
	for _, s := range out.sets {
		raw = append(raw, s.JSON)
	}
	return raw
}

// replaced sets each top-level property of the given types to a value, as far as
// the arguments stay valid. It is nil when nothing changed.
func replaced(schema *jsonschema.Schema, t *Tool, base json.RawMessage, types, raw string) json.RawMessage {
	out, changed := base, false
	t.Get("inputSchema.properties").ForEach(func(name, p gjson.Result) bool {
		if kind := p.Get("type"); kind.Type != gjson.String || !strings.Contains(types, kind.Str) {
			return true
		}
		if next := withMember(gjson.ParseBytes(out), name.Str, raw); fits(schema, next) {
			out, changed = next, true
		}
		return true
	})
	if !changed {
		return nil
	}
	return out
}

// jsonString writes a text as a JSON string.
func jsonString(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}
