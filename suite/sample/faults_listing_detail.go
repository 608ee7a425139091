package sample

import (
	"encoding/json"
	"strings"
)

// listingDetailFaults are lesser deviations of a list.
func listingDetailFaults() []Fault {
	icon := func(edit func(icon object)) func(b *behaviour) {
		return func(b *behaviour) {
			editTool(b, "text_slug", func(t object) { edit(asObject(asList(t["icons"])[0])) })
		}
	}
	paged := func(start func(x *exchange, at int, given any) (int, *failure)) func(b *behaviour) {
		return func(b *behaviour) {
			b.listing.pageSize = 4
			b.listing.start = func(x *exchange, member string, total int) (int, *failure) {
				at, f := cursorStart(x, member, total)
				if member != "tools" || f != nil || at == 0 {
					return at, f
				}
				return start(x, at, x.params["cursor"])
			}
		}
	}
	return []Fault{
		{
			Name: "listing-icons-scheme", What: "The icon of a tool comes by http.",
			Checks: ids("listing/icons-scheme"), Collateral: ids("listing/icons-*"),
			plant: icon(func(i object) { i["src"] = "http://example.com/icon.png" }),
		},
		{
			Name: "listing-icons-drawable", What: "The icon of a tool is a data URI without base64 data.",
			Checks: ids("listing/icons-drawable"), Collateral: ids("listing/icons-*", "messages/strict-shapes"),
			plant: icon(func(i object) { i["src"] = "data:image/png;base64,no picture" }),
		},
		{
			Name: "listing-no-parameters-said", What: "A tool without parameters leaves open whether it takes any.",
			Checks: ids("listing/no-parameters-said"), Collateral: ids("host-*", "clients/*"),
			plant: func(b *behaviour) {
				t := manyTools(1)[0]
				t.input = object{"type": "object"}
				b.tools = append(b.tools, t)
			},
		},
		{
			Name: "listing-header-not-sensitive", What: "A password is mirrored into a header.",
			Checks: ids("listing/header-not-sensitive"), Eras: only(Modern),
			plant: func(b *behaviour) {
				addProperty(b, "password", object{"type": "string", "description": "Password of the caller", "x-mcp-header": "Password"})
			},
		},
		{
			Name: "listing-cursor-usable", What: "The cursor of the second page is refused.",
			Checks: ids("listing/cursor-usable"), Collateral: ids("listing/*", "clients/*", "host-*"),
			plant: paged(func(*exchange, int, any) (int, *failure) { return 0, fail(codeInvalidParams, "Unknown cursor") }),
		},
		{
			Name: "listing-cursor-stable", What: "A cursor that is used again leads to another page.",
			Checks: ids("listing/cursor-stable"), Collateral: ids("listing/*", "parity/listing-*", "clients/*", "host-*"),
			plant: paged(func(x *exchange, at int, given any) (int, *failure) {
				if n := x.srv.tally("cursor " + asString(given)); n > 1 {
					return at - 1, nil
				}
				return at, nil
			}),
		},
		{
			Name: "listing-odd-cursors-survived", What: "A cursor that is no text ends the process.",
			Checks: ids("listing/odd-cursors-survived"), Collateral: ids("listing/cursor-rejected"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				diesWhen(b, func(x *exchange) bool {
					_, number := x.params["cursor"].(json.Number)
					return number || len(asString(x.params["cursor"])) > 2000
				})
			},
		},
		{
			Name: "listing-properties-are-objects", What: "required of an input schema is one name, not a list.",
			Checks: ids("listing/properties-are-objects"), Collateral: ids("*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { inputOf(t)["required"] = "text" })
			},
		},
		{
			Name: "listing-known-dialect", What: "A schema declares a dialect that nobody knows.",
			Checks: ids("listing/known-dialect"), Collateral: ids("listing/*", "clients/*", "host-*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { inputOf(t)["$schema"] = "https://example.com/my-own-schema" })
			},
		},
		{
			Name: "listing-bounded-schemas", What: "A schema is nested 300 levels deep.",
			Checks: ids("listing/bounded-schemas"), Collateral: ids("listing/*", "clients/*", "host-*", "bad-input/*"),
			plant: func(b *behaviour) {
				deep := object{"type": "string"}
				for range 300 {
					deep = object{"type": "object", "properties": object{"in": deep}}
				}
				addProperty(b, "note", deep)
			},
		},
	}
}

// messageMoreFaults are oddities of messages that readers take in different ways.
func messageMoreFaults() []Fault {
	line := func(rewrite func(line string) string) func(b *behaviour) {
		return func(b *behaviour) {
			b.stdio.output = append(b.stdio.output, func(line []byte) []byte { return []byte(rewrite(string(line))) })
		}
	}
	return []Fault{
		{
			Name: "messages-strict-shapes", What: "The time of a content block is no time.",
			Checks: ids("messages/strict-shapes"), Collateral: ids("host-*", "clients/*", "output-schema/survives-sdk-v1"),
			plant: func(b *behaviour) {
				editCall(b, "text_slug", func(_ *exchange, r object) {
					firstText(r)["annotations"] = object{"lastModified": "yesterday"}
				})
			},
		},
		{
			Name: "messages-odd-json", What: "A result has the same key twice.",
			Checks: ids("messages/odd-json"), Collateral: ids("*"), Transports: only(Stdio),
			plant: line(func(l string) string {
				return strings.Replace(l, `"content":[{"type":"text"`, `"content":[],"content":[{"type":"text"`, 1)
			}),
		},
		{
			Name: "messages-only-negotiated-types", What: "A session of 2025-03-26 gets a resource link, which that revision does not have.",
			Checks: ids("messages/only-negotiated-types"), Shows: ids("parity"), Collateral: ids("messages/every-message-valid", "clients/*"), Eras: only(Legacy), Revisions: ids("2025-03-26"),
			plant: func(b *behaviour) {
				editCall(b, "shape_draw", func(x *exchange, r object) {
					blocks := asList(r["content"])
					if !x.knows("2025-06-18") && len(blocks) == 3 {
						blocks[2] = object{"type": "resource_link", "uri": shapeURI("circle"), "name": "circle"}
					}
				})
			},
		},
		{
			Name: "messages-utf8", What: "A text has a byte that is not UTF-8.",
			Checks: ids("messages/utf8"), Collateral: ids("*"), Transports: only(Stdio),
			plant: line(func(l string) string { return strings.Replace(l, "tea-for-two", "tea-f\xffr-two", 1) }),
		},
		{
			Name: "messages-one-error-sentence", What: "The message of an error is a dump of many lines.",
			Checks: ids("messages/one-error-sentence"), Shows: ids("prompts"), Collateral: ids("envelope/*", "prompts/*"),
			plant: func(b *behaviour) {
				editFailure(b, codeInvalidParams, func(_ *exchange, f *failure) {
					f.message = "[\n  {\n    \"code\": \"invalid_type\",\n    \"message\": \"" + f.message + "\"\n  }\n]"
				})
			},
		},
		{
			Name: "content-embedded-needs-resources", What: "An answer embeds a resource, although the server declares none.",
			Checks: ids("content/embedded-needs-resources"), Collateral: ids("opening/capabilities-honest", "resources/*"),
			plant: func(b *behaviour) {
				b.capabilities = func(x *exchange) object {
					c := rightCapabilities(x)
					delete(c, "resources")
					return c
				}
				editCall(b, "shape_draw", func(x *exchange, r object) {
					r["content"] = append(asList(r["content"]), object{"type": "resource", "resource": x.srv.contents(shapeURI("circle"))})
				})
			},
		},
		{
			Name: "content-prompt-resource-complete", What: "The resource in a prompt does not say its media type.",
			Checks: ids("content/prompt-resource-complete"), Shows: ids("prompts"), Collateral: ids("messages/strict-shapes"),
			plant: func(b *behaviour) {
				editResult(b, "prompts/get", func(x *exchange, r object) {
					for _, m := range asList(r["messages"]) {
						if held := asObject(asObject(asObject(m)["content"])["resource"]); held != nil {
							delete(held, "mimeType")
						}
					}
				})
			},
		},
		{
			Name: "thrown-error-has-text", What: "What a tool throws becomes isError without any content.",
			Checks: ids("thrown-error/has-text"), Collateral: ids("thrown-error/*", "host-*"),
			plant: func(b *behaviour) {
				b.calls.thrown = func(*call, error) (object, *failure) { return object{"content": list{}, "isError": true}, nil }
			},
		},
		{
			Name: "framing-blank-lines", What: "There is a blank line after each message.",
			Checks: ids("framing/blank-lines"), Collateral: ids("framing/*"), Transports: only(Stdio),
			plant: line(func(l string) string { return l + "\n" }),
		},
		{
			Name: "framing-stderr-text", What: "What is logged on stderr is not UTF-8.",
			Checks: ids("framing/stderr-text"), Transports: only(Stdio),
			plant: func(b *behaviour) { b.process.Noise = "started \xff\xfe\x00\x80\n" },
		},
	}
}
