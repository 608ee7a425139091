package sample

import (
	"sync"
	"time"
)

// cancelMoreFaults are lesser deviations of cancelling.
func cancelMoreFaults() []Fault {
	heard := func(b *behaviour, hear func(ses *session, id any)) {
		right := b.envelope.noted
		b.envelope.noted = func(ses *session, in incoming, out outlet) {
			if id := readID(in.params["requestId"]); in.method == "notifications/cancelled" && id != nil {
				hear(ses, id)
			}
			right(ses, in, out)
		}
	}
	of := func(ses *session, id any) string { return "cancelled " + string(num(ses.number)) + idKey(id) }
	return []Fault{
		{
			Name: "cancellation-id-usable-afterwards", What: "A request whose id was cancelled before it came is never answered.",
			Checks: ids("cancellation/id-usable-afterwards"), Collateral: ids("cancellation/*"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				heard(b, func(ses *session, id any) {
					if !ses.runs(id) {
						ses.srv.tally(of(ses, id))
					}
				})
				takeOver(b, func(x *exchange) bool { return x.srv.count(of(x.ses, x.id)) > 0 && x.silence() })
			},
		},
		{
			Name: "cancellation-race-harmless", What: "The third cancellation in a row that comes right behind its request ends the process.",
			Checks: ids("cancellation/race-harmless"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				// Requests are noted as they are read: what is slow runs beside the line. A
				// process has one line.
				var mu sync.Mutex
				last, row := "", 0
				b.envelope.read = func(v any) incoming {
					in := read(v)
					if in.kind == aRequest {
						mu.Lock()
						defer mu.Unlock()
						last = idKey(in.id)
					}
					return in
				}
				heard(b, func(ses *session, id any) {
					mu.Lock()
					defer mu.Unlock()
					row++
					if last != idKey(id) {
						row = 0
					}
					if row == 3 {
						ses.srv.die()
					}
				})
			},
		},
		{
			Name: "cancellation-silent-on-stdio", What: "A cancelled call sends one more progress notification after a while.",
			Checks: ids("cancellation/silent-on-stdio"), Collateral: ids("cancellation/*", "progress/*"), Eras: only(Modern), Transports: only(Stdio),
			plant: func(b *behaviour) {
				heard(b, func(ses *session, id any) {
					for _, x := range ses.exchanges(id) {
						if x.modern && x.token != nil {
							// Later than what could have been on its way.
							time.AfterFunc(stragglerAfter, func() {
								x.emit(object{"jsonrpc": "2.0", "method": "notifications/progress", "params": object{"progressToken": x.token, "progress": 1000, "message": "stopped"}})
							})
						}
					}
				})
			},
		},
		{
			Name: "cancellation-only-for-listen", What: "The server cancels a call of the client in 2026-07-28.",
			Checks: ids("cancellation/only-for-listen"), Collateral: ids("*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.modern && x.calls("count_up") {
						x.notify("notifications/cancelled", object{"requestId": x.id, "reason": "busy"})
					}
					return false
				})
			},
		},
		{
			Name: "cancellation-own-requests-only", What: "When a call is cancelled, the server takes back the call of the client instead of its own question.",
			Checks: ids("cancellation/own-requests-only"), Shows: ids("elicitation"), Collateral: ids("cancellation/*", "elicitation/call-cancel-withdraws"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.asking.withdraw = func(c *call, _ any, why string) { withdraw(c, c.exchange.id, why) }
			},
		},
	}
}

// exchanges are the requests of that id that run.
func (ses *session) exchanges(id any) []*exchange {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	return append([]*exchange(nil), ses.running[idKey(id)]...)
}

// progressMoreFaults are lesser deviations of progress.
func progressMoreFaults() []Fault {
	return []Fault{
		{
			Name: "progress-before-answer", What: "Progress is held back and comes after the answer.",
			Checks: ids("progress/before-answer"), Collateral: ids("progress/*", "host-*"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.progress.send = func(x *exchange, params object) { x.held = append(x.held, params) }
				b.afterwards = append(b.afterwards, func(x *exchange) {
					for _, params := range x.held {
						x.emit(object{"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
					}
				})
			},
		},
		{
			Name: "progress-rate", What: "Each step of a call sends two hundred notifications.",
			Checks: ids("progress/rate"), Collateral: ids("progress/*", "tools/flood", "cancellation/stream-drop"),
			plant: func(b *behaviour) {
				b.progress.send = func(x *exchange, params object) {
					step, _ := params["progress"].(int)
					for i := range 200 {
						part := clone(params)
						part["progress"] = float64(step) - 1 + float64(i+1)/200
						x.notify("notifications/progress", part)
					}
				}
			},
		},
	}
}

// framingMoreFaults are lesser deviations of stdio.
func framingMoreFaults() []Fault {
	faults := []Fault{
		{
			Name: "framing-last-line-complete", What: "The last line before the end is cut.",
			Checks: ids("framing/last-line-complete"), Collateral: ids("framing/*", "messages/*", "shutdown/*"),
			plant: func(b *behaviour) { b.stdio.farewell = `{"jsonrpc":"2.0","method":"notifications/mess` },
		},
		{
			Name: "framing-line-separators-accepted", What: "A request is cut at U+2028.",
			Checks: ids("framing/line-separators-accepted"), Collateral: ids("framing/*", "envelope/id-unicode", "messages/every-message-valid"),
			plant: func(b *behaviour) { b.stdio.input = cutAtSeparators },
		},
		{
			Name: "framing-notifications-belong", What: "A log message comes in 2026-07-28 when nothing runs.",
			Checks: ids("framing/notifications-belong"), Shows: ids("progress"), Collateral: ids("logging/*", "subscriptions/*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				b.afterwards = append(b.afterwards, func(x *exchange) {
					if x.modern && x.calls("count_up") {
						x.ses.push(object{"jsonrpc": "2.0", "method": "notifications/message", "params": logParams(levelInfo, object{"event": "idle"})})
					}
				})
			},
		},
	}
	for i := range faults {
		faults[i].Transports = only(Stdio)
	}
	return faults
}

// stragglerAfter is how late a fault sends something for a call that was cancelled.
const stragglerAfter = 400 * time.Millisecond
