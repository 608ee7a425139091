package scenarios

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// framing judges what is written to stdout in the whole run, under every
// revision, and under one of them how lines with odd bytes are read.
func framing() Scenario {
	return Scenario{
		ID: "framing", Title: "Framing", Every: true, Transport: "stdio",
		Summary: "Looks at every line that the server wrote to stdout, and sends it lines with odd ends, byte order marks, split characters and up to 8 MiB.",
		Drive:   driveFraming,
		Checks: slices.Concat([]Check{
			{
				ID: "framing/stdout-clean", Claim: "Nothing but JSON-RPC messages appears on stdout.", Level: Must,
				Why:    "Clients read stdout as the protocol. A banner or a log line there ends the session in some (Cline, the Go SDK) and shows an error in others.",
				Remedy: "Write logs and banners to stderr. Look for libraries that print, such as console.log or print.",
				Basis:  []string{"basic/transports#stdio"}, Requirements: []string{"stdio.stdout-messages-only"},
				Judge: judgeStdoutClean,
			},
			{
				ID: "framing/one-line-a-message", Claim: "A message is one line, and a line is one message.", Level: Must,
				Why:    "Clients split stdout at line feeds: a message over several lines is lost, and the request waits for its limit.",
				Remedy: "Write each message with JSON.stringify (no indentation) and one line feed.",
				Basis:  []string{"basic/transports#stdio"}, Requirements: []string{"stdio.no-embedded-newlines", "stdio.one-message-per-line"},
				Judge: judgeOneLine,
			},
			{
				ID: "framing/no-bom", Claim: "No byte order mark comes before a message.", Level: Should,
				Why:    "Most JSON readers refuse it, so the first answer is lost and the client waits for its limit.",
				Remedy: "Open stdout as UTF-8 without a byte order mark.",
				Basis:  []string{"basic/transports#stdio"}, Requirements: []string{"stdio.stdout-messages-only"},
				Judge: judgeNoBOM,
			},
			{
				ID: "framing/blank-lines", Claim: "No blank lines appear on stdout.", Level: Note,
				Why:    "An empty line is no message; most clients skip it, some report an error.",
				Remedy: "Write nothing between messages.",
				Basis:  []string{"basic/transports#stdio"}, Requirements: []string{"stdio.stdout-messages-only"},
				Judge: judgeBlankLines,
			},
			{
				ID: "framing/line-feed-ends", Claim: "Lines end with a line feed alone.", Level: Note,
				Why:    "A carriage return before it is trouble for older Go clients.",
				Remedy: "Write stdout in binary mode.",
				Basis:  []string{"basic/transports#stdio"},
				Judge:  judgeLineFeeds,
			},
			{
				ID: "framing/line-separators-escaped", Claim: "U+2028, U+2029 and U+0085 are escaped inside messages.", Level: Note,
				Why:    "Readers that split at every kind of line end (Node readline, Python splitlines) cut such a message in two.",
				Remedy: `Write them as \u2028, \u2029 and \u0085 inside JSON strings.`,
				Basis:  []string{"basic/transports#stdio"},
				Judge:  judgeSeparators,
			},
			{
				ID: "framing/stderr-text", Claim: "What is logged on stderr is UTF-8 text.", Level: Note,
				Why:    "Clients show it to people.",
				Remedy: "Log as UTF-8.",
				Basis:  []string{"basic/transports#stdio"}, Requirements: []string{"stdio.stderr-text"},
				Judge: probed(judgeStderrText),
			},
		}, framingRest(), framingProbes()),
	}
}

// lines lists every line the server wrote to stdout.
func (e *Evidence) lines() []received {
	var out []received
	for _, t := range e.Tapes() {
		events := t.Events()
		for i := range events {
			if events[i].Kind == wire.Recv {
				out = append(out, received{event: &events[i], tape: t})
			}
		}
	}
	return out
}

// farewell is when a line came after conform began to end the session. No client
// reads it any more.
const farewell = "while shutting down"

func judgeStdoutClean(e *Evidence) Ruling {
	r := e.junk()
	for i, f := range r.Faults {
		if !isFarewell(f) {
			r.Faults[i].Hosts = []string{"cline", "go-sdk"}
		}
	}
	return r
}

// isFarewell says that junk came when no client read any more.
func isFarewell(junk Fault) bool { return strings.HasPrefix(junk.Observed, farewell) }

// junk are the lines on stdout that are no messages, with the time when they came.
func (e *Evidence) junk() Ruling {
	var r Ruling
	for _, f := range e.lines() {
		line := bytes.TrimSpace(bytes.TrimPrefix(f.event.Raw, bom()))
		m := f.event.Message()
		switch {
		case len(line) == 0:
			continue // a lesser finding of its own
		case m.Valid && m.Root.IsObject(), m.Valid && m.Root.IsArray(), f.event.Cut > 0:
			r.Seen++
			continue
		case wire.ParseMessage(line).Valid && bytes.HasPrefix(line, []byte("{")):
			r.Seen++
			continue // only its mark is wrong
		case looksLikeFrame(line):
			r.Seen++
			continue // a broken message, told by one-line-a-message
		}
		r.Seen++
		if len(r.Faults) < 20 {
			came := when(f)
			r.Faults = append(r.Faults, Fault{
				Subject: "stdout", Expected: "a JSON-RPC message", Observed: fmt.Sprintf("%s: %s", came, short(string(line), 200)),
				Message: fmt.Sprintf("stdout holds a line that is no message, %s", came), Proof: []*Exchange{loneFrame(f)},
			})
		}
	}
	return r
}

// looksLikeFrame says that a line is the beginning of a JSON-RPC message that does not parse.
func looksLikeFrame(line []byte) bool {
	return bytes.HasPrefix(line, []byte(`{"`)) && bytes.Contains(line[:min(len(line), 4096)], []byte(`"jsonrpc"`))
}

// when tells whether a line came before the first answer, during work, or after the input was closed.
func when(f received) string {
	answered, closing := false, false
	events := f.tape.Events()
	for i := range events {
		ev := &events[i]
		if ev == f.event {
			break
		}
		answered = answered || ev.Kind == wire.Recv && ev.Message().IsResponse()
		closing = closing || ev.Kind == wire.Notice && ev.Status == "shutdown"
	}
	switch {
	case closing:
		return farewell
	case answered:
		return "during work"
	}
	return "before the first answer"
}

func judgeOneLine(e *Evidence) Ruling {
	var r Ruling
	agreed := map[*wire.Event]string{}
	for _, f := range e.frames() {
		agreed[f.event] = f.revision
	}
	for _, f := range e.lines() {
		line := bytes.TrimSpace(bytes.TrimPrefix(f.event.Raw, bom()))
		if len(line) == 0 || f.event.Cut > 0 {
			continue
		}
		m := wire.ParseMessage(line)
		switch {
		case m.Valid && m.Root.IsArray() && agreed[f.event] <= fakes.Rev20250326:
			r.Seen++ // batches belong to 2025-03-26, and nothing newer was agreed on this line
		case m.Valid && m.Root.IsArray():
			r.Seen++
			r.Faults = append(r.Faults, Fault{Subject: "stdout", Expected: "one message a line", Observed: "a batch, which " + e.Cell.Revision + " does not know", Proof: []*Exchange{loneFrame(f)}})
		case m.Valid && m.Root.IsObject():
			r.Seen++
		case looksLikeFrame(line):
			r.Seen++
			if len(r.Faults) < 10 {
				r.Faults = append(r.Faults, Fault{Subject: "stdout", Expected: "one whole JSON value", Observed: short(string(line), 200), Proof: []*Exchange{loneFrame(f)}})
			}
		case bytes.Equal(line, []byte("{")) || bytes.Equal(line, []byte("[")):
			r.Seen++
			if len(r.Faults) < 10 {
				r.Faults = append(r.Faults, Fault{Subject: "stdout", Expected: "one whole JSON value", Observed: "a JSON value over several lines", Proof: []*Exchange{loneFrame(f)}})
			}
		}
	}
	return r
}

func bom() []byte { return []byte("\xEF\xBB\xBF") }

func judgeNoBOM(e *Evidence) Ruling {
	return eachLine(e, func(f received) string {
		if bytes.HasPrefix(f.event.Raw, bom()) {
			return "a byte order mark before the message"
		}
		return ""
	})
}

func judgeBlankLines(e *Evidence) Ruling {
	return eachLine(e, func(f received) string {
		if len(bytes.TrimSpace(f.event.Raw)) == 0 {
			return "a blank line " + when(f)
		}
		return ""
	})
}

func judgeLineFeeds(e *Evidence) Ruling {
	return eachLine(e, func(f received) string {
		if bytes.HasSuffix(f.event.Raw, []byte("\r")) {
			return "a carriage return before the line feed"
		}
		return ""
	})
}

func judgeSeparators(e *Evidence) Ruling {
	return eachLine(e, func(f received) string {
		for _, s := range []string{"\u2028", "\u2029", "\u0085"} {
			if bytes.Contains(f.event.Raw, []byte(s)) {
				return fmt.Sprintf("a raw %U", []rune(s)[0])
			}
		}
		return ""
	})
}

// eachLine looks at every line and finds at most one fault of a kind.
func eachLine(e *Evidence, look func(received) string) Ruling {
	var r Ruling
	for _, f := range e.lines() {
		r.Seen++
		if what := look(f); what != "" && len(r.Faults) == 0 {
			r.Faults = append(r.Faults, Fault{Subject: "stdout", Expected: "none", Observed: what, Proof: []*Exchange{loneFrame(f)}})
		}
	}
	return r
}

func judgeStderrText(e *Evidence) Ruling {
	var r Ruling
	for _, t := range e.Run.Select(e.Cell.Client, "", e.Cell.Transport) {
		for _, ev := range t.Events() {
			if ev.Kind != wire.Stderr {
				continue
			}
			r.Seen++
			if !bytes.Equal(bytes.ToValidUTF8(ev.Raw, nil), ev.Raw) && len(r.Faults) == 0 {
				f := Fault{Subject: "stderr", Expected: "UTF-8", Observed: fmt.Sprintf("%q", short(string(ev.Raw), 100))}
				if all := e.Run.Exchanges(t); len(all) > 0 {
					f.Proof = all[:1]
				}
				r.Faults = append(r.Faults, f)
			}
		}
	}
	if r.Seen == 0 {
		return NotApplicable("the server wrote nothing to stderr")
	}
	return r
}
