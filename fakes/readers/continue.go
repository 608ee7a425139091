package readers

import (
	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
)

// continueCLI reads as the Continue CLI 1.5.47 does, on an SDK v1 from before
// block annotations; it asks for one page and names tools as they are listed.
type continueCLI struct{ v1 *sdkV1 }

func newContinue() continueCLI { return continueCLI{newGemini("").v1} }

// Listing reads the first page. Two tools with one name are both kept.
func (r continueCLI) Listing(_ string, pages [][]byte) fakes.Listing {
	return firstPage(pages, func(raw []byte) fakes.Listing {
		p, lost := r.v1.readPage(0, raw, jsonschema.NewAJV(jsonschema.SDKv1))
		if lost != nil {
			return *lost
		}
		var tools []fakes.ListedTool
		for i, kept := range p.kept.Get("tools").Items {
			sent := p.sent.Get("tools").Items[i]
			t := fakes.ListedTool{Name: sent.Get("name").Str, Raw: []byte(sent.Raw), State: fakes.Accepted}
			t.ModelName, t.Label = t.Name, t.Name
			t.Hides = hidden(sent, "title", "annotations", "icons", "outputSchema", "execution", "_meta")
			schemaFor(&t, sent.Get("inputSchema"), kept.Get("inputSchema"))
			tools = append(tools, t)
		}
		return fakes.Listing{State: fakes.Accepted, Tools: tools}
	})
}

// Call gives the model the content as JSON text and nothing else.
func (r continueCLI) Call(_ string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	name := "tool"
	if tool != nil {
		name = tool.Name
	}
	result, a := r.v1.result(tool, response)
	if a != nil {
		if a.State == fakes.Failed {
			a.Error = "Error executing tool " + name + ": " + a.Error
			a.Text = a.Error
		}
		return *a
	}
	out := fakes.Answer{State: fakes.Accepted, Source: "text", Text: result.Get("content").Stringify(), Hides: hidden(result, "structuredContent", "isError", "_meta")}
	if len(result.Get("content").Items) == 0 {
		out.Source = "none"
	}
	if result.Get("isError").IsTrue() {
		out.Why = "the model is not told that the tool reported an error"
	}
	return out
}
