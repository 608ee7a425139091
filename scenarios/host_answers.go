package scenarios

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// hostAnswerChecks are the checks on what of an answer gets through to a model.
func hostAnswerChecks() []Check {
	return []Check{
		{
			ID: "host-claude-code/structured-preferred", Claim: "Nothing stands beside structuredContent that Claude Code's model needs: pictures, sounds, links, embedded resources.", Level: Host, Source: Observed,
			Why:    "Claude Code and Codex hand their model structuredContent alone and drop every content block beside it.",
			Remedy: "Leave structuredContent out of answers with pictures, or put the link or the text into it as well.",
			Basis:  []string{"observed: Claude Code 2.1.332, Codex CLI 0.171.0"},
			Hosts:  []string{"claude-code", "claude-code-print", "codex"}, Judge: judgeStructuredPreferred,
		},
		{
			ID: "host-copilot-cli/image-kept", Claim: "An answer with a picture says something in words too.", Level: Host, Source: Observed,
			Why:    "Copilot CLI was seen to hand its model the text alone: of an answer that is a picture nothing is left.",
			Remedy: "Put a text block beside the picture that says what it shows.",
			Basis:  []string{"observed: GitHub Copilot CLI 1.0.102"},
			Hosts:  []string{"copilot-cli"}, Judge: judgeImageKept,
		},
		{
			ID: "host-copilot-cli/link-kept", Claim: "The text names every link that an answer holds.", Level: Host, Source: Observed,
			Why:    "Copilot CLI, opencode and Oh My Pi drop resource_link blocks: the model does not learn that there is something to read.",
			Remedy: "Write the uri into a text block as well.",
			Basis:  []string{"observed: GitHub Copilot CLI 1.0.102, opencode 1.18.33", "the package of Oh My Pi 18.3.4"},
			Hosts:  []string{"copilot-cli", "omp", "opencode"}, Judge: judgeLinkKept,
		},
		{
			ID: "host-any/control-characters", Claim: "Texts for the model hold no control characters but line breaks and tabs.", Level: Host, Source: Observed,
			Why:    "Hosts hand ESC sequences, NUL and the like on to the model and to terminals as they are: they cost tokens, hide text and colour screens.",
			Remedy: "Take colour codes and control characters out of descriptions and answers; programs often take NO_COLOR=1 or --no-color.",
			Basis:  []string{"observed: Claude Code 2.1.332, Codex CLI 0.171.0, Gemini CLI 0.61.0, GitHub Copilot CLI 1.0.102, opencode 1.18.33"},
			Hosts:  []string{"claude-code", "claude-code-print", "codex", "copilot-cli", "gemini-cli", "opencode"}, Judge: judgeControlCharacters,
		},
	}
}

// blocks lists the content blocks of one type.
func blocks(x *Exchange, kind string) []gjson.Result {
	var out []gjson.Result
	x.Result().Get("content").ForEach(func(_, b gjson.Result) bool {
		if b.Get("type").Str == kind {
			out = append(out, b)
		}
		return true
	})
	return out
}

func judgeStructuredPreferred(e *Evidence) Ruling {
	r := e.eachAnswer(func(t *Tool, x *Exchange) (*Fault, bool) {
		s := structured(x)
		if !s.Exists() || s.Type == gjson.Null {
			return nil, false
		}
		if lost := lostBlocks(x, s.String()); len(lost) > 0 {
			return &Fault{Expected: "all of the answer in structuredContent", Observed: "beside structuredContent stands " + strings.Join(lost, ", ") + ", which is dropped"}, true
		}
		return nil, true
	})
	r.Unseen = "no answer had structuredContent"
	return r
}

// lostBlocks names the blocks of which structured content says nothing. Text
// is left to output-schema/structured-carries-text.
func lostBlocks(x *Exchange, said string) []string {
	var lost []string
	if len(blocks(x, "image")) > 0 {
		lost = append(lost, "a picture")
	}
	if len(blocks(x, "audio")) > 0 {
		lost = append(lost, "a sound")
	}
	for _, b := range blocks(x, "resource_link") {
		if uri := b.Get("uri").Str; !strings.Contains(said, uri) {
			lost = append(lost, "a link to "+short(uri, 80))
		}
	}
	for _, b := range blocks(x, "resource") {
		uri, text := b.Get("resource.uri").Str, b.Get("resource.text").Str
		if !strings.Contains(said, uri) && !(text != "" && strings.Contains(said, text)) {
			lost = append(lost, "the resource "+short(uri, 80))
		}
	}
	return lost
}

func judgeImageKept(e *Evidence) Ruling {
	r := e.eachAnswer(func(t *Tool, x *Exchange) (*Fault, bool) {
		if len(blocks(x, "image")) == 0 {
			return nil, false
		}
		if strings.TrimSpace(x.Text()) == "" && !structured(x).Exists() {
			return &Fault{Expected: "a text beside the picture", Observed: "a picture and no word"}, true
		}
		return nil, true
	})
	return orNotApplicable(e, r, "no answer held a picture")
}

func judgeLinkKept(e *Evidence) Ruling {
	r := e.eachAnswer(func(t *Tool, x *Exchange) (*Fault, bool) {
		links := blocks(x, "resource_link")
		said := x.Text() + "\n" + structured(x).String()
		var lost []string
		for _, b := range links {
			if uri := b.Get("uri").Str; !strings.Contains(said, uri) {
				lost = append(lost, short(uri, 80))
			}
		}
		if len(lost) > 0 {
			return &Fault{Expected: "the uri in a text block too", Observed: fmt.Sprintf("%s that no text names: %s", count(len(lost), "link"), strings.Join(lost[:min(3, len(lost))], ", "))}, true
		}
		return nil, len(links) > 0
	})
	return orNotApplicable(e, r, "no answer held a link")
}

// orNotApplicable tells a thing that no answer held from answers that were not seen at all.
func orNotApplicable(e *Evidence, r Ruling, why string) Ruling {
	if r.Seen == 0 && len(e.hostAnswers()) > 0 {
		return NotApplicable(why)
	}
	return r
}

// rawC0 lists the control characters of a text but tab, LF and CR.
func rawC0(s string) []string {
	var out []string
	seen := map[rune]bool{}
	for _, r := range s {
		if (r < 0x20 || r >= 0x7f && r <= 0x9f) && r != '\t' && r != '\n' && r != '\r' && !seen[r] {
			seen[r] = true
			out = append(out, fmt.Sprintf("U+%04X", r))
		}
	}
	return out
}

func judgeControlCharacters(e *Evidence) Ruling {
	r := e.eachTool(func(t gjson.Result) []Fault {
		var out []Fault
		for _, member := range []string{"title", "description", "annotations.title"} {
			raw := rawC0(t.Get(member).Str)
			out = append(out, one(len(raw) > 0, "no control characters", member+" holds "+strings.Join(raw, ", "))...)
		}
		return out
	})
	if raw := rawC0(e.instructions().Str); len(raw) > 0 {
		r.Faults = append(r.Faults, Fault{Subject: "instructions", Expected: "no control characters", Observed: "the instructions hold " + strings.Join(raw, ", "), Proof: e.opened()})
	}
	answers := e.overTools(e.hostAnswers(), func(t *Tool, x *Exchange) (*Fault, bool) {
		raw := rawC0(x.Text())
		if len(raw) == 0 || len(rawC0(arguments(x).String())) > 0 || echoesControls(x) {
			return nil, true
		}
		return &Fault{Expected: "no control characters", Observed: "the answer holds " + strings.Join(raw, ", ") + ": " + short(x.Text(), 120)}, true
	})
	r.NA, r.Seen = "", r.Seen+answers.Seen
	r.Faults = append(r.Faults, answers.Faults...)
	return r
}

// echoesControls says that the arguments held control characters themselves.
func echoesControls(x *Exchange) bool {
	for _, l := range leaves(arguments(x), "", nil) {
		if len(rawC0(l.value.String())) > 0 {
			return true
		}
	}
	return false
}
