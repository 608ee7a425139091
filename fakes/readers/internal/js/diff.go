package js

import "strings"

// Change is one difference between a value as sent and as kept.
type Change struct {
	Path string // with dots
	Gone bool   // the member is no longer there
}

// Changes lists what differs between a value as it was sent and as a client
// keeps it. Numbers differ when their text no longer stands for the same
// decimal. At most limit differences are listed.
func Changes(sent, kept Value, limit int) []Change {
	d := differ{limit: limit}
	d.walk(sent, kept, "")
	return d.found
}

type differ struct {
	found []Change
	limit int
}

func (d *differ) add(path string, gone bool) {
	if len(d.found) < d.limit {
		d.found = append(d.found, Change{strings.TrimPrefix(path, "."), gone})
	}
}

func (d *differ) walk(a, b Value, path string) {
	if len(d.found) >= d.limit {
		return
	}
	if a.Kind != b.Kind {
		d.add(path, false)
		return
	}
	switch a.Kind {
	case Object:
		for _, k := range a.Keys() {
			if !b.Has(k) {
				d.add(path+"."+k, true)
				continue
			}
			d.walk(a.Get(k), b.Get(k), path+"."+k)
		}
		for _, k := range b.Keys() {
			if !a.Has(k) {
				d.add(path+"."+k, false)
			}
		}
	case Array:
		if len(a.Items) != len(b.Items) {
			d.add(path, false)
			return
		}
		for i := range a.Items {
			d.walk(a.Items[i], b.Items[i], path+"."+FormatNumber(float64(i)))
		}
	case Number:
		sent := a.Raw
		if sent == "" {
			sent = FormatNumber(a.Num)
		}
		// A client writes the double it holds, not the text it read.
		if !sameDecimal(sent, FormatNumber(b.Num)) {
			d.add(path, false)
		}
	default:
		if !Equal(a, b) {
			d.add(path, false)
		}
	}
}

// sameDecimal says whether two number texts stand for the same decimal.
func sameDecimal(a, b string) bool {
	return a == b || decimal(a) == decimal(b)
}

type dec struct {
	minus  bool
	digits string
	exp    int
}

func decimal(s string) dec {
	out := dec{minus: strings.HasPrefix(s, "-")}
	s = strings.TrimPrefix(s, "-")
	if s == "Infinity" || s == "NaN" {
		return dec{digits: s}
	}
	mant, exp := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mant, exp = s[:i], s[i+1:]
	}
	neg := strings.HasPrefix(exp, "-")
	for _, c := range strings.TrimLeft(exp, "+-") {
		if out.exp < 1<<30 {
			out.exp = out.exp*10 + int(c-'0')
		}
	}
	if neg {
		out.exp = -out.exp
	}
	whole, frac, _ := strings.Cut(mant, ".")
	out.exp -= len(frac)
	digits := strings.TrimLeft(whole+frac, "0")
	short := strings.TrimRight(digits, "0")
	out.exp += len(digits) - len(short)
	out.digits = short
	if short == "" {
		return dec{}
	}
	return out
}
