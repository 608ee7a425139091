package fakes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// Dial opens a line to the target for one purpose. env filters what a stdio
// child gets of the environment.
type Dial func(ctx context.Context, purpose string, stdio Stdio) (wire.Line, error)

// OpenError says why a client could not open a session.
type OpenError struct {
	// Kind is "start", "dead", "silent", "refused", "version" or "junk".
	Kind string
	Text string
}

func (e *OpenError) Error() string { return e.Text }

// Want says what session is wanted.
type Want struct {
	Transport string
	// Revision forces an era and a version; "" leaves it to the client.
	Revision string
	// Capabilities replace the profile's.
	Capabilities json.RawMessage
	Purpose      string
	Limits       Limits
	// NoLists leaves out the listing that clients do by themselves.
	NoLists bool
	// NoStream opens no GET stream, whatever the client does in life.
	NoStream bool
	Person   Person
	// Ahead is that of the session.
	Ahead bool
}

// Open starts a session as the client does: probe, fall back, initialize,
// listen, list. The session is returned with the error when the target could
// be reached, so that its tape can be judged.
func Open(ctx context.Context, p *Profile, dial Dial, w Want) (*Session, error) {
	ctx, cancel := context.WithTimeout(ctx, w.Limits.Start+w.Limits.Answer)
	defer cancel()
	p = p.For(w.Transport, "")
	line, err := dial(ctx, w.Purpose, p.Stdio)
	if err != nil {
		return nil, &OpenError{"start", err.Error()}
	}
	s := newSession(p, line, w)
	if w.Revision != "" && p.ID == Any {
		return s, s.openAs(ctx, w.Revision)
	}
	modern := false
	if pr := p.Opening.Probe; pr != nil && (w.Revision == "" || Modern(w.Revision)) {
		offer, outcome := s.probe(ctx, pr)
		modern = offer.Exists()
		if !modern && (outcome == "junk" || pr.Stops(outcome)) { // nobody comes to junk who goes on after it
			return s, stopped(outcome)
		}
		if w.Transport != "http" && (pr.OwnProcess || outcome == "exit" && p.Opening.Legacy != "") {
			s.CloseWith(wire.Shutdown{{Do: "eof"}, {Do: "sigterm", Wait: time.Second}, {Do: "sigkill", Wait: time.Second}})
			line, err = dial(ctx, w.Purpose+", second process", p.Stdio)
			if err != nil {
				return s, &OpenError{"start", err.Error()}
			}
			s = newSession(p, line, w)
		}
		s.Opened = offer
	}
	if modern {
		s.Revision = Rev20260728
		s.Profile = p.For(w.Transport, s.Revision)
		if w.Capabilities == nil {
			s.Capabilities = s.Profile.Capabilities
		}
		s.afterModern(ctx, w)
		return s, nil
	}
	if p.Opening.Legacy == "" {
		return s, &OpenError{"version", "the server does not offer 2026-07-28 and the client speaks nothing else"}
	}
	if err := s.initialize(ctx, p.Opening.Legacy); err != nil {
		return s, err
	}
	if !w.NoLists {
		s.lists(ctx)
	}
	return s, nil
}

func newSession(p *Profile, line wire.Line, w Want) *Session {
	s := NewSession(p, line, w.Transport, w.Limits)
	if w.Capabilities != nil {
		s.Capabilities = w.Capabilities
	}
	if w.Person != nil {
		s.person = w.Person
	}
	s.noStream, s.Ahead = w.NoStream, w.Ahead
	return s
}

// openAs opens under one revision and no other, as conform itself does.
func (s *Session) openAs(ctx context.Context, revision string) error {
	if !Modern(revision) {
		return s.initialize(ctx, revision)
	}
	s.Revision = revision
	p := s.Start(ctx, Ask{Label: "open/discover", Method: "server/discover", Limit: s.Limits.Start, NoCanary: true})
	err := p.Wait(ctx)
	m := s.answerTo("open/discover")
	switch {
	case err != nil:
		err = openError(err, "server/discover")
	case m == nil || !m.HasResult:
		err = s.refused("server/discover", "open/discover", m)
	default:
		s.Opened = m.Result
		if offers(s.Opened, revision) {
			return nil
		}
		return &OpenError{"version", "server/discover does not list " + revision}
	}
	var oe *OpenError
	silent := errors.As(err, &oe) && oe.Kind == "silent"
	if (silent || m != nil && m.Root.Get("error.code").Int() == -32601) && s.servesWithout(ctx, revision) {
		return nil
	}
	return err
}

// offers says that a result of server/discover offers a revision. One that does
// not say which it offers, but is of the stateless era by its other members, is
// taken at its word: what it lacks is for the checks to tell.
func offers(result gjson.Result, revision string) bool {
	v := result.Get("supportedVersions")
	if !v.IsArray() {
		return result.Get("resultType").Exists() && result.Get("capabilities").IsObject()
	}
	return slices.ContainsFunc(v.Array(), func(v gjson.Result) bool { return v.Str == revision })
}

// servesWithout says that the server answers by the rules of the stateless era
// although it did not answer server/discover. It may only have been slow: it is
// asked again, and what it offers stays unknown when it does not answer then.
func (s *Session) servesWithout(ctx context.Context, revision string) bool {
	const label = "open/undiscovered"
	short := 2 * s.Limits.Quiet
	_ = s.Do(ctx, Ask{Label: label, Method: "tools/list", Limit: short, NoCanary: true})
	m := s.answerTo(label)
	if m == nil || !m.Root.Get("result.resultType").Exists() {
		return false
	}
	s.Opened, s.undiscovered = gjson.Parse(`{}`), true
	_ = s.Do(ctx, Ask{Label: "open/discover", Method: "server/discover", Limit: short, NoCanary: true})
	if m := s.answerTo("open/discover"); m != nil && m.HasResult {
		s.Opened, s.undiscovered = m.Root.Get("result"), false
		return offers(s.Opened, revision)
	}
	return true
}

// initialize does the handshake of the legacy era.
func (s *Session) initialize(ctx context.Context, version string) error {
	s.Revision = ""
	caps := s.Capabilities
	if caps == nil {
		caps = json.RawMessage(`{}`)
	}
	info := s.Profile.ClientInfo
	if info == nil {
		info = json.RawMessage(`{"name":"conform","version":"1.0.0"}`)
	}
	params := `{"protocolVersion":"` + version + `","capabilities":` + string(caps) + `,"clientInfo":` + string(info) + `}`
	s.openStream(ctx, "initialize")
	p := s.Start(ctx, Ask{Label: "open/initialize", Method: "initialize", Params: json.RawMessage(params), Limit: s.Limits.Start, NoCanary: true, NoToken: true})
	if err := p.Wait(ctx); err != nil {
		return openError(err, "initialize")
	}
	m := s.answerTo("open/initialize")
	if m == nil || !m.HasResult {
		return s.refused("initialize", "open/initialize", m)
	}
	s.Opened = m.Result
	got := s.Opened.Get("protocolVersion").Str
	accepts := s.Profile.Opening.Accepts
	if len(accepts) > 0 && !slices.Contains(accepts, got) {
		return &OpenError{"version", fmt.Sprintf("the server answered initialize with version %q, which this client refuses", got)}
	}
	s.Revision = got
	if !slices.Contains(Revisions(), got) || Modern(got) {
		s.Revision = version // speak on as we began; the answer is judged elsewhere
	}
	const done = "notifications/initialized"
	s.openStream(ctx, done)
	a := Ask{Label: "open/initialized", Method: done}
	if s.Profile.Opening.InitializedParams {
		a.Params = json.RawMessage(`{}`)
	}
	_ = s.Notify(ctx, a)
	s.openStream(ctx, "")
	if level := s.Profile.Opening.SetLevel; level != "" && s.Opened.Get("capabilities.logging").Exists() {
		_ = s.Do(ctx, Ask{Label: "open/logging/setLevel", Method: "logging/setLevel", Params: object(member("level", quote(level)))})
	}
	return nil
}

// openStream opens the GET stream without waiting for anything on it, if the
// client does so before the message; "" is after the handshake.
func (s *Session) openStream(ctx context.Context, before string) {
	p := s.Profile.HTTP
	if !s.http || !p.Stream || s.noStream || before == "" && len(p.StreamBefore) > 0 || before != "" && !slices.Contains(p.StreamBefore, before) {
		return
	}
	h := s.sessionHeader()
	if h.Get("Accept") == "" {
		h.Set("Accept", "text/event-stream")
	}
	_, _ = s.line.Send(ctx, wire.Frame{Method: http.MethodGet, Probe: "open/stream", Header: h})
}

// afterModern does what the client does once it knows that the server is modern.
func (s *Session) afterModern(ctx context.Context, w Want) {
	o := s.Profile.Opening
	if len(o.Listen) > 0 {
		s.listen(ctx)
	}
	if o.DiscoverAgain && w.Transport != "http" {
		_ = s.Do(ctx, Ask{Label: "open/discover", Method: "server/discover"})
	}
	if !w.NoLists {
		s.lists(ctx)
	}
}

func (s *Session) listen(ctx context.Context) {
	caps := s.Opened.Get("capabilities")
	filter := ""
	for _, k := range []struct{ cap, key string }{{"tools", "toolsListChanged"}, {"prompts", "promptsListChanged"}, {"resources", "resourcesListChanged"}} {
		if caps.Get(k.cap + ".listChanged").Bool() {
			if filter != "" {
				filter += ","
			}
			filter += `"` + k.key + `":true`
		}
	}
	if filter == "" {
		return
	}
	a := Ask{Label: "open/listen", Method: "subscriptions/listen",
		Params: json.RawMessage(`{"notifications":{` + filter + `}}`), NoToken: !s.Profile.Asking.TokenOnAll}
	if id := string(s.Profile.Opening.Listen); id[0] == '"' {
		a.ID = id
	}
	p := s.Start(ctx, a)
	p.free() // it stays open as long as the session does
	s.listening = p.ID
}

func openError(err error, what string) error {
	switch {
	case errors.Is(err, wire.ErrDead):
		return &OpenError{"dead", "the server ended before it answered " + what}
	case errors.Is(err, ErrSilent), errors.Is(err, ErrStuck), errors.Is(err, context.DeadlineExceeded):
		return &OpenError{"silent", "the server did not answer " + what}
	}
	return &OpenError{"junk", what + ": " + err.Error()}
}

// refused says how a request that opens a session was turned down.
func (s *Session) refused(what, label string, m *wire.Message) error {
	if m != nil {
		return &OpenError{"refused", what + " was answered " + brief(m)}
	}
	for _, e := range slices.Backward(s.Tape().Events()) {
		switch {
		case e.Kind == wire.Close && e.Probe == label && e.Status == "refused":
			return &OpenError{"start", "cannot connect: " + string(e.Raw)}
		case e.Kind == wire.Close && e.Probe == label && e.Status != "end":
			return &OpenError{"junk", what + " failed: " + string(e.Raw)}
		case e.Kind == wire.Head && e.Probe == label:
			return &OpenError{"refused", fmt.Sprintf("%s was answered with HTTP %d and nothing that is a response", what, e.HTTP.Status)}
		}
	}
	return &OpenError{"junk", what + " was answered " + brief(m)}
}

func brief(m *wire.Message) string {
	if m == nil {
		return "with nothing that is a response"
	}
	raw := m.Root.Raw
	if len(raw) > 300 {
		raw = raw[:300] + " ..."
	}
	return raw
}
