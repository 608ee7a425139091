package readers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers"
)

// column is one client of the tables below, in the revision it was seen in.
type column struct{ client, revision string }

func fiveCLIs() []column {
	return []column{
		{"claude-code", "2026-07-28"}, {"codex", "2025-06-18"}, {"gemini-cli", "2025-06-18"},
		{"opencode", "2025-11-25"}, {"copilot-cli", "2026-07-28"},
	}
}

// sixTools is a list of six tools, the first of which can be made defective.
func sixTools() string {
	list := `{"tools":[{"name":"t1","description":"d","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`
	for i := 2; i <= 6; i++ {
		list += fmt.Sprintf(`,{"name":"t%d","inputSchema":{"type":"object","properties":{}}}`, i)
	}
	return list + `],"resultType":"complete","ttlMs":60000,"cacheScope":"private"}`
}

// listVerdict says what of six tools a client shows: "ok" for all, "0" for none,
// "dropped" when the first alone is gone, else a number.
func listVerdict(l fakes.Listing) string {
	if l.State != fakes.Accepted {
		return "0"
	}
	shown := 0
	for _, t := range l.Tools {
		if t.State != fakes.Dropped {
			shown++
		}
	}
	switch {
	case len(l.Tools) == 6 && shown == 6:
		return "ok"
	case shown == 5 && l.Tools[0].State == fakes.Dropped:
		return "dropped"
	}
	return fmt.Sprint(shown)
}

// TestDefectsInLists is what five command lines were seen to do with one
// defect in the first of six tools, or in the list around them.
func TestDefectsInLists(t *testing.T) {
	t.Parallel()
	const tool, in = "tools.0.", "tools.0.inputSchema"
	for _, row := range []struct {
		place, value string
		want         string // one word a client, in the order of fiveCLIs
	}{
		{tool + "title", "null", "0 ok 0 0 ok"},
		{tool + "description", "null", "0 ok 0 0 ok"},
		{tool + "annotations", "null", "0 ok 0 0 ok"},
		{tool + "icons", "null", "0 ok 0 0 ok"},
		{tool + "_meta", "null", "0 ok 0 0 ok"},
		{tool + "outputSchema", "null", "0 ok 0 ok ok"},
		{tool + "annotations.readOnlyHint", "null", "0 ok 0 0 ok"},
		{tool + "annotations.title", "null", "0 ok 0 0 ok"},
		{tool + "execution", "null", "ok ok ok 0 ok"},
		{tool + "execution.taskSupport", `"sometimes"`, "ok ok ok 0 ok"},
		{tool + "annotations.readOnlyHint", `"true"`, "0 0 0 0 ok"},
		{tool + "description", "5", "0 0 0 0 ok"},
		{tool + "icons", `[{"mimeType":"image/png"}]`, "0 0 0 0 ok"},
		{tool + "icons", `[{"src":"s","sizes":"48x48"}]`, "0 0 0 0 ok"},
		{in + ".properties", "null", "ok ok 0 0 ok"},
		{in + ".required", "null", "ok ok 0 0 ok"},
		{in, "null", "0 0 0 0 ok"},
		{in + ".type", "", "0 ok 0 0 ok"},
		{tool + "name", "", "0 0 0 0 ok"},
		{in + ".properties.a", "true", "ok ok 0 0 ok"},
		{tool + "outputSchema", `{"type":"string"}`, "ok ok 0 ok ok"},
		{tool + "outputSchema", `{"type":"array"}`, "ok ok 0 ok ok"},
		{tool + "outputSchema", `{"type":"object","properties":{"a":{"type":"strnig"}}}`, "ok ok ok 0 ok"},
		{in + ".properties.a", `{"type":"array","items":[{"type":"string"}]}`, "dropped dropped ok ok ok"},
		{in + ".properties.a", `{"type":"string","required":true}`, "dropped dropped ok ok ok"},
		{in + ".properties.a", `{"type":"strnig"}`, "dropped ok ok ok ok"},
		{in + ".properties.a", `{"type":"string","pattern":"("}`, "ok ok ok ok ok"},
		{in + ".properties.a", `{"$ref":"#/$defs/Nope"}`, "ok ok ok ok ok"},
		{in + ".properties.a", `{"$ref":"https://example.com/s.json"}`, "ok ok ok ok ok"},
		{in + ".if", `{"required":["a"]}`, "ok ok ok ok ok"},
		{in + ".properties.a", `{"not":{"type":"string"}}`, "ok ok ok ok ok"},
		{in + ".properties.$a b", `{"type":"string"}`, "dropped ok ok ok ok"},
		{"nextCursor", "null", "0 ok 0 0 ok"},
		{"_meta", "null", "0 ok 0 0 ok"},
	} {
		raw := put(sixTools(), row.place, row.value)
		for i, want := range strings.Fields(row.want) {
			c := fiveCLIs()[i]
			r, _ := readers.For(c.client)
			l := r.Listing(c.revision, [][]byte{[]byte(raw)})
			if got := listVerdict(l); got != want {
				t.Errorf("%s: %s = %s: fake %s, seen %s\n\t%s %s", c.client, row.place, row.value, got, want, l.Error, l.Why)
			}
		}
	}
}

// TestDefectsInPages is what they do with pages.
func TestDefectsInPages(t *testing.T) {
	t.Parallel()
	page := func(cursor string) []byte { return []byte(put(sixTools(), "nextCursor", cursor)) }
	end := []byte(sixTools())
	for _, row := range []struct {
		about string
		pages [][]byte
		want  string
	}{
		{"an empty cursor, with which the server begins again", [][]byte{page(`""`), page(`""`)}, "6 0 6 0 0"},
		{"a cursor that repeats", [][]byte{page(`"again"`), page(`"again"`)}, "6 0 6 0 0"},
		{"two pages", [][]byte{page(`"two"`), []byte(strings.ReplaceAll(string(end), `"name":"t`, `"name":"u`))}, "12 12 6 12 12"},
	} {
		for i, want := range strings.Fields(row.want) {
			c := fiveCLIs()[i]
			r, _ := readers.For(c.client)
			l := r.Listing(c.revision, row.pages)
			shown := 0
			if l.State == fakes.Accepted {
				for _, tool := range l.Tools {
					if tool.State != fakes.Dropped {
						shown++
					}
				}
			}
			if fmt.Sprint(shown) != want {
				t.Errorf("%s: %s: fake shows %d tools, seen %s\n\t%s %s", c.client, row.about, shown, want, l.State, l.Why)
			}
		}
	}
}

// TestDefectsInResults is what they do with one defect in the answer to a call:
// "ok", "error" as a result, "fails", or "hangs".
func TestDefectsInResults(t *testing.T) {
	t.Parallel()
	const good = `{"content":[{"type":"text","text":"hello"}],"resultType":"complete"}`
	const both = `{"content":[{"type":"text","text":"hello"}],"structuredContent":{"a":1},"resultType":"complete"}`
	with := func(base, place, value string) string { return put(base, place, value) }
	link := `{"content":[{"type":"resource_link","uri":"u://1"}],"resultType":"complete"}`
	for _, row := range []struct {
		about, result string
		want          string
	}{
		{"isError null", with(good, "isError", "null"), "fails ok fails fails ok"},
		{"_meta of a block null", with(good, "content.0._meta", "null"), "fails ok fails fails ok"},
		{"mimeType of a resource null", `{"content":[{"type":"resource","resource":{"uri":"u://1","mimeType":null,"text":"t"}}],"resultType":"complete"}`, "fails ok fails fails ok"},
		{"annotations of a block null", with(good, "content.0.annotations", "null"), "fails ok ok fails ok"},
		{"structuredContent null", with(good, "structuredContent", "null"), "ok ok fails fails ok"},
		{"content null, with structure", with(both, "content", "null"), "fails ok fails fails ok"},
		{"content missing, with structure", with(both, "content", ""), "fails ok ok ok ok"},
		{"content a string", with(good, "content", `"hello"`), "fails fails fails fails fails"},
		{"text null", with(good, "content.0.text", "null"), "fails fails fails fails fails"},
		{"text a number", with(good, "content.0.text", "5"), "fails fails fails fails fails"},
		{"link without name", link, "fails fails fails fails fails"},
		{"image data no base64", `{"content":[{"type":"image","data":"!","mimeType":"image/png"}],"resultType":"complete"}`, "fails ok fails fails ok"},
		{"_meta of the result null", with(good, "_meta", "null"), "fails ok hangs hangs ok"},
		{"the result a string", `"hello"`, "fails fails hangs hangs fails"},
		{"unknown members", with(with(good, "extra", "1"), "content.0.extra", "1"), "ok ok ok ok ok"},
	} {
		for i, want := range strings.Fields(row.want) {
			c := fiveCLIs()[i]
			r, _ := readers.For(c.client)
			tool := &fakes.ListedTool{Name: "t", ModelName: "t", Raw: []byte(`{"name":"t","inputSchema":{"type":"object"}}`)}
			a := r.Call(c.revision, tool, []byte(`{"jsonrpc":"2.0","id":1,"result":`+row.result+`}`))
			got := map[fakes.State]string{fakes.Accepted: "ok", fakes.Failed: "fails", fakes.Hang: "hangs"}[a.State]
			if got != want {
				t.Errorf("%s: %s: fake %s, seen %s\n\t%s %s", c.client, row.about, got, want, a.Error, a.Why)
			}
		}
	}
}

// TestDefectsInOtherClients is what further clients were seen to do.
func TestDefectsInOtherClients(t *testing.T) {
	t.Parallel()
	same := put(sixTools(), "tools.0.name", `"t2"`)
	for _, row := range []struct {
		client, about, raw, want string
	}{
		{"claude-code-2.1.197", "no inputSchema", put(sixTools(), "tools.0.inputSchema", ""), "0"},
		{"claude-code-2.1.197", "outputSchema of an array", put(sixTools(), "tools.0.outputSchema", `{"type":"array"}`), "0"},
		{"claude-code-2.1.197", "anyOf at the root", put(sixTools(), "tools.0.inputSchema.anyOf", `[{"required":["a"]}]`), "dropped"},
		{"claude-code-2.1.197", "unknown type", put(sixTools(), "tools.0.inputSchema.properties.a.type", `"strnig"`), "ok"},
		{"claude-code-2.1.197", "a name twice", same, "5"},
		{"qwen-code", "no inputSchema", put(sixTools(), "tools.0.inputSchema", ""), "0"},
		{"qwen-code", "outputSchema of an array", put(sixTools(), "tools.0.outputSchema", `{"type":"array"}`), "ok"},
		{"qwen-code", "a name twice", same, "0"},
		{"cline", "no inputSchema", put(sixTools(), "tools.0.inputSchema", ""), "dropped"},
		{"cline", "outputSchema of an array", put(sixTools(), "tools.0.outputSchema", `{"type":"array"}`), "ok"},
		{"cline", "a name twice", same, "dropped"},
		{"continue", "no inputSchema", put(sixTools(), "tools.0.inputSchema", ""), "0"},
		{"continue", "outputSchema of an array", put(sixTools(), "tools.0.outputSchema", `{"type":"array"}`), "0"},
		{"continue", "a name twice", same, "ok"},
		{"openai-agents", "no inputSchema", put(sixTools(), "tools.0.inputSchema", ""), "0"},
		{"openai-agents", "outputSchema of an array", put(sixTools(), "tools.0.outputSchema", `{"type":"array"}`), "0"},
		{"openai-agents", "a name twice", same, "0"},
		{"mcp-use", "no inputSchema", put(sixTools(), "tools.0.inputSchema", ""), "0"},
		{"mcp-use", "outputSchema of an array", put(sixTools(), "tools.0.outputSchema", `{"type":"array"}`), "0"},
		{"claude-desktop", "a dot in a name", put(sixTools(), "tools.0.name", `"a.b"`), "0"},
		{"vscode", "an array without items", put(sixTools(), "tools.0.inputSchema.properties.a.type", `"array"`), "dropped"},
		{"windsurf", "an array without items", put(sixTools(), "tools.0.inputSchema.properties.a.type", `"array"`), "0"},
		{"goose", "a name twice", same, "0"},
		{"chatgpt", "items as a list", put(sixTools(), "tools.0.inputSchema.properties.a", `{"type":"array","items":[{}]}`), "0"},
	} {
		r, _ := readers.For(row.client)
		if got := listVerdict(r.Listing("2025-11-25", [][]byte{[]byte(row.raw)})); got != row.want {
			t.Errorf("%s: %s: fake %s, want %s", row.client, row.about, got, row.want)
		}
	}
}

// TestNamesForTheModel is what each client calls a tool dotted.name.tool of a
// server rec.
func TestNamesForTheModel(t *testing.T) {
	t.Parallel()
	for client, want := range map[string]string{
		"claude-code":         "mcp__rec__dotted_name_tool",
		"claude-code-2.1.197": "mcp__rec__dotted_name_tool",
		"codex":               "dotted_name_tool",
		"copilot-cli":         "rec-dotted-name-tool",
		"gemini-cli":          "mcp_rec_dotted.name.tool",
		"qwen-code":           "mcp__rec__dotted_name_tool_01qenm4",
		"opencode":            "rec_dotted_name_tool",
		"cline":               "rec__dotted_name_tool_f3099402",
		"continue":            "dotted.name.tool",
		"ai-sdk":              "dotted.name.tool",
		"openai-agents":       "dotted_name_tool",
		"langchain":           "dotted.name.tool",
		"mastra":              "rec_dotted.name.tool",
		"pi":                  "mcp__rec__dotted_name_tool",
		"omp":                 "mcp__rec_dotted_name_tool",
	} {
		r, _ := readers.ForServer(client, "rec")
		l := r.Listing("2025-11-25", [][]byte{[]byte(`{"tools":[{"name":"dotted.name.tool","inputSchema":{"type":"object","properties":{}}}]}`)})
		if len(l.Tools) != 1 || l.Tools[0].ModelName != want {
			t.Errorf("%s: %+v, want the name %s", client, l.Tools, want)
		}
	}
}

// TestNamesInASCII is how Copilot CLI writes names in other letters.
func TestNamesInASCII(t *testing.T) {
	t.Parallel()
	r, _ := readers.ForServer("copilot-cli", "s")
	for name, want := range map[string]string{"bücher": "s-xn--bcher-kva", "münchen.ost": "s-xn--mnchen-3ya-ost", "日本": "s-xn--wgv71a", "a b": "s-a-b"} {
		l := r.Listing("2025-11-25", [][]byte{[]byte(`{"tools":[{"name":"` + name + `","inputSchema":{"type":"object"}}]}`)})
		if len(l.Tools) != 1 || l.Tools[0].ModelName != want {
			t.Errorf("%s: %+v, want %s", name, l.Tools, want)
		}
	}
}
