package ajv

import (
	"math"
	"net/netip"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes/jsonschema/ecma"
)

// The formats of the ajv-formats plugin, as it checks them. Unknown ones are ignored.

func (c *compiler) format(name, kind string) {
	if kind == "number" {
		if check := numberFormat(name); check != nil {
			c.check(formatMessage(name), func(_ *run, data any) bool { return !check(data.(float64)) })
		}
		return
	}
	if check := stringFormat(name); check != nil {
		c.check(formatMessage(name), func(r *run, data any) bool {
			text := data.(string)
			r.step(1 + len(text)/256)
			return !check(text)
		})
	}
}

func formatMessage(name string) string { return `must match format "` + name + `"` }

func numberFormat(name string) func(float64) bool {
	switch name {
	case "int32":
		return func(f float64) bool {
			return finite(f) && f == math.Trunc(f) && f >= math.MinInt32 && f <= math.MaxInt32
		}
	case "int64":
		return func(f float64) bool { return finite(f) && f == math.Trunc(f) }
	}
	return nil
}

func stringFormat(name string) func(string) bool {
	switch name {
	case "date":
		return isDate
	case "time":
		return func(s string) bool { return isTime(s, true) }
	case "date-time":
		return func(s string) bool { return isDateTime(s, true) }
	case "iso-time":
		return func(s string) bool { return isTime(s, false) }
	case "iso-date-time":
		return func(s string) bool { return isDateTime(s, false) }
	case "duration":
		return isDuration
	case "uri":
		return func(s string) bool { return strings.ContainsAny(s, "/:") && isURI(s, true) }
	case "uri-reference":
		return func(s string) bool { return isURI(s, false) }
	case "uri-template":
		return isURITemplate
	case "url":
		return isURL
	case "email":
		return isEmail
	case "hostname":
		return isHostname
	case "ipv4":
		return isIPv4
	case "ipv6":
		return isIPv6
	case "regex":
		return isRegex
	case "uuid":
		return isUUID
	case "json-pointer":
		return isPointer
	case "json-pointer-uri-fragment":
		return isPointerFragment
	case "relative-json-pointer":
		return isRelativePointer
	case "byte":
		return isByte
	}
	return nil
}

// all tells whether every byte of s is allowed.
func allBytes(s string, allowed func(b byte) bool) bool {
	for i := range len(s) {
		if !allowed(s[i]) {
			return false
		}
	}
	return true
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
func isAlpha(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }
func isAlnum(b byte) bool { return isDigit(b) || isAlpha(b) }
func isHex(b byte) bool {
	return isDigit(b) || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
}

// isLabel tells whether s is letters, digits and inner hyphens.
func isLabel(s string) bool {
	return s != "" && isAlnum(s[0]) && isAlnum(s[len(s)-1]) &&
		allBytes(s, func(b byte) bool { return isAlnum(b) || b == '-' })
}

func isEmail(s string) bool {
	local, domain, ok := strings.Cut(s, "@")
	if !ok || !strings.Contains(domain, ".") {
		return false
	}
	for _, atom := range strings.Split(local, ".") {
		if atom == "" || !allBytes(atom, func(b byte) bool { return isAlnum(b) || strings.IndexByte("!#$%&'*+/=?^_`{|}~-", b) >= 0 }) {
			return false
		}
	}
	for _, label := range strings.Split(domain, ".") {
		if !isLabel(label) {
			return false
		}
	}
	return true
}

func isHostname(s string) bool {
	s = strings.TrimSuffix(s, ".")
	if len(s) > 253 {
		return false
	}
	for _, label := range strings.Split(s, ".") {
		if !isLabel(label) || len(label) > 63 {
			return false
		}
	}
	return true
}

func isIPv4(s string) bool {
	addr, err := netip.ParseAddr(s)
	return err == nil && addr.Is4()
}

func isIPv6(s string) bool {
	addr, err := netip.ParseAddr(s)
	return err == nil && addr.Is6() && addr.Zone() == ""
}

func isRegex(s string) bool {
	// The plugin refuses \Z unless another backslash or nothing stands before it.
	for i := 1; i+1 < len(s); i++ {
		if s[i] == '\\' && s[i+1] == 'Z' && s[i-1] != '\\' {
			return false
		}
	}
	_, err := ecma.Parse(s, false)
	return err == nil
}

func isUUID(s string) bool {
	const prefix = "urn:uuid:"
	if len(s) > len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		s = s[len(prefix):]
	}
	parts := strings.Split(s, "-")
	if len(parts) != 5 {
		return false
	}
	for i, size := range []int{8, 4, 4, 4, 12} {
		if len(parts[i]) != size || !allBytes(parts[i], isHex) {
			return false
		}
	}
	return true
}

// isByte tells whether a line of s is base64; the plugin's expression looks at lines.
func isByte(s string) bool {
	lines := strings.NewReplacer("\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(s)
	return slices.ContainsFunc(strings.Split(lines, "\n"), func(line string) bool {
		body := strings.TrimRight(line, "=")
		return len(line)%4 == 0 && len(line)-len(body) <= 2 &&
			allBytes(body, func(b byte) bool { return isAlnum(b) || b == '+' || b == '/' })
	})
}

// isPointer tells whether s is a JSON pointer.
func isPointer(s string) bool {
	if s == "" {
		return true
	}
	return s[0] == '/' && tildesRight(s)
}

func tildesRight(s string) bool {
	for i := range len(s) {
		if s[i] == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return false
		}
	}
	return true
}

func isRelativePointer(s string) bool {
	end := 0
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	if end == 0 || s[0] == '0' && end > 1 {
		return false
	}
	return s[end:] == "#" || isPointer(s[end:])
}

func isPointerFragment(s string) bool {
	if !strings.HasPrefix(s, "#") {
		return false
	}
	rest := s[1:]
	if rest == "" {
		return true
	}
	for i := 1; i < len(rest); i++ {
		switch b := rest[i]; {
		case b == '%' && i+2 < len(rest) && isHex(rest[i+1]) && isHex(rest[i+2]):
			i += 2
		case b == '~' && i+1 < len(rest) && (rest[i+1] == '0' || rest[i+1] == '1'):
			i++
		case !isAlnum(b) && strings.IndexByte("_-.!$&'()*+,;:=@/", b) < 0:
			return false
		}
	}
	return rest[0] == '/'
}
