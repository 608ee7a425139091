package sample

import (
	"encoding/json"
	"fmt"
	"time"
)

func progressFaults() []Fault {
	edit := func(edit func(x *exchange, params object)) func(b *behaviour) {
		return func(b *behaviour) { editNotification(b, "notifications/progress", edit) }
	}
	params := func(params func(x *exchange, done, total int, message string) object) func(b *behaviour) {
		return func(b *behaviour) { b.progress.params = params }
	}
	return []Fault{
		{
			Name: "progress-sent-when-asked", What: "No progress is sent, although the caller asked for it.",
			Checks: ids("progress/sent-when-asked"), Collateral: ids("progress/*"),
			plant: params(func(*exchange, int, int, string) object { return nil }),
		},
		{
			Name: "progress-token-echoed", What: "A progress token that is a number comes back as text.",
			Checks: ids("progress/token-echoed"), Collateral: ids("progress/*"),
			plant: edit(func(_ *exchange, p object) {
				if n, ok := p["progressToken"].(json.Number); ok {
					p["progressToken"] = string(n)
				}
			}),
		},
		{
			Name: "progress-token-known", What: "Progress comes under a token of the server's own making.",
			Checks: ids("progress/token-known"), Collateral: ids("progress/*", "http/reconnect"),
			plant: edit(func(x *exchange, p object) { p["progressToken"] = fmt.Sprintf("%v-%v", x.params["name"], x.id) }),
		},
		{
			Name: "progress-falsy-token", What: "The tokens 0 and \"\" count as none.",
			Checks: ids("progress/falsy-token"), Collateral: ids("progress/*"),
			plant: params(func(x *exchange, done, total int, message string) object {
				if x.token == json.Number("0") || x.token == "" {
					return nil
				}
				return progressParams(x, done, total, message)
			}),
		},
		{
			Name: "progress-increasing", What: "Progress stays at 1.",
			Checks: ids("progress/increasing"),
			plant:  edit(func(_ *exchange, p object) { p["progress"] = 1 }),
		},
		{
			Name: "progress-increasing-down", What: "Progress counts down.",
			Checks: ids("progress/increasing"),
			plant: params(func(x *exchange, done, total int, message string) object {
				return progressParams(x, total-done+1, total, message)
			}),
		},
		{
			Name: "progress-increasing-text", What: "progress is text, not a number.",
			Checks: ids("messages/every-message-valid"), Shows: ids("progress"), Collateral: ids("progress/*"),
			plant: edit(func(_ *exchange, p object) { p["progress"] = fmt.Sprint(p["progress"]) }),
		},
		{
			Name: "progress-total-kept", What: "Only the first notification has a total.",
			Checks: ids("progress/total-kept"),
			plant: edit(func(_ *exchange, p object) {
				if p["progress"] != 1 {
					delete(p, "total")
				}
			}),
		},
		{
			Name: "progress-total-kept-passed", What: "Progress goes past its total.",
			Checks: ids("progress/total-kept"),
			plant: edit(func(_ *exchange, p object) {
				if n, ok := p["progress"].(int); ok {
					p["progress"] = n * 10
				}
			}),
		},
		{
			Name: "progress-none-unasked", What: "Progress is sent to callers that did not ask for it.",
			Checks: ids("progress/none-unasked"), Collateral: ids("progress/*", "http/*"),
			plant: params(func(x *exchange, done, total int, message string) object {
				if p := progressParams(x, done, total, message); p != nil {
					return p
				}
				return object{"progressToken": "count_up", "progress": done, "total": total, "message": message}
			}),
		},
		{
			Name: "progress-none-after-answer", What: "One more notification comes after the answer.",
			Checks: ids("progress/none-after-answer"), Collateral: ids("progress/*"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.afterwards = append(b.afterwards, func(x *exchange) {
					if x.token != nil && x.calls("count_up") {
						x.emit(object{"jsonrpc": "2.0", "method": "notifications/progress", "params": object{"progressToken": x.token, "progress": 1000}})
					}
				})
			},
		},
		{
			Name: "progress-answer-survives-deaf-client", What: "A call that reports progress waits for a client to open the GET stream.",
			Checks: ids("progress/answer-survives-deaf-client"), Collateral: ids("progress/*", "http/*"), Eras: only(Legacy), Transports: only(HTTP),
			plant: func(b *behaviour) {
				b.progress.send = func(x *exchange, params object) {
					for !x.ses.push(object{"jsonrpc": "2.0", "method": "notifications/progress", "params": params}) {
						if x.pause(20*time.Millisecond) != nil {
							return
						}
					}
				}
			},
		},
	}
}

func cancelFaults() []Fault {
	cancelled := func(b *behaviour, take func(ses *session, in incoming, out outlet) (done bool)) {
		b.envelope.noted = func(ses *session, in incoming, out outlet) {
			if in.method == "notifications/cancelled" && take(ses, in, out) {
				return
			}
			noted(ses, in, out)
		}
	}
	return []Fault{
		{
			Name: "cancellation-stops", What: "The work of a cancelled call goes on, with its progress.",
			Checks: ids("cancellation/stops"), Collateral: ids("cancellation/*", "elicitation/call-cancel-withdraws"), Transports: only(Stdio),
			plant: func(b *behaviour) { b.cancel.deaf = true },
		},
		{
			Name: "cancellation-no-answer-after", What: "A cancelled call is answered.",
			Checks: ids("cancellation/no-answer-after"), Collateral: ids("cancellation/*", "elicitation/call-cancel-withdraws", "subscriptions/cancel-ends"), Except: ids("2026@http"),
			plant: func(b *behaviour) { b.cancel.answers = true },
		},
		{
			Name: "cancellation-unknown-id-ignored", What: "The cancellation of a request that does not run is answered with an error.",
			Checks: ids("cancellation/unknown-id-ignored"), Collateral: ids("cancellation/late-cancel-ignored", "cancellation/race-harmless", "envelope/no-reply-to-notification", "envelope/one-answer"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				cancelled(b, func(ses *session, in incoming, out outlet) bool {
					id := readID(in.params["requestId"])
					if id == nil || ses.runs(id) {
						return false
					}
					out.final(object{"jsonrpc": "2.0", "id": id, "error": fail(codeInvalidRequest, "Unknown request").object()}, 0)
					return true
				})
			},
		},
		{
			Name: "cancellation-malformed-ignored", What: "A cancellation that names no request ends the process.",
			Checks: ids("cancellation/malformed-ignored"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				cancelled(b, func(ses *session, in incoming, _ outlet) bool {
					if readID(in.params["requestId"]) == nil {
						ses.srv.die()
					}
					return false
				})
			},
		},
		{
			Name: "cancellation-late-cancel-ignored", What: "The cancellation of a request that was answered ends the process.",
			Checks: ids("cancellation/late-cancel-ignored"), Collateral: ids("cancellation/*"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				done := func(ses *session, id any) string { return "done " + string(num(ses.number)) + idKey(id) }
				b.afterwards = append(b.afterwards, func(x *exchange) { x.srv.tally(done(x.ses, x.id)) })
				cancelled(b, func(ses *session, in incoming, _ outlet) bool {
					if id := readID(in.params["requestId"]); id != nil && !ses.runs(id) && ses.srv.count(done(ses, id)) > 0 {
						ses.srv.die()
					}
					return false
				})
			},
		},
		{
			Name: "cancellation-id-zero", What: "A call with id 0 cannot be cancelled.",
			Checks: ids("cancellation/id-zero"), Collateral: ids("elicitation/call-cancel-withdraws"), Except: ids("2026@http"),
			plant: func(b *behaviour) {
				b.cancel.hears = func(id any) bool { return id != json.Number("0") }
			},
		},
		{
			Name: "cancellation-stream-drop-legacy", What: "A dropped stream cancels its request, as it should not in handshake revisions.",
			Checks: ids("cancellation/stream-drop"), Collateral: ids("http/reconnect", "http/missed-replayed", "progress/answer-survives-deaf-client"), Eras: only(Legacy), Transports: only(HTTP),
			plant: func(b *behaviour) { b.cancel.byDrop = func(*exchange) bool { return true } },
		},
	}
}

// runs says that a request of that id is not answered yet.
func (ses *session) runs(id any) bool {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	return len(ses.running[idKey(id)]) > 0
}
