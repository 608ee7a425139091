package scenarios

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// hostPrefixChecks are the checks on names as hosts write them: with the name of
// the server before or behind. What a person calls the server is not known, so
// these checks take the name it gives itself, and warn.
func hostPrefixChecks() []Check {
	return []Check{
		{
			ID: "host-cursor/name-length-with-prefix", Claim: "The names of server and tool have fewer than 60 characters together, as Cursor asks.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "Cursor was reported to filter longer ones out with a warning in its settings: the model never sees the tool.",
			Remedy: "Shorten the name of the tool, or advise people to give the server a short name.",
			Basis:  []string{"awslabs/mcp#1283", "PostHog/posthog#51483", "ComposioHQ/composio#2788"},
			Hosts:  []string{"cursor"},
			Judge:  judgePrefixed(prefixedName{"cursor", 59, func(server, tool string) string { return server + tool }}),
		},
		{
			ID: "host-librechat/name-length-with-prefix", Claim: "<tool>_mcp_<server> has at most 64 characters, as LibreChat needs.", Level: Host, Breaks: true, Source: MultipleReports,
			Why:    "LibreChat sends this name to the model interface, which refuses the whole request over a longer one.",
			Remedy: "Shorten the name of the tool, or advise people to give the server a short name.",
			Basis:  []string{"danny-avila/LibreChat#7435", "danny-avila/LibreChat#11357"},
			Hosts:  []string{"librechat"},
			Judge:  judgePrefixed(prefixedName{"librechat", 64, func(server, tool string) string { return tool + "_mcp_" + server }}),
		},
		{
			ID: "host-claude-code/name-length-with-prefix", Claim: "mcp__<server>__<tool> has at most 128 characters, as Claude Code asks.", Level: Host, Source: Observed,
			Why:    "Claude Code drops tools with longer names without a word.",
			Remedy: "Shorten the name of the tool, or advise people to give the server a short name.",
			Basis:  []string{"observed: Claude Code 2.1.332"},
			Hosts:  []string{"claude-code", "claude-code-print"},
			Judge: judgePrefixed(prefixedName{"claude-code", 128, func(server, tool string) string {
				return "mcp__" + asWord(server) + "__" + asWord(tool)
			}}),
		},
		{
			ID: "host-any/name-length-with-prefix", Claim: "With the server's name before it, a tool's name stays within 63 characters.", Level: Host, Source: Observed,
			Why:    "Gemini CLI takes the middle out of longer names, Copilot CLI and VS Code cut the end, Pi and Oh My Pi put a hash there: the model reads a name that says less, and two names may become one.",
			Remedy: "Keep names of tools below 40 characters.",
			Basis:  []string{"observed: Gemini CLI 0.61.0, GitHub Copilot CLI 1.0.102", "microsoft/vscode: mcpServer.ts", "the packages of Pi 1.6.0 and Oh My Pi 18.3.4"},
			Judge: judgePrefixed(
				prefixedName{"gemini-cli", 63, func(server, tool string) string { return "mcp_" + asWord(server) + "_" + asWord(tool) }},
				prefixedName{"copilot-cli", 64, func(server, tool string) string { return asWord(server) + "-" + asWord(tool) }},
				prefixedName{"vscode", 64, vscodeName},
				prefixedName{"pi", 64, func(server, tool string) string { return "mcp__" + asWord(server) + "__" + asWord(tool) }},
				prefixedName{"omp", 64, ompName},
			),
		},
	}
}

// prefixedName is how a host names a tool to its model, and how long that may be.
type prefixedName struct {
	host string
	most int
	name func(server, tool string) string
}

// asWord puts an underscore in the place of every character but letters, digits, underscore and hyphen.
func asWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, s)
}

// vscodePrefix is the longest prefix that VS Code puts before a name.
const vscodePrefix = 18

func vscodeName(server, tool string) string {
	prefix := "mcp_" + strings.ToLower(asWord(server))
	return prefix[:min(len(prefix), vscodePrefix-1)] + "_" + asWord(tool)
}

// ompName leaves the server's name out where the tool's name begins with it.
func ompName(server, tool string) string {
	server, tool = strings.ToLower(asWord(server)), strings.ToLower(asWord(tool))
	return "mcp__" + server + "_" + strings.TrimPrefix(tool, server+"_")
}

// judgePrefixed writes every name as the hosts do and measures it. A tool is accused once, with all hosts it is too long for.
func judgePrefixed(forms ...prefixedName) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		server := e.serverAlias()
		return e.eachTool(func(t gjson.Result) []Fault {
			tool := t.Get("name").Str
			var longest string
			var limits, hosts []string
			for _, f := range forms {
				name := f.name(server, tool)
				if runes(name) <= f.most {
					continue
				}
				if longest == "" {
					longest = name
				}
				limits = append(limits, fmt.Sprintf("%d of %d in %s", runes(name), f.most, f.host))
				hosts = append(hosts, f.host)
			}
			if longest == "" {
				return nil
			}
			observed := fmt.Sprintf("with the server called %s: %s (characters: %s)", short(server, 60), short(longest, 150), strings.Join(limits, ", "))
			return []Fault{{Expected: "a shorter name", Observed: observed, Hosts: hosts}}
		})
	}
}
