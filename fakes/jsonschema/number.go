package jsonschema

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// decimal is a JSON number as digits x 10^exponent, without leading or trailing
// zeros. Zero has no digits. The exponent saturates at +-bigExponent.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

const bigExponent = math.MaxInt32

// parseDecimal reads a JSON number literal without doing arithmetic on its value.
func parseDecimal(literal string) decimal {
	var d decimal
	rest := strings.TrimPrefix(literal, "-")
	d.negative = rest != literal
	mantissa, exponent := rest, ""
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa, exponent = rest[:i], rest[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d.exponent = add(parseExponent(exponent), -len(fraction))
	digits := strings.TrimLeft(whole+fraction, "0")
	trimmed := strings.TrimRight(digits, "0")
	d.exponent = add(d.exponent, len(digits)-len(trimmed))
	d.digits = trimmed
	if trimmed == "" {
		return decimal{}
	}
	return d
}

func parseExponent(text string) int {
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimPrefix(text, "+"))
	if err != nil && strings.HasPrefix(text, "-") {
		return -bigExponent
	}
	if err != nil {
		return bigExponent
	}
	return add(n, 0)
}

func add(a, b int) int {
	return max(-bigExponent, min(bigExponent, a+b))
}

// magnitude is the exponent of the leading digit.
func (d decimal) magnitude() int { return add(d.exponent, len(d.digits)-1) }

func (d decimal) String() string {
	if d.digits == "" {
		return "0"
	}
	sign := ""
	if d.negative {
		sign = "-"
	}
	return sign + d.digits + "e" + strconv.Itoa(d.exponent)
}

// outsized tells whether exact arithmetic on a number of a value is refused.
func (d decimal) outsized() bool {
	return len(d.digits) > maxDigits || d.magnitude() > maxExponent || d.exponent < -2*maxExponent
}

// outsizedInSchema is narrower than outsized, so that every outsized number of a
// value lies beyond every number a schema may hold.
func (d decimal) outsizedInSchema() bool {
	return d.outsized() || d.digits != "" && d.magnitude() < -maxExponent
}

// standIns replace numbers whose exponent is out of reach by nearer ones that
// compare the same with every number a schema may hold. Distinct numbers get
// distinct stand-ins, so that equality inside a value keeps its meaning too.
type standIns struct {
	known map[string]json.Number
}

// replace gives the number to validate in place of literal.
func (s *standIns) replace(literal json.Number) (json.Number, error) {
	if len(literal) <= 300 && !strings.ContainsAny(string(literal), "eE") {
		return literal, nil
	}
	d := parseDecimal(string(literal))
	if len(d.digits) > maxDigits {
		return "", tooComplex("a number of %d digits, limit %d", len(d.digits), maxDigits)
	}
	if !d.outsized() {
		return json.Number(d.String()), nil
	}
	key := d.String()
	if known, ok := s.known[key]; ok {
		return known, nil
	}
	if s.known == nil {
		s.known = map[string]json.Number{}
	}
	if len(s.known) >= maxStandIns {
		return "", tooComplex("more than %d numbers with an exponent beyond %d", maxStandIns, maxExponent)
	}
	// Divisibility by a schema's multipleOf depends only on the digits once the
	// exponent is this large, so the digits stay.
	far := 4*maxExponent + len(s.known)
	if d.exponent < 0 {
		far = -far
	}
	d.exponent = far
	replaced := json.Number(d.String())
	s.known[key] = replaced
	return replaced, nil
}

const maxStandIns = 1000
