package instance

import (
	"fmt"
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
	for _, known := range list {
		if string(known.Arguments) == string(c.Arguments) {
			return true
		}
	}
	return false
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

// unwrap takes an example as arguments, or its member that holds them.
func (d *document) unwrap(raw []byte) (arguments []byte, fits bool) {
	fit := func(raw []byte) bool {
		problems, err := d.check.Problems(raw)
		return err == nil && len(problems) == 0 && gjson.ParseBytes(raw).IsObject()
	}
	inner := wrapped(gjson.ParseBytes(raw))
	switch {
	case inner.Exists() && fit([]byte(inner.Raw)) && !d.names(inner):
		return []byte(inner.Raw), true
	case fit(raw):
		return raw, true
	case inner.Exists() && fit([]byte(inner.Raw)):
		return []byte(inner.Raw), true
	case inner.Exists() && !d.names(inner):
		return []byte(inner.Raw), false
	}
	return raw, false
}

// names tells whether the schema itself has a property under which the wrapped
// value stands, so that what looks like a wrapper may be the arguments.
func (d *document) names(inner gjson.Result) bool {
	for _, name := range wrappers() {
		if v := member(member(d.root, "properties"), name); v.Exists() {
			return true
		}
	}
	return !inner.Exists()
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
	if raw, err := Valid(schema, seed); err == nil && gjson.ParseBytes(raw).IsObject() {
		return Candidate{raw, "generated", true}
	}
	guess := Candidate{Arguments: []byte("{}"), Origin: "guessed"}
	if doc == nil {
		var err error
		if doc, err = read(schema); err != nil {
			return guess
		}
	}
	g := doc.generator(seed, nil)
	if raw, err := g.value("", []gjson.Result{doc.root, gjson.Parse(`{"type":"object"}`)}, 0); err == nil && gjson.Parse(raw).IsObject() {
		guess.Arguments = []byte(raw)
	}
	return guess
}
