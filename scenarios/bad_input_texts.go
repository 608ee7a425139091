package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
)

// refusals are the attempts whose input was refused.
func (e *Evidence) refusals(kinds ...string) []attempt {
	var out []attempt
	for _, a := range e.attempts(kinds...) {
		if len(a.problems) > 0 && a.refused() {
			out = append(out, a)
		}
	}
	return out
}

// ofRefusals judges the words of refusals.
func (e *Evidence) ofRefusals(list []attempt, look func(a attempt) (*Fault, bool)) Ruling {
	r := e.ofAttempts(list, look)
	if r.Seen == 0 && len(e.Facts.CallableTools()) > 0 {
		r.Unseen = "no bad input was refused in a way that shows it"
	}
	return r
}

// words is everything a refusal says: its text and the text of an error's data.
func (a attempt) words() string { return a.x.Text() + "\n" + dataText(a.x) }

func judgeNamesProperty(e *Evidence) Ruling {
	return e.ofRefusals(e.refusals("one"), func(a attempt) (*Fault, bool) {
		names := a.names()
		if len(names) == 0 || len(namesOn(a.problems[0].Path)) > 1 {
			return nil, false // what lies inside of a property is told by nested-path
		}
		for _, n := range names {
			if mentions(a.words(), n) {
				return nil, true
			}
		}
		return &Fault{Expected: "the name of the property: " + a.sent(), Observed: sayAnswer(a.x)}, true
	})
}

// mentions says that a text names a property, as it is written or in words:
// "Start date" for startDate and start_date.
func mentions(text, name string) bool {
	if strings.Contains(text, name) {
		return true
	}
	var words strings.Builder
	for i, r := range name {
		switch {
		case r == '_' || r == '-':
			r = ' '
		case i > 0 && unicode.IsUpper(r):
			words.WriteByte(' ')
		}
		words.WriteRune(unicode.ToLower(r))
	}
	low := strings.ToLower(text)
	return strings.Contains(low, words.String()) || strings.Contains(low, strings.ToLower(name))
}

// hasWord says that a text holds a name as a word of its own.
func hasWord(text, name string) bool {
	inWord := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for from := 0; name != ""; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		before, after := []rune(text[:from+i]), []rune(text[from+i+len(name):])
		if (len(before) == 0 || !inWord(before[len(before)-1])) && (len(after) == 0 || !inWord(after[0])) {
			return true
		}
		from += i + len(name)
	}
	return false
}

// commonWords are names that the words of a refusal hold anyway.
func commonWords() []string {
	return []string{
		"a", "an", "and", "arguments", "array", "at", "be", "boolean", "characters", "code", "data", "error", "expected", "for", "from", "in", "input", "integer",
		"invalid", "is", "items", "key", "length", "match", "max", "message", "min", "must", "name", "no", "not", "null", "number", "object", "of", "one", "option",
		"options", "or", "path", "pattern", "problem", "properties", "property", "received", "required", "schema", "string", "text", "than", "the", "to", "tool", "type", "undefined", "value", "with",
	}
}

// onLines looks at a refusal of several problems. For each name of a problem it
// says on which lines it stands; names that the words of a refusal hold for
// other reasons are left out, for what they show is not certain.
func (e *Evidence) onLines(a attempt, singles []attempt) (lines []string, certain []string) {
	lines = textLines(strings.TrimSpace(a.words()))
	for _, n := range a.names() {
		if slices.Contains(commonWords(), strings.ToLower(n)) {
			continue
		}
		aside := slices.ContainsFunc(singles, func(s attempt) bool {
			return s.t == a.t && !slices.Contains(s.names(), n) && hasWord(s.words(), n)
		})
		if !aside {
			certain = append(certain, n)
		}
	}
	return lines, certain
}

func judgeLinePerProblem(e *Evidence) Ruling {
	singles := e.refusals("one")
	return e.ofRefusals(e.refusals("two", "three"), func(a attempt) (*Fault, bool) {
		lines, names := e.onLines(a, singles)
		some := false
		for _, l := range lines {
			var here []string
			for _, n := range names {
				if hasWord(l, n) {
					here = append(here, n)
				}
			}
			some = some || len(here) > 0
			if len(here) > 1 {
				return &Fault{Expected: "one line for each of: " + a.sent(), Observed: fmt.Sprintf("%s on one line: %s", strings.Join(here, ", "), short(l, 300))}, true
			}
		}
		return nil, some
	})
}

func judgeAllTold(e *Evidence) Ruling {
	singles := e.refusals("one")
	drops := e.dropsUnknown()
	return e.ofRefusals(e.refusals("two", "three"), func(a attempt) (*Fault, bool) {
		var missing []string
		dropped := map[string]bool{}
		for _, p := range a.problems {
			n := lastName(p.Path)
			if p.Keyword == "additionalProperties" && drops[a.t.Name] {
				dropped[n] = true
				continue // no problem to this server: told by unknown-key
			}
			if n != "" && !told(a.words(), p.Path) && !slices.Contains(missing, n) {
				missing = append(missing, n)
			}
		}
		if len(missing) == len(a.names()) {
			return nil, false // told by names-the-property
		}
		if len(missing) == 0 {
			_, certain := e.onLines(a, singles)
			certain = slices.DeleteFunc(certain, func(n string) bool { return dropped[n] })
			return nil, len(certain) > 1
		}
		return &Fault{Expected: "all of: " + a.sent(), Observed: "nothing about " + strings.Join(missing, ", ") + ": " + short(a.x.Text(), 300)}, true
	})
}

// told says that a text names a place, or at least something on the way to it.
func told(text, pointer string) bool {
	return slices.ContainsFunc(namesOn(pointer), func(n string) bool { return mentions(text, n) })
}

// dropsUnknown are the tools that were seen to take a key that their schema excludes.
func (e *Evidence) dropsUnknown() map[string]bool {
	out := map[string]bool{}
	for _, a := range e.attempts("extra") {
		if len(a.problems) > 0 && a.x.Answered() && !strings.Contains(a.words(), "conform_unknown") {
			out[a.t.Name] = true
		}
	}
	return out
}

func judgeNestedPath(e *Evidence) Ruling {
	var nested []attempt
	for _, a := range e.refusals("one") {
		if len(a.problems) == 1 && len(namesOn(a.problems[0].Path)) > 1 {
			nested = append(nested, a)
		}
	}
	if len(nested) == 0 && len(e.Facts.CallableTools()) > 0 {
		return NotApplicable("no refusal was about a property inside of another")
	}
	return e.ofRefusals(nested, func(a attempt) (*Fault, bool) {
		way := namesOn(a.problems[0].Path)
		for _, l := range textLines(a.words()) {
			if inOrder(l, way) {
				return nil, true
			}
		}
		// A dump over several lines names each step on a line of its own.
		if inOrder(strings.Join(strings.Fields(a.words()), " "), way) {
			return nil, true
		}
		return &Fault{Expected: "the way to the problem: " + a.problems[0].Property, Observed: sayAnswer(a.x)}, true
	})
}

// namesOn are the names on the way to a place, without indexes.
func namesOn(pointer string) []string {
	var out []string
	for _, t := range jsonschema.Tokens(pointer) {
		if strings.Trim(t, "0123456789") != "" {
			out = append(out, t)
		}
	}
	return out
}

// inOrder says that a line holds names one after the other, each near the one before.
func inOrder(line string, names []string) bool {
	const near = 40
	for from := 0; ; {
		i := strings.Index(line[from:], names[0])
		if i < 0 {
			return false
		}
		at, ok := from+i+len(names[0]), true
		for _, n := range names[1:] {
			j := strings.Index(line[at:], n)
			if j < 0 || j > near {
				ok = false
				break
			}
			at += j + len(n)
		}
		if ok {
			return true
		}
		from += i + len(names[0])
	}
}

// hostileEchoes lists which raw characters of hostile keys and values come back.
func (e *Evidence) hostileEchoes(keep func([]string) []string) Ruling {
	var list []attempt
	for _, a := range e.attempts("hostile-key", "hostile-value") {
		if a.x.Refused() {
			list = append(list, a)
		}
	}
	r := e.ofAttempts(list, func(a attempt) (*Fault, bool) {
		sent := hostileValue
		if strings.HasPrefix(a.x.Label, "hostile-key:") {
			arguments(a.x).ForEach(func(k, _ gjson.Result) bool {
				if len(rawControls(k.Str, false)) > 0 {
					sent = k.Str
				}
				return true
			})
		}
		raw := keep(echoed(a.words(), sent))
		slices.Sort(raw)
		if raw = slices.Compact(raw); len(raw) > 0 {
			return &Fault{Expected: "the key or value without raw control characters", Observed: strings.Join(raw, ", ") + " in: " + short(a.x.Text(), 200)}, true
		}
		return nil, true
	})
	if r.Seen == 0 && len(e.Facts.CallableTools()) > 0 {
		r.Unseen = "no refusal was about a key or value with control characters"
	}
	return r
}

// hides says of a character name from rawControls that it only turns or hides text.
func hides(c string) bool {
	switch c {
	case "U+200B", "U+200C", "U+200D", "U+200E", "U+200F", "U+FEFF":
		return true
	case "U+2028", "U+2029":
		return false
	}
	return strings.HasPrefix(c, "U+202") || strings.HasPrefix(c, "U+206")
}

func judgeInputEscaped(e *Evidence) Ruling {
	return e.hostileEchoes(func(raw []string) []string { return slices.DeleteFunc(raw, hides) })
}

func judgeInputHidden(e *Evidence) Ruling {
	return e.hostileEchoes(func(raw []string) []string {
		return slices.DeleteFunc(raw, func(c string) bool { return !hides(c) })
	})
}

// dumpMarks are the ways in which validators print themselves.
func dumpMarks() *regexp.Regexp {
	return regexp.MustCompile(strings.Join([]string{
		`"code"\s*:\s*"(invalid_|too_|unrecognized_|custom)`, `\[\s*\{\s*"(code|expected|path|message|instancePath|keyword)"\s*:`, // zod, ajv
		`"(instancePath|schemaPath|dataPath)"\s*:`, `\bZodError\b`,
		`errors\.pydantic\.dev`, `For further information visit`, `validation errors? for \w+\s*\n`, `\[type=\w+, input_value=`, // Pydantic
		`Failed validating '\w+' in schema`, `On instance\[`, // jsonschema of Python
		`&\{[A-Z]\w*:`, // Go
	}, "|"))
}

func judgeNoDump(e *Evidence) Ruling {
	dump, stack := dumpMarks(), stackMarks()
	return e.ofRefusals(e.refusals("one", "two", "three", "text", "extra"), func(a attempt) (*Fault, bool) {
		for _, what := range []struct {
			is string
			re *regexp.Regexp
		}{{"a validator's output", dump}, {"a stack trace", stack}} {
			if what.re.MatchString(a.words()) {
				return &Fault{Expected: "a sentence for each problem", Observed: what.is + ": " + short(a.x.Text(), 400)}, true
			}
		}
		return nil, true
	})
}
