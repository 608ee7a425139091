package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// shutdown ends servers as clients do and looks at what is left.
func shutdown() Scenario {
	return Scenario{
		ID: "shutdown", Title: "Shutdown", Transport: "stdio", Late: true,
		Summary: "Opens sessions, lists, and then closes the input with requests in flight, or sends SIGTERM.",
		Drive:   driveShutdown,
		Checks: []Check{
			{
				ID: "shutdown/eof-exits", Claim: "The server ends within 5 seconds after its input was closed.", Level: Should,
				Why:    "Hosts that crash or are killed close the input and nothing more: servers that go on pile up by the hundred. Hosts on Windows have no signals to send.",
				Remedy: "End the process when stdin ends; close timers, watchers and sockets that keep it alive.",
				Basis:  []string{"basic/lifecycle#shutdown", "basic/transports/stdio#shutdown"}, Requirements: []string{"lifecycle.shutdown-on-stdin-close"},
				Judge: probed(judgeEOFExits),
			},
			{
				ID: "shutdown/answers-in-flight", Claim: "Requests in flight are answered before the server ends with its input.", Level: Note,
				Why:    "Scripts pipe requests in and read what comes out; the last answers are missing.",
				Remedy: "When the input ends, let running requests finish and flush stdout before you exit.",
				Basis:  []string{"basic/lifecycle#shutdown"},
				Judge:  probed(judgeInFlight),
			},
			{
				ID: "shutdown/no-orphans", Claim: "No child of the server outlives it.", Level: Should,
				Why:    "Browsers, language servers and watchers that stay behind fill the memory of the machine.",
				Remedy: "End children when the server ends, and wait for them.",
				Basis:  []string{"basic/lifecycle#shutdown"},
				Judge:  probed(judgeOrphans),
			},
			{
				ID: "shutdown/exit-status", Claim: "A server whose input ended leaves with exit status 0.", Level: Note,
				Why:    "Hosts show another status as a crash.",
				Remedy: "Handle the end of stdin, and errors of writing to a closed stdout.",
				Basis:  []string{"basic/lifecycle#shutdown"},
				Judge:  probed(judgeExitStatus),
			},
			{
				ID: "shutdown/sigterm-exits", Claim: "SIGTERM ends the server within 5 seconds.", Level: Note,
				Why:    "It is the second step of every client's shutdown, and the first of some; after it comes SIGKILL, which lets nothing be cleaned up.",
				Remedy: "Do not ignore SIGTERM; when you handle it, end the process yourself.",
				Basis:  []string{"basic/lifecycle#shutdown", "basic/transports/stdio#shutdown"}, Requirements: []string{"lifecycle.shutdown-on-sigterm"},
				Judge: probed(judgeSIGTERM),
			},
		},
	}
}

// exitLimit is how long a server may take to end: launchers and slow machines need some of it.
const exitLimit = 5 * time.Second

// quickCall is how long a call may take whose answer is awaited while the input is closed.
const quickCall = 500 * time.Millisecond

func driveShutdown(ctx context.Context, d *Drive) error {
	if d.Facts.Revision != framingRevision(d.Facts) {
		return nil // how a process ends does not depend on the revision
	}
	var wg sync.WaitGroup
	var err error
	wg.Go(func() { err = closeInFlight(ctx, d) })
	terr := terminate(ctx, d)
	wg.Wait()
	return errors.Join(err, terr)
}

// terminate sends SIGTERM to a server that is idle: to one whose shared session
// nobody needs any more, else to a new one.
func terminate(ctx context.Context, d *Drive) error {
	v := d.spare()
	if v == nil {
		fresh, err := d.Fresh(ctx, fakes.Want{NoLists: true, Purpose: "SIGTERM"})
		if fresh == nil || err != nil {
			return err
		}
		v = fresh
	}
	_ = v.Do(ctx, fakes.Ask{Label: "idle", Method: "tools/list"})
	v.leave("sigterm", wire.Shutdown{{Do: "sigterm", Wait: exitLimit}, {Do: "sigkill", Wait: 2 * time.Second}})
	return nil
}

// spare is the shared session of the oldest revision, when that is not the only
// one of its era: what runs late needs the newest alone.
func (d *Drive) spare() *Voice {
	all := slices.Sorted(maps.Keys(d.Sessions))
	if len(all) < 2 || fakes.Modern(all[0]) != fakes.Modern(all[1]) || d.Sessions[all[0]] == nil {
		return nil
	}
	if v := d.On(all[0]); !v.Dead() {
		return v
	}
	return nil
}

// closeInFlight closes the input of a server that works on requests which it
// was seen to answer quickly.
func closeInFlight(ctx context.Context, d *Drive) error {
	v, err := d.Fresh(ctx, fakes.Want{NoLists: true, Purpose: "end of input"})
	if v == nil || err != nil {
		return err
	}
	_ = v.Do(ctx, fakes.Ask{Label: "idle", Method: "tools/list"})
	method, _ := harmless(d.Facts)
	asks := []fakes.Ask{{Label: "flight:" + method, Method: method}}
	if d.Facts.Listed {
		asks = append(asks, fakes.Ask{Label: "flight:tools/list", Method: "tools/list"})
	}
	calls := validCalls(d.Facts, "", 1)
	for _, c := range calls[:min(len(calls), 5)] {
		begin := time.Now()
		a := fakes.Ask{Label: "warm:" + c.label, Method: "tools/call", Params: fakes.Call(c.tool, c.args), Limit: 2 * quickCall}
		if v.Do(ctx, a) == nil && time.Since(begin) < quickCall {
			a.Label = "flight:" + c.label
			asks = append(asks, a)
		}
	}
	var flying []*fakes.Pending
	for _, a := range asks {
		flying = append(flying, v.Start(ctx, a))
	}
	v.leave("eof", wire.Shutdown{{Do: "eof", Wait: exitLimit}, {Do: "sigterm", Wait: exitLimit}, {Do: "sigkill", Wait: 2 * time.Second}})
	for _, p := range flying {
		_ = p.Wait(ctx) // the line is dead: this notes what was lost
	}
	return nil
}

// ending is how a server left, as a note keeps it.
type ending struct {
	By      string   `json:"by"`
	TookMS  int64    `json:"took_ms"`
	Status  string   `json:"status"`
	Orphans []string `json:"orphans,omitempty"`
}

// leave ends the session with the given steps and notes what came of it.
func (v *Voice) leave(label string, steps wire.Shutdown) {
	end := v.CloseWith(steps)
	raw, _ := json.Marshal(ending{end.By, end.Took.Milliseconds(), end.Status, end.Orphans})
	v.Note("ending:"+label, "ended", string(raw))
}

// ended reads the note of an ending, and the last exchange of its tape to show.
func (e *Evidence) ended(label string) (*ending, *Exchange) {
	probe := LabelScope(e.Cell.Scenario, e.Cell.Attempt) + "ending:" + label
	// SIGTERM may have gone to the session of another revision.
	for _, t := range e.Run.Select(e.Cell.Client, "", e.Cell.Transport) {
		for _, ev := range t.Events() {
			if ev.Kind != wire.Notice || ev.Probe != probe {
				continue
			}
			var out ending
			if json.Unmarshal(ev.Raw, &out) != nil {
				return nil, nil
			}
			all := e.Run.Exchanges(t)
			if len(all) == 0 {
				return &out, nil
			}
			x := *all[len(all)-1]
			x.EndAt = len(t.Events()) - 1 // show the shutdown too
			return &out, &x
		}
	}
	return nil, nil
}

// roughly tells a time so that two runs of one server say the same.
func roughly(ms int64) string {
	if ms < 1000 {
		return "within a second"
	}
	return fmt.Sprintf("%d s", (ms+500)/1000)
}

// byEOF returns how the server left when its input was closed, or why that cannot be told.
func (e *Evidence) byEOF() (*ending, *Exchange, Ruling) {
	end, x := e.ended("eof")
	switch {
	case end == nil:
		return nil, nil, NotSeen("no session could be opened to close it")
	case end.By == "":
		return nil, nil, NotSeen("the server had ended before its input was closed")
	}
	return end, x, Ruling{}
}

func judgeEOFExits(e *Evidence) Ruling {
	end, x, r := e.byEOF()
	if end == nil {
		return r
	}
	if end.By != "eof" {
		return Broken(Fault{
			Subject: "end of input", Expected: "the process ends by itself", Observed: fmt.Sprintf("still running after %s; it took %s to end it", exitLimit, strings.ToUpper(end.By)),
			Message: fmt.Sprintf("%s after its input was closed the server still runs", exitLimit), Proof: []*Exchange{x},
		})
	}
	note := fmt.Sprintf("it ended %s after its input was closed, with %s", roughly(end.TookMS), end.Status)
	if end.TookMS > 2000 {
		note += "; SDK clients send SIGTERM after 2 s"
	}
	return Passed(note, x)
}

func judgeInFlight(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("flight:") {
		f := lostFault(x, "an answer before the process ends")
		if f != nil {
			f.Subject = strings.TrimPrefix(x.Label, "flight:")
		}
		r = r.add(x, f)
	}
	return r
}

func judgeOrphans(e *Evidence) Ruling {
	end, x, r := e.byEOF()
	if end == nil {
		return r
	}
	if len(end.Orphans) > 0 {
		return Broken(Fault{Subject: "processes", Expected: "none left", Observed: strings.Join(end.Orphans, "; "), Message: "left behind by the server: " + strings.Join(end.Orphans, "; "), Proof: []*Exchange{x}})
	}
	return Passed("", x)
}

func judgeExitStatus(e *Evidence) Ruling {
	end, x, r := e.byEOF()
	if end == nil {
		return r
	}
	if end.By != "eof" {
		return NotApplicable("the server did not end with its input")
	}
	if end.Status == wire.Returned {
		return NotApplicable(inProcess)
	}
	if end.Status != "exit status 0" {
		return Broken(Fault{Subject: "exit status", Expected: "exit status 0", Observed: end.Status, Proof: []*Exchange{x}})
	}
	return Passed("", x)
}

// inProcess is why signals and exit codes do not apply.
const inProcess = "the server runs in this process"

func judgeSIGTERM(e *Evidence) Ruling {
	var r Ruling
	for _, label := range []string{"eof", "sigterm"} {
		if end, _ := e.ended(label); end != nil && (end.By == "cancel" || end.Status == wire.Returned) {
			return NotApplicable(inProcess)
		}
	}
	if end, x := e.ended("eof"); end != nil && (end.By == "sigterm" || end.By == "sigkill") {
		r.Seen++
		if end.By == "sigkill" {
			r.Faults = append(r.Faults, Fault{Subject: "SIGTERM after the end of input", Expected: "the process ends", Observed: "it took SIGKILL", Proof: []*Exchange{x}})
		}
	}
	end, x := e.ended("sigterm")
	switch {
	case end == nil || end.By == "":
		return r
	case end.By != "sigterm":
		r.Faults = append(r.Faults, Fault{Subject: "SIGTERM with the input open", Expected: "the process ends", Observed: "it took SIGKILL", Proof: []*Exchange{x}})
	default:
		r.Note = fmt.Sprintf("it ended %s after SIGTERM", roughly(end.TookMS))
		r.Proof = append(r.Proof, x)
	}
	r.Seen++
	return r
}
