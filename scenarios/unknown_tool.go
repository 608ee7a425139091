package scenarios

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

// names that no server has, by label. The prototype names live on every plain
// object of JavaScript; the escapes hold characters that act on a terminal.
func unknownNames() []struct{ label, name string } {
	return []struct{ label, name string }{
		{"plain", unknownPlain}, {"plain-2", "zz_conform_other_tool"},
		{"proto:toString", "toString"}, {"proto:constructor", "constructor"}, {"proto:__proto__", "__proto__"},
		{"proto:hasOwnProperty", "hasOwnProperty"}, {"proto:valueOf", "valueOf"},
		{"escape:line", "zz_a\nzz_b"}, {"escape:cr", "zz_a\rzz_b"}, {"escape:esc", "zz_\x1b[31mred\x1b[0m"},
		{"escape:nul", "zz_\x00nul"}, {"escape:separator", "zz_\u2028line"}, {"escape:c1", "zz_\u009b31m"},
		{"hidden:bidi", "zz_\u202eevil"}, {"hidden:zero-width", "zz_a\u200bb"},
		{"empty", ""}, {"long", "zz_" + strings.Repeat("x", 10_000)},
	}
}

const unknownPlain = "zz_conform_no_such_tool"

func unknownTool() Scenario {
	return Scenario{
		ID: "unknown-tool", Title: "Unknown tools", Every: true, Needs: NeedsTools,
		Summary: "Calls tools that do not exist: plain names, names every JavaScript object has, names with control characters, an empty and a very long one.",
		Drive:   driveUnknownTool,
		Checks: []Check{
			{
				ID: "unknown-tool/refused", Claim: "A call to a tool that does not exist is refused.", Level: Must,
				Why:    "A model that misspells a name must learn it. An answer that looks like success, or silence, sends it on with wrong facts.",
				Remedy: "Answer names you do not list with an error: JSON-RPC -32602, or a result with isError: true that names the tool.",
				Basis:  []string{"server/tools#error-handling"}, Requirements: []string{"tools.call.unknown-tool-is-protocol-error"},
				Judge: judgeUnknownRefused,
			},
			{
				ID: "unknown-tool/prototype-name", Claim: "Names that every JavaScript object has are answered like any other unknown name.", Level: House, Hardening: true,
				Why:    "A model that asks for toString is told that the tool is \"disabled\", or worse, an inherited function runs. A look-up on a plain object is also a way in.",
				Remedy: "Look tools up in a Map, or with Object.hasOwn, never by index on a plain object.",
				Basis:  []string{"server/tools#error-handling"}, Requirements: []string{"tools.call.inherited-names"},
				Judge: judgePrototypeName,
			},
			{
				ID: "unknown-tool/name-escaped", Claim: "A name with control characters does not come back raw.", Level: House, Hardening: true,
				Why:    "The text reaches logs, terminals and the model. Raw line feeds fake further lines; ESC codes and bidi controls hide what is there.",
				Remedy: "Write the name through JSON.stringify (or %q) before you put it into a message.",
				Basis:  []string{"server/tools#security-considerations"}, Requirements: []string{"tools.call.unknown-name-control-characters"},
				Judge: judgeNameEscaped,
			},
			{
				ID: "unknown-tool/hidden-characters", Claim: "A name with bidi controls or zero-width characters does not come back raw.", Level: Note,
				Why:    "Such characters turn or hide what a person reads; they cannot drive a terminal as control characters do.",
				Remedy: "Escape U+200B to U+200F, U+202A to U+202E and U+2060 to U+2069 as well.",
				Basis:  []string{"server/tools#security-considerations"},
				Judge:  judgeHiddenCharacters,
			},
			{
				ID: "unknown-tool/one-line", Claim: "The refusal is one line of text.", Level: House,
				Why:    "One fault, one line: logs and permission dialogs show the first line only.",
				Remedy: "Put the refusal into one short sentence.",
				Basis:  []string{"server/tools#error-handling"},
				Judge:  judgeUnknownOneLine,
			},
			{
				ID: "unknown-tool/bounded-echo", Claim: "A very long name is not echoed whole.", Level: Note,
				Why:    "A name of 10,000 characters comes back to the model word for word and costs its context.",
				Remedy: "Cut the echoed name to some hundred characters.",
				Basis:  []string{"server/tools#error-handling"},
				Judge:  judgeBoundedEcho,
			},
			{
				ID: "unknown-tool/empty-name", Claim: "An empty name is refused like any unknown name.", Level: House, Hardening: true,
				Why:    "Some models send an empty name. A server that falls through to a default tool does something nobody asked for.",
				Remedy: "Treat the empty string as one more unknown name.",
				Basis:  []string{"server/tools#error-handling"}, Requirements: []string{"tools.call.unknown-tool-is-protocol-error"},
				Judge: judgeEmptyName,
			},
			{
				ID: "unknown-tool/case-differs", Claim: "A name that differs in case only is not served as the listed tool.", Level: Should,
				Why:    "Tool names are case-sensitive: two clients that write the name differently would reach different tools.",
				Remedy: "Compare names exactly.",
				Basis:  []string{"server/tools#tool-names"}, Requirements: []string{"tool-names.case-sensitive"},
				Judge: judgeCaseDiffers,
			},
			{
				ID: "unknown-tool/channel", Claim: "The refusal comes by one of the two channels: a JSON-RPC error or isError.", Level: Note,
				Why:    "The specification lists unknown tools under protocol errors; many servers answer isError so that the model reads it. Both work.",
				Remedy: "Nothing to mend: this records which channel the server uses.",
				Basis:  []string{"server/tools#error-handling"}, Requirements: []string{"tools.call.unknown-tool-code", "tools.call.unknown-tool-names-the-name"},
				Judge: judgeUnknownChannel,
			},
			{
				ID: "unknown-tool/wording", Claim: `The refusal reads: Unknown <server> tool: "<name>".`, Level: House, Contract: true,
				Why:    "Tool packages on one shared core promise one wording, so that people and models know it everywhere.",
				Remedy: `Answer isError with the text Unknown <server> tool: "<name>", the server being serverInfo.name and the name escaped.`,
				Basis:  []string{"house contract"},
				Judge:  judgeUnknownWording,
			},
		},
	}
}

func driveUnknownTool(ctx context.Context, d *Drive) error {
	v := d.Shared(ctx)
	var asks []fakes.Ask
	for _, n := range unknownNames() {
		asks = append(asks, fakes.Ask{Label: n.label, Method: "tools/call", Params: fakes.Call(n.name, []byte(`{}`))})
	}
	if name, right := swapCase(d.Facts); name != "" {
		// Arguments that hardly any schema takes: how the tool itself answers them tells whether the name was found.
		// What makes every call fail for a while, such as a browser that does not start, shows on the name between them.
		odd := []byte(`{"zz_conform":[null]}`)
		asks = append(asks,
			fakes.Ask{Label: "case", Method: "tools/call", Params: fakes.Call(name, odd)},
			fakes.Ask{Label: "plain-between", Method: "tools/call", Params: fakes.Call(unknownPlain, odd)},
			fakes.Ask{Label: "right-case", Method: "tools/call", Params: fakes.Call(right, odd)})
	}
	v.Each(ctx, asks)
	return nil
}

// swapCase returns the name of a callable tool in the other case, if no tool
// has that name, and the name as it is listed.
func swapCase(f *Facts) (other, listed string) {
	for _, t := range f.Tools {
		up := strings.ToUpper(t.Name)
		if up == t.Name {
			up = strings.ToLower(t.Name)
		}
		if t.Callable && up != t.Name && f.Tool(up) == nil {
			return up, t.Name
		}
	}
	return "", ""
}

func judgeUnknownRefused(e *Evidence) Ruling {
	var r Ruling
	for _, x := range e.All("plain") {
		r = r.add(x, mustRefuse(x, "a JSON-RPC error or isError: true"))
	}
	return r
}

// mustRefuse returns the fault of a call that ought to have been refused.
func mustRefuse(x *Exchange, expected string) *Fault {
	if x.Refused() {
		return nil
	}
	return &Fault{Subject: toolName(x), Expected: expected, Observed: sayAnswer(x), Proof: []*Exchange{x}}
}

// toolName is the name that a call names, "" where there is no call.
func toolName(x *Exchange) string {
	if x == nil {
		return ""
	}
	return x.Request.Root.Get("params.name").String()
}

func judgePrototypeName(e *Evidence) Ruling {
	plain := e.Get("plain")
	if !plain.Answered() {
		return NotSeen("the call to a plain unknown name was not answered, so there is nothing to compare with")
	}
	want := unknownShapes(e)
	var r Ruling
	for _, x := range e.All("proto:") {
		name := toolName(x)
		if e.Facts.Tool(name) != nil {
			continue // a server may really have such a tool
		}
		var f *Fault
		if !want[shape(x)] {
			f = &Fault{
				Subject: name, Expected: "the same kind of answer as for " + unknownPlain + ": " + sayAnswer(plain),
				Observed: sayAnswer(x), Proof: []*Exchange{plain, x},
				Message: fmt.Sprintf("%s is answered differently from other unknown names", name),
			}
		}
		r = r.add(x, f)
	}
	return r
}

// unknownShapes are the answers to names that no server has and that are
// nothing special. There may be several: a server that fails for another reason
// may word it otherwise the second time.
func unknownShapes(e *Evidence) map[string]bool {
	out := map[string]bool{}
	for _, prefix := range []string{"plain", "escape:", "hidden:"} {
		for _, x := range e.All(prefix) {
			if x.Answered() {
				out[shape(x)] = true
			}
		}
	}
	return out
}

// shape is an answer with its own tool name taken out, so that two answers can be compared.
func shape(x *Exchange) string {
	const maxShape = 64 << 10
	if lost := x.Lost(); lost != "" {
		return lost
	}
	text := x.Text()
	if len(text) > maxShape {
		text = fmt.Sprint(text[:maxShape], len(text))
	}
	if name := toolName(x); name != "" {
		text = strings.ReplaceAll(text, name, "<name>")
	}
	return x.Channel() + " " + strings.ToLower(strings.Join(strings.Fields(text), " "))
}

func judgeNameEscaped(e *Evidence) Ruling { return judgeEcho(e, "escape:") }

func judgeHiddenCharacters(e *Evidence) Ruling { return judgeEcho(e, "hidden:") }

func judgeEcho(e *Evidence, prefix string) Ruling {
	var r Ruling
	for _, x := range e.All(prefix) {
		if !x.Answered() {
			r = r.add(x, lostFault(x, "an answer"))
			continue
		}
		var f *Fault
		// Only what the name itself brought in counts; a line break of the server's own is not an echo.
		if raw := echoed(x.Text()+dataText(x), toolName(x)); len(raw) > 0 {
			f = &Fault{
				Subject: toolName(x), Expected: "the name without raw control characters", Observed: strings.Join(raw, ", ") + " raw in the answer: " + short(x.Text(), 200),
				Message: "the refusal repeats the name with " + strings.Join(raw, ", ") + " raw in it", Proof: []*Exchange{x},
			}
		}
		r = r.add(x, f)
	}
	return r
}

// dataText is what a JSON-RPC error's data holds as text.
func dataText(x *Exchange) string {
	d := x.RPCError().Get("data")
	if d.Type == gjson.String {
		return d.Str
	}
	return ""
}

// echoed lists the control characters of name that text holds raw next to what stands beside them in name.
func echoed(text, name string) []string {
	var out []string
	runes := []rune(name)
	for i, r := range runes {
		if !controls(r) {
			continue
		}
		lo, hi := max(0, i-2), min(len(runes), i+3)
		if strings.Contains(text, string(runes[lo:hi])) {
			out = append(out, fmt.Sprintf("U+%04X", r))
		}
	}
	return out
}

func judgeUnknownOneLine(e *Evidence) Ruling {
	x := e.Get("plain")
	if !x.Answered() || !x.Refused() {
		return NotSeen("the call to an unknown name was not refused, so there is no refusal to look at")
	}
	if lines := textLines(strings.TrimRight(x.Text(), "\r\n")); len(lines) > 1 {
		return Broken(Fault{Subject: toolName(x), Expected: "one line", Observed: count(len(lines), "line") + ": " + short(x.Text(), 200), Proof: []*Exchange{x}})
	}
	return Passed("", x)
}

func judgeBoundedEcho(e *Evidence) Ruling {
	x := e.Get("long")
	if x.Unusable() {
		return NotSeen("the call with a long name was not made")
	}
	if lost := x.Lost(); lost != "" {
		return Broken(Fault{Subject: "a name of 10,003 characters", Expected: "a refusal", Observed: lost, Proof: []*Exchange{x}})
	}
	if n := len(x.Text()); n > 5000 {
		return Broken(Fault{Subject: "a name of 10,003 characters", Expected: "a short refusal", Observed: fmt.Sprintf("a refusal of %d bytes", n), Proof: []*Exchange{x}})
	}
	return Passed("", x)
}

func judgeEmptyName(e *Evidence) Ruling {
	x := e.Get("empty")
	if x.Unusable() {
		return NotSeen("the call with an empty name was not made")
	}
	return Ruling{}.add(x, mustRefuse(x, "a JSON-RPC error or isError: true"))
}

func judgeCaseDiffers(e *Evidence) Ruling {
	x := e.Get("case")
	if x == nil {
		return NotApplicable("no callable tool has a name with letters of one case")
	}
	if x.Unusable() || !x.Answered() {
		return NotSeen("the call was not answered")
	}
	plain, right := e.Get("plain"), e.Get("right-case")
	found := !x.Refused()
	if x.Refused() && right.Answered() && plain.Answered() {
		found = shape(x) == shape(right) && !unknownShapes(e)[shape(x)]
	}
	switch {
	case !found:
		return Passed("", x)
	case plain == nil || right == nil:
		return NotSeen("the run ended before the name itself was called")
	}
	return Broken(Fault{
		Subject: toolName(x), Expected: "the answer to an unknown name: " + sayAnswer(plain), Observed: sayAnswer(x),
		Message: toolName(x) + " is served as " + toolName(right), Proof: []*Exchange{plain, right, x},
	})
}

func judgeUnknownChannel(e *Evidence) Ruling {
	x := e.Get("plain")
	if !x.Answered() {
		return NotSeen("the call to an unknown name was not answered")
	}
	if !x.Refused() {
		return Broken(Fault{Subject: toolName(x), Expected: "a JSON-RPC error or isError", Observed: x.Channel(), Proof: []*Exchange{x}})
	}
	if x.IsRPCError() && x.Code() != -32602 {
		return Broken(Fault{Subject: toolName(x), Expected: "error -32602 or isError", Observed: x.Channel(), Proof: []*Exchange{x}})
	}
	return Passed("unknown names are answered by "+x.Channel(), x)
}

func judgeUnknownWording(e *Evidence) Ruling {
	if e.Facts.Run.Behind != "" {
		return NotApplicable("behind " + e.Facts.Run.Behind + " the framework answers unknown names itself")
	}
	x := e.Get("plain")
	if !x.Answered() {
		return NotSeen("the call to an unknown name was not answered")
	}
	want := fmt.Sprintf("Unknown %s tool: %q", e.Facts.ServerName(), unknownPlain)
	if x.IsToolError() && x.Text() == want {
		return Passed("", x)
	}
	return Broken(Fault{Subject: unknownPlain, Expected: "isError: " + want, Observed: sayAnswer(x), Proof: []*Exchange{x}})
}
