package sample

import "time"

// sampleModel is what the shape "samples" does and its faults spoil.
type sampleModel struct {
	// may says whether the client is asked, params what it is asked, rounds how often.
	may    func(x *exchange) bool
	params func(x *exchange, round int) object
	rounds int
	// refused goes on after the client said no.
	refused func() error
}

// rightSampling asks the model of the client once for a sentence about a word.
func rightSampling() sampleModel {
	return sampleModel{
		may: func(x *exchange) bool {
			_, declared := x.capabilities["sampling"].(object)
			return declared && !x.modern && x.answerable
		},
		params: func(*exchange, int) object {
			return object{
				"messages":  list{object{"role": "user", "content": textBlock("Say something kind about this word in one sentence.")}},
				"maxTokens": 60,
			}
		},
		rounds:  1,
		refused: func() error { return nil },
	}
}

// samples makes word_lookup ask the model of the client, and carry on without it.
func samples(b *behaviour, model sampleModel) {
	lookup := find(b.tools, "word_lookup")
	right := lookup.run
	lookup.slow = true
	lookup.run = func(c *call, args object) (outcome, error) {
		for round := range model.rounds {
			if !model.may(c.exchange) {
				break
			}
			answer, err := c.request("sampling/createMessage", model.params(c.exchange, round))
			if err != nil {
				return outcome{}, err
			}
			if answer.raw["error"] != nil {
				if err := model.refused(); err != nil {
					return outcome{}, err
				}
				break
			}
		}
		return right(c, args)
	}
}

// idleAfter is when a fault finds that nothing goes on.
const idleAfter = 100 * time.Millisecond

// samplingFaults spoil one thing each of the shape "samples".
func samplingFaults() []Fault {
	with := func(edit func(m *sampleModel)) func(b *behaviour) {
		return func(b *behaviour) {
			m := rightSampling()
			edit(&m)
			samples(b, m)
		}
	}
	adding := func(add func(x *exchange, p object)) func(b *behaviour) {
		return with(func(m *sampleModel) {
			right := m.params
			m.params = func(x *exchange, round int) object {
				p := right(x, round)
				add(x, p)
				return p
			}
		})
	}
	seen := ids("sampling/*", "messages/*", "input-examples/usable", "clients/*", "*")
	faults := []Fault{
		{
			Name: "sampling-only-if-declared", What: "A client that did not declare sampling is asked for it.",
			Checks: ids("sampling/only-if-declared"), Collateral: seen,
			plant: with(func(m *sampleModel) { m.may = func(x *exchange) bool { return !x.modern && x.answerable } }),
		},
		{
			Name: "sampling-include-context", What: "The context of all servers is asked for, though the client did not declare that.",
			Checks: ids("sampling/include-context"), Collateral: seen,
			plant: adding(func(_ *exchange, p object) { p["includeContext"] = "allServers" }),
		},
		{
			Name: "sampling-tools-need-capability", What: "The model is given tools, though the client did not declare that.",
			Checks: ids("sampling/tools-need-capability"), Collateral: seen,
			plant: adding(func(_ *exchange, p object) {
				p["tools"] = list{object{"name": "look", "inputSchema": object{"type": "object"}}}
			}),
		},
		{
			Name: "sampling-tool-results-balanced", What: "A use of a tool is not followed by its result.",
			Checks: ids("sampling/tool-results-balanced"), Collateral: seen,
			plant: adding(func(_ *exchange, p object) {
				p["messages"] = append(asList(p["messages"]),
					object{"role": "assistant", "content": list{object{"type": "tool_use", "id": "1", "name": "look", "input": object{}}}},
					object{"role": "user", "content": textBlock("And now?")})
			}),
		},
		{
			Name: "sampling-refusal-handled", What: "A refusal of the client becomes an internal error of the call.",
			Checks: ids("sampling/refusal-handled"), Collateral: seen,
			plant: with(func(m *sampleModel) { m.refused = func() error { return fail(codeInternal, "Internal error") } }),
		},
		{
			Name: "sampling-iteration-limit", What: "The model is asked two hundred times in one call.",
			Checks: ids("sampling/iteration-limit"), Collateral: seen,
			plant: with(func(m *sampleModel) { m.rounds = 200 }),
		},
		{
			Name: "sampling-idle-connection", What: "The model is asked when the client asks nothing.",
			Checks: ids("sampling/idle-connection"), Collateral: seen, Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.afterwards = append(b.afterwards, func(x *exchange) {
					if _, declared := asObject(x.params["capabilities"])["sampling"]; !declared || x.method != "initialize" {
						return
					}
					time.AfterFunc(idleAfter, func() {
						id, _ := x.ses.open()
						x.ses.push(object{"jsonrpc": "2.0", "id": id, "method": "sampling/createMessage", "params": rightSampling().params(x, 0)})
					})
				})
			},
		},
	}
	for i := range faults {
		faults[i].Eras = only(Legacy)
	}
	return append(faults, Fault{
		Name: "sampling-deprecated", What: "2026-07-28 is asked for sampling, which it lets go.",
		Checks: ids("sampling/deprecated"), Collateral: ids("input-required/*", "sampling/*", "*"), Eras: only(Modern),
		plant: func(b *behaviour) {
			takeOver(b, func(x *exchange) bool {
				declared := asObject(asObject(x.params["_meta"])[keyCapabilities])
				if declared["sampling"] == nil || !x.calls("word_lookup") || x.params["inputResponses"] != nil {
					return false
				}
				x.answer(object{"resultType": "input_required", "requestState": "one", "inputRequests": object{
					"sentence": object{"method": "sampling/createMessage", "params": rightSampling().params(x, 0)},
				}}, nil)
				return true
			})
		},
	})
}
