package scenarios

import (
	"context"
	"slices"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

func rootsList() Scenario {
	return Scenario{
		ID: "roots", Title: "Roots", Era: LegacyEra,
		Summary: "Says that roots changed, and looks at how the server asks for roots and what it makes of a client that has none.",
		Drive:   driveRoots,
		Checks: []Check{
			{
				ID: "roots/only-if-declared", Claim: "A client that did not declare roots is not asked for them.", Level: Should,
				Why:    "Clients without roots answer with an error, and servers that wait for roots before they serve look dead.",
				Remedy: "Look at the capabilities of initialize before you send roots/list.",
				Basis:  []string{"client/roots#implementation-guidelines"}, Requirements: []string{"roots.needs-capability"},
				Judge: judgeRootsDeclared,
			},
			{
				ID: "roots/error-handled", Claim: "An error in answer to roots/list leads to a proper answer of the call.", Level: Note,
				Why:    "Clients declare roots and then have none to give.",
				Remedy: "Go on without roots when the client answers with an error.",
				Basis:  []string{"client/roots#error-handling"}, Requirements: []string{"roots.error-handled"},
				Judge: judgeRootsError,
			},
			{
				ID: "roots/change-survived", Claim: "notifications/roots/list_changed does no harm.", Level: Note,
				Why:    "Clients send it whenever a folder is opened, to every server they have.",
				Remedy: "Ignore the notification, or ask for the roots again where they were declared.",
				Basis:  []string{"client/roots"}, Requirements: []string{"roots.change-survived"},
				Judge: judgeRootsChange,
			},
		},
	}
}

func driveRoots(ctx context.Context, d *Drive) error {
	v, err := d.Fresh(ctx, fakes.Want{NoLists: true, NoStream: true, Purpose: "roots that changed"})
	if v == nil || err != nil {
		return err
	}
	defer v.Done()
	_ = v.Notify(ctx, fakes.Ask{Label: "changed", Method: "notifications/roots/list_changed", Limit: 2 * v.Limits.Quiet})
	v.alive(ctx, "alive:changed")
	asked := func(ev wire.Event) bool { return ev.Kind == wire.Recv && ev.Message().Method == "roots/list" }
	if slices.ContainsFunc(v.Tape().Events(), asked) {
		// What the server says to the answer is heard as well.
		pause(ctx, v.Limits.Quiet/20)
		v.alive(ctx, "alive:answered")
	}
	return nil
}

func (e *Evidence) rootsRequests() []toClient {
	var out []toClient
	for _, q := range e.requestsToClient() {
		if q.message.Method == "roots/list" {
			out = append(out, q)
		}
	}
	return out
}

func judgeRootsDeclared(e *Evidence) Ruling {
	if f := e.undeclared("roots/list"); len(f) > 0 {
		return Broken(f...)
	}
	if len(e.rootsRequests()) == 0 {
		return NotApplicable("the server asked nobody for roots")
	}
	return Passed("roots were asked for from clients that declared them, or told of a change of theirs")
}

// judgeRootsError looks at the calls during which the server asked for roots
// and got an error. Only a call that ran alone is known to need them.
func judgeRootsError(e *Evidence) Ruling {
	var r Ruling
	for _, q := range e.rootsRequests() {
		answered := -1
		events := q.tape.Events()
		for i := q.at; i < len(events); i++ {
			if m := events[i].Message(); events[i].Kind == wire.Send && m.HasError && m.ID == q.message.ID {
				answered = i
				break
			}
		}
		if answered < 0 || q.rootsChanged() {
			continue
		}
		if x := e.callDuring(q); x != nil && !gaveUp(x) && (x.AnswerAt < 0 || x.AnswerAt > answered) {
			r = r.add(x, properEnd(x, "an answer of the call, after the client had no roots to give"))
		}
	}
	if r.Seen == 0 {
		return NotApplicable("no call asked a client for roots that had none to give")
	}
	return r
}

// gaveUp says that the client cancelled a request or dropped its stream: no
// answer to it is owed any more.
func gaveUp(x *Exchange) bool {
	events := x.Tape.Events()
	return x.End == "dropped" || x.End == "cancelled" || slices.ContainsFunc(events[x.At:], func(ev wire.Event) bool {
		m := ev.Message()
		return ev.Kind == wire.Send && m.Method == "notifications/cancelled" && sameID(m.Root.Get("params.requestId").Raw, x.Request.ID)
	})
}

// callDuring is the request that the server worked on when it asked the client,
// if that is a call: over HTTP the one on whose stream it asked. nil when there
// were several.
func (e *Evidence) callDuring(q toClient) *Exchange {
	var out []*Exchange
	for _, x := range e.Run.Exchanges(q.tape) {
		if !x.Request.IsRequest() || x.At > q.at {
			continue
		}
		if q.event.Post > 0 && x.Sent.Post == q.event.Post {
			out = []*Exchange{x}
			break
		}
		if x.AnswerAt < 0 || x.AnswerAt > q.at {
			out = append(out, x)
		}
	}
	if len(out) != 1 || out[0].Request.Method != "tools/call" {
		return nil
	}
	return out[0]
}

func judgeRootsChange(e *Evidence) Ruling {
	x := e.Get("alive:changed")
	if x.Unusable() {
		return NotSeen("the notification was not sent")
	}
	return Ruling{}.add(x, lostFault(x, "an answer after notifications/roots/list_changed"))
}
