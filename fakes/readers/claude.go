package readers

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/zod"
)

// claude reads as Claude Code 2.1.332 does, in print mode and with a person.
// It stands on the parts of SDK v2 with schemas of its own, and puts a gate
// for the Anthropic API behind them.
type claude struct {
	server   string
	paths    bool // a note names the file of a picture
	envelope envelope
	list     map[bool]zod.Shape // by modern
	call     map[bool]zod.Shape
}

func newClaude(server string) *claude {
	str := zod.String()
	v2 := newShapesV2()
	input := zod.Object(zod.RestOf(zod.Unknown()), zod.M("type", zod.Literal("object")),
		zod.Opt("properties", zod.Record(jsonValue())), zod.Opt("required", zod.Array(str)))
	output := zod.Object(zod.Loose(), zod.Opt("$schema", str))
	block := contentBlockDated(zod.Union(isoDateTime(isoDateTimePattern), isoDateTime(isoMinutePattern)))
	return &claude{
		server: server, paths: true, envelope: v2.envelope,
		list: map[bool]zod.Shape{
			false: zod.Object(zod.Loose(), v2.meta2026, zod.Opt("nextCursor", str), zod.M("tools", zod.Array(tool2025(input, output)))),
			true: zod.Object(zod.Loose(), v2.meta2026, zod.Opt("ttlMs", zod.Int().Min(0)), zod.Opt("cacheScope", zod.Enum("public", "private")),
				zod.M("tools", zod.Array(tool2026())), zod.Opt("nextCursor", str)),
		},
		call: map[bool]zod.Shape{
			false: call2025(block),
			true: zod.Object(zod.Loose(), v2.meta2026, zod.M("content", zod.Array(block)),
				zod.M("structuredContent", zod.Unknown()), zod.Opt("isError", zod.Bool())),
		},
	}
}

// Listing keeps the tools that the API will take; one malformed tool loses all.
func (r *claude) Listing(revision string, pages [][]byte) fakes.Listing {
	var tools []fakes.ListedTool
	names := map[string]bool{}
	cursors := map[string]bool{}
	for n, raw := range pages {
		sent, err := js.Parse(raw)
		if err != nil {
			return fakes.Listing{State: fakes.Lost, Why: "the list is not valid JSON"}
		}
		opened, bad := r.envelope.response.Parse(frameOf(sent))
		if len(bad) > 0 {
			return fakes.Listing{State: fakes.Lost, Error: "Failed to fetch tools: " + claudeNoResponse, Why: whyLost(n, bad)}
		}
		result := opened.Get("result")
		if c := resultType("tools/list", result); modern(revision) && result.Has("resultType") && c.why != "" {
			return fakes.Listing{State: fakes.Lost, Error: joinNonEmpty(": ", "Failed to fetch tools", c.text), Why: c.why}
		}
		kept, bad := r.list[modern(revision)].Parse(result)
		if len(bad) > 0 {
			return fakes.Listing{State: fakes.Lost, Error: "Failed to fetch tools: Invalid result for tools/list: " + claudeIssues(revision, bad), Why: whyLost(n, bad)}
		}
		for i, t := range kept.Get("tools").Items {
			tools = append(tools, r.tool(sent.Get("tools").Items[i], t, names))
		}
		next := kept.Get("nextCursor").Str
		if next == "" || cursors[next] {
			break
		}
		cursors[next] = true
	}
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

// claudeNoResponse is what Claude Code says of an answer that breaks the envelope.
const claudeNoResponse = "The server's response is not a valid MCP response, so it was not read. The request may have run."

// claudeIssues words the issues of a result, in the way of each era.
func claudeIssues(revision string, bad zod.Issues) string {
	if modern(revision) {
		return bad.Error()
	}
	return bad.Short(", ")
}

// maxClaudeName is the longest name the model is given, prefix included.
const maxClaudeName = 128

func (r *claude) tool(sent, kept js.Value, names map[string]bool) fakes.ListedTool {
	name := sent.Get("name").Str
	t := fakes.ListedTool{
		Name: name, Raw: []byte(sent.Raw), State: fakes.Accepted,
		ModelName: "mcp__" + replaceUnits(r.server, isWordOrDash, "_") + "__" + replaceUnits(visible(name), isWordOrDash, "_"),
		Label:     claudeLabel(kept),
	}
	drop := func(why string) fakes.ListedTool {
		t.State, t.Why = fakes.Dropped, why
		return t
	}
	flat := flattenRoot(kept.Get("inputSchema"))
	if flat.fault != "" {
		return drop(fmt.Sprintf(`Skipping tool "%s": %s. Other tools from this server remain available.`, name, flat.fault))
	}
	if fault := claudeGate(flat.schema); fault != "" {
		return drop(fmt.Sprintf(`Skipping tool "%s": its input schema would be rejected by the Anthropic API (%s). Other tools from this server remain available.`, name, fault))
	}
	if !modelMaySee(kept.Get("_meta")) {
		return drop(fmt.Sprintf(`tool "%s" is kept from the model (its _meta.ui.visibility omits "model" or cannot be read)`, name))
	}
	if js.Length(t.ModelName) > maxClaudeName {
		return drop(fmt.Sprintf("the name %s is longer than %d characters, and such tools are left out without a word", t.ModelName, maxClaudeName))
	}
	if names[t.ModelName] {
		return drop("another tool is already called " + t.ModelName + "; the first one is kept")
	}
	names[t.ModelName] = true
	for _, k := range []string{"title", "annotations", "icons", "outputSchema", "execution", "_meta"} {
		if sent.Has(k) && !(k == "annotations" && len(kept.Get(k).Keys()) == 0) {
			t.Hides = append(t.Hides, k)
		}
	}
	var why []string
	clean := visibleDeep(flat.schema)
	if len(js.Changes(sent.Get("inputSchema"), clean, 1)) > 0 {
		t.Schema = []byte(clean.Stringify())
		why = append(why, "the input schema reaches the model changed")
	}
	d := visible(kept.Get("description").Str)
	if d != kept.Get("description").Str {
		why = append(why, "invisible characters are taken out of the description and compatible ones replaced")
	}
	if flat.sentence != "" {
		d = joinNonEmpty("\n\n", flat.sentence, d)
		why = append(why, "anyOf, oneOf and allOf at the root become this in the description: "+flat.sentence)
	}
	if n := js.Length(d); n > maxClaudeDescription {
		why = append(why, fmt.Sprintf("the description of %d characters is cut at %d", n, maxClaudeDescription))
	}
	if len(why) > 0 {
		t.State, t.Why = fakes.Rewritten, strings.Join(why, "; ")
	}
	return t
}

// maxClaudeDescription is where descriptions are cut, in UTF-16 units.
const maxClaudeDescription = 4096

// claudeLabel is what the permission dialog shows: annotations.title, else the
// name made readable. The title beside the name is not read.
func claudeLabel(tool js.Value) string {
	if t := tool.Get("annotations").Get("title"); t.Kind == js.String && t.Str != "" {
		return t.Str
	}
	return prettyName(tool.Get("name").Str)
}

// prettyName turns page_two_tool into Page Two Tool.
func prettyName(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == ' ' })
	for i, w := range words {
		rs := []rune(w)
		rs[0] = unicode.ToUpper(rs[0])
		words[i] = string(rs)
	}
	return strings.Join(words, " ")
}

// modelMaySee reads _meta.ui.visibility, which must be absent or name the model.
func modelMaySee(meta js.Value) bool {
	ui := meta.Get("ui")
	if ui.Kind <= js.Null {
		return true
	}
	seen := ui.Get("visibility")
	if ui.Kind != js.Object {
		return false
	}
	if seen.Kind <= js.Null {
		return true
	}
	return slices.ContainsFunc(seen.Items, func(v js.Value) bool { return v.Kind == js.String && v.Str == "model" })
}
