package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

const pageSampling = "client/sampling"

func sampling() Scenario {
	return Scenario{
		ID: "sampling", Title: "Sampling", Waits: true, Needs: NeedsTools,
		Summary: "Calls the tools as a client that offers sampling and roots, refuses, answers, and answers with tool calls without end.",
		Drive:   driveSampling,
		Checks: []Check{
			{
				ID: "sampling/only-if-declared", Claim: "A client that did not declare sampling is not asked for it.", Level: Should,
				Why:    "Most clients offer no sampling: they answer with an error, and the tool fails.",
				Remedy: "Look at the capabilities of initialize before you send sampling/createMessage.",
				Basis:  []string{"client/sampling#capabilities"}, Requirements: []string{"sampling.needs-capability"},
				Judge: judgeSamplingDeclared,
			},
			{
				ID: "sampling/tools-need-capability", Claim: "tools and toolChoice go only to clients that declared sampling.tools.", Level: Must,
				Why:    "A client without tool use in sampling refuses the request.",
				Remedy: "Leave both out unless sampling.tools was declared.",
				Basis:  []string{"client/sampling#tools-in-sampling"}, Requirements: []string{"sampling.tools-need-capability"},
				Judge: judgeSamplingTools,
			},
			{
				ID: "sampling/include-context", Claim: "includeContext is none, or left out, where sampling.context was not declared.", Level: Should,
				Why:    "Clients without it ignore the wish, or refuse the request.",
				Remedy: "Leave includeContext out unless sampling.context was declared.",
				Basis:  []string{"client/sampling#capabilities"}, Requirements: []string{"sampling.include-context"},
				Judge: judgeIncludeContext,
			},
			{
				ID: "sampling/tool-results-balanced", Claim: "Each tool_use is followed by its tool_result, alone in one user message.", Level: Must,
				Why:    "Model APIs refuse a conversation in which a tool call has no result, or in which results are mixed with other content.",
				Remedy: "Answer every tool_use of a message in the next user message, and put nothing else there.",
				Basis:  []string{"client/sampling#tool-use-and-result-balance"}, Requirements: []string{"sampling.tool-results-alone", "sampling.tool-use-balanced"},
				Judge: judgeBalanced,
			},
			{
				ID: "sampling/iteration-limit", Claim: "A loop of tool calls in sampling has a limit.", Level: Should,
				Why:    "Each round costs the person money. A model that always calls a tool would never stop.",
				Remedy: "Count the rounds; end with toolChoice none or an error.",
				Basis:  []string{"client/sampling#security-considerations"}, Requirements: []string{"sampling.iteration-limit"},
				Judge: judgeIterationLimit,
			},
			{
				ID: "sampling/refusal-handled", Claim: "A refusal of the client leads to a proper answer of the call.", Level: Note,
				Why:    "People refuse sampling. The call should say so instead of breaking.",
				Remedy: "Catch the error and answer with isError and a sentence.",
				Basis:  []string{"client/sampling#error-handling"}, Requirements: []string{"sampling.rejection-handled"},
				Judge: judgeSamplingRefused,
			},
			{
				ID: "sampling/idle-connection", Claim: "A connection on which the client asks nothing gets no sampling request.", Level: Should,
				Why:    "Nobody at the client knows what the request is for, or who pays for it.",
				Remedy: "Sample only while you answer a request of the client.",
				Basis:  []string{"basic/transports#sending-messages-to-the-server"}, Requirements: []string{"sampling.related-to-request"},
				Judge: judgeIdle,
			},
			{
				ID: "sampling/deprecated", Claim: "Sampling, roots and logging are not used under 2026-07-28, which lets them go.", Level: Note,
				Why:    "Clients drop these features over the next years.",
				Remedy: "Take inputs as arguments, ask by forms, and log to stderr or OpenTelemetry.",
				Basis:  []string{pageSampling}, Requirements: []string{"sampling.deprecated", "roots.deprecated", "logging.deprecated"},
				Judge: judgeDeprecated,
			},
		},
	}
}

// maxLoop is how many rounds of tool calls a server may go on for.
const maxLoop = 50

// idleFor is how long a fresh session is left alone.
const idleFor = 500 * time.Millisecond

func driveSampling(ctx context.Context, d *Drive) error {
	if len(d.Facts.CallableTools()) == 0 {
		return nil
	}
	calls := validCalls(d.Facts, "call:", 1)
	if d.Facts.Modern() {
		return sampleModern(ctx, d, calls)
	}
	v, err := d.Fresh(ctx, fakes.Want{Capabilities: json.RawMessage(`{"sampling":{},"roots":{}}`), Purpose: "sampling, a client that refuses", NoLists: true, Person: legacyPerson(refusing)})
	if err != nil {
		return err
	}
	v.Note("idle", "begin", "nothing is asked for a while")
	pause(ctx, idleFor)
	v.Note("idle-over", "end", "calls begin")
	v.callAll(ctx, calls)
	if !sampled(v.Tape().Events()) {
		return nil
	}
	for _, c := range calls {
		from := len(v.Tape().Events())
		c.label = "refused:" + strings.TrimPrefix(c.label, "call:")
		v.callAll(ctx, []toolCall{c})
		if sampled(v.Tape().Events()[from:]) {
			return sampleLoop(ctx, d, c)
		}
	}
	return nil
}

// refusing is a person who grants nothing.
func refusing(_ int, method string, _ gjson.Result) spoken {
	if method == "sampling/createMessage" {
		return clientError(-1, "User rejected sampling request")
	}
	return clientError(-32601, "Method not found")
}

func sampled(events []wire.Event) bool {
	return slices.ContainsFunc(events, func(ev wire.Event) bool {
		m := ev.Message()
		return ev.Kind == wire.Recv && m.IsRequest() && m.Method == "sampling/createMessage"
	})
}

// looping is a model that calls two tools whenever it may.
func looping(round int, method string, params gjson.Result) spoken {
	if method != "sampling/createMessage" {
		return fit(0, method, params)
	}
	var uses []string
	tools := params.Get("tools").Array()
	for i := range 2 {
		if len(tools) > 0 {
			uses = append(uses, fmt.Sprintf(`{"type":"tool_use","id":"conform-%d-%d","name":%s,"input":{}}`, round, i+1, quoted(tools[min(i, len(tools)-1)].Get("name").Str)))
		}
	}
	if len(uses) == 0 {
		return fit(0, method, params)
	}
	return spoken{result: json.RawMessage(`{"role":"assistant","model":"conform","stopReason":"toolUse","content":[` + strings.Join(uses, ",") + `]}`)}
}

// sampleLoop lets the sampling tool meet a model that calls tools without end.
func sampleLoop(ctx context.Context, d *Drive, c toolCall) error {
	v, err := d.Fresh(ctx, fakes.Want{Capabilities: json.RawMessage(`{"sampling":{"tools":{},"context":{}}}`), Purpose: "sampling, a model that calls tools without end", NoLists: true})
	if err != nil {
		return err
	}
	var mu sync.Mutex
	round, over := 0, make(chan struct{})
	v.SetPerson(func(method string, params gjson.Result, _ string) (result, fault json.RawMessage) {
		mu.Lock()
		round++
		n := round
		mu.Unlock()
		if n == maxLoop+1 {
			close(over)
		}
		if n > maxLoop {
			return nil, nil
		}
		s := looping(n, method, params)
		return s.result, s.fault
	})
	p := v.Call(ctx, "loop", c.tool, c.args)
	done := make(chan error, 1)
	go func() { done <- p.Wait(ctx) }()
	select {
	case <-done:
	case <-over:
		p.Abandon("rounds", fmt.Sprintf("the client gave up after %d rounds of tool calls", maxLoop))
		v.cancel(ctx, "clean-up", p.ID)
	}
	return nil
}

// sampleModern calls as a client that offers sampling and roots; those that ask
// for sampling meet a model that calls tools without end.
func sampleModern(ctx context.Context, d *Drive, calls []toolCall) error {
	v := d.Shared(ctx)
	declared := json.RawMessage(`{"sampling":{},"roots":{}}`)
	var asks []fakes.Ask
	for _, c := range calls {
		asks = append(asks, fakes.Ask{Label: c.label, Method: "tools/call", Params: fakes.Call(c.tool, c.args), Capabilities: declared, Limit: 2 * patience})
	}
	all, cancel := v.patient(ctx)
	defer cancel()
	v.Each(all, asks)
	for _, c := range calls {
		if !strings.Contains(answerResult(v.Answer(c.label)).Get("inputRequests").Raw, `"sampling/createMessage"`) {
			continue
		}
		asking{tool: d.Facts.Tool(c.tool)}.holdModern(ctx, v, "loop", c.args, json.RawMessage(`{"sampling":{"tools":{},"context":{}}}`), looping)
		break
	}
	return nil
}
