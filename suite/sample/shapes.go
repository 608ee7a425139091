package sample

import (
	"cmp"
	"net/http"
	"time"
)

// Shape is a variant that a right server may have.
type Shape struct {
	// Name is what Options.Shape takes.
	Name string
	// What is one sentence about the variant.
	What string
	// Declares are ids of checks that rightly find something in it all the same;
	// a star stands for any text.
	Declares []string
	// Transports are where it can be seen: [Stdio], [HTTP] or both.
	Transports []string
	// Eras are what it speaks: [Legacy], [Modern] or both.
	Eras []string
	// Header opens a shape that wants one on every HTTP request, "Name: value"; "" for none.
	Header string
	form   func(b *behaviour, opts Options)
}

// Shapes lists the variants. Every one keeps the protocol.
func Shapes() []Shape {
	all := []Shape{
		{
			Name: "unknown-tool-as-error", What: "An unknown tool is refused with JSON-RPC error -32602, as the specification shows it.",
			Declares: ids("unknown-tool/wording"),
			form: func(b *behaviour, _ Options) {
				b.calls.unknown = func(_ *exchange, name string) (object, *failure) {
					return nil, fail(codeInvalidParams, "Unknown "+serverName+" tool: "+quoted(bounded(name, maxEcho)))
				}
			},
		},
		{
			Name: "json-only", What: "HTTP answers are always JSON; progress and questions have no way to the client.", Transports: only(HTTP),
			Declares: ids("progress/*"),
			form:     func(b *behaviour, _ Options) { b.http.answersAs = answersJSON },
		},
		{
			Name: "sse-only", What: "HTTP answers are always streams.", Transports: only(HTTP),
			form: func(b *behaviour, _ Options) { b.http.answersAs = answersSSE },
		},
		{
			Name: "stateless", What: "Handshake revisions over HTTP work without sessions; nobody is asked.", Transports: only(HTTP),
			form: func(b *behaviour, _ Options) {
				b.http.newID = nil
				b.http.get = func(_ *web, rw http.ResponseWriter, _ *http.Request) { notAllowed(rw) }
				b.capabilities = func(x *exchange) object {
					c := rightCapabilities(x)
					if !x.modern { // without a session there is nobody to remember a subscription or a level for
						c["resources"] = object{"listChanged": false, "subscribe": false}
						delete(c, "logging")
					}
					return c
				}
			},
		},
		{
			Name: "protected", What: "Every HTTP request wants a token, and the server says where to get one.", Transports: only(HTTP),
			Header: "Authorization: Bearer " + Token,
			form:   func(b *behaviour, _ Options) { protect(b) },
		},
		{
			Name: "tools-only", What: "The server has tools and nothing else.",
			form: func(b *behaviour, _ Options) {
				b.capabilities = func(*exchange) object { return object{"tools": object{}} }
			},
		},
		{
			Name: "no-tools", What: "The server has everything but tools.",
			form: func(b *behaviour, _ Options) {
				all := b.capabilities
				b.capabilities = func(x *exchange) object {
					c := all(x)
					delete(c, "tools")
					return c
				}
			},
		},
		{
			Name: "no-capabilities", What: "The server declares nothing at all.",
			form: func(b *behaviour, _ Options) {
				b.capabilities = func(*exchange) object { return object{} }
			},
		},
		{
			Name: "modern-only", What: "The server speaks 2026-07-28 alone and refuses initialize by naming it.", Eras: only(Modern),
			form: func(b *behaviour, _ Options) { b.revisions = nil },
		},
		{
			Name: "legacy-only", What: "The server speaks the handshake revisions alone.", Eras: only(Legacy),
			form: func(b *behaviour, _ Options) { b.modern = false },
		},
		{
			Name: "2025-11-25-only", What: "The server speaks 2025-11-25 alone.", Eras: only(Legacy),
			form: func(b *behaviour, _ Options) { b.modern, b.revisions = false, []string{"2025-11-25"} },
		},
		{
			Name: "2025-03-26-only", What: "The server speaks 2025-03-26 alone, with its batches.", Eras: only(Legacy),
			form: func(b *behaviour, _ Options) { b.modern, b.revisions = false, []string{"2025-03-26"} },
		},
		{
			Name: "paged", What: "The tools come on pages of four.", Declares: ids("host-*"),
			form: func(b *behaviour, _ Options) { b.listing.pageSize = 4 },
		},
		{
			Name: "paged-by-one", What: "Each tool and each resource comes on a page of its own.", Declares: ids("host-*"),
			form: func(b *behaviour, _ Options) { b.listing.pageSize, b.listing.resourcePage = 1, 1 },
		},
		{
			Name: "slow", What: "Every answer takes 400 ms, or the delay of the options.",
			form: func(b *behaviour, opts Options) {
				d := orElse(opts.Delay, 400*time.Millisecond)
				b.delay = func(*exchange) time.Duration { return d }
			},
		},
		{
			Name: "slow-start", What: "The process takes 4 seconds, or the delay of the options, before it reads or listens.",
			form: func(b *behaviour, opts Options) { b.process.StartDelay = orElse(opts.Delay, 4*time.Second) },
		},
		{
			Name: "requires-elicitation", What: "Tools that ask refuse clients that show no forms: with -32021 in 2026-07-28, with isError before.",
			Declares: ids("elicitation/carries-on-without", "input-examples/usable"),
			form:     func(b *behaviour, _ Options) { b.asking.without = demandForm },
		},
		{
			Name: "asks-by-page", What: "Tools that ask send a person to a web page where the client can open one.",
			form: func(b *behaviour, _ Options) { askByPage(b) },
		},
		{
			Name: "demands-page", What: "Tools that ask answer -32042 with the page to open, to clients of 2025-11-25 that can open one.", Eras: only(Legacy),
			Declares: ids("elicitation/*"),
			form:     func(b *behaviour, _ Options) { demandPage(b) },
		},
		{
			Name: "asks-roots", What: "text_echo asks clients that declare roots for them, and goes on whatever they answer.",
			form: func(b *behaviour, _ Options) { askRoots(b) },
		},
		{
			Name: "samples", What: "word_lookup asks the model of clients that declare sampling, and goes on whatever it answers.",
			form: func(b *behaviour, _ Options) { samples(b, rightSampling()) },
		},
		{
			Name: "tasks", What: "Some tools run as tasks, and one runs as nothing else.",
			Declares: ids("parity/listing-across-revisions"), // older revisions have no tasks, and so not that tool
			form:     func(b *behaviour, _ Options) { offerTasks(b) },
		},
		{
			Name: "talkative", What: "Whatever notification may come unasked comes between the answers.",
			form: func(b *behaviour, _ Options) { b.afterwards = append(b.afterwards, chatter) },
		},
		{
			Name: "out-of-order", What: "Every second answer is held back, so that later requests are answered first.",
			form: func(b *behaviour, _ Options) {
				b.delay = func(x *exchange) time.Duration {
					return time.Duration(x.arrival%2) * 30 * time.Millisecond
				}
			},
		},
		{
			Name: "reordered", What: "The members of all objects stand in another order.",
			form: func(b *behaviour, _ Options) { b.order = reverseOrder },
		},
		{
			Name: "extra-members", What: "Results, tools and content have members that the protocol leaves open.",
			form: func(b *behaviour, _ Options) { addMembers(b) },
		},
		{
			Name: "big", What: "The server has 300 tools more, or the number of the options.", Declares: ids("host-*"),
			form: func(b *behaviour, opts Options) { b.tools = append(b.tools, manyTools(cmp.Or(opts.Tools, 300))...) },
		},
		{
			Name: "unicode", What: "Titles, descriptions and texts are in many scripts.",
			form: func(b *behaviour, _ Options) { manyScripts(b) },
		},
	}
	for i := range all {
		if all[i].Transports == nil {
			all[i].Transports = []string{Stdio, HTTP}
		}
		if all[i].Eras == nil {
			all[i].Eras = []string{Legacy, Modern}
		}
	}
	return all
}

func shapeNamed(name string) (Shape, bool) {
	for _, s := range Shapes() {
		if s.Name == name {
			return s, true
		}
	}
	return Shape{}, false
}

func orElse(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// protect wants a token on every request.
func protect(b *behaviour) { b.http.authorize, b.http.metadata = wantToken, wellKnown }

// demandForm refuses a call that cannot do without its question.
func demandForm(c *call, _ question) (reply, error) {
	if !c.modern {
		return reply{}, &failedCall{"the client shows no forms"}
	}
	f := fail(codeMissingCapability, "This tool has to ask: the client must show forms").
		with(object{"requiredCapabilities": object{"elicitation": object{"form": object{}}}})
	f.status = http.StatusBadRequest
	return reply{}, f
}

// failedCall is what a tool throws.
type failedCall struct{ says string }

func (e *failedCall) Error() string { return e.says }

// chatter sends what a server may send at any time after the handshake.
func chatter(x *exchange) {
	revision, _, _ := x.ses.view()
	if x.modern || revision == "" || x.method == "initialize" {
		x.srv.announce("notifications/tools/list_changed", object{}, "toolsListChanged", "")
		return
	}
	for _, method := range []string{"notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed"} {
		x.ses.push(object{"jsonrpc": "2.0", "method": method})
	}
}

func addMembers(b *behaviour) {
	editResult(b, "", func(_ *exchange, r object) {
		r["com.example/extra"] = object{"note": "open objects may hold more"}
		for _, block := range asList(r["content"]) {
			asObject(block)["x-note"] = 1
		}
	})
	b.listing.tools = append(b.listing.tools, func(_ *exchange, entries list) list {
		for _, e := range entries {
			asObject(e)["x-note"] = "extra"
			asObject(asObject(e)["_meta"])["com.example/note"] = "extra"
			asObject(asObject(e)["annotations"])["x-note"] = "extra"
		}
		return entries
	})
}

func manyScripts(b *behaviour) {
	words := []string{"Größe", "Ελληνικά", "Кириллица", "日本語", "한국어", "ไทย", "हिन्दी", "עברית", "العربية", "Zażółć 🍵"}
	for i, t := range b.tools {
		t.title += " · " + words[i%len(words)]
		t.description += " " + words[i%len(words)] + "."
	}
	editCall(b, "text_slug", func(_ *exchange, r object) {
		firstText(r)["text"] = asString(firstText(r)["text"]) + "-größe-日本語-🍵"
	})
}
