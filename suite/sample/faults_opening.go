package sample

import (
	"net/http"
	"slices"
	"time"
)

func openingFaults() []Fault {
	return []Fault{
		{
			Name: "opening-answers-initialize", What: "initialize is never answered.",
			Checks: ids("opening/answers-initialize"), Collateral: ids("*"), Eras: only(Legacy),
			plant: func(b *behaviour) { muteOn(b, "initialize") },
		},
		{
			Name: "opening-answers-initialize-error", What: "A server of the handshake revisions answers initialize with an internal error.",
			Checks: ids("opening/answers-initialize"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.modern = false
				failOn(b, "initialize", func() *failure { return fail(codeInternal, "Internal error") })
			},
		},
		{
			Name: "opening-answers-initialize-exit", What: "The process ends at once, before it reads anything.",
			Checks: ids("opening/answers-initialize"), Collateral: ids("*"), Transports: only(Stdio),
			plant: func(b *behaviour) { code := 1; b.process.Exit = &code },
		},
		{
			Name: "opening-answers-initialize-slow", What: "initialize is answered after 40 seconds, when hosts have given up.",
			Checks: ids("opening/answers-initialize"), Collateral: ids("*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method == "initialize" {
						_ = x.pause(40 * time.Second) // what cancels it, answers it
					}
					return false
				})
			},
		},
		{
			Name: "opening-negotiates-down", What: "A revision that the server lacks is refused with an error, where another should be offered.",
			Checks: ids("opening/negotiates-down"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.opening.negotiate = func(supported []string, asked string) (string, *failure) {
					if !slices.Contains(supported, asked) {
						return "", fail(codeInvalidParams, "Unsupported protocol version")
					}
					return asked, nil
				}
			},
		},
		{
			Name: "opening-offers-newest", What: "A client that asks for an unknown revision is offered the oldest, not the newest.",
			Checks: ids("opening/offers-newest"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.opening.negotiate = func(supported []string, asked string) (string, *failure) {
					if !slices.Contains(supported, asked) {
						return supported[len(supported)-1], nil
					}
					return asked, nil
				}
			},
		},
		{
			Name: "opening-offer-reachable", What: "initialize offers 2026-07-28, which has no handshake.",
			Checks: ids("opening/offer-reachable"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.opening.negotiate = func(supported []string, asked string) (string, *failure) {
					if !slices.Contains(supported, asked) {
						return revisionModern, nil
					}
					return asked, nil
				}
			},
		},
		{
			Name: "opening-no-version-echo", What: "initialize answers with whatever revision was asked for, known or not.",
			Checks: ids("opening/no-version-echo"), Collateral: ids("opening/negotiates-down"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				b.opening.negotiate = func(_ []string, asked string) (string, *failure) { return asked, nil }
			},
		},
		{
			Name: "opening-discover-shape", What: "The result of server/discover has no supportedVersions.",
			Checks: ids("opening/discover-shape"), Collateral: ids("messages/every-message-valid", "clients/connects", "clients/frames-valid"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editResult(b, "server/discover", func(_ *exchange, r object) { delete(r, "supportedVersions") })
			},
		},
		{
			Name: "opening-discover-shape-capabilities", What: "The result of server/discover has no capabilities.",
			Checks: ids("opening/discover-shape"), Collateral: ids("messages/every-message-valid", "*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editResult(b, "server/discover", func(_ *exchange, r object) { delete(r, "capabilities") })
			},
		},
		{
			Name: "opening-discover-shape-silence", What: "server/discover is never answered, so that every client waits out its limit.",
			Checks: ids("opening/discover-shape"), Collateral: ids("*"), Eras: only(Modern),
			plant: func(b *behaviour) { muteOn(b, "server/discover") },
		},
		{
			Name: "opening-discover-first-survives", What: "A server of the handshake revisions ends when server/discover is the first that it hears.",
			Checks: ids("opening/discover-first-survives"), Collateral: ids("opening/modern-offered"), Eras: only(Legacy), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.modern = false
				diesWhen(b, func(x *exchange) bool {
					revision, _, _ := x.ses.view()
					return revision == "" && x.method == "server/discover"
				})
			},
		},
		{
			Name: "opening-unsupported-version-error", What: "The refusal of an unknown revision does not list those that are supported.",
			Checks: ids("opening/unsupported-version-error"), Collateral: ids("messages/every-message-valid", "opening/supported-lists-agree"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editFailure(b, codeUnsupportedVersion, func(_ *exchange, f *failure) { f.data = nil })
			},
		},
		{
			Name: "opening-unsupported-version-error-code", What: "An unknown revision is refused with -32602.",
			Checks: ids("opening/unsupported-version-error"), Collateral: ids("http/status-codes"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editFailure(b, codeUnsupportedVersion, func(_ *exchange, f *failure) { f.code = codeInvalidParams })
			},
		},
		{
			Name: "opening-unsupported-version-error-served", What: "A request is served whatever revision it names.",
			Checks: ids("opening/unsupported-version-error"), Collateral: ids("opening/legacy-version-in-meta", "http/status-codes", "opening/version-each-request"), Eras: only(Modern),
			plant: func(b *behaviour) {
				b.opening.serves = func(*exchange, string) bool { return true }
			},
		},
		{
			Name: "opening-version-each-request", What: "After one good request any revision is served on the line.",
			Checks: ids("opening/version-each-request"), Collateral: ids("opening/unsupported-version-error", "opening/legacy-version-in-meta"), Eras: only(Modern), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.opening.serves = func(x *exchange, version string) bool {
					what := "good " + string(num(x.ses.number))
					if version == revisionModern {
						x.srv.tally(what)
					}
					return x.srv.count(what) > 0
				}
			},
		},
		{
			Name: "opening-modern-only-names-versions", What: "A server of 2026-07-28 alone refuses initialize without naming the revisions it speaks.",
			Checks: ids("opening/modern-only-names-versions"), Collateral: ids("*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				b.revisions = nil
				b.failures = append(b.failures, func(x *exchange, f *failure) *failure {
					if x.method == "initialize" {
						f = fail(codeInvalidRequest, "Unsupported")
						f.status = http.StatusBadRequest
					}
					return f
				})
			},
		},
		{
			Name: "opening-server-info", What: "serverInfo of the initialize result has no version.",
			Checks: ids("opening/server-info"), Collateral: ids("messages/every-message-valid", "*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				editResult(b, "initialize", func(_ *exchange, r object) { delete(asObject(r["serverInfo"]), "version") })
			},
		},
		{
			Name: "opening-server-info-modern", What: "Results of 2026-07-28 do not say in _meta who the server is.",
			Checks: ids("opening/server-info"), Collateral: ids("opening/server-icons", "unknown-tool/wording"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editResult(b, "", func(_ *exchange, r object) { delete(asObject(r["_meta"]), keyServerInfo) })
			},
		},
		{
			Name: "opening-server-icons", What: "The icon of the server has no src.",
			Checks: ids("opening/server-icons"), Collateral: ids("messages/every-message-valid", "*"),
			plant: func(b *behaviour) { editIcon(b, func(icon object) { delete(icon, "src") }) },
		},
		{
			Name: "opening-server-icons-uri", What: "The src of the server's icon is no URI.",
			Checks: ids("opening/server-icons"), Collateral: ids("messages/every-message-valid", "messages/strict-shapes"),
			plant: func(b *behaviour) { editIcon(b, func(icon object) { icon["src"] = "icons/sample icon.png" }) },
		},
		{
			Name: "opening-declared-methods-answer", What: "Prompts are declared, but prompts/list is an unknown method.",
			Checks: ids("opening/declared-methods-answer"), Collateral: ids("prompts/*", "http/*", "listing/cursor-rejected"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method != "prompts/list" {
						return false
					}
					x.answer(nil, x.unknownMethod())
					return true
				})
			},
		},
		{
			Name: "opening-capabilities-honest", What: "Tools are served but not declared, so that many clients never ask for them.",
			Checks: ids("opening/capabilities-honest"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				hide := func(_ *exchange, r object) { delete(asObject(r["capabilities"]), "tools") }
				editResult(b, "initialize", hide)
				editResult(b, "server/discover", hide)
			},
		},
		{
			Name: "opening-unknown-capability-tolerated", What: "A client capability that the server does not know ends the process.",
			Checks: ids("opening/unknown-capability-tolerated"), Collateral: ids("*"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				diesWhen(b, func(x *exchange) bool {
					declared := asObject(x.params["capabilities"])
					if x.modern {
						declared = asObject(asObject(x.params["_meta"])[keyCapabilities])
					}
					for key := range declared {
						if !slices.Contains([]string{"elicitation", "roots", "sampling", "experimental", "tasks", "extensions"}, key) {
							return true
						}
					}
					return false
				})
			},
		},
		{
			Name: "opening-ping", What: "ping is an unknown method.",
			Checks: ids("opening/ping"), Collateral: ids("*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				failOn(b, "ping", func() *failure { return fail(codeMethodNotFound, "Method not found") })
			},
		},
		{
			Name: "opening-before-initialize", What: "A request before initialize ends the process.",
			Checks: ids("opening/before-initialize"), Collateral: ids("opening/*", "meta/absent"), Eras: only(Legacy), Transports: only(Stdio),
			plant: func(b *behaviour) {
				diesWhen(b, func(x *exchange) bool {
					revision, _, _ := x.ses.view()
					return revision == "" && !x.modern && x.method != "initialize"
				})
			},
		},
		{
			Name: "opening-twice", What: "After a second initialize nothing on the line is answered any more.",
			Checks: ids("opening/twice"), Eras: only(Legacy), Transports: only(Stdio),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					what := "twice " + string(num(x.ses.number))
					if revision, _, _ := x.ses.view(); revision != "" && x.method == "initialize" {
						x.srv.tally(what)
						return false
					}
					return x.srv.count(what) > 0 && x.silence()
				})
			},
		},
	}
}

// editIcon changes the icon of the server wherever the server describes itself.
func editIcon(b *behaviour, edit func(icon object)) {
	editResult(b, "", func(x *exchange, r object) {
		info := asObject(asObject(r["_meta"])[keyServerInfo])
		if x.method == "initialize" {
			info = asObject(r["serverInfo"])
		}
		if icons := asList(info["icons"]); len(icons) > 0 {
			edit(asObject(icons[0]))
		}
	})
}
