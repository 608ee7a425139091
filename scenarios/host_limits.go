package scenarios

import (
	"fmt"

	"github.com/tidwall/gjson"
)

// hostLimitChecks are the checks on how long and how many things may be.
func hostLimitChecks() []Check {
	const fewer = "Offer fewer tools: split the server, or let people choose groups of tools."
	return []Check{
		{
			ID: "host-openai/description-length", Claim: "Descriptions of tools have at most 1,024 characters, as OpenAI chat completions ask.", Level: Host, Source: MultipleReports,
			Why:    "Interfaces of this kind refuse the whole request over a longer one, and clients that route other models through them do as well.",
			Remedy: "Say what the tool does and when to use it; move details into the descriptions of its parameters, which have no such limit.",
			Basis:  []string{"getsentry/sentry-mcp#106", "danny-avila/LibreChat#5741", "higebu/3gpp-mcp#238"},
			Hosts:  []string{"langchain", "librechat"}, Judge: judgeDescriptionLength(1024),
		},
		{
			ID: "host-claude-code/description-length", Claim: "Descriptions of tools and the instructions have at most 4,096 characters, where Claude Code cuts them.", Level: Host, Source: Observed,
			Why:    "What stands behind the cut never reaches the model. Older versions cut at 2,048.",
			Remedy: "Say the important things first, and less of the rest.",
			Basis:  []string{"observed: Claude Code 2.1.332"},
			Hosts:  []string{"claude-code", "claude-code-print"}, Judge: judgeCutTexts,
		},
		{
			ID: "host-chatgpt/instructions-length", Claim: "The instructions have at most 512 characters, which is what ChatGPT is sure to use.", Level: Note, Source: Official,
			Why:    "ChatGPT's guide asks for the key facts in the first 512 characters.",
			Remedy: "Look whether the first 512 characters say what matters.",
			Basis:  []string{"OpenAI: guide to MCP servers in ChatGPT"},
			Hosts:  []string{"chatgpt"}, Judge: judgeInstructionsLength,
		},
		{
			ID: "host-chatgpt/definition-length", Claim: "Name, description and inputSchema of a tool are fewer than 5,000 tokens, as ChatGPT asks.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "ChatGPT was reported to refuse the connector over a larger tool.",
			Remedy: "Shorten the description, or split the tool.",
			Basis:  []string{"directus/mcp#14"},
			Hosts:  []string{"chatgpt"}, Judge: judgeDefinitionLength,
		},
		{
			ID: "host-openai/list-size", Claim: "The server has at most 128 tools, which is what an OpenAI request takes.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "A request with more tools is refused, those of other servers counted in.",
			Remedy: fewer,
			Basis:  []string{"docker/roadmap#850", "julep-ai/julep#330"},
			Hosts:  rawNames(), Judge: judgeListSize(128),
		},
		{
			ID: "host-vscode/list-size", Claim: "The server has at most 128 tools, which is what a request of VS Code takes.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "VS Code refuses to send a request with more tools, those of other servers counted in.",
			Remedy: fewer,
			Basis:  []string{"microsoft/vscode-copilot-release#11653", "Azure/azure-mcp#372"},
			Hosts:  []string{"vscode"}, Judge: judgeListSize(128),
		},
		{
			ID: "host-cursor/list-size", Claim: "The server has at most 80 tools, from where on Cursor warns.", Level: Host, Source: MultipleReports,
			Why:    "Cursor warns that too many tools are on, those of other servers counted in; it warned from 40 in 2025.",
			Remedy: fewer,
			Basis:  []string{"Snowflake-Labs/mcp#77"},
			Hosts:  []string{"cursor"}, Judge: judgeListSize(80),
		},
		{
			ID: "host-claude-code/meta-values", Claim: "The members of _meta that Claude Code reads have values that it takes.", Level: Host, Source: Observed,
			Why:    "A value of another kind is passed over: the tool is not loaded at the start, its large answers are cut all the same.",
			Remedy: `anthropic/maxResultSizeChars is a number up to 500000, anthropic/alwaysLoad and anthropic/requiresUserInteraction true or false, anthropic/searchHint a text.`,
			Basis:  []string{"observed: Claude Code 2.1.332"},
			Hosts:  []string{"claude-code", "claude-code-print"}, Judge: judgeClaudeMeta,
		},
	}
}

// tokenCharacters is how many characters of plain English make a token. Other
// texts have fewer, so that nothing is called too long that is not.
const tokenCharacters = 4

func judgeDescriptionLength(most int) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		return e.eachTool(func(t gjson.Result) []Fault {
			n := runes(t.Get("description").Str)
			return one(n > most, fmt.Sprintf("at most %d characters", most), fmt.Sprintf("a description of %d characters", n))
		})
	}
}

// claudeCut is where Claude Code cuts descriptions and instructions.
const claudeCut = 4096

func judgeCutTexts(e *Evidence) Ruling {
	r := judgeDescriptionLength(claudeCut)(e)
	if text := e.instructions(); text.Type == gjson.String {
		r.Seen++
		r.NA = ""
		if n := runes(text.Str); n > claudeCut {
			r.Faults = append(r.Faults, Fault{Subject: "instructions", Expected: "at most 4096 characters", Observed: fmt.Sprintf("instructions of %d characters", n), Proof: e.opened()})
		}
	}
	return r
}

// instructions are what the server says of itself to a model.
func (e *Evidence) instructions() gjson.Result { return gjson.GetBytes(e.Facts.Opened, "instructions") }

// opened is the exchange by which the session was opened, as proof.
func (e *Evidence) opened() []*Exchange {
	for _, x := range e.Opening() {
		if x.Label == "initialize" && !e.Facts.Modern() || x.Label == "discover" && e.Facts.Modern() {
			return []*Exchange{x}
		}
	}
	return nil
}

func judgeInstructionsLength(e *Evidence) Ruling {
	text := e.instructions()
	if text.Type != gjson.String || text.Str == "" {
		return NotApplicable("the server gives no instructions")
	}
	n := runes(text.Str)
	if n > 512 {
		return Broken(Fault{Subject: "instructions", Expected: "the key facts in the first 512 characters", Observed: fmt.Sprintf("%d characters, the first 512 of which end with %q", n, lastOf(text.Str, 512, 40)), Proof: e.opened()})
	}
	return Passed("", e.opened()...)
}

// lastOf is the last m of the first n characters of a text.
func lastOf(s string, n, m int) string {
	r := []rune(s)
	r = r[:min(len(r), n)]
	return string(r[max(0, len(r)-m):])
}

func judgeDefinitionLength(e *Evidence) Ruling {
	const most = 5000 * tokenCharacters
	return e.eachTool(func(t gjson.Result) []Fault {
		n := runes(t.Get("name").Str) + runes(t.Get("description").Str) + runes(t.Get("inputSchema").Raw)
		return one(n > most, "fewer than 5000 tokens", fmt.Sprintf("about %d tokens (%d characters)", n/tokenCharacters, n))
	})
}

func judgeListSize(most int) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		n := len(e.entries("tools/list"))
		if n == MaxEntries {
			n += e.Facts.More
		}
		switch {
		case n == 0:
			return NotApplicable("the server lists no tools")
		case n > most:
			return Broken(Fault{Subject: "tools/list", Expected: fmt.Sprintf("at most %d tools", most), Observed: count(n, "tool"), Proof: e.listed()})
		}
		return Passed("", e.listed()...)
	}
}

func judgeClaudeMeta(e *Evidence) Ruling {
	seen := 0
	r := e.eachTool(func(t gjson.Result) []Fault {
		var out []Fault
		look := func(key, want string, ok func(v gjson.Result) bool) {
			if v := t.Get("_meta.anthropic/" + key); v.Exists() {
				seen++
				out = append(out, one(!ok(v), want, "anthropic/"+key+" is "+short(v.Raw, 80))...)
			}
		}
		look("maxResultSizeChars", "a number from 1 to 500000", func(v gjson.Result) bool { return v.Type == gjson.Number && v.Num > 0 && v.Num <= 500_000 })
		look("alwaysLoad", "true or false", gjson.Result.IsBool)
		look("requiresUserInteraction", "true or false", gjson.Result.IsBool)
		look("searchHint", "a text", func(v gjson.Result) bool { return v.Type == gjson.String })
		return out
	})
	if seen == 0 {
		return NotApplicable("no tool has a member of _meta that Claude Code reads")
	}
	return r
}
