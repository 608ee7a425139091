package jsonschema

import (
	"strconv"
	"strings"
)

// Pointer joins unescaped tokens to a JSON pointer (RFC 6901). No token gives "".
func Pointer(tokens ...string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		b.WriteString(escapeToken(token))
	}
	return b.String()
}

// Tokens splits a JSON pointer into unescaped tokens.
func Tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, token := range tokens {
		if strings.Contains(token, "~") {
			tokens[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		}
	}
	return tokens
}

func escapeToken(token string) string {
	if !strings.ContainsAny(token, "~/") {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

// Dotted gives the path a person would write for a place in a decoded JSON value:
// a.b[0].c, and a["odd key"] where a key is no plain word. Control and format
// characters of keys come out escaped. The root is "".
func Dotted(value any, tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		switch at := value.(type) {
		case []any:
			b.WriteString("[" + token + "]")
			value = nil
			if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(at) {
				value = at[i]
			}
			continue
		case map[string]any:
			value = at[token]
		default:
			value = nil
		}
		switch {
		case !plainWord(token):
			b.WriteString("[" + strconv.Quote(token) + "]")
		case b.Len() > 0:
			b.WriteString("." + token)
		default:
			b.WriteString(token)
		}
	}
	return b.String()
}

// plainWord tells whether a key can stand in a dotted path without quotes.
func plainWord(key string) bool {
	if key == "" || key[0] >= '0' && key[0] <= '9' {
		return false
	}
	for _, r := range key {
		ok := r == '_' || r == '-' || r == '$' ||
			r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !ok {
			return false
		}
	}
	return true
}
