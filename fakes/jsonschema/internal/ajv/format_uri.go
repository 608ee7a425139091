package ajv

import (
	"net/netip"
	"strings"
	"unicode/utf8"
)

// encoded tells whether s is made of allowed characters and percent escapes.
func encoded(s, extra string) bool {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '%':
			if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
				return false
			}
			i += 2
		case isAlnum(b) || strings.IndexByte("-._~", b) >= 0 || strings.IndexByte(extra, b) >= 0:
		default:
			return false
		}
	}
	return true
}

const subDelims = "!$&'()*+,;="

// pathChars are the characters of a path. The plugin lets references have quotes.
func pathChars(absolute bool) string {
	if absolute {
		return subDelims + ":@"
	}
	return subDelims + `":@`
}

// isURI checks the generic syntax; absolute asks for a scheme and something after it.
func isURI(s string, absolute bool) bool {
	s, fragment, _ := strings.Cut(s, "#")
	s, query, _ := strings.Cut(s, "?")
	if !encoded(fragment, pathChars(absolute)+"/?") || !encoded(query, pathChars(absolute)+"/?") {
		return false
	}
	if rest, ok := cutScheme(s); ok && isHierarchy(rest, absolute) {
		return true
	}
	return !absolute && isHierarchy(s, false)
}

func cutScheme(s string) (rest string, ok bool) {
	i := strings.IndexByte(s, ':')
	if i < 1 || !isAlpha(s[0]) || !allBytes(s[:i], func(b byte) bool { return isAlnum(b) || b == '+' || b == '-' || b == '.' }) {
		return s, false
	}
	return s[i+1:], true
}

// isHierarchy checks authority and path. The plugin takes one slash before an
// authority as well as two.
func isHierarchy(s string, absolute bool) bool {
	if s == "" {
		return !absolute
	}
	if rest, ok := strings.CutPrefix(s, "//"); ok && isAuthority(rest, absolute) {
		return true
	}
	if rest, ok := strings.CutPrefix(s, "/"); ok && isAuthority(rest, absolute) {
		return true
	}
	return encoded(s, pathChars(absolute)+"/") && !strings.HasPrefix(s, "//")
}

func isAuthority(s string, absolute bool) bool {
	host, path := s, ""
	if i := strings.IndexByte(s, '/'); i >= 0 {
		host, path = s[:i], s[i:]
	}
	if !encoded(path, pathChars(absolute)+"/") {
		return false
	}
	if user, rest, ok := strings.Cut(host, "@"); ok {
		if !encoded(user, subDelims+":") {
			return false
		}
		host = rest
	}
	if strings.HasPrefix(host, "[") {
		literal, port, ok := strings.Cut(host[1:], "]")
		return ok && isIPLiteral(literal) && (port == "" || port[0] == ':' && allBytes(port[1:], isDigit))
	}
	name, port, _ := strings.Cut(host, ":")
	extra := subDelims
	if !absolute {
		extra += `"`
	}
	return encoded(name, extra) && allBytes(port, isDigit)
}

func isIPLiteral(s string) bool {
	if s != "" && (s[0] == 'v' || s[0] == 'V') {
		version, rest, ok := strings.Cut(s[1:], ".")
		return ok && version != "" && allBytes(version, isHex) && rest != "" && !strings.Contains(rest, "%") && encoded(rest, subDelims+":")
	}
	addr, err := netip.ParseAddr(s)
	return err == nil && addr.Is6() && addr.Zone() == ""
}

func isURITemplate(s string) bool {
	for i := 0; i < len(s); {
		switch b := s[i]; {
		case b == '{':
			end := strings.IndexByte(s[i:], '}')
			if end < 0 || !isExpression(s[i+1:i+end]) {
				return false
			}
			i += end + 1
		case b == '%':
			if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
				return false
			}
			i += 3
		case b <= ' ' || strings.IndexByte("\"'<>\\^`|}", b) >= 0:
			return false
		default:
			i++
		}
	}
	return true
}

func isExpression(s string) bool {
	if s != "" && strings.IndexByte("+#./;?&=,!@|", s[0]) >= 0 {
		s = s[1:]
	}
	for _, variable := range strings.Split(s, ",") {
		name := strings.TrimSuffix(variable, "*")
		if name == variable {
			before, size, ok := strings.Cut(variable, ":")
			if ok && (size == "" || len(size) > 4 || size[0] == '0' || !allBytes(size, isDigit)) {
				return false
			}
			name = before
		}
		if name == "" || strings.ContainsAny(name, "-.~") || !encoded(name, "_") {
			return false
		}
	}
	return true
}

// isURL checks a web address with a public host.
func isURL(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") && !strings.EqualFold(scheme, "ftp") {
		return false
	}
	if strings.IndexFunc(rest, isSpace) >= 0 {
		return false
	}
	for i := range len(rest) {
		if (i == 0 || rest[i-1] == '@' && i > 1) && isHostAndPath(rest[i:]) {
			return true
		}
	}
	return false
}

func isHostAndPath(s string) bool {
	if i := strings.IndexByte(s, '/'); i >= 0 {
		s = s[:i]
	}
	host, port, ok := strings.Cut(s, ":")
	if ok && (len(port) < 2 || len(port) > 5 || !allBytes(port, isDigit)) {
		return false
	}
	return isPublicIP(host) || isDomain(host)
}

func isPublicIP(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return false
	}
	n := make([]int, 4)
	for i, part := range parts {
		value, ok := number(part)
		// The first and last number have no leading zeros, those between up to
		// three digits below 200.
		zeros := len(part) > 1 && part[0] == '0'
		if !ok || len(part) > 3 || value > 255 || zeros && (i == 0 || i == 3 || len(part) == 3) {
			return false
		}
		n[i] = value
	}
	private := n[0] == 10 || n[0] == 127 || n[0] == 169 && n[1] == 254 || n[0] == 192 && n[1] == 168 ||
		n[0] == 172 && n[1] >= 16 && n[1] <= 31
	return !private && n[0] >= 1 && n[0] <= 223 && n[3] >= 1 && n[3] <= 254
}

func isDomain(s string) bool {
	labels := strings.Split(s, ".")
	wide := func(r rune) bool { return r >= 0xA1 && r <= 0xFFFF }
	for _, label := range labels {
		for i, r := range label {
			alnum := wide(r) || r < utf8.RuneSelf && isAlnum(byte(r))
			inner := r == '-' && i > 0 && i < len(label)-1 && label[i-1] != '-'
			if !alnum && !inner {
				return false
			}
		}
		if label == "" {
			return false
		}
	}
	top := labels[len(labels)-1]
	for _, r := range top {
		if !wide(r) && (r >= utf8.RuneSelf || !isAlpha(byte(r))) {
			return false
		}
	}
	return len(labels) > 1 && utf8.RuneCountInString(top) >= 2
}
