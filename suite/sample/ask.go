package sample

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// question is a form that a tool wants filled in.
type question struct {
	key, message string
	form         object
}

// reply is what came of a question.
type reply struct {
	// asked is false where the client shows no forms; the tool then carries on without.
	asked   bool
	action  string
	content object
}

// refused ends a tool politely when the person said no or went away.
func (r reply) refused(what string) (outcome, bool) {
	switch {
	case !r.asked || r.action == "accept":
		return outcome{}, false
	case r.action == "decline":
		return said(what + ": the question was declined."), true
	}
	return said(what + ": the question was cancelled."), true
}

// needInput unwinds a tool of 2026-07-28 that has to ask first.
type needInput struct{ result object }

func (*needInput) Error() string { return "input required" }

// ask puts a question to the person behind the client, in the way of the era.
func (c *call) ask(q question) (reply, error) {
	do := &c.srv.do.asking
	if !do.may(c.exchange) {
		return do.without(c, q)
	}
	q = do.pose(c, q)
	if c.modern {
		return do.inResult(c, q)
	}
	return do.byRequest(c, q)
}

// mayAsk says that the client declared forms. An empty elicitation object means forms.
func mayAsk(x *exchange) bool {
	e, declared := x.capabilities["elicitation"].(object)
	if !declared || !x.knows("2025-06-18") || !x.modern && !x.answerable {
		return false
	}
	_, form := e["form"].(object)
	return form || len(e) == 0
}

func carryOn(*call, question) (reply, error) { return reply{}, nil }

// params are those of elicitation/create in the revision in force.
func (q question) params(x *exchange) object {
	p := object{"message": q.message, "requestedSchema": clone(q.form)}
	if x.knows("2025-11-25") {
		p["mode"] = "form"
	}
	return p
}

// judge reads an answer to a form. Keys that were not asked for are dropped; an
// answer that does not fit is no answer.
func judge(_ *call, q question, answer object) (reply, bool) {
	action := asString(answer["action"])
	switch action {
	case "decline", "cancel":
		return reply{asked: true, action: action}, true
	case "accept":
		content, ok := answer["content"].(object)
		if !ok {
			return reply{}, false
		}
		kept := object{}
		for key := range asObject(q.form["properties"]) {
			if v, given := content[key]; given {
				kept[key] = v
			}
		}
		if len(problemsOf(q.form, kept, "")) > 0 {
			return reply{}, false
		}
		return reply{asked: true, action: action, content: kept}, true
	}
	return reply{}, false
}

// maxAsked bounds how often one call repeats a question.
const maxAsked = 20

// askByRequest asks with elicitation/create until the answer fits.
func askByRequest(c *call, q question) (reply, error) {
	for range maxAsked {
		answer, err := c.request(c.srv.do.asking.method, c.srv.do.asking.params(c.exchange, q))
		if err != nil {
			return reply{}, err
		}
		if answer.raw["error"] != nil {
			return c.srv.do.asking.failed(c, q) // the client cannot ask after all
		}
		if r, fits := c.srv.do.asking.judge(c, q, asObject(answer.raw["result"])); fits {
			return r, nil
		}
	}
	return reply{}, fmt.Errorf("no fitting answer to %q after asking %d times", q.message, maxAsked)
}

// errNoClient ends a question whose client has gone.
var errNoClient = errors.New("the client is gone")

// request sends a request to the client and waits for its answer. The question
// is taken back when the call is cancelled or nobody answers in time.
func (c *call) request(method string, params object) (incoming, error) {
	id, answer := c.ses.open()
	defer c.ses.forget(id)
	if !c.srv.do.asking.send(c, object{"jsonrpc": "2.0", "id": id, "method": method, "params": params}) {
		return incoming{}, context.Cause(c.ctx)
	}
	patience := time.NewTimer(c.srv.do.asking.patience)
	defer patience.Stop()
	var heard <-chan struct{} = c.ctx.Done()
	if c.srv.do.cancel.deaf {
		heard = nil
	}
	select {
	case in, ok := <-answer:
		if !ok {
			return incoming{}, errNoClient
		}
		return in, nil
	case <-heard:
		c.srv.do.asking.withdraw(c, id, "the call was cancelled")
		return incoming{}, context.Cause(c.ctx)
	case <-patience.C:
		c.srv.do.asking.withdraw(c, id, "nobody answered in time")
		return incoming{}, fmt.Errorf("nobody answered within %s", c.srv.do.asking.patience)
	}
}

// question sends a request of the server on the stream of the call.
func (c *call) question(m object) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || c.ctx.Err() != nil {
		return false
	}
	c.emit(m)
	return true
}

func withdraw(c *call, id any, why string) {
	c.notify("notifications/cancelled", object{"requestId": id, "reason": why})
}
