package instance

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/tidwall/gjson"
)

var errRange = errors.New("no number fits its bounds")

// bounds are the limits on a number; nil means none.
type bounds struct {
	low, high         *big.Rat
	lowOpen, highOpen bool
	step              *big.Rat
}

// bounds reads the limits, exclusive ones of all revisions included.
func (s shape) bounds(whole bool) bounds {
	var b bounds
	if whole {
		b.step = big.NewRat(1, 1)
	}
	for _, node := range s.nodes {
		low, high := s.doc.member(node, "exclusiveMinimum"), s.doc.member(node, "exclusiveMaximum")
		b.atLeast(rat(s.doc.member(node, "minimum")), low.Type == gjson.True)
		b.atMost(rat(s.doc.member(node, "maximum")), high.Type == gjson.True)
		b.atLeast(rat(low), true)
		b.atMost(rat(high), true)
		if step := rat(s.doc.member(node, "multipleOf")); step != nil && step.Sign() > 0 {
			b.step = common(b.step, step)
		}
	}
	return b
}

func rat(v gjson.Result) *big.Rat {
	if v.Type != gjson.Number || len(v.Raw) > 400 {
		return nil
	}
	r, ok := new(big.Rat).SetString(v.Raw)
	if !ok {
		return nil
	}
	return r
}

func (b *bounds) atLeast(limit *big.Rat, open bool) {
	if limit != nil && (b.low == nil || limit.Cmp(b.low) > 0 || limit.Cmp(b.low) == 0 && open) {
		b.low, b.lowOpen = limit, open
	}
}

func (b *bounds) atMost(limit *big.Rat, open bool) {
	if limit != nil && (b.high == nil || limit.Cmp(b.high) < 0 || limit.Cmp(b.high) == 0 && open) {
		b.high, b.highOpen = limit, open
	}
}

// common is the least number both are divisors of.
func common(a, b *big.Rat) *big.Rat {
	if a == nil {
		return b
	}
	// lcm(p/q, r/s) = lcm(p*s, r*q) / (q*s)
	x := new(big.Int).Mul(a.Num(), b.Denom())
	y := new(big.Int).Mul(b.Num(), a.Denom())
	gcd := new(big.Int).GCD(nil, nil, x, y)
	lcm := new(big.Int).Mul(x, new(big.Int).Quo(y, gcd))
	return new(big.Rat).SetFrac(lcm, new(big.Int).Mul(a.Denom(), b.Denom()))
}

func (b bounds) fits(n *big.Rat) bool {
	if b.low != nil && (n.Cmp(b.low) < 0 || b.lowOpen && n.Cmp(b.low) == 0) {
		return false
	}
	if b.high != nil && (n.Cmp(b.high) > 0 || b.highOpen && n.Cmp(b.high) == 0) {
		return false
	}
	return b.step == nil || new(big.Rat).Quo(n, b.step).IsInt()
}

// number makes a number near 1, or near its bounds.
func (g *generator) number(path string, s shape, whole bool) (string, error) {
	b := s.bounds(whole)
	step := b.step
	if step == nil {
		step = big.NewRat(1, 1)
	}
	start := big.NewRat(int64(1+g.vary(path, 9)), 1)
	if b.low != nil && start.Cmp(b.low) < 0 {
		start.Add(b.low, big.NewRat(int64(g.vary(path, 9)), 1))
	}
	if b.high != nil && start.Cmp(b.high) > 0 {
		start = b.high
	}
	up := new(big.Rat).Mul(step, new(big.Rat).SetInt(ceil(new(big.Rat).Quo(start, step))))
	for _, n := range []*big.Rat{up, new(big.Rat).Sub(up, step), new(big.Rat).Add(up, step), start, b.middle(), b.low, b.high} {
		if n != nil && b.fits(n) {
			return decimal(n), nil
		}
	}
	if low := b.low; low != nil && b.step != nil {
		n := new(big.Rat).Mul(step, new(big.Rat).SetInt(ceil(new(big.Rat).Quo(low, step))))
		if b.lowOpen && n.Cmp(low) == 0 {
			n.Add(n, step)
		}
		if b.fits(n) {
			return decimal(n), nil
		}
	}
	return "", fmt.Errorf("%s: %w", place(path), errRange)
}

func (b bounds) middle() *big.Rat {
	if b.low == nil || b.high == nil {
		return nil
	}
	sum := new(big.Rat).Add(b.low, b.high)
	return sum.Quo(sum, big.NewRat(2, 1))
}

func ceil(r *big.Rat) *big.Int {
	q, m := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	if m.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// decimal writes a number as JSON text. Fractions without an end are cut far out.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	digits, exact := r.FloatPrec()
	if !exact {
		digits = 30
	}
	return strings.TrimRight(r.FloatString(min(digits, 400)), "0")
}
