package sample

func listingMoreFaults() []Fault {
	return append(cachingFaults(), []Fault{
		{
			Name: "listing-meta-keys", What: "A key in _meta of a tool begins with a hyphen.",
			Checks: ids("listing/meta-keys"), Collateral: ids("messages/every-message-valid"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { asObject(t["_meta"])["-colour"] = "blue" })
			},
		},
		{
			Name: "meta-reserved-prefix", What: "A key in _meta of a tool uses the prefix that is reserved for the protocol.",
			Checks: ids("meta/reserved-prefix"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { asObject(t["_meta"])["io.modelcontextprotocol/colour"] = "blue" })
			},
		},
		{
			Name: "listing-icons-shape", What: "The icon of a tool has no src.",
			Checks: ids("listing/icons-shape"), Collateral: ids("messages/every-message-valid", "listing/parses-*", "host-*", "clients/*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { delete(asObject(asList(t["icons"])[0]), "src") })
			},
		},
		{
			Name: "listing-icons-sizes", What: "The size of an icon reads \"16 by 16\".",
			Checks: ids("listing/icons-sizes"), Collateral: ids("messages/every-message-valid", "messages/strict-shapes"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { asObject(asList(t["icons"])[0])["sizes"] = list{"16 by 16"} })
			},
		},
		{
			Name: "listing-no-external-ref", What: "A schema refers to another one on the network.",
			Checks: ids("listing/no-external-ref"), Collateral: ids("listing/valid-json-schema", "listing/parses-*", "host-*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) {
					asObject(inputOf(t)["properties"])["words"] = object{"$ref": "https://example.com/schemas/words.json"}
				})
			},
		},
		{
			Name: "listing-no-external-ref-dangling", What: "A schema refers to a definition that it does not have.",
			Checks: ids("listing/no-external-ref"), Collateral: ids("listing/valid-json-schema", "listing/parses-*", "host-*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) {
					asObject(inputOf(t)["properties"])["words"] = object{"$ref": "#/$defs/Words"}
				})
			},
		},
		{
			Name: "listing-header-annotations", What: "An x-mcp-header is empty.",
			Checks: ids("listing/header-annotations"), Collateral: ids("host-*", "http/param-headers", "bad-input/*", "input-examples/usable"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editTool(b, "word_lookup", func(t object) { propertyOf(t, "language")["x-mcp-header"] = "" })
			},
		},
		{
			Name: "listing-header-annotations-space", What: "An x-mcp-header has a space, which no header name may have.",
			Checks: ids("listing/header-annotations"), Collateral: ids("host-*", "http/param-headers", "bad-input/*", "input-examples/usable"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editTool(b, "word_lookup", func(t object) { propertyOf(t, "language")["x-mcp-header"] = "Word Language" })
			},
		},
		{
			Name: "listing-header-annotations-twice", What: "Two properties of a tool have the same x-mcp-header but for case.",
			Checks: ids("listing/header-annotations"), Collateral: ids("host-*", "http/param-headers", "bad-input/*", "input-examples/usable"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editTool(b, "word_lookup", func(t object) { propertyOf(t, "shortest")["x-mcp-header"] = "LANGUAGE" })
			},
		},
		{
			Name: "listing-header-annotations-number", What: "An x-mcp-header sits on a property of type number.",
			Checks: ids("listing/header-annotations"), Collateral: ids("host-*", "http/param-headers"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editTool(b, "word_lookup", func(t object) { propertyOf(t, "shortest")["type"] = "number" })
			},
		},
		{
			Name: "input-examples-match-schema", What: "An input example of a tool breaks the tool's own schema.",
			Checks: ids("input-examples/match-schema"), Collateral: ids("input-examples/usable"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { asObject(t["_meta"])["inputExamples"] = list{object{"title": "Tea for Two"}} })
			},
		},
		{
			Name: "input-examples-usable", What: "An input example of a tool fits the schema, but the call fails.",
			Checks: ids("input-examples/usable"), Collateral: ids("output-schema/*"),
			plant: func(b *behaviour) {
				editTool(b, "number_divide", func(t object) { asObject(t["_meta"])["inputExamples"] = list{object{"number": 7, "by": 0}} })
			},
		},
	}...)
}

// cachingFaults lose or spoil the caching hints of 2026-07-28.
func cachingFaults() []Fault {
	collateral := ids("messages/every-message-valid", "listing/parses-in-sdk-v2", "opening/discover-shape", "clients/*", "host-*")
	var out []Fault
	for _, lost := range [][2]string{
		{"", "tools/list"}, {"-discover", "server/discover"}, {"-prompts", "prompts/list"},
		{"-resources", "resources/list"}, {"-templates", "resources/templates/list"}, {"-read", "resources/read"},
	} {
		suffix, method, check := lost[0], lost[1], "listing/caching-hints"
		if method == "resources/read" {
			check = "resources/caching-hints"
		}
		out = append(out, Fault{
			Name: "listing-caching-hints" + suffix, What: "The result of " + method + " has no ttlMs and no cacheScope.",
			Checks: ids(check), Collateral: collateral, Eras: only(Modern),
			plant: func(b *behaviour) {
				editResult(b, method, func(_ *exchange, r object) {
					delete(r, "ttlMs")
					delete(r, "cacheScope")
				})
			},
		})
	}
	return append(out, []Fault{
		{
			Name: "listing-caching-hints-negative", What: "ttlMs of the tool list is below zero.",
			Checks: ids("listing/caching-hints"), Collateral: collateral, Eras: only(Modern),
			plant: func(b *behaviour) { editResult(b, "tools/list", func(_ *exchange, r object) { r["ttlMs"] = -1 }) },
		},
		{
			Name: "listing-caching-hints-scope", What: "cacheScope of the tool list is neither public nor private.",
			Checks: ids("listing/caching-hints"), Collateral: collateral, Eras: only(Modern),
			plant: func(b *behaviour) {
				editResult(b, "tools/list", func(_ *exchange, r object) { r["cacheScope"] = "shared" })
			},
		},
		{
			Name: "caching-scope-per-walk", What: "The pages of one list differ in cacheScope.",
			Checks: ids("caching/scope-per-walk"), Collateral: ids("host-*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				b.listing.pageSize = 5
				editResult(b, "tools/list", func(x *exchange, r object) {
					if x.params["cursor"] != nil {
						r["cacheScope"] = "private"
					}
				})
			},
		},
	}...)
}
