package sample

import (
	"encoding/json"
	"slices"
	"sync"
	"time"
)

func concurrencyFaults() []Fault {
	return []Fault{
		{
			Name: "concurrency-slow-does-not-block", What: "Requests are served one after the other, so that a slow call holds up everything.",
			Checks: ids("concurrency/slow-does-not-block"), Collateral: ids("concurrency/*", "cancellation/*", "elicitation/*", "opening/ping", "*"), Transports: only(Stdio),
			plant: func(b *behaviour) { b.stdio.sequential = true },
		},
		{
			Name: "concurrency-ping-during-work", What: "A ping that comes while a long count runs is answered three seconds late.",
			Checks: ids("concurrency/ping-during-work"), Eras: only(Legacy), Transports: only(Stdio),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					long := slices.ContainsFunc(x.ses.others(x), func(other *exchange) bool {
						to, _ := asObject(other.params["arguments"])["to"].(json.Number)
						return len(to) > 1
					})
					if x.method != "ping" || !long {
						return false
					}
					time.AfterFunc(3*time.Second, func() { x.answer(object{}, nil) })
					return true
				})
			},
		},
		{
			Name: "concurrency-out-of-order-ok", What: "When a second slow call comes, the first is never answered.",
			Checks: ids("concurrency/out-of-order-ok"), Collateral: ids("concurrency/*", "tasks/*"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.calls("count_up") {
						for _, other := range x.ses.others(x) {
							other.silence()
							other.stop(errCancelled)
						}
					}
					return false
				})
			},
		},
		{
			Name: "concurrency-hundred-at-once", What: "Of a hundred requests of one kind at once forty are never answered.",
			Checks: ids("concurrency/hundred-at-once"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				crowd := &window{span: 2 * time.Second, most: 60, seen: map[string][]time.Time{}}
				takeOver(b, func(x *exchange) bool {
					return !crowd.admits(x.method+" "+asString(x.params["name"]), time.Now()) && x.silence()
				})
			},
		},
		{
			Name: "concurrency-no-cross-talk", What: "Of two calls at the same time the second gets the text of the first.",
			Checks: ids("concurrency/no-cross-talk"), Collateral: ids("*"),
			plant: crossTalk(func(*exchange) int { return 0 }, 100*time.Millisecond),
		},
		{
			Name: "concurrency-no-cross-talk-sessions", What: "Calls with the same id from two sessions get each other's text.",
			Checks: ids("concurrency/no-cross-talk"), Collateral: ids("http/*"), Eras: only(Legacy), Transports: only(HTTP),
			plant: crossTalk(func(x *exchange) int { return x.ses.number }, time.Second),
		},
	}
}

// others are the exchanges that run in the session beside x.
func (ses *session) others(x *exchange) []*exchange {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	var out []*exchange
	for _, xs := range ses.running {
		for _, other := range xs {
			if other != x && other.calls("count_up") {
				out = append(out, other)
			}
		}
	}
	return out
}

// window admits so many of one kind within a span of time.
type window struct {
	span time.Duration
	most int

	mu   sync.Mutex
	seen map[string][]time.Time
}

func (w *window) admits(kind string, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	recent := slices.DeleteFunc(w.seen[kind], func(at time.Time) bool { return now.Sub(at) > w.span })
	w.seen[kind] = append(recent, now)
	return len(recent) < w.most
}

// crossTalk gives a call of text_echo the text of the one shortly before. Where
// owner tells two calls apart, only calls of the same id and different owners mix.
func crossTalk(owner func(x *exchange) int, within time.Duration) func(b *behaviour) {
	type told struct {
		text  any
		owner int
		at    time.Time
	}
	var mu sync.Mutex
	last := map[string]told{} // by id where owners count
	return func(b *behaviour) {
		editCall(b, "text_echo", func(x *exchange, r object) {
			mu.Lock()
			defer mu.Unlock()
			block, now, key := firstText(r), told{owner: owner(x), at: time.Now()}, ""
			if now.owner != 0 {
				key = idKey(x.id)
			}
			now.text = block["text"]
			if before, ok := last[key]; ok && (now.owner == 0 || now.owner != before.owner) && now.at.Sub(before.at) < within {
				block["text"] = before.text
			}
			last[key] = now
		})
	}
}
