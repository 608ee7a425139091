// Package readers says what each client makes of what a server sends: of a tool
// list and of the answer to a call. Readers are pure; they imitate the decoder
// and the validator of a client, not single cases.
package readers

import (
	"slices"

	"github.com/agntn/conform/fakes"
)

// defaultServer is the name under which a person is taken to have put the
// server into a client's settings. Many clients build tool names from it.
const defaultServer = "server"

// entry is one client of the registry.
type entry struct {
	facts Facts
	build func(server string) fakes.Reader
}

// registry lists all readers. It is a function, so that nobody can change it.
func registry() []entry {
	return []entry{
		{Facts{"sdk-v1", "TypeScript SDK 1.x client", "1.32.2", Observed, seen, nil},
			func(string) fakes.Reader { return newSDKV1() }},
		{Facts{"sdk-v2", "TypeScript SDK 2.x client", "2.4.0", Observed, seen, nil},
			func(string) fakes.Reader { return newSDKV2() }},
		{Facts{"codex", "OpenAI Codex CLI", "0.171.0", Observed, seen, nil},
			func(s string) fakes.Reader { return newCodex(s) }},
		{Facts{"copilot-cli", "GitHub Copilot CLI", "1.0.102", Observed, seen, []string{"schemas as they are sent to an Anthropic model"}},
			func(s string) fakes.Reader { return newCopilot(s) }},
		{Facts{"gemini-cli", "Gemini CLI", "0.61.0", Observed, seen, nil},
			func(s string) fakes.Reader { return newGemini(s) }},
		{Facts{"opencode", "opencode", "1.18.33", Observed, seen, nil},
			func(s string) fakes.Reader { return newOpencode(s) }},
		{Facts{"go-sdk", "Go SDK client", goSDKVersion, Observed, seen, nil},
			func(string) fakes.Reader { return goSDK{} }},
		{Facts{"ai-sdk", "AI SDK MCP client (@ai-sdk/mcp)", "2.0.99", Observed, seen, nil},
			func(string) fakes.Reader { return newAISDK() }},
		{Facts{"langchain", "LangChain MCP adapters (JavaScript)", "1.1.4", Observed, seen, nil},
			func(s string) fakes.Reader { return newLangchain(s) }},
		{Facts{"claude-code", "Claude Code", "2.1.332", Observed, seen, nil},
			func(s string) fakes.Reader { return newClaude(s) }},
		{Facts{"claude-code-print", "Claude Code, print mode", "2.1.332", Observed, seen, nil},
			func(s string) fakes.Reader { return newClaude(s) }},
		{Facts{"chatgpt", "ChatGPT", "", MultipleReports, seen, []string{"never run here; what no report refuses counts as accepted"}},
			func(string) fakes.Reader { return chatGPT{"ChatGPT"} }},
		{Facts{"openai-responses", "OpenAI Responses API", "", MultipleReports, seen, []string{"never run here; what no report refuses counts as accepted"}},
			func(string) fakes.Reader { return chatGPT{"the Responses API"} }},
	}
}

// For gives the reader of a client, for a server that is called "server" in the
// client's settings.
func For(clientID string) (fakes.Reader, bool) { return ForServer(clientID, defaultServer) }

// ForServer gives the reader of a client, for a server with the given name in
// the client's settings.
func ForServer(clientID, server string) (fakes.Reader, bool) {
	for _, e := range registry() {
		if e.facts.Client == clientID {
			return validReader{e.build(server)}, true
		}
	}
	return nil, false
}

// IDs lists the clients that have a reader, sorted.
func IDs() []string {
	var out []string
	for _, e := range registry() {
		out = append(out, e.facts.Client)
	}
	slices.Sort(out)
	return out
}

// FactsOf says what is known about the reader of a client and from where.
func FactsOf(clientID string) (Facts, bool) {
	for _, e := range registry() {
		if e.facts.Client == clientID {
			return e.facts, true
		}
	}
	return Facts{}, false
}
