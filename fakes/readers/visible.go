package readers

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

// visible is what Claude Code makes of any text of a tool: compatible
// characters are normalised (NFKC), and characters without a shape go: format,
// private, unassigned ones and lone surrogates. Control characters stay.
func visible(s string) string {
	rs := js.Runes(s)
	plain := true
	for _, r := range rs {
		plain = plain && r < 0x80
	}
	if plain {
		return s
	}
	out := make([]rune, 0, len(rs))
	for _, r := range rs {
		if !isSurrogate(r) {
			out = append(out, r)
		}
	}
	kept := out[:0:0]
	for _, r := range norm.NFKC.String(string(out)) {
		if unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc) {
			kept = append(kept, r)
		}
	}
	return string(kept)
}

func isSurrogate(r rune) bool { return r >= 0xD800 && r <= 0xDFFF }

// visibleDeep is visible for every text in a value, names of members included;
// members named __proto__ are lost on the way.
func visibleDeep(v js.Value) js.Value {
	switch v.Kind {
	case js.String:
		return js.Str(visible(v.Str))
	case js.Array:
		out := js.List()
		for _, x := range v.Items {
			out.Items = append(out.Items, visibleDeep(x))
		}
		return out
	case js.Object:
		out := js.NewObject()
		for _, k := range v.Keys() {
			if k != "__proto__" {
				out.Set(visible(k), visibleDeep(v.Get(k)))
			}
		}
		return out
	}
	return v
}

// copilotVisible is what Copilot CLI makes of texts in a result: they are
// composed (NFC), and marks that set directions, join words or hide text go.
func copilotVisible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0xAD, r == 0x180E, r >= 0x200B && r <= 0x200F && r != 0x200D, r >= 0x202A && r <= 0x202E,
			r >= 0x2060 && r <= 0x2064, r >= 0x2066 && r <= 0x2069, r == 0xFEFF, r == 0xE0001, r >= 0xE0020 && r <= 0xE007F:
			return -1
		}
		return r
	}, norm.NFC.String(s))
}

// eachText changes all string values in v, names of members not.
func eachText(v js.Value, change func(string) string) js.Value {
	switch v.Kind {
	case js.String:
		return js.Str(change(v.Str))
	case js.Array:
		out := js.List()
		for _, x := range v.Items {
			out.Items = append(out.Items, eachText(x, change))
		}
		return out
	case js.Object:
		out := v.Copy()
		for _, k := range v.Keys() {
			out.Set(k, eachText(v.Get(k), change))
		}
		return out
	}
	return v
}
