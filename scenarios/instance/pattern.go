package instance

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/agntn/conform/fakes/jsonschema/ecma"
)

// patterns holds the regular expressions of a document, each compiled once.
type patterns map[string]*pattern

type pattern struct {
	re *ecma.Regexp
	// late counts matches that did not end in time. A pattern that is late often
	// counts as never matching, since each try costs its whole time.
	late int
}

// The time for one match, and how often it may be used up.
const (
	matchTime = 50 * time.Millisecond
	maxLate   = 3
)

func (p patterns) match(source, text string) bool {
	known := p[source]
	if known == nil {
		known = &pattern{}
		if re, err := ecma.CompileLenient(source, matchTime); err == nil {
			known.re = re
		}
		p[source] = known
	}
	if known.re == nil || known.late > maxLate {
		return false
	}
	ok, err := known.re.MatchString(text)
	if err != nil {
		known.late++
	}
	return err == nil && ok
}

// fit tells whether a text has a right length and matches all sources.
func (p patterns) fit(text string, least, most int, sources []string) bool {
	if n := utf8.RuneCountInString(text); n < least || n > most {
		return false
	}
	return !slices.ContainsFunc(sources, func(source string) bool { return !p.match(source, text) })
}

// sample makes a text that all patterns match, by walking each pattern and checking
// the outcome: lookarounds and references are guessed. n varies the outcome.
func (p patterns) sample(sources []string, least, most, n int) (string, bool) {
	if len(sources) == 0 {
		return strings.Repeat("x", least), least <= most
	}
	for _, source := range sources {
		root, err := ecma.Parse(source, true)
		if err != nil {
			root, err = ecma.Parse(source, false)
		}
		if err != nil {
			continue
		}
		for try := range 120 {
			w := &walker{turn: n + try, extra: stretch(try), room: 4 * maxText, groups: map[int]string{}}
			w.walk(root)
			for _, text := range w.variants(least) {
				if p.fit(text, least, most, sources) {
					return text, true
				}
			}
		}
	}
	return "", false
}

// stretch gives how often an open repeat goes beyond its minimum, from short to long.
func stretch(try int) int {
	return []int{0, 1, 2, 3, 5, 8, 12, 20, 40, 100, 300, 1000}[try%12]
}

type walker struct {
	b      strings.Builder
	turn   int
	extra  int
	room   int
	groups map[int]string
}

// variants gives the walked text, and padded to the least length for patterns that
// leave an end open.
func (w *walker) variants(least int) []string {
	text := w.b.String()
	missing := least - utf8.RuneCountInString(text)
	if missing <= 0 {
		return []string{text}
	}
	pad := strings.Repeat("x", missing)
	return []string{text + pad, pad + text}
}

func (w *walker) walk(n *ecma.Node) {
	if w.room--; w.room < 0 {
		return
	}
	switch n.Op {
	case ecma.Char:
		w.b.WriteRune(w.pick(n.Set))
	case ecma.Concat:
		for _, kid := range n.Kids {
			w.walk(kid)
		}
	case ecma.Either:
		w.walk(n.Kids[w.turn%len(n.Kids)])
	case ecma.Repeat:
		for range min(n.Max, n.Min+w.extra) {
			if w.room < 0 {
				return
			}
			w.walk(n.Kids[0])
		}
	case ecma.Group:
		start := w.b.Len()
		w.walk(n.Kids[0])
		w.groups[n.Index] = w.b.String()[start:]
	case ecma.Look:
		// What a positive lookahead asks for is a good guess for what follows
		// only when nothing else says so; the check decides.
		if !n.Negate && !n.Behind && w.turn%3 == 2 {
			w.walk(n.Kids[0])
		}
	case ecma.Back:
		w.b.WriteString(w.groups[n.Index])
	}
}

// pick takes a readable member of a set.
func (w *walker) pick(set ecma.Set) rune {
	const readable = "abcxyzABCXYZ0123456789_-. /@:"
	var fitting []rune
	for _, r := range readable {
		if set.Contains(r) {
			fitting = append(fitting, r)
		}
	}
	if len(fitting) > 0 {
		return fitting[w.turn%len(fitting)]
	}
	for _, span := range set {
		for r := span.Lo; r <= span.Hi && r < span.Lo+300; r++ {
			if unicode.IsPrint(r) {
				return r
			}
		}
	}
	if len(set) == 0 {
		return 'x'
	}
	return set[0].Lo
}
