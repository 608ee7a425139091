package sample

import (
	"errors"
	"time"
)

// questionMoreFaults are lesser deviations of questions, in both eras.
func questionMoreFaults() []Fault {
	legacy, modern := only(Legacy), only(Modern)
	unfit := errors.New("the answer does not fit the form")
	posed := func(era string, edit func(q *question)) func(b *behaviour) {
		return func(b *behaviour) {
			b.asking.pose = func(c *call, q question) question {
				if c.modern == (era == Modern) {
					edit(&q)
				}
				return q
			}
		}
	}
	seen := ids("elicitation/*", "input-required/*", "parity/question-across-eras", "messages/*")
	return append(pageFaults(), []Fault{
		{
			Name: "elicitation-asks-again", What: "An answer that does not fit the form ends the call with an error, and is not asked for again.",
			Checks: ids("elicitation/asks-again"), Collateral: seen, Eras: legacy,
			plant: func(b *behaviour) {
				b.asking.byRequest = func(c *call, q question) (reply, error) {
					answer, err := c.request("elicitation/create", q.params(c.exchange))
					if err != nil || answer.raw["error"] != nil {
						return reply{}, err
					}
					r, fits := judge(c, q, asObject(answer.raw["result"]))
					if !fits {
						return reply{}, unfit
					}
					return r, nil
				}
			},
		},
		{
			Name: "input-required-asks-again", What: "An answer that does not fit the form ends the call with an error, and is not asked for again.",
			Checks: ids("input-required/asks-again"), Collateral: seen, Eras: modern,
			plant: func(b *behaviour) {
				b.asking.inResult = func(c *call, q question) (reply, error) {
					r, err := askInResult(c, q)
					if _, given := asObject(c.params["inputResponses"])[q.key]; given && err != nil {
						return reply{}, unfit
					}
					return r, err
				}
			},
		},
		{
			Name: "elicitation-accept-empty", What: "An accepted answer without content ends the call in an internal error.",
			Checks: ids("elicitation/accept-empty"), Collateral: seen, Eras: legacy,
			plant: breaks(Legacy, func(_ question, answer object) bool { return answer["action"] == "accept" && answer["content"] == nil }),
		},
		{
			Name: "elicitation-required-known", What: "A form requires a field that it does not have.",
			Checks: ids("elicitation/required-known"), Collateral: seen, Eras: legacy,
			plant: posed(Legacy, func(q *question) { q.form["required"] = append(asList(q.form["required"]), "cup") }),
		},
		{
			Name: "elicitation-no-links-in-form", What: "A form carries a web address.",
			Checks: ids("elicitation/no-links-in-form"), Collateral: seen, Eras: legacy,
			plant: posed(Legacy, func(q *question) { q.message += " See https://example.com/tea for help." }),
		},
		{
			Name: "input-required-form-advice", What: "A form asks for a password.",
			Checks: ids("input-required/form-advice"), Collateral: seen, Eras: modern,
			plant: posed(Modern, func(q *question) {
				asObject(q.form["properties"])["password"] = object{"type": "string", "title": "Password"}
			}),
		},
		{
			Name: "elicitation-mode-supported", What: "A client that declares web pages alone gets a form.",
			Checks: ids("elicitation/mode-supported"), Collateral: seen, Eras: legacy,
			plant: func(b *behaviour) {
				b.asking.may = func(x *exchange) bool {
					return mayAsk(x) || !x.modern && x.answerable && x.knows("2025-06-18") && asObject(x.capabilities["elicitation"])["url"] != nil
				}
			},
		},
		{
			Name: "elicitation-related-stream", What: "A question comes on the GET stream, not on the stream of the call that needs it.",
			Checks: ids("elicitation/related-stream"), Collateral: ids("*"), Eras: legacy, Transports: only(HTTP),
			plant: func(b *behaviour) {
				b.asking.send = func(c *call, m object) bool {
					for !c.ses.push(m) {
						if c.pause(20*time.Millisecond) != nil {
							return false
						}
					}
					return true
				}
			},
		},
		{
			Name: "elicitation-unanswered-does-not-block", What: "While a question is open nothing else of the session is served.",
			Checks: ids("elicitation/unanswered-does-not-block"), Collateral: ids("elicitation/*", "concurrency/*", "cancellation/*"), Eras: legacy,
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					for !x.modern && x.ses.asking() {
						if x.pause(20*time.Millisecond) != nil {
							return x.silence()
						}
					}
					return false
				})
			},
		},
		{
			// Over HTTP what other scenarios left open would spoil the first call, which then shows nothing.
			Name: "input-required-unanswered-harmless", What: "A tool whose question nobody came back to fails from then on.",
			Checks: ids("input-required/unanswered-harmless"), Collateral: ids("*"), Eras: modern, Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.asking.inResult = func(c *call, q question) (reply, error) {
					r, err := askInResult(c, q)
					_, retry := c.params["requestState"]
					if !retry && err != nil && c.srv.tally("asked "+c.tool.name) > 1 {
						return reply{}, fail(codeInternal, "A question is open already")
					}
					return r, err
				}
			},
		},
		{
			Name: "input-required-state-without-answers", What: "A state that comes without answers ends in an internal error.",
			Checks: ids("input-required/state-without-answers"), Collateral: seen, Eras: modern,
			plant: func(b *behaviour) {
				b.asking.inResult = func(c *call, q question) (reply, error) {
					_, state := c.params["requestState"]
					if _, answers := c.params["inputResponses"]; state && !answers {
						return reply{}, fail(codeInternal, "Internal error")
					}
					return askInResult(c, q)
				}
			},
		},
	}...)
}

// asking says that the session waits for an answer of the client.
func (ses *session) asking() bool {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	return len(ses.pending) > 0
}

// pageFaults are in questions that send a person to a web page. The right server
// sends nobody; the shape "asks-by-page" does, and these spoil it.
func pageFaults() []Fault {
	spoiled := func(edit func(params object)) func(b *behaviour) {
		return func(b *behaviour) {
			askByPage(b)
			right := b.asking.params
			b.asking.params = func(x *exchange, q question) object {
				p := right(x, q)
				if p["mode"] == "url" {
					edit(p)
				}
				return p
			}
		}
	}
	seen := ids("elicitation/*", "input-required/form-advice", "messages/*")
	return []Fault{
		{
			Name: "elicitation-url-https", What: "The page of a question is served over http.",
			Checks: ids("elicitation/url-https"), Collateral: seen, Eras: only(Legacy),
			plant: spoiled(func(p object) { p["url"] = "http://tea.example.com/strength" }),
		},
		{
			Name: "elicitation-url-no-user-data", What: "The address of a question holds a name and a password.",
			Checks: ids("elicitation/url-no-user-data"), Collateral: seen, Eras: only(Legacy),
			plant: spoiled(func(p object) { p["url"] = "https://ada:secret@example.com/strength?email=ada@example.com" }),
		},
		{
			Name: "elicitation-complete-names-id", What: "The notice that a page is done names a question that nobody asked.",
			Checks: ids("elicitation/complete-names-id"), Collateral: seen, Eras: only(Legacy),
			plant: func(b *behaviour) {
				askByPage(b)
				editNotification(b, "notifications/elicitation/complete", func(_ *exchange, p object) { p["elicitationId"] = "another" })
			},
		},
		{
			Name: "elicitation-required-error", What: "Error -32042 does not list the pages to open.",
			Checks: ids("elicitation/required-error"), Collateral: seen, Eras: only(Legacy),
			plant: func(b *behaviour) {
				demandPage(b)
				editFailure(b, codePageRequired, func(_ *exchange, f *failure) { f.data = object{} })
			},
		},
	}
}
