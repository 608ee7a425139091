package sample

import (
	"encoding/json"
	"slices"
	"strings"
)

// loggingMoreFaults are lesser deviations of logging.
func loggingMoreFaults() []Fault {
	return []Fault{
		{
			Name: "logging-level-refused-modern", What: "A request that names a log level that does not exist is served.",
			Checks: ids("logging/level-refused"), Eras: only(Modern),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					meta := asObject(x.params["_meta"])
					if level, given := meta[keyLevel]; given && !slices.Contains(logLevels(), asString(level)) {
						delete(meta, keyLevel)
					}
					return false
				})
			},
		},
		{
			Name: "logging-own-stream", What: "Log messages go to the subscriptions that are open, not to the stream of the call.",
			Checks: ids("logging/own-stream"), Collateral: ids("logging/*", "subscriptions/*", "http/*"), Eras: only(Modern), Transports: only(HTTP),
			plant: func(b *behaviour) {
				b.messages = append(b.messages, func(x *exchange, m object) []object {
					if x == nil || !x.modern || x.method != "tools/call" || m["method"] != "notifications/message" {
						return []object{m}
					}
					x.srv.tellAll("notifications/message", asObject(m["params"]))
					return nil
				})
			},
		},
		{
			Name: "logging-rate", What: "A call writes two hundred log messages.",
			Checks: ids("logging/rate"), Collateral: ids("logging/*", "tools/flood"),
			plant: func(b *behaviour) {
				b.messages = append(b.messages, func(_ *exchange, m object) []object {
					if m["method"] != "notifications/message" {
						return []object{m}
					}
					return slices.Repeat([]object{m}, 200)
				})
			},
		},
		{
			Name: "logging-undeclared", What: "logging/setLevel is served, although logging is not declared.",
			Checks: ids("logging/undeclared"), Collateral: ids("envelope/undeclared-feature", "opening/capabilities-honest"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				editResult(b, "initialize", func(_ *exchange, r object) { delete(asObject(r["capabilities"]), "logging") })
			},
		},
	}
}

// promptMoreFaults are lesser deviations of prompts and completions.
func promptMoreFaults() []Fault {
	return []Fault{
		{
			Name: "prompts-input-sanitized", What: "An argument with the word Assistant: begins a message of its own.",
			Checks: ids("prompts/input-sanitized"), Collateral: ids("prompts/*"),
			plant: func(b *behaviour) {
				editResult(b, "prompts/get", func(x *exchange, r object) {
					for _, v := range asObject(x.params["arguments"]) {
						if _, said, found := strings.Cut(asString(v), "Assistant:"); found {
							r["messages"] = append(asList(r["messages"]), object{"role": "assistant", "content": textBlock(strings.TrimSpace(said))})
						}
					}
				})
			},
		},
		{
			Name: "prompts-odd-arguments", What: "An argument that is no text ends in an internal error.",
			Checks: ids("prompts/odd-arguments"), Collateral: ids("prompts/*"),
			plant: func(b *behaviour) {
				b.prompts.validate = func(p *prompt, args object) *failure {
					for _, v := range args {
						if _, isText := v.(string); !isText {
							return fail(codeInternal, "Internal error")
						}
					}
					return validatePrompt(p, args)
				}
			},
		},
		{
			Name: "completion-context-accepted", What: "A completion that tells what was filled in before is refused.",
			Checks: ids("completion/context-accepted"), Collateral: ids("completion/*"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method != "completion/complete" || x.params["context"] == nil {
						return false
					}
					x.answer(nil, fail(codeInvalidParams, "Unknown member context"))
					return true
				})
			},
		},
		{
			Name: "completion-odd-input", What: "A completion whose value is a number ends the process.",
			Checks: ids("completion/odd-input"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				diesWhen(b, func(x *exchange) bool {
					_, number := asObject(x.params["argument"])["value"].(json.Number)
					return x.method == "completion/complete" && number
				})
			},
		},
		{
			Name: "completion-relevance", What: "Values that do not begin with what was typed come first.",
			Checks: ids("completion/relevance"),
			plant: func(b *behaviour) {
				editResult(b, "completion/complete", func(_ *exchange, r object) {
					c := asObject(r["completion"])
					c["values"] = append(list{"zebra"}, asList(c["values"])...)
					c["total"] = len(asList(c["values"]))
				})
			},
		},
		{
			Name: "output-schema-structured-carries-text", What: "The details leave out most of what the text says.",
			Checks: ids("output-schema/structured-carries-text"), Collateral: ids("host-*", "clients/*"),
			plant: func(b *behaviour) {
				editCall(b, "parcel_price", func(_ *exchange, r object) {
					firstText(r)["text"] = asString(firstText(r)["text"]) + strings.Repeat(" It may hold no liquids, no batteries and no plants, has to be closed with tape, and is to be handed in before 16:00 at counter 7.", 3)
				})
			},
		},
	}
}

// subscriptionMoreFaults are lesser deviations of subscriptions and change notices.
func subscriptionMoreFaults() []Fault {
	return []Fault{
		{
			Name: "subscriptions-changes-announced", What: "Each count adds a tool to the list, and nobody is told.",
			Checks: ids("subscriptions/changes-announced"), Collateral: ids("listing/*", "opening/*", "parity/*", "subscriptions/*", "host-*", "clients/*"),
			plant: func(b *behaviour) {
				b.afterwards = append(b.afterwards, func(x *exchange) {
					if x.calls("count_up") {
						x.srv.tally("counts")
					}
				})
				b.listing.tools = append(b.listing.tools, func(x *exchange, entries list) list {
					for _, t := range manyTools(x.srv.count("counts") % 50) {
						entries = append(entries, t.listed())
					}
					return entries
				})
			},
		},
		{
			Name: "subscriptions-undeclared-changes", What: "Changes of the tool list are told, although listChanged is not declared.",
			Checks: ids("subscriptions/undeclared-changes"), Collateral: ids("subscriptions/*", "framing/notifications-belong", "http/*"), Eras: only(Legacy), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.capabilities = func(x *exchange) object {
					c := rightCapabilities(x)
					c["tools"] = object{}
					return c
				}
				b.afterwards = append(b.afterwards, func(x *exchange) {
					if x.calls("count_up") && !x.modern {
						x.ses.push(object{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
					}
				})
			},
		},
		{
			Name: "subscriptions-concurrent", What: "A second subscription ends the first.",
			Checks: ids("subscriptions/concurrent"), Collateral: ids("subscriptions/*", "host-*"), Eras: only(Modern), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.subscriptions.acknowledge = func(sub *subscription) {
					sub.x.srv.endSubscriptions(nil)
					acknowledge(sub)
				}
			},
		},
		{
			Name: "subscriptions-empty-filter", What: "A subscription to nothing is refused.",
			Checks: ids("subscriptions/empty-filter"), Collateral: ids("subscriptions/*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					filter := asObject(x.params["notifications"])
					if x.method != "subscriptions/listen" || filter == nil || len(filter) > 0 {
						return false
					}
					x.answer(nil, fail(codeInvalidParams, "Subscribe to something"))
					return true
				})
			},
		},
		{
			Name: "subscriptions-graceful-end", What: "A server that ends tells its subscriptions nothing.",
			Checks: ids("subscriptions/graceful-end"), Collateral: ids("subscriptions/*"), Eras: only(Modern), Transports: only(Stdio),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method != "subscriptions/listen" {
						return false
					}
					result, f := x.handle()
					if f != nil {
						x.answer(nil, f)
					} else if !x.ses.isClosed() {
						x.answer(result, nil)
					}
					return true
				})
			},
		},
		{
			Name: "subscriptions-no-state-after-reconnect", What: "Counting tells of its update on the stream of the call, whoever subscribed.",
			Checks: ids("subscriptions/no-state-after-reconnect"), Collateral: ids("subscriptions/*", "resources/*", "http/*"), Eras: only(Modern), Transports: only(HTTP),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.modern && x.calls("count_up") {
						x.emit(object{"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": object{"uri": counterURI}})
					}
					return false
				})
			},
		},
		{
			Name: "subscriptions-untagged-elsewhere", What: "Progress of an ordinary call carries a subscription id.",
			Checks: ids("subscriptions/untagged-elsewhere"), Shows: ids("progress"), Collateral: ids("subscriptions/*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editNotification(b, "notifications/progress", func(x *exchange, p object) {
					p["_meta"] = object{keySubscription: x.id}
				})
			},
		},
	}
}

// askRoots asks a client that declares roots for them before a text is repeated,
// and goes on whatever it answers.
func askRoots(b *behaviour) {
	echo := find(b.tools, "text_echo")
	right := echo.run
	echo.slow = true
	echo.run = func(c *call, args object) (outcome, error) {
		if _, declared := c.capabilities["roots"].(object); declared && !c.modern && c.answerable {
			answer, err := c.request("roots/list", nil)
			if err != nil {
				return outcome{}, err
			}
			if answer.raw["error"] != nil && b.asking.rootsFailed != nil {
				return outcome{}, b.asking.rootsFailed
			}
		}
		return right(c, args)
	}
}

// rootsFaults are in questions for roots; the shape "asks-roots" asks for them.
func rootsFaults() []Fault {
	return []Fault{
		{
			Name: "roots-change-survived", What: "notifications/roots/list_changed ends the process.",
			Checks: ids("roots/change-survived"), Collateral: ids("envelope/*", "host-*", "clients/*"), Eras: only(Legacy), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.envelope.noted = func(ses *session, in incoming, out outlet) {
					if in.method == "notifications/roots/list_changed" {
						ses.srv.die()
					}
					noted(ses, in, out)
				}
			},
		},
		{
			Name: "roots-error-handled", What: "A client's error in answer to roots/list becomes an internal error of the call.",
			Checks: ids("roots/error-handled"), Shows: ids("sampling"), Collateral: ids("roots/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.asking.rootsFailed = fail(codeInternal, "Internal error")
				askRoots(b)
			},
		},
	}
}
