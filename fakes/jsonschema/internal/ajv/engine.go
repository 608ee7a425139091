package ajv

import (
	"errors"
	"fmt"
	"strings"
)

// Engine is one instance of ajv. It keeps schemas by their id, and a schema with a
// known id is answered with the first one, as the SDK clients do. It is not safe
// for concurrent use.
type Engine struct {
	dialect dialect
	groups  []group
	// checks are the keywords that check something.
	checks map[string]bool
	// refs maps an absolute URI to an *env, or to another URI (string).
	refs    map[string]any
	running []*env
	// spent counts the work on one schema, chain references that lead to references.
	spent, chain int
}

func newEngine(d dialect) *Engine {
	e := &Engine{dialect: d, groups: d.groups(), checks: map[string]bool{}, refs: map[string]any{}}
	for _, g := range e.groups {
		for _, rule := range g.rules {
			e.checks[rule] = true
		}
	}
	return e
}

// Provider is the validator of one SDK client: an engine for each dialect it reads.
type Provider struct {
	v2      bool
	engines map[dialect]*Engine
}

// NewProvider gives the validator of the TypeScript SDK v1 client, which reads every
// schema as draft-07, or of the v2 client, which goes by $schema.
func NewProvider(v2 bool) *Provider { return &Provider{v2: v2, engines: map[dialect]*Engine{}} }

// Compile reads a schema, JSON text of an object. The error is a *Exception with
// the text the client shows, ErrBudget, or one that says what is not imitated.
func (p *Provider) Compile(raw []byte) (*Schema, error) {
	v, err := parse(raw)
	if err != nil {
		return nil, err
	}
	schema, ok := v.(*object)
	if !ok {
		return nil, errors.New("schema is no JSON object")
	}
	d := draft07
	if p.v2 {
		if d, err = declared(schema); err != nil {
			return nil, err
		}
	}
	if p.engines[d] == nil {
		p.engines[d] = newEngine(d)
	}
	return p.engines[d].compile(schema)
}

// declared gives the dialect that $schema names, the v2 client's way.
func declared(schema *object) (dialect, error) {
	uri, ok := schema.members["$schema"].(string)
	if !ok {
		return draft2020, nil
	}
	known := strings.TrimSuffix(uri, "#")
	known = strings.TrimPrefix(strings.TrimPrefix(known, "https://json-schema.org/"), "http://json-schema.org/")
	switch known {
	case "draft/2020-12/schema":
		return draft2020, nil
	case "draft/2019-09/schema":
		return draft2019, nil
	case "draft-07/schema", "draft-06/schema":
		return draft07, nil
	}
	return 0, &Exception{fmt.Sprintf(`JSON Schema declares an unsupported dialect ("$schema": "%s"). `+
		`The default validator supports JSON Schema 2020-12, 2019-09, draft-07, and draft-06; `+
		`pass a pre-configured Ajv instance to AjvJsonSchemaValidator(ajv) to validate other dialects.`, firstUnits(uri, 200))}
}

// firstUnits cuts text after n UTF-16 code units.
func firstUnits(text string, n int) string {
	for i, r := range text {
		if n--; r > 0xFFFF {
			n--
		}
		if n < 0 {
			return text[:i]
		}
	}
	return text
}

func (e *Engine) compile(schema *object) (compiled *Schema, err error) {
	e.spent, e.chain, e.running = 0, 0, nil
	defer rescue(&err)
	if id, ok := schema.members["$id"].(string); ok {
		if known := e.known(id); known != nil {
			return known, nil
		}
	}
	id, _ := schema.own("$id")
	root := newEnv(schema, nil, normalizeID(id))
	e.register(root)
	if !strings.HasPrefix(root.base, "#") {
		if root.base != "" && e.refs[root.base] != nil {
			fail(`schema with key or id "%s" already exists`, root.base)
		}
		e.refs[root.base] = root
	}
	e.compileEnv(root)
	return &Schema{root}, nil
}

// known finds a schema that was compiled under this id before.
func (e *Engine) known(id string) *Schema {
	key := normalizeID(id)
	for range len(e.refs) + 1 {
		alias, ok := e.refs[key].(string)
		if !ok {
			break
		}
		key = normalizeID(alias)
	}
	found, _ := e.refs[key].(*env)
	if found == nil {
		found = e.resolveSchema(newEnv(&object{}, nil, ""), key)
	}
	if found == nil {
		return nil
	}
	if found.fn == nil {
		found = e.compileEnv(found)
	}
	return &Schema{found}
}
