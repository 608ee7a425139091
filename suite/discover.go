package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

// found is one revision that the target offers over one transport, with the
// session that found it; it becomes the session that scenarios share.
type found struct {
	facts   *scenarios.Facts
	session *fakes.Session
}

// maxPages bounds how many pages of a list are read.
const maxPages = 1000

// discover asks the target over each transport for each revision, each on a
// line of its own: one SDK pins its era on the first message, another dies of it.
func (e *engine) discover(ctx context.Context) ([]*found, map[string]error) {
	var (
		mu     sync.Mutex
		wg     sync.WaitGroup
		out    []*found
		fails  = map[string]error{}
		ranked = map[string]int{}
		died   []string
	)
	for _, tr := range e.cfg.Target.transports() {
		for _, rev := range e.asked() {
			wg.Go(func() {
				f, err := e.find(ctx, tr, rev)
				mu.Lock()
				defer mu.Unlock()
				if f != nil {
					out = append(out, f)
					return
				}
				if tr == overStdio && endedFirst(err) {
					died = append(died, rev)
				}
				if r := failRank(err); err != nil && (fails[tr] == nil || r > ranked[tr]) {
					fails[tr], ranked[tr] = err, r
				}
			})
		}
	}
	wg.Wait()
	out = e.beside(ctx, out, died)
	slices.SortFunc(out, func(a, b *found) int {
		if c := strings.Compare(a.facts.Transport, b.facts.Transport); c != 0 {
			return -c
		}
		return strings.Compare(b.facts.Revision, a.facts.Revision)
	})
	for _, f := range out {
		delete(fails, f.facts.Transport)
	}
	return out, fails
}

// failRank prefers the failure that tells most about why nothing is offered.
func failRank(err error) int {
	var oe *fakes.OpenError
	if !errors.As(err, &oe) {
		return 0
	}
	return map[string]int{"version": 1, "refused": 2, "silent": 3, "junk": 4, "dead": 5, "start": 6}[oe.Kind]
}

// asked lists the revisions to try.
func (e *engine) asked() []string {
	if len(e.cfg.Revisions) > 0 {
		return e.cfg.Revisions
	}
	return fakes.Revisions()
}

// find opens a neutral session under one revision. A server that answers
// another revision does not offer this one.
func (e *engine) find(ctx context.Context, transport, revision string) (*found, error) {
	s, err := e.open(ctx, fakes.Neutral(), fakes.Want{
		Transport: transport, Revision: revision, Purpose: sharedFor(revision),
	})
	if s != nil {
		s.Tape().Revision = revision
	}
	if err != nil {
		if s != nil {
			err = withStderr(err, s.Tape())
			go s.CloseWith(wire.Quick())
		}
		return nil, err
	}
	if s.Opened.Get("protocolVersion").Str != revision && !fakes.Modern(revision) {
		go s.CloseWith(wire.Quick())
		return nil, &fakes.OpenError{Kind: "version", Text: fmt.Sprintf("asked for %s, the server answered %s", revision, s.Opened.Get("protocolVersion").Raw)}
	}
	if l, ok := s.Line().(*held); ok {
		l.release() // a shared session lives as long as the run: it takes no place
	}
	f := &scenarios.Facts{Run: e.facts, Revision: revision, Transport: transport, Opened: json.RawMessage(s.Opened.Raw)}
	_, _ = s.List(ctx, "open/tools/list", "tools/list", maxPages)
	pages := s.Pages("open/tools/list")
	s.Learn(pages)
	f.Listed, f.Pages = len(pages) > 0, len(pages)
	f.Tools, f.More = e.tools(pages)
	return &found{facts: f, session: s}, nil
}

// tools reads the first listed tools, says which of them may be called and how
// many more there are, with those whose names are too long. Of tools of one name the first counts.
func (e *engine) tools(pages []gjson.Result) (out []scenarios.Tool, more int) {
	seen := map[string]bool{}
	for _, p := range pages {
		p.Get("tools").ForEach(func(_, t gjson.Result) bool {
			name := t.Get("name")
			if len(out) == scenarios.MaxEntries || len(name.Raw) > scenarios.MaxName {
				more++
				return true
			}
			if name.Type != gjson.String || seen[name.Str] {
				return true
			}
			seen[name.Str] = true
			ok, why := e.callable(name.Str, t)
			out = append(out, scenarios.Tool{Name: name.Str, Raw: json.RawMessage(t.Raw), Callable: ok, Why: why})
			return true
		})
	}
	return out, more
}

// callable says whether valid calls may go to a tool.
func (e *engine) callable(name string, t gjson.Result) (bool, string) {
	c := e.cfg
	if slices.Contains(c.DenyList, name) {
		return false, "denied by the configuration"
	}
	if c.Allow == AllowNone {
		return false, "no tool may be called (--allow none)"
	}
	if slices.Contains(c.AllowList, name) {
		return true, "allowed by the configuration"
	}
	for _, k := range c.Calls {
		if k.Tool == name {
			return true, scenarios.WhyCall
		}
	}
	for _, r := range c.Roles {
		if r.Tool == name {
			return true, scenarios.WhyRole
		}
	}
	switch c.Allow {
	case AllowAll:
		return true, "every tool may be called (--allow all)"
	case AllowReadOnly:
		if t.Get("annotations.readOnlyHint").Type == gjson.True {
			return true, "it says readOnlyHint: true"
		}
		return false, "it does not say readOnlyHint: true"
	}
	return false, "the configuration does not list it"
}

// advice says what to do about a server that could not be opened.
func advice(kind, transport string) string {
	switch {
	case kind == "start" && transport == overHTTP:
		return "check the address, and that the server is running"
	case kind == "silent" && transport == overHTTP:
		return "check the address and its path, and raise --start-timeout if the server is slow"
	case kind == "silent":
		return "check that the command starts an MCP server that speaks over stdio, and raise --start-timeout if it is slow"
	case kind == "dead":
		return "run the command by hand and look at what it prints"
	}
	return "look at the frames with --record DIR"
}

// withStderr adds the end of what the server wrote to stderr.
func withStderr(err error, t *wire.Tape) error {
	var oe *fakes.OpenError
	if !errors.As(err, &oe) {
		return err
	}
	// A process that ended may still have something in its pipes.
	for range 20 {
		if oe.Kind != "dead" || slices.ContainsFunc(t.Events(), func(ev wire.Event) bool { return ev.Kind == wire.Exit }) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	var lines []string
	status := ""
	for _, ev := range t.Events() {
		switch ev.Kind {
		case wire.Stderr:
			lines = append(lines, string(ev.Raw))
		case wire.Exit:
			status = ev.Status
		}
	}
	text := oe.Text
	if oe.Kind == "dead" && status != "" {
		text += " (" + status + ")"
	}
	if n := len(lines); n > 0 {
		text += "; its stderr ends: " + strings.Join(lines[max(0, n-3):], " | ")
	}
	text += "; " + advice(oe.Kind, t.Transport)
	return &fakes.OpenError{Kind: oe.Kind, Text: text}
}
