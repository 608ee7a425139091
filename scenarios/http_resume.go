package scenarios

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

func judgeEventIDs(e *Evidence) Ruling {
	var r Ruling
	type session struct {
		tape *wire.Tape
		id   string
	}
	seen := map[session]map[string]bool{}
	ids, _ := e.minted()
	for _, p := range e.posts() {
		if !p.sse() || p.resumed() || len(ids) > 0 && p.session() == "" {
			continue // a refusal that belongs to no session has nothing to be told from
		}
		for _, ev := range p.events {
			if ev.HTTP == nil || ev.HTTP.EventID == "" {
				continue
			}
			r.Seen++
			in := session{p.Tape, p.session()}
			if seen[in] == nil {
				seen[in] = map[string]bool{}
			}
			if seen[in][ev.HTTP.EventID] && len(r.Faults) < 5 {
				r.Faults = append(r.Faults, Fault{Subject: "event ids", Expected: "each id once in a session", Observed: "the id " + short(ev.HTTP.EventID, 60) + " again", Proof: []*Exchange{p.Exchange}})
			}
			seen[in][ev.HTTP.EventID] = true
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server sends no event ids")
	}
	return r
}

// session is the id of the session that a request belongs to or opens, "" for none.
func (p post) session() string {
	if p.Head != nil && p.Head.HTTP != nil {
		if id := p.Head.HTTP.Header.Get("Mcp-Session-Id"); id != "" {
			return id
		}
	}
	if p.Sent.HTTP == nil {
		return ""
	}
	return p.Sent.HTTP.Header.Get("Mcp-Session-Id")
}

const noEventIDs = "the server sends no event ids, so that no stream can be taken up again"

// resumes lists the requests that took a stream up again, each with the one that had opened it.
func (e *Evidence) resumes() (again, opened []post) {
	all := e.posts()
	for _, p := range all {
		label, ok := strings.CutPrefix(p.Sent.Probe, LabelScope(e.Cell.Scenario, e.Cell.Attempt)+"resume:")
		if !ok || p.Head == nil {
			continue
		}
		if label == "one" {
			label = "stream:one"
		}
		i := slices.IndexFunc(all, func(q post) bool { return q.Tape == p.Tape && strings.HasSuffix(q.Sent.Probe, "/"+label) })
		if i >= 0 {
			again, opened = append(again, p), append(opened, all[i])
		}
	}
	return again, opened
}

func judgeReconnect(e *Evidence) Ruling {
	again, opened := e.resumes()
	if len(again) == 0 {
		return NotApplicable(noEventIDs)
	}
	var r Ruling
	for i, p := range again {
		if !p.sse() {
			continue
		}
		r.Seen++
		r.Proof = append(r.Proof, p.Exchange)
		for _, ev := range p.events {
			m := ev.Message()
			token := m.Root.Get("params.progressToken").Raw
			foreign := m.IsResponse() && m.ID != opened[i].Request.ID || m.Method == "notifications/progress" && token != tokenOf(opened[i].Exchange)
			if foreign && len(r.Faults) == 0 {
				r.Faults = append(r.Faults, Fault{Subject: "Last-Event-ID", Expected: "messages of the stream of " + opened[i].name() + " alone", Observed: short(string(ev.Raw), 200), Proof: []*Exchange{opened[i].Exchange, p.Exchange}})
			}
		}
	}
	if r.Seen == 0 {
		return NotSeen("the server refused to take a stream up again")
	}
	return r
}

func judgeResumes(e *Evidence) Ruling {
	if e.Cell.Revision < fakes.Rev20251125 {
		return NotApplicable("advised from 2025-11-25 on")
	}
	again, opened := e.resumes()
	if len(again) == 0 {
		return NotApplicable(noEventIDs)
	}
	var r Ruling
	for i, p := range again {
		if p.Status() == http.StatusMethodNotAllowed {
			return NotApplicable("the server opens no stream on GET")
		}
		r.Seen++
		if p.sse() {
			r.Proof = append(r.Proof, p.Exchange)
			continue
		}
		r.Faults = append(r.Faults, Fault{Subject: "Last-Event-ID", Expected: "the stream again", Observed: sayHTTP(p.Exchange), Proof: []*Exchange{opened[i].Exchange, p.Exchange}})
	}
	return r
}

func judgeReplayed(e *Evidence) Ruling {
	again, opened := e.resumes()
	if len(again) == 0 {
		return NotApplicable(noEventIDs)
	}
	var r Ruling
	for i, p := range again {
		o := opened[i]
		whole := o.Answered() && o.Tape.Events()[o.AnswerAt].Post == o.Sent.Post
		last := o.events[len(o.events)-1].HTTP
		if !p.sse() || whole && (last == nil || last.EventID == p.Sent.HTTP.Header.Get("Last-Event-Id")) {
			continue // nothing was missed
		}
		r.Seen++
		got := slices.ContainsFunc(p.events, func(ev *wire.Event) bool { return len(bytes.TrimSpace(ev.Raw)) > 0 })
		if got {
			r.Proof = append(r.Proof, p.Exchange)
			continue
		}
		r.Faults = append(r.Faults, Fault{Subject: "Last-Event-ID", Expected: "what came after that event", Observed: "nothing", Proof: []*Exchange{opened[i].Exchange, p.Exchange}})
	}
	if r.Seen == 0 {
		return NotSeen("no stream was taken up again of which something was missed")
	}
	return r
}

func judgePriming(e *Evidence) Ruling {
	if e.Cell.Revision < fakes.Rev20251125 {
		return NotApplicable("advised from 2025-11-25 on")
	}
	ids := slices.ContainsFunc(e.posts(), func(p post) bool {
		return slices.ContainsFunc(p.events, func(ev *wire.Event) bool { return ev.HTTP != nil && ev.HTTP.EventID != "" })
	})
	if !ids {
		return NotApplicable(noEventIDs)
	}
	return e.eachPost(
		func(p post) bool {
			// Clients from before that advice, which say no newer version, may get none.
			return p.sse() && !p.resumed() && len(p.events) > 0 && p.Sent.HTTP.Header.Get("Mcp-Protocol-Version") >= fakes.Rev20251125
		},
		func(p post) (string, string) {
			first := p.events[0]
			if first.HTTP != nil && first.HTTP.EventID != "" && len(first.Raw) == 0 {
				return "", ""
			}
			return "first an event with an id and empty data", "first a message"
		})
}
