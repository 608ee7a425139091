package scenarios

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

// answerTextChecks are the checks on what stands beside structuredContent.
func answerTextChecks() []Check {
	return []Check{
		{
			ID: "output-schema/text-present", Claim: "content is not empty beside structuredContent.", Level: Should,
			Why:    "Gemini CLI, opencode and others show content alone: to their model the tool said nothing.",
			Remedy: "Put the answer into a text block too, as a sentence or as the JSON.",
			Basis:  []string{"server/tools#structured-content"}, Requirements: []string{"structured-output.content-not-empty"},
			Hosts: []string{"gemini-cli", "claude-desktop"}, Judge: judgeTextPresent,
		},
		{
			ID: "output-schema/text-readable", Claim: "Text can be read: no program value printed by accident.", Level: House,
			Why:    `"[object Object]", "undefined" or a pointer tells neither a person nor a model anything.`,
			Remedy: "Write the value out, with JSON.stringify or as a sentence.",
			Basis:  []string{"server/tools#text-content"},
			Judge:  judgeTextReadable,
		},
		{
			ID: "output-schema/text-carries-facts", Claim: "The text says what structuredContent says.", Level: Host, Source: Observed,
			Why:    "Some clients show only the text, others only structuredContent: what stands in one of the two is lost to half of them.",
			Remedy: "Say every value of structuredContent in the text, or put its JSON into a text block.",
			Basis:  []string{"server/tools#structured-content"}, Requirements: []string{"structured-output.text-copy"},
			Hosts: []string{"gemini-cli", "opencode", "pi"}, Judge: judgeCarriesFacts,
		},
		{
			ID: "output-schema/structured-carries-text", Claim: "structuredContent says what the text says.", Level: Note,
			Why:    "Claude Code and Codex show structuredContent alone: a few fields of metadata there hide the text that matters.",
			Remedy: "Put the answer itself into structuredContent, or leave structuredContent out.",
			Basis:  []string{"server/tools#structured-content"},
			Hosts:  []string{"claude-code", "claude-code-print", "codex"}, Judge: judgeStructuredCarries,
		},
		{
			ID: "output-schema/error-is-text-alone", Claim: "Answers with isError are text alone, without structuredContent.", Level: House, Hardening: true,
			Why:    "Codex shows the structured part and hides the text; SDK v1 clients check it against the outputSchema and replace the message by their own.",
			Remedy: "Leave structuredContent out of results with isError.",
			Basis:  []string{"server/tools#output-schema", "house contract"}, Requirements: []string{"structured-output.error-may-omit"},
			Hosts: []string{"codex"}, Judge: judgeErrorTextAlone,
		},
	}
}

// withStructured runs a judge over the successful answers that carry structuredContent.
func (e *Evidence) withStructured(look func(t *Tool, x *Exchange) (*Fault, bool)) Ruling {
	if e.Facts.Revision < fakes.Rev20250618 {
		return NotApplicable("structuredContent came with 2025-06-18")
	}
	r := e.overTools(e.samples(anyTool), func(t *Tool, x *Exchange) (*Fault, bool) {
		if s := structured(x); !s.Exists() || s.Type == gjson.Null {
			return nil, false
		}
		return look(t, x)
	})
	return unlessStructured(e, r)
}

func judgeTextPresent(e *Evidence) Ruling {
	return e.withStructured(func(_ *Tool, x *Exchange) (*Fault, bool) {
		c := x.Result().Get("content")
		if !c.IsArray() || len(c.Array()) > 0 {
			return nil, c.IsArray() // content of another kind is told by messages/every-message-valid
		}
		return &Fault{Expected: "a text block beside structuredContent", Observed: "content is empty"}, true
	})
}

// accidents are program values that were printed by mistake. A text is one only
// as a whole, or where no sentence of a person would hold it.
func accidents() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`\[object [A-Z][A-Za-z]*\]`),
		regexp.MustCompile(`^\s*(undefined|null|None|<nil>|NaN|\(null\))\s*$`),
		regexp.MustCompile(`<[A-Za-z_.]+ object at 0x[0-9a-fA-F]+>`),
		regexp.MustCompile(`<(coroutine|function|generator|bound method) [^>]* at 0x[0-9a-fA-F]+>`),
		regexp.MustCompile(`^\s*(map\[|&\{)`),
		regexp.MustCompile(`^\s*0x?[cC]0{2}[0-9a-fA-F]{6,}\s*$`),
		regexp.MustCompile(`%!\w?\([A-Za-z]+=`),
		regexp.MustCompile(`^\s*\[?TextContent\(type=`),
	}
}

func judgeTextReadable(e *Evidence) Ruling {
	r := e.overTools(e.samples(anyTool), func(_ *Tool, x *Exchange) (*Fault, bool) {
		sent := arguments(x).Raw
		var f *Fault
		texts := 0
		x.Result().Get("content").ForEach(func(_, b gjson.Result) bool {
			if b.Get("type").Str != "text" || b.Get("text").Type != gjson.String {
				return true
			}
			texts++
			for _, re := range accidents() {
				if hit := re.FindString(b.Get("text").Str); hit != "" && !strings.Contains(sent, strings.TrimSpace(hit)) && f == nil {
					f = &Fault{Expected: "text that can be read", Observed: short(b.Get("text").Str, 200)}
				}
			}
			return true
		})
		return f, texts > 0
	})
	r.Unseen = "no call that succeeded answered with text; " + howToCall(e.Facts, anyTool)
	return r
}

func judgeCarriesFacts(e *Evidence) Ruling {
	return e.withStructured(func(_ *Tool, x *Exchange) (*Fault, bool) {
		content := x.Result().Get("content")
		if !content.IsArray() || len(content.Array()) == 0 {
			return nil, false // told by text-present
		}
		lost := lostFacts(structured(x), content, arguments(x))
		if len(lost) == 0 {
			return nil, true
		}
		var parts []string
		for i, l := range lost {
			if i == 5 {
				parts = append(parts, fmt.Sprintf("and %d more", len(lost)-i))
				break
			}
			parts = append(parts, short(l.path, 80)+" = "+short(l.value.Raw, 80))
		}
		return &Fault{Expected: "every value of structuredContent in the text", Observed: "the text lacks " + strings.Join(parts, ", ") + "; it reads: " + short(x.Text(), 160)}, true
	})
}

// muchText is from how many characters on a text counts as the answer itself.
const muchText = 200

func judgeStructuredCarries(e *Evidence) Ruling {
	return e.withStructured(func(_ *Tool, x *Exchange) (*Fault, bool) {
		text, raw := x.Text(), structured(x).Raw
		if len(text) <= muchText+3*len(raw) || gjson.Valid(text) {
			return nil, true
		}
		return &Fault{Expected: "the answer itself in structuredContent too", Observed: fmt.Sprintf("a text of %d characters beside %s", len(text), short(raw, 160))}, true
	})
}

func judgeErrorTextAlone(e *Evidence) Ruling {
	var errs []*Exchange
	for _, x := range e.plainCalls() {
		if x.IsToolError() {
			errs = append(errs, x)
		}
	}
	r := e.overTools(errs, func(t *Tool, x *Exchange) (*Fault, bool) {
		s := structured(x)
		if !s.Exists() || s.Type == gjson.Null {
			return nil, true
		}
		f := &Fault{Expected: "no structuredContent beside isError", Observed: "structuredContent " + short(s.Raw, 160)}
		if problems, ok := mismatch(t, s); ok && len(problems) > 0 {
			f.Observed += ", which breaks the outputSchema: " + problemList(problems)
			if !e.Facts.Modern() {
				f.Hosts = []string{"sdk-v1"}
			}
		}
		return f, true
	})
	r.Unseen = "no call was answered with isError; give a tool the role throws in conform.yaml"
	return r
}
