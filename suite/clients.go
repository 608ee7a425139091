package suite

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios"
)

// visit is one fake client on one transport, with the session it opened.
type visit struct {
	client    *fakes.Profile
	transport string
	facts     *scenarios.Facts
	session   *fakes.Session
	jobs      []*job
	err       error
}

// planClients lays out which client visits over which transport.
func (e *engine) planClients(offered []*found) []*visit {
	var out []*visit
	if !slices.ContainsFunc(e.cfg.Catalogue, func(s scenarios.Scenario) bool {
		return s.Scope == scenarios.PerClient && e.selected(s)
	}) {
		return nil
	}
	visits := 0
	for _, tr := range e.cfg.Target.transports() {
		if !slices.ContainsFunc(offered, func(f *found) bool { return f.facts.Transport == tr }) {
			continue
		}
		for _, c := range e.cfg.Clients {
			unit := len(e.cfg.Target.transports()) + visits
			if !c.Drives {
				unit = slices.Index(e.cfg.Target.transports(), tr) // it rests on the neutral cells
			} else {
				visits++
			}
			if e.mine(unit) {
				out = append(out, &visit{client: c, transport: tr})
			}
		}
	}
	return out
}

// driveClients lets every client visit, at most as many at a time as there are places for processes.
func (e *engine) driveClients(ctx context.Context, all []*visit) {
	time.Sleep(headStart)
	var wg sync.WaitGroup
	places := make(chan struct{}, max(2, e.cfg.Processes/2))
	if e.hub.once != nil {
		places = make(chan struct{}, 1)
		_ = e.untilDriven(ctx)
	}
	for _, v := range all {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			e.visit(ctx, v)
			e.tick(v.client.ID)
		})
	}
	wg.Wait()
}

// visit opens the client's session, drives the per-client scenarios on it, and
// ends it as the client does.
func (e *engine) visit(ctx context.Context, v *visit) {
	if ctx.Err() != nil {
		v.err = ctx.Err()
	} else if v.client.Drives {
		want := fakes.Want{Transport: v.transport, Purpose: "a visit of " + v.client.Product}
		v.session, v.err = e.come(ctx, v.client, want)
		if early := v.session; e.fellBack(v) {
			// The server was busy with everybody else: the client comes again when it is not.
			early.Tape().Client, early.Tape().Revision = fakes.Any, early.Revision
			e.closing.Go(func() { early.Close() })
			_ = e.untilDriven(ctx) // what a run that is over opens fails by itself
			v.session, v.err = e.open(ctx, v.client, want)
		}
	}
	revision := v.revision()
	v.facts = e.factsFor(v.transport, revision)
	f := &found{facts: v.facts, session: v.session}
	for _, s := range e.cfg.Catalogue {
		if s.Scope != scenarios.PerClient || !e.selected(s) || s.Transport != "" && s.Transport != v.transport {
			continue
		}
		if s.Era == scenarios.LegacyEra && fakes.Modern(revision) || s.Era == scenarios.ModernEra && !fakes.Modern(revision) {
			continue
		}
		j := e.job(s, f, v.client, revision, v.transport)
		v.jobs = append(v.jobs, j)
		if j.cell.Skip == "" && v.err == nil && v.session != nil && s.Drive != nil && ctx.Err() == nil {
			e.one(ctx, j)
		}
		if v.err != nil && ctx.Err() != nil {
			j.cell.Trouble = "the run was stopped before this client visited"
		}
	}
	if v.session != nil {
		v.session.Tape().Revision = revision
		if e.hub.once != nil { // the next client waits for its end
			v.session.Close()
			return
		}
		e.closing.Go(func() { v.session.Close() })
	}
}

// fellBack says that the client took an older revision because the server, which
// offers 2026-07-28, did not answer in the time that the client gives it.
func (e *engine) fellBack(v *visit) bool {
	if v.transport != overHTTP || v.err != nil || v.session == nil || v.session.Modern() || e.record.Target(v.transport, fakes.Rev20260728) == nil {
		return false
	}
	return slices.ContainsFunc(v.session.Tape().Events(), func(ev wire.Event) bool {
		return ev.Kind == wire.Notice && ev.Probe == "open/probe" && ev.Status == "silent"
	})
}

// revision is the one the client speaks with this server.
func (v *visit) revision() string {
	switch {
	case v.session != nil && v.session.Revision != "":
		return v.session.Revision
	case v.client.Opening.Legacy != "":
		return v.client.Opening.Legacy
	}
	return fakes.Rev20260728
}

// factsFor finds what is known of the target under a revision, or under the
// nearest one when the client speaks another.
func (e *engine) factsFor(transport, revision string) *scenarios.Facts {
	if f := e.record.Target(transport, revision); f != nil {
		return f
	}
	var best *scenarios.Facts
	for _, f := range e.record.Targets {
		if f.Transport == transport && (best == nil || f.Modern() == fakes.Modern(revision) && best.Modern() != fakes.Modern(revision)) {
			best = f
		}
	}
	if best == nil {
		return &scenarios.Facts{Run: e.facts, Revision: revision, Transport: transport}
	}
	c := *best
	c.Revision = revision
	return &c
}

// clientJobs returns the jobs of all visits. Tapes of earlier processes of a
// visit belong to the same revision.
func (e *engine) clientJobs(all []*visit) []*job {
	var out []*job
	seen := map[string]bool{}
	for _, v := range all {
		out = append(out, v.jobs...)
		if !seen[v.client.ID] {
			seen[v.client.ID] = true
			e.ran = append(e.ran, v.client)
		}
		if v.facts == nil {
			continue
		}
		for _, t := range e.record.Tapes {
			if t.Client == v.client.ID && t.Transport == v.transport {
				t.Revision = v.revision()
			}
		}
		if v.err == nil && !slices.Contains(v.client.Transports, v.transport) && v.transport != overProcess {
			e.notes = append(e.notes, fmt.Sprintf("%s does not speak %s in life: its order of messages and its reader were run over it all the same", v.client.Product, v.transport))
		}
	}
	e.tellGiven()
	e.tellCrowded()
	return out
}
