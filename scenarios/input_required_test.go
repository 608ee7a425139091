package scenarios

import (
	"encoding/base64"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/scenarios/message"
)

// modernCall is a call of the asking tool under 2026-07-28.
func modernCall(label, id, capabilities, more string) string {
	return `> ` + label + ` {"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"_meta":{"` + fakes.MetaVersion + `":"2026-07-28","` + fakes.MetaCapabilities + `":` + capabilities + `},"name":"apply","arguments":{"target":"a"}` + more + `}}`
}

const forms = `{"elicitation":{"form":{}}}`

// wants is a result that asks, with a state unless it is "".
func wants(id, state string) string {
	s := ""
	if state != "" {
		s = `,"requestState":"` + state + `"`
	}
	return `< {"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"form","message":"Apply?","requestedSchema":` + choiceForm + `}}}` + s + `}}`
}

func complete(id, text string) string {
	return `< {"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"complete","content":[{"type":"text","text":"` + text + `"}]}}`
}

// modernTalk is a question, what is brought back, and what comes of it.
func modernTalk(label, id, answer, end string) []string {
	next := "2" + id
	return []string{
		modernCall(label, id, forms, ""), wants(id, "s"),
		modernCall(label+"/2", next, forms, `,"requestState":"s","inputResponses":{"k":`+answer+`}`), strings.Replace(end, "ID", next, 1),
	}
}

func TestInputRequired(t *testing.T) {
	t.Parallel()
	const yes, no = `{"action":"accept","content":{"how":"mild"}}`, `{"action":"decline"}`
	good := join(
		modernTalk("accept", "10", yes, complete("ID", "applied mild")), modernTalk("accept:again", "11", yes, complete("ID", "applied mild")),
		modernTalk("accept:2", "12", `{"action":"accept","content":{"how":"strong"}}`, complete("ID", "applied strong")),
		modernTalk("decline", "13", no, complete("ID", "not applied: decline")), modernTalk("cancel", "14", `{"action":"cancel"}`, complete("ID", "not applied: cancel")),
	)
	after := func(label, end string) []string {
		return join(good, modernTalk(label, "50", yes, end))
	}
	const asked, refused, applied, broken = "ASK", `< {"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"no"}}`, "YES", "LOST"
	ends := func(kind string) string {
		switch kind {
		case asked:
			return wants("ID", "s")
		case applied:
			return complete("ID", "applied mild")
		case broken:
			return "! LABEL/2 silent nothing came"
		}
		return kind
	}
	state := func(label, kind string) []string { return after(label, strings.Replace(ends(kind), "LABEL", label, 1)) }
	loop := []string{modernCall("accept", "10", forms, ""), wants("10", "s")}
	for n := 2; n <= 11; n++ {
		id := strconv.Itoa(100 + n)
		loop = append(loop, strings.Replace(modernCall("accept", id, forms, ""), "> accept ", "> accept/"+strconv.Itoa(n)+" ", 1), wants(id, "s"))
	}
	shapes := message.New()
	shape := func(e *Evidence) Ruling { return judgeInputShape(e, shapes) }
	modernFacts := func() *Facts {
		f := askerFacts()
		f.Revision, f.Transport = "2026-07-28", "stdio"
		return f
	}
	runEraCases(t, Cell{Scenario: "input-required", Revision: "2026-07-28"}, modernFacts, []eraCase{
		{"a shape", shape, good, "pass"},
		{"no resultType", shape, []string{modernCall("accept", "10", forms, ""), strings.Replace(wants("10", "s"), `"resultType":"input_required",`, "", 1)}, "fault"},
		{"neither question nor state", shape, []string{modernCall("accept", "10", forms, ""), `< {"jsonrpc":"2.0","id":10,"result":{"resultType":"input_required","inputRequests":{}}}`}, "fault"},
		{"an unknown kind", shape, []string{modernCall("accept", "10", forms, ""), `< {"jsonrpc":"2.0","id":10,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"form/show","params":{}}}}}`}, "fault"},
		{"declared", judgeInputDeclared, join(good, []string{modernCall("without", "40", `{}`, ""), complete("40", "applied without asking")}), "pass"},
		{"an empty object means forms", judgeInputDeclared, join(good, []string{modernCall("without", "40", `{"elicitation":{}}`, ""), wants("40", "s")}), "pass"},
		{"not declared, refused by code", judgeInputDeclared, join(good, []string{modernCall("without", "40", `{}`, ""), `< {"jsonrpc":"2.0","id":40,"error":{"code":-32021,"message":"needs forms"}}`}), "pass"},
		{"not declared", judgeInputDeclared, join(good, []string{modernCall("without", "40", `{}`, ""), wants("40", "s")}), "fault"},
		{"pages alone", judgeInputDeclared, join(good, []string{modernCall("pages-only", "40", `{"elicitation":{"url":{}}}`, ""), wants("40", "s")}), "fault"},
		{"a list that asks", judgeOnlyForThree, []string{strings.Replace(modernCall("list", "41", forms, ""), "tools/call", "tools/list", 1), wants("41", "s")}, "fault"},
		{"a yes", judgeAccepted, good, "pass"},
		{"a decline", judgeDecline, good, "pass"},
		{"a decline is asked on", judgeDecline, join(good[:12], modernTalk("decline", "13", no, wants("ID", "s")), []string{modernCall("decline/3", "60", forms, ""), wants("60", "s")}, good[16:]), "fault"},
		{"missing asked again", judgeMissing, state("missing:all", asked), "pass"},
		{"missing refused", judgeMissing, state("missing:all", refused), "fault"},
		{"missing taken for a yes", judgeMissing, state("missing:all", applied), "fault"},
		{"missing taken for a no", judgeMissing, after("missing:all", complete("ID", "not applied: cancel")), "pass"},
		{"another answer ignored", judgeInputExtra, state("extra:answer", applied), "pass"},
		{"another answer refused", judgeInputExtra, state("extra:answer", refused), "fault"},
		{"a wrong container refused", judgeWrongContainer, state("wrong:answers-list", refused), "pass"},
		{"a wrong container asked again", judgeWrongContainer, state("wrong:answers-list", asked), "pass"},
		{"a wrong container hangs", judgeWrongContainer, state("wrong:answers-list", broken), "fault"},
		{"a wrong container counts as a yes", judgeWrongContainer, state("wrong:answers-list", applied), "fault"},
		{"a changed state refused", judgeTampered, state("tamper:flip-2", refused), "pass"},
		{"a changed state asked again", judgeTampered, state("tamper:flip-2", asked), "pass"},
		{"a changed state unnoticed", judgeTampered, state("tamper:flip-2", applied), "pass"},
		{"a changed state followed", judgeTampered, after("tamper:edit-1", complete("ID", "applied to all")), "fault"},
		{"a changed state taken for a no", judgeTampered, after("tamper:edit-1", complete("ID", "not applied: decline")), "pass"},
		{"a changed state of a tool that never says the same", judgeTampered, join(
			modernTalk("accept", "10", yes, complete("ID", "applied at 1")), modernTalk("accept:again", "11", yes, complete("ID", "applied at 2")),
			modernTalk("tamper:edit-1", "50", yes, complete("ID", "applied at 3"))), "pass"},
		{"a hostile state", judgeHostile, state("hostile:megabyte", refused), "pass"},
		{"a hostile state kills", judgeHostile, after("hostile:megabyte", "! hostile:megabyte/2 dead the server ended"), "fault"},
		{"the state alone", judgeStateAlone, state("alone", asked), "pass"},
		{"the state alone breaks", judgeStateAlone, after("alone", `< {"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"x"}}`), "fault"},
		{"a changed question asked again", judgeChangedQuestion, state("changed:state", asked), "pass"},
		{"a changed question done", judgeChangedQuestion, after("changed:state", complete("ID", "applied to b")), "fault"},
		{"a changed question, the old deed", judgeChangedQuestion, state("changed:state", applied), "pass"},
		{"no other question", judgeChangedQuestion, good, "unseen"},
		{"no second tool", judgeOtherTool, good, "na"},
		{"another tool's state", judgeOtherTool, join(good, []string{modernCall("second", "70", forms, ""), wants("70", "s")}, modernTalk("second-accept", "71", yes, complete("ID", "painted it")), modernTalk("other-tool:own", "72", yes, complete("ID", "painted it"))), "fault"},
		{"another tool's state asked again", judgeOtherTool, join(good, []string{modernCall("second", "70", forms, ""), wants("70", "s")}, modernTalk("second-accept", "71", yes, complete("ID", "painted it")), modernTalk("other-tool:own", "72", yes, wants("ID", "s"))), "pass"},
		{"a replay", judgeReplay, join(good, []string{modernCall("replay", "80", forms, ""), complete("80", "applied mild")}), "pass"},
		{"a replay breaks", judgeReplay, join(good, []string{modernCall("replay", "80", forms, ""), `< {"jsonrpc":"2.0","id":80,"error":{"code":-32603,"message":"x"}}`}), "fault"},
		{"the house asks again", judgeInputAsksAgain, state("tamper:flip-2", asked), "pass"},
		{"the house does not refuse", judgeInputAsksAgain, state("tamper:flip-2", refused), "fault"},
		{"it ends", judgeEnds, good, "pass"},
		{"it never ends", judgeEnds, loop, "fault"},
		{"open questions", judgeUnanswered, join(good, []string{modernCall("unanswered", "90", forms, ""), wants("90", "s"), modernCall("alive:unanswered", "91", forms, ""), complete("91", "x")}), "pass"},
		{"open questions get in the way", judgeUnanswered, join(good, []string{modernCall("unanswered", "90", forms, ""), `< {"jsonrpc":"2.0","id":90,"error":{"code":-32603,"message":"busy"}}`}), "fault"},
		{"advice", judgeFormAdvice, good, "pass"},
		{"a form for a password", judgeFormAdvice, []string{modernCall("accept", "10", forms, ""), strings.ReplaceAll(wants("10", "s"), `"how"`, `"password"`)}, "fault"},
	})
}

func TestTamperings(t *testing.T) {
	t.Parallel()
	packed := base64.RawURLEncoding.EncodeToString([]byte(`{"fare":120,"to":["oslo",true]}`))
	tests := []struct {
		name, state string
		want        []string // what the edits decode to
	}{
		{"JSON", `{"n":1,"s":"a","b":false}`, []string{`{"n":2,"s":"a","b":false}`, `{"n":1,"s":"ax","b":false}`, `{"n":1,"s":"a","b":true}`}},
		{"JSON in base64", packed, []string{`{"fare":121,"to":["oslo",true]}`, `{"fare":120,"to":["oslox",true]}`, `{"fare":120,"to":["oslo",false]}`}},
		{"a body and a seal", packed + ".c2VhbA", []string{`{"fare":121,"to":["oslo",true]}`, `{"fare":120,"to":["oslox",true]}`, `{"fare":120,"to":["oslo",false]}`}},
		{"words of the arguments", "first:alpha", []string{"first:alphax"}},
		{"noise", "9f3c", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, e := range edits(tt.state, []byte(`{"target":"alpha"}`)) {
				body, _, _ := strings.Cut(e.state, ".")
				if raw, enc := decodeState(body); enc != nil {
					body = string(raw)
				}
				got = append(got, body)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
			names := map[string]bool{}
			for _, x := range tamperings(tt.state, []byte(`{"target":"alpha"}`), gjson.Result{}) {
				if x.state == tt.state {
					t.Errorf("%s changed nothing", x.name)
				}
				if names[x.name] {
					t.Errorf("the name %s is used twice", x.name)
				}
				names[x.name] = true
			}
		})
	}
	if got := tamperings("", nil, gjson.Result{}); len(got) != 0 {
		t.Errorf("an empty state was changed into %v", got)
	}
}
