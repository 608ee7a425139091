package readers

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/zod"
)

// opencode reads as opencode 1.18.33 does: on SDK v1, with a second try when an
// output schema is to blame.
type opencode struct {
	server  string
	v1      *sdkV1
	relaxed zod.Shape // the list without a look at output schemas
}

func newOpencode(server string) *opencode {
	schema := objectSchemaV1(zod.Record)
	v1 := newSDKV1()
	v1.maxLine = 0
	v1.shapes.call = callV1(requestMeta(), zod.Record, contentBlockDated(isoDateTime(isoLoosePattern)))
	return &opencode{server, v1, zod.Object(zod.Loose(), requestMeta(), zod.Opt("nextCursor", zod.String()),
		zod.M("tools", zod.Array(tool2025(schema, zod.Unknown()))))}
}

// Listing follows cursors; a cursor that comes twice loses the list.
func (r *opencode) Listing(_ string, pages [][]byte) fakes.Listing {
	var tools []fakes.ListedTool
	engine := jsonschema.NewAJV(jsonschema.SDKv1)
	seen := map[string]bool{}
	for n, raw := range pages {
		p, lost := r.v1.readPage(n, raw, engine)
		if lost != nil && lost.State == fakes.Lost && blamesOutputSchema(lost.Error) {
			p, lost = r.again(n, raw)
		}
		if lost != nil {
			lost.Error = infinityIsNumber(lost.Error)
			return *lost
		}
		for i, t := range p.kept.Get("tools").Items {
			tools = append(tools, r.tool(p.sent.Get("tools").Items[i], t))
		}
		next := p.kept.Get("nextCursor")
		if next.Kind == js.Undefined {
			break
		}
		if seen[next.Str] {
			return fakes.Listing{State: fakes.Lost, Error: "MCP list returned duplicate cursor: " + next.Str, Why: "a cursor came twice"}
		}
		seen[next.Str] = true
	}
	lastWins(tools)
	return fakes.Listing{State: fakes.Accepted, Tools: tools}
}

// blamesOutputSchema is the test of the client itself, on the error text.
func blamesOutputSchema(text string) bool {
	return regexp.MustCompile(`(?i)can't resolve reference|resolves to more than one schema|outputSchema|schema.*reference|reference.*schema`).MatchString(text)
}

// again reads a page without a look at output schemas.
func (r *opencode) again(n int, raw []byte) (page, *fakes.Listing) {
	sent, err := js.Parse(raw)
	if err != nil {
		return page{}, &fakes.Listing{State: fakes.Hang, Why: "the line is not valid JSON"}
	}
	kept, bad := r.relaxed.Parse(dropProto(sent))
	if len(bad) > 0 {
		return page{}, &fakes.Listing{State: fakes.Lost, Error: bad.Error(), Why: whyLost(n, bad)}
	}
	return page{sent, kept}, nil
}

func (r *opencode) tool(sent, kept js.Value) fakes.ListedTool {
	name := sent.Get("name").Str
	t := fakes.ListedTool{Name: name, Raw: []byte(sent.Raw), State: fakes.Accepted,
		ModelName: replaceUnits(r.server, isWordOrDash, "_") + "_" + replaceUnits(name, isWordOrDash, "_")}
	t.Label = t.ModelName
	for _, k := range []string{"title", "annotations", "icons", "outputSchema", "execution", "_meta"} {
		if sent.Has(k) {
			t.Hides = append(t.Hides, k)
		}
	}
	in := kept.Get("inputSchema").Copy()
	in.Set("type", js.Str("object"))
	if in.Get("properties").Kind == js.Undefined {
		in.Set("properties", js.NewObject())
	}
	in.Set("additionalProperties", js.Boolean(false))
	t.Schema = []byte(in.Stringify())
	if len(js.Changes(sent.Get("inputSchema"), in, 1)) > 0 && !onlyAdded(sent.Get("inputSchema"), in) {
		t.State, t.Why = fakes.Rewritten, "the input schema reaches the model changed"
	}
	return t
}

// Call gives the model the text blocks; structuredContent only without blocks.
func (r *opencode) Call(_ string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	if tool != nil && r.unchecked(tool) {
		bare := *tool
		bare.Raw = nil
		tool = &bare
	}
	result, a := r.v1.result(tool, response)
	if a != nil {
		a.Error = infinityIsNumber(a.Error)
		a.Text = a.Error
		return *a
	}
	content := result.Get("content").Items
	sc := result.Get("structuredContent")
	if result.Get("isError").IsTrue() {
		var texts []string
		for _, t := range blockTexts(result.Get("content")) {
			if strings.TrimSpace(t) != "" {
				texts = append(texts, t)
			}
		}
		out := *serverError(strings.Join(texts, "\n\n"))
		out.Source, out.Why = "text", "the tool reported an error"
		if len(texts) == 0 {
			out.Error, out.Source = "MCP tool returned an error", "none"
		}
		out.Text = out.Error
		if sc.Kind != js.Undefined {
			out.Hides = append(out.Hides, "structuredContent")
		}
		return out
	}
	out := fakes.Answer{State: fakes.Accepted, Source: "text"}
	if result.Has("_meta") {
		out.Hides = append(out.Hides, "_meta")
	}
	if len(content) == 0 {
		out.Source = "none"
		if sc.Kind > js.Null {
			out.Source, out.Text = "structuredContent", sc.Stringify()
		}
		cutOpencode(&out)
		return out
	}
	if sc.Kind != js.Undefined {
		out.Hides = append(out.Hides, "structuredContent")
	}
	text, note := opencodeText(content, &out)
	out.Text = text
	cutOpencode(&out)
	out.Text += note
	return out
}

// unchecked says whether the output schema of a tool made the list come by the
// second try, after which results are not checked.
func (r *opencode) unchecked(tool *fakes.ListedTool) bool {
	_, lost := r.v1.readPage(0, []byte(fmt.Sprintf(`{"tools":[%s]}`, tool.Raw)), jsonschema.NewAJV(jsonschema.SDKv1))
	return lost != nil
}

// opencodeText joins what opencode shows of the blocks. Pictures and documents go
// to the model as attachments, if they can be read.
func opencodeText(content []js.Value, out *fakes.Answer) (text, note string) {
	var parts []string
	lost := 0
	attach := func(mime, data string) {
		if strings.HasPrefix(mime, "image/") && sniffImage(data) == "" {
			lost++
		}
	}
	for _, b := range content {
		switch b.Get("type").Str {
		case "text":
			parts = append(parts, b.Get("text").Str)
		case "image":
			attach(b.Get("mimeType").Str, b.Get("data").Str)
		case "resource":
			res := b.Get("resource")
			if t := res.Get("text").Str; t != "" {
				parts = append(parts, t)
			}
			if note := attachment(res); note != "" {
				parts = append(parts, note)
				out.Hides = append(out.Hides, "content: blob")
			} else if res.Has("blob") {
				attach(res.Get("mimeType").Str, res.Get("blob").Str)
			}
		default:
			out.Hides = append(out.Hides, "content: "+b.Get("type").Str)
		}
	}
	if lost > 0 {
		note = fmt.Sprintf("\n\n[%d image%s omitted: could not be resized below the image size limit.]", lost, plural(lost))
	}
	return strings.Join(parts, "\n\n"), note
}

// attachment is the note on a blob that is not attached; "" when it is.
func attachment(res js.Value) string {
	blob, mime := res.Get("blob").Str, "application/octet-stream"
	if blob == "" {
		return ""
	}
	if m := res.Get("mimeType"); m.Kind == js.String {
		mime = m.Str
	}
	size := len(decodeBase64(blob))
	head := fmt.Sprintf("[Binary MCP resource omitted: %s (%s, %s) ", res.Get("uri").Str, mime, roundedSize(size))
	if mime != "application/pdf" && !shownImage(mime) {
		return head + "is not a supported attachment type]"
	}
	if size > maxOpencodeBlob {
		return head + "exceeds " + roundedSize(maxOpencodeBlob) + "]"
	}
	return ""
}

// maxOpencodeBlob is the size in bytes up to which a blob is attached.
const maxOpencodeBlob = 10 << 20

// roundedSize is a size in bytes as opencode shows it.
func roundedSize(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%d KB", (n+1<<10-1)>>10)
	}
	return fmt.Sprintf("%d MB", (n+1<<20-1)>>20)
}
