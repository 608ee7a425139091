package scenarios

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// longestSlow is how long the slow call may take: its cancelled twin is
// listened to for as long.
const longestSlow = 6 * time.Second

// knownSlow are calls that are slow by what the user or the schema says, to be
// tried in this order: those of the roles, or one tool that takes its time as
// an argument. Where several tools do, the slowest is to be found.
func knownSlow(f *Facts) []toolCall {
	for _, job := range []string{JobSlow, JobProgresses} {
		if t, r := f.RoleTool(job); t != nil && t.Callable {
			return []toolCall{{tool: t.Name, args: r.Arguments}}
		}
	}
	short := timedCalls(f, "250", halfSecond, "1")
	if len(short) != 1 {
		return nil
	}
	// Each longer one is for tools that pause once, for busy machines and for servers far away.
	all := slices.Concat(short, timedCalls(f, "500", "1"), timedCalls(f, "1000", "1"), timedCalls(f, "2000", "2"))
	return slices.CompactFunc(all, func(a, b toolCall) bool { return string(a.args) == string(b.args) })
}

// farAway is from how long an answer takes on that a short call is over before
// its cancellation has surely been read.
const farAway = 80 * time.Millisecond

// answerTimes are how long the requests took that were answered, by their labels
// on the tape.
func answerTimes(events []wire.Event) map[string]time.Duration {
	took := map[string]time.Duration{}
	sent := map[string]*wire.Event{}
	for i := range events {
		ev, m := &events[i], events[i].Message()
		switch {
		case ev.Kind == wire.Send && m.ID != "":
			sent[m.ID] = ev
		case ev.Kind == wire.Recv && m.IsResponse() && sent[m.ID] != nil:
			took[sent[m.ID].Probe] = ev.At - sent[m.ID].At
		}
	}
	return took
}

// isFarAway says that every answer of the server takes long.
func isFarAway(d *Drive) bool {
	times := slices.Collect(maps.Values(answerTimes(d.Session.Tape().Events())))
	return len(times) > 0 && slices.Min(times) > farAway
}

// findSlow returns the slowest of the calls that may be made and do not fail:
// how long a failure takes is chance.
func findSlow(ctx context.Context, d *Drive, v *Voice) (toolCall, bool) {
	calls := append(validCalls(d.Facts, "find:", 1), timedCalls(d.Facts, "400", "1")...)
	v.callAll(ctx, calls)
	events := v.Tape().Events()
	var slowest time.Duration
	var best toolCall
	for _, c := range calls {
		if took, refused := tookOf(events, v.scope+c.label); took > slowest && !refused {
			slowest, best = took, c
		}
	}
	if slowest < slowEnough || slowest > longestSlow {
		v.Note("slow", "none", "no callable tool took longer than "+slowEnough.String())
		return toolCall{}, false
	}
	return best, true
}

// slowEnough is how long a call must take to be cancelled in its middle.
const slowEnough = 300 * time.Millisecond

// cancelable is how long a call had better take: the answer of a shorter one
// may already be on its way when the cancellation is read.
const cancelable = 500 * time.Millisecond

// tookOf is the time from a request to its answer, 0 when it got none, and
// whether that was a refusal.
func tookOf(events []wire.Event, label string) (took time.Duration, refused bool) {
	id, from := "", time.Duration(0)
	for i := range events {
		m := events[i].Message()
		switch {
		case events[i].Kind == wire.Send && events[i].Probe == label:
			id, from = m.ID, events[i].At
		case events[i].Kind == wire.Recv && m.IsResponse() && id != "" && m.ID == id:
			return events[i].At - from, m.HasError || m.Root.Get("result.isError").Bool()
		}
	}
	return 0, false
}

// timedCalls are calls of tools whose schema has a member that names its time
// in milliseconds or seconds, set to the first of the values given that is allowed.
// Members that leave the unit open are only made smaller: 400 may be minutes.
func timedCalls(f *Facts, millis string, seconds ...string) []toolCall {
	var out []toolCall
	for _, t := range f.CallableTools() {
		sets := CallArguments(f, t)
		if len(sets) == 0 || OnlyAsWritten(t) {
			continue
		}
		schema := inputSchema(t)
		t.Get("inputSchema.properties").ForEach(func(k, p gjson.Result) bool {
			var values []string
			switch unit := timeUnit(k.Str, p); {
			case unit == time.Millisecond:
				values = []string{millis}
			case unit == time.Second:
				values = seconds
			case unit == anyUnit && p.Get("default").Num > 1:
				values = []string{"1"} // whatever the unit is, it is shorter than what is usual
				if seconds[0] == halfSecond {
					values = seconds
				}
			}
			for _, value := range values {
				if args := withMember(gjson.ParseBytes(sets[0].JSON), k.Str, value); fits(schema, args) {
					out = append(out, toolCall{label: "find:timed-" + toolLabel(f, t), tool: t.Name, args: args})
					break
				}
			}
			return len(values) == 0
		})
	}
	return out
}

// halfSecond is the shortest time in seconds that is asked for.
const halfSecond = "0.5"

// anyUnit is the unit of a time that does not say which it has.
const anyUnit time.Duration = 1

// timeUnit is the unit of a property that names the time of a tool, 0 when it does not.
func timeUnit(name string, property gjson.Result) time.Duration {
	const what = `(delay|duration|wait|sleep|pause|step|interval)_?`
	switch kind := property.Get("type").Str; {
	case kind != "integer" && kind != "number":
		return 0
	case regexp.MustCompile(`(?i)^(ms|millis|milliseconds|` + what + `(ms|millis))$`).MatchString(name):
		return time.Millisecond
	case regexp.MustCompile(`(?i)^(secs?|seconds|` + what + `(secs?|seconds))$`).MatchString(name):
		return time.Second
	case saysTime(name):
		return anyUnit
	}
	return 0
}

// longByDefault says that a tool takes more than two seconds when it is not told
// how long: nobody waits for it.
func longByDefault(t *Tool) bool {
	return once(t.work, "long by default", func() bool {
		long := false
		t.Get("inputSchema.properties").ForEach(func(k, p gjson.Result) bool {
			n := p.Get("default").Num
			switch unit := timeUnit(k.Str, p); unit {
			case time.Millisecond:
				long = n > 2000
			case time.Second, anyUnit:
				long = n > 2
			}
			return !long
		})
		return long
	})
}

// runWhole makes the slow call to its end and says how long it takes, 0 when it was not answered or failed.
func runWhole(ctx context.Context, v *Voice, c toolCall) time.Duration {
	from := len(v.Tape().Events())
	v.callAll(ctx, []toolCall{{label: "whole", tool: c.tool, args: c.args, meta: json.RawMessage(`{"progressToken":"` + wholeToken + `"}`)}})
	took, refused := tookOf(v.Tape().Events()[from:], v.scope+"whole")
	if refused {
		return 0
	}
	return took
}

// overtakes says that a server over HTTP may have read a cancellation before the
// call: the stream of the call began only after the cancellation was sent, and
// its first sign of life came as late after it as that of a whole call.
func (e *Evidence) overtakes(by, x *Exchange) bool {
	whole := e.Get("whole")
	if e.Cell.Transport != "http" || by == nil || x == nil || x.Head == nil || x.Head.At < by.Sent.At || !whole.Answered() {
		return false
	}
	if x.Head.HTTP.SSE {
		return true // its stream would have been open before
	}
	one, other := firstSign(x), firstSign(whole)
	return one > 0 && one-by.Sent.At >= other-whole.Sent.At
}

// firstSign is when a call first told something, 0 when it never did.
func firstSign(x *Exchange) time.Duration {
	if p := progressOf(x); len(p) > 0 {
		return p[0].At
	}
	if x.Answered() {
		return x.Tape.Events()[x.AnswerAt].At
	}
	return 0
}

// awaitHeads waits, two seconds at most, until the streams of two calls are open
// where the server answers with streams: it has then read the calls, which over
// HTTP go by other connections than what cancels them.
func (v *Voice) awaitHeads(ctx context.Context, labels ...string) {
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end) && ctx.Err() == nil; pause(ctx, 10*time.Millisecond) {
		streams, open := false, 0
		for _, ev := range v.Tape().Events() {
			if ev.Kind == wire.Head && ev.HTTP != nil && ev.HTTP.SSE {
				streams = true
				if label, ours := strings.CutPrefix(ev.Probe, v.scope); ours && slices.Contains(labels, label) {
					open++
				}
			}
		}
		if !streams || open >= len(labels) {
			return
		}
	}
}
