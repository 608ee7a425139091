package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// hostNameChecks are the checks on the bare names and descriptions of tools.
func hostNameChecks() []Check {
	return []Check{
		{
			ID: "host-claude-ai/tool-name", Claim: "Tool names have 1 to 64 letters, digits, underscores and hyphens, as claude.ai asks.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "claude.ai and Claude Desktop were reported to refuse the whole list over one name of another form, a dot included.",
			Remedy: "Use lower-case letters, digits and underscores, at most 64.",
			Basis:  []string{"anthropics/claude-code#16425", "anthropics/claude-code#20830"},
			Hosts:  []string{"claude-ai", "claude-desktop"},
			Judge:  judgeToolNames(`^[a-zA-Z0-9_-]{1,64}$`, "1 to 64 of A-Z a-z 0-9 _ -"),
		},
		{
			ID: "host-openai/tool-name", Claim: "Tool names have 1 to 64 letters, digits, underscores and hyphens, as OpenAI functions ask.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "Where a client hands the name on as it is, the OpenAI interface refuses the whole request: no tool of any server works in that conversation.",
			Remedy: "Use lower-case letters, digits and underscores, at most 64.",
			Basis:  []string{"openai/codex#8174", "microsoft/foundry-dev-tools#201"},
			Hosts:  rawNames(),
			Judge:  judgeToolNames(`^[a-zA-Z0-9_-]{1,64}$`, "1 to 64 of A-Z a-z 0-9 _ -"),
		},
		{
			ID: "host-gemini/tool-name", Claim: "Tool names begin with a letter or underscore and have at most 64 characters, as Gemini functions ask.", Level: Host, Source: MultipleReports,
			Why:    "Where a client hands the name on as it is, the Gemini interface refuses the whole request.",
			Remedy: "Begin names with a letter; use letters, digits and underscores, at most 64.",
			Basis:  []string{"zed-industries/zed#44875"},
			Hosts:  []string{"librechat", "zed"},
			Judge:  judgeToolNames(`^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$`, "a letter or underscore, then up to 63 of A-Z a-z 0-9 _ . -"),
		},
		{
			ID: "host-vscode/tool-name", Claim: "Tool names have letters, digits, underscores and hyphens only, as VS Code asks.", Level: Note, Source: SourceCode,
			Why:    "VS Code warns of the name in its log and puts an underscore in the place of each other character.",
			Remedy: "Use lower-case letters, digits and underscores.",
			Basis:  []string{"microsoft/vscode: mcpServer.ts", "microsoft/vscode#308463"},
			Hosts:  []string{"vscode"},
			Judge:  judgeToolNames(`^[a-zA-Z0-9_-]+$`, "A-Z a-z 0-9 _ - alone"),
		},
		{
			ID: "host-cursor/tool-name", Claim: "Tool names have letters, digits, underscores and hyphens only, as Cursor asks.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "Cursor was reported to filter such tools out: they are not offered to the model.",
			Remedy: "Use lower-case letters, digits and underscores.",
			Basis:  []string{"webstudio-is/webstudio#5960", "bavix/gripmock#875"},
			Hosts:  []string{"cursor"},
			Judge:  judgeToolNames(`^[a-zA-Z0-9_-]+$`, "A-Z a-z 0-9 _ - alone"),
		},
		{
			ID: "host-cline/tool-name", Claim: "Tool names have fewer than 64 characters, as Cline asks.", Level: Host, Source: MultipleReports,
			Why:    "Cline was reported to skip tools with longer names.",
			Remedy: "Shorten the name.",
			Basis:  []string{"cline/cline#7516", "cline/cline#8797"},
			Hosts:  []string{"cline"},
			Judge:  judgeToolNames(`^.{0,63}$`, "at most 63 characters"),
		},
		{
			ID: "host-any/names-collide", Claim: "Tool names stay apart when case and punctuation are levelled.", Level: Host, Source: Observed,
			Why:    "Codex gives tools whose names become one a hash for a suffix; Oh My Pi writes all names in lower case, Pi without punctuation. The model then reads names that nobody wrote.",
			Remedy: "Let names differ in letters or digits.",
			Basis:  []string{"observed: Codex CLI 0.171.0", "the packages of Pi 1.6.0 and Oh My Pi 18.3.4"},
			Hosts:  []string{"omp"},
			Judge:  judgeNamesCollide,
		},
		{
			ID: "host-vscode/description-present", Claim: "Every tool has a description.", Level: Host, Source: SourceCode,
			Why:    "VS Code puts the word <empty> in its place, and its model does not know what the tool is for.",
			Remedy: "Say in one or two sentences what the tool does and when to use it.",
			Basis:  []string{"microsoft/vscode: mcpServer.ts", "microsoft/vscode#243909"},
			Hosts:  []string{"vscode"},
			Judge:  judgeDescriptionPresent,
		},
	}
}

// judgeToolNames holds every name against a pattern.
func judgeToolNames(pattern, words string) func(*Evidence) Ruling {
	allowed := regexp.MustCompile("(?s)" + pattern)
	return func(e *Evidence) Ruling {
		return e.eachTool(func(t gjson.Result) []Fault {
			name := t.Get("name")
			if name.Type != gjson.String {
				return nil // told by the frame checks
			}
			return one(!allowed.MatchString(name.Str), words, fmt.Sprintf("the name %s, %s", short(name.Raw, 150), count(runes(name.Str), "character")))
		})
	}
}

// levelled is a name as the most levelling host has it: lower case, letters and digits kept, the rest underscores.
func levelled(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(name))
}

func judgeNamesCollide(e *Evidence) Ruling {
	first := map[string]string{}
	return e.eachTool(func(t gjson.Result) []Fault {
		name := t.Get("name").Str
		other, taken := first[levelled(name)]
		if !taken {
			first[levelled(name)] = name
			return nil
		}
		if other == name {
			return nil // the same name twice is told by listing/names-unique
		}
		f := Fault{Subject: name, Expected: "names that differ in letters or digits", Observed: fmt.Sprintf("%s and %s become one name", short(other, 100), short(name, 100))}
		if len(other) == len(name) && strings.EqualFold(other, name) {
			return []Fault{f} // case alone: no other host levels it
		}
		f.Hosts = []string{"codex", "pi"}
		return []Fault{f}
	})
}

func judgeDescriptionPresent(e *Evidence) Ruling {
	return e.eachTool(func(t gjson.Result) []Fault {
		d := t.Get("description")
		if d.Exists() && d.Type != gjson.String {
			return nil // a description of another type is told by the frame checks
		}
		return one(strings.TrimSpace(d.Str) == "", "a description", "no description")
	})
}

// named says whether a gjson list holds a text.
func named(list gjson.Result, text string) bool {
	return slices.ContainsFunc(list.Array(), func(v gjson.Result) bool { return v.Type == gjson.String && v.Str == text })
}
