package sample

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"sync"
)

// inputRequiredFaults are in the questions of 2026-07-28.
func inputRequiredFaults() []Fault {
	seen := ids("messages/every-message-valid", "input-required/*", "parity/question-across-eras", "clients/*", "host-*")
	shape := func(edit func(r object)) func(b *behaviour) {
		return func(b *behaviour) {
			editResult(b, "tools/call", func(_ *exchange, r object) {
				if r["inputRequests"] != nil {
					edit(r)
				}
			})
		}
	}
	same := func(same func(have, want claim) bool) func(b *behaviour) {
		return func(b *behaviour) { b.asking.sameCall = same }
	}
	faults := append(answerFaults(Modern, "input-required"), stateFaults()...)
	for _, f := range []Fault{
		{
			Name: "input-required-shape", What: "A result that asks has no resultType.",
			Checks: ids("input-required/shape"), Collateral: seen,
			plant: shape(func(r object) { delete(r, "resultType") }),
		},
		{
			Name: "input-required-shape-empty", What: "A result that asks has neither questions nor state.",
			Checks: ids("input-required/shape"), Collateral: seen,
			plant: shape(func(r object) {
				r["inputRequests"] = object{}
				delete(r, "requestState")
			}),
		},
		{
			Name: "input-required-shape-kind", What: "A result asks for a thing that the protocol does not have.",
			Checks: ids("input-required/shape"), Collateral: seen,
			plant: shape(func(r object) {
				for _, ask := range asObject(r["inputRequests"]) {
					asObject(ask)["method"] = "form/show"
				}
			}),
		},
		{
			Name: "input-required-shape-form", What: "The form of a result that asks has a nested object.",
			Checks: ids("input-required/shape"), Collateral: seen,
			plant: shape(func(r object) {
				for _, ask := range asObject(r["inputRequests"]) {
					form := asObject(asObject(asObject(ask)["params"])["requestedSchema"])
					asObject(form["properties"])["cup"] = object{"type": "object", "properties": object{}}
				}
			}),
		},
		{
			Name: "input-required-shape-hints", What: "A result that asks has caching hints.",
			Checks: ids("input-required/shape"), Collateral: append(ids("messages/strict-shapes"), seen...),
			plant: shape(func(r object) { r["ttlMs"], r["cacheScope"] = 0, "private" }),
		},
		{
			Name: "input-required-shape-state", What: "requestState is an object.",
			Checks: ids("input-required/shape"), Collateral: seen,
			plant: shape(func(r object) { r["requestState"] = object{"state": r["requestState"]} }),
		},
		{
			Name: "input-required-only-if-declared", What: "A client that did not declare elicitation is asked all the same.",
			Checks: ids("input-required/only-if-declared"), Collateral: append(ids("meta/missing-capability-error"), seen...),
			plant: func(b *behaviour) { b.asking.may = func(x *exchange) bool { return mayAsk(x) || x.modern } },
		},
		{
			Name: "input-required-only-if-declared-remembered", What: "What one call declared counts for the next call of the tool on the line.",
			Checks: ids("input-required/only-if-declared", "meta/capabilities-not-remembered"), Collateral: append(ids("meta/*"), seen...), Transports: only(Stdio),
			plant: func(b *behaviour) {
				var mu sync.Mutex
				declared := map[string]bool{} // by line and tool
				b.asking.may = func(x *exchange) bool {
					mu.Lock()
					defer mu.Unlock()
					which := string(num(x.ses.number)) + " " + asString(x.params["name"])
					before := declared[which]
					declared[which] = x.modern && mayAsk(x)
					return mayAsk(x) || x.modern && before
				}
			},
		},
		{
			Name: "input-required-missing-asked-again", What: "A retry without the answer ends in an error.",
			Checks: ids("input-required/missing-asked-again"), Collateral: seen,
			plant: func(b *behaviour) {
				b.asking.inResult = func(c *call, q question) (reply, error) {
					_, again := c.params["requestState"]
					if _, given := asObject(c.params["inputResponses"])[q.key]; again && !given {
						return reply{}, fail(codeInvalidParams, "The answer is missing")
					}
					return askInResult(c, q)
				}
			},
		},
		{
			Name: "input-required-extra-answers", What: "A retry with an answer that was not asked for ends in an error.",
			Checks: ids("input-required/extra-ignored"), Collateral: seen,
			plant: func(b *behaviour) {
				b.asking.inResult = func(c *call, q question) (reply, error) {
					for key := range asObject(c.params["inputResponses"]) {
						if key != q.key {
							return reply{}, fail(codeInvalidParams, "Unknown answer")
						}
					}
					return askInResult(c, q)
				}
			},
		},
		{
			Name: "input-required-wrong-container", What: "A retry whose answers are a list is never answered.",
			Checks: ids("input-required/wrong-container"), Collateral: seen,
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					_, wrong := x.params["inputResponses"].(list)
					return wrong && x.silence()
				})
			},
		},
		{
			Name: "input-required-changed-question", What: "An answer to one question counts for another of the same tool.",
			Checks: ids("input-required/changed-question"), Collateral: ids("input-required/tampered-state"),
			plant: same(func(have, want claim) bool { return have.Tool == want.Tool }),
		},
		{
			Name: "input-required-state-of-other-tool", What: "A state of one tool counts for another.",
			Checks: ids("input-required/state-of-other-tool"), Collateral: ids("input-required/tampered-state"),
			plant: same(func(have, want claim) bool { return have.Tool != want.Tool || sameCall(have, want) }),
		},
		{
			Name: "input-required-replay-noted", What: "A state that is used again ends in an internal error.",
			Checks: ids("input-required/replay-noted"), Collateral: append(ids("concurrency/no-affinity"), seen...),
			plant: func(b *behaviour) {
				b.asking.inResult = func(c *call, q question) (reply, error) {
					r, err := askInResult(c, q)
					if err == nil && c.srv.tally(asString(c.params["requestState"])) > 1 {
						return reply{}, fail(codeInternal, "Internal error")
					}
					return r, err
				}
			},
		},
		{
			Name: "input-required-ends", What: "The same question comes back whatever is answered.",
			Checks: ids("input-required/ends"), Collateral: seen,
			plant: func(b *behaviour) {
				b.asking.inResult = func(c *call, q question) (reply, error) {
					return reply{}, &needInput{result: inputRequired(c, q, c.claim(q))}
				}
			},
		},
	} {
		f.Eras = only(Modern)
		faults = append(faults, f)
	}
	return faults
}

// stateFaults trust what the client sends back.
func stateFaults() []Fault {
	return []Fault{
		{
			Name: "input-required-tampered-state", What: "The state is not signed, and what it says decides the answer.",
			Checks: ids("input-required/tampered-state"), Collateral: ids("input-required/*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				b.asking.required = func(c *call, q question, want claim) object {
					r := inputRequired(c, q, want)
					raw, err := json.Marshal(map[string]any{"time": c.args["time"], "tool": want.Tool, "question": want.Question, "args": want.Args})
					if err == nil {
						r["requestState"] = base64.RawURLEncoding.EncodeToString(raw)
					}
					return r
				}
				tea := find(b.tools, "tea_advice")
				rightRun := tea.run
				tea.run = func(c *call, args object) (outcome, error) {
					answer := asObject(asObject(c.params["inputResponses"])["strength"])
					state := openState(asString(c.params["requestState"]))
					if !c.modern || !mayAsk(c.exchange) || answer["action"] != "accept" || state == nil || state["args"] != digest(args) {
						return rightRun(c, args)
					}
					strength := asString(asObject(answer["content"])["strength"])
					if strength != "mild" && strength != "strong" {
						return rightRun(c, args)
					}
					return said(fmt.Sprintf("At %v, %s: %s.", state["time"], strength, teaFor(asString(state["time"]), strength))), nil
				}
			},
		},
		{
			Name: "input-required-hostile-state", What: "A state that is not the server's own ends the process.",
			Checks: ids("input-required/hostile-state"), Collateral: ids("input-required/*"), Eras: only(Modern), Transports: only(Stdio),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					state, given := x.params["requestState"].(string)
					if _, ours := x.srv.unseal(state); !given || ours {
						return false
					}
					x.srv.die()
					return x.silence()
				})
			},
		},
		{
			Name: "input-required-only-for-three", What: "tools/list answers with a question, which only three methods may.",
			Checks: ids("input-required/only-for-three"), Collateral: ids("*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editResult(b, "tools/list", func(x *exchange, r object) {
					if x.modern && mayAsk(x) {
						clear(r)
						r["resultType"], r["requestState"] = "input_required", "again"
						r["_meta"] = object{keyServerInfo: x.srv.info()}
					}
				})
			},
		},
	}
}

func openState(state string) object {
	raw, err := base64.RawURLEncoding.DecodeString(state)
	if err != nil {
		return nil
	}
	v, err := decode(raw)
	if err != nil {
		return nil
	}
	return asObject(v)
}
