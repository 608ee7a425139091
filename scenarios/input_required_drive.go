package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// inputDrive speaks with the asking tool, one call after the other: only so can
// what goes wrong be told of the call that did it.
type inputDrive struct {
	d    *Drive
	v    *Voice
	a    asking
	lost int
	end  time.Time
}

// driveInputRequired asks and answers on a session of its own: some probes are
// meant to be hard to bear.
func driveInputRequired(ctx context.Context, d *Drive) error {
	if len(d.Facts.CallableTools()) == 0 {
		return nil
	}
	v, err := openModern(ctx, d)
	if err != nil {
		return err
	}
	a, second, ok := findAskers(ctx, d, v)
	i := &inputDrive{d: d, v: v, a: a, end: time.Now().Add(3 * patience)}
	i.lists(ctx)
	if !ok {
		return nil
	}
	i.declared(ctx, "without", `{}`)
	question := i.answers(ctx)
	if !question.Exists() {
		return nil // it asked nothing
	}
	i.declared(ctx, "without:after", `{}`)
	i.declared(ctx, "pages-only", `{"elicitation":{"url":{}}}`)
	i.declared(ctx, "sampling-only", `{"sampling":{}}`)
	i.incomplete(ctx, question)
	other := i.changed(ctx, question)
	if second != nil {
		i.otherTool(ctx, *second)
	}
	i.tampered(ctx, question, other)
	i.lost = 0 // what a changed state broke is no reason to leave these out
	i.hostile(ctx)
	i.unanswered(ctx)
	return nil
}

func openModern(ctx context.Context, d *Drive) (*Voice, error) {
	return d.Fresh(ctx, fakes.Want{Capabilities: formsDeclared(), Purpose: "input_required", NoLists: true})
}

// ready says that the next probe can be made. A session that died is opened
// again, so that what comes next is not blamed for what was before.
func (i *inputDrive) ready(ctx context.Context) bool {
	if dead(i.v) {
		i.lost++
		if v, err := openModern(ctx, i.d); err == nil {
			i.v = v
		}
	}
	return i.lost < maxLost && ctx.Err() == nil && !dead(i.v) && time.Now().Before(i.end)
}

func (i *inputDrive) do(ctx context.Context, a fakes.Ask) gjson.Result {
	if !i.ready(ctx) {
		return gjson.Result{}
	}
	if i.v.Do(ctx, a) != nil && !dead(i.v) {
		i.lost++
	}
	return answerResult(i.v.Answer(a.Label))
}

func (i *inputDrive) hold(ctx context.Context, label string, args json.RawMessage, s script) bool {
	ended := i.ready(ctx) && i.a.hold(ctx, i.v, label, args, s)
	if !ended && !dead(i.v) {
		i.lost++
	}
	return ended
}

// declared calls the tool as a client that declares other things.
func (i *inputDrive) declared(ctx context.Context, label, capabilities string) {
	i.do(ctx, fakes.Ask{Label: label, Method: "tools/call", Params: fakes.Call(i.a.tool.Name, i.a.args), Capabilities: json.RawMessage(capabilities)})
}

// lists asks for the lists as a client that shows forms.
func (i *inputDrive) lists(ctx context.Context) {
	for _, k := range lists() {
		if offered(i.d.Facts, k) {
			i.do(ctx, fakes.Ask{Label: "list:" + k.method, Method: k.method, Capabilities: formsDeclared()})
		}
	}
}

// answers holds the talks of a person, and returns the question.
func (i *inputDrive) answers(ctx context.Context) gjson.Result {
	i.hold(ctx, "accept", i.a.args, fitting(0))
	question := answerResult(i.v.Answer("accept"))
	if !wantsInput(question) {
		return gjson.Result{}
	}
	i.replay(ctx)
	i.hold(ctx, "accept:again", i.a.args, fitting(0))
	i.hold(ctx, "accept:2", i.a.args, fitting(1))
	for _, action := range []string{"decline", "cancel"} {
		if i.hold(ctx, action, i.a.args, always(action)) {
			i.hold(ctx, action+":again", i.a.args, always(action))
		}
	}
	form := firstForm(question)
	all := misfits(form, i.d.Facts.Run.Seed)
	for _, m := range all[:min(len(all), 5)] {
		i.hold(ctx, "misfit:"+m.how, i.a.args, first(func(gjson.Result) spoken { return accept(m.content) }))
	}
	for _, odd := range []struct{ how, entry string }{
		{"action", `{"action":"maybe"}`}, {"content", `{"action":"accept","content":["conform"]}`}, {"entry", `"yes"`},
	} {
		i.hold(ctx, "odd:"+odd.how, i.a.args, first(func(gjson.Result) spoken { return spoken{result: json.RawMessage(odd.entry)} }))
	}
	if extra := withExtra(form); extra != nil {
		i.hold(ctx, "extra:content", i.a.args, first(func(gjson.Result) spoken { return accept(extra) }))
	}
	return question
}

// firstForm is the first form among the questions of a result.
func firstForm(result gjson.Result) gjson.Result {
	var form gjson.Result
	result.Get("inputRequests").ForEach(func(_, q gjson.Result) bool {
		form = q.Get("params.requestedSchema")
		return !form.Exists()
	})
	return form
}

// replay sends the call that finished the talk once more.
func (i *inputDrive) replay(ctx context.Context) {
	var last gjson.Result
	for _, ev := range i.v.Tape().Events() {
		if ev.Kind == wire.Send && strings.HasPrefix(ev.Probe, i.v.scope+"accept/") {
			last = ev.Message().Root.Get("params")
		}
	}
	if last.Exists() {
		i.do(ctx, fakes.Ask{Label: "replay", Method: "tools/call", Params: withoutMember(last, "_meta"), Capabilities: formsDeclared()})
	}
}

// again asks anew and comes back with params made of the question.
func (i *inputDrive) again(ctx context.Context, label string, params func(question gjson.Result) json.RawMessage) {
	q := i.do(ctx, fakes.Ask{Label: label, Method: "tools/call", Params: fakes.Call(i.a.tool.Name, i.a.args), Capabilities: formsDeclared()})
	if wantsInput(q) {
		i.do(ctx, fakes.Ask{Label: label + "/2", Method: "tools/call", Params: params(q), Capabilities: formsDeclared()})
	}
}

// fitAll gives the same fitting answers as the first talk did.
func fitAll(q gjson.Result) string { return answerAll(1, q.Get("inputRequests"), fitting(0)) }

// incomplete comes back with too little, too much, or things of the wrong type.
func (i *inputDrive) incomplete(ctx context.Context, question gjson.Result) {
	tool, args := i.a.tool.Name, i.a.args
	with := func(answers func(q gjson.Result) string, state func(q gjson.Result) string) func(gjson.Result) json.RawMessage {
		return func(q gjson.Result) json.RawMessage { return retry(tool, args, answers(q), state(q)) }
	}
	same := func(q gjson.Result) string { return q.Get("requestState").Raw }
	raw := func(s string) func(gjson.Result) string { return func(gjson.Result) string { return s } }
	i.again(ctx, "missing:all", with(raw(`{}`), same))
	if len(question.Get("inputRequests").Map()) > 1 {
		i.again(ctx, "missing:one", with(func(q gjson.Result) string {
			all := gjson.Parse(fitAll(q))
			var firstKey string
			all.ForEach(func(k, _ gjson.Result) bool { firstKey = k.Str; return false })
			return string(withoutMember(all, firstKey))
		}, same))
	}
	if question.Get("requestState").Exists() {
		i.again(ctx, "alone", with(raw(""), same))
	}
	i.again(ctx, "extra:answer", with(func(q gjson.Result) string {
		return string(withMember(gjson.Parse(fitAll(q)), "conformExtra", `{"action":"accept","content":{"conform":true}}`))
	}, same))
	for _, w := range []struct{ how, raw string }{{"number", `7`}, {"list", `[]`}, {"text", `"conform"`}} {
		i.again(ctx, "wrong:answers-"+w.how, with(raw(w.raw), same))
	}
	for _, w := range []struct{ how, raw string }{{"number", `7`}, {"object", `{}`}} {
		i.again(ctx, "wrong:state-"+w.how, with(fitAll, raw(w.raw)))
	}
}

// changed asks with the one arguments and comes back with the others. It
// returns the question of the other arguments. Without a state there is nothing
// that could bind an answer to its question.
func (i *inputDrive) changed(ctx context.Context, question gjson.Result) gjson.Result {
	if !question.Get("requestState").Exists() {
		return gjson.Result{}
	}
	for n, args := range i.a.others(i.d.Facts) {
		label := fmt.Sprintf("other:%d", n+1)
		q := i.do(ctx, fakes.Ask{Label: label, Method: "tools/call", Params: fakes.Call(i.a.tool.Name, args), Capabilities: formsDeclared()})
		if !wantsInput(q) || sameRequests(q, question) {
			continue
		}
		i.hold(ctx, "other-accept", args, fitting(0))
		i.again(ctx, "changed:state", func(q gjson.Result) json.RawMessage {
			return retry(i.a.tool.Name, args, fitAll(q), q.Get("requestState").Raw)
		})
		i.again(ctx, "changed:answers", func(q gjson.Result) json.RawMessage {
			return retry(i.a.tool.Name, args, fitAll(q), "")
		})
		return q
	}
	return gjson.Result{}
}

// sameRequests says that two results ask the same.
func sameRequests(a, b gjson.Result) bool {
	return sameJSON(a.Get("inputRequests").Raw, b.Get("inputRequests").Raw)
}

// otherTool brings the state of the asking tool to another tool that asks.
func (i *inputDrive) otherTool(ctx context.Context, c toolCall) {
	q := i.do(ctx, fakes.Ask{Label: "second", Method: "tools/call", Params: fakes.Call(c.tool, c.args), Capabilities: formsDeclared()})
	if !wantsInput(q) || !q.Get("requestState").Exists() || !i.ready(ctx) {
		return
	}
	asking{tool: i.d.Facts.Tool(c.tool)}.hold(ctx, i.v, "second-accept", c.args, fitting(0))
	i.again(ctx, "other-tool:own", func(mine gjson.Result) json.RawMessage {
		return retry(c.tool, c.args, fitAll(q), mine.Get("requestState").Raw)
	})
	i.again(ctx, "other-tool:theirs", func(mine gjson.Result) json.RawMessage {
		return retry(c.tool, c.args, fitAll(mine), mine.Get("requestState").Raw)
	})
}

// tampered comes back with a state that was changed in one place.
func (i *inputDrive) tampered(ctx context.Context, question, other gjson.Result) {
	state := question.Get("requestState")
	if state.Type != gjson.String {
		return
	}
	// The state may differ from question to question: each is changed anew, in the same way.
	for n, how := range tamperings(state.Str, i.a.args, other) {
		i.again(ctx, "tamper:"+how.name, func(q gjson.Result) json.RawMessage {
			all := tamperings(q.Get("requestState").Str, i.a.args, other)
			if n >= len(all) {
				return retry(i.a.tool.Name, i.a.args, fitAll(q), quoted(how.state))
			}
			return retry(i.a.tool.Name, i.a.args, fitAll(q), quoted(all[n].state))
		})
	}
}

// hostile comes back with states that are none.
func (i *inputDrive) hostile(ctx context.Context) {
	for _, h := range []struct{ how, state string }{
		{"empty", ""}, {"noise", "zz \x01\u202e conform \U0001f9ea =="}, {"proto", `{"__proto__":{"conform":true},"constructor":{"prototype":{}}}`},
		{"megabyte", strings.Repeat("QUJD", 256<<10)},
	} {
		i.again(ctx, "hostile:"+h.how, func(q gjson.Result) json.RawMessage {
			return retry(i.a.tool.Name, i.a.args, fitAll(q), quoted(h.state))
		})
	}
}

func quoted(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

// unanswered leaves twenty questions open.
func (i *inputDrive) unanswered(ctx context.Context) {
	if !i.ready(ctx) {
		return
	}
	asks := make([]fakes.Ask, 20)
	for n := range asks {
		asks[n] = fakes.Ask{Label: "unanswered", Method: "tools/call", Params: fakes.Call(i.a.tool.Name, i.a.args), Capabilities: formsDeclared()}
	}
	i.v.Each(ctx, asks)
	i.do(ctx, fakes.Ask{Label: "alive:unanswered", Method: "server/discover"})
}
