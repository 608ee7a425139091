package fakes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// A client's own limit for its probe is stretched, but only so far.
const (
	slack     = 3
	slackMost = 9 * time.Second
)

// probe sends server/discover. It returns the result when the modern era is on
// offer, and otherwise what came of the probe, in the words of Probe.StopsOn.
func (s *Session) probe(ctx context.Context, pr *Probe) (offer gjson.Result, outcome string) {
	s.Revision = Rev20260728
	caps := s.Capabilities
	if s.Profile.ModernCapabilities != nil {
		s.Capabilities = s.Profile.ModernCapabilities
	}
	defer func() { s.Revision, s.Capabilities = "", caps }()
	a := Ask{Label: "open/probe", Method: "server/discover", ID: string(pr.ID), NoToken: true}
	p := s.Start(ctx, a)
	if n, err := strconv.ParseInt(a.ID, 10, 64); err == nil {
		s.mu.Lock()
		s.nextID = max(s.nextID, n+1)
		s.mu.Unlock()
	}
	wait := time.Duration(pr.WaitMS) * time.Millisecond
	if wait <= 0 || wait > s.Limits.Start {
		wait = s.Limits.Start
	}
	// The machine may be slower than the one the client was seen on: a start
	// that takes twice as long here is no fault of the server.
	wait = min(max(wait, min(slack*wait, slackMost)), s.Limits.Start)
	var done <-chan struct{}
	if p.sent != nil {
		done = p.sent.Done()
	}
	select {
	case <-p.answered:
	case <-done:
	case <-s.line.Dead():
		_ = p.afterDeath()
	case <-time.After(wait):
		s.note(a.Label, p, "silent", fmt.Sprintf("the client waits %s for this answer", wait))
		p.fail(ErrSilent)
	case <-ctx.Done():
		p.fail(ctx.Err())
	}
	switch err := p.Err(); {
	case errors.Is(err, wire.ErrDead):
		return offer, "exit"
	case err != nil:
		return offer, "silence"
	}
	if s.Profile.Stdio.JunkEnds && !s.http && s.sawJunk() {
		return offer, "junk"
	}
	m := s.answerTo(a.Label)
	if m == nil || !m.HasResult && !m.Root.Get("error").IsObject() {
		return offer, s.statusOfPost(p)
	}
	if !m.HasResult {
		return offer, errorOutcome(m.Root.Get("error"), s.statusOfPost(p), pr)
	}
	res := m.Result
	switch {
	case !lists(res.Get("supportedVersions"), Rev20260728):
		return offer, "old-only"
	case !res.Get("capabilities").IsObject(), pr.NeedsResultType && !res.Get("resultType").Exists():
		return offer, "incomplete"
	}
	return res, ""
}

// errorOutcome names an error: by the HTTP status when the client stops on
// that, else by its code.
func errorOutcome(e gjson.Result, status string, pr *Probe) string {
	if pr.Stops(status) {
		return status
	}
	code := e.Get("code").Raw
	supported := e.Get("data.supported")
	if code != "-32022" || len(supported.Array()) == 0 {
		return code
	}
	switch {
	case pr.Stops("contradiction") && lists(supported, Rev20260728):
		return "contradiction"
	case pr.Stops("future-only") && !slices.ContainsFunc(Revisions(), func(r string) bool { return lists(supported, r) }):
		return "future-only"
	}
	return code
}

func lists(versions gjson.Result, revision string) bool {
	return slices.ContainsFunc(versions.Array(), func(v gjson.Result) bool { return v.Str == revision })
}

// statusOfPost is the HTTP status that a request got, "" over other transports.
func (s *Session) statusOfPost(p *Pending) string {
	if p.sent == nil || p.sent.Post() == 0 {
		return ""
	}
	for _, e := range s.Tape().Events() {
		if e.Kind == wire.Head && e.Post == p.sent.Post() {
			return strconv.Itoa(e.HTTP.Status)
		}
	}
	return "exit" // the exchange ended without an answer
}

// sawJunk says that a line came that is no JSON.
func (s *Session) sawJunk() bool {
	for _, e := range s.Tape().Events() {
		if e.Kind == wire.Recv && len(e.Raw) > 0 && !e.Message().Valid {
			return true
		}
	}
	return false
}

// stopped is the error of a client that gives up after its probe.
func stopped(outcome string) error {
	const goes = "; this client does not go on with initialize after that"
	switch outcome {
	case "exit":
		return &OpenError{"dead", "the server ended before it answered server/discover" + goes}
	case "silence":
		return &OpenError{"silent", "the server did not answer server/discover" + goes}
	case "junk":
		return &OpenError{"junk", "the server wrote a line that is no JSON" + goes}
	case "old-only":
		return &OpenError{"version", "server/discover answers without 2026-07-28 in supportedVersions" + goes}
	case "contradiction":
		return &OpenError{"version", "server/discover is refused as of an unsupported revision that the refusal itself lists" + goes}
	case "future-only":
		return &OpenError{"version", "server/discover is refused with revisions that nobody knows" + goes}
	}
	return &OpenError{"refused", "server/discover was answered with " + outcome + goes}
}
