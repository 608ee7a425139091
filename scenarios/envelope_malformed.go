package scenarios

import (
	"fmt"
	"strings"

	"github.com/agntn/conform/fakes/wire"
)

// eachFrame looks at every frame with one of the prefixes.
func (e *Evidence) eachFrame(look func(x *Exchange) *Fault, prefixes ...string) Ruling {
	var r Ruling
	for _, p := range prefixes {
		for _, x := range e.last(p) {
			if e.unsent(x) {
				continue
			}
			r.Seen++
			f := look(x)
			if f == nil {
				if len(r.Proof) < 3 {
					r.Proof = append(r.Proof, x)
				}
				continue
			}
			f.Subject = labelOf(x)
			f.Proof = []*Exchange{x}
			if c := e.behind(x); c != nil && len(e.replies(x)) == 0 {
				f.Proof = append(f.Proof, c)
			}
			r.Faults = append(r.Faults, *f)
		}
	}
	if r.Seen == 0 {
		return NotSeen("no such frame could be sent")
	}
	return r
}

// unsent says that nothing can be told from a frame: neither an answer to its
// POST nor a canary behind it nor the end of the process.
func (e *Evidence) unsent(x *Exchange) bool {
	if x.Sent.Post > 0 {
		return x.Head == nil && x.End != "http"
	}
	return !e.heard(x) && e.behind(x).Unusable() && e.survived(x) == ""
}

// labelOf names a frame for people: what is behind the kind, else the kind.
func labelOf(x *Exchange) string {
	if _, what, ok := strings.Cut(x.Label, ":"); ok {
		return what
	}
	return strings.ReplaceAll(x.Label, "-", " ")
}

// died is the fault of a server that a frame ended or made deaf.
func (e *Evidence) died(x *Exchange, expected string) *Fault {
	how := e.survived(x)
	if how == "" {
		return nil
	}
	return &Fault{Expected: expected, Observed: how, Message: fmt.Sprintf("after %s: %s", labelOf(x), how)}
}

func judgeMalformedSurvived(e *Evidence) Ruling {
	return e.eachFrame(func(x *Exchange) *Fault { return e.died(x, "error -32700 or nothing, and a server that goes on") }, "broken:")
}

func judgeWrongJSONRPC(e *Evidence) Ruling {
	return e.eachFrame(func(x *Exchange) *Fault {
		if f := e.died(x, "error -32600 or nothing, and a server that goes on"); f != nil {
			return f
		}
		if strings.HasPrefix(x.Label, "batch-new") {
			return nil
		}
		for _, m := range e.replies(x) {
			if m.msg.HasError && !oneOf(m.msg.Root.Get("error.code").Raw, "-32600", "-32700", "-32602", "-32601") {
				return &Fault{Expected: "error -32600", Observed: short(string(m.event.Raw), 200)}
			}
		}
		return nil
	}, "invalid:", "batch-new")
}

func oneOf(s string, all ...string) bool {
	for _, a := range all {
		if s == a {
			return true
		}
	}
	return false
}

func judgeParseError(e *Evidence) Ruling {
	silent := 0
	r := e.eachFrame(func(x *Exchange) *Fault {
		all := e.replies(x)
		switch {
		case len(all) == 0 && x.Sent.Post > 0 && x.Status() < 300 && x.Status() > 0:
			return &Fault{Expected: "HTTP 400 with error -32700", Observed: fmt.Sprintf("HTTP %d, as for a message that was taken", x.Status())}
		case len(all) == 0:
			silent++
			return nil
		}
		for _, m := range all {
			if m.msg.Root.Get("error.code").Raw != "-32700" {
				return &Fault{Expected: "error -32700", Observed: short(string(m.event.Raw), 200)}
			}
		}
		return nil
	}, "broken:")
	if silent > 0 && silent == r.Seen {
		return Ruling{NA: "no such text is answered with a message"}
	}
	return r
}

func judgeSilentMalformed(e *Evidence) Ruling {
	if e.Cell.Transport == "http" {
		return NotApplicable("every POST has an answer")
	}
	return e.eachFrame(func(x *Exchange) *Fault {
		if x.Label == "broken:a byte order mark alone" || len(e.replies(x)) > 0 {
			return nil // a mark alone may pass for an empty line
		}
		how := "nothing, and the server goes on"
		if s := e.survived(x); s != "" {
			how = s
		}
		return &Fault{Expected: "error -32700 or -32600", Observed: how}
	}, "broken:", "invalid:")
}

func judgeInvalidAnswered(e *Evidence) Ruling {
	return e.eachFrame(func(x *Exchange) *Fault { return judgeReadable(e, x) },
		"invalid:a request without jsonrpc", "invalid:a request of jsonrpc 1.0", "invalid:a method that is a number")
}

// judgeReadable wants an answer to a frame whose id can be read.
func judgeReadable(e *Evidence, x *Exchange) *Fault {
	all := e.replies(x)
	if x.Request.ID == "" || len(all) > 0 || x.Sent.Post > 0 && x.Status() >= 400 {
		return nil // answered, if only by the HTTP status
	}
	how := "no answer, while the server answers other requests"
	if s := e.survived(x); s != "" {
		how = "no answer: " + s
	}
	return &Fault{Expected: "error -32600 with id " + x.Request.ID, Observed: how}
}

func judgeNullID(e *Evidence) Ruling {
	return e.eachFrame(func(x *Exchange) *Fault {
		for _, m := range e.replies(x) {
			if m.msg.HasResult {
				return &Fault{Expected: "error -32600, or nothing", Observed: short(string(m.event.Raw), 200)}
			}
		}
		return e.died(x, "error -32600, or nothing")
	}, "null-id")
}

func judgeFractionalID(e *Evidence) Ruling {
	return e.eachFrame(func(x *Exchange) *Fault {
		for _, m := range e.replies(x) {
			if m.msg.ID != fractionID && m.msg.ID != "null" && m.msg.ID != "" {
				return &Fault{Expected: "an error, nothing, or the id as it was sent", Observed: short(string(m.event.Raw), 200)}
			}
		}
		return e.died(x, "an error, nothing, or the id as it was sent")
	}, "fraction")
}

func judgeBatchRefused(e *Evidence) Ruling {
	if len(e.All("batch-new")) == 0 {
		if r := e.Cell.Revision; r == "2025-03-26" || r == "2024-11-05" {
			return NotApplicable(r + " knows batches")
		}
	}
	return e.eachFrame(func(x *Exchange) *Fault {
		for _, m := range e.replies(x) {
			if m.msg.HasResult || isArray(m.event) {
				return &Fault{Expected: "an error, or nothing", Observed: short(string(m.event.Raw), 200)}
			}
		}
		return e.died(x, "an error, or nothing")
	}, "batch-new")
}

func isArray(ev *wire.Event) bool { return ev.Message().Valid && ev.Message().Root.IsArray() }
