package report

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// minSecret is the shortest value that is masked, in bytes: shorter ones stand
// everywhere by chance.
const minSecret = 4

// masked stands in the place of a secret.
const masked = "***"

// Masker hides secrets in texts. The zero Masker hides nothing.
type Masker struct {
	// forms are the secrets in each form in which they may be met, longest first.
	forms []string
}

// NewMasker returns a Masker for the given values of environment variables and
// headers. Values under four bytes and ordinary ones ("true", a port) are passed over. A header's "Bearer X" hides X
// too, and "Basic X" hides what X encodes.
func NewMasker(secrets []string) Masker {
	met := map[string]bool{}
	var m Masker
	for _, s := range secrets {
		for _, part := range secretParts(s) {
			if len(part) < minSecret || ordinary(part) {
				continue
			}
			for _, f := range forms(part) {
				if len(f) >= minSecret && !met[f] {
					met[f] = true
					m.forms = append(m.forms, f)
				}
			}
		}
	}
	slices.SortFunc(m.forms, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	return m
}

// ordinary reports values that many variables have and that guard nothing:
// masked, they would make every report unreadable. Numbers of up to five digits
// are ports and limits.
func ordinary(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "null", "none", "auto", "info", "warn", "warning", "error", "debug", "trace", "silent", "verbose",
		"test", "production", "development", "staging", "local", "localhost", "127.0.0.1", "0.0.0.0", "http", "https", "stdio",
		"json", "text", "utf-8", "utf8", "c.utf-8", "application/json", "text/event-stream", "application/json, text/event-stream":
		return true
	}
	return len(s) <= 5 && strings.Trim(s, "0123456789") == ""
}

// secretParts returns s and what of it is a secret by itself.
func secretParts(s string) []string {
	parts := []string{s, strings.TrimSpace(s)}
	scheme, rest, ok := strings.Cut(strings.TrimSpace(s), " ")
	if !ok {
		return parts
	}
	switch strings.ToLower(scheme) {
	case "basic":
		rest = strings.TrimSpace(rest)
		parts = append(parts, rest)
		if plain, err := base64.StdEncoding.DecodeString(rest); err == nil {
			_, password, _ := strings.Cut(string(plain), ":")
			parts = append(parts, string(plain), password)
		}
	case "bearer", "token", "apikey", "digest", "negotiate":
		parts = append(parts, strings.TrimSpace(rest))
	}
	return parts
}

// forms returns the ways in which programs write s.
func forms(s string) []string {
	list := []string{
		s,
		url.QueryEscape(s), url.PathEscape(s), percentAll(s),
		strings.ReplaceAll(s, "'", `'\''`),
		hex.EncodeToString([]byte(s)), strings.ToUpper(hex.EncodeToString([]byte(s))),
		Visible(s),
	}
	for _, e := range list[1:4] {
		list = append(list, lowerPercent(e))
	}
	// JSON inside JSON is common on this wire: a frame holds a text that holds JSON.
	level := []string{s}
	for range 3 {
		var next []string
		for _, t := range level {
			next = append(next, jsonForms(t)...)
		}
		slices.Sort(next)
		level = slices.Compact(next)
		list = append(list, level...)
	}
	return append(list, base64Forms(s)...)
}

// jsonForms returns s as the inside of a JSON string: plain, with the escapes of
// HTML, with all but ASCII escaped, and with the slash escaped.
func jsonForms(s string) []string {
	plain, err := marshalString(s)
	if err != nil {
		return nil
	}
	html, err := json.Marshal(s)
	if err != nil {
		return nil
	}
	return []string{
		plain, string(html[1 : len(html)-1]), asciiJSON(plain, "%04x"), asciiJSON(plain, "%04X"),
		strings.ReplaceAll(plain, "/", `\/`),
	}
}

// base64Forms returns the characters that s alone decides in the base64 text of
// anything that holds it, for each of the three places it can start at.
func base64Forms(s string) []string {
	var list []string
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		for lead := range 3 {
			text := enc.WithPadding(base64.NoPadding).EncodeToString(append(make([]byte, lead), s...))
			// A character holds six bits: those that bytes before or behind share are left out.
			from, to := (lead*8+5)/6, (lead+len(s))*8/6
			if core := text[from:to]; len(core) >= minSecret {
				list = append(list, core)
			}
		}
	}
	return list
}

// String returns s with every secret replaced, also one that a bound cut off
// within: the beginning of a secret at the end of s.
func (m Masker) String(s string) string {
	var spans [][2]int
	for _, f := range m.forms {
		for from := 0; ; {
			i := strings.Index(s[from:], f)
			if i < 0 {
				break
			}
			spans = append(spans, [2]int{from + i, from + i + len(f)})
			from += i + 1
		}
	}
	spans = append(spans, m.cutOff(s)...)
	if len(spans) == 0 {
		return s
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var b strings.Builder
	at := 0
	for i := 0; i < len(spans); {
		from, to := spans[i][0], spans[i][1]
		for i++; i < len(spans) && spans[i][0] <= to; i++ {
			to = max(to, spans[i][1])
		}
		b.WriteString(s[at:from])
		b.WriteString(masked)
		at = to
	}
	b.WriteString(s[at:])
	return b.String()
}

// cutOff finds the beginning of a secret where a bound cut the text.
func (m Masker) cutOff(s string) [][2]int {
	const (
		least = 4    // bytes of a secret that are still worth hiding
		long  = 1000 // bytes from which on a text may have been cut without a mark
	)
	var ends []int
	if len(s) >= long {
		ends = append(ends, len(s))
	}
	if i := strings.LastIndex(s, "…"); i >= 0 {
		ends = append(ends, i, len(strings.TrimRight(s[:i], " ")))
	}
	var spans [][2]int
	for _, end := range ends {
		for _, f := range m.forms {
			for n := min(len(f)-1, end); n >= least; n-- {
				if strings.HasSuffix(s[:end], f[:n]) {
					spans = append(spans, [2]int{end - n, end})
					break
				}
			}
		}
	}
	return spans
}

// JSON hides secrets in the strings of a JSON text, whose form stays as it is:
// a number that looks like one is left alone.
func (m Masker) JSON(line string) string {
	if len(m.forms) == 0 {
		return line
	}
	var b strings.Builder
	for {
		from := strings.IndexByte(line, '"')
		if from < 0 {
			b.WriteString(line)
			return b.String()
		}
		to := from + 1
		for to < len(line) && line[to] != '"' {
			if line[to] == '\\' {
				to++
			}
			to++
		}
		to = min(to, len(line))
		b.WriteString(line[:from+1])
		b.WriteString(m.String(line[from+1 : to]))
		line = line[to:]
		if line != "" {
			b.WriteByte(line[0])
			line = line[1:]
		}
	}
}

// Mask hides secrets in every text of r that can come from outside conform. Texts
// of conform's own vocabulary (ids, verdicts, revisions ...) stay, so that a value
// like "stdio" cannot break the format. It changes r in place.
func Mask(r *Report, secrets []string) { NewMasker(secrets).Report(r) }

// Report hides the secrets in r, see Mask.
func (m Masker) Report(r *Report) {
	if len(m.forms) == 0 {
		return
	}
	eachText(r, func(t *string, _ int) { *t = m.String(*t) })
}

// marshalString returns s as the inside of a JSON string, without HTML escapes.
func marshalString(s string) (string, error) {
	b, err := marshal(s)
	if err != nil {
		return "", err
	}
	return string(b[1 : len(b)-1]), nil
}

// asciiJSON writes what is not ASCII in the inside of a JSON string as \u escapes.
func asciiJSON(s, format string) string {
	var b strings.Builder
	for _, r := range s {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u`+format, unit)
		}
	}
	return b.String()
}

// percentAll writes every byte but letters, digits and the unreserved marks as %XX.
func percentAll(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteString("%" + strings.ToUpper(hex.EncodeToString([]byte{c})))
	}
	return b.String()
}

// lowerPercent writes the digits of percent escapes in lower case.
func lowerPercent(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}
