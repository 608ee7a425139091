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
)

const (
	// maxSerial is how many different calls are made one by one besides those of
	// roles; those after the first four only within serialTime.
	maxSerial  = 12
	serialTime = time.Second
	// slowFrom and slowTo bound how long a call takes beside which others are
	// tried: on a busy machine one that is not slow may take a second. A tool
	// with a role that says so is believed from namedSlow on.
	slowFrom, slowTo = 2 * time.Second, 8 * time.Second
	namedSlow        = 500 * time.Millisecond
	// hundred is how many requests are sent in one breath.
	hundred = 100
	// burstID begins the ids of these.
	burstID = 5_000_000
)

// driveConcurrency speaks on the shared session over stdio, where it comes after
// all others; over HTTP on one of its own, and leaves only the burst for then.
func driveConcurrency(ctx context.Context, d *Drive) error {
	v, err := ownOverHTTP(ctx, d)
	if err != nil {
		return err
	}
	var other *Voice
	var opening, wg sync.WaitGroup
	if d.Cell.Transport == "http" && len(d.Facts.CallableTools()) > 0 {
		opening.Go(func() {
			other, _ = d.Fresh(ctx, fakes.Want{NoLists: true, NoStream: true, Purpose: "a second session with the same ids"})
		})
	}
	quick, slow := serialCalls(ctx, d, v)
	ask := func() { err = elsewhere(ctx, d, v, quick) }
	if d.Facts.Modern() && d.Cell.Transport == "http" {
		wg.Go(ask)
	}
	mixed(ctx, d, v, quick)
	parallelCalls(ctx, v, quick)
	if d.Facts.Modern() && d.Cell.Transport != "http" {
		ask()
	}
	opening.Wait()
	twoSessions(ctx, v, other, quick)
	wg.Wait()
	besideSlow(ctx, d, v, slow)
	d.Others(ctx)
	burst(ctx, d, v)
	return err
}

func ownOverHTTP(ctx context.Context, d *Drive) (*Voice, error) {
	if d.Cell.Transport != "http" {
		return d.Shared(ctx), nil
	}
	return d.Fresh(ctx, fakes.Want{NoLists: true, NoStream: true, Purpose: "concurrency"})
}

// serialCalls makes valid calls one by one, each twice, and returns those that
// were quick, and one that was slow, nil when none was.
func serialCalls(ctx context.Context, d *Drive, v *Voice) (quick []toolCall, slow *toolCall) {
	var calls []toolCall
	for _, job := range []string{JobSlow, JobProgresses} {
		if t, r := d.Facts.RoleTool(job); t != nil && t.Callable {
			calls = append(calls, toolCall{label: job, tool: t.Name, args: r.Arguments})
		}
	}
	roles := len(calls)
	calls = append(calls, variedCalls(d.Facts)...)
	begin, counted := time.Now(), time.Now()
	var times []time.Duration
	var whole time.Duration
	for i, c := range calls {
		if i == roles {
			counted = time.Now()
		}
		n := i - roles
		if n >= maxSerial || n >= 4 && time.Since(counted) > serialTime || time.Since(begin) > patience || ctx.Err() != nil {
			break
		}
		took, ok := v.timed(ctx, "serial:"+c.label, c)
		from := slowFrom
		if c.label == JobSlow || c.label == JobProgresses {
			from = namedSlow
		}
		switch {
		case ok && took >= from && took < slowTo && slow == nil:
			slow, whole = &calls[i], took
		case ok && took < slowFrom:
			if _, again := v.timed(ctx, "again:"+c.label, c); again {
				quick, times = append(quick, c), append(times, took)
			}
		}
	}
	// Where every call takes long, none is slow.
	if slices.Sort(times); len(times) > 0 && whole < 4*times[len(times)/2] {
		slow = nil
	}
	return quick, slow
}

// variedCalls are up to three calls of each tool with different arguments, tool
// by tool: those of one tool are what is most easily mixed up.
func variedCalls(f *Facts) []toolCall {
	var out []toolCall
	for _, t := range f.CallableTools() {
		for n, set := range CallArguments(f, t) {
			if n < 3 {
				out = append(out, toolCall{label: fmt.Sprintf("%s#%d", toolLabel(f, t), n+1), tool: t.Name, args: set.JSON})
			}
		}
		if len(out) >= maxSerial {
			break
		}
	}
	return out
}

// timed makes one call and says how long it took and whether it was answered.
func (v *Voice) timed(ctx context.Context, label string, c toolCall) (time.Duration, bool) {
	one, cancel := context.WithTimeout(ctx, slowTo)
	defer cancel()
	begin := time.Now()
	err := v.Do(one, fakes.Ask{Label: label, Method: "tools/call", Params: fakes.Call(c.tool, c.args), Limit: 2 * slowTo})
	return time.Since(begin), err == nil
}

// mixed sends twenty requests of all kinds at once, under 2026-07-28 in the name of different clients.
func mixed(ctx context.Context, d *Drive, v *Voice, quick []toolCall) {
	method, _ := harmless(d.Facts)
	var kinds []fakes.Ask
	for _, k := range lists() {
		if offered(d.Facts, k) {
			kinds = append(kinds, fakes.Ask{Method: k.method})
		}
	}
	kinds = append(kinds, fakes.Ask{Method: method}, fakes.Ask{Method: "conform/no-such-method"})
	if d.Facts.HasTools() {
		kinds = append(kinds, fakes.Ask{Method: "tools/call", Params: fakes.Call(unknownPlain, []byte(`{}`))})
	}
	for _, c := range quick {
		kinds = append(kinds, fakes.Ask{Method: "tools/call", Params: fakes.Call(c.tool, c.args)})
	}
	var wg sync.WaitGroup
	for i := range 20 {
		a := kinds[i%len(kinds)]
		a.Label = fmt.Sprintf("mixed:%d", i+1)
		if d.Facts.Modern() {
			a.Meta = json.RawMessage(fmt.Sprintf(`{"%s":{"name":"conform-%d","version":"1.0.0"}}`, fakes.MetaClientInfo, i%3+1))
		}
		p := v.Start(ctx, a)
		wg.Go(func() { _ = p.Wait(ctx) })
	}
	wg.Wait()
}

// parallelCalls makes the quick calls together, each twice and no more than twenty.
func parallelCalls(ctx context.Context, v *Voice, quick []toolCall) {
	var wg sync.WaitGroup
	for n := range 2 {
		for _, c := range quick {
			p := v.Start(ctx, fakes.Ask{Label: fmt.Sprintf("parallel:%s/%d", c.label, n+1), Method: "tools/call", Params: fakes.Call(c.tool, c.args)})
			wg.Go(func() { _ = p.Wait(ctx) })
		}
	}
	wg.Wait()
}

// twoSessions makes different calls with the same ids on two sessions at the same time.
// other is nil where there is none.
func twoSessions(ctx context.Context, v, other *Voice, quick []toolCall) {
	if other == nil {
		return
	}
	defer other.Done()
	var wg sync.WaitGroup
	for i := range quick {
		id := fmt.Sprintf("%d", 4_000_000+i)
		for j, s := range []*Voice{v, other} {
			c := quick[(i+j)%len(quick)]
			p := s.Start(ctx, fakes.Ask{Label: fmt.Sprintf("pair:%s/%d.%d", c.label, i+1, j+1), Method: "tools/call", ID: id, Params: fakes.Call(c.tool, c.args)})
			wg.Go(func() { _ = p.Wait(ctx) })
		}
	}
	wg.Wait()
}

// besideSlow asks for other things while a slow call runs.
func besideSlow(ctx context.Context, d *Drive, v *Voice, slow *toolCall) {
	if slow == nil {
		return
	}
	asks := []fakes.Ask{{Label: "list", Method: "tools/list"}}
	if !d.Facts.Modern() {
		asks = append(asks, fakes.Ask{Label: "ping", Method: "ping"})
	}
	for _, a := range asks {
		a.Label = "idle:" + a.Label
		_ = v.Do(ctx, a)
	}
	p := v.Start(ctx, fakes.Ask{Label: "slow:call", Method: "tools/call", Params: fakes.Call(slow.tool, slow.args), Limit: 2 * slowTo})
	var wg sync.WaitGroup
	for _, a := range asks {
		a.Label = "beside:" + a.Label
		q := v.Start(ctx, a)
		wg.Go(func() { _ = q.Wait(ctx) })
	}
	wg.Wait()
	_ = p.Wait(ctx)
}

// elsewhere calls a tool on a connection that listed nothing, and answers there
// a question that was asked on another.
func elsewhere(ctx context.Context, d *Drive, v *Voice, quick []toolCall) error {
	a, asks := findAsking(ctx, d, v)
	if len(quick) == 0 && !asks {
		return nil
	}
	other, err := d.Fresh(ctx, fakes.Want{NoLists: true, NoStream: true, Purpose: "a connection that listed nothing"})
	if other == nil || err != nil {
		return err
	}
	defer other.Done()
	if len(quick) > 0 {
		_ = other.Do(ctx, fakes.Ask{Label: "elsewhere:" + quick[0].label, Method: "tools/call", Params: fakes.Call(quick[0].tool, quick[0].args)})
	}
	if !asks {
		return nil
	}
	if a.cancelOn(ctx, v, other, "") {
		return nil
	}
	// What fails where it was asked as well has nothing to do with connections.
	a.cancelOn(ctx, v, v, "-here")
	return nil
}

// cancelOn makes a tool ask on one connection, cancels the question on another
// and says whether that led to a result, or there was nothing to cancel. The
// labels end in a suffix.
func (a asking) cancelOn(ctx context.Context, one, other *Voice, suffix string) bool {
	forms := json.RawMessage(`{"elicitation":{}}`)
	call := fakes.Call(a.tool.Name, a.args)
	_ = one.Do(ctx, fakes.Ask{Label: "asked" + suffix, Method: "tools/call", Params: call, Capabilities: forms})
	asked := answerResult(one.Answer("asked" + suffix))
	if !wantsInput(asked) {
		return true
	}
	retry := cancelAll(call, asked)
	if retry == nil {
		return true
	}
	_ = other.Do(ctx, fakes.Ask{Label: "retried" + suffix, Method: "tools/call", Params: retry, Capabilities: forms})
	got := answerResult(other.Answer("retried" + suffix))
	return got.Exists() && !wantsInput(got)
}

// cancelAll repeats a call with every question cancelled; nil when something
// else than a form is asked for.
func cancelAll(call json.RawMessage, result gjson.Result) json.RawMessage {
	var answers []string
	plain := true
	result.Get("inputRequests").ForEach(func(k, q gjson.Result) bool {
		plain = plain && q.Get("method").Str == "elicitation/create"
		answers = append(answers, k.Raw+`:{"action":"cancel"}`)
		return true
	})
	if !plain || len(answers) == 0 {
		return nil
	}
	params := withMember(parsed(call), "inputResponses", "{"+strings.Join(answers, ",")+"}")
	if state := result.Get("requestState"); state.Exists() {
		params = withMember(parsed(params), "requestState", state.Raw)
	}
	return params
}
