package instance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
)

// object makes an object: what is required, with what that depends on, and in full
// mode every known property.
func (g *generator) object(path string, s shape, depth int) (string, error) {
	if least, _ := s.largest("minProperties"); least > maxMembers {
		return "", fmt.Errorf("%s: %w", place(path), errSize)
	}
	names, required := g.names(path, &s, depth)
	var members []string
	for _, name := range names {
		at := path + jsonschema.Pointer(name)
		raw, err := g.value(at, g.schemasFor(s, name), depth+1)
		switch {
		case err == nil:
			members = append(members, quote(name)+":"+raw)
		case required.has(name):
			return "", err
		}
	}
	return "{" + strings.Join(members, ",") + "}", nil
}

// names decides which properties the object gets. Properties may bring in schemas
// that ask for more of them.
func (g *generator) names(path string, s *shape, depth int) (names []string, required *set) {
	var needed, chosen set
	for round := 0; round < 10; round++ {
		before := len(needed.list)
		for _, v := range s.all("required") {
			for _, name := range v.Array() {
				needed.add(name.String())
			}
		}
		chosen = set{}
		known := s.known()
		for _, name := range known {
			if needed.has(name) || g.full && depth < maxOptional && g.choose(path+jsonschema.Pointer(name)+"+", 2) == 0 {
				chosen.add(name)
			}
		}
		for _, name := range needed.list {
			chosen.add(name)
		}
		g.fill(path, *s, known, &chosen)
		if !g.dependents(path, s, &chosen, &needed, round) && len(needed.list) == before {
			break
		}
	}
	names = chosen.list
	if most, ok := s.smallest("maxProperties"); ok && len(names) > most {
		excess := len(names) - most
		names = slices.DeleteFunc(names, func(name string) bool {
			cut := excess > 0 && !needed.has(name)
			if cut {
				excess--
			}
			return cut
		})
	}
	return names, &needed
}

// set is a list of names without repeats.
type set struct {
	list  []string
	known map[string]bool
}

func (s *set) has(name string) bool { return s.known[name] }

func (s *set) add(name string) bool {
	if s.known[name] {
		return false
	}
	if s.known == nil {
		s.known = map[string]bool{}
	}
	s.known[name] = true
	s.list = append(s.list, name)
	return true
}

// known lists the property names of the schemas, in their order.
func (s shape) known() []string {
	var known set
	for _, v := range s.all("properties") {
		v.ForEach(func(name, schema gjson.Result) bool {
			if schema.Type != gjson.False {
				known.add(name.String())
			}
			return true
		})
	}
	return known.list
}

// dependents works in what the presence of properties asks for.
func (g *generator) dependents(path string, s *shape, chosen, needed *set, round int) (grown bool) {
	for _, keyword := range []string{"dependentRequired", "dependencies", "dependentSchemas"} {
		for _, v := range s.all(keyword) {
			v.ForEach(func(name, dependency gjson.Result) bool {
				if !chosen.has(name.String()) {
					return true
				}
				if dependency.IsArray() {
					for _, other := range dependency.Array() {
						grown = needed.add(other.String()) || grown
					}
					return true
				}
				before := len(s.nodes)
				if !slices.ContainsFunc(s.nodes, func(n gjson.Result) bool { return n.Raw == dependency.Raw }) {
					g.collect(s, fmt.Sprintf("%s!%s%s", path, keyword, name.String()), dependency, round)
				}
				grown = grown || len(s.nodes) > before
				return true
			})
		}
	}
	return grown
}

// fill adds names until there are as many as minProperties asks for.
func (g *generator) fill(path string, s shape, known []string, chosen *set) {
	least, _ := s.largest("minProperties")
	for _, name := range known {
		if len(chosen.list) < least {
			chosen.add(name)
		}
	}
	for i := 0; len(chosen.list) < least && i < 4*maxMembers; i++ {
		if name, ok := g.name(path, s, i); ok {
			chosen.add(name)
		}
	}
}

// name makes a property name that no schema lists.
func (g *generator) name(path string, s shape, i int) (string, bool) {
	turn := g.turn
	defer func() { g.turn = turn }()
	g.turn += i
	if rules := s.all("propertyNames"); len(rules) > 0 {
		raw, err := g.value(path+"/*", append(rules, gjson.Parse(`{"type":"string"}`)), maxDepth-2)
		return gjson.Parse(raw).String(), err == nil
	}
	for _, v := range s.all("patternProperties") {
		var sources []string
		v.ForEach(func(source, _ gjson.Result) bool {
			sources = append(sources, source.String())
			return true
		})
		if len(sources) > 0 {
			return g.doc.patterns.sample([]string{sources[i%len(sources)]}, 0, maxText, i/len(sources)+1)
		}
	}
	return fmt.Sprintf("extra%d", i+1), true
}

// schemasFor lists the schemas that apply to one property.
func (g *generator) schemasFor(s shape, name string) []gjson.Result {
	var schemas, rest []gjson.Result
	for _, node := range s.nodes {
		own := g.propertySchemas(node, name)
		if additional := g.doc.member(node, "additionalProperties"); len(own) == 0 && additional.Exists() {
			own = append(own, additional)
		}
		schemas = append(schemas, own...)
		if unevaluated := g.doc.member(node, "unevaluatedProperties"); unevaluated.Exists() {
			rest = append(rest, unevaluated)
		}
	}
	if len(schemas) == 0 {
		return rest
	}
	return schemas
}

// propertySchemas gives the schemas that name a property, plainly or by pattern.
func (g *generator) propertySchemas(node gjson.Result, name string) []gjson.Result {
	var schemas []gjson.Result
	if own := g.doc.member(g.doc.member(node, "properties"), name); own.Exists() {
		schemas = append(schemas, own)
	}
	g.doc.member(node, "patternProperties").ForEach(func(source, schema gjson.Result) bool {
		if g.doc.patterns.match(source.String(), name) {
			schemas = append(schemas, schema)
		}
		return true
	})
	return schemas
}
