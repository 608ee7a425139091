package sample

import (
	"crypto/rand"
	"slices"
	"strings"
	"sync"
)

func listingFaults() []Fault {
	return []Fault{
		{
			Name: "listing-schema-object-root", What: "The input schema of a tool is {}, without type object.",
			Checks: ids("listing/schema-object-root"), Collateral: ids("messages/every-message-valid", "listing/parses-*", "host-*", "bad-input/valid-accepted", "listing/no-parameters-said", "clients/*"),
			plant: func(b *behaviour) { editTool(b, "text_echo", func(t object) { t["inputSchema"] = object{} }) },
		},
		{
			Name: "listing-schema-object-root-missing", What: "A tool has no input schema.",
			Checks: ids("listing/schema-object-root"), Collateral: ids("messages/every-message-valid", "listing/parses-*", "host-*", "bad-input/valid-accepted", "clients/*"),
			plant: func(b *behaviour) { editTool(b, "text_echo", func(t object) { delete(t, "inputSchema") }) },
		},
		{
			Name: "listing-schema-object-root-output", What: "The output schema of a tool has no type object at its root, which handshake revisions want.",
			Checks: ids("listing/schema-object-root"), Collateral: ids("messages/every-message-valid", "listing/parses-*", "host-*", "output-schema/survives-sdk-v1", "clients/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				editTool(b, "word_lookup", func(t object) { delete(asObject(t["outputSchema"]), "type") })
			},
		},
		{
			Name: "listing-valid-json-schema", What: "A schema says type \"whole\", which JSON Schema does not know.",
			Checks: ids("listing/valid-json-schema"), Collateral: ids("host-*", "clients/*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { propertyOf(t, "words")["type"] = "whole" })
			},
		},
		{
			Name: "listing-valid-json-schema-pattern", What: "A pattern of a schema is no regular expression.",
			Checks: ids("listing/valid-json-schema"), Collateral: ids("host-*", "listing/regex-portable", "clients/*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { propertyOf(t, "text")["pattern"] = "([" })
			},
		},
		{
			Name: "listing-valid-json-schema-minimum", What: "A minimum of a schema is a string.",
			Checks: ids("listing/valid-json-schema"), Collateral: ids("host-*", "clients/*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { propertyOf(t, "words")["minimum"] = "one" })
			},
		},
		{
			Name: "listing-parses-in-sdk-v1", What: "A property schema is the boolean true, for which SDK v1 refuses the whole list.",
			Checks: ids("listing/parses-in-sdk-v1"), Collateral: ids("messages/every-message-valid", "listing/*", "host-*", "clients/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { asObject(inputOf(t)["properties"])["words"] = true })
			},
		},
		{
			Name: "listing-parses-in-sdk-v1-execution", What: "execution.taskSupport of a tool is a word that the protocol does not have.",
			Checks: ids("listing/parses-in-sdk-v1"), Collateral: ids("messages/every-message-valid", "listing/*", "host-*", "clients/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { t["execution"] = object{"taskSupport": "maybe"} })
			},
		},
		{
			Name: "listing-parses-in-sdk-v2", What: "An icon has a theme that the protocol does not have, for which SDK v2 refuses the whole list.",
			Checks: ids("listing/parses-in-sdk-v2"), Collateral: ids("messages/every-message-valid", "listing/*", "host-*", "clients/*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { asObject(asList(t["icons"])[0])["theme"] = "sepia" })
			},
		},
		{
			Name: "listing-no-null-optionals", What: "A tool without title is listed with title null.",
			Checks: ids("listing/no-null-optionals", "clients/keeps-list"), Collateral: ids("messages/every-message-valid", "listing/parses-*", "presentation/*", "host-*"),
			plant: func(b *behaviour) { editTool(b, "text_echo", func(t object) { t["title"] = nil }) },
		},
		{
			Name: "listing-no-null-optionals-description", What: "The description of a tool is null.",
			Checks: ids("listing/no-null-optionals"), Collateral: ids("messages/every-message-valid", "listing/parses-*", "host-*", "clients/*"),
			plant: func(b *behaviour) { editTool(b, "text_echo", func(t object) { t["description"] = nil }) },
		},
		{
			Name: "listing-no-null-optionals-hint", What: "A hint of a tool is null.",
			Checks: ids("listing/no-null-optionals"), Collateral: ids("messages/every-message-valid", "listing/parses-*", "presentation/*", "host-*", "clients/*"),
			plant: func(b *behaviour) {
				editTool(b, "text_echo", func(t object) { asObject(t["annotations"])["openWorldHint"] = nil })
			},
		},
		{
			Name: "listing-no-null-optionals-cursor", What: "nextCursor of the last page is null.",
			Checks: ids("listing/no-null-optionals"), Collateral: ids("messages/every-message-valid", "listing/*", "host-*", "clients/*"),
			plant: func(b *behaviour) {
				editResult(b, "tools/list", func(_ *exchange, r object) { r["nextCursor"] = nil })
			},
		},
		{
			Name: "listing-no-null-optionals-meta", What: "_meta of the list is null, for which SDK clients drop the answer unread.",
			Checks: ids("listing/no-null-optionals"), Collateral: ids("messages/every-message-valid", "listing/*", "host-*", "opening/server-info", "clients/*"),
			plant: func(b *behaviour) {
				editResult(b, "tools/list", func(_ *exchange, r object) { r["_meta"] = nil })
			},
		},
		{
			Name: "listing-names-allowed", What: "The name of a tool has a space.",
			Checks: ids("listing/names-allowed"), Collateral: ids("host-*", "messages/strict-shapes"),
			plant: func(b *behaviour) { find(b.tools, "text_slug").name = "text slug" },
		},
		{
			Name: "listing-names-unique", What: "A tool is listed twice.",
			Checks: ids("listing/names-unique"), Collateral: ids("host-*", "clients/*"),
			plant: func(b *behaviour) {
				b.listing.tools = append(b.listing.tools, func(_ *exchange, entries list) list { return append(entries, clone(entries[0])) })
			},
		},
		{
			Name: "listing-pages-end", What: "Every page of the list is the first page again, with the same cursor.",
			Checks: ids("listing/pages-end"), Collateral: ids("listing/*", "host-*", "clients/*"),
			plant: func(b *behaviour) {
				b.listing.pageSize = 4
				b.listing.start = func(x *exchange, member string, total int) (int, *failure) {
					at, f := cursorStart(x, member, total)
					if member == "tools" {
						at = 0
					}
					return at, f
				}
			},
		},
		{
			Name: "listing-pages-end-repeats", What: "Each page of the list begins with the last tool of the page before.",
			Checks: ids("listing/pages-end"), Collateral: ids("listing/*", "host-*", "clients/*"),
			plant: func(b *behaviour) {
				b.listing.pageSize = 4
				b.listing.start = func(x *exchange, member string, total int) (int, *failure) {
					at, f := cursorStart(x, member, total)
					if member == "tools" {
						at = max(0, at-1)
					}
					return at, f
				}
			},
		},
		{
			Name: "listing-pages-end-empty-cursor", What: "The last page of the list has an empty cursor, which leads to the first page.",
			Checks: ids("listing/pages-end"), Collateral: ids("listing/*", "host-*"),
			plant: func(b *behaviour) {
				editResult(b, "tools/list", func(_ *exchange, r object) { r["nextCursor"] = "" })
				b.listing.start = func(x *exchange, member string, total int) (int, *failure) {
					if x.params["cursor"] == "" {
						return 0, nil
					}
					return cursorStart(x, member, total)
				}
			},
		},
		{
			Name: "listing-cursor-rejected", What: "A cursor that the server never gave is answered with the first page.",
			Checks: ids("listing/cursor-rejected"),
			plant: func(b *behaviour) {
				b.listing.start = func(x *exchange, member string, total int) (int, *failure) {
					at, _ := cursorStart(x, member, total)
					return at, nil
				}
			},
		},
		{
			Name: "listing-cursor-rejected-code", What: "A cursor that the server never gave is refused with an internal error.",
			Checks: ids("listing/cursor-rejected"),
			plant: func(b *behaviour) {
				b.listing.start = func(x *exchange, member string, total int) (int, *failure) {
					at, f := cursorStart(x, member, total)
					if f != nil {
						f.code = codeInternal
					}
					return at, f
				}
			},
		},
		{
			Name: "listing-deterministic", What: "Each list begins with another tool.",
			Checks: ids("listing/deterministic"), Collateral: ids("listing/same-everywhere", "parity/listing-*", "opening/client-identity-ignored"),
			plant: func(b *behaviour) {
				b.listing.tools = append(b.listing.tools, func(x *exchange, entries list) list {
					first := x.srv.tally("lists") % len(entries)
					return slices.Concat(entries[first:], entries[:first])
				})
			},
		},
		{
			Name: "listing-same-everywhere", What: "Each connection is shown a tool that no other has.",
			Checks: ids("listing/same-everywhere"), Collateral: ids("listing/deterministic", "listing/as-written", "parity/listing-*", "subscriptions/changes-announced"),
			plant: func(b *behaviour) {
				var mu sync.Mutex
				names := map[*session]string{}
				b.listing.tools = append(b.listing.tools, func(x *exchange, entries list) list {
					mu.Lock()
					defer mu.Unlock()
					if names[x.ses] == "" {
						names[x.ses] = "of_connection_" + rand.Text()[:6]
					}
					own := manyTools(1)[0].listed()
					own["name"] = names[x.ses]
					return append(entries, own)
				})
				b.calls.lookUp = func(tools []*tool, name string) *tool {
					if strings.HasPrefix(name, "of_connection_") {
						return manyTools(1)[0]
					}
					return find(tools, name)
				}
			},
		},
		{
			Name: "listing-as-written", What: "A framework shortens the description of a tool on its way out.",
			Checks: ids("listing/as-written"), NeedsExpect: true,
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { t["description"] = "Turns a title into a slug." })
			},
		},
	}
}
