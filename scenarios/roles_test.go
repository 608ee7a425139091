package scenarios

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func toolOf(raw string) Tool {
	var t struct{ Name string }
	_ = json.Unmarshal([]byte(raw), &t)
	return Tool{Name: t.Name, Raw: json.RawMessage(raw), Callable: true, Why: "every tool may be called (--allow all)"}
}

func TestCallArguments(t *testing.T) {
	t.Parallel()
	tool := toolOf(`{"name":"slug","_meta":{"inputExamples":[{"text":"a"},{"text":5},"odd",{"text":"b"}]},
		"inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"examples":[{"text":"a"},{"text":"c"}]}}`)
	run := &RunFacts{
		Seed:  1,
		Calls: []ToolCall{{Tool: "slug", Arguments: json.RawMessage(`{"text":"config"}`)}, {Tool: "other", Arguments: json.RawMessage(`{}`)}},
		Roles: []Role{
			{Job: JobThrows, Tool: "slug", Arguments: json.RawMessage(`{"text":"throws"}`), Alternative: json.RawMessage(`{"text":"succeeds"}`)},
			{Job: JobAsks, Tool: "slug", Arguments: json.RawMessage(`{"text":"asks"}`)},
			{Job: JobSlow, Tool: "slug", Arguments: json.RawMessage(`{"text":"slow"}`)},
		},
	}
	texts := func(sets []ArgumentSet) []string {
		var out []string
		for _, s := range sets {
			out = append(out, string(s.JSON)+" from "+s.From)
		}
		return out
	}
	slow := `{"text":"slow"} from ` + FromRole
	written := []string{
		`{"text":"config"} from ` + FromConfig, `{"text":"succeeds"} from ` + FromRole, `{"text":"asks"} from ` + FromRole,
	}
	got := texts(CallArguments(&Facts{Run: run}, &tool))
	want := append(written[:3:3], `{"text":"a"} from _meta.inputExamples[0]`, `{"text":"b"} from _meta.inputExamples[3]`, `{"text":"c"} from inputSchema.examples[1]`)
	if d := cmp.Diff(want, got[:min(len(want), len(got))]); d != "" {
		t.Errorf("argument sets (-want +got):\n%s", d)
	}
	if last := got[len(got)-1]; last != slow {
		t.Errorf("what makes the tool slow should come last, got %s", last)
	}
	if again := texts(CallArguments(&Facts{Run: run}, &tool)); !cmp.Equal(got, again) {
		t.Errorf("the same seed gave other sets: %q, then %q", got, again)
	}
	tool.Why = WhyCall
	if d := cmp.Diff(append(written, slow), texts(CallArguments(&Facts{Run: run}, &tool))); d != "" {
		t.Errorf("a tool that only the configuration allows (-want +got):\n%s", d)
	}
}
