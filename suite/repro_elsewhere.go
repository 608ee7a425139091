package suite

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

const (
	// maxElsewhere is how many requests of other connections a script takes in.
	maxElsewhere = 8
	// lateNews is for how long after its answer a request may still be what made
	// the server tell something.
	lateNews = time.Second
)

// joined puts scripts of one line over HTTP together where a later one sends
// what an earlier one got: without sessions the server cannot tell their
// connections apart.
func joined(rec *scenarios.Record, all []*script) []*script {
	var out []*script
	for _, s := range all {
		at := slices.IndexFunc(out, func(t *script) bool { return t.gives(rec, s) })
		if at < 0 {
			out = append(out, s)
			continue
		}
		out[at].after = append(out[at].after, s.steps...)
		out[at].until = max(out[at].until, s.until)
	}
	return out
}

// gives says that what another script sends came on this one's tape, and not on its own.
func (s *script) gives(rec *scenarios.Record, to *script) bool {
	if !stateless(s.tape) || !stateless(to.tape) {
		return false
	}
	for _, x := range to.steps {
		for _, m := range made() {
			for _, v := range textsOf(x.event.Raw, m[0]) {
				if s.source(rec, m[1], v, len(s.tape.Events())) != nil && to.source(rec, m[1], v, x.at) == nil {
					return true
				}
			}
		}
	}
	return false
}

// stateless says that a tape is of requests over HTTP that belong to no session.
func stateless(t *wire.Tape) bool { return t.Transport == overHTTP && fakes.Modern(t.Revision) }

// elsewhere are the requests that may have made the server tell something on a
// stream: those that were under way at that time on other connections, or on the
// same one before the stream was opened.
func (s *script) elsewhere(rec *scenarios.Record, told *scenarios.Exchange) []step {
	began := s.tape.Began()
	if told.Sent.Post == 0 || !stateless(s.tape) || began.IsZero() {
		return nil
	}
	when := began.Add(told.Sent.At)
	type candidate struct {
		x  *scenarios.Exchange
		at time.Time
		// off is how far the nearer of its ends is from what was told.
		off time.Duration
	}
	var all []candidate
	for _, t := range rec.Tapes {
		if !stateless(t) || t.Began().IsZero() {
			continue
		}
		events := t.Events()
		for _, x := range rec.Exchanges(t) {
			at := t.Began().Add(x.Sent.At)
			if at.After(when) {
				break
			}
			off := when.Sub(at)
			if x.EndAt >= 0 {
				off = min(off, when.Sub(t.Began().Add(events[x.EndAt].At)).Abs())
				if t.Began().Add(events[x.EndAt].At).Before(when.Add(-lateNews)) {
					continue
				}
			}
			own := t == s.tape && slices.ContainsFunc(s.steps, func(y step) bool { return y.event.Post == told.Sent.Post && y.at < x.At })
			if !own && acts(x) {
				all = append(all, candidate{x, at, off})
			}
		}
	}
	slices.SortFunc(all, func(a, b candidate) int { return cmp.Compare(a.off, b.off) })
	had := map[string]bool{}
	all = slices.DeleteFunc(all, func(c candidate) bool {
		again := had[kindOf(c.x)] || len(had) >= maxElsewhere
		had[kindOf(c.x)] = true
		return again
	})
	slices.SortFunc(all, func(a, b candidate) int { return a.at.Compare(b.at) })
	var out []step
	for _, c := range all {
		out = append(out, stepOf(c.x))
	}
	return out
}

// kindOf is what a request is about: its method and the name of the tool.
func kindOf(x *scenarios.Exchange) string {
	return x.Request.Method + " " + x.Request.Root.Get("params.name").Str
}

// lastOfEach leaves the last request of each kind.
func lastOfEach(all []*scenarios.Exchange) []*scenarios.Exchange {
	last := map[string]*scenarios.Exchange{}
	for _, x := range all {
		last[kindOf(x)] = x
	}
	return slices.DeleteFunc(slices.Clone(all), func(x *scenarios.Exchange) bool { return last[kindOf(x)] != x })
}

// acts says that a request may change something at the server.
func acts(x *scenarios.Exchange) bool {
	m := x.Request.Method
	return x.Sent.Kind == wire.Send && x.Request.ID != "" && m != "" && m != "ping" && m != "server/discover" && m != "subscriptions/listen" && !strings.HasSuffix(m, "/list")
}

// remembers says that two equal requests, one after the other, got different
// answers: what the server gives depends on what was sent to it before.
func remembers(f scenarios.Fault) bool {
	for i, x := range f.Proof {
		for _, y := range f.Proof[:i] {
			if same(x, y) && max(y.At, x.At) > min(x.AnswerAt, y.AnswerAt) && x.Answer.Result.Raw+x.RPCError().Raw != y.Answer.Result.Raw+y.RPCError().Raw {
				return true
			}
		}
	}
	return false
}

// same says that two requests on one line were answered and differ in their ids alone.
func same(x, y *scenarios.Exchange) bool {
	return x.Answered() && y.Answered() && x.Sent.Kind == wire.Send && x.Tape == y.Tape && bytes.Equal(bare(x.Sent.Raw, x.Request), bare(y.Sent.Raw, y.Request))
}

// bare is a frame without its id.
func bare(raw []byte, m *wire.Message) []byte {
	return bytes.Replace(raw, []byte(`"id":`+m.ID), nil, 1)
}

// levelBeside says that a request over HTTP sets the level of logs and met
// another that lets more through, or met a request on whose stream something
// came: nobody knows which of them the server heard first, but what came was let
// through.
func (s *script) levelBeside(rec *scenarios.Record, x *scenarios.Exchange) bool {
	if !s.http() || !setsLevel(x) {
		return false
	}
	meet := func(y *scenarios.Exchange) bool {
		return y.At < max(x.AnswerAt, x.EndAt) && max(y.AnswerAt, y.EndAt) > x.At
	}
	met, looser := false, false
	for _, y := range rec.Exchanges(s.tape) {
		counts := slices.ContainsFunc(s.steps, func(z step) bool { return z.at == y.At && z.counts })
		if counts && !setsLevel(y) {
			met = met || meet(y)
		}
		if setsLevel(y) && strictness(y) < strictness(x) {
			looser = true
			met = met || meet(y)
		}
	}
	return met && looser
}

func setsLevel(x *scenarios.Exchange) bool { return x.Request.Method == "logging/setLevel" }

// strictness is how little a level of logs lets through; a word that is none is the strictest.
func strictness(x *scenarios.Exchange) int {
	levels := []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
	if i := slices.Index(levels, x.Request.Root.Get("params.level").Str); i >= 0 {
		return i
	}
	return len(levels)
}
