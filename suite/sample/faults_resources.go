package sample

import (
	"slices"
	"strings"
)

func resourceFaults() []Fault {
	edit := func(uri string, change func(entry object)) func(b *behaviour) {
		return func(b *behaviour) { b.listing.resources = append(b.listing.resources, editEntry("uri", uri, change)) }
	}
	reading := func(change func(x *exchange, contents object)) func(b *behaviour) {
		return func(b *behaviour) {
			editResult(b, "resources/read", func(x *exchange, r object) { change(x, asObject(asList(r["contents"])[0])) })
		}
	}
	missing := func(era string, how func(uri string) (object, *failure)) func(b *behaviour) {
		return func(b *behaviour) {
			b.resources.missing = func(x *exchange, uri string) (object, *failure) {
				if x.modern == (era == Modern) || era == "" {
					return how(uri)
				}
				return missingResource(x, uri)
			}
		}
	}
	valid := ids("messages/every-message-valid", "messages/strict-shapes", "resources/*")
	return []Fault{
		{
			Name: "messages-every-message-valid-resource-list", What: "A resource is listed without a name.",
			Checks: ids("messages/every-message-valid"), Shows: ids("resources"), Collateral: valid,
			plant: edit(menuURI, func(entry object) { delete(entry, "name") }),
		},
		{
			Name: "resources-uri-shape", What: "The uri of a resource has no scheme.",
			Checks: ids("resources/uri-shape"), Collateral: valid,
			plant: edit(menuURI, func(entry object) { entry["uri"] = "tea/menu" }),
		},
		{
			Name: "listing-names-unique-resources", What: "A resource is listed twice.",
			Checks: ids("listing/names-unique"), Collateral: ids("resources/*"),
			plant: func(b *behaviour) {
				b.listing.resources = append(b.listing.resources, func(_ *exchange, entries list) list { return slices.Insert(entries, 1, any(clone(entries[0]))) })
			},
		},
		{
			Name: "messages-every-message-valid-resource-size", What: "The size of a resource is text.",
			Checks: ids("messages/every-message-valid"), Shows: ids("resources"), Collateral: valid,
			plant: edit(menuURI, func(entry object) { entry["size"] = "93 bytes" }),
		},
		{
			Name: "resources-listed-readable", What: "A listed resource cannot be read.",
			Checks: ids("resources/listed-readable"), Collateral: ids("resources/*"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method != "resources/read" || x.params["uri"] != menuURI {
						return false
					}
					x.answer(missingResource(x, menuURI))
					return true
				})
			},
		},
		{
			Name: "messages-every-message-valid-contents", What: "The contents of a resource do not say their uri.",
			Checks: ids("messages/every-message-valid"), Shows: ids("resources"), Collateral: valid,
			plant: reading(func(_ *exchange, contents object) { delete(contents, "uri") }),
		},
		{
			Name: "messages-every-message-valid-contents-empty", What: "The contents of a resource have neither text nor blob.",
			Checks: ids("messages/every-message-valid"), Shows: ids("resources"), Collateral: valid,
			plant: reading(func(_ *exchange, contents object) { delete(contents, "text"); delete(contents, "blob") }),
		},
		{
			Name: "content-base64-decodes", What: "The blob of a resource is not base64.",
			Checks: ids("content/base64-decodes"), Shows: ids("resources"), Collateral: valid,
			plant: reading(func(_ *exchange, contents object) {
				if contents["blob"] != nil {
					contents["blob"] = "<<" + asString(contents["blob"])
				}
			}),
		},
		{
			Name: "resources-not-found", What: "Reading what does not exist gives empty contents.",
			Checks: ids("resources/not-found"), Collateral: ids("resources/*"),
			plant: missing("", func(string) (object, *failure) { return object{"contents": list{}}, nil }),
		},
		{
			Name: "resources-not-found-code", What: "Reading what does not exist is refused with -32603.",
			Checks: ids("resources/not-found-code"), Eras: only(Legacy),
			plant: missing(Legacy, func(uri string) (object, *failure) {
				return nil, fail(codeInternal, "Resource not found").with(object{"uri": uri})
			}),
		},
		{
			Name: "resources-not-found-retired-code", What: "Reading what does not exist is refused with -32002, which 2026-07-28 has given up.",
			Checks: ids("resources/not-found"), Collateral: ids("envelope/error-code-range"), Eras: only(Modern),
			plant: missing(Modern, func(uri string) (object, *failure) {
				return nil, fail(codeResourceNotFound, "Resource not found").with(object{"uri": uri})
			}),
		},
		{
			Name: "resources-templates-rfc6570", What: "A template leaves a brace open.",
			Checks: ids("resources/templates-rfc6570"), Collateral: ids("resources/*"),
			plant: func(b *behaviour) {
				b.listing.templates = append(b.listing.templates, editEntry("name", "tea-at", func(entry object) { entry["uriTemplate"] = "sample://tea/{time" }))
			},
		},
		{
			Name: "messages-every-message-valid-template", What: "A template is listed without a name.",
			Checks: ids("messages/every-message-valid"), Shows: ids("resources"), Collateral: valid,
			plant: func(b *behaviour) {
				b.listing.templates = append(b.listing.templates, editEntry("name", "tea-at", func(entry object) { delete(entry, "name") }))
			},
		},
		{
			Name: "resources-subscribe", What: "resources/subscribe is an unknown method, although subscribe is declared.",
			Checks: ids("resources/subscribe"), Collateral: ids("opening/capabilities-honest", "resources/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				failOn(b, "resources/subscribe", func() *failure { return fail(codeMethodNotFound, "Method not found") })
			},
		},
		{
			Name: "resources-unsubscribe-stops", What: "Updates go on after resources/unsubscribe.",
			Checks: ids("resources/unsubscribe-stops"), Collateral: ids("resources/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method != "resources/unsubscribe" || x.modern {
						return false
					}
					x.answer(object{}, nil)
					return true
				})
			},
		},
		{
			Name: "resources-updated-only-when-subscribed", What: "Updates of a resource go to clients that did not subscribe to it.",
			Checks: ids("resources/updated-only-when-subscribed"), Collateral: ids("resources/*", "http/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.afterwards = append(b.afterwards, func(x *exchange) {
					if x.calls("count_up") && !x.modern && !x.ses.watches(counterURI) {
						x.ses.push(object{"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": object{"uri": counterURI}})
					}
				})
			},
		},
		{
			Name: "listing-pages-end-resources", What: "The second page of the resources is the first again, with the same cursor.",
			Checks: ids("listing/pages-end"), Collateral: ids("resources/*", "listing/names-unique"),
			plant: func(b *behaviour) {
				b.listing.start = func(x *exchange, member string, total int) (int, *failure) {
					at, f := cursorStart(x, member, total)
					if member == "resources" {
						at = 0
					}
					return at, f
				}
			},
		},
	}
}

func promptFaults() []Fault {
	edit := func(change func(entry object)) func(b *behaviour) {
		return func(b *behaviour) {
			b.listing.prompts = append(b.listing.prompts, editEntry("name", "explain_word", change))
		}
	}
	unknown := func(when func(name string) bool, f func(name string) *failure) func(b *behaviour) {
		return func(b *behaviour) {
			b.prompts.unknown = func(x *exchange, name string) (object, *failure) {
				if when(name) {
					return nil, f(name)
				}
				return unknownPrompt(x, name)
			}
		}
	}
	always := func(string) bool { return true }
	valid := ids("messages/every-message-valid", "prompts/*")
	return append(completionFaults(), []Fault{
		{
			Name: "messages-every-message-valid-prompt-list", What: "An argument of a prompt is listed without a name.",
			Checks: ids("messages/every-message-valid"), Shows: ids("prompts"), Collateral: valid,
			plant: edit(func(entry object) { delete(asObject(asList(entry["arguments"])[0]), "name") }),
		},
		{
			Name: "messages-every-message-valid-prompt-required", What: "required of a prompt argument is the text \"yes\".",
			Checks: ids("messages/every-message-valid"), Shows: ids("prompts"), Collateral: valid,
			plant: edit(func(entry object) { asObject(asList(entry["arguments"])[0])["required"] = "yes" }),
		},
		{
			Name: "listing-names-unique-prompts", What: "A prompt is listed twice.",
			Checks: ids("listing/names-unique"), Collateral: ids("prompts/*"),
			plant: func(b *behaviour) {
				b.listing.prompts = append(b.listing.prompts, func(_ *exchange, entries list) list { return append(entries, clone(entries[0])) })
			},
		},
		{
			Name: "messages-every-message-valid-prompt", What: "A message of a prompt has the role system, which prompts do not have.",
			Checks: ids("messages/every-message-valid"), Shows: ids("prompts"), Collateral: valid,
			plant: func(b *behaviour) {
				editResult(b, "prompts/get", func(_ *exchange, r object) { asObject(asList(r["messages"])[0])["role"] = "system" })
			},
		},
		{
			Name: "prompts-unknown-name", What: "An unknown prompt ends in an internal error.",
			Checks: ids("prompts/unknown-name"), Collateral: ids("prompts/*"),
			plant: unknown(always, func(string) *failure { return fail(codeInternal, "Internal error") }),
		},
		{
			Name: "prompts-unknown-name-prototype", What: "Prompts with names that every JavaScript object has are called disabled.",
			Checks: ids("prompts/prototype-name"), Collateral: ids("prompts/*"),
			plant: unknown(func(name string) bool { return slices.Contains(inherited(), name) },
				func(name string) *failure { return fail(codeInvalidParams, "Prompt "+name+" disabled") }),
		},
		{
			Name: "prompts-unknown-name-escaped", What: "Control characters in the name of an unknown prompt come back raw.",
			Checks: ids("prompts/name-escaped"), Collateral: ids("prompts/*"),
			plant: unknown(always, func(name string) *failure { return fail(codeInvalidParams, "Unknown prompt: "+name) }),
		},
		{
			Name: "prompts-missing-argument", What: "A prompt is given out without its required argument.",
			Checks: ids("prompts/missing-argument"), Collateral: ids("prompts/*"),
			plant: func(b *behaviour) {
				b.prompts.validate = func(p *prompt, args object) *failure {
					if f := validatePrompt(p, args); f != nil && !strings.Contains(f.message, "is required") {
						return f
					}
					return nil
				}
			},
		},
	}...)
}

func completionFaults() []Fault {
	valid := ids("messages/every-message-valid", "completion/*")
	edit := func(change func(completion object)) func(b *behaviour) {
		return func(b *behaviour) {
			editResult(b, "completion/complete", func(_ *exchange, r object) { change(asObject(r["completion"])) })
		}
	}
	return []Fault{
		{
			Name: "completion-at-most-100", What: "A completion has 150 values.",
			Checks: ids("completion/at-most-100"), Collateral: valid,
			plant: edit(func(c object) {
				values := list{}
				for i := range 150 {
					values = append(values, "word"+string(num(i)))
				}
				c["values"], c["total"] = values, 150
			}),
		},
		{
			Name: "messages-every-message-valid-completion", What: "The values of a completion are objects.",
			Checks: ids("messages/every-message-valid"), Shows: ids("completion"), Collateral: valid,
			plant: edit(func(c object) { c["values"] = list{object{"value": "plain"}} }),
		},
		{
			Name: "messages-every-message-valid-completion-more", What: "hasMore of a completion is the text \"no\".",
			Checks: ids("messages/every-message-valid"), Shows: ids("completion"), Collateral: valid,
			plant: edit(func(c object) { c["hasMore"] = "no" }),
		},
		{
			Name: "completion-unknown-prompt", What: "A completion for an unknown prompt ends in an internal error.",
			Checks: ids("completion/unknown-prompt"), Collateral: ids("completion/*"),
			plant: func(b *behaviour) {
				b.completion.values = func(s *Server, ref object, argument string) ([]string, *failure) {
					values, f := completionValues(s, ref, argument)
					if f != nil && ref["type"] == "ref/prompt" {
						f.code = codeInternal
					}
					return values, f
				}
			},
		},
		{
			Name: "completion-missing-argument", What: "A completion without its argument is served.",
			Checks: ids("completion/missing-argument"), Collateral: ids("completion/*"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method != "completion/complete" || x.params["argument"] != nil {
						return false
					}
					x.answer(object{"completion": object{"values": list{}, "total": 0, "hasMore": false}}, nil)
					return true
				})
			},
		},
	}
}
