package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

const needsThrow = "no tool was seen to fail on valid arguments; give a tool that fails the role throws in conform.yaml"

// thrown are the failures to judge: the call of the role first, then every
// other valid call of the run that ended in an error of the tool's own.
func (e *Evidence) thrown() []*Exchange {
	return slices.Clone(ofCell(e, "thrown", e.findThrown))
}

func (e *Evidence) findThrown() []*Exchange {
	var out []*Exchange
	role := e.Get("role")
	if role.Refused() {
		out = append(out, role)
	}
	for _, x := range e.Doing(JobThrows) {
		if role == nil || x.Sent != role.Sent {
			out = append(out, x)
		}
	}
	return out
}

// ofThrown judges failures one by one; a tool is accused once.
func (e *Evidence) ofThrown(look func(t *Tool, x *Exchange) (*Fault, bool)) Ruling {
	r := e.overTools(e.thrown(), look)
	r.Unseen = needsThrow
	if len(e.Facts.CallableTools()) == 0 {
		r.Unseen = "no tool may be called; " + howToCall(e.Facts, anyTool)
	}
	if x := e.Get("role"); x.Succeeded() {
		r.Unseen = "the tool with the role throws did not fail; mend the arguments of the role in conform.yaml"
	}
	return r
}

func judgeThrownChannel(e *Evidence) Ruling {
	r := e.ofThrown(func(_ *Tool, x *Exchange) (*Fault, bool) {
		if x.IsToolError() {
			return nil, true
		}
		return &Fault{Expected: "a result with isError: true", Observed: sayAnswer(x)}, true
	})
	for _, x := range e.All("") {
		// Only a call that was made alone can be blamed for the end of the process.
		if x.End == "dead" && x.Request.Method == "tools/call" && e.Cell.Attempt > 1 {
			r = r.add(x, &Fault{Subject: toolName(x), Expected: "a result with isError: true", Observed: x.Lost(), Proof: []*Exchange{x},
				Message: fmt.Sprintf("a valid call of %s ended the server", short(toolName(x), 60))})
		}
	}
	return r
}

func judgeThrownText(e *Evidence) Ruling {
	return e.ofThrown(func(_ *Tool, x *Exchange) (*Fault, bool) {
		if !x.IsToolError() {
			return nil, false
		}
		if strings.TrimSpace(x.Text()) == "" {
			return &Fault{Expected: "a text block that is not empty", Observed: "content " + short(x.Result().Get("content").Raw, 120)}, true
		}
		return nil, true
	})
}

// answerTexts are the single texts of an answer: the message of an error, or each text block.
func answerTexts(x *Exchange) []string {
	if x.IsRPCError() {
		return []string{x.RPCError().Get("message").String()}
	}
	var out []string
	x.Result().Get("content").ForEach(func(_, b gjson.Result) bool {
		if b.Get("type").Str == "text" {
			out = append(out, b.Get("text").String())
		}
		return true
	})
	return out
}

func judgeThrownOneLine(e *Evidence) Ruling {
	return e.ofThrown(func(_ *Tool, x *Exchange) (*Fault, bool) {
		texts := answerTexts(x)
		for _, text := range texts {
			if lines := textLines(strings.TrimRight(text, "\r\n")); len(lines) > 1 {
				return &Fault{Expected: "one line", Observed: count(len(lines), "line") + ": " + short(text, 200)}, true
			}
		}
		return nil, len(texts) > 0
	})
}

// acting lists the raw characters of a text that act on a terminal or on the
// layout of lines; line feed, tab and CRLF are left to the checks on lines, and
// characters that only hide or turn text to the checks on those.
func acting(text string) []string {
	return slices.DeleteFunc(rawControls(strings.ReplaceAll(text, "\r\n", "\n"), true), hides)
}

func judgeThrownEscaped(e *Evidence) Ruling {
	return e.ofThrown(func(_ *Tool, x *Exchange) (*Fault, bool) {
		texts := answerTexts(x)
		for _, text := range texts {
			if raw := acting(text); len(raw) > 0 {
				return &Fault{Expected: "no raw control characters", Observed: strings.Join(raw, ", ") + " in: " + short(text, 200)}, true
			}
		}
		return nil, len(texts) > 0
	})
}

// stackMarks are the ways in which languages write a stack trace.
func stackMarks() *regexp.Regexp {
	return regexp.MustCompile(strings.Join([]string{
		`(?m)(^|\s)at (async )?[\w.$<>\[\] /]+ \(?[^()\s]*:\d+:\d+\)?`, // JavaScript
		`(?m)(^|\s)at (file|node):[^\s]+:\d+`,
		`Traceback \(most recent call last\)`, `File "[^"]+", line \d+`, // Python
		`goroutine \d+ \[\w+`, `(?m)^\s+\S+\.go:\d+`, // Go
		`(?m)^\s*at [\w.$]+\([\w$]+\.(java|kt|scala):\d+\)`,                       // Java
		`(?m)^\s*at [\w.` + "`" + `<>]+\(.*\) in \S+:line \d+`,                    // .NET
		`(?m)^\s+from \S+\.rb:\d+`, `stack backtrace:`, `panicked at \S+\.rs:\d+`, // Ruby, Rust
	}, "|"))
}

func judgeThrownStack(e *Evidence) Ruling {
	marks := stackMarks()
	return e.ofThrown(func(_ *Tool, x *Exchange) (*Fault, bool) {
		texts := append(answerTexts(x), dataText(x))
		for _, text := range texts {
			if hit := marks.FindString(text); hit != "" {
				return &Fault{Expected: "the message alone", Observed: "a stack trace: " + short(strings.TrimSpace(hit), 200)}, true
			}
		}
		return nil, len(texts) > 1
	})
}

func judgeThrownWording(e *Evidence) Ruling {
	role := e.Get("role")
	// Only the configuration knows for certain that a tool throws: others may
	// answer isError on purpose, in words of their own.
	r := e.overTools(e.thrown(), func(t *Tool, x *Exchange) (*Fault, bool) {
		rest, ok := strings.CutPrefix(x.Text(), t.Name+" failed: ")
		ok = ok && x.IsToolError() && strings.TrimSpace(rest) != ""
		certain := role != nil && x.Sent == role.Sent
		if ok || !certain {
			return nil, ok
		}
		return &Fault{Expected: "isError: " + t.Name + " failed: <message>", Observed: sayAnswer(x)}, true
	})
	r.Unseen = "whether a tool throws can only be known from its role; " + needsThrow
	return r
}
