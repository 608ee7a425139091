package scenarios

import (
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
)

// mark is one x-mcp-header found in a schema.
type mark struct {
	pointer string
	schema  gjson.Result
	name    gjson.Result
}

func marks(schema gjson.Result) []mark {
	var out []mark
	_ = jsonschema.Walk([]byte(schema.Raw), func(p string, sub gjson.Result) bool {
		if n := sub.Get("x-mcp-header"); n.Exists() {
			out = append(out, mark{p, sub, n})
		}
		return true
	})
	return out
}

// eachMarked looks at tools that mirror parameters into headers.
func (e *Evidence) eachMarked(look func([]mark) []Fault) Ruling {
	if !e.Facts.Modern() {
		return NotApplicable("x-mcp-header belongs to 2026-07-28")
	}
	seen := 0
	r := e.eachEntry("tools/list", func(n entry) []Fault {
		if m := marks(n.raw.Get("inputSchema")); len(m) > 0 {
			seen++
			return look(m)
		}
		return nil
	})
	if seen == 0 {
		return NotApplicable("no tool mirrors a parameter into a header")
	}
	return r
}

func judgeHeaderMarks(e *Evidence) Ruling {
	token := regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	through := regexp.MustCompile(`^(/properties/[^/]+)+$`)
	return e.eachMarked(func(all []mark) []Fault {
		var out []Fault
		seen := map[string]bool{}
		for _, m := range all {
			t := m.schema.Get("type").Str
			low := strings.ToLower(m.name.String())
			switch {
			case m.name.Type != gjson.String || !token.MatchString(m.name.Str):
				out = append(out, one(true, "a header token", m.pointer+": "+short(m.name.Raw, 60))...)
			case seen[low]:
				out = append(out, one(true, "a name of its own", m.pointer+": "+m.name.Str+" is used twice")...)
			case t != "string" && t != "integer" && t != "boolean":
				out = append(out, one(true, "a string, integer or boolean property", m.pointer+": type "+orNone(m.schema.Get("type")))...)
			case !through.MatchString(m.pointer):
				out = append(out, one(true, "a property reached through properties", m.pointer)...)
			}
			seen[low] = true
		}
		return out
	})
}

func judgeHeaderSensitive(e *Evidence) Ruling {
	words := regexp.MustCompile(`(?i)(passw|secret|token|api_?key|private_?key|credential|ssn|pin$)`)
	return e.eachMarked(func(all []mark) []Fault {
		var out []Fault
		for _, m := range all {
			name := m.pointer[strings.LastIndexByte(m.pointer, '/')+1:]
			out = append(out, one(words.MatchString(name), "nothing secret in a header", name+" goes into "+short(m.name.String(), 60))...)
		}
		return out
	})
}
