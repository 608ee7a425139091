package readers

import (
	"fmt"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// claudeOld reads as Claude Code 2.1.197 does, the last one for Node 20. It
// stands on SDK v1 and has a smaller gate before the API.
type claudeOld struct {
	claude *claude
	v1     *sdkV1
}

func newClaudeOld(server string) *claudeOld {
	r := newClaude(server)
	r.paths = false
	return &claudeOld{r, newSDKV1()}
}

// maxClaudeOldDescription is where this version cuts descriptions, in UTF-16 units.
const maxClaudeOldDescription = 2048

// Listing follows cursors. One malformed tool loses all.
func (r *claudeOld) Listing(_ string, pages [][]byte) fakes.Listing {
	return followPages(pages, r.v1, func(tools []fakes.ListedTool) []fakes.ListedTool { return firstWins(tools) }, r.tool)
}

func (r *claudeOld) tool(sent, kept js.Value) fakes.ListedTool {
	name := sent.Get("name").Str
	t := fakes.ListedTool{Name: name, Raw: []byte(sent.Raw), State: fakes.Accepted, Label: name,
		ModelName: "mcp__" + replaceUnits(r.claude.server, isWordOrDash, "_") + "__" + replaceUnits(name, isWordOrDash, "_")}
	if title := kept.Get("annotations").Get("title").Str; title != "" {
		t.Label = title
	}
	t.Hides = hidden(sent, "title", "annotations", "icons", "outputSchema", "execution", "_meta")
	for _, k := range rootCombinators() {
		if sent.Get("inputSchema").Has(k) {
			t.State, t.Why = fakes.Dropped, "its input schema has "+k+" at the root"
			return t
		}
	}
	if n := js.Length(kept.Get("description").Str); n > maxClaudeOldDescription {
		t.State, t.Why = fakes.Rewritten, fmt.Sprintf("the description of %d characters is cut at %d", n, maxClaudeOldDescription)
	}
	return t
}

// Call gives the model structuredContent in the place of text blocks, where it
// is there. Output schemas are not enforced.
func (r *claudeOld) Call(_ string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	name := "tool"
	if tool != nil {
		name = tool.ModelName
	}
	result, a := r.v1.open(response)
	if a != nil {
		return *a
	}
	kept, bad := r.v1.shapes.call.Parse(result)
	if len(bad) > 0 {
		return *claudeRefused(fmt.Sprintf("MCP server %q returned a malformed result that failed schema validation: %s", r.claude.server, bad.Error()), whyRefused(bad))
	}
	return r.claude.answer(name, kept)
}
