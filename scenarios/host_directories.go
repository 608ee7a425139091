package scenarios

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"
)

// hostDirectoryChecks are what directories of servers ask of those that hand
// one in, and what hints do in hosts. None of it is a fault of a server that is
// in no directory, so all are notes.
func hostDirectoryChecks() []Check {
	return []Check{
		{
			ID: "host-chatgpt/hints-required", Claim: "Every tool says readOnlyHint, destructiveHint and openWorldHint, as a submission to ChatGPT's directory needs.", Level: Note, Source: Official,
			Why:    "The submission is refused over a tool that leaves one of them out.",
			Remedy: "Write all three as true or false on every tool.",
			Basis:  []string{"OpenAI: guide to submitting plugins"},
			Hosts:  []string{"chatgpt"}, Judge: judgeSubmissionHints,
		},
		{
			ID: "host-claude-ai/hints-required", Claim: "Every tool has a title, and says readOnlyHint or destructiveHint, as Anthropic's directory asks.", Level: Note, Source: Official,
			Why:    "The review of the directory sends the server back.",
			Remedy: "Give each tool a title, and readOnlyHint: true or destructiveHint: true or false.",
			Basis:  []string{"Anthropic: review criteria of the directory"},
			Hosts:  []string{"claude-ai", "claude-desktop"}, Judge: judgeDirectoryHints,
		},
		{
			ID: "host-claude-ai/read-write-apart", Claim: "Reading and deleting are different tools, as Anthropic's directory asks.", Level: Note, Source: Official,
			Why:    "A person who allows the tool for reading allows it to delete as well; the review of the directory sends it back.",
			Remedy: "Offer one tool for each kind of work, each with its own hints.",
			Basis:  []string{"Anthropic: review criteria of the directory"},
			Hosts:  []string{"claude-ai", "claude-desktop"}, Judge: judgeReadWriteApart,
		},
		{
			ID: "host-chatgpt/read-only-said", Claim: "Tools whose names say that they read carry readOnlyHint: true.", Level: Note, Source: Official,
			Why:    "ChatGPT and VS Code ask a person before each call of other tools, and Cursor's ask mode does not run them.",
			Remedy: "Write readOnlyHint: true on tools that change nothing.",
			Basis:  []string{"OpenAI: guide to developer mode", "colbymchenry/codegraph#1018"},
			Hosts:  []string{"chatgpt", "cursor", "vscode"}, Judge: judgeReadOnlySaid,
		},
		{
			ID: "host-any/no-steering", Claim: "Names and descriptions say what tools do, and do not press the model to choose them.", Level: Note, Source: Official,
			Why:    "The reviews of both directories send back tools that praise themselves or tell the model to pass over others; to a model they read like an injected prompt.",
			Remedy: "Say what the tool does and when it fits, without words on other tools.",
			Basis:  []string{"OpenAI: guide to submitting plugins", "Anthropic: review criteria of the directory"},
			Hosts:  []string{"chatgpt", "claude-ai", "claude-desktop"}, Judge: judgeSteering,
		},
	}
}

func judgeSubmissionHints(e *Evidence) Ruling {
	return e.eachTool(func(t gjson.Result) []Fault {
		var missing []string
		for _, h := range []string{"readOnlyHint", "destructiveHint", "openWorldHint"} {
			if !t.Get("annotations." + h).IsBool() {
				missing = append(missing, h)
			}
		}
		return one(len(missing) > 0, "all three hints as booleans", "no "+strings.Join(missing, ", no "))
	})
}

func judgeDirectoryHints(e *Evidence) Ruling {
	return e.eachTool(func(t gjson.Result) []Fault {
		var missing []string
		if t.Get("title").Str == "" && t.Get("annotations.title").Str == "" {
			missing = append(missing, "title")
		}
		if !t.Get("annotations.readOnlyHint").IsBool() && !t.Get("annotations.destructiveHint").IsBool() {
			missing = append(missing, "readOnlyHint or destructiveHint")
		}
		return one(len(missing) > 0, "a title and a hint", "no "+strings.Join(missing, ", no "))
	})
}

// firstWord finds names that begin with one of some words: get_user, getUser, get.
func firstWord(words string) *regexp.Regexp {
	return regexp.MustCompile(`^(?i:` + words + `)(?:$|[^a-zA-Z]|[A-Z])`)
}

func judgeReadWriteApart(e *Evidence) Ruling {
	choice := regexp.MustCompile(`(?i)^(method|action|operation|command|mode|op)$`)
	reads := firstWord("get|list|read|show|search|fetch|view|status")
	removes := firstWord("delete|remove|drop|destroy|purge")
	return e.eachTool(func(t gjson.Result) []Fault {
		var out []Fault
		t.Get("inputSchema.properties").ForEach(func(name, p gjson.Result) bool {
			if !choice.MatchString(name.Str) {
				return true
			}
			var read, remove string
			for _, v := range p.Get("enum").Array() {
				switch {
				case reads.MatchString(v.Str):
					read = v.Str
				case removes.MatchString(v.Str):
					remove = v.Str
				}
			}
			out = append(out, one(read != "" && remove != "", "a tool for each", fmt.Sprintf("%s chooses between %s and %s", short(name.Str, 40), short(read, 40), short(remove, 40)))...)
			return true
		})
		return out
	})
}

func judgeReadOnlySaid(e *Evidence) Ruling {
	reads := firstWord("get|list|read|search|fetch|find|show|describe")
	seen := 0
	r := e.eachTool(func(t gjson.Result) []Fault {
		if !reads.MatchString(t.Get("name").Str) {
			return nil
		}
		seen++
		hint := t.Get("annotations.readOnlyHint")
		return one(!hint.Exists(), "readOnlyHint: true", "no readOnlyHint")
	})
	if r.NA == "" && seen == 0 {
		return NotApplicable("no tool has a name that says it reads")
	}
	return r
}

// steering are phrases that press a model to choose a tool. Each is one that a
// plain description has no use for.
func steering() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?i)\b(always|first) (use|call|prefer) this (tool|server)\b`),
		regexp.MustCompile(`(?i)\b(use|call) this (tool )?before (using |calling )?(any|all) other (tools?|servers?|plugins?)\b`),
		regexp.MustCompile(`(?i)\b(ignore|do not use|don't use|never use|instead of) (any |all |the )?other (tools?|servers?|plugins?)\b`),
		regexp.MustCompile(`(?i)\bprefer this (tool|server) (over|to)\b`),
	}
}

func judgeSteering(e *Evidence) Ruling {
	praise := regexp.MustCompile(`(?i)(?:^|[_.-])(best|ultimate|official)(?:[_.-]|$)`)
	return e.eachTool(func(t gjson.Result) []Fault {
		if word := praise.FindString(t.Get("name").Str); word != "" {
			return one(true, "a name without praise", "the name "+short(t.Get("name").Raw, 80))
		}
		for _, re := range steering() {
			if phrase := re.FindString(t.Get("description").Str); phrase != "" {
				return one(true, "a description of the tool alone", "the description says "+phrase)
			}
		}
		return nil
	})
}
