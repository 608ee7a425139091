package readers

import (
	"strings"
)

// asciiDomain writes a text as domain names are written in ASCII: each part
// between dots that holds other characters becomes xn-- and its punycode.
func asciiDomain(s string) string {
	parts := strings.Split(strings.NewReplacer("\u3002", ".", "\uff0e", ".", "\uff61", ".").Replace(s), ".")
	for i, p := range parts {
		if strings.ContainsFunc(p, func(r rune) bool { return r >= 0x80 }) {
			parts[i] = "xn--" + punycode([]rune(p))
		}
	}
	return strings.Join(parts, ".")
}

// The parameters of punycode, from RFC 3492.
const (
	punyBase, punyMin, punyMax, punySkew, punyDamp = 36, 1, 26, 38, 700
	punyBias, punyFirst                            = 72, 0x80
)

// maxPunycode is how many characters of one encoded part are written. Names are
// cut far below it; beyond it the work grows with the square of the length.
const maxPunycode = 1000

// punycode is the encoding of RFC 3492, section 6.3, as far as maxPunycode.
func punycode(input []rune) string {
	var out strings.Builder
	for _, r := range input {
		if r < punyFirst {
			out.WriteRune(r)
		}
	}
	basic := out.Len()
	handled := basic
	if basic > 0 {
		out.WriteByte('-')
	}
	n, delta, bias := rune(punyFirst), 0, punyBias
	for handled < len(input) && out.Len() < maxPunycode {
		next := rune(0x7fffffff)
		for _, r := range input {
			if r >= n && r < next {
				next = r
			}
		}
		delta += int(next-n) * (handled + 1)
		n = next
		for _, r := range input {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			q := delta
			for k := punyBase; ; k += punyBase {
				t := min(max(k-bias, punyMin), punyMax)
				if q < t {
					break
				}
				out.WriteByte(punyDigit(t + (q-t)%(punyBase-t)))
				q = (q - t) / (punyBase - t)
			}
			out.WriteByte(punyDigit(q))
			bias = punyAdapt(delta, handled+1, handled == basic)
			delta = 0
			handled++
		}
		delta++
		n++
	}
	return out.String()
}

func punyDigit(d int) byte { return "abcdefghijklmnopqrstuvwxyz0123456789"[d] }

func punyAdapt(delta, points int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for delta > (punyBase-punyMin)*punyMax/2 {
		delta /= punyBase - punyMin
		k += punyBase
	}
	return k + (punyBase-punyMin+1)*delta/(delta+punySkew)
}
