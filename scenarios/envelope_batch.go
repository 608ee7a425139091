package scenarios

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// batch is an array of messages that 2025-03-26 allows.
type batch struct {
	label, what, raw string
	ids              []string // of the requests in it
}

func batches() []batch {
	requests := func(n string) string {
		return `{"jsonrpc":"2.0","id":100004` + n + `,"method":"ping"},{"jsonrpc":"2.0","id":"conform-batch-` + n + `","method":"tools/list"}`
	}
	ids := func(n string) []string { return []string{"100004" + n, `"conform-batch-` + n + `"`} }
	return []batch{
		{"batch", "a batch under 2025-03-26", "[" + requests("0") + "]", ids("0")},
		{"batch-noted", "a batch with a notification under 2025-03-26",
			"[" + requests("1") + `,{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"conform-none"}}]`, ids("1")},
	}
}

// batchReplies counts the answers to each request of a batch; strays are others.
func (e *Evidence) batchReplies(b batch, x *Exchange) (by map[string]int, strays []strayReply) {
	by = map[string]int{}
	for _, m := range e.replies(x) {
		if oneOf(m.msg.ID, b.ids...) {
			by[m.msg.ID]++
			continue
		}
		strays = append(strays, m)
	}
	return by, strays
}

// eachBatch looks at every batch that was sent.
func (e *Evidence) eachBatch(look func(b batch, x *Exchange) *Fault) Ruling {
	var r Ruling
	tried := false
	for _, b := range batches() {
		x := e.lastOf(b.label)
		tried = tried || x != nil
		if x == nil || e.unsent(x) || cutAfter(x) {
			continue
		}
		f := look(b, x)
		if f != nil {
			f.Subject = b.what
			if len(f.Proof) == 0 {
				f.Proof = []*Exchange{x}
			}
			r.Faults = append(r.Faults, *f)
		}
		r.Seen++
		r.Proof = append(r.Proof, x)
	}
	switch {
	case !tried:
		return NotApplicable("2025-03-26, the one revision with batches, is not offered")
	case r.Seen == 0:
		return NotSeen("no batch could be sent and heard out")
	}
	return r
}

// cutAfter says that something came after a request of which only the beginning
// is kept: it may have been the answer.
func cutAfter(x *Exchange) bool {
	return slices.ContainsFunc(x.Tape.Events()[x.At:], func(ev wire.Event) bool { return ev.Kind == wire.Recv && ev.Cut > 0 })
}

func judgeBatch(e *Evidence) Ruling {
	const expected = "two answers"
	return e.eachBatch(func(b batch, x *Exchange) *Fault {
		if how := e.survived(x); how != "" {
			return &Fault{Expected: expected, Observed: how, Proof: []*Exchange{x, e.behind(x)}}
		}
		by, strays := e.batchReplies(b, x)
		if len(by) == len(b.ids) {
			return nil
		}
		observed := fmt.Sprintf("%s answered", count(len(by), "request"))
		switch {
		case len(strays) > 0:
			observed = short(string(strays[0].event.Raw), 200)
		case x.Status() >= 400:
			observed = fmt.Sprintf("HTTP %d", x.Status())
		case len(by) == 0:
			observed = "nothing, and the server goes on"
		}
		return &Fault{Expected: expected, Observed: observed}
	})
}

func judgeBatchAnswers(e *Evidence) Ruling {
	served := false
	r := e.eachBatch(func(b batch, x *Exchange) *Fault {
		by, strays := e.batchReplies(b, x)
		if len(by) == 0 {
			return nil
		}
		served = true
		for _, id := range b.ids {
			if by[id] != 1 {
				return &Fault{Expected: "one answer to id " + id, Observed: count(by[id], "answer")}
			}
		}
		if len(strays) > 0 {
			return &Fault{Expected: "no answer to the notification", Observed: short(string(strays[0].event.Raw), 200)}
		}
		return nil
	})
	if r.Seen > 0 && !served {
		return NotApplicable("batches are not served")
	}
	return r
}

// envelopeBatch sends batches to a session of 2025-03-26, the one revision that
// has them: requests alone, and requests with a notification.
func envelopeBatch(ctx context.Context, d *Drive) {
	if d.Facts.Modern() || !slices.Contains(d.Facts.Run.Offered[d.Cell.Transport], fakes.Rev20250326) {
		return
	}
	l := d.ownLine(fakes.Want{Revision: fakes.Rev20250326, Purpose: "a batch under 2025-03-26"}, 1)
	patience := time.Second
	for _, b := range batches() {
		if l.frame(ctx, b.label, b.raw) && d.Cell.Transport != "http" && !l.hearBatch(ctx, b, patience) {
			patience = 300 * time.Millisecond // what came to nothing once comes to nothing again
		}
	}
	l.drop()
}

// hearBatch waits for the answers to a batch, and says whether they came. A
// server that answers out of order may come to it after the canary, and one with
// long lists later still.
func (l *ownLine) hearBatch(ctx context.Context, b batch, patience time.Duration) bool {
	v := l.v
	patience = max(patience, 4*v.Slowest(), 4*l.d.Session.Slowest())
	answered, seen := map[string]bool{}, 0
	for end := time.Now().Add(patience); time.Now().Before(end) && ctx.Err() == nil && !v.Dead(); pause(ctx, lateReply) {
		events := v.Tape().Events()
		for _, ev := range events[seen:] {
			if ev.Kind != wire.Recv {
				continue
			}
			if ev.Cut > 0 {
				return true // it may have been the answer
			}
			for _, m := range members(ev.Message()) {
				answered[m.ID] = answered[m.ID] || m.IsResponse()
			}
		}
		seen = len(events)
		if !slices.ContainsFunc(b.ids, func(id string) bool { return !answered[id] }) {
			return true
		}
	}
	return false
}
