package readers

import "github.com/agntn/conform/fakes/readers/internal/serde"

// rustList is the tools/list result of the Rust SDK.
func rustList() serde.Type {
	str, boolean := serde.String, serde.Bool
	icon := serde.Struct(serde.F("src", str), serde.Opt("mimeType", str), serde.Opt("sizes", serde.Vec(str)),
		serde.Opt("theme", serde.Enum("light", "dark")))
	tool := serde.Struct(
		serde.F("name", str), serde.Opt("title", str), serde.Opt("description", str),
		serde.F("inputSchema", serde.Map), serde.Opt("outputSchema", serde.Map),
		serde.Opt("annotations", serde.Struct(serde.Opt("title", str), serde.Opt("readOnlyHint", boolean),
			serde.Opt("destructiveHint", boolean), serde.Opt("idempotentHint", boolean), serde.Opt("openWorldHint", boolean))),
		serde.Opt("icons", serde.Vec(icon)), serde.Opt("_meta", serde.Map))
	return serde.Struct(serde.Opt("_meta", serde.Map), serde.Opt("resultType", str), serde.Opt("nextCursor", str),
		serde.Opt("ttlMs", serde.Int), serde.Opt("cacheScope", serde.Enum("public", "private", "")),
		serde.F("tools", serde.Vec(tool)))
}
