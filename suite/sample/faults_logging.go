package sample

func loggingFaults() []Fault {
	everyCall := func(b *behaviour, wants func(x *exchange, level int) bool) { b.logging.wants = wants }
	return []Fault{
		{
			Name: "logging-set-level", What: "logging/setLevel is an unknown method, although logging is declared.",
			Checks: ids("logging/set-level"), Collateral: ids("opening/capabilities-honest", "logging/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				failOn(b, "logging/setLevel", func() *failure { return fail(codeMethodNotFound, "Method not found") })
			},
		},
		{
			Name: "logging-level-refused", What: "logging/setLevel takes a level that does not exist.",
			Checks: ids("logging/level-refused"), Eras: only(Legacy),
			plant: func(b *behaviour) { b.logging.anyLevel = true },
		},
		{
			Name: "logging-level-respected", What: "Messages below the level that the client set are sent.",
			Checks: ids("logging/level-respected"), Collateral: ids("logging/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				everyCall(b, func(x *exchange, level int) bool { return wantsLog(x, level) || !x.modern && x.level >= 0 })
			},
		},
		{
			Name: "logging-opt-in-level", What: "Messages below the level that the request named are sent.",
			Checks: ids("logging/opt-in-level"), Collateral: ids("logging/*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				everyCall(b, func(x *exchange, level int) bool { return wantsLog(x, level) || x.modern && x.level >= 0 })
			},
		},
		{
			Name: "logging-opt-in", What: "Log messages are sent for requests that did not ask for them.",
			Checks: ids("logging/opt-in"), Collateral: ids("framing/notifications-belong", "logging/*", "http/*"), Eras: only(Modern),
			plant: func(b *behaviour) {
				everyCall(b, func(x *exchange, level int) bool { return wantsLog(x, level) || x.modern && x.level < 0 })
			},
		},
		{
			Name: "logging-opt-in-sticky", What: "A log level named by one request counts for the next ones on the line.",
			Checks: ids("logging/opt-in"), Collateral: ids("framing/notifications-belong", "logging/*"), Eras: only(Modern), Transports: only(Stdio),
			plant: func(b *behaviour) {
				everyCall(b, func(x *exchange, level int) bool {
					what := "level " + string(num(x.ses.number))
					if x.modern && x.level >= 0 {
						x.srv.tally(what)
					}
					return wantsLog(x, level) || x.modern && x.srv.count(what) > 0
				})
			},
		},
		{
			Name: "opening-capabilities-honest-logging", What: "Log messages are sent, but logging is not declared.",
			Checks: ids("opening/capabilities-honest"), Shows: ids("logging"), Collateral: ids("logging/*", "opening/capabilities-honest", "http/*"), Eras: only(Legacy),
			plant: func(b *behaviour) {
				everyCall(b, func(x *exchange, level int) bool { return !x.modern || wantsLog(x, level) })
				b.capabilities = func(x *exchange) object {
					c := rightCapabilities(x)
					if !x.modern {
						delete(c, "logging")
					}
					return c
				}
			},
		},
		{
			Name: "messages-every-message-valid-log", What: "The level of a log message is none that the protocol has.",
			Checks: ids("messages/every-message-valid"), Shows: ids("logging"), Collateral: ids("messages/every-message-valid", "logging/*"),
			plant: func(b *behaviour) {
				editNotification(b, "notifications/message", func(_ *exchange, p object) { p["level"] = "fatal" })
			},
		},
		{
			Name: "messages-every-message-valid-log-data", What: "A log message has no data.",
			Checks: ids("messages/every-message-valid"), Shows: ids("logging"), Collateral: ids("messages/every-message-valid"),
			plant: func(b *behaviour) {
				editNotification(b, "notifications/message", func(_ *exchange, p object) { delete(p, "data") })
			},
		},
		{
			Name: "logging-opt-in-level-after", What: "The log messages of a request come after its answer.",
			Checks: ids("logging/opt-in-level"), Collateral: ids("framing/notifications-belong", "logging/*"), Eras: only(Modern), Transports: only(Stdio),
			plant: func(b *behaviour) {
				wants := b.logging.wants
				everyCall(b, func(x *exchange, level int) bool { return !x.modern && wants(x, level) })
				b.afterwards = append(b.afterwards, func(x *exchange) {
					if x.modern && x.method == "tools/call" && wants(x, levelInfo) {
						x.emit(object{"jsonrpc": "2.0", "method": "notifications/message", "params": logParams(levelInfo, object{"tool": x.params["name"], "event": "called"})})
					}
				})
			},
		},
		{
			Name: "logging-no-secrets", What: "Log messages hold a password.",
			Checks: ids("logging/no-secrets"), Collateral: ids("logging/*"),
			plant: func(b *behaviour) {
				editNotification(b, "notifications/message", func(_ *exchange, p object) {
					asObject(p["data"])["password"] = "hunter2"
				})
			},
		},
	}
}

// subscriptionFaults are in subscriptions/listen of 2026-07-28.
func subscriptionFaults() []Fault {
	tagged := func(edit func(x *exchange, meta object)) func(b *behaviour) {
		return func(b *behaviour) {
			b.subscriptions.tell = func(sub *subscription, method string, params object) {
				edit(sub.x, asObject(params["_meta"]))
				tell(sub, method, params)
			}
		}
	}
	acknowledged := func(edit func(sub *subscription, params object)) func(b *behaviour) {
		return func(b *behaviour) {
			editNotification(b, "notifications/subscriptions/acknowledged", func(x *exchange, params object) {
				edit(&subscription{x: x}, params)
			})
		}
	}
	seen := ids("messages/every-message-valid", "subscriptions/*", "framing/notifications-belong")
	faults := []Fault{
		{
			Name: "subscriptions-acknowledged-first", What: "A subscription is never acknowledged.",
			Checks: ids("subscriptions/acknowledged-first"), Collateral: ids("subscriptions/*", "host-*"),
			plant: func(b *behaviour) { b.subscriptions.acknowledge = func(*subscription) {} },
		},
		{
			Name: "subscriptions-acknowledged-first-untagged", What: "The acknowledgement does not say which subscription it means.",
			Checks: ids("subscriptions/acknowledged-first"), Collateral: seen,
			plant: acknowledged(func(_ *subscription, p object) { delete(p, "_meta") }),
		},
		{
			Name: "subscriptions-acknowledged-first-id-type", What: "The subscription id is text where the id of the request is a number.",
			Checks: ids("subscriptions/acknowledged-first"), Collateral: seen,
			plant: acknowledged(func(_ *subscription, p object) {
				meta := asObject(p["_meta"])
				if _, isText := meta[keySubscription].(string); !isText {
					meta[keySubscription] = string(encode(meta[keySubscription], plainOrder))
				}
			}),
		},
		{
			Name: "subscriptions-acknowledged-subset", What: "More is granted than was asked for.",
			Checks: ids("subscriptions/acknowledged-subset"), Collateral: seen,
			plant: acknowledged(func(_ *subscription, p object) {
				for _, kind := range []string{"toolsListChanged", "promptsListChanged", "resourcesListChanged"} {
					asObject(p["notifications"])[kind] = true
				}
			}),
		},
		{
			Name: "subscriptions-notifications-tagged", What: "Notifications of a subscription do not say which one they belong to.",
			Checks: ids("subscriptions/notifications-tagged"), Collateral: seen,
			plant: tagged(func(_ *exchange, meta object) { delete(meta, keySubscription) }),
		},
		{
			Name: "subscriptions-notifications-tagged-unasked", What: "A subscription gets notifications of a kind that it did not ask for.",
			Checks: ids("subscriptions/notifications-tagged"), Collateral: ids("subscriptions/*"),
			plant: func(b *behaviour) {
				b.subscriptions.acknowledge = func(sub *subscription) {
					acknowledge(sub)
					tell(sub, "notifications/prompts/list_changed", object{"_meta": object{keySubscription: sub.x.id}})
				}
			},
		},
		{
			Name: "subscriptions-filter-required", What: "A subscription that does not say to what is opened.",
			Checks: ids("subscriptions/filter-required"), Collateral: ids("subscriptions/*"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.method == "subscriptions/listen" && asObject(x.params["notifications"]) == nil {
						x.params["notifications"] = object{}
					}
					return false
				})
			},
		},
		{
			Name: "subscriptions-stays-open", What: "A subscription is answered at once.",
			Checks: ids("subscriptions/stays-open"), Collateral: ids("subscriptions/*", "host-*"),
			plant: func(b *behaviour) {
				b.subscriptions.acknowledge = func(sub *subscription) {
					acknowledge(sub)
					sub.end()
				}
			},
		},
		{
			Name: "subscriptions-cancel-ends", What: "A cancelled subscription is answered.",
			Checks: ids("subscriptions/cancel-ends"), Collateral: ids("cancellation/*", "subscriptions/*"), Transports: only(Stdio),
			plant: func(b *behaviour) { b.cancel.answersListen = true },
		},
		{
			Name: "subscriptions-graceful-end-shape", What: "The result that ends a subscription does not say which one.",
			Checks: ids("subscriptions/graceful-end"), Collateral: seen, Transports: only(Stdio),
			plant: func(b *behaviour) {
				editResult(b, "subscriptions/listen", func(_ *exchange, r object) { delete(asObject(r["_meta"]), keySubscription) })
			},
		},
		{
			Name: "subscriptions-none-unsolicited", What: "A change of the tool list is told to a line that has no subscription.",
			Checks: ids("subscriptions/none-unsolicited"), Collateral: ids("subscriptions/*", "stdio/*", "framing/*"), Transports: only(Stdio),
			plant: func(b *behaviour) {
				b.afterwards = append(b.afterwards, func(x *exchange) {
					if x.modern && x.calls("count_up") {
						x.ses.push(object{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
					}
				})
			},
		},
		{
			Name: "progress-own-stream", What: "Progress goes to the subscriptions instead of the stream of its call.",
			Checks: ids("progress/own-stream"), Collateral: ids("progress/*", "subscriptions/*", "http/*"), Transports: only(HTTP),
			plant: func(b *behaviour) {
				b.progress.send = func(x *exchange, params object) {
					if !x.modern || !x.srv.tellAll("notifications/progress", params) {
						x.notify("notifications/progress", params)
					}
				}
			},
		},
		{
			Name: "messages-no-server-requests", What: "A request of 2026-07-28 is answered with a request of the server's own first.",
			Checks: ids("messages/no-server-requests"), Collateral: ids("*"),
			plant: func(b *behaviour) {
				takeOver(b, func(x *exchange) bool {
					if x.modern && x.calls("count_up") {
						x.emit(object{"jsonrpc": "2.0", "id": num(1), "method": "ping"})
					}
					return false
				})
			},
		},
	}
	for i := range faults {
		faults[i].Eras = only(Modern)
	}
	return faults
}

// tellAll sends a notification to every subscription, and says whether there is one.
func (s *Server) tellAll(method string, params object) bool {
	s.mu.Lock()
	subs := s.subscriptions
	s.mu.Unlock()
	for _, sub := range subs {
		tagged := clone(params)
		tagged["_meta"] = object{keySubscription: sub.x.id}
		tell(sub, method, tagged)
	}
	return len(subs) > 0
}
