package js

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Stringify writes v as JSON.stringify does, without spaces.
func (v Value) Stringify() string {
	var b strings.Builder
	write(&b, v, "", "")
	return b.String()
}

// Verbatim writes v without spaces and with numbers as they were sent, as
// decoders do that keep them as text.
func (v Value) Verbatim() string {
	var b strings.Builder
	verbatim(&b, v)
	return b.String()
}

// verbatimNumber is a number as it was sent, but for the sign of its exponent
// and the sign of an integer zero.
func verbatimNumber(s string) string {
	if s == "-0" {
		return "0"
	}
	s = strings.Replace(s, "E", "e", 1)
	if i := strings.IndexByte(s, 'e'); i >= 0 && s[i+1] != '+' && s[i+1] != '-' {
		return s[:i+1] + "+" + s[i+1:]
	}
	return s
}

func verbatim(b *strings.Builder, v Value) {
	switch v.Kind {
	case Number:
		if v.Raw != "" {
			b.WriteString(verbatimNumber(v.Raw))
			return
		}
		write(b, v, "", "")
	case Array:
		b.WriteByte('[')
		for i, x := range v.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			verbatim(b, x)
		}
		b.WriteByte(']')
	case Object:
		b.WriteByte('{')
		for i, k := range v.Obj.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(Quote(k))
			b.WriteByte(':')
			verbatim(b, v.Obj.vals[i])
		}
		b.WriteByte('}')
	default:
		write(b, v, "", "")
	}
}

// Indent writes v as JSON.stringify(v, null, n) does, up to 1 MiB.
func (v Value) Indent(n int) string {
	var b strings.Builder
	write(&b, v, strings.Repeat(" ", n), "\n")
	return b.String()
}

// maxIndented bounds indented text in bytes: deep nesting makes it quadratic.
const maxIndented = 1 << 20

func write(b *strings.Builder, v Value, step, nl string) {
	if step != "" && b.Len() > maxIndented {
		return
	}
	switch v.Kind {
	case Bool:
		b.WriteString(strconv.FormatBool(v.Bool))
	case Number:
		if math.IsInf(v.Num, 0) || math.IsNaN(v.Num) {
			b.WriteString("null")
			return
		}
		b.WriteString(FormatNumber(v.Num))
	case String:
		b.WriteString(Quote(v.Str))
	case Array:
		b.WriteByte('[')
		inner := nl + step
		if step == "" {
			inner = ""
		}
		for i, x := range v.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(inner)
			write(b, x, step, inner)
		}
		if len(v.Items) > 0 && step != "" {
			b.WriteString(nl)
		}
		b.WriteByte(']')
	case Object:
		b.WriteByte('{')
		inner := nl + step
		if step == "" {
			inner = ""
		}
		first := true
		for i, k := range v.Obj.keys {
			if v.Obj.vals[i].Kind == Undefined {
				continue
			}
			if !first {
				b.WriteByte(',')
			}
			first = false
			b.WriteString(inner)
			b.WriteString(Quote(k))
			b.WriteByte(':')
			if step != "" {
				b.WriteByte(' ')
			}
			write(b, v.Obj.vals[i], step, inner)
		}
		if !first && step != "" {
			b.WriteString(nl)
		}
		b.WriteByte('}')
	default:
		b.WriteString("null")
	}
}

// Quote writes a string as JSON.stringify does: only quotes, backslashes,
// control characters and lone surrogates are escaped.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); {
		r, n := unit(s[i:])
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteByte(byte(r))
		case r < 0x20:
			if at := strings.IndexByte("\b\f\n\r\t", byte(r)); at >= 0 {
				b.WriteByte('\\')
				b.WriteByte("bfnrt"[at])
			} else {
				b.WriteString(`\u00`)
				b.WriteByte("01"[r>>4])
				b.WriteByte("0123456789abcdef"[r&15])
			}
		case r >= 0xD800 && r <= 0xDFFF:
			b.WriteString(`\u` + strconv.FormatInt(int64(r), 16))
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	b.WriteByte('"')
	return b.String()
}

// unit reads the code point at the head of a WTF-8 string.
func unit(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 && len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, n
}

// Runes gives the code points of a WTF-8 string; lone surrogates stay.
func Runes(s string) []rune {
	var out []rune
	for i := 0; i < len(s); {
		r, n := unit(s[i:])
		out = append(out, r)
		i += n
	}
	return out
}

// FromRunes is the inverse of Runes.
func FromRunes(rs []rune) string {
	var b strings.Builder
	for _, r := range rs {
		writeUnit(&b, r)
	}
	return b.String()
}

// Units gives the UTF-16 units of s, as charCodeAt does.
func Units(s string) []uint16 {
	var out []uint16
	for i := 0; i < len(s); {
		r, size := unit(s[i:])
		i += size
		if r > 0xFFFF {
			out = append(out, uint16(0xD800+(r-0x10000)>>10), uint16(0xDC00+(r-0x10000)&0x3FF))
			continue
		}
		out = append(out, uint16(r))
	}
	return out
}

// Length gives the length of s in UTF-16 units, as .length does.
func Length(s string) int {
	n := 0
	for i := 0; i < len(s); {
		r, size := unit(s[i:])
		i += size
		n += units(r)
	}
	return n
}

// units is how many UTF-16 units a character takes.
func units(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// Slice gives the UTF-16 units from start up to end, as .slice does for
// positions inside the string. A pair cut in the middle leaves a lone surrogate.
func Slice(s string, start, end int) string {
	var b strings.Builder
	at := 0
	for i := 0; i < len(s) && at < end; {
		r, size := unit(s[i:])
		i += size
		from, to := at, at+units(r)
		at = to
		switch {
		case from >= start && to <= end:
			writeUnit(&b, r)
		case to <= start:
		case from < start: // the second half of a pair
			writeUnit(&b, 0xDC00+(r-0x10000)&0x3FF)
		default: // the first half
			writeUnit(&b, 0xD800+(r-0x10000)>>10)
		}
	}
	return b.String()
}

// FormatNumber writes a double as JavaScript's Number to String does.
func FormatNumber(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return "0"
	}
	if a := math.Abs(f); a >= 1e21 || a < 1e-6 {
		s := strconv.FormatFloat(f, 'e', -1, 64)
		mant, exp, _ := strings.Cut(s, "e")
		sign := exp[:1]
		return mant + "e" + sign + strings.TrimLeft(exp[1:], "0")
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// ToText gives the value as JavaScript's String() does.
func (v Value) ToText() string {
	switch v.Kind {
	case Null:
		return "null"
	case Bool:
		return strconv.FormatBool(v.Bool)
	case Number:
		return FormatNumber(v.Num)
	case String:
		return v.Str
	case Array:
		parts := make([]string, len(v.Items))
		for i, x := range v.Items {
			if x.Kind > Null {
				parts[i] = x.ToText()
			}
		}
		return strings.Join(parts, ",")
	case Object:
		return "[object Object]"
	}
	return "undefined"
}
