package sample

import "time"

// sampleModel is what the shape "samples" does and its faults spoil.
type sampleModel struct {
	// may says whether the client is asked, params what it is asked after some
	// messages, rounds how often at most.
	may    func(x *exchange) bool
	params func(x *exchange, messages list) object
	rounds int
	// results answers the tools that the model wants to use.
	results func(uses list) object
	// refused goes on after the client said no.
	refused func() error
}

// rightSampling asks the model of the client for a sentence about a word, and
// lends it a tool where the client can pass tools on.
func rightSampling() sampleModel {
	return sampleModel{
		may: func(x *exchange) bool {
			_, declared := x.capabilities["sampling"].(object)
			return declared && !x.modern && x.answerable
		},
		params: func(x *exchange, messages list) object {
			p := object{"messages": messages, "maxTokens": 60}
			if _, tools := asObject(x.capabilities["sampling"])["tools"].(object); tools && x.knows("2025-11-25") {
				p["tools"] = list{object{
					"name": "count_letters", "description": "Counts the letters of a word.",
					"inputSchema": schemaOf(object{"word": object{"type": "string"}}, "word"),
				}}
			}
			return p
		},
		rounds: 3,
		results: func(uses list) object {
			results := list{}
			for _, use := range uses {
				results = append(results, object{"type": "tool_result", "toolUseId": asObject(use)["id"], "content": list{textBlock("3")}})
			}
			return object{"role": "user", "content": results}
		},
		refused: func() error { return nil },
	}
}

// samples makes word_lookup ask the model of the client, and carry on without it.
func samples(b *behaviour, model sampleModel) {
	lookup := find(b.tools, "word_lookup")
	right := lookup.run
	lookup.slow = true
	lookup.run = func(c *call, args object) (outcome, error) {
		if err := model.converse(c); err != nil {
			return outcome{}, err
		}
		return right(c, args)
	}
}

// converse goes on as long as the model wants to use a tool, within the rounds.
func (model sampleModel) converse(c *call) error {
	messages := list{object{"role": "user", "content": textBlock("Say something kind about this word in one sentence.")}}
	for range model.rounds {
		if !model.may(c.exchange) {
			return nil
		}
		answer, err := c.request("sampling/createMessage", model.params(c.exchange, clone(messages)))
		if err != nil {
			return err
		}
		if answer.raw["error"] != nil {
			return model.refused()
		}
		said := asObject(answer.raw["result"])["content"]
		uses := toolUses(said)
		if len(uses) == 0 {
			return nil
		}
		messages = append(messages, object{"role": "assistant", "content": said}, model.results(uses))
	}
	return nil
}

// toolUses are the blocks of an answer with which a model calls tools.
func toolUses(content any) list {
	blocks := asList(content)
	if one := asObject(content); one != nil {
		blocks = list{one}
	}
	uses := list{}
	for _, b := range blocks {
		if asObject(b)["type"] == "tool_use" {
			uses = append(uses, b)
		}
	}
	return uses
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
			m.params = func(x *exchange, messages list) object {
				p := right(x, messages)
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
				p["toolChoice"] = object{"mode": "auto"}
			}),
		},
		{
			Name: "sampling-tool-results-balanced", What: "A use of a tool is not followed by its result.",
			Checks: ids("sampling/tool-results-balanced"), Collateral: seen,
			plant: with(func(m *sampleModel) {
				m.results = func(list) object { return object{"role": "user", "content": textBlock("And now?")} }
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
					// More than once: a busy client may take its time before it is idle.
					for n := range 4 {
						time.AfterFunc(time.Duration(n+1)*idleAfter, func() {
							id, _ := x.ses.open()
							x.ses.push(object{"jsonrpc": "2.0", "id": id, "method": "sampling/createMessage", "params": rightSampling().params(x, list{object{"role": "user", "content": textBlock("Say something.")}})})
						})
					}
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
					"sentence": object{"method": "sampling/createMessage", "params": rightSampling().params(x, list{object{"role": "user", "content": textBlock("Say something.")}})},
				}}, nil)
				return true
			})
		},
	})
}
