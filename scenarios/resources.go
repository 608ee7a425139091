package scenarios

// resources asks for what a server lists as resources, and for what it does not.
func resources() Scenario {
	return Scenario{
		ID: "resources", Title: "Resources", Needs: needsResources, Waits: true,
		Summary: "Reads some of the listed resources, asks for ones that do not exist, with odd uris and with paths that climb out, and subscribes to changes.",
		Drive:   driveResources,
		Checks:  append(append(resourceListChecks(), resourceReadChecks()...), resourceUpdateChecks()...),
	}
}

func needsResources(f *Facts) string {
	if !f.Capability("resources").Exists() {
		return "the server declares no resources"
	}
	return ""
}

// resourceListChecks are the checks on what is listed.
func resourceListChecks() []Check {
	return []Check{
		{
			ID: "resources/uri-shape", Claim: "The uri of a listed resource is a URI: a scheme, and only the characters of RFC 3986.", Level: Must,
			Why:    "Clients parse uris before they ask for them; one that is none is refused on the client's side and never read.",
			Remedy: "Begin each uri with a scheme and percent-encode everything that RFC 3986 does not allow, blanks and letters beyond ASCII among them.",
			Basis:  []string{"schema#resource", "server/resources#custom-uri-schemes"}, Requirements: []string{"resources.def.uri", "resources.def.custom-scheme"},
			Judge: judgeResourceURI,
		},
		{
			ID: "resources/https-fetchable", Claim: "Resources with an https uri are such that a client can fetch them itself.", Level: Note,
			Why:    "Clients may go to the web for them instead of asking the server; a host that only the server can reach gives them nothing.",
			Remedy: "Use a scheme of your own for what has to be read through the server.",
			Basis:  []string{"server/resources#https"}, Requirements: []string{"resources.def.https-scheme"},
			Judge: judgeHTTPS,
		},
		{
			ID: "resources/templates-answered", Claim: "resources/templates/list is answered, or is an unknown method.", Level: Note,
			Why:    "Clients ask for templates wherever resources are declared.",
			Remedy: "Answer with an empty list when there are no templates.",
			Basis:  []string{"server/resources#resource-templates"}, Requirements: []string{"resources.templates.answered"},
			Judge: judgeTemplatesAnswered,
		},
		{
			ID: "resources/templates-rfc6570", Claim: "Every uriTemplate is a template of RFC 6570.", Level: Should,
			Why:    "A client that cannot expand a template cannot offer what lies behind it.",
			Remedy: "Close every brace and use letters, digits, underscores and dots alone in the names of variables.",
			Basis:  []string{"schema#resourcetemplate"}, Requirements: []string{"resources.templates.rfc6570"},
			Judge: judgeTemplates,
		},
	}
}

// resourceReadChecks are the checks on what is read, and on what cannot be.
func resourceReadChecks() []Check {
	return []Check{
		{
			ID: "resources/listed-readable", Claim: "A listed resource can be read.", Level: Should,
			Why:    "A person picks it from a menu and gets an error.",
			Remedy: "List only what resources/read serves under the same uri.",
			Basis:  []string{"server/resources#reading-resources"}, Requirements: []string{"resources.read.listed-readable"},
			Judge: judgeListedReadable,
		},
		{
			ID: "resources/text-is-text", Claim: "The text of a resource is text, without NUL and without the marks of bytes that could not be decoded.", Level: Should,
			Why:    "Binary data read as text arrives broken, and nobody can restore it.",
			Remedy: "Send binary data as blob, in base64.",
			Basis:  []string{"schema#textresourcecontents"}, Requirements: []string{"resources.read.text-only-for-text"},
			Judge: judgeTextIsText,
		},
		{
			ID: "resources/uri-echo", Claim: "What is read comes under the uri that was asked for, or one below it.", Level: Note,
			Why:    "Clients file contents under their uri; under another one they are not found again.",
			Remedy: "Copy the uri of the request into the contents.",
			Basis:  []string{"server/resources#reading-resources"}, Requirements: []string{"resources.read.uri-echo"},
			Judge: judgeURIEcho,
		},
		{
			ID: "resources/caching-hints", Claim: "The result of resources/read carries ttlMs and cacheScope.", Level: Must,
			Why:    "Clients of 2026-07-28 refuse the answer, or cannot tell how long it may be kept.",
			Remedy: "Add ttlMs (0 for never) and cacheScope to every result of resources/read.",
			Basis:  []string{"server/utilities/caching#cacheable-results"}, Requirements: []string{"caching.hints-resources-read"},
			Judge: modern(judgeReadHints),
		},
		{
			ID: "resources/not-found", Claim: "Reading what does not exist is refused with -32602, never answered with empty contents.", Level: Must,
			Why:    "A model that gets empty contents takes the resource for an empty one.",
			Remedy: "Answer unknown uris with JSON-RPC error -32602.",
			Basis:  []string{"server/resources#error-handling"}, Requirements: []string{"resources.not-found-32602", "resources.not-found-is-error"},
			Judge: modern(judgeNotFound),
		},
		{
			ID: "resources/not-found-code", Claim: "Reading what does not exist is refused with -32002, or with -32602 as today's SDKs do.", Level: Note,
			Why:    "Clients tell a missing resource from a broken server by the code.",
			Remedy: "Answer unknown uris with JSON-RPC error -32002.",
			Basis:  []string{"server/resources#error-handling"}, Requirements: []string{"resources.not-found-32002"},
			Judge: legacy(judgeNotFoundCode),
		},
		{
			ID: "resources/not-found-names-uri", Claim: "The error about a missing resource names its uri in data.", Level: Note,
			Why:    "With several reads under way, a log without the uri says little.",
			Remedy: "Add data: {uri} to the error.",
			Basis:  []string{"server/resources#error-handling"}, Requirements: []string{"resources.not-found-data-uri"},
			Judge: judgeNotFoundNames,
		},
		{
			ID: "resources/odd-uris", Claim: "Uris that are none are not served, and the server lives on.", Level: Must,
			Why:    "Uris come from models and from links in texts. A server that falls over one takes the whole session with it.",
			Remedy: "Parse the uri before use and refuse what is none.",
			Basis:  []string{"server/resources#security-considerations"}, Requirements: []string{"resources.uri-validated"},
			Judge: judgeOddURIs,
		},
		{
			ID: "resources/path-traversal", Claim: "No file uri climbs out of what the server offers.", Level: Must,
			Why:    "A uri from a model or a web page reads keys and passwords from the machine of the person.",
			Remedy: "Resolve the path, links included, and check that it still lies below what you serve.",
			Basis:  []string{"server/resources#security-considerations"}, Requirements: []string{"resources.path-traversal"},
			Judge: modern(judgeTraversal),
		},
	}
}

// resourceUpdateChecks are the checks on subscriptions to resources.
func resourceUpdateChecks() []Check {
	return []Check{
		{
			ID: "resources/subscribe", Claim: "With resources.subscribe declared, a listed resource can be subscribed to and unsubscribed from.", Level: Should,
			Why:    "Clients subscribe because the server said that it can; an error shows up in their logs again and again.",
			Remedy: "Answer resources/subscribe and resources/unsubscribe with {}, or do not declare subscribe.",
			Basis:  []string{"server/resources#subscriptions"}, Requirements: []string{"resources.subscribe"},
			Judge: legacy(judgeSubscribe),
		},
		{
			ID: "resources/subscribe-undeclared", Claim: "Without resources.subscribe declared, resources/subscribe is an unknown method.", Level: Note,
			Why:    "An answer that looks like success lets a client wait for updates that never come.",
			Remedy: "Answer with -32601, or declare subscribe.",
			Basis:  []string{"server/resources#capabilities"}, Requirements: []string{"resources.subscribe-undeclared"},
			Judge: legacy(judgeSubscribeUndeclared),
		},
		{
			ID: "resources/updated-only-when-subscribed", Claim: "Updates of a resource go only to those who subscribed to it.", Level: Should,
			Why:    "Each update makes a client read the resource again, wanted or not.",
			Remedy: "Keep the uris that each session subscribed to, and tell no others.",
			Basis:  []string{"schema#resourceupdatednotification"}, Requirements: []string{"resources.updated-only-when-subscribed"},
			Judge: legacy(judgeUpdatedWhenSubscribed),
		},
		{
			ID: "resources/updates-in-scope", Claim: "A subscription gets updates of the resources that it named, or of parts of them, and of no others.", Level: Must,
			Why:    "Clients that share a connection see what others subscribed to.",
			Remedy: "Compare the uri with those of the subscription before you send.",
			Basis:  []string{"schema#resourceupdatednotification"}, Requirements: []string{"subscriptions.resource-scope"},
			Judge: modern(judgeUpdatesInScope),
		},
		{
			ID: "resources/unsubscribe-stops", Claim: "After resources/unsubscribe no more updates come.", Level: Note,
			Why:    "A client that let go of a resource keeps reading it.",
			Remedy: "Forget the uri of the session when it unsubscribes.",
			Basis:  []string{"schema#unsubscriberequest"}, Requirements: []string{"resources.unsubscribe-stops"},
			Judge: legacy(judgeUnsubscribeStops),
		},
	}
}
