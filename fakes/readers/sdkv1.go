package readers

import (
	"fmt"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/zod"
)

// sdkV1 reads as the client of the TypeScript SDK 1.32.2 does over stdio. Many
// clients are built on it; they use its parts.
type sdkV1 struct {
	shapes  shapesV1
	maxLine int // bytes that the transport takes in one line; 0 for any
}

func newSDKV1() *sdkV1 { return &sdkV1{newShapesV1(), maxLineV1} }

// maxLineV1 is the longest line the stdio transport takes, in bytes.
const maxLineV1 = 10 << 20

// What becomes of a longer line.
const (
	closedV1   = "MCP error -32000: Connection closed"
	whyTooLong = "the line is longer than 10 MiB: the stdio transport closes the connection"
)

// Listing reads pages as listTools does, one call a page.
func (r *sdkV1) Listing(_ string, pages [][]byte) fakes.Listing {
	lists, lost := r.lists(pages)
	if lost != nil {
		return *lost
	}
	var tools []fakes.ListedTool
	for _, l := range lists {
		tools = append(tools, keptTools(l.sent, l.kept)...)
	}
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

// page is one tools/list result as sent and as a client keeps it.
type page struct{ sent, kept js.Value }

// lists reads each page; the second value is set when one of them loses the list.
func (r *sdkV1) lists(pages [][]byte) ([]page, *fakes.Listing) {
	var out []page
	engine := jsonschema.NewAJV(jsonschema.SDKv1)
	for n, raw := range pages {
		p, lost := r.readPage(n, raw, engine)
		if lost != nil {
			return nil, lost
		}
		out = append(out, p)
	}
	return out, nil
}

// readPage reads one page. Without an engine output schemas are not compiled.
func (r *sdkV1) readPage(n int, raw []byte, engine *jsonschema.AJVEngine) (page, *fakes.Listing) {
	if r.maxLine > 0 && len(raw) > r.maxLine {
		return page{}, &fakes.Listing{State: fakes.Lost, Error: closedV1, Why: whyTooLong}
	}
	sent, err := js.Parse(raw)
	if err != nil {
		return page{}, &fakes.Listing{State: fakes.Hang, Why: "the line is not valid JSON, so it is dropped and the request waits for its limit"}
	}
	opened, bad := r.shapes.response.Parse(frameOf(sent))
	if len(bad) > 0 {
		return page{}, &fakes.Listing{State: fakes.Hang,
			Why: "the result breaks the envelope (" + bad[0].Where() + ": " + bad[0].Message + "), so the message is dropped and the request waits for its limit"}
	}
	kept, bad := r.shapes.list.Parse(opened.Get("result"))
	if len(bad) > 0 {
		return page{}, &fakes.Listing{State: fakes.Lost, Error: bad.Error(), Why: whyLost(n, bad)}
	}
	if engine == nil {
		return page{sent, kept}, nil
	}
	for _, t := range sent.Get("tools").Items {
		if text := compileOutput(engine, t.Get("outputSchema")); text != "" {
			return page{}, &fakes.Listing{State: fakes.Lost, Error: text,
				Why: fmt.Sprintf("the outputSchema of %q does not compile, and then listing fails as a whole: %s", t.Get("name").Str, text)}
		}
	}
	return page{sent, kept}, nil
}

// frameOf puts a result into the smallest whole answer.
func frameOf(result js.Value) js.Value {
	f := js.NewObject()
	f.Set("jsonrpc", js.Str("2.0"))
	f.Set("id", js.Num(1))
	f.Set("result", result)
	return f
}

// dropProto takes away the member that a loose zod object never copies.
func dropProto(v js.Value) js.Value {
	if !v.Has("__proto__") {
		return v
	}
	out := v.Copy()
	out.Delete("__proto__")
	return out
}

func whyLost(n int, bad zod.Issues) string {
	where := bad[0].Where()
	if where == "" {
		where = "the result"
	}
	s := where + ": " + bad[0].Message + "; one bad member refuses the whole list"
	if n > 0 {
		s = fmt.Sprintf("page %d: %s", n+1, s)
	}
	return s
}

// keptTools pairs the tools of a page as sent with the tools as kept.
func keptTools(sent, kept js.Value) []fakes.ListedTool {
	wire := sent.Get("tools").Items
	out := make([]fakes.ListedTool, len(wire))
	for i, t := range kept.Get("tools").Items {
		out[i] = libraryTool(wire[i], t)
	}
	return out
}

// libraryTool is a tool as a library hands it to its caller: named and titled
// as listed, less what the library drops.
func libraryTool(sent, kept js.Value) fakes.ListedTool {
	t := fakes.ListedTool{
		Name: sent.Get("name").Str, Raw: []byte(sent.Raw), State: fakes.Accepted,
		ModelName: kept.Get("name").Str, Label: firstTitle(kept),
	}
	rewritten(&t, sent, kept)
	return t
}

// rewritten notes what differs between the tool as sent and as kept.
func rewritten(t *fakes.ListedTool, sent, kept js.Value) {
	changes := js.Changes(sent, kept, 20)
	if len(changes) == 0 {
		return
	}
	t.State = fakes.Rewritten
	var paths []string
	for _, c := range changes {
		paths = append(paths, c.Path)
		if c.Gone {
			t.Hides = append(t.Hides, c.Path)
		}
	}
	t.Why = "dropped or changed: " + strings.Join(paths, ", ")
	if in := kept.Get("inputSchema"); len(js.Changes(sent.Get("inputSchema"), in, 1)) > 0 {
		t.Schema = []byte(in.Stringify())
	}
}

// firstTitle is the label by the specification's own order: title, then
// annotations.title, then name.
func firstTitle(tool js.Value) string {
	for _, v := range []js.Value{tool.Get("title"), tool.Get("annotations").Get("title"), tool.Get("name")} {
		if v.Kind == js.String && v.Str != "" {
			return v.Str
		}
	}
	return ""
}

// Call reads an answer as callTool does.
func (r *sdkV1) Call(_ string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	result, a := r.result(tool, response)
	if a != nil {
		return *a
	}
	return libraryAnswer(result)
}

// result gives the checked result of an answer, or what became of it instead.
func (r *sdkV1) result(tool *fakes.ListedTool, response []byte) (js.Value, *fakes.Answer) {
	sent, a := r.open(response)
	if a != nil {
		return sent, a
	}
	kept, bad := r.shapes.call.Parse(sent)
	if len(bad) > 0 {
		return kept, refused(bad.Error(), "the result is refused: "+bad.Short("; "))
	}
	if bad := checkOutput(jsonschema.SDKv1, tool, kept, true); bad != nil {
		msg := fmt.Sprintf("MCP error %d: %s", bad.code, bad.text)
		return kept, refused(msg, bad.text)
	}
	return kept, nil
}

// open takes an answer out of its envelope.
func (r *sdkV1) open(response []byte) (js.Value, *fakes.Answer) {
	frame, a := openFrame(r.shapes.envelope, r.maxLine, closedV1, response)
	if a != nil {
		return frame, a
	}
	if e := frame.Get("error"); e.Kind != js.Undefined {
		return frame, serverError(fmt.Sprintf("MCP error %s: %s", js.FormatNumber(e.Get("code").Num), e.Get("message").Str))
	}
	return frame.Get("result"), nil
}

// openFrame reads one line as the stdio transport of both SDKs does; closed is
// the error text when the connection goes.
func openFrame(e envelope, maxLine int, closed string, response []byte) (js.Value, *fakes.Answer) {
	if maxLine > 0 && len(response) > maxLine {
		return js.Value{}, refused(closed, whyTooLong)
	}
	frame, err := js.Parse(response)
	if err != nil {
		return frame, hang("the line is not one JSON value, so it is dropped")
	}
	kept, bad := e.message.Parse(frame)
	if len(bad) > 0 {
		return frame, hang("the message breaks the envelope and is dropped: " + envelopeFault(frame, e.response, e.failure))
	}
	if kept.Has("method") {
		return frame, hang("the message is a request or notification, no answer")
	}
	if !idMatchesNumber(kept.Get("id")) {
		return frame, hang("the id of the answer matches no request")
	}
	return kept, nil
}

// envelopeFault names what is wrong with an answer that no envelope shape took.
func envelopeFault(frame js.Value, response, failure zod.Shape) string {
	shape := response
	if frame.Has("error") && !frame.Has("result") {
		shape = failure
	}
	_, bad := shape.Parse(frame)
	return bad.Short("; ")
}

func hang(why string) *fakes.Answer {
	return &fakes.Answer{State: fakes.Hang, Source: "none", Why: why + "; the call waits for its limit"}
}

func refused(msg, why string) *fakes.Answer {
	return &fakes.Answer{State: fakes.Failed, Error: msg, Text: msg, Source: "error", IsError: true, Why: why}
}

func serverError(msg string) *fakes.Answer {
	return &fakes.Answer{State: fakes.Failed, Error: msg, Text: msg, Source: "error", IsError: true,
		Why: "the server answered with a JSON-RPC error"}
}

// libraryAnswer is a result as a library hands it to its caller: whole.
func libraryAnswer(result js.Value) fakes.Answer {
	return fakes.Answer{State: fakes.Accepted, Text: result.Stringify(), Source: sourceOf(result), IsError: result.Get("isError").IsTrue()}
}

// sourceOf says what of text and structuredContent a whole result carries.
func sourceOf(result js.Value) string {
	text := len(result.Get("content").Items) > 0
	structured := result.Get("structuredContent").Kind > js.Null
	switch {
	case text && structured:
		return "both"
	case text:
		return "text"
	case structured:
		return "structuredContent"
	}
	return "none"
}
