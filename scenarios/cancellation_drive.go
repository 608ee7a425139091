package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// unusedID is a request id that conform never comes to by counting.
const unusedID = "999983"

// driveCancellation cancels on sessions of its own: what is cancelled wrongly may
// be any request of the line. Over HTTP what does not run and what is slow are
// cancelled side by side.
func driveCancellation(ctx context.Context, d *Drive) error {
	var racing sync.WaitGroup
	defer racing.Wait()
	if d.Cell.Transport == "http" {
		var nothing, twins error
		d.Do(func() { _, nothing = cancelQuick(ctx, d, &racing) }, func() { twins = cancelTwins(ctx, d, nil, &racing) })
		return errors.Join(nothing, twins)
	}
	v, err := cancelQuick(ctx, d, &racing)
	if err != nil {
		return err
	}
	return cancelTwins(ctx, d, v, &racing)
}

// cancelQuick cancels what does not run and what is over at once, and returns
// the session to go on with.
func cancelQuick(ctx context.Context, d *Drive, racing *sync.WaitGroup) (*Voice, error) {
	if byDrop(d) {
		return nil, nil
	}
	v, err := openCancel(ctx, d)
	if err != nil {
		return nil, err
	}
	if v = cancelNothing(ctx, d, v); v == nil {
		return nil, ErrAlone
	}
	race(ctx, d, v, racing)
	if v.Dead() {
		return openCancel(ctx, d)
	}
	return v, nil
}

// cancelTwins makes a slow call to its end and cancels twins of it; when it is
// over, others and their cancellations are sent back to back. It begins on the
// session v, nil for a new one. Where it is known which tool is slow the twins
// run beside it, else once it was found and timed by itself. Each further try has
// a session of its own: ids and tokens may be used once.
func cancelTwins(ctx context.Context, d *Drive, v *Voice, racing *sync.WaitGroup) (err error) {
	raceSlow := func(c toolCall) {
		if !byDrop(d) {
			raceWith(ctx, v, fakes.Ask{Label: "race", Method: "tools/call", Params: fakes.Call(c.tool, c.args)}, 10, "slow", racing)
		}
	}
	known := knownSlow(d.Facts)
	if len(known) > 1 && isFarAway(d) {
		known = known[1:]
	}
	for i, c := range known {
		if v == nil || i > 0 {
			if v, err = openCancel(ctx, d); err != nil {
				return err
			}
		}
		w, dropped := startTwins(ctx, d, v, c), startDrop(ctx, d, c)
		begun := len(v.Tape().Events())
		whole := runWhole(ctx, v, c)
		fits := whole >= slowEnough && (i == len(known)-1 || whole >= cancelable && w.tells(whole, v.Tape().Events()[begun:]))
		if fits && whole <= longestSlow {
			raceSlow(c)
		}
		w.end(ctx, v, whole)
		dropped.end(ctx, whole, fits)
		if fits {
			return nil
		}
	}
	if v == nil {
		if v, err = openCancel(ctx, d); err != nil {
			return err
		}
	}
	slow, ok := findSlow(ctx, d, v)
	if !ok {
		return nil
	}
	whole := runWhole(ctx, v, slow)
	if whole < slowEnough || whole > longestSlow {
		return nil
	}
	w, dropped := startTwins(ctx, d, v, slow), startDrop(ctx, d, slow)
	w.end(ctx, v, whole)
	dropped.end(ctx, whole, true)
	raceSlow(slow)
	return nil
}

func openCancel(ctx context.Context, d *Drive) (*Voice, error) {
	return d.Fresh(ctx, fakes.Want{Purpose: "cancellation", NoLists: true})
}

// byDrop says that dropping the stream is the only way to cancel.
func byDrop(d *Drive) bool { return d.Cell.Transport == "http" && d.Facts.Modern() }

// alive asks something harmless. A server that ended so fast that it could not be
// asked any more has told as much: the question stands on the tape all the same.
func (v *Voice) alive(ctx context.Context, label string) {
	method, _ := harmless(v.d.Facts)
	from := len(v.Tape().Events())
	p := v.Start(ctx, fakes.Ask{Label: label, Method: method})
	if !errors.Is(p.Wait(ctx), wire.ErrDead) {
		return
	}
	sent := func(ev wire.Event) bool { return ev.Kind == wire.Send && ev.Probe == v.scope+label }
	if !slices.ContainsFunc(v.Tape().Events()[from:], sent) {
		raw := []byte(`{"jsonrpc":"2.0","id":` + p.ID + `,"method":"` + method + `"}`)
		v.Tape().Append(wire.Event{Kind: wire.Send, Raw: raw, Probe: v.scope + label})
		v.Note(label, "dead", "the server had ended before this could be sent")
	}
}

// cancelNothing cancels what does not run, and asks after each whether the server
// lives: unknown ids, finished ones and malformed ones in turn, those of a kind
// side by side. It returns the session to go on with, nil when something was lost
// or came unasked that could be told of one better. Alone, a server that died is
// started again.
func cancelNothing(ctx context.Context, d *Drive, v *Voice) *Voice {
	var lost atomic.Bool
	step := func(name, params string) {
		if d.Alone() && v.Dead() {
			if next, err := openCancel(ctx, d); err == nil {
				v = next
			}
		}
		var raw json.RawMessage
		if params != "" {
			raw = json.RawMessage(params)
		}
		_ = v.Notify(ctx, fakes.Ask{Label: "nothing:" + name, Method: "notifications/cancelled", Params: raw, Limit: 2 * v.Limits.Quiet})
		v.alive(ctx, "alive:"+name)
		lost.CompareAndSwap(false, v.Answer("alive:"+name) == nil)
	}
	list := func(label, id string) string {
		p := v.Start(ctx, fakes.Ask{Label: label, Method: "tools/list", ID: id})
		lost.CompareAndSwap(false, p.Wait(ctx) != nil)
		return p.ID
	}
	finished := ""
	unknown := []func(){
		func() {
			step("unknown-number", `{"requestId":`+unusedID+`,"reason":"conform"}`)
			list("usable", unusedID)
		},
		func() { step("unknown-text", `{"requestId":"zz-conform"}`) },
		func() { finished = list("finished", "") },
	}
	late := []func(){
		func() { step("late", `{"requestId":`+finished+`}`) },
		func() { step("late-again", `{"requestId":`+finished+`}`) },
	}
	var malformed []func()
	for _, c := range []struct{ name, params string }{
		{"no-params", ""}, {"no-id", `{}`}, {"null", `{"requestId":null}`}, {"object", `{"requestId":{}}`}, {"list", `{"requestId":[1]}`},
	} {
		malformed = append(malformed, func() { step("malformed-"+c.name, c.params) })
	}
	from := len(v.Tape().Events())
	for _, kind := range [][]func(){unknown, late, malformed} {
		d.Do(kind...)
		events := v.Tape().Events()
		if !d.Alone() && (lost.Load() || v.Dead() || unasked(events, from, len(events)) != nil) {
			return nil
		}
	}
	return v
}

// race sends twenty quick requests and their cancellations back to back.
func race(ctx context.Context, d *Drive, v *Voice, racing *sync.WaitGroup) {
	ask := fakes.Ask{Label: "race", Method: "tools/list"}
	for _, c := range validCalls(d.Facts, "", 1) {
		if d.Facts.Tool(c.tool).Get("annotations.readOnlyHint").Type == gjson.True {
			ask.Method, ask.Params = "tools/call", fakes.Call(c.tool, c.args)
			break
		}
	}
	raceWith(ctx, v, ask, 20, "quick", racing)
}

// raceWith sends a request and its cancellation back to back, several times,
// and listens in the background for what comes all the same.
func raceWith(ctx context.Context, v *Voice, ask fakes.Ask, times int, kind string, racing *sync.WaitGroup) {
	if v.Dead() {
		return
	}
	var all []*fakes.Pending
	var cancels sync.WaitGroup
	for range times {
		p := v.Start(ctx, ask)
		cancel := func() { v.cancel(ctx, "race/cancel", p.ID) }
		if v.Transport == "http" { // where it waits for an answer
			cancels.Go(cancel)
		} else {
			cancel()
		}
		all = append(all, p)
	}
	cancels.Wait()
	v.alive(ctx, "alive:race-"+kind)
	racing.Go(func() {
		pause(ctx, onItsWay)
		for _, p := range all {
			p.Abandon("cancelled", "the client cancelled the request")
		}
	})
}

// cancelAfter is when a slow call is cancelled.
const cancelAfter = 100 * time.Millisecond

// watch is two calls that were cancelled and are listened to.
type watch struct {
	all   []*fakes.Pending
	begun time.Time
	// since is when the server had surely read the cancellations; closed when that is known.
	since time.Time
	read  chan struct{}
}

// startTwins makes the slow call twice, one time with id 0, and cancels both in
// the background; nil where a dropped stream is the only way to cancel.
func startTwins(ctx context.Context, d *Drive, v *Voice, c toolCall) *watch {
	if byDrop(d) {
		return nil
	}
	w := &watch{begun: time.Now(), read: make(chan struct{})}
	kinds := []struct{ label, id string }{{"cancelled:id", ""}, {"cancelled:zero", "0"}}
	for _, k := range kinds {
		w.all = append(w.all, v.Start(ctx, fakes.Ask{
			Label: k.label, Method: "tools/call", Params: fakes.Call(c.tool, c.args), ID: k.id,
			Meta: json.RawMessage(`{"progressToken":"conform-` + k.label + `"}`),
		}))
	}
	go func() {
		defer close(w.read)
		v.awaitHeads(ctx, kinds[0].label, kinds[1].label)
		pause(ctx, cancelAfter)
		var cancels sync.WaitGroup
		for i, k := range kinds {
			cancels.Go(func() { v.cancel(ctx, k.label+"/cancel", w.all[i].ID) })
		}
		cancels.Wait()
		// Its answer tells when the server has read the cancellations: a busy
		// machine may take its time, and nothing before that is held against it.
		v.alive(ctx, "alive:read")
		w.since = time.Now()
	}()
	return w
}

// tells says that the whole call still reported progress when the cancelled ones
// had to be silent, or went on for long after: on a busy machine a cancellation
// may be read late.
func (w *watch) tells(whole time.Duration, events []wire.Event) bool {
	if w == nil {
		return true
	}
	<-w.read
	var first, last time.Duration
	for i := range events {
		m := events[i].Message()
		switch {
		case events[i].Kind == wire.Send && first == 0:
			first = events[i].At
		case events[i].Kind == wire.Recv && m.Method == "notifications/progress" && m.Root.Get("params.progressToken").Str == wholeToken:
			last = events[i].At
		}
	}
	silent := w.since.Sub(w.begun) + onItsWay + 50*time.Millisecond
	if last == 0 {
		return whole > silent
	}
	return last-first > silent
}

// wholeToken is the progress token of the call that is left to end.
const wholeToken = "conform-whole"

// end listens for as long as the calls would have taken.
func (w *watch) end(ctx context.Context, v *Voice, whole time.Duration) {
	if w == nil {
		return
	}
	<-w.read
	if whole >= slowEnough && whole <= longestSlow {
		pause(ctx, max(whole+whole/8+100*time.Millisecond-time.Since(w.begun), onItsWay+100*time.Millisecond-time.Since(w.since)))
	}
	for _, p := range w.all {
		p.Abandon("cancelled", "the client cancelled the call and listened on for as long as it would have taken")
	}
	v.alive(ctx, "alive:cancelled")
}
