package sample

import (
	"encoding/json"
	"strings"
)

// envelopeMoreFaults are lesser deviations of the envelope.
func envelopeMoreFaults() []Fault {
	answersTo := func(edit func(x *exchange, m object)) func(b *behaviour) {
		return func(b *behaviour) {
			b.messages = append(b.messages, func(x *exchange, m object) []object {
				if m["result"] != nil || m["error"] != nil {
					edit(x, m)
				}
				return []object{m}
			})
		}
	}
	return []Fault{
		{
			Name: "envelope-id-empty", What: "An empty id comes back as 0.",
			Checks: ids("envelope/id-empty"), Collateral: ids("envelope/*", "cancellation/*"),
			plant: answersTo(func(_ *exchange, m object) {
				if m["id"] == "" {
					m["id"] = num(0)
				}
			}),
		},
		{
			Name: "envelope-id-unicode", What: "Characters beyond ASCII are lost from ids.",
			Checks: ids("envelope/id-unicode"), Collateral: ids("envelope/*", "framing/*"),
			plant: answersTo(func(_ *exchange, m object) {
				if s, ok := m["id"].(string); ok {
					m["id"] = strings.Map(func(r rune) rune {
						if r > 0x7e {
							return '?'
						}
						return r
					}, s)
				}
			}),
		},
		{
			Name: "envelope-notification-has-no-id", What: "Progress notifications have an id.",
			Checks: ids("envelope/notification-has-no-id"), Shows: ids("progress"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				b.messages = append(b.messages, func(_ *exchange, m object) []object {
					if m["method"] == "notifications/progress" {
						m["id"] = num(77)
					}
					return []object{m}
				})
			},
		},
		{
			Name: "envelope-server-ids-unique", What: "Every question of the server has the same id.",
			Checks: ids("envelope/server-ids-unique"), Shows: ids("elicitation"), Collateral: ids("elicitation/*", "concurrency/*", "clients/*", "cancellation/own-requests-only", "http/get-stream-clean"), Eras: only(Legacy),
			plant: func(b *behaviour) { b.asking.sameID = true },
		},
		{
			Name: "completion-unsupported", What: "Completions are served, although they are not declared.",
			Checks: ids("completion/unsupported"), Collateral: ids("completion/*", "opening/capabilities-honest", "envelope/undeclared-feature"),
			plant: func(b *behaviour) {
				hide := func(_ *exchange, r object) { delete(asObject(r["capabilities"]), "completions") }
				editResult(b, "initialize", hide)
				editResult(b, "server/discover", hide)
			},
		},
		{
			Name: "envelope-undeclared-feature", What: "Prompts are served in 2026-07-28, although they are not declared.",
			Checks: ids("envelope/undeclared-feature"), Collateral: ids("opening/capabilities-honest", "subscriptions/acknowledged-subset"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editResult(b, "server/discover", func(_ *exchange, r object) { delete(asObject(r["capabilities"]), "prompts") })
			},
		},
		{
			Name: "envelope-params-absent", What: "A call without the name of a tool ends in an internal error.",
			Checks: ids("envelope/params-absent"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if _, named := x.params["name"].(string); x.method != "tools/call" || named {
						return false
					}
					x.answer(nil, fail(codeInternal, "Cannot read properties of undefined"))
					return true
				})
			},
		},
		{
			Name: "envelope-removed-methods", What: "ping is still served in 2026-07-28.",
			Checks: ids("envelope/removed-methods"), Collateral: ids("envelope/unknown-method", "http/status-codes"), Eras: only(Modern),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method != "ping" || !x.modern {
						return false
					}
					x.answer(object{}, nil)
					return true
				})
			},
		},
		{
			Name: "envelope-silent-on-malformed", What: "A line that is not JSON is passed over in silence.",
			Checks: ids("envelope/silent-on-malformed"), Collateral: ids("envelope/parse-error-shape"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.envelope.broken = func(*session, *failure, any) object { return nil }
			},
		},
		{
			Name: "envelope-invalid-request-answered", What: "A message that is no request is passed over in silence, though its id can be read.",
			Checks: ids("envelope/invalid-request-answered"), Collateral: ids("envelope/*"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.envelope.invalid = func(ses *session, f *failure, id any) object {
					if id != nil {
						return nil
					}
					return errorMessage(ses, f, id)
				}
			},
		},
		{
			Name: "envelope-null-id", What: "A request whose id is null is served.",
			Checks: ids("envelope/null-id"), Collateral: ids("messages/*", "envelope/*"),
			plant: func(b *behaviour) {
				b.envelope.read = func(v any) incoming {
					raw := asObject(v)
					id, given := raw["id"]
					if !given || id != nil {
						return read(v)
					}
					raw["id"] = ""
					in := read(raw)
					in.id = nil
					return in
				}
			},
		},
		{
			Name: "envelope-batch-answers", What: "The last request of a batch gets no answer.",
			Checks: ids("envelope/batch-answers", "envelope/batch"), Eras: only(Legacy), Revisions: ids("2025-03-26"),
			plant: func(b *behaviour) {
				short := func(answers list) list { return answers[:max(1, len(answers)-1)] }
				b.http.wrap = func(m any) any {
					if answers, ok := m.(list); ok {
						return short(answers)
					}
					return m
				}
				b.stdio.output = append(b.stdio.output, func(line []byte) []byte {
					var answers []json.RawMessage
					if json.Unmarshal(line, &answers) != nil {
						return line
					}
					raw, err := json.Marshal(answers[:max(1, len(answers)-1)])
					if err != nil {
						return line
					}
					return append(raw, '\n')
				})
			},
		},
		{
			Name: "envelope-legacy-code-range", What: "An unknown cursor is refused with a code that 2026-07-28 keeps for old servers.",
			Checks: ids("envelope/legacy-code-range"), Collateral: ids("listing/cursor-rejected", "resources/*", "envelope/error-code-range"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editFailure(b, codeInvalidParams, func(_ *exchange, f *failure) {
					if strings.Contains(f.message, "cursor") {
						f.code = -32010
					}
				})
			},
		},
	}
}

// resourceMoreFaults are lesser deviations of resources.
func resourceMoreFaults() []Fault {
	reading := func(change func(x *exchange, contents object)) func(b *behaviour) {
		return func(b *behaviour) {
			editResult(b, "resources/read", func(x *exchange, r object) { change(x, asObject(asList(r["contents"])[0])) })
		}
	}
	serving := func(when func(uri string) bool, text string) func(b *behaviour) {
		return func(b *behaviour) {
			b.resources.missing = func(x *exchange, uri string) (object, *failure) {
				if when(uri) {
					return object{"contents": list{object{"uri": uri, "mimeType": "text/plain", "text": text}}}, nil
				}
				return missingResource(x, uri)
			}
		}
	}
	return []Fault{
		{
			Name: "resources-https-fetchable", What: "A resource has an https uri that nobody can fetch.",
			Checks: ids("resources/https-fetchable"), Collateral: ids("resources/*"),
			plant: func(b *behaviour) {
				b.listing.resources = append(b.listing.resources, editEntry("uri", menuURI, func(entry object) { entry["uri"] = "https://menu.invalid/tea" }))
				serving(func(uri string) bool { return uri == "https://menu.invalid/tea" }, menuText)(b)
			},
		},
		{
			Name: "resources-templates-answered", What: "resources/templates/list ends in an internal error.",
			Checks: ids("resources/templates-answered"), Collateral: ids("resources/*", "listing/*", "clients/*"),
			plant: func(b *behaviour) {
				failOn(b, "resources/templates/list", func() *failure { return fail(codeInternal, "Internal error") })
			},
		},
		{
			Name: "resources-text-is-text", What: "The text of a resource is binary data that could not be decoded.",
			Checks: ids("resources/text-is-text"),
			plant: reading(func(_ *exchange, contents object) {
				if contents["text"] != nil {
					contents["text"] = "\x00\x01\ufffd\ufffd\x00PNG"
				}
			}),
		},
		{
			Name: "resources-uri-echo", What: "What is read comes under another uri than the one that was asked for.",
			Checks: ids("resources/uri-echo"), Collateral: ids("resources/*"),
			plant: reading(func(_ *exchange, contents object) { contents["uri"] = "sample://elsewhere" }),
		},
		{
			Name: "resources-not-found-names-uri", What: "The error about a missing resource does not name it.",
			Checks: ids("resources/not-found-names-uri"),
			plant: func(b *behaviour) {
				b.resources.missing = func(x *exchange, uri string) (object, *failure) {
					r, f := missingResource(x, uri)
					f.data = nil
					return r, f
				}
			},
		},
		{
			Name: "resources-odd-uris", What: "A uri that is none is served as an empty resource.",
			Checks: ids("resources/odd-uris"), Collateral: ids("resources/*", "messages/strict-shapes"),
			plant: serving(func(uri string) bool { return !strings.Contains(uri, ":") || strings.ContainsAny(uri, " \n\x00") }, ""),
		},
		{
			Name: "resources-path-traversal", What: "A file uri climbs out of what the server offers.",
			Checks: ids("resources/path-traversal"), Collateral: ids("resources/*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				const notes = "file:///srv/tea/notes.txt"
				b.listing.resources = append(b.listing.resources, func(_ *exchange, entries list) list {
					return append(entries, object{"uri": notes, "name": "tea-notes", "mimeType": "text/plain"})
				})
				serving(func(uri string) bool {
					return uri == notes || strings.HasPrefix(uri, "file:///srv/tea/..") && strings.HasSuffix(uri, "etc/hostname")
				}, "tea-house")(b)
			},
		},
		{
			Name: "resources-subscribe-undeclared", What: "resources/subscribe is served, although subscribe is not declared.",
			Checks: ids("resources/subscribe-undeclared"), Collateral: ids("opening/capabilities-honest", "resources/*", "envelope/undeclared-feature"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				editResult(b, "initialize", func(_ *exchange, r object) {
					asObject(asObject(r["capabilities"])["resources"])["subscribe"] = false
				})
			},
		},
		{
			Name: "resources-updates-in-scope", What: "Who subscribes to one resource gets the updates of another too.",
			Checks: ids("resources/updates-in-scope"), Shows: ids("subscriptions"), Collateral: ids("resources/*", "subscriptions/*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editNotification(b, "notifications/resources/updated", func(_ *exchange, p object) { p["uri"] = menuURI })
			},
		},
	}
}
