package instance

import (
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
)

// document is a schema with what its references lead to.
type document struct {
	root gjson.Result
	// named maps an id or anchor, as references write it, to its subschema.
	named map[string]gjson.Result
	// check tells valid from broken.
	check    *jsonschema.Schema
	patterns *patterns
	// index holds the members of large objects of the schema, by offset and length.
	index map[[2]int]map[string]gjson.Result
}

// limits keep one check short: generators check often.
func limits() jsonschema.Limits {
	return jsonschema.Limits{SchemaBytes: 1 << 20, SchemaNodes: 20_000, ValueBytes: 1 << 20, ValueNodes: 20_000, Steps: 200_000}
}

func open(schema []byte) (*document, error) {
	check, err := jsonschema.Compile(schema, jsonschema.IgnoreUnknownDialect(), jsonschema.WithLimits(limits()))
	if err != nil {
		return nil, err
	}
	d, err := read(schema)
	if err != nil {
		return nil, err
	}
	d.check = check
	return d, nil
}

// read takes in a schema without compiling it, so that a slightly wrong one can
// still be guessed at.
func read(schema []byte) (*document, error) {
	d := &document{root: gjson.ParseBytes(schema), named: map[string]gjson.Result{}, patterns: newPatterns(), index: map[[2]int]map[string]gjson.Result{}}
	err := jsonschema.Walk(schema, func(_ string, sub gjson.Result) bool {
		for _, keyword := range []string{"$id", "id"} {
			if id := member(sub, keyword); id.Type == gjson.String {
				d.named[strings.TrimSuffix(id.String(), "#")] = sub
			}
		}
		for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
			if anchor := member(sub, keyword); anchor.Type == gjson.String {
				d.named["#"+anchor.String()] = sub
			}
		}
		return true
	})
	return d, err
}

// resolve finds the target of a reference inside the document.
func (d *document) resolve(ref string) (gjson.Result, bool) {
	if ref == "#" || ref == "" {
		return d.root, true
	}
	if found, ok := d.named[ref]; ok {
		return found, true
	}
	before, fragment, _ := strings.Cut(ref, "#")
	at := d.root
	if before != "" {
		found, ok := d.named[before]
		if !ok {
			found, ok = d.endingWith(before)
		}
		if !ok {
			return gjson.Result{}, false
		}
		at = found
	}
	if fragment != "" && !strings.HasPrefix(fragment, "/") {
		found, ok := d.named["#"+fragment]
		return found, ok
	}
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	for _, token := range jsonschema.Tokens(fragment) {
		at = d.member(at, token)
	}
	return at, at.Exists()
}

// endingWith finds a subschema whose absolute id ends like a relative reference.
func (d *document) endingWith(ref string) (gjson.Result, bool) {
	for _, id := range sortedKeys(d.named) {
		if strings.HasSuffix(id, "/"+ref) || strings.HasSuffix(ref, "/"+id) {
			return d.named[id], true
		}
	}
	return gjson.Result{}, false
}

// largeObject is the size in bytes from which looking through an object each time
// costs more than an index.
const largeObject = 400

// member reads a member of a schema. It is the function member with a memory.
func (d *document) member(v gjson.Result, token string) gjson.Result {
	inside := v.Index > 0 || len(v.Raw) == len(d.root.Raw)
	if len(v.Raw) < largeObject || !inside || !v.IsObject() {
		return member(v, token)
	}
	key := [2]int{v.Index, len(v.Raw)}
	members, ok := d.index[key]
	if !ok {
		members = map[string]gjson.Result{}
		v.ForEach(func(key, value gjson.Result) bool {
			members[key.String()] = value
			return true
		})
		d.index[key] = members
	}
	return members[token]
}

// member reads an object's member or an array's item by its plain name. The last of
// equal keys counts, as everywhere.
func member(v gjson.Result, token string) gjson.Result {
	var found gjson.Result
	if !v.IsObject() && !v.IsArray() {
		return found
	}
	i := 0
	v.ForEach(func(key, value gjson.Result) bool {
		if v.IsObject() && key.String() == token || v.IsArray() && itoa(i) == token {
			found = value
		}
		i++
		return true
	})
	return found
}
