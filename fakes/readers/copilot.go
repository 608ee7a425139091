package readers

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/serde"
)

// copilot reads as GitHub Copilot CLI 1.0.102 does. It takes almost any list.
// Its schemas are as it sends them to an Anthropic model.
type copilot struct {
	server string
	call   serde.Type
}

func newCopilot(server string) *copilot {
	return &copilot{server, rustCall()}
}

// Listing follows cursors; only JSON that cannot be read, tools that are no
// list, a cursor that is no string or one that comes twice lose the list.
func (r *copilot) Listing(_ string, pages [][]byte) fakes.Listing {
	lost := func(why string) fakes.Listing { return fakes.Listing{State: fakes.Lost, Why: why} }
	var tools []fakes.ListedTool
	cursors := map[string]bool{}
	for _, raw := range pages {
		frame, err := serde.Parse(rustFrame(raw), false)
		if err != nil {
			return lost("the line cannot be read (" + err.Error() + "), so no list ever comes")
		}
		result := frame.Get("result")
		if result.Get("tools").Kind != js.Array {
			return lost("tools is no list")
		}
		for _, t := range result.Get("tools").Items {
			tools = append(tools, r.tool(t))
		}
		next := result.Get("nextCursor")
		if next.Kind <= js.Null {
			break
		}
		if next.Kind != js.String {
			return lost("nextCursor is no string")
		}
		if cursors[next.Str] {
			return lost("the cursor " + js.Quote(next.Str) + " came twice")
		}
		cursors[next.Str] = true
	}
	r.name(tools)
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

func (r *copilot) tool(sent js.Value) fakes.ListedTool {
	name := sent.Get("name").Str
	t := fakes.ListedTool{Name: name, Raw: []byte(sent.Raw), State: fakes.Accepted, Label: copilotLabel(sent)}
	if sent.Kind != js.Object {
		t.State, t.Why = fakes.Dropped, "it is no object"
		return t
	}
	for _, k := range []string{"annotations", "icons", "outputSchema", "execution", "_meta"} {
		if sent.Get(k).Kind > js.Null {
			t.Hides = append(t.Hides, k)
		}
	}
	in := copilotSchema(sent.Get("inputSchema"))
	was := sent.Get("inputSchema")
	if was.Kind != js.Object || len(js.Changes(was, in, 1)) > 0 && !onlyAdded(was, in) || in.Has("description") && !was.Has("description") {
		t.State, t.Why = fakes.Rewritten, "the input schema reaches the model changed"
	}
	t.Schema = []byte(rustText(in))
	return t
}

// copilotLabel is the first line of title, annotations.title or name.
func copilotLabel(tool js.Value) string {
	line, _, _ := strings.Cut(firstTitle(tool), "\n")
	return line
}

// maxCopilotName bounds server, dash and tool together.
const maxCopilotName = 64

// name gives each tool its name for the model. The client sorts tools by name
// and by their text; of tools with one name for the model the last stays, but
// tools whose names are alike only because they were cut are numbered.
func (r *copilot) name(tools []fakes.ListedTool) {
	order := make([]int, len(tools))
	text := make([]string, len(tools))
	for i, t := range tools {
		order[i] = i
		if v, err := js.Parse(t.Raw); err == nil {
			text[i] = t.Name + "\x00" + rustText(sorted(v))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(text[a], text[b]) })
	at := map[string]int{}
	full := map[string]string{}
	for _, i := range order {
		t := &tools[i]
		if t.State == fakes.Dropped {
			continue
		}
		long := r.server + "-" + dashed(asciiDomain(t.Name))
		t.ModelName = long[:min(len(long), maxCopilotName)]
		for n := 2; full[t.ModelName] != "" && full[t.ModelName] != long; n++ {
			tail := strconv.Itoa(n)
			t.ModelName = long[:min(len(long), maxCopilotName-len(tail))] + tail
		}
		if j, twice := at[t.ModelName]; twice {
			tools[j].State, tools[j].Why = fakes.Dropped, "another tool is called "+t.ModelName+" too; the last one by name and text is kept"
		}
		at[t.ModelName], full[t.ModelName] = i, long
		if t.ModelName != r.server+"-"+t.Name && t.State == fakes.Accepted {
			t.State, t.Why = fakes.Rewritten, "the model calls it "+t.ModelName
		}
	}
}

// dashed puts a dash in the place of each character that names may not hold.
func dashed(s string) string {
	return strings.Map(func(c rune) rune {
		if isWordOrDash(c) {
			return c
		}
		return '-'
	}, s)
}
