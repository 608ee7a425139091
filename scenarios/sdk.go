package scenarios

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/wire"
)

// The SDKs that are told apart by what they write.
const (
	SDKTypeScript   = "TypeScript SDK" // of either line
	SDKTypeScriptV1 = "TypeScript SDK v1"
	SDKTypeScriptV2 = "TypeScript SDK v2"
	SDKGo           = "Go SDK"
	// SDKFastMCP is a framework; it counts as the SDK below it too.
	SDKFastMCP = "fastmcp"
)

// RecogniseSDK names the SDK that a server is built with by the frames it
// wrote; it is "" when they show none. Frameworks on top of an SDK count as it.
func RecogniseSDK(r *Record) string { return r.sdk().name }

// builtWith is what is known of the software below a server.
type builtWith struct {
	name string
	// registers says that the SDK lists and calls the tools itself (McpServer of
	// the TypeScript SDKs), not code of the author's.
	registers bool
	// framework stands on top of the SDK, "" when there is none that is known.
	framework string
}

// is says that the software is one of some. A name without a version stands for
// every line of that SDK.
func (b builtWith) is(names ...string) bool {
	for _, n := range names {
		if n == b.name || b.framework == n || b.name != "" && strings.HasPrefix(b.name, n+" ") {
			return true
		}
	}
	return false
}

func (r *Record) sdk() builtWith {
	return once(&r.shelf, "sdk", func() builtWith {
		var m sdkMarks
		for _, f := range r.Targets {
			m.listing(f)
		}
		for _, t := range r.Tapes {
			m.tape(r, t)
		}
		return m.name()
	})
}

// sdkMarks are the traits of the SDKs that were seen.
type sdkMarks struct {
	resultFirst, method, golang, v1, v2, registers, fast bool
}

// marksPerTape bounds how many answers of a tape are looked at.
const marksPerTape = 2000

// listing looks at marks in the list of tools.
func (m *sdkMarks) listing(f *Facts) {
	for i := range f.Tools {
		t := &f.Tools[i]
		if t.Get("execution.taskSupport").Str == "forbidden" && strings.Contains(t.Get("inputSchema.$schema").Str, "draft-07") {
			m.v1, m.registers = true, true
		}
	}
}

var (
	// notFoundByV2 is how McpServer of v2 refuses a tool, notFoundByV1 that of v1.
	notFoundByV2 = regexp.MustCompile(`^Tool [\s\S]* (not found|disabled)$`)
	// promptNotFound is how McpServer of both lines refuses a prompt.
	promptNotFound = regexp.MustCompile(`^(MCP error -32602: )?Prompt [\s\S]* (not found|disabled)$`)
	// refusedByFastMCP is how fastmcp refuses arguments.
	refusedByFastMCP = regexp.MustCompile(`^MCP error -32602: Tool '[\s\S]*' parameter validation failed: `)
	notFoundByV1     = regexp.MustCompile(`^MCP error -3260\d: Tool [\s\S]* (not found|disabled)$`)
)

func (m *sdkMarks) tape(r *Record, t *wire.Tape) {
	for _, ev := range t.Events()[:min(len(t.Events()), marksPerTape)] {
		if ev.Kind == wire.Stderr || ev.Kind == wire.Recv && len(ev.Raw) > 0 && ev.Raw[0] == '[' {
			m.fast = m.fast || bytes.HasPrefix(ev.Raw, []byte("[FastMCP "))
		}
	}
	n := 0
	for _, x := range r.Exchanges(t) {
		if x.Body != nil {
			m.body(string(x.Body.Raw[:min(len(x.Body.Raw), 400)]))
		}
		if !x.Answered() {
			continue
		}
		if n++; n > marksPerTape {
			return
		}
		raw := t.Events()[x.AnswerAt].Raw
		if bytes.HasPrefix(raw, []byte(`{"result":`)) && bytes.Contains(raw[max(0, len(raw)-400):], []byte(`,"jsonrpc":"2.0","id":`)) {
			m.resultFirst = true
			m.v2 = m.v2 || fakes.Modern(metaVersion(x)) && x.Result().Get("resultType").Exists()
		}
		if x.IsRPCError() {
			m.error(x)
		} else if x.IsToolError() && notFoundByV1.MatchString(x.Text()) {
			m.v1, m.registers = true, true
		}
	}
}

func (m *sdkMarks) error(x *Exchange) {
	text := x.Text()
	switch x.Code() {
	case -32601:
		m.method = m.method || text == "Method not found"
		m.golang = m.golang || text == `method not found: "`+x.Request.Method+`"`
	case -32602:
		m.fast = m.fast || refusedByFastMCP.MatchString(text)
		m.registers = m.registers || x.Request.Method == "prompts/get" && promptNotFound.MatchString(text)
		switch {
		case strings.HasPrefix(text, "Invalid tools/call request: ["), strings.HasPrefix(text, "Request is missing the required _meta envelope"), strings.HasPrefix(text, "Invalid _meta envelope"):
			m.v2 = true
		case x.Request.Method == "tools/call" && notFoundByV2.MatchString(text):
			m.v2, m.registers = true, true
		case x.Request.Method == "tools/call" && notFoundByV1.MatchString(text): // up to 1.20
			m.v1, m.registers = true, true
		}
		m.golang = m.golang || strings.HasPrefix(text, "handling '"+x.Request.Method+"': invalid params: unmarshaling ")
	case -32603:
		m.v1 = m.v1 || x.Request.Method == "tools/call" && strings.HasPrefix(text, "[\n  {")
	case 0:
		m.golang = m.golang || strings.HasSuffix(text, "is invalid during session initialization") || text == `duplicate "initialize" received`
	}
}

// body looks at the text of an HTTP refusal.
func (m *sdkMarks) body(text string) {
	m.golang = m.golang || strings.HasPrefix(text, `JSON RPC not handled: "`) || strings.HasPrefix(text, "Accept must contain both 'application/json' and 'text/event-stream'")
}

// name settles what the marks mean. One text alone may be a coincidence: an SDK
// is named by the order of members together with a text, or by texts that
// nobody else writes.
func (m *sdkMarks) name() builtWith {
	switch {
	case m.resultFirst && m.v2:
		return builtWith{name: SDKTypeScriptV2, registers: m.registers}
	case m.resultFirst && m.v1:
		return builtWith{name: SDKTypeScriptV1, registers: m.registers, framework: m.framework()}
	case m.resultFirst && m.method:
		return builtWith{name: SDKTypeScript, framework: m.framework()}
	case m.golang && !m.resultFirst:
		return builtWith{name: SDKGo}
	}
	return builtWith{}
}

// framework is what is known to stand on top of the SDK.
func (m *sdkMarks) framework() string {
	if m.fast {
		return SDKFastMCP
	}
	return ""
}
