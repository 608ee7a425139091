package sample

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// hostFaults keep the protocol and break or blunt what named clients do with it.
func hostFaults() []Fault {
	return append(append(hostResultFaults(), hostMoreFaults()...), []Fault{
		{
			Name: "host-tool-name", What: "The name of a tool has a dot, which some model interfaces refuse.",
			Checks: ids("host-*/tool-name"), Collateral: ids("host-*"),
			plant: func(b *behaviour) { find(b.tools, "text_slug").name = "text.slug" },
		},
		{
			Name: "host-name-collision", What: "Two tools have names that differ by a hyphen and an underscore, which clients make one.",
			Checks: ids("host-*/names-collide"), Collateral: ids("host-*"),
			plant: func(b *behaviour) { find(b.tools, "text_slug").name = "text-echo" },
		},
		{
			Name: "host-name-length-with-prefix", What: "The name of a tool is 62 characters long, too long once a client adds its prefix.",
			Checks: ids("host-*/name-length-with-prefix"), Collateral: ids("host-*"),
			plant: func(b *behaviour) {
				find(b.tools, "text_slug").name = "text_slug_" + strings.Repeat("of_a_title_", 4) + "at_once_"
			},
		},
		{
			Name: "host-root-combinators", What: "The input schema of a tool has anyOf at its root.",
			Checks: ids("host-*/root-combinators", "clients/tools-unchanged"), Collateral: ids("host-*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) {
					inputOf(t)["anyOf"] = list{object{"required": list{"text"}}, object{"required": list{"text", "words"}}}
				})
			},
		},
		{
			Name: "host-property-keys", What: "The input schema of a tool has a property named \"$words\".",
			Checks: ids("host-*/property-keys", "clients/keeps-tools"), Collateral: ids("host-*"),
			plant: func(b *behaviour) { addProperty(b, "$words", object{"type": "integer"}) },
		},
		{
			Name: "host-array-items", What: "An array in an input schema does not say what its items are.",
			Checks: ids("host-*/array-items"), Collateral: ids("host-*"),
			plant: func(b *behaviour) { addProperty(b, "tags", object{"type": "array"}) },
		},
		{
			Name: "host-tuple-items", What: "An array in an input schema lists its items one by one, as old drafts have it.",
			Checks: ids("host-*/tuple-items"), Collateral: ids("listing/valid-json-schema", "host-*", "clients/*"),
			plant: func(b *behaviour) {
				addProperty(b, "pair", object{"type": "array", "items": list{object{"type": "string"}, object{"type": "integer"}}})
			},
		},
		{
			Name: "host-boolean-subschema", What: "A property schema is the boolean true, which 2026-07-28 allows and some clients refuse.",
			Checks: ids("host-*/boolean-subschemas"), Collateral: ids("host-*", "listing/parses-*", "clients/*", "listing/properties-are-objects", "messages/every-message-valid"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { asObject(inputOf(t)["properties"])["note"] = true })
			},
		},
		{
			Name: "host-type-array", What: "A property has two types at once.",
			Checks: ids("host-*/type-arrays"), Collateral: ids("host-*", "bad-input/*"),
			plant: func(b *behaviour) { addProperty(b, "note", object{"type": list{"string", "null"}}) },
		},
		{
			Name: "host-lookaround", What: "A pattern looks ahead, which some engines cannot.",
			Checks: ids("listing/regex-portable"), Collateral: ids("host-*"),
			plant: func(b *behaviour) { addProperty(b, "note", object{"type": "string", "pattern": "^(?!x).*$"}) },
		},
		{
			Name: "host-dialect", What: "A schema is right by draft-04 alone, by which hosts do not read it.",
			Checks: ids("host-*/schema-dialect"), Collateral: ids("listing/*", "host-*", "clients/*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) {
					inputOf(t)["$schema"] = "http://json-schema.org/draft-04/schema#"
					asObject(inputOf(t)["properties"])["margin"] = object{"type": "integer", "minimum": 0, "exclusiveMinimum": true}
				})
			},
		},
		{
			Name: "host-description-length", What: "The description of a tool has 6,000 characters.",
			Checks: ids("host-*/description-length"), Collateral: ids("host-*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { t["description"] = strings.Repeat("Turns a title into a slug. ", 223) })
			},
		},
		{
			Name: "host-list-size", What: "The server has 210 tools.",
			Checks: ids("host-*/list-size"), Collateral: ids("host-*"),
			plant: func(b *behaviour) { b.tools = append(b.tools, manyTools(200)...) },
		},
		{
			Name: "host-hints-required", What: "A tool leaves destructiveHint out, without which a store refuses it.",
			Checks: ids("host-*/hints-required"), Collateral: ids("presentation/hints-complete", "host-*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { delete(asObject(t["annotations"]), "destructiveHint") })
			},
		},
	}...)
}

// hostResultFaults are in the answers.
func hostResultFaults() []Fault {
	return []Fault{
		{
			Name: "host-result-size", What: "An answer has 400,000 characters of text.",
			Checks: ids("host-*/result-size"), Collateral: ids("host-*"),
			plant: func(b *behaviour) {
				editCall(b, "text_slug", func(_ *exchange, r object) { firstText(r)["text"] = strings.Repeat("tea-for-two ", 34000) })
			},
		},
		{
			Name: "host-structured-preferred", What: "A picture stands beside the details, which are all that some models get.",
			Checks: ids("host-*/structured-preferred"), Collateral: ids("host-*"),
			plant: func(b *behaviour) {
				editCall(b, "parcel_price", func(_ *exchange, r object) {
					picture := object{"type": "image", "data": base64.StdEncoding.EncodeToString(drawing("square")), "mimeType": "image/png"}
					r["content"] = append(asList(r["content"]), picture)
				})
			},
		},
		{
			Name: "host-image-kept", What: "An answer is a picture alone, which text-only clients cannot show.",
			Checks: ids("host-*/image-kept"), Collateral: ids("host-*"),
			plant: func(b *behaviour) {
				editCall(b, "shape_draw", func(_ *exchange, r object) { r["content"] = asList(r["content"])[1:2] })
			},
		},
		{
			Name: "host-link-kept", What: "An answer is a link alone, which several clients drop.",
			Checks: ids("host-*/link-kept"), Collateral: ids("host-*"),
			plant: func(b *behaviour) {
				editCall(b, "shape_draw", func(_ *exchange, r object) { r["content"] = asList(r["content"])[2:] })
			},
		},
		{
			Name: "host-extra-members", What: "Answers have a member beside id and result, for which SDK clients drop them unread.",
			Checks: ids("output-schema/survives-sdk-v1"), Collateral: ids("*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.messages = append(b.messages, func(x *exchange, m object) []object {
					if x != nil && x.calls("text_slug") {
						m["took_ms"] = 1
					}
					return []object{m}
				})
			},
		},
	}
}

// addProperty adds an optional property to text_slug; the tool does not look at it.
func addProperty(b *behaviour, name string, schema object) {
	asObject(find(b.tools, "text_slug").input["properties"])[name] = schema
}

// manyTools are small tools that differ in name.
func manyTools(n int) []*tool {
	out := make([]*tool, n)
	for i := range out {
		out[i] = &tool{
			name: fmt.Sprintf("list_entry_%03d", i+1), title: fmt.Sprintf("List Entry %d", i+1),
			description: fmt.Sprintf("Says entry %d of a long list.", i+1),
			input:       schemaOf(object{}), examples: list{object{}},
			run: func(*call, object) (outcome, error) { return said(fmt.Sprintf("This is entry %d.", i+1)), nil },
		}
	}
	return out
}
