package sample

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

func inputFaults() []Fault {
	refuse := func(text func(lines []string) string) func(b *behaviour) {
		return func(b *behaviour) {
			b.calls.refuse = func(_ *call, problems []problem) (object, *failure) {
				return errorText(text(lines(problems))), nil
			}
		}
	}
	drop := func(says string) func(b *behaviour) {
		return func(b *behaviour) {
			b.calls.validate = func(t *tool, args object) []problem {
				return slices.DeleteFunc(validateInput(t, args), func(p problem) bool { return strings.HasPrefix(p.says, says) })
			}
		}
	}
	arguments := func(when func(given any) bool, how func() (object, *failure)) func(b *behaviour) {
		return func(b *behaviour) {
			b.calls.arguments = func(given any) (object, *failure) {
				if when(given) {
					return how()
				}
				return readArguments(given)
			}
		}
	}
	isList := func(given any) bool { return given != nil && asObject(given) == nil }
	return append(inputTextFaults(refuse), []Fault{
		{
			Name: "bad-input-refused", What: "Arguments are not checked at all.",
			Checks: ids("bad-input/refused"), Collateral: ids("bad-input/*", "output-schema/*", "parity/*", "messages/strict-shapes", "logging/rate"),
			plant: func(b *behaviour) { b.calls.validate = func(*tool, object) []problem { return nil } },
		},
		{
			Name: "bad-input-refused-missing", What: "A missing required argument is taken as empty.",
			Checks: ids("bad-input/refused"), Collateral: ids("bad-input/*"),
			plant: drop("is required"),
		},
		{
			Name: "bad-input-limits-hold", What: "Values outside an enum are accepted.",
			Checks: ids("bad-input/limits-hold"), Collateral: ids("bad-input/*", "messages/strict-shapes"),
			plant: drop("must be one of"),
		},
		{
			Name: "bad-input-unknown-key", What: "An argument that the schema excludes is dropped in silence.",
			Checks: ids("bad-input/unknown-key"), Collateral: ids("bad-input/values-escaped", "bad-input/refused", "bad-input/all-problems-told"),
			plant: drop("is not a known property"),
		},
		{
			Name: "bad-input-prototype-keys", What: "An argument named __proto__ ends in an internal error.",
			Checks: ids("bad-input/prototype-keys"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if _, given := asObject(x.params["arguments"])["__proto__"]; !given {
						return false
					}
					x.answer(nil, fail(codeInternal, "Internal error"))
					return true
				})
			},
		},
		{
			Name: "bad-input-as-tool-error", What: "Bad arguments are a JSON-RPC error, which the model never sees.",
			Checks: ids("bad-input/as-tool-error"), Collateral: ids("bad-input/*", "http/status-codes"),
			plant: func(b *behaviour) {
				b.calls.refuse = func(_ *call, problems []problem) (object, *failure) {
					return nil, fail(codeInvalidParams, strings.Join(lines(problems), "; "))
				}
			},
		},
		{
			Name: "bad-input-not-executed", What: "A tool runs, with its progress and questions, before its arguments are refused.",
			Checks: ids("bad-input/not-executed"), Collateral: ids("progress/*", "elicitation/*", "input-required/*", "logging/rate"),
			plant: func(b *behaviour) { b.calls.runsFirst = true },
		},
		{
			Name: "bad-input-missing-arguments", What: "A call without arguments is refused, although the tool needs none.",
			Checks: ids("bad-input/missing-arguments"),
			plant: arguments(func(given any) bool { return given == nil }, func() (object, *failure) {
				return nil, fail(codeInvalidParams, "Missing arguments")
			}),
		},
		{
			Name: "bad-input-null-optional", What: "null for an optional argument ends in an internal error.",
			Checks: ids("bad-input/null-optional"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method != "tools/call" || !hasNull(asObject(x.params["arguments"])) {
						return false
					}
					x.answer(nil, fail(codeInternal, "Cannot read properties of null"))
					return true
				})
			},
		},
		{
			Name: "bad-input-null-optional-text", What: "null for an optional argument is taken as the text \"<nil>\".",
			Checks: ids("bad-input/null-optional"), Collateral: ids("bad-input/refused"),
			plant: func(b *behaviour) {
				b.calls.validate = func(t *tool, args object) []problem {
					problems := validateInput(t, args)
					return slices.DeleteFunc(problems, func(p problem) bool {
						if v, given := args[p.path]; !given || v != nil || asObject(asObject(t.input["properties"])[p.path])["type"] != "string" {
							return false
						}
						args[p.path] = "<nil>"
						return true
					})
				}
			},
		},
		{
			Name: "bad-input-wrong-container", What: "A list in place of the arguments is never answered.",
			Checks: ids("bad-input/wrong-container"), Collateral: ids("bad-input/*", "envelope/one-answer"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					return x.method == "tools/call" && isList(x.params["arguments"]) && x.silence()
				})
			},
		},
		{
			Name: "bad-input-wrong-container-served", What: "A list in place of the arguments is taken as no arguments.",
			Checks: ids("bad-input/wrong-container"), Collateral: ids("bad-input/container-channel"),
			plant: arguments(isList, func() (object, *failure) { return object{}, nil }),
		},
		{
			Name: "bad-input-container-channel", What: "A list in place of the arguments is refused in a result of the tool.",
			Checks: ids("bad-input/container-channel"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method != "tools/call" || !isList(x.params["arguments"]) {
						return false
					}
					x.answer(errorText("arguments must be an object"), nil)
					return true
				})
			},
		},
		{
			Name: "bad-input-valid-accepted", What: "The server requires an argument that its schema calls optional.",
			Checks: ids("bad-input/valid-accepted"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				b.calls.validate = func(t *tool, args object) []problem {
					problems := validateInput(t, args)
					if _, given := args["separator"]; t.name == "text_slug" && !given {
						problems = append(problems, problem{"separator", "is required"})
					}
					return problems
				}
			},
		},
		{
			Name: "bad-input-valid-accepted-open", What: "A schema leaves room for other arguments, and the server refuses them.",
			Checks: ids("bad-input/valid-accepted"), Collateral: ids("listing/*", "host-*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { delete(inputOf(t), "additionalProperties") })
			},
		},
		{
			Name: "bad-input-2020-12-keywords", What: "What dependentRequired of a schema asks for is not checked.",
			Checks: ids("bad-input/2020-12-keywords"), Collateral: ids("bad-input/composition-holds", "listing/*", "host-*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { inputOf(t)["dependentRequired"] = object{"separator": list{"words"}} })
			},
		},
		{
			Name: "bad-input-composition-holds", What: "What a condition of a schema asks for is not checked.",
			Checks: ids("bad-input/composition-holds"), Collateral: ids("listing/*", "host-*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) {
					inputOf(t)["if"], inputOf(t)["then"] = object{"required": list{"separator"}}, object{"required": list{"words"}}
				})
			},
		},
		{
			Name: "bad-input-stringified-values", What: "Text is forced into numbers and flags: \"5abc\" becomes 5 and \"false\" becomes true.",
			Checks: ids("bad-input/stringified-values"), Collateral: ids("bad-input/refused", "bad-input/all-problems-told"),
			plant: func(b *behaviour) {
				b.calls.validate = func(t *tool, args object) []problem {
					coerce(t.input, args)
					return validateInput(t, args)
				}
			},
		},
	}...)
}

// inputTextFaults are in the words of a refusal.
func inputTextFaults(refuse func(text func(lines []string) string) func(b *behaviour)) []Fault {
	firstWord := regexp.MustCompile(`^\S+`)
	return []Fault{
		{
			Name: "bad-input-names-the-property", What: "The refusal of bad arguments does not say which argument is wrong.",
			Checks: ids("bad-input/names-the-property"), Collateral: ids("bad-input/*"),
			plant: refuse(func(lines []string) string {
				for i := range lines {
					lines[i] = "An argument is not as it should be."
				}
				return strings.Join(lines, "\n")
			}),
		},
		{
			Name: "bad-input-one-line-per-problem", What: "All problems of the arguments stand on one line.",
			Checks: ids("bad-input/one-line-per-problem"),
			plant:  refuse(func(lines []string) string { return strings.Join(lines, ", ") }),
		},
		{
			Name: "bad-input-all-problems-told", What: "Of several problems only the first is told.",
			Checks: ids("bad-input/all-problems-told"), Collateral: ids("bad-input/one-line-per-problem"),
			plant: refuse(func(lines []string) string { return lines[0] }),
		},
		{
			Name: "bad-input-values-escaped", What: "Control characters in the name of an argument come back raw.",
			Checks: ids("bad-input/values-escaped", "bad-input/hidden-characters"), Collateral: ids("bad-input/one-line-per-problem"),
			plant: func(b *behaviour) {
				b.calls.validate = func(t *tool, args object) []problem {
					return checker{key: func(key string) string { return key }}.problems(t.input, args, "")
				}
			},
		},
		{
			Name: "bad-input-no-dump", What: "The refusal of bad arguments is the validator's own JSON.",
			Checks: ids("bad-input/no-dump"), Collateral: ids("bad-input/one-line-per-problem"),
			plant: refuse(func(lines []string) string {
				issues := []map[string]any{}
				for _, line := range lines {
					issues = append(issues, map[string]any{"code": "invalid_type", "path": []string{firstWord.FindString(line)}, "message": line})
				}
				raw, err := json.MarshalIndent(issues, "", "  ")
				if err != nil {
					return http.StatusText(http.StatusInternalServerError)
				}
				return "Input validation error: " + string(raw)
			}),
		},
		{
			Name: "bad-input-no-dump-paths", What: "The refusal of bad arguments tells where in the program's files they were checked.",
			Checks: ids("bad-input/no-dump"), Collateral: ids("bad-input/one-line-per-problem"),
			plant: refuse(func(lines []string) string {
				return strings.Join(lines, "\n") + "\n    at validate (/srv/sample/node_modules/validator/index.js:42:17)"
			}),
		},
		{
			Name: "bad-input-nested-path", What: "A problem deep inside the arguments is told without the way to it.",
			Checks: ids("bad-input/nested-path"), Collateral: ids("bad-input/names-the-property"),
			plant: refuse(func(lines []string) string {
				for i, line := range lines {
					path := firstWord.FindString(line)
					short := path[:len(path)-len(strings.TrimLeft(path, "abcdefghijklmnopqrstuvwxyz_"))]
					lines[i] = short + strings.TrimPrefix(line, path)
				}
				return strings.Join(lines, "\n")
			}),
		},
	}
}

func hasNull(o object) bool {
	for _, v := range o {
		if v == nil {
			return true
		}
	}
	return false
}

// coerce forces text into the type that a schema wants, as careless servers do.
func coerce(schema, args object) {
	digits := regexp.MustCompile(`^-?[0-9]+`)
	for key, v := range args {
		s, isText := v.(string)
		property := asObject(asObject(schema["properties"])[key])
		if !isText {
			if inner := asObject(v); inner != nil {
				coerce(property, inner)
			}
			continue
		}
		switch property["type"] {
		case "integer":
			if d := digits.FindString(s); d != "" {
				args[key] = json.Number(d)
			}
		case "boolean":
			args[key] = s != ""
		}
	}
}

func thrownFaults() []Fault {
	says := func(text func(tool, message string) string) func(b *behaviour) {
		return func(b *behaviour) {
			b.calls.thrown = func(c *call, err error) (object, *failure) {
				return errorText(text(c.tool.name, err.Error())), nil
			}
		}
	}
	return []Fault{
		{
			Name: "thrown-error-as-tool-error", What: "What a tool throws becomes a JSON-RPC error.",
			Checks: ids("thrown-error/as-tool-error"), Collateral: ids("thrown-error/*"),
			plant: func(b *behaviour) {
				b.calls.thrown = func(c *call, err error) (object, *failure) {
					return nil, fail(codeInternal, c.tool.name+" failed: "+visible(err.Error()))
				}
			},
		},
		{
			Name: "thrown-error-one-line", What: "What a tool throws keeps its line breaks.",
			Checks: ids("thrown-error/one-line"), Collateral: ids("thrown-error/wording", "thrown-error/escaped"),
			plant: says(func(tool, message string) string {
				return tool + " failed: " + strings.ReplaceAll(visible(message), `\n`, "\n")
			}),
		},
		{
			Name: "thrown-error-escaped", What: "What a tool throws keeps its escape codes.",
			Checks: ids("thrown-error/escaped"), Collateral: ids("thrown-error/wording"),
			plant: says(func(tool, message string) string {
				return tool + " failed: " + strings.ReplaceAll(visible(message), `\u001b`, "\x1b")
			}),
		},
		{
			Name: "thrown-error-no-stack", What: "What a tool throws comes with its stack.",
			Checks: ids("thrown-error/no-stack"), Collateral: ids("thrown-error/wording"),
			plant: says(func(tool, message string) string {
				return tool + " failed: " + visible(message) + " at runDivide (/srv/sample/tools.js:214:11) at callTool (/srv/sample/server.js:88:24)"
			}),
		},
		{
			Name: "thrown-error-wording", What: "What a tool throws is told without the name of the tool.",
			Checks: ids("thrown-error/wording"),
			plant:  says(func(_, message string) string { return "Error: " + visible(message) }),
		},
		{
			Name: "thrown-error-wording-empty", What: "When a tool throws, the answer says nothing about it.",
			Checks: ids("thrown-error/wording"), Collateral: ids("thrown-error/as-tool-error", "thrown-error/has-text"),
			plant: says(func(string, string) string { return "" }),
		},
	}
}
