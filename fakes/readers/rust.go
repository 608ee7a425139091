package readers

import (
	"strconv"
	"strings"

	"github.com/agntn/conform/fakes/readers/internal/js"
	"github.com/agntn/conform/fakes/readers/internal/serde"
)

// rustList is the tools/list result of the Rust SDK.
func rustList() serde.Type {
	str, boolean := serde.String, serde.Bool
	tool := serde.Struct(
		serde.F("name", str), serde.Opt("title", str), serde.Opt("description", str),
		serde.F("inputSchema", serde.Map), serde.Opt("outputSchema", serde.Map),
		serde.Opt("annotations", serde.Struct(serde.Opt("title", str), serde.Opt("readOnlyHint", boolean),
			serde.Opt("destructiveHint", boolean), serde.Opt("idempotentHint", boolean), serde.Opt("openWorldHint", boolean))),
		serde.Opt("icons", serde.Vec(rustIcon())), serde.Opt("_meta", serde.Map))
	return serde.Struct(serde.Opt("_meta", serde.Map), serde.Opt("resultType", str), serde.Opt("nextCursor", str),
		serde.Opt("ttlMs", serde.Int), serde.Opt("cacheScope", serde.Enum("public", "private", "")),
		serde.F("tools", serde.Vec(tool)))
}

func rustIcon() serde.Type {
	str := serde.String
	return serde.Struct(serde.F("src", str), serde.Opt("mimeType", str), serde.Opt("sizes", serde.Vec(str)),
		serde.Opt("theme", serde.Enum("light", "dark")))
}

// rustText writes a value as serde_json does: integers as sent, other numbers as
// the shortest text of the double.
func rustText(v js.Value) string {
	switch v.Kind {
	case js.Number:
		return rustNumber(v)
	case js.Array:
		parts := make([]string, len(v.Items))
		for i, x := range v.Items {
			parts[i] = rustText(x)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case js.Object:
		var parts []string
		for _, k := range v.Keys() {
			parts = append(parts, js.Quote(k)+":"+rustText(v.Get(k)))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return v.Stringify()
}

func rustNumber(v js.Value) string {
	if _, err := strconv.ParseInt(v.Raw, 10, 64); err == nil && v.Raw != "-0" {
		return v.Raw
	}
	if _, err := strconv.ParseUint(v.Raw, 10, 64); err == nil {
		return v.Raw
	}
	return rustFloat(strconv.FormatFloat(v.Num, 'g', -1, 64), v.Num, 64)
}

// rustFloat finishes a float that was written with an exponent or without.
func rustFloat(s string, f float64, bits int) string {
	if a := max(f, -f); a == 0 || a >= 1e-5 && a < 1e16 {
		s = strconv.FormatFloat(f, 'f', -1, bits)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	mantissa, exponent, _ := strings.Cut(s, "e")
	return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}

// rustFloat32 writes a number as a 32-bit float.
func rustFloat32(f float64) string {
	return rustFloat(strconv.FormatFloat(f, 'g', -1, 32), float64(float32(f)), 32)
}

// rustDebug writes a value as the debug format of serde_json.
func rustDebug(v js.Value) string {
	switch v.Kind {
	case js.Bool:
		return "Bool(" + strconv.FormatBool(v.Bool) + ")"
	case js.Number:
		return "Number(" + rustNumber(v) + ")"
	case js.String:
		return "String(" + rustQuote(v.Str) + ")"
	case js.Array:
		parts := make([]string, len(v.Items))
		for i, x := range v.Items {
			parts[i] = rustDebug(x)
		}
		return "Array [" + strings.Join(parts, ", ") + "]"
	case js.Object:
		var parts []string
		for _, k := range v.Keys() {
			parts = append(parts, rustQuote(k)+": "+rustDebug(v.Get(k)))
		}
		return "Object {" + strings.Join(parts, ", ") + "}"
	}
	return "Null"
}

// rustQuote writes a string as Rust's debug format does.
func rustQuote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch c {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		case 0:
			b.WriteString(`\0`)
		default:
			if strconv.IsPrint(c) {
				b.WriteRune(c)
			} else {
				b.WriteString(`\u{` + strconv.FormatInt(int64(c), 16) + `}`)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}
