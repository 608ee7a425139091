package scenarios

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
	"github.com/agntn/conform/scenarios/message"
)

// ruledAs names what a ruling comes to.
func ruledAs(r Ruling) string {
	switch {
	case len(r.Faults) > 0:
		return "fault"
	case r.NA != "":
		return "na"
	case r.Seen > 0:
		return "pass"
	}
	return "unseen"
}

// eraCase is one hand-written tape and what a judge makes of it.
type eraCase struct {
	name  string
	judge func(*Evidence) Ruling
	lines []string
	want  string
}

func runEraCases(t *testing.T, cell Cell, facts func() *Facts, tests []eraCase) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := tt.judge(tapeOf(t, cell, facts(), tt.lines...))
			if got := ruledAs(r); got != tt.want {
				t.Errorf("got %s, want %s: %+v", got, tt.want, r)
			}
			for _, f := range r.Faults {
				if f.Observed == "" && f.Expected == "" {
					t.Errorf("a fault without words: %+v", f)
				}
			}
		})
	}
}

// askerFacts know one tool that may be called.
func askerFacts() *Facts {
	return &Facts{Tools: []Tool{{Name: "apply", Callable: true, Raw: []byte(`{"name":"apply","inputSchema":{"type":"object","properties":{"target":{"type":"string"}},"required":["target"]},"annotations":{"readOnlyHint":true}}`)}}}
}

const (
	boxForm    = `{"type":"object","properties":{"go":{"type":"boolean"}},"required":["go"]}`
	choiceForm = `{"type":"object","properties":{"how":{"type":"string","enum":["mild","strong"]}},"required":["how"]}`
)

// opened is a handshake by a client with the given capabilities.
func opened(capabilities string) []string {
	return []string{
		`> open/initialize {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":` + capabilities + `}}`,
		`< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`,
	}
}

func callApply(label, id string) string {
	return `> ` + label + ` {"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"apply","arguments":{"target":"a"}}}`
}

func saysText(id, text string) string {
	return `< {"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`
}

func questionForm(id, message, form string) string {
	return `< {"jsonrpc":"2.0","id":` + id + `,"method":"elicitation/create","params":{"mode":"form","message":"` + message + `","requestedSchema":` + form + `}}`
}

func personSays(id, result string) string {
	return `> answer {"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`
}

// heldTalk is a call, its question, the answer and the end.
func heldTalk(label, id, form, answer, end string) []string {
	return []string{callApply(label, id), questionForm("1"+id, "Apply?", form), personSays("1"+id, answer), end}
}

// goodTalks are the three ends of a question, as a right server makes them.
func goodTalks(form, yes, other string) []string {
	return join(opened(`{"elicitation":{}}`),
		heldTalk("accept", "10", form, `{"action":"accept","content":`+yes+`}`, saysText("10", "applied "+gjson.Get(yes, "@values.0").String())),
		heldTalk("accept:again", "11", form, `{"action":"accept","content":`+yes+`}`, saysText("11", "applied "+gjson.Get(yes, "@values.0").String())),
		heldTalk("accept:2", "12", form, `{"action":"accept","content":`+other+`}`, saysText("12", "applied "+gjson.Get(other, "@values.0").String())),
		heldTalk("cancel", "13", form, `{"action":"cancel"}`, saysText("13", "not applied: cancel")),
		heldTalk("decline", "14", form, `{"action":"decline"}`, saysText("14", "not applied: decline")),
	)
}

func join(parts ...[]string) []string {
	var out []string
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func TestElicitationOutcomes(t *testing.T) {
	t.Parallel()
	good := goodTalks(choiceForm, `{"how":"mild"}`, `{"how":"strong"}`)
	box := goodTalks(boxForm, `{"go":true}`, `{"go":false}`)
	misfit := func(end ...string) []string {
		return join(good, []string{callApply("misfit:type", "30"), questionForm("130", "Apply?", choiceForm), personSays("130", `{"action":"accept","content":{"how":7}}`)}, end)
	}
	again := []string{questionForm("131", "Apply?", choiceForm), personSays("131", `{"action":"accept","content":{"how":"mild"}}`), saysText("30", "applied mild")}
	loop := []string{callApply("cancel", "20")}
	for _, id := range []string{"120", "121", "122"} {
		loop = append(loop, questionForm(id, "Apply?", choiceForm), personSays(id, `{"action":"cancel"}`))
	}
	runEraCases(t, Cell{Scenario: "elicitation"}, askerFacts, []eraCase{
		{"a yes", judgeAccepted, good, "pass"},
		{"a yes that never ends", judgeAccepted, []string{callApply("accept", "10"), questionForm("110", "Apply?", choiceForm), personSays("110", `{"action":"accept","content":{"how":"mild"}}`), `! accept silent nothing came`}, "fault"},
		{"a yes that reads like the cancel", judgeAccepted, join(
			heldTalk("accept", "10", choiceForm, `{"action":"accept","content":{"how":"mild"}}`, saysText("10", "not applied: cancel")),
			heldTalk("accept:2", "12", choiceForm, `{"action":"accept","content":{"how":"strong"}}`, saysText("12", "not applied: cancel")), good[len(good)-8:]), "fault"},
		{"a tool that says the same to everything", judgeDecline, join(
			heldTalk("accept", "10", choiceForm, `{"action":"accept","content":{"how":"mild"}}`, saysText("10", "done")),
			heldTalk("accept:2", "12", choiceForm, `{"action":"accept","content":{"how":"strong"}}`, saysText("12", "done")),
			heldTalk("cancel", "13", choiceForm, `{"action":"cancel"}`, saysText("13", "done")),
			heldTalk("decline", "14", choiceForm, `{"action":"decline"}`, saysText("14", "done"))), "pass"},
		{"a decline", judgeDecline, good, "pass"},
		{"a decline like a ticked no", judgeDecline, join(box[:len(box)-4], heldTalk("decline", "14", boxForm, `{"action":"decline"}`, saysText("14", "applied false"))), "pass"},
		{"a decline that counts as a yes", judgeDecline, join(box[:len(box)-4], heldTalk("decline", "14", boxForm, `{"action":"decline"}`, saysText("14", "applied true"))), "fault"},
		{"a decline that takes the default", judgeDecline, join(good[:len(good)-4], heldTalk("decline", "14", choiceForm, `{"action":"decline"}`, saysText("14", "applied mild")),
			[]string{callApply("without", "40"), saysText("40", "applied mild")}), "pass"},
		{"a decline that hangs", judgeDecline, join(good[:len(good)-1], []string{`! decline silent nothing came`}), "fault"},
		{"a decline that breaks", judgeDecline, join(good[:len(good)-1], []string{`< {"jsonrpc":"2.0","id":14,"error":{"code":-32603,"message":"boom"}}`}), "fault"},
		{"a cancel", judgeCancel, good, "pass"},
		{"one more question after a cancel", judgePrintMode, join(loop[:5], []string{saysText("20", "not applied")}), "pass"},
		{"a question without end after a cancel", judgePrintMode, loop, "fault"},
		{"a misfit asked again", judgeMisfit, misfit(again...), "pass"},
		{"a misfit refused", judgeMisfit, misfit(`< {"jsonrpc":"2.0","id":30,"error":{"code":-32602,"message":"how must be mild or strong"}}`), "pass"},
		{"a misfit taken for no answer", judgeMisfit, misfit(saysText("30", "not applied: cancel")), "pass"},
		{"a misfit named and left", judgeMisfit, misfit(saysText("30", "That answer cannot be read.")), "pass"},
		{"a misfit acted upon", judgeMisfit, misfit(saysText("30", "applied 7")), "fault"},
		{"a misfit that breaks", judgeMisfit, misfit(`< {"jsonrpc":"2.0","id":30,"error":{"code":-32603,"message":"boom"}}`), "fault"},
		{"the house asks again", judgeAsksAgain, misfit(again...), "pass"},
		{"the house does not refuse", judgeAsksAgain, misfit(`< {"jsonrpc":"2.0","id":30,"error":{"code":-32602,"message":"no"}}`), "fault"},
		{"no content asked again", judgeAcceptEmpty, join(good, []string{callApply("empty", "50"), questionForm("150", "Apply?", choiceForm), personSays("150", `{"action":"accept"}`), questionForm("151", "Apply?", choiceForm), personSays("151", `{"action":"accept","content":{"how":"mild"}}`), saysText("50", "applied mild")}), "pass"},
		{"no content breaks", judgeAcceptEmpty, join(good, heldTalk("empty", "50", choiceForm, `{"action":"accept"}`, `< {"jsonrpc":"2.0","id":50,"error":{"code":-32603,"message":"x"}}`)), "fault"},
		{"a further key", judgeExtra, join(good, heldTalk("extra", "51", choiceForm, `{"action":"accept","content":{"how":"mild","conformExtra":1}}`, saysText("51", "applied mild"))), "pass"},
		{"a further key is refused", judgeExtra, join(good, heldTalk("extra", "51", choiceForm, `{"action":"accept","content":{"how":"mild","conformExtra":1}}`, `< {"jsonrpc":"2.0","id":51,"error":{"code":-32602,"message":"no"}}`)), "fault"},
		{"a client that cannot ask", judgeClientError, join(good, []string{callApply("error:internal", "52"), questionForm("152", "Apply?", choiceForm), `> answer {"jsonrpc":"2.0","id":152,"error":{"code":-32603,"message":"x"}}`, saysText("52", "could not ask")}), "pass"},
		{"a client that cannot ask breaks the call", judgeClientError, join(good, []string{callApply("error:internal", "52"), questionForm("152", "Apply?", choiceForm), `> answer {"jsonrpc":"2.0","id":152,"error":{"code":-32603,"message":"x"}}`, `< {"jsonrpc":"2.0","id":52,"error":{"code":-32603,"message":"x"}}`}), "fault"},
		{"nothing was asked", judgeAccepted, []string{callApply("accept", "10"), saysText("10", "done"), `! asking none nothing`}, "unseen"},
		{"no tool asks", judgeAccepted, []string{`> find:apply#1 {"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"apply","arguments":{"target":"a"}}}`, saysText("9", "done"), `! asking none nothing`}, "na"},
	})
}

func TestElicitationAsking(t *testing.T) {
	t.Parallel()
	asked := join(opened(`{"elicitation":{}}`), heldTalk("accept", "10", boxForm, `{"action":"accept","content":{"go":true}}`, saysText("10", "applied")))
	given := func(label string) string { return "! " + label + " cancelled the client cancelled the call" }
	cancelCall := func(label, id string, tail ...string) []string {
		return join([]string{callApply(label, id), questionForm("1"+id, "Apply?", boxForm), `> ` + label + `/cancel {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`}, tail)
	}
	back := func(id string) string {
		return `< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
	}
	runEraCases(t, Cell{Scenario: "elicitation"}, askerFacts, []eraCase{
		{"asked and declared", judgeOnlyIfDeclared, join(asked, []string{callApply("without", "20"), saysText("20", "done without asking")}), "pass"},
		{"asked and not declared", judgeOnlyIfDeclared, join(opened(`{}`), []string{callApply("without", "20"), questionForm("21", "Apply?", boxForm)}), "fault"},
		{"roots asked and not declared", judgeOnlyIfDeclared, join(opened(`{"elicitation":{}}`), []string{`< {"jsonrpc":"2.0","id":5,"method":"roots/list"}`}), "fault"},
		{"roots asked and declared", judgeRootsDeclared, join(opened(`{"roots":{}}`), []string{`< {"jsonrpc":"2.0","id":5,"method":"roots/list"}`}), "pass"},
		{"roots asked of one without", judgeRootsDeclared, join(opened(`{}`), []string{`< {"jsonrpc":"2.0","id":5,"method":"roots/list"}`}), "fault"},
		{"roots asked of one that told of a change", judgeRootsDeclared, join(opened(`{}`), []string{`> changed {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, `< {"jsonrpc":"2.0","id":5,"method":"roots/list"}`}), "pass"},
		{"carries on", judgeCarriesOn, join(asked, []string{callApply("without", "20"), `< {"jsonrpc":"2.0","id":20,"result":{"isError":true,"content":[{"type":"text","text":"needs a form"}]}}`}), "pass"},
		{"hangs without forms", judgeCarriesOn, join(asked, []string{callApply("without", "20"), `! without silent nothing came`}), "fault"},
		{"breaks without forms", judgeCarriesOn, join(asked, []string{callApply("without", "20"), `< {"jsonrpc":"2.0","id":20,"error":{"code":-32601,"message":"Method not found"}}`}), "fault"},
		{"no form for pages", judgeModeSupported, join(asked, []string{callApply("pages-only", "30"), saysText("30", "done")}), "pass"},
		{"a form for pages", judgeModeSupported, join(asked, []string{callApply("pages-only", "30"), questionForm("130", "Apply?", boxForm)}), "fault"},
		{"withdrawn", judgeWithdraws, join(asked, cancelCall("cancel-call:id", "40", back("140")), cancelCall("cancel-call:zero", "0", back("10"))), "pass"},
		{"not withdrawn", judgeWithdraws, join(asked, cancelCall("cancel-call:id", "40", given("cancel-call:id"))), "fault"},
		{"not withdrawn until the run ended", judgeWithdraws, join(asked, cancelCall("cancel-call:id", "40", "! cancel-call:id interrupted the run ended")), "unseen"},
		{"not withdrawn for id 0", judgeWithdraws, join(asked, cancelCall("cancel-call:id", "40", back("140")), cancelCall("cancel-call:zero", "0", given("cancel-call:zero"))), "fault"},
		{"lives after a late answer", judgeLateAnswer, join(asked, []string{`> alive:late {"jsonrpc":"2.0","id":50,"method":"ping"}`, `< {"jsonrpc":"2.0","id":50,"result":{}}`}), "pass"},
		{"dies of a late answer", judgeLateAnswer, join(asked, []string{`> alive:late {"jsonrpc":"2.0","id":50,"method":"ping"}`, `! alive:late dead the server ended`}), "fault"},
		{"open question", judgeUnansweredBlocks, join(asked, []string{`> open:ping {"jsonrpc":"2.0","id":60,"method":"ping"}`, `< {"jsonrpc":"2.0","id":60,"result":{}}`}), "pass"},
		{"open question blocks", judgeUnansweredBlocks, join(asked, []string{`> open:ping {"jsonrpc":"2.0","id":60,"method":"ping"}`, `! open:ping stuck nothing came`}), "fault"},
		{"open question answered after the call", judgeUnansweredBlocks, join(asked, []string{`> open:ping {"jsonrpc":"2.0","id":60,"method":"ping"}`, `> cancel-call:id/cancel {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`, `< {"jsonrpc":"2.0","id":60,"result":{}}`}), "fault"},
		{"patience not tried", judgeSlowPerson, asked, "unseen"},
		{"patience", judgeSlowPerson, join(asked, heldTalk("slow", "70", boxForm, `{"action":"accept","content":{"go":true}}`, saysText("70", "applied"))), "pass"},
		{"given up", judgeSlowPerson, join(asked, []string{callApply("slow", "70"), questionForm("170", "Apply?", boxForm), back("170"), `< {"jsonrpc":"2.0","id":70,"result":{"isError":true,"content":[]}}`}), "fault"},
	})
}

func TestElicitationForms(t *testing.T) {
	t.Parallel()
	shapes := message.New()
	allowed := func(e *Evidence) Ruling { return judgeQuestions(e, shapes, allowedFields()) }
	shape := func(e *Evidence) Ruling { return judgeQuestions(e, shapes, formShape()) }
	each := func(look func(gjson.Result) []Fault) func(*Evidence) Ruling {
		return func(e *Evidence) Ruling { return eachForm(e, look) }
	}
	ask := func(params string) []string {
		return join(opened(`{"elicitation":{"form":{},"url":{}}}`), []string{callApply("accept", "10"), `< {"jsonrpc":"2.0","id":11,"method":"elicitation/create","params":` + params + `}`})
	}
	form := func(properties string) []string {
		return ask(`{"message":"Which?","requestedSchema":{"type":"object","properties":{` + properties + `}}}`)
	}
	page := func(url string) []string {
		return ask(`{"mode":"url","message":"Sign in","elicitationId":"e1","url":"` + url + `"}`)
	}
	https := func(e *Evidence) Ruling { return eachURL(e, notHTTPS) }
	private := func(e *Evidence) Ruling { return eachURL(e, userData) }
	runEraCases(t, Cell{Scenario: "elicitation"}, askerFacts, []eraCase{
		{"flat", allowed, form(`"a":{"type":"string"},"b":{"type":"integer"}`), "pass"},
		{"nested", allowed, form(`"a":{"type":"object","properties":{}}`), "fault"},
		{"a reference", allowed, form(`"a":{"$ref":"#/$defs/A"}`), "fault"},
		{"whole", shape, form(`"a":{"type":"string"}`), "pass"},
		{"no message", shape, ask(`{"requestedSchema":{"type":"object","properties":{}}}`), "fault"},
		{"no form", shape, ask(`{"message":"Which?"}`), "fault"},
		{"a default of another type", shape, form(`"a":{"type":"boolean","default":"yes"}`), "fault"},
		{"required is there", each(unknownRequired), ask(`{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}`), "pass"},
		{"required is not there", each(unknownRequired), ask(`{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}}`), "fault"},
		{"a limit of tokens is no secret", each(secretFields), form(`"token_limit":{"type":"integer"},"pinned":{"type":"boolean"}`), "pass"},
		{"a password", each(secretFields), form(`"password":{"type":"string"}`), "fault"},
		{"an API key by its title", each(secretFields), form(`"k":{"type":"string","title":"API key"}`), "fault"},
		{"no link", each(linksInForm), form(`"a":{"type":"string","title":"example.com"}`), "pass"},
		{"a link", each(linksInForm), form(`"a":{"type":"string","description":"see https://example.com/x"}`), "fault"},
		{"no page", judgeURLMode, form(`"a":{"type":"string"}`), "na"},
		{"a page", judgeURLMode, page("https://example.com/a"), "pass"},
		{"half an address", judgeURLMode, page("/login"), "fault"},
		{"a page for a client of forms", judgeURLMode, join(opened(`{"elicitation":{}}`), page("https://example.com/a")[2:]), "fault"},
		{"https", https, page("https://example.com/a"), "pass"},
		{"localhost", https, page("http://127.0.0.1:8080/a"), "pass"},
		{"http", https, page("http://example.com/a"), "fault"},
		{"an opaque id", private, page("https://example.com/a?s=4f1c9b"), "pass"},
		{"a mail address", private, page("https://example.com/a?who=ada@example.com"), "fault"},
		{"a password in front", private, page("https://ada:secret@example.com/a"), "fault"},
		{"done", judgeCompleteID, join(page("https://example.com/a"), []string{`< {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}`}), "pass"},
		{"done, but what", judgeCompleteID, join(page("https://example.com/a"), []string{`< {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e2"}}`}), "fault"},
		{"-32042 without pages", func(e *Evidence) Ruling { return judgeRequiredError(e, shapes) }, join(opened(`{"elicitation":{"url":{}}}`), []string{callApply("x", "10"), `< {"jsonrpc":"2.0","id":10,"error":{"code":-32042,"message":"open"}}`}), "fault"},
	})
}

func TestAskingFirst(t *testing.T) {
	t.Parallel()
	calls := []toolCall{{label: "find:a"}, {label: "find:b"}, {label: "find:c"}}
	sent := func(label string, post int) wire.Event {
		return wire.Event{Kind: wire.Send, Probe: "elicitation/" + label, Post: post}
	}
	tests := []struct {
		name, want string
		// on are the HTTP requests on whose streams a form came.
		on []int
	}{
		{"on the stream of its call", "find:b find:a find:c", []int{2}},
		{"on those of two", "find:b find:c find:a", []int{3, 2}},
		{"over stdio, where nothing tells", "find:a find:b find:c", []int{0}},
		{"one of two on a stream of its own", "find:a find:b find:c", []int{2, 9}},
	}
	for _, tt := range tests {
		tape := &wire.Tape{}
		events := []wire.Event{sent("find:a", 1), sent("find:b", 2), sent("find:c", 3), {Kind: wire.Send, Probe: "open/stream", Post: 9}}
		for _, post := range tt.on {
			events = append(events, wire.Event{Kind: wire.Recv, Post: post, Raw: []byte(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}`)})
		}
		tape.Load(events, false)
		var got []string
		for _, c := range askingFirst(tape.Events(), "elicitation/", calls) {
			got = append(got, c.label)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
	}
}
