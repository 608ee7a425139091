package matchers_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"github.com/agntn/conform/suite/matchers"
)

func failed(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func answer(structured any, text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{StructuredContent: structured, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// TestMatchers has for each matcher answers that fit and answers that do not, with
// what it says of them.
func TestMatchers(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	tool := &mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`), OutputSchema: json.RawMessage(schema)}
	for name, c := range map[string]struct {
		m      types.GomegaMatcher
		actual any
		// says is part of the failure message, "" where the answer fits.
		says string
	}{
		"a tool error":             {matchers.BeToolError(), failed("no"), ""},
		"with its text":            {matchers.BeToolError("no"), failed("no"), ""},
		"with a matcher":           {matchers.BeToolError(gomega.ContainSubstring("no"), gomega.HavePrefix("n")), failed("no"), ""},
		"another text":             {matchers.BeToolError("yes"), failed("no"), "to equal"},
		"raw":                      {matchers.BeToolError(), []byte(`{"content":[{"type":"text","text":"x"}],"isError":true}`), ""},
		"a whole response":         {matchers.BeToolError(), json.RawMessage(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x"}],"isError":true}}`), ""},
		"a success":                {matchers.BeToolError(), answer(nil, "fine"), "isError is not true"},
		"an error with a picture":  {matchers.BeToolError(), &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.ImageContent{MIMEType: "image/png", Data: []byte("x")}}}, "block 1 of its content is image"},
		"an error without text":    {matchers.BeToolError(), &mcp.CallToolResult{IsError: true, Content: []mcp.Content{}}, "it says nothing"},
		"one line each":            {matchers.HaveOneLinePerProblem("title", "limit"), failed("title: required\nlimit: must be at least 1"), ""},
		"one line each, CRLF":      {matchers.HaveOneLinePerProblem("title", "limit"), "limit: x\r\ntitle: y\r\n", ""},
		"two on a line":            {matchers.HaveOneLinePerProblem("title", "limit"), failed("title and limit are wrong"), "line 1 names title and limit"},
		"one is not told":          {matchers.HaveOneLinePerProblem("title", "limit"), failed("title: required"), "no line names limit"},
		"a line too many":          {matchers.HaveOneLinePerProblem("title"), failed("title: required\nplease try again"), "line 2 names none of them"},
		"one problem on two lines": {matchers.HaveOneLinePerProblem("title"), failed("title: required\ntitle: it really is"), "2 lines for 1 problems"},
		"part of a word":           {matchers.HaveOneLinePerProblem("id"), failed("invalid input"), "names none of them"},
		"one line":                 {matchers.BeOneLine(), failed("no"), ""},
		"two lines":                {matchers.BeOneLine(), failed("no\nnever"), "it has 2 lines"},
		"two blocks":               {matchers.BeOneLine(), &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "a"}, &mcp.TextContent{Text: "b"}}}, "it has 2 lines"},
		"calm":                     {matchers.BeFreeOfControlCharacters(), answer(map[string]any{"a": []any{"b\tc\n"}}, "é 日本\n"), ""},
		"a calm text":              {matchers.BeFreeOfControlCharacters(), "fine", ""},
		"escape codes":             {matchers.BeFreeOfControlCharacters(), failed("\x1b[31mred"), "content[0].text holds U+001B"},
		"a hidden direction":       {matchers.BeFreeOfControlCharacters(), "a\u202eb", "the text holds U+202E"},
		"in a structured value":    {matchers.BeFreeOfControlCharacters(), answer(map[string]any{"a": []any{"b", "\x00"}}, "x"), "structuredContent.a[1] holds U+0000"},
		"in a key":                 {matchers.BeFreeOfControlCharacters(), answer(map[string]any{"a\u200b": 1}, "x"), "a key of structuredContent holds U+200B"},
		"fits":                     {matchers.MatchOutputSchema(schema), answer(map[string]any{"n": 3}, "3"), ""},
		"fits the tool":            {matchers.MatchOutputSchema(tool), answer(map[string]any{"n": 3}, "3"), ""},
		"fits a map":               {matchers.MatchOutputSchema(map[string]any{"type": "object"}), answer(map[string]any{}, ""), ""},
		"misfits":                  {matchers.MatchOutputSchema(schema), answer(map[string]any{"n": "3"}, "3"), "n "},
		"lacks":                    {matchers.MatchOutputSchema(tool), answer(map[string]any{}, "3"), "n "},
		"nothing structured":       {matchers.MatchOutputSchema(schema), answer(nil, "3"), "no structuredContent"},
		"told":                     {matchers.TellEveryFact(), answer(map[string]any{"name": "Ada Lovelace", "n": 1815}, "Ada Lovelace, born 1,815"), ""},
		"told as JSON":             {matchers.TellEveryFact(), answer(map[string]any{"a": "b"}, `{"a":"b"}`), ""},
		"untold":                   {matchers.TellEveryFact(), answer(map[string]any{"name": "Ada", "born": map[string]any{"year": 1815}}, "Ada"), "no content block says born.year"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fits, err := c.m.Match(c.actual)
			if err != nil {
				t.Fatal(err)
			}
			if fits != (c.says == "") {
				t.Errorf("fits: %v", fits)
			}
			if text := c.m.FailureMessage(c.actual); c.says != "" && !strings.Contains(text, c.says) {
				t.Errorf("%q is not said in\n%s", c.says, text)
			}
			if text := c.m.NegatedFailureMessage(c.actual) + c.m.FailureMessage(c.actual); strings.ContainsAny(text, "\x1b\x00\u202e") {
				t.Errorf("a raw control character in %q", text)
			}
		})
	}
}

// TestMatchersRefuse has what is no answer or no schema: an error, not a verdict.
func TestMatchersRefuse(t *testing.T) {
	t.Parallel()
	fine := answer(map[string]any{}, "x")
	for name, c := range map[string]struct {
		m      types.GomegaMatcher
		actual any
		says   string
	}{
		"nil":               {matchers.BeToolError(), nil, "got nil"},
		"a number":          {matchers.BeToolError(), 3, "got a int that is no JSON object"},
		"a channel":         {matchers.BeOneLine(), make(chan int), "got a chan int"},
		"no JSON":           {matchers.BeToolError(), []byte("nonsense"), "no JSON object"},
		"another result":    {matchers.BeToolError(), []byte(`{"tools":[]}`), "without content"},
		"a JSON-RPC error":  {matchers.BeToolError(), []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}`), `got the JSON-RPC error {"code":-32602`},
		"no schema":         {matchers.MatchOutputSchema(nil), fine, "needs a schema"},
		"a broken schema":   {matchers.MatchOutputSchema(`{"type":7}`), fine, "the output schema cannot be used"},
		"a schema far away": {matchers.MatchOutputSchema(`{"$ref":"https://example.com/s.json"}`), fine, "the output schema cannot be used"},
		"a tool without":    {matchers.MatchOutputSchema(&mcp.Tool{Name: "t", InputSchema: map[string]any{}}), fine, "the tool t has no outputSchema"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fits, err := c.m.Match(c.actual)
			if fits || err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("fits: %v, error %v, want one that says %q", fits, err, c.says)
			}
		})
	}
}
