package sample

import "strings"

func outputFaults() []Fault {
	lookup := func(edit func(r object)) func(b *behaviour) {
		return func(b *behaviour) { editCall(b, "word_lookup", func(_ *exchange, r object) { edit(r) }) }
	}
	broken := ids("messages/every-message-valid", "output-schema/*", "clients/*", "host-*")
	return []Fault{
		{
			Name: "output-schema-structured-present", What: "A tool with an output schema answers in text alone.",
			Checks: ids("output-schema/structured-present"), Collateral: ids("output-schema/survives-sdk-v1", "host-*", "clients/*"),
			plant: lookup(func(r object) { delete(r, "structuredContent") }),
		},
		{
			Name: "output-schema-structured-present-null", What: "A tool with an output schema answers with structuredContent null.",
			Checks: ids("output-schema/structured-present"), Collateral: broken,
			plant: lookup(func(r object) { r["structuredContent"] = nil }),
		},
		{
			Name: "output-schema-structured-matches", What: "A number of the structured content is sent as text.",
			Checks: ids("output-schema/structured-matches"), Collateral: ids("output-schema/*", "host-*", "clients/*"),
			plant: lookup(func(r object) { asObject(r["structuredContent"])["letters"] = "seven" }),
		},
		{
			Name: "output-schema-structured-matches-extra", What: "The structured content has a member that the output schema excludes.",
			Checks: ids("output-schema/structured-matches"), Collateral: ids("output-schema/*", "host-*", "clients/*"),
			plant: lookup(func(r object) { asObject(r["structuredContent"])["took_ms"] = 1 }),
		},
		{
			Name: "output-schema-text-present", What: "An answer with structured content has no content block.",
			Checks: ids("output-schema/text-present", "clients/shows-answers"), Collateral: ids("output-schema/*", "host-*"),
			plant: lookup(func(r object) { r["content"] = list{} }),
		},
		{
			Name: "output-schema-text-readable", What: "The text beside structured content is \"[object Object]\".",
			Checks: ids("output-schema/text-readable"), Collateral: ids("output-schema/text-carries-facts", "host-*"),
			plant: lookup(func(r object) { firstText(r)["text"] = "[object Object]" }),
		},
		{
			Name: "output-schema-text-carries-facts", What: "The text beside structured content does not say what the details say.",
			Checks: ids("output-schema/text-carries-facts"), Collateral: ids("host-*"),
			plant: lookup(func(r object) { firstText(r)["text"] = "The word was looked up." }),
		},
		{
			Name: "output-schema-error-is-text-alone", What: "An answer with isError has structured content that breaks the output schema.",
			Checks: ids("output-schema/error-is-text-alone"), Collateral: ids("output-schema/survives-sdk-v1", "host-*"),
			plant: func(b *behaviour) {
				editResult(b, "tools/call", func(x *exchange, r object) {
					if r["isError"] == true && (x.params["name"] == "number_divide" || x.params["name"] == "word_lookup") {
						r["structuredContent"] = object{"problem": firstText(r)["text"]}
					}
				})
			},
		},
		{
			Name: "output-schema-undeclared-structured", What: "A tool without output schema answers with structured content.",
			Checks: ids("output-schema/undeclared-structured"), Collateral: ids("host-*"),
			plant: func(b *behaviour) {
				editCall(b, "text_slug", func(_ *exchange, r object) { r["structuredContent"] = object{"slug": firstText(r)["text"]} })
			},
		},
		{
			Name: "output-schema-mismatch-refused", What: "Details that break the output schema are sent all the same.",
			Checks: ids("output-schema/mismatch-refused"), Collateral: ids("output-schema/*", "host-*"),
			plant: func(b *behaviour) { b.output.check = func(*tool, any) []problem { return nil } },
		},
		{
			Name: "output-schema-mismatch-lines", What: "All problems of the details stand on one line.",
			Checks: ids("output-schema/mismatch-lines"),
			plant: func(b *behaviour) {
				b.output.mismatch = func(c *call, problems []problem) (object, *failure) {
					return errorText(c.tool.name + " returned details that don't match its output schema: " + strings.Join(detailLines(problems), ", ")), nil
				}
			},
		},
		{
			Name: "output-schema-mismatch-lines-wording", What: "The answer about broken details has other words than the house contract.",
			Checks: ids("output-schema/mismatch-lines"),
			plant: func(b *behaviour) {
				b.output.mismatch = func(_ *call, problems []problem) (object, *failure) {
					return errorText(append([]string{"Output validation error"}, detailLines(problems)...)...), nil
				}
			},
		},
		{
			Name: "output-schema-survives-sdk-v1", What: "Structured content is a list, for which SDK v1 refuses the answer.",
			Checks: ids("output-schema/survives-sdk-v1", "output-schema/structured-is-object"), Collateral: broken, Eras: only(Legacy),
			plant: func(b *behaviour) {
				editCall(b, "text_slug", func(_ *exchange, r object) { r["structuredContent"] = list{firstText(r)["text"]} })
			},
		},
		{
			Name: "output-schema-schema-compiles-in-ajv", What: "A pattern of an output schema has an escape that ajv refuses, which costs SDK v1 clients the whole list.",
			Checks: ids("output-schema/schema-compiles-in-ajv"), Collateral: ids("listing/*", "output-schema/*", "host-*", "clients/*"),
			plant: func(b *behaviour) {
				editTool(b, "word_lookup", func(t object) {
					asObject(asObject(asObject(t["outputSchema"])["properties"])["word"])["pattern"] = `^[a-z\_]+$`
				})
			},
		},
	}
}

// contentFaults break the shape of messages.
func contentFaults() []Fault {
	slug := func(edit func(r object)) func(b *behaviour) {
		return func(b *behaviour) { editCall(b, "text_slug", func(_ *exchange, r object) { edit(r) }) }
	}
	draw := func(edit func(blocks list)) func(b *behaviour) {
		return func(b *behaviour) {
			editCall(b, "shape_draw", func(_ *exchange, r object) { edit(asList(r["content"])) })
		}
	}
	seen := ids("output-schema/*", "clients/*", "host-*")
	valid := ids("messages/every-message-valid")
	return []Fault{
		{
			Name: "messages-every-message-valid", What: "A content block has a type that the protocol does not have.",
			Checks: ids("messages/every-message-valid", "clients/takes-answers"), Collateral: seen,
			plant: slug(func(r object) { firstText(r)["type"] = "json" }),
		},
		{
			Name: "messages-every-message-valid-content", What: "The answer of a tool has no content.",
			Checks: valid, Collateral: seen,
			plant: slug(func(r object) { delete(r, "content") }),
		},
		{
			Name: "messages-every-message-valid-text", What: "The text of a content block is null.",
			Checks: valid, Collateral: seen,
			plant: slug(func(r object) { firstText(r)["text"] = nil }),
		},
		{
			Name: "messages-every-message-valid-annotations", What: "The annotations of a content block are null.",
			Checks: valid, Collateral: seen,
			plant: slug(func(r object) { firstText(r)["annotations"] = nil }),
		},
		{
			Name: "messages-every-message-valid-audience", What: "The audience of a content block is nobody that the protocol knows.",
			Checks: valid, Collateral: seen,
			plant: slug(func(r object) { firstText(r)["annotations"] = object{"audience": list{"robot"}} }),
		},
		{
			Name: "messages-every-message-valid-iserror", What: "isError is the text \"false\".",
			Checks: valid, Collateral: append(ids("input-examples/usable"), seen...),
			plant: slug(func(r object) { r["isError"] = "false" }),
		},
		{
			Name: "content-tool-data-decodes", What: "The data of a picture is not base64.",
			Checks: ids("content/tool-data-decodes"), Collateral: append(ids("messages/every-message-valid", "messages/strict-shapes"), seen...),
			plant: draw(func(blocks list) { asObject(blocks[1])["data"] = "data:image/png;base64,no picture" }),
		},
		{
			Name: "messages-every-message-valid-link", What: "A resource link has no name.",
			Checks: valid, Collateral: seen,
			plant: draw(func(blocks list) { delete(asObject(blocks[2]), "name") }),
		},
		{
			Name: "messages-every-message-valid-instructions", What: "instructions of the opening are null.",
			Checks: valid, Collateral: ids("opening/*", "host-*", "*"),
			plant: func(b *behaviour) {
				for _, method := range []string{"initialize", "server/discover"} {
					editResult(b, method, func(_ *exchange, r object) { r["instructions"] = nil })
				}
			},
		},
		{
			Name: "messages-every-message-valid-capabilities", What: "listChanged of a capability is the text \"yes\".",
			Checks: valid, Collateral: ids("opening/*", "host-*", "*"),
			plant: func(b *behaviour) {
				for _, method := range []string{"initialize", "server/discover"} {
					editResult(b, method, func(_ *exchange, r object) {
						asObject(asObject(r["capabilities"])["tools"])["listChanged"] = "yes"
					})
				}
			},
		},
		{
			Name: "messages-every-message-valid-jsonrpc", What: "Answers of tools do not say jsonrpc 2.0.",
			Checks: valid, Collateral: ids("*"),
			plant: func(b *behaviour) {
				b.messages = append(b.messages, func(x *exchange, m object) []object {
					if x != nil && x.calls("text_slug") {
						delete(m, "jsonrpc")
					}
					return []object{m}
				})
			},
		},
		{
			Name: "messages-every-message-valid-both", What: "An answer has a result and an error.",
			Checks: valid, Collateral: ids("*"),
			plant: func(b *behaviour) {
				b.messages = append(b.messages, func(x *exchange, m object) []object {
					if x != nil && x.calls("text_slug") && m["result"] != nil {
						m["error"] = fail(codeInternal, "none").object()
					}
					return []object{m}
				})
			},
		},
		{
			Name: "messages-every-message-valid-result-type", What: "Results of tools have no resultType.",
			Checks: valid, Collateral: ids("*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editCall(b, "", func(_ *exchange, r object) { delete(r, "resultType") })
			},
		},
	}
}
