package instance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Candidate is an argument set for a tool.
type Candidate struct {
	Arguments []byte
	// Origin says where it comes from: _meta.inputExamples[0], inputExamples[0],
	// inputSchema.examples[0], inputSchema.default, generated, or guessed for a
	// schema that cannot be checked.
	Origin string
	// Fits tells that the input schema has nothing against it. It is false too
	// where the schema does not compile.
	Fits bool
}

// Candidates lists argument sets for a tool as it is listed, in order of trust: what
// the author gives as examples, then what is generated, then examples that the
// schema itself refuses. There is always at least one, and it is always an object.
func Candidates(tool []byte, seed int64) []Candidate {
	if !gjson.ValidBytes(tool) {
		return []Candidate{{Arguments: []byte("{}"), Origin: "guessed"}}
	}
	parsed := gjson.ParseBytes(tool)
	schema := member(parsed, "inputSchema")
	doc, err := open([]byte(schema.Raw))
	var fitting, refused []Candidate
	for _, c := range given(parsed, schema) {
		if err == nil {
			c.Arguments, c.Fits = doc.unwrap(c.Arguments)
		} else if inner := wrapped(gjson.ParseBytes(c.Arguments)); inner.Exists() {
			c.Arguments = []byte(inner.Raw)
		}
		switch {
		case !gjson.ParseBytes(c.Arguments).IsObject() || has(fitting, c) || has(refused, c):
		case c.Fits:
			fitting = append(fitting, c)
		default:
			refused = append(refused, c)
		}
	}
	if made := generated([]byte(schema.Raw), doc, seed); !has(fitting, made) {
		fitting = append(fitting, made)
	}
	return append(fitting, refused...)
}

func has(list []Candidate, c Candidate) bool {
	return slices.ContainsFunc(list, func(known Candidate) bool { return string(known.Arguments) == string(c.Arguments) })
}

// given lists what the tool's author wrote down as examples.
func given(tool, schema gjson.Result) []Candidate {
	var list []Candidate
	add := func(origin string, v gjson.Result) {
		if v.IsArray() {
			for i, item := range v.Array() {
				list = append(list, Candidate{Arguments: []byte(item.Raw), Origin: fmt.Sprintf("%s[%d]", origin, i)})
			}
		} else if v.IsObject() {
			list = append(list, Candidate{Arguments: []byte(v.Raw), Origin: origin})
		}
	}
	member(tool, "_meta").ForEach(func(key, value gjson.Result) bool {
		if name := key.String(); name == "inputExamples" || strings.HasSuffix(name, "/inputExamples") {
			add("_meta."+name, value)
		}
		return true
	})
	add("inputExamples", member(tool, "inputExamples"))
	add("inputSchema.examples", member(schema, "examples"))
	add("inputSchema.default", member(schema, "default"))
	return list
}

// unwrap takes an example as arguments, or its member that holds them. The member
// comes first unless the schema knows a property of that name.
func (d *document) unwrap(raw []byte) (arguments []byte, fits bool) {
	readings := [][]byte{raw}
	if inner := wrapped(gjson.ParseBytes(raw)); inner.Exists() {
		readings = append(readings, []byte(inner.Raw))
		if !d.knowsWrapper() {
			slices.Reverse(readings)
		}
	}
	for _, reading := range readings {
		if d.fits(reading) && gjson.ParseBytes(reading).IsObject() {
			return reading, true
		}
	}
	return readings[0], false
}

func (d *document) fits(raw []byte) bool {
	problems, err := d.check.Problems(raw)
	return err == nil && len(problems) == 0
}

func (d *document) knowsWrapper() bool {
	return slices.ContainsFunc(wrappers(), func(name string) bool { return member(member(d.root, "properties"), name).Exists() })
}

func wrappers() []string { return []string{"arguments", "input", "value"} }

// wrapped gives the object under the first wrapper name.
func wrapped(v gjson.Result) gjson.Result {
	for _, name := range wrappers() {
		if inner := member(v, name); inner.IsObject() {
			return inner
		}
	}
	return gjson.Result{}
}

// generated makes arguments, checked where the schema can be.
func generated(schema []byte, doc *document, seed int64) Candidate {
	object := Option(func(g *generator) { g.also = []gjson.Result{gjson.Parse(`{"type":"object"}`)} })
	if raw, err := Valid(schema, seed, object); err == nil {
		return Candidate{raw, "generated", true}
	}
	guess := Candidate{Arguments: []byte("{}"), Origin: "guessed"}
	if doc == nil {
		var err error
		if doc, err = read(schema); err != nil {
			return guess
		}
	}
	g := doc.generator(seed, []Option{object})
	if raw, err := g.root(); err == nil {
		guess.Arguments = []byte(raw)
	}
	return guess
}
