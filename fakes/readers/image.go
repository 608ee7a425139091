package readers

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// decodeBase64 reads what it can of base64 text: white space is skipped, padding
// may be missing.
func decodeBase64(s string) []byte {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n\f\r=", r) {
			return -1
		}
		return r
	}, s)
	out, _ := base64.RawStdEncoding.DecodeString(s)
	return out
}

// shownImage says whether a MIME type is one of the four that models take.
func shownImage(mime string) bool {
	switch mime {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	}
	return false
}

// minImage is the least number of bytes from which a picture's kind is told.
const minImage = 24

// sniffImage gives the MIME type of base64 data that begins as a picture, or "".
func sniffImage(data string) string {
	b := decodeBase64(data[:min(len(data), 64)])
	if len(b) < minImage {
		return ""
	}
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(b, []byte("GIF8")):
		return "image/gif"
	case bytes.HasPrefix(b, []byte("RIFF")) && bytes.Equal(b[8:12], []byte("WEBP")):
		return "image/webp"
	}
	return ""
}
