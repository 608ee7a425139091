package instance

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/agntn/conform/fakes/jsonschema/ecma"
)

// patterns holds the regular expressions of a document, each compiled once.
type patterns struct {
	compiled map[string]*pattern
	// late counts matches of all patterns that did not end in time.
	late int
	// hopeless holds the searches of sample that found nothing.
	hopeless map[string]bool
}

func newPatterns() *patterns {
	return &patterns{compiled: map[string]*pattern{}, hopeless: map[string]bool{}}
}

type pattern struct {
	re *ecma.Regexp
	// late counts matches that did not end in time. A pattern that is late again
	// counts as never matching, since each try costs its whole time.
	late int
}

// The time for one match, long enough for a busy machine, and how often one pattern
// and all of them may use it up.
const (
	matchTime  = 300 * time.Millisecond
	maxLate    = 1
	maxAllLate = 4
)

func (p *patterns) match(source, text string) bool {
	known := p.compiled[source]
	if known == nil {
		known = &pattern{}
		if re, err := ecma.CompileLenient(source, matchTime); err == nil {
			known.re = re
		}
		p.compiled[source] = known
	}
	if known.re == nil || known.late > maxLate || known.late > 0 && p.late > maxAllLate {
		return false
	}
	ok, err := known.re.MatchString(text)
	if err != nil {
		known.late++
		p.late++
	}
	return err == nil && ok
}

// fit tells whether a text has a right length and matches all sources.
func (p *patterns) fit(text string, least, most int, sources []string) bool {
	if n := utf8.RuneCountInString(text); n < least || n > most {
		return false
	}
	return !slices.ContainsFunc(sources, func(source string) bool { return !p.match(source, text) })
}

// sample makes a text that all patterns match, by walking each pattern and checking
// the outcome: lookarounds and references are guessed. n varies the outcome.
func (p *patterns) sample(sources []string, least, most, n int) (string, bool) {
	if len(sources) == 0 {
		return strings.Repeat("x", least), least <= most
	}
	search := fmt.Sprint(least, most, sources)
	if p.hopeless[search] {
		return "", false
	}
	for _, source := range sources {
		root, err := ecma.Parse(source, true)
		if err != nil {
			root, err = ecma.Parse(source, false)
		}
		if err != nil {
			continue
		}
		for try := range maxTries {
			w := &walker{turn: n + try, mix: []int{0, 1, 7}[try*3/maxTries], extra: stretch(try), room: 4 * (min(most, maxText) + 50), groups: map[int]string{}}
			w.walk(root)
			for _, text := range w.variants(least) {
				if p.fit(text, least, most, sources) {
					return text, true
				}
			}
		}
	}
	p.hopeless[search] = true
	return "", false
}

// maxTries bounds the walks of one pattern: a third each with the same choice all
// along, with choices in a row, and with choices that jump.
const maxTries = 120

// stretch gives how often an open repeat goes beyond its minimum, from short to long.
func stretch(try int) int {
	return []int{0, 1, 2, 3, 5, 8, 12, 20, 40, 100, 300, 1000}[try%12]
}

type walker struct {
	b      strings.Builder
	turn   int
	mix    int // how far choices move on with each character
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
		w.walk(n.Kids[w.at()%len(n.Kids)])
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

func (w *walker) at() int { return w.turn + w.mix*w.b.Len() }

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
		return fitting[w.at()%len(fitting)]
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
