package sample

import "time"

// elicitationFaults are in the questions of the handshake revisions.
func elicitationFaults() []Fault {
	return append(answerFaults(Legacy, "elicitation"), []Fault{
		{
			Name: "elicitation-only-if-declared", What: "A client that did not declare elicitation is asked all the same.",
			Checks: ids("elicitation/only-if-declared"), Collateral: ids("elicitation/*", "parity/texts-across-revisions"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.asking.may = func(x *exchange) bool {
					return mayAsk(x) || !x.modern && x.answerable && x.knows("2025-06-18")
				}
			},
		},
		{
			Name: "roots-only-if-declared", What: "A client that did not declare roots is asked for them when it calls a tool.",
			Checks: ids("roots/only-if-declared"), Collateral: ids("elicitation/only-if-declared", "messages/*", "concurrency/*", "http/*", "host-*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.calls("count_up") && !x.modern {
						id, _ := x.ses.open()
						x.emit(object{"jsonrpc": "2.0", "id": id, "method": "roots/list"})
					}
					return false
				})
			},
		},
		{
			Name: "elicitation-carries-on-without", What: "A call that would ask never ends for a client that shows no forms.",
			Checks: ids("elicitation/carries-on-without"), Collateral: ids("input-examples/usable", "*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.asking.without = func(c *call, q question) (reply, error) {
					if c.modern {
						return carryOn(c, q)
					}
					return reply{}, c.pause(time.Hour)
				}
			},
		},
		{
			Name: "elicitation-carries-on-without-error", What: "A call that would ask ends in an internal error for a client that shows no forms.",
			Checks: ids("elicitation/carries-on-without"), Collateral: ids("input-examples/usable", "*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.asking.without = func(c *call, q question) (reply, error) {
					if c.modern {
						return carryOn(c, q)
					}
					return reply{}, fail(codeInternal, "Client does not support form elicitation")
				}
			},
		},
		{
			Name: "elicitation-form-schema-allowed", What: "A form has a nested object, which no form may have.",
			Checks: ids("elicitation/form-schema-allowed"), Collateral: ids("messages/every-message-valid", "elicitation/form-shape", "parity/question-across-eras"), Eras: only(Legacy),
			plant: legacyForm(func(properties object) {
				properties["cup"] = object{"type": "object", "properties": object{"colour": object{"type": "string"}}}
			}),
		},
		{
			Name: "elicitation-form-schema-allowed-ref", What: "A form refers to a definition, which no form may do.",
			Checks: ids("elicitation/form-schema-allowed"), Collateral: ids("messages/every-message-valid", "elicitation/form-shape", "parity/question-across-eras"), Eras: only(Legacy),
			plant: legacyForm(func(properties object) { properties["cup"] = object{"$ref": "#/$defs/Cup"} }),
		},
		{
			Name: "elicitation-form-shape", What: "A question has no requestedSchema.",
			Checks: ids("elicitation/form-shape"), Collateral: ids("messages/every-message-valid", "elicitation/*", "parity/question-across-eras"), Eras: only(Legacy),
			plant: legacyParams(func(p object) { delete(p, "requestedSchema") }),
		},
		{
			Name: "elicitation-form-shape-message", What: "A question has no message.",
			Checks: ids("elicitation/form-shape"), Collateral: ids("messages/every-message-valid", "parity/question-across-eras"), Eras: only(Legacy),
			plant: legacyParams(func(p object) { delete(p, "message") }),
		},
		{
			Name: "elicitation-no-secrets", What: "A form asks for a password.",
			Checks: ids("elicitation/no-secrets"), Collateral: ids("elicitation/form-schema-allowed", "elicitation/form-shape", "parity/question-across-eras"), Eras: only(Legacy),
			plant: legacyForm(func(properties object) {
				properties["password"] = object{"type": "string", "title": "Password"}
			}),
		},
		{
			Name: "elicitation-url-mode", What: "A client that shows forms only is sent to a web page.",
			Checks: ids("elicitation/url-mode"), Collateral: ids("elicitation/*", "parity/question-across-eras"), Eras: only(Legacy),
			plant: legacyParams(func(p object) {
				delete(p, "requestedSchema")
				p["mode"], p["url"], p["elicitationId"] = "url", "https://example.com/strength", "1"
			}),
		},
		{
			Name: "elicitation-call-cancel-withdraws", What: "The question of a cancelled call is not taken back.",
			Checks: ids("elicitation/call-cancel-withdraws"), Eras: only(Legacy),
			plant: func(b *behaviour) { b.asking.withdraw = func(*call, any, string) {} },
		},
		{
			Name: "elicitation-slow-person", What: "A question is given up after five seconds.",
			Checks: ids("elicitation/slow-person"), Eras: only(Legacy), Patience: 7 * time.Second,
			plant: func(b *behaviour) { b.asking.patience = 5 * time.Second },
		},
		{
			Name: "elicitation-client-error", What: "A client's error in place of an answer becomes an internal error of the call.",
			Checks: ids("elicitation/client-error"), Collateral: ids("elicitation/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.asking.failed = func(*call, question) (reply, error) { return reply{}, fail(codeInternal, "Internal error") }
			},
		},
		{
			Name: "elicitation-late-answer", What: "An answer that no question waits for ends the process.",
			Checks: ids("elicitation/late-answer"), Collateral: ids("elicitation/*"), Eras: only(Legacy), Transports: only(Stdio),
			plant: func(b *behaviour) { b.asking.stray = func(ses *session) { ses.srv.die() } },
		},
	}...)
}

func legacyForm(edit func(properties object)) func(b *behaviour) {
	return func(b *behaviour) {
		b.asking.pose = func(c *call, q question) question {
			if !c.modern {
				edit(asObject(q.form["properties"]))
			}
			return q
		}
	}
}

func legacyParams(edit func(params object)) func(b *behaviour) {
	return func(b *behaviour) {
		b.asking.params = func(x *exchange, q question) object {
			p := q.params(x)
			if !x.modern {
				edit(p)
			}
			return p
		}
	}
}

// answerFaults mishandle what the person answers, in one era. Both eras have the
// same ones under the two scenarios.
func answerFaults(era, scenario string) []Fault {
	// judged lets judge see every answer of the era; it reports whether it took the answer over.
	judged := func(take func(q question, answer object) (r reply, fits, taken bool)) func(b *behaviour) {
		return func(b *behaviour) {
			b.asking.judge = func(c *call, q question, answer object) (reply, bool) {
				if c.modern == (era == Modern) {
					if r, fits, taken := take(q, answer); taken {
						return r, fits
					}
				}
				return judge(c, q, answer)
			}
		}
	}
	action := func(name string, take func(q question) (reply, bool)) func(b *behaviour) {
		return judged(func(q question, answer object) (reply, bool, bool) {
			if answer["action"] != name {
				return reply{}, false, false
			}
			r, fits := take(q)
			return r, fits, true
		})
	}
	consent := func(question) (reply, bool) {
		return reply{asked: true, action: "accept", content: object{"strength": "strong", "budget": num(500)}}, true
	}
	fault := func(name, what, check string, plant func(b *behaviour)) Fault {
		return Fault{
			Name: scenario + "-" + name, What: what, Checks: ids(scenario + "/" + check),
			Collateral: ids(scenario+"/*", "parity/question-across-eras"), Eras: only(era), plant: plant,
		}
	}
	return []Fault{
		fault("accept", "A fitting answer is taken for a refusal.", "accept",
			judged(func(q question, answer object) (reply, bool, bool) {
				r, fits := judge(nil, q, answer)
				if !fits || r.action != "accept" {
					return r, fits, false
				}
				return reply{asked: true, action: "decline"}, true, true
			})),
		fault("decline", "A declined question counts as a yes.", "decline", action("decline", consent)),
		fault("decline-breaks", "A declined question ends the call in an internal error.", "decline", breaksOn(era, "decline")),
		fault("cancel", "A dismissed question counts as a yes.", "cancel", action("cancel", consent)),
		fault("cancel-breaks", "A dismissed question ends the call in an internal error.", "cancel", breaksOn(era, "cancel")),
		fault("print-mode-cancel", "A dismissed question is asked again and again.", printModeCheck(era),
			action("cancel", func(question) (reply, bool) { return reply{}, false })),
		fault("misfit-asked-again", "An answer that does not fit the form is accepted.", "misfit-asked-again",
			judged(func(_ question, answer object) (reply, bool, bool) {
				content := asObject(answer["content"])
				if content == nil {
					content = object{}
				}
				return reply{asked: true, action: "accept", content: content}, true, answer["action"] == "accept"
			})),
		fault("misfit-asked-again-error", "An answer that does not fit the form ends the call in an internal error.", "misfit-asked-again",
			misfitBreaks(era)),
		fault("extra-ignored", "An answer with a key that was not asked for is refused for ever.", "extra-ignored",
			judged(func(q question, answer object) (reply, bool, bool) {
				for key := range asObject(answer["content"]) {
					if asObject(q.form["properties"])[key] == nil {
						return reply{}, false, true
					}
				}
				return reply{}, false, false
			})),
	}
}

// printModeCheck is the check for clients without a person; 2026-07-28 has none of its own.
func printModeCheck(era string) string {
	if era == Modern {
		return "cancel"
	}
	return "print-mode-cancel"
}

// breaksOn ends a call in an internal error when a question gets a certain answer.
func breaksOn(era, action string) func(b *behaviour) {
	return breaks(era, func(_ question, answer object) bool { return answer["action"] == action })
}

func misfitBreaks(era string) func(b *behaviour) {
	return breaks(era, func(q question, answer object) bool {
		_, fits := judge(nil, q, answer)
		return !fits
	})
}

func breaks(era string, when func(q question, answer object) bool) func(b *behaviour) {
	return func(b *behaviour) {
		b.asking.judge = func(c *call, q question, answer object) (reply, bool) {
			if c.modern == (era == Modern) && when(q, answer) {
				panic("a handler that cannot cope with this answer")
			}
			return judge(c, q, answer)
		}
	}
}
