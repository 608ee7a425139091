package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// driveElicitation holds every talk of a session one after the other: a question
// of these revisions does not say which call it belongs to.
func driveElicitation(ctx context.Context, d *Drive) error {
	if len(d.Facts.CallableTools()) == 0 {
		return nil
	}
	v, err := openForms(ctx, d)
	if err != nil {
		return err
	}
	a, ok := findAsking(ctx, d, v)
	if !ok {
		return nil
	}
	var wg sync.WaitGroup
	side := []func(context.Context, *Drive, asking) error{elicitUndeclared}
	if d.Facts.Revision >= fakes.Rev20251125 {
		side = append(side, elicitPagesOnly)
	}
	if d.Facts.Run.PatienceMS > 0 {
		side = append(side, elicitSlowly)
	}
	errs := make([]error, len(side))
	for i, f := range side {
		wg.Go(func() { errs[i] = f(ctx, d, a) })
	}
	elicitAll(ctx, d, v, a)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func openForms(ctx context.Context, d *Drive) (*Voice, error) {
	return d.Fresh(ctx, fakes.Want{Capabilities: formsDeclared(), Purpose: "elicitation, a client that shows forms", NoLists: true})
}

// maxLost is how many calls may hang, and how often the server may die, before the rest is left.
const maxLost = 3

// formSession is a session of a client that shows forms, on which one talk is held
// after the other.
type formSession struct {
	d    *Drive
	a    asking
	v    *Voice
	lost int
}

// ready says that the session is alive; one that died is opened again, so
// that what comes next is not blamed for what was before.
func (f *formSession) ready(ctx context.Context) bool {
	if f.v == nil || f.v.Dead() {
		f.lost++
		if next, err := openForms(ctx, f.d); err == nil {
			f.v = next
		}
	}
	return f.lost < maxLost && ctx.Err() == nil && f.v != nil && !f.v.Dead()
}

func (f *formSession) hold(ctx context.Context, label string, s script) bool {
	ended := f.ready(ctx) && f.a.hold(ctx, f.v, label, f.a.args, s)
	if !ended && f.v != nil && !f.v.Dead() {
		f.lost++
	}
	return ended
}

func (f *formSession) twice(ctx context.Context, label string, s script) {
	if f.hold(ctx, label, s) {
		f.hold(ctx, label+":again", s)
	}
}

// elicitAll holds all talks: over stdio on one session, over HTTP, where a session
// costs no process, on several at the same time.
func elicitAll(ctx context.Context, d *Drive, v *Voice, a asking) {
	f := &formSession{d: d, a: a, v: v}
	var form gjson.Result
	f.hold(ctx, "accept", func(_ int, method string, params gjson.Result) spoken {
		if method == "elicitation/create" && !form.Exists() {
			form = params.Get("requestedSchema")
		}
		return fit(0, method, params)
	})
	if !lastQuestion(f.v).Exists() {
		return // it asked nothing: there is nothing to answer
	}
	talks := []func(f *formSession){
		func(f *formSession) {
			f.v.answerTwice(ctx)
			f.hold(ctx, "accept:again", fitting(0))
			f.hold(ctx, "accept:2", fitting(1))
		},
		func(f *formSession) {
			f.twice(ctx, "decline", always("decline"))
			f.twice(ctx, "cancel", always("cancel"))
		},
		func(f *formSession) { f.misfits(ctx, form) },
		func(f *formSession) { f.nearly(ctx, form) },
		func(f *formSession) {
			f.hold(ctx, "error:internal", first(func(gjson.Result) spoken { return clientError(-32603, "Internal error") }))
			f.hold(ctx, "error:params", first(func(gjson.Result) spoken { return clientError(-32602, "Invalid params") }))
		},
		func(f *formSession) { f.cancels(ctx) },
	}
	if d.Cell.Transport != "http" {
		for _, talk := range talks {
			talk(f)
		}
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { talks[0](f) })
	for _, talk := range talks[1:] {
		wg.Go(func() {
			v, _ := openForms(ctx, d)
			talk(&formSession{d: d, a: a, v: v})
		})
	}
	wg.Wait()
}

// misfits answers with contents that do not fit the form.
func (f *formSession) misfits(ctx context.Context, form gjson.Result) {
	all := misfits(form, f.d.Facts.Run.Seed)
	for _, m := range all[:min(len(all), 5)] {
		f.hold(ctx, "misfit:"+m.how, first(func(gjson.Result) spoken { return accept(m.content) }))
	}
}

// nearly answers with contents that fit the form only just, or not at all.
func (f *formSession) nearly(ctx context.Context, form gjson.Result) {
	if extra := withExtra(form); extra != nil {
		f.hold(ctx, "extra", first(func(gjson.Result) spoken { return accept(extra) }))
	}
	f.hold(ctx, "empty", first(func(gjson.Result) spoken { return accept(nil) }))
}

// cancels cancels calls whose question is open, and answers one all the same.
func (f *formSession) cancels(ctx context.Context) {
	for _, c := range []struct{ label, id string }{{"cancel-call:id", ""}, {"cancel-call:zero", "0"}} {
		if f.ready(ctx) {
			f.a.cancelWhileAsked(ctx, f.v, c.label, c.id)
		}
	}
	if f.ready(ctx) && lastQuestion(f.v).Exists() {
		f.v.answerLate(ctx)
	}
}

// withExtra is a fitting content with one key more, nil where the form allows no other keys.
func withExtra(form gjson.Result) json.RawMessage {
	good := fittingContents(form)
	if len(good) == 0 || form.Get("additionalProperties").Type == gjson.False {
		return nil
	}
	return withMember(gjson.ParseBytes(good[0]), "conformExtra", `"conform"`)
}

// lastQuestion is the id of the last question on the session's tape.
func lastQuestion(v *Voice) gjson.Result {
	var out gjson.Result
	for _, ev := range v.Tape().Events() {
		if m := ev.Message(); ev.Kind == wire.Recv && m.IsRequest() && m.Method == "elicitation/create" {
			out = m.Root.Get("id")
		}
	}
	return out
}

// answerTwice answers the last question, which has its answer, once more.
func (v *Voice) answerTwice(ctx context.Context) {
	v.Reply([]byte(`{"jsonrpc":"2.0","id":`+lastQuestion(v).Raw+`,"result":{"action":"decline"}}`), v.scope+"stray:twice")
	_ = v.Do(ctx, fakes.Ask{Label: "alive:twice", Method: "ping"})
}

// answerLate answers the last question, whose call was cancelled.
func (v *Voice) answerLate(ctx context.Context) {
	v.Reply([]byte(`{"jsonrpc":"2.0","id":`+lastQuestion(v).Raw+`,"result":{"action":"decline"}}`), v.scope+"stray:late")
	_ = v.Do(ctx, fakes.Ask{Label: "alive:late", Method: "ping"})
}

// cancelWhileAsked cancels a call whose question is open. Before that it asks
// other things, which an open question must not hold up.
func (a asking) cancelWhileAsked(ctx context.Context, v *Voice, label, id string) {
	seen := make(chan struct{})
	var once sync.Once
	v.SetPerson(func(method string, _ gjson.Result, _ string) (result, fault json.RawMessage) {
		if method == "ping" {
			return json.RawMessage(`{}`), nil
		}
		once.Do(func() { close(seen) })
		return nil, nil
	})
	call := fakes.Ask{Label: label, Method: "tools/call", Params: fakes.Call(a.tool.Name, a.args), ID: id}
	if v.Tape().Transport == "http" { // there giving a call up frees a server that it blocks
		call.Limit = 2 * v.Limits.Answer
	}
	p := v.Start(ctx, call)
	select {
	case <-seen:
		if id == "" {
			v.Each(ctx, []fakes.Ask{{Label: "open:ping", Method: "ping"}, {Label: "open:tools/list", Method: "tools/list"}})
		}
	case <-p.Answered():
	case <-v.Line().Dead():
	case <-ctx.Done():
	case <-time.After(v.Limits.Answer):
	}
	pause(ctx, 50*time.Millisecond) // a person takes a moment, too
	v.cancel(ctx, label+"/cancel", p.ID)
	for end := time.Now().Add(1500 * time.Millisecond); time.Now().Before(end) && ctx.Err() == nil && !tookBack(v, lastQuestion(v)); {
		pause(ctx, 25*time.Millisecond)
	}
	if ctx.Err() != nil { // the server had less time than it is given
		p.Abandon("interrupted", fakes.WaitedNoLonger)
		return
	}
	p.Abandon("cancelled", "the client cancelled the call")
}

// tookBack says that the server cancelled a question.
func tookBack(v *Voice, id gjson.Result) bool {
	return slices.ContainsFunc(v.Tape().Events(), func(ev wire.Event) bool {
		m := ev.Message()
		return ev.Kind == wire.Recv && m.Method == "notifications/cancelled" && m.Root.Get("params.requestId").Raw == id.Raw
	})
}

// elicitUndeclared calls the asking tool as a client that declares nothing.
func elicitUndeclared(ctx context.Context, d *Drive, a asking) error {
	v := d.Shared(ctx)
	if p := v.Call(ctx, "without", a.tool.Name, a.args); !v.await(ctx, p) {
		v.cancel(ctx, "clean-up", p.ID)
	}
	return nil
}

// await waits for an answer for the answer limit, whatever else comes on the
// line, and says whether one came.
func (v *Voice) await(ctx context.Context, p *fakes.Pending) bool {
	for begin := time.Now(); ; {
		select {
		case <-p.Answered():
			return p.Err() == nil
		case <-v.Line().Dead():
			return p.Wait(ctx) == nil
		case <-ctx.Done():
			return p.Wait(ctx) == nil
		case <-time.After(v.Limits.Answer / 20):
		}
		if v.overdue(begin) {
			p.Abandon("silent", fmt.Sprintf("not answered within %s", time.Since(begin).Round(time.Second)))
			return false
		}
	}
}

// elicitPagesOnly calls it as a client that opens web pages and shows no forms.
func elicitPagesOnly(ctx context.Context, d *Drive, a asking) error {
	v, err := d.Fresh(ctx, fakes.Want{Capabilities: json.RawMessage(`{"elicitation":{"url":{}}}`), Purpose: "elicitation, a client that opens web pages alone", NoLists: true})
	if err != nil {
		return err
	}
	a.hold(ctx, v, "pages-only", a.args, func(_ int, method string, params gjson.Result) spoken {
		if method == "elicitation/create" && params.Get("mode").Str != "url" {
			return clientError(-32602, "Client does not support form-mode elicitation requests")
		}
		return fit(0, method, params)
	})
	return nil
}

// elicitSlowly lets the person take the time that the user has patience for.
func elicitSlowly(ctx context.Context, d *Drive, a asking) error {
	v, err := d.Fresh(ctx, fakes.Want{Capabilities: formsDeclared(), Purpose: "elicitation, a slow person", NoLists: true})
	if err != nil {
		return err
	}
	wait := time.Duration(d.Facts.Run.PatienceMS) * time.Millisecond
	ask := fakes.Ask{Method: "tools/call", Params: fakes.Call(a.tool.Name, a.args), Limit: wait + v.Limits.Answer}
	a.holdLegacy(ctx, v, "slow", ask, func(round int, method string, params gjson.Result) spoken {
		if round == 1 {
			pause(ctx, wait)
		}
		return fit(round-1, method, params)
	})
	return nil
}
