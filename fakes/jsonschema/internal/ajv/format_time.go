package ajv

import (
	"strconv"
	"strings"
	"time"
)

func isDate(s string) bool {
	y, m, d, ok := splitDate(s)
	if !ok || m < 1 || m > 12 || d < 1 {
		return false
	}
	return d <= time.Date(y, time.Month(m)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func splitDate(s string) (y, m, d int, ok bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return 0, 0, 0, false
	}
	y, okY := number(s[:4])
	m, okM := number(s[5:7])
	d, okD := number(s[8:])
	return y, m, d, okY && okM && okD
}

func number(s string) (int, bool) {
	if s == "" || !allBytes(s, isDigit) {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// clock is a time of day as the plugin splits it.
type clock struct {
	hour, minute int
	second       float64
	zone         string // "" when absent
	offsetHours  int
	offsetMins   int
	negative     bool
}

func splitTime(s string) (c clock, ok bool) {
	if len(s) < 8 || s[2] != ':' || s[5] != ':' {
		return c, false
	}
	hour, okH := number(s[:2])
	minute, okM := number(s[3:5])
	end := 8
	if end < len(s) && s[end] == '.' {
		end++
		for end < len(s) && isDigit(s[end]) {
			end++
		}
		if end == 9 {
			return c, false
		}
	}
	second, err := strconv.ParseFloat(s[6:end], 64)
	if !okH || !okM || err != nil || !allBytes(s[6:8], isDigit) {
		return c, false
	}
	c = clock{hour: hour, minute: minute, second: second, zone: s[end:]}
	return c, c.zone == "" || c.splitZone()
}

func (c *clock) splitZone() bool {
	if strings.EqualFold(c.zone, "z") {
		return true
	}
	if c.zone[0] != '+' && c.zone[0] != '-' {
		return false
	}
	c.negative = c.zone[0] == '-'
	hours, minutes := c.zone[1:], ""
	if len(hours) > 2 {
		hours, minutes = hours[:2], strings.TrimPrefix(hours[2:], ":")
		if len(minutes) != 2 {
			return false
		}
	}
	var okH, okM bool
	c.offsetHours, okH = number(hours)
	c.offsetMins, okM = number(minutes)
	return okH && len(hours) == 2 && (okM || minutes == "")
}

func isTime(s string, zoned bool) bool {
	c, ok := splitTime(s)
	if !ok || c.offsetHours > 23 || c.offsetMins > 59 || zoned && c.zone == "" {
		return false
	}
	if c.hour <= 23 && c.minute <= 59 && c.second < 60 {
		return true
	}
	// A leap second is right at the end of a UTC day only.
	sign := 1
	if c.negative {
		sign = -1
	}
	minute := c.minute - c.offsetMins*sign
	hour := c.hour - c.offsetHours*sign
	if minute < 0 {
		hour--
	}
	return (hour == 23 || hour == -1) && (minute == 59 || minute == -1) && c.second < 61
}

func isDateTime(s string, zoned bool) bool {
	parts := splitDateTime(s)
	return len(parts) == 2 && isDate(parts[0]) && isTime(parts[1], zoned)
}

func splitDateTime(s string) []string {
	var parts []string
	start := 0
	for i, r := range s {
		if r == 't' || r == 'T' || isSpace(r) {
			parts = append(parts, s[start:i])
			start = i + len(string(r))
		}
	}
	return append(parts, s[start:])
}

// isSpace is \s of JavaScript.
func isSpace(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r == ' ', r == 0xA0, r == 0x1680, r >= 0x2000 && r <= 0x200A,
		r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x3000, r == 0xFEFF:
		return true
	}
	return false
}

func isDuration(s string) bool {
	rest, ok := strings.CutPrefix(s, "P")
	if !ok || rest == "" {
		return false
	}
	if weeks, ok := strings.CutSuffix(rest, "W"); ok {
		return weeks != "" && allBytes(weeks, isDigit)
	}
	date, clock, hasClock := strings.Cut(rest, "T")
	return units(date, "YMD") && (!hasClock || clock != "" && units(clock, "HMS"))
}

// units tells whether s is numbers, each followed by a unit, units in order.
func units(s, order string) bool {
	for s != "" {
		end := 0
		for end < len(s) && isDigit(s[end]) {
			end++
		}
		if end == 0 || end == len(s) {
			return false
		}
		at := strings.IndexByte(order, s[end])
		if at < 0 {
			return false
		}
		s, order = s[end+1:], order[at+1:]
	}
	return true
}

// limitFormat compiles formatMinimum and its kin.
func (c *compiler) limitFormat(keyword, limit string) {
	value, _ := c.member("format")
	c.checkValue("format", value)
	name := value.(string)
	if stringFormat(name) == nil && numberFormat(name) == nil {
		return
	}
	compare := comparer(name)
	if compare == nil {
		fail(`"%s": format "%s" does not define "compare" function`, keyword, name)
	}
	signs := map[string]string{"formatMaximum": "<=", "formatMinimum": ">=", "formatExclusiveMaximum": "<", "formatExclusiveMinimum": ">"}
	sign := signs[keyword]
	c.check("should be "+sign+" "+limit, func(_ *run, data any) bool {
		order, comparable := compare(data.(string), limit)
		return comparable && !holds(float64(order), sign, 0)
	})
}

// comparer gives the order of two texts of a format; ok is false where the plugin
// finds none.
func comparer(name string) func(a, b string) (order int, ok bool) {
	byText := func(a, b string) (int, bool) { return strings.Compare(a, b), a != "" && b != "" }
	byInstant := func(prefix string) func(a, b string) (int, bool) {
		return func(a, b string) (int, bool) {
			x, okX := instant(prefix + a)
			y, okY := instant(prefix + b)
			return x.Compare(y), okX && okY
		}
	}
	switch name {
	case "date":
		return byText
	case "time":
		return byInstant("2020-01-01T")
	case "date-time":
		return byInstant("")
	case "iso-time":
		return func(a, b string) (int, bool) {
			_, okA := splitTime(a)
			_, okB := splitTime(b)
			return strings.Compare(plainClock(a), plainClock(b)), okA && okB
		}
	case "iso-date-time":
		return func(a, b string) (int, bool) {
			x, y := splitDateTime(a), splitDateTime(b)
			if len(x) < 2 || len(y) < 2 {
				return 0, false
			}
			if order, ok := byText(x[0], y[0]); !ok || order != 0 {
				return order, ok
			}
			return byInstant("2020-01-01T")(x[1], y[1])
		}
	}
	return nil
}

// plainClock is hours, minutes and seconds without what stands between.
func plainClock(s string) string {
	end := strings.IndexAny(s, "zZ+-")
	if end >= 0 {
		s = s[:end]
	}
	return strings.ReplaceAll(s, ":", "")
}

func instant(s string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, strings.ToUpper(s)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
