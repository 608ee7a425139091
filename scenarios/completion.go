package scenarios

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
)

func completion() Scenario {
	return Scenario{
		ID: "completion", Title: "Completion", Since: fakes.Rev20250326,
		Summary: "Completes the arguments of listed prompts and templates, of prompts that do not exist, and with odd input.",
		Drive:   driveCompletion,
		Checks: []Check{
			{
				ID: "completion/at-most-100", Claim: "A completion has at most 100 values.", Level: Must,
				Why:    "Clients refuse a longer list, or show a menu that nobody can read.",
				Remedy: "Cut the list to 100 values, and tell the rest by total and hasMore.",
				Basis:  []string{"server/utilities/completion#completion-results", "schema#completeresult"}, Requirements: []string{"completion.at-most-100"},
				Judge: declaresCompletion(judgeAtMost100),
			},
			{
				ID: "completion/unsupported", Claim: "Without the capability, completion/complete is an unknown method.", Level: Should,
				Why:    "Clients try completion and stop at -32601; any other answer makes them try again at each key.",
				Remedy: "Answer with -32601, or declare completions.",
				Basis:  []string{"server/utilities/completion#error-handling"}, Requirements: []string{"completion.unsupported"},
				Judge: judgeCompletionUnsupported,
			},
			{
				ID: "completion/unknown-prompt", Claim: "A completion for a prompt that does not exist is refused with -32602, or has no values.", Level: Should,
				Why:    "Values for something that does not exist lead on to a prompt that fails.",
				Remedy: "Look the prompt up first, and answer with -32602 when it is not there.",
				Basis:  []string{"server/utilities/completion#error-handling"}, Requirements: []string{"completion.unknown-prompt"},
				Judge: declaresCompletion(judgeCompletionUnknown),
			},
			{
				ID: "completion/missing-argument", Claim: "A completion without its argument, or without the argument's name, is refused with -32602.", Level: Should,
				Why:    "A client with a mistake in it gets an internal error, and its author looks for the mistake in the server.",
				Remedy: "Check ref and argument first, and answer with -32602.",
				Basis:  []string{"server/utilities/completion#error-handling"}, Requirements: []string{"completion.missing-argument"},
				Judge: declaresCompletion(judgeCompletionMissing),
			},
			{
				ID: "completion/odd-input", Claim: "An unknown kind of ref, a number for the value and a very long value do no harm.", Level: Must,
				Why:    "What a person types goes to the server key by key, whatever it is. A server that falls over it takes the session with it.",
				Remedy: "Check kinds and types before use, and bound the length of the value.",
				Basis:  []string{"server/utilities/completion#security"}, Requirements: []string{"completion.inputs-validated"},
				Judge: declaresCompletion(judgeCompletionOdd),
			},
			{
				ID: "completion/context-accepted", Claim: "The arguments that were filled in before are accepted as context.", Level: Note,
				Why:    "Clients send them along; a server that refuses them completes nothing from the second argument on.",
				Remedy: "Take context.arguments, and ignore it where you have no use for it.",
				Basis:  []string{"server/utilities/completion"}, Requirements: []string{"completion.context-accepted"},
				Judge: declaresCompletion(judgeCompletionContext),
			},
			{
				ID: "completion/relevance", Claim: "Values that begin with what was typed come first.", Level: Note,
				Why:    "The menu shows the first values; what a person is typing should be among them.",
				Remedy: "Sort values that begin with the typed text before others.",
				Basis:  []string{"server/utilities/completion#implementation-considerations"}, Requirements: []string{"completion.relevance"},
				Judge: declaresCompletion(judgeCompletionRelevance),
			},
		},
	}
}

// declaresCompletion makes a judge for servers that declare completions.
func declaresCompletion(j func(*Evidence) Ruling) func(*Evidence) Ruling {
	return func(e *Evidence) Ruling {
		if !e.Facts.Capability("completions").Exists() {
			return NotApplicable("the server does not declare completions")
		}
		return j(e)
	}
}

// completable is one argument that may be completed.
type completable struct{ kind, name, argument string }

// maxCompletables is how many arguments are completed.
const maxCompletables = 8

func driveCompletion(ctx context.Context, d *Drive) error {
	v := d.Shared(ctx)
	none := completable{"prompt", "zz_conform_no_such_prompt", "zz"}
	if !d.Facts.Capability("completions").Exists() {
		_ = v.Do(ctx, none.ask("unsupported", "z"))
		return nil
	}
	for _, k := range lists()[1:] {
		if k.method != "resources/list" && offered(d.Facts, k) {
			_ = v.List(ctx, "list:"+k.method, k.method, resourcePages)
		}
	}
	all := completables(v.listed("list:prompts/list", "prompts"), v.listed("list:resources/templates/list", "resourceTemplates"))
	var asks []fakes.Ask
	for i, c := range all {
		asks = append(asks, c.ask(fmt.Sprintf("all:%d", i+1), ""))
	}
	v.Each(ctx, append(asks, none.ask("unknown", "z")))
	one := none
	if len(all) > 0 {
		one = all[0]
	}
	asks = append(oddCompletions(one),
		fakes.Ask{Label: "missing:argument", Method: "completion/complete", Params: json.RawMessage(`{"ref":` + one.ref() + `}`)},
		fakes.Ask{Label: "missing:name", Method: "completion/complete", Params: json.RawMessage(`{"ref":` + one.ref() + `,"argument":{"value":"z"}}`)})
	if d.Facts.Revision >= fakes.Rev20250618 {
		asks = append(asks, one.withContext())
	}
	for i, c := range all {
		values := answerResult(v.Answer(fmt.Sprintf("all:%d", i+1))).Get("completion.values").Array()
		if typed := typedFor(values); typed != "" {
			asks = append(asks, c.ask(fmt.Sprintf("typed:%d", i+1), typed))
		}
	}
	v.Each(ctx, asks)
	return nil
}

// completables lists the arguments of prompts and the variables of templates.
func completables(prompts, templates []gjson.Result) []completable {
	var out []completable
	for _, p := range prompts {
		for _, a := range p.Get("arguments").Array() {
			out = append(out, completable{"prompt", p.Get("name").String(), a.Get("name").String()})
		}
	}
	variable := regexp.MustCompile(`\{[+#./;?&]?([A-Za-z0-9_.%]+)`)
	var more []completable
	for _, t := range templates {
		for _, m := range variable.FindAllStringSubmatch(t.Get("uriTemplate").String(), 3) {
			more = append(more, completable{"resource", t.Get("uriTemplate").String(), m[1]})
		}
	}
	// Both kinds get their share.
	half := max(maxCompletables/2, maxCompletables-len(more))
	out = append(out[:min(len(out), half)], more...)
	return out[:min(len(out), maxCompletables)]
}

func (c completable) ref() string {
	key := "name"
	if c.kind == "resource" {
		key = "uri"
	}
	name, _ := json.Marshal(c.name)
	return fmt.Sprintf(`{"type":"ref/%s","%s":%s}`, c.kind, key, name)
}

func (c completable) ask(label, value string) fakes.Ask {
	return fakes.Ask{Label: label, Method: "completion/complete", Params: completing(c.kind, c.name, c.argument, value)}
}

func (c completable) withContext() fakes.Ask {
	a := c.ask("context", "")
	a.Params = withMember(gjson.ParseBytes(a.Params), "context", `{"arguments":{"zz_conform":"x"}}`)
	return a
}

// completing are the params of completion/complete.
func completing(kind, name, argument, value string) json.RawMessage {
	arg, _ := json.Marshal(map[string]string{"name": argument, "value": value})
	return json.RawMessage(`{"ref":` + completable{kind: kind, name: name}.ref() + `,"argument":` + string(arg) + `}`)
}

func oddCompletions(c completable) []fakes.Ask {
	arg, _ := json.Marshal(c.argument)
	raw := func(label, params string) fakes.Ask {
		return fakes.Ask{Label: label, Method: "completion/complete", Params: json.RawMessage(params)}
	}
	return []fakes.Ask{
		raw("odd:ref", `{"ref":{"type":"ref/zz_conform","name":"zz_conform"},"argument":{"name":"zz","value":"z"}}`),
		raw("odd:number", `{"ref":`+c.ref()+`,"argument":{"name":`+string(arg)+`,"value":5}}`),
		c.ask("odd:long", strings.Repeat("x", 10_000)),
	}
}

// typedFor is the first letter of the last value, when values begin with several.
func typedFor(values []gjson.Result) string {
	if len(values) < 2 {
		return ""
	}
	for _, r := range values[len(values)-1].String() {
		return string(r)
	}
	return ""
}
