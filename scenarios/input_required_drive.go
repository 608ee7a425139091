package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// inputDrive speaks with the asking tool: many calls at the same time, for each
// is a question of its own. Driven alone it makes one call after the other: only
// so can what goes wrong be told of the call that did it.
type inputDrive struct {
	d   *Drive
	a   asking
	end time.Time

	mu   sync.Mutex
	v    *Voice
	lost int
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
	if !ok {
		i.lists(ctx)
		return nil
	}
	d.Do(func() { i.lists(ctx) },
		func() { i.declared(ctx, "without", `{}`) },
		func() { i.hold(ctx, "accept", i.a.args, fitting(0)) })
	question := answerResult(i.v.Answer("accept"))
	if !wantsInput(question) {
		return i.whole() // it asked nothing
	}
	i.answers(ctx, question)
	d.Do(append(i.incomplete(ctx, question),
		func() { i.tampered(ctx, question, i.changed(ctx, question)) },
		func() { i.otherTool(ctx, second) })...)
	if err := i.whole(); err != nil {
		return err
	}
	i.lost = 0 // what a changed state broke is no reason to leave these out
	d.Do(i.hostile(ctx)...)
	if err := i.whole(); err != nil {
		return err
	}
	i.unanswered(ctx)
	return i.whole()
}

// whole says that nothing was lost of what was sent side by side.
func (i *inputDrive) whole() error {
	if !i.d.Alone() && (i.lost > 0 || i.v.Dead()) {
		return ErrAlone
	}
	return nil
}

func openModern(ctx context.Context, d *Drive) (*Voice, error) {
	return d.Fresh(ctx, fakes.Want{Capabilities: formsDeclared(), Purpose: "input_required", NoLists: true})
}

// ready returns the session for the next probe, nil when none can be made. A
// session that died is opened again when each probe is made alone, so that what
// comes next is not blamed for what was before.
func (i *inputDrive) ready(ctx context.Context) *Voice {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.v.Dead() {
		i.lost++
		if i.d.Alone() {
			if v, err := openModern(ctx, i.d); err == nil {
				i.v = v
			}
		}
	}
	if i.lost >= maxLost || ctx.Err() != nil || i.v.Dead() || time.Now().After(i.end) {
		return nil
	}
	return i.v
}

// missed counts a call that got no answer; that the server died is counted by itself.
func (i *inputDrive) missed(v *Voice) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !v.Dead() {
		i.lost++
	}
}

func (i *inputDrive) do(ctx context.Context, a fakes.Ask) gjson.Result {
	v := i.ready(ctx)
	if v == nil {
		return gjson.Result{}
	}
	if v.Do(ctx, a) != nil {
		i.missed(v)
	}
	return answerResult(v.Answer(a.Label))
}

func (i *inputDrive) hold(ctx context.Context, label string, args json.RawMessage, s script) bool {
	v := i.ready(ctx)
	if v == nil {
		return false
	}
	ended := i.a.hold(ctx, v, label, args, s)
	if !ended {
		i.missed(v)
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

// answers holds the talks of a person who says all kinds of things, and calls
// the tool as clients that cannot ask.
func (i *inputDrive) answers(ctx context.Context, question gjson.Result) {
	parts := []func(){
		func() { i.replay(ctx) },
		func() { i.hold(ctx, "accept:again", i.a.args, fitting(0)) },
		func() { i.hold(ctx, "accept:2", i.a.args, fitting(1)) },
	}
	talk := func(label string, s script) {
		parts = append(parts, func() { i.hold(ctx, label, i.a.args, s) })
	}
	for _, action := range []string{"decline", "cancel"} {
		parts = append(parts, func() {
			if i.hold(ctx, action, i.a.args, always(action)) {
				i.hold(ctx, action+":again", i.a.args, always(action))
			}
		})
	}
	form := firstForm(question)
	all := misfits(form, i.d.Facts.Run.Seed)
	for _, m := range all[:min(len(all), 5)] {
		talk("misfit:"+m.how, first(func(gjson.Result) spoken { return accept(m.content) }))
	}
	for _, odd := range []struct{ how, entry string }{
		{"action", `{"action":"maybe"}`}, {"content", `{"action":"accept","content":["conform"]}`}, {"entry", `"yes"`},
	} {
		talk("odd:"+odd.how, first(func(gjson.Result) spoken { return spoken{result: json.RawMessage(odd.entry)} }))
	}
	if extra := withExtra(form); extra != nil {
		talk("extra:content", first(func(gjson.Result) spoken { return accept(extra) }))
	}
	for _, c := range []struct{ label, capabilities string }{
		{"without:after", `{}`}, {"pages-only", `{"elicitation":{"url":{}}}`}, {"sampling-only", `{"sampling":{}}`},
	} {
		parts = append(parts, func() { i.declared(ctx, c.label, c.capabilities) })
	}
	i.d.Do(parts...)
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
	v := i.ready(ctx)
	if v == nil {
		return
	}
	var last gjson.Result
	for _, ev := range v.Tape().Events() {
		if ev.Kind == wire.Send && strings.HasPrefix(ev.Probe, v.scope+"accept/") {
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
func (i *inputDrive) incomplete(ctx context.Context, question gjson.Result) []func() {
	var parts []func()
	add := func(label string, answers, state func(q gjson.Result) string) {
		parts = append(parts, func() {
			i.again(ctx, label, func(q gjson.Result) json.RawMessage { return retry(i.a.tool.Name, i.a.args, answers(q), state(q)) })
		})
	}
	same := func(q gjson.Result) string { return q.Get("requestState").Raw }
	raw := func(s string) func(gjson.Result) string { return func(gjson.Result) string { return s } }
	add("missing:all", raw(`{}`), same)
	if len(question.Get("inputRequests").Map()) > 1 {
		add("missing:one", func(q gjson.Result) string {
			all := gjson.Parse(fitAll(q))
			var firstKey string
			all.ForEach(func(k, _ gjson.Result) bool { firstKey = k.Str; return false })
			return string(withoutMember(all, firstKey))
		}, same)
	}
	if question.Get("requestState").Exists() {
		add("alone", raw(""), same)
	}
	add("extra:answer", func(q gjson.Result) string {
		return string(withMember(gjson.Parse(fitAll(q)), "conformExtra", `{"action":"accept","content":{"conform":true}}`))
	}, same)
	for _, w := range []struct{ how, raw string }{{"number", `7`}, {"list", `[]`}, {"text", `"conform"`}} {
		add("wrong:answers-"+w.how, raw(w.raw), same)
	}
	for _, w := range []struct{ how, raw string }{{"number", `7`}, {"object", `{}`}} {
		add("wrong:state-"+w.how, fitAll, raw(w.raw))
	}
	return parts
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
		i.d.Do(func() { i.hold(ctx, "other-accept", args, fitting(0)) },
			func() {
				i.again(ctx, "changed:state", func(q gjson.Result) json.RawMessage {
					return retry(i.a.tool.Name, args, fitAll(q), q.Get("requestState").Raw)
				})
			},
			func() {
				i.again(ctx, "changed:answers", func(q gjson.Result) json.RawMessage {
					return retry(i.a.tool.Name, args, fitAll(q), "")
				})
			})
		return q
	}
	return gjson.Result{}
}

// sameRequests says that two results ask the same.
func sameRequests(a, b gjson.Result) bool {
	return sameJSON(a.Get("inputRequests").Raw, b.Get("inputRequests").Raw)
}

// otherTool brings the state of the asking tool to another tool that asks, if there is one.
func (i *inputDrive) otherTool(ctx context.Context, c *toolCall) {
	if c == nil {
		return
	}
	q := i.do(ctx, fakes.Ask{Label: "second", Method: "tools/call", Params: fakes.Call(c.tool, c.args), Capabilities: formsDeclared()})
	v := i.ready(ctx)
	if !wantsInput(q) || !q.Get("requestState").Exists() || v == nil {
		return
	}
	i.d.Do(func() {
		asking{tool: i.d.Facts.Tool(c.tool)}.hold(ctx, v, "second-accept", c.args, fitting(0))
	}, func() {
		i.again(ctx, "other-tool:own", func(mine gjson.Result) json.RawMessage {
			return retry(c.tool, c.args, fitAll(q), mine.Get("requestState").Raw)
		})
	}, func() {
		i.again(ctx, "other-tool:theirs", func(mine gjson.Result) json.RawMessage {
			return retry(c.tool, c.args, fitAll(mine), mine.Get("requestState").Raw)
		})
	})
}

// tampered comes back with a state that was changed in one place.
func (i *inputDrive) tampered(ctx context.Context, question, other gjson.Result) {
	state := question.Get("requestState")
	if state.Type != gjson.String {
		return
	}
	var parts []func()
	// The state may differ from question to question: each is changed anew, in the same way.
	for n, how := range tamperings(state.Str, i.a.args, other) {
		parts = append(parts, func() {
			i.again(ctx, "tamper:"+how.name, func(q gjson.Result) json.RawMessage {
				changed := how.state
				if all := tamperings(q.Get("requestState").Str, i.a.args, other); n < len(all) {
					changed = all[n].state
				}
				return retry(i.a.tool.Name, i.a.args, fitAll(q), quoted(changed))
			})
		})
	}
	i.d.Do(parts...)
}

// hostile comes back with states that are none.
func (i *inputDrive) hostile(ctx context.Context) []func() {
	var parts []func()
	for _, h := range []struct{ how, state string }{
		{"empty", ""}, {"noise", "zz \x01\u202e conform \U0001f9ea =="}, {"proto", `{"__proto__":{"conform":true},"constructor":{"prototype":{}}}`},
		{"megabyte", strings.Repeat("QUJD", 256<<10)},
	} {
		parts = append(parts, func() {
			i.again(ctx, "hostile:"+h.how, func(q gjson.Result) json.RawMessage {
				return retry(i.a.tool.Name, i.a.args, fitAll(q), quoted(h.state))
			})
		})
	}
	return parts
}

func quoted(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

// unanswered leaves twenty questions open.
func (i *inputDrive) unanswered(ctx context.Context) {
	v := i.ready(ctx)
	if v == nil {
		return
	}
	asks := make([]fakes.Ask, 20)
	for n := range asks {
		asks[n] = fakes.Ask{Label: "unanswered", Method: "tools/call", Params: fakes.Call(i.a.tool.Name, i.a.args), Capabilities: formsDeclared()}
	}
	v.Each(ctx, asks)
	i.do(ctx, fakes.Ask{Label: "alive:unanswered", Method: "server/discover"})
}
