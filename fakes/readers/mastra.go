package readers

import (
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// mastra reads as Mastra's MCP client 2.0.0 does, on SDK v2. A list that fails
// is kept quiet: the agent has no tools.
type mastra struct {
	server string
	v2     *sdkV2
}

func newMastra(server string) *mastra { return &mastra{server, newSDKV2()} }

// Listing keeps every tool under the name of the server and its own.
func (r *mastra) Listing(revision string, pages [][]byte) fakes.Listing {
	lists, lost := r.v2.lists(revision, pages)
	if lost != nil {
		lost.Why += "; the agent is told nothing and has no tools"
		return *lost
	}
	var tools []fakes.ListedTool
	for _, p := range lists {
		for i := range p.kept.Get("tools").Items {
			sent := p.sent.Get("tools").Items[i]
			name := sent.Get("name").Str
			t := fakes.ListedTool{Name: name, Raw: []byte(sent.Raw), State: fakes.Accepted, ModelName: r.server + "_" + name}
			t.Label = t.ModelName
			t.Hides = hidden(sent, "title", "annotations", "icons", "execution", "_meta")
			tools = append(tools, t)
		}
	}
	lastWins(tools)
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

// Call gives the model the texts when the tool has an output schema, else
// structuredContent, else the whole result. An error of the tool is thrown.
func (r *mastra) Call(revision string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	result, a := r.v2.result(revision, tool, response)
	if a != nil {
		return *a
	}
	texts := blockTexts(result.Get("content"))
	if result.Get("isError").IsTrue() {
		text := strings.Join(texts, "\n")
		out := *serverError(text)
		out.Source, out.Why = "text", "the tool reported an error"
		out.Hides = hidden(result, "structuredContent", "_meta")
		return out
	}
	sc := result.Get("structuredContent")
	out := fakes.Answer{State: fakes.Accepted, Source: sourceOf(result), Text: result.Stringify()}
	if sc.Kind == js.Undefined {
		return out
	}
	out.Source, out.Text, out.Hides = "structuredContent", sc.Stringify(), hidden(result, "content", "_meta")
	if outputSchema(tool).Kind == js.Object && len(texts) > 0 {
		out.Source, out.Text, out.Hides = "text", strings.Join(texts, "\n"), hidden(result, "structuredContent", "_meta")
	}
	return out
}
