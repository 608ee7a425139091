package suite

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers"
	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// maxViewTools bounds how many tools get a card, so that a server with
// thousands of tools still has a readable report.
const maxViewTools = 300

// viewPatience is how long working out the views may take at least, whatever is
// left of the time of the run.
const viewPatience = 2 * time.Second

// views says for each client and tool what a person and the model get to see.
// It rests on the listing that the client got, or on the neutral one where the
// client's own manner on the wire is not known. When the limit is over, late
// says whose views are missing; 0 is no limit.
func views(clients []*fakes.Profile, rec *scenarios.Record, limit time.Duration) (out []scenarios.View, late string) {
	var over <-chan time.Time
	if limit > 0 {
		over = time.After(limit)
	}
	// Who still works when the time is over is left alone: nobody waits for it.
	stopped, done := make(chan struct{}), make(chan []scenarios.View)
	defer close(stopped)
	go func() {
		for _, p := range clients {
			select {
			case done <- viewsFor(p, rec):
			case <-stopped:
				return
			}
		}
	}()
	out = []scenarios.View{}
	for i, p := range clients {
		select {
		case v := <-done:
			out = append(out, v...)
		case <-over:
			return out, fmt.Sprintf("what %d of %d clients make of the tools was not worked out, %s first: the time for it was over, and the listing is too much", len(clients)-i, len(clients), p.ID)
		}
	}
	return out, ""
}

func viewsFor(p *fakes.Profile, rec *scenarios.Record) []scenarios.View {
	r, ok := readers.For(p.ReaderID())
	if !ok {
		return nil
	}
	f := viewFacts(p, rec)
	if f == nil {
		return nil
	}
	return viewsOf(p, r, f, rec)
}

// viewFacts picks the facts under which a client meets the target: those of its own
// visit, or of the revision that it would come to where another shard has the visit.
func viewFacts(p *fakes.Profile, rec *scenarios.Record) *scenarios.Facts {
	for _, t := range rec.Select(p.ID, "", "") {
		if f := rec.Target(t.Transport, t.Revision); f != nil {
			return f
		}
	}
	var legacy *scenarios.Facts
	for _, f := range rec.Targets {
		switch {
		case f.Modern() && p.Opening.Probe != nil:
			return f
		case !f.Modern() && p.Drives && f.Revision == p.Opening.Legacy:
			return f
		case !f.Modern() && legacy == nil:
			legacy = f
		}
	}
	return legacy
}

func viewsOf(p *fakes.Profile, r fakes.Reader, f *scenarios.Facts, rec *scenarios.Record) []scenarios.View {
	var raw [][]byte
	for _, t := range rec.Select(fakes.Any, f.Revision, f.Transport) {
		if raw = scenarios.ReaderPages(rec.Labelled([]*wire.Tape{t}, "open/tools/list")); raw != nil {
			break
		}
	}
	if raw == nil {
		return nil
	}
	l := r.Listing(f.Revision, raw)
	kept := map[string]*fakes.ListedTool{}
	for i := range l.Tools {
		if _, ok := kept[l.Tools[i].Name]; !ok {
			kept[l.Tools[i].Name] = &l.Tools[i]
		}
	}
	var out []scenarios.View
	for i := range f.Tools[:min(len(f.Tools), maxViewTools)] {
		t := &f.Tools[i]
		v := scenarios.View{Client: p.ID, Tool: t.Name, Reads: "none", Hides: []string{}, State: "ok", Source: scenarios.Confidence(p.Source)}
		k := kept[t.Name]
		switch {
		case l.State == fakes.Lost || l.State == fakes.Hang:
			v.State, v.Note = "lost", l.Why
		case k == nil || k.State == fakes.Dropped:
			v.State = "dropped"
			if k != nil {
				v.Note = k.Why
			}
		default:
			view(&v, r, f, k, sampleAnswer(rec, f, t.Name))
		}
		out = append(out, v)
	}
	return out
}

func view(v *scenarios.View, r fakes.Reader, f *scenarios.Facts, k *fakes.ListedTool, answer []byte) {
	v.Label, v.Name = k.Label, k.ModelName
	if k.State == fakes.Rewritten {
		v.State, v.Note = "rewritten", k.Why
	}
	v.Hides = append(v.Hides, k.Hides...)
	if answer == nil {
		v.Reads = "not called"
		return
	}
	a := r.Call(f.Revision, k, answer)
	v.Reads, v.Sample = a.Source, report.Bound(a.Text, 400)
	if a.State != fakes.Accepted {
		v.Reads = string(a.State)
		v.Note = strings.TrimSpace(v.Note + " " + a.Why)
	}
	for _, h := range a.Hides {
		if !slices.Contains(v.Hides, h) {
			v.Hides = append(v.Hides, h)
		}
	}
}

// sampleAnswer finds a successful answer to a valid call of a tool: under the given
// facts, else under another revision that knows structured content as well.
func sampleAnswer(rec *scenarios.Record, f *scenarios.Facts, tool string) []byte {
	tapes := rec.Select(fakes.Any, f.Revision, f.Transport)
	for _, t := range rec.Select(fakes.Any, "", f.Transport) {
		if structured := fakes.Rev20250618; t.Revision != f.Revision && (t.Revision >= structured) == (f.Revision >= structured) {
			tapes = append(tapes, t)
		}
	}
	for _, t := range tapes {
		for _, x := range rec.Exchanges(t) {
			if x.Request.Method == "tools/call" && strings.HasPrefix(x.Label, "output-schema") && x.Succeeded() && x.Request.Root.Get("params.name").Str == tool {
				return scenarios.ForReader(x)
			}
		}
	}
	return nil
}
