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

const pageProgress = "basic/utilities/progress"

func progress() Scenario {
	return Scenario{
		ID: "progress", Title: "Progress", Waits: true, Needs: NeedsTools,
		Summary: "Calls a tool that reports progress with tokens of every kind and without one, and listens on after the answer.",
		Drive:   driveProgress,
		Checks: []Check{
			{
				ID: "progress/sent-when-asked", Claim: "A long call that is asked to tells how far it is.", Level: Note,
				Why:    "A person sees that something happens, and clients that restart their clock on progress wait longer.",
				Remedy: "Send notifications/progress with the caller's token and a short message.",
				Basis:  []string{pageProgress}, Requirements: []string{"progress.optional", "progress.message-useful"},
				Judge: judgeProgressSent,
			},
			{
				ID: "progress/token-known", Claim: "Progress names a token of a request that is running.", Level: Must,
				Why:    "Clients that get an unknown token report an error for each one; some close the connection.",
				Remedy: "Take the token from _meta.progressToken of the request, and send nothing where there is none.",
				Basis:  []string{pageProgress}, Requirements: []string{"progress.token-known"},
				Judge: judgeTokenKnown,
			},
			{
				ID: "progress/token-echoed", Claim: "The token comes back as it was sent, in value and in type.", Level: Should,
				Why:    "A client that looks its token up finds nothing when a number comes back as text.",
				Remedy: "Pass the token on untouched; it may be a string or an integer.",
				Basis:  []string{pageProgress}, Requirements: []string{"progress.token-exact"},
				Judge: judgeTokenEchoed,
			},
			{
				ID: "progress/falsy-token", Claim: `The tokens 0 and "" count as tokens.`, Level: Note,
				Why:    "SDK clients use the request id as the token, and their first id is 0.",
				Remedy: "Compare the token with undefined (or nil), not with zero.",
				Basis:  []string{pageProgress}, Requirements: []string{"progress.token-exact"},
				Judge: judgeFalsyToken,
			},
			{
				ID: "progress/increasing", Claim: "Progress grows with each notification of a token.", Level: Must,
				Why:    "A bar that stands still or runs back tells a person that the call is stuck.",
				Remedy: "Count up over the whole call, also when a new phase begins.",
				Basis:  []string{pageProgress}, Requirements: []string{"progress.increases"},
				Judge: judgeIncreasing,
			},
			{
				ID: "progress/total-kept", Claim: "A total that is known stays known, and progress does not pass it.", Level: Note,
				Why:    "A bar becomes a spinner in mid-call, or shows more than all.",
				Remedy: "Send the total with every notification, and raise it before progress passes it.",
				Basis:  []string{pageProgress}, Requirements: []string{"progress.total-plausible"},
				Judge: judgeTotal,
			},
			{
				ID: "progress/none-unasked", Claim: "A call without a token gets no progress.", Level: Should,
				Why:    "Cursor shows an error for every notification it cannot place; Claude Code was seen to restart the server.",
				Remedy: "Send progress only when _meta.progressToken is there.",
				Basis:  []string{pageProgress}, Requirements: []string{"progress.none-without-token"},
				Judge: judgeUnasked,
			},
			{
				ID: "progress/none-after-answer", Claim: "No progress comes after the answer.", Level: Must,
				Why:    "The token is gone by then: clients report an unknown token, and some tear the connection down.",
				Remedy: "Send the last notification before the answer, and stop timers before you answer.",
				Basis:  []string{pageProgress}, Requirements: []string{"progress.stops"},
				Judge: judgeLateProgress,
			},
			{
				ID: "progress/before-answer", Claim: "Progress is written before the answer it belongs to.", Level: Note,
				Why:    "What comes with or after the answer is lost on SDK clients.",
				Remedy: "Leave a moment between the last notification and the answer.",
				Basis:  []string{pageProgress}, Requirements: []string{"progress.before-response"},
				Judge: judgeBeforeAnswer,
			},
			{
				ID: "progress/rate", Claim: "Progress does not flood: no more than a hundred notifications in a second.", Level: Note,
				Why:    "Each one is read, checked and drawn; thousands slow the client and the model down.",
				Remedy: "Report a few times a second.",
				Basis:  []string{pageProgress}, Requirements: []string{"progress.rate"},
				Judge: judgeRate,
			},
			{
				ID: "progress/own-stream", Claim: "Over HTTP progress comes on the stream of its own request.", Level: Must,
				Why:    "On another stream, such as that of a subscription, the client looks for another request.",
				Remedy: "Send the notification with its request as the related one.",
				Basis:  []string{"basic/transports/streamable-http#receiving-messages"}, Requirements: []string{"progress.own-stream", "subscriptions.no-request-messages", "http.sse-notifications-related"},
				Judge: judgeOwnStream,
			},
			{
				ID: "progress/answer-survives-deaf-client", Claim: "A client that opens no stream of its own gets the answer all the same.", Level: Should,
				Why:    "Half of the HTTP clients open no GET stream. A server that waits for one never answers them.",
				Remedy: "Send progress on the stream of the call, or drop it when nobody listens.",
				Basis:  []string{"basic/transports#listening-for-messages-from-the-server"},
				Judge:  judgeDeaf,
			},
		},
	}
}

// afterwards is how long a session listens on after the last answer.
const afterwards = 500 * time.Millisecond

func driveProgress(ctx context.Context, d *Drive) error {
	tool, args, slow, ok, finish := findProgressing(ctx, d)
	defer finish()
	if !ok {
		return nil
	}
	var wg sync.WaitGroup
	var deafErr error
	if d.Cell.Transport == "http" && !d.Facts.Modern() {
		wg.Go(func() { deafErr = progressDeaf(ctx, d, tool, args) })
	}
	v, err := d.Fresh(ctx, fakes.Want{Purpose: "progress", NoLists: true})
	if err != nil {
		wg.Wait()
		return err
	}
	var listen *fakes.Pending
	if d.Cell.Transport == "http" && d.Facts.Modern() {
		listen = v.Start(ctx, fakes.Ask{Label: "listen", Method: "subscriptions/listen", Params: json.RawMessage(`{"notifications":{"toolsListChanged":true}}`)})
	}
	var calls []toolCall
	for _, t := range progressTokens() {
		calls = append(calls, toolCall{label: "token:" + t.name, tool: tool.Name, args: args, meta: json.RawMessage(`{"progressToken":` + t.raw + `}`)})
	}
	unasked := toolCall{label: "unasked", tool: tool.Name, args: args}
	if slow {
		v.callAll(ctx, append(calls, unasked))
	} else {
		v.callAll(ctx, calls)
		v.callAll(ctx, []toolCall{unasked})
	}
	pause(ctx, afterwards)
	if listen != nil {
		listen.Drop()
	}
	wg.Wait()
	return deafErr
}

// progressTokens are tokens of all kinds, the plain ones first.
func progressTokens() []struct{ name, raw string } {
	return []struct{ name, raw string }{
		{"string", `"conform-progress"`}, {"integer", `4711`}, {"digits", `"7"`}, {"zero", `0`}, {"empty", `""`},
	}
}

// findProgressing returns the tool that reports progress: that of the role, that
// of the role slow, or the first that does when every tool is called once. slow
// says that its call takes long. The calls of the others may still run; finish
// waits for them, but not long.
func findProgressing(ctx context.Context, d *Drive) (tool *Tool, args json.RawMessage, slow, ok bool, finish func()) {
	finish = func() {}
	for _, job := range []string{JobProgresses, JobSlow} {
		if t, r := d.Facts.RoleTool(job); t != nil && t.Callable && (job == JobProgresses || d.Facts.Role(JobProgresses) == nil) {
			return t, r.Arguments, false, true, finish
		}
	}
	v := d.Shared(ctx)
	calls := validCalls(d.Facts, "find:", 1)
	for i := range calls {
		calls[i].meta = json.RawMessage(fmt.Sprintf(`{"progressToken":"conform-find-%d"}`, i+1))
	}
	all, enough := context.WithCancel(ctx)
	long := time.After(findFor)
	done := make(chan struct{})
	go func() {
		defer close(done)
		v.callAll(all, calls)
	}()
	finish = func() {
		defer enough()
		select {
		case <-done:
		case <-long:
			enough()
			<-done
		}
	}
	for begin := time.Now(); ; {
		over := false
		select {
		case <-done:
			over = true
		case <-time.After(25 * time.Millisecond):
		}
		c, took, ok := v.firstProgressing(calls, over || time.Since(begin) > findFor)
		if ok || over {
			return d.Facts.Tool(c.tool), c.args, took > longCall, ok, finish
		}
	}
}

// firstProgressing is the first of the calls that reported progress, and how long
// it took or has taken. Until it is late it counts only when it was answered or has
// taken long, and when those before it were answered: the choice is not to be one
// of chance.
func (v *Voice) firstProgressing(calls []toolCall, late bool) (c toolCall, took time.Duration, ok bool) {
	tape, now := v.Tape().Events(), time.Since(v.Tape().Began())
	times, sent, told := answerTimes(tape), map[string]time.Duration{}, map[string]bool{}
	for i := range tape {
		switch m := tape[i].Message(); {
		case tape[i].Kind == wire.Send:
			sent[tape[i].Probe] = tape[i].At
		case m.Method == "notifications/progress":
			told[m.Root.Get("params.progressToken").Raw] = true
		}
	}
	for i, c := range calls {
		label, reported := v.scope+c.label, told[fmt.Sprintf(`"conform-find-%d"`, i+1)]
		took, answered := times[label]
		if at, ok := sent[label]; ok && !answered {
			took = now - at
		}
		switch {
		case reported && (answered || late || took > longCall):
			return c, took, true
		case reported, !answered && !late:
			return toolCall{}, 0, false
		}
	}
	return toolCall{}, 0, false
}

// findFor is how long tools have to show progress before it is enough that one does.
const findFor = 1500 * time.Millisecond

// longCall is from when on calls are made together: one after the other they would take too long.
const longCall = 150 * time.Millisecond

// progressDeaf calls the tool as a client that opens no stream.
func progressDeaf(ctx context.Context, d *Drive, tool *Tool, args json.RawMessage) error {
	v, err := d.Fresh(ctx, fakes.Want{Purpose: "progress, a client without a stream", NoLists: true, NoStream: true})
	if err != nil {
		return err
	}
	v.await(ctx, v.Start(ctx, fakes.Ask{Label: "deaf", Method: "tools/call", Params: fakes.Call(tool.Name, args), Meta: json.RawMessage(`{"progressToken":"conform-deaf"}`)}))
	return nil
}

// whyNoProgress says why no progress was seen.
func (e *Evidence) whyNoProgress() Ruling {
	const help = "give a tool the role progresses in conform.yaml"
	switch {
	case e.Facts.Run.Behind != "" && e.Cell.Transport == "http":
		return NotApplicable("behind " + e.Facts.Run.Behind + " progress is lost without sessions")
	case len(e.Facts.Tools) == 0:
		return NotApplicable("the server lists no tools")
	case len(e.Facts.CallableTools()) == 0:
		return NotSeen("no tool may be called, so none could report progress; allow one, or " + help)
	case e.Facts.Role(JobProgresses) == nil && e.allTried() && len(e.reports()) == 0:
		return NotApplicable("none of the server's tools reports progress when it is called with a token")
	}
	return NotSeen("no progress was seen; " + help)
}

// reported is one progress notification.
type reported struct {
	received
	// of is the request with its token, nil when there is none; loose says that
	// the token is the same but for its type; late that the request was answered before.
	of          *Exchange
	loose, late bool
	at          int
}

// reports lists every progress notification that anybody got under the cell's
// revision and transport.
func (e *Evidence) reports() []reported { return onTapes(e, "reports", e.readReports) }

func (e *Evidence) readReports() []reported {
	var out []reported
	for _, t := range e.Run.Select("", e.Cell.Revision, e.Cell.Transport) {
		var asked []*Exchange
		for _, x := range e.Run.Exchanges(t) {
			if x.Request.Root.Get("params._meta.progressToken").Exists() {
				asked = append(asked, x)
			}
		}
		events := t.Events()
		for i := range events {
			m := events[i].Message()
			if !m.IsNotification() || m.Method != "notifications/progress" || events[i].Kind != "recv" {
				continue
			}
			r := reported{received: received{event: &events[i], tape: t}, at: i}
			if r.attribute(asked); r.of != nil && becameTask(r.of) {
				continue // progress of a task goes on after the answer, and has checks of its own
			}
			out = append(out, r)
		}
	}
	return out
}

// attribute finds the request that a notification belongs to: the last one with
// its token that is open, else the last one that was answered.
func (r *reported) attribute(asked []*Exchange) {
	token := r.event.Message().Root.Get("params.progressToken")
	for _, exact := range []bool{true, false} {
		for _, x := range slices.Backward(asked) {
			mine := x.Request.Root.Get("params._meta.progressToken")
			if x.At > r.at || token.Type != gjson.String && token.Type != gjson.Number || exact && mine.Raw != token.Raw || !exact && mine.String() != token.String() {
				continue
			}
			open := x.AnswerAt < 0 || x.AnswerAt > r.at
			if r.of == nil || open && r.late {
				r.of, r.loose, r.late = x, !exact, !open
			}
		}
		if r.of != nil {
			return
		}
	}
}

// byRequest groups notifications by the request they belong to, in order.
func byRequest(all []reported) [][]reported {
	var out [][]reported
	at := map[*Exchange]int{}
	for _, r := range all {
		if r.of == nil {
			continue
		}
		i, ok := at[r.of]
		if !ok {
			i = len(out)
			at[r.of] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}
