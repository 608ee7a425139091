package report

import (
	"strings"
	"unicode"
)

// Bounds of a comparison; beyond them only what is common at both ends is found.
const (
	diffTokens = 400
	// diffAlike is the share of two texts, in hundredths, that has to be common
	// before marking the rest helps a reader: unlike prose is left alone.
	diffAlike = 45
)

// compare returns both texts as shown, with what only one of them has set apart.
// differ is false when nothing is set apart.
func compare(expected, observed string, n int) (exp, obs []seg, differ bool) {
	exp, obs = shown(expected, n), shown(observed, n)
	a, b := tokens(exp), tokens(obs)
	keepA, keepB := common(a, b)
	if !alike(a, keepA, b, keepB) {
		return exp, obs, false
	}
	markedA, markedB := mark(a, keepA, "-"), mark(b, keepB, "+")
	return markedA, markedB, differs(markedA) || differs(markedB)
}

func differs(segs []seg) bool {
	for _, s := range segs {
		if s.D != "" {
			return true
		}
	}
	return false
}

// tokens cuts segments into words, runs of space and single other characters.
func tokens(segs []seg) []seg {
	var out []seg
	for _, s := range segs {
		if s.C {
			out = append(out, s)
			continue
		}
		start, kind := 0, -1
		for i, r := range s.S {
			k := 2
			switch {
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
				k = 0
			case unicode.IsSpace(r) && r != '\n':
				k = 1
			}
			if i > 0 && (k != kind || k == 2) {
				out = append(out, seg{S: s.S[start:i]})
				start = i
			}
			kind = k
		}
		if start < len(s.S) {
			out = append(out, seg{S: s.S[start:]})
		}
	}
	return out
}

// common tells which tokens of a and b belong to a longest common subsequence.
func common(a, b []seg) (inA, inB []bool) {
	inA, inB = make([]bool, len(a)), make([]bool, len(b))
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		inA[head], inB[head] = true, true
		head++
	}
	endA, endB := len(a), len(b)
	for endA > head && endB > head && a[endA-1] == b[endB-1] {
		endA--
		endB--
		inA[endA], inB[endB] = true, true
	}
	midA, midB := a[head:endA], b[head:endB]
	if len(midA) > diffTokens || len(midB) > diffTokens {
		return inA, inB
	}
	// best[i][j] is the length of the longest common subsequence of midA[i:] and midB[j:].
	best := make([][]uint16, len(midA)+1)
	for i := range best {
		best[i] = make([]uint16, len(midB)+1)
	}
	for i := len(midA) - 1; i >= 0; i-- {
		for j := len(midB) - 1; j >= 0; j-- {
			if midA[i] == midB[j] {
				best[i][j] = best[i+1][j+1] + 1
			} else {
				best[i][j] = max(best[i+1][j], best[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(midA) && j < len(midB); {
		switch {
		case midA[i] == midB[j]:
			inA[head+i], inB[head+j] = true, true
			i++
			j++
		case best[i+1][j] >= best[i][j+1]:
			i++
		default:
			j++
		}
	}
	return inA, inB
}

// alike reports whether enough of both texts is common, spaces not counted.
func alike(a []seg, keepA []bool, b []seg, keepB []bool) bool {
	all, kept := 0, 0
	for _, side := range []struct {
		tokens []seg
		keep   []bool
	}{{a, keepA}, {b, keepB}} {
		for i, t := range side.tokens {
			n := len(strings.TrimSpace(t.S))
			all += n
			if side.keep[i] {
				kept += n
			}
		}
	}
	return all > 0 && kept*100 >= all*diffAlike
}

// mark joins tokens to segments again; those not kept carry the sign d.
func mark(list []seg, keep []bool, d string) []seg {
	var out []seg
	used := 0
	for i, t := range list {
		if !keep[i] && used < marks {
			t.D = d
		}
		if l := len(out); l > 0 && !t.C && !out[l-1].C && out[l-1].D == t.D {
			out[l-1].S += t.S
			continue
		}
		if t.D != "" {
			used++
		}
		out = append(out, t)
	}
	return out
}
