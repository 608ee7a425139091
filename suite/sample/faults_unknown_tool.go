package sample

import (
	"slices"
	"strconv"
	"strings"
)

// inherited are names that every JavaScript object has.
func inherited() []string {
	return []string{"toString", "constructor", "__proto__", "hasOwnProperty", "valueOf", "isPrototypeOf", "__defineGetter__", "toLocaleString", "propertyIsEnumerable"}
}

func unknownToolFaults() []Fault {
	answer := func(when func(name string) bool, how func(x *exchange, name string) (object, *failure)) func(b *behaviour) {
		return func(b *behaviour) {
			b.calls.unknown = func(x *exchange, name string) (object, *failure) {
				if when(name) {
					return how(x, name)
				}
				return unknownTool(x, name)
			}
		}
	}
	always := func(string) bool { return true }
	prototype := func(name string) bool { return slices.Contains(inherited(), name) }
	says := func(text func(name string) string) func(x *exchange, name string) (object, *failure) {
		return func(_ *exchange, name string) (object, *failure) { return errorText(text(name)), nil }
	}
	raw := func(name string) string { return "Unknown " + serverName + ` tool: "` + name + `"` }
	return []Fault{
		{
			Name: "unknown-tool-refused", What: "A call of a tool that does not exist falls through to another tool and succeeds.",
			Checks: ids("unknown-tool/refused"), Collateral: ids("unknown-tool/*", "parity/*"),
			plant: func(b *behaviour) {
				b.calls.lookUp = func(tools []*tool, name string) *tool {
					if t := find(tools, name); t != nil {
						return t
					}
					return find(tools, "count_up")
				}
			},
		},
		{
			Name: "unknown-tool-prototype", What: "Names that every JavaScript object has are called disabled instead of unknown.",
			Checks: ids("unknown-tool/prototype-name"),
			plant: answer(prototype, says(func(name string) string {
				return "Tool " + name + " disabled"
			})),
		},
		{
			Name: "unknown-tool-prototype-succeeds", What: "A call of constructor or valueOf succeeds with nothing to say.",
			Checks: ids("unknown-tool/prototype-name"), Collateral: ids("unknown-tool/refused"),
			plant: answer(func(name string) bool { return name == "constructor" || name == "valueOf" },
				func(*exchange, string) (object, *failure) { return object{"content": list{}}, nil }),
		},
		{
			Name: "unknown-tool-prototype-breaks", What: "A call of a name that every JavaScript object has ends in an internal error.",
			Checks: ids("unknown-tool/prototype-name"),
			plant: answer(prototype, func(*exchange, string) (object, *failure) {
				return nil, fail(codeInternal, "tool.run is not a function")
			}),
		},
		{
			Name: "unknown-tool-name-escaped", What: "Escape codes and other control characters in an unknown name come back raw; line feeds do not.",
			Checks: ids("unknown-tool/name-escaped"), Collateral: ids("unknown-tool/hidden-characters", "unknown-tool/wording"),
			plant: answer(always, says(func(name string) string {
				return raw(strings.NewReplacer("\n", `\n`, "\r", `\r`, "\u2028", `\u2028`, "\u2029", `\u2029`, "\u0085", `\u0085`).Replace(bounded(name, maxEcho)))
			})),
		},
		{
			Name: "unknown-tool-name-escaped-lines", What: "Line breaks in an unknown name come back raw.",
			Checks: ids("unknown-tool/name-escaped"), Collateral: ids("unknown-tool/one-line", "unknown-tool/wording"),
			plant: answer(always, says(func(name string) string {
				return raw(strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(visible(bounded(name, maxEcho))))
			})),
		},
		{
			Name: "unknown-tool-hidden-characters", What: "Characters that turn or hide text come back raw in the answer to an unknown name.",
			Checks: ids("unknown-tool/hidden-characters"), Collateral: ids("unknown-tool/name-escaped", "unknown-tool/wording"),
			plant: answer(always, says(func(name string) string {
				shown := visible(bounded(name, maxEcho))
				for _, r := range "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff" {
					shown = strings.ReplaceAll(shown, `\u`+strconv.FormatInt(int64(r), 16), string(r))
				}
				return raw(shown)
			})),
		},
		{
			Name: "unknown-tool-one-line", What: "The answer to an unknown name goes on with a second line of advice.",
			Checks: ids("unknown-tool/one-line"), Collateral: ids("unknown-tool/wording", "unknown-tool/prototype-name"),
			plant: answer(always, says(func(name string) string {
				return raw(visible(bounded(name, maxEcho))) + "\nCall tools/list to see what there is."
			})),
		},
		{
			Name: "unknown-tool-bounded-echo", What: "An unknown name of any length comes back whole.",
			Checks: ids("unknown-tool/bounded-echo"),
			plant:  answer(always, says(func(name string) string { return "Unknown " + serverName + " tool: " + quoted(name) })),
		},
		{
			Name: "unknown-tool-empty-name", What: "A call with an empty name succeeds with nothing to say.",
			Checks: ids("unknown-tool/empty-name"), Collateral: ids("unknown-tool/refused"),
			plant: answer(func(name string) bool { return name == "" },
				func(*exchange, string) (object, *failure) { return object{"content": list{}}, nil }),
		},
		{
			Name: "unknown-tool-case-differs", What: "A name that differs from a tool's name in case runs that tool, whatever the arguments.",
			Checks: ids("unknown-tool/case-differs"),
			plant: func(b *behaviour) {
				b.calls.lookUp = func(tools []*tool, name string) *tool {
					if t := find(tools, name); t != nil {
						return t
					}
					i := slices.IndexFunc(tools, func(t *tool) bool { return strings.EqualFold(t.name, name) })
					if i < 0 {
						return nil
					}
					careless := *tools[i]
					careless.input = object{"type": "object"}
					careless.run = func(c *call, _ object) (outcome, error) {
						return tools[i].run(c, asObject(tools[i].examples[0]))
					}
					return &careless
				}
			},
		},
		{
			Name: "unknown-tool-channel", What: "An unknown name ends in an internal error, which is neither of the two channels meant for it.",
			Checks: ids("unknown-tool/channel"), Collateral: ids("unknown-tool/wording", "parity/*"),
			plant: answer(always, func(_ *exchange, name string) (object, *failure) {
				return nil, fail(codeInternal, "Unknown "+serverName+" tool: "+quoted(bounded(name, maxEcho)))
			}),
		},
		{
			Name: "unknown-tool-wording", What: "The answer to an unknown name has other words than the house contract.",
			Checks: ids("unknown-tool/wording"),
			plant:  answer(always, says(func(name string) string { return "Tool " + quoted(bounded(name, maxEcho)) + " not found" })),
		},
		{
			Name: "unknown-tool-wording-title", What: "The answer to an unknown name has the title of the server in place of its name.",
			Checks: ids("unknown-tool/wording"),
			plant: answer(always, says(func(name string) string {
				return "Unknown " + serverTitle + " tool: " + quoted(bounded(name, maxEcho))
			})),
		},
	}
}
