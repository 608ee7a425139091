package scenarios

func subscriptions() Scenario {
	return Scenario{
		ID: "subscriptions", Title: "Subscriptions", Waits: true,
		Summary: "Opens several subscriptions on a session of their own, calls the tools that may be called, cancels one subscription and closes the line under another.",
		Drive:   driveSubscriptions,
		Checks:  append(subscriptionChecks(), changeChecks()...),
	}
}

// subscriptionChecks are the checks on subscriptions/listen itself.
func subscriptionChecks() []Check {
	return []Check{
		{
			ID: "subscriptions/acknowledged-first", Claim: "The first message of a subscription is its acknowledgement, tagged with the id of the listen request.", Level: Must,
			Why:    "SDK v2 clients wait for it before they count the subscription as open; without it, or under another id, they never hear of a change.",
			Remedy: "Send notifications/subscriptions/acknowledged at once, with io.modelcontextprotocol/subscriptionId in _meta: the id of the request, value and type.",
			Basis:  []string{"basic/patterns/subscriptions#acknowledgment", "basic/patterns/subscriptions#receiving-notifications"},
			Requirements: []string{
				"subscriptions.acknowledged-first", "subscriptions.acknowledged-id", "subscriptions.nothing-before-ack", "subscriptions.id-type",
			},
			Hosts: []string{"sdk-v2"}, Judge: listens(judgeAcknowledged),
		},
		{
			ID: "subscriptions/acknowledged-subset", Claim: "The acknowledgement lists only what was asked for and what the server declares.", Level: Must,
			Why:    "A client that is told that it will hear of changes stops asking for the list.",
			Remedy: "Copy a kind into the acknowledgement only when it was asked for and you can send it.",
			Basis:  []string{"schema#subscriptionsacknowledgednotificationparams"}, Requirements: []string{"subscriptions.acknowledged-subset"},
			Judge: listens(judgeAcknowledgedSubset),
		},
		{
			ID: "subscriptions/empty-filter", Claim: "A subscription to nothing is acknowledged with nothing.", Level: Note,
			Why:    "Clients that build the filter from settings send an empty one.",
			Remedy: "Treat an empty filter like any other.",
			Basis:  []string{"basic/patterns/subscriptions"}, Requirements: []string{"subscriptions.empty-filter"},
			Judge: listens(judgeEmptyFilter),
		},
		{
			ID: "subscriptions/filter-required", Claim: "A subscription that does not say to what is refused with -32602.", Level: Should,
			Why:    "A client with a mistake in it waits for ever instead of learning of it.",
			Remedy: "Check that notifications is an object, and answer with -32602 otherwise.",
			Basis:  []string{"schema#subscriptionslistenrequestparams"}, Requirements: []string{"subscriptions.filter-required"},
			Judge: listens(judgeFilterRequired),
		},
		{
			ID: "subscriptions/concurrent", Claim: "Several subscriptions live side by side, each under its own id.", Level: Note,
			Why:    "Clients open one for the lists and another for resources.",
			Remedy: "Keep subscriptions by the id of their request.",
			Basis:  []string{"basic/patterns/subscriptions#multiple-concurrent-subscriptions"}, Requirements: []string{"subscriptions.concurrent"},
			Judge: listens(judgeConcurrent),
		},
		{
			ID: "subscriptions/stays-open", Claim: "A subscription stays open, its request unanswered, until one side ends it.", Level: Should,
			Why:    "A client opens the next one as soon as the last has ended: again and again.",
			Remedy: "Answer subscriptions/listen only when you end the subscription.",
			Basis:  []string{"basic/patterns/subscriptions"}, Requirements: []string{"subscriptions.stays-open"},
			Judge: listens(judgeStaysOpen),
		},
		{
			ID: "subscriptions/cancel-ends", Claim: "After the client has cancelled a subscription nothing more comes for it, no answer either.", Level: Must,
			Why:    "The client has forgotten the id; what comes under it is an error in its log, or goes to a new request with the same id.",
			Remedy: "Drop the subscription on notifications/cancelled, and do not answer the listen request.",
			Basis:  []string{"basic/patterns/subscriptions#cancellation", "basic/transports/stdio#cancellation"}, Requirements: []string{"subscriptions.cancel-ends"},
			Judge: listens(judgeCancelEnds),
		},
		{
			ID: "subscriptions/graceful-end", Claim: "A server that ends tells its subscriptions, by an answer to the listen request or by notifications/cancelled.", Level: Note,
			Why:    "Without it a client takes the end for a crash.",
			Remedy: "On the end of input, answer the listen requests that are open before you exit.",
			Basis:  []string{"basic/patterns/subscriptions#graceful-closure", "basic/utilities/cancellation"}, Requirements: []string{"subscriptions.graceful-end", "subscriptions.graceful-shape", "cancellation.subscription-teardown"},
			Judge: listens(judgeGracefulEnd),
		},
	}
}

// changeChecks are the checks on what tells of changes, wherever it comes.
func changeChecks() []Check {
	return []Check{
		{
			ID: "subscriptions/notifications-tagged", Claim: "What tells of a change carries the id of a subscription that asked for its kind.", Level: Must,
			Why:    "Over stdio the tag alone says to whom it goes; without it a client drops it.",
			Remedy: "Send each change once to each subscription that asked for it, with io.modelcontextprotocol/subscriptionId in _meta.",
			Basis:  []string{"basic/index#meta", "basic/patterns/subscriptions#opening-a-stream"}, Requirements: []string{"subscriptions.notifications-tagged", "subscriptions.only-requested"},
			Judge: modern(judgeTagged),
		},
		{
			ID: "subscriptions/untagged-elsewhere", Claim: "Progress and log messages of ordinary requests carry no subscription id.", Level: Note,
			Why:    "A client hands them to the subscription instead of the call.",
			Remedy: "Add the id to what belongs to a subscription alone.",
			Basis:  []string{"schema#notificationmetaobject"}, Requirements: []string{"subscriptions.untagged-elsewhere"},
			Judge: modern(judgeUntaggedElsewhere),
		},
		{
			ID: "subscriptions/none-unsolicited", Claim: "Changes are told to subscriptions alone, never unasked.", Level: Must,
			Why:    "Clients of 2026-07-28 have no place for it; over HTTP there is no stream that it could come on.",
			Remedy: "Send list_changed and updated only on open subscriptions.",
			Basis:  []string{"schema#toollistchangednotification"}, Requirements: []string{"subscriptions.not-unsolicited"},
			Judge: modern(judgeNoneUnsolicited),
		},
		{
			ID: "subscriptions/no-state-after-reconnect", Claim: "A connection without subscriptions hears of no change, whatever another one subscribed to.", Level: Note,
			Why:    "A client that starts again gets what an earlier one asked for.",
			Remedy: "End subscriptions with their connection.",
			Basis:  []string{"basic/patterns/subscriptions#graceful-closure"}, Requirements: []string{"subscriptions.no-state-after-reconnect"},
			Judge: modern(judgeElsewhere),
		},
		{
			ID: "subscriptions/changes-announced", Claim: "A change of a list is announced where listChanged is declared.", Level: Should,
			Why:    "Clients keep the old list: new tools stay unseen, and calls to old ones fail.",
			Remedy: "Send list_changed when the list changes, or do not declare listChanged.",
			Basis:  []string{"server/tools#list-changed-notification", "server/resources#list-changed-notification", "server/prompts#list-changed-notification"},
			Requirements: []string{
				"tools.list.changed-notification", "resources.list.changed-notification", "prompts.list.changed-notification",
			},
			Judge: judgeChangesAnnounced,
		},
		{
			ID: "subscriptions/undeclared-changes", Claim: "Changes of a list are announced only where listChanged is declared.", Level: Note,
			Why:    "Clients that read the capabilities do not listen for it.",
			Remedy: "Declare listChanged for each list whose changes you announce.",
			Basis:  []string{"server/tools#capabilities"}, Requirements: []string{"tools.list.changed-undeclared"},
			Judge: judgeUndeclaredChanges,
		},
	}
}
