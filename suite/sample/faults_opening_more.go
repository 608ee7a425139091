package sample

// openingMoreFaults are lesser deviations of the opening.
func openingMoreFaults() []Fault {
	// beforeInitialized says that the handshake of a session is not over.
	noteInitialized := func(b *behaviour) (over func(ses *session) bool) {
		what := func(ses *session) string { return "initialized " + string(num(ses.number)) }
		b.envelope.noted = func(ses *session, in incoming, out outlet) {
			if in.method == "notifications/initialized" {
				ses.srv.tally(what(ses))
			}
			noted(ses, in, out)
		}
		return func(ses *session) bool { return ses.srv.count(what(ses)) > 0 }
	}
	return []Fault{
		{
			Name: "opening-versions-echoed", What: "The revisions 2025-06-18 and 2025-03-26 are answered with each other.",
			Checks: ids("opening/versions-echoed"), Collateral: ids("*"), Eras: only(Legacy), Revisions: ids("2025-06-18", "2025-03-26"),
			plant: func(b *behaviour) {
				b.opening.negotiate = func(supported []string, asked string) (string, *failure) {
					switch asked {
					case "2025-06-18":
						return "2025-03-26", nil
					case "2025-03-26":
						return "2025-06-18", nil
					}
					return negotiate(supported, asked)
				}
			},
		},
		{
			Name: "clients-connects", What: "initialize is refused for every client whose name is not on a list.",
			Checks: ids("clients/connects"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					who := asObject(x.params["clientInfo"])["name"]
					if x.method != "initialize" || who == nil || who == "conform" {
						return false
					}
					x.answer(nil, fail(codeInvalidRequest, "This client is not known here"))
					return true
				})
			},
		},
		{
			Name: "clients-frames-valid", What: "A line is printed on stdout for clients that call themselves app.",
			Checks: ids("clients/frames-valid"), Collateral: ids("clients/connects"), Eras: only(Legacy), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.stdio.chatter = func(in incoming) string {
					who := asString(asObject(in.params["clientInfo"])["name"])
					if in.method != "initialize" || who != "app" {
						return ""
					}
					return "welcome, " + visible(who) + "\n"
				}
			},
		},
		{
			Name: "opening-initialize-bad-params", What: "initialize is accepted without its required members.",
			Checks: ids("opening/initialize-bad-params"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method != "initialize" {
						return false
					}
					for member, otherwise := range map[string]any{
						"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": "unknown", "version": "0"},
					} {
						if x.params[member] == nil {
							x.params[member] = otherwise
						}
					}
					return false
				})
			},
		},
		{
			Name: "opening-quiet-before-initialized", What: "The server asks for roots as soon as initialize is answered, before the client says that it is ready.",
			Checks: ids("opening/quiet-before-initialized"), Collateral: ids("*"), Eras: only(Legacy), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.afterwards = append(b.afterwards, func(x *exchange) {
					if x.method == "initialize" {
						id, _ := x.ses.open()
						x.emit(object{"jsonrpc": "2.0", "id": id, "method": "roots/list"})
					}
				})
			},
		},
		{
			Name: "opening-ping-before-initialized", What: "ping is refused until the client says that the handshake is over.",
			Checks: ids("opening/ping-before-initialized"), Collateral: ids("opening/before-initialize", "opening/ping"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				over := noteInitialized(b)
				takeOver(b, func(x *exchange) bool {
					if x.method != "ping" || x.modern || over(x.ses) {
						return false
					}
					x.answer(nil, fail(codeInvalidRequest, "The handshake is not over"))
					return true
				})
			},
		},
		{
			Name: "opening-any-request-first", What: "A request of 2026-07-28 is refused on a line that did not begin with server/discover.",
			Checks: ids("opening/any-request-first"), Collateral: ids("*"), Eras: only(Modern), Transports: only(Stdio),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					what := "discovered " + string(num(x.ses.number))
					if x.method == "server/discover" {
						x.srv.tally(what)
					}
					if !x.modern || x.srv.count(what) > 0 {
						return false
					}
					x.answer(nil, fail(codeInvalidRequest, "server/discover must come first"))
					return true
				})
			},
		},
		{
			Name: "opening-discover-repeatable", What: "server/discover answers differently each time.",
			Checks: ids("opening/discover-repeatable"), Collateral: ids("parity/*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editResult(b, "server/discover", func(x *exchange, r object) {
					r["instructions"] = instructions + " You are number " + string(num(x.srv.tally("discovered"))) + "."
				})
			},
		},
		{
			Name: "opening-supported-lists-agree", What: "The refusal of an unknown revision lists one that server/discover does not.",
			Checks: ids("opening/supported-lists-agree"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editFailure(b, codeUnsupportedVersion, func(_ *exchange, f *failure) {
					asObject(f.data)["supported"] = list{revisionModern, "2027-01-01"}
				})
			},
		},
		{
			Name: "opening-legacy-version-in-meta", What: "A handshake revision in _meta is served as if it were 2026-07-28.",
			Checks: ids("opening/legacy-version-in-meta"), Collateral: ids("opening/unsupported-version-error", "opening/version-each-request"), Eras: only(Modern),
			plant: func(b *behaviour) {
				b.opening.serves = func(_ *exchange, version string) bool { return version == revisionModern || version == "2025-11-25" }
			},
		},
		{
			Name: "opening-client-info-optional", What: "A request of 2026-07-28 without clientInfo is refused.",
			Checks: ids("opening/client-info-optional"), Collateral: ids("*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					meta := asObject(x.params["_meta"])
					if !x.modern || meta[keyClientInfo] != nil {
						return false
					}
					x.answer(nil, badMeta("_meta lacks "+keyClientInfo))
					return true
				})
			},
		},
		{
			Name: "opening-client-identity-ignored", What: "Each client is shown a tool of its own, by the name that it gives itself.",
			Checks: ids("opening/client-identity-ignored"), Collateral: ids("listing/*", "parity/listing-*", "clients/*", "host-*", "input-examples/usable"), Eras: only(Modern),
			plant: func(b *behaviour) {
				b.listing.tools = append(b.listing.tools, func(x *exchange, entries list) list {
					if name := asString(asObject(asObject(x.params["_meta"])[keyClientInfo])["name"]); name != "" {
						own := manyTools(1)[0].listed()
						own["name"] = "for_" + digest(name)[:6]
						entries = append(entries, own)
					}
					return entries
				})
			},
		},
		{
			Name: "opening-modern-offered", What: "The server does not speak 2026-07-28.",
			Checks: ids("opening/modern-offered"), Collateral: ids("*"), Eras: only(Modern),
			plant: func(b *behaviour) { b.modern = false },
		},
		{
			Name: "opening-server-info-agrees", What: "The version of the server is another one in lists than in server/discover.",
			Checks: ids("opening/server-info-agrees"), Eras: only(Modern),
			plant: func(b *behaviour) {
				editResult(b, "tools/list", func(_ *exchange, r object) {
					if info := asObject(asObject(r["_meta"])[keyServerInfo]); info != nil {
						info["version"] = "0.9.0"
					}
				})
			},
		},
		{
			Name: "opening-extension-keys", What: "An extension is declared under a key without prefix.",
			Checks: ids("opening/extension-keys"), Collateral: ids("messages/every-message-valid"), Eras: only(Modern),
			plant: func(b *behaviour) {
				b.capabilities = func(x *exchange) object {
					c := rightCapabilities(x)
					if x.modern {
						c["extensions"] = object{"colours": object{}}
					}
					return c
				}
			},
		},
		{
			Name: "input-examples-calls-met", What: "A call is answered in other words than its author expects.",
			Checks: ids("input-examples/calls-met"), NeedsExpect: true,
			plant: func(b *behaviour) {
				editCall(b, "text_slug", func(_ *exchange, r object) { firstText(r)["text"] = "slug" })
			},
		},
	}
}
