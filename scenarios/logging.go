package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

func logging() Scenario {
	return Scenario{
		ID: "logging", Title: "Log messages", Waits: true,
		Summary: "Sets each log level, or names one with a request, and one that does not exist; calls tools and looks at the log messages that come.",
		Drive:   driveLogging,
		Checks: []Check{
			{
				ID: "logging/set-level", Claim: "With logging declared, logging/setLevel takes each of the eight levels.", Level: Should,
				Why:    "Clients set a level right after the handshake; an error there stops some of them.",
				Remedy: "Answer logging/setLevel with {} for debug, info, notice, warning, error, critical, alert and emergency.",
				Basis:  []string{"server/utilities/logging"}, Requirements: []string{"logging.set-level"},
				Judge: legacy(declaresLogging(judgeSetLevel)),
			},
			{
				ID: "logging/level-refused", Claim: "A log level that does not exist is refused with -32602.", Level: Should,
				Why:    "A client that misspells a level waits for messages that never come.",
				Remedy: "Compare the level with the eight names, and answer others with JSON-RPC error -32602.",
				Basis:  []string{"server/utilities/logging#error-handling"}, Requirements: []string{"logging.set-level-invalid", "logging.bad-level-refused"},
				Judge: declaresLogging(judgeLevelRefused),
			},
			{
				ID: "logging/undeclared", Claim: "Without logging declared, logging/setLevel is an unknown method.", Level: Note,
				Why:    "An answer that looks like success lets a client show an empty log for ever.",
				Remedy: "Answer with -32601, or declare logging.",
				Basis:  []string{"server/utilities/logging"}, Requirements: []string{"logging.set-level-undeclared"},
				Judge: legacy(judgeLoggingUndeclared),
			},
			{
				ID: "logging/level-respected", Claim: "After logging/setLevel only messages of that level or above come.", Level: Should,
				Why:    "A client that wants errors alone is flooded with debug messages.",
				Remedy: "Keep the level of each session, and compare before you send.",
				Basis:  []string{"schema#setlevelrequest"}, Requirements: []string{"logging.level-respected"},
				Judge: legacy(declaresLogging(judgeLevelRespected)),
			},
			{
				ID: "logging/opt-in", Claim: "No log message comes for a request that did not ask for a level.", Level: Must,
				Why:    "Clients of 2026-07-28 have no place for messages they did not ask for; behind one connection they may reach somebody else.",
				Remedy: "Log only for requests whose _meta has io.modelcontextprotocol/logLevel, and forget the level when the request is answered.",
				Basis:  []string{"server/utilities/logging#per-request-log-level"}, Requirements: []string{"logging.opt-in", "logging.not-sticky"},
				Judge: modern(judgeLogOptIn),
			},
			{
				ID: "logging/opt-in-level", Claim: "The log messages of a request are of the level it asked for or above, and come before its answer.", Level: Should,
				Why:    "What comes after the answer is lost, and what is below the level was not wanted.",
				Remedy: "Compare each message with the level in the request's _meta, and send all of them before the answer.",
				Basis:  []string{"server/utilities/logging#per-request-log-level"}, Requirements: []string{"logging.opt-in-level", "logging.before-response"},
				Judge: modern(judgeLogLevel),
			},
			{
				ID: "logging/own-stream", Claim: "Log messages come on the stream of the request that asked for them, and on no other.", Level: Must,
				Why:    "A subscription may be read by somebody else than the one who called the tool.",
				Remedy: "Write log messages to the stream of their request.",
				Basis:  []string{"server/utilities/logging#per-request-log-level"}, Requirements: []string{"logging.own-stream", "subscriptions.no-request-messages"},
				Judge: modern(judgeLogStream),
			},
			{
				ID: "logging/no-secrets", Claim: "Log messages hold no credentials, no stack traces and no paths below a home folder.", Level: Should,
				Why:    "Clients show log messages, keep them, and hand them to models.",
				Remedy: "Leave such members out, or put *** in their place.",
				Basis:  []string{"server/utilities/logging#security"}, Requirements: []string{"logging.no-secrets"},
				Judge: judgeLogSecrets,
			},
			{
				ID: "logging/rate", Claim: "No more than 100 log messages come in a second.", Level: Note,
				Why:    "Each message costs the client time; a flood of them hides the answer. The number is conform's own.",
				Remedy: "Limit the rate, and put steady names into logger.",
				Basis:  []string{"server/utilities/logging#implementation-considerations"}, Requirements: []string{"logging.rate", "logging.context-and-names"},
				Judge: judgeLogRate,
			},
		},
	}
}

// declaresLogging makes a judge for servers that declare logging.
func declaresLogging(j func(*Evidence) Ruling) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		if !e.Facts.Capability("logging").Exists() {
			return NotApplicable("the server does not declare logging")
		}
		return j(e)
	}
}

// logLevels are the levels of log messages, the least severe first.
func logLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

// metaLevel is the member of _meta by which a request of 2026-07-28 asks for log messages.
const metaLevel = "io.modelcontextprotocol/logLevel"

func driveLogging(ctx context.Context, d *Drive) error {
	v := d.Shared(ctx)
	switch declared := d.Facts.Capability("logging").Exists(); {
	case !declared && !v.Modern():
		_ = v.setLevel(ctx, "undeclared", "info")
	case !declared:
		// Nothing to ask for; what comes all the same is seen on every tape.
	case v.Modern():
		v.logModern(ctx, d)
	default:
		v.logLegacy(ctx, d)
	}
	return nil
}

func (v *Voice) setLevel(ctx context.Context, label, level string) error {
	return v.Do(ctx, fakes.Ask{Label: label, Method: "logging/setLevel", Params: json.RawMessage(`{"level":"` + level + `"}`)})
}

// logGrace is how long messages may be on their way after a level was changed
// or a request was answered.
const logGrace = 300 * time.Millisecond

// logLegacy sets every level, debug last, and calls tools; then it asks for
// errors alone and calls again those that were quick.
func (v *Voice) logLegacy(ctx context.Context, d *Drive) {
	sets := []func(){func() { _ = v.setLevel(ctx, "refused", "loud") }}
	all := logLevels()
	for _, level := range all[1:] {
		sets = append(sets, func() { _ = v.setLevel(ctx, "level:"+level, level) })
	}
	d.Do(sets...)
	_ = v.setLevel(ctx, "level:"+all[0], all[0])
	quick, logged := v.callLogging(ctx, validCalls(d.Facts, "debug:", 1))
	if logged {
		_ = v.setLevel(ctx, "raise", "error")
		pause(ctx, logGrace+100*time.Millisecond)
		v.callAll(ctx, relabelled(quick, "debug:", "error:", ""))
	}
	_ = v.setLevel(ctx, "lower", "info")
}

// logModern names the level with each call: debug, then error, then none at all.
// Over HTTP a subscription is open meanwhile, on which no message may come.
func (v *Voice) logModern(ctx context.Context, d *Drive) {
	_ = v.Do(ctx, fakes.Ask{Label: "refused", Method: listMethod(d.Facts), Meta: levelMeta("loud")})
	if d.Cell.Transport == "http" {
		// It is open before tools are called: what they log must have the choice.
		if listen := v.listen(ctx, "listen", "", `{"toolsListChanged":true}`); listen != nil {
			defer listen.Drop()
		}
	}
	quick, logged := v.callLogging(ctx, relabelled(validCalls(d.Facts, "debug:", 1), "", "", "debug"))
	if !logged {
		return
	}
	v.callAll(ctx, relabelled(quick, "debug:", "error:", "error"))
	pause(ctx, 2*logGrace+100*time.Millisecond)
	v.callAll(ctx, relabelled(quick, "debug:", "plain:", ""))
}

func levelMeta(level string) json.RawMessage {
	return json.RawMessage(`{"` + metaLevel + `":"` + level + `"}`)
}

// callLogging makes calls, and says which were answered within 600 ms, or within
// four times as long as half of them, and whether any log message came meanwhile.
func (v *Voice) callLogging(ctx context.Context, calls []toolCall) (quick []toolCall, logged bool) {
	from := len(v.Tape().Events())
	v.callAll(ctx, calls)
	events := v.Tape().Events()[from:]
	logged = slices.ContainsFunc(events, func(ev wire.Event) bool {
		return ev.Kind == wire.Recv && ev.Message().Method == "notifications/message"
	})
	took := answerTimes(events)
	times := slices.Sorted(maps.Values(took))
	bound := 600 * time.Millisecond
	if len(times) > 0 {
		bound = max(bound, 4*times[len(times)/2])
	}
	for _, c := range calls {
		if t, ok := took[v.scope+c.label]; ok && t < bound {
			quick = append(quick, c)
		}
	}
	return quick, logged
}

// relabelled are the same calls under other labels and with another log level, "" for none.
func relabelled(calls []toolCall, old, new, level string) []toolCall {
	var out []toolCall
	for _, c := range calls {
		c.label = new + strings.TrimPrefix(c.label, old)
		c.meta = nil
		if level != "" {
			c.meta = levelMeta(level)
		}
		out = append(out, c)
	}
	return out
}

// askedLevel is the rank of the level that a request asks log messages for, -1 for none.
func askedLevel(m *wire.Message) int {
	return levelRank(m.Root.Get("params._meta." + strings.ReplaceAll(metaLevel, ".", `\.`)))
}

// levelRank is the rank of a level, -1 for one that does not exist.
func levelRank(v gjson.Result) int {
	for i, l := range logLevels() {
		if v.Str == l {
			return i
		}
	}
	return -1
}

func sayLog(m *wire.Message) string {
	return fmt.Sprintf("a message of level %s: %s", short(m.Root.Get("params.level").String(), 20), short(m.Root.Get("params.data").Raw, 160))
}
