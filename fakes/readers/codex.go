package readers

import (
	"crypto/sha1"
	"encoding/hex"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/serde"
)

// codex reads as Codex CLI 0.171.0 does: the Rust SDK decodes, numbers are kept
// as text, schemas are cut down to what the OpenAI API takes.
type codex struct {
	server     string
	list, call serde.Type
}

func newCodex(server string) *codex { return &codex{server, rustList(), rustCall()} }

// rustFrame puts a result into a whole answer, as text.
func rustFrame(result []byte) []byte {
	return append(append([]byte(`{"jsonrpc":"2.0","id":1,"result":`), result...), '}')
}

// Listing follows cursors. A cursor that comes twice loses the list.
func (r *codex) Listing(_ string, pages [][]byte) fakes.Listing {
	var tools []fakes.ListedTool
	cursors := map[string]bool{}
	for _, raw := range pages {
		frame, err := serde.Parse(rustFrame(raw), true)
		if err != nil {
			return fakes.Listing{State: fakes.Lost, Why: "the line cannot be read (" + err.Error() + "), so no list ever comes and the start gives up"}
		}
		result := frame.Get("result")
		if bad := r.list(result, ""); bad != "" {
			return fakes.Listing{State: fakes.Lost, Why: bad + "; one bad member refuses the whole list"}
		}
		for _, t := range result.Get("tools").Items {
			tools = append(tools, r.tool(t))
		}
		next := result.Get("nextCursor")
		if next.Kind != js.String {
			break
		}
		if cursors[next.Str] {
			return fakes.Listing{State: fakes.Lost, Why: "the cursor " + js.Quote(next.Str) + " came twice"}
		}
		cursors[next.Str] = true
	}
	r.name(tools)
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

func (r *codex) tool(sent js.Value) fakes.ListedTool {
	name := sent.Get("name").Str
	t := fakes.ListedTool{Name: name, Raw: []byte(sent.Raw), State: fakes.Accepted, Label: r.server + "/" + name}
	for _, k := range []string{"title", "annotations", "icons", "outputSchema", "execution", "_meta"} {
		if sent.Get(k).Kind > js.Null {
			t.Hides = append(t.Hides, k)
		}
	}
	if seen := sent.Get("_meta").Get("ui").Get("visibility"); seen.Kind == js.Array && !modelMaySee(sent.Get("_meta")) {
		t.State, t.Why = fakes.Dropped, "_meta.ui.visibility does not name the model"
		return t
	}
	schema, bad := codexSchema(sent.Get("inputSchema"))
	if bad != "" {
		t.State, t.Why = fakes.Dropped, "its input schema does not fit what Codex can hand on: "+bad
		return t
	}
	t.Schema = []byte(schema.Verbatim())
	was := sent.Get("inputSchema")
	if len(js.Changes(was, schema, 1)) > 0 && !onlyAdded(was, schema) {
		t.State, t.Why = fakes.Rewritten, "the input schema reaches the model cut down"
	}
	return t
}

// maxCodexName bounds namespace, separator and name together, in bytes.
const maxCodexName = 128

// name gives each tool its name for the model: other characters become an
// underscore, clashing and long names end in a hash of where they come from.
func (r *codex) name(tools []fakes.ListedTool) {
	namespace := "mcp__" + codexWord(r.server)
	count := map[string]int{}
	wire := map[string]bool{}
	for i := range tools {
		t := &tools[i]
		t.ModelName = codexWord(t.Name)
		if t.State == fakes.Dropped {
			continue
		}
		if wire[t.Name] {
			t.State, t.Why = fakes.Dropped, "another tool has the same name; the first one is kept"
			continue
		}
		wire[t.Name] = true
		count[t.ModelName]++
	}
	for i := range tools {
		t := &tools[i]
		if t.State == fakes.Dropped {
			continue
		}
		plain := codexWord(t.Name)
		clash := count[plain] > 1
		if clash {
			t.ModelName = plain + r.suffix(t.Name)
		}
		if room := maxCodexName - len(namespace) - len("__"); len(t.ModelName) > room {
			suffix := r.suffix(t.Name)
			t.ModelName = t.ModelName[:max(0, room-len(suffix))] + suffix
		}
		if t.ModelName != t.Name && t.State == fakes.Accepted {
			t.State, t.Why = fakes.Rewritten, "the model calls it "+t.ModelName
		}
	}
}

// suffix is the hash that tells clashing names apart.
func (r *codex) suffix(tool string) string {
	sum := sha1.Sum([]byte(strings.Join([]string{r.server, r.server, "", tool, tool}, "\x00")))
	return "_" + hex.EncodeToString(sum[:])[:12]
}

// codexWord replaces each character outside letters, digits and underscore; an
// empty name becomes one underscore.
func codexWord(s string) string {
	if s == "" {
		return "_"
	}
	return strings.Map(func(c rune) rune {
		if isWord(c) {
			return c
		}
		return '_'
	}, s)
}
