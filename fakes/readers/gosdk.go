package readers

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/segmentio/encoding/json"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// goSDK reads as a client on the Go SDK 1.8.0 does. It uses the types and the
// decoder of that SDK itself.
type goSDK struct{}

// goSDKVersion is the version of the Go SDK that this reader is built with.
const goSDKVersion = "1.8.0"

// Limits of the Go SDK.
const (
	maxGoDepth = 1000
	maxGoFrame = 16 << 20 // bytes
)

// Listing follows cursors for ever; here a cursor that comes twice ends it.
func (r goSDK) Listing(_ string, pages [][]byte) fakes.Listing {
	var tools []fakes.ListedTool
	for n, raw := range pages {
		text, err := goFrame(rustFrame(raw))
		var page mcp.ListToolsResult
		if err == nil {
			err = goDecode(text, &page)
		}
		if err != nil {
			l := fakes.Listing{State: fakes.Lost, Error: fmt.Sprintf("calling %q: %v", "tools/list", err), Why: err.Error() + "; one bad member refuses the whole list"}
			if n > 0 {
				l.Why = fmt.Sprintf("page %d: %s", n+1, l.Why)
			}
			return l
		}
		sent, err := js.Parse(text)
		if err != nil {
			return fakes.Listing{State: fakes.Lost, Why: err.Error()}
		}
		for i, t := range page.Tools {
			if wire := sent.Get("tools").Items; i < len(wire) {
				tools = append(tools, goTool(wire[i], t))
			}
		}
		if page.NextCursor == "" {
			break
		}
	}
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

func goTool(sent js.Value, tool *mcp.Tool) fakes.ListedTool {
	t := fakes.ListedTool{Name: sent.Get("name").Str, Raw: []byte(sent.Raw), State: fakes.Accepted}
	drop := func(why string) fakes.ListedTool {
		t.State, t.Why = fakes.Dropped, why
		return t
	}
	if tool == nil {
		return drop("a null among the tools is left out")
	}
	if why := headerFault(sent.Get("inputSchema"), "", map[string]bool{}); why != "" {
		return drop(why)
	}
	text, err := stdjson.Marshal(tool)
	if err != nil {
		return drop(err.Error())
	}
	kept, err := js.Parse(text)
	if err != nil {
		return drop(err.Error())
	}
	t.ModelName, t.Label = tool.Name, firstTitle(kept)
	if hints := kept.Get("annotations"); hints.Kind == js.Object {
		// The SDK writes the plain hints even where they were not sent.
		for _, k := range []string{"readOnlyHint", "idempotentHint"} {
			if !sent.Get("annotations").Has(k) {
				hints.Delete(k)
			}
		}
	}
	rewritten(&t, sent, kept)
	return t
}

// goFrame takes the result out of a line, as the transport and the decoder of
// the Go SDK do. A line that is no message ends the connection.
func goFrame(line []byte) ([]byte, error) {
	if len(line) > maxGoFrame {
		return nil, errors.New("inbound JSON-RPC frame exceeded the configured maximum line length")
	}
	dec := stdjson.NewDecoder(bytes.NewReader(line))
	var raw stdjson.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return nil, err
	}
	if rest := line[dec.InputOffset():]; len(rest) > 0 && rest[0] != '\n' && rest[0] != '\r' {
		return nil, errors.New("invalid trailing data at the end of stream")
	}
	batch := []stdjson.RawMessage{raw}
	if raw[0] == '[' || string(raw) == "null" {
		if err := goDecode(raw, &batch); err != nil {
			return nil, err
		}
		if len(batch) == 0 {
			return nil, errors.New("empty batch")
		}
	}
	result, found := []byte(nil), errNoAnswer
	for _, one := range batch {
		msg, err := jsonrpc.DecodeMessage(one)
		if err != nil {
			return nil, err
		}
		answer, ok := msg.(*jsonrpc.Response)
		if !ok || found == nil {
			continue
		}
		if _, number := answer.ID.Raw().(int64); number {
			result, found = answer.Result, answer.Error
		}
	}
	return result, found
}

// errNoAnswer stands for a message that answers no request.
var errNoAnswer = errors.New("the message answers no request")

// goDecode decodes as the Go SDK does: names of members must match exactly.
func goDecode(text []byte, into any) error {
	if goDepth(text) > maxGoDepth {
		return fmt.Errorf("json: exceeded maximum nesting depth of %d", maxGoDepth)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DontMatchCaseInsensitiveStructFields()
	return dec.Decode(into)
}

// goDepth is how deep arrays and objects go in JSON text.
func goDepth(text []byte) int {
	depth, most := 0, 0
	var quoted, escaped bool
	for _, b := range text {
		switch {
		case escaped:
			escaped = false
		case quoted && b == '\\':
			escaped = true
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			depth++
			most = max(most, depth)
		case b == '}' || b == ']':
			depth--
		}
	}
	return most
}

// headerFault says why x-mcp-header members of a schema make the SDK leave the
// tool out; "" when they do not.
func headerFault(schema js.Value, prefix string, seen map[string]bool) string {
	for _, name := range slices.Sorted(maps.Keys(members(schema.Get("properties")))) {
		p := schema.Get("properties").Get(name)
		path := strings.TrimPrefix(prefix+"."+name, ".")
		if h := p.Get("x-mcp-header"); h.Kind != js.Undefined {
			switch word := p.Get("type").Str; {
			case word != "string" && word != "integer" && word != "boolean":
				return fmt.Sprintf("property %q: x-mcp-header can only be applied to primitive types (integer, string, boolean), got %q", path, word)
			case h.Str == "":
				return fmt.Sprintf("property %q: x-mcp-header must be a non-empty string", path)
			case strings.Trim(h.Str, tokenCharacters) != "":
				return fmt.Sprintf("property %q: x-mcp-header value %q contains an invalid character", path, h.Str)
			case seen[strings.ToLower(h.Str)]:
				return fmt.Sprintf("property %q: duplicate x-mcp-header value %q (case-insensitive)", path, h.Str)
			}
			seen[strings.ToLower(h.Str)] = true
		}
		if why := headerFault(p, path, seen); why != "" {
			return why
		}
	}
	return ""
}

// tokenCharacters are those of HTTP field names.
const tokenCharacters = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func members(v js.Value) map[string]js.Value {
	out := map[string]js.Value{}
	for _, k := range v.Keys() {
		out[k] = v.Get(k)
	}
	return out
}

// Call reads an answer as CallTool does. Output schemas are not enforced.
func (r goSDK) Call(revision string, _ *fakes.ListedTool, response []byte) fakes.Answer {
	text, err := goFrame(response)
	var wire *jsonrpc.Error
	switch {
	case errors.Is(err, errNoAnswer):
		return hungCall("the id of the answer matches no request, or the message is no answer", "context deadline exceeded")
	case errors.As(err, &wire):
		return *serverError(fmt.Sprintf("calling %q: %v", "tools/call", err))
	case err != nil:
		return *refused(fmt.Sprintf("calling %q: %v", "tools/call", err), err.Error()+"; the connection ends")
	}
	var result mcp.CallToolResult
	if err := goDecode(text, &result); err != nil {
		return *refused(fmt.Sprintf("calling %q: %v", "tools/call", err), err.Error()+"; the whole result is refused")
	}
	if result.InputRequests != nil && len(result.InputRequests) == 0 {
		text := "multi-round-trip: exceeded maximum load-shedding retries (3)"
		return *refused(text, "the result asks for nothing, each time it is asked again")
	}
	if result.InputRequests != nil {
		return *inputRequired()
	}
	kept, err := stdjson.Marshal(&result)
	if err != nil {
		return *refused(err.Error(), "the result cannot be written again")
	}
	a := fakes.Answer{State: fakes.Accepted, Text: string(kept), IsError: result.IsError}
	v, err := js.Parse(kept)
	if err != nil {
		return *refused(err.Error(), err.Error())
	}
	a.Source = sourceOf(v)
	return a
}
