package message

import (
	"encoding/base64"
	"io"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// format is a rule for the text of a string, with the words for what it wants.
type format struct {
	is string
	ok func(string) bool
}

// formatOf returns the format of that name; its ok is nil if there is none.
func formatOf(name string) format {
	switch name {
	case "base64":
		return format{"base64 with the standard alphabet and padding", isBase64}
	case "media-type":
		return format{"a media type such as image/png", matcher(`^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(?:\s*;.*)?$`)}
	case "uri":
		return format{"a URI with a scheme", isURI}
	case "time":
		return format{"an ISO 8601 time", isTime}
	case "icon-source":
		return format{"an https address or a base64 data URI", isIconSource}
	case "icon-size":
		return format{"a size such as 48x48, or any", matcher(`^(?:[1-9][0-9]*x[1-9][0-9]*|any)$`)}
	case "tool-name":
		return format{"1 to 128 letters, digits, _, - and .", matcher(`^[A-Za-z0-9_.-]{1,128}$`)}
	case "traceparent":
		return format{"a W3C traceparent", matcher(`^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$`)}
	case "meta":
		return format{"a key of the form prefix/name, where the prefix is dot-joined labels", isMetaKey}
	case "extension":
		return format{"an extension identifier of the form prefix/name", func(s string) bool {
			prefix, _, found := strings.Cut(s, "/")
			return found && prefix != "" && isMetaKey(s)
		}}
	}
	return format{}
}

func matcher(pattern string) func(string) bool {
	return regexp.MustCompile(pattern).MatchString
}

func isBase64(s string) bool {
	if strings.ContainsAny(s, "\r\n") { // the decoder skips line ends
		return false
	}
	_, err := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, strings.NewReader(s)))
	return err == nil
}

// isURI accepts what has a scheme and holds no blanks or control characters.
func isURI(s string) bool {
	scheme, rest, found := strings.Cut(s, ":")
	if !found || rest == "" && scheme == "" || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return false
	}
	for i, r := range scheme {
		letter := r|0x20 >= 'a' && r|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", r)) {
			return false
		}
	}
	return scheme != ""
}

// isTime accepts ISO 8601 dates and times with or without a zone.
func isTime(s string) bool {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02",
		"20060102T150405Z0700", "20060102T150405", "2006-01-02T15:04:05Z0700"} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// isIconSource passes http as well: the schema comment allows it, and whether a
// client draws it is a question of its own.
func isIconSource(s string) bool {
	if head, body, found := strings.Cut(s, ","); found && strings.HasPrefix(head, "data:") {
		return strings.HasSuffix(head, ";base64") && body != ""
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// isMetaKey checks the grammar of _meta keys: an optional prefix of labels, then
// an optional name. Both bounds and middles are ASCII.
func isMetaKey(key string) bool {
	// ChatGPT documents keys with a second slash ("openai/toolInvocation/invoking"),
	// and every server made for it sends them: they are the host's own to name.
	if rest, ok := strings.CutPrefix(key, "openai/"); ok {
		key = "openai/" + strings.ReplaceAll(rest, "/", ".")
	}
	name := key
	if i := strings.IndexByte(key, '/'); i >= 0 {
		for label := range strings.SplitSeq(key[:i], ".") {
			if !bounded(label, isLetter, isAlnum, "-") {
				return false
			}
		}
		name = key[i+1:]
	}
	return name == "" || bounded(name, isAlnum, isAlnum, "-_.")
}

// bounded says that s starts with a first, ends with a last, and has only
// letters, digits and the given others between.
func bounded(s string, first, last func(byte) bool, others string) bool {
	if s == "" || !first(s[0]) || !last(s[len(s)-1]) {
		return false
	}
	for i := range len(s) {
		if !isAlnum(s[i]) && strings.IndexByte(others, s[i]) < 0 {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isAlnum(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }
