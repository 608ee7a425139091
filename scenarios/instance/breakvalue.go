package instance

import (
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// breakValue replaces the value at a place by wrong ones, one for each kind.
func (b *breaker) breakValue(tokens []string, s shape, before []edit) {
	first := func(kind Kind, values []string) {
		for _, value := range values {
			if b.try(kind, tokens, edit{tokens: tokens, value: value}, before) {
				return
			}
		}
	}
	current, _ := b.current(tokens, before)
	types := s.types()
	first(Type, b.wrongTypes(types))
	first(Null, []string{"null"})
	if len(s.all("enum")) > 0 {
		first(Enum, outside())
	}
	if len(s.all("const")) > 0 {
		first(Const, outside())
	}
	if slices.Contains(types, "integer") || slices.Contains(types, "number") {
		limits := s.bounds(slices.Contains(types, "integer") && !slices.Contains(types, "number"))
		first(Range, limits.beyond())
		if len(s.all("multipleOf")) > 0 {
			first(Multiple, limits.between())
		}
	}
	if slices.Contains(types, "string") {
		first(Length, s.wrongLengths(current))
		if len(s.all("pattern")) > 0 {
			first(Pattern, s.unmatched())
		}
	}
	if slices.Contains(types, "array") && current.IsArray() {
		first(Items, s.wrongSizes(current))
	}
}

// wrongTypes lists values of other types, those first that no lenient reader could
// take for the wanted one: no number for a text, no text that reads as a number.
func (b *breaker) wrongTypes(types []string) []string {
	nested := `{"conform":"wrong type"}`
	if b.flat {
		nested = "42"
	}
	var list []string
	for _, kind := range types {
		switch kind {
		case "string":
			list = append(list, nested)
		case "null":
		case "array":
			if !b.flat {
				list = append(list, nested)
			}
			list = append(list, quote("no array"))
		default:
			list = append(list, quote("no "+kind))
		}
	}
	return append(list, nested, quote("wrong type"), "42.5", "true")
}

// outside lists values that are rarely in an enum, one of each type.
func outside() []string { return []string{quote("conform_none_of_these"), "987654321", "987654321.5"} }

// beyond lists numbers outside the bounds: just outside, or clearly so where readers
// that keep numbers as float64 would not see the difference.
func (l bounds) beyond() []string {
	var list []string
	if l.low != nil {
		if l.lowOpen {
			list = append(list, decimal(l.low))
		}
		list = append(list, decimal(new(big.Rat).Sub(l.low, l.away(l.low))))
	}
	if l.high != nil {
		if l.highOpen {
			list = append(list, decimal(l.high))
		}
		list = append(list, decimal(new(big.Rat).Add(l.high, l.away(l.high))))
	}
	return list
}

// away gives a distance from a limit that keeps to the step.
func (l bounds) away(limit *big.Rat) *big.Rat {
	step := l.step
	if step == nil {
		step = big.NewRat(1, 1)
	}
	part := new(big.Rat).Quo(new(big.Rat).Abs(limit), big.NewRat(1<<40, 1))
	steps := ceil(part.Quo(part, step))
	if steps.Sign() == 0 {
		return step
	}
	return new(big.Rat).Mul(step, new(big.Rat).SetInt(steps))
}

// between lists numbers off the grid of multipleOf.
func (l bounds) between() []string {
	if l.step == nil {
		return nil
	}
	start := big.NewRat(0, 1)
	if l.low != nil {
		start = l.low
	}
	var list []string
	for _, part := range []*big.Rat{big.NewRat(1, 1), new(big.Rat).Quo(l.step, big.NewRat(2, 1)), big.NewRat(1, 1000)} {
		if n := new(big.Rat).Add(start, part); !new(big.Rat).Quo(n, l.step).IsInt() {
			list = append(list, decimal(n))
		}
	}
	return list
}

// maxLong bounds the text made to break a maxLength.
const maxLong = 5000

func (s shape) wrongLengths(current gjson.Result) []string {
	text := "x"
	if current.Type == gjson.String && current.String() != "" {
		text = current.String()
	}
	var list []string
	if least, ok := s.largest("minLength"); ok && least > 0 {
		list = append(list, quote(firstRunes(text, least-1)))
	}
	if most, ok := s.smallest("maxLength"); ok && most < maxLong {
		last, _ := utf8.DecodeLastRuneInString(text)
		list = append(list, quote(text+strings.Repeat(string(last), max(0, most+1-utf8.RuneCountInString(text)))))
	}
	return list
}

func firstRunes(text string, n int) string {
	runes := []rune(text)
	return string(runes[:min(n, len(runes))])
}

// unmatched lists texts of a right length that hardly any pattern matches.
func (s shape) unmatched() []string {
	least, _ := s.largest("minLength")
	most, limited := s.smallest("maxLength")
	if !limited {
		most = maxLong
	}
	var list []string
	for _, seed := range []string{"!", "~no match~", " ", "\u00b6", "a", "0", "A-"} {
		text := seed
		for utf8.RuneCountInString(text) < least && len(text) < maxLong {
			text += seed
		}
		list = append(list, quote(firstRunes(text, most)))
	}
	return append(list, quote(""))
}

func (s shape) wrongSizes(current gjson.Result) []string {
	items := current.Array()
	var raw []string
	for _, item := range items {
		raw = append(raw, item.Raw)
	}
	var list []string
	if least, ok := s.largest("minItems"); ok && least > 0 && least <= len(raw) {
		list = append(list, "["+strings.Join(raw[:least-1], ",")+"]")
	}
	if most, ok := s.smallest("maxItems"); ok && most < 200 && len(raw) > 0 {
		more := slices.Clone(raw)
		for len(more) <= most {
			more = append(more, raw[len(raw)-1])
		}
		list = append(list, "["+strings.Join(more, ",")+"]")
	}
	if len(raw) > 0 {
		list = append(list, "["+strings.Join(append(slices.Clone(raw), raw[0]), ",")+"]")
	}
	return list
}
