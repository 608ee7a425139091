package instance

import (
	"errors"
	"fmt"
	"strings"
)

var errText = errors.New("no text was found that fits its pattern and length")

// text makes a string.
func (g *generator) text(path string, s shape) (string, error) {
	least, _ := s.largest("minLength")
	most, limited := s.smallest("maxLength")
	if !limited {
		most = maxText
	}
	if least > maxText || most < least {
		return "", fmt.Errorf("%s: %w", place(path), errText)
	}
	var patterns []string
	for _, v := range s.all("pattern") {
		patterns = append(patterns, v.String())
	}
	for _, guess := range g.guesses(path, s, least, most) {
		if g.doc.patterns.fit(guess, least, most, patterns) {
			return quote(guess), nil
		}
	}
	made, ok := g.doc.patterns.sample(patterns, least, most, g.vary(path, 1000))
	if !ok {
		return "", fmt.Errorf("%s: %w", place(path), errText)
	}
	return quote(made), nil
}

// guesses lists texts that say something: for the format, for the property's name,
// then plain words of a fitting length.
func (g *generator) guesses(path string, s shape, least, most int) []string {
	n := g.vary(path, 1000)
	var list []string
	for _, format := range s.all("format") {
		list = append(list, formatted(format.String(), n)...)
	}
	if encoding := s.all("contentEncoding"); len(encoding) > 0 && encoding[0].String() == "base64" {
		list = append(list, "ZXhhbXBsZQ==")
	}
	list = append(list, named(path[strings.LastIndexByte(path, '/')+1:])...)
	word := "example"
	if n > 0 {
		word = fmt.Sprintf("example-%d", n)
	}
	if least > len(word) {
		word += strings.Repeat("x", least-len(word))
	}
	return append(list, word, cut(word, most), cut("x", most))
}

func cut(text string, most int) string {
	if len(text) > most {
		return text[:max(0, most)]
	}
	return text
}

// named gives a text for what a property of that name usually takes.
func named(name string) []string {
	switch strings.ToLower(name) {
	case "url", "uri", "link", "href":
		return []string{"https://example.com/"}
	case "email":
		return []string{"person@example.com"}
	case "date":
		return []string{"2024-05-17"}
	}
	return nil
}

// formatted gives texts of a format; the second form varies with n.
func formatted(format string, n int) []string {
	switch format {
	case "email", "idn-email":
		return vary("person@example.com", "person%d@example.com", n)
	case "uri", "url", "iri", "uri-reference", "iri-reference", "uri-template":
		return vary("https://example.com/", "https://example.com/%d", n)
	case "date":
		return vary("2024-05-17", "2024-05-%02d", n%28+1)
	case "date-time":
		return vary("2024-05-17T10:30:00Z", "2024-05-17T10:%02d:00Z", n%60)
	case "time":
		return vary("10:30:00Z", "10:%02d:00Z", n%60)
	case "duration":
		return vary("P1D", "P%dD", n+1)
	case "uuid":
		return vary("123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174%03d", n%1000)
	case "ipv4":
		return vary("192.0.2.1", "192.0.2.%d", n%254+1)
	case "ipv6":
		return vary("2001:db8::1", "2001:db8::%d", n%1000+1)
	case "hostname", "idn-hostname":
		return vary("example.com", "host%d.example.com", n)
	case "json-pointer":
		return vary("/example", "/example/%d", n)
	case "relative-json-pointer":
		return []string{"0/example"}
	case "regex":
		return []string{"^example$"}
	case "byte":
		return []string{"ZXhhbXBsZQ=="}
	}
	return nil
}

func vary(plain, numbered string, n int) []string {
	if n == 0 {
		return []string{plain}
	}
	return []string{fmt.Sprintf(numbered, n), plain}
}
