package sample

import (
	"net/http"
	"slices"
)

// The revisions, newest first.
const revisionModern = "2026-07-28"

func handshakeRevisions() []string {
	return []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}

// The members of _meta that 2026-07-28 defines.
const (
	keyVersion      = "io.modelcontextprotocol/protocolVersion"
	keyCapabilities = "io.modelcontextprotocol/clientCapabilities"
	keyClientInfo   = "io.modelcontextprotocol/clientInfo"
	keyLevel        = "io.modelcontextprotocol/logLevel"
	keyServerInfo   = "io.modelcontextprotocol/serverInfo"
	keySubscription = "io.modelcontextprotocol/subscriptionId"
)

// method is one method that the server knows.
type method struct {
	run            func(x *exchange) (object, *failure)
	legacy, modern bool
	// needs is the capability that the method belongs to; "" for the base protocol.
	needs string
	// slow says that a request may take time and must not hold up the line; nil never.
	slow func(s *Server, in incoming) bool
	// cached results carry caching hints in 2026-07-28.
	cached bool
}

func methods() map[string]method {
	return map[string]method{
		"initialize":               {run: initialize, legacy: true},
		"ping":                     {run: ping, legacy: true},
		"server/discover":          {run: discover, modern: true, cached: true},
		"tools/list":               {run: listTools, legacy: true, modern: true, needs: "tools", cached: true},
		"tools/call":               {run: callTool, legacy: true, modern: true, needs: "tools", slow: callsSlowTool},
		"resources/list":           {run: listResources, legacy: true, modern: true, needs: "resources", cached: true},
		"resources/templates/list": {run: listTemplates, legacy: true, modern: true, needs: "resources", cached: true},
		"resources/read":           {run: readResource, legacy: true, modern: true, needs: "resources", cached: true},
		"resources/subscribe":      {run: subscribe, legacy: true, needs: "resources"},
		"resources/unsubscribe":    {run: unsubscribe, legacy: true, needs: "resources"},
		"prompts/list":             {run: listPrompts, legacy: true, modern: true, needs: "prompts", cached: true},
		"prompts/get":              {run: getPrompt, legacy: true, modern: true, needs: "prompts"},
		"completion/complete":      {run: complete, legacy: true, modern: true, needs: "completions"},
		"logging/setLevel":         {run: setLevel, legacy: true, needs: "logging"},
		"subscriptions/listen":     {run: listen, modern: true, slow: always},
	}
}

func always(*Server, incoming) bool { return true }

func callsSlowTool(s *Server, in incoming) bool {
	t := find(s.do.tools, asString(in.params["name"]))
	return t != nil && t.slow
}

// slow says that a request must not be served on the spot. The handshake always
// is: what follows it depends on it.
func (s *Server) slow(in incoming) bool {
	if s.do.delay != nil {
		return in.method != "initialize"
	}
	m := s.methods[in.method]
	return m.slow != nil && m.slow(s, in)
}

// speaksModern says that a request carries the _meta of 2026-07-28.
func speaksModern(params object) bool {
	meta := asObject(params["_meta"])
	_, version := meta[keyVersion]
	_, capabilities := meta[keyCapabilities]
	return version || capabilities
}

// handle finds the era and the method of a request and runs it.
func (x *exchange) handle() (object, *failure) {
	m, known := x.srv.methods[x.method]
	known = known && (m.legacy && len(x.srv.do.revisions) > 0 || m.modern && x.srv.do.modern)
	if x.method == "initialize" && len(x.srv.do.revisions) == 0 && !x.modern {
		return nil, x.srv.unsupported(asString(x.params["protocolVersion"]))
	}
	if !known {
		return nil, x.unknownMethod()
	}
	if f := x.admit(m); f != nil {
		return nil, f
	}
	if x.modern && !m.modern || !x.modern && !m.legacy {
		return nil, x.unknownMethod()
	}
	if m.needs != "" && x.srv.do.capabilities(x)[m.needs] == nil {
		return nil, x.unknownMethod()
	}
	result, f := m.run(x)
	if f != nil {
		return nil, f
	}
	if m.cached && x.modern && result["resultType"] == nil {
		x.srv.do.hints(x, result)
	}
	return result, nil
}

// unknownMethod has a status of its own in 2026-07-28 alone.
func (x *exchange) unknownMethod() *failure {
	f := fail(codeMethodNotFound, "Method not found")
	if x.modern {
		f.status = http.StatusNotFound
	}
	return f
}

// admit settles by which revision a request is served, or refuses it.
func (x *exchange) admit(m method) *failure {
	meta, isObject := object{}, true
	if given, ok := x.params["_meta"]; ok && given != nil {
		meta, isObject = given.(object)
	}
	if !isObject {
		return badMeta("_meta must be an object")
	}
	if x.modern {
		if f := x.admitModern(meta); f != nil {
			return f
		}
	} else if f := x.admitLegacy(m); f != nil {
		return f
	}
	token, f := readToken(meta)
	x.token = token
	return f
}

// admitLegacy wants the handshake before anything but ping. Without it, a
// request may also be one of 2026-07-28 that lacks its _meta; the refusal fits both.
func (x *exchange) admitLegacy(m method) *failure {
	x.revision, x.capabilities, x.level = x.ses.view()
	if x.revision == "" && x.method != "initialize" && x.method != "ping" {
		if !x.srv.do.modern {
			return fail(codeInvalidRequest, "initialize must come first")
		}
		return badMeta("_meta lacks " + keyVersion + ", and no initialize came before")
	}
	return nil
}

// admitModern reads what every request of 2026-07-28 has to say of itself.
func (x *exchange) admitModern(meta object) *failure {
	version, ok := meta[keyVersion].(string)
	if !ok {
		return badMeta("_meta lacks " + keyVersion)
	}
	if !x.srv.do.opening.serves(x, version) {
		return x.srv.unsupported(version)
	}
	capabilities, ok := meta[keyCapabilities].(object)
	if !ok {
		return badMeta("_meta lacks " + keyCapabilities)
	}
	if info, given := meta[keyClientInfo]; given && asObject(info) == nil {
		return badMeta(keyClientInfo + " must be an object")
	}
	if level, given := meta[keyLevel]; given {
		name, _ := level.(string)
		if x.level = slices.Index(logLevels(), name); x.level < 0 {
			return badMeta(keyLevel + " must be one of the eight log levels")
		}
	}
	x.revision, x.capabilities = revisionModern, capabilities
	return nil
}

func badMeta(why string) *failure {
	f := fail(codeInvalidParams, why)
	f.status = http.StatusBadRequest
	return f
}

// unsupported refuses a revision and names those that this era of the server speaks.
func (s *Server) unsupported(asked string) *failure {
	f := fail(codeUnsupportedVersion, "Unsupported protocol version").with(object{"supported": list{revisionModern}, "requested": asked})
	f.status = http.StatusBadRequest
	return f
}
