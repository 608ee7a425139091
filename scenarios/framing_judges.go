package scenarios

import (
	"fmt"
	"strings"

	"github.com/agntn/conform/fakes/wire"
)

func judgeBOMTolerated(e *Evidence) Ruling {
	return e.eachFrame(func(x *Exchange) *Fault {
		return e.died(x, "an answer, error -32700 or nothing, and a server that goes on")
	}, "bom")
}

func judgeBlankTolerated(e *Evidence) Ruling {
	return e.eachFrame(func(x *Exchange) *Fault { return e.died(x, "a server that goes on") }, "blank:")
}

// judgeLineAnswered wants an answer to a right request in an odd line. A server
// that does not echo plain text ids cannot be judged by them.
func judgeLineAnswered(e *Evidence, label string) Ruling {
	if !e.heard(e.plainLine("ascii")) {
		return NotSeen("a plain request with a text as id was not answered either")
	}
	return e.eachFrame(func(x *Exchange) *Fault { return e.lineFault(x) }, label)
}

// plainLine is the one probe of a kind, nil when it was not sent.
func (e *Evidence) plainLine(kind string) *Exchange {
	if all := e.last(kind + ":"); len(all) > 0 {
		return all[0]
	}
	return nil
}

// heard says that the answer to a request came under its id, whatever its escapes.
func (e *Evidence) heard(x *Exchange) bool {
	return x != nil && (x.Answered() || e.decodedEcho(x))
}

func (e *Evidence) lineFault(x *Exchange) *Fault {
	if e.heard(x) {
		return nil
	}
	observed := "no answer, while other requests are answered"
	if how := e.survived(x); how != "" {
		observed = how
	} else if m := e.misnamed(x); m != nil {
		observed = "an answer with " + sayID(m)
	} else if all := e.replies(x); len(all) > 0 {
		observed = short(string(all[0].event.Raw), 200)
	}
	return &Fault{Expected: "an answer with id " + short(x.Request.ID, 60), Observed: observed}
}

func judgeSplit(e *Evidence) Ruling {
	if !e.heard(e.plainLine("ascii")) {
		return NotSeen("a plain request with a text as id was not answered either")
	}
	whole := e.heard(e.plainLine("whole"))
	return e.eachFrame(func(x *Exchange) *Fault {
		f := e.lineFault(x)
		if f != nil && !whole && strings.HasSuffix(x.Label, "characters") {
			f.Observed += "; nor is it answered right in one piece"
		}
		return f
	}, "split:")
}

func judgeBig(e *Evidence) Ruling {
	var r Ruling
	for _, prefix := range []string{"big:", "long:"} {
		for _, x := range e.last(prefix) {
			subject := "a request of " + strings.TrimPrefix(x.Label, "big:")
			if prefix == "long:" {
				subject = "a call of " + toolName(x) + " with 100 KiB of text"
			}
			f := lostFault(x, "an answer or an error")
			if f != nil {
				f.Subject = subject
				if cut := cutAnswer(x); cut != "" {
					f.Observed = cut
				}
			}
			r = r.add(x, f)
			if x.Answered() && prefix == "long:" {
				r.Note = fmt.Sprintf("the longest answer has %d bytes", max(len(x.Tape.Events()[x.AnswerAt].Raw), 0))
			}
		}
	}
	return r
}

// cutAnswer finds the beginning of an answer behind a request that got none.
func cutAnswer(x *Exchange) string {
	for _, ev := range x.Tape.Events()[x.At:] {
		if ev.Kind == wire.Recv && !ev.Message().Valid && looksLikeFrame(ev.Raw) {
			return fmt.Sprintf("an answer that is cut off after %d bytes", len(ev.Raw))
		}
	}
	return ""
}

// judgeLastLine looks at the last line before each end of the server.
func judgeLastLine(e *Evidence) Ruling {
	var r Ruling
	for _, t := range e.Tapes() {
		events := t.Events()
		last, ended := -1, false
		for i := range events {
			switch events[i].Kind {
			case wire.Recv:
				last = i
			case wire.Exit:
				ended = true
			}
		}
		if last < 0 || !ended || len(events[last].Raw) == 0 || events[last].Cut > 0 {
			continue
		}
		r.Seen++
		ev, why := &events[last], ""
		switch {
		case !ev.Message().Valid && looksLikeFrame(ev.Raw):
			why = "a message that is cut off"
		case ev.Status == "unfinished":
			why = "a message without its line feed"
		}
		if why != "" && len(r.Faults) == 0 {
			r.Faults = append(r.Faults, Fault{
				Subject: "stdout", Expected: "a whole message and a line feed", Observed: why + ": " + short(string(ev.Raw), 120),
				Proof: []*Exchange{loneFrame(received{event: ev, tape: t})},
			})
		}
	}
	return r
}

// judgeNotificationsBelong wants each notification of 2026-07-28 to belong to a
// request that is open, or to a subscription.
func judgeNotificationsBelong(e *Evidence) Ruling {
	var r Ruling
	for _, t := range e.Tapes() {
		open := map[string]*Exchange{}
		all := e.Run.Exchanges(t)
		events := t.Events()
		next := 0
		for i := range events {
			for next < len(all) && all[next].At <= i {
				if x := all[next]; x.Request.ID != "" && x.Request.Method != "" {
					open[x.Request.ID] = x
				}
				next++
			}
			ev := &events[i]
			m := ev.Message()
			if ev.Kind != wire.Recv {
				continue
			}
			if m.IsNotification() {
				r.Seen++
				if why := stray(m, open); why != "" && len(r.Faults) < 10 {
					r.Faults = append(r.Faults, Fault{Subject: m.Method, Expected: "a notification that belongs to an open request or subscription", Observed: why, Proof: []*Exchange{loneFrame(received{event: ev, tape: t})}})
				}
			}
			for _, a := range members(m) {
				if x := open[a.ID]; a.IsResponse() && x != nil && x.Request.Method != "subscriptions/listen" {
					delete(open, a.ID)
				}
			}
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server sent no notification")
	}
	return r
}

// stray says why a notification belongs to nothing that is open, "" when it does.
// What a request asked for may still be on its way when its answer is out: that
// is judged with progress and logging.
func stray(m *wire.Message, open map[string]*Exchange) string {
	params := m.Root.Get("params")
	meta := func(x *Exchange, key string) bool {
		return x.Request.Root.Get("params._meta." + strings.ReplaceAll(key, ".", `\.`)).Exists()
	}
	switch m.Method {
	case "notifications/progress":
		return "" // its token is judged with progress
	case "notifications/message":
		for _, x := range open {
			if meta(x, "io.modelcontextprotocol/logLevel") {
				return ""
			}
		}
		return "a log message while no request that asked for logs is open"
	case "notifications/cancelled", "notifications/subscriptions/acknowledged":
		return ""
	}
	if params.Get(`_meta.io\.modelcontextprotocol/subscriptionId`).Exists() {
		for _, x := range open {
			if x.Request.Method == "subscriptions/listen" {
				return ""
			}
		}
		return m.Method + " for a subscription that is not open"
	}
	return m.Method + " without a subscription id"
}

// framingRest are the checks on what the server wrote that need more than one line.
func framingRest() []Check {
	return []Check{
		{
			ID: "framing/last-line-complete", Claim: "The last line before the server ends is a whole message with its line feed.", Level: Note,
			Why:    "Readers drop what has no line feed: the last answer is lost.",
			Remedy: "Wait until stdout is flushed before you exit; do not call process.exit behind a write.",
			Basis:  []string{"basic/transports#stdio"}, Requirements: []string{"stdio.last-line-complete"},
			Judge: judgeLastLine,
		},
		{
			ID: "framing/notifications-belong", Claim: "Under 2026-07-28 each notification belongs to an open request or subscription.", Level: Should,
			Why:    "A client that asked for nothing drops it; one that shares the line cannot tell whose it is.",
			Remedy: "Send change notices on subscriptions with their id, progress and logs only while the request is open.",
			Basis:  []string{"basic/transports/stdio#receiving-messages"}, Requirements: []string{"stdio.notification-kinds"},
			Judge: modern(judgeNotificationsBelong),
		},
	}
}
