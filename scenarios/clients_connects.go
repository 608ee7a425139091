package scenarios

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/agntn/conform/fakes"
)

func judgeConnects(e *Evidence) Ruling {
	if e.Client == nil || !e.Client.Drives {
		return NotApplicable("how this client opens a session is not known")
	}
	if line := e.junkEnds(); line != nil {
		return e.by(Broken(Fault{Subject: e.Client.Product, Expected: "nothing but messages on stdout", Observed: "stdout holds a line that is no message: " + short(string(line.event.Raw), 160), Message: e.Client.Product + " loses the session to a line on stdout that is no message", Proof: []*Exchange{loneFrame(*line)}}))
	}
	var last *Exchange
	unlisted := ""
	for _, x := range e.Opening() {
		switch x.Label {
		case "initialize", "probe", "discover":
			last = x
		case "tools/list":
			unlisted = x.Lost()
		}
		if x.Label == "tools/list" && x.Answered() {
			return e.by(Passed("the session speaks "+e.Cell.Revision, x))
		}
		if x.Label == "initialize" && x.Result().Exists() {
			last = x
			got := x.Result().Get("protocolVersion").Str
			if len(e.Client.Opening.Accepts) == 0 || slices.Contains(e.Client.Opening.Accepts, got) {
				return e.by(Passed("the session speaks "+got, x))
			}
		}
	}
	if !e.Facts.HasTools() && offersRevision(last, e.Cell.Revision) {
		return e.by(Passed("the session speaks "+e.Cell.Revision+"; there are no tools to list", last))
	}
	if last == nil || last.Unusable() {
		return NotSeen("the client did not come to open a session")
	}
	if slices.ContainsFunc(e.Opening(), func(x *Exchange) bool { return x.Tape.Over() }) {
		return NotSeen("the server sent more than is kept as evidence, so that what came afterwards is not known")
	}
	if why := e.otherEra(); why != "" && last.End != "dead" {
		return NotApplicable(why)
	}
	if last.Answered() && e.lateProbe() && e.speaks(fakes.Rev20260728) && !e.speaks(e.Client.Opening.Legacy) {
		return NotSeen("the server was slower to answer server/discover than this client waits, which may be the doing of a busy machine")
	}
	observed := sayAnswer(last)
	if last.Result().Exists() {
		observed = last.Request.Method + " is answered with a result that it cannot use: " + short(last.Result().Raw, 160)
	}
	if v := last.Result().Get("protocolVersion"); v.Exists() {
		observed = "version " + v.Raw + ", which the client does not speak"
	} else if v := last.Result().Get("supportedVersions"); v.Exists() {
		observed = "server/discover offers " + short(v.Raw, 100) + ", and the client does not go on from there"
	}
	if unlisted != "" {
		observed = "tools/list: " + unlisted
	}
	return e.by(Broken(Fault{Subject: e.Client.Product, Expected: "a session", Observed: observed, Message: fmt.Sprintf("%s gets no session: %s", e.Client.Product, observed), Proof: []*Exchange{last}}))
}

// junkEnds is a line on the client's stdout that ends its session.
func (e *Evidence) junkEnds() *received {
	if !e.Client.Stdio.JunkEnds || e.Cell.Transport != "stdio" {
		return nil
	}
	for _, f := range e.lines() {
		if len(bytes.TrimSpace(f.event.Raw)) > 0 && !f.event.Message().Valid && f.event.Cut == 0 {
			return &f
		}
	}
	return nil
}

// lateProbe says that the client gave up waiting for the answer to its probe,
// which some clients send to a process of its own.
func (e *Evidence) lateProbe() bool {
	all := e.Run.Labelled(e.Run.Select(e.Cell.Client, "", e.Cell.Transport), "open/")
	return slices.ContainsFunc(all, func(x *Exchange) bool { return x.Label == "probe" && x.End == "silent" })
}

// speaks says that the server offers a revision over the transport of the cell.
func (e *Evidence) speaks(revision string) bool {
	return slices.Contains(e.Run.Facts.Offered[e.Cell.Transport], revision)
}

// otherEra says that the server is whole and speaks only what this client does not.
func (e *Evidence) otherEra() string {
	offered := e.Run.Facts.Offered[e.Cell.Transport]
	modern, handshake := false, false
	for _, rev := range offered {
		modern = modern || fakes.Modern(rev)
		handshake = handshake || !fakes.Modern(rev)
	}
	switch o := e.Client.Opening; {
	case modern && !handshake && o.Probe == nil:
		return "the server speaks 2026-07-28 alone, and this client does not"
	case handshake && !modern && o.Legacy == "":
		return "the server speaks handshake revisions alone, and this client does not"
	}
	return ""
}
