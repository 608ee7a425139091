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
		{Facts{"claude-code-2.1.197", "Claude Code 2.1.197", "2.1.197", Observed, seen, []string{"fewer runs than of the newer one; its gate before the API is known in parts"}},
			func(s string) fakes.Reader { return newClaudeOld(s) }},
		{Facts{"qwen-code", "Qwen Code", "0.24.4", Observed, seen, []string{"long results are cut; where is not known"}},
			func(s string) fakes.Reader { return newQwen(s) }},
		{Facts{"cline", "Cline", "3.0.65", Observed, seen, []string{"over stdio; over HTTP it stands on SDK v1"}},
			func(s string) fakes.Reader { return cline{s} }},
		{Facts{"continue", "Continue CLI", "1.5.47", Observed, seen, nil},
			func(string) fakes.Reader { return newContinue() }},
		{Facts{"inspector", "MCP Inspector, command line", "2.12.0", Observed, seen, []string{"read as SDK v2 2.4.0; it ships with 2.3.1"}},
			func(string) fakes.Reader { return newInspector() }},
		{Facts{"openai-agents", "OpenAI Agents SDK for JavaScript", "0.20.0", Observed, seen, nil},
			func(string) fakes.Reader { return newOpenAIAgents() }},
		{Facts{"mastra", "Mastra MCP client", "2.0.0", Observed, seen, []string{"read as SDK v2 2.4.0; it ships with 2.0.0"}},
			func(s string) fakes.Reader { return newMastra(s) }},
		{Facts{"mcp-use", "mcp-use for TypeScript", "1.34.6", Observed, seen, []string{"read as SDK v1 1.32.2; it ships with 1.26.0"}},
			func(string) fakes.Reader { return newMCPUse() }},
		{Facts{"mcporter", "mcporter", "0.12.3", Observed, seen, nil},
			func(string) fakes.Reader { return newMCPorter() }},
		{Facts{"pi", "Pi", "1.6.0", SourceCode, seen, []string{"never run here; read in the published package"}},
			func(s string) fakes.Reader { return pi{s} }},
		{Facts{"omp", "Oh My Pi", "18.3.4", SourceCode, seen, []string{"never run here; read in the published package", "the hash at the end of a long name and the rewriting of schemas are left out"}},
			func(s string) fakes.Reader { return omp{s} }},
		{Facts{"chatgpt", "ChatGPT", "", MultipleReports, seen, []string{"never run here; what no report refuses counts as accepted"}},
			func(string) fakes.Reader { return chatGPT{"ChatGPT"} }},
		{Facts{"openai-responses", "OpenAI Responses API", "", MultipleReports, seen, []string{"never run here; what no report refuses counts as accepted"}},
			func(string) fakes.Reader { return chatGPT{"the Responses API"} }},
		documentedEntry("claude-ai", "Claude (claude.ai connectors)", MultipleReports),
		documentedEntry("claude-desktop", "Claude Desktop", MultipleReports),
		documentedEntry("vscode", "Visual Studio Code (Copilot)", MultipleReports),
		documentedEntry("cursor", "Cursor", MultipleReports),
		documentedEntry("windsurf", "Windsurf", MultipleReports),
		documentedEntry("zed", "Zed", Official),
		documentedEntry("goose", "goose", SingleReport),
		documentedEntry("jetbrains", "JetBrains AI Assistant and Copilot plugin", SingleReport),
		documentedEntry("librechat", "LibreChat", MultipleReports),
	}
}

// documentedEntry is a product that is known from documents alone.
func documentedEntry(id, product string, source Source) entry {
	return entry{Facts{id, product, "", source, seen, []string{"never run here; what no report refuses counts as accepted"}},
		func(s string) fakes.Reader { return documented{s, documentedClients()[id]} }}
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
