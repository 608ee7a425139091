package readers

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/agntn/conform/fakes/readers/internal/js"
)

// idMatchesNumber says whether Number(id) is a number, as the TypeScript SDKs
// match the id of an answer to the number they sent. Which number was sent is
// not known here.
func idMatchesNumber(id js.Value) bool {
	switch id.Kind {
	case js.Number:
		return true
	case js.String:
		_, ok := toNumber(id.Str)
		return ok
	}
	return false
}

// toNumber is JavaScript's Number(text).
func toNumber(s string) (float64, bool) {
	s = strings.Trim(s, " \t\n\r\v\f\u00a0\ufeff\u2028\u2029")
	if s == "" {
		return 0, true
	}
	for prefix, base := range map[string]int{"0x": 16, "0X": 16, "0b": 2, "0B": 2, "0o": 8, "0O": 8} {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			n, err := strconv.ParseUint(rest, base, 64)
			return float64(n), err == nil && !strings.ContainsAny(rest, "_+-")
		}
	}
	if strings.TrimLeft(s, "+-") == "Infinity" {
		return math.Inf(1), true
	}
	if strings.Trim(s, "0123456789.eE+-") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil || math.IsInf(f, 0)
}

// joinNonEmpty joins with sep the parts that are not empty.
func joinNonEmpty(sep string, parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, sep)
}

// percentDecode undoes percent encoding; broken sequences stay as they are.
func percentDecode(s string) string {
	if out, err := url.PathUnescape(s); err == nil {
		return out
	}
	return s
}
