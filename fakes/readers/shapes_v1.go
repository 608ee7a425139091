package readers

import (
	"regexp"
	"strings"

	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/zod"
)

// shapesV1 are the zod shapes of the TypeScript SDK 1.32.2, member for member
// and in its order, because that is the order in which it hands values on.
type shapesV1 struct {
	envelope
	list, call zod.Shape
}

func newShapesV1() shapesV1 {
	str := zod.String()
	s := shapesV1{envelope: newEnvelope(requestMeta())}
	schema := objectSchemaV1(zod.Record)
	s.list = zod.Object(zod.Loose(), requestMeta(), zod.Opt("nextCursor", str),
		zod.M("tools", zod.Array(tool2025(schema, schema))))
	s.call = callV1(requestMeta(), zod.Record, contentBlock())
	return s
}

// objectSchemaV1 is the shape of inputSchema and outputSchema.
func objectSchemaV1(record func(zod.Shape) zod.Shape) zod.Shape {
	return zod.Object(zod.RestOf(zod.Unknown()),
		zod.M("type", zod.Literal("object")),
		zod.Opt("properties", record(zod.Custom(isReference))),
		zod.Opt("required", zod.Array(zod.String())))
}

func callV1(meta zod.Member, record func(zod.Shape) zod.Shape, block zod.Shape) zod.Shape {
	return zod.Object(zod.Loose(), meta,
		zod.M("content", zod.Default(zod.Array(block), js.List())),
		zod.Opt("structuredContent", record(zod.Unknown())), zod.Opt("isError", zod.Bool()))
}

// envelope is what the TypeScript SDKs take for a message at all.
type envelope struct {
	message, response, failure zod.Shape
}

// newEnvelope builds the four strict message shapes; meta is the _meta member of a result.
func newEnvelope(meta zod.Member) envelope {
	str := zod.String()
	id := zod.Union(str, zod.Int())
	version := zod.M("jsonrpc", zod.Literal("2.0"))
	params := zod.Opt("params", zod.Object(zod.Loose(), requestMeta()))
	method := zod.M("method", str)
	e := envelope{
		response: zod.Object(zod.Strict(), version, zod.M("id", id), zod.M("result", zod.Object(zod.Loose(), meta))),
		failure: zod.Object(zod.Strict(), version, zod.Opt("id", id), zod.M("error", zod.Object(zod.Strip(),
			zod.M("code", zod.Int()), zod.M("message", str), zod.Opt("data", zod.Unknown())))),
	}
	e.message = zod.Union(
		zod.Object(zod.Strict(), version, zod.M("id", id), method, params),
		zod.Object(zod.Strict(), version, method, params),
		e.response, e.failure,
	)
	return e
}

// requestMeta is the _meta member with the two keys SDK v1 checks.
func requestMeta() zod.Member {
	return zod.Opt("_meta", zod.Object(zod.Loose(),
		zod.Opt("progressToken", zod.Union(zod.String(), zod.Int())),
		zod.Opt("io.modelcontextprotocol/related-task", zod.Object(zod.Strip(), zod.M("taskId", zod.String()))),
	))
}

func anyRecord() zod.Shape { return zod.Record(zod.Unknown()) }

// metaRecord is the _meta member of tools, blocks and contents.
func metaRecord() zod.Member { return zod.Opt("_meta", anyRecord()) }

func iconsMember() zod.Member {
	str := zod.String()
	return zod.Opt("icons", zod.Array(zod.Object(zod.Strip(),
		zod.M("src", str), zod.Opt("mimeType", str), zod.Opt("sizes", zod.Array(str)), zod.Opt("theme", zod.Enum("light", "dark")))))
}

func toolAnnotations() zod.Member {
	b := zod.Bool()
	return zod.Opt("annotations", zod.Object(zod.Strip(), zod.Opt("title", zod.String()), zod.Opt("readOnlyHint", b),
		zod.Opt("destructiveHint", b), zod.Opt("idempotentHint", b), zod.Opt("openWorldHint", b)))
}

// tool2025 is a tool of the 2025 revisions around the shapes of its two schemas.
func tool2025(input, output zod.Shape) zod.Shape {
	str := zod.String()
	return zod.Object(zod.Strip(),
		zod.M("name", str), zod.Opt("title", str), iconsMember(), zod.Opt("description", str),
		zod.M("inputSchema", input), zod.Opt("outputSchema", output), toolAnnotations(),
		zod.Opt("execution", zod.Object(zod.Strip(), zod.Opt("taskSupport", zod.Enum("required", "optional", "forbidden")))),
		metaRecord())
}

// contentBlock is a block of a tool result, alike in both SDKs and eras.
func contentBlock() zod.Shape { return contentBlockDated(isoDateTime(isoDateTimePattern)) }

// contentBlockDated is contentBlock with a shape for annotations.lastModified.
func contentBlockDated(lastModified zod.Shape) zod.Shape {
	icons, meta := iconsMember(), metaRecord()
	str := zod.String()
	base64 := str.Refine(func(v js.Value) bool { return atobAccepts(v.Str) }, "Invalid Base64 string")
	annotations := zod.Opt("annotations", zod.Object(zod.Strip(),
		zod.Opt("audience", zod.Array(zod.Enum("user", "assistant"))),
		zod.Opt("priority", zod.Number().Between(0, 1)),
		zod.Opt("lastModified", lastModified)))
	media := func(kind string) zod.Shape {
		return zod.Object(zod.Strip(), zod.M("type", zod.Literal(kind)), zod.M("data", base64), zod.M("mimeType", str), annotations, meta)
	}
	uri, mime := zod.M("uri", str), zod.Opt("mimeType", str)
	return zod.Union(
		zod.Object(zod.Strip(), zod.M("type", zod.Literal("text")), zod.M("text", str), annotations, meta),
		media("image"),
		media("audio"),
		zod.Object(zod.Strip(), zod.M("name", str), zod.Opt("title", str), icons, uri, zod.Opt("description", str), mime,
			zod.Opt("size", zod.Number()), annotations, zod.Opt("_meta", zod.Object(zod.Loose())), zod.M("type", zod.Literal("resource_link"))),
		zod.Object(zod.Strip(), zod.M("type", zod.Literal("resource")), zod.M("resource", zod.Union(
			zod.Object(zod.Strip(), uri, mime, meta, zod.M("text", str)),
			zod.Object(zod.Strip(), uri, mime, meta, zod.M("blob", base64)),
		)), annotations, meta),
	)
}

// isReference is the SDK's test for a property schema: an object or an array,
// but no boolean.
func isReference(v js.Value) bool { return v.Kind == js.Object || v.Kind == js.Array }

// atobAccepts follows the forgiving base64 decoder that atob is made of: white
// space is skipped, padding may be missing, other alphabets are refused.
func atobAccepts(s string) bool {
	clean := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n\f\r", r) {
			return -1
		}
		return r
	}, s)
	if len(clean)%4 == 0 {
		clean = strings.TrimSuffix(strings.TrimSuffix(clean, "="), "=")
	}
	if len(clean)%4 == 1 {
		return false
	}
	for _, c := range []byte(clean) {
		if !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/') {
			return false
		}
	}
	return true
}

// isoDate and isoZone are parts of the pattern that zod names in the issue of a
// bad date, between which stands the time of day.
const (
	isoDate            = `/^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d`
	isoZone            = `(?:Z|([+-](?:[01]\d|2[0-3]):[0-5]\d)))$/`
	isoDateTimePattern = isoDate + `:[0-5]\d(?:\.\d+)?` + isoZone
	isoMinutePattern   = isoDate + isoZone
	isoLoosePattern    = isoDate + `(?::[0-5]\d(?:\.\d+)?)?` + isoZone // of zod before 4.1
)

// isoDateTime is a string that follows one of the patterns.
func isoDateTime(pattern string) zod.Shape {
	re := regexp.MustCompile(strings.Trim(pattern, "/"))
	return zod.String().Format("datetime", pattern, "ISO datetime", re.MatchString)
}

// infinityIsNumber words issues as zod before 4.1 does.
func infinityIsNumber(issues string) string {
	return strings.ReplaceAll(issues, "received Infinity", "received number")
}
