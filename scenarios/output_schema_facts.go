package scenarios

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// leaf is one value of structuredContent with its path.
type leaf struct {
	path  string
	value gjson.Result
}

// maxLeaves bounds how many values of one answer are looked for.
const maxLeaves = 500

// leaves lists the texts and numbers of a value. Booleans and null are left
// out: a sentence says them in too many ways.
func leaves(v gjson.Result, path string, out []leaf) []leaf {
	switch {
	case len(out) >= maxLeaves:
	case v.IsObject():
		v.ForEach(func(k, sub gjson.Result) bool {
			out = leaves(sub, strings.TrimPrefix(path+"."+k.Str, "."), out)
			return len(out) < maxLeaves
		})
	case v.IsArray():
		for i, sub := range v.Array() {
			out = leaves(sub, path+"["+strconv.Itoa(i)+"]", out)
		}
	case v.Type == gjson.String && strings.TrimSpace(v.Str) != "", v.Type == gjson.Number:
		out = append(out, leaf{path, v})
	}
	return out
}

// lostFacts are the values of structuredContent that no content block says.
// What the caller sent itself and the lengths of lists are no news; times may
// be written in any way.
func lostFacts(structured, content, sent gjson.Result) []leaf {
	text := contentWords(content)
	if saysAsJSON(structured, content) {
		return nil
	}
	said := newSaying(text)
	known := map[string]bool{}
	for _, l := range leaves(sent, "", nil) {
		known[l.value.String()] = true
	}
	lengths := map[float64]bool{}
	listLengths(structured, lengths)
	var out []leaf
	for _, l := range leaves(structured, "", nil) {
		switch {
		case known[l.value.String()], l.value.Type == gjson.Number && lengths[l.value.Num], l.value.Type == gjson.String && isTime(l.value.Str):
		case l.value.Type == gjson.Number && said.number(l.value.Num), l.value.Type == gjson.String && said.words(l.value.Str):
		default:
			out = append(out, l)
		}
	}
	return out
}

// contentWords are all texts and numbers of all blocks, links and embedded resources included.
func contentWords(content gjson.Result) string {
	var parts []string
	for _, l := range leaves(content, "", nil) {
		parts = append(parts, l.value.String())
	}
	return strings.Join(parts, "\n")
}

// saysAsJSON says that some text block is the JSON of the structured content.
func saysAsJSON(structured, content gjson.Result) bool {
	for _, b := range content.Array() {
		if t := b.Get("text"); t.Type == gjson.String && sameJSON(t.Str, structured.Raw) {
			return true
		}
	}
	return false
}

func listLengths(v gjson.Result, into map[float64]bool) {
	if v.IsArray() {
		into[float64(len(v.Array()))] = true
	}
	if v.IsArray() || v.IsObject() {
		v.ForEach(func(_, sub gjson.Result) bool {
			listLengths(sub, into)
			return true
		})
	}
}

func isTime(s string) bool {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly, time.DateTime, "2006-01-02T15:04:05"} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// saying is a text in a form in which values can be looked for.
type saying struct {
	text    string
	numbers []string
}

func newSaying(text string) saying {
	return saying{plain(text), regexp.MustCompile(`-?\d[\d,'_ \x{a0}\x{202f}]*(?:\.\d+)?(?:[eE][+-]?\d+)?`).FindAllString(text, 5000)}
}

// plain takes away what formatting changes: case, space, quotes, escapes, marks of Markdown.
func plain(s string) string {
	s = strings.NewReplacer(`\n`, " ", `\t`, " ", `\"`, "", `\\`, `\`, `"`, "", "'", "", "`", "", "*", "", "_", "", "’", "").Replace(s)
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

func (s saying) words(value string) bool {
	p := plain(value)
	switch {
	case p == "":
		return true
	case len(p) < 4 && hasWord(s.text, p), len(p) >= 4 && strings.Contains(s.text, p):
		return true
	}
	if n, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil {
		return s.number(n)
	}
	return false
}

// number looks for a number by value: thousands may be marked, digits rounded
// away, a fraction told as a percentage, bytes or milliseconds in the next unit.
func (s saying) number(want float64) bool {
	for _, raw := range s.numbers {
		digits := strings.Map(func(r rune) rune {
			if r == ',' || r == '\'' || r == '_' || r == ' ' || r == 0xa0 || r == 0x202f {
				return -1
			}
			return r
		}, raw)
		for _, candidate := range append([]string{digits}, strings.FieldsFunc(raw, func(r rune) bool { return r == ',' || r == ' ' || r == '\'' || r == '_' })...) {
			got, err := strconv.ParseFloat(candidate, 64)
			if err != nil {
				continue
			}
			for _, unit := range []float64{1, 100, 1e-3, 1.0 / 1024, 1e-6, 1.0 / (1024 * 1024)} {
				if closeTo(got, want*unit, candidate) {
					return true
				}
			}
		}
	}
	return false
}

// closeTo says that a number as written is another one, rounded to its digits.
func closeTo(got, want float64, written string) bool {
	if got == want {
		return true
	}
	_, fraction, _ := strings.Cut(written, ".")
	if math.Abs(want) < 1 && fraction == "" && got == 0 {
		return false // 0 for 0.4 says nothing
	}
	tolerance := 0.5 * math.Pow(10, -float64(len(fraction)))
	if want == math.Trunc(want) && fraction == "" {
		return false
	}
	return math.Abs(math.Abs(got)-math.Abs(want)) <= tolerance*1.000001
}
