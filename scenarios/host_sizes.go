package scenarios

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/tidwall/gjson"
)

// hostSizeChecks are the checks on how long an answer may be before a host cuts it.
func hostSizeChecks() []Check {
	const smaller = "Answer with less: a page, a summary, a link to the rest."
	return []Check{
		{
			ID: "host-any/result-size", Claim: "Answers reach the model whole.", Level: Host, Source: Observed,
			Why:    "Codex and Gemini CLI leave the middle of a long answer out, opencode the end; Claude Code and Copilot CLI write it to a file and show the first lines.",
			Remedy: smaller + ` For Claude Code _meta["anthropic/maxResultSizeChars"] on the tool raises the limit, up to 500,000 characters.`,
			Basis:  []string{"observed: Codex CLI 0.171.0, GitHub Copilot CLI 1.0.102, Gemini CLI 0.61.0, Claude Code 2.1.332, opencode 1.18.33"},
			Judge:  judgeResultSize,
		},
		{
			ID: "host-claude-ai/result-size", Claim: "Answers have at most 150,000 characters, which is what claude.ai takes.", Level: Host, Source: Official,
			Why:    "A larger answer does not fit into the conversation.",
			Remedy: smaller,
			Basis:  []string{"Anthropic: guide to building connectors"},
			Hosts:  []string{"claude-ai", "claude-desktop"}, Judge: judgeClaudeAISize,
		},
	}
}

// cutting is how much of an answer a host was seen to show whole.
type cutting struct {
	hosts []string
	// reads is what of an answer the model gets, size measures it, and unit names the measure.
	reads func(x *Exchange) string
	size  func(s string) int
	unit  string
	most  int
}

// cuttings are the hosts in the order of their limits.
func cuttings() []cutting {
	return []cutting{
		{[]string{"codex"}, readsDetails, bytesOf, "bytes", 12_000},
		{[]string{"copilot-cli"}, readsBoth, bytesOf, "bytes", 20 << 10},
		{[]string{"gemini-cli"}, (*Exchange).Text, unitsOf, "characters", 40_000},
		{[]string{"claude-code", "claude-code-print"}, readsDetails, unitsOf, "characters", 50_000},
		{[]string{"opencode"}, readsText, bytesOf, "bytes", 50 << 10},
	}
}

// readsDetails takes structured content alone where there is some.
func readsDetails(x *Exchange) string {
	if s := structured(x); s.Exists() && s.Type != gjson.Null {
		return s.Raw
	}
	return x.Text()
}

// readsText takes structured content only where there is no content.
func readsText(x *Exchange) string {
	if len(x.Result().Get("content").Array()) == 0 {
		return structured(x).Raw
	}
	return x.Text()
}

func readsBoth(x *Exchange) string {
	s := structured(x)
	if !s.Exists() || s.Type == gjson.Null || sameJSON(x.Text(), s.Raw) {
		return x.Text()
	}
	return x.Text() + "\n\n" + s.Raw
}

func bytesOf(s string) int { return len(s) }

// unitsOf counts UTF-16 units, as clients in JavaScript do.
func unitsOf(s string) int {
	n := 0
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

func judgeResultSize(e *Evidence) Ruling {
	return e.eachAnswer(func(t *Tool, x *Exchange) (*Fault, bool) {
		var hosts, told []string
		for _, c := range cuttings() {
			most := c.most
			if c.hosts[0] == "claude-code" {
				most = claudeResult(t, most)
			}
			if n := c.size(c.reads(x)); n > most {
				hosts = append(hosts, c.hosts...)
				told = append(told, fmt.Sprintf("%s shows %d of %d %s", c.hosts[0], most, n, c.unit))
			}
		}
		if len(hosts) == 0 {
			return nil, true
		}
		return &Fault{Expected: "an answer that is shown whole", Observed: fmt.Sprintf("the answer to %s is cut: %s", short(arguments(x).Raw, 120), strings.Join(told, ", ")), Hosts: hosts}, true
	})
}

// claudeResult is how long an answer of a tool may be for Claude Code, which lets tools raise the limit.
func claudeResult(t *Tool, most int) int {
	if v := t.Get("_meta.anthropic/maxResultSizeChars"); v.Type == gjson.Number {
		return max(most, min(int(v.Int()), 500_000))
	}
	return most
}

func judgeClaudeAISize(e *Evidence) Ruling {
	const most = 150_000
	return e.eachAnswer(func(_ *Tool, x *Exchange) (*Fault, bool) {
		if n := max(unitsOf(x.Text()), unitsOf(structured(x).Raw)); n > most {
			return &Fault{Expected: "at most 150000 characters", Observed: fmt.Sprintf("an answer of %d characters to %s", n, short(arguments(x).Raw, 120))}, true
		}
		return nil, true
	})
}
