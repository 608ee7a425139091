package sample

import "strings"

// hostChatGPTFaults are against the rules of ChatGPT: each adds what only that
// host reads, wrong in one respect.
func hostChatGPTFaults() []Fault {
	page := "ui://sample/slug"
	return []Fault{
		{
			Name: "host-search-fetch-shape", What: "The tools search and fetch answer with text that is no copy of their details.",
			Checks: ids("host-chatgpt/search-fetch-shape"), Collateral: ids("host-*"),
			plant: func(b *behaviour) {
				b.tools = append(b.tools, searchTools("https://example.com/tea")...)
				editCall(b, "search", func(_ *exchange, r object) { firstText(r)["text"] = "Found: Tea (tea), https://example.com/tea" })
			},
		},
		{
			Name: "host-chatgpt-search-fetch-url", What: "The tools search and fetch leave the address of a result empty.",
			Checks: ids("host-chatgpt/search-fetch-url"), Collateral: ids("host-*"),
			plant: func(b *behaviour) { b.tools = append(b.tools, searchTools("")...) },
		},
		{
			Name: "host-chatgpt-settings-tools", What: "The page of settings names a tool that needs arguments, and one that is not there.",
			Checks: ids("host-chatgpt/settings-tools"), Collateral: ids("host-*", "opening/*"),
			plant: func(b *behaviour) {
				declare(b, "openai/settings", object{"readTool": "text_slug", "updateTool": "settings_save"}, nil)
			},
		},
		{
			Name: "host-read-tool-output-schema", What: "The tool that reads the settings has no output schema.",
			Checks: ids("host-chatgpt/read-tool-output-schema"), Collateral: ids("host-*", "output-schema/undeclared-structured", "opening/*"),
			plant: func(b *behaviour) {
				addSettings(b, "Units of measure")
				editTool(b, "settings_read", func(t object) { delete(t, "outputSchema") })
			},
		},
		{
			Name: "host-chatgpt-settings-answer", What: "A setting has no title.",
			Checks: ids("host-chatgpt/settings-answer"), Collateral: ids("host-*", "opening/*"),
			plant: func(b *behaviour) { addSettings(b, "") },
		},
		{
			Name: "host-chatgpt-mention-search", What: "The tool for mentions refuses an empty query.",
			Checks: ids("host-chatgpt/mention-search"), Collateral: ids("host-*", "opening/*", "clients/*"),
			plant: func(b *behaviour) {
				addMentions(b)
				find(b.tools, "mention_search").input = schemaOf(object{"query": object{"type": "string", "minLength": 1}}, "query")
			},
		},
		{
			Name: "host-chatgpt-extensions-kept", What: "server/discover says nothing of the page of settings that initialize declares.",
			Checks: ids("host-chatgpt/extensions-kept"), Collateral: ids("host-*", "opening/*", "parity/*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				addSettings(b, "Units of measure")
				capabilities := b.capabilities
				b.capabilities = func(x *exchange) object {
					c := capabilities(x)
					if x.modern {
						delete(c, "extensions")
					}
					return c
				}
			},
		},
		{
			Name: "host-chatgpt-entry-points", What: "A tool that ChatGPT opens by itself needs an argument.",
			Checks: ids("host-chatgpt/entry-points"), Collateral: ids("host-*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) {
					asObject(t["_meta"])["ui"] = object{"resourceUri": page}
					asObject(t["_meta"])["openai/ui"] = object{"entrypoints": list{object{"type": "global"}}}
				})
			},
		},
		{
			Name: "host-chatgpt-widget-resource", What: "The page of a tool is a picture.",
			Checks: ids("host-chatgpt/widget-resource"), Collateral: ids("host-*"),
			plant: func(b *behaviour) {
				editTool(b, "shape_draw", func(t object) { asObject(t["_meta"])["ui"] = object{"resourceUri": shapeURI("circle")} })
			},
		},
		{
			Name: "host-chatgpt-output-template", What: "A tool names two different pages.",
			Checks: ids("host-chatgpt/output-template"), Collateral: ids("host-*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) {
					asObject(t["_meta"])["ui"] = object{"resourceUri": page}
					asObject(t["_meta"])["openai/outputTemplate"] = page + "-old"
				})
			},
		},
		{
			Name: "host-chatgpt-status-length", What: "The text shown while a tool runs has more than 64 characters.",
			Checks: ids("host-chatgpt/status-length"), Collateral: ids("listing/meta-keys", "host-*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) {
					asObject(t["_meta"])["openai/toolInvocation/invoking"] = strings.Repeat("Making a slug of your title. ", 3)
				})
			},
		},
		{
			Name: "host-chatgpt-auth-challenge", What: "A failure asks for a login by a text instead of a list of challenges.",
			Checks: ids("host-chatgpt/auth-challenge"), Collateral: ids("host-*"),
			plant: func(b *behaviour) {
				editResult(b, "tools/call", func(x *exchange, r object) {
					if x.params["name"] == "number_divide" && r["isError"] == true {
						meta := asObject(r["_meta"])
						if meta == nil {
							meta = object{}
						}
						meta["mcp/www_authenticate"] = "Bearer error=\"invalid_token\""
						r["_meta"] = meta
					}
				})
			},
		},
	}
}

// declare adds a capability extension and the tools that belong to it.
func declare(b *behaviour, extension string, value object, tools []*tool) {
	b.tools = append(b.tools, tools...)
	capabilities := b.capabilities
	b.capabilities = func(x *exchange) object {
		c := capabilities(x)
		c["extensions"] = object{extension: value}
		return c
	}
}

// answering is a tool that gives the same details each time, and their JSON as text.
func answering(name, title string, input, output, details object, example object) *tool {
	return &tool{
		name: name, title: title, description: title + ", always the same.", input: input, output: output, examples: list{example},
		run: func(*call, object) (outcome, error) {
			return outcome{content: list{textBlock(string(encode(details, plainOrder)))}, details: details}, nil
		},
	}
}

// searchTools are the pair that deep research looks for.
func searchTools(url string) []*tool {
	text := object{"type": "string"}
	entry := object{"id": "tea", "title": "Tea", "url": url}
	page := object{"id": "tea", "title": "Tea", "text": "Tea is made of leaves.", "url": url}
	return []*tool{
		answering("search", "Search the Notes", schemaOf(object{"query": text}, "query"),
			schemaOf(object{"results": object{"type": "array", "items": schemaOf(object{"id": text, "title": text, "url": text})}}, "results"),
			object{"results": list{entry}}, object{"query": "tea"}),
		answering("fetch", "Fetch a Note", schemaOf(object{"id": text}, "id"),
			schemaOf(object{"id": text, "title": text, "text": text, "url": text}), page, object{"id": "tea"}),
	}
}

// addSettings gives the server a page of settings with one field.
func addSettings(b *behaviour, title string) {
	field := object{"type": "string", "enum": list{"metric", "imperial"}}
	if title != "" {
		field["title"] = title
	}
	values := object{"units": "metric"}
	any := object{"type": "object"}
	details := object{"schema": object{"type": "object", "properties": object{"units": field}}, "values": values}
	declare(b, "openai/settings", object{"readTool": "settings_read", "updateTool": "settings_update"}, []*tool{
		answering("settings_read", "Read Settings", schemaOf(object{}), schemaOf(object{"schema": any, "values": any}, "schema", "values"), details, object{}),
		answering("settings_update", "Change Settings", schemaOf(object{"set": any}, "set"), schemaOf(object{"values": any}, "values"),
			object{"values": values}, object{"set": object{"units": "metric"}}),
	})
}

// addMentions lets things of the server be mentioned.
func addMentions(b *behaviour) {
	link := object{"type": "resource_link", "uri": shapeURI("circle"), "name": "circle"}
	declare(b, "openai/mentions", object{"searchTool": "mention_search"}, []*tool{
		answering("mention_search", "Search Mentions", schemaOf(object{"query": object{"type": "string"}}, "query"),
			schemaOf(object{"items": object{"type": "array", "items": object{"type": "object"}}}, "items"),
			object{"items": list{link}}, object{"query": "circle"}),
	})
	editTool(b, "mention_search", func(t object) { asObject(t["_meta"])["ui"] = object{"visibility": list{"app"}} })
}
