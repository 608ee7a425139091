package scenarios

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios/message"
)

func messages(shapes *message.Shapes) Scenario {
	return Scenario{
		ID: "messages", Title: "Messages", Scope: Passive, Every: true,
		Summary: "Looks at every frame that the server sent: its shape under the revision, its kind, its encoding.",
		Checks: []Check{
			{
				ID: "messages/every-message-valid", Claim: "Every message has the shape that its revision's schema gives it.", Level: Must,
				Why:    "Typed clients check what they receive: one wrong member and the message, often the whole tool list, is thrown away.",
				Remedy: "Mend the member at the given path; leave optional members out instead of sending null.",
				Basis:  []string{"schema"}, Requirements: everyMessageRequirements(),
				Judge: func(e *Evidence) Ruling { return judgeShapes(e, shapes, message.Must) },
			},
			{
				ID: "messages/strict-shapes", Claim: "Members follow the advice on their format: times, names, keys, field keywords.", Level: Should,
				Why:    "The schema leaves these open, yet clients read them by the advice and show or drop what does not fit.",
				Remedy: "Write the member at the given path in the advised form.",
				Basis:  []string{"schema"}, Requirements: []string{"annotations.last-modified", "elicitation.schema-known-keywords"},
				Judge: func(e *Evidence) Ruling { return judgeShapes(e, shapes, message.Should) },
			},
			{
				ID: "messages/odd-json", Claim: "Messages hold no duplicate keys, null ids or other oddities that readers take in different ways.", Level: Note,
				Why:    "No rule forbids it, but one reader takes the first of two keys and another the last.",
				Remedy: "Write each key once and leave out what has no value.",
				Basis:  []string{"schema"}, Requirements: []string{"base.error-id-null", "elicitation.schema-pattern", "elicitation.input-request-shape", "elicitation.no-complete-notification", "caching.hints-elsewhere", "structured-output.any-value"},
				Judge: func(e *Evidence) Ruling { return judgeShapes(e, shapes, message.Note) },
			},
			{
				ID: "messages/no-server-requests", Claim: "Under 2026-07-28 the server sends no requests.", Level: Must,
				Why:    "Clients of this revision drop a request without an answer, so the server waits in vain.",
				Remedy: "Ask by an input_required result instead of a request.",
				Basis:  []string{"basic/index#requests", "basic/patterns/mrtr"}, Requirements: []string{"base.no-server-requests", "stdio.no-requests-written", "http.sse-no-requests", "elicitation.through-mrtr", "sampling.through-mrtr", "roots.through-mrtr"},
				Judge: judgeNoServerRequests,
			},
			{
				ID: "messages/only-negotiated-types", Claim: "A session speaks only what its revision defines.", Level: Must,
				Why:    "A client of an older revision cannot read newer kinds of content or requests.",
				Remedy: "Send resource_link only from 2025-06-18 on, audio from 2025-03-26 on, questions from 2025-06-18 on.",
				Basis:  []string{"basic/lifecycle#operation"}, Requirements: []string{"lifecycle.negotiated-version-respected"},
				Judge: judgeNegotiatedTypes,
			},
			{
				ID: "messages/utf8", Claim: "Every message is UTF-8.", Level: Must,
				Why:    "Readers replace or refuse other bytes: text reaches the model garbled, or the line is lost.",
				Remedy: "Write stdout as UTF-8, whatever the system's code page is.",
				Basis:  []string{"basic/transports"}, Requirements: []string{"base.utf8"},
				Judge: judgeUTF8,
			},
			{
				ID: "messages/one-error-sentence", Claim: "The message of a JSON-RPC error is one short sentence.", Level: Should,
				Why:    "Clients show error.message as it is: a dump of a validator's output helps nobody.",
				Remedy: "Say in one sentence what was wrong; put details into data.",
				Basis:  []string{"basic/index#responses"}, Requirements: []string{"base.error-message-one-sentence"},
				Judge: judgeOneSentence,
			},
		},
	}
}

// shaped is a frame that is to have a shape, with what is wrong with it.
type shaped struct {
	received
	method string
	faults []message.Fault
}

// shaped checks the frames of the cell's client once, whatever the level.
func (e *Evidence) shaped(shapes *message.Shapes) []shaped {
	return onTapes(e, "shapes", func() []shaped {
		broken := map[*Exchange]bool{}
		var out []shaped
		for _, f := range e.frames() {
			m := f.event.Message()
			if !m.Valid || f.event.Cut > 0 {
				continue // judged as framing
			}
			if f.x != nil {
				odd, known := broken[f.x]
				if !known {
					odd = brokenRequest(f.x.Request)
					broken[f.x] = odd
				}
				if odd {
					continue // what answers a request that was broken on purpose has checks of its own
				}
			}
			if f.x != nil && f.event == f.x.Body && !m.IsResponse() && !m.Root.IsObject() {
				continue
			}
			ctx, rev := f.context(), f.revision
			if rev == "" {
				ctx.Method, rev = "", e.Cell.Revision
				if m.HasResult {
					continue // which revision the answer follows is open
				}
			}
			s := shaped{f, ctx.Method, e.shapeFaults(f, rev, ctx, shapes)}
			if s.method == "" {
				s.method = m.Method
			}
			out = append(out, s)
		}
		return out
	})
}

func judgeShapes(e *Evidence, shapes *message.Shapes, level message.Level) Ruling {
	var r Ruling
	seen := map[string]bool{}
	for _, f := range e.shaped(shapes) {
		r.Seen++
		for _, fault := range f.faults {
			if fault.Level != level {
				continue
			}
			kind := f.method + " " + pattern(fault.Path) + " " + fault.Expected
			if seen[kind] {
				continue
			}
			seen[kind] = true
			r.Faults = append(r.Faults, Fault{
				Subject: subjectOf(f.event.Message(), fault.Path, f.method), Expected: fault.Path + ": " + fault.Expected, Observed: fault.Observed,
				Message: fmt.Sprintf("%s: %s should be %s, is %s", f.method, orFrame(fault.Path), fault.Expected, fault.Observed),
				Proof:   proofOf(f.received),
			})
		}
	}
	return r
}

// shapeFaults checks the shape of a frame once, however many checks ask for it.
func (e *Evidence) shapeFaults(f received, rev string, ctx message.Context, shapes *message.Shapes) []message.Fault {
	return once(&e.Run.shelf, shapeKey(f, rev, ctx), func() []message.Fault { return shapes.Check(rev, f.event.Raw, ctx) })
}

// shapeKey is the same for frames that differ in their number alone: a list is
// sent again and again, and looked at once.
func shapeKey(f received, rev string, ctx message.Context) string {
	m := f.event.Message()
	h := sha256.New()
	fmt.Fprintf(h, "%s %+v %s ", rev, ctx, gjson.Parse(m.ID).Type)
	if at := bytes.Index(f.event.Raw, []byte(`"id":`+m.ID)); m.ID != "" && at >= 0 {
		h.Write(f.event.Raw[:at])
		h.Write(f.event.Raw[at+len(m.ID)+5:])
	} else {
		h.Write(f.event.Raw)
	}
	return "shape " + string(h.Sum(nil))
}

func orFrame(path string) string {
	if path == "" {
		return "the message"
	}
	return path
}

// pattern is a path with its indexes left out, so that one fault in many tools is one finding.
func pattern(path string) string {
	var b strings.Builder
	in := false
	for _, c := range path {
		switch {
		case c == '[':
			in = true
		case c == ']':
			in = false
			b.WriteString("[]")
		case !in:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// subjectOf names the tool that a path leads into, else the method.
func subjectOf(m *wire.Message, path, method string) string {
	if rest, ok := strings.CutPrefix(path, "result.tools["); ok {
		if i, _, ok := strings.Cut(rest, "]"); ok {
			if name := m.Result.Get("tools." + i + ".name"); name.Type == gjson.String {
				return name.Str
			}
		}
	}
	return method
}

func proofOf(f received) []*Exchange {
	if f.x != nil {
		return []*Exchange{f.x}
	}
	return []*Exchange{loneFrame(f)}
}

// loneFrame shows a frame that answers nothing.
func loneFrame(f received) *Exchange {
	events := f.tape.Events()
	for i := range events {
		if &events[i] == f.event {
			return &Exchange{Label: "received", Tape: f.tape, Sent: f.event, At: i, Request: f.event.Message(), AnswerAt: -1, EndAt: i, End: "answered"}
		}
	}
	return nil
}

func judgeNoServerRequests(e *Evidence) Ruling {
	if !e.Facts.Modern() {
		return NotApplicable("servers may send requests in handshake revisions")
	}
	var r Ruling
	for _, f := range e.frames() {
		m := f.event.Message()
		if !m.Valid || f.revision == "" || !fakes.Modern(f.revision) {
			continue
		}
		r.Seen++
		if m.IsRequest() {
			r.Faults = append(r.Faults, Fault{Subject: m.Method, Expected: "no request from the server", Observed: m.Method + " with id " + m.ID, Proof: []*Exchange{loneFrame(f)}})
		}
	}
	return r
}

// bornIn names the revision that brought a kind of content or request.
func bornIn() map[string]string {
	return map[string]string{
		"audio": fakes.Rev20250326, "resource_link": fakes.Rev20250618, "elicitation/create": fakes.Rev20250618,
		"notifications/elicitation/complete": fakes.Rev20251125, "notifications/tasks/status": fakes.Rev20251125,
	}
}

func judgeNegotiatedTypes(e *Evidence) Ruling {
	if e.Facts.Modern() {
		return NotApplicable("no revision is newer than 2026-07-28")
	}
	born := bornIn()
	var r Ruling
	for _, f := range e.frames() {
		m := f.event.Message()
		if !m.Valid || f.revision == "" || fakes.Modern(f.revision) {
			continue
		}
		r.Seen++
		if since := born[m.Method]; since > f.revision {
			r.Faults = append(r.Faults, Fault{Subject: m.Method, Expected: "nothing that " + f.revision + " does not define", Observed: m.Method + ", new in " + since, Proof: []*Exchange{loneFrame(f)}})
		}
		m.Result.Get("content").ForEach(func(_, b gjson.Result) bool {
			if since := born[b.Get("type").Str]; since > f.revision {
				r.Faults = append(r.Faults, Fault{Subject: b.Get("type").Str, Expected: "nothing that " + f.revision + " does not define", Observed: "a content block of type " + b.Get("type").Str + ", new in " + since, Proof: proofOf(f)})
			}
			return true
		})
	}
	return r
}

func judgeUTF8(e *Evidence) Ruling {
	var r Ruling
	for _, f := range e.frames() {
		r.Seen++
		if !utf8.Valid(f.event.Raw) && f.event.Cut == 0 {
			r.Faults = append(r.Faults, Fault{Subject: "encoding", Expected: "UTF-8", Observed: fmt.Sprintf("%q", short(string(f.event.Raw), 120)), Proof: proofOf(f)})
		}
	}
	return r
}

func judgeOneSentence(e *Evidence) Ruling {
	var r Ruling
	seen := map[string]bool{}
	for _, f := range e.frames() {
		m := f.event.Message()
		msg := m.Root.Get("error.message")
		if !m.Valid || !m.HasError || msg.Type != gjson.String || f.x == nil {
			continue
		}
		// A name of ours that is echoed whole is another check's business.
		text := msg.Str
		if name := f.x.Request.Root.Get("params.name").String(); len(name) > 3 {
			text = strings.ReplaceAll(text, name, "name")
		}
		r.Seen++
		why := ""
		switch {
		case json.Valid([]byte(text)) && strings.ContainsAny(text[:1], "[{"), strings.HasPrefix(text, "[\n"), strings.HasPrefix(text, "{\n"):
			why = "a dump of JSON"
		case strings.ContainsAny(text, "\r\n"):
			why = "several lines"
		case utf8.RuneCountInString(text) > 300:
			why = fmt.Sprintf("%d characters", utf8.RuneCountInString(text))
		}
		if why == "" || seen[f.x.Request.Method+why] {
			continue
		}
		seen[f.x.Request.Method+why] = true
		r.Faults = append(r.Faults, Fault{Subject: f.x.Request.Method, Expected: "one short sentence", Observed: why + ": " + short(text, 200), Proof: []*Exchange{f.x}})
	}
	if r.Seen == 0 {
		return NotApplicable("the server sent no JSON-RPC error")
	}
	return r
}
