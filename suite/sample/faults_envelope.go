package sample

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
)

func envelopeFaults() []Fault {
	messages := func(edit func(x *exchange, m object) []object) func(b *behaviour) {
		return func(b *behaviour) { b.messages = append(b.messages, edit) }
	}
	// misread changes what is made of an incoming value.
	misread := func(take func(raw object) (in incoming, taken bool)) func(b *behaviour) {
		return func(b *behaviour) {
			b.envelope.read = func(v any) incoming {
				if raw := asObject(v); raw != nil {
					if in, taken := take(raw); taken {
						return in
					}
				}
				return read(v)
			}
		}
	}
	refusing := func(in incoming, why string) (incoming, bool) {
		in.refused = fail(codeInvalidParams, why)
		return in, true
	}
	isAnswer := func(m object) bool { return m["result"] != nil || m["error"] != nil }
	return append(requestFaults(), []Fault{
		{
			Name: "envelope-id-echo", What: "An id that is text made of digits comes back as a number.",
			Checks: ids("envelope/id-echo"), Collateral: ids("*"),
			plant: messages(func(_ *exchange, m object) []object {
				if s, ok := m["id"].(string); ok && isAnswer(m) {
					if n, err := strconv.Atoi(s); err == nil {
						m["id"] = num(n)
					}
				}
				return []object{m}
			}),
		},
		{
			Name: "envelope-error-carries-id", What: "Errors carry id 0 whatever the id of the request.",
			Checks: ids("envelope/error-carries-id"), Collateral: ids("*"),
			plant: messages(func(x *exchange, m object) []object {
				if x != nil && m["error"] != nil {
					m["id"] = num(0)
				}
				return []object{m}
			}),
		},
		{
			Name: "envelope-id-echo-large", What: "Ids beyond 32 bits are cut.",
			Checks: ids("envelope/id-echo"), Collateral: ids("envelope/*"),
			plant: messages(func(_ *exchange, m object) []object {
				if n, ok := m["id"].(json.Number); ok && isAnswer(m) {
					if i, err := n.Int64(); err == nil && i != int64(int32(i)) {
						m["id"] = num(int(int32(i)))
					}
				}
				return []object{m}
			}),
		},
		{
			Name: "envelope-fractional-id", What: "A request with id 1.5, which is no id, is answered under id 1.",
			Checks: ids("envelope/fractional-id"), Collateral: ids("envelope/*"),
			plant: misread(func(raw object) (incoming, bool) {
				n, ok := raw["id"].(json.Number)
				if !ok || isInteger(n) {
					return incoming{}, false
				}
				whole, _, _ := strings.Cut(string(n), ".")
				raw["id"] = json.Number(whole)
				return incoming{}, false
			}),
		},
		{
			Name: "envelope-one-answer", What: "A ping, and a tool list in 2026-07-28, is answered twice.",
			Checks: ids("envelope/one-answer"), Collateral: ids("messages/*", "http/*", "concurrency/*", "cancellation/late-cancel-ignored", "meta/refusal-http-400"),
			plant: messages(func(x *exchange, m object) []object {
				if x != nil && (x.method == "ping" || x.modern && x.method == "tools/list") {
					return []object{m, m}
				}
				return []object{m}
			}),
		},
		{
			Name: "envelope-no-reply-to-notification", What: "Notifications are answered with an error that has no id.",
			Checks: ids("envelope/no-reply-to-notification"), Collateral: ids("messages/*", "cancellation/*", "envelope/*"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.envelope.noted = func(ses *session, in incoming, out outlet) {
					if in.method == "notifications/cancelled" {
						ses.cancel(in.params)
					}
					out.final(object{"jsonrpc": "2.0", "id": nil, "error": fail(codeMethodNotFound, "Method not found").object()}, 0)
				}
			},
		},
		{
			Name: "envelope-idless-not-executed", What: "A tools/call without id is carried out.",
			Checks: ids("envelope/idless-not-executed"), Collateral: ids("progress/none-unasked"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.envelope.noted = func(ses *session, in incoming, out outlet) {
					if in.method != "tools/call" {
						noted(ses, in, out)
						return
					}
					in.id = ""
					x := ses.begin(context.Background(), in, idless{out})
					go x.serve()
				}
			},
		},
		{
			Name: "envelope-malformed-line-survived", What: "A line that is not JSON ends the process.",
			Checks: ids("envelope/malformed-line-survived"), Collateral: ids("envelope/parse-error-shape", "envelope/silent-on-malformed"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.envelope.broken = func(ses *session, _ *failure, _ any) object { ses.srv.die(); return nil }
			},
		},
		{
			Name: "envelope-parse-error-shape", What: "The answer to a line that is not JSON is an error without code.",
			Checks: ids("envelope/parse-error-shape"), Collateral: ids("messages/every-message-valid"),
			plant: func(b *behaviour) {
				b.envelope.broken = func(ses *session, f *failure, id any) object {
					m := errorMessage(ses, f, id)
					delete(asObject(m["error"]), "code")
					return m
				}
			},
		},
		{
			Name: "envelope-batch", What: "A batch is never answered in 2025-03-26, which wants batches served.",
			Checks: ids("envelope/batch"), Eras: only(Legacy), Revisions: ids("2025-03-26"),
			plant: func(b *behaviour) {
				b.envelope.batches = func(*session) bool { return false }
				b.envelope.invalid = func(ses *session, f *failure, id any) object {
					if servesBatches(ses) && strings.Contains(f.message, "object") {
						return nil
					}
					return errorMessage(ses, f, id)
				}
			},
		},
		{
			Name: "envelope-batch-refused", What: "Of a batch the first request is served, in every revision.",
			Checks: ids("envelope/batch-refused"), Collateral: ids("envelope/*"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.envelope.batches = func(*session) bool { return false }
				b.envelope.read = func(v any) incoming {
					if batch := asList(v); len(batch) > 0 {
						v = batch[0]
					}
					return read(v)
				}
			},
		},
		{
			Name: "envelope-wrong-jsonrpc", What: "A message that does not say jsonrpc 2.0 ends the process.",
			Checks: ids("envelope/wrong-jsonrpc"), Collateral: ids("envelope/*"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.envelope.invalid = func(ses *session, f *failure, id any) object {
					if strings.Contains(f.message, "jsonrpc") {
						ses.srv.die()
						return nil
					}
					return errorMessage(ses, f, id)
				}
			},
		},
		{
			Name: "envelope-lists-without-params", What: "A list is refused when params are left out.",
			Checks: ids("envelope/lists-without-params"), Collateral: ids("listing/*", "host-*", "*"), Eras: only(Legacy),
			plant: misread(func(raw object) (incoming, bool) {
				if _, given := raw["params"]; given || raw["method"] != "tools/list" || raw["id"] == nil {
					return incoming{}, false
				}
				return refusing(read(raw), "params are needed")
			}),
		},
		{
			Name: "envelope-params-null", What: "A request with params null is never answered.",
			Checks: ids("envelope/params-null"), Eras: only(Legacy),
			plant: misread(func(raw object) (incoming, bool) {
				params, given := raw["params"]
				if !given || params != nil {
					return incoming{}, false
				}
				in := read(raw)
				in.kind = aNotification
				return in, true
			}),
		},
		{
			Name: "envelope-extra-members-tolerated", What: "A request with a member that the server does not know is refused.",
			Checks: ids("envelope/extra-members-tolerated"), Collateral: ids("host-*"),
			plant: misread(func(raw object) (incoming, bool) {
				for key := range raw {
					if key != "jsonrpc" && key != "id" && key != "method" && key != "params" && raw["method"] != nil && raw["id"] != nil {
						return refusing(read(raw), "Unknown member")
					}
				}
				return incoming{}, false
			}),
		},
		{
			Name: "envelope-extra-members-tolerated-params", What: "A request whose params have a member that the server does not know is refused.",
			Checks: ids("envelope/extra-members-tolerated"), Collateral: ids("host-*", "input-required/*"),
			plant: misread(func(raw object) (incoming, bool) {
				if raw["method"] != "tools/list" {
					return incoming{}, false
				}
				for key := range asObject(raw["params"]) {
					if key != "cursor" && key != "_meta" {
						return refusing(read(raw), "Unknown member")
					}
				}
				return incoming{}, false
			}),
		},
		{
			Name: "envelope-extra-members-tolerated-meta", What: "A request whose _meta has a key that the server does not know is refused.",
			Checks: ids("envelope/extra-members-tolerated", "meta/unknown-keys-accepted"), Collateral: ids("*"),
			plant: misread(func(raw object) (incoming, bool) {
				for key := range asObject(asObject(raw["params"])["_meta"]) {
					if key != "progressToken" && !strings.HasPrefix(key, "io.modelcontextprotocol/") && raw["id"] != nil {
						return refusing(read(raw), "Unknown key in _meta")
					}
				}
				return incoming{}, false
			}),
		},
	}...)
}

// idless lets through what comes before an answer, and not the answer: there is no id for it.
type idless struct{ outlet }

func (idless) final(any, int) {}

// requestFaults mishandle well-formed requests.
func requestFaults() []Fault {
	unknown := func(x *exchange) bool { _, known := x.srv.methods[x.method]; return !known }
	return []Fault{
		{
			Name: "envelope-unknown-method", What: "An unknown method is never answered.",
			Checks: ids("envelope/unknown-method"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool { return unknown(x) && x.silence() })
			},
		},
		{
			Name: "envelope-unknown-method-served", What: "An unknown method gets an empty result.",
			Checks: ids("envelope/unknown-method"), Collateral: ids("envelope/inherited-method-names", "envelope/removed-methods", "http/status-codes", "opening/*", "tasks/*"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if unknown(x) {
						x.answer(object{}, nil)
					}
					return unknown(x)
				})
			},
		},
		{
			Name: "envelope-unknown-method-code", What: "An unknown method is refused with an internal error.",
			Checks: ids("envelope/unknown-method"), Collateral: ids("envelope/inherited-method-names", "envelope/removed-methods", "http/status-codes", "opening/*", "tasks/*"),
			plant: func(b *behaviour) {
				editFailure(b, codeMethodNotFound, func(_ *exchange, f *failure) { f.code = codeInternal })
			},
		},
		{
			Name: "envelope-inherited-method-names", What: "A method that every JavaScript object has ends in an internal error.",
			Checks: ids("envelope/inherited-method-names"), Collateral: ids("envelope/unknown-method"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					for _, name := range inherited() {
						if x.method == name {
							x.answer(nil, fail(codeInternal, "handler.call is not a function"))
							return true
						}
					}
					return false
				})
			},
		},
		{
			Name: "envelope-error-code-range", What: "An unknown cursor is refused with a code of the reserved range that nobody defined.",
			Checks: ids("envelope/error-code-range"), Collateral: ids("listing/cursor-rejected"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editFailure(b, codeInvalidParams, func(_ *exchange, f *failure) {
					if strings.Contains(f.message, "cursor") {
						f.code = -32055
					}
				})
			},
		},
		{
			Name: "envelope-error-code-range-prompt", What: "An unknown prompt is refused with the retired code -32042.",
			Checks: ids("envelope/error-code-range"), Collateral: ids("prompts/*", "elicitation/required-error", "messages/every-message-valid"), Eras: only(Modern),
			plant: func(b *behaviour) {
				b.prompts.unknown = func(*exchange, string) (object, *failure) { return nil, fail(-32042, "Unknown prompt") }
			},
		},
		{
			Name: "envelope-error-code-range-text", What: "The code of an error is text.",
			Checks: ids("envelope/error-code-range"), Collateral: ids("messages/every-message-valid", "envelope/*", "http/*", "*"),
			plant: func(b *behaviour) {
				b.messages = append(b.messages, func(x *exchange, m object) []object {
					if e := asObject(m["error"]); e != nil && e["code"] == codeMethodNotFound {
						e["code"] = "METHOD_NOT_FOUND"
					}
					return []object{m}
				})
			},
		},
		{
			Name: "tasks-undeclared-ignored", What: "A call with a task member is refused, although the server declares no tasks.",
			Checks: ids("tasks/undeclared-ignored"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method != "tools/call" || x.params["task"] == nil {
						return false
					}
					x.answer(nil, fail(codeInternal, "Server does not support task creation"))
					return true
				})
			},
		},
	}
}
