package scenarios

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

// framingRevision is the one revision under which the bytes of stdio and the end
// of the process are tried: they do not depend on it.
func framingRevision(f *Facts) string {
	if all := f.Run.Offered[f.Transport]; len(all) > 0 {
		return all[0]
	}
	return f.Revision
}

// framingProbes are the checks on how the server reads lines. What it writes is
// judged over everything that it wrote.
func framingProbes() []Check {
	return []Check{
		{
			ID: "framing/bom-tolerated", Claim: "A byte order mark before a request does not end the server or make it deaf.", Level: Should,
			Why:    "Windows shells and .NET writers put one before the first line.",
			Remedy: "Skip a leading U+FEFF, or answer -32700 and go on.",
			Basis:  []string{"schema#parseerror"}, Requirements: []string{"base.parse-error"},
			Judge: probed(judgeBOMTolerated),
		},
		{
			ID: "framing/blank-lines-tolerated", Claim: "An empty line does not end the server or make it deaf.", Level: Should,
			Why:    "People and scripts that pipe messages by hand send one; some writers end with two line feeds.",
			Remedy: "Skip empty lines.",
			Basis:  []string{"schema#parseerror"}, Requirements: []string{"base.parse-error"},
			Judge: probed(judgeBlankTolerated),
		},
		{
			ID: "framing/crlf-tolerated", Claim: "A request whose line ends with CR LF is answered.", Level: Should,
			Why:    "Clients on Windows write lines in text mode. CR is white space of JSON.",
			Remedy: "Strip a trailing CR, or let the JSON reader do it.",
			Basis:  []string{"basic/transports#stdio"},
			Judge:  probed(func(e *Evidence) Ruling { return judgeLineAnswered(e, "crlf") }),
		},
		{
			ID: "framing/utf8", Claim: "Letters beyond ASCII arrive as they were sent.", Level: Should,
			Why:    "A server that reads stdin in the code page of the system garbles every name and text that is not English.",
			Remedy: "Read and write UTF-8, whatever the locale says.",
			Basis:  []string{"basic/transports"}, Requirements: []string{"base.utf8"},
			Judge: probed(func(e *Evidence) Ruling { return judgeLineAnswered(e, "whole") }),
		},
		{
			ID: "framing/utf8-split", Claim: "A message that arrives in pieces is read whole, also when a piece ends inside a character.", Level: Should,
			Why:    "Pipes cut long messages anywhere. A reader that decodes each piece by itself loses the character at the cut.",
			Remedy: "Collect bytes up to the line feed, then decode; in Node set the encoding on the stream.",
			Basis:  []string{"basic/transports"}, Requirements: []string{"base.utf8"},
			Judge: probed(judgeSplit),
		},
		{
			ID: "framing/line-separators-accepted", Claim: "U+2028, U+2029 and U+0085 inside a request do not cut it.", Level: Should,
			Why:    "Only a line feed ends a message. Readers that split at every kind of line end (Node readline, Python splitlines) lose such a request.",
			Remedy: "Split the input at the byte 0x0A alone.",
			Basis:  []string{"basic/transports#stdio"},
			Judge:  probed(func(e *Evidence) Ruling { return judgeLineAnswered(e, "separators") }),
		},
		{
			ID: "framing/big-message", Claim: "Messages of 64 KiB, 1 MiB and 8 MiB are read, and answers of more than 64 KiB are written whole.", Level: Note,
			Why:    "File contents and pictures travel as arguments. A pipe holds 64 KiB; writers that do not wait cut there.",
			Remedy: "Read lines of any sensible length, refuse what is too long with an error, and wait for drain when you write.",
			Basis:  []string{"server/tools"}, Requirements: []string{"tools.call.large-input"},
			Judge: probed(judgeBig),
		},
	}
}

// probed makes a judge that applies under the one revision that was probed.
// It is not inlined: each use would bring a copy.
//
//go:noinline
func probed(j func(*Evidence) Ruling) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		if r := framingRevision(e.Facts); r != e.Cell.Revision {
			return NotApplicable("tried under " + r + ": it does not depend on the revision")
		}
		return j(e)
	}
}

func driveFraming(ctx context.Context, d *Drive) error {
	if d.Facts.Revision != framingRevision(d.Facts) {
		return nil
	}
	l := d.ownLine(fakes.Want{Purpose: "blank lines, CR LF, byte order marks, split and big messages"}, 4)
	for _, p := range lineProbes(d.Facts) {
		method, _ := harmless(d.Facts)
		l.send(ctx, fakes.Ask{Label: p.label, Method: method, Raw: p.raw, NoNewline: p.bare, Chunks: p.cuts})
	}
	for _, n := range bigSizes() {
		if !l.big(ctx, fakes.Ask{Label: "big:" + n.name, Method: "tools/call", Raw: bigRequest(d.Facts, n.bytes), ID: bigID(n.bytes)}) {
			break // what is longer fares no better
		}
	}
	for _, c := range bigCalls(d.Facts) {
		if !l.big(ctx, fakes.Ask{Label: c.label, Method: "tools/call", Params: fakes.Call(c.tool, c.args)}) {
			break
		}
	}
	l.drop()
	return nil
}

// big sends a long request and a canary behind it, and says whether the request
// was answered. Lines are read in order, so that an answer comes soon after the
// canary's if it comes at all.
func (l *ownLine) big(ctx context.Context, a fakes.Ask) bool {
	v := l.voice(ctx)
	if v == nil {
		return false
	}
	a.Limit = 2 * v.Limits.Answer
	p := v.Start(ctx, a)
	begin := time.Now()
	c := l.canary("after:" + a.Label)
	c.Limit = a.Limit
	if v.Do(ctx, c) != nil {
		_ = p.Wait(ctx) // it says how the line ended
		l.drop()
		return false
	}
	select {
	case <-p.Answered():
		return p.Err() == nil
	case <-time.After(max(v.Limits.Quiet, 3*time.Since(begin))):
		p.Abandon("silent", "no answer after a canary request behind it was answered")
	case <-v.Line().Dead():
		_ = p.Wait(ctx)
	case <-ctx.Done():
		p.Abandon("interrupted", "the run was stopped")
	}
	return false
}

// lineProbe is a line with odd bytes around or inside a right request.
type lineProbe struct {
	label string
	raw   []byte
	bare  bool // raw ends its line by itself
	cuts  []int
}

// splitText holds characters of two, three and four bytes.
const splitText = "Grüße 世界 🍵"

func lineProbes(f *Facts) []lineProbe {
	line := func(label, id string) lineProbe {
		return lineProbe{label: label, raw: []byte(rawRequest(f, quoteJSON(id)))}
	}
	out := []lineProbe{
		line("ascii:a plain request", "conform-ascii"),
		line("whole:letters beyond ASCII", splitText),
		line("split:a cut inside characters", splitText+" split"),
		line("split:a cut between letters", "conform-pieces"),
		line("separators:U+2028, U+2029 and U+0085", "conform a\u2028b\u2029c\u0085d"),
		{label: "crlf:a line that ends with CR LF", raw: []byte(rawRequest(f, `"conform-crlf"`) + "\r\n"), bare: true},
		{label: "blank:one empty line", raw: []byte{}},
		{label: "blank:three empty lines", raw: []byte("\n\n\n"), bare: true},
		{label: "blank:a carriage return", raw: []byte("\r\n"), bare: true},
		{label: "bom:a byte order mark before a request", raw: append(bom(), rawRequest(f, `"conform-bom"`)...)},
	}
	out[2].cuts = insideCharacters(out[2].raw)
	out[3].cuts = []int{1, 9, len(out[3].raw) / 2, len(out[3].raw) - 1}
	return out
}

func quoteJSON(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	// Encode escapes U+2028 and U+2029, which are to go out raw.
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSpace(b.String()))
}

// insideCharacters lists a cut inside each character of more than one byte.
func insideCharacters(raw []byte) []int {
	var cuts []int
	for i := 0; i < len(raw); {
		_, n := utf8.DecodeRune(raw[i:])
		if n > 1 {
			cuts = append(cuts, i+n-1)
		}
		i += n
	}
	return cuts
}

type bigSize struct {
	name  string
	bytes int
}

// bigSizes are lengths of whole lines, the line feed among them.
func bigSizes() []bigSize {
	return []bigSize{
		{"65,535 bytes", 1<<16 - 1}, {"64 KiB", 1 << 16}, {"65,537 bytes", 1<<16 + 1}, {"1 MiB", 1 << 20}, {"8 MiB", 8 << 20},
	}
}

func bigID(bytes int) string { return fmt.Sprintf("%d", 2_000_000+bytes) }

// bigRequest is a call of an unknown tool, or a harmless request, of exactly that many bytes with its line feed.
func bigRequest(f *Facts, size int) []byte {
	meta := ""
	if f.Modern() {
		meta = `"_meta":{"` + fakes.MetaVersion + `":"` + f.Revision + `","` + fakes.MetaCapabilities + `":{}},`
	}
	head := `{"jsonrpc":"2.0","id":` + bigID(size) + `,"method":"tools/call","params":{` + meta + `"name":"zz_conform_no_such_tool","arguments":{"text":"`
	tail := `"}}}`
	return []byte(head + strings.Repeat("x", max(0, size-len(head)-len(tail)-1)) + tail)
}

// bigCalls are valid calls with a text of 100 KiB, for up to three tools that
// take one: their answers may be as long.
func bigCalls(f *Facts) []toolCall {
	text := quoteJSON(strings.Repeat("x", 100<<10))
	var out []toolCall
	for _, t := range f.CallableTools() {
		if OnlyAsWritten(t) {
			continue
		}
		sets := CallArguments(f, t)
		if len(sets) == 0 || len(out) == 3 {
			continue
		}
		schema, args, tried := inputSchema(t), parsed(sets[0].JSON), 0
		t.Get("inputSchema.properties").ForEach(func(k, p gjson.Result) bool {
			if p.Get("type").Str != "string" {
				return true
			}
			if tried++; tried > 20 {
				return false
			}
			if big := withMember(args, k.Str, text); fits(schema, big) {
				out = append(out, toolCall{label: "long:" + toolLabel(f, t), tool: t.Name, args: big})
				return false
			}
			return true
		})
	}
	return out
}
