package scenarios

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/scenarios/instance"
)

func parity() Scenario {
	return Scenario{
		ID: "parity", Title: "The same in every revision", Scope: Across,
		Summary: "Makes the same calls under every revision and compares lists, answers and questions word for word, protocol members aside.",
		Drive:   driveParity,
		Checks: []Check{
			{
				ID: "parity/listing-across-revisions", Claim: "Every revision lists the same tools with the same words.", Level: House,
				Why:    "Which revision a client speaks is chance. A tool that differs by it works for one person and not for the next.",
				Remedy: "Build the list once, and leave out only members that the revision does not know.",
				Basis:  []string{"house contract"},
				Judge:  judgeListingRevisions,
			},
			{
				ID: "parity/texts-across-revisions", Claim: "The same call says the same under every revision.", Level: House,
				Why:    "Models and people read the text; tests and prompts that rest on it break with the next client update.",
				Remedy: "Make texts in one place, whatever the revision.",
				Basis:  []string{"house contract"},
				Judge:  judgeTextsRevisions,
			},
			{
				ID: "parity/listing-across-transports", Claim: "stdio and HTTP list the same tools with the same words.", Level: House,
				Why:    "A tool that works on the author's machine is missing, or reads differently, where it is hosted.",
				Remedy: "Build the list once, for both transports.",
				Basis:  []string{"house contract"},
				Judge:  judgeListingTransports,
			},
			{
				ID: "parity/question-across-eras", Claim: "The question that is asked by elicitation is the one that is asked by input_required, and the same answers lead to the same outcomes.", Level: House,
				Why:    "A person agrees to what the form says. Two forms for one deed are two promises.",
				Remedy: "Write the question once and let the revision decide only how it travels.",
				Basis:  []string{"house contract"},
				Judge:  judgeQuestionEras,
			},
		},
	}
}

// maxParity is how many tools are called under every revision.
const maxParity = 20

// driveParity makes each call once under every revision, on the shared
// sessions. Where texts differ it makes the call again on fresh sessions: only
// what a revision says every time, in every process, is compared.
func driveParity(ctx context.Context, d *Drive) error {
	if len(d.Sessions) < 2 {
		return nil
	}
	calls := parityCalls(d.Facts)
	var wg sync.WaitGroup
	for revision := range d.Sessions {
		wg.Go(func() { d.On(revision).callAll(ctx, labelled(calls, revision, "1")) })
	}
	wg.Wait()
	suspects := map[string][]toolCall{} // by the revision to try again
	for _, c := range calls {
		for _, revision := range differing(d, c) {
			suspects[revision] = append(suspects[revision], c)
		}
	}
	for revision, calls := range suspects {
		wg.Go(func() {
			v, err := d.Fresh(ctx, fakes.Want{Revision: revision, Purpose: "parity, " + revision + " again", NoLists: true})
			if err != nil {
				return // then nothing is compared
			}
			v.callAll(ctx, labelled(calls, revision, "2"))
			v.callAll(ctx, labelled(calls, revision, "3"))
		})
	}
	wg.Wait()
	return nil
}

// labelled labels calls "<revision>/<call>/<time>".
func labelled(calls []toolCall, revision, time string) []toolCall {
	out := slices.Clone(calls)
	for i := range out {
		out[i].label = revision + "/" + out[i].label + "/" + time
	}
	return out
}

// parityCalls are an unknown name, calls that fail and mismatch, and of each
// tool one that is valid and one that is not.
func parityCalls(f *Facts) []toolCall {
	out := []toolCall{{label: "unknown", tool: unknownPlain, args: json.RawMessage(`{}`)}}
	for _, job := range []string{JobThrows, JobMismatches} {
		if t, r := f.RoleTool(job); t != nil && t.Callable {
			out = append(out, toolCall{label: job, tool: t.Name, args: r.Arguments})
		}
	}
	valid := validCalls(f, "valid:", 1)
	for _, c := range valid[:min(len(valid), maxParity)] {
		out = append(out, c)
		t := f.Tool(c.tool)
		if OnlyAsWritten(t) {
			continue
		}
		if broken := instance.Broken([]byte(t.Get("inputSchema").Raw), c.args, f.Run.Seed); len(broken) > 0 {
			out = append(out, toolCall{label: "invalid:" + strings.TrimPrefix(c.label, "valid:"), tool: c.tool, args: broken[0].Arguments})
		}
	}
	return out
}

// differing lists revisions whose texts for a call differ, one for each text;
// nil when all say the same.
func differing(d *Drive, c toolCall) []string {
	var out []string
	seen := map[string]bool{}
	for _, revision := range slices.Sorted(maps.Keys(d.Sessions)) {
		m := d.On(revision).Answer(revision + "/" + c.label + "/1")
		if m == nil {
			continue
		}
		x := &Exchange{Answer: m}
		if text := x.Text(); !seen[text] {
			seen[text] = true
			out = append(out, revision)
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out[max(0, len(out)-3):]
}
