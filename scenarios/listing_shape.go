package scenarios

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/jsonschema"
)

// listingShapeChecks are the checks on the schemas and members of tools.
func listingShapeChecks() []Check {
	return []Check{
		{
			ID: "listing/schema-object-root", Claim: `Each inputSchema is an object with type "object" at its root; up to 2025-11-25 so is each outputSchema.`, Level: Must,
			Why:    "TypeScript clients check this before anything else: one such tool and the whole list is gone, in Claude Code, Gemini CLI, opencode and others.",
			Remedy: `Write {"type":"object"} at the root, with properties if there are any.`,
			Basis:  []string{"schema#tool"}, Requirements: []string{"tools.def.input-schema-object", "structured-output.schema-object"},
			Hosts: listLosers(), Judge: judgeSchemaRoot,
		},
		{
			ID: "listing/properties-are-objects", Claim: "properties maps names to schema objects and required is a list of names.", Level: Must,
			Why:    "Boolean or null property schemas make SDK v1 clients refuse the whole list.",
			Remedy: "Write {} where any value will do; leave required out instead of null.",
			Basis:  []string{"schema#tool"}, Requirements: []string{"tools.def.input-schema-properties"},
			Hosts: []string{"sdk-v1", "gemini-cli", "opencode"}, Judge: judgeProperties,
		},
		{
			ID: "listing/valid-json-schema", Claim: "Each listed schema is valid JSON Schema of the dialect it names, or of 2020-12.", Level: Must,
			Why:    "A schema that does not compile cannot be checked: clients drop the tool, the list, or every call.",
			Remedy: "Mend the keyword at the given place.",
			Basis:  []string{"basic/index#json-schema-usage"}, Requirements: []string{"json-schema.valid-for-dialect", "structured-output.schema-valid"},
			Judge: judgeValidSchema,
		},
		{
			ID: "listing/no-external-ref", Claim: "Every $ref resolves inside its schema.", Level: Should,
			Why:    "Clients never fetch a $ref: SDK v1 loses the whole list over one in an output schema.",
			Remedy: "Move the definition into $defs of the same schema.",
			Basis:  []string{"basic/index#ref-resolution"}, Requirements: []string{"json-schema.no-network-ref", "json-schema.refs-resolve"},
			Judge: judgeExternalRef,
		},
		{
			ID: "listing/known-dialect", Claim: "$schema, where present, names a dialect that clients know.", Level: Note,
			Why:    "Validators refuse or ignore schemas of a dialect they do not know.",
			Remedy: "Use 2020-12, or leave $schema out.",
			Basis:  []string{"basic/index#json-schema-usage"}, Requirements: []string{"json-schema.known-dialect", "json-schema.unsupported-dialect"},
			Judge: judgeDialect,
		},
		{
			ID: "listing/bounded-schemas", Claim: "Schemas stay small enough for every validator.", Level: Note,
			Why:    "Deep or huge schemas cost context and some validators refuse them.",
			Remedy: "Flatten the schema, or split the tool.",
			Basis:  []string{"basic/index#composition-keyword-resource-use"}, Requirements: []string{"json-schema.bounded"},
			Judge: judgeBoundedSchema,
		},
		{
			ID: "listing/regex-portable", Claim: "pattern compiles in the common regular-expression engines.", Level: Note,
			Why:    "Look-around and the like are fine in JavaScript and refused by Go and Rust clients.",
			Remedy: "Use only what both ECMA-262 (with the u flag) and RE2 know.",
			Basis:  []string{"basic/index#json-schema-usage"}, Requirements: []string{"json-schema.regex-portable"},
			Judge: judgeRegex,
		},
		{
			ID: "listing/no-null-optionals", Claim: "Optional members that have no value are left out, never null.", Level: Must,
			Why:    "A single null and clients built on the TypeScript SDK drop the whole tool list: Claude Code, Gemini CLI and opencode show no tools.",
			Remedy: "Leave the member out when it has no value (omitempty, exclude_none).",
			Basis:  []string{"schema#tool"}, Requirements: []string{"tools.def.title-string", "tools.def.description-string", "pagination.next-cursor-type"},
			Hosts: listLosers(), Judge: judgeNullOptionals,
		},
	}
}

// listLosers are the clients seen to lose the whole list over one bad tool.
func listLosers() []string {
	return []string{"claude-code", "claude-code-print", "gemini-cli", "opencode", "sdk-v1", "sdk-v2"}
}

func judgeSchemaRoot(e *Evidence) Ruling {
	return e.eachEntry("tools/list", func(n entry) []Fault {
		in := n.raw.Get("inputSchema")
		out := rootFault("inputSchema", in, !in.Exists())
		if o := n.raw.Get("outputSchema"); o.Exists() && !e.Facts.Modern() && e.Facts.Revision >= fakes.Rev20250618 {
			out = append(out, rootFault("outputSchema", o, false)...)
		}
		return out
	})
}

func rootFault(member string, s gjson.Result, missing bool) []Fault {
	observed := ""
	switch {
	case missing:
		observed = member + " is missing"
	case !s.IsObject():
		observed = member + " is " + short(s.Raw, 80)
	case s.Get("type").Str != "object":
		observed = member + " has no type at its root"
		if t := s.Get("type"); t.Exists() {
			observed = member + " has the type " + short(t.Raw, 80)
		}
	}
	return one(observed != "", member+` with "type":"object" at its root`, observed)
}

func judgeProperties(e *Evidence) Ruling {
	if e.Facts.Modern() {
		return NotApplicable("from 2026-07-28 on a schema may hold any keyword of JSON Schema")
	}
	return e.eachEntry("tools/list", func(n entry) []Fault {
		var out []Fault
		for _, member := range []string{"inputSchema", "outputSchema"} {
			s := n.raw.Get(member)
			if p := s.Get("properties"); p.Exists() && !p.IsObject() {
				out = append(out, one(true, member+".properties as an object", short(p.Raw, 80))...)
			} else if p.Exists() {
				p.ForEach(func(k, v gjson.Result) bool {
					// Up to 2025-11-25 the schema of the protocol asks for objects.
					if !v.IsObject() {
						out = append(out, one(true, member+".properties."+k.Str+" as an object", short(v.Raw, 80))...)
					}
					return true
				})
			}
			if r := s.Get("required"); r.Exists() {
				ok := r.IsArray()
				r.ForEach(func(_, v gjson.Result) bool { ok = ok && v.Type == gjson.String; return true })
				out = append(out, one(!ok, member+".required as a list of names", short(r.Raw, 80))...)
			}
		}
		return out
	})
}

// eachSchema looks at every listed schema that is an object or a boolean.
func (e *Evidence) eachSchema(look func(member string, raw gjson.Result) []Fault) Ruling {
	return e.eachEntry("tools/list", func(n entry) []Fault {
		var out []Fault
		for _, member := range []string{"inputSchema", "outputSchema"} {
			if s := n.raw.Get(member); s.IsObject() || s.IsBool() {
				out = append(out, look(member, s)...)
			}
		}
		return out
	})
}

// compiles says what is wrong with a schema. It is worked out once a run.
func (e *Evidence) compiles(s gjson.Result, options ...jsonschema.Option) error {
	return once(&e.Run.shelf, fmt.Sprintf("compiles %d %s", len(options), s.Raw), func() error {
		_, err := jsonschema.Compile([]byte(s.Raw), options...)
		return err
	})
}

func judgeValidSchema(e *Evidence) Ruling {
	if e.Facts.Revision < fakes.Rev20251125 {
		return NotApplicable("revisions before 2025-11-25 name no dialect")
	}
	return e.eachSchema(func(member string, s gjson.Result) []Fault {
		err := e.compiles(s)
		var ext *jsonschema.ExternalRef
		var dialect *jsonschema.UnknownDialect
		if err == nil || errors.As(err, &ext) || errors.As(err, &dialect) || errors.Is(err, jsonschema.ErrTooComplex) || strings.Contains(err.Error(), "$ref") {
			return nil // told by checks of their own
		}
		return one(true, member+" that is valid JSON Schema", member+": "+short(err.Error(), 300))
	})
}

func judgeExternalRef(e *Evidence) Ruling {
	return e.eachSchema(func(member string, s gjson.Result) []Fault {
		err := e.compiles(s, jsonschema.IgnoreUnknownDialect())
		var ext *jsonschema.ExternalRef
		if errors.As(err, &ext) || err != nil && strings.Contains(err.Error(), "$ref") {
			return one(true, "references that resolve inside "+member, member+": "+short(err.Error(), 300))
		}
		return nil
	})
}

func judgeDialect(e *Evidence) Ruling {
	return e.eachSchema(func(member string, s gjson.Result) []Fault {
		d := s.Get("$schema")
		if !d.Exists() {
			return nil
		}
		got, ok := jsonschema.DialectOf(d.String())
		return one(!ok || got == jsonschema.Draft04 || d.Type != gjson.String, "2020-12, 2019-09 or draft-07", member+".$schema is "+short(d.Raw, 100))
	})
}

func judgeBoundedSchema(e *Evidence) Ruling {
	return e.eachSchema(func(member string, s gjson.Result) []Fault {
		n, deep := 0, 0
		err := jsonschema.Walk([]byte(s.Raw), func(p string, _ gjson.Result) bool {
			n++
			deep = max(deep, strings.Count(p, "/"))
			return n < 20_000
		})
		bad := err != nil || deep > 64 || n > 1000 || len(s.Raw) > 256<<10
		return one(bad, "at most 32 levels, 1000 subschemas and 256 kB", fmt.Sprintf("%s has %d subschemas, %d bytes", member, n, len(s.Raw)))
	})
}

func judgeRegex(e *Evidence) Ruling {
	return e.eachSchema(func(member string, s gjson.Result) []Fault {
		var out []Fault
		_ = jsonschema.Walk([]byte(s.Raw), func(p string, sub gjson.Result) bool {
			if re := sub.Get("pattern"); re.Type == gjson.String {
				if _, err := regexp.Compile(re.Str); err != nil {
					out = append(out, one(true, "a pattern that ECMA-262 and RE2 know", member+p+": "+short(re.Str, 100))...)
				}
			}
			return true
		})
		return out
	})
}

// nullable lists the optional members of an entry that must not be null.
func nullable() []string {
	return []string{"title", "description", "annotations", "icons", "_meta", "outputSchema", "execution", "mimeType", "size", "arguments",
		"annotations.title", "annotations.readOnlyHint", "annotations.destructiveHint", "annotations.idempotentHint", "annotations.openWorldHint"}
}

func judgeNullOptionals(e *Evidence) Ruling {
	r := e.eachEntry("", func(n entry) []Fault {
		var out []Fault
		for _, m := range nullable() {
			if v := n.raw.Get(m); v.Exists() && v.Type == gjson.Null {
				out = append(out, one(true, m+" left out", m+" is null")...)
			}
		}
		return out
	})
	for _, k := range lists() {
		for _, x := range e.walk(k) {
			for _, m := range []string{"nextCursor", "_meta"} {
				if v := x.Result().Get(m); v.Exists() && v.Type == gjson.Null {
					r.NA = ""
					r.Seen++
					r.Faults = append(r.Faults, Fault{Subject: k.method, Expected: m + " left out", Observed: m + " is null", Proof: []*Exchange{x}})
				}
			}
		}
	}
	return r
}
