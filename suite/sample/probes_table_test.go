package sample

import (
	"net/http"
	"strings"
)

// probe is a conversation in which a fault shows.
type probe func(c *client)

// probes are found by the longest key that begins the name of a fault.
func probes() map[string]probe {
	return map[string]probe{
		"clients-connects":            func(c *client) { c.open() },
		"clients-frames-valid":        func(c *client) { c.name = "app"; c.open().drain() },
		"opening-offer-reachable":     probeVersions,
		"opening-answers":             func(c *client) { c.open() },
		"opening-negotiates":          probeVersions,
		"opening-no-version":          probeVersions,
		"opening-offers":              probeVersions,
		"opening-version-each":        probeUnsupported,
		"opening-modern-only":         probeUnsupported,
		"opening-discover-shape":      func(c *client) { c.ask("server/discover", "") },
		"opening-discover-first":      probeDiscoverFirst,
		"opening-unsupported":         probeUnsupported,
		"opening-server":              func(c *client) { c.open().ask("tools/list", ""); c.ask("prompts/list", "") },
		"opening-declared":            probeCapabilities,
		"opening-capabilities":        probeCapabilities,
		"opening-unknown-capability":  func(c *client) { c.capabilities = `{"zz":{}}`; c.open().ask("tools/list", "") },
		"opening-ping":                func(c *client) { c.open().ask("ping", "") },
		"opening-before":              func(c *client) { c.ask("ping", ""); c.open() },
		"opening-versions-echoed":     probeVersions,
		"opening-initialize-bad":      func(c *client) { c.ask("initialize", "{}") },
		"opening-quiet":               func(c *client) { c.open().drain() },
		"opening-ping-before":         func(c *client) { c.handshake(); c.ask("ping", "") },
		"opening-any-request":         func(c *client) { c.ask("tools/list", "") },
		"opening-discover-repeatable": func(c *client) { c.ask("server/discover", ""); c.ask("server/discover", "") },
		"opening-supported":           probeUnsupported,
		"opening-legacy-version":      func(c *client) { c.revision = "2025-11-25"; c.ask("tools/list", "") },
		"opening-client-info":         func(c *client) { c.ask("tools/list", "") },
		"opening-client-identity": func(c *client) {
			c.ask("tools/list", `{"_meta":{"`+keyClientInfo+`":{"name":"somebody","version":"1"}}}`)
		},
		"opening-modern-offered":    func(c *client) { c.ask("server/discover", "") },
		"opening-extension":         func(c *client) { c.ask("server/discover", "") },
		"input-examples-calls":      probeResults,
		"content-":                  probeContent,
		"envelope-server-ids":       func(c *client) { c.answer = answers()[4]; c.open().call("tea_advice", `{"time":"noon"}`) },
		"envelope-undeclared":       func(c *client) { c.open().ask("server/discover", "") },
		"completion-unsupported":    func(c *client) { c.open().ask("server/discover", "") },
		"envelope-params-absent":    func(c *client) { c.open().ask("tools/call", `{"arguments":{}}`) },
		"envelope-notification-has": probeProgress,
		"meta-absent":               func(c *client) { c.send(`{"jsonrpc":"2.0","id":5,"method":"tools/list"}`, "5") },
		"meta-protocol":             probeMeta,
		"meta-client":               probeMeta,
		"meta-wrong":                probeMeta,
		"meta-trace":                probeMeta,
		"meta-refusal":              probeMeta,
		"meta-missing":              func(c *client) { c.capabilities = "{}"; c.call("tea_advice", `{"time":"noon"}`) },
		"concurrency-no-affinity":   probeAffinity,
		"concurrency-same":          func(c *client) { c.open().call("text_slug", `{"text":"a"}`); c.call("text_slug", `{"text":"a"}`) },
		"opening-dual": func(c *client) {
			c.open().send(`{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"`+keyVersion+`":"2026-07-28","`+keyCapabilities+`":{}}}}`, "5")
		},
		"http-event-id":   probeReconnect,
		"http-missed":     probeReconnect,
		"http-get-stream": probeBroadcast,
		"http-response":   func(c *client) { c.open().send(`{"jsonrpc":"2.0","id":5,"result":{}}`, "") },
		"http-client-response": func(c *client) {
			c.post(`{"jsonrpc":"2.0","id":5,"result":{}}`, map[string]string{"MCP-Protocol-Version": revisionModern})
		},
		"http-endpoint":        func(c *client) { c.open().ask("tools/list", "") },
		"http-old-sse":         func(c *client) { c.get(http.MethodGet, endpoint, nil) },
		"http-sse-keepalive":   probeSubscriptions,
		"http-sse-related":     probeTwoStreams,
		"http-unauthenticated": probeAuthorization,
		"meta-":                probeLists,
		"caching-":             probeLists,
		"roots-":               probeRoots,
		"sampling-":            probeSampling,
		"cancellation-id-usable": func(c *client) {
			c.open().notify("notifications/cancelled", `{"requestId":600}`)
			c.askAs("600", "prompts/list", "")
		},
		"cancellation-race": func(c *client) {
			c.open()
			for _, id := range []string{"600", "601", "602"} {
				c.write(c.frame(id, "tools/call", `{"name":"count_up"}`) + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}` + "\n")
			}
			c.settle()
		},
		"cancellation-only":                       probeProgress,
		"cancellation-own":                        probeWithdraw,
		"framing-last":                            func(c *client) { c.open().hangUp(); c.await("nothing") },
		"framing-notifications":                   func(c *client) { c.call("count_up", `{"to":1,"pause_ms":1}`); c.drain() },
		"progress-own-stream":                     probeSubscriptions,
		"opening-capabilities-honest-logging":     probeLogging,
		"messages-every-message-valid-log":        probeLogging,
		"messages-every-message-valid-prompt":     probePrompts,
		"messages-every-message-valid-resource":   probeResources,
		"messages-every-message-valid-contents":   probeResources,
		"messages-every-message-valid-template":   probeResources,
		"messages-every-message-valid-completion": probeCompletion,
		"listing-names-unique-":                   probeLists,
		"listing-names-unique-resources":          probeResources,
		"listing-pages-end-resources":             probeResources,
		"roots-only":                              func(c *client) { c.open().call("count_up", `{"to":1,"pause_ms":1}`) },
		"output-schema-structured-carries":        func(c *client) { probeHost(c) },
		"subscriptions-changes":                   probeAfterCount,
		"subscriptions-undeclared":                probeAfterCount,
		"subscriptions-no-state":                  probeAfterCount,
		"elicitation-url-mode":                    probeElicitation,
		"messages-only-negotiated":                func(c *client) { c.revision = "2025-03-26"; c.open().call("shape_draw", `{"shape":"circle"}`) },
		"messages-one-error":                      probePrompts,
		"input-required-unanswered":               func(c *client) { c.call("tea_advice", `{"time":"noon"}`); c.call("tea_advice", `{"time":"noon"}`) },
		"elicitation-url":                         probePages,
		"elicitation-complete":                    probePages,
		"elicitation-required-error":              probePages,
		"elicitation-mode":                        probePages,
		"elicitation-unanswered":                  probeWhileAsked,
		"opening-twice":                           func(c *client) { c.open().open().ask("ping", "") },
		"listing-":                                probeLists,
		"presentation-":                           probeLists,
		"input-examples-":                         probeLists,
		"host-":                                   probeHost,
		"host-chatgpt-":                           func(c *client) { c.open().ask("server/discover", ""); c.ask("tools/list", "") },
		"host-chatgpt-auth":                       probeResults,
		"unknown-tool-":                           probeUnknownTools,
		"bad-input-":                              probeInput,
		"bad-input-2020-12-keywords":              probeLists,
		"bad-input-composition-holds":             probeLists,
		"bad-input-valid-accepted":                probeResults,
		"bad-input-valid-accepted-open":           probeLists,
		"thrown-error-":                           probeResults,
		"output-schema-":                          probeResults,
		"messages-":                               probeResults,
		"progress-":                               probeProgress,
		"progress-answer-survives":                func(c *client) { c.open().call("count_up", `{"to":2},"_meta":{"progressToken":1}`) },
		"cancellation-":                           probeCancel,
		"cancellation-stream-drop":                probeDrop,
		"elicitation-":                            probeElicitation,
		"elicitation-carries":                     func(c *client) { c.capabilities = `{}`; c.open().call("tea_advice", `{"time":"noon"}`) },
		"elicitation-only":                        probeUndeclared,
		"elicitation-call-cancel":                 probeWithdraw,
		"elicitation-late-answer":                 probeLateAnswer,
		"input-required-":                         probeInputRequired,
		"input-required-only-if-declared":         probeUndeclared,
		"input-required-only-for-three":           func(c *client) { c.ask("tools/list", "") },
		"parity-":                                 probeParity,
		"envelope-":                               probeEnvelope,
		"envelope-batch":                          probeBatch,
		"tasks-":                                  probeTaskLife,
		"tasks-undeclared":                        probeTasks,
		"tasks-capability":                        probeTasks,
		"framing-":                                probeFraming,
		"framing-big":                             probeBig,
		"shutdown-answers":                        probeInFlight,
		"concurrency-":                            probeConcurrency,
		"concurrency-hundred":                     probeHundred,
		"concurrency-no-cross-talk":               probeCrossTalk,
		"http-":                                   probeHTTP,
		"http-reconnect":                          probeReconnect,
		"http-json-and-sse-broadcast":             probeBroadcast,
		"authorization-":                          probeAuthorization,
		"resources-":                              probeResources,
		"prompts-":                                probePrompts,
		"completion-":                             probeCompletion,
		"logging-":                                probeLogging,
		"subscriptions-":                          probeSubscriptions,
		"messages-no-server-requests":             probeProgress,
	}
}

func probeFor(name string) probe {
	best := ""
	all := probes()
	for key := range all {
		if strings.HasPrefix(name, key) && len(key) > len(best) {
			best = key
		}
	}
	return all[best]
}
