package scenarios

import (
	"fmt"
	"testing"
)

// exchanged writes a request and its answer for a hand-written tape.
func exchanged(label string, id int, method, params, answer string) []string {
	return []string{
		fmt.Sprintf(`> %s {"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, label, id, method, params),
		fmt.Sprintf(`< {"jsonrpc":"2.0","id":%d,%s}`, id, answer),
	}
}

func joined(parts ...[]string) []string {
	var out []string
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// judged is one case of a table of judges.
type judged struct {
	name  string
	judge func(*Evidence) Ruling
	lines []string
	// want is "pass", "fault", "na" or "unseen".
	want string
	// revision and transport default to 2025-11-25 and stdio, opened to no capabilities.
	revision, transport, opened string
	facts                       func(*Facts)
}

func rulingWord(r Ruling) string {
	switch {
	case r.NA != "":
		return "na"
	case len(r.Faults) > 0:
		return "fault"
	case r.Seen == 0:
		return "unseen"
	}
	return "pass"
}

func runJudged(t *testing.T, scenario string, tests []judged) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := &Facts{Opened: []byte(`{"capabilities":` + orEmpty(tt.opened) + `}`), Run: &RunFacts{Seed: 1}}
			cell := Cell{Scenario: scenario, Revision: tt.revision, Transport: tt.transport}
			if cell.Revision == "" {
				cell.Revision = "2025-11-25"
			}
			f.Revision, f.Transport = cell.Revision, cell.Transport
			if tt.facts != nil {
				tt.facts(f)
			}
			r := tt.judge(tapeOf(t, cell, f, tt.lines...))
			if got := rulingWord(r); got != tt.want {
				t.Errorf("got %s, want %s: %+v", got, tt.want, r)
			}
			for _, fault := range r.Faults {
				if fault.Subject == "" || fault.Expected == "" || fault.Observed == "" || len(fault.Proof) == 0 {
					t.Errorf("the fault does not say it all: %+v", fault)
				}
			}
		})
	}
}

func orEmpty(raw string) string {
	if raw == "" {
		return `{}`
	}
	return raw
}

const modernRevision = "2026-07-28"

func TestResourceLists(t *testing.T) {
	t.Parallel()
	list := func(entries string) []string {
		return exchanged("list:resources/list", 1, "resources/list", `{}`, `"result":{"resources":[`+entries+`]}`)
	}
	templates := func(entries string) []string {
		return exchanged("list:resources/templates/list", 1, "resources/templates/list", `{}`, `"result":{"resourceTemplates":[`+entries+`]}`)
	}
	runJudged(t, "resources", []judged{
		{name: "custom scheme", judge: judgeResourceURI, lines: list(`{"uri":"sample://tea/%20menu?x=1#y","name":"a"}`), want: "pass"},
		{name: "urn", judge: judgeResourceURI, lines: list(`{"uri":"urn:isbn:0451450523","name":"a"}`), want: "pass"},
		{name: "no scheme", judge: judgeResourceURI, lines: list(`{"uri":"tea/menu","name":"a"}`), want: "fault"},
		{name: "a blank", judge: judgeResourceURI, lines: list(`{"uri":"file:///My Documents","name":"a"}`), want: "fault"},
		{name: "a lone percent sign", judge: judgeResourceURI, lines: list(`{"uri":"file:///100%","name":"a"}`), want: "fault"},
		{name: "nothing listed", judge: judgeResourceURI, lines: list(``), want: "na"},
		{name: "web address", judge: judgeHTTPS, lines: list(`{"uri":"https://example.com/a","name":"a"}`), want: "unseen"},
		{name: "local web address", judge: judgeHTTPS, lines: list(`{"uri":"http://localhost:3000/a","name":"a"}`), want: "fault"},
		{name: "private web address", judge: judgeHTTPS, lines: list(`{"uri":"https://10.1.2.3/a","name":"a"}`), want: "fault"},
		{name: "no web address", judge: judgeHTTPS, lines: list(`{"uri":"file:///a","name":"a"}`), want: "na"},
		{name: "templates listed", judge: judgeTemplatesAnswered, lines: templates(``), want: "pass"},
		{name: "templates unknown", judge: judgeTemplatesAnswered, lines: exchanged("list:resources/templates/list", 1, "resources/templates/list", `{}`, `"error":{"code":-32601,"message":"no"}`), want: "pass"},
		{name: "templates broken", judge: judgeTemplatesAnswered, lines: exchanged("list:resources/templates/list", 1, "resources/templates/list", `{}`, `"error":{"code":-32603,"message":"boom"}`), want: "fault"},
		{name: "template", judge: judgeTemplates, lines: templates(`{"uriTemplate":"a://{x}/{+path}{?q*}","name":"a"}`), want: "pass"},
		{name: "open brace", judge: judgeTemplates, lines: templates(`{"uriTemplate":"a://{x","name":"a"}`), want: "fault"},
		{name: "hyphen in a variable", judge: judgeTemplates, lines: templates(`{"uriTemplate":"a://{user-id}","name":"a"}`), want: "fault"},
	})
}

func TestResourceReads(t *testing.T) {
	t.Parallel()
	read := func(answer string) []string {
		return exchanged("read:1", 1, "resources/read", `{"uri":"a://dir/x"}`, answer)
	}
	text := func(text string) []string {
		return read(`"result":{"contents":[{"uri":"a://dir/x","text":"` + text + `"}]}`)
	}
	runJudged(t, "resources", []judged{
		{name: "readable", judge: judgeListedReadable, lines: text("hi"), want: "pass"},
		{name: "unreadable", judge: judgeListedReadable, lines: read(`"error":{"code":-32603,"message":"EACCES"}`), want: "fault"},
		{name: "without a network", judge: judgeListedReadable, lines: read(`"error":{"code":-32603,"message":"getaddrinfo ENOTFOUND api.example.com"}`), want: "unseen"},
		{name: "silent", judge: judgeListedReadable, lines: []string{read("")[0], "! read:1 silent nothing came"}, want: "fault"},
		{name: "nothing listed", judge: judgeListedReadable, lines: exchanged("list:resources/list", 2, "resources/list", `{}`, `"result":{"resources":[]}`), want: "na"},
		{name: "text", judge: judgeTextIsText, lines: text("hi \uFFFD there"), want: "pass"},
		{name: "NUL", judge: judgeTextIsText, lines: text(`a\u0000b`), want: "fault"},
		{name: "broken bytes", judge: judgeTextIsText, lines: text(`\ufffdPNG\ufffd\ufffd\ufffd`), want: "fault"},
		{name: "binary", judge: judgeTextIsText, lines: read(`"result":{"contents":[{"uri":"a://dir/x","blob":"AA=="}]}`), want: "na"},
		{name: "same uri", judge: judgeURIEcho, lines: text("hi"), want: "pass"},
		{name: "below", judge: judgeURIEcho, lines: read(`"result":{"contents":[{"uri":"a://dir/x/one","text":""},{"uri":"a://dir/x","text":""}]}`), want: "pass"},
		{name: "escaped", judge: judgeURIEcho, lines: read(`"result":{"contents":[{"uri":"a://dir/%78","text":""}]}`), want: "pass"},
		{name: "beside", judge: judgeURIEcho, lines: read(`"result":{"contents":[{"uri":"a://dir/xy","text":""}]}`), want: "fault"},
		{name: "hints", judge: modern(judgeReadHints), revision: modernRevision, lines: read(`"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","contents":[]}`), want: "pass"},
		{name: "no hints", judge: modern(judgeReadHints), revision: modernRevision, lines: read(`"result":{"resultType":"complete","ttlMs":0,"contents":[]}`), want: "fault"},
		{name: "no hints before", judge: modern(judgeReadHints), lines: text("hi"), want: "na"},
	})
}

func TestResourcesMissing(t *testing.T) {
	t.Parallel()
	ask := func(label, answer string) []string {
		return exchanged(label, 1, "resources/read", `{"uri":"zz-conform-no-such-scheme://none"}`, answer)
	}
	const (
		missing = "missing:unknown-scheme"
		listed  = "missing:listed-scheme"
	)
	real := `"result":{"contents":[{"uri":"a://x","text":"real words"}]}`
	failed := exchanged("read:1", 9, "resources/read", `{"uri":"a://x"}`, `"error":{"code":-32603,"message":"no browser"}`)
	climb := func(control, climbed string) []string {
		return joined(exchanged("climb-control", 1, "resources/read", `{"uri":"file:///etc/hostname"}`, control), exchanged("climb:plain", 2, "resources/read", `{"uri":"file:///a/../../etc/hostname"}`, climbed))
	}
	refused := `"error":{"code":-32602,"message":"no"}`
	runJudged(t, "resources", []judged{
		{name: "refused", judge: modern(judgeNotFound), revision: modernRevision, lines: ask(missing, refused), want: "pass"},
		{name: "old code", judge: modern(judgeNotFound), revision: modernRevision, lines: ask(missing, `"error":{"code":-32002,"message":"no"}`), want: "fault"},
		{name: "empty", judge: modern(judgeNotFound), revision: modernRevision, lines: ask(listed, `"result":{"contents":[]}`), want: "fault"},
		{name: "said in the contents", judge: modern(judgeNotFound), revision: modernRevision, lines: ask(listed, `"result":{"contents":[{"uri":"a:b","text":"Resource not found"}]}`), want: "fault"},
		{name: "served though unlisted", judge: modern(judgeNotFound), revision: modernRevision, lines: ask(listed, real), want: "pass"},
		{name: "served whatever it is", judge: modern(judgeNotFound), revision: modernRevision, lines: ask(missing, real), want: "fault"},
		{name: "all reads fail", judge: modern(judgeNotFound), revision: modernRevision, lines: joined(ask(missing, `"error":{"code":-32603,"message":"no browser"}`), failed), want: "unseen"},
		{name: "templates for everything", judge: modern(judgeNotFound), revision: modernRevision, want: "na"},
		{name: "2025 code", judge: legacy(judgeNotFoundCode), lines: ask(missing, `"error":{"code":-32002,"message":"no"}`), want: "pass"},
		{name: "2025 newer code", judge: legacy(judgeNotFoundCode), lines: ask(missing, refused), want: "pass"},
		{name: "2025 internal error", judge: legacy(judgeNotFoundCode), lines: ask(missing, `"error":{"code":-32603,"message":"no"}`), want: "fault"},
		{name: "2025 empty", judge: legacy(judgeNotFoundCode), lines: ask(missing, `"result":{"contents":[]}`), want: "fault"},
		{name: "names the uri", judge: judgeNotFoundNames, lines: ask(missing, `"error":{"code":-32002,"message":"no","data":{"uri":"zz-conform-no-such-scheme://none"}}`), want: "pass"},
		{name: "names nothing", judge: judgeNotFoundNames, lines: ask(missing, refused), want: "fault"},
		{name: "odd refused", judge: judgeOddURIs, lines: ask("odd:words", refused), want: "pass"},
		{name: "odd empty contents", judge: judgeOddURIs, lines: ask("odd:words", `"result":{"contents":[]}`), want: "pass"},
		{name: "odd served", judge: judgeOddURIs, lines: ask("odd:words", real), want: "fault"},
		{name: "odd tried in the newer era", judge: judgeOddURIs, want: "na", facts: func(f *Facts) {
			f.Transport, f.Run.Offered = "stdio", map[string][]string{"stdio": {modernRevision, "2025-11-25"}}
		}},
		{name: "odd kills", judge: judgeOddURIs, lines: []string{ask("odd:nul", "")[0], "! odd:nul dead the server ended", "= exit status 1"}, want: "fault"},
		{name: "climbs", judge: modern(judgeTraversal), revision: modernRevision, lines: climb(refused, real), want: "fault"},
		{name: "does not climb", judge: modern(judgeTraversal), revision: modernRevision, lines: climb(refused, refused), want: "pass"},
		{name: "reads the whole machine", judge: modern(judgeTraversal), revision: modernRevision, lines: climb(real, real), want: "pass"},
		{name: "has anything", judge: modern(judgeTraversal), revision: modernRevision, lines: joined(climb(refused, real), exchanged(listed, 3, "resources/read", `{"uri":"file:///zz"}`, real)), want: "unseen"},
		{name: "no file uri", judge: modern(judgeTraversal), revision: modernRevision, want: "na"},
	})
}

func TestResourceUpdates(t *testing.T) {
	t.Parallel()
	const declared = `{"resources":{"subscribe":true}}`
	sub := exchanged("subscribe:1", 1, "resources/subscribe", `{"uri":"a://x"}`, `"result":{}`)
	unsub := exchanged("unsubscribe:1", 2, "resources/unsubscribe", `{"uri":"a://x"}`, `"result":{}`)
	updated := func(uri string) []string {
		return []string{`< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"` + uri + `"}}`}
	}
	later := []string{"@ 3000"}
	after := []string{"! after done called again"}
	listen := []string{`> listen {"jsonrpc":"2.0","id":"L","method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["a://x"]}}}`}
	tagged := func(uri string) []string {
		return []string{`< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"` + uri + `","_meta":{"io.modelcontextprotocol/subscriptionId":"L"}}}`}
	}
	list := exchanged("list:resources/list", 7, "resources/list", `{}`, `"result":{"resources":[{"uri":"a://x","name":"x"},{"uri":"a://y","name":"y"}]}`)
	runJudged(t, "resources", []judged{
		{name: "subscribed", judge: judgeSubscribe, opened: declared, lines: joined(sub, unsub), want: "pass"},
		{name: "refused", judge: judgeSubscribe, opened: declared, lines: exchanged("subscribe:1", 1, "resources/subscribe", `{"uri":"a://x"}`, `"error":{"code":-32601,"message":"no"}`), want: "fault"},
		{name: "nothing to subscribe to", judge: judgeSubscribe, opened: declared, want: "unseen"},
		{name: "undeclared", judge: judgeSubscribeUndeclared, opened: `{"resources":{}}`, lines: exchanged("undeclared:subscribe", 1, "resources/subscribe", `{"uri":"a://x"}`, `"error":{"code":-32601,"message":"no"}`), want: "pass"},
		{name: "undeclared and served", judge: judgeSubscribeUndeclared, opened: `{"resources":{}}`, lines: exchanged("undeclared:subscribe", 1, "resources/subscribe", `{"uri":"a://x"}`, `"result":{}`), want: "fault"},
		{name: "update of what is subscribed", judge: judgeUpdatedWhenSubscribed, opened: declared, lines: joined(sub, updated("a://x")), want: "pass"},
		{name: "update of a part", judge: judgeUpdatedWhenSubscribed, opened: declared, lines: joined(sub, updated("a://x/part")), want: "pass"},
		{name: "update of something else", judge: judgeUpdatedWhenSubscribed, opened: declared, lines: joined(sub, updated("a://y")), want: "fault"},
		{name: "update on its way", judge: judgeUpdatedWhenSubscribed, opened: declared, lines: joined(sub, unsub, updated("a://x")), want: "pass"},
		{name: "update long after", judge: judgeUpdatedWhenSubscribed, opened: declared, lines: joined(sub, unsub, later, updated("a://x")), want: "fault"},
		{name: "no update", judge: judgeUpdatedWhenSubscribed, opened: declared, lines: sub, want: "unseen"},
		{name: "no update and none declared", judge: judgeUpdatedWhenSubscribed, opened: `{"resources":{}}`, want: "na"},
		{name: "stops", judge: judgeUnsubscribeStops, opened: declared, lines: joined(sub, updated("a://x"), unsub, later, after), want: "pass"},
		{name: "goes on", judge: judgeUnsubscribeStops, opened: declared, lines: joined(sub, unsub, later, updated("a://x"), after), want: "fault"},
		{name: "never changed", judge: judgeUnsubscribeStops, opened: declared, lines: joined(sub, unsub), want: "unseen"},
		{name: "in scope", judge: modern(judgeUpdatesInScope), revision: modernRevision, opened: declared, lines: joined(list, listen, tagged("a://x")), want: "pass"},
		{name: "out of scope", judge: modern(judgeUpdatesInScope), revision: modernRevision, opened: declared, lines: joined(list, listen, tagged("a://y")), want: "fault"},
		{name: "perhaps a part", judge: modern(judgeUpdatesInScope), revision: modernRevision, opened: declared, lines: joined(list, listen, tagged("a://other")), want: "pass"},
	})
}

func TestMissingURIs(t *testing.T) {
	t.Parallel()
	labels := func(ps []uriProbe) string {
		s := ""
		for _, p := range ps {
			s += p.label + "=" + p.uri + " "
		}
		return s
	}
	tests := []struct {
		name            string
		uris, templates []string
		want            string
	}{
		{"listed scheme", []string{"sample://tea"}, nil, "missing:listed-scheme=sample://zz-conform-no-such/none/nothing.txt missing:unknown-scheme=zz-conform-no-such-scheme://none/nothing.txt "},
		{"file", []string{"file:///a"}, nil, "missing:listed-scheme=file:///zz-conform-no-such/none/nothing.txt missing:unknown-scheme=zz-conform-no-such-scheme://none/nothing.txt "},
		{"reached by a template", []string{"sample://tea"}, []string{"sample://{x}"}, "missing:unknown-scheme=zz-conform-no-such-scheme://none/nothing.txt "},
		{"a template beside it", []string{"sample://tea"}, []string{"sample://tea/{x}"}, "missing:listed-scheme=sample://zz-conform-no-such/none/nothing.txt missing:unknown-scheme=zz-conform-no-such-scheme://none/nothing.txt "},
		{"a template for everything", nil, []string{"{+uri}"}, ""},
		{"web alone", []string{"https://example.com"}, nil, "missing:unknown-scheme=zz-conform-no-such-scheme://none/nothing.txt "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := labels(missingURIs(tt.uris, tt.templates)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
