package readers

import (
	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/zod"
)

// shapesV2 are the zod shapes of the TypeScript SDK 2.4.0, one set an era.
type shapesV2 struct {
	envelope
	list2025, call2025 zod.Shape
	list2026, call2026 zod.Shape // with resultType, as on the wire
	meta2026           zod.Member
}

// serverInfoKey is the key of a 2026 result's _meta that names the server.
const serverInfoKey = "io.modelcontextprotocol/serverInfo"

func newShapesV2() shapesV2 {
	str := zod.String()
	meta := zod.Opt("_meta", zod.Object(zod.Loose(), zod.M(serverInfoKey, zod.Catch(zod.Optional(implementation()), js.Value{}))))
	s := shapesV2{envelope: newEnvelope(meta), meta2026: meta}

	anyJSON := jsonValue()
	schema := zod.Object(zod.RestOf(zod.Unknown()),
		zod.M("type", zod.Literal("object")),
		zod.Opt("properties", zod.Record(anyJSON)),
		zod.Opt("required", zod.Array(str)))
	s.list2025 = zod.Object(zod.Loose(), requestMeta(), zod.Opt("nextCursor", str),
		zod.M("tools", zod.Array(tool2025(schema, schema))))
	s.call2025 = call2025(contentBlock())

	resultType := zod.M("resultType", zod.Default(str, js.Str("complete")))
	s.list2026 = zod.Object(zod.Loose(), meta, resultType,
		zod.M("ttlMs", zod.Int().Min(0)), zod.M("cacheScope", zod.Enum("public", "private")),
		zod.M("tools", zod.Array(tool2026())), zod.Opt("nextCursor", str))
	s.call2026 = zod.Object(zod.Loose(), meta, resultType,
		zod.M("content", zod.Array(contentBlock())),
		zod.M("structuredContent", zod.Unknown()), zod.Opt("isError", zod.Bool()))
	return s
}

// call2025 is the tools/call result of the 2025 revisions.
func call2025(block zod.Shape) zod.Shape {
	return zod.Object(zod.Loose(), requestMeta(),
		zod.M("content", zod.Default(zod.Array(block), js.List())),
		zod.Opt("structuredContent", anyRecord()), zod.Opt("isError", zod.Bool())).Pre(otherFamily)
}

// tool2026 is a tool of 2026-07-28: its schemas are hardly looked into.
func tool2026() zod.Shape {
	str := zod.String()
	return zod.Object(zod.Strip(),
		zod.M("name", str), zod.Opt("title", str), iconsMember(), zod.Opt("description", str),
		zod.M("inputSchema", zod.Object(zod.Loose(), zod.Opt("$schema", str), zod.M("type", zod.Literal("object")))),
		zod.Opt("outputSchema", zod.Object(zod.Loose(), zod.Opt("$schema", str))),
		toolAnnotations(), metaRecord())
}

func implementation() zod.Shape {
	str := zod.String()
	return zod.Object(zod.Strip(), zod.M("name", str), zod.Opt("title", str), iconsMember(),
		zod.M("version", str), zod.Opt("websiteUrl", str), zod.Opt("description", str))
}

// jsonValue is zod's walk over any JSON; only numbers beyond a double fail it.
func jsonValue() zod.Shape {
	var self zod.Shape
	again := zod.Lazy(func() zod.Shape { return self })
	self = zod.Union(zod.String(), zod.Number(), zod.Bool(), zod.Nil(), zod.Record(again), zod.Array(again))
	return self
}

// otherFamily refuses a result without content that carries a foreign key.
func otherFamily(v js.Value) string {
	if v.Kind != js.Object || v.Has("content") {
		return ""
	}
	for _, k := range []string{"task", "inputRequests", "requestState"} {
		if v.Has(k) {
			return "content is required when the body carries '" + k + "' — another result family cannot default into an empty tools/call success"
		}
	}
	return ""
}
