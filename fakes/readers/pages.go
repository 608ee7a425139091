package readers

import (
	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// followPages reads all pages with SDK v1 shapes, without a look at output
// schemas, keeps each tool as tool says and settles the names at the end.
func followPages(pages [][]byte, v1 *sdkV1, settle func([]fakes.ListedTool) []fakes.ListedTool, tool func(sent, kept js.Value) fakes.ListedTool) fakes.Listing {
	var tools []fakes.ListedTool
	for n, raw := range pages {
		p, lost := v1.readPage(n, raw, nil)
		if lost != nil {
			return *lost
		}
		for i, t := range p.kept.Get("tools").Items {
			tools = append(tools, tool(p.sent.Get("tools").Items[i], t))
		}
		if p.kept.Get("nextCursor").Str == "" {
			break
		}
	}
	return fakes.Listing{State: fakes.Accepted, Tools: settle(tools)}
}

// firstPage reads the first page in a way of its own and notes the tools of the
// others as never asked for.
func firstPage(pages [][]byte, read func(raw []byte) fakes.Listing) fakes.Listing {
	var l fakes.Listing
	for n, raw := range pages {
		if n == 0 {
			if l = read(raw); l.State != fakes.Accepted {
				return l
			}
			continue
		}
		l.Tools = append(l.Tools, unasked(raw)...)
	}
	return l
}

// firstWins drops all but the first of the tools with one name for the model.
func firstWins(tools []fakes.ListedTool) []fakes.ListedTool {
	seen := map[string]bool{}
	for i := range tools {
		t := &tools[i]
		if t.State == fakes.Dropped {
			continue
		}
		if seen[t.ModelName] {
			t.State, t.Why = fakes.Dropped, "another tool is already called "+t.ModelName+"; the first one is kept"
		}
		seen[t.ModelName] = true
	}
	return tools
}

// hidden lists which of the named members of a tool or result are there.
func hidden(v js.Value, names ...string) []string {
	var out []string
	for _, n := range names {
		if v.Get(n).Kind > js.Null {
			out = append(out, n)
		}
	}
	return out
}

// renamed notes that the model calls a tool otherwise than the server does.
func renamed(t *fakes.ListedTool) {
	if t.ModelName != t.Name && t.State == fakes.Accepted {
		t.State, t.Why = fakes.Rewritten, "the model calls it "+t.ModelName
	}
}

// schemaFor sets the schema for the model when it differs from the one sent,
// and notes when more than additions differ.
func schemaFor(t *fakes.ListedTool, sent, in js.Value) {
	if len(js.Changes(sent, in, 1)) == 0 {
		return
	}
	t.Schema = []byte(in.Stringify())
	if !onlyAdded(sent, in) && t.State == fakes.Accepted {
		t.State, t.Why = fakes.Rewritten, "the input schema reaches the model changed"
	}
}
