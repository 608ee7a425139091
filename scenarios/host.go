package scenarios

import (
	"slices"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/jsonschema"
)

// hosts holds lists and answers against what single hosts and the model
// interfaces behind them demand. It sends nothing: it looks at the lists of the
// neutral voice and at its calls. What the reader of a client tells by itself is
// left to the client's own checks.
func hosts() Scenario {
	return Scenario{
		ID: "hosts", Title: "Rules of hosts", Needs: NeedsTools,
		Summary: "Looks at names, schemas, sizes and answers as single hosts and the model interfaces behind them do.",
		Checks: slices.Concat(
			hostNameChecks(), hostPrefixChecks(), hostSchemaChecks(), hostGeminiChecks(), hostLimitChecks(),
			hostSizeChecks(), hostAnswerChecks(), hostDirectoryChecks(), hostSearchChecks(), hostSettingsChecks(), hostAppChecks(),
		),
	}
}

// rawNames are clients that hand the names of tools to a model interface as the server wrote them.
func rawNames() []string {
	return []string{"ai-sdk", "continue", "langchain", "librechat", "openai-responses"}
}

// rawToOpenAI, rawToAnthropic and rawToGemini are clients that hand input
// schemas to these model interfaces as the server wrote them, or were reported to.
func rawToOpenAI() []string { return []string{"ai-sdk", "librechat", "openai-responses"} }

func rawToAnthropic() []string {
	return []string{"ai-sdk", "claude-ai", "claude-desktop", "opencode", "zed"}
}

func rawToGemini() []string { return []string{"goose", "librechat", "opencode", "zed"} }

// eachTool looks at every listed tool.
func (e *Evidence) eachTool(look func(t gjson.Result) []Fault) Ruling {
	return e.eachEntry("tools/list", func(n entry) []Fault { return look(n.raw) })
}

// listed is the first page of the tool list, as proof.
func (e *Evidence) listed() []*Exchange {
	pages := e.walk(lists()[0])
	return pages[:min(1, len(pages))]
}

// eachInput looks at every subschema of every inputSchema; pointer begins with "inputSchema".
func (e *Evidence) eachInput(look func(pointer string, sub gjson.Result) []Fault) Ruling {
	return e.eachTool(func(t gjson.Result) []Fault {
		in := t.Get("inputSchema")
		if !in.IsObject() {
			return nil
		}
		var out []Fault
		_ = jsonschema.Walk([]byte(in.Raw), func(p string, sub gjson.Result) bool {
			out = append(out, look("inputSchema"+p, sub)...)
			return true
		})
		return out
	})
}

// hostAnswers are the successful answers to the run's valid calls.
func (e *Evidence) hostAnswers() []*Exchange {
	var out []*Exchange
	for _, prefix := range []string{"call:", "choice:"} {
		for _, x := range e.OtherCell("output-schema", prefix) {
			if e.Facts.Tool(toolName(x)) != nil && x.Succeeded() {
				out = append(out, x)
			}
		}
	}
	return out
}

// eachAnswer looks at the answers to valid calls; one tool is accused once.
// look says whether an answer could be judged.
func (e *Evidence) eachAnswer(look func(t *Tool, x *Exchange) (*Fault, bool)) Ruling {
	r := e.overTools(e.hostAnswers(), look)
	r.Unseen = e.callsWanted()
	return r
}

// callsWanted says what would let answers be seen.
func (e *Evidence) callsWanted() string {
	if len(e.OtherCell("output-schema", "")) == 0 {
		return "no tool was called: the calls are those of the scenario output-schema, so select it too"
	}
	return "no call of a tool succeeded; " + howToCall(e.Facts, anyTool)
}

// serverAlias is what a person is taken to call the server in a host's
// settings: the name it gives itself. The name in real settings is not known.
func (e *Evidence) serverAlias() string {
	if name := e.Facts.ServerName(); name != "" {
		return name
	}
	return "server"
}

// runes is the length of a text in characters.
func runes(s string) int { return utf8.RuneCountInString(s) }

// extension looks up a capability extension such as "openai/settings". Before
// 2026-07-28 hosts read the older member "experimental" too.
func (f *Facts) extension(name string) gjson.Result {
	if v := f.Capability("extensions." + name); v.Exists() || f.Modern() {
		return v
	}
	return f.Capability("experimental." + name)
}
